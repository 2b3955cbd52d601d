/* SPDX-License-Identifier: Apache-2.0 */
/* The parts that engines for sc, tso, pso and their saturations put together. Each fills in job->out and returns
 * whether it has decided. */
#ifndef ASSAY_MEMORY_SERIAL_H
#define ASSAY_MEMORY_SERIAL_H

#include "memory/explain.h"
#include "memory/frame.h"
#include "memory/serialize.h"
#include "memory/unravel.h"

/* The memory that decides the model's graphs; those of transactions are graphs of sc (transaction/txn_events.h). */
static inline enum buffering serial_memory(const struct job *job)
{
    enum { SC = COND_SC | COND_WSC | COND_CCM | COND_PC | COND_PSI | COND_SI | COND_SER };
    unsigned conditions = job->model->conditions;
    return conditions & SC ? MEMORY_SC : conditions & COND_PSO ? MEMORY_PSO : MEMORY_TSO;
}

/* Values read, or declared final, without a write: they refute every model that uses them. */
bool serial_thin_air(struct job *job);

/* A forced order, to be closed. */
void serial_begin_forced_order(struct job *job, const struct causal *c, enum buffering memory, struct forced_order *w);

/* The parts of the causal models; all models but pso imply the first two. The order that each yields becomes part of a
 * witness if that is wanted. The last one asks for the observations of the threads first .. end - 1. */
bool serial_not_causal(struct job *job, struct causal *c);
bool serial_not_convergent(struct job *job, struct causal *c, bool witness); /* after the one above */
bool serial_observed_wrongly(struct job *job, const struct causal *c, uint32_t first, uint32_t end, bool witness);

/* Builds the forced order and closes it. True: decided, it is a violation; a cycle of the fixed edges is found, too. */
bool serial_forced_order(struct job *job, const struct causal *c, struct forced_order *w);

/* After closing a forced order. True: it is not closed, and the conflict is explained as a violation. */
bool serial_refuted(struct job *job, struct forced_order *w, bool closed);

/* The verdict, with these events as its witness. */
void serial_consistent(struct job *job, const uint32_t *order, uint32_t count);

/* The order in which the operations were recorded, if it happens to explain every read. */
bool serial_recorded_order(struct job *job);

/* An execution with repair. */
struct execution {
    uint32_t *order, count; /* the events; NULL: none was found */
    /* There is none, not even of the first events of each thread, reached[thread] of them. Other code proves it. NULL:
     * it gave up, or found one. Sequential consistency only. */
    uint32_t *reached;
};

/* key and most_effort are those of repair.h; most_effort 0: its own choice. Memory from the job. */
struct execution serial_execution(struct job *job, const struct rw *v, enum buffering memory, const uint32_t *key,
                                  uint64_t most_effort);

/* An order found by execution with repair, if it is found soon: most_effort is that of repair.h, 0 its own choice. It
 * does not find violations. There are no thin-air reads. */
bool serial_repaired(struct job *job, const struct causal *c, uint64_t most_effort);

/* All events in an order that completes the closed forced order's store order, or NULL. Then job->out's evidence has
 * the lemmas and clauses that refute it; or *gave_up, after so many conflicts (0: it never does): nothing is known. */
const uint32_t *serial_order(struct job *job, struct forced_order *w, uint64_t most_conflicts, bool *gave_up);

/* The same as a verdict. False: it gave up after so many conflicts (0: it never does), and left nothing behind. */
bool serial_complete(struct job *job, struct forced_order *w, uint64_t most_conflicts);

/* An execution of tso, if it is found within so many conflicts: it is one of pso, too. False decides nothing about
 * pso. */
bool serial_tso_execution(struct job *job, const struct causal *c, uint64_t most_conflicts);

#endif
