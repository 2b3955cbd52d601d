/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/retell.h"

#include "base/escape.h"
#include "check/longest_prefix.h"
#include "check/small_core.h"
#include "model/aliases.h"
#include "monitor/monitor.h"
#include "report/describe.h"

#include <stdio.h>
#include <string.h>

enum { FEW_TOLD = 12 }; /* operations, more than a reader follows */

uint64_t retell_looks = 256;

struct retelling {
    struct monitor *m;
    uint32_t watch;
    uint64_t until; /* event */
    struct mem *mem;
    uint64_t looks;
    VEC(uint64_t) called; /* by operation of the history: the event of its call */
    result *found;
    struct retold out;
};

/* ---- the history ---- */

static struct value renamed(const struct monitor *m, history *h, struct value v)
{
    assay_value public = symbols_public(&m->symbols, v);
    if (public.text)
        v.bits = history_name(h, public.text, public.length);
    return v;
}

/* Did the caller of this call die? Its id may have been used again. */
static bool is_dead(const struct retelling *x, const struct recorded_call *c)
{
    uint32_t slot = c->returned ? ID_NONE : slots_find(&x->m->slots, id_of(c->id.at, c->id.n));
    return !c->returned && (slot == ID_NONE || x->m->slots.all.at[slot].step != c->called);
}

static void append(struct retelling *x, history *h, const struct recorded_call *c)
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

static const history *recorded(struct retelling *x)
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

static bool used_up(void *arg)
{
    struct retelling *x = arg;
    const struct budget *b = &x->m->budget;
    return (b->interrupt && b->interrupt(b->interrupt_arg)) || x->looks++ >= retell_looks;
}

static size_t bytes_left(const struct monitor *m)
{
    return !m->mem.limit ? 0 : m->mem.limit > m->mem.used ? m->mem.limit - m->mem.used : 1;
}

static struct online_op operation(const struct retelling *x, uint32_t op)
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

static const char *argument(const result *r, struct mem *mem)
{
    struct text lines = text_in(mem), about = text_in(mem);
    if (!describe_argues(&about, r))
        return NULL;
    if (about.n)
        text_printf(&lines, "%s\n", text_get(&about));
    for (uint32_t i = 0; i < r->evidence.argument.lines.n; i++) {
        text_printf(&lines, "%*s", 2 * (int)r->evidence.argument.lines.at[i].depth, "");
        describe_argument(&lines, r, i);
        text_char(&lines, '\n');
    }
    return text_get(&lines);
}

static assay_options options_of(struct retelling *x)
{
    const struct monitor *m = x->m;
    return (assay_options){ASSAY_OPTIONS_INIT,      .object = m->object,  .spec = m->spec,   .evidence = true,
                           .memory = bytes_left(m), .interrupt = used_up, .interrupt_arg = x};
}

static void check_recorded(void *arg)
{
    struct retelling *x = arg;
    const struct monitor *m = x->m;
    assay_error e = {0};
    const history *h = recorded(x);
    const assay_options options = options_of(x);
    x->found = h ? checker_once(h, model_called("lin"), &options, &e) : NULL;
    bool starved = x->found && x->found->undecided &&
                   strncmp(x->found->undecided, escape_text(ESCAPE_OUT_OF_MEMORY),
                           strlen(escape_text(ESCAPE_OUT_OF_MEMORY))) == 0;
    if (starved ||
        (e.code == ASSAY_ERROR_RESOURCE && !m->mem.limit)) /* else the report would depend on the machine's memory */
        escape_raise(ESCAPE_OUT_OF_MEMORY);
}

static void tell(void *arg)
{
    struct retelling *x = arg;
    const assay_options options = options_of(x);
    check_recorded(x);
    if (!x->found || x->found->verdict != ASSAY_VIOLATION || x->found->evidence.culprit == ASSAY_NO_OPERATION)
        return;
    result r = *x->found;
    if (describe_wants_prefix(&r)) {
        r.evidence.mem = x->mem;
        x->looks = 0;
        longest_prefix(x->found, &options, &r.evidence);
    }
    r.evidence.mem = x->mem;
    small_core(x->found, &options, &r.evidence);
    x->out.pattern = r.evidence.pattern;
    struct mentions in = describe_mentions(&r, false, x->mem);
    if (in.n > FEW_TOLD)
        return;
    struct text sentence = text_in(x->mem);
    describe_culprit(&sentence, &r);
    x->out.sentence = text_get(&sentence);
    x->out.lists = describe_lists(&r, x->mem);
    x->out.argument = argument(&r, x->mem);
    for (uint32_t i = 0; i < in.n; i++)
        vec_push(x->mem, &x->out.ops, operation(x, in.ops[i]));
}

/* Have all operations of the object been recorded, and judged from its known initial state? */
static bool is_whole(const struct monitor *m, const struct watch *w)
{
    return !m->model && w->begun && recording_reaches(w->begun, m->step) && !w->attached && !w->quarantine &&
           !w->left_out;
}

enum online_verdict retell_verdict(struct monitor *m, uint32_t watch)
{
    struct mem mem = {0};
    struct retelling x = {.m = m, .watch = watch, .until = m->step, .mem = &mem};
    if (!is_whole(m, &m->watches.at[watch]))
        return ONLINE_OPEN;
    enum escape left = escape_run(check_recorded, &x);
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

struct retold retell(struct monitor *m, uint32_t watch, uint64_t step, struct mem *mem)
{
    struct retelling x = {.m = m, .watch = watch, .until = step, .mem = mem};
    if (!is_whole(m, &m->watches.at[watch]))
        return x.out;
    enum escape left = escape_run(tell, &x);
    assay_result_free(x.found);
    if (left)
        escape_raise(left);
    return x.out;
}
