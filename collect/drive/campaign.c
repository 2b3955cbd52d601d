/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/drive/campaign.h"

#include "base/error.h"
#include "collect/drive/session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WAITING_PER_CHECKER = 4, SAMPLE_FIRST = 10, SAMPLE_EVERY = 100, MOST_CHECKERS = 64, PATH_ROOM = 4096 };

struct job {
    struct job *next;
    struct drive_record record;
};

struct campaign_state {
    const struct drive_campaign_settings *settings;
    struct drive_summary *summary;
    struct drive_journal journal;
    struct drive *drive;
    double started;
    struct drive_share *rests; /* of histories that were cut short, in their order; only the main thread */
    size_t rest_count;
    bool full; /* no memory for one */

    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* under the lock */
    struct job *first, **last;
    unsigned waiting;
    bool ends;
    assay_error error; /* of a checker */

    pthread_t checkers[MOST_CHECKERS];
    unsigned checker_count;
    pthread_t reporter;
    bool reporting;
    atomic_ullong current; /* the number of the history that is being driven */
    atomic_bool quiet;     /* no more progress */
};

void drive_path(const char *folder, uint64_t number, const char *suffix, char *out, size_t size)
{
    size_t n = strlen(folder);
    while (n > 1 && folder[n - 1] == '/')
        n--;
    snprintf(out, size, "%.*s/%04" PRIu64 "%s", (int)n, folder, number, suffix);
}

static void remove_log(const struct campaign_state *x, uint64_t number)
{
    char path[PATH_ROOM];
    drive_path(x->settings->drive.folder, number, ".log", path, sizeof path);
    unlink(path);
}

static bool stopped(const struct campaign_state *x)
{
    const struct drive_settings *d = &x->settings->drive;
    return d->interrupt && d->interrupt(d->arg);
}

static double seconds_now(void)
{
    return (double)drive_now() * 1e-9;
}

static void sum_up(void *arg, const struct drive_record *r)
{
    const struct campaign_state *x = arg;
    drive_summary_add(x->summary, r, x->settings->model_count, x->settings->promise);
    if (x->settings->finished)
        x->settings->finished(x->settings->context, r);
}

/* ---- what a history is to have ---- */

/* All have the same, but those behind the last have what is left of others. */
static struct drive_share share_of(const struct campaign_state *x, uint64_t number)
{
    const struct drive_settings *d = &x->settings->drive;
    struct drive_share share = {.operations = d->operations, .seconds = d->seconds};
    uint64_t last = x->settings->histories;
    if (last && number > last && number - last <= x->rest_count)
        share = x->rests[number - last - 1];
    share.seed = d->seed + number - 1;
    return share;
}

static bool note_rest(struct campaign_state *x, const struct drive_record *r)
{
    struct drive_share rest = share_of(x, r->number);
    uint64_t done = drive_operations(&r->tally.counts);
    if (r->tally.counts.complete || (rest.operations && done >= rest.operations) ||
        (rest.seconds > 0 && r->tally.seconds >= rest.seconds))
        return true;
    struct drive_share *grown = realloc(x->rests, (x->rest_count + 1) * sizeof *grown);
    if (!grown)
        return false;
    rest.operations -= rest.operations ? done : 0;
    rest.seconds -= rest.seconds > 0 ? r->tally.seconds : 0;
    x->rests = grown;
    x->rests[x->rest_count++] = rest;
    return true;
}

static void sum_up_earlier(void *arg, const struct drive_record *r)
{
    struct campaign_state *x = arg;
    x->summary->earlier++;
    x->full = !note_rest(x, r) || x->full;
    sum_up(arg, r);
}

/* ---- checking ---- */

/* Without a checker the history could not be read. */
static void check_model(struct drive_verdict *v, assay_checker *c, const char *model, assay_error *unchecked)
{
    assay_result *r = c ? assay_checker_run(c, model, unchecked) : NULL;
    snprintf(v->model, sizeof v->model, "%s", model);
    v->finding = DRIVE_ERROR;
    if (!r)
        return;
    const char *pattern = assay_result_pattern(r);
    v->finding = (enum drive_finding)assay_result_verdict(r);
    v->seconds = assay_result_seconds(r);
    if (v->finding == DRIVE_VIOLATION && pattern)
        snprintf(v->pattern, sizeof v->pattern, "%s", pattern);
    assay_result_free(r);
}

/* Objects other than memories and transactions have no versions. */
static void measure_staleness(const struct campaign_state *x, const assay_history *h, struct drive_staleness *out)
{
    const struct workload *w = x->settings->drive.workload;
    bool versions = w->transactions || strcmp(w->object, "memory") == 0;
    assay_error ignored = {0};
    assay_staleness *s = versions ? assay_stale(h, &x->settings->check, &ignored) : NULL;
    if (!s)
        return;
    assay_behind most = assay_staleness_percentile(s, 1000);
    *out = (struct drive_staleness){.reads = assay_staleness_reads(s),
                                    .stale = assay_staleness_stale(s),
                                    .versions = most.versions,
                                    .ns = most.time};
    assay_staleness_free(s);
}

static bool check_file(const struct campaign_state *x, const char *path, struct drive_record *r, assay_error *unchecked,
                       assay_error *e)
{
    const struct drive_campaign_settings *s = x->settings;
    if (!s->model_count)
        return true;
    if (!drive_operations(&r->tally.counts)) { /* nothing happened, so nothing is wrong */
        for (; r->verdict_count < s->model_count; r->verdict_count++)
            snprintf(r->verdicts[r->verdict_count].model, DRIVE_MODEL_NAME, "%s", s->models[r->verdict_count]);
        return true;
    }
    assay_reader *reader = assay_reader_open(path, "hist", e);
    assay_history *h = reader ? assay_reader_next(reader, e) : NULL;
    assay_checker *c = h ? assay_checker_new(h, &s->check, e) : NULL;
    for (; r->verdict_count < s->model_count; r->verdict_count++)
        check_model(&r->verdicts[r->verdict_count], c, s->models[r->verdict_count], unchecked);
    if (h)
        measure_staleness(x, h, &r->staleness);
    bool fine = c != NULL;
    assay_checker_free(c);
    assay_history_free(h);
    assay_reader_close(reader);
    return fine;
}

static bool undecided(const struct drive_record *r)
{
    for (size_t i = 0; i < r->verdict_count; i++)
        if (r->verdicts[i].finding == DRIVE_UNDECIDED)
            return true;
    return false;
}

/* Is the file worth keeping? */
static bool keep(const struct campaign_state *x, const struct drive_record *r)
{
    const struct drive_durability *d = &r->tally.counts.durability;
    bool clean = !d->lost && !d->duplicated && !d->unexpected;
    for (size_t i = 0; i < r->verdict_count; i++)
        clean = clean && r->verdicts[i].finding == DRIVE_CONSISTENT;
    return x->settings->keep_all || !clean || r->number <= SAMPLE_FIRST || r->number % SAMPLE_EVERY == 0;
}

static void check_job(struct campaign_state *x, struct drive_record *r)
{
    char path[PATH_ROOM];
    assay_error e = {0}, unchecked = {0};
    drive_path(x->settings->drive.folder, r->number, ".hist", path, sizeof path);
    bool fine = check_file(x, path, r, &unchecked, &e);
    if (stopped(x) && undecided(r)) /* it is checked when the campaign goes on */
        return;
    r->kept = keep(x, r);
    if (!r->kept)
        unlink(path);
    pthread_mutex_lock(&x->lock);
    if (drive_journal_add(&x->journal, r, &e)) {
        sum_up(x, r);
        remove_log(x, r->number);
    }
    if (!fine || e.code != ASSAY_OK)
        error_copy(&x->error, &e);
    error_copy(&x->summary->unchecked, &unchecked);
    pthread_mutex_unlock(&x->lock);
}

static struct job *take_job(struct campaign_state *x)
{
    pthread_mutex_lock(&x->lock);
    while (!x->first && !x->ends)
        pthread_cond_wait(&x->changed, &x->lock);
    struct job *j = x->first;
    if (j) {
        x->first = j->next;
        x->last = x->first ? x->last : &x->first;
    }
    pthread_mutex_unlock(&x->lock);
    return j;
}

static void *check_all(void *arg)
{
    struct campaign_state *x = arg;
    for (struct job *j; (j = take_job(x)); free(j)) {
        check_job(x, &j->record);
        pthread_mutex_lock(&x->lock);
        x->waiting--;
        pthread_cond_broadcast(&x->changed);
        pthread_mutex_unlock(&x->lock);
    }
    return NULL;
}

static bool hand_over(struct campaign_state *x, const struct drive_record *r, assay_error *e)
{
    struct job *j = malloc(sizeof *j);
    if (!j) {
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
        return false;
    }
    *j = (struct job){.record = *r};
    pthread_mutex_lock(&x->lock);
    while (x->waiting >= WAITING_PER_CHECKER * x->checker_count && x->error.code == ASSAY_OK)
        pthread_cond_wait(&x->changed, &x->lock);
    *x->last = j;
    x->last = &j->next;
    x->waiting++;
    bool fine = x->error.code == ASSAY_OK;
    pthread_cond_broadcast(&x->changed);
    pthread_mutex_unlock(&x->lock);
    return fine;
}

/* ---- files ---- */

/* The history is written beside its place. The log goes when the journal has the history: its counts are there. */
static bool make_history(const char *folder, uint64_t number, struct drive_counts *counts, assay_error *e)
{
    char log[PATH_ROOM], temporary[PATH_ROOM], place[PATH_ROOM];
    drive_path(folder, number, ".log", log, sizeof log);
    drive_path(folder, number, ".hist.tmp", temporary, sizeof temporary);
    drive_path(folder, number, ".hist", place, sizeof place);
    FILE *to = fopen(temporary, "w");
    bool written = to && drive_recover(log, to, counts, e) && !ferror(to);
    if (to && fclose(to) != 0)
        written = false;
    if (written && rename(temporary, place) == 0)
        return true;
    error_set(e, ASSAY_ERROR_RESOURCE, "cannot write: %s", strerror(errno));
    error_place(e, place, 0, 0);
    error_remedy(e, "its operations are in %s, from which `assay recover` makes it", log);
    unlink(temporary);
    return false;
}

static bool exists(const char *folder, uint64_t number, const char *suffix)
{
    char path[PATH_ROOM];
    drive_path(folder, number, suffix, path, sizeof path);
    return access(path, F_OK) == 0;
}

/* ---- driving ---- */

static bool vanished(const char *path, assay_error *e)
{
    error_set(e, ASSAY_ERROR_RESOURCE, "it has vanished, and its operations with it");
    error_place(e, path, 0, 0);
    return false;
}

/* An earlier run of the campaign was killed and has left this log. */
static bool is_ours(struct campaign_state *x, const struct drive_share *share, const char *log, assay_error *e)
{
    if (drive_owns(x->drive, share, log))
        return true;
    error_set(e, ASSAY_ERROR_INPUT, "this log is not of this campaign");
    error_place(e, log, 0, 0);
    error_remedy(e, "move it away; `assay recover` makes a history of it");
    return false;
}

/* Drives a history, or takes the log that an earlier run has left. */
static bool record(struct campaign_state *x, struct drive_record *r, assay_error *e)
{
    const struct drive_settings *d = &x->settings->drive;
    struct drive_share share = share_of(x, r->number);
    char log[PATH_ROOM];
    bool fine = true;
    drive_path(d->folder, r->number, ".log", log, sizeof log);
    if (exists(d->folder, r->number, ".log")) {
        if (!is_ours(x, &share, log, e))
            return false;
    } else {
        fine = drive_history(x->drive, &share, log, &r->tally, e);
        x->summary->seconds += r->tally.seconds;
        latency_merge(&x->summary->latency, &r->tally.latency);
        memcpy(x->summary->trouble, r->tally.trouble, sizeof r->tally.trouble);
        if (!exists(d->folder, r->number, ".log"))
            return fine ? vanished(log, e) : false;
    }
    bool made = make_history(d->folder, r->number, &r->tally.counts, e);
    x->summary->driven += r->tally.seconds > 0 ? drive_operations(&r->tally.counts) : 0;
    if (r->tally.seconds <= 0) /* its log was there */
        r->tally.seconds = (double)r->tally.counts.lasted * 1e-9;
    return made && fine;
}

/* A history whose line in the journal is lost. */
static bool count_again(const char *folder, struct drive_record *r, assay_error *e)
{
    char path[PATH_ROOM];
    drive_path(folder, r->number, ".hist", path, sizeof path);
    FILE *from = fopen(path, "r");
    bool fine = from && drive_count(from, &r->tally.counts);
    if (from)
        fclose(from);
    r->tally.seconds = (double)r->tally.counts.lasted * 1e-9;
    return fine || vanished(path, e);
}

static bool drive_one(struct campaign_state *x, uint64_t number, assay_error *e)
{
    const struct drive_settings *d = &x->settings->drive;
    struct drive_record *r = calloc(1, sizeof *r);
    if (!r) {
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
        return false;
    }
    r->number = number;
    r->seed = d->seed + number - 1;
    atomic_store(&x->current, number);
    bool there = exists(d->folder, number, ".hist") && !exists(d->folder, number, ".log");
    bool fine = there ? count_again(d->folder, r, e) : record(x, r, e);
    if (exists(d->folder, number, ".hist")) { /* also one that was cut short */
        x->full = !note_rest(x, r) || x->full;
        fine = hand_over(x, r, e) && fine;
    }
    if (x->summary->trouble[0]) {
        error_set(e, ASSAY_ERROR_RESOURCE, "%s: a session gave up: %s", d->driver->name, x->summary->trouble);
        error_remedy(e, "the history so far is kept");
        fine = false;
    }
    free(r);
    return fine;
}

static bool goes_on(const struct campaign_state *x, uint64_t number)
{
    const struct drive_campaign_settings *s = x->settings;
    if (stopped(x) || (s->histories && number > s->histories + x->rest_count))
        return false;
    /* A history whose log an earlier run has left began then, and is finished at any time. */
    return s->seconds <= 0 || seconds_now() - x->started < s->seconds || exists(s->drive.folder, number, ".log");
}

/* Checkers add to the journal. An earlier run may have been killed before it removed the log. */
static bool already(struct campaign_state *x, uint64_t number)
{
    pthread_mutex_lock(&x->lock);
    bool has = drive_journal_has(&x->journal, number);
    pthread_mutex_unlock(&x->lock);
    if (has)
        remove_log(x, number);
    return has;
}

static bool drive_all(struct campaign_state *x, assay_error *e)
{
    bool fine = true;
    for (uint64_t number = 1; fine && goes_on(x, number); number++)
        fine = already(x, number) || drive_one(x, number, e);
    if (x->full)
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
    return fine && !x->full;
}

static void *report(void *arg)
{
    struct campaign_state *x = arg;
    while (!atomic_load(&x->quiet)) {
        nanosleep(&(struct timespec){0, 100000000}, NULL);
        x->settings->progress(x->settings->context, atomic_load(&x->current), drive_done(x->drive));
    }
    return NULL;
}

/* ---- the campaign ---- */

/* The settings that histories depend on, as a JSON object: the same ones mean the same campaign. */
static bool describe(const struct drive_campaign_settings *s, char **out, assay_error *e)
{
    const struct drive_settings *d = &s->drive;
    size_t size = 0;
    FILE *to = open_memstream(out, &size);
    if (to) {
        fprintf(to, "{\"campaign\":1,\"driver\":\"%s\",\"workload\":\"%s\",\"sessions\":%u,\"operations\":%" PRIu64,
                d->driver->name, d->workload->name, d->sessions, d->operations);
        fprintf(to, ",\"seconds\":%g,\"keys\":%u,\"read_share\":%u,\"accesses\":%u,\"roam\":%s,\"seed\":%" PRIu64,
                d->seconds, d->keys, d->read_share, d->most_accesses, d->roam ? "true" : "false", d->seed);
        if (d->settle < DRIVE_SETTLE || d->settle > DRIVE_SETTLE)
            fprintf(to, ",\"settle\":%g", d->settle);
        if (d->isolation)
            fprintf(to, ",\"isolation\":\"%s\"", d->isolation);
        if (d->faults) {
            fputs(",\"faults\":", to);
            drive_journal_string(to, d->faults);
        }
        fputs(",\"settings\":{", to);
        for (size_t i = 0; i < d->set_count; i++) {
            fputs(i ? "," : "", to);
            drive_journal_string(to, d->set[i].name);
            fputc(':', to);
            drive_journal_string(to, d->set[i].value);
        }
        fputs("},\"models\":[", to);
        for (size_t i = 0; i < s->model_count; i++) {
            fputs(i ? "," : "", to);
            drive_journal_string(to, s->models[i]);
        }
        fputs("]}", to);
    }
    if (to && fclose(to) == 0)
        return true;
    error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
    return false;
}

static bool start_checkers(struct campaign_state *x, assay_error *e)
{
    unsigned wanted = x->settings->checkers;
    wanted = wanted > MOST_CHECKERS ? MOST_CHECKERS : wanted < 1 ? 1 : wanted;
    while (x->checker_count < wanted && pthread_create(&x->checkers[x->checker_count], NULL, check_all, x) == 0)
        x->checker_count++;
    if (!x->checker_count)
        error_set(e, ASSAY_ERROR_RESOURCE, "cannot start a thread");
    x->reporting = x->checker_count && x->settings->progress && pthread_create(&x->reporter, NULL, report, x) == 0;
    return x->checker_count > 0;
}

static void end_checkers(struct campaign_state *x)
{
    pthread_mutex_lock(&x->lock);
    x->ends = true;
    pthread_cond_broadcast(&x->changed);
    pthread_mutex_unlock(&x->lock);
    for (unsigned i = 0; i < x->checker_count; i++)
        pthread_join(x->checkers[i], NULL);
    atomic_store(&x->quiet, true);
    if (x->reporting)
        pthread_join(x->reporter, NULL);
}

static bool run_in(struct campaign_state *x, assay_error *e)
{
    snprintf(x->summary->server, sizeof x->summary->server, "%s", drive_server(x->drive));
    x->started = seconds_now();
    bool fine = start_checkers(x, e) && drive_all(x, e);
    end_checkers(x);
    if (x->error.code != ASSAY_OK)
        error_copy(e, &x->error);
    x->summary->stopped = stopped(x);
    return fine && x->error.code == ASSAY_OK;
}

/* The store comes first: a wrong setting shall not begin a journal. */
static bool run_campaign(struct campaign_state *x, const char *campaign, assay_error *e)
{
    const struct drive_campaign_settings *s = x->settings;
    x->drive = drive_begin(&s->drive, e);
    if (!x->drive)
        return false;
    bool fine = drive_journal_open(&x->journal, s->drive.folder, campaign, sum_up_earlier, x, e);
    if (fine) {
        fine = run_in(x, e);
        bool nothing = !fine && !x->summary->histories && !exists(s->drive.folder, 1, ".log") &&
                       !exists(s->drive.folder, 1, ".hist");
        (nothing ? drive_journal_discard : drive_journal_close)(&x->journal);
    }
    return drive_end(x->drive, &x->summary->faults, e) && fine;
}

static bool read_campaign(struct campaign_state *x, const char *campaign, assay_error *e)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/journal.jsonl", x->settings->drive.folder);
    if (access(path, F_OK) != 0)
        return true;
    bool fine = drive_journal_open(&x->journal, x->settings->drive.folder, campaign, sum_up_earlier, x, e);
    if (fine)
        drive_journal_close(&x->journal);
    return fine;
}

static bool with_state(const struct drive_campaign_settings *s, struct drive_summary *out,
                       bool (*work)(struct campaign_state *x, const char *campaign, assay_error *e), assay_error *e)
{
    struct campaign_state x = {.settings = s, .summary = out, .last = &x.first};
    char *campaign = NULL;
    *out = (struct drive_summary){0};
    for (size_t i = 0; i < s->model_count; i++)
        out->models[i].model = s->models[i];
    pthread_mutex_init(&x.lock, NULL);
    pthread_cond_init(&x.changed, NULL);
    bool fine = describe(s, &campaign, e) && work(&x, campaign, e);
    free(campaign);
    free(x.rests);
    pthread_cond_destroy(&x.changed);
    pthread_mutex_destroy(&x.lock);
    return fine;
}

bool drive_campaign_run(const struct drive_campaign_settings *s, struct drive_summary *out, assay_error *e)
{
    return with_state(s, out, run_campaign, e);
}

bool drive_campaign_read(const struct drive_campaign_settings *s, struct drive_summary *out, assay_error *e)
{
    return with_state(s, out, read_campaign, e);
}
