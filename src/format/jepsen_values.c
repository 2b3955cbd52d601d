/* SPDX-License-Identifier: Apache-2.0 */
#include "format/jepsen_values.h"

#include "history/token.h"

#include <inttypes.h>
#include <string.h>

struct value jepsen_word(const struct jepsen *s, const char *word)
{
    return (struct value){history_name(s->h, word, strlen(word)), ASSAY_WORD};
}

bool jepsen_is_nil(const struct jepsen *s, uint32_t value)
{
    return value == ID_NONE || s->edn.nodes.at[edn_untag(&s->edn, value)].kind == EDN_NIL;
}

/* ---- keys ---- */

/* Jepsen writes a pair of an independent key and a value as a map entry. */
static bool is_tagged_pair(const struct jepsen *s, uint32_t value)
{
    const struct edn *e = &s->edn;
    const struct edn_node *tag = &e->nodes.at[value];
    static const char entry[] = "MapEntry", tuple[] = "tuple";
    if (tag->kind != EDN_TAG)
        return false;
    const char *end = edn_text(e, value) + tag->length;
    return (tag->length >= sizeof entry - 1 && memcmp(end - (sizeof entry - 1), entry, sizeof entry - 1) == 0) ||
           (tag->length >= sizeof tuple - 1 && memcmp(end - (sizeof tuple - 1), tuple, sizeof tuple - 1) == 0);
}

bool jepsen_is_pair(const struct jepsen *s, uint32_t value)
{
    return edn_is_sequence(&s->edn, value) && edn_count(&s->edn, value) == 2;
}

bool jepsen_has_key(const struct jepsen *s, const struct jepsen_function *f, uint32_t value)
{
    if (value == ID_NONE || f->families == JEPSEN_TXN || f->families == JEPSEN_APPEND_MAP)
        return false;
    if (is_tagged_pair(s, value))
        return jepsen_is_pair(s, edn_untag(&s->edn, value));
    if (f->shape == SHAPE_OTHER || !(f->families & JEPSEN_REGISTER) || !jepsen_is_pair(s, value))
        return false;
    return f->shape != SHAPE_CAS || jepsen_is_pair(s, edn_child(&s->edn, value, 1));
}

uint32_t jepsen_bare_value(const struct jepsen *s, const struct jepsen_event *event)
{
    if (!s->keyed || event->value == ID_NONE)
        return event->value;
    uint32_t pair = edn_untag(&s->edn, event->value);
    if (!jepsen_is_pair(s, pair))
        EDN_FAULT(&s->edn, event->value, "expected a pair [key value]");
    return edn_child(&s->edn, pair, 1);
}

/* ---- arguments ---- */

static void argument(struct jepsen *s, struct value v)
{
    vec_push(&s->h->mem, &s->args, v);
}

static void argument_key(struct jepsen *s, const struct jepsen_function *f, const struct jepsen_event *event)
{
    uint32_t key = ID_NONE;
    if (s->keyed)
        key = edn_child(&s->edn, edn_untag(&s->edn, event->value), 0);
    else if (f->families == JEPSEN_APPEND_MAP)
        key = event->key;
    else
        return;
    if (key == ID_NONE)
        EDN_FAULT(&s->edn, event->whole, "expected the operation's key, as in `:key \"k\"`");
    argument(s, edn_value(&s->edn, key, s->h, "a key"));
}

const struct arguments *jepsen_transaction(struct jepsen *s, const struct jepsen_event *event, bool known)
{
    const struct edn *e = &s->edn;
    uint32_t list = event->value;
    vec_clear(&s->args);
    if (list == ID_NONE || !edn_is_sequence(e, list))
        EDN_FAULT(e, list == ID_NONE ? event->whole : list, "expected a transaction, as in [[:r x nil] [:w y 2]]");
    elle_arguments(e, list, known, s->h, &s->args);
    return &s->args;
}

/* ---- workloads whose calls have other words ---- */

bool jepsen_is_insert(const struct jepsen *s, uint32_t value)
{
    const struct edn *e = &s->edn;
    uint32_t pair = value == ID_NONE ? ID_NONE : edn_untag(e, value);
    uint32_t ids = pair != ID_NONE && jepsen_is_pair(s, pair) ? edn_untag(e, edn_child(e, pair, 1)) : ID_NONE;
    return ids != ID_NONE && jepsen_is_pair(s, ids) &&
           jepsen_is_nil(s, edn_child(e, ids, 0)) != jepsen_is_nil(s, edn_child(e, ids, 1));
}

/* The row of this key in a table, `key.a` or `key.b`. */
static struct value row_of(struct jepsen *s, struct value key, char table)
{
    s->scratch.n = 0;
    token_print(&s->scratch, s->h, key);
    text_char(&s->scratch, '.');
    text_char(&s->scratch, table);
    return jepsen_word(s, text_get(&s->scratch));
}

/* An insert looks for rows of its key in two tables and finds none. It puts its own row into the first table if it has
 * the first id, else into the second. The two inserts of a key look by a predicate. Since only they have this key, one
 * register for each table says the same. */
const struct arguments *jepsen_insert(struct jepsen *s, const struct jepsen_event *event, bool known)
{
    const struct edn *e = &s->edn;
    uint32_t pair = edn_untag(e, event->value), ids = edn_untag(e, edn_child(e, pair, 1));
    uint32_t at = edn_child(e, pair, 0);
    bool second = jepsen_is_nil(s, edn_child(e, ids, 0));
    struct value key = edn_value(e, at, s->h, "a key");
    if (key.kind == ASSAY_STRING)
        EDN_FAULT(e, at, "expected a key that is a word or an integer");
    vec_clear(&s->args);
    for (char table = 'a'; table <= 'b'; table++) {
        argument(s, jepsen_word(s, "r"));
        argument(s, row_of(s, key, table));
        argument(s, known ? jepsen_word(s, "nil") : (struct value){0});
    }
    argument(s, jepsen_word(s, "w"));
    argument(s, row_of(s, key, second ? 'b' : 'a'));
    argument(s, edn_value(e, edn_child(e, ids, second), s->h, "an id"));
    return &s->args;
}

const struct arguments *jepsen_generated(struct jepsen *s, const struct jepsen_function *f,
                                         const struct jepsen_event *event)
{
    uint32_t value = jepsen_bare_value(s, event);
    vec_clear(&s->args);
    argument_key(s, f, event);
    argument(s, jepsen_is_nil(s, value) ? jepsen_word(s, "nil")
                                        : edn_value(&s->edn, value, s->h, "the value that was generated"));
    return &s->args;
}

static void argument_pair(struct jepsen *s, const struct jepsen_event *event, uint32_t value)
{
    const struct edn *e = &s->edn;
    uint32_t pair = value == ID_NONE ? ID_NONE : edn_untag(e, value);
    if (pair == ID_NONE || !jepsen_is_pair(s, pair))
        EDN_FAULT(e, value == ID_NONE ? event->whole : value, "expected the value of a cas, [old new]");
    argument(s, edn_value(e, edn_child(e, pair, 0), s->h, "the old value"));
    argument(s, edn_value(e, edn_child(e, pair, 1), s->h, "the new value"));
}

struct value jepsen_element(struct jepsen *s, uint32_t value)
{
    if (jepsen_is_nil(s, value))
        EDN_FAULT_REMEDY(&s->edn, value, "give it another name in the log, :none say",
                         "nil is the result of a removal that found nothing, not a value");
    return edn_value(&s->edn, value, s->h, "a single value");
}

/* {:from 0, :to 1, :amount 5}. */
static void argument_transfer(struct jepsen *s, const struct jepsen_event *event, uint32_t value)
{
    static const char *const parts[] = {"from", "to", "amount"};
    const struct edn *e = &s->edn;
    uint32_t map = value == ID_NONE ? ID_NONE : edn_untag(e, value);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        uint32_t part = map == ID_NONE ? ID_NONE : edn_lookup(e, map, parts[i]);
        if (part == ID_NONE)
            EDN_FAULT(e, value == ID_NONE ? event->whole : value,
                      "expected the value of a transfer, as in {:from 0, :to 1, :amount 5}");
        argument(s, edn_value(e, part, s->h, "an account or an amount"));
    }
}

/* Several values are as many arguments. */
static void argument_row(struct jepsen *s, uint32_t value)
{
    const struct edn *e = &s->edn;
    if (jepsen_is_nil(s, value))
        return;
    uint32_t row = edn_untag(e, value);
    if (!edn_is_sequence(e, row))
        argument(s, edn_value(e, row, s->h, "a value"));
    else
        for (uint32_t i = row + 1; i < e->nodes.at[row].end; i = e->nodes.at[i].end)
            argument(s, edn_value(e, i, s->h, "a value"));
}

const struct arguments *jepsen_arguments(struct jepsen *s, const struct jepsen_function *f,
                                         const struct jepsen_event *event)
{
    if (f->shape == SHAPE_TXN)
        return jepsen_transaction(s, event, false);
    if (f->shape == SHAPE_INSERT)
        return jepsen_insert(s, event, false);
    vec_clear(&s->args);
    argument_key(s, f, event);
    uint32_t value = jepsen_bare_value(s, event);
    switch (f->shape) {
    case SHAPE_CAS: argument_pair(s, event, value); break;
    case SHAPE_TRANSFER: argument_transfer(s, event, value); break;
    case SHAPE_OTHER: argument_row(s, value); break;
    case SHAPE_WRITE:
    case SHAPE_TEST:
        if (f->families == (JEPSEN_SET | JEPSEN_COUNTER) && jepsen_is_nil(s, value))
            EDN_FAULT_REMEDY(&s->edn, event->whole, jepsen_read_workloads,
                             "an :add without a value, as the workload monotonic has it, which is not read");
        if (value == ID_NONE)
            EDN_FAULT(&s->edn, event->whole, "expected a single value");
        argument(s, f->families & (JEPSEN_QUEUE | JEPSEN_STACK) ? jepsen_element(s, value)
                                                                : edn_value(&s->edn, value, s->h, "a single value"));
        break;
    default: break;
    }
    return &s->args;
}

/* ---- results ---- */

/* The number of an account; in JSON it is a text, as all keys are. -1: it is no number. */
static int64_t account_at(const struct edn *e, uint32_t key)
{
    const struct edn_node *node = &e->nodes.at[key];
    const char *digits = e->json && node->kind == EDN_KEYWORD ? edn_text(e, key) : "";
    int64_t number = 0;
    if (node->kind == EDN_INT)
        return node->integer;
    if (!*digits || node->length > 9 || (*digits == '0' && node->length > 1))
        return -1;
    for (uint32_t i = 0; i < node->length; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return -1;
        number = number * 10 + digits[i] - '0';
    }
    return number;
}

/* {0 10, 1 20} as [10 20]: the accounts of a bank count from 0. */
static struct value balances(struct jepsen *s, uint32_t map)
{
    const struct edn *e = &s->edn;
    uint32_t accounts = edn_count(e, map) / 2;
    vec_clear(&s->args);
    for (uint32_t i = 0; i < accounts; i++)
        argument(s, (struct value){0});
    for (uint32_t key = map + 1; key < e->nodes.at[map].end;) {
        uint32_t balance = edn_behind(e, map, key);
        int64_t account = account_at(e, key);
        if (account < 0 || account >= accounts || s->args.at[account].kind != ASSAY_NONE)
            EDN_FAULT_REMEDY(e, key, "number the accounts 0, 1, 2 and so on", "expected one of %" PRIu32 " accounts",
                             accounts);
        s->args.at[account] = edn_value(e, balance, s->h, "a balance");
        key = e->nodes.at[balance].end;
    }
    struct value list = {lists_empty(&s->h->mem, &s->h->lists), ASSAY_LIST};
    for (uint32_t i = 0; i < accounts; i++)
        list = history_longer(s->h, list, s->args.at[i]);
    return list;
}

struct value jepsen_read_value(struct jepsen *s, const struct jepsen_event *event, uint32_t value)
{
    const struct edn *e = &s->edn;
    uint32_t bare = edn_untag(e, value);
    enum edn_kind kind = e->nodes.at[bare].kind;
    bool map = kind == EDN_MAP, whole = map || kind == EDN_SET || edn_is_sequence(e, bare);
    unsigned single_families = JEPSEN_ALL & ~(unsigned)(JEPSEN_SET | JEPSEN_BANK);
    unsigned whole_families = map ? JEPSEN_BANK : JEPSEN_SET | JEPSEN_BANK;
    if (whole && !(s->families & whole_families))
        EDN_FAULT(e, value, "expected the value that was read, found a collection");
    if (!whole && !(s->families & single_families))
        EDN_FAULT(e, value,
                  s->families == JEPSEN_BANK ? "expected the balances, as in {0 10, 1 20}"
                                             : "expected the elements, as in #{1 2}");
    jepsen_narrow(s, whole ? whole_families : single_families, event);
    return map     ? balances(s, bare)
           : whole ? edn_list(e, bare, s->h)
                   : edn_value(e, value, s->h, "the value that was read");
}
