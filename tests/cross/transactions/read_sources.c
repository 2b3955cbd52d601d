/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/transactions/read_sources.h"

#include <string.h>

/* The transaction that does not abort and whose last write of the key has the value, or MOST_TXNS + 1. */
static uint8_t writer_of(const struct tx_sketch *s, uint8_t key, int value)
{
    for (uint8_t t = 0; t < s->n; t++)
        for (uint8_t i = s->tx[t].n; i-- && s->tx[t].outcome != TX_ABORTED;)
            if (s->tx[t].access[i].kind != 'r' && s->tx[t].access[i].key == key) {
                if (s->tx[t].access[i].value == value)
                    return t;
                break;
            }
    return MOST_TXNS + 1;
}

static uint8_t appends_of(const struct tx *t, uint8_t before, uint8_t key, uint8_t *out)
{
    uint8_t n = 0;
    for (uint8_t i = 0; i < before; i++)
        if (t->access[i].kind == 'a' && t->access[i].key == key)
            out[n++] = (uint8_t)t->access[i].value;
    return n;
}

/* The writers of the elements; false if the list is not made of whole transactions. */
static bool split_list(const struct tx_sketch *s, uint8_t key, const uint8_t *list, uint8_t length, uint8_t *writers,
                       uint8_t *n)
{
    *n = 0;
    for (uint8_t at = 0; at < length;) {
        uint8_t w = MOST_TXNS, own[MOST_ACCESSES];
        for (uint8_t t = 0; t < s->n; t++)
            if (s->tx[t].outcome != TX_ABORTED && appends_of(&s->tx[t], s->tx[t].n, key, own) && own[0] == list[at])
                w = t;
        for (uint8_t i = 0; i < *n; i++)
            w = writers[i] == w ? MOST_TXNS : w;
        if (w == MOST_TXNS)
            return false;
        uint8_t count = appends_of(&s->tx[w], s->tx[w].n, key, own);
        if (count > length - at || memcmp(own, list + at, count) != 0)
            return false;
        at = (uint8_t)(at + count);
        writers[(*n)++] = w;
    }
    return true;
}

/* Behind own appends a list shows the version that t makes, too. */
static bool show_own(struct read_sources *r, uint8_t t, uint8_t key, uint8_t before)
{
    if (before < r->shown_n[key])
        return r->shown[key][before] == t;
    r->shown[key][r->shown_n[key]++] = t;
    return true;
}

static bool read_list(struct read_sources *r, const struct tx_sketch *s, uint8_t t, uint8_t i, bool *more)
{
    const struct tx *x = &s->tx[t];
    const struct tx_access *a = &x->access[i];
    uint8_t own[MOST_ACCESSES], count = appends_of(x, i, a->key, own), writers[MOST_TXNS], n;
    if (count > a->length || memcmp(own, a->list + a->length - count, count) != 0 ||
        !split_list(s, a->key, a->list, (uint8_t)(a->length - count), writers, &n))
        return false;
    uint8_t *shown = r->shown[a->key], *shown_n = &r->shown_n[a->key];
    for (uint8_t k = 0; k < n; k++) {
        if (writers[k] == t || (k < *shown_n && shown[k] != writers[k]))
            return false;
        *more |= !r->counts[writers[k]];
        r->counts[writers[k]] = true;
        if (k == *shown_n)
            shown[(*shown_n)++] = writers[k];
    }
    r->reads[r->read_n++] = (struct read){t, a->key, n ? writers[n - 1] : INITIAL};
    return !count || show_own(r, t, a->key, n);
}

static bool read_register(struct read_sources *r, const struct tx_sketch *s, uint8_t t, uint8_t i, bool *more)
{
    const struct tx *x = &s->tx[t];
    const struct tx_access *a = &x->access[i];
    for (uint8_t k = i; k--;)
        if (x->access[k].kind == 'w' && x->access[k].key == a->key)
            return x->access[k].value == a->value;
    uint8_t source = a->value == 0 ? INITIAL : writer_of(s, a->key, a->value);
    if (source > MOST_TXNS || source == t)
        return false;
    if (source != INITIAL) {
        *more |= !r->counts[source];
        r->counts[source] = true;
    }
    r->reads[r->read_n++] = (struct read){t, a->key, source};
    return true;
}

bool read_sources_find(struct read_sources *r, const struct tx_sketch *s)
{
    for (uint8_t t = 0; t < s->n; t++) {
        r->counts[t] = s->tx[t].outcome == TX_COMMITTED;
        for (uint8_t i = 0; i < s->tx[t].n; i++)
            r->writes[t][s->tx[t].access[i].key] |= s->tx[t].access[i].kind != 'r';
    }
    for (bool more = true; more;) {
        more = false;
        r->read_n = 0;
        for (uint8_t t = 0; t < s->n; t++)
            for (uint8_t i = 0; r->counts[t] && i < s->tx[t].n; i++) {
                const struct tx_access *a = &s->tx[t].access[i];
                if (a->kind == 'r' && a->value != UNKNOWN_VALUE &&
                    !(s->is_list[a->key] ? read_list : read_register)(r, s, t, i, &more))
                    return false;
            }
    }
    return true;
}
