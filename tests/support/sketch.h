/* SPDX-License-Identifier: Apache-2.0 */
/* Sketches: memory histories as plain numbers, cheap to enumerate, to change and to cut.
 *
 * Operations are in the order of a file, those of one thread in program order. The values of a
 * variable are numbers: 0 is its initial value, each write writes another one, and a read may
 * return any number. How threads, variables and values are spelled is the style's business, so that
 * one sketch gives many histories, of which all must be judged alike. */
#ifndef ASSAY_TESTS_SUPPORT_SKETCH_H
#define ASSAY_TESTS_SUPPORT_SKETCH_H

#include "assay.h"
#include "base/rng.h"

enum sketch_kind { SKETCH_READ = 1, SKETCH_WRITE = 2, SKETCH_RMW = 3, SKETCH_FENCE = 0 };

enum { SKETCH_JOINS = 4 };

struct sketch_op {
    uint8_t kind, thread, var;
    bool pending;
    int32_t old, new; /* what it reads and what it writes */
    struct {
        uint8_t thread, count;
    } after[SKETCH_JOINS]; /* program order across threads: so many operations of that thread come first */
    uint8_t joins;         /* of these */
};

enum { SKETCH_FINALS = 8 };

struct sketch {
    struct sketch_op *op;
    uint32_t n, cap;
    uint64_t style; /* 0: t0 t1 ..., x y z ..., integers; else everything is drawn from this number */
    struct {
        uint8_t var;
        int32_t value;
    } final[SKETCH_FINALS]; /* declared last values */
    uint32_t finals;
};

enum { SKETCH_NOBODY = 1000000 }; /* a value that no write writes */

static inline bool sketch_reads(const struct sketch_op *o)
{
    return o->kind & SKETCH_READ;
}

static inline bool sketch_writes(const struct sketch_op *o)
{
    return o->kind & SKETCH_WRITE;
}

void sketch_add(struct sketch *s, struct sketch_op op);
/* `to` comes after `from` of another thread in program order, too; beyond SKETCH_JOINS: left out. */
void sketch_join(struct sketch *s, uint32_t from, uint32_t to);
void sketch_remove(struct sketch *s, uint32_t at);
void sketch_add_final(struct sketch *s, uint8_t var, int32_t value); /* beyond SKETCH_FINALS: left out */
struct sketch sketch_copy(const struct sketch *s);
void sketch_free(struct sketch *s);

/* Another order of the lines that keeps each thread's. */
void sketch_interleave(struct sketch *s, struct rng *rng);

/* Some edges of program order across threads, without a cycle; the lines get another order, too. */
void sketch_join_some(struct sketch *s, struct rng *rng);

/* The history, which goes to assay_history_free; aborts when the library refuses an operation. */
assay_history *sketch_build(const struct sketch *s);

/* Removes operations and declared last values, one at a time, while `holds` says that what matters is still there. */
void sketch_shrink(struct sketch *s, bool (*holds)(const struct sketch *s, void *arg), void *arg);

/* As a .hist file. */
void sketch_print(const struct sketch *s, FILE *out);

#endif
