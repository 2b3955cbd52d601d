/* SPDX-License-Identifier: Apache-2.0 */
/* A value as histories, streams and checkers store it. */
#ifndef ASSAY_HISTORY_VALUE_H
#define ASSAY_HISTORY_VALUE_H

#include "assay.h"

#include <stdbool.h>
#include <stdint.h>

enum { VALUE_KIND_COUNT = ASSAY_LIST + 1 };

struct value {
    int64_t bits;      /* the integer, or the id of the text or list */
    uint8_t kind;      /* assay_kind */
    uint32_t notation; /* of an integer (base/notation.h); no part of the value */
};

struct arguments { /* of a call that is being read */
    struct value *at;
    uint32_t n, cap;
};

static inline bool kind_is_text(unsigned kind)
{
    return kind == ASSAY_WORD || kind == ASSAY_STRING;
}

static inline bool value_same(struct value a, struct value b)
{
    return a.kind == b.kind && a.bits == b.bits;
}

#endif
