/* SPDX-License-Identifier: Apache-2.0 */
/* Plain lines of .hist, JSON Lines and EDN, which are read eight bytes at a time, mean what they mean to the readers of
 * all lines: random lines, and lines with a byte or two too many, too few, or of another kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/eight.h"
#include "base/rng.h"
#include "base/text.h"
#include "format/edn_plain.h"
#include "format/hist_plain.h"
#include "format/jsonl_plain.h"
#include "support/twins.h"

/* ---- eight bytes ---- */

static void test_eight(void **state)
{
    (void)state;
    struct rng rng = {3};
    for (unsigned round = 0; round < 200000; round++) {
        char bytes[8];
        unsigned below = 8, equal = 8, other = 8, limit = 1 + rng_below(&rng, 128), c = rng_below(&rng, 256);
        for (int i = 0; i < 8; i++)
            bytes[i] = (char)(rng_below(&rng, 4) ? '0' + rng_below(&rng, 12) - 1 : rng_below(&rng, 256));
        for (unsigned i = 8; i-- > 0;) {
            unsigned char b = (unsigned char)bytes[i];
            below = b < limit ? i : below;
            equal = b == c ? i : equal;
            other = b < '0' || b > '9' ? i : other;
        }
        uint64_t x = eight_at(bytes), masks[3] = {eight_below(x, (unsigned char)limit),
                                                  eight_equal(x, (unsigned char)c), eight_not_digits(x)};
        unsigned expected[3] = {below, equal, other};
        for (int i = 0; i < 3; i++)
            assert_int_equal(masks[i] ? eight_before(masks[i]) : 8, expected[i]);
        uint32_t number = 0;
        for (unsigned i = 0; i < other; i++)
            number = number * 10 + (uint32_t)(bytes[i] - '0');
        if (other)
            assert_int_equal(eight_number(x, other), number);
    }
}

/* ---- lines ---- */

static const char *pick(struct rng *rng, const char *const *from)
{
    uint32_t n = 0;
    while (from[n])
        n++;
    return from[rng_below(rng, n)];
}

static void put_value(struct rng *rng, struct text *t)
{
    static const char *const odd[] = {"-1",
                                      "007",
                                      "-0",
                                      "123456789012345678",
                                      "-123456789012345678",
                                      "1234567890123456789",
                                      "12345678",
                                      "1234567",
                                      "123456789",
                                      "x.y",
                                      "true",
                                      "eightlet",
                                      "sixteen-letters-",
                                      "seventeen-letters",
                                      "12ab",
                                      "0x1f",
                                      "-x",
                                      "\"a b\"",
                                      "\"a\"",
                                      "h\xC3\xA9",
                                      "?",
                                      "99999999999999999999",
                                      "a_b",
                                      "1234567890123456",
                                      NULL};
    switch (rng_below(rng, 4)) {
    case 0: text_puts(t, pick(rng, odd)); break;
    case 1: text_char(t, (char)('a' + rng_below(rng, 26))); break;
    default: text_int(t, (int64_t)rng_below(rng, 2000)); break;
    }
}

static void put_list(struct rng *rng, struct text *t)
{
    static const char *const between[] = {" ", " ", " ", " ", " ", ", ", ",", "  ", "", NULL};
    text_char(t, '[');
    for (uint32_t i = 0, n = rng_below(rng, 4); i < n; i++) {
        text_puts(t, i ? pick(rng, between) : "");
        put_value(rng, t);
    }
    text_char(t, ']');
}

static void put_transaction(struct rng *rng, struct text *t)
{
    static const char *const how[] = {"r", "w", "append", "rw", NULL};
    static const char *const between[] = {", ", ", ", ", ", ", ", ", ", ",", " ", " , ", NULL};
    text_puts(t, "txn(");
    for (uint32_t i = 0, n = rng_below(rng, 5); i < n; i++) {
        text_puts(t, i ? pick(rng, between) : "");
        text_puts(t, pick(rng, how));
        text_char(t, ' ');
        put_value(rng, t);
        text_char(t, ' ');
        switch (rng_below(rng, 8)) {
        case 0: text_char(t, '?'); break;
        case 1:
        case 2: put_list(rng, t); break;
        default: put_value(rng, t);
        }
    }
    text_char(t, ')');
}

static void put_call(struct rng *rng, struct text *t)
{
    if (rng_below(rng, 4) == 0) {
        put_transaction(rng, t);
        return;
    }
    static const char *const methods[] = {"write",         "read", "q.push",          "q.r.pop",
                                          "txn",           "m",    "a-longer-method", "an-even-longer-method",
                                          "compareAndSet", NULL};
    text_puts(t, pick(rng, methods));
    text_char(t, '(');
    for (uint32_t i = 0, n = rng_below(rng, 6); i < n; i++) {
        text_puts(t, i ? ", " : "");
        put_value(rng, t);
    }
    text_char(t, ')');
}

static void put_operation(struct rng *rng, struct text *t, int64_t *clock)
{
    text_char(t, 't');
    text_int(t, (int64_t)rng_below(rng, 5));
    text_puts(t, ": ");
    put_call(rng, t);
    if (rng_below(rng, 2)) {
        text_puts(t, " => ");
        put_value(rng, t);
    }
    if (*clock < 0)
        return;
    text_puts(t, " @ ");
    text_int(t, *clock += rng_below(rng, 3));
    text_puts(t, "..");
    text_int(t, *clock += rng_below(rng, 3));
}

static void put_event(struct rng *rng, struct text *t)
{
    uint32_t thread = rng_below(rng, 5);
    text_char(t, '[');
    text_int(t, thread);
    if (rng_below(rng, 3)) {
        text_puts(t, "] call ");
        put_call(rng, t);
        text_puts(t, "\n[");
        text_int(t, thread);
    }
    text_puts(t, "] return");
    if (rng_below(rng, 2)) {
        text_char(t, ' ');
        put_value(rng, t);
    }
}

/* ---- JSON Lines ---- */

static void put_json_value(struct rng *rng, struct text *t)
{
    static const char *const odd[] = {"true",     "null",   "{}",      "{\"string\":\"a\"}",
                                      "\"12\"",   "\"-x\"", "\"a b\"", "\"\\n\"",
                                      "\"0x1f\"", "1e5",    "\"\"",    "\"a.b\"",
                                      "-0",       "007",    "1.5",     "[1]",
                                      NULL};
    bool quote = rng_below(rng, 3) == 0;
    if (rng_below(rng, 6) == 0) {
        text_puts(t, pick(rng, odd));
        return;
    }
    text_puts(t, quote ? "\"" : "");
    put_value(rng, t);
    text_puts(t, quote ? "\"" : "");
}

static void put_object(struct rng *rng, struct text *t, int64_t *clock)
{
    static const char *const methods[] = {"write", "read", "push", "q.push", "a-longer-method", "an-even-longer-method",
                                          "m",     NULL};
    static const char *const objects[] = {"q", "r.s", "12", "-", "m", NULL};
    text_puts(t, "{\"thread\":\"t");
    text_int(t, (int64_t)rng_below(rng, 5));
    if (rng_below(rng, 5) == 0) {
        text_puts(t, "\",\"object\":\"");
        text_puts(t, pick(rng, objects));
    }
    text_puts(t, "\",\"method\":\"");
    text_puts(t, pick(rng, methods));
    text_char(t, '"');
    for (uint32_t i = 0, n = rng_below(rng, 6); i < n; i++) {
        text_puts(t, i ? "," : ",\"args\":[");
        put_json_value(rng, t);
        text_puts(t, i + 1 == n ? "]" : "");
    }
    if (rng_below(rng, 2)) {
        text_puts(t, ",\"result\":");
        put_json_value(rng, t);
    }
    if (*clock >= 0) {
        text_puts(t, ",\"call\":");
        text_int(t, *clock += rng_below(rng, 3));
        text_puts(t, ",\"return\":");
        text_int(t, *clock += rng_below(rng, 3));
    }
    text_char(t, '}');
}

/* ---- EDN ---- */

enum { PROCESSES = 5, FAMILIES = 6 };

/* Processes and their open calls; the object's functions; what is rare in a log, or wrong in it. */
struct log {
    struct rng *rng;
    struct text *t;
    const char *open[PROCESSES]; /* function */
    int64_t value[PROCESSES];
    uint32_t family;
    int64_t clock; /* -1: events have no times */
    uint32_t odd;  /* one part in so many is one of these; 0: none */
};

static bool oddly(struct log *g)
{
    return g->odd && rng_below(g->rng, g->odd) == 0;
}

static const char *pick_function(struct log *g)
{
    static const char *const functions[FAMILIES][5] = {
        {"read", "write", NULL},      {"read", "write", "cas", NULL}, {"add", "remove", "contains", NULL},
        {"enqueue", "dequeue", NULL}, {"acquire", "release", NULL},   {"get", "put", "append", "txn", NULL},
    };
    static const char *const odd[] = {"write", "pop", "a-longer-function", "cas", "lock", "seventeen-letters",
                                      "?",     NULL};
    return oddly(g) ? pick(g->rng, odd) : pick(g->rng, functions[g->family]);
}

static void put_edn_value(struct log *g, const char *function, int64_t value, bool returns)
{
    static const char *const odd[] = {"nil",   "\"a b\"", ":ok",    "[1 2]",        "[1 [2 3]]", "x",   "0x1f",
                                      "17N",   "+5",      "1.5",    "-0",           "007",       "[]",  "[1]",
                                      "(1 2)", "#a 5",    "true",   "[]",           "[1 2",      "\\c", "-",
                                      "nilly", "{1 2}",   "[1, 2]", "[[:r x nil]]", "12ab",      NULL};
    static const char *const long_ones[] = {"123456789012345678",  "-123456789012345678",  "1234567890123456789",
                                            "9223372036854775807", "99999999999999999999", NULL};
    bool reads = strcmp(function, "read") == 0 || strcmp(function, "dequeue") == 0;
    if (oddly(g)) {
        text_puts(g->t, pick(g->rng, rng_below(g->rng, 4) ? odd : long_ones));
    } else if (strcmp(function, "cas") == 0) {
        text_char(g->t, '[');
        text_int(g->t, value % 3);
        text_char(g->t, ' ');
        text_int(g->t, value);
        text_char(g->t, ']');
    } else if ((reads && !returns) || g->family == 4 || rng_below(g->rng, 10) == 0) {
        text_puts(g->t, "nil");
    } else if (g->family == 2 && returns && rng_below(g->rng, 2)) {
        text_puts(g->t, rng_below(g->rng, 2) ? "true" : "false");
    } else {
        text_int(g->t, value);
    }
}

/* One of an event's parts; the last ones are rare. */
static void put_part(struct log *g, uint32_t part, const char *function, const char *type, uint32_t process,
                     int64_t value)
{
    struct text *t = g->t;
    switch (part) {
    case 0:
        text_puts(t, ":process ");
        if (oddly(g))
            text_puts(t, rng_below(g->rng, 2) ? ":nemesis" : "-7");
        else
            text_int(t, process);
        break;
    case 1:
        text_puts(t, ":type :");
        text_puts(t, type);
        break;
    case 2:
        text_puts(t, ":f :");
        text_puts(t, function);
        break;
    case 3:
        text_puts(t, ":value ");
        put_edn_value(g, function, value, strcmp(type, "invoke") != 0);
        break;
    case 4:
        text_puts(t, ":time ");
        text_int(t, g->clock < 0 ? 3 : g->clock);
        break;
    case 5:
        text_puts(t, ":index ");
        text_int(t, value);
        break;
    default: text_puts(t, rng_below(g->rng, 2) ? ":key \"k\"" : ":error [:timeout]");
    }
}

static void put_parts(struct log *g, const char *function, const char *type, uint32_t process, int64_t value)
{
    uint32_t parts[7] = {0, 1, 2, 3, 4, 5, 6}, turn = rng_below(g->rng, 6);
    bool first = true;
    for (uint32_t i = 0; i < 7; i++) {
        uint32_t part = parts[i == 6 ? 6 : (i + turn) % 6];
        bool there = part == 4 ? g->clock >= 0 : part == 6 ? g->family == 5 : part != 5 || rng_below(g->rng, 2);
        if (there == oddly(g))
            continue;
        text_puts(g->t, first ? "" : oddly(g) ? " " : ", ");
        put_part(g, part, function, type, process, value);
        first = false;
    }
}

static void put_edn_event(struct log *g)
{
    static const char *const ends[] = {"ok", "ok", "ok", "fail", "info", NULL}, *const odd[] = {"invoke", "okay", NULL};
    uint32_t process = rng_below(g->rng, PROCESSES);
    bool returns = g->open[process] != NULL;
    const char *type = oddly(g) ? pick(g->rng, odd) : returns ? pick(g->rng, ends) : "invoke";
    if (!returns) {
        g->open[process] = pick_function(g);
        g->value[process] = (int64_t)rng_below(g->rng, 2000) - 3;
    }
    if (g->clock >= 0)
        g->clock += rng_below(g->rng, 3);
    text_puts(g->t, oddly(g) ? "#jepsen.history.Op" : oddly(g) ? " " : oddly(g) ? "  " : oddly(g) ? "#x " : "");
    text_char(g->t, '{');
    put_parts(g, oddly(g) ? pick_function(g) : g->open[process], type, process, g->value[process]);
    text_puts(g->t, oddly(g) ? "}}" : oddly(g) ? "} ; and a remark" : oddly(g) ? "} " : oddly(g) ? "" : "}");
    text_puts(g->t, oddly(g) ? "" : "\n");
    g->open[process] = returns ? NULL : g->open[process];
}

static void put_log(struct rng *rng, struct text *t, uint32_t events, uint32_t odd)
{
    struct log g = {.rng = rng, .t = t, .family = rng_below(rng, FAMILIES), .odd = odd};
    g.clock = rng_below(rng, 2) ? 5 : -1;
    const char *brackets = rng_below(rng, 3) ? "" : rng_below(rng, 2) ? "[]" : "()";
    text_add(t, brackets, *brackets != '\0');
    while (events--)
        put_edn_event(&g);
    text_puts(t, *brackets ? brackets + 1 : "");
}

/* Bytes too many, too few, or others, from some place on. */
static void mutate(struct rng *rng, struct text *t, size_t from)
{
    static const char bytes[] = "\n\r\t (),:.-=>@[]#\"?0a9\\\xC3\xA9{}_";
    for (uint32_t n = rng_below(rng, 3); n && t->n > from; n--) {
        size_t at = from + rng_below(rng, (uint32_t)(t->n - from));
        char c = rng_below(rng, 20) ? bytes[rng_below(rng, sizeof bytes - 1)] : '\0';
        switch (rng_below(rng, 3)) {
        case 0: t->at[at] = c; break;
        case 1:
            memmove(t->at + at, t->at + at + 1, t->n - at - 1);
            t->n--;
            break;
        default:
            text_char(t, ' ');
            memmove(t->at + at + 1, t->at + at, t->n - at - 1);
            t->at[at] = c;
        }
    }
}

static void test_twins(void **state)
{
    (void)state;
    struct mem m = {0};
    struct text t = text_in(&m);
    for (uint64_t seed = 0; seed < 6000; seed++) {
        struct rng rng = {seed};
        uint32_t form = rng_below(&rng, 3), lines = 1 + rng_below(&rng, 6);
        int64_t clock = form == 1 ? 5 : -1;
        const char *end = rng_below(&rng, 8) ? "\n" : "\r\n";
        t.n = 0;
        if (form == 1)
            text_puts(&t, "---\nt9: write(y, 1) @ 1..2\n");
        for (uint32_t i = 0; form == 1 && i < 40; i++)
            text_puts(&t, "t9: read(y) => 1 @ 3..3\n");
        size_t fixed = t.n;
        for (; lines; lines--) {
            if (form == 2)
                put_event(&rng, &t);
            else
                put_operation(&rng, &t, &clock);
            text_puts(&t, end);
        }
        if (rng_below(&rng, 2))
            mutate(&rng, &t, fixed);
        const char *fault = twins_hist(text_get(&t), t.n);
        if (fault)
            fail_msg("seed %u: %s\n%s", (unsigned)seed, fault, text_get(&t));
    }
    mem_release(&m);
}

static void test_json_twins(void **state)
{
    (void)state;
    struct mem m = {0};
    struct text t = text_in(&m);
    for (uint64_t seed = 0; seed < 5000; seed++) {
        struct rng rng = {seed};
        int64_t clock = rng_below(&rng, 2) ? 5 : -1;
        t.n = 0;
        for (uint32_t lines = 1 + rng_below(&rng, 6); lines; lines--) {
            put_object(&rng, &t, &clock);
            text_char(&t, '\n');
        }
        if (rng_below(&rng, 2))
            mutate(&rng, &t, 0);
        const char *fault = twins_jsonl(text_get(&t), t.n);
        if (fault)
            fail_msg("seed %u: %s\n%s", (unsigned)seed, fault, text_get(&t));
    }
    mem_release(&m);
}

static void test_edn_twins(void **state)
{
    (void)state;
    struct mem m = {0};
    struct text t = text_in(&m);
    for (uint64_t seed = 0; seed < 20000; seed++) {
        struct rng rng = {seed};
        t.n = 0;
        put_log(&rng, &t, rng_below(&rng, 30), rng_below(&rng, 3) * 40);
        if (rng_below(&rng, 2))
            mutate(&rng, &t, 0);
        const char *fault = twins_edn(text_get(&t), t.n);
        if (fault)
            fail_msg("seed %u: %s\n%s", (unsigned)seed, fault, text_get(&t));
    }
    for (uint64_t seed = 0; seed < 12; seed++) { /* lines that the input's buffer ends in */
        struct rng rng = {seed};
        t.n = 0;
        put_log(&rng, &t, 20000, 0);
        assert_null(twins_edn(text_get(&t), t.n));
    }
    mem_release(&m);
}

/* ---- the plain way is taken ---- */

enum way { HIST_OPERATIONS, HIST_EVENTS, JSON_LINES };

static uint64_t taken(const char *text, enum way way)
{
    assay_error e = {0};
    history *h = NULL;
    const char *bytes;
    uint64_t clock = 0;
    struct input *in = input_from_memory("text", text, strlen(text), &e);
    input_begin_history(in, &h);
    uint32_t thread = history_thread(h, history_name(h, "t9", 2));
    for (int i = 0; i < PLAIN_FIRST_LINE; i++) {
        uint32_t row = history_append(h, &(struct new_op){.thread = thread, .object = ID_NONE});
        if (way == HIST_EVENTS)
            history_set_times(h, row, 0, 0);
    }
    input_peek(in, &bytes, &e);
    struct plain_lines s = {.in = in, .h = h};
    uint64_t n = way == JSON_LINES ? jsonl_plain_lines(&s)
                                   : hist_plain_lines(&s, way == HIST_EVENTS ? PLAIN_EVENTS : PLAIN_OPERATIONS, &clock);
    assert_int_equal(input_lines(in), n);
    assert_int_equal(clock, way == HIST_EVENTS ? n : 0);
    plain_end(&s);
    history_free(h);
    input_close(in);
    return n;
}

static void test_taken(void **state)
{
    (void)state;
    assert_int_equal(
        taken("t0: write(x, 1)\nt1: read(x) => 1\r\nt0: pop() => empty\nt0:\tpop()\nt0: pop()\n", HIST_OPERATIONS), 3);
    assert_int_equal(taken("t0: txn(r x 1, append z 3, r z [1 3], r y ?)\nt1: txn(w x a) => abort\n"
                           "t0: txn(r z [])\nt0: txn(r x 1,w y 1)\n",
                           HIST_OPERATIONS),
                     3);
    assert_int_equal(taken("{\"thread\":\"t0\",\"method\":\"pop\"}\n"
                           "{\"thread\":\"t0\",\"object\":\"q\",\"method\":\"m\",\"args\":[1,\"x\"],\"result\":-5}\n"
                           "{ \"thread\":\"t0\",\"method\":\"pop\"}\n",
                           JSON_LINES),
                     2);
    assert_int_equal(
        taken("[1] call q.push(-5, x)\n[2] call pop()\n[2] return 5\n[1] return\n[1] return\n", HIST_EVENTS), 4);
    assert_int_equal(taken("[a-client-of-a-long-name] call pop\n[a-client-of-a-long-name] return 0x1F\n"
                           "[2] call push(-0x8000, a_value_of_a_long_name)\n[2] return 12ab\n",
                           HIST_EVENTS),
                     3);
    assert_int_equal(taken("t0: push(.x)\nt0: push(.5)\n", HIST_OPERATIONS), 1); /* of .5 is warned */
}

static void test_edn_taken(void **state)
{
    (void)state;
    static const char text[] = "{:process 0, :type :ok, :f :write, :value 1, :time 1}\n"
                               "{:type :invoke, :f :write, :value 2, :process 0, :time 3, :index 5}\n"
                               " #jepsen.history.Op{:process 0, :type :info, :f :write, :time 3}\n"
                               "{:process 1, :type :invoke, :f :cas, :value [1 -2], :time 4}\r\n";
    assay_error e = {0};
    history *h = NULL;
    const char *bytes;
    struct input *in = input_from_memory("text", text, sizeof text - 1, &e);
    struct jepsen j = {.first_line = 1};
    struct edn_plain plain = {.wait = {0}};
    input_begin_history(in, &h);
    jepsen_start(&j, JEPSEN_ALL, in, h, NULL, &e);
    calls_begin(&j.calls, calls_process(&j.calls, "0", 1), 0, (struct place){1, 1})->kind = 1;
    calls_arguments(&j.calls, &j.calls.all.at[0], &(struct arguments){&(struct value){1, ASSAY_INT}, 1, 1});
    input_peek(in, &bytes, &e);
    (void)bytes;
    assert_int_equal(edn_plain_lines(&plain, &j), 3);
    history_free(h);
    input_close(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eight),     cmocka_unit_test(test_twins), cmocka_unit_test(test_json_twins),
        cmocka_unit_test(test_edn_twins), cmocka_unit_test(test_taken), cmocka_unit_test(test_edn_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
