/* SPDX-License-Identifier: Apache-2.0 */
/* ck_ht of Concurrency Kit, a hash table for one writer and many readers. put and remove take a lock of the adapter,
 * get and contains-key take none. All keys have one of two hashes. */
#include "collect/implement/ck_memory.h"
#include "collect/implement/shared.h"

#include <pthread.h>
#include <stdlib.h>

enum { PUT, GET, REMOVE, CONTAINS_KEY };

static const assay_adapter_method methods[] = {
    {"put", 2, NULL}, {"get", 2, NULL}, {"remove", 1, NULL}, {"contains-key", 1, NULL}, {0}};

#ifdef ASSAY_WITH_CK
#include <ck_ht.h>

struct map {
    ck_ht_t table;
    pthread_mutex_t writing;
};

/* Of a key as it is stored: a pointer to it comes in. */
static void hash(ck_ht_hash_t *h, const void *key, size_t length, uint64_t seed)
{
    (void)length;
    h->value = (*(const uintptr_t *)key & 1) + seed;
}

static void *create(const assay_adapter_setting *setting)
{
    struct map *m = calloc(1, sizeof *m);
    enum { SMALLEST = 8 };
    (void)setting;
    if (!m || !ck_ht_init(&m->table, CK_HT_MODE_DIRECT | CK_HT_WORKLOAD_DELETE, hash, &ck_memory, SMALLEST, 0)) {
        free(m);
        return NULL;
    }
    pthread_mutex_init(&m->writing, NULL);
    return m;
}

static void destroy(void *object)
{
    struct map *m = object;
    ck_ht_destroy(&m->table);
    ck_memory_release();
    pthread_mutex_destroy(&m->writing);
    free(m);
}

static assay_answer value_or_null(bool found, ck_ht_entry_t *e)
{
    return found ? assay_answer_int((int64_t)ck_ht_entry_value_direct(e)) : assay_answer_word("null");
}

static assay_answer write_entry(struct map *m, unsigned method, ck_ht_hash_t h, uintptr_t key, uintptr_t value)
{
    ck_ht_entry_t e;
    if (method == PUT) {
        ck_ht_entry_set_direct(&e, h, key, value);
        bool done = ck_ht_set_spmc(&m->table, h, &e); /* e becomes the old entry */
        return value_or_null(done && !ck_ht_entry_empty(&e), &e);
    }
    ck_ht_entry_key_set_direct(&e, key);
    return value_or_null(ck_ht_remove_spmc(&m->table, h, &e), &e);
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct map *m = object;
    uintptr_t key = (uintptr_t)args[0];
    ck_ht_hash_t h;
    ck_ht_entry_t e;
    (void)thread;
    ck_ht_hash_direct(&h, &m->table, key);
    if (method == GET || method == CONTAINS_KEY) {
        ck_ht_entry_key_set_direct(&e, key);
        bool found = ck_ht_get_spmc(&m->table, h, &e);
        return method == GET ? value_or_null(found, &e) : assay_answer_bool(found);
    }
    pthread_mutex_lock(&m->writing);
    assay_answer answer = write_entry(m, method, h, key, method == PUT ? (uintptr_t)args[1] : 0);
    pthread_mutex_unlock(&m->writing);
    return answer;
}
#endif

const assay_adapter adapter_ck_ht = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "map:ck-ht",
    .object = "map",
    .title = "ck_ht of Concurrency Kit, one writer at a time",
    .methods = methods,
    CK_HOOKS(.create = create, .destroy = destroy, .call = call),
};
