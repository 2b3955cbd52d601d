/* SPDX-License-Identifier: Apache-2.0 */
/* An adapter for tests: a right dispenser of tickets, for the object of examples/ticket.c. */
#include <assay_adapter.h>

static int64_t taken;

static void *create(const assay_adapter_setting *setting)
{
    (void)setting;
    taken = 0;
    return &taken;
}

static void destroy(void *object)
{
    (void)object;
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    (void)thread, (void)method, (void)args;
    return assay_answer_int(__atomic_add_fetch((int64_t *)object, 1, __ATOMIC_SEQ_CST));
}

static const assay_adapter_method methods[] = {{"take", 1, NULL}, {NULL, 0, NULL}};
static const assay_adapter adapter = {.version = ASSAY_ADAPTER_VERSION,
                                      .name = "ticket:mine",
                                      .object = "ticket(9)",
                                      .title = "one number",
                                      .methods = methods,
                                      .create = create,
                                      .destroy = destroy,
                                      .call = call};
const assay_adapter *const assay_adapters[] = {&adapter, NULL};
