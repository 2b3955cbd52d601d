/* SPDX-License-Identifier: Apache-2.0 */
/* Histories to measure with, as Emmi and Enea took them (CAV 2018, section 5). A few random programs are run again and
 * again for a while. Of all the different histories that were seen, some are chosen at random. */
#include "collect/stress/stress.h"

#include "base/budget.h"
#include "base/error.h"
#include "base/rng.h"
#include "collect/stress/judge.h"
#include "collect/stress/sequence.h"
#include "collect/stress/workers.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST_CALLS = 6, FEWEST_THREADS = 2 };

struct sampling {
    const struct stress_sampling *settings;
    struct stress_sample *out;
    size_t wanted;
    assay_error *error;
    struct rng rng;
    struct mem mem;     /* of the vocabulary */
    struct mem current; /* of one program */
    struct vocabulary words;
    struct workers *workers;
    char **texts; /* of the histories that are chosen so far */
};

_Noreturn static void give_up(const struct sampling *x, const char *why)
{
    error_set(x->error, ASSAY_ERROR_RESOURCE, "%s: %s", x->settings->adapter->name, why);
    escape_raise(ESCAPE_ERROR);
}

/* The place of the next history in the choice, so that all sets of histories are equally likely; or one behind it. */
static size_t choose_place(struct sampling *x)
{
    uint64_t seen = x->out->sequences++;
    if (seen < x->wanted)
        return (size_t)seen;
    uint64_t place = rng_next(&x->rng) % (seen + 1);
    return place < x->wanted ? (size_t)place : x->wanted;
}

static void see(struct sampling *x)
{
    const assay_recorder *r = workers_recorder(x->workers);
    struct mem mem = {0};
    const struct sequence_span *spans = sequence_spans(r, &mem);
    size_t place = spans ? choose_place(x) : x->wanted;
    if (place < x->wanted) {
        char *text = sequence_text(r, x->settings->adapter, spans);
        free(x->texts[place]);
        x->texts[place] = text;
        if (!text)
            give_up(x, "there is no memory for its histories");
    }
    mem_release(&mem);
}

/* As many threads and calls as allowed, or somewhat fewer. */
static struct client random_program(struct sampling *x)
{
    const struct stress_sampling *s = x->settings;
    uint32_t few = s->threads < FEWEST_THREADS ? s->threads : FEWEST_THREADS;
    uint32_t least = s->invocations < FEWEST_CALLS ? s->invocations : FEWEST_CALLS;
    uint32_t threads = few + rng_below(&x->rng, s->threads - few + 1);
    uint32_t calls = least + rng_below(&x->rng, s->invocations - least + 1);
    return client_random(&x->words, threads, calls, rng_next(&x->rng), &x->current);
}

static void run_program(struct sampling *x)
{
    struct client p = random_program(x);
    struct distinct_runs seen = {0};
    double until = budget_now() + x->settings->seconds;
    do {
        const char *fault = workers_run(x->workers, &p, rng_next(&x->rng));
        if (fault)
            give_up(x, fault);
        x->out->runs++;
        if (judge_is_new(&seen, workers_recorder(x->workers), &x->current)) {
            x->out->distinct++;
            see(x);
        }
    } while (budget_now() < until);
    mem_release(&x->current);
}

static void read_texts(struct sampling *x)
{
    struct stress_sample *out = x->out;
    size_t n = out->sequences < x->wanted ? (size_t)out->sequences : x->wanted;
    for (; out->n < n; out->n++)
        if (!(out->histories[out->n] = judge_read(x->texts[out->n], strlen(x->texts[out->n]), x->error)))
            escape_raise(ESCAPE_ERROR);
}

static void sample_all(void *arg)
{
    struct sampling *x = arg;
    const struct stress_sampling *s = x->settings;
    struct workers_settings workers = {
        .threads = s->threads, .calls = s->invocations, .clock = ASSAY_RECORD_COUNTERS, .pace = s->pace};
    vocabulary_init(&x->words, s->adapter, NULL, s->mix, 0, &x->mem, x->error);
    if (!(x->workers = workers_start(&x->words, &workers)))
        give_up(x, "its threads could not be started");
    for (unsigned i = 0; i < s->programs; i++)
        run_program(x);
    read_texts(x);
}

bool stress_sample(const struct stress_sampling *s, size_t n, struct stress_sample *out, assay_error *e)
{
    struct sampling x = {.settings = s, .out = out, .wanted = n, .error = e, .rng = {s->seed}};
    *out = (struct stress_sample){.histories = calloc(n + 1, sizeof(assay_history *))};
    x.texts = calloc(n + 1, sizeof *x.texts);
    enum escape way = out->histories && x.texts ? escape_run(sample_all, &x) : ESCAPE_OUT_OF_MEMORY;
    workers_end(x.workers);
    mem_release(&x.mem);
    mem_release(&x.current);
    for (size_t i = 0; x.texts && i < n; i++)
        free(x.texts[i]);
    free(x.texts);
    if (way == ESCAPE_NONE)
        return true;
    error_from_escape(e, way);
    stress_sample_free(out);
    return false;
}

void stress_sample_free(struct stress_sample *s)
{
    for (size_t i = 0; i < s->n; i++)
        assay_history_free(s->histories[i]);
    free(s->histories);
    *s = (struct stress_sample){0};
}
