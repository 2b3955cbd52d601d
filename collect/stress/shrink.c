/* SPDX-License-Identifier: Apache-2.0 */
/* A smaller program is tried by running it, and whether it shows the violation depends on the schedule. So each
 * candidate gets many runs and a limited time; one that shows nothing is given up, although it might have. The result
 * is small, not the smallest there is, and certain: its history was recorded and found to violate the model. It must
 * also have the pattern of the first one: a smaller program may show another bug. */
#include "collect/stress/shrink.h"

#include "base/budget.h"
#include "base/escape.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS = 4000 };
static const double candidate_seconds = 2;

struct shrinking {
    const struct stress_settings *settings;
    struct workers *workers;
    const char *pattern;
    struct shared_run *run;
    shrink_report *report;
    void *context;
    uint64_t candidates; /* tried so far */
    double until;
};

static bool ends(const struct shrinking *x)
{
    return budget_now() > x->until || atomic_load_explicit(&x->run->stop, memory_order_relaxed);
}

/* An engine may give no pattern. */
static bool same(const char *pattern, const char *other)
{
    return pattern && other ? strcmp(pattern, other) == 0 : !pattern && !other;
}

static bool violates(const struct shrinking *x, const char *text, size_t length)
{
    assay_history *h;
    assay_result *r = judge_check(x->settings, text, length, &h, NULL);
    bool yes = r && assay_result_verdict(r) == ASSAY_VIOLATION && same(assay_result_pattern(r), x->pattern);
    assay_result_free(r);
    assay_history_free(h);
    return yes;
}

/* A history that was seen in this program needs no second check. */
static bool shows_it(struct shrinking *x, const struct client *p, uint64_t seed, struct distinct_runs *seen,
                     struct mem *mem)
{
    const assay_recorder *r = workers_recorder(x->workers);
    if (!judge_is_new(seen, r, mem))
        return false;
    size_t length;
    char *text = judge_text(x->settings->adapter, r, &length);
    bool shown = text && violates(x, text, length);
    if (shown)
        x->report(x->context, p, seed, text, length);
    free(text);
    return shown;
}

static bool still_fails(struct shrinking *x, const struct client *p)
{
    struct mem mem = {0};
    struct distinct_runs seen = {0};
    double until = budget_now() + candidate_seconds;
    bool shown = false;
    if (atomic_fetch_add(&x->run->candidates, 1) < atomic_load(&x->run->passed_over))
        return false;
    x->candidates++;
    for (uint32_t i = 0; i < RUNS && !shown && client_size(p) && budget_now() < until && !ends(x); i++) {
        uint64_t seed = hash_join(x->candidates, i);
        shown = !workers_run(x->workers, p, seed) && shows_it(x, p, seed, &seen, &mem);
    }
    if (shown) {
        atomic_store(&x->run->smaller, true);
        atomic_store(&x->run->passed_over, 0);
    }
    mem_release(&mem);
    return shown;
}

static bool without_a_thread(struct shrinking *x, struct client *p, struct mem *mem)
{
    bool stay = x->settings->words->has_roles; /* all but the last: their numbers mean something */
    for (uint32_t t = 0; p->threads > 1 && t < p->threads; t++) {
        bool stays = stay && t + 1 < p->threads;
        if (stays && p->from[t] == p->from[t + 1])
            continue;
        struct client smaller = stays ? client_without_calls_of(p, t, mem) : client_without_thread(p, t, mem);
        if (still_fails(x, &smaller)) {
            *p = smaller;
            return true;
        }
    }
    return false;
}

static bool without_a_step(struct shrinking *x, struct client *p, struct mem *mem)
{
    bool any = false;
    for (uint32_t i = client_size(p); i-- > 0;) {
        struct client smaller = client_without_step(p, i, mem);
        if (still_fails(x, &smaller)) {
            *p = smaller;
            any = true;
        }
    }
    return any;
}

void shrink_program(const struct stress_settings *s, struct workers *c, struct client p, const char *pattern,
                    double until, struct shared_run *run, shrink_report *report, void *context, struct mem *mem)
{
    struct shrinking x = {.settings = s,
                          .workers = c,
                          .pattern = pattern,
                          .run = run,
                          .report = report,
                          .context = context,
                          .until = until};
    while (without_a_thread(&x, &p, mem) && !ends(&x))
        continue;
    while (without_a_step(&x, &p, mem) && !ends(&x))
        continue;
    while (without_a_thread(&x, &p, mem) && !ends(&x)) /* whose calls have all gone */
        continue;
}
