/* SPDX-License-Identifier: Apache-2.0 */
/* ck_hs of Concurrency Kit, a hash set for one writer and many readers. add and remove take a lock of the adapter,
 * contains takes none, so the test is about a reader beside a writer. All values have one of two hashes, so that
 * entries collide and are moved. */
#include "collect/implement/ck_memory.h"
#include "collect/implement/shared.h"

#include <pthread.h>
#include <stdlib.h>

#ifdef ASSAY_WITH_CK
#include <ck_hs.h>

struct set {
    ck_hs_t table;
    pthread_mutex_t writing;
};

static unsigned long hash(const void *value, unsigned long seed)
{
    return ((uintptr_t)value & 1) + seed;
}

static void *create(const assay_adapter_setting *setting)
{
    struct set *s = calloc(1, sizeof *s);
    enum { SMALLEST = 8 };
    (void)setting;
    if (!s || !ck_hs_init(&s->table, CK_HS_MODE_SPMC | CK_HS_MODE_DIRECT | CK_HS_MODE_DELETE, hash, NULL, &ck_memory,
                          SMALLEST, 0)) {
        free(s);
        return NULL;
    }
    pthread_mutex_init(&s->writing, NULL);
    return s;
}

static void destroy(void *object)
{
    struct set *s = object;
    ck_hs_destroy(&s->table);
    ck_memory_release();
    pthread_mutex_destroy(&s->writing);
    free(s);
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct set *s = object;
    const void *value = (const void *)(uintptr_t)args[0];
    unsigned long h = CK_HS_HASH(&s->table, hash, value);
    (void)thread;
    if (method == SET_CONTAINS)
        return assay_answer_bool(ck_hs_get(&s->table, h, value) != NULL);
    pthread_mutex_lock(&s->writing);
    bool done = method == SET_ADD ? ck_hs_put(&s->table, h, value) : ck_hs_remove(&s->table, h, value) != NULL;
    pthread_mutex_unlock(&s->writing);
    return assay_answer_bool(done);
}
#endif

const assay_adapter adapter_ck_hs = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "set:ck-hs",
    .object = "set",
    .title = "ck_hs of Concurrency Kit, one writer at a time",
    .methods = set_methods,
    CK_HOOKS(.create = create, .destroy = destroy, .call = call),
};
