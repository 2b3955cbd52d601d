/* SPDX-License-Identifier: Apache-2.0 */
/* The search for sets of 1 word (set.h). */
#define WEAK_WORDS 1
#include "weak/line.c"
#include "weak/suspect.c"
#include "weak/suspects.c"
#include "weak/visibility_search.c"
#include "weak/ways.c"
#include "weak/weak_blame.c"
#include "weak/weak_view.c"
