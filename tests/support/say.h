/* SPDX-License-Identifier: Apache-2.0 */
/* A text that grows, for the oracles, which share nothing with the library. */
#ifndef ASSAY_TESTS_SUPPORT_SAY_H
#define ASSAY_TESTS_SUPPORT_SAY_H

#include <stddef.h>

struct text {
    char *bytes; /* the caller frees them */
    size_t size, room;
};

void say(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
