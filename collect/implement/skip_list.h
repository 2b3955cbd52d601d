/* SPDX-License-Identifier: Apache-2.0 */
/* A lock-free skip list: a sorted list with express lanes above it. See java.util.concurrent.ConcurrentSkipListMap, and
 * chapter 14 of Herlihy and Shavit, The Art of Multiprocessor Programming. The map, the set and the broken set
 * of this folder are this list.
 *
 * A node is in the map as long as it has a value. A removal takes the value away in one compare-and-swap: then the key
 * is gone. Next it marks the successors of the node, the lowest last, so that nothing can be linked behind the node any
 * more. Each search for a place to change unlinks the marked nodes that it meets. Nodes live as long as the list
 * (nodes.h), so no thread stands on freed memory.
 *
 * Calls about one key are atomic. A search without changes passes over marked nodes. In an express lane it steps only
 * on nodes that are not marked there. Such a node is not marked at the bottom yet, so its successor there is no older
 * than the call.
 *
 * A walk (size, contains-value) goes along the bottom lane and looks at each node when it comes by. Each key is seen as
 * it was at some moment of the walk, but different keys at different moments: the walk is weakly consistent. */
#ifndef ASSAY_COLLECT_SKIP_LIST_H
#define ASSAY_COLLECT_SKIP_LIST_H

#include "assay_adapter.h"

#include <stdbool.h>

struct skip_list;

/* Without marks at the bottom the list is broken: a node that is linked behind one being removed gets lost. */
struct skip_list *skip_list_create(const assay_adapter_setting *setting, bool marks, void (*point)(void));
void skip_list_destroy(void *list);

/* All return whether the key was there. Its value, or the value before, is in *old then. */
bool skip_list_get(struct skip_list *l, int64_t key, int64_t *old);
bool skip_list_put(struct skip_list *l, unsigned thread, int64_t key, int64_t value, int64_t *old);
bool skip_list_put_if_absent(struct skip_list *l, unsigned thread, int64_t key, int64_t value, int64_t *old);
bool skip_list_remove(struct skip_list *l, int64_t key, int64_t *old);

int64_t skip_list_size(struct skip_list *l);
bool skip_list_contains_value(struct skip_list *l, int64_t value);

#endif
