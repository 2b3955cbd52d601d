/* SPDX-License-Identifier: Apache-2.0 */
/* Idea: one thread, and one place where it waits (wait_for_news), so that signals, dead servers and requests are
 * handled in turn. Signals only write into a pipe.
 *
 * Invariant: all processes of the cluster descend from this one, since orphans among them become its children
 * (PR_SET_CHILD_SUBREAPER). So killing all descendants leaves nothing, and if this process is killed, the kernel kills
 * the servers (child.c). */
#define _GNU_SOURCE /* accept4, pipe2: descriptors that no server inherits */
#include "collect/cluster/supervisor.h"

#include "base/clock.h"
#include "base/error.h"
#include "collect/cluster/child.h"
#include "collect/cluster/folder.h"
#include "collect/cluster/kind.h"
#include "collect/cluster/network.h"
#include "collect/cluster/processes.h"
#include "collect/cluster/record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { READY_SECONDS = 600, LOOK_EVERY_MS = 50, REQUEST = 64, REQUEST_SECONDS = 10 };

struct supervisor {
    struct site site;
    struct record record;
    bool cut[CLUSTER_MOST_NODES];
    int ended_with[CLUSTER_MOST_NODES]; /* the status of the last server, as waitpid gives it */
    int starter;                        /* -1 once the cluster is up */
    int listener;                       /* -1 until then */
};

static int wake[2]; /* the pipe of signals */
static volatile sig_atomic_t asked_to_end;
static int launch = -1; /* the starter's socket, for `stopped` */

/* ---- signals ---- */

static void on_signal(int number)
{
    int kept = errno;
    if (number != SIGCHLD)
        asked_to_end = 1;
    ssize_t ignored = write(wake[1], "", 1);
    (void)ignored;
    errno = kept;
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP};
    struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&act.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &act, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/* Shall everything end? Also when the starter waits no longer. */
static bool stopped(void)
{
    struct pollfd starter = {.fd = launch, .events = POLLIN};
    return asked_to_end || (launch >= 0 && poll(&starter, 1, 0) > 0);
}

/* ---- the log and the record ---- */

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    char when[32];
    time_t now = time(NULL);
    struct tm parts;
    va_list arguments;
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", localtime_r(&now, &parts));
    printf("%s ", when);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

static void keep_record(struct supervisor *v)
{
    assay_error e = {ASSAY_OK};
    if (!record_write(&v->record, &e))
        say("%s", e.message);
}

static struct cluster_node *node_of(struct supervisor *v, unsigned number)
{
    return &v->record.view.nodes[number - 1];
}

static void tell(struct supervisor *v, enum supervisor_news news, const char *words, const assay_error *e)
{
    struct supervisor_message m = {.news = news};
    snprintf(m.words, sizeof m.words, "%s", words ? words : "");
    if (e)
        m.error = *e;
    say("%s%s", m.words, e ? e->message : "");
    if (v->starter >= 0)
        send(v->starter, &m, sizeof m, MSG_NOSIGNAL);
}

/* ---- servers ---- */

static void note_end(struct supervisor *v, pid_t pid, int status)
{
    for (unsigned i = 1; i <= v->site.nodes; i++) {
        struct cluster_node *n = node_of(v, i);
        if (n->pid != (long)pid)
            continue;
        say("node %u has ended: %s %d", i, WIFSIGNALED(status) ? "signal" : "status",
            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        v->ended_with[i - 1] = status;
        n->pid = 0;
        n->state = CLUSTER_DEAD;
        keep_record(v);
    }
}

static void reap(struct supervisor *v)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        note_end(v, pid, status);
}

static void wait_for_news(struct supervisor *v, int milliseconds)
{
    char bytes[64];
    struct pollfd news[] = {
        {.fd = wake[0], .events = POLLIN}, {.fd = v->listener, .events = POLLIN}, {.fd = v->starter, .events = POLLIN}};
    poll(news, 3, milliseconds); /* descriptors below 0 are passed over */
    while (read(wake[0], bytes, sizeof bytes) > 0) {}
    reap(v);
}

static bool alone(struct supervisor *v, unsigned node)
{
    for (unsigned i = 1; i <= v->site.nodes; i++)
        if (i != node && node_of(v, i)->pid)
            return false;
    return true;
}

static bool start_server(struct supervisor *v, unsigned node, assay_error *e)
{
    struct command_line line = {0};
    struct cluster_node *n = node_of(v, node);
    v->site.kind->server(&v->site, node, alone(v, node), &line);
    pid_t pid = child_start(&v->site, node, &line, e);
    if (pid < 0)
        return false;
    n->pid = (long)pid;
    n->state = v->cut[node - 1] ? CLUSTER_CUT : CLUSTER_UP;
    say("node %u runs as process %ld", node, n->pid);
    keep_record(v);
    return true;
}

/* ---- starting ---- */

/* A server that has ended before it was ready: its log knows more. */
static bool died(struct supervisor *v, unsigned node, assay_error *e)
{
    char log[SITE_PATH];
    int status = v->ended_with[node - 1];
    site_log(&v->site, node, log);
    error_set(e, ASSAY_ERROR_RESOURCE, "node %u (%s) has ended with %s %d before it was ready", node,
              v->site.kind->programs[0].name, WIFSIGNALED(status) ? "signal" : "status",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    error_place(e, log, 0, 0);
    return false;
}

static bool wait_until_ready(struct supervisor *v, unsigned node, assay_error *e)
{
    double end = clock_seconds(CLOCK_MONOTONIC) + READY_SECONDS;
    while (!stopped()) {
        wait_for_news(v, LOOK_EVERY_MS);
        if (!node_of(v, node)->pid)
            return died(v, node, e);
        if (v->site.kind->ready(&v->site, node))
            return true;
        if (clock_seconds(CLOCK_MONOTONIC) > end) {
            char log[SITE_PATH];
            site_log(&v->site, node, log);
            error_set(e, ASSAY_ERROR_RESOURCE, "node %u is not ready after %d seconds", node, READY_SECONDS);
            error_place(e, log, 0, 0);
            return false;
        }
    }
    error_set(e, ASSAY_ERROR_INTERRUPTED, "interrupted");
    return false;
}

static bool make_and_start(struct supervisor *v, unsigned node, assay_error *e)
{
    const struct cluster *kind = v->site.kind;
    char words[CLUSTER_NAME];
    snprintf(words, sizeof words, "starting node %u of %u", node, v->site.nodes);
    tell(v, SUPERVISOR_STEP, words, NULL);
    return child_folder(&v->site, node, e) && (!kind->make || kind->make(&v->site, node, e)) &&
           start_server(v, node, e) && (!kind->in_turn || wait_until_ready(v, node, e)) &&
           (node > 1 || !kind->settle || kind->settle(&v->site, e));
}

static bool start_all(struct supervisor *v, assay_error *e)
{
    const struct cluster *kind = v->site.kind;
    bool fine = site_ports_free(&v->site, e) && (!v->site.isolated || networks_make(&v->site, e));
    for (unsigned i = 1; i <= v->site.nodes && fine; i++)
        fine = make_and_start(v, i, e);
    if (fine && !kind->in_turn)
        tell(v, SUPERVISOR_STEP, "waiting until all nodes are ready", NULL);
    for (unsigned i = 1; i <= v->site.nodes && fine; i++) /* the last one may have changed the others */
        fine = wait_until_ready(v, i, e);
    if (fine)
        kind->version(&v->site, 1, v->record.view.version, sizeof v->record.view.version);
    return fine;
}

/* ---- ending ---- */

static void end_all(struct supervisor *v)
{
    launch = -1;
    descendants_kill();
    for (unsigned i = 1; i <= v->site.nodes; i++) {
        node_of(v, i)->pid = 0;
        node_of(v, i)->state = CLUSTER_DEAD;
        if (v->site.kind->forget)
            v->site.kind->forget(&v->site, i);
    }
    if (v->site.isolated)
        networks_remove(&v->site);
    v->record.view.up = false;
    keep_record(v);
    say("all has ended");
}

/* ---- actions ---- */

static bool refuse(assay_error *e, unsigned node, const char *why, const char *remedy)
{
    error_set(e, ASSAY_ERROR_USAGE, "node %u %s", node, why);
    error_remedy(e, "%s", remedy);
    return false;
}

static bool pause_node(struct supervisor *v, struct cluster_node *n, assay_error *e)
{
    if (!n->pid)
        return refuse(e, n->number, "is dead", "start it first");
    if (n->state == CLUSTER_PAUSED)
        return refuse(e, n->number, "is paused already", "resume it");
    server_stop((pid_t)n->pid);
    n->state = CLUSTER_PAUSED;
    (void)v;
    return true;
}

static bool resume_node(struct supervisor *v, struct cluster_node *n, assay_error *e)
{
    if (n->state != CLUSTER_PAUSED)
        return refuse(e, n->number, "is not paused", "pause it first");
    server_continue((pid_t)n->pid);
    n->state = v->cut[n->number - 1] ? CLUSTER_CUT : CLUSTER_UP;
    return true;
}

static bool kill_node(struct supervisor *v, struct cluster_node *n, assay_error *e)
{
    int status = 0;
    pid_t pid = (pid_t)n->pid;
    if (!pid)
        return refuse(e, n->number, "is dead already", "start it");
    server_kill(pid);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    note_end(v, pid, status);
    return true;
}

static bool start_node(struct supervisor *v, struct cluster_node *n, assay_error *e)
{
    const struct cluster *kind = v->site.kind;
    if (n->pid)
        return refuse(e, n->number, "runs already", "kill it first");
    return (!kind->revive || kind->revive(&v->site, n->number, alone(v, n->number), e)) &&
           start_server(v, n->number, e);
}

static bool link_node(struct supervisor *v, struct cluster_node *n, bool up, assay_error *e)
{
    bool *cut = &v->cut[n->number - 1];
    if (!v->site.isolated)
        return refuse(e, n->number, "has no network of its own",
                      "start the cluster with --isolated: it can be cut off then");
    if (*cut != up)
        return refuse(e, n->number, up ? "is not cut off" : "is cut off already", up ? "cut it off first" : "heal it");
    if (!network_link(&v->site, n->number, up, e))
        return false;
    *cut = !up;
    if (n->state == CLUSTER_UP || n->state == CLUSTER_CUT)
        n->state = up ? CLUSTER_UP : CLUSTER_CUT;
    return true;
}

static bool cut_node(struct supervisor *v, struct cluster_node *n, assay_error *e)
{
    return link_node(v, n, false, e);
}

static bool heal_node(struct supervisor *v, struct cluster_node *n, assay_error *e)
{
    return link_node(v, n, true, e);
}

static const struct {
    const char *name;
    bool (*run)(struct supervisor *v, struct cluster_node *n, assay_error *e);
} actions[] = {{"pause", pause_node}, {"resume", resume_node}, {"kill", kill_node},
               {"start", start_node}, {"cut", cut_node},       {"heal", heal_node}};

static bool act(struct supervisor *v, const char *name, unsigned node, assay_error *e)
{
    if (node < 1 || node > v->site.nodes) {
        error_set(e, ASSAY_ERROR_USAGE, "there is no node %u", node);
        error_remedy(e, "the nodes are 1 to %u", v->site.nodes);
        return false;
    }
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, name) == 0)
            return actions[i].run(v, node_of(v, node), e);
    error_set(e, ASSAY_ERROR_USAGE, "unknown action '%s'", name);
    error_remedy(e, "pause, resume, kill, start, cut or heal");
    return false;
}

/* ---- requests: a line "ACTION NODE", answered by "ok", or by the message and the remedy on two lines ---- */

static void set_patience(int fd, int seconds)
{
    struct timeval patience = {.tv_sec = seconds};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

static void serve(struct supervisor *v)
{
    char request[REQUEST] = "", name[16], answer[sizeof(assay_error)];
    unsigned node;
    assay_error e = {ASSAY_OK};
    int fd = accept4(v->listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0)
        return;
    set_patience(fd, REQUEST_SECONDS);
    ssize_t n = recv(fd, request, sizeof request - 1, 0);
    if (n > 0 && sscanf(request, "%15s %u\n", name, &node) == 2) {
        bool fine = act(v, name, node, &e);
        say("%s node %u: %s", name, node, fine ? "done" : e.message);
        keep_record(v);
        int length = fine ? snprintf(answer, sizeof answer, "ok\n")
                          : snprintf(answer, sizeof answer, "%s\n%s\n", e.message, e.remedy);
        send(fd, answer, (size_t)length, MSG_NOSIGNAL);
    }
    close(fd);
}

static bool open_socket(struct supervisor *v, assay_error *e)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    char path[FOLDER_SOCKET];
    int folder;
    mode_t mask = umask(077);
    bool fine = folder_socket(&v->site, &folder, path);
    strcpy(at.sun_path, path);
    v->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    fine = fine && v->listener >= 0 && bind(v->listener, (struct sockaddr *)&at, sizeof at) == 0 &&
           listen(v->listener, 16) == 0;
    if (!fine)
        error_set(e, ASSAY_ERROR_RESOURCE, "cannot make the socket of the supervisor: %s", strerror(errno));
    umask(mask);
    if (folder >= 0)
        close(folder);
    return fine;
}

bool supervisor_ask(const struct site *s, const char *action, unsigned node, assay_error *e)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    char path[FOLDER_SOCKET], request[REQUEST], answer[sizeof(assay_error)] = "";
    int folder, fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), length;
    size_t n = 0;
    ssize_t got = -1;
    bool fine = folder_socket(s, &folder, path);
    strcpy(at.sun_path, path);
    length = snprintf(request, sizeof request, "%s %u\n", action, node);
    set_patience(fd, 10 * REQUEST_SECONDS);
    fine = fine && connect(fd, (struct sockaddr *)&at, sizeof at) == 0 &&
           send(fd, request, (size_t)length, MSG_NOSIGNAL) == length;
    while (fine && n < sizeof answer - 1 && (got = recv(fd, answer + n, sizeof answer - 1 - n, 0)) > 0)
        n += (size_t)got;
    if (folder >= 0)
        close(folder);
    close(fd);
    if (strcmp(answer, "ok\n") == 0)
        return true;
    if (n == 0) {
        error_set(e, ASSAY_ERROR_RESOURCE, "the supervisor of the cluster does not answer");
        error_remedy(e, "`assay cluster down %s` ends it", s->kind->name);
        return false;
    }
    char *remedy = strchr(answer, '\n');
    if (remedy) {
        *remedy++ = 0;
        remedy[strcspn(remedy, "\n")] = 0;
    }
    error_set(e, ASSAY_ERROR_USAGE, "%s", answer);
    if (remedy && *remedy)
        error_remedy(e, "%s", remedy);
    return false;
}

/* ---- the process ---- */

/* Nothing of the starter's is kept open but the lock and the socket: others may wait for the end of its pipes. */
static void let_go(const struct site *s, int lock, int starter)
{
    char path[SITE_PATH];
    DIR *descriptors = opendir("/proc/self/fd");
    struct dirent *entry;
    while (descriptors && (entry = readdir(descriptors))) {
        int fd = atoi(entry->d_name);
        if (fd > STDERR_FILENO && fd != lock && fd != starter && fd != dirfd(descriptors))
            close(fd);
    }
    if (descriptors)
        closedir(descriptors);
    site_path(s, path, "supervisor.log");
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int out = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    close(in);
    close(out);
}

static bool make_pipe(void)
{
    return pipe2(wake, O_CLOEXEC | O_NONBLOCK) == 0;
}

_Noreturn void supervisor_run(const struct site *s, int lock, int starter)
{
    struct supervisor v = {.site = *s, .record = record_of(s), .starter = starter, .listener = -1};
    assay_error e = {ASSAY_OK};
    setsid();
    let_go(s, lock, starter);
    int ignored = chdir("/");
    (void)ignored;
    umask(022);
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
    launch = starter;
    v.site.stopped = stopped;
    v.record.supervisor = (long)getpid();
    v.record.supervisor_start = process_start(getpid());
    bool fine = make_pipe();
    catch_signals();
    fine = fine && record_write(&v.record, &e) && start_all(&v, &e) && open_socket(&v, &e);
    if (fine) {
        v.record.view.up = true;
        fine = record_write(&v.record, &e);
    }
    tell(&v, fine ? SUPERVISOR_READY : SUPERVISOR_ERROR, fine ? "all nodes are ready" : NULL, fine ? NULL : &e);
    if (fine) {
        close(starter);
        launch = v.starter = -1;
    }
    while (fine && !asked_to_end) {
        wait_for_news(&v, -1);
        serve(&v);
    }
    end_all(&v);
    _exit(fine ? 0 : 1);
}
