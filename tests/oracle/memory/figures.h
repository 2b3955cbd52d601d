/* SPDX-License-Identifier: Apache-2.0 */
/* Printed examples, and what they become when something is changed. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_FIGURES_H
#define ASSAY_TESTS_ORACLE_MEMORY_FIGURES_H

#include "oracle/memory/history.h"
#include "oracle/memory/models.h"

#include <stdbool.h>

enum { FIGURES = 13, SMALL_FIGURES = FIGURES - 2 };

struct figure {
    const char *text;  /* threads separated by |; wx1: write(x, 1) */
    const char *holds; /* models of definitions, by name; pso is not among the printed ones */
};

extern const struct figure figures[FIGURES];

void draw_figure(struct history *h, const char *text);

extern bool figure_verdicts[FIGURES][MODELS];

/* The oracle itself against the table of the definitions */
void check_figures(void);

/* Proofs of cases, for which random small histories are too simple */
void puzzle(int forge);

#endif
