/* SPDX-License-Identifier: Apache-2.0 */
/* rculfhash of Userspace RCU as a set: a split-ordered list, here with one bucket, so that all values meet. A value is
 * added only if it is not there. A remove looks the value up and deletes its node. A remove that finds the node deleted
 * by then came a moment after another remove, when the value was not there. */
#include "collect/implement/nodes.h"

#ifdef ASSAY_WITH_URCU
#include "collect/implement/urcu_threads.h"
#include <urcu/rculfhash.h>

struct entry {
    struct cds_lfht_node link; /* first */
    int64_t value;
};

struct set {
    struct nodes nodes; /* first */
    struct cds_lfht *table;
};

static void *create(const assay_adapter_setting *setting)
{
    struct set *s = nodes_object(sizeof *s, sizeof(struct entry), setting);
    if (!s || (s->table = cds_lfht_new(1, 1, 1, 0, NULL)))
        return s;
    nodes_destroy(s);
    return NULL;
}

static void destroy(void *object)
{
    struct set *s = object;
    struct cds_lfht_iter at;
    rcu_register_thread();
    rcu_read_lock();
    for (cds_lfht_first(s->table, &at); cds_lfht_iter_get_node(&at); cds_lfht_next(s->table, &at))
        cds_lfht_del(s->table, cds_lfht_iter_get_node(&at));
    rcu_read_unlock();
    rcu_unregister_thread();
    cds_lfht_destroy(s->table, NULL); /* empty by now, as it asks for */
    nodes_destroy(s);
}

static int same(struct cds_lfht_node *link, const void *value)
{
    ASSAY_POINT();
    return ((struct entry *)(void *)link)->value == *(const int64_t *)value;
}

static bool add(struct set *s, unsigned thread, const int64_t *value)
{
    struct entry *e = nodes_take(&s->nodes, thread);
    e->value = *value;
    cds_lfht_node_init(&e->link);
    return cds_lfht_add_unique(s->table, (unsigned long)*value, same, value, &e->link) == &e->link;
}

static bool look_up(struct set *s, const int64_t *value, struct cds_lfht_iter *at)
{
    cds_lfht_lookup(s->table, (unsigned long)*value, same, value, at);
    return cds_lfht_iter_get_node(at);
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct set *s = object;
    struct cds_lfht_iter at;
    bool done;
    rcu_read_lock();
    if (method == SET_ADD)
        done = add(s, thread, args);
    else
        done = look_up(s, args, &at) &&
               (method == SET_CONTAINS || cds_lfht_del(s->table, cds_lfht_iter_get_node(&at)) == 0);
    rcu_read_unlock();
    return assay_answer_bool(done);
}
#endif

const assay_adapter adapter_urcu_rculfhash = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "set:urcu-rculfhash",
    .object = "set",
    .title = "rculfhash of Userspace RCU",
    .methods = set_methods,
    URCU_HOOKS(.create = create, .destroy = destroy, .enter = urcu_enter, .leave = urcu_leave, .call = call,
               .point = &assay_adapter_point),
};
