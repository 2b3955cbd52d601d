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

void carried_add(struct carried *c, struct carried_key *k, const history *h, struct value v, uint64_t line)
{
    if (k->n == k->candidates.n)
        vec_push(c->mem, &k->candidates, (struct carried_value){.text = text_in(c->mem)});
    struct carried_value *to = &k->candidates.at[k->n++];
    to->text.n = 0;
    token_print(&to->text, h, v);
    to->line = line;
}

void carried_append(struct carried *c, struct carried_key *k, const history *h, struct value v, uint64_t line)
{
    if (!k->n) {
        vec_push(c->mem, &k->candidates, (struct carried_value){.text = text_in(c->mem)});
        text_puts(&k->candidates.at[0].text, "[]");
        k->n = 1;
    }
    struct carried_value *list = &k->candidates.at[0];
    bool empty = list->text.n == 2;
    list->text.n--; /* the bracket */
    text_puts(&list->text, empty ? "" : " ");
    token_print(&list->text, h, v);
    text_char(&list->text, ']');
    list->line = line;
}

/* Behind the token, if the text goes on with it; else NULL. */
static const char *behind(const char *at, const struct text *token)
{
    if (strncmp(at, token->at, token->n) != 0)
        return NULL;
    at += token->n;
    return *at == ' ' ? at + 1 : *at == ']' ? at : NULL;
}

bool carried_splice(struct carried *c, struct carried_key *k, const history *h, const struct list_value *list,
                    bool (*late)(void *arg, struct value element), void *arg)
{
    const struct list_value **all = list_elements(list, c->mem);
    struct text spliced = text_in(c->mem);
    const char *at = text_get(&k->candidates.at[0].text) + 1;
    bool some = false, fine = true;
    for (uint32_t i = 0; fine && i < list->length && *at != ']'; i++) {
        print(c, h, all[i]->last);
        const char *next = behind(at, &c->scratch);
        text_char(&spliced, i ? ' ' : '[');
        text_add(&spliced, c->scratch.at, c->scratch.n);
        fine = next || late(arg, all[i]->last);
        some |= !next;
        at = next ? next : at;
    }
    fine = fine && some && *at == ']';
    if (fine) {
        text_char(&spliced, ']');
        k->candidates.at[0].text.n = 0;
        text_add(&k->candidates.at[0].text, spliced.at, spliced.n);
    }
    mem_free(c->mem, spliced.at);
    mem_free(c->mem, (void *)(uintptr_t)all);
    return fine;
}

void carried_choose(struct carried_key *k, uint32_t candidate)
{
    struct carried_value chosen = k->candidates.at[candidate];
    k->candidates.at[candidate] = k->candidates.at[0];
    k->candidates.at[0] = chosen;
    k->n = 1;
}

uint32_t carried_candidate(struct carried *c, const struct carried_key *k, const history *h, struct value v)
{
    print(c, h, v);
    for (uint32_t i = 0; i < k->n; i++)
        if (k->candidates.at[i].text.n == c->scratch.n &&
            memcmp(k->candidates.at[i].text.at, c->scratch.at, c->scratch.n) == 0)
            return i;
    return ID_NONE;
}
