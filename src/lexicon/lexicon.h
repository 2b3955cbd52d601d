/* SPDX-License-Identifier: Apache-2.0 */
/* The lexicon: a short page for each name that a user may meet, as data. What the tables of the families say already
 * (titles, definitions, methods) is not repeated here; api/explained.c joins the two. A new member of a family needs an
 * entry: the test unit.lexicon demands it, and executes every example. */
#ifndef ASSAY_LEXICON_LEXICON_H
#define ASSAY_LEXICON_LEXICON_H

#include <stddef.h>

enum { LEXICON_ALSO = 5 };

struct entry {
    const char *name;
    const char *also[LEXICON_ALSO]; /* other names, up to NULL */
    const char *text;               /* what it is, beyond what the family's table says */
    const char *context;            /* what usually causes it; or where one meets it */
    const char *example;            /* a history, or a file in the format; NULL: there is none */
    const char *model;              /* the example is checked against it ... */
    const char *pattern;            /* ... and violates it in this way; NULL: it is consistent */
    const char *read;               /* documents, between commas */
};

/* Entries of one kind, up to a NULL name. A kind may have several chapters; those of one kind are neighbours. */
struct chapter {
    const char *kind;
    const struct entry *entries;
};
extern const struct chapter lexicon[]; /* up to NULL */

extern const struct entry lexicon_memory_patterns[], lexicon_object_patterns[], lexicon_transaction_patterns[];
extern const struct entry lexicon_anomalies[], lexicon_memory_models[], lexicon_weak_models[], lexicon_isolation[];
extern const struct entry lexicon_objects[], lexicon_engines[], lexicon_object_engines[], lexicon_formats[];

#endif
