/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_DEFAULT */
#endif
#include "collect/stress/leftovers.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stddef.h>

uint64_t leftovers_threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    uint64_t n = 0;
    for (const struct dirent *d; tasks && (d = readdir(tasks));)
        n += d->d_name[0] != '.';
    if (tasks)
        closedir(tasks);
    return n ? n - 1 : 0;
}

/* A program that is itself built with the sanitizer has memory of its own that this process has inherited. */
bool leftovers_memory(void)
{
#if defined(__SANITIZE_ADDRESS__)
    return false;
#else
    union {
        void *symbol;
        int (*look)(void);
    } check = {.symbol = dlsym(RTLD_DEFAULT, "__lsan_do_recoverable_leak_check")};
    return check.symbol && check.look();
#endif
}
