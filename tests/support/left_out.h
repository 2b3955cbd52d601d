/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a test that cannot run here, for want of a library or a program, is left out and says so. tests/run.sh lists
 * these lines behind ctest's summary; where every test must run, such a line is a failure (tests/add_test.cmake). */
#ifndef ASSAY_TESTS_SUPPORT_LEFT_OUT_H
#define ASSAY_TESTS_SUPPORT_LEFT_OUT_H

#include <stdbool.h>

/* Is there a reason to leave the part out? If so, prints it, once for each part. */
bool left_out(const char *part, const char *reason);

#endif
