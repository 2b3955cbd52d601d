/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* the size of a pipe */
#endif
#include "collect/stress/isolate.h"

#include "base/budget.h"
#include "collect/stress/hang.h"
#include "collect/stress/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PIPE_BYTES = 1 << 20, READ_BYTES = 1 << 16, LOOK_MS = 50, SHORT_LOOK_MS = 2, GATHER_MS = 4 };
static const double moment = 0.004; /* seconds until calls that do not return may be calls that wait */
static const double grace = 2;      /* seconds to end after being asked to */
static const int requests[] = {SIGINT, SIGTERM, SIGHUP, 0};

/* ---- in the new process ---- */

void outlet_send(const struct outlet *to, struct parcel head, const void *bytes)
{
    struct iovec parts[] = {{&head, sizeof head}, {(void *)(uintptr_t)bytes, (size_t)head.length}};
    for (size_t i = 0; i < 2;) {
        ssize_t n = writev(to->fd, &parts[i], (int)(2 - i));
        if (n < 0 && errno != EINTR)
            _exit(EXIT_FAILURE);
        size_t left = n > 0 ? (size_t)n : 0;
        while (i < 2 && left >= parts[i].iov_len)
            left -= parts[i++].iov_len;
        if (i < 2) {
            parts[i].iov_base = (char *)parts[i].iov_base + left;
            parts[i].iov_len -= left;
        }
    }
}

static void on_signals(const int *numbers, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    for (; *numbers; numbers++)
        sigaction(*numbers, &action, NULL);
}

struct work_there {
    const struct isolated_work *work;
    int pipe[2];
};

/* Ctrl-C goes to the harness alone, which asks this process to end: so its last run is whole. The process may write to
 * a terminal, although it is in the background. */
static void become_worker(void)
{
    on_signals((const int[]){SIGPIPE, SIGTTIN, SIGTTOU, 0}, SIG_IGN);
    setpgid(0, 0);
}

static void work(void *context)
{
    const struct work_there *here = context;
    const struct isolated_work *w = here->work;
    struct outlet to = {here->pipe[1]};
    close(here->pipe[0]);
    become_worker();
    w->work(w->context, &to);
    fflush(stdout);
    outlet_send(&to, (struct parcel){PARCEL_LAST, 0, 0}, "");
    _exit(EXIT_SUCCESS); /* a sanitizer may make it another status */
}

/* ---- in the harness ---- */

struct harness {
    const struct isolated_work *work;
    struct keeper keeper;
    int fd; /* -1: the process has closed it */
    char *buffer;
    size_t used, room;
    struct hang_watch watch;
    double asked;           /* when the process was asked to end; 0: it was not */
    double closed;          /* when its end of the pipe was closed */
    bool finished;          /* its last parcel has come */
    struct process_end why; /* it was ended from here; PROCESS_FINISHED: it was not */
    struct process_state state;
};

/* With all processes of its group. */
static void kill_process(const struct harness *x)
{
    kill(-x->keeper.process, SIGKILL);
    kill(x->keeper.process, SIGKILL);
}

static void end_process(struct harness *x, enum process_end_kind kind, int number)
{
    if (x->why.kind == PROCESS_FINISHED)
        x->why = (struct process_end){kind, number, x->finished};
    kill_process(x);
}

/* Hands on the parcels that are complete. */
static void unpack(struct harness *x)
{
    size_t at = 0;
    struct parcel head;
    while (x->used - at >= sizeof head) {
        memcpy(&head, x->buffer + at, sizeof head);
        if (x->used - at - sizeof head < head.length)
            break;
        if (head.kind == PARCEL_LAST)
            x->finished = true;
        else
            x->work->receive(x->work->context, head, x->buffer + at + sizeof head);
        at += sizeof head + (size_t)head.length;
    }
    memmove(x->buffer, x->buffer + at, x->used - at);
    x->used -= at;
}

static bool make_room(struct harness *x)
{
    if (x->room - x->used >= READ_BYTES)
        return true;
    size_t room = 2 * x->room + READ_BYTES;
    char *buffer = realloc(x->buffer, room);
    if (!buffer)
        return false;
    x->buffer = buffer;
    x->room = room;
    return true;
}

/* Reads the bytes that have come; waits for them a little if `patient`. False: nothing came. */
static bool receive(struct harness *x, bool patient)
{
    struct pollfd waiting = {.fd = x->fd, .events = POLLIN};
    int ready = poll(&waiting, x->fd >= 0, !patient ? 0 : x->work->waits ? SHORT_LOOK_MS : LOOK_MS);
    if (ready <= 0)
        return ready < 0 && errno == EINTR;
    if (!make_room(x)) {
        end_process(x, PROCESS_NONE, 0);
        return false;
    }
    ssize_t n = read(x->fd, x->buffer + x->used, x->room - x->used);
    if (n < 0 && errno == EINTR)
        return true;
    if (n <= 0) {
        close(x->fd);
        x->fd = -1;
        x->closed = budget_now();
        return false;
    }
    x->used += (size_t)n;
    unpack(x);
    if (patient && n < READ_BYTES) /* else each history would wake this process, which takes a core from the threads */
        poll(NULL, 0, GATHER_MS);
    return true;
}

/* Asks it to end when no more is wanted, and ends it when it does not. */
static void limit(struct harness *x)
{
    if (!x->asked && !x->work->wants_more(x->work->context)) {
        atomic_store(&x->work->run->stop, true);
        x->asked = budget_now();
    }
    if (x->asked && budget_now() - x->asked > grace)
        end_process(x, PROCESS_STOPPED, 0);
    if (x->fd < 0 && !x->finished && budget_now() - x->closed > grace) /* its histories would be lost */
        end_process(x, PROCESS_MEDDLED, 0);
}

static void look_for_hang(struct harness *x)
{
    enum hang_state state = hang_look(&x->watch);
    if (state == HANG_OF_A_LOST_THREAD)
        end_process(x, PROCESS_LOST_THREAD, 0);
    else if (state != HANG_NONE && x->work->waits && x->work->waits(x->work->context))
        end_process(x, PROCESS_WAITED, 0);
    else if (state == HANG_OF_CALLS)
        end_process(x, PROCESS_HUNG, 0);
}

static bool has_ended(struct harness *x)
{
    x->state = keeper_look(&x->keeper);
    if (x->state.kind == STATE_STOPPED)
        end_process(x, PROCESS_PAUSED, x->state.number);
    return x->state.kind != STATE_RUNNING && x->state.kind != STATE_STOPPED;
}

/* A signal may have been sent to all processes of the campaign; the harness then hears of its own soon. */
static bool was_request(const struct harness *x, int number)
{
    bool request = false;
    for (const int *r = requests; *r; r++)
        request |= *r == number;
    if (request)
        poll(NULL, 0, LOOK_MS);
    return request && !x->work->wants_more(x->work->context);
}

/* If the process ended by itself a moment before it was killed from here, its own end counts. */
static struct process_end end_of(const struct harness *x)
{
    struct process_end end = {PROCESS_FINISHED, x->state.number, x->finished};
    bool killed = x->state.kind == STATE_KILLED;
    if (x->why.kind == PROCESS_NONE || (killed && x->state.number == SIGKILL && x->why.kind != PROCESS_FINISHED))
        return x->why;
    if (killed)
        end.kind = was_request(x, end.number) ? PROCESS_STOPPED : PROCESS_KILLED;
    else if (x->state.kind == STATE_LOST)
        end.kind = PROCESS_LOST;
    else if (!x->finished || end.number != 0)
        end.kind = PROCESS_EXITED;
    else if (!x->asked && atomic_load(&x->work->run->stop))
        end.kind = PROCESS_MEDDLED;
    return end;
}

/* Ctrl-Z goes to the harness alone, too, which stops the process before itself. */
static volatile pid_t attended;

static void pause_both(int number)
{
    int before = errno;
    (void)number;
    kill(-attended, SIGSTOP);
    raise(SIGSTOP);
    kill(-attended, SIGCONT);
    errno = before;
}

/* Until the process has ended, and all that it sent is received. */
static struct process_end attend(struct harness *x)
{
    struct sigaction before;
    sigaction(SIGTSTP, NULL, &before);
    attended = x->keeper.process;
    if (before.sa_handler == SIG_DFL)
        on_signals((const int[]){SIGTSTP, 0}, pause_both);
    bool more;
    do {
        more = receive(x, true);
        limit(x);
        if (!more)
            look_for_hang(x);
    } while (more || !has_ended(x));
    sigaction(SIGTSTP, &before, NULL);
    keeper_end(&x->keeper);
    while (x->fd >= 0 && x->why.kind != PROCESS_NONE && receive(x, false))
        continue;
    return end_of(x);
}

static bool open_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
#if defined(F_SETPIPE_SZ)
    fcntl(ends[1], F_SETPIPE_SZ, (int)PIPE_BYTES); /* if the system allows it; else the checks lag less */
#endif
    return true;
}

struct process_end isolate(const struct isolated_work *w)
{
    struct harness x = {.work = w, .fd = -1};
    struct process_end end = {.kind = PROCESS_NONE};
    int ends[2];
    if (!open_pipe(ends))
        return end;
    atomic_store(&w->run->stop, false);
    for (unsigned t = 0; t < STRESS_MOST_THREADS; t++) { /* an earlier process may have left them */
        atomic_store(&w->run->threads[t].stage, STAGE_OUTSIDE);
        atomic_store(&w->run->threads[t].id, 0);
    }
    struct work_there there = {w, {ends[0], ends[1]}};
    fflush(NULL); /* the output so far is this process's to write */
    bool made = keeper_start(&x.keeper, &(struct kept_work){work, &there, {ends[0], ends[1]}});
    close(ends[1]);
    x.fd = ends[0];
    if (made) {
        hang_begin(&x.watch, w->run, x.keeper.process, w->hang, w->waits ? moment : 0);
        end = attend(&x);
    }
    if (x.fd >= 0)
        close(x.fd);
    free(x.buffer);
    return end;
}
