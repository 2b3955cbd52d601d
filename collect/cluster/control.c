/* SPDX-License-Identifier: Apache-2.0 */
/* Idea: the lock in the folder says whether a supervisor lives, and the record describes the cluster. All
 * commands begin there. A cluster without a supervisor is cleared away, by `down` or by the next `up`. */
#define _DEFAULT_SOURCE /* socketpair of whole messages */
#include "base/clock.h"
#include "base/error.h"
#include "collect/cluster/folder.h"
#include "collect/cluster/kind.h"
#include "collect/cluster/network.h"
#include "collect/cluster/processes.h"
#include "collect/cluster/record.h"
#include "collect/cluster/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_EVERY_MS = 50, PATIENCE_SECONDS = 120 };

static void pause_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = LOOK_EVERY_MS * 1000000L}, NULL);
}

/* ---- clearing away ---- */

/* Everything of a cluster whose supervisor is gone, under its lock. */
static bool clear(const struct site *s, assay_error *e)
{
    struct record r;
    struct site old = *s;
    bool known = record_read(s, &r);
    if (known)
        record_site(&r, &old);
    if (!remains_kill(&old, e))
        return false;
    for (unsigned i = 1; i <= CLUSTER_MOST_NODES && old.kind->forget; i++)
        old.kind->forget(&old, i);
    if (geteuid() == 0)
        networks_remove(&old);
    folder_remove(&old);
    return true;
}

/* SIGTERM to the supervisor that the record names, if it is that process. */
static void end_supervisor(const struct site *s)
{
    struct record r;
    if (record_read(s, &r) && r.supervisor > 0 && process_start((pid_t)r.supervisor) == r.supervisor_start)
        kill((pid_t)r.supervisor, SIGTERM);
}

static bool does_not_end(const struct site *s, assay_error *e)
{
    struct record r = {0};
    record_read(s, &r);
    error_set(e, ASSAY_ERROR_RESOURCE, "the supervisor, process %ld, does not end", r.supervisor);
    error_remedy(e, "kill -9 %ld, then `assay cluster down %s` again", r.supervisor, s->kind->name);
    return false;
}

bool cluster_down(const struct cluster *kind, const char *folder, bool *found, assay_error *e)
{
    struct site s;
    double end = clock_seconds(CLOCK_MONOTONIC) + PATIENCE_SECONDS;
    *found = false;
    if (!site_at(&s, kind, folder, e))
        return false;
    for (;;) {
        int lock;
        enum folder_lock state = folder_lock(&s, false, &lock, e);
        if (state == FOLDER_ABSENT || state == FOLDER_FAULT)
            return state == FOLDER_ABSENT;
        *found = true;
        if (state == FOLDER_LOCKED) {
            bool fine = clear(&s, e);
            close(lock);
            return fine;
        }
        if (clock_seconds(CLOCK_MONOTONIC) > end)
            return does_not_end(&s, e);
        end_supervisor(&s);
        pause_a_little();
    }
}

/* ---- looking ---- */

bool cluster_view(const struct cluster *kind, const char *folder, struct cluster_view *out, assay_error *e)
{
    struct site s;
    struct record r;
    int lock;
    if (!site_at(&s, kind, folder, e))
        return false;
    *out = (struct cluster_view){.kind = kind};
    strcpy(out->folder, s.folder);
    enum folder_lock state = folder_lock(&s, false, &lock, e);
    if (state == FOLDER_LOCKED)
        close(lock);
    if (state != FOLDER_BUSY)
        return state != FOLDER_FAULT;
    if (!record_read(&s, &r) || !r.view.up)
        return true; /* it is being started */
    if (r.view.kind != kind) {
        error_set(e, ASSAY_ERROR_USAGE, "a cluster of another kind is here: %s", r.view.kind->name);
        error_place(e, s.folder, 0, 0);
        return false;
    }
    *out = r.view;
    return true;
}

/* ---- starting ---- */

/* The same cluster as is asked for? A setting that is not asked for does not count. */
static bool fits(const struct cluster_settings *s, const struct cluster_view *v, assay_error *e)
{
    if ((!s->nodes || s->nodes == v->node_count) && (!s->port || s->port == v->port) && (!s->isolated || v->isolated))
        return true;
    error_set(e, ASSAY_ERROR_USAGE, "the cluster is up with other settings: %u node%s, ports from %u%s", v->node_count,
              v->node_count == 1 ? "" : "s", v->port, v->isolated ? ", isolated" : "");
    error_place(e, v->folder, 0, 0);
    error_remedy(e, "`assay cluster down %s` first, or choose another folder: --dir", s->kind->name);
    return false;
}

static bool already_up(const struct cluster_settings *s, const struct site *site, struct cluster_view *out,
                       assay_error *e)
{
    if (!cluster_view(s->kind, site->folder, out, e))
        return false;
    if (out->up)
        return fits(s, out, e);
    error_set(e, ASSAY_ERROR_USAGE, "the cluster is just being started or ended");
    error_place(e, site->folder, 0, 0);
    error_remedy(e, "wait, or `assay cluster down %s`", s->kind->name);
    return false;
}

static bool lost(assay_error *e, const struct site *s)
{
    char log[SITE_PATH];
    site_path(s, log, "supervisor.log");
    error_set(e, ASSAY_ERROR_INTERNAL, "the supervisor of the cluster has died");
    error_place(e, log, 0, 0);
    error_remedy(e, "`assay cluster down %s` removes what is left", s->kind->name);
    return false;
}

/* Until it is ready, or is not. */
static bool follow_start(const struct cluster_settings *s, const struct site *site, int supervisor, assay_error *e)
{
    struct supervisor_message m;
    for (;;) {
        struct pollfd news = {.fd = supervisor, .events = POLLIN};
        if (s->interrupt && s->interrupt(s->arg)) {
            error_set(e, ASSAY_ERROR_INTERRUPTED, "interrupted");
            return false;
        }
        if (poll(&news, 1, LOOK_EVERY_MS) <= 0)
            continue;
        ssize_t n = recv(supervisor, &m, sizeof m, 0);
        if (n != (ssize_t)sizeof m)
            return lost(e, site);
        if (m.news == SUPERVISOR_READY)
            return true;
        if (m.news == SUPERVISOR_ERROR) {
            error_copy(e, &m.error);
            return false;
        }
        if (s->step)
            s->step(s->arg, m.words);
    }
}

/* Forks the supervisor and waits for its news. It inherits the lock. */
static bool start(const struct cluster_settings *s, const struct site *site, int lock, assay_error *e)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) < 0) {
        error_set(e, ASSAY_ERROR_RESOURCE, "cannot make a socket: %s", strerror(errno));
        return false;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        supervisor_run(site, lock, ends[1]);
    close(ends[1]);
    if (pid < 0)
        error_set(e, ASSAY_ERROR_RESOURCE, "cannot start a process: %s", strerror(errno));
    bool fine = pid > 0 && follow_start(s, site, ends[0], e);
    close(ends[0]);
    if (pid > 0 && !fine) /* it ends everything first */
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
    return fine;
}

bool cluster_up(const struct cluster_settings *s, struct cluster_view *out, bool *already, assay_error *e)
{
    struct site site;
    int lock;
    *already = false;
    if (!site_from(&site, s, e) || !folder_make(&site, e))
        return false;
    switch (folder_lock(&site, true, &lock, e)) {
    case FOLDER_LOCKED: break;
    case FOLDER_BUSY: *already = true; return already_up(s, &site, out, e);
    case FOLDER_ABSENT:
        error_set(e, ASSAY_ERROR_INPUT, "the folder has just been removed");
        error_place(e, site.folder, 0, 0);
        error_remedy(e, "try again");
        return false;
    case FOLDER_FAULT: return false;
    }
    if (folder_used(&site)) { /* remains of an earlier cluster */
        bool cleared = clear(&site, e);
        close(lock);
        return cleared && cluster_up(s, out, already, e);
    }
    bool fine = start(s, &site, lock, e);
    if (!fine && e && e->code == ASSAY_ERROR_INTERRUPTED)
        clear(&site, NULL);
    close(lock);
    return fine && cluster_view(s->kind, site.folder, out, e);
}

/* ---- actions ---- */

static bool find(const struct cluster *kind, const char *folder, struct site *s, assay_error *e)
{
    struct cluster_view v;
    if (!cluster_view(kind, folder, &v, e))
        return false;
    if (!v.up) {
        error_set(e, ASSAY_ERROR_USAGE, "there is no cluster");
        error_place(e, v.folder, 0, 0);
        error_remedy(e, "`assay cluster up %s` starts one", kind->name);
        return false;
    }
    struct record r = {.view = v};
    record_site(&r, s);
    return true;
}

bool cluster_act(const struct cluster *kind, const char *folder, const char *action, unsigned node, assay_error *e)
{
    struct site s;
    return find(kind, folder, &s, e) && supervisor_ask(&s, action, node, e);
}

/* May it still become ready? */
static bool awaited(const struct cluster_settings *settings, const struct site *s, unsigned node, double end,
                    assay_error *e)
{
    struct site now;
    struct record r;
    char log[SITE_PATH];
    if (settings->interrupt && settings->interrupt(settings->arg)) {
        error_set(e, ASSAY_ERROR_INTERRUPTED, "interrupted");
        return false;
    }
    if (!find(settings->kind, s->folder, &now, e))
        return false;
    bool runs = record_read(s, &r) && r.view.nodes[node - 1].pid, late = clock_seconds(CLOCK_MONOTONIC) > end;
    if (runs && !late)
        return true;
    error_set(e, ASSAY_ERROR_RESOURCE, "node %u %s", node, runs ? "is not ready yet" : "has ended");
    site_log(s, node, log);
    error_place(e, log, 0, 0);
    return false;
}

bool cluster_await(const struct cluster_settings *settings, unsigned node, double seconds, assay_error *e)
{
    struct site s;
    double end = clock_seconds(CLOCK_MONOTONIC) + seconds;
    if (!find(settings->kind, settings->folder, &s, e) || !site_find_programs(&s, e))
        return false;
    while (!settings->kind->ready(&s, node)) {
        if (!awaited(settings, &s, node, end, e))
            return false;
        pause_a_little();
    }
    return true;
}
