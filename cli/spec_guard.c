/* SPDX-License-Identifier: Apache-2.0 */
/* A timer looks ten times a second at the hook that each thread is in. It compares the number of the call with that of
 * its last look, so that the hooks themselves read no clock. The handlers use no memory but this file's. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* a stack for handlers, a timer */
#endif
#include "spec_guard.h"

#include "command.h"
#include "interrupt.h"
#include "outfile.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 512, LOOK_MICROSECONDS = 100000, STACK = 1 << 16 };
static const double grace = 2;    /* seconds for a hook when all should end */
static const double waiting = 10; /* a hook that sleeps uses no CPU time: so many times the limit on the wall */

/* What a thread does. The thread alone writes the first part, and the timer the second. */
struct watched {
    _Atomic(const char *) hook; /* that it is in; NULL: none */
    _Atomic(const assay_call *) call;
    _Atomic unsigned calls; /* of hooks, that have begun */
    clockid_t clock;        /* of its CPU time */
    char *stack;            /* for handlers: a hook that calls itself for ever has used up the thread's */
    unsigned seen;
    double cpu, wall; /* when the timer first saw this call; wall 0: it has not */
};

static struct watched all[MOST_THREADS];
static _Atomic unsigned threads;
static _Thread_local struct watched *self;
static struct watched one_too_many; /* of all further threads: nobody looks at it */

static assay_spec base;                             /* what the user wrote */
static const char *source;                          /* the file */
static double limit_cpu, limit_wall, moment_of_end; /* 0: none */
static double asked;                                /* when the timer saw that the end was asked for */
static pid_t owner;
static _Atomic bool ending;

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    return clock_gettime(clock, &t) == 0 ? (double)t.tv_sec + (double)t.tv_nsec * 1e-9 : 0;
}

/* ---- the end ---- */

struct line {
    char text[400];
    size_t n;
};

static void add(struct line *l, const char *text)
{
    for (; *text && l->n < sizeof l->text - 1; text++)
        l->text[l->n++] = *text;
}

static void add_number(struct line *l, unsigned number)
{
    char digits[16];
    size_t at = sizeof digits - 1;
    digits[at] = 0;
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    add(l, digits + at);
}

static const char *method_name(const assay_call *call)
{
    for (const assay_method *m = call ? base.methods : NULL; m && m->name; m++)
        if (m->id == call->method)
            return m->name;
    return NULL;
}

/* "assay: the specification ticket: step, in a call of take, " */
static void begin(struct line *l, const struct watched *w)
{
    const char *hook = atomic_load(&w->hook), *method = method_name(atomic_load(&w->call));
    add(l, "assay: the specification ");
    add(l, base.name ? base.name : source);
    add(l, ": ");
    add(l, hook ? hook : "a hook");
    if (method) {
        add(l, ", in a call of ");
        add(l, method);
        add(l, ",");
    }
    add(l, " ");
}

/* The verdicts so far are printed, unless a thread is doing that. */
_Noreturn static void end(struct line *l, int status)
{
    static _Atomic(struct watched *) ender;
    if (atomic_exchange(&ending, true)) {
        if (self != atomic_load(&ender)) /* another thread is writing its own sentence */
            sleep((unsigned)grace);
        _exit(status);
    }
    atomic_store(&ender, self);
    outfile_abandon();
    if (getpid() == owner && ftrylockfile(stdout) == 0) {
        fflush(stdout);
        funlockfile(stdout);
    }
    add(l, "\n");
    ssize_t ignored = write(STDERR_FILENO, l->text, l->n);
    (void)ignored;
    _exit(status);
}

static bool is_inside(const struct watched *w)
{
    return w && atomic_load(&w->hook);
}

static void look_at_exit(void)
{
    struct line l = {.n = 0};
    if (!is_inside(self) || atomic_load(&ending))
        return;
    begin(&l, self);
    add(&l, "ended the program (it called exit)");
    end(&l, EXIT_FAULT);
}

static const struct {
    int number;
    const char *name;
} crashes[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}, {SIGABRT, "SIGABRT"}};

enum { CRASHES = sizeof crashes / sizeof *crashes };

/* Elsewhere a crash takes its usual course. */
static void look_at_crash(int number)
{
    struct line l = {.n = 0};
    if (!is_inside(self)) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    begin(&l, self);
    add(&l, "crashed: signal ");
    add_number(&l, (unsigned)number);
    for (size_t i = 0; i < CRASHES; i++)
        if (crashes[i].number == number) {
            add(&l, " (");
            add(&l, crashes[i].name);
            add(&l, ")");
        }
    end(&l, EXIT_FAULT);
}

/* ---- the timer ---- */

static bool is_late(const struct watched *w, double now)
{
    double wall = now - w->wall, cpu = seconds_of(w->clock) - w->cpu;
    bool end_is_due = (asked > 0 && now - asked > grace) || (moment_of_end > 0 && now - moment_of_end > grace);
    return (end_is_due && wall > grace) || (limit_wall > 0 && wall > limit_wall) ||
           (limit_cpu > 0 && (cpu > limit_cpu || wall > waiting * limit_cpu));
}

static void look_at_thread(struct watched *w, double now)
{
    unsigned calls = atomic_load(&w->calls);
    struct line l = {.n = 0};
    if (!is_inside(w)) {
        w->wall = 0;
        return;
    }
    if (w->wall <= 0 || calls != w->seen) {
        w->seen = calls;
        w->wall = now;
        w->cpu = seconds_of(w->clock);
        return;
    }
    if (!is_late(w, now))
        return;
    begin(&l, w);
    add(&l, "has not returned for ");
    add_number(&l, (unsigned)(now - w->wall + 0.5));
    add(&l, " s");
    end(&l, EXIT_OPEN);
}

static void look(int number)
{
    (void)number;
    double now = seconds_of(CLOCK_MONOTONIC);
    if (getpid() != owner) { /* of a process that inherited the handler */
        signal(SIGALRM, SIG_DFL);
        raise(SIGALRM);
        return;
    }
    if (stopping() && asked <= 0)
        asked = now;
    unsigned n = atomic_load(&threads);
    for (unsigned i = 0; i < n && i < MOST_THREADS; i++)
        look_at_thread(&all[i], now);
}

/* ---- the beginning ---- */

/* A worker may have blocked all signals; a crash while its signal is blocked ends the process in silence. */
static void let_crashes_through(struct watched *w)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < CRASHES; i++)
        sigaddset(&set, crashes[i].number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    stack_t now;
    if (sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE) || !(w->stack = malloc(STACK)))
        return;
    stack_t own = {.ss_sp = w->stack, .ss_size = STACK};
    sigaltstack(&own, NULL);
}

static struct watched *take_place(void)
{
    unsigned place = atomic_fetch_add(&threads, 1);
    struct watched *w = place < MOST_THREADS ? &all[place] : &one_too_many;
    if (pthread_getcpuclockid(pthread_self(), &w->clock) != 0)
        w->clock = CLOCK_PROCESS_CPUTIME_ID;
    let_crashes_through(w);
    return self = w;
}

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction before, action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_DFL) /* a sanitizer says more */
        sigaction(number, &action, NULL);
}

static void install(void)
{
    struct itimerval often = {{0, LOOK_MICROSECONDS}, {0, LOOK_MICROSECONDS}};
    owner = getpid();
    atexit(look_at_exit);
#if defined(__linux__)
    at_quick_exit(look_at_exit);
#endif
    for (size_t i = 0; i < CRASHES; i++)
        handle(crashes[i].number, look_at_crash, (int)SA_ONSTACK);
    handle(SIGALRM, look, SA_RESTART);
    setitimer(ITIMER_REAL, &often, NULL);
}

/* ---- the hooks ---- */

static struct watched *enter(const char *hook, const assay_call *call, const char **outer)
{
    struct watched *w = self ? self : take_place();
    *outer = atomic_load_explicit(&w->hook, memory_order_relaxed);
    atomic_store_explicit(&w->calls, atomic_load_explicit(&w->calls, memory_order_relaxed) + 1, memory_order_relaxed);
    atomic_store_explicit(&w->call, call, memory_order_relaxed);
    atomic_store_explicit(&w->hook, hook, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    return w;
}

static void leave(struct watched *w, const char *outer)
{
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&w->hook, outer, memory_order_relaxed);
}

/* A hook of the same name around the user's. */
#define AROUND(type, name, call, parameters, arguments)                                                                \
    static type guarded_##name parameters                                                                              \
    {                                                                                                                  \
        const char *outer;                                                                                             \
        struct watched *w = enter(#name, call, &outer);                                                                \
        type result = base.name arguments;                                                                             \
        leave(w, outer);                                                                                               \
        return result;                                                                                                 \
    }
#define AROUND_NOTHING(name, call, parameters, arguments)                                                              \
    static void guarded_##name parameters                                                                              \
    {                                                                                                                  \
        const char *outer;                                                                                             \
        struct watched *w = enter(#name, call, &outer);                                                                \
        base.name arguments;                                                                                           \
        leave(w, outer);                                                                                               \
    }

typedef const char *fault;
typedef void *state;

AROUND(fault, refuse, NULL, (const assay_setting *s), (s))
AROUND(fault, refuse_call, call, (const assay_call *call), (call))
AROUND(fault, refuse_use, call, (const assay_setting *s, const assay_call *call), (s, call))
AROUND(state, create, NULL, (const assay_setting *s, assay_value key, assay_memory *m), (s, key, m))
AROUND(state, copy, NULL, (const void *at, assay_memory *m), (at, m))
AROUND_NOTHING(destroy, NULL, (void *at, assay_memory *m), (at, m))
AROUND(assay_effect, step, call,
       (void *at, const assay_call *call, unsigned choice, assay_value *to, assay_saved *saved),
       (at, call, choice, to, saved))
AROUND_NOTHING(undo, call, (void *at, const assay_call *call, const assay_saved *saved), (at, call, saved))
AROUND(unsigned, choices, call, (const void *at, const assay_call *call), (at, call))
AROUND_NOTHING(digest, NULL, (const void *at, uint64_t out[2]), (at, out))
AROUND(bool, equal, NULL, (const void *a, const void *b), (a, b))
AROUND(assay_cut, cut, call, (const assay_call *call, assay_value *value), (call, value))
AROUND(size_t, describe, NULL, (const void *at, char *out, size_t size), (at, out, size))
AROUND_NOTHING(join, NULL, (void *at, assay_value key, const void *part), (at, key, part))
AROUND(bool, renews, NULL, (unsigned method), (method))
AROUND_NOTHING(content, NULL, (const void *at, void (*visit)(void *arg, assay_binding b), void *arg), (at, visit, arg))
AROUND(assay_effect, invoke, call, (void *at, const assay_call *call, assay_saved *saved), (at, call, saved))

/* A hook that the user left out stays out. */
static const assay_spec *wrap(const assay_spec *s)
{
    static assay_spec guarded;
    guarded = base = *s;
#define PUT(name) guarded.name = base.name ? guarded_##name : NULL;
    PUT(refuse)
    PUT(refuse_call)
    PUT(refuse_use)
    PUT(create)
    PUT(copy)
    PUT(destroy)
    PUT(step)
    PUT(undo)
    PUT(choices)
    PUT(digest)
    PUT(equal)
    PUT(cut)
    PUT(describe)
    PUT(join)
    PUT(renews)
    PUT(content)
    PUT(invoke)
    return &guarded;
}

const assay_spec *spec_guard_load(const char *file, assay_error *e)
{
    const char *outer;
    source = file;
    install();
    interrupt_sets_flag();
    struct watched *w = enter("loading it", NULL, &outer);
    const assay_spec *s = assay_spec_load(file, e);
    leave(w, outer);
    return s ? wrap(s) : NULL;
}

void spec_guard_limit(double cpu, double wall)
{
    limit_cpu = cpu;
    limit_wall = wall;
}

void spec_guard_until(double seconds)
{
    moment_of_end = seconds > 0 ? seconds_of(CLOCK_MONOTONIC) + seconds : 0;
}
