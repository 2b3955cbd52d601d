/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that are open: an id has at most one, and it has a slot, a small number that is free again afterwards.
 *
 * Ids are texts. An id of up to 8 bytes, the common case, is its own key: the bytes as one number. The key of a longer
 * id is a hash, and the text is kept. Only open calls are in the table, so ids that are used once cost nothing. */
#ifndef ASSAY_MONITOR_SLOTS_H
#define ASSAY_MONITOR_SLOTS_H

#include "assay_spec.h"
#include "base/hash.h"
#include "base/vec.h"
#include "history/history.h"

struct id {
    uint64_t key;
    const char *text;
    uint32_t length;
};

enum { ID_PACKED = 8 }; /* bytes that fit into a key */
struct id id_of(const char *text, size_t length);
/* The text of an id of at most ID_PACKED bytes; false: it is longer. */
bool id_unpack(uint64_t key, uint32_t length, char out[ID_PACKED + 1]);

struct open_call {
    uint64_t key, step, line;
    char *text;      /* of a long id, else NULL */
    uint32_t length; /* of the id; 0: the slot is free */
    uint32_t watch;  /* the object of the call, or ID_NONE: it is not followed */
    const assay_method *method;
    VEC(struct value) args; /* its room stays with the slot */
};

struct slots {
    struct mem *mem;
    VEC(struct open_call) all;
    VEC(uint32_t) free;
    uint32_t *table; /* slot + 1, or 0 */
    uint32_t mask, used;
};

uint32_t slots_find(const struct slots *s, struct id id); /* ID_NONE: it has no open call */
/* A slot for the id, which must have none; step, line, watch, method and args are the caller's to fill in. */
uint32_t slots_open(struct slots *s, struct id id);
void slots_close(struct slots *s, uint32_t slot);
void slots_clear(struct slots *s);
struct image;
/* Saves the open calls, or loads them into an empty table; `method` of each is left to the caller. */
void slots_image(struct slots *s, struct image *x);

#endif
