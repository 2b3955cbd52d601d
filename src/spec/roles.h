/* SPDX-License-Identifier: Apache-2.0 */
/* The methods' numbers (assay_method.id) of objects that have engines of their own, which go by them. */
#ifndef ASSAY_SPEC_ROLES_H
#define ASSAY_SPEC_ROLES_H

#include <stdbool.h>

enum { MEMORY_READ, MEMORY_WRITE, MEMORY_RMW, MEMORY_FENCE };
enum { REGISTER_READ, REGISTER_WRITE, REGISTER_CAS }; /* register, cas-register */
/* queue, stack, pqueue: add(v), remove() => v or empty */
enum collection_role { COLLECTION_ADD, COLLECTION_REMOVE, COLLECTION_PEEK };
/* deque: half the number is the role of a collection; it is even at the front */
enum { DEQUE_PUSH_FRONT, DEQUE_PUSH_BACK, DEQUE_POP_FRONT, DEQUE_POP_BACK, DEQUE_PEEK_FRONT, DEQUE_PEEK_BACK };
static inline unsigned collection_role_of(unsigned method, bool two_ends)
{
    return method >> two_ends;
}
enum { SET_ADD, SET_REMOVE, SET_CONTAINS, SET_ELEMENTS };
enum { MULTISET_ADD, MULTISET_REMOVE, MULTISET_COUNT, MULTISET_CONTAINS };
enum { LOCK_LOCK, LOCK_UNLOCK, LOCK_TRY };
enum { RWLOCK_RDLOCK, RWLOCK_RDUNLOCK, RWLOCK_WRLOCK, RWLOCK_WRUNLOCK, RWLOCK_TRYRDLOCK, RWLOCK_TRYWRLOCK };
enum { SEMAPHORE_ACQUIRE, SEMAPHORE_RELEASE, SEMAPHORE_TRY }; /* semaphore, counting-semaphore */
enum { MAP_PUT, MAP_GET, MAP_REMOVE, MAP_CONTAINS_KEY, MAP_CONTAINS_VALUE, MAP_SIZE };
enum { APPEND_MAP_GET, APPEND_MAP_PUT, APPEND_MAP_APPEND };
enum { COUNTER_INC, COUNTER_DEC, COUNTER_ADD, COUNTER_GET, COUNTER_FETCH_ADD };
enum { BANK_TRANSFER, BANK_BALANCE, BANK_BALANCES };
enum { EXCHANGER_EXCHANGE };

#endif
