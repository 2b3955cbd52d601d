/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/stream.h"

#include "oracle/finding.h"
#include "oracle/objects/calls.h"
#include "oracle/objects/choose.h"
#include "oracle/objects/counts.h"
#include "oracle/objects/history.h"
#include "oracle/objects/monitor.h"
#include "oracle/objects/order.h"
#include "oracle/objects/schedule.h"
#include "oracle/objects/search.h"
#include "oracle/objects/simulate.h"
#include "oracle/objects/value.h"
#include "oracle/objects/write.h"
#include "support/chance.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The first return after which the operations on one object, as far as they were known then, have no linearization;
 * or 0. */
static int contradiction(const struct history *h, int object)
{
    static struct order r;
    static struct history cut;
    bool take[MAX_OPS];
    int low = 0, high = last_event(h) + 1; /* fine at low; wrong at high, or high is beyond the end */
    while (high - low > 1) {
        int middle = high == last_event(h) + 1 && !low ? high - 1 : (low + high) / 2;
        cut = *h;
        for (int i = 0; i < h->ops; i++) {
            take[i] = h->op[i].object == object && h->op[i].call_event <= middle;
            if (h->op[i].ret_event > middle)
                cut.op[i].pending = true;
        }
        happens_before(&cut, true, &r);
        counts.prefixes++;
        enum answer a = linearizable_part(&cut, &r, take);
        if (a == TOO_MUCH)
            return NONE;
        if (a == YES)
            low = middle;
        else
            high = middle;
    }
    return high == last_event(h) + 1 ? 0 : high;
}

const char *const monitors[] = {"exact-jit",       "saturate",     "saturate+r",     "symbolic",       "symbolic+c",
                                "symbolic+i",      "symbolic+r",   "symbolic+c+i+r", "enumerate",      "enumerate+c",
                                "exact-queue",     "exact-stack",  "exact-set",      "exact-multiset", "exact-lock",
                                "exact-semaphore", "exact-pqueue", "exact-register", "exact-exchanger"};

#define MONITORS ((int)(sizeof monitors / sizeof *monitors))

static void judge_stream(struct stream *s)
{
    int before = 0;
    s->known = true;
    for (int p = 0; p < s->parts; p++) {
        s->first[p] = before;
        s->open[p] = false;
        for (int i = 0; i < s->h[p]->ops; i++)
            s->open[p] = s->open[p] || s->h[p]->op[i].pending;
        for (int o = 0; o < s->h[p]->objects; o++) {
            int at = contradiction(s->h[p], o);
            s->known = s->known && at != NONE;
            s->wrong[p][o] = at > 0 ? at + before : 0;
        }
        before += last_event(s->h[p]);
    }
}

static void compare_stream(struct stream *s)
{
    judge_stream(s);
    if (!s->known) {
        counts.skipped++;
        return;
    }
    int ops = 0;
    bool plain = true;
    counts.streams++;
    for (int p = 0; p < s->parts; p++)
        ops = s->h[p]->ops > ops ? s->h[p]->ops : ops;
    run_monitor(s, NULL, false, chance(50));
    run_monitor(s, NULL, true, false);
    run_monitor(s, "exact-jit", chance(50), false);
    for (int k = 0; k < 3; k++) {
        const char *engine = monitors[1 + below(MONITORS - 1)];
        bool slow = !strncmp(engine, "symbolic", 8) || !strncmp(engine, "enumerate", 9);
        if (!slow || ops <= 8)
            run_monitor(s, engine, chance(30), false);
    }
    plain = s->parts == 1 && !s->h[0]->named && s->h[0]->kinds[0] != MULTI_REGISTER;
    if (plain && chance(30))
        run_embedded(s);
}

static void make_part(struct history *h, bool spoil)
{
    static const int sizes[] = {5, 6, 7, 8, 10, 14, 24, 60};
    memset(h, 0, sizeof *h);
    struct taste t = choose_taste();
    int ops = sizes[below(chance(10) ? 8 : 6)], threads = 2 + below(3), objects = chance(75) ? 1 : 2 + below(2);
    if (chance(4)) {
        objects = 17 + below(5);
        ops = 30 + below(40);
    }
    choose_objects(h, objects, chance(60), &t);
    if (chance(30))
        choose_init(h, &t);
    shape(h, ops, threads, EVENTS, chance(60) ? 0 : 8);
    h->event_form = true;
    simulate_whole(h, &t);
    for (int n = !spoil || chance(30) ? 0 : 1 + below(2); n; n--)
        spoil_something(h, &t);
    if (spoil && chance(20) && ops <= 14)
        scramble_tags(h);
}

void random_stream(void)
{
    static struct history room[MAX_PARTS];
    struct stream s = {0};
    values_reset();
    s.parts = chance(80) ? 1 : 2 + below(MAX_PARTS - 1);
    for (int p = 0; p < s.parts; p++) {
        make_part(&room[p], true);
        s.h[p] = &room[p];
        if (p)
            say(&s.text, "---\n");
        write_history(&s.text, &room[p]);
    }
    if (chance(10))
        decorate(&s.text);
    compare_stream(&s);
    free(s.text.bytes);
}
