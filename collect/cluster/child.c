/* SPDX-License-Identifier: Apache-2.0 */
/* Idea: after the fork, the child sets its session, network, user, folder and streams, in this order. Only root may
 * enter a network, and only the right user shall enter the folder. A pipe that closes on exec tells the parent which
 * step failed.
 *
 * Invariant: PR_SET_PDEATHSIG is set after the change of users, which clears it. The parent may have died before that,
 * so the child looks whose child it is. */
#define _GNU_SOURCE /* setgroups, pipe2 */
#include "collect/cluster/child.h"

#include "base/clock.h"
#include "base/error.h"
#include "collect/cluster/kind.h"
#include "collect/cluster/network.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { LOOK_EVERY_MS = 50, MOST_GROUPS = 32, USER_TEXT = 4096 };

struct owner {
    bool other; /* than ourselves: */
    uid_t user;
    gid_t group, groups[MOST_GROUPS];
    int group_count;
};

struct launch {
    const struct site *site;
    unsigned node; /* 0: as ourselves, in our network */
    const struct command_line *line;
    int output; /* standard output and error */
    struct owner owner;
    char folder[SITE_PATH], environment[6][SITE_PATH];
    char network[CLUSTER_NAME];
    pid_t parent;
};

static const char *const steps[] = {"enter the network of",   "change to the user of", "enter the folder of",
                                    "redirect the output of", "outlive the parent of", "start"};
enum { STEP_NETWORK, STEP_USER, STEP_FOLDER, STEP_STREAMS, STEP_PARENT, STEP_START };

struct failure {
    int step, number;
};

/* ---- in the child ---- */

_Noreturn static void fail(int report, int step)
{
    struct failure f = {step, errno};
    ssize_t ignored = write(report, &f, sizeof f);
    (void)ignored;
    _exit(127);
}

static void plain_signals(void)
{
    sigset_t none;
    struct sigaction act = {.sa_handler = SIG_DFL};
    sigemptyset(&act.sa_mask);
    for (int i = 1; i < 32; i++)
        sigaction(i, &act, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static bool become_user(const struct owner *o)
{
    return !o->other ||
           (setgroups((size_t)o->group_count, o->groups) == 0 && setgid(o->group) == 0 && setuid(o->user) == 0);
}

static bool die_with_parent(const struct launch *l)
{
#ifdef __linux__
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
        return false;
#endif
    return getppid() == l->parent;
}

static bool redirect(const struct launch *l)
{
    int nothing = open("/dev/null", O_RDONLY);
    return nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(l->output, STDOUT_FILENO) >= 0 &&
           dup2(l->output, STDERR_FILENO) >= 0;
}

_Noreturn static void become(struct launch *l, int report)
{
    char *environment[7] = {0};
    for (size_t i = 0; i < 6; i++)
        environment[i] = l->environment[i];
    setsid();
    plain_signals();
    if (*l->network && !cluster_enter(l->network, NULL))
        fail(report, STEP_NETWORK);
    if (!become_user(&l->owner))
        fail(report, STEP_USER);
    if (!die_with_parent(l))
        fail(report, STEP_PARENT);
    if (chdir(l->folder) < 0)
        fail(report, STEP_FOLDER);
    if (!redirect(l))
        fail(report, STEP_STREAMS);
    umask(022);
    execve(l->line->argv[0], l->line->argv, environment);
    fail(report, STEP_START);
}

/* ---- before ---- */

/* Looked up before the fork: the process may have threads, which may hold the locks of the library. */
static bool find_owner(const struct site *s, struct owner *out, assay_error *e)
{
    char text[USER_TEXT];
    struct passwd entry, *p = NULL;
    *out = (struct owner){.other = geteuid() == 0, .group_count = MOST_GROUPS};
    if (!out->other)
        return true;
    if (getpwnam_r(s->kind->user, &entry, text, sizeof text, &p) != 0 || !p) {
        error_set(e, ASSAY_ERROR_MISSING, "there is no user %s, who runs the servers", s->kind->user);
        error_remedy(e, "apt-get install %s", s->kind->packages);
        return false;
    }
    out->user = p->pw_uid;
    out->group = p->pw_gid;
    if (getgrouplist(s->kind->user, p->pw_gid, out->groups, &out->group_count) < 0)
        out->group_count = MOST_GROUPS; /* the first ones, then */
    return true;
}

/* Nothing of the caller's environment reaches a program: it might name other servers, users and settings. */
static bool describe(struct launch *l, const struct site *s, unsigned node, assay_error *e)
{
    l->site = s;
    l->node = node;
    l->parent = getpid();
    strcpy(l->folder, "/");
    snprintf(l->environment[0], SITE_PATH, CHILD_MARK "=%s", s->folder);
    strcpy(l->environment[1], "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    strcpy(l->environment[2], "LC_ALL=C");
    if (node) {
        site_path(s, l->folder, "n%u", node);
        if (s->isolated)
            network_name(s, node, l->network);
        if (!find_owner(s, &l->owner, e))
            return false;
    }
    snprintf(l->environment[3], SITE_PATH, "HOME=%s", l->folder);
    snprintf(l->environment[4], SITE_PATH, "TMPDIR=%s", node ? l->folder : "/tmp");
    strcpy(l->environment[5], "PGCONNECT_TIMEOUT=5");
    return true;
}

bool child_folder(const struct site *s, unsigned node, assay_error *e)
{
    char path[SITE_PATH];
    struct owner o;
    site_path(s, path, "n%u", node);
    if (!find_owner(s, &o, e))
        return false;
    if (mkdir(path, 0700) == 0 && (!o.other || chown(path, o.user, o.group) == 0))
        return true;
    error_set(e, ASSAY_ERROR_RESOURCE, "%s: cannot make the folder of node %u: %s", path, node, strerror(errno));
    return false;
}

/* ---- starting ---- */

static const char *program_name(const struct launch *l)
{
    const char *path = l->line->argv[0], *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static pid_t start(struct launch *l, assay_error *e)
{
    int report[2];
    struct failure f;
    const char *name = program_name(l);
    if (pipe2(report, O_CLOEXEC) < 0) {
        error_set(e, ASSAY_ERROR_RESOURCE, "cannot start %s: %s", name, strerror(errno));
        return -1;
    }
    pid_t pid = fork();
    if (pid == 0)
        become(l, report[1]);
    f = (struct failure){STEP_START, errno};
    close(report[1]);
    ssize_t n = pid < 0 ? (ssize_t)sizeof f : 0;
    while (pid > 0 && (n = read(report[0], &f, sizeof f)) < 0 && errno == EINTR) {}
    close(report[0]);
    if (n != (ssize_t)sizeof f)
        return pid;
    if (pid > 0)
        waitpid(pid, NULL, 0);
    error_set(e, ASSAY_ERROR_RESOURCE, "cannot %s %s: %s", steps[f.step], name, strerror(f.number));
    if (f.step == STEP_FOLDER && l->owner.other)
        error_remedy(e, "the user %s must be able to enter %s: chmod o+x on the folders above it, or --dir",
                     l->site->kind->user, l->folder);
    return -1;
}

pid_t child_start(const struct site *s, unsigned node, const struct command_line *line, assay_error *e)
{
    struct launch l = {.line = line};
    char log[SITE_PATH];
    site_log(s, node, log);
    l.output = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (l.output < 0) {
        error_set(e, ASSAY_ERROR_RESOURCE, "%s: cannot write: %s", log, strerror(errno));
        return -1;
    }
    pid_t pid = describe(&l, s, node, e) ? start(&l, e) : -1;
    close(l.output);
    return pid;
}

/* ---- helpers ---- */

/* Keeps the end of the output. False at its end. */
static bool collect(int from, char output[CHILD_OUTPUT], size_t *n)
{
    if (*n > CHILD_OUTPUT / 2) {
        memmove(output, output + *n - CHILD_OUTPUT / 2, CHILD_OUTPUT / 2);
        *n = CHILD_OUTPUT / 2;
    }
    ssize_t got = read(from, output + *n, CHILD_OUTPUT - 1 - *n);
    *n += got > 0 ? (size_t)got : 0;
    output[*n] = 0;
    return got > 0 || (got < 0 && errno == EINTR);
}

static const char *last_line(char *text)
{
    size_t n = strlen(text);
    while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == '\r' || text[n - 1] == ' '))
        text[--n] = 0;
    return strrchr(text, '\n') ? strrchr(text, '\n') + 1 : text;
}

/* Until its output ends. False: it shall not go on. */
static bool follow(const struct site *s, int from, double seconds, char output[CHILD_OUTPUT])
{
    double end = clock_seconds(CLOCK_MONOTONIC) + seconds;
    size_t n = 0;
    output[0] = 0;
    for (;;) {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        if (poll(&ready, 1, LOOK_EVERY_MS) > 0 && !collect(from, output, &n))
            return true;
        if (clock_seconds(CLOCK_MONOTONIC) > end || (s->stopped && s->stopped()))
            return false;
    }
}

static bool run(struct launch *l, double seconds, char output[CHILD_OUTPUT], assay_error *e)
{
    int ends[2], status = 0;
    const char *name = program_name(l);
    if (pipe2(ends, O_CLOEXEC) < 0) {
        error_set(e, ASSAY_ERROR_RESOURCE, "cannot start %s: %s", name, strerror(errno));
        return false;
    }
    l->output = ends[1];
    pid_t pid = start(l, e);
    close(ends[1]);
    bool ended = pid > 0 && follow(l->site, ends[0], seconds, output);
    close(ends[0]);
    if (pid < 0)
        return false;
    if (!ended)
        kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    if (!ended)
        error_set(e, ASSAY_ERROR_INTERRUPTED, "%s was ended: it took too long, or all was to end", name);
    else if (status != 0)
        error_set(e, ASSAY_ERROR_RESOURCE, "%s failed: %s", name, *output ? last_line(output) : "it said nothing");
    return ended && status == 0;
}

bool child_run(const struct site *s, unsigned node, const struct command_line *line, double seconds,
               char output[CHILD_OUTPUT], assay_error *e)
{
    struct launch l = {.line = line};
    return describe(&l, s, node, e) && run(&l, seconds, output, e);
}
