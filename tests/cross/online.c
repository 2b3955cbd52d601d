/* SPDX-License-Identifier: Apache-2.0 */
/* Online checkers against the definition, event by event: none reports a violation before there is one; exact ones miss none
 * once all operations have returned, prompt ones not for a single return; and how many the others miss is counted.
 *
 *   online [--quick|--long] [--seed N] [--count N] [--only OBJECT] [--member NAME[+VARIANT]]
 *
 * In half of the plays the callers of pending operations die, soon after their calls, and their slots are used again. Exact
 * checkers must then judge every prefix as before, or say which call leaves it open.
 *
 * What is fed: all plays of a few operations of the objects with theories, and random ones of every object. */
#include "scan/online.h"
#include "spec/spec.h"
#include "support/alphabets.h"
#include "support/left_out.h"
#include "support/tier.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MEMBERS = 64, EVENTS = 2 * PLAY_MOST, SLOW_OF = 32 }; /* slow checkers see one play in so many */

struct member { /* a checker with one of its variants */
    const struct online *online;
    const char *variant;
    bool slow;
    uint64_t fed, violations, missed, late; /* late: found, but after the step where it was certain */
    uint64_t weak;                          /* plays after which it was not exact any more */
    uint64_t doubts;                        /* plays that a dead call may explain */
};

static struct member members[MOST_MEMBERS];
static uint32_t member_n;

static bool missing(const struct online *o)
{
    return o->missing && left_out(o->name, o->missing());
}

static void list_members(const char *only)
{
    for (size_t i = 0; online_table[i]; i++) {
        static const char *const none[] = {NULL};
        const char *const *variant = online_table[i]->variants ? online_table[i]->variants : none;
        for (const char *v = NULL;; v = *variant++) {
            char name[80];
            snprintf(name, sizeof name, "%s%s", online_table[i]->name, v ? v : "");
            if ((!only || strcmp(only, name) == 0) && !missing(online_table[i]))
                members[member_n++] = (struct member){.online = online_table[i],
                                                      .variant = v,
                                                      .slow = strcmp(online_table[i]->name, "symbolic") == 0 ||
                                                              strcmp(online_table[i]->name, "enumerate") == 0};
            if (!*variant)
                break;
        }
    }
}

/* ---- a play as events ---- */

struct event {
    int64_t time;
    uint32_t op;
    bool returns;
};

static int by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->returns != y->returns ? x->returns - y->returns : x->op < y->op ? -1 : x->op > y->op;
}

static uint32_t events_of(const struct play *p, struct event out[EVENTS])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        out[n++] = (struct event){p->op[i].call, i, false};
        if (!p->op[i].pending)
            out[n++] = (struct event){p->op[i].ret, i, true};
    }
    qsort(out, n, sizeof *out, by_time);
    return n;
}

static bool admitted(const struct play *p)
{
    assay_history *h = play_build(p);
    bool yes = play_satisfies(h, p, true, 0);
    assay_history_free(h);
    return yes;
}

/* The number of the first event after which the play is not admitted; 0: it is. */
static uint32_t first_violation(const struct play *p, const struct event *events, uint32_t n)
{
    if (admitted(p))
        return 0;
    for (uint32_t k = 1; k < n; k++) {
        if (!events[k - 1].returns)
            continue;
        struct play prefix = *p;
        prefix.n = 0;
        for (uint32_t i = 0; i < p->n; i++) {
            bool called = false, returned = false;
            for (uint32_t e = 0; e < k; e++)
                if (events[e].op == i)
                    *(events[e].returns ? &returned : &called) = true;
            if (!called)
                continue;
            prefix.op[prefix.n] = p->op[i];
            if (!returned) {
                prefix.op[prefix.n].pending = true;
                prefix.op[prefix.n].result = (assay_value){0};
            }
            prefix.n++;
        }
        if (!admitted(&prefix))
            return k;
    }
    return n;
}

/* ---- feeding ---- */

static struct names names;

static struct value numbered(assay_value v)
{
    static struct mem mem;
    if (!names.mem) {
        names = names_in(&mem);
        for (int w = 0; w < ONLINE_WORDS; w++)
            names_put(&names, online_words[w], strlen(online_words[w]));
    }
    if (v.kind == ASSAY_WORD || v.kind == ASSAY_STRING)
        return (struct value){(int64_t)names_put(&names, v.text, v.length), (uint8_t)v.kind};
    return (struct value){v.kind == ASSAY_INT ? v.integer : 0, (uint8_t)v.kind};
}

static const char *letters(void *arg, struct value v, size_t *length)
{
    (void)arg;
    *length = names.all.at[v.bits].length;
    return names.all.at[v.bits].text;
}

/* The value as a setting has it, with the numbers of this feeder. */
static assay_value renumbered(assay_value v)
{
    if (v.kind == ASSAY_WORD || v.kind == ASSAY_STRING)
        v.integer = numbered(v).bits + 1;
    return v;
}

static assay_setting setting_of(const assay_setting *s, struct mem *m)
{
    assay_binding *init = mem_new(m, assay_binding, s->init_count + 1);
    for (size_t i = 0; i < s->init_count; i++)
        init[i] = (assay_binding){renumbered(s->init[i].key), renumbered(s->init[i].value), s->init[i].header};
    return (assay_setting){renumbered(s->parameter), init, s->init_count};
}

struct feeding {
    const struct play *play;
    const assay_spec *spec;
    const struct event *events;
    uint32_t event_n;
    uint32_t certain; /* first_violation */
    uint32_t dies;    /* the callers of pending operations die so many events after their calls; 0: they do not */
    bool forgets;     /* the checker keeps little of the past: it may name a later return */
    const char *why;
    struct member *counts; /* NULL: while shrinking */
};

static unsigned method_of(const assay_spec *spec, const char *name)
{
    for (const assay_method *m = spec->methods; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m->id;
    abort();
}

static void visit_nothing(void *arg, struct value v)
{
    (void)v;
    ++*(uint64_t *)arg;
}

/* Is the report well formed, and does it name the return `certain`? Those that are sound only may name a later one. */
static const char *objection(const struct online *o, void *state, uint32_t step, uint32_t certain, bool exact)
{
    struct mem mem = {0};
    struct online_fault f = {.why = text_in(&mem)};
    o->explain(state, &f, &mem);
    bool fine = f.step > 0 && f.step <= step && f.ops.n > 0 && f.why.n > 0;
    for (size_t i = 0; i < f.why.n && fine; i++) /* operations are named by their places */
        if (f.why.at[i] == '{')
            fine = strtoul(f.why.at + i + 1, NULL, 10) < f.ops.n;
    uint64_t named = f.step;
    mem_release(&mem);
    if (!fine)
        return "the violation is not explained well";
    if (named < certain)
        return "the report names an event whose prefix is admitted";
    return exact && named > certain ? "the report names an event after the violation" : NULL;
}

/* The pending operations that are due die. False: a violation, or a doubt. */
static bool let_die(const struct feeding *x, const struct online *o, void *state, uint32_t at, const uint32_t *slot,
                    bool *open)
{
    for (uint32_t i = 0; x->dies && o->died && i <= at; i++) {
        uint32_t op = x->events[i].op;
        if (i + x->dies - 1 != at || x->events[i].returns || !x->play->op[op].pending)
            continue;
        open[slot[op]] = false;
        if (!o->died(state, slot[op]))
            return false;
    }
    return true;
}

/* Feeds one checker; false with `why`. */
static bool feed(struct feeding *x, const struct member *m, const struct online_setup *setup)
{
    const struct online *o = m->online;
    void *state = o->open(setup);
    bool open[PLAY_MOST] = {0}, found = false;
    uint32_t slot[PLAY_MOST] = {0}, at = 0;
    enum online_verdict verdict = ONLINE_FINE;
    for (; at < x->event_n && !found; at++) {
        const struct play_op *op = &x->play->op[x->events[at].op];
        if (x->events[at].returns) {
            uint32_t s = slot[x->events[at].op];
            open[s] = false;
            found = !o->ret(state, s, at + 1, numbered(op->result));
        } else {
            uint32_t s = 0;
            while (open[s])
                s++;
            open[s] = true;
            slot[x->events[at].op] = s;
            struct value args[PLAY_ARGS];
            for (uint32_t a = 0; a < op->arg_count; a++)
                args[a] = numbered(op->args[a]);
            o->call(state, s, at + 1, method_of(x->spec, op->method), args, op->arg_count);
        }
        found = found || !let_die(x, o, state, at, slot, open);
        uint64_t seen = 0;
        o->each_value(state, visit_nothing, &seen);
        (void)o->live(state);
    }
    x->why = NULL;
    bool doubt = found && o->doubt && o->doubt(state);
    found = found && !doubt;
    if (!found)
        verdict = doubt ? ONLINE_OPEN : o->finish(state);
    const char *weakened = o->weakened ? o->weakened(state) : NULL;
    bool exact = o->guarantee == ONLINE_EXACT && !weakened;
    bool pending = false;
    for (uint32_t i = 0; i < x->play->n; i++)
        pending |= x->play->op[i].pending;
    if (found && (!x->certain || at < x->certain))
        x->why = "a violation is reported where there is none";
    else if (!found && verdict == ONLINE_VIOLATION && !x->certain)
        x->why = "a violation is reported at the end where there is none";
    else if (!found && verdict == ONLINE_OPEN && !pending)
        x->why = "undecided, although all operations have returned";
    else if (!found && verdict == ONLINE_FINE && exact && x->certain)
        x->why = "a violation is missed";
    else if (exact && o->prompt && x->certain && (!found || at != x->certain))
        x->why = "a violation is reported late";
    else if (found || verdict == ONLINE_VIOLATION)
        x->why = objection(o, state, x->event_n, x->certain, exact && !x->forgets);
    if (x->counts) {
        x->counts->fed++;
        x->counts->violations += x->certain > 0;
        x->counts->missed += x->certain && !found && verdict != ONLINE_VIOLATION;
        x->counts->late += found && at > x->certain;
        x->counts->weak += weakened != NULL;
        x->counts->doubts += verdict == ONLINE_OPEN;
    }
    o->close(state);
    return !x->why;
}

struct asked {
    const assay_spec *spec;
    uint64_t salt;
    bool all;            /* slow ones, too */
    struct member *only; /* while shrinking: the one that is wrong */
    char why[200];
};

static bool holds(const struct play *p, struct asked *a)
{
    struct event events[EVENTS];
    struct feeding x = {.play = p, .spec = a->spec, .events = events};
    x.event_n = events_of(p, events);
    x.certain = first_violation(p, events, x.event_n);
    assay_history *h = play_build(p);
    struct mem mem = {0}, lasting = {0};
    struct objects objects;
    assay_error e = {0};
    if (!objects_of(h, (struct object_choice){0}, &lasting, &objects, &e))
        abort();
    assay_setting setting = setting_of(&objects.at[0].setting, &lasting);
    bool fine = true;
    a->salt++;
    for (uint32_t i = 0; i < member_n && fine; i++) {
        struct member *m = &members[i];
        if (a->only ? a->only != m : m->slow && !a->all && a->salt % SLOW_OF)
            continue;
        struct budget budget = {0};
        struct online_setup setup = {.spec = a->spec,
                                     .setting = setting,
                                     .variant = m->variant,
                                     .mem = &mem,
                                     .budget = &budget,
                                     .text = letters,
                                     .most = a->salt % 5 ? 0 : 1 + (uint32_t)(a->salt / 5 % 4),
                                     .few = a->salt % 3 ? 0 : 1 + (uint32_t)(a->salt / 3 % 4)};
        x.forgets = setup.few || setup.most;
        x.dies = a->salt % 2 ? 1 + (uint32_t)(a->salt / 2 % 4) : 0;
        if (m->online->declines && m->online->declines(&setup))
            continue;
        x.counts = a->only ? NULL : m;
        fine = feed(&x, m, &setup);
        if (fine && mem.used) {
            x.why = "memory is not given back";
            fine = false;
        }
        if (!fine) {
            snprintf(a->why, sizeof a->why, "%s%s: %s (certain at event %u)", m->online->name,
                     m->variant ? m->variant : "", x.why, (unsigned)x.certain);
            a->only = m;
        }
        mem_release(&mem);
    }
    assay_history_free(h);
    mem_release(&lasting);
    return fine;
}

static bool broken(const struct play *p, void *arg)
{
    return !holds(p, arg);
}

static void judge(const struct play *p, void *arg)
{
    struct asked *a = arg;
    if (!holds(p, a))
        play_expose(p, broken, a, a->why);
}

/* ---- what is fed ---- */

static void report(const char *title)
{
    printf("%s\n", title);
    for (uint32_t i = 0; i < member_n; i++) {
        struct member *m = &members[i];
        if (m->fed)
            printf(
                "  %-14s%-7s %9llu plays, %8llu violations, missed %llu, found late %llu, gave up in %llu, open %llu\n",
                m->online->name, m->variant ? m->variant : "", (unsigned long long)m->fed,
                (unsigned long long)m->violations, (unsigned long long)m->missed, (unsigned long long)m->late,
                (unsigned long long)m->weak, (unsigned long long)m->doubts);
        m->fed = m->violations = m->missed = m->late = m->weak = m->doubts = 0;
    }
    fflush(stdout);
}

static void all_small(const struct alphabet *alphabet, uint32_t most, uint32_t one_in)
{
    struct asked a = {.spec = spec_named(alphabet->object)};
    for (uint32_t n = 1; n <= most; n++) {
        a.all = n < 4;
        small_all(alphabet, n, false, n < 3 ? 1 : one_in, judge, &a);
    }
    char title[80];
    snprintf(title, sizeof title, "%s, %s up to %u operations", alphabet->object, one_in > 1 ? "of" : "all",
             (unsigned)most);
    report(title);
}

static void random_plays(const assay_spec *s, uint64_t seed, uint32_t count)
{
    struct asked a = {.spec = s};
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = {hash_join(seed, hash_join(hash_bytes(s->name, strlen(s->name)), i))};
        struct cast c = {.object = some_object(s, &rng),
                         .init = some_init(s, &rng),
                         .spec = s,
                         .least = 3,
                         .most = rng_below(&rng, 4) ? 9 : 12,
                         .threads = 2 + rng_below(&rng, 3),
                         .values = 1 + rng_below(&rng, 3),
                         .distinct = rng_below(&rng, 2),
                         .pending = rng_below(&rng, 3) ? 0 : 60,
                         .lies = rng_below(&rng, 3),
                         .ties = rng_below(&rng, 4) == 0 ? 40 : 0};
        struct play p = play_random(&c, &rng);
        bool tied = false; /* a call at the time of the thread's previous return is no interval order */
        for (uint32_t k = 1; k < p.n; k++)
            for (uint32_t j = 0; j < k; j++)
                tied |= p.op[j].thread == p.op[k].thread && !p.op[j].pending && p.op[j].ret >= p.op[k].call;
        if (!tied)
            judge(&p, &a);
    }
    char title[80];
    snprintf(title, sizeof title, "%s, random", s->name);
    report(title);
}

int main(int argc, char **argv)
{
    const char *member = NULL;
    struct request r = request_with(argc, argv, (const struct request_option[]){{"--member", .word = &member}, {NULL}});
    list_members(member);
    for (const struct alphabet *a = alphabets; a->object; a++)
        if (!r.only || strncmp(r.only, a->object, strlen(r.only)) == 0)
            all_small(a, by_tier(r.tier, 3, 3, 4), by_tier(r.tier, 13, 1, 1));
    for (size_t i = 0; spec_table[i]; i++)
        if (request_wants(&r, spec_table[i]->name))
            random_plays(spec_table[i], r.seed, request_count(&r, 2000, 6000, 300000));
    return 0;
}
