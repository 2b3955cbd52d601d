/* SPDX-License-Identifier: Apache-2.0 */
/* The search for sets of 16 words (set.h). */
#define WEAK_WORDS 16
#include "weak/blame.c"
#include "weak/line.c"
#include "weak/search.c"
#include "weak/suspect.c"
#include "weak/suspects.c"
#include "weak/view.c"
#include "weak/ways.c"
