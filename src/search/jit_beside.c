/* SPDX-License-Identifier: Apache-2.0 */
#include "search/jit_beside.h"

#include "search/jit.h"
#include "search/wgl.h"

enum { FEW_KINDS = 16 }; /* of calls and results */
enum { JIT_SHARE = 8, FIRST_SHARE = 16, MOST_TICKS = 1 << 18 };

/* Calls without arguments, with few different results: locks and semaphores. */
static bool is_like_a_lock(const struct linear *x)
{
    bool like = x->kinds <= FEW_KINDS;
    for (uint32_t i = 0; i < x->n && like; i++)
        like = !x->call[i].arg_count;
    return like;
}

void jit_beside_begin(struct jit_beside *b, const struct job *job, const struct linear *x, bool pinned)
{
    *b = (struct jit_beside){.favoured = pinned || is_like_a_lock(x)};
    b->next_question = job->out->stats.conflicts + (b->favoured ? 1 : wgl_patience);
}

/* Lets jit go on for some ticks. False: it has decided. */
static bool advance(struct jit_beside *b, struct job *job, uint64_t ticks)
{
    uint64_t before = job->budget->ticks;
    if (!b->jit) {
        job_tries(job, "all linearizations at once");
        b->jit = jit_new(job, true);
    }
    enum jit_progress progress = jit_advance(b->jit, ticks);
    b->ticks += job->budget->ticks - before;
    b->gave_up = progress == JIT_GAVE_UP;
    if (b->gave_up)
        jit_free(b->jit);
    return progress != JIT_DECIDED;
}

/* In trouble, jit gets several times the effort of the search, as long as its configurations have few states: then
 * it is the better one. */
bool jit_beside_go_on(struct jit_beside *b, struct job *job)
{
    b->gave_up = jit_declines(job);
    if (b->gave_up)
        return true;
    b->next_question = job->out->stats.conflicts + wgl_patience;
    if (!b->jit)
        b->troubled_at = job->budget->ticks;
    uint64_t spent = job->budget->ticks - b->troubled_at - b->ticks,
             wanted = JIT_SHARE * spent + (b->favoured ? MOST_TICKS : FIRST_SHARE * wgl_patience);
    return wanted <= b->ticks || advance(b, job, wanted - b->ticks);
}
