/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_DEFAULT */
#endif
#include "collect/stress/race_detector.h"

#include <dlfcn.h>

struct race_detector race_detector_find(void)
{
    struct race_detector d;
    /* dlsym returns functions as objects; POSIX lets them be stored so. */
    *(void **)&d.acquire = dlsym(RTLD_DEFAULT, "__tsan_acquire");
    *(void **)&d.release = dlsym(RTLD_DEFAULT, "__tsan_release");
    return d;
}
