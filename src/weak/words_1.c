/* SPDX-License-Identifier: Apache-2.0 */
/* The search for sets of 1 word (set.h). */
#define WEAK_WORDS 1
#include "weak/blame.c"
#include "weak/line.c"
#include "weak/search.c"
#include "weak/suspect.c"
#include "weak/suspects.c"
#include "weak/view.c"
#include "weak/ways.c"
