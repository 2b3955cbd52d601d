/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/drive/drive.h"

#include "base/error.h"
#include "base/hash.h"
#include "collect/drive/fault.h"
#include "collect/drive/final.h"
#include "collect/drive/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct drive {
    struct drive_settings settings;
    assay_campaign campaign;
    assay_node nodes[DRIVE_MOST_NODES];
    char *node_text; /* of the hosts */
    uint64_t next_key;
    struct cluster_view cluster; /* of the driver's kind, if it is up */
    struct faults *faults;
    struct drive_run run;
    struct drive_session *sessions; /* of the history that is being driven */
    pthread_mutex_t lock;           /* of the sessions, for drive_done */
};

/* ---- settings ---- */

/* The campaign is the first member that a driver sees; the drive is around it. */
static struct drive *around(const assay_campaign *c)
{
    return (struct drive *)(void *)((char *)(uintptr_t)c - offsetof(struct drive, campaign));
}

static const char *value_of(const void *settings, const char *name)
{
    const struct drive_settings *s = settings;
    for (size_t i = 0; i < s->set_count; i++)
        if (strcmp(s->set[i].name, name) == 0)
            return s->set[i].value;
    for (const assay_driver_setting *known = s->driver->settings; known && known->name; known++)
        if (strcmp(known->name, name) == 0)
            return known->fallback ? known->fallback : "";
    return NULL;
}

static const char *setting(const assay_campaign *c, const char *name)
{
    return value_of(&around(c)->settings, name);
}

const assay_promise *drive_promise(const struct drive_settings *s)
{
    return s->isolation ? driver_promise(s->driver, s->isolation, value_of, s) : NULL;
}

static const assay_driver_setting *find_setting(const assay_driver *d, const char *name)
{
    const assay_driver_setting *known = d->settings;
    while (known && known->name && strcmp(known->name, name) != 0)
        known++;
    return known && known->name ? known : NULL;
}

static bool usage(assay_error *e, const char *remedy)
{
    error_remedy(e, "%s", remedy);
    return false;
}

static bool check_set(const struct drive_settings *s, assay_error *e)
{
    for (size_t i = 0; i < s->set_count; i++) {
        const struct drive_setting *given = &s->set[i];
        const assay_driver_setting *known = find_setting(s->driver, given->name);
        if (!known) {
            error_set(e, ASSAY_ERROR_USAGE, "--set: the driver %s has no setting '%s'", s->driver->name, given->name);
            return usage(e, "`assay drive DRIVER --help` shows them");
        }
        if (known->values && strchr(known->values, '|') && !driver_has_word(known->values, given->value, "|")) {
            error_set(e, ASSAY_ERROR_USAGE, "--set: %s is %s, not '%s'", given->name, known->values, given->value);
            return false;
        }
    }
    return true;
}

static bool check_settings(const struct drive_settings *s, assay_error *e)
{
    const assay_driver *d = s->driver;
    if (d->missing) {
        error_set(e, ASSAY_ERROR_MISSING, "%s: %s", d->name, d->missing);
        return false;
    }
    if ((d->actions & workload_actions(s->workload)) != workload_actions(s->workload)) {
        error_set(e, ASSAY_ERROR_USAGE, "the driver %s cannot run the workload %s", d->name, s->workload->name);
        return usage(e, "`assay drive DRIVER --help` shows its workloads");
    }
    if (d->most_accesses == 1 && s->workload->transactions) {
        error_set(e, ASSAY_ERROR_USAGE, "the driver %s has no transactions of several accesses", d->name);
        return usage(e, "another --workload: `assay drive DRIVER --help`");
    }
    if (s->workload->whole && d->most_accesses && s->keys > d->most_accesses) {
        error_set(e, ASSAY_ERROR_USAGE, "the driver %s reads at most %u keys at once, and the workload %s all %u",
                  d->name, d->most_accesses, s->workload->name, s->keys);
        return usage(e, "fewer --keys, or another --workload");
    }
    if (s->isolation && !driver_has_word(d->isolations, s->isolation, " ")) {
        error_set(e, ASSAY_ERROR_USAGE, "the driver %s has no isolation level '%s'", d->name, s->isolation);
        return usage(e, d->isolations ? d->isolations : "leave --isolation out: the store has one level only");
    }
    if (s->workload->whole && (s->keys < 2 || s->keys > WORKLOAD_ACCOUNTS)) {
        error_set(e, ASSAY_ERROR_USAGE, "the workload %s needs 2 to %d keys", s->workload->name, WORKLOAD_ACCOUNTS);
        return false;
    }
    return check_set(s, e);
}

/* ---- nodes ---- */

static bool parse_node(char *text, assay_node *out, assay_error *e)
{
    char *colon = strrchr(text, ':'), *end = NULL;
    unsigned long port = colon ? strtoul(colon + 1, &end, 10) : 0;
    if (!colon || colon == text || end == colon + 1 || *end || port == 0 || port > 65535) {
        error_set(e, ASSAY_ERROR_USAGE, "--nodes: expected HOST:PORT, not '%s'", text);
        return false;
    }
    *colon = 0;
    *out = (assay_node){.host = text, .port = (unsigned)port};
    return true;
}

/* Without --nodes, the cluster of `assay cluster`, if one of the driver's kind is up. Clients enter the network of
 * their node, and this thread that of the first. */
static bool find_cluster(struct drive *d, assay_error *e)
{
    const struct cluster *kind = d->settings.nodes ? NULL : cluster_find(d->settings.driver->name);
    if (!kind)
        return true;
    if (!cluster_view(kind, d->settings.cluster, &d->cluster, e))
        return false;
    if (!d->cluster.up && d->settings.cluster) {
        error_set(e, ASSAY_ERROR_USAGE, "there is no cluster in %s", d->settings.cluster);
        error_remedy(e, "`assay cluster up %s --dir DIR` starts one", d->settings.driver->name);
        return false;
    }
    for (unsigned i = 0; d->cluster.up && i < d->cluster.node_count; i++)
        d->nodes[i] = (assay_node){.host = d->cluster.nodes[i].host, .port = d->cluster.nodes[i].port};
    d->campaign.node_count = d->cluster.up ? d->cluster.node_count : 0;
    return !d->cluster.up || !d->cluster.nodes[0].network[0] || cluster_enter(d->cluster.nodes[0].network, e);
}

static bool parse_nodes(struct drive *d, assay_error *e)
{
    if (d->campaign.node_count)
        return true;
    const char *text = d->settings.nodes ? d->settings.nodes : d->settings.driver->nodes;
    if (!text) {
        d->campaign.node_count = 1;
        return true;
    }
    if (!d->settings.driver->nodes) {
        error_set(e, ASSAY_ERROR_USAGE, "--nodes: the driver %s has no nodes", d->settings.driver->name);
        return false;
    }
    d->node_text = strdup(text);
    if (!d->node_text) {
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
        return false;
    }
    char *rest = d->node_text, *one;
    while ((one = strtok_r(rest, ",", &rest))) {
        if (d->campaign.node_count == DRIVE_MOST_NODES) {
            error_set(e, ASSAY_ERROR_USAGE, "--nodes: at most %d", DRIVE_MOST_NODES);
            return false;
        }
        if (!parse_node(one, &d->nodes[d->campaign.node_count++], e))
            return false;
    }
    if (!d->campaign.node_count)
        error_set(e, ASSAY_ERROR_USAGE, "--nodes: expected HOST:PORT,...");
    return d->campaign.node_count > 0;
}

/* ---- the store ---- */

/* Keys that no earlier campaign has used, of which something may still be on its way. */
static uint64_t fresh_keys(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    uint64_t chance = hash_mix(hash_mix((uint64_t)t.tv_sec) + (uint64_t)t.tv_nsec) + hash_mix((uint64_t)getpid());
    return (hash_mix(chance) >> 2 & ~(uint64_t)0xffffff) | 1; /* positive as a signed number */
}

static void driver_refused(struct drive *d, assay_error *e)
{
    drive_printable(d->campaign.message);
    error_set(e, ASSAY_ERROR_RESOURCE, "%s: %s", d->settings.driver->name,
              d->campaign.message[0] ? d->campaign.message : "the driver gives no reason");
    if (!d->settings.nodes && !d->cluster.up && cluster_find(d->settings.driver->name))
        error_remedy(e, "`assay cluster up %s` starts servers on this machine", d->settings.driver->name);
}

/* A campaign that was killed cannot undo its faults. */
static void name_disturbed_node(const struct drive *d, assay_error *e)
{
    const struct cluster_view *c = &d->cluster;
    unsigned i = 0;
    while (c->up && i < c->node_count && c->nodes[i].state == CLUSTER_UP)
        i++;
    if (!c->up || i == c->node_count)
        return;
    enum cluster_state state = c->nodes[i].state;
    error_remedy(e, "node %u is %s: `assay cluster %s %s %u%s%s` ends that", i + 1, cluster_state_name(state),
                 state == CLUSTER_PAUSED ? "resume"
                 : state == CLUSTER_CUT  ? "heal"
                                         : "start",
                 cluster_name(c->kind), i + 1, d->settings.cluster ? " --dir " : "",
                 d->settings.cluster ? d->settings.cluster : "");
}

static bool attach(struct drive *d, assay_error *e)
{
    const assay_driver *driver = d->settings.driver;
    struct faults_settings faults = {.text = d->settings.faults,
                                     .campaign = &d->campaign,
                                     .driver = driver,
                                     .kind = d->cluster.up ? d->cluster.kind : NULL,
                                     .folder = d->settings.cluster,
                                     .isolated = d->cluster.isolated};
    bool attached = driver->attach(&d->campaign);
    drive_printable(d->campaign.server);
    if (!attached) {
        driver_refused(d, e);
        name_disturbed_node(d, e);
    } else if ((d->faults = faults_new(&faults, e))) {
        return true;
    }
    driver->detach(&d->campaign);
    return false;
}

static void release(struct drive *d)
{
    pthread_mutex_destroy(&d->lock);
    free(d->node_text);
    free(d);
}

struct drive *drive_begin(const struct drive_settings *s, assay_error *e)
{
    struct drive *d = calloc(1, sizeof *d);
    if (!d) {
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
        return NULL;
    }
    d->settings = *s;
    d->next_key = fresh_keys();
    pthread_mutex_init(&d->lock, NULL);
    assay_campaign *c = &d->campaign;
    *c = (assay_campaign){.nodes = d->nodes,
                          .isolation = s->isolation,
                          .timeout = s->timeout,
                          .sessions = s->sessions,
                          .folder = s->folder,
                          .seed = s->seed,
                          .setting = setting};
    if (check_settings(s, e) && find_cluster(d, e) && parse_nodes(d, e) && attach(d, e)) {
        faults_start(d->faults);
        return d;
    }
    release(d);
    return NULL;
}

bool drive_end(struct drive *d, struct drive_faults *happened, assay_error *e)
{
    bool fine = faults_end(d->faults, happened, e);
    d->settings.driver->detach(&d->campaign);
    release(d);
    return fine;
}

const char *drive_server(const struct drive *d)
{
    return d->campaign.server;
}

uint64_t drive_done(const struct drive *d)
{
    struct drive *unlocked = (struct drive *)(uintptr_t)d;
    uint64_t done = 0;
    pthread_mutex_lock(&unlocked->lock);
    for (unsigned i = 0; d->sessions && i < d->settings.sessions; i++)
        done += atomic_load_explicit(&d->sessions[i].done, memory_order_relaxed);
    pthread_mutex_unlock(&unlocked->lock);
    return done;
}

/* ---- a history ---- */

static void write_headers(const struct drive *d, struct drive_records *r, const struct drive_share *share)
{
    const struct drive_settings *s = &d->settings;
    char line[512];
    drive_log_text(r, DRIVE_LOG_MAGIC);
    snprintf(line, sizeof line, "@driver %s", s->driver->name);
    drive_log_text(r, line);
    if (d->campaign.server[0]) {
        snprintf(line, sizeof line, "@server %s", d->campaign.server);
        drive_log_text(r, line);
    }
    snprintf(line, sizeof line, "@workload %s", s->workload->name);
    drive_log_text(r, line);
    snprintf(line, sizeof line, "@keys %u", s->keys);
    drive_log_text(r, line);
    unsigned kept = transactions_kept(s->workload, share->operations, s->read_share);
    if (kept) {
        snprintf(line, sizeof line, "@kept %u", kept);
        drive_log_text(r, line);
    }
    if (s->isolation) {
        snprintf(line, sizeof line, "@isolation %s", s->isolation);
        drive_log_text(r, line);
    }
    for (const assay_driver_setting *known = s->driver->settings; known && known->name; known++) {
        snprintf(line, sizeof line, "@setting %s=%s", known->name, setting(&d->campaign, known->name));
        drive_log_text(r, line);
    }
    snprintf(line, sizeof line, "@seed %llu", (unsigned long long)share->seed);
    drive_log_text(r, line);
    drive_log_text(r, "@clock ns");
}

/* In a thread of its own, as a client of each node, one after the other. */
struct last {
    struct drive *drive;
    uint64_t operations;
    assay_error *error;
};

static void *read_in_the_end(void *arg)
{
    struct last *l = arg;
    drive_final_reads(&l->drive->run, l->operations, l->error);
    return NULL;
}

/* The faults heal before. A history that was interrupted is not whole, and has no final reads. */
static bool final_reads(struct drive *d, assay_error *e)
{
    struct last l = {.drive = d, .error = e};
    pthread_t thread;
    if (atomic_load(&d->run.stopped) || atomic_load(&d->run.log.fault))
        return true;
    for (unsigned i = 0; i < d->settings.sessions; i++)
        l.operations += d->sessions[i].done;
    faults_suspend(d->faults);
    if (pthread_create(&thread, NULL, read_in_the_end, &l) != 0) {
        error_set(e, ASSAY_ERROR_RESOURCE, "cannot start a thread");
        return false;
    }
    pthread_join(thread, NULL);
    return e->code == ASSAY_OK;
}

static bool run_sessions(struct drive *d, const struct drive_share *share, double *seconds, assay_error *e)
{
    struct drive_run *r = &d->run;
    unsigned k = d->settings.sessions, started = 0;
    uint64_t all = share->operations;
    for (; started < k; started++) {
        struct drive_session *s = &d->sessions[started];
        s->run = r;
        s->number = started;
        s->operations = all ? all / k + (started < all % k) : UINT64_MAX;
        s->records.log = &r->log;
        s->connection_count = d->settings.roam ? (unsigned)d->campaign.node_count : 1;
        s->connections = calloc(s->connection_count, sizeof *s->connections);
        for (unsigned i = 0; s->connections && i < s->connection_count; i++) {
            s->connections[i].number = started;
            s->connections[i].node = (started + i) % (unsigned)d->campaign.node_count;
        }
        transactions_begin(&s->client, &r->workload, started, r->seed);
        if (!s->connections || pthread_create(&s->thread, NULL, drive_session_main, s) != 0)
            break;
    }
    while (atomic_load(&r->connected) < started)
        nanosleep(&(struct timespec){0, 200000}, NULL);
    if (started < k) {
        error_set(e, ASSAY_ERROR_RESOURCE, "cannot start %u threads", k);
        error_remedy(e, "fewer --sessions");
        atomic_store(&r->stopped, true);
    }
    r->zero = drive_now();
    r->ends = share->seconds > 0 ? r->zero + (int64_t)(share->seconds * 1e9) : 0;
    faults_log_to(d->faults, &r->log, r->zero);
    atomic_store(&r->started, true);
    for (unsigned i = 0; i < started; i++)
        pthread_join(d->sessions[i].thread, NULL);
    *seconds = (double)(drive_now() - r->zero) * 1e-9;
    bool fine = started == k && final_reads(d, e);
    faults_log_no_more(d->faults);
    return fine;
}

static void gather(struct drive *d, struct drive_tally *out)
{
    out->stopped = d->settings.interrupt && d->settings.interrupt(d->settings.arg);
    for (unsigned i = 0; i < d->settings.sessions; i++) {
        struct drive_session *s = &d->sessions[i];
        latency_merge(&out->latency, &s->latency);
        if (s->trouble[0] && !out->trouble[0])
            memcpy(out->trouble, s->trouble, sizeof out->trouble);
        drive_records_free(&s->records);
        transactions_end(&s->client);
        free(s->connections);
    }
}

/* Faults also hit the store between histories, and then it takes no keys. Each try has keys of its own: an earlier one
 * may come late, and would change values that clients have written meanwhile. */
static bool prepare_keys(struct drive *d, assay_keys *keys, assay_error *e)
{
    const struct drive_settings *s = &d->settings;
    double patience = s->faults ? drive_patience(s) : 0;
    int64_t since = drive_now(), now;
    for (;;) {
        keys->first = d->next_key;
        d->next_key += keys->count;
        d->campaign.message[0] = 0;
        if (s->driver->prepare(&d->campaign, keys))
            return true;
        now = drive_now();
        if (atomic_load(faults_active(d->faults)) > 0)
            since = now;
        if ((double)(now - since) * 1e-9 >= patience || (s->interrupt && s->interrupt(s->arg)))
            break;
        nanosleep(&(struct timespec){0, 50000000}, NULL);
    }
    driver_refused(d, e);
    return false;
}

static bool log_fault(const char *path, assay_error *e)
{
    error_set(e, ASSAY_ERROR_RESOURCE, "cannot write: %s", strerror(errno));
    error_place(e, path, 0, 0);
    return false;
}

/* A log appears under its name once it has its headers: without them it could not be recovered. */
static bool open_log(struct drive *d, const struct drive_share *share, const char *path, assay_error *e)
{
    struct drive_records head = {.log = &d->run.log};
    char temporary[4096];
    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    unlink(temporary);
    if (!drive_log_open(&d->run.log, temporary))
        return log_fault(path, e);
    write_headers(d, &head, share);
    bool fine = drive_records_write(&head) && rename(temporary, path) == 0;
    drive_records_free(&head);
    if (fine)
        return true;
    log_fault(path, e);
    unlink(temporary);
    drive_log_close(&d->run.log);
    return false;
}

bool drive_owns(struct drive *d, const struct drive_share *share, const char *log)
{
    struct drive_records head = {0};
    write_headers(d, &head, share);
    char *bytes = malloc(head.n + 1);
    FILE *from = fopen(log, "r");
    bool same = bytes && from && fread(bytes, 1, head.n, from) == head.n && memcmp(bytes, head.at, head.n) == 0;
    if (from)
        fclose(from);
    free(bytes);
    drive_records_free(&head);
    return same;
}

static bool close_log(struct drive *d, const char *path, assay_error *e)
{
    struct drive_records last = {.log = &d->run.log};
    if (!atomic_load(&d->run.stopped)) /* else it was cut short */
        drive_log_end(&last, drive_now() - d->run.zero);
    drive_records_write(&last);
    drive_records_free(&last);
    if (drive_log_close(&d->run.log))
        return true;
    error_set(e, ASSAY_ERROR_RESOURCE, "cannot write: %s", strerror(errno));
    error_place(e, path, 0, 0);
    error_remedy(e, "the operations that it has are kept; `assay recover` makes a history of them");
    return false;
}

static unsigned most_accesses(const struct drive_settings *s)
{
    unsigned most = s->driver->most_accesses;
    return most && most < s->most_accesses ? most : s->most_accesses;
}

static bool make_room(struct drive *d, size_t keys, assay_error *e)
{
    struct drive_session *sessions = calloc(d->settings.sessions, sizeof *sessions);
    d->run.written = calloc(keys, sizeof *d->run.written);
    pthread_mutex_lock(&d->lock);
    d->sessions = sessions;
    pthread_mutex_unlock(&d->lock);
    if (sessions && d->run.written)
        return true;
    error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
    return false;
}

static void free_room(struct drive *d)
{
    pthread_mutex_lock(&d->lock);
    free(d->sessions);
    d->sessions = NULL;
    pthread_mutex_unlock(&d->lock);
    free(d->run.written);
    d->run.written = NULL;
}

bool drive_history(struct drive *d, const struct drive_share *share, const char *log, struct drive_tally *out,
                   assay_error *e)
{
    const struct drive_settings *s = &d->settings;
    unsigned kept = transactions_kept(s->workload, share->operations, s->read_share);
    assay_keys keys = {
        .count = s->keys + kept, .actions = workload_actions(s->workload), .initial = s->workload->initial};
    *out = (struct drive_tally){0};
    faults_resume(d->faults);
    if (!prepare_keys(d, &keys, e))
        return false;
    d->run = (struct drive_run){.settings = s,
                                .workload = {.workload = s->workload,
                                             .driver = s->driver,
                                             .sessions = s->sessions,
                                             .keys = s->keys,
                                             .read_share = s->read_share,
                                             .most_accesses = most_accesses(s),
                                             .first_key = keys.first,
                                             .kept = kept},
                                .campaign = &d->campaign,
                                .cluster = &d->cluster,
                                .seed = share->seed,
                                .faults = faults_active(d->faults)};
    if (!open_log(d, share, log, e))
        return false;
    bool room = make_room(d, keys.count, e), fine = room && run_sessions(d, share, &out->seconds, e);
    if (room)
        gather(d, out);
    free_room(d);
    fine = close_log(d, log, e) && fine;
    if (s->driver->forget)
        s->driver->forget(&d->campaign, &keys);
    return fine;
}
