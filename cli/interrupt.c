/* SPDX-License-Identifier: Apache-2.0 */
#include "interrupt.h"

#include "command.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

atomic_int stop_flag;
static _Atomic(const char *) unfinished;

static void install(void (*handler)(int), int flags)
{
    struct sigaction act = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&act.sa_mask);
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
}

static void set_flag(int signal_number)
{
    (void)signal_number;
    atomic_store(&stop_flag, STOP_ASKED);
}

void interrupt_sets_flag(void)
{
    install(set_flag, (int)SA_RESETHAND);
}

static void end(int signal_number)
{
    (void)signal_number;
    const char *file = atomic_load(&unfinished);
    if (file)
        unlink(file);
    _exit(EXIT_OPEN);
}

void interrupt_ends(const char *file)
{
    atomic_store(&unfinished, file);
    install(end, 0);
}
