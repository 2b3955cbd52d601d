/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C (SIGINT, SIGTERM, SIGHUP). Checking has engines that can stop and return their results so far: a flag asks
 * them to. Commands that only read and write end at once. An output file that is open keeps its complete records
 * (outfile.h), also when standard output is no longer read (SIGPIPE). */
#ifndef ASSAY_CLI_INTERRUPT_H
#define ASSAY_CLI_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>

enum { STOP_NOT = 0, STOP_ASKED, STOP_ENOUGH };

extern atomic_int stop_flag;
bool stop_asked(void *ignored); /* for assay_options.interrupt: is it set? */

/* From now on the first signal sets the flag; a second one ends the program at once. */
void interrupt_sets_flag(void);

/* The same, and the program ends soon after the first. For code of users that may never return. */
void interrupt_sets_flag_for_a_while(void);

/* From now on a signal ends the program with EXIT_OPEN. */
void interrupt_ends(void);

static inline bool stopping(void)
{
    return atomic_load_explicit(&stop_flag, memory_order_relaxed) != STOP_NOT;
}

static inline bool interrupted(void)
{
    return atomic_load_explicit(&stop_flag, memory_order_relaxed) == STOP_ASKED;
}

#endif
