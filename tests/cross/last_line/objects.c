/* SPDX-License-Identifier: Apache-2.0 */
/* Files about objects: calls with their times, events, tables and logs. */
#include "cross/last_line/draw.h"

#include <stdio.h>
#include <string.h>

struct method {
    const char *name;
    int arguments;
    const char *const *results; /* up to NULL; {"="}: a value. The empty one: none */
};

static const char *const nothing[] = {"", NULL}, *const truth[] = {"true", "false", NULL}, *const found[] = {"=", NULL},
                         *const taken[] = {"=", "=", "empty", NULL};

static const struct object {
    const char *name;
    struct method methods[4];
} objects[] = {
    {"queue", {{"enq", 1, nothing}, {"deq", 0, taken}}},
    {"stack", {{"push", 1, nothing}, {"pop", 0, taken}}},
    {"set", {{"add", 1, truth}, {"remove", 1, truth}, {"contains", 1, truth}}},
    {"register", {{"write", 1, nothing}, {"read", 0, found}}},
    {"cas-register", {{"write", 1, nothing}, {"read", 0, found}, {"cas", 2, truth}}},
    {"counter", {{"inc", 0, nothing}, {"inc", 1, nothing}, {"get", 0, found}}},
    {"pqueue", {{"insert", 1, nothing}, {"remove-min", 0, taken}}},
    {"map", {{"put", 2, nothing}, {"get", 1, taken}}},
    {"multiset", {{"add", 1, nothing}, {"remove", 1, truth}, {"count", 1, found}}},
};
enum { OBJECTS = sizeof objects / sizeof *objects };

struct op {
    const struct method *method;
    const char *thread, *args[2], *result; /* result NULL: pending; empty: none */
    const char *object;
    int call, ret;
};

static const struct method *some_method(const struct object *o)
{
    uint32_t n = 0;
    while (n < 4 && o->methods[n].name)
        n++;
    return &o->methods[any(n)];
}

static struct op some_op(const struct object *o)
{
    struct op op = {.method = some_method(o)};
    uint32_t n = 0;
    while (op.method->results[n])
        n++;
    op.result = op.method->results[any(n)];
    op.result = strcmp(op.result, "=") == 0 ? value() : op.result;
    for (int i = 0; i < op.method->arguments; i++)
        op.args[i] = value();
    return op;
}

/* Random intervals, one thread behind the other's. */
static uint32_t some_ops(struct op *ops, const struct object *o, bool two_objects)
{
    uint32_t n = 2 + any(MOST_OPS - 1);
    int clock[THREADS] = {0};
    bool open[THREADS] = {false};
    uint32_t made = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t t = any(THREADS);
        if (open[t])
            continue;
        struct op *op = &ops[made++];
        *op = some_op(o);
        op->thread = threads[t];
        op->object = two_objects ? ONE_OF("q", "q1", "q12") : NULL;
        op->call = clock[t] + 1 + (int)any(9);
        op->ret = clock[t] = op->call + 1 + (int)any(30);
        if (!any(8)) {
            open[t] = true;
            op->result = NULL;
        }
    }
    return made;
}

static void put_call(const struct op *op, const char *before, const char *glue, const char *behind)
{
    if (op->object)
        put("%s.", op->object);
    put("%s%s", op->method->name, op->method->arguments || any(2) ? before : "");
    bool bracket = text[length - 1] == '(';
    for (int i = 0; i < op->method->arguments; i++)
        put("%s%s", i ? glue : "", op->args[i]);
    put("%s", bracket ? behind : "");
}

static void put_headers(const struct object *o, bool two)
{
    if (two)
        put("# @object q %s\n# @object q1 %s\n# @object q12 %s\n", o->name, o->name, o->name);
    else
        put("# @object %s\n", o->name);
}

const char *hist_operations(void)
{
    struct op ops[MOST_OPS];
    const struct object *o = &objects[any(OBJECTS)];
    bool two = !any(3), timed = any(3);
    uint32_t n = some_ops(ops, o, two);
    put_headers(o, two);
    for (uint32_t i = 0; i < n; i++) {
        put("%s: ", ops[i].thread);
        put_call(&ops[i], "(", ", ", ")");
        if (ops[i].result && *ops[i].result)
            put(" => %s", ops[i].result);
        if (!ops[i].result && (!timed || any(2)))
            put(" => ?");
        if (timed && ops[i].result)
            put(" @ %d..%d", ops[i].call, ops[i].ret);
        else if (timed)
            put(" @ %d..", ops[i].call);
        put("\n");
    }
    return "hist";
}

/* Events in an order of their own: at each moment a thread calls or returns. */
struct play {
    struct op now[THREADS];
    bool open[THREADS], gone[THREADS];
};

const char *hist_events(void)
{
    const struct object *o = &objects[any(OBJECTS)];
    struct play p = {.open = {false}};
    bool bare = any(2), timed = !any(3);
    int time = 0;
    put("# @object %s\n# @ids thread\n", o->name);
    for (uint32_t i = 0, n = 3 + any(10); i < n; i++) {
        uint32_t t = any(THREADS);
        struct op *op = &p.now[t];
        if (!p.open[t]) {
            *op = some_op(o);
            put("[%s] call ", threads[t]);
            put_call(op, bare ? " " : "(", bare ? " " : ", ", ")");
        } else {
            put("[%s] return%s%s", threads[t], op->result && *op->result ? " " : "", op->result ? op->result : "");
        }
        if (timed)
            put(" @ %d", time += (int)any(12));
        put("\n");
        p.open[t] = !p.open[t];
    }
    return "hist";
}

const char *set_log(void)
{
    struct play p = {.open = {false}};
    for (uint32_t i = 0, n = 3 + any(10); i < n; i++) {
        uint32_t t = any(THREADS);
        if (p.open[t])
            put("%s returns %s\n", threads[t], ONE_OF("true", "false"));
        else
            put("%s invokes %s %s\n", threads[t], ONE_OF("add", "remove", "contains"), value());
        p.open[t] = !p.open[t];
    }
    return "set-log";
}

/* ---- Jepsen ---- */

static void jepsen_value(char *out, const char *f)
{
    if (strcmp(f, "read") == 0)
        strcpy(out, "nil");
    else if (strcmp(f, "cas") == 0)
        sprintf(out, "[%s %s]", value(), value());
    else
        strcpy(out, value());
}

static const char *jepsen(const char *prefix, const char *format)
{
    const char *now[THREADS] = {NULL};
    char given[THREADS][32];
    bool gone[THREADS] = {false};
    for (uint32_t i = 0, n = 3 + any(10); i < n; i++) {
        uint32_t t = any(THREADS);
        if (gone[t])
            continue;
        if (!now[t]) {
            now[t] = ONE_OF("read", "write", "cas");
            jepsen_value(given[t], now[t]);
            put("%s%u\t:invoke\t:%s\t%s\n", prefix, (unsigned)t, now[t], given[t]);
            continue;
        }
        const char *how = ONE_OF("ok", "ok", "ok", "ok", "fail", "info");
        bool answers = strcmp(now[t], "read") == 0 && strcmp(how, "ok") == 0;
        put("%s%u\t:%s\t:%s\t%s%s\n", prefix, (unsigned)t, how, now[t], answers ? value() : given[t],
            strcmp(how, "info") == 0 && any(2) ? "\t:timeout" : "");
        gone[t] = strcmp(how, "info") == 0;
        now[t] = NULL;
    }
    return format;
}

const char *jepsen_txt(void)
{
    return jepsen("", "jepsen-txt");
}

const char *jepsen_log(void)
{
    return jepsen("INFO  jepsen.util - ", "jepsen-log");
}

/* ---- tables ---- */

enum cell { THREAD, OBJECT, METHOD, ARGUMENTS, RESULT, CALL, RETURN, CELLS };

static void put_cell(const struct op *op, enum cell cell)
{
    switch (cell) {
    case THREAD: put("%s", op->thread); break;
    case OBJECT: put("%s", op->object ? op->object : ""); break;
    case METHOD: put("%s", op->method->name); break;
    case ARGUMENTS:
        for (int i = 0; i < op->method->arguments; i++)
            put("%s%s", i ? " " : "", op->args[i]);
        break;
    case RESULT: put("%s", op->result ? op->result : "?"); break;
    case CALL: put("%d", op->call); break;
    default:
        if (op->result)
            put("%d", op->ret);
    }
}

const char *csv(void)
{
    static const char *const names[] = {"thread", "object", "method", "arguments", "result", "call", "return"};
    struct op ops[MOST_OPS];
    enum cell order[CELLS];
    const struct object *o = &objects[any(OBJECTS)];
    bool timed = any(3), two = any(2);
    uint32_t n = some_ops(ops, o, two), cells = 0;
    for (int i = 0; i < CELLS; i++)
        if ((timed || i < CALL) && (two || i != OBJECT))
            order[cells++] = (enum cell)i;
    for (uint32_t i = cells; i > 1; i--) {
        uint32_t j = any(i);
        enum cell other = order[j];
        order[j] = order[i - 1];
        order[i - 1] = other;
    }
    put_headers(o, two);
    for (uint32_t i = 0; i < cells; i++)
        put("%s%s", i ? "," : "", names[order[i]]);
    put("\n");
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < cells; i++) {
            put("%s", i ? "," : "");
            put_cell(&ops[k], order[i]);
        }
        put("\n");
    }
    return "csv";
}
