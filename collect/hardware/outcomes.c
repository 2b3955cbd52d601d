/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/hardware/outcomes.h"

#include "base/keyed.h"

#include <string.h>

void outcomes_free(struct outcomes *o, struct mem *mem)
{
    for (uint32_t i = 0; i < o->all.n; i++)
        mem_free(mem, o->all.at[i].row);
    vec_free(mem, &o->all);
    mem_free(mem, o->by_hash.slots);
    *o = (struct outcomes){0};
}

void outcomes_begin_batch(struct outcomes *o)
{
    for (uint32_t i = 0; i < o->all.n; i++) {
        o->all.at[i].seen.times = 0;
        o->all.at[i].seen.fresh = false;
    }
}

void outcomes_count(struct outcomes *o, const int64_t *row, struct mem *mem)
{
    size_t bytes = o->width * sizeof *row;
    uint64_t key = keyed_bytes(row, bytes);
    uint32_t id;
    /* Different rows with one hash take consecutive keys. */
    while ((id = idmap_get(&o->by_hash, key)) != ID_NONE && memcmp(o->all.at[id].row, row, bytes) != 0)
        key++;
    if (id == ID_NONE) {
        struct outcome fresh = {{.fresh = true}, mem_new(mem, int64_t, o->width)};
        memcpy(fresh.row, row, bytes);
        vec_push(mem, &o->all, fresh);
        id = o->all.n - 1;
        *idmap_at(mem, &o->by_hash, key) = id;
    }
    o->all.at[id].seen.times++;
}
