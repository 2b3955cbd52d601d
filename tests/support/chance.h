/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers of the oracles, which share nothing with the library. The state is set for each history, so that each
 * can be made again. */
#ifndef ASSAY_TESTS_SUPPORT_CHANCE_H
#define ASSAY_TESTS_SUPPORT_CHANCE_H

#include <stdbool.h>
#include <stdint.h>

extern uint64_t chance_state;

/* 0 to n - 1; 0 if there are none. */
int below(int n);
bool chance(int percent);

/* The numbers 0 to n - 1 in a random order. */
void shuffle(int *order, int n);

#endif
