/* SPDX-License-Identifier: Apache-2.0 */
/* The online checker `exact-jit`: any object with sequential states, by all linearizations at once
 * (search/configurations.h). The checker is shown operations that have returned (scan.h). So it knows the results of
 * open operations, and does not have to guess.
 *
 * Parts. While every call names a part of the object (a key of a map), each part has its own configurations. The events
 * of a stream are in the order of time, so a history is linearizable iff each part is. The first call that names no
 * part (the size of a map) joins the parts. From then on the whole is followed.
 *
 * Forgetting. A configuration has only a state and the open operations. So of a part with one configuration and no open
 * operations, a state is enough. When there are many parts, the states of all such parts are kept in `rest`, one state
 * of the whole object. If the parts of the object cannot be joined, such a part is forgotten if its state is the
 * initial one.
 *
 * An unknown content (online_setup.attached). A part is passed over until an operation on it that overlapped no other
 * one reveals its state (scan/reveal.h). Calls about the whole of an object with parts are left out; they only
 * observe. A part in its initial state is remembered then, too, as long as there are at most MANY_PARTS.
 *
 * Giving up. Configurations may become too many, and the steps that they cost too. The content of the part is unknown
 * from then on, or of all parts, if the whole was followed: as if the checker had been attached there. What it reports
 * later is a violation for every content, so it is only sound, and it says so. (A user's object is not followed any
 * more: calls about the whole of it may change it.) Steps are counted: some thousands of
 * thousands at first, and a number for each operation. So the time is linear in the number of events, and the memory
 * bounded by the number of configurations, whatever the values are.
 *
 * Texts. States hold texts. Those of the library's own objects say which (assay_spec.content), and a text that no state
 * holds is free. A user's states may hold others than they say, so every text that they were ever shown stays. */
#include "scan/fault.h"
#include "scan/jit_scan.h"
#include "scan/reveal.h"
#include "spec/facts.h"

#include <string.h>

enum { FEW_PARTS = 64 }; /* so many parts keep their configurations */
enum { MANY_PARTS = 1 << 12 };

enum { JIT_WORK = 1 << 22, JIT_STEPS = 256 }; /* steps that may be taken: at first, and more for each operation */

/* ---- parts ---- */

static struct configurations_setup bounded(struct jit_scan *j)
{
    return (struct configurations_setup){.spec = j->s.spec,
                                         .mem = j->s.mem,
                                         .budget = j->s.budget,
                                         .most = j->s.most,
                                         .by_digest = j->own, /* they are under a secret key (spec/digest.h) */
                                         .credit = &j->credit};
}

struct configurations *jit_scan_begin(struct jit_scan *j, struct value key, uint64_t start[2])
{
    struct mem *m = j->s.mem;
    struct configurations_setup setup = bounded(j);
    void *state = hook_create(j->s.spec, &j->s.setting, jit_scan_value(j, key), m);
    if (j->rest)
        hook_join(j->s.spec, state, jit_scan_value(j, key), j->rest);
    struct configurations *begun = configurations_new(&setup, state);
    hook_digest(j->s.spec, state, start);
    hook_destroy(j->s.spec, state, m);
    return begun;
}

static uint32_t new_part(struct jit_scan *j, struct value key)
{
    struct jit_part p = {.key = key, .unknown = j->s.attached};
    p.configurations = jit_scan_begin(j, key, p.start);
    if (!j->free_parts.n) {
        vec_push(j->s.mem, &j->parts, p);
        return j->parts.n - 1;
    }
    uint32_t at = vec_pop(&j->free_parts);
    j->parts.at[at] = p;
    return at;
}

/* Joins the parts to one part, which is the whole. */
static void join(struct jit_scan *j)
{
    struct mem *m = j->s.mem;
    struct configurations_setup setup = bounded(j);
    struct configurations_part *all = mem_new_zero(m, struct configurations_part, j->parts.n + 1);
    uint32_t n = 0, *place = mem_new(m, uint32_t, j->parts.n + 1);
    struct jit_part whole = {0};
    for (uint32_t i = 0; i < j->parts.n; i++) {
        const struct jit_part *p = &j->parts.at[i];
        if (!p->configurations)
            continue;
        place[i] = n;
        whole.open += p->open;
        all[n++] = (struct configurations_part){jit_scan_value(j, p->key), p->configurations,
                                                mem_new(m, uint32_t, configurations_slots(p->configurations) + 1)};
    }
    whole.configurations = configurations_join(&setup, j->rest, all, n);
    hook_destroy(j->s.spec, j->rest, m);
    j->rest = NULL;
    for (uint32_t i = 0; i < j->calls.n; i++) {
        struct call_record *r = j->calls.at[i];
        if (r->op.called)
            r->slot = all[place[r->part]].slots[r->slot];
        r->part = 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        configurations_free(all[i].of);
        mem_free(m, all[i].slots);
    }
    mem_free(m, all);
    mem_free(m, place);
    value_map_free(m, &j->keys);
    vec_clear(&j->parts);
    vec_clear(&j->free_parts);
    vec_push(m, &j->parts, whole);
    j->split = false;
}

static uint32_t part_of(struct jit_scan *j, struct value key)
{
    uint32_t at = value_map_get(&j->keys, key);
    if (at == ID_NONE) {
        at = new_part(j, key);
        *value_map_at(j->s.mem, &j->keys, key) = at;
    }
    return at;
}

/* The argument that names the part, or what stands for none. */
static int key_of(const struct jit_scan *j, unsigned method)
{
    const assay_method *m = j->s.spec->methods;
    while (m->id != method)
        m++;
    return m->key;
}

static void give_up_if_exceeded(struct jit_scan *j, uint32_t at, uint64_t step);

static uint32_t find_part(struct jit_scan *j, const struct scan_op *o)
{
    if (!j->split)
        return 0;
    int key = key_of(j, o->op.method);
    if (key == ASSAY_NO_EFFECT || (key == ASSAY_NO_KEY && j->s.attached))
        return ID_NONE;
    if (key >= 0)
        return part_of(j, scan_arg(o, (uint32_t)key));
    for (uint32_t i = 0; i < j->parts.n && j->gave_up; i++)
        if (j->parts.at[i].configurations && j->parts.at[i].unknown)
            return ID_NONE;
    join(j);
    give_up_if_exceeded(j, 0, o->op.called);
    return j->split || j->stopped ? ID_NONE : 0;
}

/* Is the part's state equal to its initial state? Their digests are. */
static bool is_as_at_first(struct jit_scan *j, const struct jit_part *p)
{
    struct mem *m = j->s.mem;
    if (!j->s.spec->equal)
        return true;
    void *state = hook_create(j->s.spec, &j->s.setting, jit_scan_value(j, p->key), m);
    bool same = hook_equal(j->s.spec, state, configurations_state(p->configurations, 0));
    hook_destroy(j->s.spec, state, m);
    return same;
}

/* True: the configurations of the part need not be kept. Its state is in `rest` then, or is the initial one. */
static bool is_kept_elsewhere(struct jit_scan *j, const struct jit_part *p)
{
    const void *state = configurations_state(p->configurations, 0);
    if (j->rest) {
        if (j->parts.n - j->free_parts.n <= (j->s.few ? j->s.few : FEW_PARTS))
            return false;
        hook_join(j->s.spec, j->rest, jit_scan_value(j, p->key), state);
        return true;
    }
    if (j->s.attached && j->parts.n - j->free_parts.n <= MANY_PARTS)
        return false;
    uint64_t d[2];
    hook_digest(j->s.spec, state, d);
    return d[0] == p->start[0] && d[1] == p->start[1] && is_as_at_first(j, p);
}

static void forget_if_at_rest(struct jit_scan *j, uint32_t at)
{
    struct jit_part *p = &j->parts.at[at];
    if (!j->split || p->open)
        return;
    bool is_as_new = p->unknown && j->s.attached;
    if (!is_as_new && (p->unknown || configurations_count(p->configurations) > 1 || !is_kept_elsewhere(j, p)))
        return;
    configurations_free(p->configurations);
    p->configurations = NULL;
    value_map_drop(j->s.mem, &j->keys, p->key);
    vec_push(j->s.mem, &j->free_parts, at);
}

/* ---- events ---- */

static uint32_t new_call(struct jit_scan *j, const struct scan_op *o)
{
    uint32_t at = j->calls.n;
    if (j->free_calls.n) {
        at = vec_pop(&j->free_calls);
    } else {
        vec_push(j->s.mem, &j->calls, NULL);
        j->calls.at[at] = mem_new_zero(j->s.mem, struct call_record, 1);
    }
    struct call_record *r = j->calls.at[at];
    if (r->room < o->arity) {
        r->args = mem_resize(j->s.mem, r->args, mem_product(o->arity, sizeof *r->args));
        r->room = o->arity;
    }
    for (uint32_t i = 0; i < o->arity; i++)
        r->args[i] = jit_scan_value(j, scan_arg(o, i));
    r->op = o->op;
    r->call = (assay_call){
        .method = o->op.method, .arg_count = o->arity, .args = r->args, .result = jit_scan_value(j, o->op.result)};
    return at;
}

/* ---- parts whose state is unknown ---- */

static void pass_over(struct jit_part *p, struct call_record *r, uint64_t attached)
{
    r->slot = ID_NONE;
    p->open++;
    p->alone = p->open == 1 && r->op.called >= attached;
}

/* The operation overlapped no other one on this part. */
static void learn(struct jit_scan *j, struct jit_part *p, const struct scan_op *o)
{
    struct mem *m = j->s.mem;
    struct configurations_setup setup = bounded(j);
    struct revealed r = reveal(j->s.spec, o->op.method, o->arity > 1 ? o->args : &o->op.arg, o->arity, o->op.result);
    assay_binding init = {jit_scan_value(j, p->key), jit_scan_value(j, r.value), 0};
    assay_setting setting = {j->s.setting.parameter, &init, r.state == REVEAL_VALUE};
    if (r.state == REVEAL_NOTHING || (j->s.spec->refuse && j->s.spec->refuse(&setting)))
        return;
    configurations_free(p->configurations);
    p->configurations = NULL;
    void *state = hook_create(j->s.spec, &setting, init.key, m);
    p->configurations = configurations_new(&setup, state);
    hook_destroy(j->s.spec, state, m);
    p->unknown = false;
}

/* ---- giving up ---- */

/* From now on the content of the part is unknown. */
static void give_up_part(struct jit_scan *j, uint32_t at)
{
    struct jit_part *p = &j->parts.at[at];
    configurations_free(p->configurations);
    p->configurations = NULL;
    p->configurations = jit_scan_begin(j, p->key, p->start);
    p->unknown = true;
    p->alone = false;
    for (uint32_t i = 0; i < j->calls.n; i++)
        if (j->calls.at[i]->op.called && j->calls.at[i]->part == at)
            j->calls.at[i]->slot = ID_NONE;
}

/* The whole was followed. From now on the contents of all parts are unknown, and calls about the whole are left out. */
static void give_up_all(struct jit_scan *j, uint64_t step)
{
    j->gave_up = j->split = true;
    jit_scan_free_parts(j);
    value_map_free(j->s.mem, &j->keys);
    j->keys = (struct value_map){0};
    j->s.attached = step;
    for (uint32_t i = 0; i < j->calls.n; i++) {
        struct call_record *r = j->calls.at[i];
        int key = r->op.called ? key_of(j, r->op.method) : ASSAY_NO_KEY;
        r->slot = r->part = ID_NONE;
        if (key < 0)
            continue;
        r->part = part_of(j, value_internal(r->args[key]));
        j->parts.at[r->part].open++;
    }
}

static void give_up_if_exceeded(struct jit_scan *j, uint32_t at, uint64_t step)
{
    if (!configurations_exceeded(j->parts.at[at].configurations))
        return;
    j->gave_up = true;
    if (!j->own)
        j->stopped = true;
    else if (!j->split && j->splits)
        give_up_all(j, step);
    else
        give_up_part(j, at);
}

/* ---- calls and returns ---- */

static bool call(void *state, struct scan_op *o)
{
    struct jit_scan *j = state;
    uint32_t part = j->stopped ? ID_NONE : find_part(j, o);
    if (part == ID_NONE)
        return true;
    uint32_t at = new_call(j, o);
    struct call_record *r = j->calls.at[at];
    bool observes = o->op.returned != ONLINE_NEVER && spec_observes(j->s.spec, &r->call);
    struct open_call open = {.call = &r->call, .end = o->op.returned, .observes = observes};
    r->part = part;
    o->mark = at + 1;
    if (j->parts.at[part].unknown) {
        pass_over(&j->parts.at[part], r, j->s.attached);
        return true;
    }
    r->slot = configurations_call(j->parts.at[part].configurations, open);
    j->parts.at[part].open++;
    return true;
}

static bool ret(void *state, struct scan_op *o)
{
    struct jit_scan *j = state;
    if (!o->mark || o->op.returned == ONLINE_NEVER || j->stopped)
        return true;
    struct call_record *r = j->calls.at[o->mark - 1];
    j->credit += JIT_STEPS;
    if (r->slot != ID_NONE && !configurations_return(j->parts.at[r->part].configurations, r->slot)) {
        j->wrong = o->op;
        j->wrong_part = r->part;
        return false;
    }
    bool followed = r->slot != ID_NONE;
    uint32_t part = r->part;
    r->op.called = 0;
    vec_push(j->s.mem, &j->free_calls, o->mark - 1);
    if (part == ID_NONE)
        return true;
    struct jit_part *p = &j->parts.at[part];
    p->open--;
    if (followed)
        give_up_if_exceeded(j, part, o->op.returned);
    else if (p->alone)
        learn(j, p, o);
    if (part < j->parts.n && j->parts.at[part].configurations)
        forget_if_at_rest(j, part);
    return true;
}

/* Can parts be followed apart, at least at first? */
static bool can_split(const assay_spec *spec)
{
    bool keyed = false, whole = false;
    for (const assay_method *m = spec->methods; m->name; m++) {
        keyed |= m->key >= 0;
        whole |= m->key == ASSAY_NO_KEY;
    }
    return keyed && (!whole || spec->join);
}

static bool attaches(const struct online_setup *s)
{
    return reveal_knows(s->spec);
}

static void *open(const struct online_setup *s)
{
    struct jit_scan *j = mem_new_zero(s->mem, struct jit_scan, 1);
    j->s = *s;
    j->s.most = s->most ? s->most : JIT_MOST;
    j->credit = j->s.work = s->work ? s->work : JIT_WORK;
    j->own = spec_in_table(s->spec);
    j->keeps_texts = !j->own || !s->spec->content;
    j->splits = j->split = can_split(s->spec);
    if (!j->split)
        new_part(j, (struct value){0});
    else if (s->spec->join && !s->attached)
        j->rest = hook_create(s->spec, &j->s.setting, (assay_value){0}, s->mem);
    return j;
}

void jit_scan_free_parts(struct jit_scan *j)
{
    struct mem *m = j->s.mem;
    for (uint32_t i = 0; i < j->parts.n; i++)
        if (j->parts.at[i].configurations)
            configurations_free(j->parts.at[i].configurations);
    if (j->rest)
        hook_destroy(j->s.spec, j->rest, m);
    j->rest = NULL;
    vec_free(m, &j->parts);
    vec_free(m, &j->free_parts);
}

static void close(void *state)
{
    struct jit_scan *j = state;
    struct mem *m = j->s.mem;
    jit_scan_free_parts(j);
    for (uint32_t i = 0; i < j->calls.n; i++) {
        mem_free(m, j->calls.at[i]->args);
        mem_free(m, j->calls.at[i]);
    }
    vec_free(m, &j->calls);
    vec_free(m, &j->free_calls);
    value_map_free(m, &j->keys);
    value_map_free(m, &j->texts);
    mem_free(m, j);
}

/* ---- hooks ---- */

static void explain(void *state, struct online_fault *out, struct mem *m)
{
    struct jit_scan *j = state;
    unsigned wrong = fault_op(out, m, &j->wrong), others = 0;
    out->step = j->wrong.returned;
    out->pattern = "NoLinearization";
    for (uint32_t i = 0; i < j->calls.n; i++) {
        const struct call_record *r = j->calls.at[i];
        if (r->op.called && r->part == j->wrong_part && r->op.called != j->wrong.called)
            text_printf(&out->why, "%s{%u}", others++ ? ", " : "open when it returned: ", fault_op(out, m, &r->op));
    }
    text_puts(&out->why, others ? "\n" : "no other operation was open when it returned\n");
    text_printf(&out->why,
                "in no linearization of what had returned before, with or without those, can {%u} take effect\n",
                wrong);
}

/* States may hold values that the checker cannot name. */
static bool names_all(const void *state)
{
    (void)state;
    return false;
}

static uint64_t live(const void *state)
{
    const struct jit_scan *j = state;
    return j->calls.n - j->free_calls.n;
}

static const char *weakened(const void *state)
{
    const struct jit_scan *j = state;
    return j->gave_up ? "its linearizations became too many to follow" : NULL;
}

static bool saves(const struct online_setup *s)
{
    return s->spec->content;
}

/* Does the object read texts, beyond the words that have a meaning? */
static bool reads_texts(const assay_spec *spec)
{
    return !facts_of(spec)->blank;
}

static const char *declines(const struct online_setup *s)
{
    if (!s->spec->create)
        return "the object has no sequential states";
    return reads_texts(s->spec) && !s->text ? "the object looks into texts, which it is not given here" : NULL;
}

const struct scan scan_jit = {
    .declines = declines,
    .attaches = attaches,
    .open = open,
    .close = close,
    .call = call,
    .ret = ret,
    .pending = scan_yes, /* it is linearized where it helps, or not at all */
    .explain = explain,
    .each_value = jit_scan_each_value,
    .names_all = names_all,
    .live = live,
    .weakened = weakened,
    .saves = saves,
    .image = jit_scan_image,
};

HOLDBACK_MEMBER(exact_jit, "exact-jit", "any object with sequential states: all linearizations at once", scan_jit);
