/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs are better clients than real ones, which restrict arguments or ignore results (Emmi and Enea, CAV
 * 2018, section 5). */
#include "collect/stress/client.h"

#include "base/error.h"
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

static const assay_spec *find_spec(const struct vocabulary *v, const assay_spec *spec, struct mem *mem, assay_error *e)
{
    history nothing = {.source = ID_NONE};
    struct object_choice choice = {.kind = v->adapter->object, .spec = spec};
    struct objects objects;
    if (!objects_of(&nothing, choice, mem, &objects, e))
        escape_raise(ESCAPE_ERROR);
    return objects.at[0].spec;
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

void vocabulary_init(struct vocabulary *v, const assay_adapter *a, const assay_spec *spec, const char *mix,
                     unsigned values, struct mem *mem, assay_error *e)
{
    *v = (struct vocabulary){.adapter = a};
    spec = find_spec(v, spec, mem, e);
    for (; a->methods[v->n].name; v->n++) {
        const char *name = a->methods[v->n].name;
        if (v->n == CLIENT_MOST_METHODS)
            refuse(v, e, "has too many methods, from", name);
        v->methods[v->n] = describe_method(spec, name);
        if (!v->methods[v->n])
            refuse(v, e, "its object has no method", name);
        if (method_least(v->methods[v->n]) > ASSAY_ADAPTER_ARGS)
            refuse(v, e, "too many arguments has the method", name);
        v->weights[v->n] = a->methods[v->n].weight;
        v->closed_by[v->n] = CLIENT_NONE;
    }
    for (uint32_t i = 0; i < v->n; i++)
        if (a->methods[i].opened_by)
            read_openers(v, (uint8_t)i, e);
    if (mix)
        read_mix(v, mix, e);
    if (!any_opener(v))
        refuse(v, e, "no method to call: the weights are 0, or all wait for another one, in", mix ? mix : "");
    v->values = values ? values : wants_few_values(v) ? FEW_VALUES : 0;
}

/* ---- programs ---- */

struct client client_empty(uint32_t threads, uint32_t calls, struct mem *mem)
{
    return (struct client){threads, mem_new_zero(mem, uint32_t, (size_t)threads + 1),
                           mem_new_zero(mem, struct step, (size_t)calls + 1)};
}

/* A releasing method is called only where something may be held. */
static uint8_t random_method(const struct vocabulary *v, bool may_hold, struct rng *rng)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < v->n; i++)
        sum += v->closes[i] && !may_hold ? 0 : v->weights[i];
    uint32_t pick = rng_below(rng, sum);
    for (uint8_t i = 0;; i++) {
        uint32_t weight = v->closes[i] && !may_hold ? 0 : v->weights[i];
        if (pick < weight)
            return i;
        pick -= weight;
    }
}

static struct step random_step(const struct vocabulary *v, bool *may_hold, int64_t *fresh, struct rng *rng)
{
    struct step s = {.method = random_method(v, *may_hold, rng)};
    *may_hold = !v->closes[s.method] && (*may_hold || v->closed_by[s.method] != CLIENT_NONE);
    for (unsigned i = 0; i < method_least(v->methods[s.method]); i++)
        s.args[i] = v->values ? 1 + rng_below(rng, v->values) : ++*fresh;
    return s;
}

struct client client_random(const struct vocabulary *v, uint32_t threads, uint32_t calls, uint64_t seed,
                            struct mem *mem)
{
    struct client p = client_empty(threads, calls, mem);
    struct vocabulary left = *v;
    struct rng rng = {seed};
    uint32_t lucky = rng_below(&rng, threads), n = 0;
    int64_t fresh = 0;
    for (uint32_t t = 0; t < threads; t++) {
        bool may_hold = false;
        uint32_t share = calls / threads + ((t + lucky) % threads < calls % threads);
        for (uint32_t i = 0; i < share; i++) {
            p.steps[n] = random_step(&left, &may_hold, &fresh, &rng);
            left.weights[p.steps[n++].method] -= v->counted;
        }
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
        q.from[to + 1] = q.from[to] + n;
        to++;
    }
    return q;
}

struct client client_without_step(const struct client *p, uint32_t step, struct mem *mem)
{
    struct client q = client_empty(p->threads, client_size(p), mem);
    for (uint32_t t = 0; t <= p->threads; t++)
        q.from[t] = p->from[t] - (p->from[t] > step);
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

void client_show(const struct client *p, const struct vocabulary *v, struct text *out)
{
    struct columns c = columns_new(out->mem);
    for (uint32_t t = 0; t < p->threads; t++) {
        char name[16];
        snprintf(name, sizeof name, "t%u", (unsigned)t);
        columns_head(&c, name);
    }
    for (uint32_t row = 0, left = client_size(p); left; row++) {
        for (uint32_t t = 0; t < p->threads; t++) {
            if (p->from[t] + row >= p->from[t + 1])
                continue;
            const struct step *s = &p->steps[p->from[t] + row];
            struct text call = text_in(out->mem);
            client_show_step(s, v, &call);
            columns_cell(&c, row, t, text_get(&call));
            left--;
        }
    }
    columns_write(&c, out);
}
