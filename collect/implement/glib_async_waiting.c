/* SPDX-License-Identifier: Apache-2.0 */
/* GAsyncQueue of GLib by g_async_queue_pop, which waits for a value. */
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
    if (method == DEQ)
        return assay_answer_int((intptr_t)g_async_queue_pop(object));
    g_async_queue_push(object, (void *)(intptr_t)args[0]);
    return assay_answer_none();
}
#endif

const assay_adapter adapter_glib_async_waiting = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "queue:glib-async-waiting",
    .object = "queue",
    .title = "GAsyncQueue of GLib, whose pop waits",
    .methods = queue_methods,
    .waits = "deq=empty",
    GLIB_HOOKS(.create = create, .destroy = destroy, .call = call),
};
