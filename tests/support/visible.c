/* SPDX-License-Identifier: Apache-2.0 */
/* A linearization is put down first; relations are then sets of places in it, one for each operation: those that stand in
 * the relation to it. Which sets explain a result is found by executing them. An axiom speaks of one operation and of
 * what came before it, so it is looked at as soon as the operation's own set is chosen. */
#include "support/visible.h"

#include "spec/spec.h"

#include <stdlib.h>
#include <string.h>

struct whole {
    const struct play *play;
    const assay_spec *spec;
    void *state;
    const struct axioms *demands[VISIBLE_DEMANDS][VISIBLE_MOST]; /* of each operation */
    uint32_t demand_n;
    assay_call call[VISIBLE_MOST], seen[VISIBLE_MOST]; /* seen: the call where others see it */
    assay_value args[VISIBLE_MOST][PLAY_ARGS], seen_args[VISIBLE_MOST][PLAY_ARGS];
    uint32_t po[VISIBLE_MOST], hb[VISIBLE_MOST];

    uint32_t order[VISIBLE_MOST], length; /* the linearization */
    uint32_t before[4][VISIBLE_MOST];     /* of enum relation, by places */
    bool explained[VISIBLE_MOST][1u << VISIBLE_MOST];
    uint64_t found;
};

static bool returns(struct whole *x, uint32_t place, uint32_t sees)
{
    assay_saved saved[VISIBLE_MOST];
    uint32_t changed[VISIBLE_MOST], n = 0;
    bool legal = true;
    assay_value answer = {0};
    for (uint32_t i = 0; i <= place && legal; i++) {
        if (i != place && !(sees >> i & 1))
            continue;
        uint32_t o = x->order[i];
        answer = (assay_value){0};
        const assay_call *call = i == place ? &x->call[o] : &x->seen[o];
        assay_effect effect = x->spec->step(x->state, call, 0, &answer, &saved[n]);
        legal = effect != ASSAY_BLOCKED;
        if (effect == ASSAY_CHANGED)
            changed[n++] = o;
    }
    const assay_value *result = &x->call[x->order[place]].result;
    legal = legal && (result->kind == ASSAY_NONE || assay_value_same(*result, answer));
    while (n-- > 0)
        x->spec->undo(x->state, &x->call[changed[n]], &saved[n]);
    return legal;
}

static bool axiom_holds(const struct whole *x, const struct axiom *a, uint32_t place)
{
    uint32_t reached = 1u << place;
    for (uint32_t step = a->n; step-- > 0;) {
        uint32_t next = 0;
        for (uint32_t i = 0; i < x->length; i++)
            if (reached >> i & 1)
                next |= x->before[a->path[step]][i];
        reached = next;
    }
    return !(reached & ~x->before[REL_VIS][place]);
}

static void choose(struct whole *x, uint32_t place, uint64_t open)
{
    if (place == x->length) {
        x->found |= open;
        return;
    }
    for (uint32_t sees = 0; sees < 1u << place; sees++) {
        if (!x->explained[place][sees])
            continue;
        x->before[REL_VIS][place] = sees;
        uint64_t still = open & ~x->found;
        for (uint32_t d = 0; d < x->demand_n; d++) {
            const struct axioms *axioms = x->demands[d][x->order[place]];
            for (uint32_t i = 0; i < axioms->n && (still >> d & 1); i++)
                if (!axiom_holds(x, &axioms->at[i], place))
                    still &= ~((uint64_t)1 << d);
        }
        if (still)
            choose(x, place + 1, still);
    }
}

static void with_linearization(struct whole *x)
{
    for (uint32_t i = 0; i < x->length; i++) {
        x->before[REL_PO][i] = x->before[REL_HB][i] = 0;
        x->before[REL_LIN][i] = (1u << i) - 1;
        for (uint32_t j = 0; j < i; j++) {
            x->before[REL_PO][i] |= (x->po[x->order[i]] >> x->order[j] & 1) << j;
            x->before[REL_HB][i] |= (x->hb[x->order[i]] >> x->order[j] & 1) << j;
        }
        for (uint32_t sees = 0; sees < 1u << i; sees++)
            x->explained[i][sees] = returns(x, i, sees);
    }
    choose(x, 0, x->demand_n == 64 ? ~(uint64_t)0 : ((uint64_t)1 << x->demand_n) - 1);
}

static void linearize(struct whole *x, uint32_t left)
{
    if (!left)
        with_linearization(x);
    for (uint32_t i = 0; i < x->play->n; i++)
        if ((left >> i & 1) && !(x->hb[i] & left)) {
            x->order[x->length++] = i;
            linearize(x, left & ~(1u << i));
            x->length--;
        }
}

static void take_orders(struct whole *x)
{
    const struct play *p = x->play;
    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t j = 0; j < p->n; j++) {
            bool po = p->op[j].thread == p->op[i].thread && j < i;
            bool earlier = p->times != PLAY_NONE && j != i && p->op[j].thread != p->op[i].thread && !p->op[j].pending &&
                           p->op[j].ret < p->op[i].call;
            x->po[i] |= (uint32_t)po << j;
            x->hb[i] |= (uint32_t)(po || earlier) << j;
        }
    for (uint32_t again = 0; again < p->n; again++) /* transitively */
        for (uint32_t i = 0; i < p->n; i++)
            for (uint32_t j = 0; j < p->n; j++)
                x->hb[i] |= x->hb[i] >> j & 1 ? x->hb[j] : 0;
}

/* Of a transaction only the writes and appends take effect, and none of an aborted one. */
static void take_seen(struct whole *x, uint32_t i)
{
    x->seen[i] = x->call[i];
    if (strcmp(x->play->op[i].method, "txn") != 0)
        return;
    memcpy(x->seen_args[i], x->args[i], sizeof x->args[i]);
    x->seen[i].args = x->seen_args[i];
    if (assay_value_same(x->call[i].result, assay_word("abort")))
        x->seen[i].arg_count = 0;
    for (uint32_t a = 0; a < x->seen[i].arg_count; a += 3)
        if (assay_value_same(x->args[i][a], assay_word("r")))
            x->seen_args[i][a + 2] = (assay_value){0};
}

uint64_t visible_satisfies(const assay_history *h, const struct play *p, const assay_spec *spec,
                           const struct visibility *demands, uint32_t n)
{
    struct whole x = {.play = p, .spec = spec, .demand_n = n};
    struct mem mem = {0};
    struct objects objects;
    assay_error e = {0};
    uint32_t pending = 0;
    if (p->n > VISIBLE_MOST || n > VISIBLE_DEMANDS || !objects_of(h, (struct object_choice){0}, &mem, &objects, &e))
        abort();
    for (uint32_t i = 0; i < p->n; i++) {
        for (uint32_t d = 0; d < n; d++)
            x.demands[d][i] = visibility_of(&demands[d], p->op[i].method);
        for (uint32_t a = 0; a < p->op[i].arg_count; a++)
            x.args[i][a] = value_public(h, history_arg(h, i, a));
        x.call[i] = (assay_call){.method = objects_method(&objects, i)->id,
                                 .arg_count = p->op[i].arg_count,
                                 .args = x.args[i],
                                 .result = value_public(h, history_result(h, i)),
                                 .operation = i,
                                 .thread = h->thread[i]};
        take_seen(&x, i);
        pending |= p->op[i].pending ? 1u << i : 0;
    }
    take_orders(&x);
    x.state = spec->create(&objects.at[0].setting, (assay_value){0}, (assay_memory *)&mem);
    for (uint32_t left_out = pending;; left_out = (left_out - 1) & pending) { /* each subset */
        linearize(&x, ((1u << p->n) - 1) & ~left_out);
        if (!left_out)
            break;
    }
    mem_release(&mem);
    return x.found;
}

const struct alphabet visible_alphabets[VISIBLE_ALPHABETS] = {
    {"register",
     NULL,
     {3, 3},
     {{"write", NEW, NO_VALUE, false},
      {"write", NEW, NO_VALUE, true},
      {"write", 1, NO_VALUE, false},
      {"read", NO_VALUE, 0, false},
      {"read", NO_VALUE, 1, false},
      {"read", NO_VALUE, 2, false}}},
    {"map",
     NULL,
     {3, 3},
     {{"put", PAIR(1, 1), NULL_WORD, false},
      {"put", PAIR(1, 2), 1, false},
      {"put", PAIR(2, 1), NULL_WORD, false},
      {"put", PAIR(1, 1), NO_VALUE, true},
      {"get", 1, 1, false},
      {"get", 1, NULL_WORD, false},
      {"remove", 1, 1, false},
      {"contains", 1, TRUE, false},
      {"contains", 1, FALSE, false}}},
    {"set",
     NULL,
     {3, 3},
     {{"add", 1, TRUE, false},
      {"add", 1, FALSE, false},
      {"add", 1, NO_VALUE, true},
      {"remove", 1, TRUE, false},
      {"remove", 1, FALSE, false},
      {"contains", 1, TRUE, false},
      {"contains", 1, FALSE, false}}},
    {"queue",
     NULL,
     {3, 3},
     {{"enq", NEW, NO_VALUE, false},
      {"enq", NEW, NO_VALUE, true},
      {"deq", NO_VALUE, 1, false},
      {"deq", NO_VALUE, 2, false},
      {"deq", NO_VALUE, EMPTY, false},
      {"deq", NO_VALUE, NO_VALUE, true},
      {"peek", NO_VALUE, 1, false}}},
};
