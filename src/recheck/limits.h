/* SPDX-License-Identifier: Apache-2.0 */
/* How far recheck goes: beyond a limit a record is neither accepted nor refused.
 *
 * The limits are data, so that a test can lower each of them. Whoever meets one reports its name (recheck.h). */
#ifndef ASSAY_RECHECK_LIMITS_H
#define ASSAY_RECHECK_LIMITS_H

#include <stdint.h>

enum limit {
#define X(ident, name, most, sentence) LIMIT_##ident,
#include "recheck/limit.def"
#undef X
    LIMIT_COUNT
};

enum { /* the stated ones, for tables of a fixed size */
#define X(ident, name, most, sentence) MOST_##ident = (most),
#include "recheck/limit.def"
#undef X
};

struct limits {
    uint64_t most[LIMIT_COUNT];
};

extern const struct limits limits_stated;

const char *limit_name(enum limit l);
const char *limit_sentence(enum limit l);

#endif
