/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASSAY_BENCH_WEAK_LIVE_H
#define ASSAY_BENCH_WEAK_LIVE_H

#include "bench/driver.h"

/* Part of the suite `weak`: the monitor of weak models beside the engine, run again after each return. */
void weak_live(struct bench *b);

#endif
