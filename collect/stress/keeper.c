/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MSG_NOSIGNAL */
#endif
#include "collect/stress/keeper.h"

#include "collect/stress/orphans.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#if !defined(MSG_NOSIGNAL)
#define MSG_NOSIGNAL 0
#endif

/* ---- messages: a byte that asks, a struct that answers ---- */

static bool say(int socket, const void *bytes, size_t length)
{
    ssize_t n;
    do
        n = send(socket, bytes, length, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)length;
}

/* False: the other end is closed. */
static bool hear(int socket, void *bytes, size_t length)
{
    ssize_t n;
    do
        n = recv(socket, bytes, length, MSG_WAITALL);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)length;
}

/* ---- in the keeper ---- */

static void wait_for(pid_t process)
{
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* An ended process stays a zombie. A process that was stopped and goes on is running. */
static struct process_state state_of(pid_t process)
{
    siginfo_t info = {0};
    int fault;
    do
        fault = waitid(P_PID, (id_t)process, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT);
    while (fault && errno == EINTR);
    struct process_state state = {STATE_RUNNING, info.si_status};
    if (fault)
        state.kind = STATE_LOST;
    else if (info.si_pid && info.si_code == CLD_STOPPED)
        state.kind = STATE_STOPPED;
    else if (info.si_pid)
        state.kind = info.si_code == CLD_EXITED ? STATE_EXITED : STATE_KILLED;
    return state;
}

/* Requests to end or to pause, as by Ctrl-C, are the harness's. */
static void on_requests(void (*handler)(int))
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], handler);
}

_Noreturn static void keep(int socket, int go, pid_t process)
{
    char question;
    if (process > 0)
        setpgid(process, process); /* the process does the same; the first of both counts */
    say(socket, &process, sizeof process);
    say(go, "", 1);
    close(go);
    while (hear(socket, &question, 1)) {
        struct process_state state = state_of(process);
        say(socket, &state, sizeof state);
    }
    if (process > 0) {
        kill(-process, SIGKILL);
        kill(process, SIGKILL);
        wait_for(process);
        orphans_end();
    }
    _exit(EXIT_SUCCESS);
}

/* This process, where the system can see to that. */
static void end_with(pid_t keeper)
{
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != keeper) /* it was gone before that */
        _exit(EXIT_FAILURE);
}

/* Until the keeper has told the harness of this process, which may kill it as its first deed. */
static void wait_to_be_told(int go)
{
    char byte;
    if (!hear(go, &byte, 1))
        _exit(EXIT_FAILURE);
    close(go);
}

static bool open_sockets(int ends[2])
{
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

_Noreturn static void make_process(int socket, const struct kept_work *w)
{
    setpgid(0, 0);
    on_requests(SIG_IGN);
    orphans_adopt();
    int go[2] = {-1, -1};
    pid_t keeper = getpid(), process = open_sockets(go) ? fork() : -1;
    if (process == 0) {
        close(socket);
        close(go[1]);
        on_requests(SIG_DFL);
        end_with(keeper);
        wait_to_be_told(go[0]);
        w->work(w->context);
        _exit(EXIT_FAILURE);
    }
    close(w->pipe[0]);
    close(w->pipe[1]);
    close(go[0]);
    keep(socket, go[1], process);
}

/* ---- in the harness ---- */

bool keeper_start(struct keeper *k, const struct kept_work *w)
{
    int ends[2];
    *k = (struct keeper){.process = -1};
    if (!open_sockets(ends))
        return false;
    k->keeper = fork();
    if (k->keeper == 0) {
        close(ends[0]);
        make_process(ends[1], w);
    }
    close(ends[1]);
    k->socket = ends[0];
    if (k->keeper > 0 && hear(k->socket, &k->process, sizeof k->process) && k->process > 0)
        return true;
    keeper_end(k);
    return false;
}

struct process_state keeper_look(const struct keeper *k)
{
    struct process_state state;
    return say(k->socket, "?", 1) && hear(k->socket, &state, sizeof state) ? state
                                                                           : (struct process_state){STATE_LOST, 0};
}

void keeper_end(struct keeper *k)
{
    close(k->socket);
    if (k->keeper > 0)
        wait_for(k->keeper);
}
