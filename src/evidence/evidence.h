/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence: the proof of a verdict, and the result that carries it.
 *
 * A witness is one or more total orders of operations. A refutation is a cycle of steps. A step is a fact of the
 * history (po, wr) or rests on a reason, and the path of reason i uses only reasons below i. So a refutation can be
 * read, and rechecked, from its first reason to the cycle without ever looking ahead. Operations are named by their
 * numbers in the history.
 *
 * assay.h documents the claim of each rule. Engines build evidence with evidence_*; they may escape. */
#ifndef ASSAY_EVIDENCE_EVIDENCE_H
#define ASSAY_EVIDENCE_EVIDENCE_H

#include "assay.h"
#include "base/budget.h"
#include "base/escape.h"
#include "base/stats.h"
#include "base/text.h"
#include "base/vec.h"
#include "evidence/explanation.h"
#include "history/history.h"
#include "model/axioms.h"
#include "model/model.h"
#include "spec/facts.h"

#include <pthread.h>

enum pattern {
    PATTERN_NONE,
#define X(ident, text) PATTERN_##ident,
#include "evidence/pattern.def"
#undef X
    PATTERN_COUNT
};

const char *pattern_name(enum pattern p);
enum pattern pattern_find(const char *name); /* PATTERN_NONE: there is none of this name */
/* The same of a violation; of transactions with the kind of base order that has a part in it: "StaleRead-session". */
struct assay_result;
const char *pattern_reported(const struct assay_result *r);
const char *pattern_text(enum pattern p);

/* The kind of proof of a violation of the model with the pattern. */
enum proof {
    PROOF_CYCLE,   /* reasons and a cycle; of transactions, the last reason may order one before the initial one instead
                    */
    PROOF_CULPRIT, /* one operation */
    PROOF_CASES,   /* reasons, lemmas and learned clauses */
    PROOF_PART,    /* the culprit's part of the history, cut by allowed cuts, has no linearization */
    PROOF_CHOICES, /* refutations of choices of sources, and no choice is left */
    PROOF_NONE     /* the history itself: recheck computes, or searches, again */
};
enum proof pattern_proof(enum pattern p, const struct model *m);

/* Facts of the history, and assumptions of a case; the other rules rest on reasons. */
static inline bool rule_needs_no_reason(assay_rule rule)
{
    return rule == ASSAY_PO || rule == ASSAY_WR || rule == ASSAY_PPO || rule == ASSAY_LOC || rule == ASSAY_CASE ||
           rule == ASSAY_RT || rule == ASSAY_VO;
}

struct reason {
    assay_rule rule;
    uint32_t from, to, read;      /* to: ASSAY_NO_OPERATION, the initial transaction */
    uint32_t path_at, path_count; /* in evidence.steps */
};

struct order {
    uint32_t thread;    /* or ASSAY_NO_THREAD */
    uint32_t at, count; /* in evidence.ops */
};

/* A refutation by cases. A lemma is a cycle that rests on assumed store orders (steps and reasons with the rule CASE):
 * not all of its assumptions hold together. A learned clause says that at least one of its pairs is not stored in the
 * order given. It follows from lemmas and earlier clauses by unit propagation. The last one has no pairs. */
struct span { /* of evidence.steps, or of evidence.pairs */
    uint32_t at, count;
};

/* Weak consistency: `by` sees `seen`. An axiom vis >= path demands it; via[k] is the operation between the steps k and
 * k + 1 of the path, and steps vis are earlier sights. Without a path the result of `by` shows it: given
 * its earlier sights, there is no explanation in which it does not see `seen`. */
struct sight {
    uint32_t by, seen;
    struct axiom path;
    uint32_t via[AXIOM_LONGEST - 1];
};

struct naming_cycle { /* of transactions: a cycle that may name the violation (naming.c) */
    uint32_t reason;  /* its reason; ASSAY_NO_REASON: the cycle of the refutation */
    bool apart;       /* orders of writers that rw forces are not replaced by their paths */
};

struct evidence {
    struct mem *mem;
    enum pattern pattern;
    uint32_t culprit; /* operation, or ASSAY_NO_OPERATION */
    /* Of a transaction: which of its accesses; and the operation whose value or list it contradicts. Or
     * ASSAY_NO_OPERATION. */
    uint32_t access, opposite;
    VEC(assay_step) steps;
    VEC(struct reason) reasons;
    uint32_t cycle_at, cycle_count; /* in steps */
    struct naming_cycle named_by;   /* of transactions */
    VEC(struct span) lemmas;        /* in steps */
    VEC(struct span) learned;       /* in pairs */
    VEC(assay_pair) pairs;
    VEC(assay_pair)
    sources; /* where values are not unique: the write, or ASSAY_NO_OPERATION: the initial value; the read */
    VEC(uint32_t) source_access;  /* of transactions: which access of the reader */
    VEC(struct evidence *) cases; /* refutations, each under the sources that it has */
    VEC(assay_pair) closed;       /* of a weakly consistent history: with po and wr (ppo, ...) closed under the rules */
    /* Of an object: the proof is about the part (object, key) that the culprit belongs to, or about all of them. */
    bool whole;
    bool prefix; /* only the events up to the culprit's return count. Calls still open then need not have taken effect.
                  * If they have, then with the results that they returned later */
    bool tied;   /* a shorter prefix may be refuted, too, as where ranks are not those of the times */
    VEC(uint32_t) kept;     /* and of that only these; empty: all */
    VEC(uint32_t) suspects; /* weak consistency: no order explains even the results of these; empty: not known */
    VEC(struct sight)
    sights; /* weak consistency: operations that others must see. If there are any, the suspects contradict
                               * them; else they contradict the axioms */
    VEC(assay_pair) visible; /* of a weakly consistent object: the second sees the first */
    bool witness;            /* the orders are complete: all that the model asks for, even if that is none */
    VEC(struct order) orders;
    VEC(uint32_t) ops;
};

enum { EVIDENCE_OBJECT = 48 }; /* bytes of an object's kind */

enum { MOST_TRIED = 8, UNDECIDED_TEXT = 256 };

/* Why a check is undecided: an escape ended it, or what the engine can do did. */
enum undecided {
    UNDECIDED_NO_REASON = ESCAPE_NONE,
    UNDECIDED_NO_MEMORY = ESCAPE_OUT_OF_MEMORY,
    UNDECIDED_MEMORY = ESCAPE_MEMORY_BUDGET,
    UNDECIDED_TIME = ESCAPE_TIME_BUDGET,
    UNDECIDED_SOUND_ONLY = ESCAPE_ERROR + 1, /* the engine finds violations only */
    UNDECIDED_REPEATED                       /* values repeat, and no choice of sources was found or excluded */
};

struct assay_result {
    struct mem mem; /* of the evidence and texts */
    const history *h;
    const struct model *model;
    char called[MODEL_TEXT];          /* the name that the model was asked for by, if it is another one; else empty */
    char object[EVIDENCE_OBJECT];     /* its kind, or "several objects" */
    char blamed[EVIDENCE_OBJECT];     /* the kind of the object that the culprit calls */
    const struct object_facts *facts; /* of that object */
    int64_t skew;                     /* of the clocks, for models with real time */
    char visibility[VISIBILITY_TEXT]; /* levels by method, of weak consistency */
    struct model spelled;             /* the model, if it is one that was spelled out; its name is here: */
    char spelling[MODEL_TEXT];
    const char *engine;
    assay_verdict verdict;
    enum undecided undecided;            /* why, ... */
    char undecided_text[UNDECIDED_TEXT]; /* ... and the same in words; empty: no reason is known */
    const char *tried[MOST_TRIED];       /* the steps that an engine began, in their order; up to NULL */
    const char *vacuous;
    double seconds;
    size_t bytes;
    struct stats stats;
    struct evidence evidence;
    struct explanation explanation;
    struct mem explained;        /* of what explain/ adds to it, ... */
    bool is_explained, is_drawn; /* ... once it has */
    pthread_mutex_t explaining;  /* held meanwhile */
    /* The result of another model of this history, from whose verdict this one follows: it has the proof. NULL: the
     * model was checked itself. */
    const struct assay_result *from;
    struct assay_result *own_from; /* the same, if it goes with this one */
};

typedef struct assay_result result;

/* The result is undecided for this reason. The words of the reason come first, then those of the format. */
void result_undecided(result *r, enum undecided why, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The result with the evidence. */
static inline const result *result_proof(const result *r)
{
    return r->from ? r->from : r;
}

static inline struct evidence evidence_in(struct mem *m)
{
    return (struct evidence){.mem = m,
                             .culprit = ASSAY_NO_OPERATION,
                             .access = ASSAY_NO_OPERATION,
                             .opposite = ASSAY_NO_OPERATION,
                             .named_by = {.reason = ASSAY_NO_REASON}};
}

/* For another argument. The orders stay: they are of other parts of the history. */
static inline void result_anew(result *r)
{
    struct evidence fresh = evidence_in(r->evidence.mem);
    fresh.orders = r->evidence.orders;
    fresh.ops = r->evidence.ops;
    r->evidence = fresh;
    r->explanation = explanation_in(fresh.mem);
}

/* The linearization to show: the witness, or that of the longest prefix that has one. */
static inline const struct evidence *result_orders(const result *r)
{
    return r->explanation.prefix ? r->explanation.prefix : &r->evidence;
}

/* Is there a proof to write? Not of an undecided history, nor from an engine that gives none, nor of a
 * consistent history whose witness was not asked for. */
bool evidence_present(const result *r);

/* Does the refutation rest on the operation, or on a declared last value? True as well if it does not say. A proof
 * about a part of the history rests on all of it, unless it says what is kept: in_part tells which operations these
 * are. */
bool evidence_rests_on(const result *r, uint32_t op, bool (*in_part)(void *arg, uint32_t op), void *arg);
bool evidence_rests_on_final(const result *r);

/* Does a witness of the model name closed pairs? Does it name the visibility of operations? */
bool evidence_has_closed(const struct model *model);
/* Of transactions: does a record name the skew of clocks? */
static inline bool evidence_has_skew(const struct model *model)
{
    return (model->needs & NEED_TRANSACTIONS) && (model->needs & NEED_TIME);
}
static inline bool evidence_has_visible(const struct model *model)
{
    return model->conditions & COND_WEAK;
}

/* Building a refutation: steps are added one after another and then taken together, either as the path of
 * a reason or as the cycle. */
void evidence_step(struct evidence *ev, assay_rule rule, uint32_t from, uint32_t to, uint32_t reason);
/* A reason that only repeats another one is not added. */
uint32_t evidence_reason(struct evidence *ev, assay_rule rule, uint32_t from, uint32_t to, uint32_t read);
void evidence_cycle(struct evidence *ev, enum pattern p);
void evidence_lemma(struct evidence *ev);
void evidence_drop_refutation(struct evidence *ev); /* a search that found conflicts and then a way */
void evidence_begin_learned(struct evidence *ev);
void evidence_pair(struct evidence *ev, uint32_t first, uint32_t second); /* of the learned clause begun last */

/* Of transactions: may the cycle of this reason name the violation? level: the model's conditions. */
bool evidence_may_name(const struct evidence *ev, unsigned level, uint32_t reason);
/* Calls `step` with the steps of a cycle that may name the violation. */
void evidence_naming(const struct evidence *ev, struct naming_cycle by, void (*step)(void *arg, const assay_step *step),
                     void *arg);
/* Which reasons the cycles rest on, and the last one if it is a contradiction by itself: one flag per reason. */
bool *evidence_used(const struct evidence *ev, const struct span *cycles, uint32_t count, struct mem *m);

/* Building a refutation of an object's part; `kept` is pushed to directly. */
static inline void evidence_part(struct evidence *ev, enum pattern p, uint32_t culprit, bool prefix)
{
    ev->pattern = p;
    ev->culprit = culprit;
    ev->prefix = prefix;
}

static inline void evidence_keep(struct evidence *ev, uint32_t op)
{
    vec_push(ev->mem, &ev->kept, op);
}

static inline void evidence_suspect(struct evidence *ev, uint32_t op)
{
    vec_push(ev->mem, &ev->suspects, op);
}

static inline void evidence_sees(struct evidence *ev, uint32_t seen, uint32_t by)
{
    assay_pair pair = {seen, by};
    vec_push(ev->mem, &ev->visible, pair);
}

/* Building a witness. */
void evidence_drop_orders(struct evidence *ev);
void evidence_join_orders(struct evidence *ev); /* one order, of all operations that orders have, in their sequence */
void evidence_begin_order(struct evidence *ev, uint32_t thread);
static inline void evidence_place(struct evidence *ev, uint32_t op)
{
    vec_push(ev->mem, &ev->ops, op);
    vec_last(&ev->orders).count++;
}

/* Where values are not unique: read takes its value from write, or the initial value (ASSAY_NO_OPERATION). */
void evidence_source(struct evidence *ev, uint32_t write, uint32_t read);
/* The same of an access of the transaction `read`. */
void evidence_access_source(struct evidence *ev, uint32_t write, uint32_t read, uint32_t access);
/* Adds a copy of the refutation `of`, without sources, and returns it. */
struct evidence *evidence_case(struct evidence *ev, const struct evidence *of);

/* One line of JSON for (history, index, model): docs/reference/evidence.md describes it. Reading checks the form only;
 * recheck checks the claims. */
void evidence_write_of(const result *r, const char *file, uint32_t index,
                       struct text *out); /* file: its name, or NULL */
static inline void evidence_write(const result *r, uint32_t index, struct text *out)
{
    evidence_write_of(r, NULL, index, out);
}

enum { EVIDENCE_FILE = 4096 }; /* bytes of a file's name, with its end */

struct evidence_line {
    char digest[17];
    const char *file; /* of the history, for evidence of several; NULL: not named */
    uint32_t index;
    const struct model *model;
    const struct model *from; /* the model that the proof is about, if the verdict is inferred from it; else NULL */
    assay_verdict verdict;
    char object[EVIDENCE_OBJECT]; /* of models of calls: the one kind of object; empty: as the history declares */
    int64_t skew;
    char visibility[VISIBILITY_TEXT]; /* levels by method; empty: the model's for all */
    struct model spelled; /* `model` points to it if the model was spelled out, so a line is not copied; its name: */
    char spelling[MODEL_TEXT];
    struct evidence evidence;
};
bool evidence_read(const char *line, struct mem *m, struct evidence_line *out, assay_error *e);

/* Does the line prove its verdict of this history? Shares nothing with the engines but the specifications. `asked` is
 * how the user chooses the object, as for the check: a record about another one than that, or than the history
 * declares, is refused. *searched is set when the verdict was confirmed by a search of its own. `limits`: how far
 * recheck goes; NULL: as stated. Escapes when the budget is used up. */
struct limits; /* recheck/limits.h */
bool recheck_with(const history *h, const struct evidence_line *line, struct object_choice asked, struct mem *m,
                  struct budget *budget, const struct limits *limits, bool *searched, assay_error *e);
static inline bool recheck(const history *h, const struct evidence_line *line, struct mem *m, assay_error *e)
{
    bool searched;
    struct budget unlimited = {0};
    return recheck_with(h, line, (struct object_choice){0}, m, &unlimited, NULL, &searched, e);
}

/* The line only says that there is no explanation: recheck searches for one itself. */
static inline bool recheck_searches(const struct evidence_line *line)
{
    return line->verdict == ASSAY_VIOLATION && line->evidence.pattern == PATTERN_NoSources &&
           !(line->model->needs & NEED_TRANSACTIONS);
}

#endif
