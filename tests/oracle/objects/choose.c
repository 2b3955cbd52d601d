/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/choose.h"

#include "oracle/objects/calls.h"
#include "oracle/objects/history.h"
#include "oracle/objects/object.h"
#include "oracle/objects/value.h"
#include "support/chance.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A string with its beginning behind its end, or without one of the two. */
static int spoilt_string(const char *s)
{
    char text[320];
    int n = (int)strlen(s), at = n ? below(n) : 0;
    int front = chance(40) ? 0 : at, back = chance(40) ? 0 : n - at;
    snprintf(text, sizeof text, "%.*s%.*s", back, s + at, front, s);
    return v_string(text);
}

/* Another value is put in than the one that was. */
static void spoil_argument(struct history *h, struct taste *t)
{
    struct op *op = &h->op[below(h->ops)];
    const struct choice *c = choice_of(h->kinds[op->object], op->method);
    int last = op->arg_count - 1;
    if (last >= 0 && last == (int)strlen(c->shape) - 1 && c->shape[last] == 'v')
        op->args[last] = some_value(h, op->object, t, false);
}

void spoil_result(struct history *h, struct taste *t)
{
    struct op *op = &h->op[below(h->ops)];
    const struct choice *c = choice_of(h->kinds[op->object], op->method);
    if (h->kinds[op->object] == APPEND_MAP && op->method == GET && op->result != NONE && chance(50)) {
        op->result = spoilt_string(values[op->result].text);
        return;
    }
    int other = h->op[below(h->ops)].result;
    if (c->result == '*' || c->result == '-') {
        if (c->method == RMW)
            op->args[1] = some_value(h, op->object, t, false);
        else if (c->method == TXN && !op->args[0])
            op->args[2] = some_value(h, op->object, t, false);
        return;
    }
    int result = other != NONE && chance(60) ? other : random_result(h, op, t);
    if (acceptable(h, op, result))
        op->result = result;
}

void spoil_something(struct history *h, struct taste *t)
{
    (chance(20) ? spoil_argument : spoil_result)(h, t);
}

void scramble_tags(struct history *h)
{
    int tags[] = {NONE, chance(50) ? v_int(7) : v_word("a"), chance(50) ? v_string("7") : v_int(8)};
    for (int i = 0; i < h->ops; i++) {
        struct op *op = &h->op[i];
        if (!has_tags(h->kinds[op->object]))
            continue;
        int tag = tags[below(3)];
        if (op->method == RELEASE) {
            op->result = tag;
        } else {
            op->arg_count = tag != NONE;
            op->args[0] = tag;
        }
        if (op->method == TRY)
            op->result = v_bool(chance(70));
    }
}

void choose_init(struct history *h, struct taste *t)
{
    bool keyed = true, scalar = true, list = true, integers = false, strings = false;
    for (int i = 0; i < h->objects; i++) {
        enum kind k = h->kinds[i];
        keyed = keyed && is_keyed(k);
        scalar = scalar && (k == REGISTER || k == CAS_REGISTER || k == COUNTER || k == MEMORY || k == MULTI_REGISTER);
        list = list && (is_sequence(k) || k == SET || k == MULTISET);
        integers = integers || k == PQUEUE || k == PQUEUE_MIN || k == COUNTER;
        strings = strings || k == APPEND_MAP;
    }
    if (list) {
        h->init_list = true;
        h->init_count = 1 + below(3);
    } else if (scalar && chance(50)) {
        h->init_count = 1;
    } else if (keyed) {
        h->init_count = 1 + below(2);
    }
    for (int i = 0; i < h->init_count; i++) {
        h->init_keys[i] = list || (scalar && h->init_count == 1) ? NONE : i ? v_word("y") : v_word("x");
        h->init_values[i] = strings       ? v_string(i ? "b" : "aa")
                            : t->distinct ? fresh_value(t, integers)
                                          : pooled_value(t, integers);
        for (int k = 0; k < h->objects; k++)
            if (h->kinds[k] == COUNTER)
                h->init_values[i] = v_int(below(9) - 4);
    }
}

const char *only_kinds;

static enum kind some_kind(void)
{
    enum kind k;
    do
        k = (enum kind)below(KINDS);
    while (only_kinds && !strstr(only_kinds, kind_names[k]));
    return k;
}

void choose_objects(struct history *h, int objects, bool mixed, struct taste *t)
{
    enum kind k = some_kind();
    h->objects = objects;
    h->named = objects > 1 || chance(10);
    h->odd_names = chance(15);
    for (int i = 0; i < objects; i++) {
        h->kinds[i] = mixed ? some_kind() : k;
        h->parameters[i] = h->kinds[i] == SEMAPHORE ? 1 + below(3) : h->kinds[i] == COUNTING ? below(3) : 0;
        if (is_sequence(h->kinds[i]))
            t->empties = false; /* the word says that there is nothing to remove, and is refused as a value */
    }
}

struct taste choose_taste(void)
{
    struct taste t = {
        .distinct = chance(50), .words = chance(40), .pool = 2 + below(5), .empties = chance(10), .nulls = chance(20)};
    int style = below(4); /* no tags; for all; for some; for all, which releases do not always say */
    t.tags = style == 0 ? 0 : style == 2 ? 60 : 100;
    t.untold = style < 2 ? 0 : 30;
    t.repeats = chance(25) ? 10 : 0;
    t.amount = chance(50) ? 1 + below(3) : 0;
    return t;
}
