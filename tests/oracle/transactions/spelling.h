/* SPDX-License-Identifier: Apache-2.0 */
/* Names for the numbers of a history: sessions, keys and values. The plain ones are small integers and single letters.
 * The others are drawn from all that the formats allow: large and negative integers, words that mean something elsewhere,
 * strings with escapes. One value may be written in several ways. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_SPELLING_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_SPELLING_H

#include "oracle/transactions/history.h"
#include "support/say.h"

#include <assay.h>

#include <stdbool.h>

enum language { HIST, JSON, EDN };

enum { POOL = 40 };

struct spelling {
    bool plain;
    int key_order[POOL], value_order[POOL], session_order[POOL];
};

struct spelling plain_spelling(void);
struct spelling draw_spelling(void);

void say_session(struct text *t, const struct spelling *s, int session);
void say_key(struct text *t, const struct spelling *s, int key, enum language in);
void say_value(struct text *t, const struct spelling *s, int value, enum language in);

const char *session_name(const struct spelling *s, int session, char buffer[24]);
assay_value key_value(const struct spelling *s, int key, char buffer[24]);
assay_value value_value(const struct spelling *s, int value);

/* Is the value the integer 0, the initial one without a header? */
bool is_zero(const struct spelling *s, int value);

#endif
