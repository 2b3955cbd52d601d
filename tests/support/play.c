/* SPDX-License-Identifier: Apache-2.0 */
#include "support/play.h"

#include "base/hash.h"
#include "history/history.h"
#include "spec/spec.h"
#include "support/load.h"

#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

/* Now and then an integer is written in hexadecimal: it stays the same. */
static void print_value(assay_value v, bool hexadecimal, FILE *out)
{
    if (v.kind == ASSAY_INT && hexadecimal)
        fprintf(out, "0x%llx", (unsigned long long)v.integer);
    else if (v.kind == ASSAY_INT)
        fprintf(out, "%lld", (long long)v.integer);
    else if (v.kind == ASSAY_STRING)
        fprintf(out, "\"%.*s\"", (int)v.length, v.text);
    else
        fprintf(out, "%.*s", (int)v.length, v.text);
}

/* What is known by real time, as knowledge of threads. */
static void print_after(const struct play *p, uint32_t i, FILE *out)
{
    fputs(" @ after", out);
    for (uint32_t t = 0; t < PLAY_MOST; t++) {
        uint32_t count = 0, known = 0;
        for (uint32_t j = 0; j < p->n; j++) {
            count += p->op[j].thread == t;
            if (p->op[j].thread == t && !p->op[j].pending && p->op[j].ret < p->op[i].call)
                known = count;
        }
        if (known && t != p->op[i].thread)
            fprintf(out, " t%u:%u", (unsigned)t, (unsigned)known);
    }
}

void play_print(const struct play *p, FILE *out)
{
    fprintf(out, "# @object %s\n", p->object);
    if (p->init)
        fprintf(out, "# @init %s\n", p->init);
    for (uint32_t i = 0; i < p->n; i++) {
        const struct play_op *o = &p->op[i];
        fprintf(out, "t%u: %s(", (unsigned)o->thread, o->method);
        bool triples = strcmp(o->method, "txn") == 0;
        for (uint32_t a = 0; a < o->arg_count; a++) {
            fputs(!a ? "" : triples && a % 3 ? " " : ", ", out);
            print_value(o->args[a], (i + a) % 3 == 1, out);
        }
        fputs(")", out);
        if (!o->pending && o->result.kind != ASSAY_NONE) {
            fputs(" => ", out);
            print_value(o->result, i % 3 == 0, out);
        }
        if (o->pending && p->times != PLAY_INTERVALS)
            fputs(" => ?", out);
        if (p->times == PLAY_INTERVALS && o->pending)
            fprintf(out, " @ %lld..", (long long)o->call);
        else if (p->times == PLAY_INTERVALS)
            fprintf(out, " @ %lld..%lld", (long long)o->call, (long long)o->ret);
        else if (p->times == PLAY_AFTER)
            print_after(p, i, out);
        fputs("\n", out);
    }
}

assay_history *play_build(const struct play *p)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    play_print(p, out);
    fclose(out);
    assay_error e = {0};
    assay_history *h = load_text(text, &e);
    if (!h) {
        fprintf(stderr, "%s\n%s\n", e.message, text);
        abort();
    }
    free(text);
    return h;
}

void play_shrink(struct play *p, bool (*holds)(const struct play *p, void *arg), void *arg)
{
    for (uint32_t i = 0; i < p->n;) {
        struct play smaller = *p;
        memmove(&smaller.op[i], &smaller.op[i + 1], (p->n - i - 1) * sizeof *p->op);
        smaller.n--;
        if (holds(&smaller, arg)) {
            *p = smaller;
            i = 0;
        } else {
            i++;
        }
    }
}

void play_expose(const struct play *p, bool (*broken)(const struct play *p, void *arg), void *arg, const char *why)
{
    struct play smallest = *p;
    play_shrink(&smallest, broken, arg);
    broken(&smallest, arg);
    printf("%s\n", why);
    play_print(&smallest, stdout);
    exit(1);
}

/* ---- random plays ---- */

static assay_value word_of(struct rng *rng)
{
    static const char *const words[] = {"true", "false", "empty", "null", "ok"};
    return assay_word(words[rng_below(rng, 5)]);
}

static struct mem texts; /* strings of a play live until the next random one */

struct playing {
    const struct cast *c;
    struct rng *rng;
    struct play play;
    struct mem mem;
    void *state;
    int64_t time;
    uint32_t open[PLAY_MOST]; /* thread -> its open operation, or PLAY_MOST */
    bool done[PLAY_MOST];
    int64_t fresh;
};

static bool adds(const char *method)
{
    static const char *const names[] = {"add", "enq", "push", "push-front", "push-back", "write", "offer"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], method) == 0)
            return true;
    return false;
}

static assay_value argument(struct playing *x, const assay_method *m, uint32_t i)
{
    static const char *const strings[] = {"a", "b", "ab"};
    if (strcmp(x->c->spec->name, "append-map") == 0 && i == 1) {
        const char *s = strings[rng_below(x->rng, 3)];
        return assay_string(s, strlen(s));
    }
    if (x->c->distinct && adds(m->name) && i + 1 == m->arity)
        return assay_int(++x->fresh);
    return assay_int(1 + (int64_t)rng_below(x->rng, x->c->values));
}

static void transaction(struct playing *x, struct play_op *o)
{
    o->arg_count = (uint8_t)(3 * (1 + rng_below(x->rng, 2)));
    for (uint32_t a = 0; a < o->arg_count; a += 3) {
        o->args[a] = assay_word(rng_below(x->rng, 2) ? "r" : "w");
        o->args[a + 1] = assay_int(1 + (int64_t)rng_below(x->rng, 2));
        o->args[a + 2] = assay_int((int64_t)rng_below(x->rng, 3));
    }
}

/* What a transaction reads is among its arguments. */
static void guess_reads(struct playing *x, struct play_op *o)
{
    for (uint32_t a = 0; a < o->arg_count; a += 3)
        if (o->args[a].text[0] == 'r')
            o->args[a + 2] = assay_int((int64_t)rng_below(x->rng, 3));
}

static void begin(struct playing *x, uint32_t thread)
{
    const assay_method *methods = x->c->spec->methods, *m;
    uint32_t count = 0;
    while (methods[count].name)
        count++;
    do
        m = &methods[rng_below(x->rng, count)];
    while (x->c->spec == &spec_memory && m->arity == 0); /* transactions are another matter, fences none */
    struct play_op *o = &x->play.op[x->play.n];
    *o = (struct play_op){.thread = (uint8_t)thread, .method = m->name, .arg_count = m->arity, .pending = true};
    if (m->arity == ASSAY_ANY_ARITY)
        transaction(x, o);
    else
        for (uint32_t i = 0; i < m->arity; i++)
            o->args[i] = argument(x, m, i);
    o->call = x->time;
    x->open[thread] = x->play.n++;
}

static const assay_method *method_named(const assay_spec *s, const char *name)
{
    const assay_method *m = s->methods;
    while (strcmp(m->name, name) != 0)
        m++;
    return m;
}

static void take_effect(struct playing *x, uint32_t i)
{
    struct play_op *o = &x->play.op[i];
    const assay_method *m = method_named(x->c->spec, o->method);
    assay_call call = {.method = m->id, .arg_count = o->arg_count, .args = o->args, .thread = o->thread};
    assay_saved saved;
    if (!x->c->spec->create) { /* an exchanger: half of them find somebody */
        o->result = rng_below(x->rng, 2) ? assay_word("null") : assay_int(1 + (int64_t)rng_below(x->rng, x->c->values));
        x->done[i] = true;
        return;
    }
    assay_value answer = {0};
    assay_effect effect = x->c->spec->step(x->state, &call, 0, &answer, &saved);
    for (uint32_t tries = 0; effect == ASSAY_BLOCKED && m->arity == ASSAY_ANY_ARITY && tries < 8; tries++) {
        guess_reads(x, o);
        effect = x->c->spec->step(x->state, &call, 0, &answer, &saved);
    }
    if (effect == ASSAY_BLOCKED)
        return;
    x->done[i] = true;
    if (m->result != ASSAY_RESULT_NONE && (m->result == ASSAY_RESULT_REQUIRED || rng_below(x->rng, 8)))
        o->result = answer;
    if (o->result.text) /* it may lie in the state */
        o->result.text = mem_text(&texts, answer.text, answer.length);
}

static void lie(struct playing *x)
{
    struct play_op *o = &x->play.op[rng_below(x->rng, x->play.n)];
    if (strcmp(o->method, "txn") == 0)
        guess_reads(x, o);
    if (o->result.kind == ASSAY_STRING)
        o->result = assay_string("ab", rng_below(x->rng, 3));
    if (o->pending || o->result.kind == ASSAY_NONE || o->result.kind == ASSAY_STRING)
        return;
    const struct play_op *other = &x->play.op[rng_below(x->rng, x->play.n)];
    if (rng_below(x->rng, 3) == 0 && !other->pending && strcmp(other->method, o->method) == 0)
        o->result = other->result.kind == ASSAY_NONE ? o->result : other->result;
    else if (rng_below(x->rng, 2))
        o->result = assay_int(1 + (int64_t)rng_below(x->rng, x->c->values + (uint32_t)x->fresh));
    else if (o->result.kind == ASSAY_WORD)
        o->result = word_of(x->rng);
}

struct play play_random(const struct cast *c, struct rng *rng)
{
    mem_release(&texts);
    struct playing x = {.c = c, .rng = rng, .play = {.object = c->object, .init = c->init}};
    uint32_t n = c->least + rng_below(rng, c->most - c->least + 1), threads = 1 + rng_below(rng, c->threads);
    for (uint32_t t = 0; t < PLAY_MOST; t++)
        x.open[t] = PLAY_MOST;
    /* The setting comes from the text, as that of a real history does. */
    struct play nothing = {.object = c->object, .init = c->init};
    assay_history *h = play_build(&nothing);
    struct objects objects;
    assay_error e = {0};
    if (!objects_of(h, (struct object_choice){0}, &x.mem, &objects, &e))
        abort();
    if (c->spec->create)
        x.state = c->spec->create(&objects.at[0].setting, (assay_value){0}, (assay_memory *)&x.mem);
    for (uint32_t idle = 0; idle < 100;) {
        uint32_t t = rng_below(rng, threads), i = x.open[t];
        x.time += rng_below(rng, 100) >= c->ties;
        idle++;
        if (i == PLAY_MOST) {
            if (x.play.n < n && x.play.n < PLAY_MOST)
                begin(&x, t), idle = 0;
        } else if (!x.done[i]) {
            take_effect(&x, i);
            idle -= x.done[i];
        } else if (x.play.op[i].pending && !(x.play.n == n && rng_below(rng, 100) < c->pending)) {
            x.play.op[i].pending = false;
            x.play.op[i].ret = x.time;
            x.open[t] = PLAY_MOST;
            idle = 0;
        }
    }
    for (uint32_t lies = rng_below(rng, c->lies + 1); lies > 0; lies--)
        if (x.play.n)
            lie(&x);
    assay_history_free(h);
    mem_release(&x.mem);
    return x.play;
}

/* ---- the definition ---- */

struct trying {
    uint32_t n;
    uint32_t before[PLAY_MOST]; /* bit set of what happens before */
    bool pending[PLAY_MOST];
    assay_call call[PLAY_MOST];
    assay_value args[PLAY_MOST][PLAY_ARGS];
    const assay_spec *spec;
    void *state;
    uint32_t must;
};

static bool complete(struct trying *x, uint32_t done)
{
    if ((x->must & ~done) == 0)
        return true;
    for (uint32_t i = 0; i < x->n; i++) {
        if ((done >> i & 1) || (x->before[i] & ~done & x->must))
            continue;
        assay_value answer = {0};
        assay_saved saved;
        assay_effect effect = x->spec->step(x->state, &x->call[i], 0, &answer, &saved);
        if (effect == ASSAY_BLOCKED)
            continue;
        bool fits = x->call[i].result.kind == ASSAY_NONE || assay_value_same(answer, x->call[i].result);
        bool found = fits && complete(x, done | 1u << i);
        if (effect == ASSAY_CHANGED)
            x->spec->undo(x->state, &x->call[i], &saved);
        if (found)
            return true;
    }
    return false;
}

/* Partners: every completed successful exchange has one of its own. */
static bool exchanged(struct trying *x, uint32_t matched)
{
    uint32_t i = 0;
    while (i < x->n && ((matched >> i & 1) || x->pending[i] ||
                        assay_value_same(x->call[i].result, assay_word("null"))))
        i++;
    if (i == x->n)
        return true;
    for (uint32_t j = 0; j < x->n; j++) {
        bool free = j != i && !(matched >> j & 1) && !(x->before[i] >> j & 1) && !(x->before[j] >> i & 1);
        bool fits = free && assay_value_same(x->call[i].result, x->call[j].args[0]) &&
                    (x->pending[j] || assay_value_same(x->call[j].result, x->call[i].args[0]));
        if (fits && exchanged(x, matched | 1u << i | 1u << j))
            return true;
    }
    return false;
}

bool play_satisfies(const assay_history *h, const struct play *p, const assay_spec *spec, bool real_time, int64_t skew)
{
    struct trying x = {.n = p->n, .spec = spec};
    struct mem mem = {0};
    struct objects objects;
    assay_error e = {0};
    if (!objects_of(h, (struct object_choice){0}, &mem, &objects, &e))
        abort();
    for (uint32_t i = 0; i < p->n; i++) {
        x.pending[i] = p->op[i].pending;
        x.must |= p->op[i].pending ? 0 : 1u << i;
        for (uint32_t a = 0; a < p->op[i].arg_count; a++)
            x.args[i][a] = value_public(h, history_arg(h, i, a));
        x.call[i] = (assay_call){.method = objects_method(&objects, i)->id, .arg_count = p->op[i].arg_count,
                                 .args = x.args[i], .result = value_public(h, history_result(h, i)),
                                 .operation = i, .thread = h->thread[i]};
        for (uint32_t j = 0; j < p->n; j++) {
            bool same = p->op[j].thread == p->op[i].thread;
            bool earlier = real_time && !p->op[j].pending && p->op[j].ret + skew < p->op[i].call - skew;
            x.before[i] |= j != i && (same ? j < i : earlier) ? 1u << j : 0;
        }
    }
    for (uint32_t again = 0; again < p->n; again++) /* transitively */
        for (uint32_t i = 0; i < p->n; i++)
            for (uint32_t j = 0; j < p->n; j++)
                x.before[i] |= x.before[i] >> j & 1 ? x.before[j] : 0;
    bool yes;
    if (!spec->create) {
        yes = exchanged(&x, 0);
    } else {
        x.state = spec->create(&objects.at[0].setting, (assay_value){0}, (assay_memory *)&mem);
        yes = complete(&x, 0);
    }
    mem_release(&mem);
    return yes;
}
