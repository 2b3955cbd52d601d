/* SPDX-License-Identifier: Apache-2.0 */
/* A text that grows. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_TEXT_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_TEXT_H

#include <stddef.h>

struct text {
    char *bytes;
    size_t size, room;
};

void say(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
