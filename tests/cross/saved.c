/* SPDX-License-Identifier: Apache-2.0 */
/* Monitors that are saved and loaded: a monitor that is replaced by a loaded one at random events reports what one reports
 * that is not, and has the same statistics.
 *
 *   saved [--quick|--long] [--seed N] [--count N] [--only OBJECT] */
#include "assay_monitor.h"
#include "spec/spec.h"
#include "support/alphabets.h"
#include "support/play_events.h"
#include "support/tier.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct stream {
    struct mem mem;
    struct text lines;
};

struct outcome {
    struct text reports;
    assay_verdict verdict;
    assay_monitor_stats stats;
    bool declined;
};

static void on_violation(void *context, const assay_monitor_violation *v)
{
    struct text *t = context;
    text_printf(t, "event %" PRIu64 " line %" PRIu64 " noticed %" PRIu64 "\n", v->event, v->line, v->noticed);
    for (size_t i = 0; i < v->operation_count; i++)
        text_printf(t, "  [%s] %s\n", v->operations[i].id ? v->operations[i].id : "?", v->operations[i].text);
    for (size_t i = 0; i < v->why_count; i++)
        text_printf(t, "  %s\n", v->why[i]);
}

struct way {
    const char *object, *engine; /* engine NULL: the default */
    bool all, attach;
};

static assay_monitor *opened(const struct way *w, struct text *reports)
{
    assay_error e = {0};
    return assay_monitor_open(w->object,
                              &(assay_monitor_options){ASSAY_MONITOR_OPTIONS_INIT, .engine = w->engine, .all = w->all,
                                                       .drain = true, .attach = w->attach, .saves = true,
                                                       .on_violation = on_violation, .context = reports},
                              &e);
}

/* A monitor in the place of this one, with its state. The rest of the line comes again. */
static assay_monitor *replaced(assay_monitor *m, const struct way *w, struct text *reports, size_t *pending)
{
    char *bytes = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&bytes, &n);
    assay_error e = {0};
    bool saved = assay_monitor_save(m, out, pending, &e);
    fclose(out);
    assay_monitor_close(m);
    m = opened(w, reports);
    if (!saved || !m || !assay_monitor_load(m, bytes, n, &e)) {
        fprintf(stderr, "%s: %s\n", w->object, e.message);
        exit(1);
    }
    free(bytes);
    return m;
}

/* one_in 0: the monitor is never replaced. Else it is after every one_in-th piece, of a few bytes each. */
static struct outcome follow(struct stream *s, const struct way *w, struct rng *rng, uint32_t one_in)
{
    struct outcome o = {.reports = text_in(&s->mem)};
    assay_monitor *m = opened(w, &o.reports);
    assay_error e = {0};
    bool fine = m;
    for (size_t at = 0; fine && at < s->lines.n;) {
        size_t n = 1 + rng_below(rng, 40);
        n = n < s->lines.n - at ? n : s->lines.n - at;
        fine = assay_monitor_feed(m, s->lines.at + at, n, &e);
        at += n;
        size_t pending = 0;
        if (fine && one_in && rng_below(rng, one_in) == 0)
            m = replaced(m, w, &o.reports, &pending);
        at -= pending;
    }
    o.declined = !fine || !assay_monitor_end(m, &e);
    if (m) {
        o.verdict = assay_monitor_verdict(m);
        o.stats = assay_monitor_statistics(m);
    }
    assay_monitor_close(m);
    return o;
}

static bool same(const struct outcome *a, const struct outcome *b)
{
    const assay_monitor_stats *x = &a->stats, *y = &b->stats;
    return a->verdict == b->verdict &&
           strcmp(text_get((struct text *)&a->reports), text_get((struct text *)&b->reports)) == 0 &&
           x->events == y->events && x->lines == y->lines && x->violations == y->violations && x->open == y->open &&
           x->live == y->live && x->abandoned == y->abandoned && x->left_out == y->left_out &&
           x->undecided == y->undecided;
}

static void random_streams(const assay_spec *s, uint64_t seed, uint32_t count)
{
    uint64_t streams = 0, violations = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = {hash_join(seed, hash_join(hash_bytes(s->name, strlen(s->name)), i))};
        struct way way = {.object = some_object(s, &rng),
                          .engine = rng_below(&rng, 4) == 0 ? "exact-jit" : NULL,
                          .all = rng_below(&rng, 2),
                          .attach = rng_below(&rng, 4) == 0};
        struct cast cast = {.object = way.object,
                            .spec = s,
                            .least = 8,
                            .most = PLAY_MOST,
                            .threads = 1 + rng_below(&rng, 4),
                            .values = 1 + rng_below(&rng, 4),
                            .distinct = rng_below(&rng, 2),
                            .pending = rng_below(&rng, 4) ? 0 : 60,
                            .lies = rng_below(&rng, 3)};
        struct stream stream = {0};
        stream.lines = text_in(&stream.mem);
        struct play p = play_random(&cast, &rng);
        struct play_event events[PLAY_EVENTS];
        uint32_t n = play_events(&p, events);
        uint32_t after = rng_below(&rng, 2) ? PLAY_EVENTS : rng_below(&rng, 4);
        for (uint32_t k = 0; k < n; k++) {
            play_event_print(&stream.lines, &p, &events[k]);
            play_deaths_print(&stream.lines, &p, events, k, after);
        }
        struct outcome whole = follow(&stream, &way, &rng, 0),
                       parts = follow(&stream, &way, &rng, 1 + rng_below(&rng, 8));
        if (whole.declined != parts.declined || (!whole.declined && !same(&whole, &parts))) {
            fprintf(stderr, "%s%s%s%s\n%s---- whole\n%s---- with a monitor that is replaced\n%s", way.object,
                    way.engine ? " exact-jit" : "", way.all ? " all" : "", way.attach ? " attach" : "",
                    text_get(&stream.lines), text_get(&whole.reports), text_get(&parts.reports));
            exit(1);
        }
        streams += !whole.declined;
        violations += whole.stats.violations;
        mem_release(&stream.mem);
    }
    if (streams)
        printf("%-20s %8" PRIu64 " streams, %6" PRIu64 " violations\n", s->name, streams, violations);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct request r = request_of(argc, argv);
    for (size_t i = 0; spec_table[i]; i++)
        if (request_wants(&r, spec_table[i]->name))
            random_streams(spec_table[i], r.seed, request_count(&r, 120, 800, 100000));
    return 0;
}
