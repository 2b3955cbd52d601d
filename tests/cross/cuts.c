/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts of objects against a plain search that is written here.
 *
 * Each kind of cut (docs/algorithms.md) is made here a second time, from its description. Of a linearizable history
 * every cut must leave a linearizable one. What assay_shrink leaves of a violation must be a violation, be reached by
 * cuts that are allowed, have a proof that recheck accepts, and allow no further cut. Verdicts with `@init ?` are
 * compared, too. */
#include "support/chance.h"
#include "support/evidence_line.h"
#include "support/load.h"
#include "support/tier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 7, VALUES = 4, FRESH = 9, NONE = -999, NULLED = -998, BLOCKED = -1000, OWN = 100, TEXT = 4096 };
enum object { REGISTER, CAS, MEMORY, MAP, SET, COUNTER, QUEUE, STACK, OBJECTS };
enum method { READ, WRITE, SWAP, RMW, GET, PUT, REMOVE, HAS, ADD, TAKE, PEEK };

static const char *const names[OBJECTS] = {"register", "cas-register", "memory", "map",
                                           "set",      "counter",      "queue",  "stack"};

struct op {
    enum method method;
    int key, a, b, result; /* result NONE: nothing; of a take or peek 0: empty; of a yes or no: 1 or 0 */
    int call, ret, thread;
    bool pending;
    int number; /* in the first history */
};

struct sketch {
    enum object object;
    int n, init, keys;
    bool any;
    struct op op[MOST];
};

/* ---- the objects ---- */

/* The content of a queue or stack: digits to base 8, the first in the lowest. */
static long push_back(long content, int value)
{
    long place = 1;
    while (content / place)
        place *= 8;
    return content + value * place;
}

static long last_place(long content)
{
    long place = 1;
    while (content / place >= 8)
        place *= 8;
    return place;
}

/* A key of a map may have the value null, which a call returns as it does for no value. */
static int or_null(long value)
{
    return value == NULLED ? NONE : (int)value;
}

/* The result of the call, and the state after it. Of an rmw that cannot take effect: BLOCKED. */
static int step(enum object object, long *state, const struct op *op)
{
    long old = *state;
    switch (op->method) {
    case READ: return (int)old;
    case WRITE: *state = op->a; return NONE;
    case SWAP: *state = old == op->a ? op->b : old; return old == op->a;
    case RMW: *state = op->b; return old == op->a ? NONE : BLOCKED;
    case GET: return or_null(old);
    case PUT: *state = op->a; return or_null(old);
    case HAS: return object == SET ? old != 0 : old != NONE;
    case REMOVE: *state = object == SET ? 0 : NONE; return object == SET ? old != 0 : or_null(old);
    case ADD:
        *state = object == SET ? 1 : object == COUNTER ? old + op->a : push_back(old, op->a);
        return object == SET ? old == 0 : object == COUNTER ? (int)*state : NONE;
    case TAKE:
    case PEEK: {
        long place = object == STACK && old ? last_place(old) : 1;
        int value = (int)(old / place % 8);
        if (op->method == TAKE && old)
            *state = object == STACK ? old - value * place : old / 8;
        return value;
    }
    }
    return NONE;
}

static bool observes(enum object object, const struct op *op)
{
    switch (op->method) {
    case READ:
    case GET:
    case HAS:
    case PEEK: return true;
    case SWAP: return (!op->pending && !op->result) || op->a == op->b;
    case RMW: return op->a == op->b;
    case TAKE: return !op->pending && op->result == 0;
    case ADD: return object == SET ? !op->pending && !op->result : object == COUNTER && op->a == 0;
    case REMOVE: return object == SET && !op->pending && !op->result;
    default: return false;
    }
}

/* ---- linearizable? ---- */

static bool precedes(const struct op *a, const struct op *b)
{
    return !a->pending && (a->ret < b->call || (a->thread == b->thread && a->number < b->number));
}

static bool search(const struct sketch *s, unsigned done, const long *state)
{
    bool over = true;
    for (int i = 0; i < s->n; i++)
        over &= (done >> i & 1) || s->op[i].pending;
    if (over)
        return true;
    for (int i = 0; i < s->n; i++) {
        bool ready = !(done >> i & 1);
        for (int j = 0; j < s->n && ready; j++)
            ready = (done >> j & 1) || j == i || !precedes(&s->op[j], &s->op[i]);
        if (!ready)
            continue;
        long next[2] = {state[0], state[1]};
        int result = step(s->object, &next[s->op[i].key], &s->op[i]);
        if (result == BLOCKED || (!s->op[i].pending && result != s->op[i].result))
            continue;
        if (search(s, done | 1u << i, next))
            return true;
    }
    return false;
}

static bool linearizable(const struct sketch *s)
{
    int first = !s->any ? s->init : s->object == COUNTER ? -60 : s->object == MAP ? -2 : 0;
    int last = !s->any ? s->init : s->object == COUNTER ? 60 : s->object == SET ? 1 : FRESH;
    for (int i = first; i <= last; i++) {
        long initial = s->object != MAP || !s->any || i >= 0 ? i
                       : i == -1                             ? NONE
                                                             : NULLED,
             state[2] = {initial, initial};
        if (search(s, 0, state))
            return true;
    }
    return false;
}

/* ---- cuts ---- */

static int reads(const struct op *op)
{
    switch (op->method) {
    case READ: return op->pending ? NONE : op->result;
    case SWAP: return op->pending || op->result ? op->a : NONE;
    case RMW: return op->a;
    default: return NONE;
    }
}

static int writes(const struct op *op)
{
    bool same = op->a == op->b;
    switch (op->method) {
    case WRITE: return op->a;
    case SWAP: return !same && (op->pending || op->result) ? op->b : NONE;
    case RMW: return same ? NONE : op->b;
    default: return NONE;
    }
}

static bool fails(const struct op *op)
{
    return op->method == SWAP && !op->pending && !op->result;
}

static bool is_cell(enum object o)
{
    return o == REGISTER || o == CAS || o == MEMORY;
}

static bool from_any(enum object o)
{
    return o != QUEUE && o != STACK;
}

/* The value of a queue's or stack's call, or NONE. */
static int named(const struct op *op)
{
    return op->method == ADD ? op->a : !op->pending && op->result ? op->result : NONE;
}

static void keep_only(struct sketch *s, const bool *gone)
{
    int n = 0;
    for (int i = 0; i < s->n; i++)
        if (!gone[i])
            s->op[n++] = s->op[i];
    s->n = n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (s->op[i].pending && s->op[j].thread == s->op[i].thread && s->op[j].number > s->op[i].number)
                s->op[i].thread = OWN + s->op[i].number; /* the old one goes on */
}

/* Cuts the i-th call with all that go with it; false: it cannot be cut. */
static bool cut_call(struct sketch *s, int i)
{
    bool gone[MOST] = {0};
    gone[i] = true;
    if (is_cell(s->object)) {
        for (int round = 0; round < MOST; round++)
            for (int j = 0; j < s->n; j++)
                for (int k = 0; k < s->n && gone[j]; k++)
                    if (writes(&s->op[j]) != NONE && s->op[k].key == s->op[j].key &&
                        (reads(&s->op[k]) == writes(&s->op[j]) || fails(&s->op[k])))
                        gone[k] = true;
    } else if (s->object == QUEUE || s->object == STACK) {
        int value = named(&s->op[i]);
        if (value == NONE && !observes(s->object, &s->op[i]))
            return false;
        for (int j = 0; j < s->n && !observes(s->object, &s->op[i]); j++)
            gone[j] |= named(&s->op[j]) == value;
    } else if (!observes(s->object, &s->op[i])) {
        return false;
    }
    keep_only(s, gone);
    return true;
}

static void leave_open(struct sketch *s, int i)
{
    s->op[i].pending = true;
    s->op[i].result = NONE;
}

static void cut_begin(struct sketch *s, int t)
{
    bool gone[MOST] = {0};
    for (int i = 0; i < s->n; i++) {
        bool open = s->op[i].call < t;
        gone[i] = (!s->op[i].pending && s->op[i].ret < t) || (open && observes(s->object, &s->op[i]));
        if (open)
            leave_open(s, i);
    }
    s->any = true;
    keep_only(s, gone);
}

static void cut_end(struct sketch *s, int t)
{
    bool gone[MOST] = {0};
    for (int i = 0; i < s->n; i++) {
        bool open = s->op[i].pending || s->op[i].ret >= t;
        gone[i] = s->op[i].call >= t || (open && observes(s->object, &s->op[i]));
        if (open)
            leave_open(s, i);
    }
    keep_only(s, gone);
}

/* The i-th cut of all; false: there are no more. `*made`: it is allowed here. */
static bool cut(struct sketch *s, int i, bool *made)
{
    int n = s->n;
    *made = false;
    if (i >= 3 * n)
        return false;
    int t = s->op[i % n].call;
    if (i < n)
        *made = cut_call(s, i);
    else if (i < 2 * n && from_any(s->object) && s->keys == 1) {
        cut_begin(s, t);
        *made = true;
    } else if (i >= 2 * n) {
        cut_end(s, t);
        *made = true;
    }
    return true;
}

/* ---- histories ---- */

static struct op random_call(enum object o)
{
    struct op op = {.a = 1 + below(VALUES), .b = 1 + below(VALUES)};
    static const enum method of[OBJECTS][5] = {{READ, WRITE, READ, WRITE, WRITE}, {READ, WRITE, SWAP, SWAP, SWAP},
                                               {READ, WRITE, READ, WRITE, RMW},   {GET, PUT, PUT, REMOVE, HAS},
                                               {ADD, ADD, REMOVE, REMOVE, HAS},   {ADD, ADD, ADD, ADD, ADD},
                                               {ADD, ADD, TAKE, TAKE, PEEK},      {ADD, ADD, TAKE, TAKE, PEEK}};
    op.method = of[o][below(5)];
    if (o == COUNTER)
        op.a = below(4) - 1;
    return op;
}

/* Operations one after another, then with intervals around these moments; some results are changed. */
static struct sketch random_sketch(void)
{
    struct sketch s = {.object = (enum object)below(OBJECTS), .n = 2 + below(MOST - 1), .keys = 1};
    int until[MOST + 1] = {0}, stretch = 2 + below(12);
    s.init = s.object == MAP ? NONE : is_cell(s.object) || s.object == COUNTER ? below(3) : 0;
    s.keys = (s.object == MEMORY || s.object == MAP) && chance(20) ? 2 : 1;
    long state[2] = {s.init, s.init};
    for (int i = 0; i < s.n; i++) {
        struct op *op = &s.op[i];
        do {
            *op = random_call(s.object);
            op->key = below(s.keys);
            long next = state[op->key];
            op->result = step(s.object, &next, op);
            op->pending = chance(12);
            if (op->result != BLOCKED && !(op->pending && chance(50)))
                state[op->key] = next;
        } while (op->result == BLOCKED);
        op->call = 4 * i + 20 - below(stretch);
        op->ret = 4 * i + 20 + below(stretch);
    }
    for (int i = 0; i < s.n; i++) /* by their calls */
        for (int j = i; j && s.op[j].call < s.op[j - 1].call; j--) {
            struct op swap = s.op[j];
            s.op[j] = s.op[j - 1];
            s.op[j - 1] = swap;
        }
    for (int i = 0; i < s.n; i++) {
        struct op *op = &s.op[i];
        while (until[op->thread] > op->call)
            op->thread++;
        until[op->thread] = op->pending ? 1000 : op->ret;
        op->number = i;
        if (op->pending)
            op->result = NONE;
    }
    int i = below(s.n);
    if (chance(60) && !s.op[i].pending && s.op[i].result != NONE)
        s.op[i].result = s.op[i].method == SWAP || s.op[i].method == HAS || s.object == SET ? !s.op[i].result
                                                                                            : below(VALUES + 1);
    s.any = from_any(s.object) && s.keys == 1 && chance(20);
    return s;
}

static int print_call(char *out, size_t size, const struct sketch *s, const struct op *op)
{
    bool keyed = s->object == MEMORY || s->object == MAP, empty = s->object == QUEUE || s->object == STACK;
    static const char *const methods[] = {"read",   "write",        "cas", "rmw", "get", "put",
                                          "remove", "contains-key", "add", "deq", "peek"};
    const char *method = methods[op->method];
    char args[32] = "", result[32] = "";
    if (s->object == SET)
        method = op->method == HAS ? "contains" : method;
    if (empty)
        method = op->method == ADD    ? s->object == QUEUE ? "enq" : "push"
                 : op->method == TAKE ? s->object == QUEUE ? "deq" : "pop"
                                      : "peek";
    bool two = op->method == SWAP || op->method == RMW, one = op->method == WRITE || op->method == PUT;
    one |= op->method == ADD && s->object != SET;
    if (two || one)
        snprintf(args, sizeof args, two ? "%s%d, %d" : "%s%d", keyed ? ", " : "", op->a, op->b);
    bool truth = op->method == SWAP || op->method == HAS || s->object == SET;
    if (!op->pending && truth)
        snprintf(result, sizeof result, " => %s", op->result ? "true" : "false");
    else if (!op->pending && empty && op->method != ADD && !op->result)
        snprintf(result, sizeof result, " => empty");
    else if (!op->pending && s->object == MAP && op->result == NONE)
        snprintf(result, sizeof result, " => null");
    else if (!op->pending && (op->result != NONE || s->object == COUNTER))
        snprintf(result, sizeof result, " => %d", op->result);
    int n = snprintf(out, size, "t%d: %s(%s%s)%s @ %d..", op->thread, method,
                     s->object == SET ? "7"
                     : !keyed         ? ""
                     : op->key        ? "y"
                                      : "x",
                     args, result, op->call);
    return n + (op->pending ? snprintf(out + n, size - (size_t)n, "\n")
                            : snprintf(out + n, size - (size_t)n, "%d\n", op->ret));
}

static void print_sketch(char out[TEXT], const struct sketch *s)
{
    int n = snprintf(out, TEXT, "# @object %s\n", names[s->object]);
    const char *key = s->object == MAP ? "x=" : "";
    if (s->any)
        n += snprintf(out + n, TEXT - (size_t)n, "# @init %s?\n", key);
    else if (is_cell(s->object) || s->object == COUNTER)
        n += snprintf(out + n, TEXT - (size_t)n, "# @init %d\n", s->init);
    for (int i = 0; i < s->n; i++)
        n += print_call(out + n, TEXT - (size_t)n, s, &s->op[i]);
}

/* ---- the tests ---- */

static struct {
    unsigned consistent, violations, cuts, windows, refused;
    bool failed;
} seen;

static void complain(const struct sketch *s, const char *what, const assay_history *rest)
{
    char text[TEXT];
    print_sketch(text, s);
    printf("%s:\n%s", what, text);
    if (rest) {
        puts("left is:");
        assay_history_write(rest, "hist", 0, stdout, NULL);
    }
    seen.failed = true;
}

static void cuts_keep_it_consistent(const struct sketch *s)
{
    bool made;
    struct sketch rest = *s;
    for (int i = 0; cut(&rest, i, &made); i++, rest = *s)
        if (made && ++seen.cuts && !linearizable(&rest)) {
            char what[64];
            snprintf(what, sizeof what, "cut %d of a linearizable history leaves none", i);
            complain(s, what, NULL);
        }
}

static bool proved(const assay_history *h, const assay_result *r)
{
    char *line = evidence_line(r);
    uint32_t index;
    assay_error e = {0};
    bool yes = line && assay_recheck(h, line, &index, &e);
    free(line);
    return yes;
}

/* Did the operation return before all that are left with their results were called, or was it called after they all
 * returned? */
static bool outside(const struct op *op, const struct sketch *rest)
{
    bool before = rest->any, behind = true;
    for (int i = 0; i < rest->n; i++) {
        before &= rest->op[i].pending || precedes(op, &rest->op[i]);
        behind &= rest->op[i].pending || precedes(&rest->op[i], op);
    }
    return before || behind;
}

/* May the operation have been cut, without those that go with it? */
static bool goes_with_others(const struct op *op, const struct sketch *rest)
{
    bool collection = !from_any(rest->object), may = is_cell(rest->object) || (collection && named(op) != NONE);
    for (int i = 0; i < rest->n; i++) {
        const struct op *kept = &rest->op[i];
        if (is_cell(rest->object))
            may &= reads(kept) != writes(op) && !fails(kept);
        else
            may &= named(kept) != named(op);
    }
    return may;
}

/* Is what is left, of one key, what allowed cuts leave? */
static bool reachable(const struct sketch *s, const struct sketch *rest)
{
    for (int i = 0; i < s->n; i++) {
        const struct op *op = &s->op[i];
        bool kept = op->key != rest->op[0].key;
        for (int k = 0; k < rest->n; k++)
            kept |= rest->op[k].number == op->number;
        if (!kept && !observes(s->object, op) && !outside(op, rest) && !goes_with_others(op, rest))
            return false;
    }
    return true;
}

static struct sketch sketch_of(const struct sketch *s, const assay_history *h, const uint32_t *kept)
{
    struct sketch rest = *s;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    assay_history_write(h, "hist", 0, f, NULL);
    fclose(f);
    rest.any = strstr(text, "?\n") && strstr(text, "# @init") && strstr(text, "?\n") < strstr(text, "\nt");
    free(text);
    rest.n = (int)assay_history_size(h);
    for (int i = 0; i < rest.n; i++) {
        rest.op[i] = s->op[kept[i]];
        assay_operation op = assay_history_operation(h, (uint32_t)i);
        if (op.pending)
            leave_open(&rest, i);
        if (strstr(op.thread, "-open"))
            rest.op[i].thread = OWN + rest.op[i].number;
    }
    return rest;
}

static bool one_key(const struct sketch *s)
{
    for (int i = 1; i < s->n; i++)
        if (s->op[i].key != s->op[0].key)
            return false;
    return true;
}

static void shrinks_well(const struct sketch *s, const assay_history *h, const assay_result *r)
{
    uint32_t kept[MOST];
    assay_error e = {0};
    assay_history *small = assay_shrink(r, NULL, kept, &e);
    assay_result *again = small ? assay_check(small, "lin", NULL, &e) : NULL;
    struct sketch rest = small ? sketch_of(s, small, kept) : *s;
    bool made;
    (void)h;
    seen.windows += rest.any && !s->any;
    if (one_key(&rest))
        rest.keys = 1;
    if (!again || assay_result_verdict(again) != ASSAY_VIOLATION || linearizable(&rest))
        complain(s, "shrinking leaves no violation", small);
    else if (!proved(small, again))
        complain(s, "the proof of what shrinking leaves is refused", small);
    else if (rest.keys == 1 && !reachable(s, &rest))
        complain(s, "shrinking makes a cut that is not allowed", small);
    for (int i = 0; i < rest.n; i++)
        if (assay_history_operation(small, (uint32_t)i).line != assay_history_operation(h, kept[i]).line)
            complain(s, "shrinking changes a line", small);
    struct sketch less = rest;
    for (int i = 0; cut(&less, i, &made); i++, less = rest)
        if (made && less.n < rest.n && !linearizable(&less))
            complain(s, "shrinking leaves a cut to be made", small);
    assay_result_free(again);
    assay_history_free(small);
}

static void test_one(void)
{
    struct sketch s = random_sketch();
    char text[TEXT];
    print_sketch(text, &s);
    assay_error e = {0};
    assay_history *h = load_text(text, &e);
    const assay_options options = {ASSAY_OPTIONS_INIT, .evidence = true};
    assay_result *r = h ? assay_check(h, "lin", &options, &e) : NULL;
    bool fine = linearizable(&s);
    if (!r) {
        seen.refused++;
        printf("%s\n", e.message);
        complain(&s, "it cannot be checked", NULL);
    } else if ((assay_result_verdict(r) == ASSAY_CONSISTENT) != fine) {
        complain(&s, fine ? "it is linearizable" : "it is not linearizable", NULL);
    } else if (!proved(h, r)) {
        complain(&s, "the proof is refused", NULL);
    } else if (fine) {
        seen.consistent++;
        cuts_keep_it_consistent(&s);
    } else {
        seen.violations++;
        shrinks_well(&s, h, r);
    }
    assay_result_free(r);
    assay_history_free(h);
}

int main(int argc, char **argv)
{
    enum tier tier = tier_of(&argc, argv);
    uint32_t rounds = by_tier(tier, 20000, 200000, 2000000);
    for (uint32_t i = 1; i <= rounds && !seen.failed; i++) {
        chance_state = argc > 1 ? strtoull(argv[1], NULL, 10) : i;
        test_one();
        if (seen.failed)
            printf("seed %u\n", i);
    }
    printf("%u linearizable histories with %u cuts, %u violations shrunk, %u of them to windows\n", seen.consistent,
           seen.cuts, seen.violations, seen.windows);
    return seen.failed || seen.cuts < rounds / 10 || seen.windows < rounds / 100;
}
