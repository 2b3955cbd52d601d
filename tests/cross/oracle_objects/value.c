/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/oracle_objects/value.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value values[2048];
static int value_count;
int v_empty, v_true, v_false, v_null, v_nil, v_ok;

static int intern(char kind, int64_t integer, const char *text)
{
    for (int i = 0; i < value_count; i++)
        if (values[i].kind == kind && values[i].integer == integer && !strcmp(values[i].text, text))
            return i;
    if (value_count == (int)(sizeof values / sizeof *values) || strlen(text) >= sizeof values->text) {
        fprintf(stderr, "oracle_objects: too many values\n");
        exit(2);
    }
    values[value_count].kind = kind;
    values[value_count].integer = integer;
    strcpy(values[value_count].text, text);
    return value_count++;
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

void values_reset(void)
{
    value_count = 0;
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
