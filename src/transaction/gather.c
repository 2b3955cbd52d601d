/* SPDX-License-Identifier: Apache-2.0 */
/* One pass over the columns of the history.
 *
 * Values are found without hashing where they are counted: a value leads to the first access that writes it, to any
 * key. Often this is the access sought, for stores whose test numbers all writes. If it writes another key, each key
 * has its own table, for tests that number the writes of each key. */
#include "transaction/gather.h"

#include <string.h>

static uint32_t word(const history *h, const char *text)
{
    return names_find(&h->names, text, strlen(text));
}

static bool is_word(const history *h, uint32_t at, uint32_t name)
{
    return h->value_kind[at] == ASSAY_WORD && (uint32_t)h->value_bits[at] == name;
}

/* ---- keys ---- */

static uint32_t key_of(struct gathered *g, uint32_t at)
{
    struct value key = history_value(g->h, at);
    uint32_t x = value_id(g->m, &g->ids, key);
    if (x == g->keys.n) {
        struct value initial = history_initial(g->h, key);
        struct gathered_key new = {
            .at = at, .op = ID_NONE, .kind = KEY_UNSAID, .initial = initial.bits, .initial_kind = initial.kind};
        vec_push(g->m, &g->keys, new);
    }
    return x;
}

static void place_access(const struct gathered *g, uint32_t op, uint32_t i)
{
    uint32_t line = history_access_line(g->h, op, i);
    if (line)
        g->e->line = line;
}

/* `@init [1]` has elements of one object, and looks like a list for all variables. */
static bool looks_like_list(const history *h, const struct binding *b)
{
    return *h->headers.at[b->header].text == '[';
}

/* The initial value that a variable is declared with by its name is of its kind. One for all variables is for
 * registers. */
static void check_initial(const struct gathered *g, const struct gathered_key *k, uint32_t op, uint32_t i)
{
    const history *h = g->h;
    bool list = k->kind == KEY_LIST;
    const struct binding *named = bindings_find(&h->init, history_value(h, k->at));
    const struct binding *all = bindings_find(&h->init, (struct value){.kind = ASSAY_NONE});
    if (named ? list == (named->value.kind == ASSAY_LIST) : !list || !all || !looks_like_list(h, all))
        return;
    history_fault(h, op, g->e, ASSAY_ERROR_INPUT, "access %u uses a variable as a %s, but %s", i + 1,
                  list ? "list" : "register",
                  !named ? "the initial value `[...]` is none of a variable"
                  : list ? "its declared initial value is not a list"
                         : "its declared initial value is a list");
    place_access(g, op, i);
    error_remedy(g->e, "declare it with its name, as in `# @init %s`", list ? "x=[1 2]" : "x=1");
    escape_raise(ESCAPE_ERROR);
}

/* A key is a register or a list, in all of the history. */
static void say_kind(struct gathered *g, uint32_t x, enum key_kind kind, uint32_t op, uint32_t i)
{
    struct gathered_key *k = &g->keys.at[x];
    if (k->kind == kind)
        return;
    if (k->kind == KEY_UNSAID) {
        k->kind = (uint8_t)kind;
        k->said = i;
        k->said_by = op;
        if (g->h->init.n)
            check_initial(g, k, op, i);
        return;
    }
    const history *h = g->h;
    const char *now = kind == KEY_LIST ? "list" : "register", *before = kind == KEY_LIST ? "register" : "list";
    uint32_t line = history_access_line(h, k->said_by, k->said);
    if (line)
        history_fault(h, op, g->e, ASSAY_ERROR_INPUT, "access %u uses a variable as a %s that is a %s in line %u",
                      i + 1, now, before, line);
    else
        history_fault(h, op, g->e, ASSAY_ERROR_INPUT, "access %u uses a variable as a %s that is a %s in operation %u",
                      i + 1, now, before, k->said_by);
    place_access(g, op, i);
    error_remedy(g->e, "a variable is written and read, or appended to and read as a list, not both");
    escape_raise(ESCAPE_ERROR);
}

/* ---- values that were written ---- */

static uint32_t *other_access(struct gathered *g, uint32_t x, struct value v, uint32_t first)
{
    if (v.kind == ASSAY_INT)
        return idmap_at(g->m, &g->keys.at[x].accesses, (uint64_t)v.bits);
    return idmap_at(g->m, &g->written_too, (uint64_t)x << 32 | first);
}

static void enter(struct gathered *g, uint32_t x, struct value v, uint32_t access)
{
    uint32_t *id = idmap_at(g->m, &g->written.of_kind[v.kind], (uint64_t)v.bits);
    if (*id != ID_NONE && g->access_key[*id] != x)
        id = other_access(g, x, v, *id);
    if (*id == ID_NONE) {
        *id = access;
        return;
    }
    uint32_t *second = idmap_at(g->m, &g->again, *id);
    if (*second == ID_NONE)
        *second = access;
}

uint32_t gathered_find(const struct gathered *g, uint32_t key, struct value v)
{
    uint32_t first = idmap_get(&g->written.of_kind[v.kind], (uint64_t)v.bits);
    if (first == ID_NONE || g->access_key[first] == key)
        return first;
    if (v.kind == ASSAY_INT)
        return idmap_get(&g->keys.at[key].accesses, (uint64_t)v.bits);
    return idmap_get(&g->written_too, (uint64_t)key << 32 | first);
}

/* ---- accesses ---- */

static void write(struct gathered *g, uint32_t op, uint32_t x, uint32_t access)
{
    struct gathered_key *k = &g->keys.at[x];
    if (k->op != op) {
        struct gathered_write new = {x, op, access};
        k->op = op;
        k->write = g->writes.n;
        vec_push(g->m, &g->writes, new);
    }
    g->writes.at[k->write].last = access;
    g->access_key[access] = x;
    g->access_write[access] = k->write;
    enter(g, x, history_value(g->h, 3 * access + op + 2), access);
}

static void append(struct gathered *g, uint32_t op, uint32_t x, uint32_t access)
{
    const struct gathered_key *k = &g->keys.at[x];
    if (!g->access_before)
        g->access_before = mem_new(g->m, uint32_t, history_accesses(g->h, g->h->n));
    g->access_before[access] = k->op == op ? g->writes.at[k->write].last : ID_NONE;
    write(g, op, x, access);
}

/* Does the operation write the value to the key behind the access? */
static bool writes_later(const struct gathered *g, uint32_t op, uint32_t access, struct value v)
{
    const history *h = g->h;
    uint32_t end = history_accesses(h, op + 1);
    struct value key = history_value(h, 3 * access + op + 1);
    for (uint32_t a = access + 1; a < end; a++)
        if (!is_word(h, 3 * a + op, g->word_read) && value_same(history_value(h, 3 * a + op + 1), key) &&
            value_same(history_value(h, 3 * a + op + 2), v))
            return true;
    return false;
}

static void note_own(struct gathered *g, uint32_t op, uint32_t access, struct value v)
{
    enum pattern p = writes_later(g, op, access, v) ? PATTERN_FutureRead : PATTERN_InternalRead;
    gathered_note(g, p, op, access - history_accesses(g->h, op), op);
}

static void read_register(struct gathered *g, uint32_t op, uint32_t x, uint32_t access)
{
    const struct gathered_key *k = &g->keys.at[x];
    if (k->op == op) {
        struct value v = history_value(g->h, 3 * access + op + 2);
        if (!value_same(v, history_value(g->h, 3 * g->writes.at[k->write].last + op + 2)))
            note_own(g, op, access, v);
        return;
    }
    struct gathered_read new = {x, ID_NONE, ID_NONE, access - history_accesses(g->h, op), TXN_INIT};
    vec_push(g->m, &g->reads, new);
}

/* Own appends so far are the end of the list. The list before them comes from others. */
static void read_list(struct gathered *g, uint32_t op, uint32_t x, uint32_t access)
{
    const history *h = g->h;
    const struct gathered_key *k = &g->keys.at[x];
    const struct list_value *list = h->lists.all.at[history_value(h, 3 * access + op + 2).bits];
    uint32_t last = k->op == op ? g->writes.at[k->write].last : ID_NONE;
    for (uint32_t own = last; own != ID_NONE; own = g->access_before[own], list = list->before)
        if (!list->before || !value_same(list->last, history_value(h, 3 * own + op + 2))) {
            note_own(g, op, access, list->before ? list->last : (struct value){.kind = ASSAY_NONE});
            return;
        }
    struct gathered_read new = {x, list->id, last, access - history_accesses(h, op), TXN_INIT};
    vec_push(g->m, &g->reads, new);
}

static void read(struct gathered *g, uint32_t op, uint32_t access)
{
    const history *h = g->h;
    uint32_t at = 3 * access + op, i = access - history_accesses(h, op);
    uint8_t kind = h->value_kind[at + 2];
    if (g->outcome[op] == OUTCOME_ABORTED || kind == ASSAY_NONE || is_word(h, at + 2, g->word_unknown))
        return;
    uint32_t x = key_of(g, at + 1);
    say_kind(g, x, kind == ASSAY_LIST ? KEY_LIST : KEY_REGISTER, op, i);
    if (kind == ASSAY_LIST)
        read_list(g, op, x, access);
    else
        read_register(g, op, x, access);
}

static enum outcome outcome_of(const struct gathered *g, uint32_t op)
{
    if (history_pending(g->h, op))
        return OUTCOME_UNKNOWN;
    return is_word(g->h, g->h->values_at[op + 1] - 1, g->word_abort) ? OUTCOME_ABORTED : OUTCOME_COMMITTED;
}

static void gather_operation(struct gathered *g, uint32_t op)
{
    const history *h = g->h;
    uint32_t from = history_accesses(h, op), end = history_accesses(h, op + 1);
    g->outcome[op] = (uint8_t)outcome_of(g, op);
    for (uint32_t a = from; a < end; a++) {
        uint32_t how = (uint32_t)h->value_bits[3 * a + op];
        if (how == g->word_read) {
            read(g, op, a);
            continue;
        }
        uint32_t x = key_of(g, 3 * a + op + 1);
        say_kind(g, x, how == g->word_append ? KEY_LIST : KEY_REGISTER, op, a - from);
        (how == g->word_append ? append : write)(g, op, x, a);
    }
}

void gather(struct gathered *g)
{
    const history *h = g->h;
    uint32_t accesses = history_accesses(h, h->n);
    g->word_read = word(h, "r");
    g->word_write = word(h, "w");
    g->word_append = word(h, "append");
    g->word_abort = word(h, "abort");
    g->word_unknown = word(h, "?");
    g->outcome = mem_new(g->m, uint8_t, (size_t)h->n + 1);
    g->access_key = mem_new(g->m, uint32_t, (size_t)accesses + 1);
    g->access_write = mem_new(g->m, uint32_t, (size_t)accesses + 1);
    g->writes_at = mem_new(g->m, uint32_t, (size_t)h->n + 1);
    g->reads_at = mem_new(g->m, uint32_t, (size_t)h->n + 1);
    for (uint32_t op = 0; op < h->n; op++) {
        g->writes_at[op] = g->writes.n;
        g->reads_at[op] = g->reads.n;
        gather_operation(g, op);
    }
    g->writes_at[h->n] = g->writes.n;
    g->reads_at[h->n] = g->reads.n;
}

void gathered_free(struct gathered *g)
{
    for (uint32_t x = 0; x < g->keys.n; x++)
        idmap_free(g->m, &g->keys.at[x].accesses);
    value_ids_free(g->m, &g->ids);
    value_ids_free(g->m, &g->written);
    idmap_free(g->m, &g->written_too);
    idmap_free(g->m, &g->again);
    mem_free(g->m, g->outcome);
    mem_free(g->m, g->access_key);
    mem_free(g->m, g->access_write);
    mem_free(g->m, g->access_before);
    mem_free(g->m, g->writes_at);
    mem_free(g->m, g->reads_at);
    vec_free(g->m, &g->keys);
    vec_free(g->m, &g->writes);
    vec_free(g->m, &g->reads);
    vec_free(g->m, &g->anomalies);
}
