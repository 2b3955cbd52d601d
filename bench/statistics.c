/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/statistics.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sort_numbers(double *at, size_t n)
{
    qsort(at, n, sizeof *at, ascending);
}

double median(double *at, size_t n)
{
    sort_numbers(at, n);
    return at[n / 2];
}
