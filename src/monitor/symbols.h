/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols: numbers for the texts of a stream that never ends.
 *
 * base/names.h numbers texts for good. Here a number that is no longer in use is given out again, so that memory
 * depends on the texts in use now. The owner of the table starts this: once symbols_full, it begins a sweep, marks the
 * numbers in use, and ends the sweep. The first numbers are those of online_words; these and pinned ones stay. */
#ifndef ASSAY_MONITOR_SYMBOLS_H
#define ASSAY_MONITOR_SYMBOLS_H

#include "scan/online.h"

struct symbol {
    char *text; /* with a final NUL; NULL: the number is free */
    uint32_t length, hash;
    uint32_t pins;
    bool named; /* by this sweep */
};

struct symbols {
    struct mem *mem;
    VEC(struct symbol) all;
    VEC(uint32_t) free;
    uint32_t *slots;            /* number + 1, or 0 */
    uint32_t mask, used, limit; /* sweep when `used` reaches `limit` */
    uint32_t sweeps;            /* so many, and one */
    uint64_t marked;            /* values that were shown in a sweep, texts or not */
};

struct symbols symbols_in(struct mem *m);
uint32_t symbols_put(struct symbols *s, const char *text, size_t length);
/* As specifications see it; its text is valid as long as the number. */
assay_value symbols_public(const struct symbols *s, struct value v);
/* Its letters alone; fits online_setup.text. */
const char *symbols_text(void *symbols, struct value v, size_t *length);

void symbols_pin(struct symbols *s, struct value v);
void symbols_unpin(void *symbols, struct value v); /* fits value_map_each */

static inline bool symbols_full(const struct symbols *s)
{
    return s->used >= s->limit;
}

void symbols_begin_sweep(struct symbols *s);
void symbols_mark(void *symbols, struct value v); /* fits online.each_value */
void symbols_end_sweep(struct symbols *s);

/* Saves the texts with their numbers, or loads them. Loaded texts are not pinned: their owners do that again. */
void symbols_image(struct symbols *s, struct image *x);

#endif
