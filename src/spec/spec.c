/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/spec.h"

#include "base/registry.h"
#include "base/text.h"
#include "history/token.h"

#include <string.h>

#define X(ident, name) extern const struct spec spec_##ident;
#include "spec/spec.def"
#undef X

const struct spec *const spec_table[] = {
#define X(ident, name) &spec_##ident,
#include "spec/spec.def"
#undef X
    NULL};

size_t spec_count(void)
{
    return REGISTRY_SIZE(spec_table);
}

const struct spec *spec_find(const char *name)
{
    if (strncmp(name, "atomic-", 7) == 0)
        name += 7;
    return spec_table[registry_find(spec_table, name)];
}

static const struct method *method_of(const struct spec *s, const char *name)
{
    for (const struct method *m = s->methods; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

/* Names are interned, so the methods are looked up once per name and not once per operation. */
struct lookup {
    const struct spec *s;
    const history *h;
    struct idmap known; /* name -> index in methods, or NOT_THERE */
    struct mem mem;
    assay_error *e;
    bool fine;
};

enum { NOT_THERE = 0xFFFF };

static uint32_t look_up(struct lookup *l, uint32_t name)
{
    uint32_t *at = idmap_at(&l->mem, &l->known, name);
    if (*at == ID_NONE) {
        const struct method *m = method_of(l->s, history_text(l->h, name));
        *at = m ? (uint32_t)(m - l->s->methods) : NOT_THERE;
    }
    return *at;
}

static void unknown_method(struct lookup *l, uint32_t op)
{
    history_fault(l->h, op, l->e, ASSAY_ERROR_INPUT, "the object %s has no method '%s'", l->s->name,
                  history_text(l->h, l->h->method[op]));
    char list[200] = "";
    for (const struct method *m = l->s->methods; m->name; m++) {
        if (strlen(list) + strlen(m->name) + 3 >= sizeof list)
            break;
        strcat(strcat(list, list[0] ? ", " : ""), m->name);
    }
    error_remedy(l->e, "its methods are %s%s", list,
                 spec_count() > 1 ? "; -o names another object" : "");
}

static bool valid_call(struct lookup *l, uint32_t op)
{
    const history *h = l->h;
    uint32_t at = look_up(l, h->method[op]);
    if (at == NOT_THERE) {
        unknown_method(l, op);
        return false;
    }
    const struct method *m = &l->s->methods[at];
    bool has_result = history_result(h, op).kind != ASSAY_NONE;
    if (h->arity[op] != m->arity)
        history_fault(h, op, l->e, ASSAY_ERROR_INPUT, "%s takes %u argument%s, not %u", m->name,
                      m->arity, m->arity == 1 ? "" : "s", h->arity[op]);
    else if (m->result == RESULT_REQUIRED && !has_result && !history_pending(h, op))
        history_fault(h, op, l->e, ASSAY_ERROR_INPUT, "this %s has no result", m->name);
    else if (m->result == RESULT_NONE && has_result)
        history_fault(h, op, l->e, ASSAY_ERROR_INPUT, "this %s has a result, but %s returns none",
                      m->name, m->name);
    else
        return true;
    error_remedy(l->e, "it is written %s%s", m->signature,
                 m->result == RESULT_REQUIRED && !has_result ? ", or `=> ?` if it never returned"
                                                             : "");
    return false;
}

static void validate(void *arg)
{
    struct lookup *l = arg;
    for (uint32_t op = 0; op < l->h->n && l->fine; op++)
        l->fine = valid_call(l, op);
}

bool spec_validate(const struct spec *s, const history *h, assay_error *e)
{
    struct lookup l = {.s = s, .h = h, .e = e, .fine = true};
    enum escape left = escape_run(validate, &l);
    mem_release(&l.mem);
    error_from_escape(e, left);
    return l.fine && !left && (!s->fits || s->fits(h, e));
}

static void list_objects(char *out, size_t size, const char *glue)
{
    out[0] = '\0';
    for (size_t i = 0; spec_table[i]; i++)
        if (strlen(out) + strlen(spec_table[i]->name) + strlen(glue) + 1 < size)
            strcat(strcat(out, i ? glue : ""), spec_table[i]->name);
}

static const struct spec *declared(const history *h, assay_error *e)
{
    const struct spec *found = NULL;
    for (uint32_t i = 0; i < h->objects.n; i++) {
        const char *kind = history_text(h, h->objects.at[i].kind);
        const struct spec *s = spec_find(kind);
        if (!s) {
            char known[160];
            list_objects(known, sizeof known, ", ");
            error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "this version knows no object '%s'", kind);
            error_place(e, history_source(h), h->objects.at[i].line, h->objects.at[i].line ? 1 : 0);
            error_remedy(e, "the objects are: %s", known);
            return NULL;
        }
        if (found && found != s) {
            error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "the history declares both %s and %s objects",
                      found->name, s->name);
            error_remedy(e, "check the objects one at a time");
            return NULL;
        }
        found = s;
    }
    return found;
}

const struct spec *spec_of(const history *h, const char *wanted, assay_error *e)
{
    if (wanted) {
        const struct spec *s = spec_find(wanted);
        if (!s) {
            char known[160];
            list_objects(known, sizeof known, ", ");
            error_set(e, ASSAY_ERROR_USAGE, "unknown object '%s'", wanted);
            error_remedy(e, "the objects are: %s", known);
        }
        return s;
    }
    if (h->objects.n)
        return declared(h, e);
    assay_error first = {0};
    for (size_t i = 0; spec_table[i]; i++) {
        assay_error why = {0};
        if (spec_validate(spec_table[i], h, &why))
            return spec_table[i];
        if (!first.code)
            first = why;
    }
    if (e && !e->code)
        *e = first; /* with one object to choose from, its own complaint says most */
    return NULL;
}
