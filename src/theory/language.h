/* SPDX-License-Identifier: Apache-2.0 */
/* Theories as text, in the language of docs/guides/theories.md: the built-in ones are printed in it, and those of the
 * user are read from it. */
#ifndef ASSAY_THEORY_NOTATION_H
#define ASSAY_THEORY_NOTATION_H

#include "assay_spec.h"
#include "base/text.h"
#include "theory/theory.h"

struct own_theory { /* of the user; its object has the calls of the theory, and no states */
    assay_spec spec;
    struct theory theory;
    const assay_spec *like; /* the library's object whose calls they are, or NULL */
};

/* The text of a theory; `spec` is its object. */
void theory_write(const struct theory *t, const assay_spec *spec, struct text *out);

/* Reads a theory. NULL with an error that has its place. Memory from m, as long as the theory is in use; may escape. */
struct own_theory *theory_read(const char *file, const char *text, size_t n, struct mem *m, assay_error *e);

/* The user's theory that this object comes from, or NULL. */
const struct own_theory *theory_of_spec(const assay_spec *spec);

/* Words of the language, by number. */
extern const char *const theory_roles[];      /* by bit */
extern const char *const theory_predicates[]; /* by enum theory_predicate */
extern const char *const theory_outcomes[];   /* by enum theory_outcome; NULL: not a word */
extern const char *const theory_initials[];   /* by enum theory_initial */
extern const char *const theory_bounds[];     /* by enum theory_bound */

/* Are its axioms those of a built-in theory? Forgetting is proved for these only. */
bool theory_is_built_in(const struct theory *t);

/* Is the theory one of those whose matching the values give? Only then saturate_matched.c is right about it: all its
 * axioms are axioms of the built-in ones of this kind. */
bool theory_is_matched(const struct theory *t);

#endif
