/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/enumerate.h"

#include <stdbool.h>
#include <stddef.h>

enum { TXNS = 3, LETTERS = 8, BODIES = 1 + LETTERS + LETTERS * LETTERS, SHARES = 3, OUTCOMES = 27 };

/* The sessions of the transactions */
static const int shares[SHARES][TXNS] = {{0, 1, 2}, {0, 0, 1}, {0, 0, 0}};

uint64_t enumerated_committed(void)
{
    return (uint64_t)SHARES * BODIES * BODIES * BODIES;
}

uint64_t enumerated_count(void)
{
    return OUTCOMES * enumerated_committed();
}

/* A letter is a bit each for kind, key and value. */
static void add_letter(struct history *h, int letter)
{
    add_access(h, letter & 1 ? WRITE : READ, letter >> 1 & 1, letter >> 2);
}

static void add_body(struct history *h, int body)
{
    if (body > LETTERS) {
        add_letter(h, (body - 1 - LETTERS) / LETTERS);
        add_letter(h, (body - 1 - LETTERS) % LETTERS);
    } else if (body) {
        add_letter(h, body - 1);
    }
}

/* Does the register that is used first have the first name? */
static bool first_named(const struct history *h)
{
    return !h->access_count || h->accesses[0].key == 0;
}

struct history *enumerated(uint64_t number)
{
    struct history *h = new_history();
    int sort[TXNS], share = (int)(number % SHARES);
    uint64_t bodies = number / SHARES, outcomes = number / enumerated_committed();
    add_key(h, false);
    add_key(h, false);
    for (int t = 0; t < TXNS; t++) {
        int body = (int)(bodies % BODIES), outcome = (int)(outcomes % 3);
        add_txn(h, shares[share][t], (enum outcome)outcome);
        add_body(h, body);
        sort[t] = body * 3 + outcome;
        bodies /= BODIES;
        outcomes /= 3;
    }
    bool sorted = share != 0 || (sort[0] <= sort[1] && sort[1] <= sort[2]);
    if (sorted && first_named(h))
        return h;
    free_history(h);
    return NULL;
}
