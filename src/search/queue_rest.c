/* SPDX-License-Identifier: Apache-2.0 */
#include "search/queue_rest.h"

#include "history/value_ids.h"
#include "search/plain_part.h"
#include "spec/roles.h"

enum role { ROLE_OTHER, ROLE_ADD, ROLE_REMOVE, ROLE_PEEK, ROLE_PENDING, ROLE_EMPTY };
enum { FIRST_GLANCES = 1024, RARELY = 256 };

/* ---- reading the calls ---- */

static enum role role_of(const struct linear *x, uint32_t i, struct value *value)
{
    const assay_call *call = &x->call[i];
    if (call->method == COLLECTION_ADD) {
        *value = value_internal(call->args[0]);
        return ROLE_ADD;
    }
    if (x->lane_of[i] == ID_NONE)
        return call->method == COLLECTION_REMOVE ? ROLE_PENDING : ROLE_OTHER;
    if (assay_value_same(call->result, assay_word("empty")))
        return ROLE_EMPTY;
    *value = value_internal(call->result);
    return call->method == COLLECTION_REMOVE ? ROLE_REMOVE : ROLE_PEEK;
}

static void read_calls(struct queue_rest *o, const struct job *job)
{
    const struct part *part = job->part;
    struct value_ids ids = {0};
    const assay_setting setting = part_setting(part);
    for (size_t i = 0; i < setting.init_count; i++)
        vec_push(job->mem, &o->content, value_id(job->mem, &ids, value_internal(setting.init[i].value)));
    o->value = mem_new(job->mem, uint32_t, part->n + 1);
    o->role = mem_new(job->mem, uint8_t, part->n + 1);
    for (uint32_t i = 0; i < part->n; i++) {
        struct value v = {0};
        o->role[i] = (uint8_t)role_of(o->x, i, &v);
        o->value[i] = v.kind == ASSAY_NONE ? ID_NONE : value_id(job->mem, &ids, v);
    }
    o->due = mem_new_zero(job->mem, uint32_t, ids.n + 1);
    o->peeks = mem_new_zero(job->mem, uint32_t, ids.n + 1);
    o->claimed = mem_new_zero(job->mem, uint32_t, ids.n + 1);
    value_ids_free(job->mem, &ids);
}

/* ---- the search goes on, or back ---- */

/* The removal is left, or is not: by is 1 or -1. */
static void count(struct queue_rest *o, uint32_t i, uint32_t by)
{
    switch (o->role[i]) {
    case ROLE_REMOVE:
        o->due[o->value[i]] += by;
        o->removals += by;
        break;
    case ROLE_PEEK: o->peeks[o->value[i]] += by; break;
    case ROLE_PENDING: o->pending += by; break;
    case ROLE_EMPTY: o->empty += by; break;
    default: break;
    }
}

static bool takes(const struct queue_rest *o, uint32_t i)
{
    return o->role[i] == ROLE_REMOVE || o->role[i] == ROLE_PENDING;
}

void rest_begin(struct queue_rest *o, const struct linear *x, const struct job *job)
{
    *o = (struct queue_rest){0};
    if (!job->part->object || job->calls->call || !plain_is(job, "queue"))
        return;
    o->x = x;
    read_calls(o, job);
    for (uint32_t i = 0; i < x->n; i++)
        count(o, i, 1);
}

void rest_taken(struct queue_rest *o, uint32_t i)
{
    if (!o->x)
        return;
    count(o, i, (uint32_t)-1);
    if (o->role[i] == ROLE_ADD)
        vec_push(o->x->m, &o->content, o->value[i]);
    o->head += takes(o, i);
}

void rest_given_back(struct queue_rest *o, uint32_t i)
{
    if (!o->x)
        return;
    count(o, i, 1);
    if (o->role[i] == ROLE_ADD)
        (void)vec_pop(&o->content);
    o->head -= takes(o, i);
}

/* ---- dead states ---- */

/* Elements from the head on that can leave; *removals: so many of the completed removals are for them. */
static uint32_t leaving(const struct queue_rest *o, uint32_t *removals)
{
    uint32_t at = o->head, pending = 0;
    *removals = 0;
    for (; at < o->content.n; at++) {
        uint32_t v = o->content.at[at];
        if (o->claimed[v] < o->due[v])
            ++*removals;
        else if (++pending > o->pending)
            break;
        o->claimed[v]++;
    }
    for (uint32_t i = o->head; i < at; i++)
        o->claimed[o->content.at[i]] = 0;
    return at - o->head;
}

bool rest_is_dead(struct queue_rest *o)
{
    if (!o->x || (o->glances >= FIRST_GLANCES && o->dead_found < o->glances / RARELY))
        return false;
    uint32_t removals;
    bool stays = o->head + leaving(o, &removals) < o->content.n;
    bool dead = stays && (removals < o->removals || o->empty);
    o->glances++;
    o->dead_found += dead;
    return dead;
}

uint32_t rest_forced(const struct queue_rest *o, const uint32_t *ready, uint32_t n)
{
    if (!o->x || o->pending || o->head == o->content.n)
        return ID_NONE;
    uint32_t front = o->content.at[o->head];
    if (o->due[front] != 1 || o->peeks[front])
        return ID_NONE;
    for (uint32_t k = 0; k < n; k++)
        if (o->role[ready[k]] == ROLE_REMOVE && o->value[ready[k]] == front)
            return ready[k];
    return ID_NONE;
}
