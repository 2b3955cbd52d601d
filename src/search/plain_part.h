/* SPDX-License-Identifier: Apache-2.0 */
/* Questions that the engines of plain objects (registers, sets, locks, semaphores, multisets) ask about a part before
 * they read its operations. The words of results are here, too. */
#ifndef ASSAY_SEARCH_PLAIN_H
#define ASSAY_SEARCH_PLAIN_H

#include "engine/engine.h"
#include "search/calls.h"
#include "spec/facts.h"

/* Is the part's object this one of the library's? */
static inline bool plain_is(const struct job *job, const assay_spec *spec)
{
    return job->part->object->spec == spec;
}

/* The reason why these engines cannot decide the part: its order is not one of intervals. NULL: it is one. */
static inline const char *plain_order(const struct job *job)
{
    return job->calls->order == CALLS_INTERVALS ? NULL : "the order is not one of intervals";
}

/* The roles of a call of the part, and the value that they are about. */
static inline unsigned plain_roles(const struct job *job, uint32_t op, struct value *thing)
{
    assay_value args[FACTS_ARGS];
    assay_call call = calls_get(job->calls, op, args);
    const struct object_facts *f = facts_of(job->part->object->spec);
    const struct call_label *l = facts_label(f, &call, history_pending(job->h, op));
    struct value argument = call.arg_count ? history_arg(job->h, op, 0) : (struct value){0};
    *thing = call_label_value(l, argument, history_result(job->h, op));
    return l->roles;
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

/* The initial value of a register, or of a variable. */
static inline struct value plain_initial_value(const struct job *job)
{
    const assay_setting s = part_setting(job->part);
    const struct object_facts *f = facts_of(job->part->object->spec);
    return value_internal(f->cell_initial(&s, value_public(job->h, job->part->key)));
}

/* The number that the object starts with: of a counter, of the holders of a lock or a semaphore. */
static inline int64_t plain_initial_number(const struct job *job, int64_t otherwise)
{
    const assay_setting *s = &job->part->object->setting;
    return s->init_count ? s->init[s->init_count - 1].value.integer : otherwise;
}

#endif
