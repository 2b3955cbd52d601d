/* SPDX-License-Identifier: Apache-2.0 */
/* The algorithms of Emmi, Enea and Hamza, Monitoring Refinement via Symbolic Reasoning (PLDI'15), side by side. These
 * are Figure 12 and Tables 1 and 2 of section 6, and violations that come late. */
#ifndef ASSAY_BENCH_ALGORITHMS_H
#define ASSAY_BENCH_ALGORITHMS_H

#include "bench/driver.h"

void algorithms_run(struct bench *b);
void algorithms_run_recorded(struct bench *b);

#endif
