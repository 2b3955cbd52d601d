/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of a few measured numbers. */
#ifndef ASSAY_BENCH_STATISTICS_H
#define ASSAY_BENCH_STATISTICS_H

#include <stddef.h>

void sort_numbers(double *at, size_t n); /* in ascending order */
double median(double *at, size_t n);     /* the upper one of two; sorts them, n > 0 */

#endif
