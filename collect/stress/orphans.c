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

static bool is_among(char *list, pid_t child)
{
    pid_t other;
    while ((other = next_child(&list)) != 0)
        if (other == child)
            return true;
    return false;
}

static bool end_child(pid_t child)
{
    if (kill(child, SIGKILL) != 0)
        return false;
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    return true;
}

void orphans_expect(struct orphans *o)
{
    o->before = list_children();
    prctl(PR_GET_CHILD_SUBREAPER, &o->adopted);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* The children of an orphan become orphans when it ends: so there are several rounds. */
void orphans_end(struct orphans *o)
{
    bool any = o->before != NULL;
    while (any) {
        char *now = list_children(), *at = now;
        pid_t child;
        any = false;
        while (at && (child = next_child(&at)) != 0)
            any |= !is_among(o->before, child) && end_child(child);
        free(now);
    }
    prctl(PR_SET_CHILD_SUBREAPER, o->adopted);
    free(o->before);
    o->before = NULL;
}
#else
void orphans_expect(struct orphans *o)
{
    (void)o;
}

void orphans_end(struct orphans *o)
{
    (void)o;
}
#endif
