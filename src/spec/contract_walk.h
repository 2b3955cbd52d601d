/* SPDX-License-Identifier: Apache-2.0 */
/* A walk: random calls of an object, and the states that they lead to, each made in several ways. Two states are
 * compared by what calls observe, so a difference that no call shows within a few steps is missed. */
#ifndef ASSAY_SPEC_CONTRACT_WALK_H
#define ASSAY_SPEC_CONTRACT_WALK_H

#include "assay_spec.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/text.h"

enum { WALK_STEPS = 10, WALK_MOST_STEPS = 200, WALK_ARGS = 6, WALK_ANSWER = 96 };
enum { WALK_PROBES = 24, WALK_PROBE_STEPS = 3 };
/* The declarations that are tried; the later ones may have large parameters. */
enum { WALK_SETTINGS = 12, WALK_LONG_SETTINGS = 16 };

struct made { /* a call, and its answer in the walk */
    const assay_method *method;
    assay_value args[WALK_ARGS];
    assay_call call;
    unsigned choice;
    char answer[WALK_ANSWER];
    assay_effect effect;
    assay_value result; /* its text is in `kept` */
    char kept[WALK_ANSWER];
};

struct walk {
    const assay_spec *spec;
    struct rng *rng;
    struct mem mem;
    struct text *out;
    bool verdicts_only;
    assay_binding init[2];
    assay_setting setting;
    struct made *calls; /* n, and one that is only tried */
    unsigned n;
    struct made probes[WALK_PROBES][WALK_PROBE_STEPS];
};

/* A declaration of that number. False: the object refuses it. */
bool walk_setting(struct walk *w, unsigned i);

/* Draws so many calls, one that is only tried, and those that tell states apart. False: the object has no calls. */
bool walk_prepare(struct walk *w, unsigned steps);

/* The call in this state; its answer as text goes to `out`. */
assay_effect walk_answer(struct walk *w, void *state, struct made *c, assay_saved *saved, char out[WALK_ANSWER]);

/* ---- the state after the first n calls ---- */

typedef void *maker(struct walk *w, unsigned n);
maker walk_anew;         /* by create and these calls alone */
maker walk_not_changed;  /* the next call was made, which does not change it */
maker walk_undone_once;  /* the next call was made and undone */
maker walk_undone;       /* all other calls of the walk were made and undone */
maker walk_copied;       /* a copy, whose original went on */
maker walk_copied_from;  /* the original, whose copy went on */
maker walk_from_content; /* by create, of the content */

/* Does a sequence of calls tell these states apart, the first made of n calls, the second of m? Then it is shown. */
bool walk_tell_apart(struct walk *w, maker *one, unsigned n, maker *other, unsigned m, const char *first,
                     const char *second);

/* ---- reports, to w->out ---- */

void walk_print(char *out, size_t size, assay_value v);
void walk_show_call(struct text *t, const struct made *c, const char *said);
void walk_show(struct walk *w, unsigned n); /* the declaration and the first n calls */

#endif
