/* SPDX-License-Identifier: Apache-2.0 */
/* The search for sets of 64 words (set.h). */
#define WEAK_WORDS 64
#include "weak/line.c"
#include "weak/suspect.c"
#include "weak/suspects.c"
#include "weak/visibility_search.c"
#include "weak/ways.c"
#include "weak/weak_blame.c"
#include "weak/weak_view.c"
