/* SPDX-License-Identifier: Apache-2.0 */
#include "support/play.h"

#include "base/hash.h"
#include "base/text.h"
#include "history/history.h"
#include "spec/spec.h"
#include "support/load.h"

#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

void play_put_value(struct text *t, assay_value v)
{
    if (v.kind == ASSAY_INT)
        text_int(t, v.integer);
    else if (v.kind == ASSAY_WORD)
        text_add(t, v.text, v.length);
    else if (v.kind == ASSAY_STRING)
        text_json(t, v.text, v.length);
}

/* Now and then an integer is written in hexadecimal: it stays the same. Lists are those of value_copy. */
static void print_value(assay_value v, bool hexadecimal, FILE *out)
{
    const assay_value *elements = (const void *)v.text;
    if (v.kind == ASSAY_LIST) {
        fputs("[", out);
        for (size_t i = 0; i < v.length; i++) {
            fputs(i ? " " : "", out);
            print_value(elements[i], hexadecimal, out);
        }
        fputs("]", out);
    } else if (v.kind == ASSAY_INT && hexadecimal)
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

static void print_known(const struct play_op *o, FILE *out)
{
    fputs(" @ after", out);
    for (uint32_t t = 0; t < PLAY_THREADS; t++)
        if (o->knows[t])
            fprintf(out, " t%u:%u", (unsigned)t, (unsigned)o->knows[t]);
}

static void print_objects(const struct play *p, FILE *out)
{
    fprintf(out, "# @object %s%s\n", p->other_n ? "o0 " : "", p->object);
    for (uint32_t i = 0; i < p->other_n; i++)
        fprintf(out, "# @object o%u %s\n", (unsigned)i + 1, p->other[i]);
}

void play_print(const struct play *p, FILE *out)
{
    print_objects(p, out);
    if (p->init)
        fprintf(out, "# @init %s\n", p->init);
    for (uint32_t i = 0; i < p->n; i++) {
        const struct play_op *o = &p->op[i];
        fprintf(out, "t%u: ", (unsigned)o->thread);
        if (p->other_n)
            fprintf(out, "o%u.", (unsigned)o->object);
        fprintf(out, "%s(", o->method);
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
        else if (p->times == PLAY_KNOWN)
            print_known(o, out);
        fputs("\n", out);
    }
    for (uint32_t i = 0; i < p->crowd; i++)
        fprintf(out, "crowd: o1.inc() @ %u..%u\n", (unsigned)(500 * i + 10), (unsigned)(500 * i + 20));
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

static void leave_out(struct play *p, uint32_t i)
{
    uint32_t thread = p->op[i].thread, index = play_index(p, i);
    for (uint32_t j = 0; j < p->n && thread < PLAY_THREADS; j++)
        p->op[j].knows[thread] -= p->op[j].knows[thread] > index;
    memmove(&p->op[i], &p->op[i + 1], (p->n - i - 1) * sizeof *p->op);
    p->n--;
}

void play_shrink(struct play *p, bool (*holds)(const struct play *p, void *arg), void *arg)
{
    for (uint32_t i = 0; i < p->n;) {
        struct play smaller = *p;
        leave_out(&smaller, i);
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

/* The number, or its word. */
static assay_value value_of(bool words, int64_t number)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l",  "m",  "n", "o",
                                        "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z", "aa", "bb", "cc"};
    if (!words || number >= (int64_t)(sizeof names / sizeof *names))
        return assay_int(number);
    assay_value word = assay_word(names[number]);
    word.integer = 1000 + number; /* specifications may tell words apart by their numbers */
    return word;
}

static bool takes_words(const assay_spec *s)
{
    static const char *const names[] = {"register", "cas-register", "memory",    "map",       "set",
                                        "queue",    "stack",        "deque",     "exchanger", "multiset",
                                        "lock",     "semaphore",    "append-map"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], s->name) == 0)
            return true;
    return false;
}

static struct mem texts; /* strings of a play live until the next random one */

struct playing {
    const struct cast *c;
    struct rng *rng;
    struct play play;
    struct mem mem;
    void *state[PLAY_OBJECTS];
    assay_history
        *given[2 * PLAY_OBJECTS]; /* initial values may lie in their texts; states are created twice at most */
    uint32_t given_n;
    int64_t time;
    uint32_t open[PLAY_MOST]; /* thread -> its open operation, or PLAY_MOST */
    bool done[PLAY_MOST];
    bool ending; /* of a round: an operation has returned, and others are open */
    int64_t fresh;
};

static const assay_spec *spec_of(const struct playing *x, uint32_t object)
{
    return object ? x->c->other[object - 1].spec : x->c->spec;
}

static bool adds(const char *method)
{
    static const char *const names[] = {"add",   "enq",   "push", "push-front", "push-back",
                                        "write", "offer", "lock", "acquire",    "trylock"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], method) == 0)
            return true;
    return false;
}

/* Texts that come again, begin with each other, or are empty; where values are distinct, mostly a letter of its own. */
static assay_value some_text(struct playing *x)
{
    static const char *const often[] = {"a", "b", "ab", "a", "ba", ""}, letters[] = "cdefghijklmnopqrstuvwxyz";
    if (x->c->distinct && rng_below(x->rng, 8) && x->fresh + 1 < (int64_t)sizeof letters)
        return assay_string(&letters[x->fresh++], 1);
    const char *s = often[rng_below(x->rng, x->c->distinct ? 6 : 5)];
    return assay_string(s, strlen(s));
}

/* Of a bank of up to 9 accounts, bank(3,2) or so. */
static assay_value account_or_amount(struct playing *x, uint32_t object, uint32_t i)
{
    const char *name = object ? x->c->other[object - 1].object : x->c->object;
    uint32_t accounts = (uint32_t)(name[strlen("bank(")] - '0');
    return assay_int(rng_below(x->rng, i < 2 ? accounts : 3));
}

static assay_value argument(struct playing *x, uint32_t object, const assay_method *m, uint32_t i)
{
    const assay_spec *spec = spec_of(x, object);
    bool words = x->c->words && takes_words(spec);
    if (strcmp(spec->name, "bank") == 0)
        return account_or_amount(x, object, i);
    if (strcmp(spec->name, "append-map") == 0 && i == 1)
        return some_text(x);
    if (x->c->distinct && adds(m->name) && (i + 1 == m->arity || m->arity == ASSAY_NONE_OR_ONE))
        return value_of(words, ++x->fresh);
    if (strcmp(spec->name, "counter") == 0)
        return assay_int(x->c->shift + 1 + (int64_t)rng_below(x->rng, x->c->values));
    return value_of(words, 1 + (int64_t)rng_below(x->rng, x->c->values));
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

static bool returns_list(const assay_method *m)
{
    return strstr(m->signature, "=> [");
}

static bool is_called(const struct cast *c, const assay_method *method)
{
    if (!c->lists && returns_list(method))
        return false;
    for (const char *const *m = c->methods; m; m++)
        if (!*m || strcmp(*m, method->name) == 0)
            return *m;
    return true;
}

static void begin(struct playing *x, uint32_t thread)
{
    uint32_t object = x->c->other_n ? rng_below(x->rng, x->c->other_n + 1) : 0, count = 0;
    const assay_spec *spec = spec_of(x, object);
    const assay_method *methods = spec->methods, *m;
    while (methods[count].name)
        count++;
    do
        m = &methods[rng_below(x->rng, count)];
    while (!is_called(x->c, m) ||
           (spec == &spec_memory && m->arity == 0)); /* transactions are another matter, fences none */
    struct play_op *o = &x->play.op[x->play.n];
    *o = (struct play_op){.thread = (uint8_t)thread,
                          .object = (uint8_t)object,
                          .method = m->name,
                          .arg_count = m->arity == ASSAY_NONE_OR_ONE ? (uint8_t)rng_below(x->rng, 2) : m->arity,
                          .pending = true};
    if (m->arity == ASSAY_ANY_ARITY)
        transaction(x, o);
    else
        for (uint32_t i = 0; i < o->arg_count; i++)
            o->args[i] = argument(x, object, m, i);
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

/* Is a result recorded that may be absent? */
static bool speaks(struct playing *x)
{
    return x->c->silent ? rng_below(x->rng, 100) >= x->c->silent : rng_below(x->rng, 8) > 0;
}

static void shuffle(assay_value list, struct rng *rng)
{
    assay_value *elements = (assay_value *)(uintptr_t)list.text;
    for (size_t n = list.length; n > 1; n--) {
        uint32_t k = rng_below(rng, (uint32_t)n);
        assay_value last = elements[n - 1];
        elements[n - 1] = elements[k];
        elements[k] = last;
    }
}

static void take_effect(struct playing *x, uint32_t i)
{
    struct play_op *o = &x->play.op[i];
    const assay_spec *spec = spec_of(x, o->object);
    void *state = x->state[o->object];
    const assay_method *m = method_named(spec, o->method);
    assay_call call = {.method = m->id, .arg_count = o->arg_count, .args = o->args, .thread = o->thread};
    assay_saved saved;
    if (!spec->create) { /* an exchanger: half of them find somebody */
        o->result = rng_below(x->rng, 2) ? assay_word("null")
                                         : value_of(x->c->words, 1 + (int64_t)rng_below(x->rng, x->c->values));
        x->done[i] = true;
        return;
    }
    assay_value answer = {0};
    assay_effect effect = spec->step(state, &call, rng_below(x->rng, 4), &answer, &saved);
    bool said = m->result == ASSAY_RESULT_REQUIRED || (m->result == ASSAY_RESULT_OPTIONAL && speaks(x));
    if (said && effect == ASSAY_CHANGED && answer.kind != ASSAY_NONE) { /* it may have been any: it is the answer's */
        spec->undo(state, &call, &saved);
        call.result = answer;
        spec->step(state, &call, 0, &answer, &saved);
    }
    for (uint32_t tries = 0; effect == ASSAY_BLOCKED && m->arity == ASSAY_ANY_ARITY && tries < 8; tries++) {
        guess_reads(x, o);
        effect = spec->step(state, &call, 0, &answer, &saved);
    }
    if (effect == ASSAY_BLOCKED)
        return;
    x->done[i] = true;
    o->result = value_copy(said ? answer : (assay_value){0}, &texts); /* it may lie in the state */
    if (strstr(m->signature, "in any order"))
        shuffle(o->result, x->rng);
}

/* Another string of the play, or two of them; one in another order, or without its end; one of nobody's. */
static assay_value false_text(struct playing *x, assay_value was)
{
    struct text t = text_in(&texts);
    uint32_t how = rng_below(x->rng, 4);
    if (how == 0)
        return assay_string("ab", rng_below(x->rng, 3));
    if (how == 1) {
        uint32_t turn = was.length ? rng_below(x->rng, (uint32_t)was.length) : 0;
        text_add(&t, was.text + turn, was.length - turn);
        if (rng_below(x->rng, 2))
            text_add(&t, was.text, turn);
    }
    for (uint32_t tries = 0; how > 1 && tries < how - 1; tries++) {
        const struct play_op *other = &x->play.op[rng_below(x->rng, x->play.n)];
        assay_value v = other->arg_count > 1 ? other->args[1] : other->result;
        if (v.kind == ASSAY_STRING)
            text_add(&t, v.text, v.length);
    }
    return assay_string(text_get(&t), t.n);
}

/* The list without an element, with one more, or with another one. */
static assay_value false_list(struct playing *x, assay_value was)
{
    const assay_value *from = (const void *)was.text;
    assay_value *elements = mem_new(&texts, assay_value, was.length + 1);
    size_t n = 0, at = rng_below(x->rng, (uint32_t)was.length + 1);
    uint32_t how = rng_below(x->rng, 3);
    for (size_t i = 0; i < was.length; i++)
        if (i != at || how)
            elements[n++] = from[i];
    if (how == 1)
        elements[n++] = rng_below(x->rng, 2) && was.length ? from[0] : assay_int(1 + rng_below(x->rng, x->c->values));
    if (how == 2 && at < was.length)
        elements[at] = assay_int(elements[at].integer + 1);
    return assay_list(elements, n);
}

static void lie(struct playing *x)
{
    struct play_op *o = &x->play.op[rng_below(x->rng, x->play.n)];
    if (strcmp(o->method, "txn") == 0)
        guess_reads(x, o);
    if (o->result.kind == ASSAY_STRING)
        o->result = false_text(x, o->result);
    if (o->result.kind == ASSAY_LIST)
        o->result = false_list(x, o->result);
    bool changed = o->result.kind == ASSAY_STRING || o->result.kind == ASSAY_LIST;
    bool ok = assay_value_same(o->result, assay_word("ok")), full = assay_value_same(o->result, assay_word("full"));
    if (ok || full || assay_value_same(o->result, assay_word("refused"))) { /* others are refused before any check */
        bool transfer = strcmp(o->method, "transfer") == 0;
        o->result = assay_word(rng_below(x->rng, 2) ? "ok" : transfer ? "refused" : "full");
        changed = true;
    }
    if (o->pending || o->result.kind == ASSAY_NONE || changed)
        return;
    const struct play_op *other = &x->play.op[rng_below(x->rng, x->play.n)];
    if (rng_below(x->rng, 3) == 0 && !other->pending && strcmp(other->method, o->method) == 0)
        o->result = other->result.kind == ASSAY_NONE ? o->result : other->result;
    else if (rng_below(x->rng, 2))
        o->result = value_of(x->c->words && o->result.kind == ASSAY_WORD,
                             1 + (int64_t)rng_below(x->rng, x->c->values + (uint32_t)x->fresh));
    else if (o->result.kind == ASSAY_WORD)
        o->result = word_of(x->rng);
}

/* The settings come from the text, as those of a real history do. */
static void create_states(struct playing *x)
{
    const struct cast *c = x->c;
    for (uint32_t i = 0; i <= c->other_n; i++) {
        struct play nothing = {.object = i ? c->other[i - 1].object : c->object, .init = c->init};
        assay_history *h = play_build(&nothing);
        struct objects objects;
        assay_error e = {0};
        if (!objects_of(h, (struct object_choice){0}, &x->mem, &objects, &e))
            abort();
        const assay_spec *spec = spec_of(x, i);
        if (spec->create)
            x->state[i] = spec->create(&objects.at[0].setting, (assay_value){0}, (assay_memory *)&x->mem);
        x->given[x->given_n++] = h;
    }
}

static bool one_part(const struct playing *x, const struct play_op *a, const struct play_op *b)
{
    if (a->object != b->object)
        return false;
    const assay_spec *spec = spec_of(x, a->object);
    int left = method_named(spec, a->method)->key, right = method_named(spec, b->method)->key;
    return left < 0 || right < 0 || assay_value_same(a->args[left], b->args[right]);
}

static bool must_wait(const struct playing *x, uint32_t i, uint32_t done)
{
    const struct play_op *o = &x->play.op[i];
    for (uint32_t j = 0; j < x->play.n; j++) {
        const struct play_op *other = &x->play.op[j];
        bool earlier = !other->pending && other->ret < o->call;
        bool before = j < i && other->thread == o->thread && one_part(x, other, o);
        if (j != i && !(done >> j & 1) && (earlier || before))
            return true;
    }
    return false;
}

/* Plays it again, in an order that extends real time, and program order only where it stays with one object and key. */
static void play_apart(struct playing *x)
{
    struct play before = x->play;
    uint32_t done = 0, must = 0;
    create_states(x);
    memset(x->done, 0, sizeof x->done);
    for (uint32_t i = 0; i < x->play.n; i++)
        must |= x->play.op[i].pending ? 0 : 1u << i;
    for (uint32_t tries = 0; tries < 2000 && (must & ~done); tries++) {
        uint32_t i = rng_below(x->rng, x->play.n);
        if ((done >> i & 1) || must_wait(x, i, done))
            continue;
        take_effect(x, i);
        done |= (uint32_t)x->done[i] << i;
    }
    for (uint32_t i = 0; i < x->play.n; i++)
        if (x->play.op[i].pending)
            x->play.op[i].result = before.op[i].result;
    if (must & ~done)
        x->play = before;
}

static bool some_open(const struct playing *x)
{
    for (uint32_t t = 0; t < PLAY_MOST; t++)
        if (x->open[t] != PLAY_MOST)
            return true;
    return false;
}

struct play play_random(const struct cast *c, struct rng *rng)
{
    mem_release(&texts);
    struct playing x = {.c = c, .rng = rng, .play = {.object = c->object, .init = c->init, .other_n = c->other_n}};
    for (uint32_t i = 0; i < c->other_n; i++)
        x.play.other[i] = c->other[i].object;
    uint32_t n = c->least + rng_below(rng, c->most - c->least + 1), threads = 1 + rng_below(rng, c->threads);
    for (uint32_t t = 0; t < PLAY_MOST; t++)
        x.open[t] = PLAY_MOST;
    create_states(&x);
    for (uint32_t idle = 0; idle < 100;) {
        uint32_t t = rng_below(rng, threads), i = x.open[t];
        x.time += rng_below(rng, 100) >= c->ties;
        idle++;
        if (i == PLAY_MOST) {
            if (x.play.n < n && x.play.n < PLAY_MOST && !x.ending)
                begin(&x, t), idle = 0;
        } else if (!x.done[i]) {
            take_effect(&x, i);
            idle -= x.done[i];
        } else if (x.play.op[i].pending && !(x.play.n == n && rng_below(rng, 100) < c->pending)) {
            x.play.op[i].pending = false;
            x.play.op[i].ret = x.time;
            x.open[t] = PLAY_MOST;
            x.ending = c->rounds && some_open(&x);
            idle = 0;
        }
    }
    if (c->apart && x.play.n)
        play_apart(&x);
    for (uint32_t lies = rng_below(rng, c->lies + 1); lies > 0; lies--)
        if (x.play.n)
            lie(&x);
    mem_release(&x.mem);
    while (x.given_n)
        assay_history_free(x.given[--x.given_n]);
    return x.play;
}

void play_draw_knowledge(struct play *p, struct rng *rng)
{
    p->times = PLAY_KNOWN;
    for (uint32_t i = 0; i < p->n; i++) {
        struct play_op *o = &p->op[i];
        memset(o->knows, 0, sizeof o->knows);
        for (uint32_t j = 0; j < p->n; j++) {
            const struct play_op *other = &p->op[j];
            if (other->thread != o->thread && !other->pending && other->ret < o->call && rng_below(rng, 3) == 0)
                o->knows[other->thread] = (uint8_t)(play_index(p, j) + 1);
        }
    }
}
