/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/unread.h"

#include "history/token.h"

struct unread unread_in(struct mem *m)
{
    return (struct unread){.mem = m, .values = names_in(m), .scratch = text_in(m)};
}

void unread_free(struct unread *u)
{
    history_free(u->h);
    u->h = NULL;
}

static void print(struct unread *u, const history *h, struct value key, struct value v)
{
    u->scratch.n = 0;
    token_print(&u->scratch, h, key);
    text_char(&u->scratch, ' ');
    token_print(&u->scratch, h, v);
}

static bool is_read(const history *h, uint32_t op, uint32_t access)
{
    return history_arg(h, op, 3 * access).bits == names_find(&h->names, "r", 1);
}

void unread_put(struct unread *u, history *from, uint32_t op, uint64_t arrived, uint64_t now)
{
    if (!u->h)
        u->h = history_new();
    struct carry carry = {.from = from, .to = u->h};
    uint32_t entry = carry_operation(&carry, op);
    carry_end(&carry);
    vec_push(u->mem, &u->entries, ((struct unread_entry){now, arrived, false}));
    for (uint32_t i = 0; 3 * i < history_arity(u->h, entry); i++) {
        if (is_read(u->h, entry, i))
            continue;
        print(u, u->h, history_arg(u->h, entry, 3 * i + 1), history_arg(u->h, entry, 3 * i + 2));
        uint32_t id = names_put(&u->values, u->scratch.at, u->scratch.n);
        if (id == u->writes.n)
            vec_push(u->mem, &u->writes, (struct unread_write){0});
        u->writes.at[id] = (struct unread_write){entry, i, false};
    }
}

uint32_t unread_find(struct unread *u, const history *h, struct value key, struct value v)
{
    if (!u->h)
        return ID_NONE;
    print(u, h, key, v);
    uint32_t id = names_find(&u->values, u->scratch.at, u->scratch.n);
    bool back = id != ID_NONE && (u->writes.at[id].back || u->entries.at[u->writes.at[id].entry].whole);
    return back ? ID_NONE : id;
}

void unread_want(struct unread *u, uint32_t write)
{
    u->writes.at[write].back = true;
    uint32_t at = u->wanted.n;
    vec_push(u->mem, &u->wanted, write);
    for (; at && u->writes.at[u->wanted.at[at - 1]].entry > u->writes.at[write].entry; at--)
        u->wanted.at[at] = u->wanted.at[at - 1];
    u->wanted.at[at] = write;
}

/* Was no writer of its variables forgotten since it left? */
static bool is_untouched(const struct unread *u, uint32_t entry, struct carried *c)
{
    for (uint32_t i = 0; 3 * i < history_arity(u->h, entry); i++) {
        bool unknown = is_read(u->h, entry, i) && history_arg(u->h, entry, 3 * i + 2).kind == ASSAY_NONE;
        const struct carried_key *k = unknown ? NULL : carried_find(c, u->h, history_arg(u->h, entry, 3 * i + 1));
        if (k && k->forgotten >= u->entries.at[entry].since)
            return false;
    }
    return true;
}

bool unread_untouched(const struct unread *u, uint32_t write, struct carried *c)
{
    return is_untouched(u, u->writes.at[write].entry, c);
}

uint32_t unread_come_back(struct unread *u, history *to, struct carried *c, void (*push)(void *arg, uint64_t arrived),
                          void *arg)
{
    uint32_t line = 0;
    struct carry carry = {.from = u->h, .to = to};
    VEC(uint32_t) accesses = {0};
    for (uint32_t i = 0, end; i < u->wanted.n; i = end) {
        uint32_t entry = u->writes.at[u->wanted.at[i]].entry;
        vec_clear(&accesses);
        for (end = i; end < u->wanted.n && u->writes.at[u->wanted.at[end]].entry == entry; end++)
            vec_push(u->mem, &accesses, u->writes.at[u->wanted.at[end]].access);
        push(arg, u->entries.at[entry].arrived);
        u->entries.at[entry].whole = is_untouched(u, entry, c);
        if (u->entries.at[entry].whole) {
            carry_operation(&carry, entry);
            continue;
        }
        line = line ? line : history_line(u->h, entry);
        carry_accesses(&carry, entry, accesses.at, accesses.n);
    }
    vec_free(u->mem, &accesses);
    vec_clear(&u->wanted);
    if (carry.to)
        carry_end(&carry);
    return line;
}
