/* SPDX-License-Identifier: Apache-2.0 */
/* Idea: a set of processes is found in a list of all, by parents and sessions, until it grows no more. To kill a set,
 * it is stopped first, in rounds, until no member runs any more. A stopped process starts no others.
 *
 * A process whose parent has died gets another one, so the remains of a cluster are found by marks instead. A server's
 * environment has the folder in it (child.h). PostgreSQL overwrites that memory with its titles. Its processes are
 * known by their program and by the folder that they are in. */
#include "collect/cluster/processes.h"

#include "base/clock.h"
#include "base/error.h"
#include "collect/cluster/child.h"
#include "collect/cluster/kind.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 200, ROUND_MS = 5, REMAINS_SECONDS = 60, ENVIRONMENT = 1 << 16 };

struct process {
    pid_t pid, parent, session;
    char state;
    unsigned long long start;
    bool member;
};

struct processes {
    struct process *at;
    size_t n, room;
};

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* ---- reading /proc ---- */

static bool ended(const struct process *p)
{
    return p->state == 'Z' || p->state == 'X';
}

static bool read_process(pid_t pid, struct process *out)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    const char *rest = strrchr(text, ')'); /* behind the name, which may hold anything */
    long parent, session;
    *out = (struct process){.pid = pid};
    if (!rest || sscanf(rest, ") %c %ld %*d %ld %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                        &out->state, &parent, &session, &out->start) != 4)
        return false;
    out->parent = (pid_t)parent;
    out->session = (pid_t)session;
    return true;
}

unsigned long long process_start(pid_t pid)
{
    struct process p;
    return pid > 0 && read_process(pid, &p) && !ended(&p) ? p.start : 0;
}

static void add(struct processes *all, pid_t pid)
{
    if (all->n == all->room) {
        size_t room = all->room ? 2 * all->room : 256;
        struct process *grown = realloc(all->at, room * sizeof *grown);
        if (!grown)
            return;
        all->at = grown;
        all->room = room;
    }
    if (read_process(pid, &all->at[all->n]))
        all->n++;
}

static struct processes all_processes(void)
{
    struct processes all = {0};
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    while (proc && (entry = readdir(proc)))
        if (isdigit((unsigned char)entry->d_name[0]))
            add(&all, (pid_t)atol(entry->d_name));
    if (proc)
        closedir(proc);
    return all;
}

/* ---- servers ---- */

static bool descends(const struct processes *all, const struct process *p)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].member && all->at[i].pid == p->parent)
            return true;
    return false;
}

/* All processes, with the members marked: the root, its descendants, its session. */
static struct processes family_of(pid_t root)
{
    struct processes all = all_processes();
    bool grown = true;
    for (size_t i = 0; i < all.n; i++)
        all.at[i].member = all.at[i].pid == root || all.at[i].session == root;
    while (grown) {
        grown = false;
        for (size_t i = 0; i < all.n; i++)
            if (!all.at[i].member && descends(&all, &all.at[i]))
                grown = all.at[i].member = true;
    }
    return all;
}

/* Sends it to the members that still run; false: there were none. */
static bool stop_round(pid_t root, pid_t spared)
{
    struct processes all = family_of(root);
    bool any = false;
    for (size_t i = 0; i < all.n; i++) {
        const struct process *p = &all.at[i];
        if (p->member && p->pid != spared && !ended(p) && p->state != 'T' && p->state != 't')
            any = kill(p->pid, SIGSTOP) == 0 || any;
    }
    free(all.at);
    return any;
}

static void stop(pid_t root, pid_t spared)
{
    for (unsigned round = 0; round < ROUNDS && stop_round(root, spared); round++)
        pause_ms(ROUND_MS);
}

static void signal_all(pid_t root, pid_t spared, int number)
{
    struct processes all = family_of(root);
    for (size_t i = all.n; i-- > 0;) /* children first, mostly: their parent shall find them running */
        if (all.at[i].member && all.at[i].pid != spared)
            kill(all.at[i].pid, number);
    free(all.at);
}

void server_stop(pid_t pid)
{
    stop(pid, 0);
}

void server_continue(pid_t pid)
{
    signal_all(pid, 0, SIGCONT);
}

void server_kill(pid_t pid)
{
    stop(pid, 0);
    signal_all(pid, 0, SIGKILL);
}

void descendants_kill(void)
{
    stop(getpid(), getpid());
    signal_all(getpid(), getpid(), SIGKILL);
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR) {}
}

/* ---- remains ---- */

static bool marked(pid_t pid, const char *folder)
{
    static char text[ENVIRONMENT];
    char path[64], mark[SITE_PATH];
    size_t n = 0;
    ssize_t got = 0;
    snprintf(path, sizeof path, "/proc/%ld/environ", (long)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && n < sizeof text - 1 && (got = read(fd, text + n, sizeof text - 1 - n)) > 0)
        n += (size_t)got;
    if (fd >= 0)
        close(fd);
    text[n] = 0;
    snprintf(mark, sizeof mark, CHILD_MARK "=%s", folder);
    for (size_t at = 0; at < n; at += strlen(text + at) + 1)
        if (strcmp(text + at, mark) == 0)
            return true;
    return false;
}

static void read_link(pid_t pid, const char *name, char out[SITE_PATH])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
    ssize_t n = readlink(path, out, SITE_PATH - 1);
    out[n > 0 ? n : 0] = 0;
}

static bool is_server_inside(pid_t pid, const struct site *s)
{
    char program[SITE_PATH], folder[SITE_PATH];
    size_t length = strlen(s->folder);
    read_link(pid, "exe", program);
    read_link(pid, "cwd", folder);
    const char *name = strrchr(program, '/');
    return name && strcmp(name + 1, s->kind->programs[0].name) == 0 && strncmp(folder, s->folder, length) == 0 &&
           folder[length] == '/';
}

/* Sends SIGKILL to them; the pid of one, or 0. */
static pid_t kill_remains(const struct site *s)
{
    struct processes all = all_processes();
    pid_t one = 0;
    for (size_t i = 0; i < all.n; i++) {
        pid_t pid = all.at[i].pid;
        if (pid == getpid() || ended(&all.at[i]) || !(marked(pid, s->folder) || is_server_inside(pid, s)))
            continue;
        kill(pid, SIGKILL);
        one = pid;
    }
    free(all.at);
    return one;
}

bool remains_kill(const struct site *s, assay_error *e)
{
    double end = clock_seconds(CLOCK_MONOTONIC) + REMAINS_SECONDS;
    pid_t one;
    while ((one = kill_remains(s)) && clock_seconds(CLOCK_MONOTONIC) < end)
        pause_ms(ROUND_MS);
    if (one) {
        error_set(e, ASSAY_ERROR_RESOURCE, "process %ld of the cluster does not end", (long)one);
        error_remedy(e, "`assay cluster down` again, perhaps as root");
    }
    return !one;
}
