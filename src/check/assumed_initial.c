/* SPDX-License-Identifier: Apache-2.0 */
/* Idea: the reads of a memory, of registers or of transactions whose value no operation writes to their variable. If
 * all of them return one value, the history is checked again. That is then the initial value of all variables, or else
 * of the variables that they read. */
#include "check/assumed_initial.h"

#include "base/options.h"
#include "history/slice.h"
#include "history/token.h"
#include "history/value_ids.h"

#include <string.h>

enum { MOST_VARIABLES = 8 };

struct access {
    uint32_t thread;
    struct value variable, value;
    bool writes;
};

struct accesses {
    const history *h;
    struct mem *mem;
    void (*visit)(struct accesses *x, struct access a);
    struct value_ids variables, values, pairs;
    VEC(bool) written; /* of a pair of a variable and a value */
    struct idmap own;  /* pairs of a thread and a variable that it has written */
    /* The reads of values that nobody wrote: */
    uint32_t reads;
    struct value value;     /* of the last one */
    bool differ;            /* or one cannot be of the initial value, since its thread has overwritten that */
    VEC(struct value) read; /* their variables, up to one more than MOST_VARIABLES */
};

/* ---- the accesses of an operation ---- */

static bool is(const char *method, const char *name)
{
    return strcmp(method, name) == 0;
}

static void visit(struct accesses *x, uint32_t op, struct value variable, struct value value, bool writes)
{
    if (value.kind != ASSAY_NONE && value.kind != ASSAY_LIST)
        x->visit(x, (struct access){x->h->thread[op], variable, value, writes});
}

static void visit_transaction(struct accesses *x, uint32_t op)
{
    for (uint32_t i = 0; i + 2 < history_arity(x->h, op); i += 3) {
        struct value kind = history_arg(x->h, op, i);
        if (kind.kind == ASSAY_WORD)
            visit(x, op, history_written(x->h, op, i + 1), history_written(x->h, op, i + 2),
                  strcmp(history_text(x->h, (uint32_t)kind.bits), "r") != 0);
    }
}

static void visit_memory(struct accesses *x, uint32_t op, const char *method)
{
    if (is(method, "fence"))
        return;
    struct value variable = history_written(x->h, op, 0);
    if (is(method, "read"))
        visit(x, op, variable, history_written_result(x->h, op), false);
    if (is(method, "rmw") && !history_pending(x->h, op))
        visit(x, op, variable, history_written(x->h, op, 1), false);
    if (!is(method, "read"))
        visit(x, op, variable, history_written(x->h, op, history_arity(x->h, op) - 1), true);
}

/* The old value of a compare-and-swap is read only if it succeeded. A register has no variable but itself. */
static void visit_register(struct accesses *x, uint32_t op, uint32_t object, const char *method)
{
    struct value itself = {object, ASSAY_NONE}, answer = history_result(x->h, op);
    bool swapped = answer.kind == ASSAY_WORD && strcmp(history_text(x->h, (uint32_t)answer.bits), "true") == 0;
    if (is(method, "read"))
        visit(x, op, itself, history_written_result(x->h, op), false);
    if (is(method, "cas") && swapped)
        visit(x, op, itself, history_written(x->h, op, 0), false);
    if (!is(method, "read"))
        visit(x, op, itself, history_written(x->h, op, is(method, "cas")), true);
}

static void visit_all(struct accesses *x, const struct objects *objects,
                      void (*visitor)(struct accesses *, struct access))
{
    const assay_spec *spec = objects->at[0].spec;
    x->visit = visitor;
    for (uint32_t op = 0; op < x->h->n; op++) {
        const char *method = objects_method(objects, op)->name;
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
    while (x->written.n <= id)
        vec_push(x->mem, &x->written, false);
    return id;
}

static void note_write(struct accesses *x, struct access a)
{
    uint32_t id = pair(x, a);
    x->written.at[id] |= a.writes;
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
    uint32_t *own = idmap_at(x->mem, &x->own, (uint64_t)a.thread << 32 | value_id(x->mem, &x->variables, a.variable));
    bool overwritten = *own != ID_NONE;
    if (a.writes)
        *own = 0;
    if (a.writes || x->written.at[id] || value_same(a.value, initial(x->h, a.variable)))
        return;
    x->differ |= overwritten || (x->reads && !value_same(x->value, a.value));
    x->value = a.value;
    x->reads++;
    note_variable(x, a.variable);
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
    bool registers = strcmp(s->name, "register") == 0 || strcmp(s->name, "cas-register") == 0;
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

/* With these initial values: does some read still have a value that nobody wrote? */
static bool explains(result *r, const char *init, const assay_options *options)
{
    assay_error ignored = {0};
    struct trial x = {.r = r, .init = init};
    enum escape left = escape_run(begin_trial, &x);
    result *again = !left && x.fine ? checker_once(x.h, r->model, options, &ignored) : NULL;
    bool fine = again && !is_thin(again);
    if (fine)
        r->assumed.verdict = again->verdict;
    assay_result_free(again);
    history_free(x.h);
    return fine;
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

void assumed_initial(result *r, const assay_options *options, struct mem *m)
{
    assay_error ignored = {0};
    struct objects objects;
    struct accesses x = {.h = r->h, .mem = m};
    if (r->verdict != ASSAY_VIOLATION || options->spec ||
        !objects_of(r->h, (struct object_choice){options->object, NULL}, m, &objects, &ignored) ||
        !covers(r->h, &objects))
        return;
    visit_all(&x, &objects, note_write);
    visit_all(&x, &objects, note_read);
    bool offered = x.reads == 1 && !r->h->init.n && is_thin(r); /* by the sentence about this read */
    bool keyed = x.reads && x.read.at[0].kind != ASSAY_NONE && x.read.n <= MOST_VARIABLES;
    for (int by_variable = 0; x.reads && !x.differ && !offered && by_variable <= keyed; by_variable++) {
        struct text init = bindings(&x, by_variable);
        if (!explains(r, text_get(&init), options) || (x.reads == 1 && r->assumed.verdict != ASSAY_CONSISTENT))
            continue;
        r->assumed.init = text_get(&init);
        r->assumed.reads = x.reads;
        return;
    }
}
