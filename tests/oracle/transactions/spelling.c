/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/spelling.h"

#include "support/chance.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum shape { INTEGER, WORD, STRING };

struct name {
    enum shape shape;
    int64_t integer;
    const char *text;
};

#define I(n)                                                                                                           \
    {                                                                                                                  \
        INTEGER, n, NULL                                                                                               \
    }
#define W(t)                                                                                                           \
    {                                                                                                                  \
        WORD, 0, t                                                                                                     \
    }
#define S(t)                                                                                                           \
    {                                                                                                                  \
        STRING, 0, t                                                                                                   \
    }

/* No two are equal. */
static const struct name pool[POOL] = {
    I(0),         I(1),       I(-1),      I(31),     I(INT64_MAX), I(INT64_MIN), I(INT32_MIN), I(4294967296),
    I(-17),       W("nil"),   W("null"),  W("r"),    W("w"),       W("append"),  W("abort"),   W("txn"),
    W("initial"), W("empty"), W("true"),  W("k-17"), W("1.5"),     W("é"),       W("_"),       W("A"),
    W("begin"),   W("after"), S("1"),     S("0"),    S("nil"),     S(""),        S("a b"),     S("\n\t"),
    S("é"),       S("\"\\"),  S("[1 2]"), S("?"),    S("x, w y"),  S(") => ?"),  S("#"),       S("e\xcc\x81")};

static const char *const session_pool[] = {"a",  "0",   "1",     "t1",     "r",  "txn", "begin", "é",
                                           "-1", "a-b", "after", "commit", "00", "_",   "call",  "A"};
enum { SESSION_POOL = sizeof session_pool / sizeof *session_pool };

struct spelling plain_spelling(void)
{
    return (struct spelling){.plain = true};
}

struct spelling draw_spelling(void)
{
    struct spelling s = {.plain = false};
    shuffle(s.key_order, POOL);
    shuffle(s.value_order, POOL);
    shuffle(s.session_order, SESSION_POOL);
    if (chance(50)) { /* the initial value needs no header */
        int at = 0;
        while (s.value_order[at] != 0)
            at++;
        s.value_order[at] = s.value_order[0];
        s.value_order[0] = 0;
    }
    return s;
}

static struct name key_name(const struct spelling *s, int key, char buffer[24])
{
    if (!s->plain && key < POOL)
        return pool[s->key_order[key]];
    if (key < 3)
        snprintf(buffer, 24, "%c", 'x' + key);
    else
        snprintf(buffer, 24, "k%d", key);
    return (struct name){WORD, 0, buffer};
}

static struct name value_name(const struct spelling *s, int value)
{
    if (!s->plain && value < POOL)
        return pool[s->value_order[value]];
    return (struct name){INTEGER, s->plain ? value : 100000 + value, NULL};
}

/* Each character may be written as an escape. */
static void say_string(struct text *t, const char *text)
{
    say(t, "\"");
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == 0xc3 && p[1] == 0xa9 && chance(50)) {
            say(t, "\\u00e9");
            p++;
        } else if (*p < ' ' || (*p < 0x80 && chance(10))) {
            say(t, "\\u%04x", *p);
        } else {
            say(t, "%s%c", *p == '"' || *p == '\\' ? "\\" : "", *p);
        }
    }
    say(t, "\"");
}

static void say_integer(struct text *t, int64_t v, enum language in)
{
    if (in != HIST || chance(80))
        say(t, "%" PRId64, v);
    else
        say(t, chance(50) ? "0x%" PRIx64 : "0x0%" PRIX64, (uint64_t)v);
}

static void say_name(struct text *t, struct name n, enum language in)
{
    if (n.shape == INTEGER) {
        say_integer(t, n.integer, in);
    } else if (n.shape == STRING) {
        say(t, in == JSON ? "{\"string\":" : "");
        say_string(t, n.text);
        say(t, in == JSON ? "}" : "");
    } else if (in == EDN && !strcmp(n.text, "nil")) {
        say(t, "nil");
    } else {
        say(t, in == JSON ? "\"%s\"" : in == EDN ? ":%s" : "%s", n.text);
    }
}

void say_session(struct text *t, const struct spelling *s, int session)
{
    char buffer[24];
    say(t, "%s", session_name(s, session, buffer));
}

const char *session_name(const struct spelling *s, int session, char buffer[24])
{
    if (!s->plain && session < SESSION_POOL)
        return session_pool[s->session_order[session]];
    snprintf(buffer, 24, "s%d", session);
    return buffer;
}

void say_key(struct text *t, const struct spelling *s, int key, enum language in)
{
    char buffer[24];
    say_name(t, key_name(s, key, buffer), in);
}

void say_value(struct text *t, const struct spelling *s, int value, enum language in)
{
    say_name(t, value_name(s, value), in);
}

static assay_value value_of(struct name n)
{
    if (n.shape == INTEGER)
        return assay_int(n.integer);
    return n.shape == WORD ? assay_word(n.text) : assay_string(n.text, strlen(n.text));
}

assay_value key_value(const struct spelling *s, int key, char buffer[24])
{
    return value_of(key_name(s, key, buffer));
}

assay_value value_value(const struct spelling *s, int value)
{
    return value_of(value_name(s, value));
}

bool is_zero(const struct spelling *s, int value)
{
    struct name n = value_name(s, value);
    return n.shape == INTEGER && n.integer == 0;
}
