/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are cut within their last line, against the files they were cut from: no violation of a cut file is one
 * that the whole file does not have. Each random file is cut behind each byte of its last line. Values, times and
 * threads are often beginnings of each other, as 1, 12 and 121 are, so that a cut line means something else.
 *
 * Evidence of such a violation is not refused by recheck, and what shrinking leaves violates the model as well. */
#define _GNU_SOURCE
#include "assay.h"
#include "base/rng.h"
#include "support/tier.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROOM = 8192, MOST_OPS = 7, THREADS = 3 };

static struct rng rng;
static char text[ROOM];
static size_t length;
static uint32_t files, cuts, kept, refused, faults;

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    length += (size_t)vsnprintf(text + length, ROOM - length, format, args);
    va_end(args);
    if (length >= ROOM)
        abort();
}

static uint32_t any(uint32_t n)
{
    return rng_below(&rng, n);
}

static const char *one_of(const char *const *of, uint32_t n)
{
    return of[any(n)];
}
#define ONE_OF(...)                                                                                                    \
    one_of((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static const char *value(void)
{
    return ONE_OF("1", "1", "12", "2", "21", "121", "0", "-1", "-12");
}

static const char *natural(void)
{
    return ONE_OF("1", "1", "12", "2", "21", "121", "0", "0x1", "0x12");
}

/* ---- operations of objects ---- */

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

static const char *const threads[THREADS] = {"1", "12", "t"};

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

static const char *hist_operations(void)
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

static const char *hist_events(void)
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

static const char *set_log(void)
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

static const char *jepsen_txt(void)
{
    return jepsen("", "jepsen-txt");
}

static const char *jepsen_log(void)
{
    return jepsen("INFO  jepsen.util - ", "jepsen-log");
}

/* ---- memories ---- */

static const char *variable(void)
{
    return ONE_OF("x", "y", "x1");
}

static void memory_op(void)
{
    switch (any(5)) {
    case 0:
    case 1: put("write(%s, %s)%s", variable(), value(), any(5) ? "" : " => ?"); break;
    case 2: put("rmw(%s, %s, %s)", variable(), value(), value()); break;
    default: put("read(%s) => %s", variable(), value());
    }
}

static const char *hist_memory(void)
{
    bool open[THREADS] = {false};
    if (!any(4))
        put("# @final x=%s\n", value());
    for (uint32_t i = 0, n = 2 + any(MOST_OPS); i < n; i++) {
        uint32_t t = any(THREADS);
        if (open[t])
            continue;
        put("%s: ", threads[t]);
        memory_op();
        open[t] = text[length - 1] == '?';
        put("\n");
    }
    return "hist";
}

static const char *hist_events_memory(void)
{
    bool open[THREADS] = {false}, reads[THREADS] = {false}, bare = any(2);
    put("# @object memory\n# @ids thread\n");
    for (uint32_t i = 0, n = 3 + any(12); i < n; i++) {
        uint32_t t = any(THREADS);
        if (open[t])
            put("[%s] return%s%s\n", threads[t], reads[t] ? " " : "", reads[t] ? value() : "");
        else if ((reads[t] = any(2)))
            put(bare ? "[%s] call read %s\n" : "[%s] call read(%s)\n", threads[t], variable());
        else
            put(bare ? "[%s] call write %s %s\n" : "[%s] call write(%s, %s)\n", threads[t], variable(), value());
        open[t] = !open[t];
    }
    return "hist";
}

static const char *axe(void)
{
    bool timed = !any(4);
    int clock[THREADS] = {0};
    for (uint32_t i = 0, n = 2 + any(MOST_OPS); i < n; i++) {
        uint32_t t = any(THREADS);
        const char *at = ONE_OF("5", "51");
        put("%u: ", (unsigned)(t == 2 ? 12 : t));
        switch (any(5)) {
        case 0:
        case 1: put("M[%s] := %s", at, natural()); break;
        case 2: put("{ M[%s] == %s; M[%s] := %s }", at, natural(), at, natural()); break;
        default: put("M[%s] == %s", at, natural());
        }
        if (timed) {
            int call = clock[t] + (int)any(9);
            put(" @ %d:%d", call, clock[t] = call + (int)any(20));
        }
        put("\n");
    }
    if (!any(3))
        put("final M[5] == %s\n", natural());
    return "axe";
}

/* A check has one open request; a processor may have several. */
static const char *gem5(void)
{
    struct {
        unsigned processor, count, value;
        bool writes, open;
    } c[2] = {{0}};
    int time = 0;
    for (uint32_t i = 0, n = 3 + any(8); i < n; i++) {
        uint32_t k = any(2);
        unsigned address = k ? 0x450 : 0x43c;
        time += (int)any(12);
        if (!c[k].open) {
            c[k].writes = any(2);
            c[k].processor = any(2);
            c[k].value = (unsigned)atoi(natural());
            if (c[k].writes) {
                put("%d: global: [0x%x, value: 1, status: Idle, initiating node: 0, store_count: %u]\n", time, address,
                    c[k].count = any(2));
                put("%d: global: Seq write: index %u data 0x%x check 0x98 address 0x%x\n", time, c[k].processor,
                    c[k].value, address);
                put("%d: global: initiating action - successful\n", time);
            } else {
                put("%d: global: [0x%x, value: 1, status: Idle, initiating node: 0, store_count: 0]\n", time, address);
                put("%d: global: Seq read: index %u address 0x%x\n", time, c[k].processor, address);
                put("%d: global: initiating check - successful\n", time);
            }
            c[k].open = true;
        } else {
            put("%d: system.cpu: completed request for proc: %u addr: 0x%x, size: %u, data: %s", time, c[k].processor,
                address, c[k].writes ? 1 : 2, natural());
            put(c[k].writes ? "\n" : " %s\n", natural());
            c[k].open = false;
        }
    }
    return "gem5-rubytest";
}

static const char *litmus(void)
{
    put("X86 any\n{ x=0; y=0; }\n P0 | P1 ;\n MOV [x],$%s | MOV [y],$%s ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists ",
        ONE_OF("1", "12", "2"), ONE_OF("1", "12", "2"));
    bool bracket = any(2);
    put("%s0:EAX=%s /\\ %s=%s%s\n", bracket ? "(" : "", ONE_OF("0", "1", "12"), ONE_OF("1:EAX", "x", "y"),
        ONE_OF("0", "1", "12", "121"), bracket ? ")" : "");
    return "litmus";
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

static const char *csv(void)
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

/* ---- transactions ---- */

static void put_access(bool line)
{
    switch (any(3)) {
    case 0: put(line ? "w %s %s" : "write(%s, %s)", variable(), value()); break;
    default: put(line ? "r %s %s" : "read(%s) => %s", variable(), value());
    }
}

static const char *transactions(void)
{
    int clock[THREADS] = {0};
    bool timed = any(2), blocks = any(2);
    for (uint32_t i = 0, n = 2 + any(4); i < n; i++) {
        uint32_t t = any(THREADS), accesses = 1 + any(3);
        if (!blocks)
            put("%s: txn(", threads[t]);
        for (uint32_t k = 0; blocks && k < accesses + 2; k++) {
            put("%s: ", threads[t]);
            if (k == 0)
                put("begin()");
            else if (k == accesses + 1)
                put("%s", ONE_OF("commit()", "commit", "abort()", "commit()"));
            else
                put_access(false);
            int call = clock[t] + (int)any(3);
            if (timed)
                put(" @ %d..%d", call, clock[t] = call + 1 + (int)any(9));
            put("\n");
            if (i == n - 1 && !any(3))
                break; /* the file may end in the block */
        }
        for (uint32_t k = 0; !blocks && k < accesses; k++) {
            put("%s", k ? ", " : "");
            put_access(true);
        }
        if (!blocks) {
            int call = clock[t] + (int)any(9);
            put(")%s", ONE_OF("", "", "", " => abort", timed ? "" : " => ?"));
            if (timed)
                put(" @ %d..%d", call, clock[t] = call + 1 + (int)any(30));
            put("\n");
        }
    }
    return "hist";
}

/* ---- reading, grading, comparing ---- */

static assay_history *read_bytes(size_t n, const char *format, assay_error *e)
{
    char path[64];
    int fd = memfd_create("history", 0);
    if (fd < 0 || write(fd, text, n) != (ssize_t)n)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    assay_reader *r = assay_reader_open(path, format, e);
    assay_history *h = r ? assay_reader_next(r, e) : NULL;
    assay_reader_close(r);
    close(fd);
    return h;
}

static void fault(size_t n, const char *format, const char *model, const char *what)
{
    faults++;
    printf("---- %s, %s: %s\n%.*s<<<cut here>>>%s", format, model, what, (int)n, text, text + n);
}

static assay_verdict verdict_of(const assay_grading *g, const char *model, bool *judged)
{
    for (size_t i = 0; i < assay_grading_size(g); i++)
        if (strcmp(assay_grading_model(g, i), model) == 0) {
            *judged = assay_grading_result(g, i);
            return *judged ? assay_result_verdict(assay_grading_result(g, i)) : ASSAY_UNDECIDED;
        }
    *judged = false;
    return ASSAY_UNDECIDED;
}

static void prove(const assay_history *h, const assay_result *r, size_t n, const char *format)
{
    char *line = NULL;
    size_t size = 0;
    assay_error e = {0};
    FILE *f = open_memstream(&line, &size);
    bool proved = assay_result_write_evidence(r, 0, f);
    fclose(f);
    if (proved && !assay_recheck(h, line, NULL, &e) && e.code != ASSAY_ERROR_BUDGET) /* it says that it cannot tell */
        fault(n, format, assay_result_model(r), e.message);
    free(line);
}

/* The operations that shrinking leaves, from the whole file, violate the model without the last line as well: of those
 * that the cut may change there is at most an unfinished one. */
static void shrink(const assay_result *r, size_t n, const char *format)
{
    assay_error e = {0};
    assay_history *small = assay_shrink(r, NULL, NULL, &e);
    assay_result *again = small ? assay_check(small, assay_result_model(r), NULL, &e) : NULL;
    if (!again || assay_result_verdict(again) != ASSAY_VIOLATION)
        fault(n, format, assay_result_model(r), small ? "what shrinking leaves does not violate it" : e.message);
    assay_result_free(again);
    assay_history_free(small);
}

static void compare(const assay_grading *whole, size_t n, const char *format)
{
    assay_error e = {0};
    assay_history *h = read_bytes(n, format, &e);
    assay_options options = {ASSAY_OPTIONS_INIT};
    assay_grading *g = h ? assay_grade(h, &options, &e) : NULL;
    cuts += h != NULL;
    for (size_t i = 0; g && i < assay_grading_size(g); i++) {
        const assay_result *r = assay_grading_result(g, i);
        bool judged;
        if (!r)
            refused += strstr(assay_grading_error(g, i)->message, "rests on the last line") != NULL;
        if (!r || assay_result_verdict(r) != ASSAY_VIOLATION)
            continue;
        kept++;
        assay_verdict v = verdict_of(whole, assay_grading_model(g, i), &judged);
        if (judged && v != ASSAY_VIOLATION)
            fault(n, format, assay_grading_model(g, i), "the whole file does not violate it");
        prove(h, r, n, format);
        if (assay_result_proved(r) && !any(8))
            shrink(r, n, format);
    }
    assay_grading_free(g);
    assay_history_free(h);
}

static void try_file(const char *(*make)(void))
{
    length = 0;
    text[0] = '\0';
    const char *format = make();
    assay_error e = {0};
    assay_history *h = length ? read_bytes(length, format, &e) : NULL;
    assay_grading *g = h ? assay_grade(h, NULL, &e) : NULL;
    if (!g) {
        assay_history_free(h);
        return;
    }
    files++;
    size_t last = length - 1;
    while (last && text[last - 1] != '\n')
        last--;
    for (size_t n = last + 1; n < length; n++)
        compare(g, n, format);
    assay_grading_free(g);
    assay_history_free(h);
}

static const struct maker {
    const char *name;
    const char *(*make)(void);
} makers[] = {
    {"hist", hist_operations},
    {"events", hist_events},
    {"memory", hist_memory},
    {"event-memory", hist_events_memory},
    {"axe", axe},
    {"csv", csv},
    {"set-log", set_log},
    {"jepsen-txt", jepsen_txt},
    {"jepsen-log", jepsen_log},
    {"gem5", gem5},
    {"litmus", litmus},
    {"transactions", transactions},
};

int main(int argc, char **argv)
{
    struct request q = request_of(argc, argv);
    uint32_t count = request_count(&q, 60, 250, 6000);
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        if (q.only && strcmp(q.only, makers[i].name) != 0)
            continue;
        rng = (struct rng){q.seed + 1000 * i};
        files = cuts = kept = refused = 0;
        for (uint32_t k = 0; k < count && faults < 10; k++)
            try_file(makers[i].make);
        printf("%-14s %u files, %u cuts read: %u violations kept, %u that rest on the last line\n", makers[i].name,
               files, cuts, kept, refused);
        if (!files || !cuts || !kept || !refused) {
            printf("%s: there should be some of each\n", makers[i].name);
            faults++;
        }
    }
    return faults != 0;
}
