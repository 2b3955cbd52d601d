/* SPDX-License-Identifier: Apache-2.0 */
/* Idea: threads take turns at random; the memory says what a read returns. A memory's state is, for
 * each write, what its thread knew (a vector of positions), and for each thread what it knows, or a
 * store with what was applied to it. A write is delivered to a replica only after the writes that
 * its thread had seen. With store buffers, thread 0's store is the memory. */
#include "support/generate.h"

#include <stdlib.h>
#include <string.h>

struct write {
    uint8_t thread, var;
    int32_t value;
    uint32_t position; /* among its thread's operations, or writes for replicas */
    uint32_t stamp;
    uint32_t known[GENERATE_THREADS]; /* how many of each thread were known, itself included */
};

struct thread {
    uint32_t known[GENERATE_THREADS];
    int32_t store[GENERATE_VARS];
    uint32_t stamp[GENERATE_VARS]; /* of what is in the store */
    uint32_t clock;                /* largest stamp seen */
};

struct buffered {
    uint8_t thread, var;
    int32_t value;
};

struct world {
    const struct recipe *r;
    struct rng *rng;
    struct sketch sketch;
    struct write *writes;
    uint32_t write_count;
    struct buffered *buffer; /* of all threads, oldest first */
    uint32_t buffered;
    int32_t values[GENERATE_VARS]; /* written so far */
    struct thread thread[GENERATE_THREADS];
    uint32_t played; /* lines of the scene */
};

static bool percent(struct rng *rng, uint32_t chance)
{
    return rng_below(rng, 100) < chance;
}

/* ---- any value that causal consistency allows ---- */

static bool knows(const uint32_t *known, const struct write *w)
{
    return known[w->thread] > w->position;
}

static void learn(uint32_t *known, const uint32_t *more)
{
    for (int u = 0; u < GENERATE_THREADS; u++)
        if (more[u] > known[u])
            known[u] = more[u];
}

/* May a read with this knowledge return w (NULL: the initial value)? */
static bool allowed(const struct world *x, const uint32_t *known, uint8_t var, const struct write *w)
{
    uint32_t past[GENERATE_THREADS];
    memcpy(past, known, sizeof past);
    if (w)
        learn(past, w->known);
    for (uint32_t i = 0; i < x->write_count; i++) {
        const struct write *other = &x->writes[i];
        if (other != w && other->var == var && knows(past, other) && (!w || knows(other->known, w)))
            return false;
    }
    return true;
}

/* One of the allowed writes at random, by reservoir sampling; NULL: the initial value. */
static const struct write *any_allowed(struct world *x, const struct thread *t, uint8_t var)
{
    const struct write *chosen = NULL;
    uint32_t found = allowed(x, t->known, var, NULL);
    for (uint32_t i = 0; i < x->write_count; i++)
        if (x->writes[i].var == var && allowed(x, t->known, var, &x->writes[i]) && rng_below(x->rng, ++found) == 0)
            chosen = &x->writes[i];
    return chosen;
}

/* ---- replicas ---- */

static bool deliverable(const struct thread *t, uint8_t self, const struct write *w)
{
    if (w->thread == self || t->known[w->thread] != w->position)
        return false;
    for (int u = 0; u < GENERATE_THREADS; u++)
        if (u != w->thread && w->known[u] > t->known[u])
            return false;
    return true;
}

static void apply(const struct world *x, struct thread *t, const struct write *w)
{
    bool keeps = x->r->memory != MEMORY_REPLICAS && t->stamp[w->var] > w->stamp;
    t->known[w->thread] = w->position + 1;
    if (w->stamp / GENERATE_THREADS > t->clock)
        t->clock = w->stamp / GENERATE_THREADS;
    if (keeps)
        return;
    t->store[w->var] = w->value;
    t->stamp[w->var] = w->stamp;
}

/* Everything that can arrive does. */
static void deliver(struct world *x, uint8_t self)
{
    struct thread *t = &x->thread[self];
    for (bool again = true; again;) {
        again = false;
        uint32_t start = x->write_count ? rng_below(x->rng, x->write_count) : 0;
        for (uint32_t i = 0; i < x->write_count; i++) {
            const struct write *w = &x->writes[(start + i) % x->write_count];
            if (!deliverable(t, self, w))
                continue;
            apply(x, t, w);
            again = true;
        }
    }
}

/* ---- store buffers ---- */

static bool has_buffers(enum memory_kind memory)
{
    return memory == MEMORY_BUFFER || memory == MEMORY_BUFFERS;
}

static bool is_oldest(const struct world *x, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++)
        if (x->buffer[i].thread == x->buffer[at].thread &&
            (x->r->memory == MEMORY_BUFFER || x->buffer[i].var == x->buffer[at].var))
            return false;
    return true;
}

static void reach_memory(struct world *x, uint32_t at)
{
    struct buffered b = x->buffer[at];
    x->thread[0].store[b.var] = b.value;
    x->buffered--;
    memmove(x->buffer + at, x->buffer + at + 1, (x->buffered - at) * sizeof b);
}

/* One write that may leave its buffer does. */
static void drain_some(struct world *x)
{
    uint32_t at = rng_below(x->rng, x->buffered);
    if (is_oldest(x, at))
        reach_memory(x, at);
}

static void drain_thread(struct world *x, uint8_t thread)
{
    for (uint32_t i = 0; i < x->buffered;)
        if (x->buffer[i].thread == thread)
            reach_memory(x, i);
        else
            i++;
}

static int32_t buffered_value(const struct world *x, uint8_t thread, uint8_t var)
{
    for (uint32_t i = x->buffered; i-- > 0;)
        if (x->buffer[i].thread == thread && x->buffer[i].var == var)
            return x->buffer[i].value;
    return x->thread[0].store[var];
}

static void operate_buffered(struct world *x, struct sketch_op *o)
{
    while (x->buffered && percent(x->rng, x->r->delivered))
        drain_some(x);
    if (o->kind == SKETCH_FENCE || o->kind == SKETCH_RMW)
        drain_thread(x, o->thread);
    if (sketch_reads(o))
        o->old = buffered_value(x, o->thread, o->var);
    if (sketch_writes(o)) {
        o->new = ++x->values[o->var];
        x->buffer[x->buffered++] = (struct buffered){o->thread, o->var, o->new};
    }
    if (o->kind == SKETCH_RMW)
        drain_thread(x, o->thread);
}

/* ---- operations ---- */

static int32_t read_value(struct world *x, uint8_t self, uint8_t var)
{
    struct thread *t = &x->thread[self];
    const struct write *w;
    switch (x->r->memory) {
    case MEMORY_ARBITRARY: return 0; /* chosen when all writes are known */
    case MEMORY_ALLOWED:
        w = any_allowed(x, t, var);
        if (w)
            learn(t->known, w->known);
        return w ? w->value : 0;
    default: return t->store[var];
    }
}

static void write_value(struct world *x, uint8_t self, uint8_t var, int32_t value)
{
    struct thread *t = &x->thread[self];
    struct write *w = &x->writes[x->write_count++];
    *w = (struct write){.thread = self, .var = var, .value = value, .position = t->known[self]};
    t->known[self] += x->r->memory != MEMORY_ALLOWED; /* there every operation counts, not only writes */
    memcpy(w->known, t->known, sizeof w->known);
    w->known[self] = w->position + 1;
    t->clock += 1 + rng_below(x->rng, 20); /* leaps make late writes of one thread win over early ones of another */
    w->stamp = t->clock * GENERATE_THREADS + self;
    t->store[var] = value;
    t->stamp[var] = w->stamp;
}

static uint8_t choose_kind(struct world *x)
{
    if (percent(x->rng, x->r->fences))
        return SKETCH_FENCE;
    if (!percent(x->rng, x->r->writes))
        return SKETCH_READ;
    return percent(x->rng, x->r->rmws) ? SKETCH_RMW : SKETCH_WRITE;
}

static uint8_t choose_variable(struct world *x, const struct sketch_op *o)
{
    uint32_t vars = x->r->vars;
    if (!x->r->apart || !percent(x->rng, x->r->apart))
        return (uint8_t)rng_below(x->rng, vars);
    uint32_t further = sketch_writes(o) || vars == 1 ? 0 : 1 + rng_below(x->rng, vars - 1);
    return (uint8_t)((o->thread + further) % vars);
}

/* Thread 1 writes x with a late stamp, reads z before it hears of thread 0, and then learns of z
 * and x through y: as it still reads its own x, the other x came before, and so did z. */
static const struct line {
    uint8_t thread, kind, var;
    bool hears;
    uint32_t leap; /* of the clock */
} scene[] = {
    {1, SKETCH_WRITE, 0, false, 100}, {0, SKETCH_WRITE, 2, false, 0}, {1, SKETCH_READ, 2, false, 0},
    {0, SKETCH_WRITE, 0, false, 0},   {0, SKETCH_WRITE, 1, false, 0}, {1, SKETCH_READ, 1, true, 0},
    {1, SKETCH_READ, 0, false, 0},
};
enum { SCENE = sizeof scene / sizeof *scene };

/* The next line of the scene, if it is time for it. */
static const struct line *cue(struct world *x)
{
    uint32_t left = x->r->n - x->sketch.n, lines = SCENE - x->played;
    if (x->r->memory != MEMORY_SCENE || !lines || (left > lines && percent(x->rng, 40)))
        return NULL;
    return &scene[x->played++];
}

static void operate(struct world *x)
{
    enum memory_kind memory = x->r->memory;
    bool replicas = memory == MEMORY_REPLICAS || memory == MEMORY_LATEST || memory == MEMORY_SCENE;
    struct sketch_op o = {.kind = choose_kind(x), .thread = (uint8_t)rng_below(x->rng, x->r->threads)};
    bool hears = percent(x->rng, x->r->delivered);
    if (o.kind != SKETCH_FENCE)
        o.var = choose_variable(x, &o);
    const struct line *line = cue(x);
    if (line) {
        o = (struct sketch_op){.kind = line->kind, .thread = line->thread, .var = line->var};
        hears = line->hears;
        x->thread[o.thread].clock += line->leap;
    }
    if (has_buffers(memory)) {
        operate_buffered(x, &o);
        sketch_add(&x->sketch, o);
        return;
    }
    uint8_t self = memory == MEMORY_ONE ? 0 : o.thread;
    if (replicas && hears)
        deliver(x, self);
    if (sketch_reads(&o))
        o.old = read_value(x, self, o.var);
    if (sketch_writes(&o)) {
        o.new = ++x->values[o.var];
        write_value(x, self, o.var, o.new);
    }
    if (memory == MEMORY_ALLOWED)
        x->thread[self].known[self]++;
    sketch_add(&x->sketch, o);
}

/* ---- afterwards ---- */

static int32_t any_value(struct world *x, uint8_t var)
{
    if (percent(x->rng, 1))
        return SKETCH_NOBODY;
    return (int32_t)rng_below(x->rng, (uint32_t)x->values[var] + 1);
}

static void change_reads(struct world *x)
{
    struct sketch *s = &x->sketch;
    for (uint32_t i = 0; i < s->n && x->r->memory == MEMORY_ARBITRARY; i++)
        if (sketch_reads(&s->op[i]))
            s->op[i].old = any_value(x, s->op[i].var);
    for (uint32_t i = 0; i < x->r->changed; i++) {
        struct sketch_op *o = &s->op[rng_below(x->rng, s->n)];
        if (sketch_reads(o))
            o->old = any_value(x, o->var);
    }
}

static void leave_pending(struct world *x)
{
    struct sketch *s = &x->sketch;
    for (uint8_t t = 0; t < x->r->threads; t++) {
        uint32_t last = s->n;
        for (uint32_t i = 0; i < s->n; i++)
            if (s->op[i].thread == t)
                last = i;
        if (last < s->n && percent(x->rng, x->r->pending))
            s->op[last].pending = true;
    }
}

/* What is in memory in the end, or now and then anything. */
static void declare_finals(struct world *x)
{
    bool known = x->r->memory == MEMORY_ONE || has_buffers(x->r->memory);
    while (x->buffered)
        drain_some(x);
    for (uint8_t var = 0; var < x->r->vars; var++)
        if (percent(x->rng, x->r->finals))
            sketch_add_final(&x->sketch, var,
                             known && !percent(x->rng, 10) ? x->thread[0].store[var] : any_value(x, var));
}

struct sketch generate(const struct recipe *r, struct rng *rng)
{
    struct world *x = calloc(1, sizeof *x);
    if (!x || !(x->writes = calloc(r->n, sizeof *x->writes)) || !(x->buffer = calloc(r->n, sizeof *x->buffer)))
        abort();
    x->r = r;
    x->rng = rng;
    for (uint32_t i = 0; i < r->n; i++)
        operate(x);
    change_reads(x);
    leave_pending(x);
    declare_finals(x);
    struct sketch s = x->sketch;
    free(x->writes);
    free(x->buffer);
    free(x);
    return s;
}

struct recipe recipe_any(struct rng *rng, uint32_t least, uint32_t most)
{
    /* Reads that causal consistency allows lie on all sides of the borders; the other memories lie
     * on one. */
    static const enum memory_kind often[] = {MEMORY_ARBITRARY, MEMORY_ALLOWED, MEMORY_ALLOWED, MEMORY_ALLOWED,
                                             MEMORY_REPLICAS,  MEMORY_LATEST,  MEMORY_SCENE,   MEMORY_ONE};
    bool small = most <= 64;
    struct recipe r = {.memory = often[rng_below(rng, sizeof often / sizeof *often)],
                       .n = least + rng_below(rng, most - least + 1),
                       .threads = 2 + rng_below(rng, small ? 4 : GENERATE_THREADS - 1),
                       .vars = 1 + rng_below(rng, small ? 4 : GENERATE_VARS)};
    if (r.memory == MEMORY_SCENE && r.vars < 3)
        r.vars = 3;
    r.writes = 30 + rng_below(rng, 41);
    r.rmws = rng_below(rng, 3) ? 0 : 10 + rng_below(rng, 80);
    r.fences = rng_below(rng, 4) ? 0 : 10;
    r.changed = rng_below(rng, 3);
    r.pending = rng_below(rng, 3) ? 0 : 40;
    r.delivered = 5 + rng_below(rng, 60);
    return r;
}

struct recipe recipe_serial(struct rng *rng, uint32_t least, uint32_t most)
{
    static const enum memory_kind often[] = {MEMORY_ARBITRARY, MEMORY_ALLOWED, MEMORY_REPLICAS, MEMORY_ONE,
                                             MEMORY_BUFFER,    MEMORY_BUFFER,  MEMORY_BUFFER,   MEMORY_BUFFERS};
    struct recipe r = recipe_any(rng, least, most);
    r.memory = often[rng_below(rng, sizeof often / sizeof *often)];
    r.threads = 2 + rng_below(rng, 4);
    r.vars = 1 + rng_below(rng, 4);
    r.rmws = rng_below(rng, 3) ? 0 : 10 + rng_below(rng, 40);
    r.fences = rng_below(rng, 3) ? 0 : 15;
    r.finals = rng_below(rng, 5) ? 0 : 60;
    if (has_buffers(r.memory) && rng_below(rng, 3)) { /* threads read what others have buffered */
        r.n = most - rng_below(rng, (most - least) / 2 + 1);
        r.threads = r.vars = 2 + rng_below(rng, 2);
        r.writes = 50;
        r.delivered = rng_below(rng, 15);
        r.apart = 80;
        r.fences = r.rmws = rng_below(rng, 3) ? 0 : 5;
    }
    return r;
}
