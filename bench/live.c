/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/live.h"

#include <string.h>

const char *const live_objects[] = {"queue", "stack", "set", "register"};

static const char *const methods[][3] = {
    {"enq", "deq", NULL}, {"push", "pop", NULL}, {"add", "remove", "contains"}, {"write", "read", NULL}};

static uint32_t below(struct live *l, uint32_t n)
{
    l->rng ^= l->rng << 13;
    l->rng ^= l->rng >> 7;
    l->rng ^= l->rng << 17;
    return (uint32_t)((l->rng >> 32) * n >> 32);
}

void live_start(struct live *l, const struct live_settings *set)
{
    *l = (struct live){.set = *set, .rng = (set->seed + 1) * 0x9E3779B97F4A7C15u};
    for (int i = 0; i < 8; i++)
        below(l, 1);
}

/* ---- the container ---- */

static uint64_t take(struct live *l, uint32_t at)
{
    uint64_t value = l->held[(l->first + at) % LIVE_HOLDS];
    if (at == 0) {
        l->first++;
    } else {
        for (; at + 1 < l->holds; at++)
            l->held[(l->first + at) % LIVE_HOLDS] = l->held[(l->first + at + 1) % LIVE_HOLDS];
    }
    l->holds--;
    return value;
}

/* Is it time for a wrong result, and is there one that nothing explains? With more values than threads, not all that
 * are older (or younger) can be on their way out. */
static bool goes_wrong(struct live *l)
{
    return l->set.wrong_from && !l->wrong_by && l->events >= l->set.wrong_from;
}

static void note_wrong(struct live *l, const struct live_client *c)
{
    l->wrong_by = (uint32_t)(c - l->client) + 1;
}

static uint64_t remove_one(struct live *l, const struct live_client *c)
{
    if (!l->holds)
        return LIVE_NOTHING;
    bool wrong = goes_wrong(l) && l->holds > 2 * l->set.threads;
    uint32_t window = l->set.window ? l->set.window : 1;
    uint32_t front = below(l, window < l->holds ? window : l->holds);
    if (wrong)
        note_wrong(l, c);
    return take(l, (l->set.kind == LIVE_STACK) != wrong ? l->holds - 1 : front);
}

static void effect_on_set(struct live *l, struct live_client *c)
{
    bool was = l->member[c->value];
    c->yes = c->method == 0 ? !was : was;
    if (c->method < 2)
        l->member[c->value] = c->method == 0;
    if (c->method == 2 && goes_wrong(l)) {
        for (uint32_t t = 0; t < l->set.threads; t++) /* no other client may be at this key */
            if (&l->client[t] != c && l->client[t].stage != LIVE_IDLE && l->client[t].value == c->value)
                return;
        c->yes = !c->yes;
        note_wrong(l, c);
    }
}

static void effect_on_register(struct live *l, struct live_client *c)
{
    if (c->method == 0) {
        if (c->value % 1000 == 0)
            l->stale = l->stored;
        l->stored = c->value;
        return;
    }
    bool wrong = goes_wrong(l);
    c->value = wrong ? l->stale : l->stored;
    if (wrong)
        note_wrong(l, c);
}

static void effect(struct live *l, struct live_client *c)
{
    switch (l->set.kind) {
    case LIVE_SET: effect_on_set(l, c); break;
    case LIVE_REGISTER: effect_on_register(l, c); break;
    default:
        if (c->method == 0) {
            l->held[(l->first + l->holds++) % LIVE_HOLDS] = c->value;
            l->coming--;
        } else {
            c->value = remove_one(l, c);
        }
    }
    c->stage = LIVE_DONE;
}

/* ---- the clients ---- */

static unsigned choose_method(struct live *l)
{
    const struct live_settings *s = &l->set;
    if (s->adds) { /* counted: at random, as many of each as are left */
        uint32_t adds = s->adds - l->added, removes = s->removes - l->removed;
        return below(l, adds + removes) >= adds;
    }
    if (s->kind == LIVE_SET)
        return below(l, 3);
    if (s->kind == LIVE_REGISTER)
        return below(l, 3) > 0;
    return l->holds + l->coming >= s->holds || (l->holds * 2 > s->holds && below(l, 2));
}

static bool all_called(const struct live *l)
{
    return l->set.adds && l->added == l->set.adds && l->removed == l->set.removes;
}

static void begin(struct live *l, struct live_client *c)
{
    c->method = choose_method(l);
    l->added += c->method == 0;
    l->removed += c->method == 1;
    c->value = l->set.kind == LIVE_SET ? below(l, LIVE_KEYS) : c->method == 0 ? ++l->fresh : LIVE_NOTHING;
    if (c->method == 0 && l->set.kind <= LIVE_STACK)
        l->coming++;
    c->stage = LIVE_CALLED;
}

/* ---- lines ---- */

static char *put_text(char *at, const char *text)
{
    size_t n = strlen(text);
    memcpy(at, text, n);
    return at + n;
}

static char *put_number(char *at, uint64_t n)
{
    char digits[20];
    int count = 0;
    do
        digits[count++] = (char)('0' + n % 10);
    while (n /= 10);
    while (count)
        *at++ = digits[--count];
    return at;
}

static size_t print_call(const struct live *l, const struct live_client *c, char *line)
{
    char *at = put_number(put_text(line, "["), (uint64_t)(c - l->client));
    at = put_text(put_text(at, "] call "), methods[l->set.kind][c->method]);
    if (c->value != LIVE_NOTHING)
        at = put_text(put_number(put_text(at, "("), c->value), ")");
    return (size_t)(put_text(at, "\n") - line);
}

static size_t print_return(const struct live *l, const struct live_client *c, char *line)
{
    char *at = put_number(put_text(line, "["), (uint64_t)(c - l->client));
    at = put_text(at, "] return");
    if (l->set.kind == LIVE_SET)
        at = put_text(at, c->yes ? " true" : " false");
    else if (c->method == 1 && c->value == LIVE_NOTHING)
        at = put_text(at, " empty");
    else if (c->method == 1)
        at = put_number(put_text(at, " "), c->value);
    return (size_t)(put_text(at, "\n") - line);
}

/* The client whose turn it is: an operation that has begun goes on, or any other one that can. */
static struct live_client *choose_client(struct live *l)
{
    struct live_client *c = &l->client[l->current];
    if (c->stage != LIVE_IDLE && below(l, 100) >= l->set.overlap)
        return c;
    for (uint32_t tries = 0; tries < 16 * l->set.threads; tries++) {
        l->current = below(l, l->set.threads);
        c = &l->client[l->current];
        if (c->stage != LIVE_IDLE || !all_called(l))
            return c;
    }
    for (uint32_t t = 0; t < l->set.threads; t++)
        if (l->client[t].stage != LIVE_IDLE)
            return &l->client[t];
    return NULL;
}

size_t live_next(struct live *l, char line[LIVE_LINE])
{
    for (;;) {
        struct live_client *c = choose_client(l);
        if (!c)
            return 0;
        switch (c->stage) {
        case LIVE_IDLE:
            begin(l, c);
            l->events++;
            return print_call(l, c, line);
        case LIVE_CALLED: effect(l, c); break;
        case LIVE_DONE:
            c->stage = LIVE_IDLE;
            l->events++;
            if (!l->wrong_at && l->wrong_by == (uint32_t)(c - l->client) + 1)
                l->wrong_at = l->events;
            return print_return(l, c, line);
        }
    }
}
