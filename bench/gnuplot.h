/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures by gnuplot, a program of its own. */
#ifndef ASSAY_BENCH_GNUPLOT_H
#define ASSAY_BENCH_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

bool gnuplot_works(void);

/* The SVG of a script, which `print` writes without the part that all pictures share. The text is the caller's, to be
 * freed. False: it cannot be drawn. */
bool gnuplot_draw(void (*print)(FILE *to, const void *what), const void *what, char **svg, size_t *size);

#endif
