/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __linux__
#define _GNU_SOURCE /* sched_setaffinity; nothing else of the program asks for more than POSIX */
#endif
#include "collect/hardware/processors.h"

#include "collect/collect.h"

#include <sched.h>
#include <stddef.h>
#include <unistd.h>

#ifdef __linux__

uint32_t processors_list(uint32_t *out, uint32_t most)
{
    cpu_set_t set;
    uint32_t n = 0;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (uint32_t i = 0; i < CPU_SETSIZE; i++)
            if (CPU_ISSET(i, &set)) {
                if (n < most)
                    out[n] = i;
                n++;
            }
    if (n == 0 && most)
        out[0] = 0;
    return n ? n : 1;
}

bool processors_pin(uint32_t number)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(number, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

#else

uint32_t processors_list(uint32_t *out, uint32_t most)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    for (uint32_t i = 0; i < most && (long)i < n; i++)
        out[i] = i;
    return n > 0 ? (uint32_t)n : 1;
}

bool processors_pin(uint32_t number)
{
    (void)number;
    return false;
}

#endif

unsigned hardware_processors(void)
{
    return processors_list(NULL, 0);
}

/* ---- the promise of the architecture ---- */

const char *hardware_architecture(void)
{
#if defined(__x86_64__)
    return "x86_64";
#elif defined(__i386__)
    return "i386";
#elif defined(__aarch64__)
    return "aarch64";
#elif defined(__arm__)
    return "arm";
#elif defined(__riscv)
    return "riscv";
#elif defined(__powerpc__)
    return "powerpc";
#else
    return "this processor";
#endif
}

/* x86-TSO: Owens, Sarkar, Sewell, TPHOLs 2009. The others order less than any model here: they promise coherence, a
 * total order of the writes of each variable by itself. */
const char *hardware_promise(void)
{
#if defined(__x86_64__) || defined(__i386__)
    return "tso";
#else
    return NULL;
#endif
}
