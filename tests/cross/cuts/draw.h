/* SPDX-License-Identifier: Apache-2.0 */
/* Random sketches, and how they are written. */
#ifndef ASSAY_TESTS_CUTS_DRAW_H
#define ASSAY_TESTS_CUTS_DRAW_H

#include "cross/cuts/sketch.h"

/* Operations one after another, then with intervals around these moments; some results are changed. */
struct sketch random_sketch(void);
void print_sketch(char out[TEXT], const struct sketch *s); /* as .hist */

#endif
