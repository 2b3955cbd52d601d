/* SPDX-License-Identifier: Apache-2.0 */
/* bank: accounts 0, 1, ... with balances, between which amounts are transferred.
 *
 * A transfer is refused if the account that it takes from has less than the amount. So no balance becomes negative, and
 * the sum of all balances never changes. Since the initial sum has 64 bits, so has every balance.
 *
 * The balances are kept as the list of values that balances() returns. The digest is the sum over the accounts of a
 * hash of number and balance. */
#include "spec/accounts.h"

#include "spec/digest.h"
#include "spec/facts.h"
#include "spec/printed.h"
#include "spec/roles.h"
#include "spec/state.h"

#include <stdlib.h>
#include <string.h>

static const assay_method methods[] = {
    {"transfer", "transfer(from, to, amount) => ok or refused", BANK_TRANSFER, 3, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"balance", "balance(account) => amount", BANK_BALANCE, 1, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"balances", "balances() => [amount amount ...], of all accounts", BANK_BALANCES, 0, ASSAY_NO_KEY,
     ASSAY_RESULT_REQUIRED},
    {"read", "read() => [amount amount ...], of all accounts", BANK_BALANCES, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {0},
};

struct bank {
    struct digest digest;
    uint32_t n;
    assay_value balance[];
};

/* ---- the declaration ---- */

enum { MOST_ACCOUNTS = 1 << 20 };

/* The two numbers of `bank(3,10)`, as in the word "3,10". */
static bool parse_parameter(assay_value v, int64_t *accounts, int64_t *each)
{
    const char *digits = "0123456789";
    if (v.kind != ASSAY_WORD || v.length > 24)
        return false;
    size_t first = strspn(v.text, digits), second = v.text[first] == ',' ? strspn(v.text + first + 1, digits) : 0;
    if (!first || !second || first > 7 || second > 18 || v.text[first + 1 + second])
        return false;
    *accounts = strtoll(v.text, NULL, 10);
    *each = strtoll(v.text + first + 1, NULL, 10);
    return *accounts >= 1 && *accounts <= MOST_ACCOUNTS;
}

bool bank_declared(const assay_setting *s, struct bank_setting *out)
{
    int64_t accounts, each;
    bool fine = s->init_count <= MOST_ACCOUNTS;
    *out = (struct bank_setting){.accounts = (uint32_t)s->init_count};
    if (s->parameter.kind != ASSAY_NONE) {
        fine = !s->init_count && parse_parameter(s->parameter, &accounts, &each) &&
               !__builtin_mul_overflow(accounts, each, &out->sum);
        if (fine)
            *out = (struct bank_setting){(uint32_t)accounts, each, out->sum};
    }
    for (size_t i = 0; i < s->init_count && fine; i++) {
        const assay_binding *b = &s->init[i];
        fine = b->key.kind == ASSAY_NONE && b->value.kind == ASSAY_INT && b->value.integer >= 0 &&
               !__builtin_add_overflow(out->sum, b->value.integer, &out->sum);
    }
    return fine && out->accounts;
}

static const char *refuse(const assay_setting *s)
{
    struct bank_setting declared;
    if (bank_declared(s, &declared))
        return NULL;
    if (s->init_count && s->parameter.kind != ASSAY_NONE)
        return "its initial balances are given by `@init [10, 10, 10]`, or by a parameter as in bank(3,10), not by "
               "both";
    return s->init_count ? "its initial balances are integers from 0 on, whose sum has 64 bits: `@init [10, 10, 10]`"
                         : "say its initial balances: --init '[10, 10, 10]' or a line `# @init [10, 10, 10]`; or "
                           "bank(3,10) for 3 accounts with 10 each";
}

/* ---- calls ---- */

static bool is_natural(assay_value v)
{
    return v.kind == ASSAY_INT && v.integer >= 0;
}

static bool is_word(assay_value v, const char *word)
{
    return assay_value_same(v, assay_word(word));
}

static bool is_list_of_integers(assay_value list)
{
    bool integers = list.kind == ASSAY_LIST;
    for (; integers && list.length; list = assay_list_before(list))
        integers = assay_list_last(list).kind == ASSAY_INT;
    return integers;
}

static const char *refuse_call(const assay_call *call)
{
    bool answered = call->result.kind != ASSAY_NONE;
    for (unsigned i = 0; i < call->arg_count; i++)
        if (!is_natural(call->args[i]))
            return "accounts and amounts are integers from 0 on";
    switch (call->method) {
    case BANK_TRANSFER:
        return answered && !is_word(call->result, "ok") && !is_word(call->result, "refused")
                   ? "the result of a transfer is `ok` or `refused`"
                   : NULL;
    case BANK_BALANCE: return answered && call->result.kind != ASSAY_INT ? "a balance is an integer" : NULL;
    default: return answered && !is_list_of_integers(call->result) ? "the balances are a list of integers" : NULL;
    }
}

/* How many of its arguments are accounts? They come first. */
static unsigned accounts_of(const assay_call *call)
{
    return call->method == BANK_TRANSFER ? 2 : call->arg_count;
}

static const char *refuse_use(const assay_setting *s, const assay_call *call)
{
    int64_t accounts = (int64_t)s->init_count, each;
    if (!accounts && !parse_parameter(s->parameter, &accounts, &each))
        return NULL; /* that is the fault to report */
    for (unsigned i = 0; i < accounts_of(call); i++)
        if (call->args[i].integer >= accounts)
            return "the bank has no account of this number: they count from 0, as many as there are initial balances";
    return NULL;
}

/* ---- states ---- */

static struct digest share(const struct bank *b, size_t account)
{
    return digest_of_pair(assay_int((int64_t)account), assay_int(b->balance[account].integer));
}

static void add(struct bank *b, size_t account, int64_t amount)
{
    digest_take(&b->digest, share(b, account));
    b->balance[account].integer += amount;
    digest_add(&b->digest, share(b, account));
}

static struct bank *new_bank(uint32_t n, assay_memory *m)
{
    struct bank *b = state_get(m, sizeof *b + n * sizeof *b->balance);
    b->n = n;
    return b;
}

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    struct bank_setting declared;
    (void)key;
    bank_declared(setting, &declared);
    struct bank *b = new_bank(declared.accounts, m);
    for (uint32_t i = 0; i < b->n; i++) {
        b->balance[i] = assay_int(setting->init_count ? setting->init[i].value.integer : declared.each);
        digest_add(&b->digest, share(b, i));
    }
    return b;
}

static void *copy(const void *state, assay_memory *m)
{
    const struct bank *from = state;
    struct bank *b = new_bank(from->n, m);
    memcpy(b, from, sizeof *b + b->n * sizeof *b->balance);
    return b;
}

static void destroy(void *state, assay_memory *m)
{
    state_free(m, state);
}

static assay_effect transfer(struct bank *b, const assay_value *args, assay_value *result)
{
    size_t from = (size_t)args[0].integer, to = (size_t)args[1].integer;
    int64_t amount = args[2].integer;
    bool covered = b->balance[from].integer >= amount;
    *result = assay_word(covered ? "ok" : "refused");
    if (!covered || !amount || from == to)
        return ASSAY_SAME;
    add(b, from, -amount);
    add(b, to, amount);
    return ASSAY_CHANGED;
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct bank *b = state;
    (void)choice;
    (void)saved;
    for (unsigned i = 0; i < accounts_of(call); i++)
        if (call->args[i].integer >= b->n)
            return ASSAY_BLOCKED;
    switch (call->method) {
    case BANK_TRANSFER: return transfer(b, call->args, result);
    case BANK_BALANCE: *result = b->balance[call->args[0].integer]; return ASSAY_SAME;
    default: *result = assay_list(b->balance, b->n); return ASSAY_SAME;
    }
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    (void)saved;
    add(state, (size_t)call->args[0].integer, call->args[2].integer);
    add(state, (size_t)call->args[1].integer, -call->args[2].integer);
}

static bool equal(const void *left, const void *right)
{
    const struct bank *a = left, *b = right;
    bool same = a->n == b->n;
    for (uint32_t i = 0; i < a->n && same; i++)
        same = a->balance[i].integer == b->balance[i].integer;
    return same;
}

static assay_cut cut(const assay_call *call, assay_value *value)
{
    (void)value;
    const assay_value *args = call->args;
    bool moves = call->method == BANK_TRANSFER && args[0].integer != args[1].integer && args[2].integer;
    return !moves || is_word(call->result, "refused") ? ASSAY_CUT_ALONE : ASSAY_CUT_NEVER;
}

static size_t describe(const void *state, char *out, size_t size)
{
    const struct bank *b = state;
    struct printed p = {.out = out, .size = size};
    printed_text(&p, "[");
    for (uint32_t i = 0; i < b->n && !printed_full(&p); i++) {
        printed_text(&p, i ? ", " : "");
        printed_value(&p, b->balance[i]);
    }
    printed_text(&p, "]");
    return p.length;
}

/* A list of balances counts more than a parameter in `create`, although a user cannot give both. */
static void content(const void *state, void (*visit)(void *arg, assay_binding b), void *arg)
{
    const struct bank *b = state;
    for (uint32_t i = 0; i < b->n; i++)
        visit(arg, (assay_binding){.value = b->balance[i]});
}

const assay_spec spec_bank = {
    .version = ASSAY_SPEC_VERSION,
    .name = "bank",
    .title = "accounts between which amounts are transferred",
    .methods = methods,
    .refuse = refuse,
    .refuse_call = refuse_call,
    .refuse_use = refuse_use,
    .create = create,
    .copy = copy,
    .destroy = destroy,
    .step = step,
    .undo = undo,
    .digest = digest_at_start,
    .equal = equal,
    .cut = cut,
    .describe = describe,
    .content = content,
};

/* ---- facts ---- */

static uint32_t amounts(const assay_setting *s)
{
    struct bank_setting declared;
    return bank_declared(s, &declared) ? declared.accounts : 0;
}

static struct amount amount(const assay_setting *s, assay_value key, uint32_t which)
{
    struct bank_setting declared;
    (void)key;
    bank_declared(s, &declared);
    return (struct amount){s->init_count ? s->init[which].value.integer : declared.each, 0, AMOUNT_NO_TOP};
}

static struct amount_use use_of_balances(assay_value list, uint32_t which)
{
    for (; list.kind == ASSAY_LIST && list.length > which; list = assay_list_before(list))
        if (list.length == which + 1)
            return amount_told(assay_list_last(list).integer, assay_list_last(list).integer);
    return amount_changes(0);
}

static struct amount_use use_of_transfer(const assay_call *call, uint32_t which)
{
    bool from = call->args[0].integer == which, to = call->args[1].integer == which;
    int64_t moved = call->args[2].integer, by = (to ? moved : 0) - (from ? moved : 0);
    if (call->result.kind == ASSAY_NONE)
        return (struct amount_use){.least = by < 0 ? by : 0, .most = by > 0 ? by : 0};
    if (is_word(call->result, "refused"))
        return from ? amount_told(0, moved - 1) : amount_changes(0);
    struct amount_use u = amount_changes(by);
    u.tells = from;
    u.low = moved;
    u.high = AMOUNT_NO_TOP;
    return u;
}

static struct amount_use use(const assay_call *call, const struct amount *a, uint32_t which)
{
    (void)a;
    if (call->method == BANK_TRANSFER)
        return use_of_transfer(call, which);
    if (call->method == BANK_BALANCES)
        return use_of_balances(call->result, which);
    bool told = call->args[0].integer == which && call->result.kind == ASSAY_INT;
    return told ? amount_told(call->result.integer, call->result.integer) : amount_changes(0);
}

const struct object_facts facts_bank = {
    .spec = &spec_bank,
    .never_blocks = true,
    .counts = COUNTS_BALANCES,
    .amounts = amounts,
    .amount = amount,
    .use = use,
};
