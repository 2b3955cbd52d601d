/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/recorded_check.h"

#include "base/escape.h"
#include "check/check.h"
#include "explain/refuted.h"
#include "explain/stage.h"
#include "model/aliases.h"
#include "monitor/monitor.h"

#include <string.h>

uint64_t recorded_check_looks = 256;

/* ---- the history ---- */

static struct value renamed(const struct monitor *m, history *h, struct value v)
{
    assay_value public = symbols_public(&m->symbols, v);
    if (public.text)
        v.bits = history_name(h, public.text, public.length);
    return v;
}

/* Did the caller of this call die? Its id may have been used again. */
static bool is_dead(const struct recorded_check *x, const struct recorded_call *c)
{
    uint32_t slot = c->returned ? ID_NONE : slots_find(&x->m->slots, id_of(c->id.at, c->id.n));
    return !c->returned && (slot == ID_NONE || x->m->slots.all.at[slot].step != c->called);
}

static void append(struct recorded_check *x, history *h, const struct recorded_call *c)
{
    const struct watch *w = &x->m->watches.at[x->watch];
    const char *method = w->spec->methods[c->method].name;
    bool returned = c->returned && c->returned <= x->until;
    uint32_t arity = recorded_arity(c);
    struct value args[UINT8_MAX], answer = {0};
    for (uint32_t i = 0; i < arity; i++)
        args[i] = renamed(x->m, h, c->values.at[i]);
    if (returned)
        answer = renamed(x->m, h, c->values.at[arity]);
    uint32_t op = history_append(
        h, &(struct new_op){.thread = history_thread(h, history_name(h, c->id.at, c->id.n)),
                            .object = w->name ? history_name(h, w->name, strlen(w->name)) : ID_NONE,
                            .method = history_name(h, method, strlen(method)),
                            .args = args,
                            .arity = arity,
                            .result = answer,
                            .pending = !returned,
                            .line = places_line(&x->m->places, c->called)});
    history_set_times(h, op, (int64_t)c->called, returned ? (int64_t)c->returned : 0);
    if (is_dead(x, c))
        history_part(h, op);
    vec_push(x->mem, &x->called, c->called);
}

static const history *recorded(struct recorded_check *x)
{
    assay_error ignored = {0};
    history *h = monitor_probe(x->m, &ignored);
    for (uint64_t step = x->m->watches.at[x->watch].begun; h && step <= x->until; step++) {
        const struct recorded_call *c = recording_find(&x->m->recording, step);
        if (c && c->watch == x->watch)
            append(x, h, c);
    }
    return h;
}

/* ---- the check ---- */

static size_t bytes_left(const struct monitor *m)
{
    return !m->mem.limit ? 0 : m->mem.limit > m->mem.used ? m->mem.limit - m->mem.used : 1;
}

static assay_options options_of(struct recorded_check *x)
{
    const struct monitor *m = x->m;
    x->given = (assay_options){ASSAY_OPTIONS_INIT,
                               .object = m->object,
                               .spec = m->spec,
                               .evidence = true,
                               .memory = bytes_left(m),
                               .interrupt = m->budget.interrupt,
                               .interrupt_arg = m->budget.interrupt_arg};
    return looks_options(&x->looks, &x->given, recorded_check_looks);
}

/* Have all operations of the object been recorded, and judged from its known initial state? */
static bool is_whole(const struct monitor *m, const struct watch *w)
{
    return !m->model && w->begun && recording_reaches(w->begun, m->step) && !w->attached && !w->quarantine &&
           !w->left_out;
}

void recorded_check(struct recorded_check *x)
{
    const struct monitor *m = x->m;
    assay_error e = {0};
    if (!is_whole(m, &m->watches.at[x->watch]))
        return;
    const history *h = recorded(x);
    const assay_options options = options_of(x);
    x->found = h ? checker_once(h, model_called("lin"), &options, explain_refuted, &e) : NULL;
    bool starved = x->found && x->found->undecided == UNDECIDED_NO_MEMORY;
    if (starved ||
        (e.code == ASSAY_ERROR_RESOURCE && !m->mem.limit)) /* else the report would depend on the machine's memory */
        escape_raise(ESCAPE_OUT_OF_MEMORY);
}

void recorded_explain(struct recorded_check *x)
{
    const assay_options options = options_of(x);
    x->found->explanation.mem = &x->found->explained;
    explain(x->found, &options, &x->found->explanation);
}

struct online_op recorded_operation(const struct recorded_check *x, uint32_t op)
{
    const struct recorded_call *c = recording_find(&x->m->recording, x->called.at[op]);
    uint32_t arity = recorded_arity(c);
    bool returned = c->returned && c->returned <= x->until;
    return (struct online_op){.called = c->called,
                              .returned = returned ? c->returned : ONLINE_NEVER,
                              .method = x->m->watches.at[x->watch].spec->methods[c->method].id,
                              .arg = arity ? c->values.at[0] : (struct value){0},
                              .result = returned ? c->values.at[arity] : (struct value){0}};
}

static void check_protected(void *arg)
{
    recorded_check(arg);
}

enum online_verdict recorded_verdict(struct monitor *m, uint32_t watch)
{
    struct mem mem = {0};
    struct recorded_check x = {.m = m, .watch = watch, .until = m->step, .mem = &mem};
    enum escape left = escape_run(check_protected, &x);
    enum online_verdict v = !x.found || left                       ? ONLINE_OPEN
                            : x.found->verdict == ASSAY_VIOLATION  ? ONLINE_VIOLATION
                            : x.found->verdict == ASSAY_CONSISTENT ? ONLINE_FINE
                                                                   : ONLINE_OPEN;
    assay_result_free(x.found);
    mem_release(&mem);
    if (left)
        escape_raise(left);
    return v;
}
