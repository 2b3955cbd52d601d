/* SPDX-License-Identifier: Apache-2.0 */
/* append-map: strings under keys, which are replaced or appended to; every key holds "" at first.
 *
 * Strings get long, and most appends are short: the cost of an append is the length of its argument. Each key has a
 * buffer whose last bytes are its string. A put leaves the old string where it is, writes its place into a note behind
 * it, and goes on behind the note. So undoing a put reads the note. The digest is the sum over the keys of a hash of
 * key and string. The hash of a string is a polynomial (digest.h), which appended bytes extend and undoing divides. */
#include "spec/facts.h"
#include "spec/outcome.h"
#include "spec/roles.h"
#include "spec/settings.h"
#include "spec/state.h"
#include "spec/store.h"

#include <string.h>

enum { GET = APPEND_MAP_GET, PUT = APPEND_MAP_PUT, APPEND = APPEND_MAP_APPEND };

static const assay_method methods[] = {
    {"get", "get(key) => \"string\"", GET, 1, 0, ASSAY_RESULT_REQUIRED},
    {"put", "put(key, \"string\")", PUT, 2, 0, ASSAY_RESULT_OPTIONAL},
    {"append", "append(key, \"string\")", APPEND, 2, 0, ASSAY_RESULT_OPTIONAL},
    {0},
};

struct string {
    size_t start, length; /* in the buffer, which ends with it */
    struct digest hash;
};

struct entry {
    assay_value key;
    char *buffer;
    size_t room;
    struct string now;
};

struct append_map {
    struct digest digest;
    assay_memory *memory;
    struct store numbers; /* of the keys: where they are in `entries` */
    struct entry *entries;
    size_t n, room;
};

static const char *refuse(const assay_setting *s)
{
    for (size_t i = 0; i < s->init_count; i++)
        if (s->init[i].value.kind != ASSAY_STRING)
            return "its initial values are strings under keys: `@init k=\"abc\"`";
    return settings_keyed(s);
}

static const char *refuse_call(const assay_call *call)
{
    bool get = call->method == GET, answered = call->result.kind != ASSAY_NONE;
    if ((get && answered && call->result.kind != ASSAY_STRING) || (!get && call->args[1].kind != ASSAY_STRING))
        return "the values of an append-map are strings";
    if (!get && !outcome_acknowledged(call->result))
        return "the result of a put or append is absent, `ok` or `true`; leave out a call that failed";
    return NULL;
}

/* ---- entries ---- */

static struct entry *entry_of(struct append_map *x, assay_value key)
{
    assay_value number = store_get(&x->numbers, key);
    if (number.kind != ASSAY_NONE)
        return &x->entries[number.integer];
    if (x->n == x->room) {
        x->room = x->room ? 2 * x->room : 4;
        x->entries = state_resize(x->memory, x->entries, x->room * sizeof *x->entries);
    }
    store_set(&x->numbers, key, assay_int((int64_t)x->n));
    x->entries[x->n] = (struct entry){.key = key};
    return &x->entries[x->n++];
}

/* The share of an entry in the digest: nothing while it holds "". */
static struct digest share(const struct entry *e)
{
    if (e->now.length == 0)
        return (struct digest){{0, 0}};
    return digest_join(digest_join(digest_of_value(e->key), e->now.hash), digest_of_number(e->now.length));
}

static struct digest byte(char c)
{
    uint64_t coefficient = (uint64_t)(unsigned char)c + 1;
    return (struct digest){{coefficient, coefficient}};
}

static void write_behind(struct append_map *x, struct entry *e, size_t at, const void *bytes, size_t n)
{
    if (at + n > e->room) {
        e->room = 2 * (at + n);
        e->buffer = state_resize(x->memory, e->buffer, e->room);
    }
    if (n)
        memcpy(e->buffer + at, bytes, n);
}

static void extend(struct append_map *x, struct entry *e, const char *bytes, size_t n)
{
    write_behind(x, e, e->now.start + e->now.length, bytes, n);
    e->now.length += n;
    for (size_t i = 0; i < n; i++)
        e->now.hash = digest_plus(digest_times(e->now.hash, digest_base()), byte(bytes[i]));
}

static void shorten(struct entry *e, size_t n)
{
    const char *end = e->buffer + e->now.start + e->now.length;
    e->now.length -= n;
    for (size_t i = 1; i <= n; i++)
        e->now.hash = digest_times(digest_minus(e->now.hash, byte(end[-(ptrdiff_t)i])), digest_inverse());
}

static void replace(struct append_map *x, struct entry *e, const char *bytes, size_t n)
{
    struct string old = e->now;
    write_behind(x, e, old.start + old.length, &old, sizeof old);
    e->now = (struct string){.start = old.start + old.length + sizeof old};
    extend(x, e, bytes, n);
}

static void restore(struct entry *e)
{
    memcpy(&e->now, e->buffer + e->now.start - sizeof e->now, sizeof e->now);
}

/* ---- hooks ---- */

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    struct append_map *x = state_get(m, sizeof *x);
    x->memory = m;
    store_init(&x->numbers, m);
    for (size_t i = 0; i < setting->init_count; i++) {
        assay_value own = setting->init[i].key, v = setting->init[i].value;
        if (key.kind != ASSAY_NONE && !assay_value_same(key, own))
            continue;
        struct entry *e = entry_of(x, own);
        digest_take(&x->digest, share(e));
        e->now = (struct string){0};
        extend(x, e, v.text, v.length);
        digest_add(&x->digest, share(e));
    }
    return x;
}

static void *copy(const void *state, assay_memory *m)
{
    const struct append_map *from = state;
    struct append_map *x = state_get(m, sizeof *x);
    *x = *from;
    x->memory = m;
    x->room = from->n;
    x->entries = from->n ? state_get(m, from->n * sizeof *x->entries) : NULL;
    store_init_copy(&x->numbers, &from->numbers, m);
    for (size_t i = 0; i < from->n; i++) { /* without the bytes before the string: those are for undoing earlier
                                            * steps */
        struct entry *e = &x->entries[i];
        *e = from->entries[i];
        e->buffer = NULL;
        e->room = e->now.start = 0;
        if (e->now.length)
            write_behind(x, e, 0, from->entries[i].buffer + from->entries[i].now.start, e->now.length);
    }
    return x;
}

static void destroy(void *state, assay_memory *m)
{
    struct append_map *x = state;
    for (size_t i = 0; i < x->n; i++)
        state_free(m, x->entries[i].buffer);
    state_free(m, x->entries);
    store_free(&x->numbers);
    state_free(m, x);
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct append_map *x = state;
    (void)choice;
    (void)saved;
    struct entry *e = entry_of(x, call->args[0]);
    assay_value now = assay_string(e->now.length ? e->buffer + e->now.start : "", e->now.length);
    if (call->method == GET) {
        *result = now;
        return ASSAY_SAME;
    }
    assay_value text = call->args[1];
    *result = call->result; /* it says nothing beyond that the call took effect */
    bool appends = call->method == APPEND;
    if (appends ? text.length == 0 : text.length == now.length && memcmp(text.text, now.text, now.length) == 0)
        return ASSAY_SAME;
    digest_take(&x->digest, share(e));
    if (appends)
        extend(x, e, text.text, text.length);
    else
        replace(x, e, text.text, text.length);
    digest_add(&x->digest, share(e));
    return ASSAY_CHANGED;
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    struct append_map *x = state;
    (void)saved;
    struct entry *e = entry_of(x, call->args[0]);
    digest_take(&x->digest, share(e));
    if (call->method == APPEND)
        shorten(e, call->args[1].length);
    else
        restore(e);
    digest_add(&x->digest, share(e));
}

static size_t length_of(const struct append_map *x, assay_value key, const char **text)
{
    assay_value number = store_get(&x->numbers, key);
    const struct entry *e = number.kind == ASSAY_NONE ? NULL : &x->entries[number.integer];
    *text = e && e->now.length ? e->buffer + e->now.start : "";
    return e ? e->now.length : 0;
}

/* Does b hold the same value as a under each of a's keys? */
static bool holds(const struct append_map *b, const struct append_map *a)
{
    for (size_t i = 0; i < a->n; i++) {
        const char *left, *right;
        size_t n = length_of(a, a->entries[i].key, &left);
        if (n != length_of(b, a->entries[i].key, &right) || memcmp(left, right, n) != 0)
            return false;
    }
    return true;
}

static bool equal(const void *a, const void *b)
{
    return holds(b, a) && holds(a, b);
}

static assay_cut cut(const assay_call *call, assay_value *value)
{
    (void)value;
    return call->method == GET ? ASSAY_CUT_ALONE : ASSAY_CUT_NEVER;
}

static size_t describe(const void *state, char *out, size_t size)
{
    const struct append_map *x = state;
    struct printed p = {.out = out, .size = size};
    const char *separator = "";
    printed_text(&p, "{");
    for (size_t i = 0; i < x->n && !printed_full(&p); i++) {
        const struct entry *e = &x->entries[i];
        if (e->now.length == 0)
            continue;
        printed_text(&p, separator);
        separator = ", ";
        printed_value(&p, e->key);
        printed_text(&p, "=");
        printed_value(&p, assay_string(e->buffer + e->now.start, e->now.length));
    }
    printed_text(&p, "}");
    return p.length;
}

static void content(const void *state, void (*visit)(void *arg, assay_binding b), void *arg)
{
    const struct append_map *x = state;
    for (size_t i = 0; i < x->n; i++) {
        const struct entry *e = &x->entries[i];
        if (e->now.length)
            visit(arg, (assay_binding){.key = e->key, .value = assay_string(e->buffer + e->now.start, e->now.length)});
    }
}

const assay_spec spec_append_map = {
    .version = ASSAY_SPEC_VERSION,
    .name = "append-map",
    .title = "strings under keys",
    .methods = methods,
    .refuse = refuse,
    .refuse_call = refuse_call,
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

const struct object_facts facts_append_map = {
    .spec = &spec_append_map,
    .never_blocks = true,
};
