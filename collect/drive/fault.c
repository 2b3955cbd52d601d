/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/drive/fault.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/rng.h"
#include "collect/drive/session.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FAULTS = 256, FAULT_NAME = 48, MOST_KINDS = DRIVE_FAULT_KINDS };

static const double server_ready = 60; /* seconds that a server may take to start again */

struct fault {
    char kind[DRIVE_FAULT_KIND];
    unsigned node;     /* from 1 */
    double from, till; /* seconds since the beginning of the campaign; till < 0: its end */
    bool on, began;
    struct faults *all;
    pthread_t thread; /* a server that is slow to start again does not delay other faults */
    bool followed;    /* by its thread */
};

struct faults {
    struct faults_settings settings;
    struct fault list[MOST_FAULTS];
    size_t n;
    struct rng rng; /* of random faults */
    int64_t zero;   /* the beginning of the campaign */
    atomic_uint active;
    atomic_bool ends;
    atomic_bool suspended;
    atomic_uint lifted;    /* faults that come back after the suspension */
    atomic_llong standing; /* nanoseconds for which the clock stood still */
    int64_t since;         /* the suspension began */
    struct drive_faults happened;
    pthread_mutex_t lock; /* of the log, of `on`, of the error, of `happened`, and of a fault that begins while they are
                             suspended */
    struct drive_log *log;
    int64_t log_zero;
    assay_error error;
};

/* ---- kinds ---- */

struct cluster_fault {
    const char *kind, *begin, *end; /* the actions of the cluster */
};

static const struct cluster_fault cluster_faults[] = {
    {"pause", "pause", "resume"}, {"kill", "kill", "start"}, {"cut", "cut", "heal"}};

static const struct cluster_fault *of_cluster(const char *kind)
{
    for (size_t i = 0; i < sizeof cluster_faults / sizeof *cluster_faults; i++)
        if (strcmp(cluster_faults[i].kind, kind) == 0)
            return &cluster_faults[i];
    return NULL;
}

static const assay_lever *lever_of(const assay_driver *d, const char *kind)
{
    const assay_lever *l = d->levers;
    while (l && l->name && strcmp(l->name, kind) != 0)
        l++;
    return l && l->name ? l : NULL;
}

static bool possible(const struct faults_settings *s, const char *kind, unsigned node, assay_error *e)
{
    bool cuts = strcmp(kind, "cut") == 0;
    const assay_lever *lever = lever_of(s->driver, kind);
    if (lever && node > lever->first)
        return true;
    if (lever) {
        error_set(e, ASSAY_ERROR_USAGE, "--fault: node %u has no lever '%s'", node, kind);
        error_remedy(e, "nodes from %u on have it", lever->first + 1);
        return false;
    }
    if (!of_cluster(kind)) {
        error_set(e, ASSAY_ERROR_USAGE, "--fault: the driver %s knows no fault '%s'", s->driver->name, kind);
        error_remedy(e, "pause, kill, cut, or a lever: `assay drive DRIVER --help`");
    } else if (!cluster_find(s->driver->name)) {
        error_set(e, ASSAY_ERROR_USAGE, "--fault: the driver %s has no servers of `assay cluster`, which %s needs",
                  s->driver->name, kind);
        error_remedy(e, "`assay drive %s --help` shows its levers, if it has any", s->driver->name);
    } else if (!s->kind) {
        error_set(e, ASSAY_ERROR_USAGE, "--fault: %s needs a cluster of `assay cluster`", kind);
        error_remedy(e, "`assay cluster up %s`, and --cluster DIR if it is not in the usual folder", s->driver->name);
    } else if (cuts && !s->isolated) {
        error_set(e, ASSAY_ERROR_USAGE, "--fault: cut needs a cluster whose nodes have networks of their own");
        error_remedy(e, "`assay cluster up %s --isolated`", s->driver->name);
    } else {
        return true;
    }
    return false;
}

static size_t kinds(const struct faults *f, const char **out)
{
    size_t n = 0;
    for (size_t i = 0; f->settings.kind && i < sizeof cluster_faults / sizeof *cluster_faults; i++)
        if (f->settings.isolated || strcmp(cluster_faults[i].kind, "cut") != 0)
            out[n++] = cluster_faults[i].kind;
    for (const assay_lever *l = f->settings.driver->levers; l && l->name && n < MOST_KINDS; l++)
        if (l->first < f->settings.campaign->node_count)
            out[n++] = l->name;
    return n;
}

/* Any of the nodes that can have the fault. */
static unsigned draw_node(struct faults *f, const char *kind)
{
    const assay_lever *lever = lever_of(f->settings.driver, kind);
    unsigned first = lever ? lever->first : 0;
    return 1 + first + rng_below(&f->rng, (uint32_t)f->settings.campaign->node_count - first);
}

/* ---- parsing ---- */

/* `5s`, `300ms`, `5`. */
static bool parse_seconds(char **at, double *out)
{
    char *end;
    *out = strtod(*at, &end);
    if (end == *at || !(*out >= 0) || *out > 1e6)
        return false;
    if (strncmp(end, "ms", 2) == 0) {
        *out /= 1000;
        end += 2;
    } else if (*end == 's') {
        end++;
    }
    *at = end;
    return true;
}

/* A fault without a kind stands for all that are chosen at random. */
static bool parse_random(struct faults *f, const char *seed, assay_error *e)
{
    char *end;
    const char *names[MOST_KINDS];
    f->rng.state = hash_mix(strtoull(seed, &end, 10));
    if (end == seed || *end)
        error_set(e, ASSAY_ERROR_USAGE, "--fault: expected random:SEED, not 'random:%s'", seed);
    else if (kinds(f, names) == 0)
        error_set(e, ASSAY_ERROR_USAGE, "--fault: the driver %s has no levers, and there is no cluster",
                  f->settings.driver->name);
    else if (f->n)
        error_set(e, ASSAY_ERROR_USAGE, "--fault: random cannot be combined with other faults");
    else
        f->n = 1;
    return f->n == 1 && !*f->list[0].kind;
}

static bool parse_fault(struct faults *f, char *text, assay_error *e)
{
    struct fault *x = &f->list[f->n];
    char *colon = strchr(text, ':'), *at = colon ? colon + 1 : text;
    if (colon)
        *colon = 0;
    if (colon && strcmp(text, "random") == 0)
        return parse_random(f, at, e);
    unsigned long node = strtoul(at, &at, 10);
    bool fine = colon && colon - text < (long)sizeof x->kind && node > 0 && *at++ == '@' &&
                parse_seconds(&at, &x->from);
    x->till = -1;
    if (fine && *at == '+') {
        at++;
        fine = parse_seconds(&at, &x->till);
        x->till += x->from;
    }
    if (!fine || *at) {
        error_set(e, ASSAY_ERROR_USAGE, "--fault: expected KIND:NODE@START+DURATION, as in pause:2@5s+3s");
        return false;
    }
    snprintf(x->kind, sizeof x->kind, "%s", text);
    x->node = (unsigned)node;
    if (node > f->settings.campaign->node_count) {
        error_set(e, ASSAY_ERROR_USAGE, "--fault: there is no node %lu; the store has %zu", node,
                  f->settings.campaign->node_count);
        return false;
    }
    f->n++;
    return possible(&f->settings, x->kind, x->node, e);
}

static bool parse_all(struct faults *f, assay_error *e)
{
    char *text = f->settings.text ? strdup(f->settings.text) : NULL, *rest = text, *one;
    bool fine = true;
    if (f->settings.text && !text) {
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
        return false;
    }
    while (fine && text && (one = strtok_r(rest, ",", &rest))) {
        if (f->n == MOST_FAULTS) {
            error_set(e, ASSAY_ERROR_USAGE, "--fault: at most %d", MOST_FAULTS);
            fine = false;
        }
        fine = fine && parse_fault(f, one, e);
    }
    free(text);
    return fine;
}

struct faults *faults_new(const struct faults_settings *s, assay_error *e)
{
    struct faults *f = calloc(1, sizeof *f);
    if (!f) {
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
        return NULL;
    }
    f->settings = *s;
    pthread_mutex_init(&f->lock, NULL);
    if (parse_all(f, e))
        return f;
    pthread_mutex_destroy(&f->lock);
    free(f);
    return NULL;
}

/* ---- the log ---- */

static void fault_name(const struct fault *x, char *out)
{
    snprintf(out, FAULT_NAME, "%s:%u", x->kind, x->node);
}

/* `on` and the log change in one step. A history that begins has the fault either from here or from `on`. With two
 * steps its log could have the end of a fault without its beginning. */
static void announce(struct fault *x, bool on)
{
    struct faults *f = x->all;
    char name[FAULT_NAME];
    fault_name(x, name);
    pthread_mutex_lock(&f->lock);
    x->on = on;
    if (f->log) {
        struct drive_records r = {.log = f->log};
        int64_t time = drive_now() - f->log_zero;
        drive_log_fault(&r, time > 0 ? time : 0, name, on);
        drive_records_write(&r);
        drive_records_free(&r);
    }
    pthread_mutex_unlock(&f->lock);
}

void faults_log_to(struct faults *f, struct drive_log *log, int64_t zero)
{
    struct drive_records r = {.log = log};
    pthread_mutex_lock(&f->lock);
    f->log = log;
    f->log_zero = zero;
    for (size_t i = 0; i < f->n; i++)
        if (f->list[i].on) {
            char name[FAULT_NAME];
            fault_name(&f->list[i], name);
            drive_log_fault(&r, 0, name, true);
        }
    drive_records_write(&r);
    pthread_mutex_unlock(&f->lock);
    drive_records_free(&r);
}

void faults_log_no_more(struct faults *f)
{
    pthread_mutex_lock(&f->lock);
    f->log = NULL;
    pthread_mutex_unlock(&f->lock);
}

const atomic_uint *faults_active(const struct faults *f)
{
    return &f->active;
}

/* ---- doing and undoing ---- */

static bool act(const struct faults *f, const struct fault *x, bool begin, assay_error *e)
{
    const struct faults_settings *s = &f->settings;
    const struct cluster_fault *c = of_cluster(x->kind);
    char message[ASSAY_DRIVER_MESSAGE] = "";
    if (lever_of(s->driver, x->kind)) {
        if (s->driver->lever(s->campaign, x->node - 1, x->kind, begin, message))
            return true;
        error_set(e, ASSAY_ERROR_RESOURCE, "--fault %s:%u: %s", x->kind, x->node, message);
        return false;
    }
    if (!cluster_act(s->kind, s->folder, begin ? c->begin : c->end, x->node, e))
        return false;
    struct cluster_settings where = {.kind = s->kind, .folder = s->folder};
    return begin || strcmp(x->kind, "kill") != 0 || cluster_await(&where, x->node, server_ready, e);
}

/* A fault begins, unless they are suspended: who suspends them waits for those that are active. */
static bool may_begin(struct faults *f)
{
    pthread_mutex_lock(&f->lock);
    bool may = !atomic_load(&f->suspended);
    if (may)
        atomic_fetch_add(&f->active, 1);
    pthread_mutex_unlock(&f->lock);
    return may;
}

/* The log has a fault from before it begins until after it has ended. */
static void change(struct fault *x, bool on)
{
    struct faults *f = x->all;
    assay_error e = {0};
    if (on)
        announce(x, true);
    if (!act(f, x, on, &e)) {
        pthread_mutex_lock(&f->lock);
        error_copy(&f->error, &e);
        pthread_mutex_unlock(&f->lock);
    }
    if (!on) {
        announce(x, false);
        atomic_fetch_sub(&f->active, 1);
    }
}

/* ---- the schedule ---- */

static double now(const struct faults *f)
{
    return (double)(drive_now() - f->zero - atomic_load(&f->standing)) * 1e-9;
}

static void moment(void)
{
    nanosleep(&(struct timespec){0, 2000000}, NULL);
}

/* False: the campaign ends first. True: the fault counts as active. */
static bool wait_to_begin(struct faults *f, double from)
{
    while (!atomic_load(&f->ends)) {
        if (now(f) >= from && may_begin(f))
            return true;
        moment();
    }
    return false;
}

/* Until it is over. False: it is to be lifted before. */
static bool lasts(const struct faults *f, double till)
{
    while (!atomic_load(&f->ends) && !atomic_load(&f->suspended) && (till < 0 || now(f) < till))
        moment();
    return atomic_load(&f->ends) || !atomic_load(&f->suspended);
}

/* The kinds stand in alphabetical order: faults that begin at the same moment do so in any order. */
static void count_fault(struct fault *x)
{
    struct drive_faults *h = &x->all->happened;
    size_t i = 0;
    x->began = true;
    pthread_mutex_lock(&x->all->lock);
    while (i < h->kinds && strcmp(h->of[i].kind, x->kind) < 0)
        i++;
    bool known = i < h->kinds && strcmp(h->of[i].kind, x->kind) == 0;
    if (!known && h->kinds < DRIVE_FAULT_KINDS) {
        memmove(&h->of[i + 1], &h->of[i], (h->kinds++ - i) * sizeof *h->of);
        memset(&h->of[i], 0, sizeof h->of[i]);
        snprintf(h->of[i].kind, sizeof h->of[i].kind, "%s", x->kind);
        known = true;
    }
    if (known)
        h->of[i].count++;
    pthread_mutex_unlock(&x->all->lock);
}

static void *follow(void *arg)
{
    struct fault *x = arg;
    struct faults *f = x->all;
    if (!wait_to_begin(f, x->from))
        return NULL;
    count_fault(x);
    change(x, true);
    while (!lasts(f, x->till)) {
        atomic_fetch_add(&f->lifted, 1);
        change(x, false);
        bool again = wait_to_begin(f, x->from);
        if (again)
            change(x, true);
        atomic_fetch_sub(&f->lifted, 1);
        if (!again)
            return NULL;
    }
    change(x, false);
    return NULL;
}

void faults_suspend(struct faults *f)
{
    pthread_mutex_lock(&f->lock);
    atomic_store(&f->suspended, true);
    pthread_mutex_unlock(&f->lock);
    f->since = drive_now();
    while (atomic_load(&f->active) > 0)
        moment();
}

void faults_resume(struct faults *f)
{
    if (!atomic_load(&f->suspended))
        return;
    atomic_fetch_add(&f->standing, drive_now() - f->since);
    atomic_store(&f->suspended, false);
    while (atomic_load(&f->lifted) > 0)
        moment();
}

/* Random faults: one at a time, for 0.5 to 3 seconds, after a pause of up to 3 seconds. */
static void *follow_random(void *arg)
{
    struct fault *x = arg;
    struct faults *f = x->all;
    const char *names[MOST_KINDS];
    size_t n = kinds(f, names);
    while (!atomic_load(&f->ends)) {
        snprintf(x->kind, sizeof x->kind, "%s", names[rng_below(&f->rng, (uint32_t)n)]);
        x->node = draw_node(f, x->kind);
        x->from = now(f) + 0.001 * rng_below(&f->rng, 3000);
        x->till = x->from + 0.5 + 0.001 * rng_below(&f->rng, 2500);
        follow(x);
    }
    return NULL;
}

void faults_start(struct faults *f)
{
    f->zero = drive_now();
    for (size_t i = 0; i < f->n; i++) {
        struct fault *x = &f->list[i];
        x->all = f;
        x->followed = pthread_create(&x->thread, NULL, *x->kind ? follow : follow_random, x) == 0;
        if (!x->followed)
            error_set(&f->error, ASSAY_ERROR_RESOURCE, "cannot start a thread for a fault");
    }
}

bool faults_end(struct faults *f, struct drive_faults *happened, assay_error *e)
{
    size_t missed = 0;
    atomic_store(&f->ends, true);
    for (size_t i = 0; i < f->n; i++)
        if (f->list[i].followed) {
            pthread_join(f->list[i].thread, NULL);
            missed += !f->list[i].began;
        }
    *happened = f->happened;
    happened->missed = missed;
    bool fine = f->error.code == ASSAY_OK;
    if (!fine)
        error_copy(e, &f->error);
    pthread_mutex_destroy(&f->lock);
    free(f);
    return fine;
}
