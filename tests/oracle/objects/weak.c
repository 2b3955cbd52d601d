/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/weak.h"

#include "oracle/finding.h"
#include "oracle/forge.h"
#include "oracle/objects/calls.h"
#include "oracle/objects/check.h"
#include "oracle/objects/choose.h"
#include "oracle/objects/compare.h"
#include "oracle/objects/counts.h"
#include "oracle/objects/history.h"
#include "oracle/objects/monitor.h"
#include "oracle/objects/object.h"
#include "oracle/objects/order.h"
#include "oracle/objects/schedule.h"
#include "oracle/objects/search.h"
#include "oracle/objects/simulate.h"
#include "oracle/objects/value.h"
#include "oracle/objects/visibility.h"
#include "oracle/objects/write.h"
#include "support/chance.h"
#include "support/evidence_line.h"

#include <assay.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The history up to an event. */
static void cut_at(const struct history *h, int event, struct history *cut)
{
    *cut = *h;
    cut->ops = 0;
    for (int i = 0; i < h->ops; i++)
        if (h->op[i].call_event <= event) {
            struct op *op = &cut->op[cut->ops++];
            *op = h->op[i];
            if (op->ret_event > event) {
                op->pending = true;
                op->ret_event = 0;
            }
        }
}

/* The first event up to which the operations on an object have no explanation; or 0; or NONE: too much. */
static int first_wrong(const struct history *h, int object, const struct weak_model *m)
{
    static struct history cut;
    for (int e = 1; e <= last_event(h); e++) {
        cut_at(h, e, &cut);
        counts.prefixes++;
        enum answer a = weakly_consistent(&cut, object, m);
        if (a != YES)
            return a == NO ? e : NONE;
    }
    return 0;
}

/* Results as if each operation saw some of those before it only; `keep`: and all that happened before it. */
static void see_less(struct history *h, int percent, bool keep)
{
    static struct order r;
    happens_before(h, true, &r);
    for (int i = 0; i < h->ops; i++) {
        static struct object o;
        struct op *op = &h->op[i];
        int result;
        bool fits = true;
        if (op->result == NONE)
            continue;
        create(h, op->object, &o);
        for (int rank = 1, last = 0; rank && fits; last = rank) { /* the next one in the order of the simulation */
            int next = NONE;
            for (int k = 0; k < h->ops; k++)
                if (h->op[k].object == op->object && h->op[k].rank > last && h->op[k].rank < op->rank &&
                    (next == NONE || h->op[k].rank < h->op[next].rank))
                    next = k;
            rank = next == NONE ? 0 : h->op[next].rank;
            if (rank && ((keep && has(r.before[i], next)) || chance(percent)))
                fits = step(h, &o, &h->op[next], &result);
        }
        if (fits && step(h, &o, op, &result) && result != NONE)
            op->result = result;
    }
}

/* The ids say nothing about threads: each operation has one of its own, or any that is free. */
static void mix_ids(struct history *h, bool all_different)
{
    for (int i = 0; i < h->ops; i++)
        for (bool busy = true; busy;) {
            h->op[i].thread = all_different ? i : below(h->threads + 2);
            busy = false;
            for (int k = 0; k < i; k++)
                busy = busy || (h->op[k].thread == h->op[i].thread &&
                                (h->op[k].pending || h->op[k].ret_event > h->op[i].call_event));
        }
    h->threads = all_different ? h->ops : h->threads + 2;
}

/* Exchangers have no states. The holders of a semaphore that a release releases could be any, if they had tags. */
static bool without_states(const struct history *h, struct taste *t)
{
    for (int i = 0; i < h->objects; i++) {
        if (h->kinds[i] == EXCHANGER)
            return true;
        if (h->kinds[i] == SEMAPHORE)
            t->tags = 0;
    }
    return false;
}

static void make_part(struct history *h, bool longer)
{
    struct taste t = choose_taste();
    int ops = 3 + below(chance(20) ? 7 : 5), objects = chance(75) ? 1 : 2;
    if (longer) {
        objects = 1;
        ops = 10 + below(14);
    } else if (chance(5)) {
        objects = 17 + below(5);
        ops = 24 + below(14);
    }
    do {
        memset(h, 0, sizeof *h);
        choose_objects(h, objects, chance(60), &t);
    } while (without_states(h, &t));
    if (chance(30))
        choose_init(h, &t);
    t.pool = 2 + below(2);
    shape(h, ops, 2 + (!longer ? below(3) : chance(30)), EVENTS, chance(60) ? 0 : 8);
    h->event_form = true;
    simulate_whole(h, &t);
    if (chance(80))
        see_less(h, 30 + below(70), chance(60));
    for (int n = chance(longer ? 85 : 60) ? 0 : 1 + below(2); n; n--)
        spoil_something(h, &t);
    if (chance(25))
        mix_ids(h, chance(50));
}

static char *relabelled(const char *line, const char *model)
{
    static const char key[] = "\"model\":\"", visibility[] = ",\"visibility\":\"";
    char *bytes = NULL;
    size_t n = 0;
    FILE *f = need(open_memstream(&bytes, &n));
    const char *name = strstr(line, key) + strlen(key), *rest = strchr(name, '"');
    const char *levels = strstr(rest, visibility);
    fprintf(f, "%.*s%s", (int)(name - line), line, model);
    if (levels) {
        fprintf(f, "%.*s", (int)(levels - rest), rest);
        rest = strchr(levels + strlen(visibility), '"') + 1;
    }
    fputs(rest, f);
    fclose(f);
    return bytes;
}

/* The proof of one verdict with the name of a model of which the opposite is true. */
static void compare_relabelled(const struct history *h, const assay_history *ah, const struct claim *c,
                               enum answer truth, const char *text)
{
    static struct weak_model other;
    assay_options o = {ASSAY_OPTIONS_INIT, .evidence = true, .visibility = c->visibility, .seconds = 10};
    assay_error e = {0};
    choose_model(&other, h, false);
    enum answer opposite = weakly_consistent(h, 0, &other);
    if (opposite == TOO_MUCH || opposite == truth || !*other.name || *other.visibility || strlen(other.name) > 200)
        return;
    assay_result *r = assay_check(ah, c->model, &o, &e);
    char *line = r && assay_result_proved(r) ? evidence_line(r) : NULL;
    if (line) {
        char *forged = relabelled(line, other.name);
        must_refuse(ah, forged, text);
        free(forged);
    }
    free(line);
    assay_result_free(r);
}

/* The engines on the history up to the event before the violation, or up to it; or on some of it. */
static void compare_offline(const struct history *h, const struct weak_model *m, int wrong)
{
    static const char *const engines[] = {NULL,
                                          "weak-jit",
                                          "weak-wg",
                                          "weak-jit:suspects",
                                          "weak-wg:suspects",
                                          "weak-jit:minimal",
                                          "weak-jit:naive",
                                          "weak-wg:naive"};
    static struct history cut;
    int event = !wrong ? 1 + below(last_event(h)) : wrong - chance(50);
    struct text t = {0};
    cut_at(h, event, &cut);
    write_history(&t, &cut);
    assay_history *ah = parse(t.bytes, "hist");
    enum answer truth = wrong && event >= wrong ? NO : YES;
    bool small = cut.ops <= (h->kinds[0] == BANK ? 6 : 8); /* transfers all have effects, and results */
    struct claim c = {*m->name ? m->name : "level:complete", engines[below(small ? 8 : 4)],
                      *m->visibility ? m->visibility : NULL};
    if (ah) {
        compare_claim(&cut, ah, &c, truth, t.bytes);
        compare_relabelled(&cut, ah, &c, truth, t.bytes);
    }
    assay_history_free(ah);
    free(t.bytes);
}

static void judge(struct stream *s, const struct weak_model *m)
{
    int before = 0;
    s->known = true;
    for (int p = 0; p < s->parts; p++) {
        s->first[p] = before;
        for (int o = 0; o < s->h[p]->objects; o++) {
            int at = first_wrong(s->h[p], o, m);
            s->known = s->known && at != NONE;
            s->wrong[p][o] = at > 0 ? at + before : 0;
        }
        before += last_event(s->h[p]);
    }
}

void random_weak(void)
{
    static struct history room[MAX_PARTS];
    static struct weak_model m;
    struct stream s = {0};
    values_reset();
    bool longer = chance(25); /* so that the monitor can forget */
    s.parts = chance(85) || longer ? 1 : 2;
    for (int p = 0; p < s.parts; p++) {
        make_part(&room[p], longer);
        s.h[p] = &room[p];
        if (p)
            say(&s.text, "---\n");
        write_history(&s.text, &room[p]);
    }
    for (int k = 0; k < 3; k++) {
        choose_model(&m, &room[0], longer);
        if (s.parts > 1 && m.named)
            continue; /* the second object need not have these methods */
        judge(&s, &m);
        if (!s.known) {
            counts.skipped++;
            continue;
        }
        counts.streams++;
        run_watch(&s, &(struct watch){.model = *m.name ? m.name : NULL,
                                      .visibility = *m.visibility ? m.visibility : NULL,
                                      .window = chance(20) ? 1 + (size_t)below(longer ? 12 : 6) : 0,
                                      .engine = chance(20) ? "weak" : NULL,
                                      .all = chance(50),
                                      .by_lines = chance(50)});
        if (room[0].objects == 1)
            compare_offline(&room[0], &m, s.wrong[0][0]);
    }
    free(s.text.bytes);
}
