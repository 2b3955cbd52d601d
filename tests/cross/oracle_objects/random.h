/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers: the state is the seed of a history, so that each can be made again. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_RANDOM_H
#define ASSAY_TESTS_ORACLE_OBJECTS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

extern uint64_t random_state;

int below(int n);
bool chance(int percent);

#endif
