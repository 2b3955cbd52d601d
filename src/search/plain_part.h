/* SPDX-License-Identifier: Apache-2.0 */
/* Questions that the engines of plain objects (registers, sets, locks, semaphores, multisets) ask about a part before
 * they read its operations. The words of results are here, too. */
#ifndef ASSAY_SEARCH_PLAIN_H
#define ASSAY_SEARCH_PLAIN_H

#include "engine/engine.h"
#include "search/calls.h"

/* Is the part's object the library's own object of this name? */
static inline bool plain_is(const struct job *job, const char *name)
{
    return spec_is(job->part->object->spec, name);
}

/* The reason why these engines cannot decide the part: its order is not one of intervals. NULL: it is one. */
static inline const char *plain_order(const struct job *job)
{
    return job->calls->order == CALLS_INTERVALS ? NULL : "the order is not one of intervals";
}

/* The words for yes and no, as the history numbers them. A word that is not in the history equals no result. */
struct truth {
    int64_t yes, no;
};

static inline struct truth truth_of(const history *h)
{
    return (struct truth){names_find(&h->names, "true", 4), names_find(&h->names, "false", 5)};
}

static inline bool truth_is(struct value v, int64_t word)
{
    return v.kind == ASSAY_WORD && v.bits == word;
}

/* The number of times that the part's key stands in `@init [1, 2]`. */
static inline uint32_t plain_initial_count(const struct job *job)
{
    const assay_setting s = part_setting(job->part);
    assay_value key = value_public(job->h, job->part->key);
    uint32_t count = 0;
    for (size_t i = 0; i < s.init_count; i++)
        count += assay_value_same(s.init[i].value, key);
    return count;
}

/* The initial value of a register, or of a variable. An initial value of the variable counts more than an initial value
 * of all variables. Otherwise the last one counts. */
static inline struct value plain_initial_value(const struct job *job)
{
    const assay_setting s = part_setting(job->part);
    assay_value key = value_public(job->h, job->part->key), v = {.kind = ASSAY_INT};
    bool named = false;
    for (size_t i = 0; i < s.init_count; i++) {
        bool for_all = s.init[i].key.kind == ASSAY_NONE;
        if (for_all ? named : !assay_value_same(s.init[i].key, key))
            continue;
        v = s.init[i].value;
        named = !for_all;
    }
    return value_internal(v);
}

/* The number that the object starts with: of a counter, of the holders of a lock or a semaphore. */
static inline int64_t plain_initial_number(const struct job *job, int64_t otherwise)
{
    const assay_setting *s = &job->part->object->setting;
    return s->init_count ? s->init[s->init_count - 1].value.integer : otherwise;
}

#endif
