/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/soak.h"

#include "assay_monitor.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK = 1 << 16 };

static bool write_all(int fd, const char *at, size_t n)
{
    while (n) {
        ssize_t written = write(fd, at, n);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false; /* the reader has found a violation */
        at += written;
        n -= (size_t)written;
    }
    return true;
}

static void write_log(int fd, const struct soak *s, uint64_t *wrong_at)
{
    static char block[BLOCK + LIVE_LINE];
    static struct live live;
    size_t filled = 0;
    bool read = true;
    live_start(&live, &s->log);
    while (read && live.events < s->events) {
        filled += live_next(&live, block + filled);
        *wrong_at = live.wrong_at;
        if (filled >= BLOCK) {
            read = write_all(fd, block, filled);
            filled = 0;
        }
    }
    if (read)
        write_all(fd, block, filled);
}

static void write_collected(int fd, const struct soak *s)
{
    FILE *to = fdopen(fd, "w");
    if (to) {
        collect_write(collector_find(s->collector), s->store, 0, to, NULL);
        fclose(to);
    }
}

static double resident_megabytes(void)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%*u %lu", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

static double seconds(const struct timeval *t)
{
    return (double)t->tv_sec + 1e-6 * (double)t->tv_usec;
}

static void follow(int fd, const struct soak *s, struct soaked *out)
{
    static char block[BLOCK];
    assay_error e = {0};
    assay_monitor_options options = {ASSAY_MONITOR_OPTIONS_INIT, .engine = s->engine, .model = s->model,
                                     .sessions = s->sessions};
    assay_monitor *m = assay_monitor_open(s->store ? NULL : live_objects[s->log.kind], &options, &e);
    for (ssize_t n;
         m && !assay_monitor_first(m) && ((n = read(fd, block, sizeof block)) > 0 || (n < 0 && errno == EINTR));) {
        if (n > 0 && !assay_monitor_feed(m, block, (size_t)n, &e))
            break;
        out->events = assay_monitor_statistics(m).events;
        while (out->samples < SOAK_SAMPLES && out->events * SOAK_SAMPLES >= (out->samples + 1) * s->events)
            out->curve[out->samples++] = resident_megabytes();
    }
    if (!m)
        return;
    if (s->store)
        assay_monitor_end(m, &e);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    out->cpu = seconds(&used.ru_utime) + seconds(&used.ru_stime);
    const assay_monitor_violation *v = assay_monitor_first(m);
    out->violation = v ? v->event : 0;
    assay_monitor_use use = assay_monitor_used(m, 0);
    snprintf(out->engine, sizeof out->engine, "%s", use.engine ? use.engine : "");
    out->exact = use.exact && !use.weakened;
    assay_monitor_stats stats = assay_monitor_statistics(m);
    out->forgotten = stats.forgotten;
    out->kept = stats.kept;
    assay_monitor_close(m);
}

/* In a process of its own, whose child is the program that writes. */
static void run(void *arg, void *answer)
{
    struct soaked *out = answer;
    int ends[2];
    uint64_t *wrong_at = shared_alloc(sizeof *wrong_at);
    if (!wrong_at || pipe(ends) != 0)
        return;
    pid_t writer = fork();
    if (writer == 0) {
        close(ends[0]);
        const struct soak *s = arg;
        s->store ? write_collected(ends[1], s) : write_log(ends[1], s, wrong_at);
        _exit(0);
    }
    close(ends[1]);
    if (writer > 0)
        follow(ends[0], arg, out);
    close(ends[0]);
    while (writer > 0 && waitpid(writer, NULL, 0) < 0 && errno == EINTR)
        continue;
    out->wrong_at = *wrong_at;
}

void soak_run(struct bench *b, const struct soak *s, struct soaked *out)
{
    struct soak copy = *s;
    memset(out, 0, sizeof *out);
    if (bench_goes_on(b) && (!in_child(run, &copy, out, sizeof *out) || !out->engine[0]))
        bench_fault(b, "the monitor %s cannot be measured here", s->engine ? s->engine : "of the object");
}
