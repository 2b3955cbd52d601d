/* SPDX-License-Identifier: Apache-2.0 */
/* A monitor runs for ever: its memory must not grow with the number of events, nor the steps that an event costs, whatever
 * the values are. Bytes and steps are counted, and no seconds, after so many events and after several times as many.
 *
 *   growth [--quick|--long] [--only OBJECT]
 *
 * A row is an object and a cycle of calls. Calls take effect when they are made, on a state of the specification, and
 * return later, in any order: so the stream is linearizable. The content of the object is small all the time. In some
 * rows there are several objects, and each call goes to one of them. In the arguments stand
 *   k one of a few keys   K a key of this cycle alone   T the same, a word   v a new number   w a new word   r one of three
 *   numbers   s a new string */
#include "base/escape.h"
#include "base/rng.h"
#include "monitor/feed.h"
#include "spec/spec.h"
#include "support/tier.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, OBJECTS = 4, MOST_ARGS = 3, MOST_BYTES = 48 << 20 /* once exactness was given up */ };

static const struct row {
    const char *object, *cycle;
    bool alone;   /* by one thread only: overlapping calls could leave it open for ever what a key holds */
    bool several; /* objects, by names */
} rows[] = {
    {"memory", "write(k,v) read(k)"},
    {"memory", "write(k,w) read(k)"},
    {"memory", "write(k,r) read(k)"},
    {"memory", "write(K,v) read(K) write(K,0)", true},
    {"memory", "write(T,w) write(T,0)", true},
    {"register", "write(v) read()"},
    {"register", "write(w) read()"},
    {"register", "write(r) read()"},
    {"register", "write(v) read()", .several = true},
    {"register", "write(r) read()", .several = true},
    {"cas-register", "write(v) cas(r,v) read()"},
    {"cas-register", "write(w) read()"},
    {"cas-register", "write(r) cas(r,r) read()"},
    {"map", "put(k,v) get(k)"},
    {"map", "put(k,w) get(k) remove(k)"},
    {"map", "put(k,r) contains(r) size()"},
    {"map", "put(k,v) put(k,v) put(k,v) size()"},
    {"map", "put(K,v) remove(K)"},
    {"map", "put(K,v) remove(K) size()"},
    {"map", "put(T,w) remove(T)"},
    {"map", "put(T,w) size() contains-key(T) remove(T)"},
    {"map", "put(k,w) get(k) remove(k) size()", .several = true},
    {"append-map", "put(k,s) append(k,s) append(k,s) get(k)"},
    {"append-map", "append(K,s) append(K,s) get(K) put(K,e)", true},
    {"append-map", "append(T,s) get(T) put(T,e)", true},
    {"queue", "enq(v) enq(v) deq() deq()"},
    {"queue", "enq(w) peek() deq()"},
    {"queue", "enq(r) enq(r) deq() deq()"},
    {"queue", "enq(r) deq() deq()"},
    {"queue", "enq(r) enq(r) enq(r) enq(r) deq() deq() deq() deq()"},
    {"bounded-queue(4)", "enq(v) enq(w) deq() deq()"},
    {"bounded-queue(4)", "enq(r) enq(r) deq() peek() deq()"},
    {"stack", "push(v) push(v) pop() pop()"},
    {"stack", "push(w) peek() pop()"},
    {"stack", "push(r) push(r) pop() pop()"},
    {"deque", "push-front(v) push-back(v) pop-front() pop-front()"},
    {"deque", "push-front(w) peek-back() pop-back()"},
    {"deque", "push-front(r) push-back(r) pop-back() pop-front() pop-front()"},
    {"pqueue", "add(v) add(v) rem() rem()"},
    {"pqueue", "add(r) add(r) peek() rem() rem()"},
    {"set", "add(K) contains(K) remove(K)"},
    {"set", "add(T) remove(T)"},
    {"set", "add(r) contains(r) remove(r)"},
    {"set", "add(k) contains(k) remove(k)", .several = true},
    {"multiset", "add(K) add(K) count(K) remove(K) remove(K)"},
    {"multiset", "add(T) remove(T)"},
    {"multiset", "add(r) contains(r) remove(r)"},
    {"counter", "inc() inc() dec() get()"},
    {"counter", "fetch-add(r) add(r) get()"},
    {"counter", "inc() dec() get()", .several = true},
    {"bank(3,10)", "transfer(0,1,r) transfer(1,2,r) balance(2) transfer(2,0,r)"},
    {"lock", "lock() trylock() unlock()"},
    {"lock", "lock(w) unlock()"},
    {"rwlock", "rdlock() tryrdlock() rdunlock() rdunlock() wrlock() wrunlock()"},
    {"semaphore(2)", "acquire() tryacquire() release() release()"},
    {"semaphore(2)", "acquire(w) release()"},
    {"counting-semaphore(2)", "post() wait() trywait() post()"},
    {"exchanger", ""},
    {"multi-register", ""},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* ---- a monitor that is looked into ---- */

struct run {
    struct monitor m;
    struct feed feed;
    assay_error e;
    struct text events;
    uint64_t made;
};

static void set_up(void *arg)
{
    struct run *x = arg;
    monitor_init(&x->m);
    x->feed.m = &x->m;
    x->feed.begun = x->feed.line = text_in(&x->m.mem);
    x->feed.in = input_from_memory("events", "", 0, &x->e);
}

static void feed_all(void *arg)
{
    struct run *x = arg;
    feed_bytes(&x->feed, x->events.at, x->events.n);
    x->events.n = 0;
}

static void protect(struct run *x, void (*fn)(void *))
{
    if (escape_run(fn, x) == ESCAPE_NONE)
        return;
    fprintf(stderr, "growth: %s%s\n", x->e.message, x->feed.fault.message);
    exit(2);
}

/* ---- its events ---- */

enum { WORDS_FROM = 1000000000 }; /* integers from here on are written as words: states need not hold letters then */

struct maker {
    struct run *x;
    const struct row *row;
    const assay_spec *spec;
    void *states[OBJECTS]; /* the first one only, unless there are several objects */
    struct mem mem, strings;
    struct rng rng;
    const char *at; /* in the cycle */
    int64_t fresh, cycle;
    bool open[THREADS];
    assay_value result[THREADS];
    int64_t register_value; /* of transactions */
};

static void write_value(struct text *t, assay_value v)
{
    if (v.kind == ASSAY_INT && v.integer >= WORDS_FROM)
        text_printf(t, "w%" PRId64, v.integer);
    else if (v.kind == ASSAY_INT)
        text_printf(t, "%" PRId64, v.integer);
    else if (v.kind == ASSAY_STRING)
        text_printf(t, "\"%.*s\"", (int)v.length, v.text);
    else
        text_printf(t, "%.*s", (int)v.length, v.text);
}

static assay_value argument(struct maker *g, char token)
{
    char text[24];
    switch (token) {
    case 'k': return assay_int(rng_below(&g->rng, 8));
    case 'K': return assay_int(g->cycle);
    case 'T': return assay_int(WORDS_FROM + g->cycle);
    case 'v': return assay_int(10 + g->fresh++);
    case 'w': return assay_int(WORDS_FROM + g->fresh++);
    case 'r': return assay_int(rng_below(&g->rng, 3));
    case 'e': return assay_string("", 0);
    case 's':
        snprintf(text, sizeof text, "s%" PRId64, g->fresh++);
        return assay_string(mem_text(&g->strings, text, strlen(text)), strlen(text));
    default: return assay_int(token - '0');
    }
}

/* The next call of the cycle by this thread, unless it would have to wait. */
static void make_call(struct maker *g, uint32_t thread)
{
    if (!*g->at) {
        g->at = g->row->cycle;
        g->cycle++;
    }
    size_t length = strcspn(g->at, "("), end = strcspn(g->at, ")");
    assay_value args[MOST_ARGS];
    assay_call call = {.args = args, .operation = ASSAY_NO_OPERATION};
    assay_saved saved = {0};
    const assay_method *m = g->spec->methods;
    while (strlen(m->name) != length || memcmp(m->name, g->at, length) != 0)
        m++;
    for (size_t i = length + 1; i < end; i += 2)
        args[call.arg_count++] = argument(g, g->at[i]);
    g->at += end + 1 + (g->at[end + 1] == ' ');
    call.method = m->id;
    assay_value *result = &g->result[thread];
    *result = (assay_value){0};
    uint32_t object = g->row->several ? rng_below(&g->rng, OBJECTS) : 0;
    if (spec_step(g->spec, g->states[object], &call, 0, result, &saved) == ASSAY_BLOCKED)
        return;
    if (result->kind == ASSAY_STRING)
        result->text = mem_text(&g->strings, result->text, result->length);
    if (m->result == ASSAY_RESULT_NONE)
        *result = (assay_value){0};
    struct text *t = &g->x->events;
    text_printf(t, "[%u] call ", (unsigned)thread);
    if (g->row->several)
        text_printf(t, "o%u.", (unsigned)object);
    text_printf(t, "%s(", m->name);
    for (unsigned i = 0; i < call.arg_count; i++) {
        text_puts(t, i ? ", " : "");
        write_value(t, args[i]);
    }
    text_puts(t, ")\n");
    g->open[thread] = true;
    g->x->made++;
}

static void make_return(struct maker *g, uint32_t thread)
{
    struct text *t = &g->x->events;
    text_printf(t, "[%u] return ", (unsigned)thread);
    if (g->result[thread].kind != ASSAY_NONE)
        write_value(t, g->result[thread]);
    text_char(t, '\n');
    g->open[thread] = false;
    g->x->made++;
}

static void make_exchange(struct maker *g)
{
    long long a = g->fresh++, b = g->fresh++;
    text_printf(&g->x->events, "[0] call exchange(%lld)\n[1] call exchange(%lld)\n[0] return %lld\n[1] return %lld\n",
                a, b, b, a);
    g->x->made += 4;
}

static void make_transaction(struct maker *g)
{
    uint64_t at = 10 * g->x->made++;
    text_printf(&g->x->events, "s%u: txn(r x %" PRId64 ", w x %" PRId64 ") @ %" PRIu64 "..%" PRIu64 "\n",
                (unsigned)rng_below(&g->rng, THREADS), g->register_value, g->register_value + 1, at, at + 5);
    g->register_value++;
}

static void make_some(struct maker *g, uint32_t threads)
{
    if (!g->spec->create || g->x->m.isolation.model) {
        g->x->m.isolation.model ? make_transaction(g) : make_exchange(g);
        return;
    }
    uint32_t thread = rng_below(&g->rng, threads);
    if (g->open[thread])
        make_return(g, thread);
    else
        make_call(g, thread);
}

/* ---- what is counted ---- */

struct counted {
    size_t bytes;
    uint64_t steps;
};

static struct counted follow(struct maker *g, uint32_t threads, uint64_t events)
{
    while (g->x->made < events) {
        make_some(g, threads);
        if (g->x->events.n > 1 << 16)
            protect(g->x, feed_all);
    }
    protect(g->x, feed_all);
    size_t bytes = g->x->m.mem.peak > g->x->m.stats.peak ? g->x->m.mem.peak : g->x->m.stats.peak;
    return (struct counted){bytes, g->x->m.budget.ticks};
}

static void open_object(struct maker *g, struct mem *m)
{
    char header[80];
    assay_error e = {0};
    struct objects objects;
    size_t n = (size_t)snprintf(header, sizeof header, "# @object %s\n", g->row->object);
    assay_reader *r = assay_reader_open_memory("object", header, n, "hist", &e);
    assay_history *h = assay_reader_next(r, &e);
    if (!h || !objects_of(h, (struct object_choice){0}, m, &objects, &e)) {
        fprintf(stderr, "growth: %s: %s\n", g->row->object, e.message);
        exit(2);
    }
    g->spec = objects.at[0].spec;
    for (unsigned i = 0; i < OBJECTS && g->spec->create; i++)
        g->states[i] = hook_create(g->spec, &objects.at[0].setting, (assay_value){0}, &g->mem);
    if (strcmp(g->row->object, "multi-register") == 0) {
        if (!monitor_model(&g->x->m, "ser-strict", NULL, &e))
            abort();
        g->x->m.isolation.most = ISOLATION_WINDOW;
        g->x->m.isolation.most_sessions = THREADS;
    } else {
        text_puts(&g->x->events, header);
    }
    assay_history_free(h);
    assay_reader_close(r);
}

static bool judge(const struct row *row, uint32_t threads, uint64_t few, uint64_t times)
{
    struct run *x = calloc(1, sizeof *x);
    struct mem m = {0}, events = {0};
    struct maker *g = calloc(1, sizeof *g);
    *g = (struct maker){.x = x, .row = row, .at = row->cycle, .rng = {1}};
    x->events = text_in(&events);
    protect(x, set_up);
    open_object(g, &m);
    struct counted first = follow(g, threads, few), last = follow(g, threads, times * few);
    const char *why = x->m.stats.violations ? "a violation is reported where there is none" : NULL, *weakened = NULL;
    for (uint32_t i = 0; i < x->m.uses.n; i++)
        weakened = x->m.uses.at[i].weakened;
    if (weakened ? last.bytes > MOST_BYTES : last.bytes > first.bytes + first.bytes / 4 + (1 << 17))
        why = "the memory grows";
    if (last.steps > times * first.steps + times * first.steps / 2 + (weakened ? times * few * 300 : 1 << 12))
        why = "the steps of an event grow";
    printf("%-22s %u  %9zu %9zu bytes  %7.2f %7.2f steps  %s%s%s%s\n", row->object, (unsigned)threads, first.bytes,
           last.bytes, (double)first.steps / (double)few, (double)last.steps / (double)(times * few), row->cycle,
           row->several ? "  several objects" : "", weakened ? "  gave up: " : "", weakened ? weakened : "");
    if (why)
        fprintf(stderr, "growth: %s, %u threads, %s: %s\n", row->object, (unsigned)threads, row->cycle, why);
    feed_free(&x->feed);
    monitor_release(&x->m, true);
    mem_release(&g->mem);
    mem_release(&g->strings);
    mem_release(&m);
    mem_release(&events);
    free(x);
    free(g);
    return !why;
}

/* Every object of the table has a row. */
static bool complete(void)
{
    for (size_t i = 0; spec_table[i]; i++) {
        bool found = false;
        size_t n = strlen(spec_table[i]->name);
        for (size_t k = 0; k < ROWS && !found; k++)
            found = strncmp(rows[k].object, spec_table[i]->name, n) == 0 && strchr("(", rows[k].object[n]);
        if (!found) {
            fprintf(stderr, "growth: no row for the object %s\n", spec_table[i]->name);
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    struct request r = request_of(argc, argv);
    uint64_t few = by_tier(r.tier, 40000, 100000, 100000), times = by_tier(r.tier, 4, 6, 10);
    bool fine = complete();
    for (size_t i = 0; i < ROWS; i++) {
        if (r.only && strncmp(rows[i].object, r.only, strlen(r.only)) != 0)
            continue;
        if (r.tier == TIER_LONG || rows[i].alone)
            fine &= judge(&rows[i], 1, few, times);
        if (!rows[i].alone)
            fine &= judge(&rows[i], 3, few, times);
    }
    return !fine;
}
