/* SPDX-License-Identifier: Apache-2.0 */
/* The part of an adapter in a library's file; the rest stands in cpp.def. */
#ifndef ASSAY_COLLECT_OPERATIONS_H
#define ASSAY_COLLECT_OPERATIONS_H

#include "assay_adapter.h"

struct operations {
    const assay_adapter_method *methods;
    void *(*create)(const assay_adapter_setting *);
    void (*destroy)(void *);
    void (*enter)(void *, unsigned);
    assay_answer (*call)(void *, unsigned, unsigned, const int64_t *);
    void (**point)();
};

#define X(ident, name, library, object, title, promise) extern const operations operations_##ident;
#include "collect/implement/cpp.def"
#undef X

#endif
