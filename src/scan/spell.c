/* SPDX-License-Identifier: Apache-2.0 */
#include "scan/spell.h"

#include "base/radix.h"
#include "history/value_ids.h"
#include "spec/roles.h"
#include "spec/value_forms.h"

#include <stdlib.h>
#include <string.h>

/* ---- the calls ---- */

static uint32_t op_of(const struct speller *s, uint32_t i)
{
    return s->job->part->ops[i];
}

static uint32_t called(const struct speller *s, uint32_t i)
{
    return s->job->calls->call[op_of(s, i)];
}

static uint32_t returned(const struct speller *s, uint32_t i)
{
    return s->job->calls->ret[op_of(s, i)];
}

assay_value spell_text(const struct job *job, uint32_t i)
{
    uint32_t op = job->part->ops[i];
    bool get = calls_method(job->calls, op) == APPEND_MAP_GET;
    return value_public(job->h, get ? history_result(job->h, op) : history_arg(job->h, op, 1));
}

static assay_value initial_text(const struct job *job)
{
    const assay_setting s = part_setting(job->part);
    assay_value key = value_public(job->h, job->part->key), v = assay_string("", 0);
    for (size_t i = 0; i < s.init_count; i++)
        if (assay_value_same(s.init[i].key, key))
            v = s.init[i].value;
    return v;
}

/* ---- pieces ---- */

static int compare(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t both = a_length < b_length ? a_length : b_length;
    int order = both ? memcmp(a, b, both) : 0;
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

static bool begins(const struct spell_piece *p, const char *text, uint32_t length)
{
    return p->length <= length && memcmp(p->text, text, p->length) == 0;
}

struct found { /* a piece before it has its place */
    const char *text;
    uint32_t length, number;
};

static int by_text(const void *left, const void *right)
{
    const struct found *a = left, *b = right;
    return compare(a->text, a->length, b->text, b->length);
}

/* Sorts the pieces and notes which begin with which. The pieces that the latest one begins with are a chain. */
static void sort_pieces(struct speller *s, struct found *found, uint32_t n, uint32_t *place)
{
    qsort(found, n, sizeof *found, by_text);
    for (uint32_t x = 0; x < n; x++) {
        struct spell_piece p = {found[x].text, found[x].length, x ? x - 1 : ID_NONE, ID_NONE, true};
        while (p.prefix != ID_NONE && !begins(&s->pieces.at[p.prefix], p.text, p.length))
            p.prefix = s->pieces.at[p.prefix].prefix;
        if (p.prefix != ID_NONE)
            p.alone = s->pieces.at[p.prefix].alone = false;
        place[found[x].number] = x;
        vec_push(s->job->mem, &s->pieces, p);
    }
}

/* The group of each call in s->by, before pieces have their places: 2 * number of the text, and 1 for an append. */
static uint32_t *number_texts(struct speller *s, struct found *found, uint32_t *found_n)
{
    const struct job *job = s->job;
    const struct part *part = job->part;
    struct value_ids ids = {0};
    uint32_t *group = mem_new_ids(job->mem, part->n + 1);
    for (uint32_t i = 0; i < part->n; i++) {
        unsigned method = calls_method(job->calls, part->ops[i]);
        if (method == APPEND_MAP_GET)
            continue;
        assay_value text = spell_text(job, i);
        if (!text.length) /* an append of nothing is in no spelling */
            continue;
        uint32_t x = value_id(job->mem, &ids, history_arg(job->h, part->ops[i], 1));
        if (x == *found_n)
            found[(*found_n)++] = (struct found){text.text, (uint32_t)text.length, x};
        group[i] = 2 * x + (method == APPEND_MAP_APPEND);
    }
    value_ids_free(job->mem, &ids);
    return group;
}

static void group_calls(struct speller *s)
{
    const struct part *part = s->job->part;
    struct mem *m = s->job->mem;
    struct found *found = mem_new(m, struct found, part->n + 1);
    uint32_t n = 0, *group = number_texts(s, found, &n), *place = mem_new(m, uint32_t, n + 1);
    sort_pieces(s, found, n, place);
    for (uint32_t i = 0; i < part->n; i++) {
        if (group[i] != ID_NONE)
            group[i] = 2 * place[group[i] / 2] + group[i] % 2;
        else if (calls_method(s->job->calls, part->ops[i]) == APPEND_MAP_PUT)
            group[i] = 2 * n;
    }
    s->by = group_by(group, part->n, 2 * n + 1, m);
    s->latest = mem_new(m, uint32_t, part->n + 1);
    for (uint32_t x = 0; x <= 2 * n; x++)
        for (uint32_t at = s->by.at[x], latest = 0; at < s->by.at[x + 1]; at++) {
            uint32_t ret = returned(s, s->by.list[at]);
            s->latest[at] = latest = ret > latest ? ret : latest;
        }
    mem_free(m, found);
    mem_free(m, group);
    mem_free(m, place);
}

static void sort_puts(struct speller *s)
{
    const struct part *part = s->job->part;
    s->puts = mem_new(s->job->mem, uint64_t, part->n + 1);
    for (uint32_t i = 0; i < part->n; i++)
        if (calls_method(s->job->calls, part->ops[i]) == APPEND_MAP_PUT && returned(s, i) != CALLS_NEVER)
            s->puts[s->put_n++] = (uint64_t)returned(s, i) << 32 | i;
    radix_sort(s->puts, s->put_n, s->job->mem);
    for (uint32_t at = 1; at < s->put_n; at++) { /* of the puts up to each, the one that was called last */
        uint32_t before = (uint32_t)s->puts[at - 1], i = (uint32_t)s->puts[at];
        if (called(s, before) > called(s, i))
            s->puts[at] = s->puts[at] >> 32 << 32 | before;
    }
}

void spell_begin(struct speller *s, const struct job *job)
{
    const struct part *part = job->part;
    size_t longest = 0;
    *s = (struct speller){.job = job, .initial = initial_text(job)};
    group_calls(s);
    sort_puts(s);
    for (uint32_t i = 0; i < part->n; i++)
        if (calls_method(job->calls, part->ops[i]) == APPEND_MAP_GET && returned(s, i) != CALLS_NEVER) {
            size_t length = spell_text(job, i).length;
            longest = length > longest ? length : longest;
        }
    s->ways = mem_new(job->mem, uint8_t, longest + 1);
    s->steps = mem_new(job->mem, struct spell_step, longest + 1);
    s->used = mem_new_ids(job->mem, part->n + 1);
}

/* ---- a string ---- */

/* The longest piece that the text begins with, or ID_NONE. */
static uint32_t longest_piece(const struct speller *s, const char *text, uint32_t length)
{
    uint32_t low = 0, high = s->pieces.n; /* the first piece above the text is between these */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct spell_piece *p = &s->pieces.at[middle];
        if (compare(p->text, p->length, text, length) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t x = low ? low - 1 : ID_NONE;
    while (x != ID_NONE && !begins(&s->pieces.at[x], text, length))
        x = s->pieces.at[x].prefix;
    return x;
}

/* The number of calls of the group whose time fits: 0, 1 or 2; and one of them. */
static uint32_t fitting(const struct speller *s, uint32_t group, uint32_t *call)
{
    uint32_t from = s->by.at[group], low = from, high = s->by.at[group + 1], n = 0;
    while (low < high) { /* by their calls */
        uint32_t middle = low + (high - low) / 2;
        if (called(s, s->by.list[middle]) < s->until)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low > from && s->latest[low - 1] > s->since && n < 2; low--) {
        budget_tick(s->job->budget);
        if (returned(s, s->by.list[low - 1]) > s->since) {
            *call = s->by.list[low - 1];
            n++;
        }
    }
    return n;
}

static void reach(struct speller *s, uint32_t place, uint32_t ways, struct spell_step step)
{
    if (!ways)
        return;
    s->ways[place] = s->ways[place] + ways > 1 ? 2 : 1;
    s->steps[place] = step;
}

/* Goes on from a place, or the front, by all pieces that follow. */
static void follow(struct speller *s, assay_value text, uint32_t from, bool front)
{
    uint32_t at = front ? 0 : from, rest = (uint32_t)text.length - at, call = ID_NONE;
    uint32_t before = front ? ID_NONE : s->steps[at].piece, x = before == ID_NONE ? ID_NONE : s->pieces.at[before].next;
    budget_tick(s->job->budget);
    if (x == ID_NONE || !s->pieces.at[x].alone || !begins(&s->pieces.at[x], text.text + at, rest))
        x = longest_piece(s, text.text + at, rest);
    if (x != ID_NONE && before != ID_NONE)
        s->pieces.at[before].next = x;
    for (; x != ID_NONE; x = s->pieces.at[x].prefix) {
        uint32_t ways = fitting(s, 2 * x + !front, &call);
        reach(s, at + s->pieces.at[x].length, front ? ways : ways * s->ways[at],
              (struct spell_step){call, x, front ? ID_NONE : at});
    }
}

static void count_ways(struct speller *s, assay_value text, bool from_initial)
{
    uint32_t length = (uint32_t)text.length, call = ID_NONE;
    memset(s->ways, 0, length + 1);
    follow(s, text, 0, true);
    uint32_t empty = fitting(s, 2 * s->pieces.n, &call);
    reach(s, 0, empty, (struct spell_step){call, ID_NONE, ID_NONE});
    struct spell_piece initial = {.text = s->initial.text, .length = (uint32_t)s->initial.length};
    if (from_initial && (!initial.length || begins(&initial, text.text, length)))
        reach(s, initial.length, 1, (struct spell_step){ID_NONE, ID_NONE, ID_NONE});
    for (uint32_t at = 0; at < length; at++)
        if (s->ways[at])
            follow(s, text, at, false);
}

/* Reads the spelling off, from the end. False: it has an append twice. */
static bool read_off(struct speller *s, uint32_t get, uint32_t length)
{
    uint32_t n = 0, at = length;
    bool once = true;
    for (; s->steps[at].from != ID_NONE; at = s->steps[at].from)
        n++;
    s->first = s->steps[at].call;
    vec_clear(&s->spelled);
    vec_reserve(s->job->mem, &s->spelled, n + 1);
    s->spelled.n = n;
    for (at = length; s->steps[at].from != ID_NONE; at = s->steps[at].from) {
        uint32_t call = s->spelled.at[--n] = s->steps[at].call;
        once &= s->used[call] != get;
        s->used[call] = get;
    }
    return once;
}

static uint32_t spell(struct speller *s, uint32_t get, bool from_initial)
{
    assay_value text = spell_text(s->job, get);
    count_ways(s, text, from_initial);
    uint32_t ways = s->ways[text.length];
    return !ways ? 0 : read_off(s, get, (uint32_t)text.length) || ways > 1 ? ways : 0;
}

uint32_t spell_overwriter(const struct speller *s)
{
    return s->put_at ? (uint32_t)s->puts[s->put_at - 1] : ID_NONE;
}

uint32_t spell_get(struct speller *s, uint32_t get)
{
    while (s->put_at < s->put_n && s->puts[s->put_at] >> 32 < called(s, get))
        s->put_at++;
    uint32_t put = spell_overwriter(s);
    s->since = put == ID_NONE ? 0 : called(s, put);
    s->until = returned(s, get);
    return spell(s, get, put == ID_NONE);
}

uint32_t spell_anytime(struct speller *s, uint32_t get)
{
    s->since = 0;
    s->until = CALLS_NEVER;
    for (uint32_t i = 0; i < s->spelled.n; i++)
        s->used[s->spelled.at[i]] = ID_NONE;
    return spell(s, get, true);
}
