/* SPDX-License-Identifier: Apache-2.0 */
/* The search of weak.h: its data and its position. */
#ifndef ASSAY_WEAK_SEARCH_H
#define ASSAY_WEAK_SEARCH_H

#include "base/radix.h"
#include "search/linear.h"
#include "spec/visited.h"
#include "weak/demands.h"
#include "weak/set.h"
#include "weak/task.h"

struct way { /* an operation that may come next, and its visibility */
    uint32_t i;
    struct set sees;
};

struct partial { /* a set that may grow by operations linearized before that place */
    struct set sees;
    uint32_t limit;
};

struct node {
    uint32_t length;               /* of the linearization */
    uint32_t ready_at, ready_next; /* operations that may come next, in `ready` */
    uint32_t ways_at, next;        /* ways of the one before ready_next */
    struct memo_key key;
    bool keyed; /* else it is computed when it is needed */
    bool again; /* all of them have been tried with the sets found first; now with the others */
};

struct replay { /* calls in the order of the linearization, some of which may be left out */
    uint32_t op[SET_MOST], n;
    const assay_call *call[SET_MOST];
    bool must[SET_MOST], changed[SET_MOST], taken[SET_MOST];
    assay_saved saved[SET_MOST];
    struct set needed_by[SET_MOST]; /* calls that cannot be seen without this one, by their places here */
    struct set shut[SET_MOST + 1];  /* when a place is reached: calls from there on that need one that was left out */
};

struct weak {
    struct linear x;
    struct job *job;
    struct weak_task *task;
    bool naive, by_return;
    bool hasty;             /* only one set of an operation at a place */
    uint64_t since;         /* the ticks of the budget when it began */
    uint32_t visited, most; /* states of the search; how many until it is given up, 0: no limit */

    struct demands d;
    uint32_t *demands; /* of an operation: the paths that its visibility must contain */
    uint32_t *class;   /* operations with the same demands have the same class */
    struct asked asked;
    bool *changed;
    assay_saved *saved;
    uint32_t *stepped;
    bool *observer; /* of an operation: it changes nothing, for every result */

    uint32_t *rank;        /* of several ready operations the one with the least rank is tried first */
    struct set *before[2]; /* po, hb */
    struct set done;
    uint32_t *order, length;
    struct set *sees;
    struct set *reach;   /* path p, length j < longest, operation i: reach[(p * d.longest + j) * n + i] */
    struct set *closure; /* class c, operation i: i and the operations that seeing it forces */
    uint64_t *key;       /* of an operation: its key, where only operations of the same key matter */

    struct visited states; /* the digests of states of the object */
    struct memo memo, met; /* states of the search; states of the object while one result is explained */
    VEC(struct node) nodes;
    VEC(uint32_t) ready;
    VEC(struct way) ways;
    VEC(struct partial) partials;
    bool brief; /* some sets that explain a result are enough for now */
    struct replay *replay;
    bool apart;        /* calls always take effect, so those of other keys need not be executed */
    bool alike;        /* the object is a sequence whose steps do not depend on its values */
    assay_call *blank; /* calls with `other` in place of their value */
    assay_value other;
    bool mixed,
        blocked; /* operations of other keys matter: one of them cannot take effect after the visible ones of its key */
    uint32_t culprit; /* the operation that could not be linearized where the search got furthest */
};

/* Has the task taken as much effort as it may? From then on sets may be missing. */
static inline bool weak_spent(const struct weak *w)
{
    return w->task && w->task->effort && w->job->budget->ticks - w->since > w->task->effort;
}

#define weak_set_up WEAK_AT_WIDTH(weak_set_up)
#define weak_set_up_visibility WEAK_AT_WIDTH(weak_set_up_visibility)
#define weak_observes WEAK_AT_WIDTH(weak_observes)
#define weak_take_object WEAK_AT_WIDTH(weak_take_object)
#define weak_append WEAK_AT_WIDTH(weak_append)
#define weak_cut_back WEAK_AT_WIDTH(weak_cut_back)
#define weak_forced WEAK_AT_WIDTH(weak_forced)
#define weak_explains WEAK_AT_WIDTH(weak_explains)
#define weak_reaches WEAK_AT_WIDTH(weak_reaches)
#define weak_minimal_ways WEAK_AT_WIDTH(weak_minimal_ways)
#define weak_naive_ways WEAK_AT_WIDTH(weak_naive_ways)
#define weak_search WEAK_AT_WIDTH(weak_search)
#define weak_append_observer WEAK_AT_WIDTH(weak_append_observer)
#define weak_by_suspects WEAK_AT_WIDTH(weak_by_suspects)
#define weak_contradict WEAK_AT_WIDTH(weak_contradict)
#define weak_blame WEAK_AT_WIDTH(weak_blame)

static inline struct set *reach_at(const struct weak *w, uint32_t path, uint32_t length, uint32_t i)
{
    return &w->reach[((size_t)path * w->d.longest + length) * w->x.n + i];
}

static inline const struct set *closure_of(const struct weak *w, uint32_t o, uint32_t seen)
{
    return &w->closure[(size_t)w->class[o] * w -> x.n + seen];
}

/* Where the values of the object are alike, all values but the result of o look the same to o: this one stands for
 * them. Is the value of b's call one of these? */
static inline assay_value weak_other(const struct weak *w, uint32_t o)
{
    assay_value own = w->x.call[o].result;
    return assay_int(own.kind == ASSAY_INT ? own.integer ^ 1 : 0);
}
static inline bool weak_is_other(const struct weak *w, uint32_t o, uint32_t b)
{
    const assay_call *call = &w->x.call[b];
    return w->alike && call->arg_count == 1 && !assay_value_same(call->args[0], w->x.call[o].result);
}

/* visibility_search.c */
bool weak_search(struct weak_task *t);
void weak_append(struct weak *w, uint32_t o, const struct set *sees);
void weak_cut_back(struct weak *w, uint32_t length);

/* An observer that the least set explains can come at once: see weak.h. False: there is none. `first` is the result of
 * linear_first_return. */
bool weak_append_observer(struct weak *w, uint32_t first);

/* suspects.c. For axioms that are plain: is there a solution? It is left in w; or else w->culprit is named. */
enum weak_answer { WEAK_UNKNOWN, WEAK_NO, WEAK_YES };
enum weak_answer weak_by_suspects(struct weak *w);
/* Is there no order that explains these calls, each of which must see so much? False: there is one, or the effort of
 * the task is spent. */
bool weak_contradict(struct weak *w, const uint32_t *ops, const struct set *must, uint32_t n);

/* weak_blame.c: as weak_task says. */
void weak_blame(struct weak_task *t);

/* weak_view.c: reads the part; may escape. The second is for searches that are not complete. */
void weak_set_up(struct weak *w);
void weak_set_up_visibility(struct weak *w);
/* Does the call change nothing for every result, wherever another one sees it? */
bool weak_observes(const assay_spec *spec, const assay_method *method, const assay_call *call);
void weak_take_object(struct weak *w); /* properties of the library's own objects */

/* ways.c. The operations that reach o, which sees `sees`, by the first `length` steps of the path. */
struct set weak_reaches(const struct weak *w, uint32_t path, uint32_t length, uint32_t o, const struct set *sees);
/* The linearized operations that o must see for every choice of the others. */
struct set weak_forced(const struct weak *w, uint32_t o);
/* Does the object return o's recorded result, after the operations that o sees? */
bool weak_explains(struct weak *w, uint32_t o, const struct set *sees);
/* Append to w->ways. All smallest closed sets that explain o; if w->brief, some of them, or at least sets that explain
 * it; only one if no axiom uses its visibility. */
void weak_minimal_ways(struct weak *w, uint32_t o);
/* All closed sets that explain o, the largest first. */
void weak_naive_ways(struct weak *w, uint32_t o);

#endif
