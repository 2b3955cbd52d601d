/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of one check: counters listed in stats.def. */
#ifndef ASSAY_BASE_STATS_H
#define ASSAY_BASE_STATS_H

#include <stdint.h>

struct stats {
#define X(ident, text) uint64_t ident;
#include "base/stats.def"
#undef X
};

#endif
