/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stress/stress.h"

#include "base/error.h"
#include "base/hash.h"
#include "collect/stress/judge.h"
#include "collect/stress/workers.h"

#include <stdlib.h>

struct recording {
    const struct stress_recording *settings;
    assay_history **to;
    size_t n, done;
    assay_error *error;
    struct mem mem;     /* of the vocabulary */
    struct mem current; /* of one program */
    struct vocabulary words;
    struct workers *workers;
};

_Noreturn static void give_up(const struct recording *x, const char *why)
{
    error_set(x->error, ASSAY_ERROR_RESOURCE, "%s: %s", x->settings->adapter->name, why);
    escape_raise(ESCAPE_ERROR);
}

static uint32_t count_calls(const struct vocabulary *v)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < v->n; i++)
        sum += v->weights[i];
    return sum;
}

static assay_history *record(struct recording *x, uint32_t calls)
{
    uint64_t seed = hash_join(x->settings->seed, x->done + 1);
    size_t length;
    struct client p = client_random(&x->words, x->settings->threads, calls, seed, &x->current);
    const char *fault = workers_run(x->workers, &p, hash_join(seed, 1));
    if (fault)
        give_up(x, fault);
    mem_release(&x->current);
    char *text = judge_text(x->settings->adapter, workers_recorder(x->workers), &length);
    if (!text)
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    assay_history *h = judge_read(text, length, x->error);
    free(text);
    if (!h)
        escape_raise(ESCAPE_ERROR);
    return h;
}

static void record_all(void *arg)
{
    struct recording *x = arg;
    const struct stress_recording *s = x->settings;
    vocabulary_init(&x->words, s->adapter, NULL, s->mix, 0, &x->mem, x->error);
    x->words.counted = !s->invocations;
    uint32_t calls = s->invocations ? s->invocations : count_calls(&x->words);
    struct workers_settings workers = {.threads = s->threads,
                                       .calls = calls,
                                       .clock = s->stamps ? ASSAY_RECORD_STAMPS : ASSAY_RECORD_COUNTERS,
                                       .pace = s->pace};
    if (!(x->workers = workers_start(&x->words, &workers)))
        give_up(x, "its threads could not be started");
    for (; x->done < x->n; x->done++)
        x->to[x->done] = record(x, calls);
}

bool stress_record(const struct stress_recording *s, assay_history **to, size_t n, assay_error *e)
{
    struct recording x = {.settings = s, .to = to, .n = n, .error = e};
    enum escape way = escape_run(record_all, &x);
    workers_end(x.workers);
    mem_release(&x.mem);
    mem_release(&x.current);
    if (way == ESCAPE_NONE)
        return true;
    error_from_escape(e, way);
    for (size_t i = 0; i < x.done; i++) {
        assay_history_free(to[i]);
        to[i] = NULL;
    }
    return false;
}
