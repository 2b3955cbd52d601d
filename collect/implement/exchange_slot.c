/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/exchange_slot.h"

#include "collect/implement/nodes.h"

#include <sched.h>
#include <stdatomic.h>

enum { PATIENCE = 16 }; /* looks for an answer; between them other threads may run */
#define WAITING INT64_MIN
#define WITHDRAWN (INT64_MIN + 1)

struct offer {
    int64_t value;
    _Atomic int64_t answer; /* the partner's value, or one of the above */
};

struct exchanger {
    struct nodes offers;
    _Atomic(struct offer *) slot;
    bool atomic; /* an answer is a compare-and-swap */
    void (*point)(void);
};

void *slot_create(const assay_adapter_setting *setting, bool atomic, void (*point)(void))
{
    struct exchanger *x = nodes_object(sizeof *x, sizeof(struct offer), setting);
    if (!x)
        return NULL;
    atomic_init(&x->slot, NULL);
    x->atomic = atomic;
    x->point = point;
    return x;
}

void slot_destroy(void *object)
{
    nodes_destroy(object);
}

static void mark(const struct exchanger *x)
{
    if (x->point)
        x->point();
}

static void clear(struct exchanger *x, struct offer *offer)
{
    atomic_compare_exchange_strong(&x->slot, &offer, NULL);
}

/* False: another call was faster, or the offer is withdrawn. */
static bool reply(struct exchanger *x, struct offer *offer, int64_t value)
{
    int64_t expected = WAITING;
    if (x->atomic) {
        mark(x);
        return atomic_compare_exchange_strong(&offer->answer, &expected, value);
    }
    if (atomic_load(&offer->answer) != WAITING)
        return false;
    mark(x);
    atomic_store(&offer->answer, value);
    return true;
}

static assay_answer await(struct exchanger *x, struct offer *mine)
{
    int64_t answer = WAITING;
    for (unsigned i = 0; i < PATIENCE && atomic_load(&mine->answer) == WAITING; i++) {
        mark(x);
        sched_yield();
    }
    bool withdrawn = atomic_compare_exchange_strong(&mine->answer, &answer, WITHDRAWN);
    clear(x, mine);
    return withdrawn ? assay_answer_word("null") : assay_answer_int(answer);
}

assay_answer slot_call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct exchanger *x = object;
    struct offer *mine = nodes_take(&x->offers, thread);
    (void)method;
    mine->value = args[0];
    atomic_init(&mine->answer, WAITING);
    for (;;) {
        struct offer *found = NULL;
        if (atomic_compare_exchange_strong(&x->slot, &found, mine))
            return await(x, mine);
        bool met = reply(x, found, args[0]);
        clear(x, found);
        if (met)
            return assay_answer_int(found->value);
    }
}
