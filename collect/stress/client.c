/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs are better clients than real ones, which restrict arguments or ignore results (Emmi and Enea, CAV
 * 2018, section 5). */
#include "collect/stress/client.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/rng.h"
#include "report/columns.h"
#include "spec/spec.h"

#include <stdlib.h>
#include <string.h>

enum { FEW_VALUES = 3 }; /* of keys and their values, so that calls meet */

/* ---- the vocabulary ---- */

_Noreturn static void refuse(const struct vocabulary *v, assay_error *e, const char *why, const char *name)
{
    error_set(e, ASSAY_ERROR_USAGE, "%s: %s '%s'", v->adapter->name, why, name);
    escape_raise(ESCAPE_ERROR);
}

uint8_t vocabulary_find(const struct vocabulary *v, const char *name, size_t length)
{
    for (uint8_t i = 0; i < v->n; i++) {
        const char *known = v->adapter->methods[i].name;
        if (strlen(known) == length && memcmp(known, name, length) == 0)
            return i;
    }
    return CLIENT_NONE;
}

static const assay_method *describe_method(const assay_spec *spec, const char *name)
{
    for (const assay_method *m = spec->methods; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

/* The headers of all histories, as one without operations. */
static assay_history *read_declaration(const struct vocabulary *v, struct mem *mem, assay_error *e)
{
    struct text declared = text_in(mem);
    text_printf(&declared, "# @object %s\n", v->adapter->object);
    if (v->adapter->initial)
        text_printf(&declared, "# @init %s\n", v->adapter->initial);
    assay_reader *reader = assay_reader_open_memory(v->adapter->name, text_get(&declared), declared.n, "hist", e);
    assay_history *h = reader ? assay_reader_next(reader, e) : NULL;
    assay_reader_close(reader);
    if (!h && e->code == ASSAY_OK)
        error_set(e, ASSAY_ERROR_INPUT, "%s: its object and its initial content cannot be read", v->adapter->name);
    return h;
}

/* False with an error: it has others than numbers. */
static bool read_initial(struct vocabulary *v, struct mem *mem, assay_error *e)
{
    const assay_setting *s = &v->setting;
    v->initial = mem_new_zero(mem, assay_adapter_binding, s->init_count + 1);
    for (; v->initial_count < s->init_count; v->initial_count++) {
        const assay_binding *b = &s->init[v->initial_count];
        bool has_key = b->key.kind != ASSAY_NONE;
        if (b->value.kind != ASSAY_INT || (has_key && b->key.kind != ASSAY_INT)) {
            error_set(e, ASSAY_ERROR_USAGE, "%s: its initial content has others than integers: '%s'", v->adapter->name,
                      v->adapter->initial);
            error_remedy(e, "`[1, 2]`, or `1=10` where there are keys");
            return false;
        }
        v->initial[v->initial_count] = (assay_adapter_binding){has_key, b->key.integer, b->value.integer};
    }
    return true;
}

static void find_spec(struct vocabulary *v, const assay_spec *spec, struct mem *mem, assay_error *e)
{
    struct object_choice choice = {.kind = v->adapter->object, .spec = spec};
    struct objects objects;
    assay_history *h = read_declaration(v, mem, e);
    bool fine = h && objects_of(h, choice, mem, &objects, e);
    if (fine) {
        v->spec = objects.at[0].spec;
        v->kind = spec ? v->adapter->object : objects.at[0].kind;
        v->setting = objects.at[0].setting;
        fine = read_initial(v, mem, e);
    }
    assay_history_free(h); /* numbers do not need it */
    if (!fine)
        escape_raise(ESCAPE_ERROR);
}

static void read_openers(struct vocabulary *v, uint8_t closer, assay_error *e)
{
    const char *names = v->adapter->methods[closer].opened_by;
    v->closes[closer] = true;
    for (size_t length; *names; names += length) {
        names += strspn(names, " ");
        length = strcspn(names, " ");
        uint8_t opener = vocabulary_find(v, names, length);
        if (opener == CLIENT_NONE)
            refuse(v, e, "opened_by names a method that the adapter does not have:", names);
        v->closed_by[opener] = closer;
    }
}

/* enq=2,deq=1: the others are not called. */
static void read_mix(struct vocabulary *v, const char *mix, assay_error *e)
{
    memset(v->weights, 0, sizeof v->weights);
    for (const char *at = mix; *at; at += strspn(at, ",")) {
        size_t length = strcspn(at, "=,");
        uint8_t method = vocabulary_find(v, at, length);
        char *end = (char *)at + length;
        unsigned long weight = at[length] == '=' ? strtoul(at + length + 1, &end, 10) : 1;
        if (method == CLIENT_NONE || (*end && *end != ',') || weight > 1000 || end == at) {
            error_set(e, ASSAY_ERROR_USAGE, "--mix: cannot read '%s'", at);
            error_remedy(e, "METHOD=WEIGHT,... of the methods of %s, weights up to 1000", v->adapter->name);
            escape_raise(ESCAPE_ERROR);
        }
        v->weights[method] = (unsigned)weight;
        at = end;
    }
}

void vocabulary_read_waits(struct vocabulary *v, const char *from, const char *text, struct mem *mem, assay_error *e)
{
    for (const char *at = text; *at; at += strspn(at, ",")) {
        size_t length = strcspn(at, ","), name = strcspn(at, "=,");
        uint8_t method = vocabulary_find(v, at, name);
        if (method == CLIENT_NONE || name + 1 >= length) {
            error_set(e, ASSAY_ERROR_USAGE, "%s: cannot read '%s'", from, at);
            error_remedy(e,
                         "METHOD=ANSWER,... of the methods of %s, as in deq=empty: a deq waits instead of answering so",
                         v->adapter->name);
            escape_raise(ESCAPE_ERROR);
        }
        v->waits[method] = mem_text(mem, at + name + 1, length - name - 1);
        at += length;
    }
}

void vocabulary_read_roles(struct vocabulary *v, const char *from, const char *text, assay_error *e)
{
    for (const char *at = text, *begin; *at;) {
        const char *name;
        size_t length;
        role r;
        begin = at;
        bool fine = roles_next(&at, &name, &length, &r);
        uint8_t method = fine ? vocabulary_find(v, name, length) : CLIENT_NONE;
        if (method == CLIENT_NONE) {
            error_set(e, ASSAY_ERROR_USAGE, "%s: cannot read '%s'", from, begin);
            error_remedy(e, "METHOD=THREADS,... of the methods of %s; threads are as in 0, 1-3, 2- and 0+2",
                         v->adapter->name);
            escape_raise(ESCAPE_ERROR);
        }
        v->roles[method] &= r;
        v->has_roles = true;
        if (!v->roles[method]) {
            error_set(e, ASSAY_ERROR_USAGE, "%s: with the roles of %s no thread may call %s", from, v->adapter->name,
                      v->adapter->methods[method].name);
            escape_raise(ESCAPE_ERROR);
        }
    }
}

struct sequel vocabulary_read_sequel(const struct vocabulary *v, const char *from, const char *text, struct mem *mem,
                                     assay_error *e)
{
    enum { MOST = 1000 };
    char *end;
    struct sequel s = {.n = (uint32_t)strtoul(text, &end, 10)};
    bool fine = *text >= '0' && *text <= '9' && !*end && s.n <= MOST;
    if (fine)
        return s;
    s = (struct sequel){.methods = mem_new(mem, uint8_t, MOST)};
    fine = *text;
    for (const char *at = text; fine && *at; at += strspn(at, ",")) {
        size_t length = strcspn(at, "=,");
        uint8_t method = vocabulary_find(v, at, length);
        unsigned long times = at[length] == '=' ? strtoul(at + length + 1, &end, 10) : 1;
        at = at[length] == '=' ? end : at + length;
        fine = method != CLIENT_NONE && !v->closes[method] && (!*at || *at == ',') && times && times <= MOST - s.n;
        for (; fine && times; times--)
            s.methods[s.n++] = method;
    }
    if (fine)
        return s;
    error_set(e, ASSAY_ERROR_USAGE, "%s: cannot read '%s'", from, text);
    error_remedy(e, "a number of calls, or METHOD=CALLS,... of the methods of %s, %u calls at most", v->adapter->name,
                 (unsigned)MOST);
    escape_raise(ESCAPE_ERROR);
}

static unsigned weight_for(const struct vocabulary *v, uint32_t method, uint32_t thread)
{
    return role_has(v->roles[method], thread) ? v->weights[method] : 0;
}

uint32_t vocabulary_idle(const struct vocabulary *v, uint32_t threads)
{
    for (uint32_t t = 0; t < threads; t++) {
        bool any = false;
        for (uint32_t i = 0; i < v->n; i++)
            any |= weight_for(v, i, t) && !v->closes[i];
        if (!any)
            return t;
    }
    return threads;
}

bool vocabulary_waits(const struct vocabulary *v)
{
    bool any = false;
    for (uint32_t i = 0; i < v->n; i++)
        any |= v->waits[i] != NULL;
    return any;
}

static bool any_opener(const struct vocabulary *v)
{
    for (uint32_t i = 0; i < v->n; i++)
        if (v->weights[i] && !v->closes[i])
            return true;
    return false;
}

/* Unique values tell calls apart, where no call has to ask for a value of another call. */
static bool wants_few_values(const struct vocabulary *v)
{
    for (uint32_t i = 0; i < v->n; i++)
        if (method_least(v->methods[i]) > 1 || v->methods[i]->key >= 0)
            return true;
    return false;
}

/* The methods of which no call is valid. Of the values that are allowed, `values` are enough, if that is not 0. */
static void leave_out(struct vocabulary *v, unsigned values, struct mem *mem)
{
    struct text all = text_in(mem);
    for (uint32_t i = 0; i < v->n; i++) {
        struct allowed_calls *a = &v->allowed[i];
        allowed_find(a, v->spec, &v->setting, v->methods[i], mem);
        for (unsigned j = 0; j < ASSAY_ADAPTER_ARGS; j++)
            a->of[j].n = values && a->of[j].n > values ? values : a->of[j].n;
        if (!a->why_none)
            continue;
        v->weights[i] = 0;
        text_printf(&all, "%s%s, since no call of it is valid (%s)", all.n ? "; " : "", v->methods[i]->name,
                    a->why_none);
    }
    v->left_out = all.n ? text_get(&all) : NULL;
}

void vocabulary_init(struct vocabulary *v, const assay_adapter *a, const assay_spec *spec, const char *mix,
                     unsigned values, struct mem *mem, assay_error *e)
{
    *v = (struct vocabulary){.adapter = a};
    find_spec(v, spec, mem, e);
    for (; a->methods[v->n].name; v->n++) {
        const char *name = a->methods[v->n].name;
        if (v->n == CLIENT_MOST_METHODS)
            refuse(v, e, "has too many methods, from", name);
        v->methods[v->n] = describe_method(v->spec, name);
        if (!v->methods[v->n])
            refuse(v, e, "its object has no method", name);
        if (method_least(v->methods[v->n]) > ASSAY_ADAPTER_ARGS)
            refuse(v, e, "too many arguments has the method", name);
        v->weights[v->n] = a->methods[v->n].weight;
        v->closed_by[v->n] = CLIENT_NONE;
        v->roles[v->n] = ROLE_OF_ALL;
    }
    for (uint32_t i = 0; i < v->n; i++)
        if (a->methods[i].opened_by)
            read_openers(v, (uint8_t)i, e);
    if (a->waits)
        vocabulary_read_waits(v, a->name, a->waits, mem, e);
    if (a->roles)
        vocabulary_read_roles(v, a->name, a->roles, e);
    if (a->before)
        v->before = vocabulary_read_sequel(v, a->name, a->before, mem, e);
    if (a->after)
        v->after = vocabulary_read_sequel(v, a->name, a->after, mem, e);
    if (mix)
        read_mix(v, mix, e);
    leave_out(v, values, mem);
    if (!any_opener(v) && v->left_out)
        refuse(v, e, "no method to call: left out is", v->left_out);
    if (!any_opener(v))
        refuse(v, e, "no method to call: the weights are 0, or all wait for another one, in", mix ? mix : "");
    v->values = values ? values : wants_few_values(v) ? FEW_VALUES : 0;
}

/* ---- programs ---- */

struct client client_empty(uint32_t threads, uint32_t calls, struct mem *mem)
{
    return (struct client){.threads = threads,
                           .from = mem_new_zero(mem, uint32_t, (size_t)threads + 1),
                           .before = mem_new_zero(mem, uint32_t, (size_t)threads + 1),
                           .after = mem_new_zero(mem, uint32_t, (size_t)threads + 1),
                           .steps = mem_new_zero(mem, struct step, (size_t)calls + 1)};
}

/* A releasing method is called only where something may be held. */
static uint8_t random_method(const struct vocabulary *v, uint32_t thread, bool may_hold, struct rng *rng)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < v->n; i++)
        sum += v->closes[i] && !may_hold ? 0 : weight_for(v, i, thread);
    uint32_t pick = rng_below(rng, sum);
    for (uint8_t i = 0;; i++) {
        uint32_t weight = v->closes[i] && !may_hold ? 0 : weight_for(v, i, thread);
        if (pick < weight)
            return i;
        pick -= weight;
    }
}

static int64_t random_argument(const struct vocabulary *v, const struct allowed_values *allowed, int64_t *fresh,
                               struct rng *rng)
{
    if (allowed->n)
        return allowed->at[rng_below(rng, allowed->n)];
    return v->values ? 1 + rng_below(rng, v->values) : ++*fresh;
}

/* There is a valid call: vocabulary_init has left out the other methods. */
static struct step step_of(const struct vocabulary *v, uint8_t method, int64_t *fresh, struct rng *rng)
{
    enum { TRIES = 100 };
    struct step s = {.method = method};
    const struct allowed_calls *allowed = &v->allowed[method];
    for (unsigned tries = 0; tries < TRIES; tries++) {
        for (unsigned i = 0; i < method_least(v->methods[method]); i++)
            s.args[i] = random_argument(v, &allowed->of[i], fresh, rng);
        if (!allowed_objection(v->spec, &v->setting, v->methods[method], s.args))
            return s;
    }
    memcpy(s.args, allowed->example, sizeof s.args);
    return s;
}

static struct step random_step(const struct vocabulary *v, uint32_t thread, bool *may_hold, int64_t *fresh,
                               struct rng *rng)
{
    uint8_t method = random_method(v, thread, *may_hold, rng);
    *may_hold = !v->closes[method] && (*may_hold || v->closed_by[method] != CLIENT_NONE);
    return step_of(v, method, fresh, rng);
}

/* ---- calls that come one after the other ---- */

struct placed_steps {
    uint32_t n, *threads;
    struct step *steps;
};

/* The first thread that may call it, or their number. */
static uint32_t caller_of(const struct vocabulary *v, uint32_t method, uint32_t threads)
{
    uint32_t t = 0;
    while (t < threads && !role_has(v->roles[method], t))
        t++;
    return t;
}

static uint8_t random_method_of_any(const struct vocabulary *v, uint32_t threads, struct rng *rng)
{
    uint32_t weights[CLIENT_MOST_METHODS] = {0}, sum = 0;
    for (uint32_t i = 0; i < v->n; i++) {
        weights[i] = v->closes[i] || caller_of(v, i, threads) == threads ? 0 : v->weights[i];
        sum += weights[i];
    }
    uint32_t pick = sum ? rng_below(rng, sum) : 0;
    for (uint8_t i = 0; i < v->n; i++) {
        if (pick < weights[i])
            return i;
        pick -= weights[i];
    }
    return CLIENT_NONE;
}

static struct placed_steps place_steps(const struct vocabulary *v, const struct sequel *s, uint32_t threads,
                                       int64_t *fresh, struct rng *rng, struct mem *mem)
{
    struct placed_steps p = {0, mem_new(mem, uint32_t, (size_t)s->n + 1), mem_new(mem, struct step, (size_t)s->n + 1)};
    for (uint32_t i = 0; i < s->n; i++) {
        uint8_t method = s->methods ? s->methods[i] : random_method_of_any(v, threads, rng);
        uint32_t caller = method == CLIENT_NONE ? threads : caller_of(v, method, threads);
        if (caller == threads || v->allowed[method].why_none)
            continue;
        p.threads[p.n] = caller;
        p.steps[p.n++] = step_of(v, method, fresh, rng);
    }
    return p;
}

/* Those of the thread go behind the steps of the program. */
static uint32_t append_placed(struct client *p, uint32_t *n, const struct placed_steps *all, uint32_t thread)
{
    uint32_t before = *n;
    for (uint32_t i = 0; i < all->n; i++)
        if (all->threads[i] == thread)
            p->steps[(*n)++] = all->steps[i];
    return *n - before;
}

struct client client_random(const struct vocabulary *v, uint32_t threads, uint32_t calls, uint64_t seed,
                            struct mem *mem)
{
    struct client p = client_empty(threads, vocabulary_calls(v, calls), mem);
    struct vocabulary left = *v;
    struct rng rng = {seed}, apart = {hash_join(seed, 1)};
    uint32_t lucky = rng_below(&rng, threads), n = 0;
    int64_t fresh = 0;
    struct placed_steps before = place_steps(v, &v->before, threads, &fresh, &apart, mem);
    struct step *together = mem_new(mem, struct step, (size_t)calls + 1);
    uint32_t *shares = mem_new(mem, uint32_t, threads);
    for (uint32_t t = 0, k = 0; t < threads; t++) {
        bool may_hold = false;
        shares[t] = calls / threads + ((t + lucky) % threads < calls % threads);
        for (uint32_t i = 0; i < shares[t]; i++, k++) {
            together[k] = random_step(&left, t, &may_hold, &fresh, &rng);
            left.weights[together[k].method] -= v->counted;
        }
    }
    struct placed_steps after = place_steps(v, &v->after, threads, &fresh, &apart, mem);
    for (uint32_t t = 0, k = 0; t < threads; k += shares[t++]) {
        p.before[t] = append_placed(&p, &n, &before, t);
        memcpy(p.steps + n, together + k, shares[t] * sizeof *together);
        n += shares[t];
        p.after[t] = append_placed(&p, &n, &after, t);
        p.from[t + 1] = n;
    }
    return p;
}

struct client client_without_thread(const struct client *p, uint32_t thread, struct mem *mem)
{
    struct client q = client_empty(p->threads - 1, client_size(p), mem);
    for (uint32_t t = 0, to = 0; t < p->threads; t++) {
        uint32_t n = p->from[t + 1] - p->from[t];
        if (t == thread)
            continue;
        memcpy(&q.steps[q.from[to]], &p->steps[p->from[t]], n * sizeof *q.steps);
        q.before[to] = p->before[t];
        q.after[to] = p->after[t];
        q.from[to + 1] = q.from[to] + n;
        to++;
    }
    return q;
}

struct client client_without_calls_of(const struct client *p, uint32_t thread, struct mem *mem)
{
    struct client q = client_empty(p->threads, client_size(p), mem);
    uint32_t gone = p->from[thread + 1] - p->from[thread];
    for (uint32_t t = 0; t <= p->threads; t++) {
        q.from[t] = p->from[t] - (t > thread ? gone : 0);
        q.before[t] = t == thread ? 0 : p->before[t];
        q.after[t] = t == thread ? 0 : p->after[t];
    }
    memcpy(q.steps, p->steps, p->from[thread] * sizeof *q.steps);
    memcpy(&q.steps[p->from[thread]], &p->steps[p->from[thread + 1]],
           (client_size(p) - p->from[thread + 1]) * sizeof *q.steps);
    return q;
}

struct client client_without_step(const struct client *p, uint32_t step, struct mem *mem)
{
    struct client q = client_empty(p->threads, client_size(p), mem);
    for (uint32_t t = 0; t <= p->threads; t++)
        q.from[t] = p->from[t] - (p->from[t] > step);
    for (uint32_t t = 0; t < p->threads; t++) {
        bool its = p->from[t] <= step && step < p->from[t + 1];
        q.before[t] = p->before[t] - (its && step < p->from[t] + p->before[t]);
        q.after[t] = p->after[t] - (its && step >= p->from[t + 1] - p->after[t]);
    }
    memcpy(q.steps, p->steps, step * sizeof *q.steps);
    memcpy(&q.steps[step], &p->steps[step + 1], (client_size(p) - step - 1) * sizeof *q.steps);
    return q;
}

void client_show_step(const struct step *s, const struct vocabulary *v, struct text *out)
{
    text_printf(out, "%s(", v->methods[s->method]->name);
    for (unsigned i = 0; i < method_least(v->methods[s->method]); i++)
        text_printf(out, "%s%lld", i ? ", " : "", (long long)s->args[i]);
    text_char(out, ')');
}

/* ---- before, together, after ---- */

enum { PARTS = 3 };
struct part {
    const struct step *steps;
    uint32_t n;
};

static struct part part_of(const struct client *p, uint32_t t, uint32_t part)
{
    uint32_t from = p->from[t], to = p->from[t + 1], begin = from + p->before[t], end = to - p->after[t];
    switch (part) {
    case 0: return (struct part){p->steps + from, begin - from};
    case 1: return (struct part){p->steps + begin, end - begin};
    default: return (struct part){p->steps + end, to - end};
    }
}

static void show_row(struct columns *c, const struct client *p, uint32_t part, uint32_t i, uint32_t row,
                     const struct vocabulary *v)
{
    for (uint32_t t = 0; t < p->threads; t++) {
        struct part its = part_of(p, t, part);
        struct text call = text_in(c->mem);
        if (i >= its.n)
            continue;
        client_show_step(&its.steps[i], v, &call);
        columns_cell(c, row, t, text_get(&call));
    }
}

void client_show(const struct client *p, const struct vocabulary *v, struct text *out)
{
    struct columns c = columns_new(out->mem);
    for (uint32_t t = 0; t < p->threads; t++) {
        char name[16];
        snprintf(name, sizeof name, "t%u", (unsigned)t);
        columns_head(&c, name);
    }
    uint32_t row = 0, most[PARTS] = {0};
    for (uint32_t part = 0; part < PARTS; part++)
        for (uint32_t t = 0; t < p->threads; t++)
            most[part] = part_of(p, t, part).n > most[part] ? part_of(p, t, part).n : most[part];
    for (uint32_t part = 0; part < PARTS; part++) {
        bool apart = part == 1 ? most[0] : part == 2 && most[2];
        for (uint32_t t = 0; apart && t < p->threads; t++)
            columns_cell(&c, row, t, "--");
        row += apart;
        for (uint32_t i = 0; i < most[part]; i++)
            show_row(&c, p, part, i, row++, v);
    }
    columns_write(&c, out);
}
