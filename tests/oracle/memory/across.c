/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/across.h"

#include "oracle/finding.h"
#include "oracle/memory/compare.h"
#include "oracle/memory/counts.h"
#include "oracle/memory/draw.h"
#include "oracle/memory/forge.h"
#include "oracle/memory/history.h"
#include "oracle/memory/machine.h"
#include "oracle/memory/models.h"
#include "oracle/memory/oracle.h"
#include "oracle/memory/small.h"
#include "oracle/memory/write.h"
#include "support/chance.h"

#include <assay.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void draw_after(struct history *h, bool as_drawn)
{
    int events[2 * MAX_OPS], n = event_order(h, events), returned[MAX_THREADS] = {0};
    int often = 10 + below(80), wide = 20 + below(80);
    h->knows = h->po_after = true;
    for (int k = 0; k < (as_drawn ? h->n : n); k++) {
        struct op *o = &h->ops[as_drawn ? k : events[k] / 2];
        bool says = (as_drawn || events[k] % 2 == 0) && chance(often);
        for (int u = 0; u < h->threads && says; u++)
            if (u != o->thread && chance(wide))
                o->after[u] = (short)(returned[u] && chance(30) ? 1 + below(returned[u]) : returned[u]);
        returned[o->thread] += as_drawn ? !o->pending : events[k] % 2;
    }
}

/* Many threads, each started by one before it */
static void draw_forks(struct history *h)
{
    int count[MAX_THREADS] = {0};
    h->knows = h->po_after = true;
    for (int i = 0; i < h->n; i++) {
        struct op *o = &h->ops[i];
        int u = o->thread ? below(o->thread) : 0;
        if (!count[o->thread] && u != o->thread)
            o->after[u] = (short)count[u];
        count[o->thread] += !o->pending;
    }
}

static void many_objects(struct history *h)
{
    for (int v = 0; v < h->var_count; v++)
        h->vars[v].object = 1 + v;
}

void draw_across(struct history *h)
{
    do {
        bool wide = chance(10), chain = chance(15);
        struct shape s = {.ops = 2 + below(chance(30) ? 13 : 9), .threads = 2 + below(4), .vars = 1 + below(3)};
        s.alphabet = chance(25) ? 2 + below(3) : 0;
        s.rmw = chance(40) ? 20 : 0;
        s.fence = chance(40) ? 20 : 0;
        s.write = 30 + below(30);
        s.machine = (enum machine)below(5);
        if (wide)
            s.vars = 17 + below(6);
        if (chain)
            s.threads = 6 + below(6);
        free(draw_run(h, &s));
        if (wide)
            many_objects(h);
        for (int i = s.machine == DICE ? h->n : chance(60) ? 1 + below(3) : 0; i > 0; i--)
            bend_read(h);
        if (chance(30))
            make_pending(h, 50);
        decorate(h);
        chain ? draw_forks(h) : draw_after(h, chance(35));
    } while (effort(h) > 1500);
}

/* The proofs of all models that have some, and their verdicts */
static assay_history *prove(const struct history *h, char *text, bool ok[MODELS], char *lines[MODELS])
{
    assay_history *a = parse(text, "hist");
    oracle(h, ok);
    for (int m = 0; a && m < MODELS; m++)
        if (!by_logic(h, m))
            compare(h, a, text, m, ok[m], &(assay_options){ASSAY_OPTIONS_INIT, .evidence = true}, &lines[m]);
    return a;
}

/* Headers hold for their history only. */
static void check_reset(const struct history *const parts[3], char *const texts[3], const bool *const ok[3])
{
    struct text all = {0};
    assay_error e = {0};
    say(&all, "%s---\n%s---\n%s", texts[0], texts[1], texts[2]);
    assay_reader *r = assay_reader_open_memory("text", all.bytes, all.size, "hist", &e);
    for (int i = 0; i < 3; i++) {
        assay_history *a = r ? assay_reader_next(r, &e) : NULL;
        static const int some[] = {CC, CCV, WSC, WTSO, SC, TSO, PSO};
        int m = some[below(7)];
        if (a)
            compare(parts[i], a, all.bytes, m, ok[i][m], &(assay_options){ASSAY_OPTIONS_INIT}, NULL);
        else
            finding(all.bytes, "history %d of 3 is not read: %s", i, e.message);
        counts.forms += a != NULL;
        assay_history_free(a);
    }
    assay_reader_close(r);
    free(all.bytes);
}

/* The same lines with the header and without it */
static void with_and_without(const struct history *h)
{
    struct history plain = *h;
    plain.po_after = false;
    struct style s = {.thread = "t%d"};
    uint64_t start = chance_state;
    char *text = history_text(h, s);
    chance_state = start;
    char *other = history_text(&plain, s), *lines[MODELS] = {NULL}, *others[MODELS] = {NULL};
    bool ok[MODELS], fewer[MODELS];
    assay_history *a = prove(h, text, ok, lines), *b = prove(&plain, other, fewer, others);
    for (int m = 0; m < MODELS; m++) {
        counts.ordered += ok[m] != fewer[m];
        if (ok[m] && !fewer[m])
            finding(text, "%s: the oracle says consistent, but not with less order", model_names[m]);
    }
    if (a && b) {
        transplant_proofs(&(struct truth){a, text, model_names, MODELS, ok}, others);
        transplant_proofs(&(struct truth){b, other, model_names, MODELS, fewer}, lines);
        check_reset((const struct history *const[]){h, &plain, h}, (char *const[]){text, other, text},
                    (const bool *const[]){ok, fewer, ok});
    }
    free_lines(lines);
    free_lines(others);
    assay_history_free(a);
    assay_history_free(b);
    free(text);
    free(other);
}

void across_family(int forge)
{
    struct history h;
    draw_across(&h);
    with_and_without(&h);
    check_small(&h, forge);
    h.po_after = false;
    check_small(&h, forge);
    h.po_after = true;
    bend_read(&h);
    if (effort(&h) < 1500)
        check_small(&h, forge);
}

static bool close_circle(struct history *h)
{
    struct order o = program_order(h, true);
    int start = below(h->n);
    for (int k = 0; k < h->n * h->n; k++) {
        int a = (start + k) % h->n, b = (start + k / h->n) % h->n, u = h->ops[b].thread, place = 0;
        if (h->ops[b].pending || (a != b && !precedes(&o, a, b)) || chance(50))
            continue;
        for (int i = 0; i <= b; i++)
            place += h->ops[i].thread == u;
        h->ops[a].after[u] = (short)place;
        return true;
    }
    return false;
}

void check_circular(void)
{
    struct history h;
    draw_across(&h);
    if (!close_circle(&h))
        return;
    char *text = history_text(&h, any_style());
    assay_error e = {0};
    assay_reader *r = assay_reader_open_memory("text", text, strlen(text), "hist", &e);
    assay_history *a = r ? assay_reader_next(r, &e) : NULL;
    counts.histories++;
    if (!a && !strstr(e.message, "circular"))
        finding(text, "a circular order: %s", e.message);
    for (int m = 0; a && m < MODELS; m++) {
        assay_result *v = assay_check(a, model_names[m], NULL, &e);
        if (v)
            finding(text, "a circular order has a verdict of %s", model_names[m]);
        else if (!strstr(e.message, "circular"))
            finding(text, "a circular order: %s: %s", model_names[m], e.message);
        assay_result_free(v);
    }
    assay_history_free(a);
    assay_reader_close(r);
    free(text);
}
