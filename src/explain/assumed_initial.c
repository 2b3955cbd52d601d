/* SPDX-License-Identifier: Apache-2.0 */
/* Idea: the reads of a memory, of registers or of transactions whose value no operation writes to their variable. If
 * all of them return one value, the history is checked again. That is then the initial value of all variables, or else
 * of the variables that they read.
 *
 * A value may also be written later, or beside the read. Then the first reads give it away: the accesses with which a
 * thread begins on a variable. Values that one of them returned too early are tried, first what most return. One is
 * told only if it makes the history consistent. */
#include "explain/assumed_initial.h"

#include "base/options.h"
#include "check/check.h"
#include "explain/refuted.h"
#include "history/slice.h"
#include "history/token.h"
#include "history/value_ids.h"
#include "spec/roles.h"

#include <string.h>

enum {
    MOST_VARIABLES = 8,
    MOST_CANDIDATES = 4,     /* values of first reads that are tried */
    LARGE = 100000,          /* operations from which on it is one */
    LEAST_READS = 2,         /* that suggest a value which is also written */
    TICKS_OF_TRIAL = 1 << 20 /* for such a value, and 64 for each operation */
};

struct access {
    uint32_t op;
    struct value variable, value;
    bool writes;
};

/* The writes of a value to a variable. */
struct writes {
    uint32_t thread, first; /* ID_NONE: there is none; thread MANY: several write it */
    int64_t since;          /* the earliest call, if there are times */
};

enum { MANY = UINT32_MAX - 1 };

struct candidate {
    struct value value;
    uint32_t reads; /* first reads that return it */
    bool early;     /* one of them returned it before it was written, if it was */
};

struct accesses {
    const history *h;
    struct mem *mem;
    void (*visit)(struct accesses *x, struct access a);
    struct value_ids variables, values, pairs;
    VEC(struct writes) written; /* of a pair of a variable and a value */
    struct idmap own;           /* pairs of a thread and a variable that it has written */
    /* The reads of values that nobody wrote: */
    uint32_t reads;
    struct value value;     /* of the last one */
    bool differ;            /* or one cannot be of the initial value, since its thread has overwritten that */
    VEC(struct value) read; /* their variables, up to one more than MOST_VARIABLES */
    /* The first reads: */
    struct idmap met;          /* pairs of a thread and a variable */
    struct idmap candidate_of; /* number of a value -> place */
    VEC(struct candidate) candidates;
};

/* ---- the accesses of an operation ---- */

static void visit(struct accesses *x, uint32_t op, struct value variable, struct value value, bool writes)
{
    if (value.kind != ASSAY_NONE && value.kind != ASSAY_LIST)
        x->visit(x, (struct access){op, variable, value, writes});
}

static void visit_transaction(struct accesses *x, uint32_t op)
{
    for (uint32_t i = 0; 3 * i + 2 < history_arity(x->h, op); i++)
        visit(x, op, history_written(x->h, op, 3 * i + 1), history_written(x->h, op, 3 * i + 2),
              !token_reads(x->h, op, i));
}

static void visit_memory(struct accesses *x, uint32_t op, unsigned method)
{
    if (method == MEMORY_FENCE)
        return;
    struct value variable = history_written(x->h, op, 0);
    if (method == MEMORY_READ)
        visit(x, op, variable, history_written_result(x->h, op), false);
    if (method == MEMORY_RMW && !history_pending(x->h, op))
        visit(x, op, variable, history_written(x->h, op, 1), false);
    if (method != MEMORY_READ)
        visit(x, op, variable, history_written(x->h, op, history_arity(x->h, op) - 1), true);
}

/* The old value of a compare-and-swap is read only if it succeeded. A register has no variable but itself. */
static void visit_register(struct accesses *x, uint32_t op, uint32_t object, unsigned method)
{
    struct value itself = {object, ASSAY_NONE}, answer = history_result(x->h, op);
    bool swapped = answer.kind == ASSAY_WORD && strcmp(history_text(x->h, (uint32_t)answer.bits), "true") == 0;
    if (method == REGISTER_READ)
        visit(x, op, itself, history_written_result(x->h, op), false);
    if (method == REGISTER_CAS && swapped)
        visit(x, op, itself, history_written(x->h, op, 0), false);
    if (method != REGISTER_READ)
        visit(x, op, itself, history_written(x->h, op, method == REGISTER_CAS), true);
}

static void visit_all(struct accesses *x, const struct objects *objects,
                      void (*visitor)(struct accesses *, struct access))
{
    const assay_spec *spec = objects->at[0].spec;
    x->visit = visitor;
    for (uint32_t op = 0; op < x->h->n; op++) {
        unsigned method = objects_method(objects, op)->id;
        if (spec == &spec_memory)
            visit_memory(x, op, method);
        else if (spec == &spec_multi_register)
            visit_transaction(x, op);
        else
            visit_register(x, op, objects->of ? objects->of[op] : 0, method);
    }
}

/* ---- values that nobody wrote ---- */

static uint32_t pair(struct accesses *x, struct access a)
{
    uint64_t variable = value_id(x->mem, &x->variables, a.variable), value = value_id(x->mem, &x->values, a.value);
    uint32_t id = value_id(x->mem, &x->pairs, (struct value){(int64_t)(variable << 32 | value), ASSAY_INT});
    const struct writes none = {ID_NONE, ID_NONE, INT64_MAX};
    while (x->written.n <= id)
        vec_push(x->mem, &x->written, none);
    return id;
}

static void note_write(struct accesses *x, struct access a)
{
    const history *h = x->h;
    uint32_t id = pair(x, a), thread = h->thread[a.op];
    struct writes *w = &x->written.at[id];
    if (!a.writes)
        return;
    w->thread = w->first == ID_NONE || w->thread == thread ? thread : MANY;
    w->first = w->first == ID_NONE ? a.op : w->first;
    if (h->call && h->call[a.op] < w->since)
        w->since = h->call[a.op];
}

static void note_variable(struct accesses *x, struct value variable)
{
    for (uint32_t i = 0; i < x->read.n; i++)
        if (value_same(x->read.at[i], variable))
            return;
    if (x->read.n <= MOST_VARIABLES)
        vec_push(x->mem, &x->read, variable);
}

static struct value initial(const history *h, struct value variable)
{
    const struct binding *alone = bindings_find(&h->init, (struct value){0});
    return variable.kind != ASSAY_NONE ? history_initial(h, variable)
           : alone                     ? alone->value
                                       : (struct value){0, ASSAY_INT};
}

static void note_read(struct accesses *x, struct access a)
{
    uint32_t id = pair(x, a);
    uint32_t *own = idmap_at(x->mem, &x->own,
                             (uint64_t)x->h->thread[a.op] << 32 | value_id(x->mem, &x->variables, a.variable));
    bool overwritten = *own != ID_NONE;
    if (a.writes)
        *own = 0;
    if (a.writes || x->written.at[id].first != ID_NONE || value_same(a.value, initial(x->h, a.variable)))
        return;
    x->differ |= overwritten || (x->reads && !value_same(x->value, a.value));
    x->value = a.value;
    x->reads++;
    note_variable(x, a.variable);
}

/* ---- first reads ---- */

/* Is it a read with which its thread begins on the variable, of a value that is not the initial one? Reads that repeat
 * the first one are as good. */
static bool is_first_read(struct accesses *x, struct access a)
{
    const uint32_t over = ID_NONE - 1;
    uint32_t value = value_id(x->mem, &x->values, a.value);
    uint32_t *met = idmap_at(x->mem, &x->met,
                             (uint64_t)x->h->thread[a.op] << 32 | value_id(x->mem, &x->variables, a.variable));
    bool first = !a.writes && (*met == ID_NONE || *met == value);
    *met = first ? value : over;
    return first && !value_same(a.value, initial(x->h, a.variable));
}

/* Had nobody begun to write the value when the read returned it? */
static bool is_early(struct accesses *x, struct access a)
{
    const history *h = x->h;
    const struct writes *w = &x->written.at[pair(x, a)];
    bool later = w->thread == h->thread[a.op] && w->first >= a.op;
    return w->first == ID_NONE || later || (h->ret && !history_pending(h, a.op) && h->ret[a.op] < w->since);
}

static void note_first_read(struct accesses *x, struct access a)
{
    if (!is_first_read(x, a))
        return;
    uint32_t *place = idmap_at(x->mem, &x->candidate_of, value_id(x->mem, &x->values, a.value));
    if (*place == ID_NONE) {
        *place = x->candidates.n;
        vec_push(x->mem, &x->candidates, (struct candidate){.value = a.value});
    }
    x->candidates.at[*place].reads++;
    x->candidates.at[*place].early |= is_early(x, a);
}

static void note_candidate(struct accesses *x, struct access a)
{
    if (is_first_read(x, a) && value_same(a.value, x->value))
        note_variable(x, a.variable);
}

/* The value that most first reads return, among those that come first the earliest one; it is taken out. */
static struct candidate next_candidate(struct accesses *x)
{
    struct candidate none = {.reads = 0}, *best = &none;
    for (uint32_t i = 0; i < x->candidates.n; i++)
        if (x->candidates.at[i].early && x->candidates.at[i].reads > best->reads)
            best = &x->candidates.at[i];
    struct candidate found = *best;
    best->reads = 0;
    return found;
}

/* ---- trying it out ---- */

/* Only values that are assumed may be others. */
static bool is_declared(const history *h)
{
    for (uint32_t i = 0; i < h->init.n; i++)
        if (h->headers.at[h->init.at[i].header].line)
            return true;
    return false;
}

static bool covers(const history *h, const struct objects *objects)
{
    const assay_spec *s = objects->at[0].spec;
    bool registers = s == &spec_register || s == &spec_cas_register;
    return (registers ? objects_all(objects, s)
                      : objects->n == 1 && (s == &spec_memory || s == &spec_multi_register)) &&
           !is_declared(h) && !history_any_initial(h);
}

static bool is_thin(const result *r)
{
    return r->verdict == ASSAY_VIOLATION &&
           (r->evidence.pattern == PATTERN_ThinAirRead || r->evidence.pattern == PATTERN_ReadNeverWritten);
}

struct trial {
    const result *r;
    const char *init;
    history *h;
    bool fine;
};

static void begin_trial(void *arg)
{
    struct trial *x = arg;
    assay_error ignored = {0};
    struct mem mem = {0};
    bool *all = mem_new(&mem, bool, (size_t)x->r->h->n + 1);
    memset(all, true, (size_t)x->r->h->n + 1);
    x->h = history_slice(x->r->h, all);
    mem_release(&mem);
    x->fine = history_header(x->h, "init", 4, x->init, strlen(x->init), 0, 0, &ignored);
}

/* The verdict with these initial values, after so many ticks at most (0: no limit); undecided if there is none. */
static assay_verdict verdict_with(const result *r, const char *init, const assay_options *options, uint64_t ticks,
                                  bool *explained)
{
    assay_error ignored = {0};
    struct trial x = {.r = r, .init = init};
    enum escape left = escape_run(begin_trial, &x);
    result *again = !left && x.fine
                        ? checker_limited(x.h, r->model, options, ticks ? NULL : explain_refuted, ticks, &ignored)
                        : NULL;
    assay_verdict verdict = again ? again->verdict : ASSAY_UNDECIDED;
    *explained = again && !is_thin(again);
    assay_result_free(again);
    history_free(x.h);
    return verdict;
}

static struct text bindings(const struct accesses *x, bool by_variable)
{
    struct text t = text_in(x->mem);
    for (uint32_t i = 0; i < (by_variable ? x->read.n : 1); i++) {
        text_puts(&t, i ? " " : "");
        if (by_variable) {
            token_print(&t, x->h, x->read.at[i]);
            text_char(&t, '=');
        }
        token_print(&t, x->h, x->value);
    }
    return t;
}

static void tell(struct explanation *why, struct text *init, uint32_t reads, assay_verdict verdict)
{
    why->assumed.init = text_get(init);
    why->assumed.reads = reads;
    why->assumed.verdict = verdict;
}

/* One variable alone has a name only if objects do. */
static int ways(const struct accesses *x)
{
    return x->read.n && x->read.at[0].kind != ASSAY_NONE && x->read.n <= MOST_VARIABLES ? 2 : 1;
}

/* An initial value with which no read has a value that nobody wrote. */
static void try_unwritten(struct accesses *x, const result *r, const assay_options *options, struct explanation *why)
{
    bool offered = x->reads == 1 && !r->h->init.n && is_thin(r), explained; /* by the sentence about this read */
    for (int way = 0; x->reads && !x->differ && !offered && way < ways(x); way++) {
        struct text init = bindings(x, way);
        assay_verdict verdict = verdict_with(r, text_get(&init), options, 0, &explained);
        if (explained && (x->reads > 1 || verdict == ASSAY_CONSISTENT)) {
            tell(why, &init, x->reads, verdict);
            return;
        }
    }
}

/* Does the initial value suffice that the sentence about the one such read offers? */
static bool offer_suffices(struct accesses *x, const result *r, const assay_options *options)
{
    bool explained;
    if (x->reads != 1 || r->h->init.n || !is_thin(r))
        return false;
    struct text init = bindings(x, ways(x) - 1);
    return verdict_with(r, text_get(&init), options, 0, &explained) == ASSAY_CONSISTENT;
}

static bool try_candidate(struct accesses *x, const struct objects *objects, struct candidate c, const result *r,
                          const assay_options *options, struct explanation *why)
{
    uint64_t ticks = TICKS_OF_TRIAL + 64 * (uint64_t)r->h->n;
    bool ignored;
    idmap_free(x->mem, &x->met);
    x->read.n = 0;
    x->value = c.value;
    visit_all(x, objects, note_candidate);
    for (int way = 0; way < ways(x); way++) {
        struct text init = bindings(x, way);
        if (verdict_with(r, text_get(&init), options, ticks, &ignored) != ASSAY_CONSISTENT)
            continue;
        tell(why, &init, c.reads, ASSAY_CONSISTENT);
        why->assumed.suggested = true;
        return true;
    }
    return false;
}

/* An initial value that first reads return, and that makes the history consistent. */
static void try_first_reads(struct accesses *x, const struct objects *objects, const result *r,
                            const assay_options *options, struct explanation *why)
{
    struct candidate c;
    visit_all(x, objects, note_first_read);
    for (int i = 0; i < (r->h->n < LARGE ? MOST_CANDIDATES : 1); i++)
        if ((c = next_candidate(x)).reads < LEAST_READS || try_candidate(x, objects, c, r, options, why))
            return;
}

void assumed_initial(const result *r, const assay_options *options, struct explanation *why)
{
    struct mem *m = why->mem;
    assay_error ignored = {0};
    struct objects objects;
    struct accesses x = {.h = r->h, .mem = m};
    if (r->verdict != ASSAY_VIOLATION || options->spec ||
        !objects_of(r->h, (struct object_choice){options->object, NULL}, m, &objects, &ignored) ||
        !covers(r->h, &objects))
        return;
    visit_all(&x, &objects, note_write);
    visit_all(&x, &objects, note_read);
    try_unwritten(&x, r, options, why);
    bool solved = why->assumed.init && why->assumed.verdict == ASSAY_CONSISTENT;
    if (!solved && !offer_suffices(&x, r, options))
        try_first_reads(&x, &objects, r, options, why);
}
