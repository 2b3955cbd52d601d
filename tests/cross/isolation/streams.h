/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of transactions for a monitor: the lines of a history in an order of arrival. */
#ifndef ASSAY_TESTS_ISOLATION_STREAMS_H
#define ASSAY_TESTS_ISOLATION_STREAMS_H

#include "assay.h"
#include "base/rng.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct stream_line {
    char *text;
    uint32_t session;
    int64_t call, ret;
    bool unknown;
    uint32_t place; /* by which the lines are sorted */
};

struct stream {
    char *headers;
    struct stream_line *lines;
    uint32_t n, sessions;
    bool timed;
    int64_t late;  /* no line begins earlier than so long before the last end so far */
    char *command; /* that makes the history, or NULL */
};

struct stream stream_at_random(struct rng *rng);
struct stream stream_of_store(struct rng *rng);
struct stream stream_of_guesses(struct rng *rng);      /* reads return one of the last few versions */
char *stream_text(const struct stream *s, uint32_t n); /* its first n lines; the caller frees it */
void stream_free(struct stream *s);

#endif
