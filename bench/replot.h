/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the charts of a folder again, from the numbers beside them. */
#ifndef ASSAY_BENCH_REPLOT_H
#define ASSAY_BENCH_REPLOT_H

#include "assay.h"

/* How many charts were drawn; with a fault in e, it ended early. `save` writes a file as a whole. */
size_t replot(const char *folder, bool (*save)(const char *name, const char *text, size_t size), assay_error *e);

#endif
