/* SPDX-License-Identifier: Apache-2.0 */
#include "format/txn_rows.h"

static struct value word_value(history *h, const char *word)
{
    return (struct value){history_name(h, word, strlen(word)), ASSAY_WORD};
}

struct txn_rows txn_rows(history *h)
{
    struct txn_rows s = {.h = h,
                         .read = word_value(h, "r"),
                         .write = word_value(h, "w"),
                         .abort = word_value(h, "abort"),
                         .method = history_name(h, "txn", 3)};
    txn_header(&s, "object", "multi-register");
    return s;
}

void txn_rows_end(struct txn_rows *s)
{
    vec_free(&s->h->mem, &s->args);
    vec_free(&s->h->mem, &s->lines);
}

void txn_finish(struct txn_rows *s, uint32_t thread, enum txn_outcome outcome, uint64_t line)
{
    struct new_op op = {.thread = thread,
                        .object = ID_NONE,
                        .method = s->method,
                        .args = s->args.at,
                        .arity = s->args.n,
                        .pending = outcome == TXN_UNKNOWN,
                        .line = line,
                        .column = 1};
    if (outcome == TXN_ABORTED)
        op.result = s->abort;
    uint32_t row = history_append(s->h, &op);
    for (uint32_t i = 0; i < s->lines.n; i++)
        history_set_access_line(s->h, row, i, s->lines.at[i]);
    vec_clear(&s->args);
    vec_clear(&s->lines);
}

/* The text is one of ours, so that there is no fault in it. */
void txn_header(struct txn_rows *s, const char *key, const char *text)
{
    history_header(s->h, key, strlen(key), text, strlen(text), 0, 0, NULL);
}
