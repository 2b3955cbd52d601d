/* SPDX-License-Identifier: Apache-2.0 */
/* The read/write view of a memory history: the input of the memory models.
 *
 * Operations are regrouped by thread and called events: event base[t]+i is the i-th of thread t, so the
 * program-order successor of e is e+1. The initial writes are not events: a read of the initial value has
 * the source RW_INIT. An rmw is one event that both reads and writes. A fence, a pending read and a
 * pending write that did not happen (pending.h) are events that do neither, so that indices match program order.
 *
 * An event has accesses of variables. The event of a memory has one, which bears its number. The event of a transaction
 * (transaction/txn_events.h) has a run of them, at most one for each variable. The columns var, src and kind are about
 * accesses, and a source is the access that wrote the value.
 *
 * wr is determined because values that are read are unique: where they are not, twice[] names the two operations and
 * the sources must not be used. */
#ifndef ASSAY_MEMORY_RW_H
#define ASSAY_MEMORY_RW_H

#include "base/group.h"
#include "history/history.h"

#define RW_INIT UINT32_MAX         /* source: the initial value */
#define RW_THIN (UINT32_MAX - 1)   /* source: no event wrote this value */
#define RW_UNSAID (UINT32_MAX - 2) /* final: nothing is said of this variable */

enum { RW_READS = 1, RW_WRITES = 2, RW_FENCE = 4 };

struct rw_group { /* the writes of one thread to one variable: idx[from] .. idx[next group's from - 1] */
    uint32_t thread;
    uint32_t from;
};

struct across;

struct rw {
    uint32_t n, k, d; /* events, threads, variables */
    uint32_t reads, writes;
    uint32_t *base;   /* k + 1 */
    uint32_t *thread; /* of an event */
    uint32_t *op;     /* of an event: the history's operation */
    uint8_t *does;    /* of an event: the kinds of its accesses together */
    uint32_t *var;    /* ID_NONE for a fence */
    uint32_t *src;    /* the access read from, RW_INIT, RW_THIN; for reads only */
    uint8_t *kind;

    uint32_t *first; /* n + 1: the accesses of event e are first[e] .. first[e+1]-1; NULL: of each it is e */
    uint32_t *event; /* of an access; NULL likewise */
    uint32_t a;      /* accesses */
    uint32_t keys;   /* variables below are the history's, others stand for a transaction's place (txn_events.h) */

    uint32_t *groups_of;     /* d + 1: the groups of variable x are groups_of[x] .. groups_of[x+1]-1 */
    struct rw_group *groups; /* and one more at the end */
    uint32_t *idx;           /* positions within the thread, ascending in a group */
    uint32_t *written;       /* beside idx: the write as an access; NULL: it is its event */

    const struct across *across; /* program order between threads (across.h); NULL: there is none */
    uint32_t circular;           /* an operation that program order puts after itself, or ID_NONE */

    bool *open;      /* of an event: it is pending, and whether it happened is open; NULL: none is, as where values are
                      * unique */
    uint32_t *final; /* variable -> the write that is last in the store order, RW_INIT, RW_THIN or RW_UNSAID;
                        NULL: nothing is said of final values, or they do not count */
    bool final_elsewhere; /* another final value than the initial one of a variable without accesses */
    uint32_t thin;        /* the first event that reads a value without a write, or ID_NONE */
    uint32_t twice[2];    /* operations that write the same value to the same variable, where it is read or final, or
                           * ID_NONE; twice[0] alone ID_NONE: twice[1] writes the initial value */
};

/* The history's operations must be those of the memory object. final: do declared last values count? Memory from m; may
 * escape. */
struct rw *rw_view(const history *h, bool final, struct mem *m);

/* The view in which these of the open operations happened, and no others, and reads have these sources. Unchanged parts
 * are shared with v. */
void rw_decided(const struct rw *v, const bool *happened, const uint32_t *src, struct rw *out, struct mem *m);

/* The events of these kinds, by variable. */
struct groups rw_by_variable(const struct rw *v, uint8_t kinds, struct mem *m);

/* The initial value of the variable that the operation accesses, and its declared last one if there is one. */
struct value rw_initial(const history *h, uint32_t op);
bool rw_final(const history *h, uint32_t op, struct value *value);

/* The event of each operation of the history. Memory from m. */
uint32_t *rw_event_of(const struct rw *v, struct mem *m);

/* The accesses of e are rw_from(v, e) .. rw_to(v, e) - 1. The event of an access. */
static inline uint32_t rw_from(const struct rw *v, uint32_t e)
{
    return v->first ? v->first[e] : e;
}
static inline uint32_t rw_to(const struct rw *v, uint32_t e)
{
    return v->first ? v->first[e + 1] : e + 1;
}
static inline uint32_t rw_event(const struct rw *v, uint32_t access)
{
    return v->event ? v->event[access] : access;
}

/* Does an event of this kind empty the buffers of its thread, where there are any? */
static inline bool rw_is_barrier(uint8_t kind)
{
    return kind == RW_FENCE || kind == (RW_READS | RW_WRITES);
}

/* The i-th entry of idx, which is one of group g, as an event, and as an access. The group's first write and its
 * last. */
static inline uint32_t rw_write(const struct rw *v, uint32_t g, uint32_t i)
{
    return v->base[v->groups[g].thread] + v->idx[i];
}
static inline uint32_t rw_written(const struct rw *v, uint32_t g, uint32_t i)
{
    return v->written ? v->written[i] : rw_write(v, g, i);
}
static inline uint32_t rw_first_write(const struct rw *v, uint32_t g)
{
    return rw_write(v, g, v->groups[g].from);
}
static inline uint32_t rw_last_write(const struct rw *v, uint32_t g)
{
    return rw_write(v, g, v->groups[g + 1].from - 1);
}

/* The writes of variable x are idx[rw_writes_from(v, x)] .. idx[rw_writes_from(v, x + 1) - 1]. */
static inline uint32_t rw_writes_from(const struct rw *v, uint32_t x)
{
    return v->groups[v->groups_of[x]].from;
}

/* The group's last write, if the declared final value puts another one, v->final, behind it; or ID_NONE. */
static inline uint32_t rw_before_final(const struct rw *v, uint32_t g)
{
    uint32_t last = rw_last_write(v, g), final = v->final ? v->final[v->var[last]] : RW_UNSAID;
    return final < RW_UNSAID && final != last ? last : ID_NONE;
}

/* How many writes of group g come before position `end` of its thread. */
static inline uint32_t rw_count_before(const struct rw *v, uint32_t g, uint32_t end)
{
    const uint32_t *idx = v->idx + v->groups[g].from;
    uint32_t n = v->groups[g + 1].from - v->groups[g].from, count = 0;
    if (n <= 16) { /* counting has no branch to mispredict */
        for (uint32_t i = 0; i < n; i++)
            count += idx[i] < end;
        return count;
    }
    while (n > 1) {
        uint32_t half = n / 2;
        count += idx[count + half] < end ? half : 0;
        n -= half;
    }
    return count + (idx[count] < end);
}

/* The last write of group g before position `end` of its thread, as a position, or ID_NONE. */
static inline uint32_t rw_last_before(const struct rw *v, uint32_t g, uint32_t end)
{
    uint32_t count = rw_count_before(v, g, end);
    return count ? v->idx[v->groups[g].from + count - 1] : ID_NONE;
}

#endif
