/* SPDX-License-Identifier: Apache-2.0 */
#include "search/linear.h"

#include "base/keyed.h"
#include "base/radix.h"

/* ---- laying out ---- */

/* Ranks tell it where there are any: they may be those of a part of the history, in which more is pending. */
static bool pending(const struct linear *x, uint32_t i)
{
    uint32_t op = x->part->ops[i];
    return x->c->ret ? x->c->ret[op] == CALLS_NEVER : history_pending(x->c->h, op);
}

static void take_calls(struct linear *x)
{
    const history *h = x->c->h;
    size_t args = 0;
    for (uint32_t i = 0; i < x->n; i++)
        args += history_arity(h, x->part->ops[i]);
    assay_value *pool = mem_new(x->m, assay_value, args + 1);
    x->call = mem_new(x->m, assay_call, x->n + 1);
    x->salt = mem_new(x->m, struct memo_key, x->n + 1);
    x->prev = mem_new(x->m, uint32_t, x->n + 1);
    x->observer = mem_new(x->m, bool, x->n + 1);
    x->starts = mem_new_zero(x->m, uint32_t, x->n + 1);
    x->ends = mem_new_zero(x->m, uint32_t, x->n + 1);
    uint32_t *last = mem_new_ids(x->m, h->threads.n + 1);
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t op = x->part->ops[i], t = h->thread[op];
        x->call[i] = calls_get(x->c, op, pool);
        pool += history_arity(h, op);
        x->observer[i] = !pending(x, i) && spec_observes(objects_use(x->c->objects, op)->spec, &x->call[i]);
        x->salt[i] = memo_salt(i);
        x->prev[i] = last[t];
        if (!pending(x, i))
            last[t] = i;
        if (x->c->call) {
            x->starts[i] = x->c->call[op];
            x->ends[i] = x->c->ret[op];
        }
    }
    mem_free(x->m, last);
}

/* A heap of lanes: the lane that is free first is on top. */
struct heap {
    uint32_t *lane, n;
    const uint32_t *free_from;
};

static void sift_down(struct heap *h)
{
    for (uint32_t i = 0;;) {
        uint32_t child = 2 * i + 1;
        if (child >= h->n)
            return;
        if (child + 1 < h->n && h->free_from[h->lane[child + 1]] < h->free_from[h->lane[child]])
            child++;
        if (h->free_from[h->lane[i]] <= h->free_from[h->lane[child]])
            return;
        uint32_t other = h->lane[i];
        h->lane[i] = h->lane[child];
        h->lane[child] = other;
        i = child;
    }
}

static void sift_up(struct heap *h, uint32_t i)
{
    while (i && h->free_from[h->lane[i]] < h->free_from[h->lane[(i - 1) / 2]]) {
        uint32_t other = h->lane[i];
        h->lane[i] = h->lane[(i - 1) / 2];
        h->lane[(i - 1) / 2] = other;
        i = (i - 1) / 2;
    }
}

static void lanes_by_time(struct linear *x)
{
    uint32_t *free_from = mem_new(x->m, uint32_t, x->n + 1);
    struct heap heap = {mem_new(x->m, uint32_t, x->n + 1), 0, free_from};
    for (uint32_t i = 0; i < x->n; i++) {
        if (pending(x, i))
            continue;
        if (heap.n && free_from[heap.lane[0]] < x->starts[i]) {
            x->lane_of[i] = heap.lane[0];
            free_from[x->lane_of[i]] = x->ends[i];
            sift_down(&heap);
        } else {
            x->lane_of[i] = x->lanes++;
            free_from[x->lane_of[i]] = x->ends[i];
            heap.lane[heap.n] = x->lane_of[i];
            sift_up(&heap, heap.n++);
        }
    }
    mem_free(x->m, heap.lane);
    mem_free(x->m, free_from);
}

static void lanes_by_thread(struct linear *x)
{
    const history *h = x->c->h;
    uint32_t *lane = mem_new_ids(x->m, h->threads.n + 1);
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t t = h->thread[x->part->ops[i]];
        if (pending(x, i))
            continue;
        if (lane[t] == ID_NONE)
            lane[t] = x->lanes++;
        x->lane_of[i] = lane[t];
    }
    mem_free(x->m, lane);
}

/* Counts the operations of each lane that precede i, from the number of operations of each thread that precede i. */
static void count_needs(struct linear *x)
{
    const struct calls *c = x->c;
    uint32_t k = c->h->threads.n;
    x->need = mem_new_zero(x->m, uint32_t, mem_product(x->n ? x->n : 1, x->lanes));
    for (uint32_t i = 0; i < x->n; i++) {
        const uint32_t *past = c->past + (size_t)x->part->ops[i] * k;
        for (uint32_t l = 0; l < x->lanes; l++) {
            uint32_t low = x->lane_at[l], high = x->lane_at[l + 1];
            uint32_t known = past[c->h->thread[x->part->ops[x->lane[low]]]];
            while (low < high) { /* the lane is in program order */
                uint32_t middle = low + (high - low) / 2;
                if (c->index[x->part->ops[x->lane[middle]]] < known)
                    low = middle + 1;
                else
                    high = middle;
            }
            x->need[(size_t)i * x->lanes + l] = low - x->lane_at[l];
        }
    }
}

static const assay_spec *spec_of(const struct linear *x, uint32_t i)
{
    return objects_use(x->c->objects, x->part->ops[i])->spec;
}

/* The number of its part in the whole; 0 if there is one part only. */
static uint32_t part_of(const struct linear *x, uint32_t i)
{
    return x->spec ? 0 : x->c->part_of[x->part->ops[i]];
}

/* Have they the same method and arguments, in the same part? */
static bool same_call(const struct linear *x, uint32_t i, uint32_t j)
{
    const assay_call *a = &x->call[i], *b = &x->call[j];
    bool same = a->method == b->method && a->arg_count == b->arg_count && part_of(x, i) == part_of(x, j);
    for (unsigned k = 0; k < a->arg_count && same; k++)
        same = assay_value_same(a->args[k], b->args[k]);
    return same;
}

/* Pending operations with the same call are interchangeable: the earlier one is taken first. Only an interval order
 * guarantees that it can be taken whenever the later one can. */
static void find_twins(struct linear *x)
{
    x->twin = mem_new(x->m, uint32_t, x->n + 1);
    for (uint32_t i = 0; i < x->maybe_n; i++) {
        uint32_t own = x->maybe[i];
        x->twin[own] = ID_NONE;
        bool twins = x->c->order == CALLS_INTERVALS && spec_is_of_library(spec_of(x, own));
        for (uint32_t j = i; twins && j-- > 0 && i - j < 64;)
            if (same_call(x, own, x->maybe[j])) {
                x->twin[own] = x->maybe[j];
                break;
            }
    }
}

static uint64_t hash_value(uint64_t hash, assay_value v)
{
    hash = hash_join(hash, (uint64_t)v.kind);
    return hash_join(hash, kind_is_text(v.kind) ? hash_bytes(v.text, v.length) : (uint64_t)v.integer);
}

static uint64_t hash_call(const struct linear *x, uint32_t i)
{
    const assay_call *call = &x->call[i];
    uint64_t hash = hash_join(part_of(x, i), call->method);
    for (unsigned k = 0; k < call->arg_count; k++)
        hash = hash_value(hash, call->args[k]);
    return hash_value(hash, call->result);
}

/* Where two kinds have the same hash, one of them is lost: its operations count as different. */
void linear_find_kinds(struct linear *x)
{
    struct idmap kind_of = {0};
    x->kind = mem_new(x->m, uint32_t, x->n + 1);
    for (uint32_t i = 0; i < x->n; i++) {
        x->kind[i] = i;
        if (x->c->order == CALLS_INTERVALS && !pending(x, i) && spec_is_of_library(spec_of(x, i))) {
            uint32_t *first = idmap_at(x->m, &kind_of, hash_call(x, i));
            if (*first == ID_NONE)
                *first = i;
            else if (same_call(x, i, *first) && assay_value_same(x->call[i].result, x->call[*first].result))
                x->kind[i] = *first;
        }
        x->kinds += x->kind[i] == i;
    }
    idmap_free(x->m, &kind_of);
}

static void *first_state(const struct linear *x, const struct part *part)
{
    const assay_setting setting = part_setting(part);
    return hook_create(part->object->spec, &setting, value_public(x->c->h, part->key), x->m);
}

static void take_members(struct linear *x)
{
    x->member = mem_new_zero(x->m, struct linear_member, x->c->part_n);
    for (uint32_t p = 0; p < x->c->part_n; p++) {
        const struct part *part = &x->c->parts[p];
        const assay_spec *spec = part->object->spec;
        x->member[p] = (struct linear_member){
            .spec = spec, .state = first_state(x, part), .seen = visited_in(x->m, spec)};
        linear_changed(x, &x->member[p]);
    }
}

void linear_init(struct linear *x, const struct job *job)
{
    const struct object_use *object = job->part->object;
    *x = (struct linear){
        .c = job->calls, .part = job->part, .spec = object ? object->spec : NULL, .m = job->mem, .n = job->part->n};
    take_calls(x);
    x->lane_of = mem_new_ids(x->m, x->n + 1);
    if (x->c->call)
        lanes_by_time(x);
    else
        lanes_by_thread(x);
    struct groups by = group_by(x->lane_of, x->n, x->lanes, x->m);
    x->lane_at = by.at;
    x->lane = by.list;
    x->position = mem_new_zero(x->m, uint32_t, x->lanes + 1);
    x->done = mem_new_zero(x->m, bool, x->n + 1);
    x->maybe = mem_new(x->m, uint32_t, x->n - by.at[x->lanes] + 1);
    for (uint32_t i = 0; i < x->n; i++)
        if (pending(x, i) && !spec_is_observer(spec_of(x, i), &x->call[i]))
            x->maybe[x->maybe_n++] = i;
    find_twins(x);
    if (x->c->order == CALLS_AFTER)
        count_needs(x);
    if (!object)
        take_members(x);
    else if (x->spec->create)
        x->state = first_state(x, job->part);
}

/* ---- operations that can come next ---- */

uint32_t linear_first_return(const struct linear *x)
{
    uint32_t first = ID_NONE, end = CALLS_NEVER;
    for (uint32_t l = 0; l < x->lanes; l++) {
        uint32_t head = linear_head(x, l);
        if (head != ID_NONE && (first == ID_NONE || x->ends[head] < end)) {
            first = head;
            end = x->ends[head];
        }
    }
    return first;
}

uint64_t *linear_by_return(const struct linear *x, uint32_t *n)
{
    uint64_t *sorted = mem_new(x->m, uint64_t, x->n + 1);
    *n = 0;
    for (uint32_t i = 0; i < x->n; i++)
        if (x->ends[i] != CALLS_NEVER)
            sorted[(*n)++] = (uint64_t)x->ends[i] << 32 | i;
    radix_sort(sorted, *n, x->m);
    return sorted;
}

bool linear_ready(const struct linear *x, uint32_t i, uint32_t first)
{
    if (x->prev[i] != ID_NONE && !x->done[x->prev[i]])
        return false;
    if (x->need)
        for (uint32_t l = 0; l < x->lanes; l++)
            if (x->position[l] < x->need[(size_t)i * x->lanes + l])
                return false;
    return !x->c->call || first == ID_NONE || x->starts[i] < x->ends[first];
}

static void toggle(struct linear *x, uint32_t i)
{
    x->set.a ^= x->salt[i].a;
    x->set.b ^= x->salt[i].b;
}

void linear_mark(struct linear *x, uint32_t i)
{
    x->done[i] = true;
    if (x->lane_of[i] != ID_NONE)
        x->position[x->lane_of[i]]++;
    toggle(x, i);
}

void linear_unmark(struct linear *x, uint32_t i)
{
    x->done[i] = false;
    if (x->lane_of[i] != ID_NONE)
        x->position[x->lane_of[i]]--;
    toggle(x, i);
}

void linear_changed(struct linear *x, struct linear_member *member)
{
    uint64_t digest[2];
    visited_digest(&member->seen, member->state, digest);
    struct keyed s = keyed_begin();
    keyed_put(&s, (uint64_t)(member - x->member));
    keyed_put(&s, digest[0]);
    keyed_put(&s, digest[1]);
    keyed_end(&s, digest);
    x->members.a += digest[0] - member->digest.a;
    x->members.b += digest[1] - member->digest.b;
    member->digest = (struct memo_key){digest[0], digest[1]};
}

enum { MOST_ANSWERS = 8 };

void linear_note_answer(struct linear_answers *a, assay_value answer, struct mem *m)
{
    if (answer.kind == ASSAY_NONE || a->all.n == MOST_ANSWERS)
        return;
    for (uint32_t i = 0; i < a->all.n; i++)
        if (assay_value_same(a->all.at[i], answer))
            return;
    vec_push(m, &a->all, value_copy(answer, m));
}
