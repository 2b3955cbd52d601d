/* SPDX-License-Identifier: Apache-2.0 */
/* Values are numbers of entries in a table, so that equal values have equal numbers. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_VALUE_H
#define ASSAY_TESTS_ORACLE_OBJECTS_VALUE_H

#include <stdbool.h>
#include <stdint.h>

struct value {
    char kind; /* i, w, s; l: a list, with its elements in the text */
    int64_t integer;
    char text[320];
};

extern struct value values[1 << 15];
extern int v_empty, v_true, v_false, v_null, v_nil, v_ok;

int v_int(int64_t n);
int v_word(const char *s);
int v_string(const char *s);
/* A list; as a set, the elements are in the order of their numbers. NONE, -1: it is too long. */
int v_list(const int *elements, int count, bool as_set);
void values_reset(void);
int v_bool(bool b);

#endif
