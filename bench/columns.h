/* SPDX-License-Identifier: Apache-2.0 */
/* Tables with columns of their own, as text and as Markdown. */
#ifndef ASSAY_BENCH_COLUMNS_H
#define ASSAY_BENCH_COLUMNS_H

#include "bench/driver.h"

enum { COLUMN_CELL = 256 };

struct column {
    const char *title;
    int width; /* below 0: to the left */
};

void columns_print_head(const struct bench *b, const struct column *columns, size_t n);
void columns_print_row(const struct bench *b, const struct column *columns, size_t n, char cells[][COLUMN_CELL]);

#endif
