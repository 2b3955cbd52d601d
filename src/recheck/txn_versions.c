/* SPDX-License-Identifier: Apache-2.0 */
/* The versions of list keys: lists that were read, with their beginnings.
 *
 * A committed list is the initial one and behind it, for each transaction that appended, all its appends in their
 * order. So a version is right in two cases. Its last element is the first append of a transaction, and the version
 * before it is complete. Or it is the next append of the transaction that the version before it ends with. A version is
 * judged once, and the history's tree of lists shares beginnings. So all versions together take no more than the
 * elements of the text.
 *
 * All lists of a key must be beginnings of the longest one. Each version gets its branch: the length up to which it
 * runs along the longest list. A list on the longest one does not fit a list that branches off below its end. */
#include "recheck/transactions.h"

static uint64_t name_of(uint32_t key, const struct list_value *list)
{
    return (uint64_t)key << 32 | list->id;
}

/* Is the version one between transactions, not within the appends of one? */
static bool complete(const struct transactions *t, uint32_t key, const struct txn_version *v)
{
    if (v->put == ID_NONE)
        return true;
    const struct txn_put *p = &t->puts.at[v->put];
    return p->place + 1 == t->write_count[txn_write(t, p->op, key)];
}

static bool follows(const struct transactions *t, uint32_t key, const struct txn_put *p,
                    const struct txn_version *before)
{
    if (p->place == 0)
        return complete(t, key, before);
    return before->put != ID_NONE && t->puts.at[before->put].op == p->op &&
           t->puts.at[before->put].place + 1 == p->place;
}

/* Is neither the list nor the initial one a beginning of the other? The list is at most as long. */
static bool leaves_initial(const struct transactions *t, uint32_t key, const struct list_value *list)
{
    const struct list_value *initial = t->versions.at[t->initial[key]].list;
    if (list->length > initial->length)
        return false;
    while (initial->length > list->length)
        initial = initial->before;
    return initial->id != list->id;
}

/* A list that does not begin with the initial one. */
static struct txn_version rootless(const struct list_value *list)
{
    return (struct txn_version){list, ID_NONE, ID_NONE, ID_NONE, 0, FAULT_THIN_AIR | FAULT_INTERMEDIATE, false};
}

static struct txn_version longer(const struct transactions *t, uint32_t key, const struct list_value *list,
                                 uint32_t before)
{
    const struct txn_version *shorter = &t->versions.at[before];
    struct txn_version v = {list, before, txn_put_of(t, key, list->last), shorter->ambiguous, 0, shorter->faults,
                            false};
    if (v.put == ID_NONE) {
        v.faults |= FAULT_THIN_AIR;
        return v;
    }
    const struct txn_put *p = &t->puts.at[v.put];
    if (p->again != ID_NONE && v.ambiguous == ID_NONE)
        v.ambiguous = v.put;
    if (t->outcome[p->op] == OUTCOME_ABORTED)
        v.faults |= FAULT_ABORTED;
    if (!follows(t, key, p, shorter))
        v.faults |= FAULT_INTERMEDIATE;
    return v;
}

uint32_t txn_version(struct transactions *t, uint32_t key, const struct list_value *list, struct mem *m)
{
    VEC(const struct list_value *) new = {0};
    uint32_t known = idmap_get(&t->version_of, name_of(key, list));
    for (; known == ID_NONE; known = idmap_get(&t->version_of, name_of(key, list))) {
        vec_push(m, &new, list);
        if (!list->before)
            break;
        list = list->before;
    }
    while (new.n) {
        list = vec_pop(&new);
        struct txn_version v = known == ID_NONE ? rootless(list) : longer(t, key, list, known);
        if (leaves_initial(t, key, list))
            v.faults |= FAULT_INCOMPATIBLE;
        known = t->versions.n;
        *idmap_at(m, &t->version_of, name_of(key, list)) = known;
        vec_push(m, &t->versions, v);
    }
    vec_free(m, &new);
    return known;
}

const struct list_value *txn_longer_list(struct transactions *t, const struct list_value *list, struct value v,
                                         struct mem *m)
{
    const struct list_values *all = &t->h->lists;
    uint32_t known = list->id < all->all.n ? lists_find(all, list->id, v) : ID_NONE;
    if (known != ID_NONE)
        return all->all.at[known];
    uint32_t *at = idmap_at(m, &t->unread, (uint64_t)list->id << 32 | value_id(m, &t->values, v));
    if (*at == ID_NONE) {
        struct list_value *new = mem_new(m, struct list_value, 1);
        *at = t->unread_lists.n;
        *new = (struct list_value){
            .before = list, .last = v, .id = all->all.n + *at, .length = list->length + 1, .longer = ID_NONE};
        vec_push(m, &t->unread_lists, new);
    }
    return t->unread_lists.at[*at];
}

/* ---- comparison ---- */

static void keep_longer(const struct transactions *t, uint32_t *best, uint32_t version)
{
    if (version != ID_NONE &&
        (*best == ID_NONE || t->versions.at[version].list->length > t->versions.at[*best].list->length))
        *best = version;
}

/* The longest list of each key that a transaction that counts has read or made, or ID_NONE. */
static uint32_t *longest_of_keys(const struct transactions *t, struct mem *m)
{
    uint32_t *longest = mem_new_ids(m, t->keys);
    for (uint32_t op = 0; op < t->h->n; op++)
        for (uint32_t i = t->reads_at[op]; t->counts[op] && i < t->reads_at[op + 1]; i++) {
            const struct txn_read *r = &t->reads[i];
            keep_longer(t, &longest[r->key], r->version);
            keep_longer(t, &longest[r->key], r->made);
        }
    return longest;
}

/* Places of the writers in the longest list of a key. Returns the length of its longest beginning in which no
 * transaction comes back after another one, and no element comes twice. */
static uint32_t show_writers(struct transactions *t, uint32_t key, uint32_t longest, struct mem *m)
{
    VEC(uint32_t) chain = {0};
    struct idmap seen = {0}; /* appends */
    for (uint32_t v = longest; v != ID_NONE; v = t->versions.at[v].before) {
        t->versions.at[v].branch = t->versions.at[v].list->length;
        vec_push(m, &chain, v);
    }
    uint32_t fine = UINT32_MAX, place = 0;
    for (uint32_t i = chain.n; i--;) {
        const struct txn_version *v = &t->versions.at[chain.at[i]];
        const struct txn_put *p = v->put == ID_NONE ? NULL : &t->puts.at[v->put];
        uint32_t *before = p ? idmap_at(m, &seen, v->put) : NULL;
        if (before && *before != ID_NONE && fine == UINT32_MAX)
            fine = v->list->length - 1;
        if (before)
            *before = i;
        if (!p || p->place)
            continue;
        uint32_t *shown = &t->shown[txn_write(t, p->op, key)];
        if (*shown == ID_NONE)
            *shown = place++;
        else if (fine == UINT32_MAX)
            fine = v->list->length - 1;
    }
    vec_free(m, &chain);
    mem_free(m, seen.slots);
    return fine;
}

/* The branches of the version and of those before it. */
static uint32_t find_branch(struct transactions *t, uint32_t version)
{
    uint32_t v = version;
    while (v != ID_NONE && t->versions.at[v].branch == ID_NONE)
        v = t->versions.at[v].before;
    uint32_t branch = v == ID_NONE ? 0 : t->versions.at[v].branch;
    for (v = version; v != ID_NONE && t->versions.at[v].branch == ID_NONE; v = t->versions.at[v].before)
        t->versions.at[v].branch = branch;
    return branch;
}

/* Does the version fit the others of its key? fits: lists of the longest one fit up to this length. */
static bool fits_others(struct transactions *t, uint32_t version, uint32_t *fits)
{
    uint32_t branch = find_branch(t, version), length = t->versions.at[version].list->length;
    if (branch < length && branch < *fits)
        *fits = branch;
    return length <= *fits;
}

void txn_compare_versions(struct transactions *t, struct mem *m)
{
    uint32_t *longest = longest_of_keys(t, m);
    uint32_t *fits = mem_new(m, uint32_t, t->keys); /* of a key: lists of the longest one fit up to this length */
    for (uint32_t v = 0; v < t->versions.n; v++)
        t->versions.at[v].branch = ID_NONE;
    for (uint32_t key = 0; key < t->keys; key++)
        fits[key] = longest[key] == ID_NONE ? UINT32_MAX : show_writers(t, key, longest[key], m);
    for (int round = 0; round < 2; round++)
        for (uint32_t op = 0; op < t->h->n; op++)
            for (uint32_t i = t->reads_at[op]; t->counts[op] && i < t->reads_at[op + 1]; i++) {
                struct txn_read *r = &t->reads[i];
                for (int k = 0; k < 2; k++) {
                    uint32_t version = k ? r->made : r->version;
                    if (version != ID_NONE && !fits_others(t, version, &fits[r->key]))
                        r->faults |= FAULT_INCOMPATIBLE;
                }
            }
    mem_free(m, longest);
    mem_free(m, fits);
}
