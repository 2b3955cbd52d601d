/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the objects that count something, read for counted.c from the definitions of the objects. */
#include "history/value_ids.h"
#include "recheck/counted.h"
#include "spec/roles.h"

enum { WRITER_PLACES = 1 << 30 }; /* more than there can be readers */

static const assay_spec *spec_of(const struct object_view *v)
{
    return v->parts.at[v->part[v->x->line->evidence.culprit]].use->spec;
}

static bool answers(const assay_call *call, const char *word)
{
    return assay_value_same(call->result, assay_word(word));
}

static int64_t widened(int64_t time, int64_t by)
{
    int64_t sum;
    return !__builtin_add_overflow(time, by, &sum) ? sum : by < 0 ? INT64_MIN : INT64_MAX;
}

void amounts_read(const struct object_view *v, struct amount_read *r)
{
    const struct recheck *x = v->x;
    const history *h = x->h;
    *r = (struct amount_read){.at = mem_new(x->mem, struct amount_told, h->n + 1)};
    for (uint32_t op = 0; op < h->n; op++) {
        if (!object_counts(v, op) || v->part[op] != v->part[x->line->evidence.culprit])
            continue;
        bool pending = history_pending(h, op);
        if (op == x->line->evidence.culprit)
            r->culprit = r->n;
        r->at[r->n++] = (struct amount_told){.op = op,
                                             .called = widened(h->call[op], -x->line->skew),
                                             .returned = pending ? INT64_MAX : widened(h->ret[op], x->line->skew),
                                             .pending = pending};
    }
}

/* ---- how many amounts, and which at first ---- */

/* The answer of the object in its initial state. */
static assay_value asked(const struct object_view *v, unsigned method, const assay_value *args, unsigned n)
{
    const struct object_part *p = &v->parts.at[v->part[v->x->line->evidence.culprit]];
    const assay_setting setting = object_part_setting(p);
    void *state = hook_create(p->use->spec, &setting, value_public(v->x->h, p->key), v->x->mem);
    assay_call call = {.method = method, .args = args, .arg_count = n};
    assay_value answer = {0};
    assay_saved saved;
    hook_step(p->use->spec, state, &call, 0, &answer, &saved);
    if (answer.kind == ASSAY_LIST) /* its elements lie in the state */
        answer = assay_int((int64_t)answer.length);
    hook_destroy(p->use->spec, state, v->x->mem);
    return answer;
}

static uint32_t amounts_of_map(const struct object_view *v)
{
    unsigned method = objects_method(&v->objects, v->x->line->evidence.culprit)->id;
    return method == MAP_SIZE || method == MAP_CONTAINS_VALUE;
}

uint32_t amounts_of(const struct object_view *v)
{
    static const char *const single[] = {"lock", "semaphore", "counting-semaphore", "counter"};
    const struct object_part *p = &v->parts.at[v->part[v->x->line->evidence.culprit]];
    const assay_spec *spec = p->use->spec;
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (spec_is(spec, single[i]))
            return 1;
    if (spec_is(spec, "multiset"))
        return p->key.kind != ASSAY_NONE;
    if (spec_is(spec, "map"))
        return p->key.kind == ASSAY_NONE ? amounts_of_map(v) : 0;
    if (spec_is(spec, "rwlock"))
        return 2;
    return spec_is(spec, "bank") ? (uint32_t)asked(v, BANK_BALANCES, NULL, 0).integer : 0;
}

static void read_start(const struct object_view *v, uint32_t which, struct amount_read *r)
{
    const struct object_part *p = &v->parts.at[v->part[v->x->line->evidence.culprit]];
    const assay_spec *spec = p->use->spec;
    assay_value key = value_public(v->x->h, p->key), account = assay_int(which);
    int64_t parameter = p->use->setting.parameter.integer;
    r->initial = r->bottom = 0;
    r->top = INT64_MAX;
    if (spec_is(spec, "multiset")) {
        r->initial = asked(v, MULTISET_COUNT, &key, 1).integer;
    } else if (spec_is(spec, "counting-semaphore")) {
        r->initial = parameter;
    } else if (spec_is(spec, "semaphore")) {
        r->top = parameter;
    } else if (spec_is(spec, "lock")) {
        r->top = 1;
    } else if (spec_is(spec, "rwlock")) {
        r->top = which ? INT64_MAX : WRITER_PLACES;
    } else if (spec_is(spec, "bank")) {
        r->initial = asked(v, BANK_BALANCE, &account, 1).integer;
    } else {
        r->initial = asked(v, COUNTER_GET, NULL, 0).integer;
        r->bottom = INT64_MIN;
    }
}

/* ---- the calls ---- */

static void adds(struct amount_told *t, int64_t amount)
{
    t->least = t->most = amount;
}

static void tells(struct amount_told *t, int64_t low, int64_t high)
{
    t->tells = !t->pending;
    t->low = low;
    t->high = high;
}

static void of_multiset(const assay_call *call, struct amount_told *t)
{
    bool removes = call->method == MULTISET_REMOVE, unknown = t->pending || call->result.kind == ASSAY_NONE;
    if (call->method == MULTISET_ADD) {
        adds(t, 1);
    } else if (removes && unknown) {
        t->least = -1;
    } else if (answers(call, "false")) {
        tells(t, 0, 0);
    } else if (call->method == MULTISET_COUNT) {
        if (call->result.kind == ASSAY_INT)
            tells(t, call->result.integer, call->result.integer);
    } else if (answers(call, "true")) {
        tells(t, 1, INT64_MAX);
        adds(t, removes ? -1 : 0);
    }
}

/* The numbers of the methods of locks and both kinds of semaphores are the same. A lock that is taken has one holder
 * more, a counting semaphore one place less. */
static void of_semaphore(const assay_call *call, int64_t taken, int64_t used_up, struct amount_told *t)
{
    if (call->method == SEMAPHORE_RELEASE)
        adds(t, -taken);
    else if (call->method == SEMAPHORE_TRY && !t->pending && !answers(call, "true"))
        tells(t, used_up, used_up);
    else
        adds(t, taken);
}

/* The first amount is that of the places, of which a writer takes all; the second one counts readers. */
static void of_rwlock(const assay_call *call, bool readers, struct amount_told *t)
{
    bool failed = !t->pending && answers(call, "false");
    int64_t writer = readers ? 0 : WRITER_PLACES;
    switch (call->method) {
    case RWLOCK_RDUNLOCK: adds(t, -1); return;
    case RWLOCK_WRUNLOCK: adds(t, -writer); return;
    case RWLOCK_RDLOCK:
    case RWLOCK_TRYRDLOCK:
        if (!failed)
            adds(t, 1);
        else if (!readers)
            tells(t, WRITER_PLACES, WRITER_PLACES);
        return;
    default:
        if (!failed)
            adds(t, writer);
        else if (!readers)
            tells(t, 1, WRITER_PLACES);
    }
}

static void of_counter(const assay_call *call, struct amount_told *t)
{
    int64_t before = call->result.integer;
    bool old = call->method == COUNTER_FETCH_ADD;
    adds(t, call->method == COUNTER_INC          ? 1
            : call->method == COUNTER_DEC        ? -1
            : call->method == COUNTER_ADD || old ? call->args[0].integer
                                                 : 0);
    if (call->result.kind == ASSAY_INT && (old || !__builtin_sub_overflow(before, t->least, &before)))
        tells(t, before, before);
}

static void of_transfer(const assay_call *call, uint32_t account, struct amount_told *t)
{
    int64_t amount = call->args[2].integer, from = call->args[0].integer, to = call->args[1].integer;
    int64_t by = from == to ? 0 : from == account ? -amount : to == account ? amount : 0;
    if (answers(call, "refused")) {
        if (from == account)
            tells(t, 0, amount - 1);
        return;
    }
    t->least = by < 0 ? by : 0;
    t->most = by > 0 ? by : 0;
    if (t->pending || !answers(call, "ok"))
        return;
    adds(t, by);
    if (from == account)
        tells(t, amount, INT64_MAX);
}

static void of_bank(const assay_call *call, uint32_t account, struct amount_told *t)
{
    assay_value seen = call->result;
    if (call->method == BANK_TRANSFER) {
        of_transfer(call, account, t);
        return;
    }
    if (call->method == BANK_BALANCES) {
        while (seen.kind == ASSAY_LIST && seen.length > account + 1)
            seen = assay_list_before(seen);
        if (seen.kind != ASSAY_LIST || seen.length != account + 1)
            return;
        seen = assay_list_last(seen);
    } else if (call->args[0].integer != account) {
        return;
    }
    if (seen.kind == ASSAY_INT)
        tells(t, seen.integer, seen.integer);
}

static void of_call(const assay_spec *spec, const assay_call *call, uint32_t which, const struct amount_read *r,
                    struct amount_told *t)
{
    if (spec_is(spec, "multiset"))
        of_multiset(call, t);
    else if (spec_is(spec, "rwlock"))
        of_rwlock(call, which, t);
    else if (spec_is(spec, "counter"))
        of_counter(call, t);
    else if (spec_is(spec, "bank"))
        of_bank(call, which, t);
    else if (spec_is(spec, "counting-semaphore"))
        of_semaphore(call, -1, 0, t);
    else
        of_semaphore(call, 1, r->top, t);
}

/* Do all sums stay within the numbers of 64 bits? */
static bool is_small(const struct amount_read *r)
{
    const int64_t most = INT64_MAX / 4;
    int64_t total = r->initial;
    bool small = total > -most && total < most;
    for (uint32_t i = 0; i < r->n && small; i++) {
        int64_t by = r->at[i].least < 0 ? r->at[i].least : r->at[i].most;
        small = by > -most && by < most;
        total = small ? (total < 0 ? -total : total) + (by < 0 ? -by : by) : total;
        small &= total < most;
    }
    return small;
}

/* ---- maps ---- */

/* The value that is asked for, or NULL: any. */
static bool is_wanted(const assay_call *asks, assay_value v)
{
    return asks->method == MAP_SIZE || assay_value_same(asks->args[0], v);
}

static void read_map(const struct object_view *v, struct amount_read *r)
{
    const history *h = v->x->h;
    struct mem *m = v->x->mem;
    const assay_setting setting = object_part_setting(&v->parts.at[v->part[r->at[r->culprit].op]]);
    assay_call asks = object_call(v, r->at[r->culprit].op);
    struct value_ids ids = {0};
    r->has = mem_new_zero(m, bool, r->n + setting.init_count + 1);
    for (size_t i = 0; i < setting.init_count; i++)
        r->has[value_id(m, &ids, value_internal(setting.init[i].key))] = is_wanted(&asks, setting.init[i].value);
    for (uint32_t i = 0; i < r->n; i++) {
        struct amount_told *t = &r->at[i];
        unsigned method = objects_method(&v->objects, t->op)->id;
        bool puts = method == MAP_PUT, changes = puts || method == MAP_REMOVE;
        t->key = changes ? value_id(m, &ids, history_arg(h, t->op, 0)) : ID_NONE;
        t->gives = puts && is_wanted(&asks, value_public(h, history_arg(h, t->op, 1)));
    }
    r->keys = ids.n;
    struct amount_told *x = &r->at[r->culprit];
    if (asks.method == MAP_SIZE && asks.result.kind == ASSAY_INT)
        tells(x, asks.result.integer, asks.result.integer);
    else if (asks.method == MAP_CONTAINS_VALUE && answers(&asks, "true"))
        tells(x, 1, INT64_MAX);
    else if (asks.method == MAP_CONTAINS_VALUE && answers(&asks, "false"))
        tells(x, 0, 0);
}

bool amounts_tell(const struct object_view *v, uint32_t which, struct amount_read *r)
{
    const assay_spec *spec = spec_of(v);
    if (spec_is(spec, "map")) {
        read_map(v, r);
        return r->at[r->culprit].tells;
    }
    read_start(v, which, r);
    for (uint32_t i = 0; i < r->n; i++) {
        struct amount_told *t = &r->at[i], old = *t;
        assay_call call = object_call(v, t->op);
        *t = (struct amount_told){
            .op = old.op, .called = old.called, .returned = old.returned, .pending = old.pending, .key = ID_NONE};
        budget_tick(v->x->budget);
        of_call(spec, &call, which, r, t);
        mem_free(v->x->mem, (void *)call.args);
    }
    const struct amount_told *x = &r->at[r->culprit];
    return (x->tells || x->least || x->most) && is_small(r);
}
