/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/race.h"

#include "assay_monitor.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* CPU time after each step. Asking for it costs more than a step of a fast monitor, the clock on the wall costs little:
 * as long as that says that hardly any time has passed, no other process can have run for longer. The CPU time is the
 * thread's, since Linux counts that of a process in ticks while ITIMER_PROF runs. */
struct stopwatch {
    double wall, cpu; /* when CPU time was asked for last */
};

static const double SHORT = 1e-4; /* seconds */

static double stopwatch_read(struct stopwatch *s)
{
    double since = wall_seconds() - s->wall;
    if (since < SHORT)
        return s->cpu + since;
    *s = (struct stopwatch){wall_seconds(), thread_seconds()};
    return s->cpu;
}

static void run(const struct race *r, struct lap *lap)
{
    assay_error e = {0};
    assay_monitor_options options = {ASSAY_MONITOR_OPTIONS_INIT, .engine = r->engine};
    const char *line = r->log->lines;
    assay_monitor *m = assay_monitor_open(r->log->object, &options, &e);
    lap->failed = !m;
    struct stopwatch watch = {0};
    double start = stopwatch_read(&watch);
    while (!lap->failed && !lap->violation && *line && lap->steps < RACE_STEPS) {
        const char *next = strchr(line, '\n') + 1;
        lap->failed = !assay_monitor_feed(m, line, (size_t)(next - line), &e);
        line = next;
        lap->at[lap->steps++] = stopwatch_read(&watch) - start;
        const assay_monitor_violation *v = assay_monitor_first(m);
        if (v) {
            lap->violation = (uint32_t)v->event;
            lap->found = lap->at[lap->steps - 1];
        }
    }
}

/* In the child: SIGPROF ends it when its CPU time is over; the lap is shared, so that its progress is not lost. */
static _Noreturn void run_child(const struct race *r, struct lap *lap)
{
    double whole = (double)(time_t)r->limit;
    struct itimerval limit = {.it_value = {(time_t)whole, (suseconds_t)(1e6 * (r->limit - whole))}};
    signal(SIGPROF, SIG_DFL);
    setitimer(ITIMER_PROF, &limit, NULL);
    run(r, lap);
    _exit(0);
}

static bool ended_well(int status)
{
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) || (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF);
}

static void wait_for_one(struct bench *b)
{
    int status;
    while (waitpid(-1, &status, 0) < 0)
        if (errno != EINTR)
            return;
    if (!ended_well(status))
        bench_fault(b, "a monitor died while it was measured");
}

void race_run(struct bench *b, const struct race *races, struct lap *laps, size_t n)
{
    size_t bytes = n * sizeof *laps;
    long processors = sysconf(_SC_NPROCESSORS_ONLN), running = 0;
    struct lap *shared = shared_alloc(bytes);
    if (!shared) {
        bench_fault(b, "no memory for %zu laps", n);
        return;
    }
    for (size_t i = 0; i < n && bench_goes_on(b); i++, running++) {
        if (running >= processors) {
            wait_for_one(b);
            running--;
        }
        pid_t child = fork();
        if (child == 0)
            run_child(&races[i], &shared[i]);
        if (child < 0) {
            bench_fault(b, "cannot start a process: %s", strerror(errno));
            break;
        }
    }
    for (; running > 0; running--)
        wait_for_one(b);
    memcpy(laps, shared, bytes);
    shared_free(shared, bytes);
    for (size_t i = 0; i < n; i++) {
        const char *name = races[i].engine ? races[i].engine : "of the object";
        if (laps[i].failed)
            bench_fault(b, "the monitor %s cannot be measured here", name);
        if (laps[i].violation && races[i].log->correct)
            bench_fault(b, "the monitor %s finds a violation where there is none", name);
    }
}
