/* SPDX-License-Identifier: Apache-2.0 */
/* Histories of a register as Jepsen writes them: an event a line. */
#ifndef ASSAY_BENCH_EDN_H
#define ASSAY_BENCH_EDN_H

#include "assay.h"

#include <stdio.h>

/* Of a history with times, all different, and integers as values. False: there is no memory. */
bool edn_write(const assay_history *h, FILE *out);

#endif
