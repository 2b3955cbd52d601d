/* SPDX-License-Identifier: Apache-2.0 */
#include "scan/reveal.h"

#include "spec/spec.h"

#include <string.h>

enum source { NO_VALUE, RESULT, ARGUMENT };

struct row {
    const char *object, *method; /* method NULL: any */
    enum source source;          /* of the value that the state has afterwards; NO_VALUE: it is the initial state */
    unsigned argument;
    const char *only; /* with this result only; NULL: with any */
};

/* A result of null says that a map has no value for the key. */
static const struct row rows[] = {
    {"register", "read", RESULT, 0, NULL},
    {"register", "write", ARGUMENT, 0, NULL},
    {"cas-register", "read", RESULT, 0, NULL},
    {"cas-register", "write", ARGUMENT, 0, NULL},
    {"cas-register", "cas", ARGUMENT, 1, "true"},
    {"memory", "read", RESULT, 0, NULL},
    {"memory", "write", ARGUMENT, 1, NULL},
    {"memory", "rmw", ARGUMENT, 2, NULL},
    {"map", "get", NO_VALUE, 0, "null"},
    {"map", "get", RESULT, 0, NULL},
    {"map", "put", ARGUMENT, 1, NULL},
    {"map", "remove", NO_VALUE, 0, NULL},
    {"map", "contains-key", NO_VALUE, 0, "false"},
    {"counter", "get", RESULT, 0, NULL},
    {"counter", "inc", RESULT, 0, NULL},
    {"counter", "dec", RESULT, 0, NULL},
    {"counter", "add", RESULT, 0, NULL},
    {"rwlock", "wrunlock", NO_VALUE, 0, NULL},
    {"queue", NULL, NO_VALUE, 0, "empty"},
    {"stack", NULL, NO_VALUE, 0, "empty"},
    {"pqueue", NULL, NO_VALUE, 0, "empty"},
    {"deque", NULL, NO_VALUE, 0, "empty"},
};

static bool has_id(const assay_spec *spec, const char *method, unsigned id)
{
    const assay_method *m = spec->methods;
    while (m->name && strcmp(m->name, method) != 0)
        m++;
    return m->name && m->id == id;
}

static bool is_word(struct value v, const char *word)
{
    for (enum online_word w = 0; w < ONLINE_WORDS; w++)
        if (online_is(v, w))
            return strcmp(online_words[w], word) == 0;
    return false;
}

bool reveal_knows(const assay_spec *spec)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].object, spec->name) == 0)
            return true;
    return false;
}

static const struct row *find(const assay_spec *spec, unsigned method, struct value result)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].object, spec->name) == 0 && (!rows[i].method || has_id(spec, rows[i].method, method)) &&
            (!rows[i].only || is_word(result, rows[i].only)))
            return &rows[i];
    return NULL;
}

struct revealed reveal(const assay_spec *spec, unsigned method, const struct value *args, uint32_t arity,
                       struct value result)
{
    const struct row *row = find(spec, method, result);
    if (!row)
        return (struct revealed){REVEAL_NOTHING, {0}};
    if (row->source == NO_VALUE)
        return (struct revealed){REVEAL_INITIAL, {0}};
    struct value v = row->source == RESULT ? result : row->argument < arity ? args[row->argument] : (struct value){0};
    return (struct revealed){v.kind == ASSAY_NONE ? REVEAL_NOTHING : REVEAL_VALUE, v};
}

bool reveal_is_stateless(const assay_spec *spec)
{
    return spec == &spec_exchanger;
}

bool reveals_end_of_content(const assay_spec *spec, unsigned method, struct value result)
{
    const struct row *row = find(spec, method, result);
    bool empty = row && row->source == NO_VALUE && row->only;
    bool overwritten = row && row->source == ARGUMENT && spec == &spec_register;
    return empty || overwritten;
}
