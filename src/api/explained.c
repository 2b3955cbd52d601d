/* SPDX-License-Identifier: Apache-2.0 */
/* Names explained: an entry of the lexicon, joined with what the table of its family says. */
#include "lexicon/lexicon.h"
#include "model/aliases.h"
#include "model/model.h"
#include "spec/spec.h"

#include <ctype.h>
#include <string.h>

static bool filler(char c)
{
    return c == ' ' || c == '-' || c == '_' || c == ':';
}

/* Are the names the same but for case, blanks and dashes? Of `a` the first n bytes count. */
static bool same(const char *a, size_t n, const char *b)
{
    const char *end = a + n;
    for (;;) {
        while (a < end && filler(*a))
            a++;
        while (filler(*b))
            b++;
        if (a == end || !*b)
            return a == end && !*b;
        if (tolower((unsigned char)*a++) != tolower((unsigned char)*b++))
            return false;
    }
}

/* ---- joining ---- */

static assay_member member_of(const char *kind, const char *name)
{
    static const struct {
        const char *kind;
        assay_family family;
    } families[] = {{"pattern", ASSAY_PATTERNS},
                    {"model", ASSAY_MODELS},
                    {"object", ASSAY_OBJECTS},
                    {"engine", ASSAY_ENGINES},
                    {"format", ASSAY_FORMATS}};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (size_t i = 0; strcmp(families[f].kind, kind) == 0 && i < assay_family_size(families[f].family); i++) {
            assay_member m = assay_family_member(families[f].family, i);
            if (strcmp(m.name, name) == 0)
                return m;
        }
    return (assay_member){0};
}

static assay_explained page_of(const char *kind, const struct entry *e)
{
    assay_member m = member_of(kind, e->name);
    const struct model *model = strcmp(kind, "model") == 0 ? model_find(e->name) : NULL;
    bool level = model && strncmp(e->name, "level:", 6) == 0, pattern = strcmp(kind, "pattern") == 0;
    return (assay_explained){.kind = level ? "level" : kind,
                             .name = e->name,
                             .also = e->also[0] ? e->also : NULL,
                             .title = m.title,
                             .details = m.details && *m.details ? m.details : NULL,
                             .definition = !model              ? NULL
                                           : model->definition ? model->definition
                                                               : model->axioms,
                             .text = e->text,
                             .context = e->context,
                             .example = e->example,
                             .format = !e->example                   ? NULL
                                       : strcmp(kind, "format") == 0 ? e->name
                                                                     : "hist",
                             .model = e->model,
                             .engine = strcmp(kind, "engine") == 0 ? e->name : NULL,
                             .pattern = e->pattern ? e->pattern
                                        : pattern  ? e->name
                                                   : NULL,
                             .read = e->read,
                             .methods = m.methods};
}

assay_explained assay_explained_at(size_t i)
{
    for (const struct chapter *c = lexicon; c->kind; c++)
        for (const struct entry *e = c->entries; e->name; e++)
            if (i-- == 0)
                return page_of(c->kind, e);
    return (assay_explained){0};
}

/* ---- searching ---- */

static bool called(const assay_explained *page, const char *name, size_t n)
{
    for (const char *const *also = page->also; also && *also; also++)
        if (same(name, n, *also))
            return true;
    return same(name, n, page->name);
}

/* The part of a pattern's name behind which it says what else is part of the cycle. */
static const struct {
    const char *suffix, *meaning;
} parts[] = {{"-session", "the order of a session is part of the cycle"},
             {"-realtime", "real time is part of the cycle"}};

static bool ends_in(const char *name, const char *suffix, size_t *n)
{
    size_t length = strlen(name), tail = strlen(suffix);
    if (length <= tail || !same(name + length - tail, tail, suffix))
        return false;
    *n = length - tail;
    return true;
}

/* Pages of this very name, and those that reports qualify: WriteSkew-session. Counts i down. */
static assay_explained by_name(const char *name, size_t length, size_t *i)
{
    assay_explained page;
    for (size_t at = 0; (page = assay_explained_at(at)).kind; at++) {
        bool fits = called(&page, name, length);
        size_t n;
        for (size_t p = 0; !fits && strcmp(page.kind, "pattern") == 0 && p < sizeof parts / sizeof *parts; p++)
            if (ends_in(name, parts[p].suffix, &n) && called(&page, name, n)) {
                page.difference = parts[p].meaning;
                fits = true;
            }
        if (fits && (*i)-- == 0)
            return page;
    }
    return (assay_explained){0};
}

/* A model by a name of Adya, Jepsen or a manual. */
static assay_explained by_other_name(const char *name, size_t *i)
{
    const struct model_name *known;
    for (size_t at = 0; (known = model_name_at(at)); at++) {
        size_t first = 0;
        if (!same(name, strlen(name), known->name))
            continue;
        if ((*i)--)
            return (assay_explained){0};
        assay_explained page = by_name(known->model, strlen(known->model), &first);
        page.difference = known->meaning;
        page.declined = known->declined;
        page.renamed = true;
        return page;
    }
    return (assay_explained){0};
}

/* A model or an object by its title, as `linearizability`. */
static assay_explained by_title(const char *name, size_t *i)
{
    assay_explained page;
    for (size_t at = 0; (page = assay_explained_at(at)).kind; at++)
        if (page.title && same(name, strlen(name), page.title) && (*i)-- == 0)
            return page;
    return (assay_explained){0};
}

assay_explained assay_explain(const char *name, size_t i)
{
    if (!name || !*name)
        return (assay_explained){0};
    size_t left = i;
    assay_explained page = by_name(name, strlen(name), &left);
    if (!page.kind)
        page = by_other_name(name, &left);
    if (page.kind || left < i)
        return page;
    page = by_title(name, &left);
    if (!page.kind && left == i) /* bank(2,10), sat:eager */
        page = by_name(name, strcspn(name, "(:"), &left);
    return page;
}
