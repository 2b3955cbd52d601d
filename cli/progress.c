/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WIDEST_NAME = 48 };

double progress_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void progress_start(struct progress *p, const char *what)
{
    *p = (struct progress){.what = what, .on = isatty(STDERR_FILENO), .started = progress_now()};
}

void progress_show(struct progress *p, size_t done, size_t total, const char *file)
{
    double seconds = progress_now() - p->started;
    if (!p->on || seconds < 0.5) /* short work needs no comfort */
        return;
    size_t length = strlen(file);
    const char *tail = length > WIDEST_NAME ? file + length - WIDEST_NAME : file;
    while (((unsigned char)*tail & 0xC0) == 0x80) /* not within a character */
        tail++;
    fprintf(stderr, "\r\033[K%zu ", done);
    if (total)
        fprintf(stderr, "of %zu ", total);
    fprintf(stderr, "%s, %.0f s: %s%s", p->what, seconds, tail == file ? "" : "...", tail);
    fflush(stderr);
    p->visible = 1;
}

void progress_hide(struct progress *p)
{
    if (!p->visible)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    p->visible = 0;
}
