/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/value.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value values[1 << 15];
static int value_count, slots[1 << 16]; /* the values by hash: a number from 1, or 0 */
int v_empty, v_true, v_false, v_null, v_nil, v_ok;

#define SLOTS (sizeof slots / sizeof *slots)

static size_t slot_of(char kind, int64_t integer, const char *text)
{
    uint64_t x = (uint64_t)integer * 31 + (unsigned char)kind;
    for (; *text; text++)
        x = (x ^ (unsigned char)*text) * 0x9e3779b97f4a7c15u, x ^= x >> 29;
    return (size_t)((x ^ x >> 32) % SLOTS);
}

static int intern(char kind, int64_t integer, const char *text)
{
    size_t at = slot_of(kind, integer, text);
    for (; slots[at]; at = (at + 1) % SLOTS) {
        const struct value *v = &values[slots[at] - 1];
        if (v->kind == kind && v->integer == integer && !strcmp(v->text, text))
            return slots[at] - 1;
    }
    if (value_count == (int)(sizeof values / sizeof *values) || strlen(text) >= sizeof values->text) {
        fprintf(stderr, "oracle_objects: too many values\n");
        exit(2);
    }
    values[value_count].kind = kind;
    values[value_count].integer = integer;
    strcpy(values[value_count].text, text);
    slots[at] = ++value_count;
    return value_count - 1;
}

int v_int(int64_t n)
{
    return intern('i', n, "");
}

int v_word(const char *s)
{
    return intern('w', 0, s);
}

int v_string(const char *s)
{
    return intern('s', 0, s);
}

int v_list(const int *elements, int count, bool as_set)
{
    char text[sizeof values->text];
    int n = snprintf(text, sizeof text, "[");
    for (int i = 0; i < count; i++) {
        const struct value *v = &values[elements[i]];
        int room = (int)sizeof text - n;
        if (room < 40 + (int)strlen(v->text))
            return -1;
        n += snprintf(text + n, (size_t)room, i ? " " : "");
        n += v->kind == 'i' ? snprintf(text + n, (size_t)room, "%" PRId64, v->integer)
                            : snprintf(text + n, (size_t)room, v->kind == 's' ? "\"%s\"" : "%s", v->text);
    }
    snprintf(text + n, sizeof text - (size_t)n, "]");
    return intern('l', as_set, text);
}

void values_reset(void)
{
    value_count = 0;
    memset(slots, 0, sizeof slots);
    v_empty = v_word("empty");
    v_true = v_word("true");
    v_false = v_word("false");
    v_null = v_word("null");
    v_nil = v_word("nil");
    v_ok = v_word("ok");
}

int v_bool(bool b)
{
    return b ? v_true : v_false;
}
