/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes first: which access is a read or a write of which key. Then sessions, outcomes, and at last the values of the
 * reads: initial, or any value that is written. A read of a list has the elements of some appends in some order. */
#include "cross/transactions/enumerate.h"

#include <string.h>

struct walk {
    struct tx_sketch s;
    uint64_t seen, next, stride;
    void (*each)(const struct tx_sketch *s, void *arg);
    void *arg;
};

static void visit(struct walk *w)
{
    if (w->seen++ != w->next)
        return;
    w->each(&w->s, w->arg);
    w->next += w->stride;
}

/* ---- values ---- */

static uint8_t number_writes(struct tx_sketch *s, uint8_t key)
{
    uint8_t n = 0;
    for (uint8_t t = 0; t < s->n; t++)
        for (uint8_t i = 0; i < s->tx[t].n; i++)
            if (s->tx[t].access[i].kind != 'r' && s->tx[t].access[i].key == key)
                s->tx[t].access[i].value = ++n;
    return n;
}

static void draw_reads(struct walk *w, uint8_t t, uint8_t i);

/* All sequences of up to two different elements. */
static void draw_list(struct walk *w, uint8_t t, uint8_t i, uint8_t written)
{
    struct tx_access *a = &w->s.tx[t].access[i];
    a->length = 0;
    draw_reads(w, t, (uint8_t)(i + 1));
    for (uint8_t first = 1; first <= written; first++) {
        a->length = 1;
        a->list[0] = first;
        draw_reads(w, t, (uint8_t)(i + 1));
        for (uint8_t second = 1; second <= written; second++) {
            a->length = 2;
            a->list[0] = first;
            a->list[1] = second;
            if (second != first)
                draw_reads(w, t, (uint8_t)(i + 1));
        }
    }
}

static void draw_reads(struct walk *w, uint8_t t, uint8_t i)
{
    if (t == w->s.n) {
        visit(w);
    } else if (i == w->s.tx[t].n) {
        draw_reads(w, (uint8_t)(t + 1), 0);
    } else if (w->s.tx[t].access[i].kind != 'r') {
        draw_reads(w, t, (uint8_t)(i + 1));
    } else {
        struct tx_access *a = &w->s.tx[t].access[i];
        uint8_t written = number_writes(&w->s, a->key);
        if (w->s.is_list[a->key]) {
            draw_list(w, t, i, written);
            return;
        }
        for (int value = 0; value <= written; value++) {
            a->value = value;
            draw_reads(w, t, (uint8_t)(i + 1));
        }
    }
}

/* ---- outcomes, sessions, shapes ---- */

/* At most one transaction is not committed. */
static void draw_outcomes(struct walk *w)
{
    for (uint8_t key = 0; key < 2; key++)
        (void)number_writes(&w->s, key);
    draw_reads(w, 0, 0);
    for (uint8_t t = 0; t < w->s.n; t++)
        for (int outcome = TX_ABORTED; outcome <= TX_UNKNOWN; outcome++) {
            w->s.tx[t].outcome = (enum tx_outcome)outcome;
            draw_reads(w, 0, 0);
            w->s.tx[t].outcome = TX_COMMITTED;
        }
}

/* A transaction is of a session that there is, or of the next one. */
static void draw_sessions(struct walk *w, uint8_t t, uint8_t sessions)
{
    if (t == w->s.n) {
        draw_outcomes(w);
        return;
    }
    for (uint8_t k = 0; k <= sessions && k < 3; k++) {
        w->s.tx[t].session = k;
        draw_sessions(w, (uint8_t)(t + 1), k == sessions ? (uint8_t)(sessions + 1) : sessions);
    }
}

static void draw_shapes(struct walk *w, uint8_t t)
{
    if (t == w->s.n) {
        draw_sessions(w, 0, 0);
        return;
    }
    struct tx *x = &w->s.tx[t];
    for (x->n = 1; x->n <= 2; x->n++)
        for (int shape = 0; shape < (x->n == 1 ? 4 : 16); shape++) {
            for (uint8_t i = 0; i < x->n; i++) {
                uint8_t key = (uint8_t)(shape >> 2 * i & 1);
                char writes = w->s.is_list[key] ? 'a' : 'w';
                memset(&x->access[i], 0, sizeof x->access[i]);
                x->access[i].kind = shape >> 2 * i & 2 ? writes : 'r';
                x->access[i].key = key;
            }
            uint8_t n = x->n;
            draw_shapes(w, (uint8_t)(t + 1));
            x->n = n;
        }
}

uint64_t enumerate_all(bool lists, uint64_t first, uint64_t stride, void (*each)(const struct tx_sketch *s, void *arg),
                       void *arg)
{
    struct walk w = {.next = first, .stride = stride, .each = each, .arg = arg};
    w.s.is_list[1] = lists;
    for (w.s.n = 1; w.s.n <= 3; w.s.n++)
        draw_shapes(&w, 0);
    return w.seen;
}
