/* SPDX-License-Identifier: Apache-2.0 */
/* The monitor under weak models against the definition, after every event: it reports a violation at the first return after
 * which the history so far, with its open calls, has no linearization with visibility; never before, and never none. Longer
 * histories are compared with the offline engine on every prefix. Every verdict of that engine is rechecked.
 *
 *   weak_live [--quick|--long] [--seed N] [--only OBJECT]
 *
 * With a window, an object may be given up, which is counted. Until then nothing may be missed, and nothing false may be
 * reported at any time. */
#include "assay_monitor.h"
#include "base/hash.h"
#include "base/text.h"
#include "spec/spec.h"
#include "support/evidence_line.h"
#include "support/tier.h"
#include "support/wishes.h"
#include "weak/demands.h"

#include <stdlib.h>
#include <string.h>

enum { EVENTS = 2 * PLAY_MOST, MOST_OBJECTS = 20 };

struct seen {
    uint64_t plays, prefixes, followed, violations, given_up, rechecked, unconfirmed;
};

struct event {
    uint32_t op;
    bool returns;
};

struct following {
    const assay_spec *spec;
    struct wishes wishes;
    uint32_t every;  /* one in so many wishes is followed */
    uint32_t window; /* or 0 */
    bool forgetting; /* only wishes under which operations can be forgotten */
    bool by_definition;
    uint64_t salt;
    struct seen *seen; /* NULL: while shrinking */
    char why[700];
};

static bool complain(struct following *f, uint32_t wish, const char *text)
{
    const struct wish *w = &f->wishes.at[wish];
    snprintf(f->why, sizeof f->why, "%s%s%s%s: %s", w->model, *w->levels ? ", " : "", w->levels,
             f->window ? " (with a window)" : "", text);
    return false;
}

/* ---- a play as events ---- */

static bool can_be_called(const struct play *p, uint32_t i, const bool *returned)
{
    for (uint32_t j = 0; j < i; j++)
        if (p->op[j].thread == p->op[i].thread && !returned[j])
            return false;
    return true;
}

/* The events in the order of time; of equal times calls come first, but not before the thread's last return. The times of the
 * play become the numbers of the events. False: a thread goes on after a call that never returns. */
static bool order_events(struct play *p, struct event *out, uint32_t *n)
{
    bool called[PLAY_MOST] = {0}, returned[PLAY_MOST] = {0};
    int64_t call[PLAY_MOST], ret[PLAY_MOST];
    uint32_t total = 0;
    for (uint32_t i = 0; i < p->n; i++)
        total += p->op[i].pending ? 1 : 2;
    for (*n = 0; *n < total;) {
        uint32_t best = PLAY_MOST;
        int64_t least = INT64_MAX;
        for (uint32_t i = 0; i < p->n; i++) {
            if (returned[i] || (called[i] && p->op[i].pending) || (!called[i] && !can_be_called(p, i, returned)))
                continue;
            int64_t time = called[i] ? 2 * p->op[i].ret + 1 : 2 * p->op[i].call;
            if (time < least) {
                least = time;
                best = i;
            }
        }
        if (best == PLAY_MOST)
            return false;
        out[*n] = (struct event){best, called[best]};
        *(called[best] ? &ret[best] : &call[best]) = ++*n;
        *(called[best] ? &returned[best] : &called[best]) = true;
    }
    for (uint32_t i = 0; i < p->n; i++) {
        p->op[i].call = call[i];
        p->op[i].ret = p->op[i].pending ? call[i] : ret[i];
    }
    p->times = PLAY_INTERVALS;
    return true;
}

/* The operations of the first k events; those that have not returned then are pending. */
static struct play prefix_of(const struct play *p, uint32_t k)
{
    struct play prefix = *p;
    prefix.n = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->op[i].call > (int64_t)k)
            continue;
        struct play_op o = p->op[i];
        if (!o.pending && o.ret > (int64_t)k) {
            o.pending = true;
            o.result = (assay_value){0};
        }
        prefix.op[prefix.n++] = o;
    }
    return prefix;
}

/* A line of text; `object` is its name, or NULL. */
static void put_event(struct text *t, const struct play_op *o, bool returns, const char *object)
{
    t->n = 0;
    text_printf(t, "[%s.thread-%u] ", object ? object : "x", (unsigned)o->thread);
    if (returns) {
        text_puts(t, o->result.kind ? "return " : "return");
        play_put_value(t, o->result);
    } else {
        text_printf(t, "call %s%s%s(", object ? object : "", object ? "." : "", o->method);
        for (uint32_t i = 0; i < o->arg_count; i++) {
            text_puts(t, i ? ", " : "");
            play_put_value(t, o->args[i]);
        }
        text_puts(t, ")");
    }
    text_puts(t, "\n");
}

/* ---- the offline engine ---- */

static bool rechecks(struct following *f, uint32_t wish, const assay_history *h, const assay_result *r)
{
    char *line = evidence_line(r);
    assay_error e = {0};
    bool fine = line && assay_recheck(h, line, NULL, &e);
    bool too_long = e.code == ASSAY_ERROR_LIMIT && !f->by_definition;
    free(line);
    if (f->seen) {
        f->seen->rechecked += fine;
        f->seen->unconfirmed += too_long;
    }
    return fine || too_long || complain(f, wish, e.message);
}

/* Is the play consistent, says the offline engine? */
static bool checks(struct following *f, uint32_t wish, const struct play *p, bool *consistent)
{
    const struct wish *w = &f->wishes.at[wish];
    assay_history *h = play_build(p);
    assay_options options = {ASSAY_OPTIONS_INIT, .evidence = true, .visibility = *w->levels ? w->levels : NULL};
    assay_error e = {0};
    assay_result *r = assay_check(h, w->model, &options, &e);
    bool fine = r ? rechecks(f, wish, h, r) : complain(f, wish, e.message);
    *consistent = r && assay_result_verdict(r) == ASSAY_CONSISTENT;
    if (r)
        assay_result_free(r);
    assay_history_free(h);
    return fine;
}

/* ---- one object ---- */

/* For each wish the first event after which the play violates it; 0: none. By the definition, of up to VISIBLE_MOST operations. */
static bool find_violations(struct following *f, const struct play *p, const struct event *events, uint32_t n,
                            uint32_t *bad)
{
    uint64_t all = f->wishes.n == 64 ? ~(uint64_t)0 : ((uint64_t)1 << f->wishes.n) - 1, still = all;
    memset(bad, 0, VISIBLE_DEMANDS * sizeof *bad);
    for (uint32_t k = 1; k <= n; k++) {
        if (!events[k - 1].returns)
            continue;
        struct play prefix = prefix_of(p, k);
        assay_history *h = play_build(&prefix);
        uint64_t now = visible_satisfies(h, &prefix, f->spec, f->wishes.visibility, f->wishes.n);
        assay_history_free(h);
        if (f->seen)
            f->seen->prefixes++;
        for (uint32_t w = 0; w < f->wishes.n; w++) {
            if ((still >> w & 1) && !(now >> w & 1))
                bad[w] = k;
            if (!(still >> w & 1) && (now >> w & 1))
                return complain(f, w, "a prefix violates it, and the whole does not");
        }
        still &= now;
    }
    return true;
}

/* The same of one wish, by the offline engine. */
static bool find_violation(struct following *f, const struct play *p, const struct event *events, uint32_t n,
                           uint32_t wish, uint32_t *bad)
{
    bool consistent = true;
    for (uint32_t k = 1; k <= n && consistent; k++) {
        if (!events[k - 1].returns)
            continue;
        struct play prefix = prefix_of(p, k);
        if (!checks(f, wish, &prefix, &consistent))
            return false;
        if (f->seen)
            f->seen->prefixes++;
        *bad = consistent ? 0 : k;
    }
    return true;
}

static assay_monitor *monitor_of(const struct following *f, const struct play *p, const struct wish *w)
{
    assay_monitor_options options = {ASSAY_MONITOR_OPTIONS_INIT, .init = p->init, .model = w->model,
                                     .visibility = *w->levels ? w->levels : NULL, .window = f->window};
    assay_error e = {0};
    assay_monitor *m = assay_monitor_open(p->object, &options, &e);
    if (!m) {
        printf("%s, %s: %s\n", w->model, w->levels, e.message);
        exit(1);
    }
    return m;
}

/* Feeds all events: is the violation reported at this event (0: none)? */
static bool follows(struct following *f, const struct play *p, const struct event *events, uint32_t n, uint32_t wish,
                    uint32_t bad)
{
    struct mem mem = {0};
    struct text line = text_in(&mem);
    assay_error e = {0};
    assay_monitor *m = monitor_of(f, p, &f->wishes.at[wish]);
    bool fine = true, found = false, gave_up = false;
    for (uint32_t k = 1; k <= n && fine && !found; k++) {
        put_event(&line, &p->op[events[k - 1].op], events[k - 1].returns, NULL);
        fine = assay_monitor_feed(m, text_get(&line), line.n, &e) || complain(f, wish, e.message);
        const assay_monitor_violation *v = assay_monitor_first(m);
        gave_up = assay_monitor_used(m, 0).weakened;
        found = v;
        if (fine && v && (v->event != bad || v->noticed != k || k != bad))
            fine = complain(f, wish, bad && k > bad ? "it is reported too late" : "there is no violation yet");
        if (fine && !v && k == bad && !gave_up)
            fine = complain(f, wish, "the violation is not reported");
    }
    fine = fine && (assay_monitor_end(m, &e) || complain(f, wish, e.message));
    assay_verdict expected = found ? ASSAY_VIOLATION : gave_up ? ASSAY_UNDECIDED : ASSAY_CONSISTENT;
    if (fine && assay_monitor_verdict(m) != expected)
        fine = complain(f, wish, "the verdict is another one");
    if (f->seen) {
        f->seen->followed++;
        f->seen->violations += found;
        f->seen->given_up += gave_up;
    }
    assay_monitor_close(m);
    mem_release(&mem);
    return fine;
}

static bool is_followed(const struct following *f, uint32_t wish)
{
    struct demands d;
    demands_take(&f->wishes.visibility[wish], f->spec, NULL, &d);
    return f->forgetting ? demands_hb(&d) : hash_join(f->salt, wish) % f->every == 0;
}

static bool holds(const struct play *given, struct following *f)
{
    struct play play = *given, *p = &play;
    struct event events[EVENTS];
    uint32_t n, bad[VISIBLE_DEMANDS] = {0};
    if (!order_events(p, events, &n))
        return true;
    if (f->seen)
        f->seen->plays++;
    bool fine = !f->by_definition || find_violations(f, p, events, n, bad);
    for (uint32_t w = 0; w < f->wishes.n && fine; w++) {
        bool consistent;
        if (!is_followed(f, w))
            continue;
        if (!f->by_definition)
            fine = find_violation(f, p, events, n, w, &bad[w]);
        struct play last = prefix_of(p, bad[w] ? bad[w] : n);
        fine = fine && follows(f, p, events, n, w, bad[w]);
        if (fine && f->by_definition && hash_join(f->salt, w + 64) % 4 == 0)
            fine = checks(f, w, &last, &consistent) &&
                   (consistent == !bad[w] || complain(f, w, "the offline engine disagrees"));
    }
    return fine;
}

static bool broken(const struct play *p, void *arg)
{
    return !holds(p, arg);
}

static void judge(const struct play *p, struct following *f)
{
    if (holds(p, f))
        return;
    f->seen = NULL;
    play_expose(p, broken, f, f->why);
}

static void report(const char *object, const char *what, const struct seen *s)
{
    printf("%s, %s: %llu histories, %llu prefixes; followed %llu times, %llu violations, %llu given up; %llu "
           "rechecked, %llu too "
           "long for it\n",
           object, what, (unsigned long long)s->plays, (unsigned long long)s->prefixes, (unsigned long long)s->followed,
           (unsigned long long)s->violations, (unsigned long long)s->given_up, (unsigned long long)s->rechecked,
           (unsigned long long)s->unconfirmed);
    fflush(stdout);
}

/* ---- all small ones ---- */

struct sweep {
    struct following f;
    struct rng rng;
};

static void judge_small(const struct play *p, void *arg)
{
    struct sweep *s = arg;
    wishes_take(&s->f.wishes, p, &s->rng);
    s->f.salt = rng_next(&s->rng);
    s->f.window = rng_below(&s->rng, 4) ? 0 : 1 + rng_below(&s->rng, 3);
    judge(p, &s->f);
}

static void all_small(const struct alphabet *a, enum tier tier, uint64_t seed)
{
    struct seen seen = {0};
    struct sweep s = {
        .f = {.spec = spec_named(a->object), .by_definition = true, .every = by_tier(tier, 8, 8, 1), .seen = &seen},
        .rng = {hash_join(seed, a->object[0])}};
    for (uint32_t n = 1; n <= a->most[tier == TIER_LONG]; n++)
        small_all(a, n, true, n < 3 ? 1 : by_tier(tier, 31, 7, 1), judge_small, &s);
    report(a->object, tier == TIER_LONG ? "all up to 3 operations" : "of up to 3 operations", &seen);
}

/* ---- random ones ---- */

static struct cast some_cast(const char *object, const assay_spec *spec, uint32_t least, uint32_t most, struct rng *rng)
{
    return (struct cast){.object = object,
                         .spec = spec,
                         .words = rng_below(rng, 2),
                         .least = least,
                         .most = most,
                         .threads = 1 + rng_below(rng, 4),
                         .values = 1 + rng_below(rng, 3),
                         .distinct = rng_below(rng, 2),
                         .pending = rng_below(rng, 3) ? 0 : 60,
                         .lies = rng_below(rng, 3),
                         .ties = rng_below(rng, 3) ? 0 : 40};
}

enum kind { BY_DEFINITION, BY_ENGINE, IN_ROUNDS }; /* the last: by the engine, where operations can be forgotten */

static void random_ones(const char *object, uint32_t least, uint32_t most, uint32_t count, enum kind kind,
                        uint32_t every, uint64_t seed)
{
    struct seen seen = {0};
    const assay_spec *spec = spec_named(object);
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = {
            hash_join(seed, hash_join(hash_bytes(object, strlen(object)), hash_join(most + 100 * kind, i)))};
        struct cast c = some_cast(object, spec, least, most, &rng);
        c.rounds = kind == IN_ROUNDS;
        struct play p = play_random(&c, &rng);
        struct following f = {.spec = spec,
                              .by_definition = kind == BY_DEFINITION,
                              .forgetting = kind == IN_ROUNDS,
                              .every = every,
                              .seen = &seen};
        bool narrow = kind == IN_ROUNDS ? rng_below(&rng, 4) : !rng_below(&rng, 3);
        f.window = narrow ? 1 + rng_below(&rng, kind == IN_ROUNDS ? 5 : most) : 0;
        wishes_take(&f.wishes, &p, &rng);
        f.salt = rng_next(&rng);
        judge(&p, &f);
    }
    char what[40];
    snprintf(what, sizeof what, "%s, %u to %u operations", kind == IN_ROUNDS ? "in rounds" : "random", (unsigned)least,
             (unsigned)most);
    report(object, what, &seen);
}

/* ---- several objects ---- */

struct one { /* of several objects */
    struct play play;
    struct event events[EVENTS];
    uint32_t n, next, bad, reported;
    uint32_t at[EVENTS]; /* the number in the stream of each event */
};

struct several {
    struct one all[MOST_OBJECTS];
    uint32_t n, reports;
};

static void on_violation(void *context, const assay_monitor_violation *v)
{
    struct several *s = context;
    s->all[strtoul(v->object + 1, NULL, 10)].reported = (uint32_t)v->event;
    s->reports++;
}

/* Objects are judged apart: each is reported at its own event. */
static void follow_several(const char *object, struct rng *rng, struct seen *seen)
{
    static struct several s;
    struct mem mem = {0};
    struct text line = text_in(&mem);
    const assay_spec *spec = spec_named(object);
    struct following f = {.spec = spec, .by_definition = true, .every = 1, .seen = seen};
    s = (struct several){.n = 1 + rng_below(rng, MOST_OBJECTS)};
    for (uint32_t i = 0; i < s.n; i++) {
        struct cast c = some_cast(object, spec, 1, 4, rng);
        struct one *o = &s.all[i];
        do
            o->play = play_random(&c, rng);
        while (!order_events(&o->play, o->events, &o->n));
        for (uint32_t k = 0; k < o->play.n; k++) /* the next one takes its texts away */
            o->play.op[k].result = value_copy(o->play.op[k].result, &mem);
    }
    wishes_take(&f.wishes, &s.all[0].play, rng);
    uint32_t wish = rng_below(rng, f.wishes.n - 4), bad[VISIBLE_DEMANDS]; /* levels name methods of the first one */
    for (uint32_t i = 0; i < s.n; i++) {
        struct one *o = &s.all[i];
        if (!find_violations(&f, &o->play, o->events, o->n, bad))
            play_expose(&o->play, broken, &f, f.why);
        o->bad = bad[wish];
    }
    assay_monitor_options options = {ASSAY_MONITOR_OPTIONS_INIT, .all = true, .model = f.wishes.at[wish].model,
                                     .on_violation = on_violation, .context = &s};
    assay_error e = {0};
    assay_monitor *m = assay_monitor_open(object, &options, &e);
    uint32_t event = 0, left = 0, wrong = 0;
    for (uint32_t i = 0; i < s.n; i++)
        left += s.all[i].n;
    while (m && left) {
        uint32_t i = rng_below(rng, s.n);
        struct one *o = &s.all[i];
        if (o->next == o->n)
            continue;
        char name[16];
        snprintf(name, sizeof name, "o%u", (unsigned)i);
        put_event(&line, &o->play.op[o->events[o->next].op], o->events[o->next].returns, name);
        o->at[o->next++] = ++event;
        if (!assay_monitor_feed(m, text_get(&line), line.n, &e)) {
            printf("%s: %s", e.message, text_get(&line));
            exit(1);
        }
        left--;
    }
    for (uint32_t i = 0; i < s.n; i++)
        wrong += s.all[i].reported != (s.all[i].bad ? s.all[i].at[s.all[i].bad - 1] : 0);
    if (!m || wrong) {
        printf("%s, %s: %s\n", object, f.wishes.at[wish].model,
               m ? "of several objects another event is reported" : e.message);
        exit(1);
    }
    seen->plays += s.n;
    seen->followed += s.n;
    seen->violations += s.reports;
    assay_monitor_close(m);
    mem_release(&mem);
}

static void several_objects(const char *object, uint32_t count, uint64_t seed)
{
    struct seen seen = {0};
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = {hash_join(seed, hash_join(hash_bytes(object, strlen(object)), 1000 + i))};
        follow_several(object, &rng, &seen);
    }
    report(object, "several objects", &seen);
}

/* ---- long ones, around the widths of sets ---- */

static bool feed_line(assay_monitor *m, unsigned thread, const char *format, unsigned value)
{
    char line[64];
    assay_error e = {0};
    int n = snprintf(line, sizeof line, "[%u] ", thread);
    n += snprintf(line + n, sizeof line - (size_t)n, format, value);
    return assay_monitor_feed(m, line, (size_t)n, &e);
}

/* Threads 0 and 1 put in turn; then thread 0 gets the value that was put `ago` puts before. The event of the violation, or 0. */
static uint64_t follow_long(const char *model, uint32_t n, uint32_t ago, uint64_t *live)
{
    assay_monitor_options options = {ASSAY_MONITOR_OPTIONS_INIT, .model = model};
    assay_monitor *m = assay_monitor_open("map", &options, NULL);
    bool fine = m;
    for (uint32_t i = 0; i + 1 < n && fine; i++)
        fine = feed_line(m, i % 2, "call put(k, %u)\n", i) && feed_line(m, i % 2, "return\n", 0);
    fine = fine && feed_line(m, 0, "call get(k)\n", 0) && feed_line(m, 0, "return %u\n", n - 2 - ago);
    const assay_monitor_violation *v = fine ? assay_monitor_first(m) : NULL;
    uint64_t event = v ? v->event : 0;
    *live = fine ? assay_monitor_statistics(m).live : 0;
    assay_monitor_close(m);
    if (!fine) {
        printf("%s: a long stream is refused\n", model);
        exit(1);
    }
    return event;
}

/* Thread 0 sees its own last put, under the models that ask for it, and may see the other thread's last one. Under weak-hb all
 * but the last few operations are forgotten. */
static void around_widths(void)
{
    static const uint32_t sizes[] = {64, 65, 66, 255, 256, 257, 258, 1025, 1026, 1100};
    static const struct {
        const char *model;
        bool own, all, forgets;
    } models[] = {{"return-value", false, false, false},
                  {"read-my-writes", true, false, false},
                  {"causal-convergence", true, false, false},
                  {"weak-hb", true, true, true}};
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < sizeof models / sizeof *models; k++)
            for (uint32_t ago = 0; ago < 3; ago++, count++) {
                uint32_t n = sizes[i], own = (n - 2) % 2; /* puts since the last one of thread 0 */
                bool fine = !models[k].own || ago == 0 || (ago <= own && !models[k].all);
                uint64_t live, event = follow_long(models[k].model, n, ago, &live);
                if (event == (fine ? 0 : 2 * n) && (models[k].forgets ? live <= 16 : live == n))
                    continue;
                printf("%s, %u operations, the value of %u puts ago: event %u, %u operations kept\n", models[k].model,
                       (unsigned)n, (unsigned)ago, (unsigned)event, (unsigned)live);
                exit(1);
            }
    printf("map, long ones: followed %u\n", (unsigned)count);
}

int main(int argc, char **argv)
{
    struct request r = request_of(argc, argv);
    if (!r.only)
        around_widths();
    for (size_t i = 0; i < VISIBLE_ALPHABETS; i++) {
        const char *object = visible_alphabets[i].object;
        if (!request_wants(&r, object))
            continue;
        all_small(&visible_alphabets[i], r.tier, r.seed);
        random_ones(object, 2, 4, by_tier(r.tier, 60, 300, 20000), BY_DEFINITION, 4, r.seed);
        random_ones(object, 5, 5, by_tier(r.tier, 10, 100, 2000), BY_DEFINITION, 2, r.seed);
        random_ones(object, 6, 10, by_tier(r.tier, 40, 150, 20000), BY_ENGINE, 8, r.seed);
        random_ones(object, 10, 20, by_tier(r.tier, 20, 80, 10000), BY_ENGINE, 16, r.seed);
        random_ones(object, 4, 12, by_tier(r.tier, 50, 300, 50000), IN_ROUNDS, 1, r.seed);
        several_objects(object, by_tier(r.tier, 10, 60, 2000), r.seed);
    }
    static const char *const others[] = {"memory",   "append-map", "cas-register", "multi-register",
                                         "multiset", "stack",      "pqueue",       "deque",
                                         "counter",  "lock",       "semaphore(1)", "bank(2,1)"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (!request_wants(&r, others[i]))
            continue;
        random_ones(others[i], 2, 5, by_tier(r.tier, 15, 100, 5000), BY_DEFINITION, 4, r.seed);
        random_ones(others[i], 6, 12, by_tier(r.tier, 10, 100, 5000), BY_ENGINE, 8, r.seed);
    }
    return 0;
}
