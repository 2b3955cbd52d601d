/* SPDX-License-Identifier: Apache-2.0 */
/* Axioms over a linearization and a visibility relation, the language of Emmi and Enea (CAV'18):
 *
 *   axioms ::= axiom { & axiom }          axiom ::= Ret | lin >= path | vis >= path | vis = lin
 *   path ::= relation { ; relation }      relation ::= po | hb | lin | vis
 *
 * vis = lin abbreviates vis >= lin: vis lies within lin anyway.
 * Ret: an operation returns the result of the object after the operations that it sees (vis), in the order lin. Ret,
 * lin >= vis and lin >= hb are always demanded. po, hb and vis lie within lin, which is transitive. So axioms lin >=
 * path hold by themselves: they are accepted, and only axioms on vis are kept. */
#ifndef ASSAY_MODEL_AXIOMS_H
#define ASSAY_MODEL_AXIOMS_H

#include "assay.h"

enum relation { REL_PO, REL_HB, REL_LIN, REL_VIS };

enum { AXIOM_LONGEST = 8, AXIOMS_MOST = 12 };

struct axiom { /* vis >= path[0] ; ... ; path[n - 1] */
    uint8_t n;
    uint8_t path[AXIOM_LONGEST];
};

struct axioms {
    struct axiom at[AXIOMS_MOST];
    uint32_t n;
};

const char *relation_name(enum relation r);
/* The path of an axiom, as in "vis;po". */
bool axiom_path_parse(const char *text, struct axiom *out);

/* False with an error that shows where the text goes wrong. */
bool axioms_parse(const char *text, struct axioms *out, assay_error *e);

static inline bool axiom_same(const struct axiom *a, const struct axiom *b)
{
    bool same = a->n == b->n;
    for (uint32_t i = 0; i < a->n && same; i++)
        same = a->path[i] == b->path[i];
    return same;
}

/* The axioms of each method: those of its level, or those of the model. */
enum { VISIBILITY_MOST = 24, VISIBILITY_NAME = 40 };
struct visibility {
    struct axioms otherwise;
    struct {
        char method[VISIBILITY_NAME];
        struct axioms axioms;
    } at[VISIBILITY_MOST];
    uint32_t n;
};

/* `levels` is "contains=weak,put=complete", of less than VISIBILITY_TEXT bytes, or NULL. Methods are words, so that the
 * text can be quoted as it is. False with an error. */
bool visibility_parse(const char *axioms, const char *levels, struct visibility *out, assay_error *e);
const struct axioms *visibility_of(const struct visibility *v, const char *method);

#endif
