/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/hardware/program.h"

#include "base/escape.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static const char letters[] = "xyz";

enum { LONGEST_WITH_END = 32 };

static void add(struct program *p, uint32_t thread, enum access_kind kind, uint32_t variable, struct mem *mem)
{
    struct program_thread *t = &p->threads[thread];
    struct program_step step = {.kind = kind, .variable = variable};
    if (kind == ACCESS_WRITE || kind == ACCESS_EXCHANGE) {
        step.value = ++p->writes;
        p->written[variable] = true;
    }
    if (kind == ACCESS_READ || kind == ACCESS_EXCHANGE) {
        t->results++;
        p->results++;
    }
    vec_push(mem, &t->steps, step);
    p->operations++;
}

static struct program begin(uint32_t threads, uint32_t variables, struct mem *mem)
{
    return (struct program){.threads = mem_new_zero(mem, struct program_thread, threads),
                            .thread_count = threads,
                            .variables = variables,
                            .written = mem_new_zero(mem, bool, variables)};
}

void program_free(struct program *p, struct mem *mem)
{
    for (uint32_t t = 0; t < p->thread_count; t++)
        vec_free(mem, &p->threads[t].steps);
    mem_free(mem, p->threads);
    mem_free(mem, p->written);
    *p = (struct program){0};
}

/* ---- the two kinds ---- */

struct program program_of_shape(const char *text, struct mem *mem)
{
    static const char kinds[] = {[ACCESS_READ] = 'R', [ACCESS_WRITE] = 'W', [ACCESS_EXCHANGE] = 'X'};
    uint32_t threads = 1, variables = 1;
    for (const char *c = text; *c; c++) {
        const char *letter = strchr(letters, *c);
        threads += *c == '|';
        if (letter && letter - letters >= variables)
            variables = (uint32_t)(letter - letters) + 1;
    }
    struct program p = begin(threads, variables, mem);
    p.lettered = p.ends = true;
    uint32_t thread = 0;
    for (const char *c = text; *c; c++) {
        const char *kind = memchr(kinds, *c, sizeof kinds);
        thread += *c == '|';
        if (*c == 'F')
            add(&p, thread, ACCESS_FENCE, 0, mem);
        if (kind)
            add(&p, thread, (enum access_kind)(kind - kinds), (uint32_t)(strchr(letters, c[1]) - letters), mem);
    }
    return p;
}

static enum access_kind random_kind(const struct program_mix *mix, struct rng *rng)
{
    uint32_t pick = rng_below(rng, 100);
    if (pick < mix->reads)
        return ACCESS_READ;
    if (pick < mix->reads + mix->fences)
        return ACCESS_FENCE;
    return pick < mix->reads + mix->fences + mix->rmws ? ACCESS_EXCHANGE : ACCESS_WRITE;
}

struct program program_random(const struct program_mix *mix, struct rng *rng, struct mem *mem)
{
    struct program p = begin(mix->threads, mix->variables, mem);
    p.ends = mix->operations <= LONGEST_WITH_END;
    for (uint32_t i = 0; i < mix->operations; i++) {
        enum access_kind kind = random_kind(mix, rng);
        add(&p, i % mix->threads, kind, rng_below(rng, mix->variables), mem);
    }
    return p;
}

/* ---- its history ---- */

static const char *name_of(const struct program *p, uint32_t variable, char out[16])
{
    if (p->lettered)
        snprintf(out, 16, "%c", letters[variable]);
    else
        snprintf(out, 16, "x%u", variable);
    return out;
}

static void add_operation(const struct program *p, uint32_t thread, const struct program_step *s, int64_t result,
                          assay_history *out, assay_error *e)
{
    static const char *const methods[] = {"read", "write", "rmw", "fence"};
    static const size_t counts[] = {1, 2, 3, 0};
    char name[16], variable[16];
    snprintf(name, sizeof name, "t%u", thread);
    bool exchanges = s->kind == ACCESS_EXCHANGE;
    assay_value args[3] = {assay_word(name_of(p, s->variable, variable)), assay_int(exchanges ? result : s->value),
                           assay_int(s->value)};
    assay_operation op = {.thread = name, .method = methods[s->kind], .args = args, .arg_count = counts[s->kind]};
    if (s->kind == ACCESS_READ)
        op.result = assay_int(result);
    if (assay_history_add(out, &op, e) == ASSAY_NO_OPERATION)
        escape_raise(ESCAPE_ERROR);
}

static void set(assay_history *out, const char *key, const char *text, assay_error *e)
{
    if (!assay_history_set(out, key, text, e))
        escape_raise(ESCAPE_ERROR);
}

/* Variables without writes have no part in the outcome at the end. */
static void set_final(const struct program *p, const int64_t *values, assay_history *out, struct mem *mem,
                      assay_error *e)
{
    struct text text = text_in(mem);
    char variable[16];
    for (uint32_t v = 0; v < p->variables; v++)
        if (p->written[v])
            text_printf(&text, "%s%s=%lld", text.n ? " " : "", name_of(p, v, variable), (long long)values[v]);
    if (text.n)
        set(out, "final", text_get(&text), e);
    mem_free(mem, text.at);
}

void program_history(const struct program *p, const int64_t *row, assay_history *out, struct mem *mem, assay_error *e)
{
    set(out, "object", "memory", e);
    if (p->ends)
        set_final(p, row + p->results, out, mem, e);
    for (uint32_t t = 0; t < p->thread_count; t++) {
        const struct program_thread *thread = &p->threads[t];
        for (uint32_t i = 0; i < thread->steps.n; i++) {
            const struct program_step *s = &thread->steps.at[i];
            bool returns = s->kind == ACCESS_READ || s->kind == ACCESS_EXCHANGE;
            add_operation(p, t, s, returns ? *row++ : 0, out, e);
        }
    }
}
