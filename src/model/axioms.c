/* SPDX-License-Identifier: Apache-2.0 */
#include "model/axioms.h"

#include "base/error.h"
#include "model/model.h"

#include <string.h>

/* The model of that level of visibility, or NULL. */
static const struct model *level_find(const char *name, size_t length)
{
    for (size_t i = 0; model_table[i]; i++) {
        const char *model = model_table[i]->name;
        if (strncmp(model, "level:", 6) == 0 && strlen(model + 6) == length && memcmp(model + 6, name, length) == 0)
            return model_table[i];
    }
    return NULL;
}

struct reading {
    const char *text, *at;
    assay_error *e;
};

static void skip_space(struct reading *r)
{
    while (*r->at == ' ') /* not tabs: evidence quotes the text as it is */
        r->at++;
}

static bool take(struct reading *r, const char *token)
{
    skip_space(r);
    size_t n = strlen(token);
    bool word = token[0] >= 'a';
    if (strncmp(r->at, token, n) != 0 || (word && r->at[n] >= 'a' && r->at[n] <= 'z'))
        return false;
    r->at += n;
    return true;
}

static bool expected(struct reading *r, const char *what)
{
    skip_space(r);
    int column = (int)(r->at - r->text);
    error_set(r->e, ASSAY_ERROR_USAGE, "expected %s\n    %s\n    %*s^", what, r->text, column, "");
    error_remedy(r->e, "axioms are written `vis >= po & vis >= vis;vis`, over po, hb, lin and vis");
    return false;
}

const char *relation_name(enum relation r)
{
    static const char *const names[] = {[REL_PO] = "po", [REL_HB] = "hb", [REL_LIN] = "lin", [REL_VIS] = "vis"};
    return names[r];
}

static bool relation(struct reading *r, uint8_t *out)
{
    for (uint8_t i = REL_PO; i <= REL_VIS; i++)
        if (take(r, relation_name((enum relation)i))) {
            *out = i;
            return true;
        }
    return expected(r, "po, hb, lin or vis");
}

static bool path(struct reading *r, struct axiom *a)
{
    do {
        if (a->n == AXIOM_LONGEST)
            return expected(r, "a path of at most 8 relations");
        if (!relation(r, &a->path[a->n]))
            return false;
        a->n++;
    } while (take(r, ";"));
    return true;
}

bool axiom_path_parse(const char *text, struct axiom *out)
{
    assay_error ignored = {0};
    struct reading r = {text, text, &ignored};
    *out = (struct axiom){0};
    return path(&r, out) && !*r.at;
}

static bool known(const struct axioms *x, const struct axiom *a)
{
    for (uint32_t i = 0; i < x->n; i++)
        if (axiom_same(&x->at[i], a))
            return true;
    return false;
}

static bool axiom(struct reading *r, struct axioms *out)
{
    struct axiom a = {0};
    if (take(r, "Ret"))
        return true;
    bool on_lin = take(r, "lin");
    if (!on_lin && !take(r, "vis"))
        return expected(r, "an axiom: `vis >= ...` or `lin >= ...`");
    bool equals = !on_lin && take(r, "="); /* lin contains vis anyway, so the other half is all that it says */
    if (!equals && !take(r, ">="))
        return expected(r, "`>=`");
    if (!path(r, &a))
        return false;
    if (equals && (a.n != 1 || a.path[0] != REL_LIN))
        return expected(r, "`vis = lin`, the only equation");
    bool trivial = on_lin || (a.n == 1 && a.path[0] == REL_VIS) || known(out, &a);
    if (!trivial && out->n == AXIOMS_MOST)
        return expected(r, "at most 12 axioms on vis");
    if (!trivial)
        out->at[out->n++] = a;
    return true;
}

bool axioms_parse(const char *text, struct axioms *out, assay_error *e)
{
    struct reading r = {text, text, e};
    *out = (struct axioms){0};
    skip_space(&r);
    if (!*r.at)
        return true;
    do
        if (!axiom(&r, out))
            return false;
    while (take(&r, "&"));
    skip_space(&r);
    return !*r.at || expected(&r, "`&`, `;` or the end");
}

/* ---- levels by method ---- */

static bool is_word(const char *at, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = at[i], low = (char)(c | 0x20);
        if (!(low >= 'a' && low <= 'z') && !(c >= '0' && c <= '9') && !strchr("_-.", c))
            return false;
    }
    return length > 0;
}

static bool one_level(const char *at, size_t length, struct visibility *out, assay_error *e)
{
    const char *equals = memchr(at, '=', length);
    size_t name = equals ? (size_t)(equals - at) : 0, rest = equals ? length - name - 1 : 0;
    const struct model *level = equals ? level_find(equals + 1, rest) : NULL;
    if (!is_word(at, name) || name >= VISIBILITY_NAME || out->n == VISIBILITY_MOST) {
        error_set(e, ASSAY_ERROR_USAGE, "expected METHOD=LEVEL, not '%.*s'", (int)(length < 80 ? length : 80), at);
        error_remedy(e, "levels by method are written `contains=weak,put=complete`");
        return false;
    }
    if (!level) {
        error_set(e, ASSAY_ERROR_USAGE, "there is no level '%.*s'", (int)(rest < 80 ? rest : 80), equals + 1);
        error_remedy(e, "the levels are weak, self, monotonic, peer, causal and complete");
        return false;
    }
    memcpy(out->at[out->n].method, at, name);
    out->at[out->n].method[name] = '\0';
    for (uint32_t i = 0; i < out->n; i++)
        if (strcmp(out->at[i].method, out->at[out->n].method) == 0) {
            error_set(e, ASSAY_ERROR_USAGE, "the method '%s' is given two levels", out->at[i].method);
            error_remedy(e, "a method has one");
            return false;
        }
    return axioms_parse(level->axioms, &out->at[out->n++].axioms, e);
}

bool visibility_parse(const char *axioms, const char *levels, struct visibility *out, assay_error *e)
{
    *out = (struct visibility){0};
    if (!axioms_parse(axioms, &out->otherwise, e))
        return false;
    if (levels && strlen(levels) >= VISIBILITY_TEXT) {
        error_set(e, ASSAY_ERROR_USAGE, "levels by method of %d characters or more", VISIBILITY_TEXT);
        error_remedy(e, "choose the model that most methods keep to, and name the others only");
        return false;
    }
    for (const char *at = levels && *levels ? levels : NULL; at;) {
        size_t length = strcspn(at, ",");
        if (!one_level(at, length, out, e))
            return false;
        at = at[length] ? at + length + 1 : NULL;
    }
    return true;
}

const struct axioms *visibility_of(const struct visibility *v, const char *method)
{
    for (uint32_t i = v->n; i-- > 0;)
        if (strcmp(v->at[i].method, method) == 0)
            return &v->at[i].axioms;
    return &v->otherwise;
}
