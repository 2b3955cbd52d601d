/* SPDX-License-Identifier: Apache-2.0 */
/* The monitor of transactions against the check of the whole history.
 *
 *   isolation [--quick|--long] [--seed N] [--count N]
 *
 * Streams of small histories and of simulated stores, with bugs, lists, aborted and unknown transactions and times, are
 * fed to a monitor that checks and forgets every few transactions. Its verdict at the end must be that of `auto` on the
 * recorded history, and so must its verdict on prefixes. An undecided one must say why: an unknown transaction was read
 * too late. Lines arrive in the order of sessions, mixed at random; so readers may arrive before their writers. A test
 * that never forgets, or never finds a violation, fails. */
#include "assay_monitor.h"
#include "base/hash.h"
#include "cross/isolation/streams.h"
#include "monitor/look.h"
#include "support/load.h"
#include "support/tier.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const models[] = {"ser", "si", "ser-strict", "si-strict"};

struct counts {
    uint64_t streams, events, forgotten, violations, consistent, undecided, kept;
};

static assay_verdict offline(const struct stream *s, uint32_t n, const char *model)
{
    assay_error e = {0};
    char *text = stream_text(s, n);
    assay_history *h = load_text(text, &e);
    assay_result *r = h ? assay_check(h, model, NULL, &e) : NULL;
    if (!r) {
        printf("the history cannot be checked: %s\n%s", e.message, text);
        exit(1);
    }
    assay_verdict v = assay_result_verdict(r);
    assay_result_free(r);
    assay_history_free(h);
    free(text);
    return v;
}

static void disagree(const struct stream *s, uint32_t n, const char *model, const char *what)
{
    char *text = stream_text(s, n);
    printf("%s, batch %u, patience %u, late %" PRId64 ": %s\n%s", model, look_batch, look_patience, s->late, what,
           text);
    exit(1);
}

static void follow(const struct stream *s, uint32_t n, const char *model, bool late, struct counts *c)
{
    assay_error e = {0};
    bool strict = strstr(model, "-strict");
    assay_monitor *m = assay_monitor_open(NULL,
                                          &(assay_monitor_options){ASSAY_MONITOR_OPTIONS_INIT, .model = model,
                                                                   .sessions = late && strict ? 0 : s->sessions,
                                                                   .late = late && strict ? s->late : 0},
                                          &e);
    char *text = stream_text(s, n);
    bool fine = m && assay_monitor_feed(m, text, strlen(text), &e) && assay_monitor_end(m, &e);
    if (!fine)
        disagree(s, n, model, e.message);
    assay_verdict mine = assay_monitor_verdict(m), right = offline(s, n, model);
    assay_monitor_stats stats = assay_monitor_statistics(m);
    const char *why = assay_monitor_undecided(m);
    bool excused = mine == ASSAY_UNDECIDED && (strstr(why, "unknown transaction") || strstr(why, "chose among"));
    if (mine != right && !excused)
        assay_monitor_print(m, stdout), disagree(s, n, model,
                                                 mine == ASSAY_VIOLATION    ? "a false alarm"
                                                 : mine == ASSAY_CONSISTENT ? "missed"
                                                                            : why);
    c->streams++;
    c->events += stats.events;
    c->forgotten += stats.forgotten;
    c->kept += stats.kept;
    c->violations += mine == ASSAY_VIOLATION;
    c->consistent += mine == ASSAY_CONSISTENT;
    c->undecided += mine == ASSAY_UNDECIDED;
    assay_monitor_close(m);
    free(text);
}

/* Of the transactions at least one in `share` must have been forgotten. */
static void print(const char *title, const struct counts *c, uint64_t share)
{
    printf("%s: %" PRIu64 " streams, %" PRIu64 " violations, %" PRIu64 " consistent, %" PRIu64 " undecided; of %" PRIu64
           " transactions %" PRIu64 " were forgotten; kept on average %.1f\n",
           title, c->streams, c->violations, c->consistent, c->undecided, c->events, c->forgotten,
           (double)c->kept / (double)c->streams);
    fflush(stdout);
    if (!c->violations || !c->consistent || c->forgotten * share < c->events || c->undecided * 10 > c->streams)
        printf("too little was seen\n"), exit(1);
}

int main(int argc, char **argv)
{
    struct request r = request_of(argc, argv);
    uint32_t count = request_count(&r, 4000, 20000, 2000000);
    static struct stream (*const draw[])(struct rng *) = {stream_at_random, stream_of_store, stream_of_guesses};
    static const char *const titles[] = {"prefixes of random streams", "stores", "guesses"};
    static const uint64_t shares[] = {50, 3, 10};
    struct counts counts[3] = {0};
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = {hash_join(hash_mix(r.seed), i)};
        uint32_t kind = i % 8 == 0 ? 0 : i % 8 < 4 ? 1 : 2;
        struct stream s = draw[kind](&rng);
        const char *model = models[rng_below(&rng, s.timed ? 4 : 2)];
        look_batch = 1 + rng_below(&rng, 6);
        look_patience = rng_below(&rng, 2) ? 1 + rng_below(&rng, 30) : 1000;
        bool late = rng_below(&rng, 2);
        for (uint32_t n = kind ? s.n : 1; n <= s.n; n++)
            follow(&s, n, model, late, &counts[kind]);
        stream_free(&s);
    }
    for (int kind = 0; kind < 3; kind++)
        print(titles[kind], &counts[kind], shares[kind]);
    return 0;
}
