/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/quarantined.h"

#include <string.h>

enum naming { NAMES_NONE, NAMES_ARGUMENT, NAMES_ARGUMENT_OR_RESULT, NAMES_BOTH };

static enum naming naming(const assay_spec *spec)
{
    static const struct {
        const char *object;
        enum naming naming;
    } known[] = {
        {"queue", NAMES_ARGUMENT_OR_RESULT},
        {"stack", NAMES_ARGUMENT_OR_RESULT},
        {"pqueue", NAMES_ARGUMENT_OR_RESULT},
        {"register", NAMES_ARGUMENT_OR_RESULT},
        {"set", NAMES_ARGUMENT},
        {"multiset", NAMES_ARGUMENT},
        {"exchanger", NAMES_BOTH},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].object, spec->name) == 0)
            return known[i].naming;
    return NAMES_NONE;
}

bool quarantined_suits(const assay_spec *spec)
{
    return naming(spec) != NAMES_NONE;
}

/* `empty` and the like stand for no value. */
static bool is_value(struct value v)
{
    return v.kind != ASSAY_NONE && !(v.kind == ASSAY_WORD && v.bits < ONLINE_WORDS);
}

uint32_t quarantined_names(const assay_spec *spec, struct value arg, struct value result, struct value out[2])
{
    enum naming how = naming(spec);
    uint32_t n = 0;
    if (is_value(arg))
        out[n++] = arg;
    if (is_value(result) && (how == NAMES_BOTH || (how == NAMES_ARGUMENT_OR_RESULT && arg.kind == ASSAY_NONE)))
        out[n++] = result;
    return n;
}

void quarantined_add(struct quarantined *t, struct symbols *s, struct value v)
{
    if (!is_value(v))
        return;
    uint32_t *at = idmap_at(s->mem, &t->kinds[v.kind], (uint64_t)v.bits);
    if (*at != ID_NONE)
        return;
    *at = 0;
    t->n++;
    symbols_pin(s, v);
}

bool quarantined_has(const struct quarantined *t, struct value v)
{
    return t->n && idmap_get(&t->kinds[v.kind], (uint64_t)v.bits) != ID_NONE;
}

void quarantined_free(struct quarantined *t, struct symbols *s)
{
    for (int kind = 0; kind <= ASSAY_STRING; kind++) {
        struct idmap *map = &t->kinds[kind];
        for (uint32_t i = 0; map->slots && i <= map->mask; i++)
            if (map->slots[i].id != ID_NONE)
                symbols_unpin(s, (struct value){(int64_t)map->slots[i].key, (uint8_t)kind});
        mem_free(s->mem, map->slots);
    }
    *t = (struct quarantined){0};
}
