/* SPDX-License-Identifier: Apache-2.0 */
/* Header lines `@key text`: object, init, final, ids, po, clock, nodes and incomplete are understood, others kept as
 * they are.
 *
 * Lines of a file that contradict each other are a fault: one of them is wrong, and it is unknown which. A header from
 * outside of the file (line 0: --init, assay_history_set, an implication of a format) replaces earlier ones. Repeating
 * a header changes nothing. */
#include "history/history.h"
#include "history/token.h"

#include <inttypes.h>
#include <string.h>

struct cursor { /* where we are in the header's text */
    const char *start, *at, *end;
};

static void skip_space(struct cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t'))
        c->at++;
}

/* A run up to white space. */
static const char *word(struct cursor *c, size_t *length)
{
    skip_space(c);
    const char *from = c->at;
    while (c->at < c->end && *c->at != ' ' && *c->at != '\t')
        c->at++;
    *length = (size_t)(c->at - from);
    return from;
}

static bool fault(const struct cursor *c, assay_error *e, const char *expected)
{
    /* The column within the header's text for now; the caller adds where the text starts. */
    error_set(e, ASSAY_ERROR_INPUT, "expected %s", expected);
    e->column = (uint64_t)(c->at - c->start);
    return false;
}

/* Two lines say different things; `second` is the text in this one. */
static bool contradiction(const struct cursor *c, assay_error *e, const char *at, const char *second, const char *first,
                          uint32_t line)
{
    if (line)
        error_set(e, ASSAY_ERROR_INPUT, "%s contradicts %s in line %" PRIu32, second, first, line);
    else
        error_set(e, ASSAY_ERROR_INPUT, "%s contradicts %s", second, first);
    error_remedy(e, "keep the one that holds; a line --- begins a new history");
    e->column = (uint64_t)(at - c->start);
    return false;
}

/* ---- objects ---- */

/* `atomic-queue` is another name of `queue`. */
static bool same_kind(const history *h, uint32_t a, uint32_t b)
{
    static const char prefix[] = "atomic-";
    const char *kind[] = {history_text(h, a), history_text(h, b)};
    for (int i = 0; i < 2; i++)
        kind[i] += strncmp(kind[i], prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
    return strcmp(kind[0], kind[1]) == 0;
}

static bool put_object(history *h, const struct cursor *c, struct object o, assay_error *e)
{
    uint32_t place = idmap_get(&h->object_place, o.name);
    const struct object *known = place == ID_NONE ? NULL : &h->objects.at[place];
    if (known && !same_kind(h, known->kind, o.kind) && known->line && o.line)
        return contradiction(c, e, c->start, history_text(h, o.kind), history_text(h, known->kind), known->line);
    history_declare(h, o);
    return true;
}

/* `queue`, or `q1 queue` for the object called q1. */
static bool read_object(history *h, struct cursor *c, uint64_t line, assay_error *e)
{
    size_t first_length, second_length;
    const char *first = word(c, &first_length);
    const char *second = word(c, &second_length);
    skip_space(c);
    if (!first_length)
        return fault(c, e, "an object, as in `# @object memory`");
    if (c->at < c->end)
        return fault(c, e, "the end of the line: `# @object KIND` or `# @object NAME KIND`");
    struct object o = {.name = ID_NONE, .line = (uint32_t)line};
    if (second_length) {
        o.name = history_name(h, first, first_length);
        first = second;
        first_length = second_length;
    }
    o.kind = history_name(h, first, first_length);
    return put_object(h, c, o, e);
}

/* ---- initial and final values ---- */

/* A line's bindings: h->said, and where they stand in it, h->said_at. */
struct bindings_line {
    history *h;
    const struct cursor *c;
    struct binding_set *known; /* the earlier lines */
    bool replaced;             /* something that was said before */
};

/* The value of a binding; `?` of an initial value: any value, stored as kind ASSAY_NONE. */
static bool read_bound(const struct bindings_line *x, struct cursor *c, struct value *out, const char **expected)
{
    if (x->known != &x->h->init || c->at == c->end || *c->at != '?')
        return token_value(x->h, &c->at, c->end, out, expected);
    c->at++;
    *out = (struct value){0};
    return true;
}

static bool read_line(struct bindings_line *x, struct cursor *c, assay_error *e)
{
    history *h = x->h;
    bool list = false;
    for (skip_space(c); c->at < c->end; skip_space(c)) {
        if (*c->at == '[' || *c->at == ']' || *c->at == ',') {
            list = true;
            c->at++;
            continue;
        }
        struct binding b = {.header = h->headers.n - 1};
        const char *expected = NULL, *from = c->at;
        if (!read_bound(x, c, &b.value, &expected))
            return fault(c, e, expected);
        if (b.value.kind != ASSAY_NONE && c->at < c->end && *c->at == '=') {
            c->at++;
            b.key = b.value;
            if (!read_bound(x, c, &b.value, &expected))
                return fault(c, e, expected);
        }
        if (list && (b.key.kind != ASSAY_NONE || b.value.kind == ASSAY_NONE))
            return fault(c, e, "plain values inside [ ]");
        vec_push(&h->mem, &h->said, b);
        vec_push(&h->mem, &h->said_at, from);
    }
    return true;
}

static bool is_plain(const struct binding *b)
{
    return b->key.kind == ASSAY_NONE;
}

static void print_binding(struct text *t, const history *h, const struct binding *b)
{
    if (!is_plain(b)) {
        token_print(t, h, b->key);
        text_char(t, '=');
    }
    token_print(t, h, b->value);
}

/* One binding, or all the plain values of a row. */
static void print_said(struct text *t, const history *h, const struct binding *row, uint32_t n,
                       const struct binding *one)
{
    uint32_t shown = 0;
    if (!is_plain(one)) {
        print_binding(t, h, one);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        if (is_plain(&row[i])) {
            text_puts(t, shown++ ? ", " : "[");
            print_binding(t, h, &row[i]);
        }
    text_char(t, ']');
}

/* The i-th of this line differs from an earlier one: does it replace it? */
static bool replaces(struct bindings_line *x, uint32_t i, const struct binding *earlier, assay_error *e)
{
    history *h = x->h;
    const struct binding *b = &x->h->said.at[i];
    uint32_t line = h->headers.at[b->header].line, before = h->headers.at[earlier->header].line;
    if (b->header != earlier->header && !(line && before))
        return x->replaced = true;
    struct text second = text_in(&h->mem), first = text_in(&h->mem);
    print_said(&second, h, x->h->said.at, x->h->said.n, b);
    print_said(&first, h, x->known->at, x->known->n, earlier);
    contradiction(x->c, e, x->h->said_at.at[i], text_get(&second), text_get(&first), before);
    mem_free(&h->mem, second.at);
    mem_free(&h->mem, first.at);
    return false;
}

void bindings_index(struct mem *m, struct binding_set *s)
{
    for (; s->indexed < s->n; s->indexed++) {
        struct value k = s->at[s->indexed].key;
        *idmap_at(m, &s->place[k.kind], (uint64_t)k.bits) = s->indexed;
    }
}

/* An escape may have left some without an index, and places of the index that no longer hold: none below `indexed`. */
const struct binding *bindings_find(const struct binding_set *s, struct value key)
{
    uint32_t place = idmap_get(&s->place[key.kind], (uint64_t)key.bits);
    if (place < s->indexed)
        return &s->at[place];
    for (place = s->indexed; place < s->n; place++)
        if (value_same(s->at[place].key, key))
            return &s->at[place];
    return NULL;
}

static bool put_keyed(struct bindings_line *x, uint32_t i, assay_error *e)
{
    const struct binding *b = &x->h->said.at[i];
    bindings_index(&x->h->mem, x->known);
    const struct binding *earlier = bindings_find(x->known, b->key);
    if (!earlier) {
        vec_push(&x->h->mem, x->known, *b);
    } else if (!value_same(earlier->value, b->value)) {
        if (!replaces(x, i, earlier, e))
            return false;
        x->known->at[earlier - x->known->at] = *b;
    }
    return true;
}

/* The next plain value from i on, or n. */
static uint32_t plain_from(const struct binding *row, uint32_t n, uint32_t i)
{
    while (i < n && !is_plain(&row[i]))
        i++;
    return i;
}

static bool same_plain(const struct bindings_line *x)
{
    uint32_t n = x->known->n, i = plain_from(x->known->at, n, 0), j = plain_from(x->h->said.at, x->h->said.n, 0);
    while (i < n && j < x->h->said.n && value_same(x->known->at[i].value, x->h->said.at[j].value)) {
        i = plain_from(x->known->at, n, i + 1);
        j = plain_from(x->h->said.at, x->h->said.n, j + 1);
    }
    return i == n && j == x->h->said.n;
}

/* Values without a key are the whole content: they are those that were said before, or others. */
static bool put_plain(struct bindings_line *x, assay_error *e)
{
    struct binding_set *known = x->known;
    uint32_t first = plain_from(x->h->said.at, x->h->said.n, 0);
    if (first == x->h->said.n)
        return true;
    uint32_t earlier = plain_from(known->at, known->n, 0), kept = earlier;
    if (earlier < known->n && same_plain(x))
        return true;
    if (earlier < known->n && !replaces(x, first, &known->at[earlier], e))
        return false;
    for (uint32_t i = earlier; i < known->n; i++)
        if (!is_plain(&known->at[i]))
            known->at[kept++] = known->at[i];
    known->n = kept;
    known->indexed = known->indexed < earlier ? known->indexed : earlier; /* those behind it have moved */
    for (uint32_t i = first; i < x->h->said.n; i++)
        if (is_plain(&x->h->said.at[i]))
            vec_push(&x->h->mem, known, x->h->said.at[i]);
    return true;
}

static void set_text(history *h, struct header *header, const char *text, size_t length)
{
    header->text = arena_text(&h->header_texts, text, length);
    header->length = (uint32_t)length;
}

/* The headers state the present bindings, so that they can be written and read again. */
static void restate(struct bindings_line *x)
{
    history *h = x->h;
    struct text t = text_in(&h->mem);
    struct header *last = &vec_last(&h->headers);
    for (uint32_t i = 0; i < x->known->n; i++) {
        text_puts(&t, i ? " " : "");
        print_binding(&t, h, &x->known->at[i]);
        x->known->at[i].header = h->headers.n - 1;
    }
    for (uint32_t i = 0; i + 1 < h->headers.n; i++)
        if (h->headers.at[i].key == last->key)
            set_text(h, &h->headers.at[i], "", 0);
    set_text(h, last, text_get(&t), t.n);
    mem_free(&h->mem, t.at);
}

/* ---- accounts, as logs of banks have them ---- */

static void skip_any(struct cursor *c, const char *letters)
{
    while (c->at < c->end && strchr(letters, *c->at))
        c->at++;
}

/* A number of at most 9 digits, perhaps in quotation marks; -1: there is none. */
static int64_t account_number(struct cursor *c)
{
    int64_t number = 0;
    skip_any(c, "\"");
    const char *from = c->at;
    for (; c->at < c->end && c->at - from < 9 && *c->at >= '0' && *c->at <= '9'; c->at++)
        number = 10 * number + (*c->at - '0');
    bool some = c->at > from;
    skip_any(c, "\"");
    return some ? number : -1;
}

struct balance {
    const char *text;
    size_t length;
};

/* `{0 10, 1 20}` or `{"0": 10, "1": 20}` as `[10 20]`, which lives as long as the history: accounts count from 0. */
static bool list_of_map(history *h, struct cursor *c, assay_error *e)
{
    static const char expected[] = "the accounts 0, 1, 2 and so on with a balance each, as in `{0 10, 1 20}`";
    struct cursor at = {c->start, c->at + 1, c->end};
    size_t most = (size_t)(c->end - c->at) / 2 + 1, n = 0;
    struct balance *of = mem_new_zero(&h->mem, struct balance, most);
    for (skip_any(&at, ", \t"); at.at < at.end && *at.at != '}'; skip_any(&at, ", \t"), n++) {
        int64_t account = account_number(&at);
        skip_any(&at, ": \t");
        const char *from = at.at;
        while (at.at < at.end && !strchr(", \t}", *at.at))
            at.at++;
        if (account < 0 || account >= (int64_t)most || of[account].text || at.at == from)
            return fault(&at, e, expected);
        of[account] = (struct balance){from, (size_t)(at.at - from)};
    }
    struct text list = text_in(&h->mem);
    bool whole = n && at.at < at.end;
    for (size_t i = 0; i < n && whole; i++) {
        whole = of[i].text != NULL;
        text_puts(&list, i ? " " : "[");
        text_add(&list, of[i].text ? of[i].text : "", of[i].length);
    }
    text_puts(&list, "]");
    at.at += at.at < at.end;
    skip_any(&at, " \t");
    if (!whole || at.at < at.end)
        return fault(&at, e, expected);
    *c = (struct cursor){text_get(&list), text_get(&list), text_get(&list) + list.n};
    return true;
}

/* `x=0 y=7`, `5`, `[1, 2]`, or `{0 10, 1 20}`. */
static bool read_bindings(history *h, struct cursor *c, struct binding_set *known, assay_error *e)
{
    skip_space(c);
    if (c->at < c->end && *c->at == '{' && known == &h->init && !list_of_map(h, c, e))
        return false;
    struct bindings_line x = {.h = h, .c = c, .known = known};
    vec_clear(&h->said);
    vec_clear(&h->said_at);
    bool fine = read_line(&x, c, e) && put_plain(&x, e);
    for (uint32_t i = 0; i < h->said.n && fine; i++)
        fine = is_plain(&h->said.at[i]) || put_keyed(&x, i, e);
    bindings_index(&h->mem, known);
    if (fine && x.replaced)
        restate(&x);
    return fine;
}

/* ---- ids ---- */

/* Lines of this key say one thing each. Does an earlier one say another? `changed`: than the one at hand, as it was
 * read; `at`: its text. */
static bool said_otherwise(const history *h, const struct cursor *c, bool changed, const char *at, assay_error *e)
{
    const struct header *last = &vec_last(&h->headers);
    for (uint32_t i = 0; changed && i + 1 < h->headers.n; i++) {
        const struct header *earlier = &h->headers.at[i];
        if (earlier->key == last->key && earlier->line && last->line)
            return !contradiction(c, e, at, last->text, earlier->text, earlier->line);
    }
    return false;
}

static bool read_ids(history *h, struct cursor *c, assay_error *e)
{
    size_t length;
    const char *text = word(c, &length);
    enum ids ids = length == 6 && !memcmp(text, "thread", 6)      ? IDS_THREAD
                   : length == 9 && !memcmp(text, "operation", 9) ? IDS_OPERATION
                                                                  : IDS_AUTO;
    if (ids == IDS_AUTO) {
        c->at = text;
        return fault(c, e, "`thread` or `operation`");
    }
    if (said_otherwise(h, c, h->ids != IDS_AUTO && h->ids != ids, text, e))
        return false;
    h->ids = ids;
    return true;
}

/* ---- the recording: its clock, and the nodes that the threads talked to ---- */

static bool read_clock(history *h, struct cursor *c, assay_error *e)
{
    static const char *const units[] = {[CLOCK_NS] = "ns", [CLOCK_US] = "us", [CLOCK_MS] = "ms", [CLOCK_S] = "s"};
    size_t length;
    const char *text = word(c, &length);
    enum clock_unit unit = CLOCK_S;
    while (unit != CLOCK_UNSAID && (strlen(units[unit]) != length || memcmp(text, units[unit], length) != 0))
        unit--;
    skip_space(c);
    if (unit == CLOCK_UNSAID || c->at < c->end) {
        c->at = text;
        return fault(c, e, "the unit of the times: `ns`, `us`, `ms` or `s`");
    }
    if (said_otherwise(h, c, h->clock != CLOCK_UNSAID && h->clock != unit, text, e))
        return false;
    h->clock = unit;
    return true;
}

/* `s0=1 s1=2`. */
static bool read_nodes(history *h, struct cursor *c, assay_error *e)
{
    if (!read_bindings(h, c, &h->nodes, e))
        return false;
    for (uint32_t i = 0; i < h->said.n; i++)
        if (is_plain(&h->said.at[i])) {
            c->at = h->said_at.at[i];
            return fault(c, e, "a thread and its node, as in `# @nodes s0=1 s1=2`");
        }
    return true;
}

/* ---- program order ---- */

static bool read_po(history *h, struct cursor *c, assay_error *e)
{
    size_t length;
    const char *text = word(c, &length);
    skip_space(c);
    if (length != 5 || memcmp(text, "after", 5) != 0 || c->at < c->end) {
        c->at = text;
        return fault(c, e, "`after`, which makes `@ after` part of program order");
    }
    h->po_after = true;
    return true;
}

static bool is(const char *key, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(key, name, length) == 0;
}

/* Keys that are understood, and keys by which `assay drive` tells readers how a history came about. */
/* Calls that a recorder has lost: what the others returned may make no sense without them. */
static bool refuse_incomplete(const char *text, size_t length, assay_error *e)
{
    error_set(e, ASSAY_ERROR_INPUT, "the recording is not complete: %.*s", (int)(length < 200 ? length : 200), text);
    error_remedy(e, "record it again; the other calls alone may look like a violation");
    return false;
}

bool history_header_known(const char *key, size_t length)
{
    static const char *const keys[] = {"object", "init",   "final",     "ids",      "po",        "clock",
                                       "nodes",  "driver", "server",    "workload", "keys",      "setting",
                                       "seed",   "fault",  "isolation", "kept",     "incomplete"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (is(key, length, keys[i]))
            return true;
    return false;
}

void history_keep_header(history *h, struct header header)
{
    set_text(h, &header, header.text, header.length);
    vec_push(&h->mem, &h->headers, header);
}

/* Most headers of a long row of them have the key of the one before. */
static uint32_t key_name(history *h, const char *key, size_t length)
{
    uint32_t last = h->headers.n ? vec_last(&h->headers).key : ID_NONE;
    return last != ID_NONE && is(key, length, history_text(h, last)) ? last : history_name(h, key, length);
}

bool history_header(history *h, const char *key, size_t key_length, const char *text, size_t length, uint64_t line,
                    uint64_t column, assay_error *e)
{
    struct header header = {
        .text = text, .length = (uint32_t)length, .key = key_name(h, key, key_length), .line = (uint32_t)line};
    history_keep_header(h, header);
    struct cursor c = {text, text, text + length};
    bool fine = true;
    assay_error mine = {0};
    if (is(key, key_length, "object"))
        fine = read_object(h, &c, line, &mine);
    else if (is(key, key_length, "init"))
        fine = read_bindings(h, &c, &h->init, &mine);
    else if (is(key, key_length, "final"))
        fine = read_bindings(h, &c, &h->final, &mine);
    else if (is(key, key_length, "ids"))
        fine = read_ids(h, &c, &mine);
    else if (is(key, key_length, "po"))
        fine = read_po(h, &c, &mine);
    else if (is(key, key_length, "clock"))
        fine = read_clock(h, &c, &mine);
    else if (is(key, key_length, "nodes"))
        fine = read_nodes(h, &c, &mine);
    else if (is(key, key_length, "incomplete"))
        fine = refuse_incomplete(text, length, &mine);
    if (!fine) {
        error_set(e, ASSAY_ERROR_INPUT, "in @%.*s: %s", (int)(key_length < 40 ? key_length : 40), key, mine.message);
        if (mine.remedy[0])
            error_remedy(e, "%s", mine.remedy);
        error_place(e, history_source(h), line, line ? column + mine.column : 0);
    }
    return fine;
}
