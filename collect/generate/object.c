/* SPDX-License-Identifier: Apache-2.0 */
/* Random clients of an object, recorded with calls and returns.
 *
 * Idea: one step at a time, a random thread calls, takes effect or returns. A call takes effect by a step of the
 * object's own specification. So it happens at one moment between its call and its return, and the history is
 * linearizable. This works for every object of the table; the purpose of a method is read off its arity, key and name.
 *
 * Invariant: the calls that took effect, in that order, are a legal sequence of the specification that leads to the
 * current state. A call that cannot take effect waits. Since a thread calls only methods that were possible when it
 * called, the thread that took effect last can always go on. So no thread waits for ever unless that thread is one that
 * never returns. Built-in bugs break this (flaw.h), and mutation does so afterwards.
 *
 * An exchanger has no states to step through. Its calls take effect by meeting each other (meet.c). */
#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "collect/generate/clients.h"
#include "spec/accounts.h"
#include "spec/spec.h"

#include <string.h>

/* ---- parameters ---- */

enum {
    OBJECT,
    METHODS,
    THREADS,
    OPERATIONS,
    VALUES,
    DISTINCT,
    TAGS,
    SILENT,
    OBSERVERS,
    SIZE,
    OVERLAP,
    PENDING,
    BUG,
    MUTATE,
    DISTANCE
};

static const struct collect_parameter parameters[] = {
    [OBJECT] = {.name = "object",
                .value = "OBJECT",
                .help = "as in # @object: queue, semaphore(2), ... (default: register)",
                .text = "register",
                .letter = 'o'},
    [METHODS] = {.name = "methods",
                 .value = "NAMES",
                 .help = "call only these methods, as in inc,get (default: all)",
                 .text = ""},
    [THREADS] = {.name = "threads",
                 .value = "K",
                 .help = "number of threads (default: 4)",
                 .fallback = 4,
                 .least = 1,
                 .most = 1 << 16},
    [OPERATIONS] = {.name = "operations",
                    .value = "N",
                    .help = "number of operations of all threads together (default: 100)",
                    .fallback = 100,
                    .least = 1,
                    .most = 1 << 30,
                    .also = "ops"},
    [VALUES] = {.name = "values",
                .value = "V",
                .help = "number of distinct arguments and keys (default: 10)",
                .fallback = 10,
                .least = 1,
                .most = 1 << 30},
    [DISTINCT] = {.name = "distinct",
                  .help = "no value is added or written twice; keys are as before, unless whole sets are read",
                  .most = 1,
                  .flag = true},
    [TAGS] = {.name = "tags",
              .help = "for a lock or semaphore: each take has a tag, and its release returns that tag",
              .most = 1,
              .flag = true},
    [SILENT] = {.name = "silent",
                .help = "leave out results that need not be recorded, as those of increments",
                .most = 1,
                .flag = true},
    [OBSERVERS] = {.name = "observers",
                   .value = "PERCENT",
                   .help = "share of calls that only look: read, get, peek, contains (default: 30)",
                   .fallback = 30,
                   .most = 100},
    [SIZE] = {.name = "size",
              .value = "S",
              .help = "aim for S values in a queue, stack, ... (default: 10; 0: often empty)",
              .fallback = 10,
              .most = 1 << 30},
    [OVERLAP] = {.name = "overlap",
                 .value = "C",
                 .help = "at most C calls at once, while one of them can proceed (default: 0, one per thread)",
                 .most = 1 << 16,
                 .also = "concurrency"},
    [PENDING] = {.name = "pending",
                 .value = "P",
                 .help = "number of threads whose last call never returns (default: 0)",
                 .most = 1 << 16},
    [BUG] = {.name = "bug",
             .value = "BUG",
             .help = "build in a bug that the object can have: swap, lose, duplicate, early-empty, ring or "
                     "apart (default: none)",
             .words = flaw_names},
    [MUTATE] = {.name = "mutate",
                .value = "M",
                .help = "afterwards flip M truth values, or exchange the results of calls (default: 0)",
                .most = 1 << 30},
    [DISTANCE] = {.name = "distance",
                  .value = "D",
                  .help = "how far apart these calls may be, in calls (default: 20; 0: anywhere)",
                  .fallback = 20,
                  .most = 1 << 30,
                  .needs = "mutate"},
    {0},
};

static void refuse(const struct collecting *c, const char *why)
{
    error_set(c->error, ASSAY_ERROR_USAGE, "the object %s: %s", c->texts[OBJECT], why);
    escape_raise(ESCAPE_ERROR);
}

/* ---- methods ---- */

static bool is_observer(const char *name)
{
    static const char *const observers[] = {"read",     "get",     "count",    "contains", "contains-key",
                                            "elements", "balance", "balances", NULL};
    for (size_t i = 0; observers[i]; i++)
        if (strcmp(name, observers[i]) == 0)
            return true;
    return strncmp(name, "peek", 4) == 0;
}

static assay_call call_of(struct clients *x, const struct method *m, const int64_t *args, assay_value *values)
{
    for (unsigned i = 0; i < m->arity; i++) {
        values[i] = assay_int(args[i]);
        if (m->strings && m->m->key != (int)i) {
            struct text t = text_in(x->c->mem);
            text_printf(&t, "%lld,", (long long)args[i]);
            values[i] = value_with_text((struct value){args[i], ASSAY_STRING}, arena_text(&x->texts, t.at, t.n), t.n);
            mem_free(x->c->mem, t.at);
        }
    }
    return (assay_call){.method = m->m->id, .arg_count = m->arity, .args = values};
}

/* Can its calls have tags? Its release returns one. */
static bool has_tags(const assay_spec *s)
{
    bool tags = false;
    for (const assay_method *m = s->methods; m->name; m++)
        tags |= m->arity == ASSAY_NONE_OR_ONE;
    return tags;
}

/* Is it among the names, which have commas between them? */
static bool is_asked_for(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; *at; at += *at == ',') {
        size_t own = strcspn(at, ",");
        if (own == length && memcmp(at, name, own) == 0)
            return true;
        at += own;
    }
    return false;
}

/* The methods that clients use: of several names the first. Where some methods name a part by a key, only those are
 * used, so that the parts stay apart, unless another one is asked for. Methods whose arguments name the found value are
 * not used. */
static void choose_methods(struct clients *x)
{
    const assay_method *all = x->spec->methods;
    const char *asked = x->c->texts[METHODS];
    bool keyed = false;
    for (const assay_method *m = all; m->name; m++)
        keyed |= m->key >= 0;
    for (const assay_method *m = all; m->name && x->method_n < MOST_METHODS; m++) {
        bool again = false;
        for (const assay_method *before = all; before < m; before++)
            again |= before->id == m->id;
        unsigned arity = m->arity == ASSAY_NONE_OR_ONE ? (unsigned)x->c->values[TAGS] : m->arity;
        if (again || arity > (x->banks ? MOST_ARGS : 2) || m->key == ASSAY_NO_EFFECT ||
            (*asked ? !is_asked_for(asked, m->name) : keyed && m->key < 0))
            continue;
        struct method *to = &x->methods[x->method_n++];
        *to = (struct method){.m = m,
                              .arity = arity,
                              .observes = is_observer(m->name),
                              .releases = x->tags && arity == 0 && m->result == ASSAY_RESULT_OPTIONAL};
        assay_value values[MOST_ARGS];
        int64_t args[MOST_ARGS] = {1, 1, 1};
        assay_call call = call_of(x, to, args, values);
        to->strings = x->spec->refuse_call && x->spec->refuse_call(&call);
        x->observer_n += to->observes;
        x->whole |= m->key == ASSAY_NO_KEY;
    }
    bool adds = false, removes = false;
    for (uint32_t i = 0; i < x->method_n; i++) {
        adds |= !x->methods[i].observes && x->methods[i].arity == 1;
        removes |= !x->methods[i].observes && x->methods[i].arity == 0;
    }
    x->grows = adds && removes && !keyed;
}

/* An observer, or a method that is none; of the latter, one that adds or one that removes. */
static const struct method *random_method(struct clients *x)
{
    const uint64_t *values = x->c->values;
    bool observe = x->observer_n && (x->observer_n == x->method_n || rng_below(&x->rng, 100) < values[OBSERVERS]);
    int64_t target = (int64_t)values[SIZE];
    uint32_t quarters = x->size < target ? 3 : x->size > target ? 1 : 2;
    bool add = rng_below(&x->rng, 4) < quarters;
    for (;;) {
        const struct method *m = &x->methods[rng_below(&x->rng, x->method_n)];
        if (m->observes == observe && (observe || !x->grows || (m->arity > 0) == add))
            return m;
    }
}

/* A compare-and-swap expects a recent value. */
static int64_t random_argument(struct clients *x, const struct method *m, unsigned i)
{
    const uint64_t *values = x->c->values;
    bool expected = m->arity > 1 && i == 0;
    if (x->banks && i < 2)
        return rng_below(&x->rng, x->accounts);
    bool names_part = m->m->key == (int)i && !(x->whole && strcmp(m->m->name, "add") == 0);
    if (names_part || !values[DISTINCT] || x->banks)
        return rng_below(&x->rng, (uint32_t)values[VALUES]);
    return expected ? x->fresh - rng_below(&x->rng, 4) : ++x->fresh;
}

/* ---- steps of a thread ---- */

static assay_effect take_step(struct clients *x, const struct method *m, const int64_t *args, bool stay,
                              assay_value *answer)
{
    assay_value values[MOST_ARGS];
    assay_saved saved;
    assay_call call = call_of(x, m, args, values);
    unsigned n = hook_choices(x->spec, x->state, &call);
    *answer = (assay_value){0};
    bool names = m->releases && x->c->values[TAGS]; /* a holder, whichever */
    unsigned choice = n > 1 ? rng_below(&x->rng, n) : names && stay ? rng_below(&x->rng, 1 << 16) : 0;
    assay_effect effect = hook_step(x->spec, x->state, &call, choice, answer, &saved);
    if (m->releases && stay && answer->kind != ASSAY_NONE) { /* any holder so far: now the one that the answer names */
        hook_undo(x->spec, x->state, &call, &saved);
        call.result = *answer;
        hook_step(x->spec, x->state, &call, 0, answer, &saved);
    }
    if (effect == ASSAY_CHANGED && !stay)
        hook_undo(x->spec, x->state, &call, &saved);
    return effect;
}

static bool would_wait(struct clients *x, const struct method *m, const int64_t *args)
{
    assay_value ignored;
    return take_step(x, m, args, false, &ignored) == ASSAY_BLOCKED;
}

/* Methods that may have to wait have neither arguments nor a result, in all objects whose methods are chosen. With tags
 * they may have both. */
static void calls(struct clients *x, uint32_t t)
{
    enum { MOST_TRIES = 10000 };
    uint32_t op = x->out.all.n;
    struct record r = {.thread = t, .called = x->out.events.n + 1};
    const struct method *m;
    uint32_t tries = 0;
    do {
        m = random_method(x);
        if (++tries > MOST_TRIES)
            refuse(x->c, "the methods asked for leave no client a way to go on");
    } while ((x->tags || (m->arity == 0 && m->m->result == ASSAY_RESULT_NONE)) && would_wait(x, m, r.args));
    for (unsigned i = 0; i < m->arity; i++)
        r.args[i] = random_argument(x, m, i);
    r.method = (uint32_t)(m - x->methods);
    x->at[t] = (struct client){.open = op, .stops = x->stops[op]};
    vec_push(x->c->mem, &x->out.all, r);
    vec_push(x->c->mem, &x->out.events, op);
}

/* ---- bugs ---- */

bool clients_spoil(struct clients *x, const struct method *m)
{
    enum { ONE_IN = 8 };
    return flaw_spoils(x->flaw, m->m, m->observes, m->takes) && rng_below(&x->rng, ONE_IN) == 0;
}

static assay_effect swap_step(struct clients *x, const struct method *m, const int64_t *args, assay_value *answer)
{
    assay_value second;
    assay_effect effect = take_step(x, m, args, true, answer);
    if (effect == ASSAY_CHANGED && take_step(x, m, args, true, &second) == ASSAY_CHANGED) {
        x->held = *answer;
        *answer = second;
    }
    return effect;
}

/* A step that the bug may spoil. */
static assay_effect flawed_step(struct clients *x, const struct method *m, const int64_t *args, assay_value *answer)
{
    if (m->takes && x->held.kind != ASSAY_NONE) {
        *answer = x->held;
        x->held = (assay_value){0};
        return ASSAY_CHANGED;
    }
    if (!clients_spoil(x, m))
        return take_step(x, m, args, true, answer);
    if (x->flaw == FLAW_SWAP)
        return swap_step(x, m, args, answer);
    assay_effect effect = take_step(x, m, args, false, answer);
    if (x->flaw == FLAW_EARLY_EMPTY)
        *answer = assay_word("empty");
    return effect == ASSAY_BLOCKED ? effect : ASSAY_SAME;
}

/* ---- effects ---- */

/* False: it has to wait. */
static bool happens(struct clients *x, struct client *client)
{
    if (x->meets)
        return clients_meet(x, client);
    struct record *r = &x->out.all.at[client->open];
    const struct method *m = &x->methods[r->method];
    assay_value answer;
    assay_effect effect = flawed_step(x, m, r->args, &answer);
    if (effect == ASSAY_BLOCKED)
        return false;
    if (effect == ASSAY_CHANGED)
        x->size += m->arity ? 1 : -1;
    if (answer.kind == ASSAY_STRING) /* it lies in the state */
        answer.text = arena_text(&x->texts, answer.text, answer.length);
    if (answer.kind == ASSAY_LIST)
        answer = value_copy(answer, x->c->mem);
    bool silent = x->c->values[SILENT] && m->m->result == ASSAY_RESULT_OPTIONAL;
    if (m->m->result != ASSAY_RESULT_NONE && !silent)
        r->result = answer;
    client->happened = true;
    return true;
}

static void returns(struct clients *x, struct client *client)
{
    vec_push(x->c->mem, &x->out.events, client->open);
    x->out.all.at[client->open].returned = x->out.events.n;
}

/* ---- all threads ---- */

static uint32_t take_out(uint32_t *list, uint32_t *n, uint32_t i)
{
    uint32_t t = list[i];
    list[i] = list[--*n];
    return t;
}

static void idle_calls(struct clients *x)
{
    uint32_t t = take_out(x->idle, &x->idle_n, rng_below(&x->rng, x->idle_n));
    calls(x, t);
    x->busy[x->busy_n++] = t;
}

/* A call that never returns may take effect nevertheless. */
static void busy_goes_on(struct clients *x, uint32_t i)
{
    struct client *client = &x->at[x->busy[i]];
    x->waits++;
    if (!client->happened && !client->stops) {
        if (happens(x, client))
            x->waits = 0;
        return;
    }
    x->waits = 0;
    uint32_t t = take_out(x->busy, &x->busy_n, i);
    if (!client->stops) {
        returns(x, client);
        x->idle[x->idle_n++] = t;
    } else if (!client->happened && rng_below(&x->rng, 2))
        happens(x, client);
}

static bool all_wait(struct clients *x)
{
    for (uint32_t i = 0; i < x->busy_n; i++) {
        const struct client *client = &x->at[x->busy[i]];
        const struct record *r = &x->out.all.at[client->open];
        if (x->meets || client->happened || client->stops || !would_wait(x, &x->methods[r->method], r->args))
            return false;
    }
    return true;
}

static void run_clients(struct clients *x)
{
    const uint64_t *values = x->c->values;
    uint64_t most = values[OVERLAP] ? values[OVERLAP] : values[THREADS];
    for (;;) {
        bool can_call = x->idle_n && x->out.all.n < values[OPERATIONS];
        bool stuck = !x->busy_n || (x->waits > 4 * x->busy_n && all_wait(x));
        if (stuck && !can_call)
            return;
        uint32_t callers = can_call && (stuck || x->busy_n < most) ? x->idle_n : 0;
        uint32_t pick = rng_below(&x->rng, callers + (stuck ? 0 : x->busy_n));
        if (stuck || x->waits > 4 * x->busy_n)
            x->waits = 0;
        if (pick < callers)
            idle_calls(x);
        else
            busy_goes_on(x, pick - callers);
    }
}

/* ---- the history ---- */

static void emit(struct clients *x)
{
    struct collect_sink *sink = x->c->sink;
    const char **names = mem_new(x->c->mem, const char *, x->c->values[THREADS]);
    for (uint32_t t = 0; t < x->c->values[THREADS]; t++) {
        char name[16];
        names[t] = arena_text(&x->texts, name, (size_t)snprintf(name, sizeof name, "t%u", t));
    }
    for (uint32_t i = 0; i < x->out.events.n; i++) {
        const struct record *r = &x->out.all.at[x->out.events.at[i]];
        const struct method *m = &x->methods[r->method];
        assay_value values[MOST_ARGS];
        assay_operation op = {.thread = names[r->thread],
                              .method = m->m->name,
                              .args = values,
                              .arg_count = call_of(x, m, r->args, values).arg_count,
                              .pending = !r->returned,
                              .timed = true,
                              .call_time = r->called,
                              .return_time = r->returned};
        if (r->returned)
            op.result = r->result;
        (r->called == i + 1 ? sink->call : sink->returns)(sink, &op);
    }
}

/* ---- the collector ---- */

static void find_object(struct clients *x)
{
    const struct collecting *c = x->c;
    history nothing = {.source = ID_NONE};
    struct objects objects;
    if (!objects_of(&nothing, (struct object_choice){.kind = c->texts[OBJECT]}, c->mem, &objects, c->error))
        escape_raise(ESCAPE_ERROR);
    x->spec = objects.at[0].spec;
    x->meets = !x->spec->create;
    x->tags = has_tags(x->spec);
    x->banks = x->spec == &spec_bank;
    if (x->banks) {
        struct bank_setting declared;
        bank_declared(&objects.at[0].setting, &declared);
        x->accounts = declared.accounts;
    }
    if (c->values[TAGS] && !x->tags)
        refuse(c, "its calls have no tags");
    choose_methods(x);
    if (!x->method_n && *c->texts[METHODS]) {
        char why[256];
        size_t n = (size_t)snprintf(why, sizeof why, "clients call none of the methods asked for; its methods are");
        for (const assay_method *m = x->spec->methods; m->name && n < sizeof why; m++)
            n += (size_t)snprintf(why + n, sizeof why - n, "%s %s", m == x->spec->methods ? "" : ",", m->name);
        refuse(c, why);
    }
    if (!x->method_n)
        refuse(c, "what its calls find is in their arguments, which clients do not know");
    if (!x->meets)
        x->state = hook_create(x->spec, &objects.at[0].setting, (assay_value){0}, c->mem);
}

/* Nothing has happened yet, so a removal finds nothing. */
static void find_takers(struct clients *x)
{
    for (uint32_t i = 0; i < x->method_n; i++) {
        struct method *m = &x->methods[i];
        assay_value answer = {0};
        if (!m->observes && m->arity == 0 && m->m->result == ASSAY_RESULT_REQUIRED)
            take_step(x, m, (int64_t[MOST_ARGS]){0}, false, &answer);
        m->takes = assay_value_same(answer, assay_word("empty"));
    }
}

static bool can_have(const struct clients *x, enum flaw flaw)
{
    bool can = flaw == FLAW_NONE;
    for (uint32_t i = 0; i < x->method_n; i++)
        can |= flaw_spoils(flaw, x->methods[i].m, x->methods[i].observes, x->methods[i].takes);
    return can;
}

static void demand_bug(const struct clients *x)
{
    char possible[64] = "";
    size_t n = 0;
    if (can_have(x, x->flaw))
        return;
    for (enum flaw f = FLAW_NONE + 1; f < FLAWS && n < sizeof possible; f++)
        if (can_have(x, f))
            n += (size_t)snprintf(possible + n, sizeof possible - n, "%s%s", n ? " or " : "", flaw_names[f]);
    error_set(x->c->error, ASSAY_ERROR_USAGE, "--bug: the object %s cannot have the bug %s", x->c->texts[OBJECT],
              flaw_names[x->flaw]);
    if (n)
        error_remedy(x->c->error, "it can have %s", possible);
    escape_raise(ESCAPE_ERROR);
}

/* Which calls never return: at most one of a thread, since it is the last. */
static void choose_pending(struct clients *x)
{
    const uint64_t *values = x->c->values;
    uint32_t n = (uint32_t)values[OPERATIONS];
    x->stops = mem_new_zero(x->c->mem, bool, n);
    if (values[PENDING] >= values[THREADS]) {
        error_set(x->c->error, ASSAY_ERROR_USAGE,
                  "--pending: at least one of %llu threads must return from all its calls",
                  (unsigned long long)values[THREADS]);
        escape_raise(ESCAPE_ERROR);
    }
    for (uint64_t i = 0; i < values[PENDING]; i++)
        x->stops[rng_below(&x->rng, n)] = true;
}

static void run(const struct collecting *c)
{
    uint32_t threads = (uint32_t)c->values[THREADS];
    struct clients x = {.c = c, .rng = {c->seed}, .flaw = (enum flaw)c->values[BUG], .texts = arena_in(c->mem)};
    find_object(&x);
    find_takers(&x);
    demand_bug(&x);
    choose_pending(&x);
    x.at = mem_new_zero(c->mem, struct client, threads);
    x.idle = mem_new(c->mem, uint32_t, threads);
    x.busy = mem_new(c->mem, uint32_t, threads);
    while (x.idle_n < threads) {
        x.idle[x.idle_n] = x.idle_n;
        x.idle_n++;
    }
    run_clients(&x);
    for (uint64_t i = 0; i < c->values[MUTATE] && records_mutate(&x.out, &x.rng, c->values[DISTANCE]); i++)
        continue;
    emit(&x);
}

const struct collector collector_object = {
    .name = "object",
    .title = "random clients of any object, with calls and returns",
    .details = "lin holds, unless a bug is built in with --bug or results are changed with --mutate",
    .parameters = parameters,
    .run = run,
};
