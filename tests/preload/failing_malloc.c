/* SPDX-License-Identifier: Apache-2.0 */
/* To be preloaded: an allocator that is out of memory from the n-th allocation on (ASSAY_FAIL_AFTER=n), or refuses only that one
 * (ASSAY_FAIL_ONCE, too), whoever asks: the program, its libraries, their solvers. n < 0: how many there were is written to the
 * descriptor 9 at the end. Allocations count from the start of main. */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

static atomic_long count;
static long after;
static int once, armed;

/* Later constructors, and main, are what is tried. */
__attribute__((constructor)) static void arm(void)
{
    const char *text = getenv("ASSAY_FAIL_AFTER");
    after = text ? strtol(text, NULL, 10) : -1;
    once = getenv("ASSAY_FAIL_ONCE") != NULL;
    armed = text != NULL;
}

__attribute__((destructor)) static void tell(void)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%ld\n", atomic_load(&count));
    if (armed && after < 0 && write(9, text, (size_t)n) < 0)
        _exit(2);
}

static int refuses(void)
{
    if (!armed)
        return 0;
    long number = atomic_fetch_add(&count, 1);
    int no = after >= 0 && (once ? number == after : number >= after);
    if (no)
        errno = ENOMEM;
    return no;
}

void *malloc(size_t n)
{
    return refuses() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return refuses() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    return refuses() ? NULL : __libc_realloc(p, n);
}
