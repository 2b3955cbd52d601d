/* SPDX-License-Identifier: Apache-2.0 */
/* The experiments of CAV'19 and of Zennou's thesis on sc and tso. */
#ifndef ASSAY_BENCH_PAPERS_H
#define ASSAY_BENCH_PAPERS_H

#include "bench/driver.h"

void papers_run_sc(struct bench *b);
void papers_run_tso(struct bench *b);

#endif
