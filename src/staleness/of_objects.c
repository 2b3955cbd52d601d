/* SPDX-License-Identifier: Apache-2.0 */
/* Calls as reads and writes. A row of the table says which argument of a method is the variable, which value is read,
 * and which is written. A read-modify-write does both.
 *
 * A cas that failed saw a value that it does not name: it is no read. So is the put of a map that does not say which
 * value was there. A key that a map does not have holds no value, and a remove writes that. */
#include "spec/roles.h"
#include "staleness/measured.h"

#include <string.h>

enum place { NOWHERE = -1, RESULT = -2, NO_VALUE = -3 }; /* else an argument */

struct role {
    const char *object;
    int method; /* assay_method.id */
    int key, reads, writes;
    bool if_true; /* it does so only with the result `true` */
};

static const struct role roles[] = {
    {"memory", MEMORY_READ, 0, RESULT, NOWHERE, false},
    {"memory", MEMORY_WRITE, 0, NOWHERE, 1, false},
    {"memory", MEMORY_RMW, 0, 1, 2, false},
    {"memory", MEMORY_FENCE, NOWHERE, NOWHERE, NOWHERE, false},
    {"register", REGISTER_READ, NOWHERE, RESULT, NOWHERE, false},
    {"register", REGISTER_WRITE, NOWHERE, NOWHERE, 0, false},
    {"cas-register", REGISTER_READ, NOWHERE, RESULT, NOWHERE, false},
    {"cas-register", REGISTER_WRITE, NOWHERE, NOWHERE, 0, false},
    {"cas-register", REGISTER_CAS, NOWHERE, 0, 1, true},
    {"map", MAP_GET, 0, RESULT, NOWHERE, false},
    {"map", MAP_PUT, 0, RESULT, 1, false},
    {"map", MAP_REMOVE, 0, RESULT, NO_VALUE, false},
};

struct looking {
    struct accesses_measured *a;
    const history *h;
    const struct objects *objects;
    struct mem *m;
    struct value_ids keys;
    struct idmap variables; /* object and number of a key -> variable, if there are several objects */
    uint32_t word_true, word_null, word_nil;
};

/* The role of each method of an object; NULL: it neither reads nor writes. Memory from m. */
static const struct role **roles_of(const assay_spec *spec, struct mem *m)
{
    const struct role **of = mem_new_zero(m, const struct role *, UINT8_MAX + 1);
    bool any = false;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        for (uint32_t k = 0; spec_is(spec, roles[i].object) && spec->methods[k].name; k++)
            if ((int)spec->methods[k].id == roles[i].method) {
                of[k] = &roles[i];
                any = true;
            }
    return any ? of : NULL;
}

static bool is_word(struct value v, uint32_t name)
{
    return v.kind == ASSAY_WORD && v.bits == name;
}

static uint32_t word(const history *h, const char *text)
{
    return names_find(&h->names, text, strlen(text));
}

/* A map spells "no value" as a word. */
static struct value plain(const struct looking *l, const struct role *role, struct value v)
{
    bool none = strcmp(role->object, "map") == 0 && (is_word(v, l->word_null) || is_word(v, l->word_nil));
    return none ? (struct value){.kind = ASSAY_NONE} : v;
}

static struct value initial_value(const struct looking *l, const struct role *role, struct value key)
{
    if (strcmp(role->object, "map") != 0)
        return history_initial(l->h, key);
    const struct binding *said = bindings_find(&l->h->init, key);
    return said ? plain(l, role, said->value) : (struct value){.kind = ASSAY_NONE};
}

static uint32_t variable(struct looking *l, const struct role *role, uint32_t op)
{
    struct value key = role->key == NOWHERE ? (struct value){.kind = ASSAY_NONE}
                                            : history_arg(l->h, op, (uint32_t)role->key);
    uint32_t var = value_id(l->m, &l->keys, key);
    if (l->objects->of) {
        uint32_t *own = idmap_at(l->m, &l->variables, (uint64_t)l->objects->of[op] << 32 | var);
        if (*own == ID_NONE)
            *own = l->a->initial.n;
        var = *own;
    }
    if (var == l->a->initial.n) {
        uint32_t initial = content_of(&l->a->contents, var, initial_value(l, role, key), l->m);
        vec_push(l->m, &l->a->initial, initial);
    }
    return var;
}

static struct value value_at(const struct looking *l, uint32_t op, int place)
{
    if (place == NO_VALUE)
        return (struct value){.kind = ASSAY_NONE};
    return place == RESULT ? history_result(l->h, op) : history_arg(l->h, op, (uint32_t)place);
}

static void take(struct looking *l, const struct role *role, uint32_t op)
{
    struct accesses_measured *a = l->a;
    bool pending = history_pending(l->h, op);
    if (role->reads == NOWHERE && role->writes == NOWHERE)
        return;
    if (role->if_true && !pending && !is_word(history_result(l->h, op), l->word_true))
        return;
    uint32_t var = variable(l, role, op);
    if (role->reads != NOWHERE && !pending) {
        struct value v = value_at(l, op, role->reads);
        if (v.kind != ASSAY_NONE) {
            struct stale_read r = {op, var, content_of(&a->contents, var, plain(l, role, v), l->m), 0};
            vec_push(l->m, &a->reads, r);
        }
    }
    if (role->writes != NOWHERE) {
        struct value v = plain(l, role, value_at(l, op, role->writes));
        struct stale_write w = {op, var, content_of(&a->contents, var, v, l->m), true};
        vec_push(l->m, &a->writes, w);
    }
}

static _Noreturn void refuse(const struct object_use *use, assay_error *e)
{
    error_set(e, ASSAY_ERROR_NOT_APPLICABLE,
              "the staleness of reads cannot be measured: the object %s is not read and written", use->kind);
    error_remedy(e, "it is measured of memory, register, cas-register, map and transactions");
    escape_raise(ESCAPE_ERROR);
}

void accesses_of_objects(struct accesses_measured *a, const history *h, const struct objects *objects, struct mem *m,
                         struct budget *b, assay_error *e)
{
    struct looking l = {.a = a, .h = h, .objects = objects, .m = m};
    const struct role ***of = mem_new(m, const struct role **, (size_t)objects->n + 1);
    l.word_true = word(h, "true");
    l.word_null = word(h, "null");
    l.word_nil = word(h, "nil");
    for (uint32_t i = 0; i < objects->n; i++)
        if (!(of[i] = roles_of(objects->at[i].spec, m)))
            refuse(&objects->at[i], e);
    for (uint32_t op = 0; op < h->n; op++) {
        const struct role *role = of[objects->of ? objects->of[op] : 0][objects->method[op]];
        if (role)
            take(&l, role, op);
        budget_tick(b);
    }
}
