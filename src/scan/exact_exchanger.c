/* SPDX-License-Identifier: Apache-2.0 */
/* The online checker `exact-exchanger`: scan/scan_exchanger.c has the idea and the proof. Operations that succeeded are
 * paired off as they return. Let x be the operation that returns, and let it have no partner yet. A possible partner of
 * x gave the result of x, and got the argument of x. Among the open operations of this kind, x takes the first to
 * return. If there is none, x takes an operation that will never return and that gave the result of x.
 *
 * The loop of scan_exchanger.c cannot be shared. It keeps a heap for each class of operations, so that many threads
 * cost a logarithm. Here classes would have to be forgotten again, and open operations are few.
 *
 * Forgetting. Only open operations without a partner are kept. There are at most as many as threads, so each return
 * searches all of them. */
#include "base/image.h"
#include "online/fault.h"
#include "online/scan.h"
#include "spec/roles.h"

struct exchange {
    struct mem *mem;
    VEC(struct online_op) open; /* operations that succeeded, or never return, and have no partner */
    struct online_op wrong;
};

static bool call(void *state, struct scan_op *o)
{
    struct exchange *x = state;
    bool alone = online_is(o->op.result, ONLINE_NULL) || online_is(o->op.arg, ONLINE_NULL);
    if (!alone)
        vec_push(x->mem, &x->open, o->op);
    return true;
}

static bool fits(const struct online_op *x, const struct online_op *y)
{
    bool unknown = y->returned == ONLINE_NEVER;
    return value_same(x->result, y->arg) && (unknown || value_same(x->arg, y->result)) && x->called != y->called;
}

static void take_out(struct exchange *x, uint32_t i)
{
    x->open.at[i] = x->open.at[x->open.n - 1];
    x->open.n--;
}

static bool ret(void *state, struct scan_op *o)
{
    struct exchange *x = state;
    uint32_t self = ID_NONE, partner = ID_NONE;
    if (o->op.returned == ONLINE_NEVER || online_is(o->op.result, ONLINE_NULL))
        return true;
    for (uint32_t i = 0; i < x->open.n; i++) {
        const struct online_op *y = &x->open.at[i];
        if (y->called == o->op.called)
            self = i;
        else if (fits(&o->op, y) && (partner == ID_NONE || y->returned < x->open.at[partner].returned))
            partner = i;
    }
    bool gave_null = online_is(o->op.arg, ONLINE_NULL);
    if (self == ID_NONE && !gave_null)
        return true; /* another operation has taken it as a partner */
    if (self == ID_NONE || partner == ID_NONE) {
        x->wrong = o->op;
        return false;
    }
    take_out(x, self > partner ? self : partner);
    take_out(x, self > partner ? partner : self);
    return true;
}

static void *open(const struct online_setup *s)
{
    struct exchange *x = mem_new_zero(s->mem, struct exchange, 1);
    x->mem = s->mem;
    return x;
}

static void close(void *state)
{
    struct exchange *x = state;
    vec_free(x->mem, &x->open);
    mem_free(x->mem, x);
}

static bool pending(void *state, const struct online_op *op)
{
    (void)state;
    (void)op;
    return true;
}

static void explain(void *state, struct online_fault *out, struct mem *m)
{
    struct exchange *x = state;
    unsigned op = fault_op(out, m, &x->wrong);
    out->step = x->wrong.returned;
    out->pattern = "NoPartner";
    text_printf(&out->why, "{%u} needs a partner that overlapped it, gave what it got, and got what it gave\n", op);
    for (uint32_t i = 0; i < x->open.n; i++)
        if (x->open.at[i].called != x->wrong.called && value_same(x->open.at[i].arg, x->wrong.result))
            text_printf(&out->why, "{%u} gave what it got, but got something else\n", fault_op(out, m, &x->open.at[i]));
    text_printf(&out->why, "there is none that has no other partner, so {%u} could not return this\n", op);
}

static void each_value(void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    struct exchange *x = state;
    for (uint32_t i = 0; i < x->open.n; i++) {
        visit(arg, x->open.at[i].arg);
        visit(arg, x->open.at[i].result);
    }
    visit(arg, x->wrong.arg);
    visit(arg, x->wrong.result);
}

static uint64_t live(const void *state)
{
    (void)state;
    return 0; /* all operations that it keeps are open */
}

static void image(void *state, struct image *x)
{
    struct exchange *exchange = state;
    image_vec(x, exchange->mem, &exchange->open);
}

static const struct scan scan = {
    .object = "exchanger",
    .open = open,
    .close = close,
    .call = call,
    .ret = ret,
    .pending = pending,
    .explain = explain,
    .each_value = each_value,
    .live = live,
    .image = image,
};

HOLDBACK_MEMBER(exact_exchanger, "exact-exchanger", "exchangers: pairing off", scan);
