/* SPDX-License-Identifier: Apache-2.0 */
/* Does the model apply to the history? A model states its needs: a memory, real time, unique values. A need that is not
 * met is an error with a remedy, never a verdict. */
#include "check/applies.h"

#include "model/axioms.h"

#include <string.h>

static void build_view(void *arg)
{
    struct checker *c = arg;
    c->rw = rw_view(c->h, c->finals, &c->mem);
}

/* The view of the model: declared last values count where store orders are total. */
static enum escape look(struct checker *c, const struct model *m)
{
    c->finals = c->h->final.n && (m->conditions & COND_TOTAL);
    c->rw = c->views[c->finals];
    enum escape left = c->rw ? ESCAPE_NONE : escape_run(build_view, c);
    c->views[c->finals] = c->rw;
    return left;
}

struct looking {
    struct checker *c;
    assay_error *e;
};

static void build_txn_view(void *arg)
{
    struct looking *l = arg;
    l->c->txns = txn_view(l->c->h, l->c->base, l->c->options->skew, &l->c->mem, l->e);
}

static enum escape look_at_transactions(struct checker *c, const struct model *m, assay_error *e)
{
    struct looking l = {c, e};
    c->base = m->base;
    c->txns = c->txn_views[m->base];
    enum escape left = c->txns ? ESCAPE_NONE : escape_run(build_txn_view, &l);
    c->txn_views[m->base] = c->txns;
    return left;
}

static const uint32_t *written_twice(const struct checker *c)
{
    return c->rw ? c->rw->twice : c->txns ? c->txns->twice : NULL;
}

void applies_refuse_values(const struct checker *c, const char *name, assay_error *e)
{
    const history *h = c->h;
    const uint32_t *twice = written_twice(c);
    uint32_t first = twice[0], second = twice[1];
    if (first == ID_NONE)
        history_fault(h, second, e, ASSAY_ERROR_NOT_APPLICABLE,
                      "%s does not apply: a write of the variable's initial value", name);
    else if (history_line(h, first))
        history_fault(h, second, e, ASSAY_ERROR_NOT_APPLICABLE,
                      "%s does not apply: the value of the write in line %u is written again", name,
                      history_line(h, first));
    else
        history_fault(h, second, e, ASSAY_ERROR_NOT_APPLICABLE,
                      "%s does not apply: operations %u and %u write the same value to one variable", name, first,
                      second);
}

static void refuse_values(const struct checker *c, const struct model *m, assay_error *e)
{
    applies_refuse_values(c, m->name, e);
    error_remedy(e, "this model needs unique values: record each write of a variable with a value of its own");
}

bool applies_values(const struct checker *c, const struct model *m, unsigned lifted)
{
    const uint32_t *twice = written_twice(c);
    return !(m->needs & ~lifted & NEED_UNIQUE_VALUES) || !twice || twice[1] == ID_NONE;
}

static bool unfit(const struct model *m, assay_error *e, const char *why, const char *remedy)
{
    error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "%s does not apply: %s", m->name, why);
    error_remedy(e, "%s", remedy);
    return false;
}

/* Is the object known, even if the history is empty? */
static bool object_known(const struct checker *c)
{
    return c->h->n || c->h->objects.n || c->options->object || c->options->spec;
}

static bool some_object_has(const struct checker *c, const char *method)
{
    bool has = false;
    if (object_known(c))
        for (uint32_t i = 0; i < c->objects.n && !has; i++)
            has = spec_has_method(c->objects.at[i].spec, method);
    else
        for (size_t i = 0; spec_table[i] && !has; i++)
            has = spec_has_method(spec_table[i], method);
    return has;
}

static const char *nearest_method(const struct checker *c, const char *typed)
{
    const char *near = NULL;
    if (object_known(c))
        for (uint32_t i = 0; i < c->objects.n; i++)
            near = spec_nearer_method(c->objects.at[i].spec, typed, near);
    else
        for (size_t i = 0; spec_table[i]; i++)
            near = spec_nearer_method(spec_table[i], typed, near);
    return near;
}

/* Are the levels by method well formed, and about methods that there are? */
static bool visibility_fits(const struct checker *c, const struct model *m, assay_error *e)
{
    struct visibility v;
    if (!visibility_parse(m->axioms, c->options->visibility, &v, e))
        return false;
    for (uint32_t i = 0; i < v.n; i++)
        if (!some_object_has(c, v.at[i].method)) {
            error_set(e, ASSAY_ERROR_USAGE,
                      object_known(c) ? "the object %s has no method '%s'" : "no %s has a method '%s'",
                      object_known(c) ? objects_kind(&c->objects) : "object", v.at[i].method);
            const char *near = nearest_method(c, v.at[i].method);
            error_remedy(e, "%s%s%s`assay list objects --json` shows the methods", near ? "did you mean " : "",
                         near ? near : "", near ? "? " : "");
            return false;
        }
    return true;
}

static bool times_fit(const struct checker *c, const struct model *m, assay_error *e)
{
    if (!c->h->n || history_times(c->h) != TIMES_NONE)
        return true;
    return unfit(m, e, "the history has no real time",
                 "record when each operation was called and returned: `@ 120..180`, or calls and returns in order");
}

/* Models of calls; the others are those of a memory. */
static bool calls_fit(const struct checker *c, const struct model *m, assay_error *e)
{
    if (m->axioms && !visibility_fits(c, m, e))
        return false;
    if ((m->needs & NEED_TIME) && !times_fit(c, m, e))
        return false;
    if ((m->needs & NEED_ONE_OBJECT) && c->objects.n > 1)
        return unfit(m, e, "the history has several objects", "it is not enough to check them one by one");
    if ((m->needs & NEED_NO_MEMORY) && objects_all(&c->objects, &spec_memory))
        return unfit(m, e, "of a memory this is sc", "check sc");
    if (c->h->final.n)
        return unfit(m, e, "the history has @final values", "they are for the models of memories with store orders");
    if ((m->conditions & COND_WEAK) && history_left_open(c->h) != ID_NONE)
        return unfit(m, e, "a thread continues after a transaction whose outcome is unknown",
                     "give the rest of such a thread to another one");
    return true;
}

bool checker_transactions(const struct checker *c)
{
    return c->h->n && objects_all(&c->objects, &spec_multi_register);
}

static bool transactions_fit(const struct checker *c, const struct model *m, assay_error *e)
{
    if (!checker_transactions(c))
        return unfit(m, e, "the operations are not transactions",
                     "it speaks of transactions: `txn(r x 1, w y 2)`, or blocks from begin() to commit()");
    if (c->objects.n > 1)
        return unfit(m, e, "the history has several objects", "transactions of one store can be checked");
    if (c->h->final.n)
        return unfit(m, e, "the history has @final values", "they are for the models of memories with store orders");
    return !(m->needs & NEED_TIME) || times_fit(c, m, e);
}

/* The remedy for a model of memories: who has transactions may mean the model of the same idea. */
static const char *of_transactions(const struct checker *c, const struct model *m)
{
    static const char memories[] = "it speaks of reads and writes of variables";
    if (!checker_transactions(c))
        return memories;
    return strcmp(m->name, "sc") == 0           ? "for transactions, one order of all is ser"
           : model_implies(m, model_find("cc")) ? "for transactions, causal consistency is tcc"
                                                : memories;
}

static bool unique_values(const struct checker *c, const struct model *m, assay_error *e)
{
    bool lists = c->txns && c->txns->lists_repeat; /* no engine does without unique elements */
    bool unique = applies_values(c, m, lists ? 0 : engine_lifted(m->conditions));
    if (!unique)
        refuse_values(c, m, e);
    return unique;
}

static bool applies_to_transactions(struct checker *c, const struct model *m, enum escape *left, assay_error *e)
{
    if (!transactions_fit(c, m, e))
        return false;
    *left = look_at_transactions(c, m, e);
    if (*left == ESCAPE_ERROR) /* a fault of the history */
        *left = ESCAPE_NONE;
    else if (!*left)
        return unique_values(c, m, e);
    return false;
}

bool applies_model(struct checker *c, const struct model *m, enum escape *left, assay_error *e)
{
    *left = ESCAPE_NONE;
    if (!(m->conditions & COND_LIN) && history_any_initial(c->h))
        return unfit(m, e, "an initial value may be any (`@init ?`)", "only lin is checked from any initial value");
    if (m->needs & NEED_TRANSACTIONS)
        return applies_to_transactions(c, m, left, e);
    if ((m->needs & NEED_CALLS) && !calls_fit(c, m, e))
        return false;
    if ((m->needs & NEED_MEMORY) && !objects_all(&c->objects, &spec_memory))
        return unfit(m, e, "the object is not a memory", of_transactions(c, m));
    if (!(m->needs & NEED_MEMORY))
        return true;
    if ((*left = look(c, m)))
        return false;
    if (c->rw->circular != ID_NONE) {
        history_fault(c->h, c->rw->circular, e, ASSAY_ERROR_INPUT,
                      "program order is circular: with `@po after` this operation comes after itself");
        return false;
    }
    return unique_values(c, m, e);
}

bool checker_applies(struct checker *c, const struct model *m, assay_error *e)
{
    enum escape left;
    bool fits = applies_model(c, m, &left, e);
    error_from_escape(e, left);
    if (fits && !applies_values(c, m, 0)) {
        refuse_values(c, m, e);
        return false;
    }
    return fits;
}

const struct model *checker_strongest(struct checker *c, assay_error *e)
{
    const struct model *best = NULL;
    assay_error why = {0};
    for (size_t i = 0; model_table[i]; i++) {
        const struct model *m = model_table[i];
        assay_error mine = {0};
        enum escape left;
        if (m->axioms) /* weak consistency is checked only on request */
            continue;
        if (checker_transactions(c) && !(m->needs & NEED_TRANSACTIONS)) /* lin is ser-strict there */
            continue;
        if (!applies_model(c, m, &left, &mine) && !left)
            why = mine;
        else if (!best || !model_implies(best, m)) /* the table goes from weak to strong */
            best = m;
    }
    if (!best)
        error_copy(e, &why);
    return best;
}
