/* SPDX-License-Identifier: Apache-2.0 */
/* The two ways to saturate, as online checkers that saturate.c chooses from: either the values give the matching, or
 * it is to be found. They have no name, and decline nothing. */
#ifndef ASSAY_THEORY_SATURATE_H
#define ASSAY_THEORY_SATURATE_H

#include "theory/labels.h"

extern const struct online saturate_matched, saturate_unmatched;

#endif
