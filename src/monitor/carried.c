/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/carried.h"

#include "history/token.h"

#include <string.h>

struct carried carried_in(struct mem *m)
{
    return (struct carried){.mem = m, .names = names_in(m), .scratch = text_in(m)};
}

static void print(struct carried *c, const history *h, struct value v)
{
    c->scratch.n = 0;
    token_print(&c->scratch, h, v);
    text_get(&c->scratch);
}

struct carried_key *carried_find(struct carried *c, const history *h, struct value key)
{
    print(c, h, key);
    uint32_t id = names_find(&c->names, c->scratch.at, c->scratch.n);
    return id == ID_NONE ? NULL : &c->keys.at[id];
}

struct carried_key *carried_at(struct carried *c, const history *h, struct value key)
{
    print(c, h, key);
    uint32_t id = names_put(&c->names, c->scratch.at, c->scratch.n);
    if (id == c->keys.n)
        vec_push(c->mem, &c->keys, (struct carried_key){0});
    return &c->keys.at[id];
}

void carried_print(const struct carried_key *k, struct text *t)
{
    if (!k->list) {
        text_add(t, k->candidates.at[0].at, k->candidates.at[0].n);
        return;
    }
    bool some = false;
    text_char(t, '[');
    for (uint32_t i = 0; i < k->blocks.n; i++)
        for (uint32_t j = 0; j < k->blocks.at[i].n; j++) {
            text_puts(t, some ? " " : "");
            text_add(t, k->blocks.at[i].rows[j].at, k->blocks.at[i].rows[j].n);
            some = true;
        }
    text_char(t, ']');
}

/* ---- registers ---- */

void carried_candidate(struct carried *c, struct carried_key *k, const history *h, struct value v)
{
    if (k->n == k->candidates.n)
        vec_push(c->mem, &k->candidates, text_in(c->mem));
    struct text *to = &k->candidates.at[k->n++];
    to->n = 0;
    token_print(to, h, v);
}

bool carried_choose(struct carried *c, struct carried_key *k, const history *h, struct value v)
{
    print(c, h, v);
    for (uint32_t i = 0; i < k->n; i++) {
        struct text *chosen = &k->candidates.at[i], first = k->candidates.at[0];
        if (chosen->n != c->scratch.n || memcmp(chosen->at, c->scratch.at, c->scratch.n) != 0)
            continue;
        bool possible = i == 0 || !k->unproved;
        k->candidates.at[0] = *chosen;
        *chosen = first;
        k->n = 1;
        k->unproved = false;
        return possible;
    }
    return true;
}

/* ---- lists ---- */

static void add(struct text *row, const history *h, struct value v)
{
    text_puts(row, row->n ? " " : "");
    token_print(row, h, v);
}

bool carried_is_open(const struct carried_key *k)
{
    for (uint32_t i = 0; i < k->blocks.n; i++)
        if (k->blocks.at[i].n > 1)
            return true;
    return false;
}

void carried_open(struct carried *c, struct carried_key *k, uint32_t n, const uint32_t *before)
{
    struct carried_block block = {n, mem_new(c->mem, struct text, n), mem_new(c->mem, uint32_t, n)};
    for (uint32_t i = 0; i < n; i++) {
        block.rows[i] = text_in(c->mem);
        block.before[i] = before ? before[i] : 0;
    }
    vec_push(c->mem, &k->blocks, block);
    k->list = true;
}

void carried_append(struct carried *c, struct carried_key *k, const history *h, struct value v)
{
    if (!k->blocks.n || vec_last(&k->blocks).n > 1)
        carried_open(c, k, 1, NULL);
    add(&vec_last(&k->blocks).rows[0], h, v);
}

void carried_add(struct carried *c, struct carried_key *k, uint32_t row, const history *h, struct value v)
{
    (void)c;
    add(&vec_last(&k->blocks).rows[row], h, v);
}

/* Where we are among the carried elements. */
struct showing {
    const struct carried_key *k;
    uint32_t block, used; /* the rows of the block that have been shown, a bit a row */
    uint32_t row;         /* that is being shown; ID_NONE: none is */
    bool moved;           /* rows were shown in another order than theirs */
    const char *at;       /* the rest of it */
};

static void rest(struct showing *x, const char *at)
{
    const struct carried_block *b = &x->k->blocks.at[x->block];
    x->at = at;
    if (*at)
        return;
    x->used |= 1U << x->row;
    x->row = ID_NONE;
    if (x->used + 1 == 1U << b->n) {
        x->block++;
        x->used = 0;
    }
}

/* Behind the token, if the text begins with it; else NULL. */
static const char *behind(const char *at, const struct text *token)
{
    if (strncmp(at, token->at, token->n) != 0)
        return NULL;
    at += token->n;
    return *at == ' ' ? at + 1 : *at ? NULL : at;
}

static bool go_on(struct showing *x, const struct text *token)
{
    const struct carried_block *b = &x->k->blocks.at[x->block];
    const char *next = x->row != ID_NONE ? behind(x->at, token) : NULL;
    for (uint32_t i = 0; x->row == ID_NONE && i < b->n && !next; i++) {
        bool can = !(x->used >> i & 1) && (b->before[i] & ~x->used) == 0;
        next = can ? behind(b->rows[i].at, token) : NULL;
        if (next) {
            x->row = i;
            x->moved |= x->used + 1 != 1U << i;
        }
    }
    if (next)
        rest(x, next);
    return next;
}

static void replace(struct carried *c, struct carried_key *k, struct text shown)
{
    for (uint32_t i = 0; i < k->blocks.n; i++) {
        for (uint32_t j = 0; j < k->blocks.at[i].n; j++)
            mem_free(c->mem, k->blocks.at[i].rows[j].at);
        mem_free(c->mem, k->blocks.at[i].rows);
        mem_free(c->mem, k->blocks.at[i].before);
    }
    vec_clear(&k->blocks);
    carried_open(c, k, 1, NULL);
    k->blocks.at[0].rows[0] = shown;
}

bool carried_show(struct carried *c, struct carried_key *k, const history *h, const struct list_value *list,
                  bool (*late)(void *arg, struct value element), void *arg, struct carried_shown *out)
{
    const struct list_value **all = list_elements(list, c->mem);
    struct text shown = text_in(c->mem);
    struct showing x = {.k = k, .row = ID_NONE};
    bool fine = true;
    *out = (struct carried_shown){0};
    for (uint32_t i = 0; fine && x.block < k->blocks.n; i++) {
        fine = i < list->length;
        if (!fine)
            break;
        print(c, h, all[i]->last);
        add(&shown, h, all[i]->last);
        if (!go_on(&x, &c->scratch)) {
            fine = late && late(arg, all[i]->last);
            out->lates++;
        }
    }
    if (fine && k->blocks.n) {
        replace(c, k, shown);
        out->unproved = k->unproved && x.moved;
        k->unproved = false;
    } else {
        mem_free(c->mem, shown.at);
    }
    mem_free(c->mem, (void *)(uintptr_t)all);
    return fine;
}
