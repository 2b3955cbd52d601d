/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/notation.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char *const gadgets[GADGETS] = {
    "rx0 ry0 wx1 | rx0 ry0 wy1",
    "ry0 wy1 | rx0 ry0 wx1 | rx0 ry1",
    "rx0 wx1 | rx0 wx2",
    "wx1 | wy1 | rx1 ry0 | rx0 ry1",
    "rx0 wx1 | rx0 wx2 | wy1 | wz1 | ry1 rz0 | ry0 rz1",
    "rx0 wx1 | wy1 ; rx0 | wx2 ry0",
    "wx1 | rx1 wy1 | ry1 rx0",
    "wx1 | rx1 wx2 | rx2 ; rx1",
    "wx1 wy1 | rx0 ry1",
    "wx1 wy1 | wx2 wy2 | rx1 ry2",
    "wx1 | rx0 rx1",
    "wx1 ; rx0",
    "wx1 wy1 | ry1 rx0",
    "wx1 ; wx2 wy2 | ry2 rx2 rx2 rx1",
    "wx1 ry1 | wy1 rx1",
    "rx0 ; ? wx1 ; rx0 ; rx1",
    "ax1 ay1 | ax2 ay2 | lx1,2 ly2,1",
    "lx ly ax1 | lx ly ay1",
    "lx ay1 az1 | ly ax1 az2",
    "lx ax1 | lx ax2 | lx1,2",
    "ax2 lx2 | ax1 lx2,1",
    "ax2 lx2 ax3 | ax1 | lx2,3",
    "lx ax2 lx1,2 | ax1 ay1 | ly1 lx",
    "rx0 wx1 | wy1 | ry1 rx0 wx2 | ry0 rx1",
    "rx0 ; wx1 ; rx2 | rx0 ; wx2 ; rx1",
};

static int key_at(struct history *h, char name, bool list, char names[32])
{
    const char *p = strchr(names, name);
    if (p)
        return (int)(p - names);
    int key = add_key(h, list);
    names[key] = name;
    return key;
}

static void read_elements(struct history *h, int key, const char **p)
{
    int values[32], n = 0;
    while (isdigit((unsigned char)**p)) {
        values[n++] = (int)strtol(*p, (char **)p, 10);
        *p += **p == ',';
    }
    add_read_list(h, key, values, n);
}

struct history *read_notation(const char *text)
{
    struct history *h = new_history();
    char names[32] = "";
    int session = 0;
    bool open = false;
    enum outcome outcome = COMMITTED;
    for (const char *p = text; *p;) {
        char c = *p++;
        if (c == '|' || c == ';') {
            session += c == '|';
            open = false;
        } else if (c == '!' || c == '?') {
            outcome = c == '!' ? ABORTED : MAYBE;
        } else if (c == '@') {
            h->timing = TIMED;
            h->txns[h->n - 1].begin = strtol(p, (char **)&p, 10);
            h->txns[h->n - 1].end = strtol(p + 1, (char **)&p, 10);
        } else if (c != ' ') {
            bool list = c == 'l' || c == 'a';
            int key = key_at(h, *p++, list, names);
            if (!open)
                add_txn(h, session, outcome);
            open = true;
            outcome = COMMITTED;
            if (c == 'l')
                read_elements(h, key, &p);
            else
                add_access(h, c == 'r' ? READ : list ? APPEND : WRITE, key, (int)strtol(p, (char **)&p, 10));
        }
    }
    return h;
}

void add_history(struct history *h, const struct history *other, int first_session)
{
    int keys = h->key_count, above = 1;
    for (int i = 0; i < h->access_count; i++)
        if (h->accesses[i].value >= above)
            above = h->accesses[i].value + 1;
    for (int i = 0; i < h->cell_count; i++)
        if (h->cells[i] >= above)
            above = h->cells[i] + 1;
    for (int k = 0; k < other->key_count; k++) {
        const struct key *from = &other->keys[k];
        add_key(h, from->list);
        if (!from->list && from->init != INITIAL)
            h->keys[keys + k].init = from->init + above;
        h->keys[keys + k].init_length = from->init_length;
        for (int i = 0; i < from->init_length; i++)
            add_cell(h, other->cells[from->init + i] + above);
    }
    for (int t = 0; t < other->n; t++) {
        struct txn *x = add_txn(h, first_session + other->txns[t].session, other->txns[t].outcome);
        x->begin = other->txns[t].begin;
        x->end = other->txns[t].end;
        for (int i = 0; i < other->txns[t].count; i++) {
            const struct access *a = access_of(other, t, i);
            int value = a->value == INITIAL ? INITIAL : a->value + above;
            struct access *b = add_access(h, a->kind, keys + a->key, value);
            b->unknown = a->unknown;
            b->length = a->length;
            for (int k = 0; k < a->length; k++)
                add_cell(h, other->cells[a->list + k] + above);
        }
    }
}
