/* SPDX-License-Identifier: Apache-2.0 */
/* The online checker `weak`: weak consistency (weak.h) of the history so far, after every return.
 *
 * All weak models are closed under prefixes. Take a solution of a history, and a prefix of its events. Cut the
 * linearization behind the last operation that has returned in the prefix. An operation that is called later comes
 * behind all these, since lin contains hb. So the rest consists of operations of the prefix, which see each other only,
 * and the axioms on them speak of earlier operations. Open operations in it may have any result. So a call never
 * violates a model, a violation is certain at the return that completes it, and it stays.
 *
 * The line (line.h) is a solution of the history so far. A return extends it; if that fails, the search of weak.h looks
 * for another one among all operations. It is exhaustive, so its `no` is a violation.
 *
 * Forgetting. In general every operation stays: later ones may see any subset of the earlier ones. Not so if each
 * operation must see all that happened before it (vis >= hb, or vis >= lin). When no call is open, all operations that
 * follow see the whole past, in the order of lin. Then only the states matter that the past may have left the object
 * in. The search enumerates them. If there are few, they become the starts of a new line, and the operations are
 * forgotten. The history is consistent iff the rest is from some start, so the checker stays exact.
 *
 * Texts are an exception, as for exact-jit: states may hold texts, so every text that was ever shown stays in use. */
#include "base/bitset.h"
#include "history/value_map.h"
#include "online/fault.h"
#include "search/calls.h"
#include "weak/line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_EFFORT = 1 << 22, /* of a search, in ticks, before the object is given up: seconds */
    MOST_STARTS = 64,      /* states that the past may have left the object in */
    MOST_PAST = 1 << 14,   /* effort of a search for them, before operations are kept longer */
    FEW = 8                /* so many operations are kept in any case */
};

_Static_assert((int)WEAK_MOST == (int)ONLINE_WINDOW, "a window of the largest size can be searched");

struct live {
    struct online_setup s;
    struct demands demands;
    bool forgets; /* the axioms allow it */
    struct value_map texts;

    /* Operations, by the order of their calls. Arrays have room for as many as the line. */
    uint32_t n;
    struct online_op *op;
    assay_call *call;
    assay_value **args;
    uint8_t *method;
    uint32_t *prev;          /* the thread's operation before, or ID_NONE */
    uint32_t *called, *back; /* the ranks of call and return; back: CALLS_NEVER while it is open */
    uint32_t *place;         /* 0, 1, 2, ... */
    history *h;              /* their threads, and which are open */
    uint32_t rank;
    VEC(uint32_t) last;    /* of each thread: its last operation, or ID_NONE */
    VEC(uint32_t) by_slot; /* of each slot: its operation, or ID_NONE if it has no effect */
    uint32_t *open, open_n;

    const struct line_width *const *width; /* in line_widths */
    void *line;                            /* from start->at[0] */
    VEC(void *) starts;                    /* states of the object before the operations */
    uint64_t forgotten;                    /* operations */
    uint32_t next_try;                     /* forget when there are so many */
    bool incomplete;                       /* complete visibility does not explain the operations, or not soon */

    const assay_method *next_method; /* of the call to come, and its thread */
    uint32_t next_thread;
    uint32_t wrong;     /* the operation whose return was the violation */
    struct mem scratch; /* of a search */
    result *out;
    const char *gave_up;
    char reason[160];
};

/* ---- values ---- */

static assay_value public_value(struct live *v, struct value x)
{
    return online_public(&v->s, &v->texts, x);
}

/* ---- operations ---- */

static void free_args(struct live *v)
{
    for (uint32_t i = 0; i < v->n; i++)
        mem_free(v->s.mem, v->args[i]);
}

static void free_arrays(struct live *v)
{
    void *const blocks[] = {v->op, v->call, v->args, v->method, v->prev, v->called, v->back, v->place, v->open};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(v->s.mem, blocks[i]);
}

#define GROW(array, room) ((array) = mem_resize(v->s.mem, (array), mem_product((room), sizeof *(array))))

static void make_room(struct live *v)
{
    uint32_t room = (*v->width)->most;
    GROW(v->op, room);
    GROW(v->call, room);
    GROW(v->args, room);
    GROW(v->method, room);
    GROW(v->prev, room);
    GROW(v->called, room);
    GROW(v->back, room);
    GROW(v->place, room);
    GROW(v->open, room);
    memset(v->call + v->n, 0, (room - v->n) * sizeof *v->call);
    for (uint32_t i = 0; i < room; i++)
        v->place[i] = i;
}

static void *new_line(struct live *v)
{
    struct line_setup s = {v->s.spec, v->s.mem, v->s.budget, &v->demands, v->starts.at[0], v->call, v->method};
    return (*v->width)->open(&s);
}

/* Tells the line about the operations that there are, in the order of their events. */
static void tell(struct live *v)
{
    uint32_t *by_return = v->open; /* it has room, and is filled in again behind */
    uint32_t returned = 0, next = 0;
    for (uint32_t i = 0; i < v->n; i++) {
        if (v->back[i] == CALLS_NEVER)
            continue;
        uint32_t at = returned++;
        for (; at && v->back[by_return[at - 1]] > v->back[i]; at--)
            by_return[at] = by_return[at - 1];
        by_return[at] = i;
    }
    for (uint32_t i = 0; i < v->n; i++) {
        for (; next < returned && v->back[by_return[next]] < v->called[i]; next++)
            (*v->width)->ret(v->line, by_return[next]);
        (*v->width)->call(v->line, i, v->prev[i]);
    }
    for (; next < returned; next++)
        (*v->width)->ret(v->line, by_return[next]);
    v->open_n = 0;
    for (uint32_t i = 0; i < v->n; i++)
        if (v->back[i] == CALLS_NEVER)
            v->open[v->open_n++] = i;
}

/* Goes on with a line for more operations. */
static void widen(struct live *v)
{
    const struct line_width *narrow = *v->width;
    void *old = v->line;
    v->width++;
    make_room(v);
    v->line = new_line(v);
    tell(v);
    struct weak_solution s = narrow->show(old);
    (*v->width)->load(v->line, &s);
    narrow->close(old);
}

static void begin(struct live *v)
{
    v->width = line_widths;
    make_room(v);
    v->line = new_line(v);
    v->h = history_new();
}

/* Forgets the operations; the starts are those of the rest. */
static void restart(struct live *v)
{
    v->forgotten += v->n;
    free_args(v);
    v->n = v->rank = v->open_n = 0;
    v->incomplete = false;
    vec_clear(&v->last);
    history_free(v->h);
    v->h = NULL;
    (*v->width)->close(v->line);
    v->line = NULL;
    begin(v);
}

static void *open(const struct online_setup *s)
{
    struct live *v = mem_new_zero(s->mem, struct live, 1);
    v->s = *s;
    if (!v->s.window)
        v->s.window = ONLINE_WINDOW;
    demands_take(s->visibility, s->spec, NULL, &v->demands);
    v->forgets = demands_hb(&v->demands);
    v->wrong = ID_NONE;
    v->next_try = FEW < v->s.window ? FEW : v->s.window;
    v->out = mem_new_zero(s->mem, result, 1);
    vec_push(s->mem, &v->starts, NULL);
    v->starts.at[0] = hook_create(s->spec, &v->s.setting, (assay_value){0}, s->mem);
    begin(v);
    return v;
}

static void abandon(void *state)
{
    struct live *v = state;
    history_free(v->h);
    mem_release(&v->scratch);
}

static void close(void *state)
{
    struct live *v = state;
    struct mem *m = v->s.mem;
    abandon(v);
    (*v->width)->close(v->line);
    free_args(v);
    free_arrays(v);
    for (uint32_t i = 0; i < v->starts.n; i++)
        hook_destroy(v->s.spec, v->starts.at[i], m);
    vec_free(m, &v->starts);
    vec_free(m, &v->last);
    vec_free(m, &v->by_slot);
    value_map_free(m, &v->texts);
    mem_free(m, v->out);
    mem_free(m, v);
}

/* ---- searches ---- */

/* Runs the task for all operations from one start. */
static bool solve(struct live *v, struct weak_task *t, const void *start)
{
    struct object_use use = {.name = ID_NONE, .kind = v->s.spec->name, .spec = v->s.spec, .setting = v->s.setting};
    struct objects objects = {.at = &use, .n = 1, .method = v->method};
    struct part part = {.object = &use, .ops = v->place, .n = v->n};
    struct calls calls = {.h = v->h,
                          .objects = &objects,
                          .order = CALLS_INTERVALS,
                          .given = v->call,
                          .call = v->called,
                          .ret = v->back,
                          .parts = &part,
                          .part_n = 1};
    struct mem *m = v->s.mem;
    assay_error ignored = {0};
    struct job job = {.h = v->h,
                      .calls = &calls,
                      .part = &part,
                      .mem = &v->scratch,
                      .budget = v->s.budget,
                      .out = v->out,
                      .error = &ignored};
    v->scratch.limit = !m->limit ? 0 : m->limit > m->used ? m->limit - m->used : 1;
    t->job = &job;
    t->by_return = true;
    t->visibility = v->s.visibility;
    t->start = start;
    bool yes = weak_solve(t);
    m->peak = m->used + v->scratch.peak > m->peak ? m->used + v->scratch.peak : m->peak;
    mem_release(&v->scratch);
    v->scratch = (struct mem){0};
    return yes;
}

static bool load(void *arg, const struct weak_solution *s)
{
    struct live *v = arg;
    (*v->width)->load(v->line, s);
    return true;
}

static void give_up(struct live *v, const char *why)
{
    snprintf(v->reason, sizeof v->reason, "%s", why);
    v->gave_up = v->reason;
}

/* Is there another solution? The line holds it then. */
static bool search(struct live *v)
{
    for (uint32_t i = 0; i < v->starts.n; i++) {
        struct weak_task t = {
            .effort = v->s.most ? v->s.most : MOST_EFFORT, .incomplete = v->incomplete, .found = load, .arg = v};
        void *start = v->starts.at[i];
        if (i) { /* the line begins there, if that is where a solution begins */
            v->starts.at[i] = v->starts.at[0];
            v->starts.at[0] = start;
            (*v->width)->close(v->line);
            v->line = new_line(v);
            tell(v);
        }
        if (solve(v, &t, start))
            return true;
        if (t.gave_up) {
            give_up(v, "a search for another linearization became too long");
            return true;
        }
        v->incomplete = v->incomplete || (v->starts.n == 1 && t.incomplete);
    }
    return false;
}

/* ---- forgetting ---- */

struct past {
    struct live *v;
    void *state;
    VEC(void *) ends;
    bool many;
};

static bool same_state(const struct live *v, const void *a, const void *b)
{
    uint64_t x[2], y[2];
    hook_digest(v->s.spec, a, x);
    hook_digest(v->s.spec, b, y);
    return x[0] == y[0] && x[1] == y[1] && (!v->s.spec->equal || hook_equal(v->s.spec, a, b));
}

/* Notes the state after the linearization. If an operation cannot take effect, no later operation can see it all: the
 * linearization has no continuation. */
static bool note_end(void *arg, const struct weak_solution *s)
{
    struct past *p = arg;
    struct live *v = p->v;
    struct mem *m = v->s.mem;
    void *state = hook_copy(v->s.spec, p->state, m);
    bool wanted = true;
    for (uint32_t at = 0; at < s->length && wanted; at++) {
        assay_saved saved;
        wanted = hook_invoke(v->s.spec, state, &v->call[s->order[at]], &saved) != ASSAY_BLOCKED;
    }
    for (uint32_t i = 0; i < p->ends.n && wanted; i++)
        wanted = !same_state(v, p->ends.at[i], state);
    p->many |= wanted && p->ends.n == MOST_STARTS;
    if (wanted && !p->many)
        vec_push(m, &p->ends, state);
    else
        hook_destroy(v->s.spec, state, m);
    return p->many;
}

/* No call is open. Replaces the operations by the states that they may have left the object in. */
static void forget(struct live *v)
{
    struct mem *m = v->s.mem;
    struct past p = {.v = v};
    for (uint32_t i = 0; i < v->starts.n && !p.many; i++) {
        struct weak_task t = {.effort = MOST_PAST, .all = true, .found = note_end, .arg = &p};
        p.state = v->starts.at[i];
        solve(v, &t, p.state);
        p.many |= t.gave_up;
    }
    bool forgets = !p.many && p.ends.n;
    for (uint32_t i = 0; i < (forgets ? v->starts.n : p.ends.n); i++)
        hook_destroy(v->s.spec, forgets ? v->starts.at[i] : p.ends.at[i], m);
    if (forgets) {
        vec_clear(&v->starts);
        for (uint32_t i = 0; i < p.ends.n; i++)
            vec_push(m, &v->starts, p.ends.at[i]);
        restart(v);
    }
    vec_free(m, &p.ends);
    v->next_try = v->n ? 2 * v->n : FEW;
    if (v->next_try > v->s.window)
        v->next_try = v->s.window;
}

/* ---- events ---- */

static void caller(void *state, const assay_method *method, const char *id, size_t length)
{
    struct live *v = state;
    v->next_method = method;
    if (v->gave_up || method->key == ASSAY_NO_EFFECT)
        return;
    v->next_thread = history_thread(v->h, history_name(v->h, id, length));
    while (v->last.n <= v->next_thread)
        vec_push(v->s.mem, &v->last, ID_NONE);
}

static void call(void *state, uint32_t slot, uint64_t step, unsigned method, const struct value *args, uint32_t arity)
{
    struct live *v = state;
    while (v->by_slot.n <= slot)
        vec_push(v->s.mem, &v->by_slot, ID_NONE);
    v->by_slot.at[slot] = ID_NONE;
    if (v->gave_up || v->next_method->key == ASSAY_NO_EFFECT)
        return;
    if (arity && spec_tags_differ(v->s.spec, &v->s.setting)) {
        give_up(v, SPEC_TAGS_DIFFER);
        return;
    }
    if (v->n == v->s.window) {
        char why[100];
        snprintf(why, sizeof why, "more than %u operations would have to be kept", v->s.window);
        give_up(v, why);
        return;
    }
    if (v->n == (*v->width)->most)
        widen(v);
    uint32_t i = v->n;
    v->args[i] = mem_new(v->s.mem, assay_value, arity + 1);
    for (uint32_t a = 0; a < arity; a++)
        v->args[i][a] = public_value(v, args[a]);
    v->call[i] = (assay_call){.method = method, .arg_count = arity, .args = v->args[i]};
    v->op[i] = (struct online_op){
        .called = step, .returned = ONLINE_NEVER, .method = method, .arg = arity ? args[0] : (struct value){0}};
    v->method[i] = (uint8_t)(v->next_method - v->s.spec->methods);
    v->prev[i] = v->last.at[v->next_thread];
    v->last.at[v->next_thread] = i;
    v->called[i] = v->rank++;
    v->back[i] = CALLS_NEVER;
    history_append(v->h,
                   &(struct new_op){.thread = v->next_thread,
                                    .object = ID_NONE,
                                    .method = history_name(v->h, v->next_method->name, strlen(v->next_method->name)),
                                    .pending = true});
    v->open[v->open_n++] = i;
    v->by_slot.at[slot] = i;
    v->n++;
    (*v->width)->call(v->line, i, v->prev[i]);
}

static void drop_open(struct live *v, uint32_t i)
{
    uint32_t at = 0;
    while (v->open[at] != i)
        at++;
    v->open_n--;
    memmove(v->open + at, v->open + at + 1, (v->open_n - at) * sizeof *v->open);
}

static bool ret(void *state, uint32_t slot, uint64_t step, struct value answer)
{
    struct live *v = state;
    uint32_t i = slot < v->by_slot.n ? v->by_slot.at[slot] : ID_NONE;
    if (i == ID_NONE || v->gave_up)
        return true;
    v->op[i].returned = step;
    v->op[i].result = answer;
    v->call[i].result = public_value(v, answer);
    v->back[i] = v->rank++;
    v->h->flags[i] &= (uint8_t)~OP_PENDING;
    drop_open(v, i);
    (*v->width)->ret(v->line, i);
    if (!(*v->width)->extend(v->line, i, v->open, v->open_n) && !search(v)) {
        v->wrong = i;
        return false;
    }
    if (v->forgets && !v->open_n && !v->gave_up && v->n >= v->next_try)
        forget(v);
    return true;
}

/* Open calls may have taken effect or not: the line explains the history. */
static enum online_verdict finish(void *state)
{
    (void)state;
    return ONLINE_FINE;
}

/* ---- questions ---- */

static void explain(void *state, struct online_fault *out, struct mem *m)
{
    const struct live *v = state;
    unsigned wrong = fault_op(out, m, &v->op[v->wrong]);
    out->step = v->op[v->wrong].returned;
    for (uint32_t k = 0; k < v->open_n; k++)
        text_printf(&out->why, "%s{%u}", k ? ", " : "open when it returned: ", fault_op(out, m, &v->op[v->open[k]]));
    text_puts(&out->why, v->open_n ? "\n" : "no other operation was open when it returned\n");
    uint64_t returned = v->forgotten + v->n - v->open_n;
    text_printf(&out->why,
                "up to {%u}, no linearization and visibility of the %" PRIu64
                " operation%s that returned%s explain all results\n",
                wrong, returned, returned == 1 ? "" : "s", v->open_n ? ", with or without those," : "");
}

static void each_value(void *state, void (*visit)(void *arg, struct value x), void *arg)
{
    struct live *v = state;
    value_map_each(&v->texts, visit, arg);
}

static uint64_t live(const void *state)
{
    const struct live *v = state;
    return v->n;
}

static const char *weakened(const void *state)
{
    const struct live *v = state;
    return v->gave_up;
}

static const char *declines(const struct online_setup *s)
{
    if (!s->visibility)
        return "it follows the weak models, and none was named";
    return weak_object_declines(s->spec);
}

const struct online online_weak_live = {
    .name = "weak",
    .title = "weak models, by -m: a linearization with visibility that grows",
    .guarantee = ONLINE_EXACT,
    .weak = true,
    .prompt = true,
    .declines = declines,
    .open = open,
    .close = close,
    .abandon = abandon,
    .caller = caller,
    .call = call,
    .ret = ret,
    .finish = finish,
    .explain = explain,
    .each_value = each_value,
    .live = live,
    .weakened = weakened,
};
