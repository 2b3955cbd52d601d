/* SPDX-License-Identifier: Apache-2.0 */
#include "recheck/program.h"

#include <stdlib.h>
#include <string.h>

struct access { /* one operation reads or writes one value; an rmw makes two */
    int64_t key, value;
    uint32_t object, op;
    uint8_t key_kind, value_kind;
    bool reads;
};

struct accesses {
    struct access *at;
    uint32_t n;
};

struct bindings { /* the values that @init or @final lines bind to a key, by key */
    const struct binding **at;
    uint32_t n;
    struct value otherwise; /* kind ASSAY_NONE: none */
    bool *used;             /* by a variable of the history */
};

/* ---- collecting ---- */

struct shape {
    const char *method;
    uint8_t arity, role;
};

static const struct shape shapes[] = {
    {"read", 1, ROLE_READS},
    {"write", 2, ROLE_WRITES},
    {"rmw", 3, ROLE_READS | ROLE_WRITES},
    {"fence", 0, 0},
};

static const struct shape *shape_of(const history *h, uint32_t op)
{
    const char *method = history_text(h, h->method[op]);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(shapes[i].method, method) == 0 && shapes[i].arity == history_arity(h, op))
            return &shapes[i];
    return NULL;
}

static void add_access(const history *h, struct accesses *all, uint32_t op, struct value v, bool reads)
{
    struct value key = history_arg(h, op, 0);
    all->at[all->n++] = (struct access){.key = key.bits,
                                        .key_kind = key.kind,
                                        .value = v.bits,
                                        .value_kind = v.kind,
                                        .object = history_object_of(h, op),
                                        .op = op,
                                        .reads = reads};
}

static bool collect(const history *h, struct memory *mem, struct accesses *all, assay_error *e)
{
    for (uint32_t o = 0; o < h->n; o++) {
        const struct shape *s = shape_of(h, o);
        if (!s) {
            error_set(e, ASSAY_ERROR_REFUSED,
                      "operation %u is a %s with %u arguments, which is none of read(x), "
                      "write(x, v), rmw(x, old, new), fence()",
                      o, history_text(h, h->method[o]), history_arity(h, o));
            return false;
        }
        bool reads_only = s->role == ROLE_READS;
        mem->fence[o] = s->role == 0 && !history_pending(h, o);
        if (s->role == 0 || (reads_only && history_pending(h, o)))
            continue;
        struct value seen = reads_only ? history_result(h, o) : history_arg(h, o, 1);
        if (seen.kind == ASSAY_NONE) {
            error_set(e, ASSAY_ERROR_REFUSED, "operation %u is a read without a result", o);
            return false;
        }
        mem->role[o] = s->role;
        if (s->role & ROLE_READS)
            add_access(h, all, o, seen, true);
        if (s->role & ROLE_WRITES)
            add_access(h, all, o, history_arg(h, o, s->arity - 1u), false);
    }
    return true;
}

/* ---- sorting ---- */

#define ORDER(a, b) ((a) < (b) ? -1 : (a) > (b))

static int compare_variables(const struct access *a, const struct access *b)
{
    int c = ORDER(a->object, b->object);
    c = c ? c : ORDER(a->key_kind, b->key_kind);
    return c ? c : ORDER(a->key, b->key);
}

static int compare_values(const struct access *a, const struct access *b)
{
    int c = ORDER(a->value_kind, b->value_kind);
    return c ? c : ORDER(a->value, b->value);
}

/* By variable, then value, writes first. */
static int compare_accesses(const void *left, const void *right)
{
    const struct access *a = left, *b = right;
    int c = compare_variables(a, b);
    c = c ? c : compare_values(a, b);
    c = c ? c : ORDER(a->reads, b->reads);
    return c ? c : ORDER(a->op, b->op);
}

static int compare_keys(struct value a, struct value b)
{
    return a.kind != b.kind ? ORDER(a.kind, b.kind) : ORDER(a.bits, b.bits);
}

static int compare_bindings(const void *left, const void *right)
{
    const struct binding *a = *(const struct binding *const *)left;
    const struct binding *b = *(const struct binding *const *)right;
    int c = compare_keys(a->key, b->key);
    return c ? c : ORDER(a, b); /* one array: as they were declared */
}

/* ---- initial and final values ---- */

static struct bindings sort_bindings(const struct binding *list, uint32_t n, struct value otherwise, struct mem *m)
{
    struct bindings all = {
        .at = mem_new(m, const struct binding *, n), .otherwise = otherwise, .used = mem_new_zero(m, bool, n)};
    for (uint32_t i = 0; i < n; i++) {
        if (list[i].key.kind == ASSAY_NONE)
            all.otherwise = list[i].value;
        else
            all.at[all.n++] = &list[i];
    }
    if (all.n)
        qsort(all.at, all.n, sizeof *all.at, compare_bindings);
    return all;
}

static void free_bindings(struct bindings *all, struct mem *m)
{
    mem_free(m, all->at);
    mem_free(m, all->used);
}

/* The last declaration counts: search for the end of the key's run. */
static struct value bound_value(const struct bindings *all, struct value key)
{
    uint32_t low = 0, high = all->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_keys(all->at[middle]->key, key) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || !value_same(all->at[low - 1]->key, key))
        return all->otherwise;
    all->used[low - 1] = true;
    return all->at[low - 1]->value;
}

/* A variable without accesses ends as it began. */
static bool final_of_unknown(const struct bindings *final, const struct bindings *initial)
{
    for (uint32_t i = 0; i < final->n; i++) {
        const struct binding *b = final->at[i];
        bool counts = i + 1 == final->n || !value_same(final->at[i + 1]->key, b->key);
        if (counts && !final->used[i] && !value_same(b->value, bound_value(initial, b->key)))
            return true;
    }
    return false;
}

/* ---- values and sources ---- */

static struct values *new_values(const history *h, struct mem *m)
{
    struct values *v = mem_new_zero(m, struct values, 1);
    v->seen = mem_new(m, uint32_t, h->n);
    v->wrote = mem_new(m, uint32_t, h->n);
    v->initial = mem_new(m, uint32_t, h->n); /* no more variables than operations */
    v->final = mem_new(m, uint32_t, h->n);
    return v;
}

/* The accesses from `from` to `end` are all of one variable: gives each of its values a number. */
static void number_variable(struct memory *mem, const struct access *from, const struct access *end,
                            const struct bindings *initial, const struct bindings *final)
{
    struct values *values = mem->values;
    struct value key = {from->key, from->key_kind}, first = bound_value(initial, key), last = bound_value(final, key);
    uint32_t x = mem->vars++, first_number = ID_NONE, last_number = ID_NONE;
    for (const struct access *a = from; a < end; a++) {
        values->count += a > from && compare_values(a - 1, a) != 0;
        mem->var[a->op] = x;
        (a->reads ? values->seen : values->wrote)[a->op] = values->count;
        if (value_same((struct value){a->value, a->value_kind}, first))
            first_number = values->count;
        if (value_same((struct value){a->value, a->value_kind}, last))
            last_number = values->count;
    }
    values->count++;
    if (first_number == ID_NONE)
        first_number = values->count++;
    if (last.kind != ASSAY_NONE && last_number == ID_NONE)
        last_number = value_same(first, last) ? first_number : values->count++;
    values->initial[x] = first_number;
    values->final[x] = last_number;
}

static void number_values(struct memory *mem, const struct accesses *all, const struct bindings *initial,
                          const struct bindings *final)
{
    const struct access *end = all->at + all->n, *next;
    for (const struct access *a = all->at; a < end; a = next) {
        for (next = a + 1; next < end && compare_variables(a, next) == 0;)
            next++;
        number_variable(mem, a, next, initial, final);
    }
}

static void list_writers(const history *h, struct memory *mem, struct mem *m)
{
    uint32_t *wrote = mem_new(m, uint32_t, h->n);
    for (uint32_t o = 0; o < h->n; o++)
        wrote[o] = mem->role[o] & ROLE_WRITES ? mem->values->wrote[o] : ID_NONE;
    mem->values->writers = group_by(wrote, h->n, mem->values->count, m);
    mem_free(m, wrote);
}

/* The write of a value that is asked for. */
static uint32_t source_of(struct memory *mem, uint32_t x, uint32_t value)
{
    const struct groups *writers = &mem->values->writers;
    const uint32_t *first = writers->list + writers->at[value];
    uint32_t count = writers->at[value + 1] - writers->at[value];
    bool initial = mem->values->initial[x] == value;
    if (count + initial <= 1)
        return count ? *first : initial ? FROM_INITIAL : FROM_NOBODY;
    if (mem->twice[1] == ID_NONE) {
        mem->twice[0] = initial ? ID_NONE : first[0];
        mem->twice[1] = first[!initial];
    }
    return FROM_SEVERAL;
}

static void resolve(const history *h, struct memory *mem, bool final, struct mem *m)
{
    for (uint32_t o = 0; o < h->n; o++)
        if (mem->role[o] & ROLE_READS)
            mem->source[o] = source_of(mem, mem->var[o], mem->values->seen[o]);
    if (!final)
        return;
    mem->final = mem_new(m, uint32_t, mem->vars);
    for (uint32_t x = 0; x < mem->vars; x++)
        mem->final[x] = mem->values->final[x] == ID_NONE ? FINAL_OPEN : source_of(mem, x, mem->values->final[x]);
}

/* A variable cannot end with a value from nowhere, nor with its initial value once it is
 * written. */
static bool final_is_impossible(const history *h, const struct memory *mem)
{
    for (uint32_t x = 0; x < mem->vars; x++)
        if (mem->final[x] == FROM_NOBODY)
            return true;
    for (uint32_t o = 0; o < h->n; o++)
        if ((mem->role[o] & ROLE_WRITES) && !mem->open[o] && mem->final[mem->var[o]] == FROM_INITIAL)
            return true;
    return false;
}

static void count_barriers(const history *h, struct memory *mem, struct mem *m)
{
    uint32_t *count = mem_new_zero(m, uint32_t, h->threads.n);
    for (uint32_t o = 0; o < h->n; o++) {
        if (mem->fence[o] || mem->role[o] == (ROLE_READS | ROLE_WRITES))
            count[h->thread[o]]++;
        mem->barriers[o] = count[h->thread[o]];
    }
    mem_free(m, count);
}

static void rank_threads(const history *h, struct memory *mem, struct mem *m)
{
    uint32_t *last = mem_new_ids(m, h->threads.n);
    for (uint32_t o = 0; o < h->n; o++) {
        if (!mem->role[o])
            continue;
        uint32_t before = last[h->thread[o]];
        mem->before[o] = before;
        mem->rank[o] = before == ID_NONE ? 0 : mem->rank[before] + 1;
        last[h->thread[o]] = o;
        mem->count++;
    }
    mem_free(m, last);
}

/* An open operation took part if the evidence says so. */
static void believe(const history *h, struct memory *mem, const bool *named)
{
    for (uint32_t o = 0; o < h->n; o++) {
        if (mem->open[o] && !named[o])
            mem->role[o] = 0;
        mem->open[o] = false;
    }
}

bool recheck_memory(const history *h, bool final, const bool *named, struct mem *m, struct memory *out, assay_error *e)
{
    *out = (struct memory){.role = mem_new_zero(m, uint8_t, h->n),
                           .var = mem_new(m, uint32_t, h->n),
                           .source = mem_new(m, uint32_t, h->n),
                           .before = mem_new(m, uint32_t, h->n),
                           .rank = mem_new(m, uint32_t, h->n),
                           .fence = mem_new(m, bool, h->n),
                           .barriers = mem_new(m, uint32_t, h->n),
                           .open = mem_new_zero(m, bool, h->n),
                           .values = new_values(h, m),
                           .twice = {ID_NONE, ID_NONE}};
    struct accesses all = {.at = mem_new(m, struct access, (size_t)h->n * 2)};
    struct bindings initials = sort_bindings(h->init.at, h->init.n, (struct value){0, ASSAY_INT}, m);
    struct bindings finals = sort_bindings(h->final.at, final ? h->final.n : 0, (struct value){0, ASSAY_NONE}, m);
    if (!collect(h, out, &all, e))
        return false;
    if (all.n)
        qsort(all.at, all.n, sizeof *all.at, compare_accesses);
    number_values(out, &all, &initials, &finals);
    recheck_pending(h, out, m);
    if (named)
        believe(h, out, named);
    list_writers(h, out, m);
    resolve(h, out, final && h->final.n, m);
    rank_threads(h, out, m);
    count_barriers(h, out, m);
    if (!recheck_program(h, out, m, e))
        return false;
    if (out->final)
        out->final_not_written = final_is_impossible(h, out) || final_of_unknown(&finals, &initials);
    mem_free(m, all.at);
    free_bindings(&initials, m);
    free_bindings(&finals, m);
    return true;
}
