/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/staleness/history.h"

#include "support/chance.h"

#include <stdint.h>
#include <string.h>

const char *const clock_units[5] = {NULL, "ns", "us", "ms", "s"};
const unsigned long long clock_nanoseconds[5] = {1, 1, 1000, 1000000, 1000000000};

static bool is_list(const struct history *h, int var)
{
    return h->object == TRANSACTIONS && var % 2;
}

/* The objects of SEVERAL: the first variables are those of a memory a, the last is a register b. */
static bool is_register(const struct history *h, int var, int vars)
{
    return h->object == REGISTER || h->object == CAS_REGISTER || (h->object == SEVERAL && var == vars - 1);
}

/* ---- values ---- */

struct making {
    struct history *h;
    int vars;
    int values; /* so many different ones; 0: each write has its own */
    int written;
    int known[MAX_VARS][MAX_OPS * MAX_ACCESSES], knows[MAX_VARS]; /* values that were written to a variable so far */
};

static int new_value(struct making *m, int var)
{
    int value = m->values ? below(m->values) : ++m->written;
    m->known[var][m->knows[var]++] = value;
    return value;
}

/* Mostly one that the variable had; else it may be one that is written later, or never. */
static int some_value(struct making *m, int var)
{
    if (m->knows[var] && chance(80))
        return m->known[var][below(m->knows[var])];
    int initial = m->h->initial[var];
    return initial != NO_VALUE && chance(70) ? initial : below(m->written + 3);
}

/* ---- operations ---- */

static struct access *add(struct op *o, char how, int var, int value)
{
    struct access *a = &o->access[o->n++];
    *a = (struct access){.how = how, .var = var, .value = value, .version = value, .counts = true};
    return a;
}

static void make_call(struct making *m, struct op *o)
{
    enum object object = m->h->object;
    int var = below(m->vars), what = below(10);
    if (what < 5) {
        add(o, 'r', var, object == MAP && chance(20) ? NO_VALUE : some_value(m, var));
    } else if (what < 8 || object == REGISTER || (object == SEVERAL && is_register(m->h, var, m->vars))) {
        if (object == MAP && chance(40)) /* it says which value was there */
            add(o, 'r', var, chance(20) ? NO_VALUE : some_value(m, var));
        add(o, 'w', var, object == MAP && chance(30) ? NO_VALUE : new_value(m, var));
    } else if (object != MAP) {
        int old = some_value(m, var);
        add(o, 'r', var, old);
        add(o, 'w', var, chance(20) ? old : new_value(m, var));
    } else {
        add(o, 'w', var, new_value(m, var));
    }
}

/* The list that a transaction reads ends with its own appends, or the read does not count. */
static void make_list(struct making *m, const struct op *o, struct access *a)
{
    int own[MAX_ACCESSES], owned = 0;
    for (int i = 0; i + 1 < o->n; i++)
        if (o->access[i].how == 'a' && o->access[i].var == a->var)
            own[owned++] = o->access[i].value;
    int others = below(MAX_LIST + 1);
    for (int i = 0; i < others; i++)
        a->list[a->length++] = some_value(m, a->var);
    a->version = others ? a->list[others - 1] : NO_VALUE;
    for (int i = 0; i < owned; i++)
        a->list[a->length++] = own[i];
    if (owned && chance(20)) {
        a->list[a->length - 1] += 100;
        a->counts = false;
    }
}

static void make_transaction(struct making *m, struct op *o)
{
    int n = 1 + below(MAX_ACCESSES);
    while (o->n < n) {
        int var = below(m->vars);
        bool reads = chance(55);
        if (!is_list(m->h, var)) {
            struct access *a = add(o, reads ? 'r' : 'w', var, reads ? some_value(m, var) : new_value(m, var));
            for (struct access *b = o->access; reads && b < a; b++)
                a->counts &= b->how != 'w' || b->var != var;
            if (reads && chance(5)) {
                a->value = NO_VALUE;
                a->counts = false;
            }
        } else if (reads) {
            make_list(m, o, add(o, 'R', var, 0));
        } else {
            add(o, 'a', var, new_value(m, var));
        }
    }
    o->aborted = chance(15);
}

static void mark_last(struct op *o)
{
    for (int i = 0; i < o->n; i++) {
        struct access *a = &o->access[i];
        a->last = true;
        for (int k = i + 1; k < o->n; k++)
            a->last &= o->access[k].var != a->var || strchr("rR", o->access[k].how);
    }
}

static void make_operations(struct making *m)
{
    struct history *h = m->h;
    long now[MAX_THREADS];
    bool ended[MAX_THREADS] = {0};
    int wanted = below(MAX_OPS + 1), spread = 1 + below(6);
    for (int t = 0; t < h->threads; t++)
        now[t] = below(10) - 5;
    for (int i = 0; i < wanted; i++) {
        int t = below(h->threads);
        if (ended[t])
            continue;
        struct op *o = &h->op[h->n++];
        *o = (struct op){.thread = t, .call = now[t] + below(spread)};
        o->ret = now[t] = o->call + below(spread);
        if (h->object == TRANSACTIONS)
            make_transaction(m, o);
        else
            make_call(m, o);
        mark_last(o);
        o->pending = chance(8) && !o->aborted;
        ended[t] = o->pending;
        if (o->pending)
            o->ret = INT64_MAX;
    }
}

/* ---- text ---- */

static void say_value(struct text *t, int value)
{
    if (value == NO_VALUE)
        say(t, "%s", chance(50) ? "null" : "nil");
    else
        say(t, "%d", value);
}

static void say_call(const struct history *h, const struct op *o, int vars, struct text *t)
{
    const struct access *a = &o->access[0], *w = o->n > 1 ? &o->access[1] : a;
    bool lone = is_register(h, a->var, vars), both = o->n > 1;
    if (h->object == SEVERAL)
        say(t, "%s.", lone ? "b" : "a");
    if (h->object == MAP) {
        bool removes = w->how == 'w' && w->value == NO_VALUE;
        say(t, "%s(x%d", w->how == 'r' ? "get" : removes ? "remove" : "put", a->var);
        if (w->how == 'w' && !removes)
            say(t, ", %d", w->value);
        say(t, ")");
        if (!o->pending && a->how == 'r') {
            say(t, " => ");
            say_value(t, a->value);
        }
        return;
    }
    if (both && lone)
        say(t, "cas(%d, %d)%s", a->value, w->value, o->pending ? "" : " => true");
    else if (both)
        say(t, "rmw(x%d, %d, %d)", a->var, a->value, w->value);
    else if (lone && a->how == 'w')
        say(t, "write(%d)", a->value);
    else if (a->how == 'w')
        say(t, "write(x%d, %d)", a->var, a->value);
    else if (lone)
        say(t, "read()");
    else
        say(t, "read(x%d)", a->var);
    if (a->how == 'r' && !both && !o->pending)
        say(t, " => %d", a->value);
}

static void say_list(const int *at, int n, struct text *t)
{
    say(t, "[");
    for (int i = 0; i < n; i++)
        say(t, "%s%d", i ? " " : "", at[i]);
    say(t, "]");
}

static void say_transaction(const struct op *o, struct text *t)
{
    say(t, "txn(");
    for (int i = 0; i < o->n; i++) {
        const struct access *a = &o->access[i];
        say(t, "%s%s x%d ", i ? ", " : "", a->how == 'a' ? "append" : a->how == 'w' ? "w" : "r", a->var);
        if (a->how == 'R')
            say_list(a->list, a->length, t);
        else if (a->value == NO_VALUE)
            say(t, "?");
        else
            say(t, "%d", a->value);
    }
    say(t, ")%s", o->aborted ? " => abort" : "");
}

static void say_headers(struct making *m)
{
    static const char *const kinds[] = {"memory", "register", "cas-register", "map", NULL, "multi-register"};
    struct history *h = m->h;
    struct text *t = &h->text;
    if (h->object == SEVERAL)
        say(t, "# @object a memory\n# @object b register\n");
    else
        say(t, "# @object %s\n", kinds[h->object]);
    int common = h->object != MAP && h->object != TRANSACTIONS && chance(30) ? below(4) : 0;
    if (common)
        say(t, "# @init %d\n", common);
    for (int x = 0; x < m->vars; x++) {
        bool list = is_list(h, x), said = chance(25) && !is_register(h, x, m->vars) && h->object != SEVERAL;
        h->initial[x] = said ? below(4) : h->object == MAP || list ? NO_VALUE : common;
        if (said)
            say(t, list ? "# @init x%d=[7 %d]\n" : "# @init x%d=%d\n", x, h->initial[x]);
    }
    if (h->clock)
        say(t, "# @clock %s\n", clock_units[h->clock]);
    for (int i = 0; h->nodes && i < h->threads; i++)
        if (h->node[i])
            say(t, "# @nodes t%d=%d\n", i, h->node[i]);
}

static void say_operations(struct making *m)
{
    struct text *t = &m->h->text;
    for (int i = 0; i < m->h->n; i++) {
        const struct op *o = &m->h->op[i];
        say(t, "t%d: ", o->thread);
        if (m->h->object == TRANSACTIONS)
            say_transaction(o, t);
        else
            say_call(m->h, o, m->vars, t);
        if (o->pending)
            say(t, " => ? @ %ld..\n", o->call);
        else
            say(t, " @ %ld..%ld\n", o->call, o->ret);
    }
}

void history_make(struct history *h)
{
    *h = (struct history){.object = (enum object)below(OBJECTS), .threads = 1 + below(MAX_THREADS)};
    struct making m = {.h = h, .vars = 1 + below(chance(20) ? MAX_VARS : 2), .values = chance(50) ? 1 + below(4) : 0};
    if (h->object == REGISTER || h->object == CAS_REGISTER)
        m.vars = 1;
    h->clock = chance(50) ? below(5) : 0;
    h->nodes = chance(50);
    h->skew = chance(20) ? below(3) : 0;
    bool mentioned = false;
    for (int t = 0; t < h->threads; t++)
        mentioned |= (h->node[t] = h->nodes ? below(3) : 0) != 0;
    h->nodes = mentioned;
    say_headers(&m);
    make_operations(&m);
    say_operations(&m);
}
