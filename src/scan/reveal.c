/* SPDX-License-Identifier: Apache-2.0 */
#include "scan/reveal.h"

#include "spec/any_initial.h"
#include "spec/roles.h"

#include <string.h>

enum source { NO_VALUE, RESULT, ARGUMENT };
enum { ANY = UINT8_MAX + 1 };

struct row {
    const assay_spec *object;
    unsigned method;    /* its number, or ANY */
    enum source source; /* of the value that the state has afterwards; NO_VALUE: it is the initial state */
    unsigned argument;
    const char *only; /* with this result only; NULL: with any */
};

/* A result of null says that a map has no value for the key. */
static const struct row rows[] = {
    {&spec_register, REGISTER_READ, RESULT, 0, NULL},
    {&spec_register, REGISTER_WRITE, ARGUMENT, 0, NULL},
    {&spec_cas_register, REGISTER_READ, RESULT, 0, NULL},
    {&spec_cas_register, REGISTER_WRITE, ARGUMENT, 0, NULL},
    {&spec_cas_register, REGISTER_CAS, ARGUMENT, 1, "true"},
    {&spec_memory, MEMORY_READ, RESULT, 0, NULL},
    {&spec_memory, MEMORY_WRITE, ARGUMENT, 1, NULL},
    {&spec_memory, MEMORY_RMW, ARGUMENT, 2, NULL},
    {&spec_map, MAP_GET, NO_VALUE, 0, "null"},
    {&spec_map, MAP_GET, RESULT, 0, NULL},
    {&spec_map, MAP_PUT, ARGUMENT, 1, NULL},
    {&spec_map, MAP_REMOVE, NO_VALUE, 0, NULL},
    {&spec_map, MAP_CONTAINS_KEY, NO_VALUE, 0, "false"},
    {&spec_counter, COUNTER_GET, RESULT, 0, NULL},
    {&spec_counter, COUNTER_INC, RESULT, 0, NULL},
    {&spec_counter, COUNTER_DEC, RESULT, 0, NULL},
    {&spec_counter, COUNTER_ADD, RESULT, 0, NULL},
    {&spec_rwlock, RWLOCK_WRUNLOCK, NO_VALUE, 0, NULL},
    {&spec_queue, ANY, NO_VALUE, 0, "empty"},
    {&spec_stack, ANY, NO_VALUE, 0, "empty"},
    {&spec_pqueue, ANY, NO_VALUE, 0, "empty"},
    {&spec_deque, ANY, NO_VALUE, 0, "empty"},
};

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
        if (rows[i].object == spec_known(spec))
            return true;
    return false;
}

static const struct row *find(const assay_spec *spec, unsigned method, struct value result)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].object == spec_known(spec) && (rows[i].method == ANY || rows[i].method == method) &&
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
