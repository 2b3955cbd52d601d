/* SPDX-License-Identifier: Apache-2.0 */
/* Recheck: does the evidence prove its verdict of this history?
 *
 * The claims to prove follow from the model's conditions, not from its name. No result of an engine is believed. The
 * history is read again (memory.h), and each step of a refutation is checked against it (refutation.c with graphs.c and
 * cases.c). A witness is replayed (witness.c with causal_pasts.c, one_order.c, closed.c). That a history is consistent
 * with ccm or wccm is computed again, naively (naive.c).
 *
 * Transactions are read again, too (transactions.h); txn_witness.c and txn_refutation.c check the claims about them.
 *
 * Where values are not unique, a witness comes with the sources of the reads (named_sources.c). That no sources
 * fit is searched for again (executions.c, choices.c), within bounds. */
#include "recheck/recheck.h"

#include "history/last_line.h"
#include "history/slice.h"
#include "history/token.h"
#include "recheck/transactions.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void say(const struct recheck *x, assay_error_code code, const char *format, va_list args)
{
    char message[sizeof x->error->message];
    vsnprintf(message, sizeof message, format, args);
    error_set(x->error, code, "%s", message);
}

bool refuse(const struct recheck *x, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(x, ASSAY_ERROR_REFUSED, format, args);
    va_end(args);
    return false;
}

bool cannot_judge(const struct recheck *x, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(x, ASSAY_ERROR_LIMIT, format, args);
    va_end(args);
    return false;
}

bool beyond(const struct recheck *x, enum limit l)
{
    return cannot_judge(x, "beyond the limit %s: %s", limit_name(l), limit_sentence(l));
}

const char *operation_text(const struct recheck *x, uint32_t op)
{
    struct text t = text_in(x->mem);
    text_printf(&t, "operation %u", op);
    if (op < x->h->n) {
        text_puts(&t, " (");
        token_print_op(&t, x->h, op);
        text_char(&t, ')');
    }
    return text_get(&t);
}

bool takes_part(const struct recheck *x, uint32_t op, const char *where)
{
    if (op >= x->h->n)
        return refuse(x, "%s names operation %u, but the history has only %u", where, op, x->h->n);
    if (x->transactions ? !x->transactions->counts[op] : !x->memory.role[op])
        return refuse(x, "%s names %s, which takes no part", where, operation_text(x, op));
    return true;
}

bool are_writes(const struct recheck *x, uint32_t a, uint32_t b)
{
    const struct memory *mem = &x->memory;
    if (a == b)
        return false;
    if (x->transactions)
        return txn_share_key(x->transactions, a, b);
    return (mem->role[a] & mem->role[b] & ROLE_WRITES) && mem->var[a] == mem->var[b];
}

static bool same_history(const history *h, const struct evidence_line *line, assay_error *e)
{
    char digest[17];
    snprintf(digest, sizeof digest, "%016" PRIx64, history_digest(h));
    if (strcmp(digest, line->digest) == 0)
        return true;
    error_set(e, ASSAY_ERROR_REFUSED, "the evidence is about another history: its digest is %s, this one's is %s",
              line->digest, digest);
    error_remedy(e, "if the check was given --init, give it here as well");
    return false;
}

enum {
    CAUSAL = COND_CAUSAL | COND_CONVERGENT | COND_PER_THREAD,
    OBJECTS = COND_LIN | COND_SC_OBJECT | COND_WEAK,
    TRANSACTIONS = COND_RC | COND_RA | COND_TCC | COND_PC | COND_PSI | COND_SI | COND_SER,
    SINGLE = OBJECTS | TRANSACTIONS | COND_CCM | COND_WSC | COND_SC | COND_WCCM | COND_WTSO | COND_TSO | COND_PSO
};

/* Of the causal conditions any combination is a model, of the others each one is. */
static bool known_conditions(const struct recheck *x)
{
    unsigned asked = x->line->model->conditions;
    bool single = (asked & SINGLE) && !(asked & (asked - 1));
    if (asked && (single || !(asked & ~(unsigned)CAUSAL)))
        return true;
    return cannot_judge(x, "recheck cannot judge the model %s", x->line->model->name);
}

/* A refutation of an implied condition refutes the model. Strongest first, so that one pass suffices; the proofs are in
 * docs/reference/models-formal.md. */
static unsigned with_implied(unsigned c)
{
    static const struct {
        unsigned strong, weak;
    } implies[] = {
        {COND_SC, COND_WSC | COND_TSO},
        {COND_WSC, COND_CCM | COND_WTSO},
        {COND_TSO, COND_WTSO | COND_CAUSAL | COND_CONVERGENT | COND_PSO},
        {COND_WTSO, COND_WCCM},
        {COND_CCM, CAUSAL | COND_WCCM},
        {COND_WCCM, COND_CAUSAL | COND_CONVERGENT},
    };
    for (size_t i = 0; i < sizeof implies / sizeof *implies; i++)
        c |= c & implies[i].strong ? implies[i].weak : 0;
    return c;
}

/* The models that say something of a history whose values are not unique: those with a choice of sources. */
static bool needs_unique_values(const struct recheck *x)
{
    const struct evidence_line *line = x->line;
    enum pattern pattern = line->evidence.pattern;
    if (line->model->conditions & ~(unsigned)(CAUSAL | COND_TOTAL))
        return true;
    return line->verdict == ASSAY_VIOLATION && pattern != PATTERN_ThinAirRead && pattern != PATTERN_FinalNotWritten &&
           pattern != PATTERN_NoSources;
}

static bool values_fit(const struct recheck *x)
{
    const uint32_t *twice = x->memory.twice;
    if (twice[1] == ID_NONE || !needs_unique_values(x))
        return true;
    if (twice[0] == ID_NONE)
        return refuse(x, "values are not unique: operation %u writes the initial value", twice[1]);
    return refuse(x, "values are not unique: operations %u and %u write the same value to the same variable", twice[0],
                  twice[1]);
}

static bool search_again(struct recheck *x)
{
    unsigned conditions = x->line->model->conditions;
    if (conditions & COND_TOTAL)
        return recheck_executions(x);
    if (!(conditions & ~(unsigned)CAUSAL))
        return recheck_choices(x);
    return refuse(x, "the model %s does not forbid a NoSources", x->line->model->name);
}

/* The operations that the orders of a witness name. */
static const bool *named_in_orders(const history *h, const struct evidence_line *line, struct mem *m)
{
    const struct evidence *ev = &line->evidence;
    if (line->verdict != ASSAY_CONSISTENT)
        return NULL;
    bool *named = mem_new_zero(m, bool, h->n);
    for (uint32_t i = 0; i < ev->ops.n; i++)
        if (ev->ops.at[i] < h->n)
            named[ev->ops.at[i]] = true;
    return named;
}

/* The history is that of the record: its digest has been compared, or it is that without the last line. */
static bool proves(const history *h, const struct evidence_line *line, struct object_choice asked, struct mem *m,
                   struct budget *budget, const struct limits *limits, bool *searched, assay_error *e)
{
    struct recheck x = {.h = h,
                        .line = line,
                        .mem = m,
                        .budget = budget,
                        .limits = limits ? limits : &limits_stated,
                        .error = e,
                        .conditions = with_implied(line->model->conditions)};
    if (!known_conditions(&x))
        return false;
    if (x.conditions & OBJECTS)
        return recheck_object(&x, asked, searched);
    if (x.conditions & TRANSACTIONS)
        return recheck_read_transactions(&x, named_in_orders(h, line, m)) && recheck_transactions(&x);
    *searched = recheck_searches(line);
    if (!recheck_memory(h, x.conditions & COND_TOTAL, named_in_orders(h, line, m), m, &x.memory, e) || !values_fit(&x))
        return false;
    switch (line->verdict) {
    case ASSAY_CONSISTENT: return recheck_sources(&x) && recheck_witness(&x);
    case ASSAY_VIOLATION: return recheck_searches(line) ? search_again(&x) : recheck_refutation(&x);
    default: return refuse(&x, "only consistent and violation can be proved");
    }
}

struct certain { /* the refutation again, of what does not rest on a last line that may be cut */
    const history *h, *rest;
    const struct evidence_line *line;
    struct object_choice asked;
    struct mem *mem;
    struct budget *budget;
    const struct limits *limits;
    bool holds;
};

/* Nothing but that the culprit's part has no explanation, which is searched for. */
static struct evidence_line only_the_part(const struct certain *x)
{
    struct evidence_line line = *x->line;
    line.evidence = evidence_in(x->mem);
    line.evidence.pattern = x->line->model->conditions & COND_WEAK ? PATTERN_NoVisibility : PATTERN_NoLinearization;
    line.evidence.whole = x->line->evidence.whole;
    line.evidence.culprit = 0;
    while (line.evidence.culprit < x->rest->n &&
           last_line_origin(x->h, x->rest, line.evidence.culprit) < x->line->evidence.culprit)
        line.evidence.culprit++;
    return line;
}

static void prove_certain(void *arg)
{
    struct certain *x = arg;
    bool searched;
    assay_error ignored = {0};
    x->holds = proves(x->rest, x->line, x->asked, x->mem, x->budget, x->limits, &searched, &ignored);
    if (x->holds || !(x->line->model->conditions & OBJECTS))
        return;
    struct evidence_line line = only_the_part(x);
    x->holds = proves(x->rest, &line, x->asked, x->mem, x->budget, x->limits, &searched, &ignored);
}

static bool in_no_part(void *arg, uint32_t op)
{
    (void)arg;
    (void)op;
    return false;
}

static bool names_last_line(const history *h, const struct evidence_line *line)
{
    struct assay_result r = {
        .h = h, .model = line->model, .verdict = line->verdict, .skew = line->skew, .evidence = line->evidence};
    for (uint32_t i = 0; i < h->last_line.ops.n; i++)
        if (evidence_rests_on(&r, h->last_line.ops.at[i], in_no_part, NULL))
            return true;
    return false;
}

/* A refutation must hold of the history without what may go on of its last line, too. */
static bool holds_without(const history *h, struct certain x, assay_error *e)
{
    const struct model *m = x.line->model;
    history *rest = NULL;
    enum left_out left = last_line_left_out(h, m->needs & NEED_MEMORY, (m->needs & NEED_TIME) && !x.line->skew, x.mem,
                                            &rest);
    x.rest = rest;
    enum escape escape = left == LEFT_OUT ? escape_run(prove_certain, &x) : ESCAPE_NONE;
    history_free(rest);
    if (escape && escape != ESCAPE_ERROR)
        escape_raise(escape);
    if (left == LEFT_OUT_NOTHING || (left == LEFT_OUT && !escape && x.holds))
        return true;
    if (left == LEFT_OUT_UNKNOWN || names_last_line(h, x.line))
        last_line_fault(h, "violation", e);
    else
        error_set(e, ASSAY_ERROR_BUDGET,
                  "it proves a violation of what was read, but recheck cannot tell whether that "
                  "rests on the last line, which may be cut");
    return false;
}

/* A verdict that is inferred: does it follow from that of the other model? Then the proof is judged as one of that. */
static bool infers(const struct evidence_line *line, assay_error *e)
{
    if (!line->from || model_infers(line->from, line->verdict, line->model))
        return true;
    error_set(e, ASSAY_ERROR_REFUSED, "%s %s does not follow from %s %s",
              line->verdict == ASSAY_CONSISTENT ? "that the history is consistent with" : "a violation of",
              line->model->name, line->verdict == ASSAY_CONSISTENT ? "that it is with" : "one of", line->from->name);
    return false;
}

bool recheck_with(const history *h, const struct evidence_line *line, struct object_choice asked, struct mem *m,
                  struct budget *budget, const struct limits *limits, bool *searched, assay_error *e)
{
    *searched = false;
    if (!same_history(h, line, e) || !infers(line, e))
        return false;
    struct evidence_line proof = *line;
    if (line->from)
        proof.model = line->from;
    if (!proves(h, &proof, asked, m, budget, limits, searched, e))
        return false;
    if (!h->last_line.line || line->verdict != ASSAY_VIOLATION)
        return true;
    struct certain x = {.h = h, .line = &proof, .asked = asked, .mem = m, .budget = budget, .limits = limits};
    return holds_without(h, x, e);
}
