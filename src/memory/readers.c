/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/readers.h"

#include <string.h>

struct groups last_readers(const struct rw *v, struct mem *m)
{
    uint32_t *source = mem_new(m, uint32_t, v->a);
    uint32_t *seen = mem_new_zero(m, uint32_t, v->a + v->d); /* source -> thread that has a later reader, + 1 */
    for (uint32_t a = v->a; a-- > 0;) {                      /* thread by thread, from its end */
        source[a] = ID_NONE;
        if (!(v->kind[a] & RW_READS) || v->src[a] == RW_THIN)
            continue;
        uint32_t src = v->src[a] == RW_INIT ? v->a + v->var[a] : v->src[a], thread = v->thread[rw_event(v, a)];
        if (seen[src] == thread + 1)
            continue;
        seen[src] = thread + 1;
        source[a] = src;
    }
    struct groups readers = group_by(source, v->a, v->a + v->d, m);
    mem_free(m, source);
    mem_free(m, seen);
    return readers;
}

uint32_t *own_writes(const struct rw *v, struct mem *m)
{
    uint32_t *own = mem_new(m, uint32_t, v->n), *latest = mem_new(m, uint32_t, v->d);
    for (uint32_t t = 0; t < v->k; t++) {
        memset(latest, 0xFF, v->d * sizeof *latest);
        for (uint32_t e = v->base[t]; e < v->base[t + 1]; e++) {
            own[e] = v->kind[e] == RW_READS ? latest[v->var[e]] : ID_NONE;
            if (v->kind[e] & RW_WRITES)
                latest[v->var[e]] = e;
        }
    }
    mem_free(m, latest);
    return own;
}
