/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "collect/stress/orphans.h"

#if defined(__linux__)
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Numbers and blanks, without a line end; malloc, or NULL. Orphans become children of the first thread. */
static char *list_children(void)
{
    char path[64], *text = calloc(1, 1);
    size_t room = 1;
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    FILE *from = fopen(path, "r");
    bool known = from && text && (getline(&text, &room, from) >= 0 || feof(from)); /* there may be none */
    if (from)
        fclose(from);
    if (known)
        return text;
    free(text);
    return NULL;
}

/* The next number of the list, or 0. */
static pid_t next_child(char **list)
{
    return (pid_t)strtol(*list, list, 10);
}

static bool end_child(pid_t child)
{
    if (kill(child, SIGKILL) != 0)
        return false;
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    return true;
}

void orphans_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* The children of an orphan become orphans when it ends: so there are several rounds. */
void orphans_end(void)
{
    bool any = true;
    while (any) {
        char *all = list_children(), *at = all;
        pid_t child;
        any = false;
        while (at && (child = next_child(&at)) != 0)
            any |= end_child(child);
        free(all);
    }
}
#else
void orphans_adopt(void)
{
}

void orphans_end(void)
{
}
#endif
