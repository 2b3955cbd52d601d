/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/treiber_stack.h"

#include <stdatomic.h>
#include <stdlib.h>

struct node {
    _Atomic int64_t value;
    _Atomic uint32_t next; /* 0: none */
};

struct own { /* a thread's nodes that are not in the stack */
    uint32_t *free;
    uint32_t n;
};

struct stack {
    _Atomic uint64_t top; /* the tag above, the node below */
    bool tagged;
    void (*point)(void);
    unsigned calls; /* nodes of each thread */
    struct node *nodes;
    uint32_t *frees;
    struct own *own;
};

static uint32_t node_of(uint64_t top)
{
    return (uint32_t)top;
}

/* The new top when `node` takes the place of `old`. */
static uint64_t replace(const struct stack *s, uint64_t old, uint32_t node)
{
    uint64_t tag = (old >> 32) + (s->tagged ? 1 : 0);
    return tag << 32 | node;
}

static void mark(const struct stack *s)
{
    if (s->point)
        s->point();
}

void treiber_destroy(void *object)
{
    struct stack *s = object;
    free(s->nodes);
    free(s->frees);
    free(s->own);
    free(s);
}

void *treiber_create(const assay_adapter_setting *setting, bool tagged, void (*point)(void))
{
    struct stack *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    size_t all = (size_t)setting->threads * setting->calls;
    s->tagged = tagged;
    s->point = point;
    s->calls = setting->calls;
    s->nodes = calloc(all + 1, sizeof *s->nodes);
    s->frees = calloc(all + 1, sizeof *s->frees);
    s->own = calloc(setting->threads, sizeof *s->own);
    if (!s->nodes || !s->frees || !s->own) {
        treiber_destroy(s);
        return NULL;
    }
    for (unsigned t = 0; t < setting->threads; t++) {
        s->own[t].free = &s->frees[(size_t)t * s->calls];
        while (s->own[t].n < s->calls) {
            s->own[t].free[s->own[t].n] = t * s->calls + s->own[t].n + 1;
            s->own[t].n++;
        }
    }
    return s;
}

static void push(struct stack *s, struct own *own, int64_t value)
{
    uint32_t node = own->free[--own->n];
    uint64_t top = atomic_load(&s->top);
    atomic_store(&s->nodes[node].value, value);
    do {
        atomic_store(&s->nodes[node].next, node_of(top));
        mark(s);
    } while (!atomic_compare_exchange_strong(&s->top, &top, replace(s, top, node)));
}

static assay_answer pop(struct stack *s, struct own *own)
{
    uint64_t top = atomic_load(&s->top);
    uint32_t next;
    do {
        if (!node_of(top))
            return assay_answer_word("empty");
        next = atomic_load(&s->nodes[node_of(top)].next);
        mark(s);
    } while (!atomic_compare_exchange_strong(&s->top, &top, replace(s, top, next)));
    int64_t value = atomic_load(&s->nodes[node_of(top)].value);
    if (own->n < s->calls) /* a node that the bug handed out twice may find no room */
        own->free[own->n++] = node_of(top);
    return assay_answer_int(value);
}

assay_answer treiber_call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct stack *s = object;
    if (method == POP)
        return pop(s, &s->own[thread]);
    push(s, &s->own[thread], args[0]);
    return assay_answer_none();
}
