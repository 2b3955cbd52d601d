/* SPDX-License-Identifier: Apache-2.0 */
/* The monitor as it is used against the definition: streams of text with up to 40 objects of several kinds, several
 * histories, initial values, words and values that repeat, followed by every monitor, with and without --all.
 *
 *   monitors [--quick|--long] [--seed N] [--count N] [--only ENGINE]
 *
 * What is demanded: of an object of a history that is linearizable nothing is reported; of one that is not, exact monitors
 * report something unless open calls leave it undecided; and the first report of an object names the first return after
 * which it is not linearizable. Sound ones name no earlier one. */
#include "assay_monitor.h"
#include "base/hash.h"
#include "base/text.h"
#include "spec/spec.h"
#include "support/alphabets.h"
#include "support/tier.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OBJECTS = 40, MOST_HISTORIES = 3, MOST_PLAYS = MOST_OBJECTS * MOST_HISTORIES };

/* Which objects a stream has: those that each monitor is for. */
static const char *const kinds[] = {"queue",     "stack",     "pqueue", "register", "set",   "multiset", "lock",
                                    "semaphore", "exchanger", "map",    "memory",   "deque", "counter",  "bank"};

static const struct {
    const char *engine; /* NULL: the default */
    const char *kinds;  /* NULL: all */
} engines[] = {
    {NULL, NULL},
    {"exact-jit", "queue stack pqueue register set multiset lock semaphore map memory deque counter"},
    {"saturate", "queue stack pqueue register set lock semaphore exchanger"},
    {"saturate+r", "queue stack pqueue register set lock semaphore exchanger"},
    {"symbolic", "queue stack pqueue register set lock semaphore exchanger"},
    {"enumerate", "queue stack pqueue register set lock semaphore exchanger"},
};

static bool lists(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return true;
    return false;
}

struct followed { /* one object of one history */
    struct play play;
    uint64_t events[2 * PLAY_MOST]; /* the event of the stream, and what it is */
    uint32_t event_n;
    uint64_t certain;  /* the event after which it is not linearizable; 0: it is */
    uint64_t reported; /* the event that the first report names; 0: none */
};

struct stream {
    const char *kind;
    uint32_t histories, objects;
    struct followed all[MOST_PLAYS];
    struct text text;
    uint64_t event; /* the last one */
};

static uint64_t streams, found, judged;

/* ---- a stream ---- */

static struct play some_play(const assay_spec *s, const char *kind, const char *init, struct rng *rng, struct mem *mem)
{
    struct cast c = {.object = kind,
                     .init = init,
                     .spec = s,
                     .least = 1,
                     .most = 6,
                     .threads = 1 + rng_below(rng, 3),
                     .values = 1 + rng_below(rng, 3),
                     .distinct = rng_below(rng, 3) != 0,
                     .pending = rng_below(rng, 4) ? 0 : 60,
                     .lies = rng_below(rng, 3)};
    struct play p = play_random(&c, rng);
    for (uint32_t i = 0; i < p.n; i++) /* the next one takes its texts away */
        p.op[i].result = value_copy(p.op[i].result, mem);
    return p;
}

/* The next event of a play after `time`, calls first; false: there is none. */
static bool next_event(const struct play *p, int64_t time, uint32_t *op, bool *returns)
{
    int64_t best = INT64_MAX;
    for (uint32_t i = 0; i < p->n; i++) {
        int64_t call = 2 * p->op[i].call, ret = 2 * p->op[i].ret + 1;
        if (call * PLAY_MOST + i > time && call * PLAY_MOST + i < best)
            best = call * PLAY_MOST + i;
        if (!p->op[i].pending && ret * PLAY_MOST + i > time && ret * PLAY_MOST + i < best)
            best = ret * PLAY_MOST + i;
    }
    if (best == INT64_MAX)
        return false;
    *op = (uint32_t)(best % PLAY_MOST);
    *returns = best / PLAY_MOST % 2;
    return true;
}

static void put_event(struct stream *s, uint32_t object, uint32_t op, bool returns)
{
    struct followed *f = &s->all[object];
    const struct play_op *o = &f->play.op[op];
    f->events[f->event_n++] = ++s->event << 8 | op << 1 | returns;
    text_printf(&s->text, "[%u.%u] ", (unsigned)object, (unsigned)op);
    if (returns) {
        text_puts(&s->text, o->result.kind ? "return " : "return");
        play_put_value(&s->text, o->result);
    } else {
        text_printf(&s->text, "call o%u.%s(", (unsigned)(object % s->objects), o->method);
        for (uint32_t i = 0; i < o->arg_count; i++) {
            text_puts(&s->text, i ? ", " : "");
            play_put_value(&s->text, o->args[i]);
        }
        text_puts(&s->text, ")");
    }
    text_puts(&s->text, "\n");
}

static void put_history(struct stream *s, uint32_t index, const assay_spec *spec, const char *kind, const char *init,
                        struct rng *rng)
{
    int64_t time[MOST_OBJECTS];
    uint32_t first = index * s->objects, left = s->objects;
    text_printf(&s->text, "%s# @object %s\n", index ? "---\n" : "", kind);
    if (init)
        text_printf(&s->text, "# @init %s\n", init);
    for (uint32_t i = 0; i < s->objects; i++) {
        s->all[first + i] = (struct followed){.play = some_play(spec, kind, init, rng, s->text.mem)};
        time[i] = -1;
    }
    while (left) {
        uint32_t i = rng_below(rng, s->objects), op;
        bool returns;
        if (time[i] == INT64_MAX)
            continue;
        if (!next_event(&s->all[first + i].play, time[i], &op, &returns)) {
            time[i] = INT64_MAX;
            left--;
            continue;
        }
        const struct play_op *o = &s->all[first + i].play.op[op];
        time[i] = (returns ? 2 * o->ret + 1 : 2 * o->call) * PLAY_MOST + op;
        put_event(s, first + i, op, returns);
        if (o->pending && rng_below(rng, 2)) { /* its client dies */
            s->event++;
            text_printf(&s->text, "[%u.%u] return ?\n", (unsigned)(first + i), (unsigned)op);
        }
    }
}

/* ---- the definition ---- */

static bool admitted(const struct followed *f, uint32_t events)
{
    struct play p = f->play;
    p.n = 0;
    for (uint32_t i = 0; i < f->play.n; i++) {
        int64_t call = -1, ret = -1;
        for (uint32_t e = 0; e < events; e++)
            if ((f->events[e] >> 1 & 127) == i)
                *(f->events[e] & 1 ? &ret : &call) = e;
        if (call < 0)
            continue;
        struct play_op *o = &p.op[p.n++];
        *o = f->play.op[i];
        o->call = call;
        o->ret = ret < 0 ? call + 1 : ret;
        o->pending = ret < 0;
        if (o->pending)
            o->result = (assay_value){0};
    }
    assay_history *h = play_build(&p);
    bool yes = play_satisfies(h, &p, true, 0);
    assay_history_free(h);
    return yes;
}

static void decide(struct followed *f)
{
    if (admitted(f, f->event_n))
        return;
    uint32_t k = 1;
    while (admitted(f, k))
        k++;
    f->certain = f->events[k - 1] >> 8;
}

/* ---- the monitor ---- */

static void note(void *context, const assay_monitor_violation *v)
{
    struct stream *s = context;
    struct followed *f = &s->all[v->index * s->objects + strtoul(v->object + 1, NULL, 10)];
    if (!f->reported)
        f->reported = v->event;
}

static const char *objection(const struct followed *f, bool all, bool exact)
{
    bool pending = false;
    for (uint32_t i = 0; i < f->play.n; i++)
        pending |= f->play.op[i].pending;
    if (f->reported && !f->certain)
        return "a violation is reported where there is none";
    if (f->reported && f->reported < f->certain)
        return "the report names an event whose prefix is admitted";
    if (exact && f->reported && f->reported > f->certain)
        return "the report names an event after the violation";
    return exact && all && f->certain && !f->reported && !pending ? "a violation is missed" : NULL;
}

static _Noreturn void expose(const struct stream *s, const char *engine, bool all, const struct followed *f,
                             const char *why)
{
    printf("%s%s: %s: object %u, certain at event %llu, reported at %llu\n%.*s", engine ? engine : "default",
           all ? " --all" : "", why, (unsigned)((f - s->all) % s->objects), (unsigned long long)f->certain,
           (unsigned long long)f->reported, (int)s->text.n, s->text.at);
    exit(1);
}

static void follow(struct stream *s, const char *engine, bool all)
{
    assay_monitor_options options = {ASSAY_MONITOR_OPTIONS_INIT, .engine = engine, .all = all, .on_violation = note,
                                     .context = s};
    assay_error e = {0};
    for (uint32_t i = 0; i < s->histories * s->objects; i++)
        s->all[i].reported = 0;
    assay_monitor *m = assay_monitor_open(NULL, &options, &e);
    if (!m || !assay_monitor_feed(m, s->text.at, s->text.n, &e) || !assay_monitor_end(m, &e)) {
        printf("%s: %s\n%.*s", engine ? engine : "default", e.message, (int)s->text.n, s->text.at);
        exit(1);
    }
    assay_monitor_use use = assay_monitor_used(m, 0);
    for (uint32_t i = 0; i < s->histories * s->objects; i++) {
        const char *why = objection(&s->all[i], all, use.exact);
        if (why)
            expose(s, engine, all, &s->all[i], why);
        found += s->all[i].reported > 0;
        judged++;
    }
    assay_monitor_close(m);
    streams++;
}

static void one(const char *name, uint64_t seed, const char *only)
{
    struct rng rng = {seed};
    struct mem mem = {0};
    static struct stream s;
    const assay_spec *spec = spec_named(name);
    const char *kind = some_object(spec, &rng), *init = some_init(spec, &rng);
    s = (struct stream){.kind = kind,
                        .histories = 1 + rng_below(&rng, MOST_HISTORIES),
                        .objects = 1 + rng_below(&rng, rng_below(&rng, 2) ? MOST_OBJECTS : 3),
                        .text = text_in(&mem)};
    for (uint32_t i = 0; i < s.histories; i++)
        put_history(&s, i, spec, kind, init, &rng);
    for (uint32_t i = 0; i < s.histories * s.objects; i++)
        decide(&s.all[i]);
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        if ((only && strcmp(only, engines[i].engine ? engines[i].engine : "default") != 0) ||
            (engines[i].kinds && !lists(engines[i].kinds, name)))
            continue;
        follow(&s, engines[i].engine, false);
        follow(&s, engines[i].engine, true);
    }
    mem_release(&mem);
}

int main(int argc, char **argv)
{
    struct request r = request_of(argc, argv);
    uint32_t count = request_count(&r, 20, 40, 2000);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        streams = found = judged = 0;
        for (uint32_t i = 0; i < count; i++)
            one(kinds[k], hash_join(r.seed, hash_join(hash_bytes(kinds[k], strlen(kinds[k])), i)), r.only);
        printf("%s: %llu streams, %llu objects, %llu reported\n", kinds[k], (unsigned long long)streams,
               (unsigned long long)judged, (unsigned long long)found);
        fflush(stdout);
    }
    return 0;
}
