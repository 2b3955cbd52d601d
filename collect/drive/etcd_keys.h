/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of etcd, and parts of its requests.
 *
 * A register is one key with a number, and a list one key with numbers between spaces. The elements of a set are keys
 * below a prefix, and so are those of a queue, in the order in which they were created. Numbers in names have 20
 * digits. So the keys of a history are a range of names, which one request removes. */
#ifndef ASSAY_COLLECT_DRIVE_ETCD_KEYS_H
#define ASSAY_COLLECT_DRIVE_ETCD_KEYS_H

#include "collect/drive/bytes.h"

/* Spaces of keys. */
enum { ETCD_REGISTER = 'r', ETCD_LIST = 'l', ETCD_SET = 's', ETCD_QUEUE = 'q' };

/* "key":"...": the name of a register or list. */
void etcd_key(struct bytes *b, char space, uint64_t key);
/* "key":"...","range_end":"...": all keys below a set or queue. */
void etcd_below(struct bytes *b, char space, uint64_t key);
/* "key":"...","range_end":"...": from the first one up to, but without, the last one, with all below. */
void etcd_between(struct bytes *b, char space, uint64_t first, uint64_t last);
/* "key":"...": an element below a set or queue. */
void etcd_element(struct bytes *b, char space, uint64_t key, int64_t element);
/* The element that such a name, in base64, ends in. */
bool etcd_element_of(const char *name, int64_t *element);

/* ,"value":"...": a number; a list with one more number. */
void etcd_value(struct bytes *b, int64_t value);
void etcd_value_with(struct bytes *b, const struct bytes *list, int64_t value);

#endif
