/* SPDX-License-Identifier: Apache-2.0 */
/* The state that forgotten transactions have left: of each variable that they wrote its last value. There may be
 * several candidates for it, of which the next read chooses one (transaction/free_choice.h). */
#ifndef ASSAY_MONITOR_CARRIED_H
#define ASSAY_MONITOR_CARRIED_H

#include "base/names.h"
#include "base/text.h"
#include "history/history.h"

struct carried_value {
    struct text text; /* as a token of .hist */
    uint64_t line;    /* of the transaction that wrote it; 0: none did */
};

struct carried_key {
    VEC(struct carried_value) candidates; /* mostly one */
    uint32_t n;                           /* so many of them count */
    uint64_t forgotten;                   /* the last time that a writer of it was forgotten: isolation.forgets */
};

struct carried {
    struct mem *mem;
    struct names names; /* of the variables, as tokens */
    VEC(struct carried_key) keys;
    struct text scratch;
};

struct carried carried_in(struct mem *m);

/* Of the key, a value of h; NULL: there is none. */
struct carried_key *carried_find(struct carried *c, const history *h, struct value key);
struct carried_key *carried_at(struct carried *c, const history *h, struct value key); /* known or new */

/* One more candidate. A list with one more element, behind a list that may be new. */
void carried_add(struct carried *c, struct carried_key *k, const history *h, struct value v, uint64_t line);
void carried_append(struct carried *c, struct carried_key *k, const history *h, struct value v, uint64_t line);
/* Is it a list that begins with the carried one, if elements are left out that `late` says are late? Then that beginning
 * is carried, with these elements. False: it is none, or there are no such elements. */
bool carried_splice(struct carried *c, struct carried_key *k, const history *h, const struct list_value *list,
                    bool (*late)(void *arg, struct value element), void *arg);
/* This candidate it is. */
void carried_choose(struct carried_key *k, uint32_t candidate);
/* The candidate with this value, or ID_NONE. */
uint32_t carried_candidate(struct carried *c, const struct carried_key *k, const history *h, struct value v);

#endif
