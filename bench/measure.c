/* SPDX-License-Identifier: Apache-2.0 */
/* One case: CPU time of reading and of checking, and the peak memory of both together. CPU time counts children
 * (solvers). Short checks are repeated until 20 ms have passed, which is long against the resolution of the clock. Of
 * many histories, 200 ms for all of them are enough. The median ignores the first run, which finds cold caches. */
#include "bench/driver.h"

#include "base/clock.h"
#include "bench/edn.h"
#include "bench/ledger.h"
#include "bench/statistics.h"
#include "collect/collect.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MOST_REPEATS = 20000, MOST_ROUNDS = 9, MOST_NAME = 200 };

static const double ENOUGH = 0.02, ENOUGH_IN_ALL = 0.2; /* of one history, and of all histories of a file */
static const double LEDGER_PATIENCE = 1;                /* seconds that further rounds for the ledger may take */
static const size_t MOST_MEMORY = (size_t)2 << 30;      /* of a check with a time limit */

/* ---- inputs ---- */

static bool set_number(const struct collector *c, struct collect_settings *s, const char *name, uint32_t value)
{
    char text[16];
    snprintf(text, sizeof text, "%u", value);
    return collect_set(c, s, name, text);
}

static const struct collector *collector_of(const struct input *in)
{
    return collector_find(in->object     ? "object"
                          : in->protocol ? "coherence"
                          : in->clauses  ? "formula"
                          : in->store    ? "transactions"
                                         : "memory");
}

static bool set_caches(const struct collector *c, const struct input *in, struct collect_settings *s)
{
    return (strcmp(in->protocol, "all") == 0 || collect_set(c, s, "protocol", in->protocol)) &&
           collect_set(c, s, "fences", "0") && collect_set(c, s, "rmws", "0");
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
               (!in->distinct || collect_set(c, s, "distinct", NULL)) &&
               (!in->silent || collect_set(c, s, "silent", NULL)) &&
               (!in->methods || collect_set(c, s, "methods", in->methods));
    if (in->store)
        return collect_set(c, s, "store", in->store) && set_number(c, s, "transactions", in->operations) &&
               set_number(c, s, "sessions", in->threads) && set_number(c, s, "keys", in->variables) &&
               (!in->lists || collect_set(c, s, "data", "lists")) &&
               (!in->values || set_number(c, s, "values", in->values));
    if (in->clauses)
        return set_number(c, s, "variables", in->variables) && set_number(c, s, "clauses", in->clauses) &&
               set_number(c, s, "satisfiable", in->satisfiable) && (!in->shuffle || collect_set(c, s, "shuffle", NULL));
    return (in->protocol ? set_caches(c, in, s) : collect_set(c, s, "kind", in->kind)) &&
           set_number(c, s, "operations", in->operations) && set_number(c, s, "threads", in->threads) &&
           set_number(c, s, "variables", in->variables) && set_number(c, s, "mutate", in->mutate) &&
           (!in->mutate || set_number(c, s, "distance", in->distance)) &&
           (!in->values || set_number(c, s, "values", in->values)) &&
           (!in->shuffle || collect_set(c, s, "shuffle", NULL));
}

/* ---- files of them ---- */

struct writing {
    const struct collector *collector;
    struct collect_settings settings;
    const struct input *input;
    const char *path;
};

static const char *const *protocol_names(const struct collector *c)
{
    const struct collect_parameter *p = c->parameters;
    while (strcmp(p->name, "protocol") != 0)
        p++;
    return p->words;
}

/* The i-th of some words up to NULL, and again from the first one. */
static const char *in_turn(const char *const *words, uint32_t i)
{
    uint32_t n = 0;
    while (words[n])
        n++;
    return words[i % n];
}

static bool set_turn(struct writing *w, uint32_t i)
{
    const struct input *in = w->input;
    bool all = in->protocol && strcmp(in->protocol, "all") == 0;
    bool whole = in->half && i % 2 == 0;
    return (!all || collect_set(w->collector, &w->settings, "protocol",
                                in_turn(protocol_names(w->collector), in->half ? i / 2 : i))) &&
           (!in->bugs || collect_set(w->collector, &w->settings, "bug", in_turn(in->bugs, i))) &&
           (!in->half || set_number(w->collector, &w->settings, "mutate", whole ? 0 : in->mutate));
}

static bool violates(const struct writing *w)
{
    assay_history *h = collect_history(w->collector, &w->settings, NULL);
    assay_result *r = h ? assay_check(h, w->input->violates, NULL, NULL) : NULL;
    bool violation = r && assay_result_verdict(r) == ASSAY_VIOLATION;
    assay_result_free(r);
    assay_history_free(h);
    return violation;
}

/* The next seed whose history is one of those to be kept. */
static bool seek(struct writing *w, uint32_t i)
{
    enum { MOST_SEEDS = 100000 };
    bool wanted = !w->input->half || i % 2;
    uint64_t last = w->settings.seed + MOST_SEEDS;
    if (!set_turn(w, i))
        return false;
    while (w->input->violates && violates(w) != wanted && w->settings.seed < last)
        w->settings.seed++;
    return w->settings.seed < last;
}

static bool write_one(const struct writing *w, uint32_t i, FILE *f)
{
    const char *format = w->input->format;
    for (uint32_t x = 0; x < w->input->initial; x++)
        fprintf(f, "# @init x%u=0\n", x);
    if (!format)
        return collect_write(w->collector, &w->settings, i, f, NULL);
    assay_history *h = collect_history(w->collector, &w->settings, NULL);
    bool fine = h && (strcmp(format, "edn") == 0 ? edn_write(h, f) : assay_history_write(h, format, i, f, NULL));
    assay_history_free(h);
    return fine;
}

static void write_input(void *arg, void *out)
{
    struct writing *w = arg;
    FILE *f = fopen(w->path, "w");
    bool fine = f != NULL;
    for (uint32_t i = 0; i < (w->input->count ? w->input->count : 1) && fine; i++, w->settings.seed++)
        fine = seek(w, i) && write_one(w, i, f) && !ferror(f);
    fine = f && fclose(f) == 0 && fine;
    *(bool *)out = fine;
}

void input_command(const struct input *in, char *out, size_t size)
{
    const struct collector *c = collector_of(in);
    struct collect_settings s;
    settings_for(c, in, &s);
    size_t n = 0;
    if (in->initial)
        n = (size_t)snprintf(out, size, "(seq -f '# @init x%%.0f=0' 0 %u; ", in->initial - 1);
    collect_command(c, &s, out + n, size - n);
    n = strlen(out);
    if (in->count > 1 && n < size)
        n += (size_t)snprintf(out + n, size - n, " --count %u", in->count);
    if (in->initial && n < size)
        snprintf(out + n, size - n, ")");
}

/* The parts of the input that its command does not have. */
static void name_input(const struct input *in, char *out, size_t size)
{
    input_command(in, out, size);
    size_t n = strlen(out);
    snprintf(out + n, size - n, "%s%s%s%s%s", in->protocol && strcmp(in->protocol, "all") == 0 ? ", all protocols" : "",
             in->bugs ? ", bugs" : "", in->violates ? ", violations of " : "", in->violates ? in->violates : "",
             in->half ? ", half of them" : "");
    n = strlen(out);
    if (in->format)
        snprintf(out + n, size - n, " | assay convert -t %s", in->format);
}

/* A name for each input: its words, with a dash for each character that is not for file names. */
static void file_of(const struct bench *b, const struct input *in, char path[PATH_SPACE])
{
    char name[COMMAND_SPACE];
    name_input(in, name, sizeof name);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '-';
    snprintf(path, PATH_SPACE, "%s/%.*s.%s", b->folder, MOST_NAME, name, in->format ? in->format : "hist");
}

bool input_file(struct bench *b, const struct input *in, char path[PATH_SPACE])
{
    file_of(b, in, path);
    if (access(path, R_OK) == 0)
        return true;
    const struct collector *c = collector_of(in);
    struct writing w = {.collector = c, .input = in, .path = path};
    bool fine = settings_for(c, in, &w.settings);
    if (fine && in_child(write_input, &w, &fine, sizeof fine) && fine)
        return true;
    bench_fault(b, "cannot generate %s", path);
    return false;
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

double thread_seconds(void)
{
    return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

double wall_seconds(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

double cpu_seconds(void)
{
    struct rusage children;
    getrusage(RUSAGE_CHILDREN, &children);
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID) + (double)(children.ru_utime.tv_sec + children.ru_stime.tv_sec) +
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

/* One check: the seconds it took, below 0 on an error. */
static double check_once(const assay_history *h, const struct request *q, assay_verdict *verdict, struct sample *out,
                         assay_error *e)
{
    const struct task *t = q->task;
    assay_options options = {ASSAY_OPTIONS_INIT,
                             .engine = t->engine,
                             .seconds = t->limit_is_cpu ? t->limit : 0,
                             .wall_seconds = t->limit_is_cpu ? 0 : t->limit,
                             .memory = t->limit > 0 ? MOST_MEMORY : 0,
                             .interrupt = q->bench->set->interrupt};
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
    double share = ENOUGH_IN_ALL / (q->task->input.count ? q->task->input.count : 1);
    for (double sum = 0; sum < ENOUGH && sum < share && n < MOST_REPEATS; sum += times[n++]) {
        times[n] = check_once(h, q, &verdict, out, e);
        if (times[n] < 0 && q->task->may_decline && e->code == ASSAY_ERROR_NOT_APPLICABLE) {
            *e = (assay_error){0};
            out->undecided = true;
            return true;
        }
        if (times[n] < 0)
            return false;
    }
    double typical = median(times, n);
    out->check += typical;
    out->slowest = typical > out->slowest ? typical : out->slowest;
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
    bool enough = q->task->enough > 0 && out->check >= q->task->enough;
    return fine && !out->undecided && !enough;
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

struct rounds {
    double reads[MOST_ROUNDS], checks[MOST_ROUNDS], peaks[MOST_ROUNDS];
    size_t n;
};

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

/* The rounds that are asked for; for the ledger a few more, unless they take long. */
static bool another_round(const struct bench *b, const struct task *t, size_t done, double seconds)
{
    size_t wanted = t->rounds < 1 ? 1 : t->rounds;
    if (b->set->ledger && wanted < LEDGER_ROUNDS && seconds < LEDGER_PATIENCE)
        wanted = LEDGER_ROUNDS;
    return done < wanted && done < MOST_ROUNDS;
}

static void note(struct ledger *l, const struct task *t, const struct rounds *r)
{
    char input[COMMAND_SPACE], check[2 * COMMAND_SPACE];
    if (!l)
        return;
    name_input(&t->input, input, sizeof input);
    ledger_time(l, input, "read", r->reads, r->n);
    if (!t->model)
        return;
    snprintf(check, sizeof check, "%s | assay check -m %s%s%s", input, t->model, t->engine ? " -e " : "",
             t->engine ? t->engine : "");
    ledger_time(l, check, "check", r->checks, r->n);
    ledger_memory(l, check, r->peaks, r->n);
}

bool measure(struct bench *b, const struct task *t, struct sample *out)
{
    char path[PATH_SPACE];
    struct rounds r = {.n = 0};
    double start = cpu_seconds();
    if (!bench_goes_on(b) || !input_file(b, &t->input, path))
        return false;
    for (; another_round(b, t, r.n, cpu_seconds() - start); r.n++) {
        if (!measure_round(b, t, path, out))
            return false;
        r.reads[r.n] = out->read;
        r.checks[r.n] = out->check;
        r.peaks[r.n] = out->peak;
    }
    out->read = median(r.reads, r.n);
    out->check = median(r.checks, r.n);
    out->peak = median(r.peaks, r.n);
    if (verdict_fits(t, out)) {
        if (!out->undecided)
            note(b->set->ledger, t, &r);
        return true;
    }
    bench_fault(b, "%s with %s finds %u violations in %u histories where %s is known", t->model, engine_name(t),
                out->violations, out->histories, assay_verdict_name((assay_verdict)t->expected));
    return false;
}
