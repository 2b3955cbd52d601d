/* SPDX-License-Identifier: Apache-2.0 */
/* All models, weakest first: `assay grade` walks this order. A row has the name, the title, what it says in one
 * sentence, its definition in relational notation, the conditions and needs from which an engine is chosen, and the
 * models that it implies directly. docs/reference/models-formal.md, transactions.md and weak.md have the definitions at
 * length.
 *
 * Notation. r;s is r and then s, r | s the union, r+ and r* closures; _WW keeps the pairs of two writes of one
 * variable. `some` ranges over total orders of the writes of each variable, `least` over relations closed under a rule.
 *   po, wr           program order; from a write to the reads of its value
 *   po-loc, wr_e     po between operations on one variable; wr between different threads
 *   ppo, ppo2        po without write before read; without write before write of another variable either
 *   co               (po | wr)+
 *   rw[r], cf[r]     from a read to a write that r puts behind its source; from a write to one that won against it
 *   hb[o]            what o knows: co among its causes, and the writes that its thread's reads order
 *   pww, wpww        store order forced by the hb[o] of all operations at once (wpww: over ppo, and over po-loc)
 *   st, wst          store order forced step by step: closed under hb_WW | cf[hb], where hb is the closure of the graph
 *   hb, lin, vis     happens-before; the linearization; which operation sees which (axioms.h)
 *   ar, base         order of the commits; session order, with real time (-strict), or nothing (-plain) */
#include "model/model.h"

#include <stddef.h>

#define MODEL(...)                                                                                                     \
    &(const struct model)                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define IMPLIES(...)                                                                                                   \
    .weaker = (const char *const[])                                                                                    \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }

/* Memories. */
#define MEMORY(COND) .conditions = COND, .needs = NEED_MEMORY | NEED_UNIQUE_VALUES

/* Any object but a memory: Ret, lin >= hb and lin >= vis, and the axioms. */
#define VISIBILITY(AXIOMS)                                                                                             \
    .conditions = COND_WEAK, .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_OTHER_OBJECT, .axioms = AXIOMS
/* The same under a name of its own; a level says it in a grading. */
#define VISIBILITY_ALIAS(AXIOMS)                                                                                       \
    .conditions = COND_WEAK, .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_OTHER_OBJECT | NEED_ASKED, .axioms = AXIOMS

/* Transactions. If t3 reads x from t1, t2 writes x, and t2 is before t3 in R, then ar has t2 before t1. */
#define LEVEL(COND, R)                                                                                                 \
    .conditions = COND, .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES, .definition = "some ar >= base | wr, R = " R
#define STRICT_LEVEL(COND, R)                                                                                          \
    .conditions = COND, .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES | NEED_TIME, .base = BASE_REALTIME,            \
    .definition = "some ar >= base | wr, R = " R

#define R_RC "wr;po"
#define R_RA "base | wr"
#define R_TCC "(base | wr)+"
#define R_PC "ar*;(base | wr)"
#define R_PSI "(base | wr | ww)+"
#define R_SI "ar*;(base | wr | ww)"
#define R_SER "ar"

const struct model *const model_table[] = {
    MODEL("cc", "causal consistency",
          "no thread sees an effect without its causes, or an older value after a newer one it depends on",
          MEMORY(COND_CAUSAL), .definition = "acyclic co & irreflexive rw[co];co"),
    MODEL("ccv", "causal convergence",
          "causal consistency, and all threads agree on one order of the writes of each variable",
          MEMORY(COND_CAUSAL | COND_CONVERGENT), .definition = "cc & acyclic po | wr | cf[co]", IMPLIES("cc")),
    MODEL("cm", "causal memory",
          "causal consistency, and each thread sees all it knows of in one order that never changes",
          MEMORY(COND_CAUSAL | COND_PER_THREAD), .definition = "cc & for every o: acyclic hb[o]", IMPLIES("cc")),
    MODEL("pso", "partial store order", "as tso, with a store buffer per thread and variable", MEMORY(COND_PSO),
          .definition = "some ww: acyclic ppo2 | wr_e | ww | rw[ww] & acyclic po-loc | wr | ww | rw[ww]"),
    MODEL("wccm", "weak ccm", "ccm for memories with store buffers", MEMORY(COND_WCCM),
          .definition = "acyclic ppo | wr_e | wpww | rw[wpww] & acyclic po-loc | wr | wpww | rw[wpww]", IMPLIES("ccv")),
    MODEL("ccm", "causal convergence and memory",
          "one partial store order, from what all threads observe, fits everything that was read", MEMORY(COND_CCM),
          .definition = "acyclic po | wr | pww | rw[pww]", IMPLIES("ccv", "cm", "wccm")),
    MODEL("wtso", "weak tso", "the store orders that store buffers force step by step run into no cycle",
          MEMORY(COND_WTSO),
          .definition = "least wst: acyclic ppo | wr_e | wst | rw[wst] & acyclic po-loc | wr | wst | rw[wst]",
          IMPLIES("wccm")),
    MODEL("tso", "total store order", "one memory order explains every read when each thread has a store buffer",
          MEMORY(COND_TSO),
          .definition = "some ww: acyclic ppo | wr_e | ww | rw[ww] & acyclic po-loc | wr | ww | rw[ww]",
          IMPLIES("wtso", "ccv", "pso")),
    MODEL("wsc", "weak sequential consistency", "the store orders that are forced step by step run into no cycle",
          MEMORY(COND_WSC), .definition = "least st: acyclic po | wr | st | rw[st]", IMPLIES("ccm", "wtso")),
    MODEL("sc-object", "sequential consistency of an object",
          "one legal sequence of all operations keeps the order of each thread", .conditions = COND_SC_OBJECT,
          .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_NO_MEMORY, .definition = "some legal order of the calls >= po"),
    MODEL("return-value", "return-value consistency", "an operation sees whatever explains its result",
          VISIBILITY_ALIAS("")),
    MODEL("level:weak", "sees any operations before it", "an operation sees whatever explains its result",
          VISIBILITY(""), IMPLIES("return-value")),
    MODEL("monotonic-reads", "monotonic reads", "an operation sees what its thread has seen before",
          VISIBILITY("vis >= vis;po"), IMPLIES("level:weak")),
    MODEL("peer", "peer consistency", "seeing an operation includes seeing what its thread did before it",
          VISIBILITY("vis >= po;vis"), IMPLIES("level:weak")),
    MODEL("read-my-writes", "read my writes", "an operation sees what its thread did before",
          VISIBILITY_ALIAS("vis >= po"), IMPLIES("level:weak")),
    MODEL("level:self", "sees what its thread did", "an operation sees what its thread did before",
          VISIBILITY("vis >= po"), IMPLIES("level:weak", "read-my-writes")),
    MODEL("weak-hb", "sees all that happened before it", "an operation sees all that happened before it",
          VISIBILITY("vis >= hb"), IMPLIES("level:self")),
    MODEL("level:monotonic", "sees what its thread did and saw",
          "level:self, and an operation sees what its thread has seen before", VISIBILITY("vis >= po & vis >= vis;po"),
          IMPLIES("level:self", "monotonic-reads")),
    MODEL("level:peer", "sees threads from their start",
          "level:monotonic, and seeing an operation includes seeing what its thread did before it",
          VISIBILITY("vis >= po & vis >= vis;po & vis >= po;vis"), IMPLIES("level:monotonic", "peer")),
    MODEL("causal-convergence", "causal convergence of an object",
          "an operation sees what its thread did before, and seeing an operation includes seeing what it saw",
          VISIBILITY_ALIAS("vis >= po & vis >= vis;vis"), IMPLIES("read-my-writes", "monotonic-reads", "peer")),
    MODEL("level:causal", "sees whole causal pasts", "level:peer, and seeing an operation includes seeing what it saw",
          VISIBILITY("vis >= po & vis >= vis;po & vis >= po;vis & vis >= vis;vis"),
          IMPLIES("level:peer", "causal-convergence")),
    MODEL("level:complete", "sees all operations before it",
          "an operation sees all operations before it in the linearization", VISIBILITY("vis >= lin"),
          IMPLIES("level:causal", "weak-hb", "sc-object")),
    MODEL("sc", "sequential consistency", "one order of all operations explains every read", MEMORY(COND_SC),
          .definition = "some ww: acyclic po | wr | ww | rw[ww]", IMPLIES("wsc", "tso")),
    MODEL("rc-plain", "read committed without sessions", "rc, but the order of a session does not count",
          LEVEL(COND_RC, R_RC), .base = BASE_NONE),
    MODEL("ra-plain", "read atomic without sessions", "ra, but the order of a session does not count",
          LEVEL(COND_RA, R_RA), .base = BASE_NONE, IMPLIES("rc-plain")),
    MODEL("tcc-plain", "transactional causal consistency without sessions",
          "tcc, but the order of a session does not count", LEVEL(COND_TCC, R_TCC), .base = BASE_NONE,
          IMPLIES("ra-plain")),
    MODEL("pc-plain", "prefix consistency without sessions", "pc, but the order of a session does not count",
          LEVEL(COND_PC, R_PC), .base = BASE_NONE, IMPLIES("tcc-plain")),
    MODEL("psi-plain", "parallel snapshot isolation without sessions", "psi, but the order of a session does not count",
          LEVEL(COND_PSI, R_PSI), .base = BASE_NONE, IMPLIES("tcc-plain")),
    MODEL("si-plain", "snapshot isolation without sessions", "si, but the order of a session does not count",
          LEVEL(COND_SI, R_SI), .base = BASE_NONE, IMPLIES("pc-plain", "psi-plain")),
    MODEL("ser-plain", "serializability without sessions", "ser, but the order of a session does not count",
          LEVEL(COND_SER, R_SER), .base = BASE_NONE, IMPLIES("si-plain")),
    MODEL("rc", "read committed",
          "a transaction reads committed values only, and its reads never go back behind one it read from",
          LEVEL(COND_RC, R_RC), IMPLIES("rc-plain")),
    MODEL("ra", "read atomic", "a transaction sees all or nothing of each transaction", LEVEL(COND_RA, R_RA),
          IMPLIES("ra-plain", "rc")),
    MODEL("tcc", "transactional causal consistency",
          "a transaction sees whole transactions, with all that these depend on", LEVEL(COND_TCC, R_TCC),
          IMPLIES("tcc-plain", "ra")),
    MODEL("pc", "prefix consistency", "a transaction reads from a prefix of one order of all commits",
          LEVEL(COND_PC, R_PC), IMPLIES("pc-plain", "tcc")),
    MODEL("psi", "parallel snapshot isolation",
          "causal, and of two transactions that write one variable one sees the other", LEVEL(COND_PSI, R_PSI),
          IMPLIES("psi-plain", "tcc")),
    MODEL("si", "snapshot isolation",
          "a transaction reads a snapshot, and its variables are written by no other one until it commits",
          LEVEL(COND_SI, R_SI), IMPLIES("si-plain", "pc", "psi")),
    MODEL("ser", "serializability", "the transactions run one after another, in the order of each session",
          LEVEL(COND_SER, R_SER), IMPLIES("ser-plain", "si")),
    MODEL("rc-strict", "strict read committed", "rc, and a transaction comes after all that had ended when it began",
          STRICT_LEVEL(COND_RC, R_RC), IMPLIES("rc")),
    MODEL("ra-strict", "strict read atomic", "ra, and a transaction comes after all that had ended when it began",
          STRICT_LEVEL(COND_RA, R_RA), IMPLIES("ra", "rc-strict")),
    MODEL("tcc-strict", "strict transactional causal consistency",
          "tcc, and a transaction comes after all that had ended when it began", STRICT_LEVEL(COND_TCC, R_TCC),
          IMPLIES("tcc", "ra-strict")),
    MODEL("pc-strict", "strict prefix consistency",
          "pc, and a transaction comes after all that had ended when it began", STRICT_LEVEL(COND_PC, R_PC),
          IMPLIES("pc", "tcc-strict")),
    MODEL("psi-strict", "strict parallel snapshot isolation",
          "psi, and a transaction comes after all that had ended when it began", STRICT_LEVEL(COND_PSI, R_PSI),
          IMPLIES("psi", "tcc-strict")),
    MODEL("si-strict", "strict snapshot isolation",
          "si, and a transaction comes after all that had ended when it began", STRICT_LEVEL(COND_SI, R_SI),
          IMPLIES("si", "pc-strict", "psi-strict")),
    MODEL("ser-strict", "strict serializability", "ser, and a transaction comes after all that had ended when it began",
          STRICT_LEVEL(COND_SER, R_SER), IMPLIES("ser", "si-strict")),
    MODEL("lin", "linearizability", "each operation takes effect at one moment between its call and its return",
          .conditions = COND_LIN, .needs = NEED_TIME | NEED_CALLS, .definition = "some legal order of the calls >= hb",
          IMPLIES("sc", "sc-object", "level:complete", "ser-strict")),
    NULL};
