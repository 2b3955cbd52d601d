/* SPDX-License-Identifier: Apache-2.0 */
#include "format/plain.h"

/* ---- words ---- */

static bool is_ascii_word(const char *p, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)p[i] >= 0x80 || !token_is_word_char((unsigned char)p[i]))
            return false;
    return length > 0;
}

bool plain_learn_thread(history *h, const char *p, size_t length, uint32_t id[2])
{
    id[0] = history_thread(h, history_name(h, p, length));
    return true;
}

bool plain_learn_name(history *h, const char *p, size_t length, uint32_t id[2])
{
    id[0] = history_name(h, p, length);
    return true;
}

const uint32_t *plain_learn(history *h, struct seen_entry *pair, struct token_key k, const char *p, size_t length,
                            plain_learner *learn)
{
    uint32_t id[2] = {0, 0};
    return is_ascii_word(p, length) && learn(h, p, length, id) ? seen_put(pair, k, id) : NULL;
}

/* ---- lines ---- */

enum { LONGEST_WAIT = 64, THREAD_BITS = 8, CALL_BITS = 5, WORD_BITS = 12, MANY_BYTES = 8 * 1024 };

bool plain_wait_over(struct plain_wait *s)
{
    if (s->waited++ < s->wait)
        return false;
    s->waited = 0;
    return true;
}

void plain_waited(struct plain_wait *s, uint64_t lines)
{
    s->wait = lines ? 0 : 2 * s->wait + 1;
    s->wait = s->wait < LONGEST_WAIT ? s->wait : LONGEST_WAIT;
}

/* A short history is not worth the tables. */
bool plain_try(struct plain_lines *s)
{
    if (s->h->n < PLAIN_FIRST_LINE || !plain_wait_over(&s->wait))
        return false;
    if (!s->words.at) {
        s->threads = seen_new(&s->h->mem, THREAD_BITS);
        s->calls = seen_new(&s->h->mem, CALL_BITS);
        s->words = seen_new(&s->h->mem, WORD_BITS);
    }
    s->row = s->h->n;
    return true;
}

/* The rest of a file is likely to be like the lines before it. */
static void expect(struct plain_lines *s, size_t bytes)
{
    double rows = s->h->n - s->row;
    s->h->expected = s->h->n + (uint64_t)(rows / (double)bytes * 1.02 * (double)input_left(s->in));
}

void plain_skip(struct plain_lines *s, size_t bytes, uint64_t lines)
{
    input_skip(s->in, bytes, lines);
    if (bytes >= MANY_BYTES)
        expect(s, bytes);
    plain_waited(&s->wait, lines);
}

void plain_end(struct plain_lines *s)
{
    mem_free(&s->h->mem, s->threads.at);
    mem_free(&s->h->mem, s->calls.at);
    mem_free(&s->h->mem, s->words.at);
    vec_free(&s->h->mem, &s->accesses);
}
