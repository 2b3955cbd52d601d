/* SPDX-License-Identifier: Apache-2.0 */
/* The engines of plain objects and of the exchanger against the definitions: all small histories, then random ones. A
 * verdict must be that of a plain search written here, a witness must be a legal sequence that extends
 * happens-before, and what a violation keeps must itself have no linearization. */
#include "base/rng.h"
#include "evidence/evidence.h"
#include "support/load.h"
#include "support/tier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8, NONE = -1, PENDING = -2, YES = -3, NO = -4, NUL = -5, EMPTY = -6 }; /* results; others are integers */

struct op {
    const char *method;
    int arg, answer; /* arg NONE: it has none */
    int thread, call, ret;
    bool open; /* it need not have taken effect, but if it has, then with this answer */
};

struct sketch {
    int n;
    struct op op[MOST];
    bool before[MOST][MOST]; /* happens before, closed */
};

typedef int step(int state, int parameter, const struct op *op); /* the next state, or NONE */

/* Of a release that does not say whom it releases: which tag it tries. Others have one choice. */
enum { CHOICES = 3 };
static int choice;

struct tested {
    const char *engine, *kind, *init;
    int start, parameter;
    step *step;             /* NULL: exchanger */
    struct op variants[16]; /* up to a NULL method */
};

enum { OWN = -100 }; /* an argument: one that no other operation has */

static bool is_method(const struct op *op, const char *name)
{
    return strcmp(op->method, name) == 0;
}

static bool confirms(const struct op *op, bool truth)
{
    return op->answer == PENDING || op->answer == (truth ? YES : NO);
}

static int step_set(int in, int unused, const struct op *op)
{
    (void)unused;
    if (is_method(op, "contains"))
        return confirms(op, in) ? in : NONE;
    bool adds = is_method(op, "add");
    return confirms(op, in != adds) ? adds : NONE;
}

static int step_lock(int held, int unused, const struct op *op)
{
    (void)unused;
    if (is_method(op, "lock"))
        return held ? NONE : 1;
    if (is_method(op, "unlock"))
        return held ? 0 : NONE;
    return confirms(op, !held) ? 1 : NONE;
}

/* Holders without a tag, with the tag 1, with the tag 2: digits of a state. */
static const int place_of[] = {1, 4, 16};

static int place_of_tag(int tag)
{
    return place_of[tag == NONE ? 0 : tag];
}

static int step_tagged(int state, int n, const struct op *op)
{
    int held = state % 4 + state / 4 % 4 + state / 16;
    if (is_method(op, "unlock") || is_method(op, "release")) {
        bool told = op->answer != NONE && op->answer != PENDING;
        int place = told ? place_of_tag(op->answer) : place_of[choice];
        return (!told || !choice) && state / place % 4 ? state - place : NONE;
    }
    bool tries = is_method(op, "trylock") || is_method(op, "tryacquire"), room = held < n;
    if (choice || (tries ? !confirms(op, room) : !room))
        return NONE;
    return room ? state + place_of_tag(op->arg) : state;
}

static int step_semaphore(int held, int n, const struct op *op)
{
    if (is_method(op, "acquire"))
        return held < n ? held + 1 : NONE;
    if (is_method(op, "release"))
        return held ? held - 1 : NONE;
    return !confirms(op, held < n) ? NONE : held < n ? held + 1 : held;
}

static int step_counting(int value, int unused, const struct op *op)
{
    (void)unused;
    if (is_method(op, "post"))
        return value + 1;
    if (is_method(op, "wait"))
        return value ? value - 1 : NONE;
    return !confirms(op, value) ? NONE : value ? value - 1 : value;
}

static int step_multiset(int count, int unused, const struct op *op)
{
    (void)unused;
    if (is_method(op, "add"))
        return count + 1;
    if (is_method(op, "count"))
        return op->answer == PENDING || op->answer == count ? count : NONE;
    if (!confirms(op, count))
        return NONE;
    return count && is_method(op, "remove") ? count - 1 : count;
}

static int step_register(int value, int unused, const struct op *op)
{
    (void)unused;
    if (is_method(op, "write"))
        return op->arg;
    return op->answer == PENDING || op->answer == value ? value : NONE;
}

/* A result of inc is the new value, one of fetch-add the old one. */
static int step_counter(int value, int unused, const struct op *op)
{
    (void)unused;
    int next = value + (is_method(op, "get") ? 0 : is_method(op, "inc") ? 1 : op->arg);
    int answer = is_method(op, "fetch-add") ? value : next;
    return op->answer == NONE || op->answer == PENDING || op->answer == answer ? next : NONE;
}

/* Values 1 and 2 in a queue with room for n: digits to the base 3, the front last. */
static int step_bounded(int state, int n, const struct op *op)
{
    int size = 0, place = 1;
    for (int rest = state; rest; rest /= 3, place *= 3)
        size++;
    if (!is_method(op, "enq")) {
        int front = size ? state % 3 : EMPTY;
        return op->answer != PENDING && op->answer != front ? NONE : is_method(op, "peek") ? state : state / 3;
    }
    if (!confirms(op, size < n))
        return NONE;
    return size < n ? state + place * op->arg : state;
}

#define BOUNDED                                                                                                        \
    {                                                                                                                  \
        {"enq", 1, YES}, {"enq", 2, YES}, {"enq", 1, NO}, {"enq", 2, NO}, {"deq", NONE, 1}, {"deq", NONE, 2},          \
            {"deq", NONE, EMPTY}, {"enq", 2, PENDING}, {"deq", NONE, PENDING},                                         \
        {                                                                                                              \
            "peek", NONE, 1                                                                                            \
        }                                                                                                              \
    }
#define FETCH_ADD                                                                                                      \
    {                                                                                                                  \
        {"inc", NONE, NONE}, {"inc", NONE, 2}, {"fetch-add", 1, 0}, {"fetch-add", 1, 1}, {"fetch-add", 1, 2},          \
            {"get", NONE, 0}, {"get", NONE, 1}, {"fetch-add", 1, PENDING},                                             \
        {                                                                                                              \
            "fetch-add", 1, NONE                                                                                       \
        }                                                                                                              \
    }
#define FETCH_ADD_UNEVEN                                                                                               \
    {                                                                                                                  \
        {"inc", NONE, NONE}, {"fetch-add", 2, 0}, {"fetch-add", 2, 1}, {"fetch-add", 1, 2}, {"fetch-add", 0, 2},       \
            {"get", NONE, 3}, {"fetch-add", 2, PENDING},                                                               \
        {                                                                                                              \
            "fetch-add", 2, NONE                                                                                       \
        }                                                                                                              \
    }
#define TAGGED(take, release, try)                                                                                     \
    {                                                                                                                  \
        {take, 1, NONE}, {take, 2, NONE}, {take, 2, PENDING}, {release, NONE, 1}, {release, NONE, 2},                  \
            {release, NONE, PENDING}, {try, 2, YES},                                                                   \
        {                                                                                                              \
            try, 1, PENDING                                                                                            \
        }                                                                                                              \
    }
#define MIXED(take, release, try)                                                                                      \
    {                                                                                                                  \
        {take, 1, NONE}, {take, NONE, NONE}, {take, 2, PENDING}, {release, NONE, 1}, {release, NONE, 2},               \
            {release, NONE, NONE}, {release, NONE, PENDING}, {try, 2, YES}, {try, 2, NO},                              \
        {                                                                                                              \
            try, NONE, PENDING                                                                                         \
        }                                                                                                              \
    }
#define SEMAPHORE                                                                                                      \
    {                                                                                                                  \
        {"acquire", NONE, NONE}, {"release", NONE, NONE}, {"tryacquire", NONE, YES}, {"acquire", NONE, PENDING},       \
            {"release", NONE, PENDING},                                                                                \
        {                                                                                                              \
            "tryacquire", NONE, PENDING                                                                                \
        }                                                                                                              \
    }
#define SEMAPHORE_TRY                                                                                                  \
    {                                                                                                                  \
        {"acquire", NONE, NONE}, {"release", NONE, NONE}, {"tryacquire", NONE, YES}, {"tryacquire", NONE, NO},         \
            {"release", NONE, PENDING},                                                                                \
        {                                                                                                              \
            "tryacquire", NONE, PENDING                                                                                \
        }                                                                                                              \
    }
#define REGISTER                                                                                                       \
    {                                                                                                                  \
        {"write", OWN, NONE}, {"read", NONE, 0}, {"read", NONE, 1}, {"read", NONE, 2}, {"read", NONE, 3},              \
            {"read", NONE, 4}, {"write", OWN, PENDING}, {"read", NONE, PENDING},                                       \
        {                                                                                                              \
            "write", OWN, NONE                                                                                         \
        }                                                                                                              \
    }
#define SET                                                                                                            \
    {                                                                                                                  \
        {"add", 1, YES}, {"add", 1, NO}, {"remove", 1, YES}, {"remove", 1, NO}, {"contains", 1, YES},                  \
            {"contains", 1, NO}, {"add", 1, PENDING}, {"remove", 1, PENDING},                                          \
        {                                                                                                              \
            "contains", 1, PENDING                                                                                     \
        }                                                                                                              \
    }

static const struct tested objects[] = {
    {"fast-set", "set", NULL, 0, 0, step_set, SET},
    {"fast-set", "set", "[1]", 1, 0, step_set, SET},
    {"fast-lock",
     "lock",
     NULL,
     0,
     0,
     step_lock,
     {{"lock", NONE, NONE},
      {"unlock", NONE, NONE},
      {"trylock", NONE, YES},
      {"trylock", NONE, NO},
      {"lock", NONE, PENDING},
      {"unlock", NONE, PENDING},
      {"trylock", NONE, PENDING}}},
    {"fast-lock", "lock", NULL, 0, 1, step_tagged, TAGGED("lock", "unlock", "trylock")},
    {"fast-lock", "lock", NULL, 0, 1, step_tagged, MIXED("lock", "unlock", "trylock")},
    {"fast-semaphore", "semaphore(2)", NULL, 0, 2, step_tagged, TAGGED("acquire", "release", "tryacquire")},
    {"fast-semaphore", "semaphore(2)", NULL, 0, 2, step_tagged, MIXED("acquire", "release", "tryacquire")},
    {"fast-semaphore", "semaphore(3)", NULL, 0, 3, step_tagged, TAGGED("acquire", "release", "tryacquire")},
    {"wgl", "semaphore(3)", NULL, 0, 3, step_tagged, MIXED("acquire", "release", "tryacquire")},
    {"jit", "semaphore(2)", NULL, 0, 2, step_tagged, MIXED("acquire", "release", "tryacquire")},
    {"fast-semaphore", "semaphore(1)", NULL, 0, 1, step_semaphore, SEMAPHORE_TRY},
    {"fast-semaphore", "semaphore(2)", NULL, 0, 2, step_semaphore, SEMAPHORE},
    {"fast-semaphore", "semaphore(2)", NULL, 0, 2, step_semaphore, SEMAPHORE_TRY},
    {"fast-semaphore", "semaphore(3)", NULL, 0, 3, step_semaphore, SEMAPHORE},
    {"fast-semaphore",
     "counting-semaphore(1)",
     NULL,
     1,
     0,
     step_counting,
     {{"wait", NONE, NONE},
      {"post", NONE, NONE},
      {"trywait", NONE, YES},
      {"wait", NONE, PENDING},
      {"post", NONE, PENDING}}},
    {"fast-semaphore",
     "counting-semaphore(0)",
     NULL,
     0,
     0,
     step_counting,
     {{"wait", NONE, NONE},
      {"post", NONE, NONE},
      {"trywait", NONE, NO},
      {"trywait", NONE, YES},
      {"post", NONE, PENDING}}},
    {"fast-multiset",
     "multiset",
     NULL,
     0,
     0,
     step_multiset,
     {{"add", 1, NONE},
      {"remove", 1, YES},
      {"contains", 1, YES},
      {"add", 1, PENDING},
      {"remove", 1, PENDING},
      {"contains", 1, PENDING}}},
    {"fast-multiset",
     "multiset",
     "[1, 1]",
     2,
     0,
     step_multiset,
     {{"add", 1, NONE},
      {"remove", 1, YES},
      {"remove", 1, NO},
      {"contains", 1, YES},
      {"contains", 1, NO},
      {"count", 1, 0},
      {"remove", 1, PENDING},
      {"count", 1, PENDING}}},
    {"fast-counter", "counter", NULL, 0, 0, step_counter, FETCH_ADD},
    {"wgl", "counter", NULL, 0, 0, step_counter, FETCH_ADD_UNEVEN},
    {"jit", "counter", "1", 1, 0, step_counter, FETCH_ADD_UNEVEN},
    {"wgl", "queue(1)", NULL, 0, 1, step_bounded, BOUNDED},
    {"jit", "queue(1)", "[2]", 2, 1, step_bounded, BOUNDED},
    {"wgl", "queue(2)", NULL, 0, 2, step_bounded, BOUNDED},
    {"jit", "bounded-queue(2)", NULL, 0, 2, step_bounded, BOUNDED},
    {"fast-register", "register", NULL, 0, 0, step_register, REGISTER},
    {"fast-register", "cas-register", "3", 3, 0, step_register, REGISTER},
    {"exchanger",
     "exchanger",
     NULL,
     0,
     0,
     NULL,
     {{"exchange", 1, 1},
      {"exchange", 1, 2},
      {"exchange", 2, 1},
      {"exchange", 1, 3},
      {"exchange", 3, 1},
      {"exchange", 2, NUL},
      {"exchange", 1, PENDING},
      {"exchange", 3, PENDING}}},
    {"exchanger",
     "exchanger",
     NULL,
     0,
     0,
     NULL,
     {{"exchange", 1, 2},
      {"exchange", 2, 1},
      {"exchange", 2, 3},
      {"exchange", 3, 2},
      {"exchange", 1, 3},
      {"exchange", 3, 1},
      {"exchange", 1, PENDING},
      {"exchange", 2, PENDING},
      {"exchange", 3, PENDING}}},
};

/* ---- the definitions ---- */

struct search {
    const struct tested *o;
    const struct sketch *s;
    bool seen[1 << MOST][64];
};

static bool linearizable_from(struct search *x, unsigned done, int state)
{
    const struct sketch *s = x->s;
    bool all = true;
    if (x->seen[done][state])
        return false;
    x->seen[done][state] = true;
    for (int i = 0; i < s->n; i++)
        all &= done >> i & 1 || s->op[i].answer == PENDING || s->op[i].open;
    if (all)
        return true;
    for (int i = 0; i < s->n; i++) {
        bool ready = !(done >> i & 1);
        for (int j = 0; j < s->n; j++)
            ready &= done >> j & 1 || !s->before[j][i];
        for (int k = 0; k < CHOICES && ready; k++) {
            choice = k;
            int next = x->o->step(state, x->o->parameter, &s->op[i]);
            choice = 0;
            if (next != NONE && linearizable_from(x, done | 1u << i, next))
                return true;
        }
    }
    return false;
}

static bool can_meet(const struct sketch *s, int i, int j)
{
    const struct op *a = &s->op[i], *b = &s->op[j];
    if (a->answer == PENDING && b->answer == PENDING)
        return false;
    return !s->before[i][j] && !s->before[j][i] && (a->answer == PENDING || a->answer == b->arg) &&
           (b->answer == PENDING || b->answer == a->arg);
}

/* Is there an order with partners next to each other? */
static bool can_pair_off(const struct sketch *s, unsigned done)
{
    bool all = true, ready[MOST];
    for (int i = 0; i < s->n; i++) {
        ready[i] = !(done >> i & 1);
        all &= done >> i & 1 || s->op[i].answer == PENDING || s->op[i].open;
        for (int j = 0; j < s->n; j++)
            ready[i] &= done >> j & 1 || !s->before[j][i];
    }
    if (all)
        return true;
    for (int i = 0; i < s->n; i++) {
        if (ready[i] && s->op[i].answer == NUL)
            return can_pair_off(s, done | 1u << i);
        for (int j = i + 1; j < s->n && ready[i]; j++)
            if (ready[j] && can_meet(s, i, j) && can_pair_off(s, done | 1u << i | 1u << j))
                return true;
    }
    return false;
}

static bool is_right(const struct tested *o, const struct sketch *s)
{
    static struct search x;
    if (!o->step)
        return can_pair_off(s, 0);
    x.o = o;
    x.s = s;
    memset(x.seen, 0, sizeof x.seen[0] << s->n);
    return linearizable_from(&x, 0, o->start);
}

/* Real time and program order, closed. Operations of one thread stand in program order. */
static void close_order(struct sketch *s)
{
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) {
            bool real_time = s->op[i].answer != PENDING && s->op[i].ret < s->op[j].call;
            s->before[i][j] |= real_time || (s->op[i].thread == s->op[j].thread && i < j);
        }
    for (int k = 0; k < s->n; k++)
        for (int i = 0; i < s->n; i++)
            for (int j = 0; j < s->n; j++)
                s->before[i][j] |= s->before[i][k] && s->before[k][j];
}

/* ---- what the library says ---- */

static assay_value answer_value(int answer)
{
    return answer == YES                         ? assay_word("true")
           : answer == NO                        ? assay_word("false")
           : answer == NUL                       ? assay_word("null")
           : answer == EMPTY                     ? assay_word("empty")
           : answer == NONE || answer == PENDING ? (assay_value){0}
                                                 : assay_int(answer);
}

static assay_history *build(const struct tested *o, const struct sketch *s, assay_error *e)
{
    assay_history *h = assay_history_new();
    char thread[8];
    assay_history_set(h, "object", o->kind, e);
    if (o->init)
        assay_history_set(h, "init", o->init, e);
    for (int i = 0; i < s->n; i++) {
        const struct op *op = &s->op[i];
        assay_value arg = assay_int(op->arg);
        snprintf(thread, sizeof thread, "t%d", op->thread);
        assay_operation x = {.thread = thread,
                             .method = op->method,
                             .args = &arg,
                             .arg_count = op->arg != NONE,
                             .result = answer_value(op->answer),
                             .pending = op->answer == PENDING,
                             .timed = true,
                             .call_time = op->call,
                             .return_time = op->ret};
        if (assay_history_add(h, &x, e) == ASSAY_NO_OPERATION)
            return NULL;
    }
    return h;
}

/* Is the witness from place k on a legal sequence? */
static bool is_legal(const struct tested *o, const struct sketch *s, const struct evidence *ev, uint32_t k, int state)
{
    if (k == ev->ops.n)
        return true;
    for (int c = 0; c < CHOICES; c++) {
        choice = c;
        int next = o->step(state, o->parameter, &s->op[ev->ops.at[k]]);
        choice = 0;
        if (next != NONE && is_legal(o, s, ev, k + 1, next))
            return true;
    }
    return false;
}

static const char *check_witness(const struct tested *o, const struct sketch *s, const struct evidence *ev)
{
    unsigned done = 0;
    for (uint32_t k = 0; k < ev->ops.n; k++) {
        int i = (int)ev->ops.at[k];
        if (done >> i & 1)
            return "the witness has an operation twice";
        for (int j = 0; j < s->n; j++)
            if (done >> j & 1 && s->before[i][j])
                return "the witness does not extend happens-before";
        done |= 1u << i;
    }
    if (o->step && !is_legal(o, s, ev, 0, o->start))
        return "the witness is not legal";
    for (uint32_t k = 0; k < ev->ops.n && !o->step; k++) {
        int i = (int)ev->ops.at[k];
        if (s->op[i].answer == NUL)
            continue;
        if (k + 1 == ev->ops.n || !can_meet(s, i, (int)ev->ops.at[++k]))
            return "the witness has an operation that is not next to its partner";
    }
    for (int i = 0; i < s->n; i++)
        if (s->op[i].answer != PENDING && !(done >> i & 1))
            return "the witness lacks an operation";
    return NULL;
}

/* A claim about the amount that all calls lead to; recheck has its definition. */
static bool is_about_amounts(const struct tested *o, enum pattern p)
{
    return strcmp(o->kind, "multiset") == 0 || p == PATTERN_SumOutOfReach || p == PATTERN_CountOutOfReach ||
           p == PATTERN_TakenTooOften || p == PATTERN_ReleasedTooOften || p == PATTERN_RefusedWhileFree ||
           p == PATTERN_MissedWhileIn || p == PATTERN_FailedWhileEqual;
}

static const char *check_kept(const struct tested *o, const struct sketch *s, const struct evidence *ev)
{
    struct sketch cut = {0};
    int from[MOST];
    if (ev->culprit >= (uint32_t)s->n)
        return "no culprit";
    if (is_about_amounts(o, ev->pattern))
        return NULL;
    const struct op *culprit = &s->op[ev->culprit];
    for (int i = 0; i < s->n; i++) {
        bool kept = !ev->kept.n;
        for (uint32_t k = 0; k < ev->kept.n; k++)
            kept |= ev->kept.at[k] == (uint32_t)i;
        if (!kept || (ev->prefix && s->op[i].call > culprit->ret))
            continue;
        from[cut.n] = i;
        cut.op[cut.n] = s->op[i];
        if (ev->prefix && s->op[i].ret > culprit->ret)
            cut.op[cut.n].open = true;
        cut.n++;
    }
    for (int i = 0; i < cut.n; i++)
        for (int j = 0; j < cut.n; j++)
            cut.before[i][j] = s->before[from[i]][from[j]];
    return is_right(o, &cut) ? "what is kept is linearizable" : NULL;
}

struct tally {
    uint64_t histories, violations, declined;
};

static void fail(const struct tested *o, const struct sketch *s, const char *why)
{
    printf("%s of %s: %s\n", o->engine, o->kind, why);
    for (int i = 0; i < s->n; i++) {
        printf("    %d  t%d: %s(%d) => %d @ %d..%d after", i, s->op[i].thread, s->op[i].method, s->op[i].arg,
               s->op[i].answer, s->op[i].call, s->op[i].ret);
        for (int j = 0; j < s->n; j++)
            if (s->before[j][i])
                printf(" %d", j);
        printf("\n");
    }
    exit(1);
}

/* Does recheck accept what the library says? */
static const char *check_again(const assay_history *h, const assay_result *r)
{
    static assay_error e;
    uint32_t index;
    char *line = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&line, &size);
    assay_result_write_evidence(r, 0, out);
    fclose(out);
    bool accepted = assay_recheck(h, line, &index, &e);
    free(line);
    return accepted ? NULL : e.message;
}

static void judge_history(const struct tested *o, const struct sketch *s, assay_history *h, struct tally *t)
{
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = o->engine, .evidence = true};
    bool right = is_right(o, s);
    t->histories++;
    t->violations += !right;
    assay_result *r = h ? assay_check(h, "lin", &options, &e) : NULL;
    if (!r && e.code == ASSAY_ERROR_NOT_APPLICABLE && o->step)
        t->declined++;
    else if (!r)
        fail(o, s, e.message);
    else if ((assay_result_verdict(r) == ASSAY_CONSISTENT) != right)
        fail(o, s, right ? "it is linearizable" : "it is not linearizable");
    const char *why = !r ? NULL : right ? check_witness(o, s, &r->evidence) : check_kept(o, s, &r->evidence);
    if (r && !why && (t->histories % 4 == 0 || r->evidence.pattern == PATTERN_SumOutOfReach))
        why = check_again(h, r);
    if (why)
        fail(o, s, why);
    assay_result_free(r);
    assay_history_free(h);
}

static void judge(const struct tested *o, struct sketch *s, struct tally *t)
{
    assay_error e = {0};
    memset(s->before, 0, sizeof s->before);
    close_order(s);
    judge_history(o, s, build(o, s, &e), t);
}

/* ---- all small ones ---- */

static int variant_count(const struct tested *o)
{
    int n = 0;
    while (o->variants[n].method)
        n++;
    return n;
}

static void place_variant(const struct tested *o, struct sketch *s, int i, int variant)
{
    struct op *op = &s->op[i], old = *op;
    *op = o->variants[variant];
    op->arg = op->arg == OWN ? 10 + i : op->arg;
    op->thread = old.thread;
    op->call = old.call;
    op->ret = old.ret;
    if (o->step == step_register && op->arg == 10 + i) /* so that it is read */
        op->arg = i + 1 == o->start ? 5 : i + 1;
}

static void all_variants(const struct tested *o, struct sketch *s, int i, struct tally *t)
{
    if (i == s->n) {
        judge(o, s, t);
        return;
    }
    for (int v = variant_count(o) - 1; v >= 0; v--) {
        place_variant(o, s, i, v);
        all_variants(o, s, i + 1, t);
    }
}

/* Operations by their calls; `taken` times have a call or a return. */
static void all_intervals(const struct tested *o, struct sketch *s, int i, unsigned taken, struct tally *t)
{
    if (i == s->n) {
        all_variants(o, s, 0, t);
        return;
    }
    int call = 0;
    while (taken >> call & 1)
        call++;
    for (int ret = call + 1; ret < 2 * s->n; ret++)
        if (!(taken >> ret & 1)) {
            s->op[i] = (struct op){.thread = i, .call = call, .ret = ret};
            all_intervals(o, s, i + 1, taken | 1u << call | 1u << ret, t);
        }
}

/* ---- random ones ---- */

/* Times all differ; or, with ties, two threads often call and return at one time, so that ranks do not imply program
 * order. */
static void random_times(struct sketch *s, bool ties, struct rng *r)
{
    bool taken[4 * MOST] = {false};
    int clock[2] = {0, 0};
    uint32_t length = 1 + rng_below(r, 2 * MOST);
    for (int i = 0; i < s->n; i++) {
        struct op *op = &s->op[i];
        op->thread = i;
        if (ties) {
            op->thread = (int)rng_below(r, 2);
            op->call = clock[op->thread] + (int)rng_below(r, 2);
            op->ret = clock[op->thread] = op->call + (int)rng_below(r, 3);
            continue;
        }
        do
            op->call = (int)rng_below(r, 4 * MOST);
        while (taken[op->call]);
        taken[op->call] = true;
        op->ret = op->call + 1 + (int)rng_below(r, length);
        while (op->ret < 4 * MOST && taken[op->ret])
            op->ret++;
        if (op->ret >= 4 * MOST)
            op->ret = 4 * MOST + i;
        else
            taken[op->ret] = true;
    }
}

static void random_one(const struct tested *o, bool ties, struct rng *r, struct tally *t)
{
    struct sketch s = {.n = 1 + (int)rng_below(r, MOST)};
    bool open[MOST] = {false};
    random_times(&s, ties, r);
    for (int i = 0; i < s.n; i++) {
        do
            place_variant(o, &s, i, (int)rng_below(r, (uint32_t)variant_count(o)));
        while (ties && s.op[i].answer == PENDING);
        if (open[s.op[i].thread])
            s.op[i].thread = i + 2;
        open[s.op[i].thread] |= s.op[i].answer == PENDING;
    }
    if (rng_below(r, 2) && !ties) { /* the last few as if they had not returned, without regard of their results */
        int last = (int)rng_below(r, 4 * MOST);
        for (int i = 0; i < s.n; i++)
            if (s.op[i].ret > last && s.op[i].call <= last)
                s.op[i].answer = PENDING;
    }
    judge(o, &s, t);
}

/* Recorded knowledge instead of times: each operation knows of some that stand before it. */
static void random_known(const struct tested *o, struct rng *r, struct tally *t)
{
    struct sketch s = {.n = 1 + (int)rng_below(r, MOST)};
    char text[4096];
    int length = snprintf(text, sizeof text, "# @object %s\n", o->kind), index[MOST];
    for (int i = 0; i < s.n; i++) {
        do
            place_variant(o, &s, i, (int)rng_below(r, (uint32_t)variant_count(o)));
        while (s.op[i].answer == PENDING && rng_below(r, 2));
        struct op *op = &s.op[i];
        op->thread = op->answer == PENDING ? i + 3 : (int)rng_below(r, 3);
        op->call = 0;
        op->ret = 9; /* nothing in real time */
        index[i] = 1;
        for (int j = 0; j < i; j++)
            index[i] += s.op[j].thread == op->thread;
        length += snprintf(text + length, sizeof text - (size_t)length, "t%d: exchange(%d) => ", op->thread, op->arg);
        if (op->answer == PENDING || op->answer == NUL || op->answer == EMPTY)
            length += snprintf(text + length, sizeof text - (size_t)length,
                               op->answer == NUL     ? "null"
                               : op->answer == EMPTY ? "empty"
                                                     : "?");
        else
            length += snprintf(text + length, sizeof text - (size_t)length, "%d", op->answer);
        length += snprintf(text + length, sizeof text - (size_t)length, " @ after");
        for (int j = 0; j < i; j++)
            if (s.op[j].answer != PENDING && s.op[j].thread != op->thread && rng_below(r, 4) == 0) {
                s.before[j][i] = true;
                length += snprintf(text + length, sizeof text - (size_t)length, " t%d:%d", s.op[j].thread, index[j]);
            }
        length += snprintf(text + length, sizeof text - (size_t)length, "\n");
    }
    assay_error e = {0};
    assay_history *h = load_text(text, &e);
    if (!h) {
        printf("%s\n%s", e.message, text);
        exit(1);
    }
    close_order(&s);
    judge_history(o, &s, h, t);
}

/* ---- larger ones ---- */

/* The object is used in the order of the operations, each of which takes a while; then perhaps one answer is changed.
 * What is linearizable by its making must be found so; else the general search decides. */
enum { LARGE = 300 };

static bool legal_variant(const struct tested *o, int i, int state, struct rng *r, struct op *op)
{
    *op = o->variants[rng_below(r, (uint32_t)variant_count(o))];
    op->arg = op->arg == OWN ? 10 + i : op->arg;
    if (op->answer == PENDING)
        return false;
    if (is_method(op, "read"))
        op->answer = state;
    return o->step(state, o->parameter, op) != NONE;
}

static assay_history *simulate(const struct tested *o, struct rng *r, bool *changed)
{
    assay_history *h = assay_history_new();
    assay_error e = {0};
    int state = o->start, width = 1 + (int)rng_below(r, 4), change = (int)rng_below(r, 2 * LARGE);
    assay_history_set(h, "object", o->kind, &e);
    if (o->init)
        assay_history_set(h, "init", o->init, &e);
    *changed = false;
    for (int i = 0; i < LARGE; i++) {
        struct op op, other;
        for (int tries = 0; !legal_variant(o, i, state, r, &op); tries++)
            if (tries == 1000)
                return h; /* stuck: what there is will do */
        state = o->step(state, o->parameter, &op);
        other = o->variants[rng_below(r, (uint32_t)variant_count(o))];
        if (i == change && is_method(&op, other.method) && other.answer != PENDING) {
            *changed = true;
            op.answer = is_method(&op, "read") && op.answer > 10 ? op.answer - (int)rng_below(r, 6) : other.answer;
        }
        char thread[16];
        snprintf(thread, sizeof thread, "t%d", i);
        int point = LARGE * i;
        assay_value arg = assay_int(op.arg);
        assay_operation x = {.thread = thread,
                             .method = op.method,
                             .args = &arg,
                             .arg_count = op.arg != NONE,
                             .result = answer_value(op.answer),
                             .timed = true,
                             .call_time = point - (int)rng_below(r, (uint32_t)(LARGE * width)),
                             .return_time = point + (int)rng_below(r, (uint32_t)(LARGE * width))};
        assay_history_add(h, &x, &e);
    }
    return h;
}

static void judge_large(const struct tested *o, struct rng *r, struct tally *t)
{
    assay_options fast = {ASSAY_OPTIONS_INIT, .engine = o->engine, .evidence = true},
                  general = {ASSAY_OPTIONS_INIT, .engine = "wgl", .seconds = 5};
    assay_error e = {0};
    bool changed;
    assay_history *h = simulate(o, r, &changed);
    assay_result *x = assay_check(h, "lin", &fast, &e), *y = changed ? assay_check(h, "lin", &general, &e) : NULL;
    assay_verdict right = y ? assay_result_verdict(y) : ASSAY_CONSISTENT;
    t->histories++;
    t->violations += right == ASSAY_VIOLATION;
    t->declined += !x;
    const char *why = x && t->histories % 20 == 0 ? check_again(h, x) : NULL;
    if (why)
        printf("%s of %s: %s\n", o->engine, o->kind, why);
    if (why || (x && right != ASSAY_UNDECIDED && assay_result_verdict(x) != right)) {
        printf("%s of %s: %s, and not %s:\n", o->engine, o->kind, assay_verdict_name(assay_result_verdict(x)),
               assay_verdict_name(right));
        assay_history_write(h, "hist", 0, stdout, &e);
        exit(1);
    }
    assay_result_free(x);
    assay_result_free(y);
    assay_history_free(h);
}

int main(int argc, char **argv)
{
    enum tier tier = request_of(argc, argv).tier;
    bool all = tier == TIER_LONG;
    struct rng r = {1};
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        const struct tested *o = &objects[i];
        struct tally t = {0};
        for (int n = 1; n <= (all ? 4 : 3); n++)
            all_intervals(o, &(struct sketch){.n = n}, 0, 0, &t);
        for (int k = 0; k < (int)by_tier(tier, 15000, 60000, 2000000); k++) {
            random_one(o, false, &r, &t);
            if (!o->step) {
                random_one(o, true, &r, &t);
                random_known(o, &r, &t);
            }
        }
        for (int k = 0; k < (int)by_tier(tier, 50, 200, 5000) && o->step; k++)
            judge_large(o, &r, &t);
        printf("%-14s %-22s %9llu histories, %9llu not linearizable, %8llu declined\n", o->engine, o->kind,
               (unsigned long long)t.histories, (unsigned long long)t.violations, (unsigned long long)t.declined);
    }
    return 0;
}
