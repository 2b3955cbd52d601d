/* SPDX-License-Identifier: Apache-2.0 */
/* The hooks of a user's specification run in this process, in every engine. They may crash, call exit, or never return.
 * None of that may look like a verdict, or end in silence. So each hook notes that it has begun and that it has
 * returned. From these notes a signal handler, or one of atexit, knows which hook of which specification is at fault.
 * The program ends then with a sentence that says so: with EXIT_FAULT, or with EXIT_OPEN if a hook does not return.
 *
 * One specification is guarded at a time. */
#ifndef ASSAY_CLI_SPEC_GUARD_H
#define ASSAY_CLI_SPEC_GUARD_H

#include "assay_spec.h"

/* The specification in the file, guarded. It lives as long as the program. From now on the first signal sets the flag
 * (interrupt.h), and the guard looks at it. NULL with an error. */
const assay_spec *spec_guard_load(const char *file, assay_error *e);

/* No single call of a hook may take longer: seconds of CPU time, and on the wall; 0: no limit. */
void spec_guard_limit(double cpu, double wall);

/* When so many seconds have passed from now, or when the user has asked for the end, hooks get a few more. */
void spec_guard_until(double seconds);

#endif
