/* SPDX-License-Identifier: Apache-2.0 */
/* Two runs side by side: the figures (bench/ledger.h) that became slower or larger, beyond noise.
 *
 * Two runs differ even if the program does not: the machine is busier, or another one. So the ratio of a figure is
 * divided by the ratio of most figures, the median, which is printed for itself. The cost of a figure is that of its
 * cheapest round: other work of the machine only adds to it. Beyond noise means two things. The costs differ by more
 * than the tolerance, and no round of the one run is as cheap as any of the other. */
#ifndef ASSAY_BENCH_COMPARE_H
#define ASSAY_BENCH_COMPARE_H

#include "assay.h"

#include <stdio.h>

enum { COMPARE_TOLERANCE = 20 }; /* percent, unless told otherwise */

struct comparison {
    size_t common, only_old, only_new; /* figures */
    size_t worse, better;              /* of the common ones */
};

/* False, with e: a file cannot be read. */
bool compare_runs(const char *old_file, const char *new_file, unsigned tolerance, FILE *out, struct comparison *found,
                  assay_error *e);

#endif
