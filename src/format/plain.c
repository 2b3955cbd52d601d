/* SPDX-License-Identifier: Apache-2.0 */
#include "format/plain.h"

/* ---- words ---- */

bool plain_is_word(const char *p, size_t length)
{
    static const uint64_t letters[2] = {0x03FF600000000000u, 0x07FFFFFE87FFFFFEu}; /* a bit for each */
    bool word = length > 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)p[i];
        word &= c < 0x80 && (letters[c >> 6 & 1] >> (c & 63) & 1);
    }
    return word;
}

bool plain_learn_thread(void *owner, const char *p, size_t length, uint32_t id[2])
{
    id[0] = history_thread(owner, history_name(owner, p, length));
    return true;
}

bool plain_learn_name(void *owner, const char *p, size_t length, uint32_t id[2])
{
    id[0] = history_name(owner, p, length);
    return true;
}

unsigned plain_long(const char *p)
{
    unsigned n = 0;
    while (n < PLAIN_LONGEST_WORD && (unsigned char)p[n] < 0x80 && token_is_word_char((unsigned char)p[n]))
        n++;
    return n < PLAIN_LONGEST_WORD ? n : 0;
}

struct plain_words plain_words_of(void *owner, plain_learner *learn, struct mem *m, unsigned bits)
{
    return (struct plain_words){.owner = owner, .learn = learn, .known = seen_new(m, bits)};
}

const uint32_t *plain_learn(struct plain_words *w, const struct plain_token *t)
{
    uint32_t id[2] = {0, 0};
    if (!plain_is_word(t->at, t->length) || !w->learn(w->owner, t->at, t->length, id))
        return NULL;
    if (t->key.low)
        return seen_put(seen_pair(&w->known, t->key), t->key, id);
    memcpy(w->id, id, sizeof id);
    return w->id;
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
bool plain_try(struct plain_lines *s, plain_learner *call, plain_learner *word)
{
    if (s->h->n < PLAIN_FIRST_LINE || !plain_wait_over(&s->wait))
        return false;
    if (!s->words.known.at) {
        s->threads = plain_words_of(s->h, plain_learn_thread, &s->h->mem, THREAD_BITS);
        s->calls = plain_words_of(s->h, call, &s->h->mem, CALL_BITS);
        s->words = plain_words_of(s->h, word, &s->h->mem, WORD_BITS);
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
    mem_free(&s->h->mem, s->threads.known.at);
    mem_free(&s->h->mem, s->calls.known.at);
    mem_free(&s->h->mem, s->words.known.at);
    vec_free(&s->h->mem, &s->accesses);
}
