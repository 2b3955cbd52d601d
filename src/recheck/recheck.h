/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of recheck, private to this folder. Each returns false once it has refused. */
#ifndef ASSAY_RECHECK_RECHECK_H
#define ASSAY_RECHECK_RECHECK_H

#include "evidence/evidence.h"
#include "recheck/limits.h"
#include "recheck/memory.h"

struct transactions;

struct recheck {
    const history *h;
    const struct evidence_line *line;
    unsigned conditions; /* of the model, and those they imply */
    struct memory memory;
    struct transactions *transactions; /* of a model of transactions; then there is no memory */
    unsigned *reason_graphs;           /* of a reason that holds: the graphs that its path lies in; graphs.c */
    struct mem *mem;
    struct budget *budget; /* loops whose length the evidence can choose call budget_tick */
    const struct limits *limits;
    enum limit met; /* by a search that gave up */
    assay_error *error;
};

/* Fills in an ASSAY_ERROR_REFUSED; always false. */
bool refuse(const struct recheck *x, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fills in an ASSAY_ERROR_LIMIT, which is no refusal: recheck does not go that far. Always false. */
bool beyond(const struct recheck *x, enum limit l);
/* The same for a question that recheck has no answer to. */
bool cannot_judge(const struct recheck *x, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline uint64_t at_most(const struct recheck *x, enum limit l)
{
    return x->limits->most[l];
}

/* A search gives up: -1, and the limit is noted. */
static inline int gives_up(struct recheck *x, enum limit l)
{
    x->met = l;
    return -1;
}

/* "operation 3 (t0: write(x, 1))", or without the parenthesis for a number out of range. */
const char *operation_text(const struct recheck *x, uint32_t op);

/* Is op an operation of the history that takes part? `where` begins the sentence that refuses
 * it. */
bool takes_part(const struct recheck *x, uint32_t op, const char *where);

/* The sources that the evidence names become those of the memory; afterwards every read has one. */
bool recheck_sources(struct recheck *x);

/* There is no explanation for any sources: searched again, through executions (sc, tso, pso) or through the choices of
 * sources (cc, ccv, cm). Refuses if there is one. */
bool recheck_executions(struct recheck *x);
bool recheck_choices(struct recheck *x);

bool recheck_refutation(struct recheck *x);
bool recheck_witness(struct recheck *x);

/* Of the refutation: the lemmas and learned clauses leave no case. The lemmas, and the reasons they rest on, are
 * known to hold. */
bool recheck_cases(struct recheck *x);

/* Of the witness: one order of the whole history, known to hold every operation that takes part, after its
 * causes. */
bool recheck_pasts(struct recheck *x, const struct order *order);

/* Of the witness: an execution (sc, tso, pso). */
bool recheck_serial(struct recheck *x);

/* Of the witness: orders and pairs that are closed under the rules (wsc, wtso). */
bool recheck_closed(struct recheck *x);

/* Instead of a witness: is the history consistent when the definition is computed again (ccm, wccm)? */
bool recheck_naive(struct recheck *x);

/* Does the history satisfy the causal conditions of the model (cc, ccv, cm) with the memory's sources? Of not more
 * than LIMIT_CHOICE_OPERATIONS. */
bool naive_causal(struct recheck *x);

/* Are they two writes of one variable? Of transactions: do both write some key? */
bool are_writes(const struct recheck *x, uint32_t a, uint32_t b);

/* Both, for models of transactions. */
bool recheck_transactions(struct recheck *x);

/* Both, for models of objects. */
bool recheck_object(struct recheck *x, struct object_choice asked, bool *searched);

#endif
