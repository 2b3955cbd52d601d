/* SPDX-License-Identifier: Apache-2.0 */
/* The engines of single collections against the definition of linearizability: all small histories, and random ones.
 * Witnesses are replayed; what refutations keep must be reachable by allowed cuts and be refuted by the definition, too;
 * and only what the engine may decline is declined. */
#include "base/rng.h"
#include "evidence/evidence.h"
#include "support/tier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 12, MOST_INIT = 3, NEVER = 1000, EMPTY = 0, NOBODY = 99 };
enum {
    LATER = NEVER + 1
}; /* a return behind the prefix that counts: the call is open there, but its result is known */

enum role { ADD, REMOVE, PEEK, NONE };

struct op {
    enum role role;
    int value;     /* added or found; of a pending remove or peek nothing is known */
    int call, ret; /* distinct times; NEVER: pending */
};

struct story {
    int n, init_n;
    int init[MOST_INIT];
    struct op op[MOST];
    bool crowded; /* another object's calls lie between */
};

/* ---- the objects ---- */

struct state {
    int n;
    int value[MOST + MOST_INIT]; /* in the order in which they were added */
};

static int oldest(const struct state *s)
{
    (void)s;
    return 0;
}

static int newest(const struct state *s)
{
    return s->n - 1;
}

static int greatest(const struct state *s)
{
    int best = 0;
    for (int i = 1; i < s->n; i++)
        best = s->value[i] > s->value[best] ? i : best;
    return best;
}

static int least(const struct state *s)
{
    int best = 0;
    for (int i = 1; i < s->n; i++)
        best = s->value[i] < s->value[best] ? i : best;
    return best;
}

struct kind {
    const char *object, *engine;
    const char *add, *remove;
    int (*next)(const struct state *s); /* which value is removed next */
    bool ordered;                       /* it matters which value is greater */
    bool tries_pending;                 /* it is not declined because of pending removes */
};

static const struct kind kinds[] = {
    {"queue", "fast-queue", "enq", "deq", oldest, false, false},
    {"stack", "fast-stack", "push", "pop", newest, false, true},
    {"pqueue", "fast-pqueue", "add", "rem", greatest, true, false},
    {"pqueue(min)", "fast-pqueue", "add", "rem", least, true, false},
};

/* Executes the call; false: its result is another one. */
static bool step(const struct kind *k, struct state *s, const struct op *o)
{
    if (o->role == ADD) {
        s->value[s->n++] = o->value;
        return true;
    }
    bool known = o->ret != NEVER;
    if (!s->n)
        return !known || o->value == EMPTY;
    int at = k->next(s);
    if (known && s->value[at] != o->value)
        return false;
    if (o->role == REMOVE) {
        memmove(&s->value[at], &s->value[at + 1], (size_t)(s->n - at - 1) * sizeof *s->value);
        s->n--;
    }
    return true;
}

static struct state initial(const struct story *t)
{
    struct state s = {.n = t->init_n};
    memcpy(s.value, t->init, sizeof t->init);
    return s;
}

/* ---- the definition ---- */

static bool extend(const struct kind *k, const struct story *t, unsigned done, const struct state *s)
{
    int first_return = NEVER;
    bool all = true;
    for (int i = 0; i < t->n; i++)
        if (!(done >> i & 1) && t->op[i].ret < NEVER) {
            all = false;
            first_return = t->op[i].ret < first_return ? t->op[i].ret : first_return;
        }
    if (all)
        return true;
    for (int i = 0; i < t->n; i++)
        if (!(done >> i & 1) && t->op[i].call < first_return) {
            struct state next = *s;
            if (step(k, &next, &t->op[i]) && extend(k, t, done | 1u << i, &next))
                return true;
        }
    return false;
}

static bool linearizable(const struct kind *k, const struct story *t)
{
    struct state s = initial(t);
    return extend(k, t, 0, &s);
}

/* ---- histories ---- */

static void add_op(assay_history *h, const struct story *t, const struct kind *k, int i)
{
    assay_error e = {0};
    char thread[16];
    const struct op *o = &t->op[i];
    assay_value arg = assay_int(o->value), none = {0};
    snprintf(thread, sizeof thread, "t%d", i);
    bool known = o->role != ADD && o->ret != NEVER;
    assay_operation operation = {.thread = thread,
                                 .object = t->crowded ? "a" : NULL,
                                 .method = o->role == ADD      ? k->add
                                           : o->role == REMOVE ? k->remove
                                                               : "peek",
                                 .args = &arg,
                                 .arg_count = o->role == ADD,
                                 .result = !known              ? none
                                           : o->value == EMPTY ? assay_word("empty")
                                                               : assay_int(o->value),
                                 .pending = o->ret == NEVER,
                                 .timed = true,
                                 .call_time = o->call * 1000,
                                 .return_time = o->ret * 1000};
    if (assay_history_add(h, &operation, &e) == ASSAY_NO_OPERATION) {
        printf("%s\n", e.message);
        abort();
    }
}

/* Calls of another object, so many that the others' times are far apart. */
static void add_crowd(assay_history *h, const struct kind *k, int last)
{
    assay_error e = {0};
    for (int i = 0; i < last * 2; i++) {
        assay_value arg = assay_int(i);
        assay_operation o = {.thread = "crowd",
                             .object = "b",
                             .method = k->add,
                             .args = &arg,
                             .arg_count = 1,
                             .timed = true,
                             .call_time = i * 500 + 10,
                             .return_time = i * 500 + 20};
        assay_history_add(h, &o, &e);
    }
}

static assay_history *build(const struct story *t, const struct kind *k)
{
    assay_error e = {0};
    assay_history *h = assay_history_new();
    char text[64];
    int last = 0;
    if (t->crowded) {
        snprintf(text, sizeof text, "a %s", k->object);
        assay_history_set(h, "object", text, &e);
        snprintf(text, sizeof text, "b %s", k->object);
        assay_history_set(h, "object", text, &e);
    } else
        assay_history_set(h, "object", k->object, &e);
    if (t->init_n) {
        size_t at = (size_t)snprintf(text, sizeof text, "[%d", t->init[0]);
        for (int i = 1; i < t->init_n; i++)
            at += (size_t)snprintf(text + at, sizeof text - at, ", %d", t->init[i]);
        snprintf(text + at, sizeof text - at, "]");
        assay_history_set(h, "init", text, &e);
    }
    for (int i = 0; i < t->n; i++) {
        add_op(h, t, k, i);
        last = t->op[i].call > last ? t->op[i].call : last;
        last = t->op[i].ret != NEVER && t->op[i].ret > last ? t->op[i].ret : last;
    }
    if (t->crowded)
        add_crowd(h, k, last + 1);
    if (e.code) {
        printf("%s\n", e.message);
        abort();
    }
    return h;
}

/* ---- what the engine says ---- */

struct seen {
    uint64_t asked, consistent, violations, declined, pattern[PATTERN_COUNT];
    int largest; /* refutation */
};

static bool distinct(const struct story *t)
{
    for (int i = 0; i < t->n; i++) {
        for (int j = 0; j < i; j++)
            if (t->op[i].role == ADD && t->op[j].role == ADD && t->op[i].value == t->op[j].value)
                return false;
        for (int j = 0; j < t->init_n; j++)
            if (t->op[i].role == ADD && t->op[i].value == t->init[j])
                return false;
    }
    return true;
}

static bool has_pending_remove(const struct story *t)
{
    for (int i = 0; i < t->n; i++)
        if (t->op[i].role == REMOVE && t->op[i].ret == NEVER)
            return true;
    return false;
}

static bool has_peek(const struct story *t)
{
    for (int i = 0; i < t->n; i++)
        if (t->op[i].role == PEEK && t->op[i].ret != NEVER)
            return true;
    return false;
}

static const char *replay(const struct kind *k, const struct story *t, assay_order order)
{
    struct state s = initial(t);
    unsigned done = 0;
    for (size_t x = 0; x < order.count; x++) {
        uint32_t i = order.ops[x];
        if (i >= (uint32_t)t->n || done >> i & 1)
            return "the witness has an operation twice or of another object";
        for (int j = 0; j < t->n; j++)
            if (!(done >> j & 1) && t->op[j].ret < t->op[i].call)
                return "the witness is not in the order of time";
        if (!step(k, &s, &t->op[i]))
            return "the witness is not legal";
        done |= 1u << i;
    }
    for (int i = 0; i < t->n; i++)
        if (!(done >> i & 1) && t->op[i].ret != NEVER)
            return "the witness is not complete";
    return NULL;
}

static bool unknown(const struct op *o)
{
    return o->role != ADD && o->ret == NEVER;
}

/* The events up to the return of an operation. Operations that are not called by then have the role NONE. */
static struct story prefix_of(const struct story *t, uint32_t last)
{
    struct story s = *t;
    for (int i = 0; i < s.n; i++) {
        if (s.op[i].call > t->op[last].ret)
            s.op[i].role = NONE;
        if (s.op[i].ret < NEVER && s.op[i].ret > t->op[last].ret)
            s.op[i].ret = LATER;
    }
    return s;
}

/* What is kept can be reached by allowed cuts, and is refuted. */
static const char *examine(const struct kind *k, const struct story *whole, const struct evidence *ev, int *size)
{
    if (ev->culprit >= (uint32_t)whole->n)
        return "there is no culprit";
    struct story rest = {0}, prefix = prefix_of(whole, ev->culprit);
    const struct story *t = ev->prefix ? &prefix : whole;
    unsigned kept = 0, init_gone = 0;
    for (uint32_t x = 0; x < ev->kept.n; x++) {
        if (ev->kept.at[x] >= (uint32_t)t->n || kept >> ev->kept.at[x] & 1)
            return "the refutation keeps an operation twice or of another object";
        kept |= 1u << ev->kept.at[x];
    }
    if (!(kept >> ev->culprit & 1))
        return "the culprit is not kept";
    for (int i = 0; i < t->n; i++) {
        const struct op *o = &t->op[i];
        if (o->role == NONE)
            continue;
        if (kept >> i & 1) {
            rest.op[rest.n++] = *o;
            continue;
        }
        if (o->role == REMOVE && o->ret == NEVER)
            return "a pending remove is left out";
        if (o->role == PEEK || unknown(o) || (o->role == REMOVE && o->value == EMPTY))
            continue;
        for (int j = 0; j < t->init_n; j++)
            if (t->init[j] == o->value)
                init_gone |= 1u << j;
        for (int j = 0; j < t->n; j++)
            if (kept >> j & 1 && !unknown(&t->op[j]) && t->op[j].value == o->value)
                return "a value is left out in part";
    }
    for (int j = 0; j < t->init_n; j++)
        if (!(init_gone >> j & 1))
            rest.init[rest.init_n++] = t->init[j];
    *size = rest.n;
    return linearizable(k, &rest) ? "what the refutation keeps is linearizable" : NULL;
}

/* The order of the calls that are told of. */
static assay_order own_order(const assay_result *r, const struct story *t)
{
    for (size_t i = 0; i < assay_result_orders(r); i++) {
        assay_order order = assay_result_order(r, i);
        if (order.count && order.ops[0] < (uint32_t)t->n)
            return order;
    }
    return (assay_order){0};
}

/* The general search is asked now and then, too: it must agree with the definition as well. */
static const char *judge_search(const assay_history *h, bool expected)
{
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = "wgl"};
    assay_result *r = assay_check(h, "lin", &options, &e);
    bool agrees = r && assay_result_verdict(r) == (expected ? ASSAY_CONSISTENT : ASSAY_VIOLATION);
    assay_result_free(r);
    return agrees ? NULL : "the general search is wrong";
}

static const char *judge(const struct kind *k, const struct story *t, struct seen *seen)
{
    assay_history *h = build(t, k);
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = t->crowded ? NULL : k->engine, .evidence = true};
    assay_result *r = assay_check(h, "lin", &options, &e);
    bool expected = linearizable(k, t);
    const char *wrong = NULL;
    if (!r) {
        bool open = has_pending_remove(t) && !k->tries_pending && (k->ordered || has_peek(t));
        bool may = !distinct(t) || open;
        wrong = e.code == ASSAY_ERROR_NOT_APPLICABLE && may ? NULL : "the engine declined, or failed";
        seen->declined++;
    } else if (assay_result_verdict(r) != (expected ? ASSAY_CONSISTENT : ASSAY_VIOLATION))
        wrong = expected ? "the engine finds a violation where there is none" : "the engine finds no violation";
    else if (expected) {
        seen->consistent++;
        wrong = replay(k, t, own_order(r, t));
    } else if (!t->crowded || (r->evidence.pattern != PATTERN_NoLinearization && !r->evidence.prefix)) {
        int size = 0;
        seen->violations++;
        seen->pattern[r->evidence.pattern]++;
        wrong = examine(k, t, &r->evidence, &size);
        seen->largest = size > seen->largest ? size : seen->largest;
    }
    assay_result_free(r);
    if (!wrong && ++seen->asked % 8 == 0)
        wrong = judge_search(h, expected);
    assay_history_free(h);
    return wrong;
}

static void check(const struct kind *k, const struct story *t, struct seen *seen)
{
    const char *wrong = judge(k, t, seen);
    if (!wrong)
        return;
    struct story least_bad = *t;
    for (int i = 0; i < least_bad.n;) { /* without one operation after another, while something is wrong */
        struct story smaller = least_bad;
        smaller.n--;
        memmove(&smaller.op[i], &smaller.op[i + 1], (size_t)(smaller.n - i) * sizeof *smaller.op);
        struct seen ignored = {.asked = 7};
        const char *still = judge(k, &smaller, &ignored);
        if (still) {
            least_bad = smaller;
            wrong = still;
            i = 0;
        } else
            i++;
    }
    assay_history *h = build(&least_bad, k);
    printf("%s (%s):\n", wrong, k->engine);
    assay_error e = {0};
    assay_history_write(h, "hist", 0, stdout, &e);
    exit(1);
}

static void print(const struct kind *k, const char *what, const struct seen *seen)
{
    printf("%s, %s: %llu consistent, %llu violations (largest proof: %d operations), %llu declined\n", k->object, what,
           (unsigned long long)seen->consistent, (unsigned long long)seen->violations, seen->largest,
           (unsigned long long)seen->declined);
    for (int p = 0; p < PATTERN_COUNT; p++)
        if (seen->pattern[p])
            printf("    %s %llu\n", pattern_name((enum pattern)p), (unsigned long long)seen->pattern[p]);
}

/* ---- all small histories ---- */

struct all {
    const struct kind *k;
    struct seen *seen;
    struct story t;
    int adds;
    int most_pending;
};

/* Which calls overlap: the 2n events one after another, calls in the order of their numbers. */
static void choose_times(struct all *a, int time, int called, int open, int pending)
{
    if (called == a->t.n && !open) {
        check(a->k, &a->t, a->seen);
        return;
    }
    if (called < a->t.n) {
        a->t.op[called].call = time;
        choose_times(a, time + 1, called + 1, open + 1, pending);
        if (pending < a->most_pending) {
            a->t.op[called].ret = NEVER;
            choose_times(a, time + 1, called + 1, open, pending + 1);
            a->t.op[called].ret = 0;
        }
    }
    for (int i = 0; i < called; i++)
        if (!a->t.op[i].ret) {
            a->t.op[i].ret = time;
            choose_times(a, time + 1, called, open - 1, pending);
            a->t.op[i].ret = 0;
        }
}

static void choose_results(struct all *a, int i)
{
    while (i < a->t.n && a->t.op[i].role == ADD)
        i++;
    if (i == a->t.n) {
        choose_times(a, 1, 0, 0, 0);
        return;
    }
    for (int v = EMPTY; v <= a->adds; v++) {
        a->t.op[i].value = v;
        choose_results(a, i + 1);
    }
}

/* Of values that matter by their order all permutations, else one. */
static void choose_values(struct all *a, int i, unsigned used)
{
    while (i < a->t.n && a->t.op[i].role != ADD)
        i++;
    if (i == a->t.n) {
        choose_results(a, 0);
        return;
    }
    for (int v = 1; v <= a->adds; v++)
        if (!(used >> v & 1)) {
            a->t.op[i].value = v;
            choose_values(a, i + 1, used | 1u << v);
            if (!a->k->ordered)
                break;
        }
}

static void choose_roles(struct all *a, int i)
{
    if (i == a->t.n) {
        choose_values(a, 0, 0);
        return;
    }
    for (int role = ADD; role <= PEEK; role++) {
        a->t.op[i] = (struct op){.role = (enum role)role};
        a->adds += role == ADD;
        choose_roles(a, i + 1);
        a->adds -= role == ADD;
    }
}

/* ---- random ones ---- */

static void shuffle(struct rng *rng, int *list, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int j = (int)rng_below(rng, (uint32_t)i + 1), other = list[i];
        list[i] = list[j];
        list[j] = other;
    }
}

/* Calls around moments at which they take effect. */
static void draw_times(struct story *t, struct rng *rng)
{
    int moment = 0, width = 1 + (int)rng_below(rng, 40), slots = 200;
    bool used[400] = {false};
    for (int i = 0; i < t->n; i++) {
        moment += 1 + (int)rng_below(rng, 20);
        int call = moment - (int)rng_below(rng, (uint32_t)width),
            ret = moment + 1 + (int)rng_below(rng, (uint32_t)width);
        call = call < 1 ? 1 : call;
        while (call < slots && used[call])
            call++;
        used[call] = true;
        ret = ret <= call ? call + 1 : ret;
        while (used[ret])
            ret++;
        used[ret] = true;
        t->op[i].call = call;
        t->op[i].ret = ret;
    }
}

/* What happens one after another in the order of the operations, and then a few results and times changed. */
static void draw_results(const struct kind *k, struct story *t, struct rng *rng)
{
    struct state s = initial(t);
    for (int i = 0; i < t->n; i++) {
        struct op *o = &t->op[i];
        if (o->role != ADD)
            o->value = s.n ? s.value[k->next(&s)] : EMPTY;
        step(k, &s, o);
    }
    for (uint32_t changes = rng_below(rng, 4); changes; changes--) {
        struct op *a = &t->op[rng_below(rng, (uint32_t)t->n)], *b = &t->op[rng_below(rng, (uint32_t)t->n)];
        if (rng_below(rng, 2)) {
            struct op times = *a;
            a->call = b->call, a->ret = b->ret;
            b->call = times.call, b->ret = times.ret;
            continue;
        }
        if (a->role == ADD || b->role == ADD)
            continue;
        int other = a->value;
        if (rng_below(rng, 8) == 0)
            a->value = rng_below(rng, 2) ? EMPTY : 1 + (int)rng_below(rng, MOST);
        else
            a->value = b->value, b->value = other;
    }
}

static struct story draw(const struct kind *k, struct rng *rng, int most)
{
    struct story t = {.n = 2 + (int)rng_below(rng, (uint32_t)most - 1)};
    int values[MOST + MOST_INIT], next = 0;
    for (int i = 0; i < MOST + MOST_INIT; i++)
        values[i] = 1 + i;
    shuffle(rng, values, MOST + MOST_INIT);
    t.init_n = rng_below(rng, 4) ? 0 : 1 + (int)rng_below(rng, MOST_INIT);
    for (int i = 0; i < t.init_n; i++)
        t.init[i] = values[next++];
    uint32_t peeks = rng_below(rng, 3) * 15, adds = 25 + rng_below(rng, 40);
    for (int i = 0; i < t.n; i++) {
        uint32_t dice = rng_below(rng, 100);
        t.op[i].role = dice < adds ? ADD : dice < adds + peeks ? PEEK : REMOVE;
        if (t.op[i].role == ADD)
            t.op[i].value = values[next++];
    }
    draw_times(&t, rng);
    draw_results(k, &t, rng);
    for (uint32_t pending = rng_below(rng, 4) ? 0 : 1 + rng_below(rng, 2); pending; pending--)
        t.op[rng_below(rng, (uint32_t)t.n)].ret = NEVER;
    if (rng_below(rng, 40) == 0 && t.op[0].role == ADD && t.op[t.n - 1].role == ADD)
        t.op[0].value = t.op[t.n - 1].value;
    t.crowded = rng_below(rng, 100) == 0;
    return t;
}

enum { LAST_TIME = 4 * MOST };

/* A time within the range that is not used yet, or 0. */
static int draw_time(struct rng *rng, bool *used, int low, uint32_t width)
{
    int time = low + (int)rng_below(rng, width);
    for (uint32_t i = 0; i < width && used[time]; i++)
        time = time + 1 < low + (int)width ? time + 1 : low;
    if (used[time])
        return 0;
    used[time] = true;
    return time;
}

static void add_lived(struct story *t, enum role role, int value, int a, int b)
{
    if (a && b && t->n < MOST)
        t->op[t->n++] = (struct op){role, value, a < b ? a : b, a < b ? b : a};
}

/* A value's calls: its add is called before the others return, and the remove returns after they are called. */
static void draw_life(struct story *t, struct rng *rng, bool *used, int value, int low, uint32_t width)
{
    static const int ways[][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}};
    int time[4];
    for (int i = 0; i < 4; i++) {
        time[i] = draw_time(rng, used, low, width);
        if (!time[i])
            return;
        for (int j = i; j > 0 && time[j] < time[j - 1]; j--) {
            int other = time[j];
            time[j] = time[j - 1];
            time[j - 1] = other;
        }
    }
    const int *way = ways[rng_below(rng, 3) ? 0 : rng_below(rng, 5)];
    add_lived(t, ADD, value, time[way[0]], time[way[1]]);
    if (rng_below(rng, 12))
        add_lived(t, REMOVE, value, time[way[2]], time[way[3]]);
    if (rng_below(rng, 4) == 0) {
        uint32_t between = (uint32_t)(time[3] - time[0]);
        int first = draw_time(rng, used, time[0], between);
        add_lived(t, PEEK, value, first, draw_time(rng, used, time[0], between));
    }
}

/* Values that are fine by themselves, whatever the object: it is together that they are not. */
static struct story draw_lives(struct rng *rng)
{
    struct story t = {0};
    bool used[LAST_TIME + 1] = {false};
    uint32_t width = 6 + rng_below(rng, LAST_TIME - 6);
    for (int v = 1; v <= 6; v++)
        draw_life(&t, rng, used, v, 1 + (int)rng_below(rng, LAST_TIME - width), width);
    if (rng_below(rng, 4) == 0) {
        int first = draw_time(rng, used, 1, LAST_TIME);
        add_lived(&t, rng_below(rng, 2) ? REMOVE : PEEK, EMPTY, first, draw_time(rng, used, 1, LAST_TIME));
    }
    for (uint32_t pending = rng_below(rng, 4) ? 0 : 1 + rng_below(rng, 3); pending; pending--)
        t.op[rng_below(rng, (uint32_t)t.n)].ret = NEVER;
    return t;
}

int main(int argc, char **argv)
{
    enum tier tier = request_of(argc, argv).tier;
    bool all = tier == TIER_LONG;
    for (size_t x = 0; x < sizeof kinds / sizeof *kinds; x++) {
        const struct kind *k = &kinds[x];
        struct seen small = {0}, random = {0};
        for (int n = 1; n <= (all ? 5 : 4); n++) {
            struct all a = {.k = k, .seen = &small, .t = {.n = n}, .most_pending = n < 4 ? n : all && n == 4 ? 2 : 0};
            choose_roles(&a, 0);
        }
        print(k, "all small ones", &small);
        for (uint64_t i = 0; i < by_tier(tier, 40000, 250000, 2000000); i++) {
            struct rng rng = {x << 40 | i};
            struct story t = i % 3 == 0 ? draw_lives(&rng) : draw(k, &rng, i % 3 == 1 ? 8 : MOST);
            check(k, &t, &random);
        }
        print(k, "random ones", &random);
        if (random.consistent < random.violations / 10 || random.violations < random.consistent / 10) {
            printf("too few on one side\n");
            return 1;
        }
    }
    return 0;
}
