/* SPDX-License-Identifier: Apache-2.0 */
/* Idea: the input is an unlinked temporary file, so that this process never blocks on writing while the solver blocks
 * on writing too. The output is a pipe that is polled, so that the budget is checked in between. The solver's error
 * messages are a second temporary file, read only when the solver has ended.
 *
 * Invariant: everything that must be given back is in one struct child. The part that may escape
 * runs in an escape_run of its own; whichever way it ends, the child is gone and the descriptors
 * are closed. */
#include "baseline/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { LOOK_EVERY_MS = 50, CHUNK = 64 * 1024 };

struct child {
    const char *path;
    const char *const *argv;
    const struct text *input;
    struct text *output;
    struct budget *budget;
    assay_error *e;
    int in, out, err; /* the standard streams of the child; -1: not open */
    int from;         /* our end of its output */
    pid_t pid;        /* 0: not running */
    double earlier;   /* CPU seconds that the budget has from processes before this one */
    int status;
};

/* ---- finding ---- */

static bool is_program(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
}

bool process_find(const char *name, char path[PROCESS_PATH])
{
    const char *at = getenv("PATH");
    while (at) {
        size_t length = strcspn(at, ":");
        int n = snprintf(path, PROCESS_PATH, "%.*s%s%s", (int)length, at, length ? "/" : "./", name);
        if (n > 0 && n < PROCESS_PATH && is_program(path))
            return true;
        at = at[length] ? at + length + 1 : NULL;
    }
    return false;
}

/* ---- descriptors ---- */

static void report(const struct child *c, const char *what, int number)
{
    char why[128] = "";
    if (strerror_r(number, why, sizeof why) != 0)
        snprintf(why, sizeof why, "error %d", number);
    error_set(c->e, ASSAY_ERROR_RESOURCE, "%s: %s", what, why);
}

_Noreturn static void fail(const struct child *c, const char *what, int number)
{
    report(c, what, number);
    escape_raise(ESCAPE_ERROR);
}

static void shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* The same file under a number that is none of the standard streams' and that no program
 * inherits. */
static int keep_private(int fd)
{
    int kept = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), number = errno;
    close(fd);
    errno = number;
    return kept;
}

static int temporary_file(const struct child *c)
{
    const char *folder = getenv("TMPDIR");
    char name[PROCESS_PATH];
    int n = snprintf(name, sizeof name, "%s/assay-XXXXXX", folder && *folder ? folder : "/tmp");
    errno = ENAMETOOLONG;
    int fd = n > 0 && (size_t)n < sizeof name ? mkstemp(name) : -1;
    if (fd >= 0) {
        unlink(name);
        fd = keep_private(fd);
    }
    if (fd < 0) {
        report(c, "cannot make a temporary file for the solver", errno);
        error_remedy(c->e, "TMPDIR names the folder for temporary files");
        escape_raise(ESCAPE_ERROR);
    }
    return fd;
}

static void write_input(const struct child *c)
{
    for (size_t done = 0; done < c->input->n;) {
        size_t left = c->input->n - done;
        ssize_t n = write(c->in, c->input->at + done, left < CHUNK ? left : CHUNK);
        if (n < 0 && errno != EINTR)
            fail(c, "cannot write the solver's input to a temporary file", errno);
        done += n > 0 ? (size_t)n : 0;
    }
    if (lseek(c->in, 0, SEEK_SET) < 0)
        fail(c, "cannot rewind the solver's input", errno);
}

/* ---- the child ---- */

static int spawn(struct child *c)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int number = posix_spawn_file_actions_init(&actions);
    if (number)
        return number;
    number = posix_spawnattr_init(&attributes);
    if (!number) {
        /* A group of its own: the terminal's interrupt is ours to handle, and we end the child. */
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        number = posix_spawn_file_actions_adddup2(&actions, c->in, STDIN_FILENO);
        if (!number)
            number = posix_spawn_file_actions_adddup2(&actions, c->out, STDOUT_FILENO);
        if (!number)
            number = posix_spawn_file_actions_adddup2(&actions, c->err, STDERR_FILENO);
        pid_t pid = 0;
        if (!number) /* the strings are not written to; the parameter's type is older than const */
            number = posix_spawn(&pid, c->path, &actions, &attributes, (char *const *)c->argv, environ);
        if (!number)
            c->pid = pid;
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return number;
}

static int open_pipe(struct child *c)
{
    int ends[2];
    if (pipe(ends) < 0)
        return errno;
    c->from = keep_private(ends[0]);
    int number = c->from < 0 ? errno : 0;
    c->out = keep_private(ends[1]);
    return number ? number : c->out < 0 ? errno : 0;
}

/* One at a time. A child started while another thread's pipe is not private yet would hold the pipe open. Then the
 * pipe's reader would wait for the wrong child. */
static void start(struct child *c)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&one_at_a_time);
    int number = open_pipe(c);
    if (!number)
        number = spawn(c);
    pthread_mutex_unlock(&one_at_a_time);
    shut(&c->out); /* so that the pipe ends when the child does */
    if (number)
        fail(c, "cannot start the solver", number);
}

/* Escapes if the time is over, with that of the child. */
static void look(struct child *c)
{
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(c->pid, &clock) == 0 && clock_gettime(clock, &t) == 0)
        c->budget->children = c->earlier + (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
    budget_look(c->budget);
}

/* Appends the available bytes; false at the end. */
static bool read_some(struct child *c)
{
    struct pollfd ready = {.fd = c->from, .events = POLLIN};
    int n = poll(&ready, 1, LOOK_EVERY_MS);
    if (n < 0 && errno != EINTR)
        fail(c, "cannot wait for the solver", errno);
    if (n <= 0)
        return true;
    char chunk[4096];
    ssize_t got = read(c->from, chunk, sizeof chunk);
    if (got < 0 && errno != EINTR)
        fail(c, "cannot read the solver's output", errno);
    if (got > 0)
        text_add(c->output, chunk, (size_t)got);
    return got != 0;
}

static void reap(struct child *c)
{
    if (!c->pid)
        return;
    while (waitpid(c->pid, &c->status, 0) < 0)
        if (errno != EINTR) {
            c->status = -1;
            break;
        }
    c->pid = 0;
}

/* While a solver that closed its output goes on, the budget is still checked. */
static void wait_for_end(struct child *c)
{
    for (;;) {
        pid_t ended = waitpid(c->pid, &c->status, WNOHANG);
        if (ended == c->pid)
            break;
        if (ended < 0 && errno != EINTR) {
            c->status = -1;
            break;
        }
        look(c);
        poll(NULL, 0, 1);
    }
    c->pid = 0;
}

static void run_child(void *arg)
{
    struct child *c = arg;
    budget_look(c->budget);
    c->in = temporary_file(c);
    write_input(c);
    c->err = temporary_file(c);
    start(c);
    do
        look(c);
    while (read_some(c));
    wait_for_end(c);
}

static void read_complaint(int fd, char out[PROCESS_COMPLAINT])
{
    ssize_t n = fd >= 0 ? pread(fd, out, PROCESS_COMPLAINT - 1, 0) : 0;
    out[n > 0 ? n : 0] = '\0';
}

struct process_end process_run(const char *path, const char *const *argv, const struct text *input, struct text *output,
                               struct budget *budget, assay_error *e)
{
    struct child c = {.path = path,
                      .argv = argv,
                      .input = input,
                      .output = output,
                      .budget = budget,
                      .earlier = budget->children,
                      .e = e,
                      .in = -1,
                      .out = -1,
                      .err = -1,
                      .from = -1};
    enum escape left = escape_run(run_child, &c);
    if (c.pid) {
        kill(c.pid, SIGKILL);
        reap(&c);
    }
    struct process_end end = {.status = c.status};
    read_complaint(c.err, end.complaint);
    shut(&c.in);
    shut(&c.out);
    shut(&c.err);
    shut(&c.from);
    if (left)
        escape_raise(left);
    return end;
}
