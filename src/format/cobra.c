/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of Cobra, described in docs/guides/formats.md: one file per session, and a directory of them is one history.
 * Integers have 8 bytes, the highest first.
 *
 *     'S' transaction                                begins
 *     'W' write, key, value
 *     'R' writing transaction, write, key, value
 *     'C' transaction                                commits
 *
 * Numbers of writes are unique where values are not, so a write's number stands for its value. A read must agree with
 * the write of its number about transaction and value; else its value is one that no transaction wrote. A transaction
 * without its commit is one of unknown outcome. */
#include "format/bytes.h"
#include "format/cursor.h"
#include "format/format.h"
#include "format/recognise.h"
#include "format/txn_rows.h"

#include <string.h>

/* Cobra's numbers for a value from before the run, for none, for a deleted one, and for marks of its own that carry no
 * data. They stand for a transaction as well as for a write. */
static const uint64_t INITIAL = 0xbebeebee, NOTHING = 0xdeadbeef, DELETED = 0xabcdefab;
static const uint64_t MARK_TRUE = 0x23332333, MARK_FALSE = 0x66666666;

struct access {
    uint64_t writer, write, key, value;
    bool writes;
};

struct transaction {
    uint64_t name;
    uint32_t thread, first; /* its accesses go up to the next one's */
    bool committed;
};

struct parser {
    struct bytes b;
    history *h;
    uint32_t files;
    VEC(struct access) accesses;
    VEC(struct transaction) transactions;
    struct idmap by_write; /* number of a write -> its access */
};

/* ---- records ---- */

/* The file's name up to its dot, if that is a word and not yet taken. */
static uint32_t session_thread(struct parser *s)
{
    const char *path = input_path(s->b.in), *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = strcspn(name, ".");
    char other[16];
    uint32_t threads = s->h->threads.n;
    uint32_t thread = is_word(name, length) ? history_thread(s->h, history_name(s->h, name, length)) : ID_NONE;
    if (thread == threads)
        return thread;
    int n = snprintf(other, sizeof other, "s%" PRIu32, s->files);
    return history_thread(s->h, history_name(s->h, other, (size_t)n));
}

static void begin(struct parser *s, uint32_t thread)
{
    struct transaction t = {bytes_big(&s->b, "the number of a transaction"), thread, s->accesses.n, false};
    vec_push(&s->h->mem, &s->transactions, t);
}

static void commit(struct parser *s)
{
    uint64_t name = bytes_big(&s->b, "the number of a transaction");
    struct transaction *open = &vec_last(&s->transactions);
    if (name != open->name)
        BYTES_FAULT(&s->b,
                    "at byte %" PRIu64 ": expected the number of the open transaction, %" PRIu64 ", found %" PRIu64,
                    s->b.read - 8, open->name, name);
    open->committed = true;
}

static void add_access(struct parser *s, bool writes)
{
    struct mem *m = &s->h->mem;
    const unsigned char *at = bytes_next(&s->b, writes ? 24 : 32, writes ? "a write" : "a read");
    struct access a = {.writer = vec_last(&s->transactions).name, .writes = writes};
    if (!writes) {
        a.writer = bytes_big_at(at);
        at += 8;
    }
    a.write = bytes_big_at(at);
    a.key = bytes_big_at(at + 8);
    a.value = bytes_big_at(at + 16);
    if (!writes && a.write == DELETED)
        BYTES_FAULT(&s->b, "at byte %" PRIu64 ": a read of a deleted key: deletions are not supported", s->b.read - 33);
    vec_push(m, &s->accesses, a);
    if (!writes)
        return;
    uint32_t *known = idmap_at(m, &s->by_write, a.write);
    if (*known == ID_NONE)
        *known = s->accesses.n - 1;
}

static void read_file(struct parser *s)
{
    uint32_t thread = session_thread(s);
    bool open = false;
    s->b.read = 0;
    s->files++;
    while (!input_at_end(s->b.in, s->b.e)) {
        unsigned char kind = *bytes_next(&s->b, 1, "a record");
        if (kind != 'S' && kind != 'W' && kind != 'R' && kind != 'C')
            BYTES_FAULT(&s->b, "at byte %" PRIu64 ": expected a record (S, W, R or C), found the byte %u",
                        s->b.read - 1, kind);
        if (!open && kind != 'S')
            BYTES_FAULT(&s->b, "at byte %" PRIu64 ": expected the begin of a transaction (S), found %c", s->b.read - 1,
                        kind);
        if (kind == 'S')
            begin(s, thread);
        else if (kind == 'C')
            commit(s);
        else
            add_access(s, kind == 'W');
        open = kind != 'C';
    }
}

/* ---- the history ---- */

static struct value word_value(struct parser *s, const char *text, size_t length)
{
    return (struct value){history_name(s->h, text, length), ASSAY_WORD};
}

static struct value value_of(struct parser *s, const struct access *a)
{
    char other[64];
    if (a->writes)
        return txn_integer((int64_t)a->write);
    if (a->writer == INITIAL && (a->write == MARK_TRUE || a->write == MARK_FALSE))
        return (struct value){0};
    if (a->write == INITIAL || a->write == NOTHING)
        return word_value(s, "nil", 3);
    uint32_t by = idmap_get(&s->by_write, a->write);
    const struct access *w = by == ID_NONE ? NULL : &s->accesses.at[by];
    if (!w || (w->writer == a->writer && w->value == a->value))
        return txn_integer((int64_t)a->write);
    int n = snprintf(other, sizeof other, "%" PRIu64 ".by-%" PRIu64 ".value-%" PRIu64, a->write, a->writer, a->value);
    return word_value(s, other, (size_t)n);
}

static void build(struct parser *s)
{
    struct txn_rows rows = txn_rows(s->h);
    txn_header(&rows, "init", "nil");
    for (uint32_t t = 0; t < s->transactions.n; t++) {
        const struct transaction *x = &s->transactions.at[t];
        uint32_t end = t + 1 < s->transactions.n ? x[1].first : s->accesses.n;
        for (uint32_t i = x->first; i < end; i++) {
            const struct access *a = &s->accesses.at[i];
            txn_access(&rows, a->writes, txn_integer((int64_t)a->key), value_of(s, a));
        }
        txn_finish(&rows, x->thread, x->committed ? TXN_COMMITTED : TXN_UNKNOWN, 0);
    }
    txn_rows_end(&rows);
}

static bool read_cobra(struct input *in, history **h, struct warnings *warnings, assay_error *e)
{
    (void)warnings;
    if (input_at_end(in, e) && !input_folder(in))
        return false;
    input_begin_history(in, h);
    struct parser s = {.b = {in, e, 0}, .h = *h};
    do
        read_file(&s);
    while (input_next_file(in, e));
    build(&s);
    idmap_free(&s.h->mem, &s.by_write);
    vec_free(&s.h->mem, &s.accesses);
    vec_free(&s.h->mem, &s.transactions);
    return s.h->n > 0;
}

/* Whole records, of which the first begins a transaction of a number below 2^56. */
static int recognise_cobra(const char *bytes, size_t n)
{
    enum { PEEKED = 4096 };
    size_t at = 0;
    if (n < 9 || bytes[0] != 'S' || bytes[1])
        return 0;
    while (at < n) {
        size_t size = bytes[at] == 'S' || bytes[at] == 'C' ? 9 : bytes[at] == 'W' ? 25 : bytes[at] == 'R' ? 33 : 0;
        if (!size)
            return 0;
        if (n - at < size)
            break;
        at += size;
    }
    return at == n || n >= PEEKED ? 95 : 60;
}

/* An empty log is one of a session without transactions. A cut one begins as it should, unless what is there are zeros,
 * which a crash leaves; a damaged one is binary, and has at least a record. */
static bool may_be_cobra(const char *bytes, size_t n)
{
    bool begins = !n || (bytes[0] == 'S' && (n == 1 || !bytes[1])) || !bytes[0];
    return begins || (n >= 9 && memchr(bytes, '\0', n));
}

const struct format format_cobra = {
    .name = "cobra",
    .title = "binary logs of Cobra; a directory of them is one history",
    .extensions = (const char *const[]){".log", NULL},
    .recognise = recognise_cobra,
    .read = read_cobra,
    .folder = may_be_cobra,
};
