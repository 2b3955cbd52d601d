/* SPDX-License-Identifier: Apache-2.0 */
/* Growable arrays. VEC(T) is an anonymous struct { T *at; uint32_t n, cap; }, zero-initialised when
 * empty; its memory belongs to the struct mem given at each growth. */
#ifndef ASSAY_BASE_VEC_H
#define ASSAY_BASE_VEC_H

#include "base/mem.h"

#include <stdint.h>

#define VEC(T)                                                                                                         \
    struct {                                                                                                           \
        T *at;                                                                                                         \
        uint32_t n, cap;                                                                                               \
    }

/* Makes room for `more` further elements. */
#define vec_reserve(m, v, more)                                                                                        \
    ((v)->cap - (v)->n < (uint32_t)(more)                                                                              \
         ? (void)((v)->at = vec_grow((m), (v)->at, (v)->n, &(v)->cap, (more), sizeof *(v)->at))                        \
         : (void)0)

#define vec_push(m, v, x) (vec_reserve((m), (v), 1), (v)->at[(v)->n++] = (x))
#define vec_pop(v) ((v)->at[--(v)->n])
#define vec_last(v) ((v)->at[(v)->n - 1])
#define vec_clear(v) ((v)->n = 0)
#define vec_free(m, v) (mem_free((m), (v)->at), (v)->at = NULL, (v)->n = (v)->cap = 0)

void *vec_grow(struct mem *m, void *at, uint32_t n, uint32_t *cap, size_t more, size_t size);

#endif
