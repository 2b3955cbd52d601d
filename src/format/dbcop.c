/* SPDX-License-Identifier: Apache-2.0 */
/* Histories of dbcop, described in docs/guides/formats.md: sessions of transactions of reads and writes. A file is one
 * history, in the bincode encoding (little-endian) or in JSON.
 *
 *     bincode   five integers; three strings; sessions, each of transactions, each of events and a success
 *               (an event: is it a write, key, value, success); a sequence has its length in front
 *     JSON      [[{"events":[{"Write":{"variable":0,"version":1}}],"committed":true}]], or this under "data"
 *
 * An event without success did not happen. Registers are 0 at first; in JSON with versions they have none (null). */
#include "format/bytes.h"
#include "format/edn_form.h"
#include "format/format.h"
#include "format/recognise.h"
#include "format/txn_numbers.h"
#include "format/txn_rows.h"

static uint32_t session_thread(history *h, uint32_t session)
{
    char name[16];
    int n = snprintf(name, sizeof name, "s%" PRIu32, session);
    return history_thread(h, history_name(h, name, (size_t)n));
}

/* ---- bincode ---- */

enum { INTEGERS = 5, STRINGS = 3, STRING_MOST = 4096, EVENT = 18, MOST_SESSIONS = 1 << 24 };

static bool flag(struct bytes *b, const unsigned char *at, uint64_t place, const char *what)
{
    if (*at > 1)
        BYTES_FAULT(b, "at byte %" PRIu64 ": expected %s, 0 or 1, found %u", place, what, *at);
    return *at;
}

static uint64_t length(struct bytes *b, const char *what)
{
    uint64_t at = b->read;
    int64_t n = bytes_little(b, what);
    if (n < 0)
        BYTES_FAULT(b, "at byte %" PRIu64 ": expected %s, found a negative number", at, what);
    return (uint64_t)n;
}

static void skip_preface(struct bytes *b)
{
    for (int i = 0; i < INTEGERS; i++)
        bytes_little(b, "a parameter of the history");
    for (int i = 0; i < STRINGS; i++)
        for (uint64_t left = length(b, "the length of a text"); left;) {
            size_t piece = left < STRING_MOST ? (size_t)left : STRING_MOST;
            bytes_next(b, piece, "a text");
            left -= piece;
        }
}

static void bincode_transaction(struct bytes *b, struct txn_rows *rows, uint32_t thread)
{
    for (uint64_t left = length(b, "the number of events of a transaction"); left; left--) {
        const unsigned char *at = bytes_next(b, EVENT, "an event");
        uint64_t place = b->read - EVENT;
        bool writes = flag(b, at, place, "whether an event writes");
        if (flag(b, at + EVENT - 1, place + EVENT - 1, "the success of an event"))
            txn_access(rows, writes, txn_integer(bytes_little_at(at + 1)), txn_integer(bytes_little_at(at + 9)));
    }
    uint64_t place = b->read;
    bool success = flag(b, bytes_next(b, 1, "the success of a transaction"), place, "the success of a transaction");
    txn_finish(rows, thread, success ? TXN_COMMITTED : TXN_ABORTED, 0);
}

static void read_bincode(struct input *in, history *h, assay_error *e)
{
    struct bytes b = {in, e, 0};
    struct txn_rows rows = txn_rows(h);
    skip_preface(&b);
    uint64_t sessions = length(&b, "the number of sessions");
    if (sessions > MOST_SESSIONS)
        BYTES_FAULT(&b, "at byte %" PRIu64 ": expected the number of sessions, at most %d, found %" PRIu64, b.read - 8,
                    MOST_SESSIONS, sessions);
    for (uint32_t s = 0; s < sessions; s++) {
        uint32_t thread = session_thread(h, s);
        for (uint64_t left = length(&b, "the number of transactions of a session"); left; left--)
            bincode_transaction(&b, &rows, thread);
    }
    if (!input_at_end(in, e))
        BYTES_FAULT(&b, "at byte %" PRIu64 ": expected the end of the file, found more", b.read);
    txn_rows_end(&rows);
}

/* ---- JSON ---- */

struct parser {
    struct cursor c;
    struct edn edn;
    history *h;
    struct txn_rows rows;
    bool versions; /* the events have versions, and not values */
};

static _Noreturn void not_an_event(struct parser *s, uint32_t node)
{
    EDN_FAULT(
        &s->edn, node,
        "expected an event: {\"Read\":{\"variable\":0,\"version\":1}}, a \"Write\", [\"r\",0,1], [\"w\",0,1], or an "
        "object with \"write\", \"variable\", \"value\" and \"success\"");
}

/* The value of a key of the object, or ID_NONE. */
static uint32_t member(const struct edn *e, uint32_t map, const char *key)
{
    for (uint32_t i = map + 1; i < e->nodes.at[map].end;) {
        uint32_t value = edn_behind(e, map, i);
        if (edn_is(e, i, EDN_KEYWORD, key))
            return value;
        i = e->nodes.at[value].end;
    }
    return ID_NONE;
}

static bool truth(struct parser *s, uint32_t node)
{
    const struct edn *e = &s->edn;
    if (!edn_is(e, node, EDN_SYMBOL, "true") && !edn_is(e, node, EDN_SYMBOL, "false"))
        EDN_FAULT(e, node, "expected true or false");
    return edn_is(e, node, EDN_SYMBOL, "true");
}

static void add_version(struct parser *s, bool writes, uint32_t key, uint32_t version)
{
    const struct edn *e = &s->edn;
    bool none = e->nodes.at[version].kind == EDN_NIL;
    if (none && writes)
        EDN_FAULT(e, version, "expected the version that was written");
    s->versions = true;
    struct value null = {history_name(s->h, "null", 4), ASSAY_WORD};
    txn_access_in(&s->rows, writes, edn_value(e, key, s->h, "a variable"),
                  none ? null : edn_value(e, version, s->h, "a version"), (uint32_t)e->nodes.at[key].at.line);
}

/* ["r",0,1] */
static void compact_event(struct parser *s, uint32_t node)
{
    const struct edn *e = &s->edn;
    uint32_t kind = edn_child(e, node, 0);
    bool writes = kind != ID_NONE && edn_is(e, kind, EDN_KEYWORD, "w");
    if (kind == ID_NONE || edn_count(e, node) != 3 || (!writes && !edn_is(e, kind, EDN_KEYWORD, "r")))
        not_an_event(s, node);
    add_version(s, writes, edn_child(e, node, 1), edn_child(e, node, 2));
}

/* {"write":true,"variable":0,"value":1,"success":true} */
static void plain_event(struct parser *s, uint32_t node, uint32_t write)
{
    const struct edn *e = &s->edn;
    uint32_t key = member(e, node, "variable"), value = member(e, node, "value"), success = member(e, node, "success");
    if (key == ID_NONE || value == ID_NONE)
        not_an_event(s, node);
    if (success == ID_NONE || truth(s, success))
        txn_access_in(&s->rows, truth(s, write), edn_value(e, key, s->h, "a variable"),
                      edn_value(e, value, s->h, "a value"), (uint32_t)e->nodes.at[node].at.line);
}

static void json_event(struct parser *s, uint32_t node)
{
    const struct edn *e = &s->edn;
    if (edn_is_sequence(e, node)) {
        compact_event(s, node);
        return;
    }
    if (e->nodes.at[node].kind != EDN_MAP)
        not_an_event(s, node);
    uint32_t read = member(e, node, "Read"), write = member(e, node, "Write"), plain = member(e, node, "write");
    if (plain != ID_NONE) {
        plain_event(s, node, plain);
        return;
    }
    uint32_t event = read != ID_NONE ? read : write;
    bool map = event != ID_NONE && e->nodes.at[event].kind == EDN_MAP;
    uint32_t key = map ? member(e, event, "variable") : ID_NONE, version = map ? member(e, event, "version") : ID_NONE;
    if (key == ID_NONE || version == ID_NONE)
        not_an_event(s, node);
    add_version(s, read == ID_NONE, key, version);
}

static void json_transaction(struct parser *s, uint32_t node, uint32_t thread)
{
    const struct edn *e = &s->edn;
    bool map = e->nodes.at[node].kind == EDN_MAP;
    uint32_t events = map ? member(e, node, "events") : ID_NONE;
    uint32_t fine = map ? member(e, node, "committed") : ID_NONE;
    if (map && fine == ID_NONE)
        fine = member(e, node, "success");
    if (events == ID_NONE || fine == ID_NONE || !edn_is_sequence(e, events))
        EDN_FAULT(e, node, "expected a transaction, as in {\"events\":[...],\"committed\":true}");
    for (uint32_t i = events + 1; i < e->nodes.at[events].end; i = e->nodes.at[i].end)
        json_event(s, i);
    txn_finish(&s->rows, thread, truth(s, fine) ? TXN_COMMITTED : TXN_ABORTED, e->nodes.at[node].at.line);
}

static bool opens(struct parser *s, char bracket)
{
    if (!edn_space(&s->edn) || *s->c.p != bracket)
        return false;
    s->c.p++;
    return true;
}

static void expect(struct parser *s, char bracket, const char *what)
{
    if (!opens(s, bracket))
        FAULT(&s->c, s->c.p, "expected `%c`, %s", bracket, what);
}

/* The sessions, one transaction after another, so that memory holds one of them. */
static void json_sessions(struct parser *s)
{
    expect(s, '[', "and sessions in it");
    for (uint32_t session = 0; opens(s, '['); session++) {
        uint32_t thread = session_thread(s->h, session);
        for (uint32_t node; edn_clear(&s->edn), (node = edn_read(&s->edn)) != ID_NONE;)
            json_transaction(s, node, thread);
        expect(s, ']', "which closes a session");
    }
    expect(s, ']', "which closes the sessions, or another session");
}

/* The members of the object; sessions are those of "data". */
static void json_members(struct parser *s)
{
    bool data = false;
    for (uint32_t key; edn_clear(&s->edn), (key = edn_read(&s->edn)) != ID_NONE;) {
        bool is_data = edn_is(&s->edn, key, EDN_KEYWORD, "data");
        if (is_data)
            opens(s, ':');
        if (is_data && data)
            EDN_FAULT(&s->edn, key, "a second \"data\"");
        if (is_data)
            json_sessions(s);
        else if (edn_read(&s->edn) == ID_NONE)
            EDN_FAULT(&s->edn, key, "expected a value behind this key");
        data |= is_data;
    }
    expect(s, '}', "which closes the history");
    if (!data)
        FAULT(&s->c, s->c.p, "expected the sessions of the history, under \"data\"");
}

static void read_json(struct parser *s)
{
    s->rows = txn_rows(s->h);
    if (opens(s, '{'))
        json_members(s);
    else
        json_sessions(s);
    if (edn_space(&s->edn))
        FAULT(&s->c, s->c.p, "expected the end of the file: it is one history");
    if (s->versions)
        txn_header(&s->rows, "init", "null");
    txn_rows_end(&s->rows);
    mem_free(&s->h->mem, s->edn.text.at);
    vec_free(&s->h->mem, &s->edn.nodes);
}

/* ---- writing ---- */

static void put_little(const struct writing *w, uint64_t v)
{
    for (int i = 0; i < 8; i++)
        putc((int)(v >> (8 * i) & 0xff), w->out);
}

static void write_event(const struct writing *w, struct txn_number a)
{
    putc(a.writes, w->out);
    put_little(w, (uint64_t)a.key);
    put_little(w, (uint64_t)a.value);
    putc(true, w->out);
}

/* An event of unknown result is written as one without success. */
static void write_transaction(struct txn_numbers *numbers, uint32_t op, const struct writing *w)
{
    const history *h = numbers->h;
    put_little(w, txn_count(h, op));
    for (uint32_t i = 0; i < txn_count(h, op); i++) {
        struct txn_number a;
        if (txn_number(numbers, op, i, &a)) {
            write_event(w, a);
        } else {
            for (int zero = 0; zero < EVENT; zero++)
                putc(0, w->out);
        }
    }
    putc(!txn_aborted(h, op), w->out);
}

static void write_preface(struct txn_numbers *numbers, const struct groups *sessions, const struct writing *w)
{
    static const char info[] = "converted by assay";
    const history *h = numbers->h;
    uint32_t most = 0, events = 0, threads = h->threads.n;
    for (uint32_t t = 0; t < threads; t++)
        most = sessions->at[t + 1] - sessions->at[t] > most ? sessions->at[t + 1] - sessions->at[t] : most;
    for (uint32_t op = 0; op < h->n; op++)
        events = txn_count(h, op) > events ? txn_count(h, op) : events;
    uint64_t integers[INTEGERS] = {0, threads, txn_numbers_keys(numbers), most, events};
    for (int i = 0; i < INTEGERS; i++)
        put_little(w, integers[i]);
    put_little(w, sizeof info - 1);
    fputs(info, w->out);
    put_little(w, 0); /* neither begin nor end is known */
    put_little(w, 0);
}

static void write_dbcop(const history *h, const struct writing *w)
{
    struct txn_numbers numbers = txn_numbers(h, w, "dbcop");
    struct groups sessions = history_by_thread(h, w->mem);
    if (w->index) {
        error_set(w->e, ASSAY_ERROR_NOT_APPLICABLE, "dbcop holds one history a file");
        escape_raise(ESCAPE_ERROR);
    }
    write_preface(&numbers, &sessions, w);
    put_little(w, h->threads.n);
    for (uint32_t t = 0; t < h->threads.n; t++) {
        put_little(w, sessions.at[t + 1] - sessions.at[t]);
        for (uint32_t i = sessions.at[t]; i < sessions.at[t + 1]; i++)
            write_transaction(&numbers, sessions.list[i], w);
    }
}

/* ---- the format ---- */

static bool is_json(const char *bytes, size_t n)
{
    const char *end = bytes + n, *p = recognise_start(bytes, end, '\0');
    return p < end && (*p == '{' || *p == '[');
}

static bool read_dbcop(struct input *in, history **h, struct warnings *warnings, assay_error *e)
{
    const char *bytes;
    size_t n = input_peek(in, &bytes, e);
    if (!n)
        return false;
    bool json = is_json(bytes, n);
    input_begin_history(in, h);
    struct parser s = {.c = {.in = in, .e = e, .warnings = warnings, .line = {"", "", 0}, .p = ""}, .h = *h};
    s.c.line.at = s.c.line.end = s.c.p;
    s.edn = (struct edn){.c = &s.c, .json = true, .mem = &(*h)->mem, .text = text_in(&(*h)->mem)};
    if (json)
        read_json(&s);
    else
        read_bincode(in, *h, e);
    return true;
}

/* [[{"events": or {"params": ... "data": */
static int recognise_json(const char *p, const char *end)
{
    if (*p == '{')
        return recognise_find(p, end, "\"params\"") && recognise_find(p, end, "\"n_node\"") ? 90 : 0;
    for (int brackets = 0; brackets < 2; brackets++, p = recognise_start(p + 1, end, '\0'))
        if (p == end || *p != '[')
            return 0;
    return p < end && *p == '{' && recognise_find(p, end, "\"events\"") ? 90 : 0;
}

/* The integers are small, the texts are texts. */
static int recognise_bincode(const unsigned char *at, size_t n)
{
    enum { SMALL = 4 }; /* bytes of a parameter, in front of those that are 0 */
    size_t place = (size_t)INTEGERS * 8;
    if (n < place + 8)
        return 0;
    for (size_t i = 0; i < place; i++)
        if (i % 8 >= SMALL && at[i])
            return 0;
    for (int i = 0; i < STRINGS; i++) {
        if (n - place < 8)
            return 0;
        uint64_t length = (uint64_t)bytes_little_at(at + place);
        place += 8;
        if (length > n - place)
            return 0;
        for (size_t end = place + (size_t)length; place < end; place++)
            if (at[place] < ' ' || at[place] == 0x7f)
                return 0;
    }
    return 85;
}

static int recognise_dbcop(const char *bytes, size_t n)
{
    const char *end = bytes + n, *p = recognise_start(bytes, end, '\0');
    if (p < end && (*p == '{' || *p == '['))
        return recognise_json(p, end);
    return recognise_bincode((const unsigned char *)bytes, n);
}

const struct format format_dbcop = {
    .name = "dbcop",
    .title = "transactions of registers as dbcop has them, in bincode or JSON",
    .extensions = (const char *const[]){".bincode", ".json", NULL},
    .recognise = recognise_dbcop,
    .read = read_dbcop,
    .write = write_dbcop,
};
