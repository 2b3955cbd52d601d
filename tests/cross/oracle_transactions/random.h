/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers: the state is set for each history, so that each can be made again. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_RANDOM_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

extern uint64_t rng_state;

int below(int n);
bool chance(int percent);

/* The numbers 0 to n - 1 in a random order */
void shuffle(int *order, int n);

#endif
