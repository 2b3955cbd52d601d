/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stress/judge.h"

#include "base/budget.h"
#include "base/error.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WAITING = 1000 };

struct job {
    struct job *next;
    uint64_t program;
    size_t length;
    char *text;
};

struct judge {
    const struct stress_settings *settings;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* under the lock */
    struct job *first, **last;
    uint32_t waiting;
    bool ends;
    uint64_t violations, undecided;
    struct finding found;
    assay_error error;
    /* of the thread that runs the programs */
    struct mem mem; /* of one program */
    struct distinct_runs seen;
    uint64_t program, distinct;
    bool lost; /* a history could not be kept */
};

/* ---- one history ---- */

static void add_value(struct distinct_runs *l, unsigned char kind, assay_record_value v, struct mem *m)
{
    vec_push(m, &l->row, kind);
    if (kind == ASSAY_RECORD_INT)
        vec_push(m, &l->row, (uint64_t)v.number);
    if (kind != ASSAY_RECORD_WORD)
        return;
    size_t length = strlen(v.word), words = length / sizeof *l->row.at + 1;
    vec_push(m, &l->row, length);
    vec_reserve(m, &l->row, words);
    memset(l->row.at + l->row.n, 0, words * sizeof *l->row.at);
    memcpy(l->row.at + l->row.n, v.word, length);
    l->row.n += (uint32_t)words;
}

static void add_call(struct distinct_runs *l, const assay_recorder *r, unsigned t, const assay_record_entry *e,
                     struct mem *m)
{
    const uint32_t *seen = assay_record_seen(e);
    /* A method is known by its address: the name is the specification's. */
    vec_push(m, &l->row, (uintptr_t)e->method);
    add_value(l, e->result_kind, e->result, m);
    for (unsigned other = 0; other < r->threads; other++)
        vec_push(m, &l->row, other == t ? 0 : seen[other]);
}

bool judge_is_new(struct distinct_runs *l, const assay_recorder *r, struct mem *m)
{
    vec_clear(&l->row);
    for (unsigned t = 0; t < r->threads; t++) {
        int pending;
        uint32_t n = assay_record_size(r, t, &pending);
        vec_push(m, &l->row, 2 * (uint64_t)n + (pending != 0));
        for (uint32_t i = 0; i < n; i++)
            add_call(l, r, t, assay_record_at(r, t, i), m);
    }
    return rows_add(&l->all, m, l->row.at, l->row.n * sizeof *l->row.at);
}

char *judge_text(const assay_adapter *a, const assay_recorder *r, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (!out)
        return NULL;
    assay_record_write(r, a->object, out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

assay_history *judge_read(const char *text, size_t length, assay_error *e)
{
    assay_reader *reader = assay_reader_open_memory("what was recorded", text, length, "hist", e);
    assay_history *h = reader ? assay_reader_next(reader, e) : NULL;
    assay_reader_close(reader);
    return h;
}

assay_result *judge_check(const struct stress_settings *s, const char *text, size_t length, assay_history **h,
                          assay_error *e)
{
    *h = judge_read(text, length, e);
    assay_result *r = *h ? assay_check(*h, s->model, &s->check, e) : NULL;
    if (!r) {
        assay_history_free(*h);
        *h = NULL;
    }
    return r;
}

/* ---- the thread that checks ---- */

static void free_job(struct job *job)
{
    free(job->text);
    free(job);
}

/* Waits for one; NULL: there will be none. */
static struct job *take_job(struct judge *j)
{
    pthread_mutex_lock(&j->lock);
    while (!j->first && !j->ends)
        pthread_cond_wait(&j->changed, &j->lock);
    struct job *job = j->first;
    if (job) {
        j->first = job->next;
        j->last = j->first ? j->last : &j->first;
        j->waiting--;
        pthread_cond_broadcast(&j->changed);
    }
    pthread_mutex_unlock(&j->lock);
    return job;
}

static void note(struct judge *j, struct job *job, const assay_result *r, const assay_error *e)
{
    pthread_mutex_lock(&j->lock);
    if (!r) {
        if (j->error.code == ASSAY_OK)
            j->error = *e;
    } else if (assay_result_verdict(r) == ASSAY_UNDECIDED) {
        j->undecided++;
    } else if (assay_result_verdict(r) == ASSAY_VIOLATION) {
        j->violations++;
        if (!j->found.text) {
            j->found = (struct finding){job->text, job->length, job->program, budget_now()};
            job->text = NULL;
        }
    }
    pthread_mutex_unlock(&j->lock);
}

static void *check_all(void *arg)
{
    struct judge *j = arg;
    struct job *job;
    while ((job = take_job(j))) {
        assay_error e = {0};
        assay_history *h;
        assay_result *r = judge_check(j->settings, job->text, job->length, &h, &e);
        note(j, job, r, &e);
        assay_result_free(r);
        assay_history_free(h);
        free_job(job);
    }
    return NULL;
}

/* ---- the thread that runs ---- */

struct judge *judge_start(const struct stress_settings *s)
{
    struct judge *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    j->settings = s;
    j->last = &j->first;
    pthread_mutex_init(&j->lock, NULL);
    pthread_cond_init(&j->changed, NULL);
    if (pthread_create(&j->thread, NULL, check_all, j) != 0) {
        free(j);
        return NULL;
    }
    return j;
}

void judge_program(struct judge *j, uint64_t number)
{
    mem_release(&j->mem);
    j->seen = (struct distinct_runs){0};
    j->program = number;
}

static void keep(struct judge *j, const struct job *job)
{
    const struct stress_settings *s = j->settings;
    if (s->keep && !j->lost)
        j->lost = !s->keep(s->context, j->program, job->text, job->length);
}

static void give_job(struct judge *j, struct job *job)
{
    pthread_mutex_lock(&j->lock);
    while (j->waiting >= MOST_WAITING)
        pthread_cond_wait(&j->changed, &j->lock);
    *j->last = job;
    j->last = &job->next;
    j->waiting++;
    pthread_cond_broadcast(&j->changed);
    pthread_mutex_unlock(&j->lock);
}

void judge_see(struct judge *j, const assay_recorder *r)
{
    if (!judge_is_new(&j->seen, r, &j->mem))
        return;
    struct job *job = calloc(1, sizeof *job);
    if (!job || !(job->text = judge_text(j->settings->adapter, r, &job->length))) {
        free(job);
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    }
    job->program = j->program;
    j->distinct++;
    keep(j, job);
    give_job(j, job);
}

bool judge_wants_more(struct judge *j)
{
    pthread_mutex_lock(&j->lock);
    bool more = (j->settings->keep_going || !j->found.text) && j->error.code == ASSAY_OK && !j->lost;
    pthread_mutex_unlock(&j->lock);
    return more;
}

bool judge_end(struct judge *j, struct stress_outcome *out, struct finding *found, assay_error *e)
{
    pthread_mutex_lock(&j->lock);
    j->ends = true;
    pthread_cond_broadcast(&j->changed);
    pthread_mutex_unlock(&j->lock);
    pthread_join(j->thread, NULL);
    mem_release(&j->mem);
    out->distinct = j->distinct;
    out->violations = j->violations;
    out->undecided = j->undecided;
    *found = j->found;
    bool fine = j->error.code == ASSAY_OK && !j->lost;
    if (j->error.code != ASSAY_OK && e && e->code == ASSAY_OK)
        *e = j->error;
    pthread_mutex_destroy(&j->lock);
    pthread_cond_destroy(&j->changed);
    free(j);
    return fine;
}
