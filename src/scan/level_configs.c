/* SPDX-License-Identifier: Apache-2.0 */
#include "scan/level_configs.h"

#include "base/bitset.h"

#include <string.h>

enum { FEW = 16 }; /* up to this number, configurations are compared one by one */

/* Open operations that are not linearized in c: word w of their mask. */
static uint64_t left_of(const struct level *l, const struct config *c, uint32_t w)
{
    return l->busy.word[w] & ~c->done.word[w];
}

/* Linearizes the tests that pass. */
static void linearize_tests(const struct level *l, struct config *c)
{
    BITSET_EACH (at, w, l->words, left_of(l, c, w)) {
        const struct level_role *r = &l->role[at];
        if (r->kind == LEVEL_TEST && level_passes(r, c->level))
            bitset_add(c->done.word, at);
    }
}

/* The operation that returns first among the open operations of the kind that are not linearized, or ID_NONE. */
static uint32_t first_of(const struct level *l, const struct config *c, enum level_kind kind)
{
    uint32_t first = ID_NONE;
    BITSET_EACH (i, w, l->words, left_of(l, c, w)) {
        if (l->role[i].kind == kind && (first == ID_NONE || l->op[i].returned < l->op[first].returned))
            first = i;
    }
    return first;
}

/* Linearizes the operation of the kind that returns first. False: there is none, or it is not possible. */
static bool move(const struct level_space *s, const struct level *l, struct config *c, enum level_kind kind)
{
    bool up = kind == LEVEL_UP || kind == LEVEL_UP_IF, at_end = c->level == (up ? s->top : 0);
    if (at_end && (kind == LEVEL_UP || kind == LEVEL_DOWN))
        return false;
    uint32_t i = first_of(l, c, kind);
    if (i == ID_NONE)
        return false;
    bitset_add(c->done.word, i);
    if (at_end)
        return true;
    c->level += up ? 1 : -1;
    linearize_tests(l, c);
    return true;
}

/* Extends the one configuration until i is linearized. False: i cannot be linearized. */
static bool go_straight(const struct level_space *s, const struct level *l, struct config *c, uint32_t i)
{
    const struct level_role *r = &l->role[i];
    if (r->kind != LEVEL_TEST) {
        enum level_kind back = r->kind == LEVEL_UP ? LEVEL_DOWN : LEVEL_UP;
        return move(s, l, c, r->kind) || (move(s, l, c, back) && move(s, l, c, r->kind));
    }
    while (r->low <= r->high && !level_passes(r, c->level))
        if (!move(s, l, c, c->level < r->low ? LEVEL_UP : LEVEL_DOWN))
            return false;
    return r->low <= r->high;
}

static bool same(const struct config *a, const struct config *b)
{
    return a->level == b->level && memcmp(&a->done, &b->done, sizeof a->done) == 0;
}

/* Adds the configuration to `seen`. False: it was there. */
static bool see(struct level_space *s, struct configs *to, const struct config *c)
{
    uint64_t row[1 + LEVEL_WORDS] = {(uint64_t)c->level};
    memcpy(row + 1, c->done.word, sizeof c->done.word);
    return rows_add(&to->seen, s->mem, row, sizeof row);
}

void configs_add(struct level_space *s, struct configs *to, const struct config *c)
{
    if (to->at.n < FEW) {
        for (uint32_t k = 0; k < to->at.n; k++)
            if (same(&to->at.at[k], c))
                return;
    } else {
        for (uint32_t k = 0; to->at.n == FEW && k < FEW; k++)
            see(s, to, &to->at.at[k]);
        if (!see(s, to, c))
            return;
    }
    vec_push(s->mem, &to->at, *c);
}

static void sort_out(struct level_space *s, const struct config *c, uint32_t i)
{
    configs_add(s, bitset_has(c->done.word, i) ? &s->next : &s->extended, c);
}

/* Extends all configurations, in every way, until i is linearized in each. The others are dropped. */
static void branch(struct level_space *s, struct level *l, uint32_t i)
{
    configs_clear(&s->next);
    configs_clear(&s->extended);
    for (uint32_t k = 0; k < l->now.at.n; k++)
        sort_out(s, &l->now.at.at[k], i);
    for (uint32_t k = 0; k < s->extended.at.n; k++)
        for (int kind = LEVEL_UP; kind < LEVEL_TEST; kind++) {
            struct config c = s->extended.at.at[k];
            budget_tick(s->budget);
            if (move(s, l, &c, (enum level_kind)kind))
                sort_out(s, &c, i);
        }
    struct configs used = l->now;
    l->now = s->next;
    s->next = used;
}

bool level_linearize(struct level_space *s, struct level *l, uint32_t i)
{
    if (l->now.at.n == 1 && bitset_has(l->now.at.at[0].done.word, i))
        return true;
    if (!l->branching)
        return go_straight(s, l, &l->now.at.at[0], i);
    branch(s, l, i);
    return l->now.at.n;
}

void configs_free(struct mem *m, struct configs *c)
{
    vec_free(m, &c->at);
    rows_free(&c->seen, m);
}

bool configs_all_did(const struct configs *c, uint32_t i)
{
    for (uint32_t k = 0; k < c->at.n; k++)
        if (!bitset_has(c->at.at[k].done.word, i))
            return false;
    return true;
}
