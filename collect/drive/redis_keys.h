/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of a history at a Redis server. They are made at the primary, and then a mark. Replicas apply the primary's
 * writes in its order. So a replica that has the mark has the keys. */
#ifndef ASSAY_COLLECT_DRIVE_REDIS_KEYS_H
#define ASSAY_COLLECT_DRIVE_REDIS_KEYS_H

#include "collect/drive/redis_link.h"

/* False: see the message, of ASSAY_DRIVER_MESSAGE bytes; so below. */
bool redis_make_keys(struct redis_link *l, const assay_keys *keys, char *message);
bool redis_remove_keys(struct redis_link *l, const assay_keys *keys, char *message); /* and the mark */

/* The mark of the keys that begin with the first one. */
bool redis_set_mark(struct redis_link *l, uint64_t first, int64_t mark, char *message);
bool redis_has_mark(struct redis_link *l, uint64_t first, int64_t mark, char *message);

#endif
