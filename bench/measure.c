/* SPDX-License-Identifier: Apache-2.0 */
/* One case: CPU time of reading and of checking, and the peak memory of both together. CPU time counts children
 * (solvers). Short checks are repeated until 20 ms have passed, which is long against the resolution of the clock. The
 * median ignores the first run, which finds cold caches. */
#include "bench/driver.h"

#include "collect/collect.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MOST_REPEATS = 20000, MOST_ROUNDS = 9 };

static const double ENOUGH = 0.02;
static const size_t MOST_MEMORY = (size_t)2 << 30; /* of a check with a time limit */

/* ---- inputs ---- */

struct writing {
    const struct collector *collector;
    struct collect_settings settings;
    uint32_t count;
    const char *path;
};

static void write_input(void *arg, void *out)
{
    struct writing *w = arg;
    FILE *f = fopen(w->path, "w");
    bool fine = f != NULL;
    for (uint32_t i = 0; i < w->count && fine; i++, w->settings.seed++)
        fine = collect_write(w->collector, &w->settings, i, f, NULL) && !ferror(f);
    fine = f && fclose(f) == 0 && fine;
    *(bool *)out = fine;
}

static bool set_number(const struct collector *c, struct collect_settings *s, const char *name, uint32_t value)
{
    char text[16];
    snprintf(text, sizeof text, "%u", value);
    return collect_set(c, s, name, text);
}

static const struct collector *collector_of(const struct input *in)
{
    return collector_find(in->object ? "object" : "memory");
}

static bool settings_for(const struct collector *c, const struct input *in, struct collect_settings *s)
{
    *s = collect_defaults(c);
    if (in->object)
        return collect_set(c, s, "object", in->object) && set_number(c, s, "operations", in->operations) &&
               set_number(c, s, "threads", in->threads) && set_number(c, s, "values", in->variables) &&
               set_number(c, s, "observers", in->observers) && set_number(c, s, "size", in->size) &&
               set_number(c, s, "pending", in->pending) && set_number(c, s, "mutate", in->mutate) &&
               (!in->mutate || set_number(c, s, "distance", in->distance)) &&
               (!in->distinct || collect_set(c, s, "distinct", NULL));
    return collect_set(c, s, "kind", in->kind) && set_number(c, s, "operations", in->operations) &&
           set_number(c, s, "threads", in->threads) && set_number(c, s, "variables", in->variables) &&
           set_number(c, s, "mutate", in->mutate) && (!in->mutate || set_number(c, s, "distance", in->distance)) &&
           (!in->shuffle || collect_set(c, s, "shuffle", NULL));
}

bool input_file(struct bench *b, const struct input *in, char path[PATH_SPACE])
{
    snprintf(path, PATH_SPACE, "%s/%s-%u-%u-%u-%u-%u-%d-%d-%u-%u-%u-%u.hist", b->folder,
             in->object ? in->object : in->kind, in->operations, in->threads, in->variables, in->mutate, in->distance,
             in->shuffle, in->distinct, in->observers, in->size, in->pending, in->count);
    if (access(path, R_OK) == 0)
        return true;
    const struct collector *c = collector_of(in);
    struct writing w = {.collector = c, .count = in->count ? in->count : 1, .path = path};
    bool fine = settings_for(c, in, &w.settings);
    if (fine && in_child(write_input, &w, &fine, sizeof fine) && fine)
        return true;
    bench_fault(b, "cannot generate %s", path);
    return false;
}

void input_command(const struct input *in, char *out, size_t size)
{
    const struct collector *c = collector_of(in);
    struct collect_settings s;
    settings_for(c, in, &s);
    collect_command(c, &s, out, size);
    size_t n = strlen(out);
    if (in->count > 1 && n < size)
        snprintf(out + n, size - n, " --count %u", in->count);
}

assay_history *input_history(const struct input *in)
{
    const struct collector *c = collector_of(in);
    struct collect_settings s;
    return settings_for(c, in, &s) ? collect_history(c, &s, NULL) : NULL;
}

/* ---- in the child ---- */

struct request {
    const struct bench *bench;
    const struct task *task;
    const char *path;
};

struct reply {
    bool fine;
    struct sample sample;
    char message[512];
};

static double cpu_seconds(void)
{
    struct timespec self;
    struct rusage children;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    return (double)(self.tv_sec + children.ru_utime.tv_sec + children.ru_stime.tv_sec) + (double)self.tv_nsec * 1e-9 +
           (double)(children.ru_utime.tv_usec + children.ru_stime.tv_usec) * 1e-6;
}

static double peak_megabytes(void)
{
    struct rusage self, children;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    long kilobytes = self.ru_maxrss > children.ru_maxrss ? self.ru_maxrss : children.ru_maxrss;
    return (double)kilobytes / 1024;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *at, size_t n)
{
    qsort(at, n, sizeof *at, ascending);
    return at[n / 2];
}

/* One check: the seconds it took, below 0 on an error. */
static double check_once(const assay_history *h, const struct request *q, assay_verdict *verdict, struct sample *out,
                         assay_error *e)
{
    const struct task *t = q->task;
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = t->engine, .wall_seconds = t->limit,
                             .memory = t->limit > 0 ? MOST_MEMORY : 0, .interrupt = q->bench->set->interrupt};
    double start = cpu_seconds();
    assay_result *r = assay_check(h, t->model, &options, e);
    double seconds = cpu_seconds() - start;
    if (!r)
        return -1;
    *verdict = assay_result_verdict(r);
    const char *engine = t->engine ? t->engine : assay_result_engine(r);
    snprintf(out->engine, sizeof out->engine, "%s", engine ? engine : "");
    assay_result_free(r);
    return seconds;
}

/* Adds the history's time and verdict to the sample. */
static bool check_repeatedly(const assay_history *h, const struct request *q, struct sample *out, assay_error *e)
{
    static double times[MOST_REPEATS];
    assay_verdict verdict = ASSAY_UNDECIDED;
    size_t n = 0;
    for (double sum = 0; sum < ENOUGH && n < MOST_REPEATS; sum += times[n++]) {
        times[n] = check_once(h, q, &verdict, out, e);
        if (times[n] < 0)
            return false;
    }
    out->check += median(times, n);
    out->violations += verdict == ASSAY_VIOLATION;
    out->undecided = verdict == ASSAY_UNDECIDED;
    return true;
}

/* False at the end of the file, after an error, or when nothing more is to be tried. */
static bool read_and_check_one(assay_reader *reader, const struct request *q, struct sample *out, assay_error *e)
{
    double start = cpu_seconds();
    assay_history *h = assay_reader_next(reader, e);
    bool fine = h != NULL;
    if (h) {
        out->read += cpu_seconds() - start;
        out->histories++;
        fine = !q->task->model || check_repeatedly(h, q, out, e);
    }
    assay_history_free(h);
    return fine && !out->undecided;
}

static void read_and_check(void *arg, void *out)
{
    const struct request *q = arg;
    struct reply *reply = out;
    struct sample *s = &reply->sample;
    assay_error e = {0};
    assay_reader *reader = assay_reader_open(q->path, NULL, &e);
    while (reader && read_and_check_one(reader, q, s, &e))
        continue;
    assay_reader_close(reader);
    reply->fine = !e.code && s->histories;
    s->read /= s->histories;
    s->check /= s->histories;
    s->peak = peak_megabytes();
    snprintf(reply->message, sizeof reply->message, "%s", e.message);
}

/* ---- the case ---- */

static const char *engine_name(const struct task *t)
{
    return t->engine ? t->engine : "the default engine";
}

static bool measure_round(struct bench *b, const struct task *t, const char *path, struct sample *out)
{
    struct request q = {b, t, path};
    struct reply reply = {0};
    if (!in_child(read_and_check, &q, &reply, sizeof reply)) {
        bench_fault(b, "the process that measures %s died", t->model ? t->model : "reading");
        return false;
    }
    if (!reply.fine) {
        bench_fault(b, "%s with %s: %s", t->model, engine_name(t), reply.message);
        return false;
    }
    *out = reply.sample;
    return bench_goes_on(b);
}

static bool verdict_fits(const struct task *t, const struct sample *s)
{
    if (!t->model || t->expected == ANY_VERDICT)
        return true;
    if (s->undecided)
        return t->limit > 0;
    return s->violations == (t->expected == ASSAY_VIOLATION ? s->histories : 0);
}

bool measure(struct bench *b, const struct task *t, struct sample *out)
{
    char path[PATH_SPACE];
    double reads[MOST_ROUNDS], checks[MOST_ROUNDS], peaks[MOST_ROUNDS];
    size_t n = t->rounds < 1 ? 1 : t->rounds > MOST_ROUNDS ? MOST_ROUNDS : t->rounds;
    if (!bench_goes_on(b) || !input_file(b, &t->input, path))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!measure_round(b, t, path, out))
            return false;
        reads[i] = out->read;
        checks[i] = out->check;
        peaks[i] = out->peak;
    }
    out->read = median(reads, n);
    out->check = median(checks, n);
    out->peak = median(peaks, n);
    if (verdict_fits(t, out))
        return true;
    bench_fault(b, "%s with %s finds %u violations in %u histories where %s is known", t->model, engine_name(t),
                out->violations, out->histories, assay_verdict_name((assay_verdict)t->expected));
    return false;
}
