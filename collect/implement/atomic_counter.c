/* SPDX-License-Identifier: Apache-2.0 */
/* The atomic integer of C11 as a counter: a fetch-add returns the old value. */
#include "collect/implement/shared.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { FETCH_ADD, GET };

static const assay_adapter_method methods[] = {[FETCH_ADD] = {"fetch-add", 2, NULL}, [GET] = {"get", 1, NULL}, {0}};

struct counter {
    _Atomic int64_t value;
};

static void *create(const assay_adapter_setting *setting)
{
    (void)setting;
    return calloc(1, sizeof(struct counter));
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct counter *c = object;
    (void)thread;
    return assay_answer_int(method == GET ? atomic_load(&c->value) : atomic_fetch_add(&c->value, args[0]));
}

const assay_adapter adapter_atomic_counter = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "counter:atomic",
    .object = "counter",
    .title = "the atomic integer of C11",
    .methods = methods,
    .create = create,
    .destroy = free,
    .call = call,
};
