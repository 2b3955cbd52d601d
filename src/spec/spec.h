/* SPDX-License-Identifier: Apache-2.0 */
/* An object: which methods it has and what their calls look like. Members are listed in spec.def. */
#ifndef ASSAY_SPEC_SPEC_H
#define ASSAY_SPEC_SPEC_H

#include "history/history.h"

enum result_rule {
    RESULT_REQUIRED, /* a completed call has a result */
    RESULT_OPTIONAL,
    RESULT_NONE,
};

struct method {
    const char *name;
    const char *signature; /* for messages: "write(variable, value)" */
    uint8_t arity;
    enum result_rule result;
};

struct spec {
    const char *name, *title;
    const struct method *methods; /* up to a NULL name */
    /* Do the headers make sense for it? False with the fault in e. NULL: any do. */
    bool (*fits)(const history *h, assay_error *e);
};

extern const struct spec *const spec_table[]; /* up to NULL */
size_t spec_count(void);
const struct spec *
spec_find(const char *name); /* aliases such as `atomic-memory` included; or NULL */

/* The object of a history: `wanted` (may be NULL), else what the history declares, else the one whose
 * methods fit. NULL with an error when there is none. */
const struct spec *spec_of(const history *h, const char *wanted, assay_error *e);

/* Are the history's operations calls of this object, and do its headers fit? False with the first fault in e. */
bool spec_validate(const struct spec *s, const history *h, assay_error *e);

#endif
