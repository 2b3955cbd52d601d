/* SPDX-License-Identifier: Apache-2.0 */
/* GAsyncQueue of GLib: a list under one lock. */
#include "collect/implement/shared.h"

#ifdef ASSAY_WITH_GLIB
#include <glib.h>

static void *create(const assay_adapter_setting *setting)
{
    (void)setting;
    return g_async_queue_new();
}

static void destroy(void *object)
{
    g_async_queue_unref(object);
}

/* Values are above 0: a NULL could not be pushed. */
static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    (void)thread;
    if (method == ENQ) {
        g_async_queue_push(object, (void *)(intptr_t)args[0]);
        return assay_answer_none();
    }
    void *value = g_async_queue_try_pop(object);
    return value ? assay_answer_int((intptr_t)value) : assay_answer_word("empty");
}
#endif

const assay_adapter adapter_glib_async_queue = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "queue:glib-async",
    .object = "queue",
    .title = "GAsyncQueue of GLib",
    .methods = queue_methods,
    GLIB_HOOKS(.create = create, .destroy = destroy, .call = call),
};
