/* SPDX-License-Identifier: Apache-2.0 */
/* Results changed after the clients have ended: the record says something that did not happen. */
#include "collect/generate/clients.h"

static bool is_word(assay_value v, const char *word)
{
    return assay_value_same(v, assay_word(word));
}

static struct record *random_result(struct records *x, struct rng *rng, uint32_t low, uint32_t high)
{
    struct record *r = &x->all.at[low + rng_below(rng, high - low)];
    return r->returned && r->result.kind != ASSAY_NONE ? r : NULL;
}

bool records_mutate(struct records *x, struct rng *rng, uint64_t distance)
{
    enum { TRIES = 1000 };
    uint32_t n = x->all.n;
    distance = distance ? distance : n;
    for (uint32_t i = 0; i < TRIES; i++) {
        struct record *r = random_result(x, rng, 0, n);
        if (!r)
            continue;
        if (is_word(r->result, "true") || is_word(r->result, "false")) {
            r->result = assay_word(is_word(r->result, "true") ? "false" : "true");
            return true;
        }
        uint64_t at = (uint64_t)(r - x->all.at);
        uint64_t low = at > distance ? at - distance : 0, high = at + distance + 1;
        struct record *other = random_result(x, rng, (uint32_t)low, (uint32_t)(high < n ? high : n));
        if (other && other->method == r->method && !assay_value_same(other->result, r->result)) {
            assay_value result = r->result;
            r->result = other->result;
            other->result = result;
            return true;
        }
    }
    return false;
}
