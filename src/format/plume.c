/* SPDX-License-Identifier: Apache-2.0 */
/* The text of Plume, described in docs/guides/formats.md: an access a line, with key, value, session and transaction.
 *
 *     w(7,1,0,0)
 *     r(7,1,1,1)
 *     w(7,2,1,-1)
 *
 * The lines of one session with one number are a transaction, which stands where its first line stands. The number -1
 * is that of aborted transactions: the lines of a session up to its next transaction are one.
 *
 * The first transaction may only write down the initial values. It writes 0 to each key of the file, once, it is alone
 * in its session, and no other one writes a 0. Then it becomes `@init 0`. */
#include "base/group.h"
#include "format/cursor.h"
#include "format/format.h"
#include "format/recognise.h"
#include "format/txn_numbers.h"
#include "format/txn_rows.h"

#include <inttypes.h>

enum { ABORTED = -1 };

struct access {
    int64_t key, value;
    uint32_t line;
    bool writes;
};

struct transaction {
    uint32_t session;
    uint32_t line;
    bool aborted;
};

struct session {
    int64_t name;
    int64_t last_number;
    uint32_t last; /* the transaction of this number, or ID_NONE */
    uint32_t count;
    struct idmap of_number;
};

struct parser {
    struct cursor c;
    history *h;
    VEC(struct access) accesses;
    VEC(uint32_t) transaction_of; /* an access */
    VEC(struct transaction) transactions;
    VEC(struct session) sessions;
    struct idmap session_of_number;
};

/* ---- lines ---- */

static _Noreturn void not_an_access(struct parser *s)
{
    FAULT_REMEDY(&s->c, s->c.p, "one access a line; -f names another format",
                 "expected an access, as in `r(key,value,session,transaction)`, with whole numbers in it");
}

static int64_t number(struct parser *s, char behind)
{
    skip_space(&s->c);
    if (!at_digit(&s->c) && *s->c.p != '-')
        not_an_access(s);
    int64_t n = cursor_integer(&s->c, "a whole number");
    skip_space(&s->c);
    if (*s->c.p != behind)
        not_an_access(s);
    s->c.p++;
    return n;
}

static struct session *session_of(struct parser *s, int64_t name)
{
    struct mem *m = &s->h->mem;
    uint32_t *known = idmap_at(m, &s->session_of_number, (uint64_t)name);
    if (*known == ID_NONE) {
        struct session new = {.name = name, .last = ID_NONE};
        *known = s->sessions.n;
        vec_push(m, &s->sessions, new);
    }
    return &s->sessions.at[*known];
}

static uint32_t new_transaction(struct parser *s, struct session *session, bool aborted)
{
    struct transaction t = {(uint32_t)(session - s->sessions.at), (uint32_t)s->c.line.number, aborted};
    vec_push(&s->h->mem, &s->transactions, t);
    session->count++;
    return s->transactions.n - 1;
}

/* An aborted transaction goes on only right behind itself. */
static uint32_t transaction_of(struct parser *s, struct session *session, int64_t name)
{
    if (session->last != ID_NONE && session->last_number == name)
        return session->last;
    session->last_number = name;
    if (name == ABORTED)
        return session->last = new_transaction(s, session, true);
    uint32_t *known = idmap_at(&s->h->mem, &session->of_number, (uint64_t)name);
    if (*known == ID_NONE)
        *known = new_transaction(s, session, false);
    return session->last = *known;
}

static void access_line(struct parser *s)
{
    struct mem *m = &s->h->mem;
    skip_space(&s->c);
    if (s->c.p == s->c.line.end)
        return;
    struct access a = {.writes = *s->c.p == 'w', .line = (uint32_t)s->c.line.number};
    if ((*s->c.p != 'r' && !a.writes) || s->c.p[1] != '(')
        not_an_access(s);
    s->c.p += 2;
    a.key = number(s, ',');
    a.value = number(s, ',');
    struct session *session = session_of(s, number(s, ','));
    uint32_t t = transaction_of(s, session, number(s, ')'));
    skip_space(&s->c);
    if (s->c.p != s->c.line.end)
        FAULT(&s->c, s->c.p, "expected the end of the line: one access a line");
    vec_push(m, &s->accesses, a);
    vec_push(m, &s->transaction_of, t);
}

/* ---- the initial values ---- */

/* Does the first transaction only write 0 to each key, alone in its session, and no other one writes a 0? */
static bool begins_with_init(struct parser *s)
{
    struct idmap initial = {0};
    bool is = s->transactions.n > 1 && !s->transactions.at[0].aborted &&
              s->sessions.at[s->transactions.at[0].session].count == 1;
    for (int first = 1; is && first >= 0; first--)
        for (uint32_t i = 0; is && i < s->accesses.n; i++) {
            const struct access *a = &s->accesses.at[i];
            if ((s->transaction_of.at[i] == 0) != first)
                continue;
            uint32_t *known = first ? idmap_at(&s->h->mem, &initial, (uint64_t)a->key) : NULL;
            is = first ? a->writes && a->value == 0 && *known == ID_NONE
                       : idmap_get(&initial, (uint64_t)a->key) != ID_NONE && !(a->writes && a->value == 0);
            if (known)
                *known = i;
        }
    idmap_free(&s->h->mem, &initial);
    return is;
}

/* ---- the history ---- */

static uint32_t thread_of(struct parser *s, uint32_t session)
{
    char text[24];
    int n = snprintf(text, sizeof text, "%" PRId64, s->sessions.at[session].name);
    return history_thread(s->h, history_name(s->h, text, (size_t)n));
}

static void build(struct parser *s)
{
    struct mem *m = &s->h->mem;
    struct groups of = group_by(s->transaction_of.at, s->accesses.n, s->transactions.n, m);
    struct txn_rows rows = txn_rows(s->h);
    uint32_t t = 0;
    if (begins_with_init(s)) {
        txn_header(&rows, "init", "0");
        t = 1;
    }
    for (; t < s->transactions.n; t++) {
        const struct transaction *x = &s->transactions.at[t];
        for (uint32_t i = of.at[t]; i < of.at[t + 1]; i++) {
            const struct access *a = &s->accesses.at[of.list[i]];
            txn_access_in(&rows, a->writes, txn_integer(a->key), txn_integer(a->value), a->line);
        }
        txn_finish(&rows, thread_of(s, x->session), x->aborted ? TXN_ABORTED : TXN_COMMITTED, x->line);
    }
    txn_rows_end(&rows);
    groups_free(&of, m);
}

static bool read_plume(struct input *in, history **h, struct warnings *warnings, assay_error *e)
{
    input_begin_history(in, h);
    struct parser s = {.c = {.in = in, .e = e, .warnings = warnings}, .h = *h};
    while (cursor_line(&s.c))
        access_line(&s);
    if (!s.accesses.n)
        return false;
    build(&s);
    struct mem *m = &s.h->mem;
    for (uint32_t i = 0; i < s.sessions.n; i++)
        idmap_free(m, &s.sessions.at[i].of_number);
    idmap_free(m, &s.session_of_number);
    vec_free(m, &s.accesses);
    vec_free(m, &s.transaction_of);
    vec_free(m, &s.transactions);
    vec_free(m, &s.sessions);
    return true;
}

/* ---- writing ---- */

static void write_plume(const history *h, const struct writing *w)
{
    struct txn_numbers numbers = txn_numbers(h, w, "plume");
    struct txn_number a;
    if (w->index) {
        error_set(w->e, ASSAY_ERROR_NOT_APPLICABLE, "plume holds one history a file");
        escape_raise(ESCAPE_ERROR);
    }
    for (uint32_t op = 0; op < h->n; op++)
        for (uint32_t i = 0; i < txn_count(h, op); i++)
            if (txn_number(&numbers, op, i, &a))
                fprintf(w->out, "%c(%" PRId64 ",%" PRId64 ",%" PRIu32 ",%" PRId64 ")\n", a.writes ? 'w' : 'r', a.key,
                        a.value, h->thread[op], txn_aborted(h, op) ? (int64_t)ABORTED : (int64_t)op);
}

/* ---- recognising ---- */

/* Behind a number and the character behind it, or `end`. */
static const char *behind_number(const char *p, const char *end, char behind)
{
    p = recognise_blank(p, end);
    p += p < end && *p == '-';
    const char *from = p;
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    if (p == from)
        return end;
    p = recognise_blank(p, end);
    return p < end && *p == behind ? p + 1 : end;
}

static int recognise_plume(const char *bytes, size_t n)
{
    const char *end = bytes + n, *p = recognise_start(bytes, end, '\0');
    if (end - p < 3 || (*p != 'r' && *p != 'w') || p[1] != '(')
        return 0;
    const char *first = behind_number(p + 2, end, ','), *second = behind_number(first, end, ',');
    const char *third = behind_number(second, end, ',');
    return third < end && recognise_find(third, recognise_line_end(third, end), ")") ? 90 : 0;
}

const struct format format_plume = {
    .name = "plume",
    .title = "transactions of registers as Plume has them, an access a line",
    .extensions = (const char *const[]){".plume", NULL},
    .recognise = recognise_plume,
    .read = read_plume,
    .write = write_plume,
};
