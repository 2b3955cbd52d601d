/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts of weak consistency. Of a history that satisfies a model by its definition, no cut may be a violation. So recheck
 * must refuse every record that says so, whichever operations it keeps, and of whichever prefix. A call that another one
 * needs makes such a cut if recheck, or its argument, overlooks it. What --shrink leaves of a violation is a cut that
 * recheck allows.
 *
 *   weak_cuts [--quick|--long] [--seed N] [--only OBJECT] */
#include "evidence/evidence.h"
#include "history/slice.h"
#include "spec/spec.h"
#include "support/tier.h"
#include "support/wishes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct seen {
    uint64_t cuts, allowed, violations, smaller;
};

struct judging {
    const char *object;
    const assay_spec *spec;
    struct wishes wishes;
    uint32_t every; /* one in so many models is asked */
    uint64_t salt;
    struct seen *seen; /* NULL: while a play is made smaller */
    char why[1200];
};

static bool complain(struct judging *j, const struct wish *w, const char *what, const char *proof)
{
    snprintf(j->why, sizeof j->why, "%s%s%s: %s: %s", w->model, *w->levels ? ", " : "", w->levels, what, proof);
    return false;
}

/* A record that says: of these operations, a bit set, there is no explanation. culprit == n: it is not of a prefix. */
static void print_record(char *out, size_t size, const assay_history *h, const struct wish *w, uint32_t culprit,
                         uint32_t kept)
{
    bool prefix = culprit < assay_history_size(h);
    size_t n = (size_t)snprintf(out, size,
                                "{\"evidence\":1,\"history\":\"%016" PRIx64 "\",\"index\":0,\"model\":\"%s\","
                                "\"verdict\":\"violation\",\"pattern\":\"NoVisibility\",\"culprit\":%u,"
                                "\"prefix\":%s,\"kept\":[",
                                history_digest(h), w->model, prefix ? (unsigned)culprit : 0, prefix ? "true" : "false");
    const char *separator = "";
    for (uint32_t op = 0; kept >> op; op++)
        if (kept >> op & 1) {
            n += (size_t)snprintf(out + n, size - n, "%s%u", separator, (unsigned)op);
            separator = ",";
        }
    snprintf(out + n, size - n, *w->levels ? "],\"visibility\":\"%s\"}\n" : "]}\n", w->levels);
}

/* ---- what satisfies the model ---- */

static bool no_cut_refutes(struct judging *j, const assay_history *h, const struct play *p, const struct wish *w)
{
    uint32_t n = assay_history_size(h);
    char record[1200];
    for (uint32_t culprit = 0; culprit <= n; culprit++) {
        if (culprit < n && (p->times != PLAY_INTERVALS || p->op[culprit].pending))
            continue;
        for (uint32_t kept = 1; kept >> n == 0; kept++) {
            assay_error e = {0};
            print_record(record, sizeof record, h, w, culprit, kept);
            if (assay_recheck(h, record, NULL, &e))
                return complain(j, w, "it holds, but recheck accepts", record);
            bool allowed = strstr(e.message, "has an explanation");
            if (!allowed && !strstr(e.message, "cannot be left out"))
                return complain(j, w, e.message, record);
            if (j->seen) {
                j->seen->cuts++;
                j->seen->allowed += allowed;
            }
        }
    }
    return true;
}

/* ---- what does not ---- */

static bool shrinks_well(struct judging *j, const assay_history *h, const struct wish *w)
{
    const assay_options options = {ASSAY_OPTIONS_INIT, .visibility = *w->levels ? w->levels : NULL};
    assay_error e = {0};
    assay_result *r = assay_check(h, w->model, &options, &e);
    uint32_t numbers[PLAY_MOST], kept = 0, n = assay_history_size(h);
    assay_history *small = r ? assay_shrink(r, &options, numbers, &e) : NULL;
    if (!small) {
        assay_result_free(r);
        return complain(j, w, "it is not shrunk", e.message);
    }
    for (uint32_t i = 0; i < assay_history_size(small); i++)
        kept |= 1u << numbers[i];
    char record[1200];
    print_record(record, sizeof record, h, w, r->evidence.prefix ? r->evidence.culprit : n, kept);
    bool fine = assay_recheck(h, record, NULL, &e);
    if (!fine) { /* the prefix is not enough by itself, so the whole was shrunk */
        print_record(record, sizeof record, h, w, n, kept);
        fine = assay_recheck(h, record, NULL, &e);
    }
    if (j->seen) {
        j->seen->violations++;
        j->seen->smaller += assay_history_size(small) < n;
    }
    assay_history_free(small);
    assay_result_free(r);
    return fine || complain(j, w, e.message, record);
}

/* ---- one history ---- */

static bool holds(const struct play *p, struct judging *j)
{
    assay_history *h = play_build(p);
    uint64_t satisfied = visible_satisfies(h, p, j->spec, j->wishes.visibility, j->wishes.n);
    bool fine = true;
    for (uint32_t d = 0; d < j->wishes.n && fine; d++)
        if (hash_join(j->salt, d) % j->every == 0)
            fine = satisfied >> d & 1 ? no_cut_refutes(j, h, p, &j->wishes.at[d])
                                      : shrinks_well(j, h, &j->wishes.at[d]);
    assay_history_free(h);
    return fine;
}

static bool broken(const struct play *p, void *arg)
{
    return !holds(p, arg);
}

static void random_ones(const char *object, uint32_t count, uint32_t every, uint64_t seed, struct seen *seen)
{
    const assay_spec *spec = spec_named(object);
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = {hash_join(seed, hash_join(hash_bytes(object, strlen(object)), i))};
        bool is_list = spec == &spec_queue || spec == &spec_stack || spec == &spec_pqueue;
        struct cast c = {.object = object,
                         .init = is_list && rng_below(&rng, 3) == 0 ? "[1]" : NULL,
                         .spec = spec,
                         .least = 2,
                         .most = 5,
                         .threads = 3,
                         .values = 1 + rng_below(&rng, 3),
                         .lists = rng_below(&rng, 2),
                         .pending = rng_below(&rng, 3) ? 0 : 60,
                         .lies = rng_below(&rng, 3),
                         .ties = rng_below(&rng, 4) ? 0 : 40};
        struct play p = play_random(&c, &rng);
        uint32_t times = rng_below(&rng, 5);
        p.times = times == 0 ? PLAY_NONE : times == 1 ? PLAY_AFTER : PLAY_INTERVALS;
        struct judging j = {.object = object, .spec = spec, .every = every, .seen = seen};
        wishes_take(&j.wishes, &p, &rng);
        j.salt = rng_next(&rng);
        if (holds(&p, &j))
            continue;
        j.seen = NULL;
        play_expose(&p, broken, &j, j.why);
    }
}

int main(int argc, char **argv)
{
    static const char *const objects[] = {
        "register", "cas-register", "memory",         "map",  "set",    "multiset",     "queue",   "bounded-queue(2)",
        "stack",    "pqueue",       "multi-register", "lock", "rwlock", "semaphore(1)", "counter", "append-map",
        "deque",    "bank(2,1)"};
    struct request r = request_of(argc, argv);
    struct seen all = {0};
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        struct seen seen = {0};
        if (!request_wants(&r, objects[i]))
            continue;
        random_ones(objects[i], by_tier(r.tier, 200, 800, 20000), by_tier(r.tier, 12, 6, 3), r.seed, &seen);
        printf("%s: %" PRIu64 " cuts of what satisfies a model, %" PRIu64 " allowed; %" PRIu64 " violations, %" PRIu64
               " made smaller\n",
               objects[i], seen.cuts, seen.allowed, seen.violations, seen.smaller);
        all.cuts += seen.cuts;
        all.allowed += seen.allowed;
        all.smaller += seen.smaller;
    }
    return all.allowed < all.cuts / 20 || !all.smaller;
}
