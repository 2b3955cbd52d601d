/* SPDX-License-Identifier: Apache-2.0 */
/* What a store has lost: each rule of durability.h on histories made by hand, and on random histories of stores that are
 * right, where nothing may be reported whatever the unknown operations did, and of stores that forget or repeat. */
#include "base/rng.h"
#include "collect/drive/durability.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- by hand ---- */

struct step {
    char kind; /* o a u: an operation of a session; f: a final read at node `session` */
    unsigned session;
    int64_t called, returned;
    assay_action action;
    uint64_t key, to;
    int64_t value;       /* written, or the answer; NONE: none */
    int64_t elements[6]; /* up to 0 */
};

enum { NONE = -99 };

static bool changes(assay_action a)
{
    return a == ASSAY_ACTION_WRITE || a == ASSAY_ACTION_ADD || a == ASSAY_ACTION_TRANSFER || a == ASSAY_ACTION_APPEND ||
           a == ASSAY_ACTION_INSERT || a == ASSAY_ACTION_ENQUEUE;
}

static struct drive_durability judge(const char *workload, unsigned keys, const struct step *s, size_t n)
{
    struct durability *d = durability_new(workload_find(workload), keys);
    struct drive_durability out = {0};
    assert_non_null(d);
    for (size_t i = 0; i < n; i++) {
        assay_access a = {.action = s[i].action, .key = s[i].key, .to = s[i].to};
        int64_t elements[6];
        memcpy(elements, s[i].elements, sizeof elements);
        a.elements = elements;
        while (a.count < 6 && elements[a.count])
            a.count++;
        a.found = changes(s[i].action) || s[i].value != NONE;
        if (changes(s[i].action))
            a.value = s[i].value;
        else
            a.answer = s[i].value;
        bool final = s[i].kind == 'f';
        assert_true(
            durability_add(d, &(struct durability_operation){.accesses = &a,
                                                             .n = 1,
                                                             .outcome = s[i].kind == 'a'   ? ASSAY_ABORTED
                                                                        : s[i].kind == 'u' ? ASSAY_UNKNOWN
                                                                                           : ASSAY_COMMITTED,
                                                             .called = s[i].called,
                                                             .returned = s[i].returned,
                                                             .session = final ? 100 + s[i].session : s[i].session,
                                                             .final = final,
                                                             .node = final ? s[i].session : 0}));
    }
    durability_judge(d, &out);
    durability_free(d);
    return out;
}

#define JUDGE(workload, keys, ...)                                                                                     \
    judge(workload, keys, (const struct step[]){__VA_ARGS__},                                                          \
          sizeof((const struct step[]){__VA_ARGS__}) / sizeof(struct step))

static void expect(struct drive_durability d, uint64_t acknowledged, uint64_t lost, uint64_t duplicated,
                   uint64_t unexpected)
{
    assert_int_equal(d.acknowledged, acknowledged);
    assert_int_equal(d.lost, lost);
    assert_int_equal(d.duplicated, duplicated);
    assert_int_equal(d.unexpected, unexpected);
    assert_int_equal(d.example_count > 0, lost + duplicated + unexpected > 0);
}

#define WRITE(kind, session, from, to, value)                                                                          \
    {                                                                                                                  \
        kind, session, from, to, ASSAY_ACTION_WRITE, 0, 0, value,                                                      \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }
#define READ(node, value)                                                                                              \
    {                                                                                                                  \
        'f', node, 90, 91, ASSAY_ACTION_READ, 0, 0, value,                                                             \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }

static void registers(void **state)
{
    (void)state;
    /* Overwritten is not lost. */
    expect(JUDGE("single", 1, WRITE('o', 0, 1, 2, 1), WRITE('o', 0, 3, 4, 2), READ(0, 2)), 2, 0, 0, 0);
    /* An older value, and the initial one, which the store says by none. */
    expect(JUDGE("single", 1, WRITE('o', 0, 1, 2, 1), WRITE('o', 0, 3, 4, 2), READ(0, 1)), 2, 1, 0, 0);
    expect(JUDGE("single", 1, WRITE('o', 0, 1, 2, 1), WRITE('o', 0, 3, 4, 2), READ(0, 0)), 2, 2, 0, 0);
    expect(JUDGE("single", 1, WRITE('o', 0, 1, 2, 1), WRITE('o', 0, 3, 4, 2), READ(0, NONE)), 2, 2, 0, 0);
    /* At one node is enough, and at two it is still one. */
    expect(JUDGE("single", 1, WRITE('o', 0, 1, 2, 1), WRITE('o', 1, 3, 4, 2), READ(0, 2), READ(1, 1), READ(2, 1)), 2, 1,
           0, 0);
    /* Overlapping: either is the last. */
    expect(JUDGE("single", 1, WRITE('o', 0, 1, 3, 1), WRITE('o', 1, 2, 4, 2), READ(0, 1)), 2, 0, 0, 0);
    expect(JUDGE("single", 1, WRITE('o', 0, 1, 3, 1), WRITE('o', 1, 3, 4, 2), READ(0, 1)), 2, 0, 0, 0);
    /* Of an unknown write that is not seen nothing is said, and one that is seen may be the last. */
    expect(JUDGE("single", 1, WRITE('u', 0, 1, 2, 1), READ(0, 0)), 0, 0, 0, 0);
    expect(JUDGE("single", 1, WRITE('u', 0, 1, 2, 1), WRITE('o', 0, 3, 4, 2), READ(0, 1)), 1, 0, 0, 0);
    /* What nobody wrote, or an aborted write. */
    expect(JUDGE("single", 1, WRITE('o', 0, 1, 2, 1), READ(0, 7), READ(1, 7)), 1, 0, 0, 1);
    expect(JUDGE("single", 1, WRITE('a', 0, 1, 2, 1), READ(0, 1)), 0, 0, 0, 1);
    /* No final read, no loss. */
    expect(JUDGE("single", 1, WRITE('o', 0, 1, 2, 1)), 1, 0, 0, 0);
}

/* Two writes of one transaction: the second remains. */
static void transactions(void **state)
{
    (void)state;
    for (int64_t last = 1; last <= 2; last++) {
        struct durability *d = durability_new(workload_find("register"), 1);
        struct drive_durability out = {0};
        assay_access two[] = {{.action = ASSAY_ACTION_WRITE, .value = 1}, {.action = ASSAY_ACTION_WRITE, .value = 2}};
        assay_access read = {.action = ASSAY_ACTION_READ, .found = true, .answer = last};
        assert_true(durability_add(d, &(struct durability_operation){two, 2, ASSAY_COMMITTED, 1, 2, 0, 0, false, 0}));
        assert_true(durability_add(d, &(struct durability_operation){&read, 1, ASSAY_COMMITTED, 8, 9, 5, 0, true, 0}));
        durability_judge(d, &out);
        expect(out, 2, last == 1, 0, 0);
        durability_free(d);
    }
}

#define ADD(kind, value)                                                                                               \
    {                                                                                                                  \
        kind, 0, 1, 2, ASSAY_ACTION_INSERT, 0, 0, value,                                                               \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }
#define SET(node, ...)                                                                                                 \
    {                                                                                                                  \
        'f', node, 90, 91, ASSAY_ACTION_ELEMENTS, 0, 0, NONE,                                                          \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

static void sets(void **state)
{
    (void)state;
    expect(JUDGE("set", 1, ADD('o', 1), ADD('o', 2), SET(0, 2, 1)), 2, 0, 0, 0);
    expect(JUDGE("set", 1, ADD('o', 1), ADD('o', 2), SET(0, 2, 1), SET(1, 1)), 2, 1, 0, 0);
    expect(JUDGE("set", 1, ADD('o', 1), ADD('o', 2), SET(0, 0)), 2, 2, 0, 0);
    expect(JUDGE("set", 1, ADD('o', 1), ADD('u', 2), SET(0, 1), SET(1, 2, 1)), 1, 0, 0, 0);
    expect(JUDGE("set", 1, ADD('o', 1), SET(0, 1, 1), SET(1, 1, 1)), 1, 0, 1, 0);
    expect(JUDGE("set", 1, ADD('o', 1), ADD('a', 2), SET(0, 1, 2, 3), SET(1, 1, 3)), 1, 0, 0, 2);
}

#define ENQ(kind, value)                                                                                               \
    {                                                                                                                  \
        kind, 0, 1, 2, ASSAY_ACTION_ENQUEUE, 0, 0, value,                                                              \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }
#define DEQ(kind, value)                                                                                               \
    {                                                                                                                  \
        kind, 0, 3, 4, ASSAY_ACTION_DEQUEUE, 0, 0, value,                                                              \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }

static void queues(void **state)
{
    (void)state;
    expect(JUDGE("queue", 1, ENQ('o', 1), ENQ('o', 2), DEQ('o', 1), DEQ('f', 2), DEQ('f', NONE)), 2, 0, 0, 0);
    expect(JUDGE("queue", 1, ENQ('o', 1), ENQ('o', 2), DEQ('o', 1), DEQ('f', NONE)), 2, 1, 0, 0);
    expect(JUDGE("queue", 1, ENQ('o', 1), ENQ('o', 2), DEQ('u', NONE), DEQ('f', NONE)), 2, 1, 0, 0);
    expect(JUDGE("queue", 1, ENQ('o', 1), ENQ('o', 2), DEQ('u', NONE), DEQ('u', NONE), DEQ('f', NONE)), 2, 0, 0, 0);
    expect(JUDGE("queue", 1, ENQ('o', 1), ENQ('o', 2), DEQ('f', 1)), 2, 0, 0, 0); /* nobody says that it is empty */
    expect(JUDGE("queue", 1, ENQ('o', 1), DEQ('o', 1), DEQ('f', 1), DEQ('f', 1), DEQ('f', NONE)), 1, 0, 1, 0);
    expect(JUDGE("queue", 1, ENQ('a', 1), DEQ('o', 1), DEQ('f', 7), DEQ('f', NONE)), 0, 0, 0, 2);
    expect(JUDGE("queue", 1, ENQ('u', 1), DEQ('f', NONE)), 0, 0, 0, 0);
}

#define INCREMENT(kind)                                                                                                \
    {                                                                                                                  \
        kind, 0, 1, 2, ASSAY_ACTION_ADD, 0, 0, 1,                                                                      \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }

static void counters(void **state)
{
    (void)state;
    expect(JUDGE("counter", 1, INCREMENT('o'), INCREMENT('o'), READ(0, 2)), 2, 0, 0, 0);
    expect(JUDGE("counter", 1, INCREMENT('o'), INCREMENT('o'), READ(0, 2), READ(1, NONE)), 2, 2, 0, 0);
    expect(JUDGE("counter", 1, INCREMENT('o'), INCREMENT('u'), READ(0, 1), READ(1, 2)), 1, 0, 0, 0);
    expect(JUDGE("counter", 1, INCREMENT('o'), INCREMENT('u'), READ(0, 4)), 1, 0, 2, 0);
    expect(JUDGE("counter", 1, INCREMENT('o'), INCREMENT('a'), READ(0, 2)), 1, 0, 1, 0);
    expect(JUDGE("counter", 1, INCREMENT('o'), READ(0, INT64_MIN)), 1, 1, 0, 1);
    expect(JUDGE("counter", 1, INCREMENT('o'), READ(0, INT64_MAX)), 1, 0, ((uint64_t)1 << 50) - 1, 0);
}

#define TRANSFER(kind, value)                                                                                          \
    {                                                                                                                  \
        kind, 0, 1, 2, ASSAY_ACTION_TRANSFER, 0, 1, value,                                                             \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }
#define BALANCE(key, value)                                                                                            \
    {                                                                                                                  \
        'f', 0, 90, 91, ASSAY_ACTION_READ, key, 0, value,                                                              \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }

static void accounts(void **state)
{
    (void)state;
    expect(JUDGE("bank", 2, TRANSFER('o', 30), BALANCE(0, 70), BALANCE(1, 130)), 1, 0, 0, 0);
    expect(JUDGE("bank", 2, TRANSFER('o', 30), BALANCE(0, 100), BALANCE(1, 100)), 1, 1, 0, 0);
    expect(JUDGE("bank", 2, TRANSFER('u', 30), BALANCE(0, 100), BALANCE(1, 100)), 0, 0, 0, 0);
    expect(JUDGE("bank", 2, TRANSFER('u', 30), BALANCE(0, 70), BALANCE(1, 130)), 0, 0, 0, 0);
    expect(JUDGE("bank", 2, TRANSFER('o', 30), TRANSFER('o', 30), BALANCE(0, 70), BALANCE(1, 130)), 2, 1, 0, 0);
    expect(JUDGE("bank", 2, TRANSFER('o', 30), BALANCE(0, NONE), BALANCE(1, NONE)), 1, 1, 0, 1); /* all of it is gone */
}

/* ---- by chance ---- */

enum { SESSIONS = 4, OPERATIONS = 60, KEYS = 2, MOST = 200, NODES = 3 };
enum flaw { RIGHT, FORGETS, REPEATS, WIPES };

/* A store without concurrency inside: effects take place one after the other, at any time between call and return; those
 * of unknown outcome at any time after the call, also between the final reads, or never. */
struct simulated {
    const struct workload *w;
    struct durability *d;
    struct rng rng;
    int64_t values[KEYS];
    int64_t elements[KEYS][MOST];
    size_t counts[KEYS];
    int64_t clock, next_value;
    enum flaw flaw;
    bool flawed, unknowns;
};

struct session {
    bool open, done; /* done: it had its effect */
    assay_access access;
    int64_t called;
    assay_outcome outcome;
};

static void run(struct simulated *s, assay_access *a)
{
    uint64_t k = a->key;
    switch (a->action) {
    case ASSAY_ACTION_WRITE: s->values[k] = a->value; break;
    case ASSAY_ACTION_ADD: s->values[k] += a->value; break;
    case ASSAY_ACTION_TRANSFER:
        a->found = s->values[k] >= a->value;
        s->values[k] -= a->found ? a->value : 0;
        s->values[a->to] += a->found ? a->value : 0;
        break;
    case ASSAY_ACTION_APPEND:
    case ASSAY_ACTION_INSERT:
    case ASSAY_ACTION_ENQUEUE: s->elements[k][s->counts[k]++] = a->value; break;
    case ASSAY_ACTION_DEQUEUE:
        a->found = s->counts[k] > 0;
        a->answer = s->elements[k][0];
        s->counts[k] -= a->found;
        memmove(s->elements[k], s->elements[k] + 1, s->counts[k] * sizeof(int64_t));
        break;
    default:
        a->found = true;
        a->answer = s->values[k];
        a->elements = s->elements[k];
        a->count = s->counts[k];
    }
}

static void wipe(struct simulated *s)
{
    memset(s->counts, 0, sizeof s->counts);
    memset(s->values, 0, sizeof s->values);
    s->flawed = true;
}

/* The effect of a session's operation, with the flaw. */
static void take_effect(struct simulated *s, struct session *c)
{
    bool writes = c->access.action == s->w->changes, sure = c->outcome == ASSAY_COMMITTED;
    c->done = true;
    if (s->flaw == FORGETS && !s->flawed && writes && sure && rng_below(&s->rng, 10) == 0) {
        s->flawed = true;
        c->access.found = true;
        return;
    }
    run(s, &c->access);
    if (s->flaw == REPEATS && !s->flawed && writes && sure && c->access.found == (s->w->whole) &&
        rng_below(&s->rng, 10) == 0) {
        assay_access again = c->access;
        s->flawed = true;
        run(s, &again);
    }
}

static void note(struct simulated *s, const assay_access *a, assay_outcome outcome, int64_t called, unsigned session,
                 bool final, unsigned node)
{
    assert_true(durability_add(
        s->d, &(struct durability_operation){a, 1, outcome, called, ++s->clock, session, 0, final, node}));
}

static void begin(struct simulated *s, struct session *c)
{
    uint32_t dice = rng_below(&s->rng, 100);
    *c = (struct session){.open = true, .called = ++s->clock};
    c->outcome = !s->unknowns || dice < 80 ? ASSAY_COMMITTED : dice < 95 ? ASSAY_UNKNOWN : ASSAY_ABORTED;
    c->access.action = rng_below(&s->rng, 2) && s->w->reads == ASSAY_ACTION_DEQUEUE ? s->w->reads : s->w->changes;
    c->access.key = rng_below(&s->rng, KEYS);
    c->access.to = 1 - c->access.key;
    c->access.value = s->w->changes == ASSAY_ACTION_ADD        ? 1
                      : s->w->changes == ASSAY_ACTION_TRANSFER ? 1 + rng_below(&s->rng, 50)
                                                               : ++s->next_value;
}

/* One step of a session. */
static void step(struct simulated *s, struct session *c, unsigned session, size_t *left)
{
    if (!c->open) {
        if (*left) {
            begin(s, c);
            --*left;
        }
    } else if (!c->done && c->outcome == ASSAY_COMMITTED) {
        take_effect(s, c);
    } else if (c->outcome == ASSAY_UNKNOWN && !c->done) {
        if (rng_below(&s->rng, 3) == 0)
            take_effect(s, c); /* else later, or never: `late` */
        c->access.found = false;
        note(s, &c->access, ASSAY_UNKNOWN, c->called, session, false, 0);
        c->open = false;
    } else {
        note(s, &c->access, c->outcome, c->called, session, false, 0);
        c->open = false;
    }
}

static void read_at(struct simulated *s, unsigned node)
{
    for (uint64_t k = 0; k < KEYS; k++) {
        assay_access a;
        do {
            a = (assay_access){.action = s->w->reads, .key = k};
            int64_t called = ++s->clock;
            run(s, &a);
            note(s, &a, ASSAY_COMMITTED, called, SESSIONS + node, true, node);
        } while (s->w->reads == ASSAY_ACTION_DEQUEUE && a.found);
    }
}

static struct drive_durability simulate(struct simulated *s, const char *workload, uint64_t seed, enum flaw flaw)
{
    struct session sessions[SESSIONS] = {0}, late[OPERATIONS];
    struct drive_durability out = {0};
    size_t left = OPERATIONS, late_count = 0;
    bool open = true;
    *s = (struct simulated){.w = workload_find(workload), .rng = {.state = seed}, .flaw = flaw, .unknowns = seed % 2};
    s->d = durability_new(s->w, KEYS);
    for (size_t k = 0; k < KEYS; k++)
        s->values[k] = s->w->initial;
    while (left || open) {
        unsigned i = rng_below(&s->rng, SESSIONS);
        bool was = sessions[i].open, done = sessions[i].done;
        if (flaw == WIPES && left == 1 && !s->flawed)
            wipe(s);
        step(s, &sessions[i], i, &left);
        if (was && !sessions[i].open && sessions[i].outcome == ASSAY_UNKNOWN && !done && !sessions[i].done &&
            rng_below(&s->rng, 2))
            late[late_count++] = sessions[i];
        while (late_count && rng_below(&s->rng, 10) == 0)
            run(s, &late[--late_count].access);
        open = false;
        for (unsigned j = 0; j < SESSIONS; j++)
            open = open || sessions[j].open;
    }
    for (unsigned node = 0; node < NODES; node++) {
        read_at(s, node);
        if (late_count)
            run(s, &late[--late_count].access);
    }
    durability_judge(s->d, &out);
    durability_free(s->d);
    return out;
}

static const char *const names[] = {"single", "list", "counter", "set", "queue", "bank"};

static void a_right_store_is_never_blamed(void **state)
{
    (void)state;
    static struct simulated s;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (uint64_t seed = 1; seed <= 3000; seed++) {
            struct drive_durability d = simulate(&s, names[i], seed, RIGHT);
            if (d.lost || d.duplicated || d.unexpected)
                fail_msg("%s, seed %d: %s", names[i], (int)seed, d.examples[0]);
            assert_true(d.acknowledged > 0);
        }
}

/* Without unknown outcomes what is lost or repeated is found where values do not overwrite one another. */
static void flaws_are_found(void **state)
{
    (void)state;
    static struct simulated s;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (enum flaw flaw = FORGETS; flaw <= WIPES; flaw++) {
            unsigned flawed = 0, found = 0;
            for (uint64_t seed = 2; seed <= 1000; seed += 2) {
                struct drive_durability d = simulate(&s, names[i], seed, flaw);
                flawed += s.flawed;
                found += d.lost || d.duplicated;
            }
            bool is_register = strcmp(names[i], "single") == 0, is_bank = strcmp(names[i], "bank") == 0;
            bool is_queue = strcmp(names[i], "queue") == 0; /* may be empty when it is wiped */
            assert_true(flawed > 100);
            if (is_register) /* forgotten or repeated early, and overwritten since: only the end of a history tells */
                assert_true(flaw != WIPES || found > flawed / 5);
            else if (is_bank || (is_queue && flaw == WIPES)) /* transfers may cancel out */
                assert_true(found > flawed * 2 / 5);
            else
                assert_int_equal(found, flawed);
        }
}

static void comments_come_back(void **state)
{
    (void)state;
    struct drive_durability d = JUDGE("single", 1, WRITE('o', 0, 1, 2, 1), READ(0, 0)), back = {0};
    char text[1024], *line = text, *end;
    FILE *to = fmemopen(text, sizeof text, "w");
    d.judged = d.agreed = true;
    d.missed = 2;
    durability_write(&d, to);
    fclose(to);
    for (; (end = strchr(line, '\n')); line = end + 1)
        assert_true(durability_read(line, &back));
    assert_memory_equal(&d, &back, sizeof d);
    assert_false(durability_read("# aborted: s0: read(x) @ 1..2\n", &back));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers),
        cmocka_unit_test(transactions),
        cmocka_unit_test(sets),
        cmocka_unit_test(queues),
        cmocka_unit_test(counters),
        cmocka_unit_test(accounts),
        cmocka_unit_test(a_right_store_is_never_blamed),
        cmocka_unit_test(flaws_are_found),
        cmocka_unit_test(comments_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
