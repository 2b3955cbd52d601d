/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor_command.h"

#include "output.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static _Noreturn void become(const struct monitor_command *c, int input, const struct command_variable *variables)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    setsid(); /* a Ctrl-C is for the monitor */
    for (; variables->name; variables++)
        if (variables->value)
            setenv(variables->name, variables->value, 1);
        else
            unsetenv(variables->name);
    /* The command's output goes to standard error: standard output has the monitor's own. */
    if (dup2(input, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        _exit(126);
    execl("/bin/sh", "sh", "-c", c->text, (char *)NULL);
    _exit(127);
}

/* A file without a name, at its start. */
static FILE *input_of(const char *text, size_t n)
{
    FILE *f = tmpfile();
    if (f && (fwrite(text, 1, n, f) != n || fflush(f) != 0 || lseek(fileno(f), 0, SEEK_SET) != 0)) {
        fclose(f);
        return NULL;
    }
    return f;
}

void monitor_command_run(struct monitor_command *c, const char *input, size_t n,
                         const struct command_variable *variables)
{
    if (!c->text)
        return;
    monitor_command_reap(c);
    pid_t *place = c->running;
    while (place < c->running + MONITOR_COMMANDS && *place)
        place++;
    if (place == c->running + MONITOR_COMMANDS) {
        if (c->passed_over++ == 0)
            complain("warning: %d commands of --on-violation are still running; no more are started until one ends",
                     MONITOR_COMMANDS);
        return;
    }
    FILE *file = input_of(input, n);
    pid_t pid = file ? fork() : -1;
    if (pid == 0)
        become(c, fileno(file), variables);
    if (pid < 0) {
        complain("warning: the command of --on-violation could not be started: %s", strerror(errno));
        c->failed++;
    } else {
        c->started++;
        *place = pid;
    }
    if (file)
        fclose(file);
}

void monitor_command_reap(struct monitor_command *c)
{
    for (size_t i = 0; c->text && i < MONITOR_COMMANDS; i++) {
        int status;
        if (!c->running[i] || waitpid(c->running[i], &status, WNOHANG) != c->running[i])
            continue;
        c->running[i] = 0;
        bool fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (!fine && c->failed++ == 0)
            complain("warning: the command of --on-violation failed (status %d)",
                     WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    }
}

static bool any_runs(const struct monitor_command *c)
{
    for (size_t i = 0; c->text && i < MONITOR_COMMANDS; i++)
        if (c->running[i])
            return true;
    return false;
}

void monitor_command_wait(struct monitor_command *c, unsigned milliseconds)
{
    const struct timespec moment = {0, 10 * 1000 * 1000};
    for (unsigned i = 0; i < milliseconds; i += 10) {
        monitor_command_reap(c);
        if (!any_runs(c))
            return;
        nanosleep(&moment, NULL);
    }
}
