/* SPDX-License-Identifier: Apache-2.0 */
/* Idea: two writes of one variable whose order no single step forces, and a contradiction that follows from each of the
 * two orders. So the gadget satisfies wsc and wtso, but not sc and tso: a checker has to try both.
 *
 * The first is Figure 4.8a of the thesis. With store buffers it could happen, so a fence stands between any two of its
 * accesses. The second is Figure 5.6a with variables of its own for its second half (as printed it violates more than
 * it should). It needs no fences, but ten threads.
 *
 * A gadget shares no variable with the history before it, so both keep their verdicts when they are put one behind the
 * other. */
#include "collect/generate/gadget.h"

#include <string.h>

struct gadget {
    uint32_t threads;
    bool fences;
    const char *text; /* rx1: read 1 from x; wx1: write it; | ends a thread */
};

static const struct gadget gadgets[] = {
    {6, true, "rz2wy2rx1|wx1wy1wz1|wt1ws1wz2|rz2wx2ry1|rz1wt2rs1|rz1ws2rt1"},
    {10, false,
     "wx1wy1wz3wt1|wp2wq2wz4wt2|rt1wp4wt3|rt1wq4wt4|rt2wx3wt5|rt2wy3wt6|rt3rq2|rt4rp2|rt5ry1|"
     "rt6rx1"},
};

static const struct gadget *random_gadget(uint32_t threads, struct rng *rng)
{
    uint32_t n = 0;
    while (n < sizeof gadgets / sizeof *gadgets && gadgets[n].threads <= threads)
        n++;
    return &gadgets[rng_below(rng, n)];
}

/* So many different threads, in random order. */
static uint32_t *random_threads(uint32_t threads, uint32_t count, struct rng *rng, struct mem *mem)
{
    uint32_t *all = mem_new(mem, uint32_t, threads);
    for (uint32_t i = 0; i < threads; i++)
        all[i] = i;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = i + rng_below(rng, threads - i), taken = all[j];
        all[j] = all[i];
        all[i] = taken;
    }
    return all;
}

/* The letter's variable, counted in the order in which letters come. */
static uint32_t variable_of(char letter, char *letters)
{
    char *at = strchr(letters, letter);
    if (!at) {
        at = letters + strlen(letters);
        *at = letter;
    }
    return (uint32_t)(at - letters);
}

void gadget_append(struct accesses *a, uint32_t threads, uint32_t fresh, struct rng *rng, struct mem *mem)
{
    const struct gadget *g = random_gadget(threads, rng);
    uint32_t *on = random_threads(threads, g->threads, rng, mem), thread = 0;
    char letters[GADGET_VARIABLES + 1] = "";
    bool first = true; /* of its thread */
    for (const char *p = g->text; *p;) {
        if (*p == '|') {
            first = true;
            thread++;
            p++;
            continue;
        }
        struct access fence = {.thread = on[thread], .kind = ACCESS_FENCE};
        struct access next = {.thread = on[thread],
                              .variable = fresh + variable_of(p[1], letters),
                              .value = (uint32_t)(p[2] - '0'),
                              .kind = *p == 'r' ? ACCESS_READ : ACCESS_WRITE};
        if (g->fences && !first)
            vec_push(mem, &a->all, fence);
        vec_push(mem, &a->all, next);
        first = false;
        p += 3;
    }
    mem_free(mem, on);
}
