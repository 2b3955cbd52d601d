/* SPDX-License-Identifier: Apache-2.0 */
#include "interrupt.h"

#include "command.h"
#include "outfile.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

atomic_int stop_flag;

bool stop_asked(void *ignored)
{
    (void)ignored;
    return stopping();
}

static void end(int signal_number)
{
    (void)signal_number;
    outfile_abandon();
    _exit(EXIT_OPEN);
}

static void die(int signal_number)
{
    outfile_abandon();
    raise(signal_number); /* its own way takes its course once this returns: SA_RESETHAND */
}

static void handle(int signal_number, void (*handler)(int), int flags)
{
    struct sigaction act = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&act.sa_mask);
    sigaction(signal_number, &act, NULL);
}

static bool ignored(int signal_number)
{
    struct sigaction now;
    return sigaction(signal_number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static void install(void (*handler)(int))
{
    handle(SIGINT, handler, 0);
    handle(SIGTERM, handler, 0);
    if (!ignored(SIGHUP)) /* nohup */
        handle(SIGHUP, handler, 0);
    if (!ignored(SIGPIPE))
        handle(SIGPIPE, die, (int)SA_RESETHAND);
}

static void set_flag(int signal_number)
{
    if (atomic_exchange(&stop_flag, STOP_ASKED) == STOP_ASKED)
        end(signal_number);
}

void interrupt_sets_flag(void)
{
    install(set_flag);
}

/* What runs in this process may never look at the flag. */
static void end_late(int signal_number)
{
    static const char said[] = "assay: the run did not end, and was cut short\n";
    ssize_t ignored_count = write(STDERR_FILENO, said, sizeof said - 1);
    (void)ignored_count;
    end(signal_number);
}

static void set_flag_for_a_while(int signal_number)
{
    enum { SECONDS = 2 };
    set_flag(signal_number);
    handle(SIGALRM, end_late, 0);
    alarm(SECONDS);
}

void interrupt_sets_flag_for_a_while(void)
{
    install(set_flag_for_a_while);
}

void interrupt_ends(void)
{
    install(end);
}
