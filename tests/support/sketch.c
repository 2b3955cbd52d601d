/* SPDX-License-Identifier: Apache-2.0 */
#include "support/sketch.h"

#include "base/notation.h"
#include "history/history.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- operations ---- */

void sketch_add(struct sketch *s, struct sketch_op op)
{
    if (s->n == s->cap) {
        s->cap = s->cap * 2 + 16;
        s->op = realloc(s->op, s->cap * sizeof *s->op);
        if (!s->op)
            abort();
    }
    s->op[s->n++] = op;
}

/* How many operations of its thread there are up to this one. */
static uint8_t place(const struct sketch *s, uint32_t at)
{
    uint8_t count = 0;
    for (uint32_t i = 0; i <= at; i++)
        count += s->op[i].thread == s->op[at].thread;
    return count;
}

void sketch_join(struct sketch *s, uint32_t from, uint32_t to)
{
    struct sketch_op *o = &s->op[to];
    if (o->joins == SKETCH_JOINS)
        return;
    o->after[o->joins].thread = s->op[from].thread;
    o->after[o->joins++].count = place(s, from);
}

static void take_out(struct sketch *s, uint32_t at)
{
    s->n--;
    memmove(s->op + at, s->op + at + 1, (s->n - at) * sizeof *s->op);
}

void sketch_remove(struct sketch *s, uint32_t at)
{
    uint8_t gone = place(s, at);
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t j = 0; j < s->op[i].joins; j++)
            if (s->op[i].after[j].thread == s->op[at].thread && s->op[i].after[j].count >= gone)
                s->op[i].after[j].count--;
    take_out(s, at);
}

void sketch_add_final(struct sketch *s, uint8_t var, int32_t value)
{
    if (s->finals == SKETCH_FINALS)
        return;
    s->final[s->finals].var = var;
    s->final[s->finals++].value = value;
}

struct sketch sketch_copy(const struct sketch *s)
{
    struct sketch copy = {.style = s->style, .finals = s->finals};
    memcpy(copy.final, s->final, sizeof copy.final);
    for (uint32_t i = 0; i < s->n; i++)
        sketch_add(&copy, s->op[i]);
    return copy;
}

void sketch_free(struct sketch *s)
{
    free(s->op);
    *s = (struct sketch){0};
}

void sketch_interleave(struct sketch *s, struct rng *rng)
{
    struct sketch from = sketch_copy(s);
    s->n = 0;
    while (from.n) { /* the first operation left of the thread of a random one */
        uint8_t thread = from.op[rng_below(rng, from.n)].thread;
        uint32_t at = 0;
        while (from.op[at].thread != thread)
            at++;
        sketch_add(s, from.op[at]);
        take_out(&from, at);
    }
    sketch_free(&from);
}

/* Edges lead forward in the order of the lines. Then the lines are shuffled: they need not follow program order. */
void sketch_join_some(struct sketch *s, struct rng *rng)
{
    uint32_t edges = 1 + rng_below(rng, 5);
    sketch_interleave(s, rng);
    for (uint32_t i = 0; i < edges * 4 && edges; i++) {
        uint32_t a = rng_below(rng, s->n), b = rng_below(rng, s->n);
        if (a >= b || s->op[a].thread == s->op[b].thread || s->op[a].pending)
            continue;
        sketch_join(s, a, b);
        edges--;
    }
    sketch_interleave(s, rng);
}

/* ---- spelling ---- */

/* What a style decides. */
struct spelling {
    uint32_t threads;   /* how thread names begin, and by how much they are shifted */
    uint32_t keys;      /* kind of the variables' names */
    uint32_t values;    /* kind of the values */
    uint32_t objects;   /* several objects share the variables */
    int64_t base, step; /* integers are base + step * value */
    char text[8][64];   /* more than one operation needs */
    unsigned next;
    unsigned integers; /* written so far */
};

enum { KEY_LETTERS, KEY_WORDS, KEY_STRINGS, KEY_INTEGERS, KEY_KINDS };
enum { VALUE_INTEGERS, VALUE_WORDS, VALUE_STRINGS, VALUE_MIXED, VALUE_HEXADECIMAL, VALUE_KINDS };

static struct spelling spelling_of(const struct sketch *s)
{
    struct spelling p = {.objects = 1, .step = 1};
    if (!s->style)
        return p;
    struct rng rng = {s->style};
    p.threads = 1 + rng_below(&rng, 1000);
    p.keys = rng_below(&rng, KEY_KINDS);
    p.values = rng_below(&rng, VALUE_KINDS);
    p.objects = s->finals ? 1 : 1 + rng_below(&rng, 3); /* a declared value is that of all objects */
    p.base = (int64_t)rng_below(&rng, 2000000) - 1000000;
    p.step = rng_below(&rng, 2) ? 1000003 : -999983;
    return p;
}

static char *fresh_text(struct spelling *p)
{
    return p->text[p->next++ % 8];
}

static const char *thread_name(struct spelling *p, uint32_t thread)
{
    static const char *const forms[] = {"t%u", "node-%u", "%u", "Th.%u"};
    char *text = fresh_text(p);
    /* xor with a constant permutes the numbers */
    snprintf(text, sizeof p->text[0], forms[p->threads % 4], p->threads ? thread ^ (p->threads >> 2) : thread);
    return text;
}

static const char *object_name(struct spelling *p, uint32_t var)
{
    char *text = fresh_text(p);
    snprintf(text, sizeof p->text[0], "mem%u", var % p->objects);
    return p->objects > 1 ? text : NULL;
}

/* An integer, every third in hexadecimal: it stays the same. */
static assay_value hexadecimal(struct spelling *p, int64_t integer)
{
    assay_value v = assay_int(integer);
    v.length = p->integers++ % 3 == 1 ? notation_hex((uint64_t)integer) : NOTATION_DECIMAL;
    return v;
}

static assay_value key(struct spelling *p, uint32_t var)
{
    uint32_t number = var / p->objects;
    char *text = fresh_text(p);
    switch (p->keys) {
    case KEY_INTEGERS: return hexadecimal(p, -(int64_t)number);
    case KEY_STRINGS:
        snprintf(text, sizeof p->text[0], "key \"%u\"\n", number);
        return assay_string(text, strlen(text));
    case KEY_WORDS: snprintf(text, sizeof p->text[0], "key_%u", 99 - number); break;
    default:
        snprintf(text, sizeof p->text[0], number < 26 ? "%c" : "v%u", number < 26 ? (number + 23) % 26 + 'a' : number);
    }
    return assay_word(text);
}

static assay_value value(struct spelling *p, int32_t v)
{
    char *text = fresh_text(p);
    switch (p->values) {
    case VALUE_WORDS: snprintf(text, sizeof p->text[0], v ? "v%d" : "nil", v); return assay_word(text);
    case VALUE_STRINGS: snprintf(text, sizeof p->text[0], "\t%d\\ \"é\"", v); return assay_string(text, strlen(text));
    case VALUE_MIXED: /* 3 and "3" are two values */
        if (v % 2) {
            snprintf(text, sizeof p->text[0], "%d", v / 2);
            return assay_string(text, strlen(text));
        }
        return assay_int(v / 2);
    case VALUE_HEXADECIMAL: return hexadecimal(p, p->base + p->step * v);
    default: return assay_int(p->base + p->step * v);
    }
}

/* ---- building ---- */

static void give_up(const struct sketch *s, const assay_error *e)
{
    fprintf(stderr, "sketch of %" PRIu32 " operations, style %" PRIu64 ": %s\n", s->n, s->style, e->message);
    abort();
}

static void put_value(FILE *out, assay_value v)
{
    if (v.kind == ASSAY_INT)
        fprintf(out, v.length ? "0x%" PRIx64 : "%" PRId64, v.integer);
    else if (v.kind == ASSAY_WORD)
        fprintf(out, "%s", v.text);
    if (v.kind != ASSAY_STRING)
        return;
    fputc('"', out);
    for (size_t i = 0; i < v.length; i++)
        if (v.text[i] == '\n' || v.text[i] == '\t')
            fputs(v.text[i] == '\n' ? "\\n" : "\\t", out);
        else
            fprintf(out, strchr("\\\"", v.text[i]) ? "\\%c" : "%c", v.text[i]);
    fputc('"', out);
}

/* One binding for each variable, or one for all of them. */
static void declare_initial_values(const struct sketch *s, struct spelling *p, assay_history *h)
{
    uint32_t vars = 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->op[i].kind != SKETCH_FENCE && s->op[i].var >= vars)
            vars = s->op[i].var + 1u;
    for (uint32_t i = 0; i < s->finals; i++)
        if (s->final[i].var >= vars)
            vars = s->final[i].var + 1u;
    char *header = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&header, &length);
    if (p->threads % 2)
        vars = 1;
    for (uint32_t x = 0; x < vars; x += p->objects) {
        if (!(p->threads % 2)) {
            put_value(out, key(p, x));
            fputc('=', out);
        }
        put_value(out, value(p, 0));
        fputc(' ', out);
    }
    fclose(out);
    assay_error e = {0};
    if (!assay_history_set(h, "init", header, &e))
        give_up(s, &e);
    free(header);
}

static void declare_final_values(const struct sketch *s, struct spelling *p, assay_history *h)
{
    char *header = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&header, &length);
    for (uint32_t i = 0; i < s->finals; i++) {
        put_value(out, key(p, s->final[i].var));
        fputc('=', out);
        put_value(out, value(p, s->final[i].value));
        fputc(' ', out);
    }
    fclose(out);
    assay_error e = {0};
    if (!assay_history_set(h, "final", header, &e))
        give_up(s, &e);
    free(header);
}

static void add(const struct sketch *s, struct spelling *p, assay_history *h, const struct sketch_op *o)
{
    static const char *const methods[] = {"fence", "read", "write", "rmw"};
    assay_value args[3];
    assay_error e = {0};
    assay_operation op = {
        .thread = thread_name(p, o->thread), .method = methods[o->kind], .args = args, .pending = o->pending};
    if (o->kind != SKETCH_FENCE) {
        op.object = object_name(p, o->var);
        args[op.arg_count++] = key(p, o->var);
    }
    if (o->kind == SKETCH_RMW)
        args[op.arg_count++] = value(p, o->old);
    if (sketch_writes(o))
        args[op.arg_count++] = value(p, o->new);
    if (o->kind == SKETCH_READ && !o->pending)
        op.result = value(p, o->old);
    uint32_t number = assay_history_add(h, &op, &e);
    if (number == ASSAY_NO_OPERATION)
        give_up(s, &e);
    for (uint32_t i = 0; i < o->joins; i++) {
        const char *name = thread_name(p, o->after[i].thread);
        uint32_t thread = history_thread(h, history_name(h, name, strlen(name)));
        history_add_after(h, number, (struct after){thread, o->after[i].count});
    }
}

assay_history *sketch_build(const struct sketch *s)
{
    struct spelling p = spelling_of(s);
    assay_history *h = assay_history_new();
    uint32_t joins = 0;
    if (!h)
        abort();
    if (s->style)
        declare_initial_values(s, &p, h);
    if (s->finals)
        declare_final_values(s, &p, h);
    for (uint32_t i = 0; i < s->n; i++)
        joins += s->op[i].joins;
    assay_error e = {0};
    if (joins && !assay_history_set(h, "po", "after", &e))
        give_up(s, &e);
    for (uint32_t i = 0; i < s->n; i++)
        add(s, &p, h, &s->op[i]);
    return h;
}

void sketch_print(const struct sketch *s, FILE *out)
{
    assay_error e = {0};
    assay_history *h = sketch_build(s);
    if (!assay_history_write(h, "hist", 0, out, &e))
        give_up(s, &e);
    assay_history_free(h);
}

/* ---- shrinking ---- */

/* Numbers below n are operations, those above declared last values. */
static void remove_part(struct sketch *s, uint32_t part)
{
    if (part < s->n)
        sketch_remove(s, part);
    else
        s->final[part - s->n] = s->final[--s->finals];
}

void sketch_shrink(struct sketch *s, bool (*holds)(const struct sketch *s, void *arg), void *arg)
{
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (uint32_t i = s->n + s->finals; i-- > 0;) {
            struct sketch trial = sketch_copy(s);
            remove_part(&trial, i);
            if (holds(&trial, arg)) {
                sketch_free(s);
                *s = trial;
                smaller = true;
            } else {
                sketch_free(&trial);
            }
        }
    }
}
