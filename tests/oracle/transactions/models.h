/* SPDX-License-Identifier: Apache-2.0 */
/* The levels and their base orders. A model is a level with a base order. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_MODELS_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_MODELS_H

#include <stdbool.h>

enum level { RC, RA, TCC, PC, PSI, SI, SER, LEVELS };
enum base { PLAIN, SESSION, STRICT, BASES };
enum { MODELS = LEVELS * BASES };

extern const char *const model_names[MODELS];

int model_of(enum level level, enum base base);
enum level level_of(int model);
enum base base_of(int model);

/* By the ladder of the definitions */
bool implies(int strong, int weak);

#endif
