/* SPDX-License-Identifier: Apache-2.0 */
/* Records of operations, which are used again once they are free. holdback.c needs one until the operation's return has
 * been shown, and a journal as long as it remembers the operation. */
#ifndef ASSAY_SCAN_RECORDS_H
#define ASSAY_SCAN_RECORDS_H

#include "scan/scan.h"

struct records {
    VEC(struct scan_op) all;
    VEC(uint32_t) free;
};

/* Its op is not set yet. */
static inline uint32_t records_new(struct mem *m, struct records *s, uint32_t uses)
{
    uint32_t r = s->all.n;
    if (s->free.n)
        r = vec_pop(&s->free);
    else
        vec_push(m, &s->all, ((struct scan_op){.args = NULL}));
    s->all.at[r].uses = uses;
    return r;
}

static inline void records_release(struct mem *m, struct records *s, uint32_t r)
{
    if (!--s->all.at[r].uses)
        vec_push(m, &s->free, r);
}

static inline void records_free(struct mem *m, struct records *s)
{
    for (uint32_t r = 0; r < s->all.n; r++)
        mem_free(m, s->all.at[r].args);
    vec_free(m, &s->all);
    vec_free(m, &s->free);
}

#endif
