/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/simulate.h"

#include "oracle/objects/calls.h"
#include "oracle/objects/history.h"
#include "oracle/objects/object.h"
#include "oracle/objects/order.h"
#include "oracle/objects/search.h"
#include "oracle/objects/value.h"
#include "support/chance.h"

#include <stdbool.h>

/* An exchange takes place: with a partner that may come now, or with nobody. */
static void simulate_exchange(struct history *h, struct search *s, int i, struct taste *t)
{
    struct op *x = &h->op[i];
    x->method = EXCHANGE;
    x->name = "exchange";
    x->arg_count = 1;
    x->args[0] = some_value(h, x->object, t, true);
    x->result = v_null;
    int partner = NONE;
    for (int j = 0; j < h->ops; j++)
        if (j != i && h->op[j].object == x->object && may_come(s, j) && (partner == NONE || chance(50)))
            partner = j;
    put_bit(s->done, i);
    if (partner == NONE || chance(30))
        return;
    struct op *y = &h->op[partner];
    y->rank = x->rank;
    y->method = EXCHANGE;
    y->name = "exchange";
    y->arg_count = 1;
    y->args[0] = some_value(h, y->object, t, true);
    y->result = x->args[0];
    x->result = y->args[0];
    put_bit(s->done, partner);
}

static void simulate_one(struct history *h, struct search *s, int i, struct taste *t)
{
    static int clock;
    struct op *op = &h->op[i];
    op->rank = ++clock;
    if (h->kinds[op->object] == EXCHANGER) {
        simulate_exchange(h, s, i, t);
        return;
    }
    struct object now = s->state[op->object];
    int result = NONE;
    bool fits = choose_call(h, op, &now, t, &result);
    const struct choice *c = choice_of(h->kinds[op->object], op->method);
    op->result = result;
    if (fits && !(op->pending && chance(50)))
        s->state[op->object] = now;
    if (c->result == '*')
        op->result = chance(80) ? NONE : chance(50) ? v_ok : v_true;
    if ((c->result == '?' && chance(30)) || (c->result == '~' && chance(t->untold)))
        op->result = NONE;
    if (c->result == '!' && op->result == NONE)
        op->result = v_false;
    if (h->kinds[op->object] == MAP && op->result == v_null && chance(20))
        op->result = v_nil;
    put_bit(s->done, i);
}

static void simulate_part(struct history *h, const struct order *r, const bool *take, struct taste *t)
{
    static struct search s;
    begin_search(&s, h, r, take);
    for (int left = h->ops; left; left--) {
        int i, candidates = 0, pick;
        for (i = 0; i < h->ops; i++)
            candidates += may_come(&s, i);
        if (!candidates)
            break;
        pick = below(candidates);
        for (i = 0; !may_come(&s, i) || pick; i++)
            pick -= may_come(&s, i);
        simulate_one(h, &s, i, t);
    }
}

void simulate_whole(struct history *h, struct taste *t)
{
    static struct order r;
    bool take[MAX_OPS];
    happens_before(h, true, &r);
    for (int i = 0; i < h->ops; i++)
        take[i] = true;
    simulate_part(h, &r, take, t);
}

void simulate_apart(struct history *h, struct taste *t)
{
    static struct order r;
    bool take[MAX_OPS];
    int key[MAX_OPS];
    happens_before(h, true, &r);
    for (int i = 0; i < h->ops; i++)
        key[i] = below(2);
    for (int o = 0; o < h->objects; o++) {
        enum kind k = h->kinds[o];
        bool keys = k == MEMORY || k == MAP || k == APPEND_MAP || k == SET || k == MULTISET;
        for (int n = 0; n < (keys ? 2 : 1); n++) {
            for (int i = 0; i < h->ops; i++)
                take[i] = h->op[i].object == o && (!keys || key[i] == n);
            only_key = !keys ? NONE : n ? v_word("y") : v_word("x");
            simulate_part(h, &r, take, t);
            for (int i = 0; i < h->ops; i++)
                if (take[i])
                    h->op[i].part = 2 * o + n;
        }
    }
    only_key = NONE;
}
