/* SPDX-License-Identifier: Apache-2.0 */
/* The public view of the registries (assay.h), generated from the tables. */
#include "base/misspelt.h"
#include "base/registry.h"
#include "engine/engine.h"
#include "evidence/evidence.h"
#include "format/format.h"
#include "model/aliases.h"
#include "model/model.h"
#include "online/online.h"
#include "report/report.h"
#include "spec/spec.h"

const char *assay_family_name(assay_family f)
{
    static const char *const names[] = {"models", "objects", "engines", "formats", "reports", "monitors", "patterns"};
    return f < ASSAY_FAMILIES ? names[f] : NULL;
}

size_t assay_family_size(assay_family f)
{
    static const void *const tables[] = {model_table,  spec_table,   engine_table,
                                         format_table, report_table, online_table};
    if (f == ASSAY_PATTERNS)
        return PATTERN_COUNT - 1; /* without PATTERN_NONE */
    return f < ASSAY_FAMILIES ? registry_size(tables[f]) : 0;
}

static const char *format_use(const struct format *f)
{
    return f->read && f->write ? "read, write" : f->read ? "read" : "write";
}

static const char *engine_use(const struct engine *g)
{
    if (g->on_request)
        return g->no_evidence ? "on request, without evidence" : "on request";
    return g->no_evidence ? "without evidence" : "the default where it applies";
}

static const char *online_use(const struct online *o)
{
    if (o->guarantee != ONLINE_EXACT)
        return "sound only";
    if (o->deferred)
        return "exact, when its window is checked";
    return o->prompt ? "exact, at once" : "exact, once what overlaps has returned";
}

assay_member assay_family_member(assay_family f, size_t i)
{
    if (i >= assay_family_size(f))
        return (assay_member){0};
    switch (f) {
    case ASSAY_MODELS: {
        const struct model *m = model_table[i];
        return (assay_member){.name = m->name, .title = m->title, .details = m->summary};
    }
    case ASSAY_OBJECTS: {
        const assay_spec *s = spec_table[i];
        return (assay_member){.name = s->name, .title = s->title, .details = "", .methods = s->methods};
    }
    case ASSAY_ENGINES: {
        const struct engine *g = engine_table[i];
        return (assay_member){.name = g->name,
                              .title = g->title,
                              .details = engine_use(g),
                              .missing = engine_missing(g),
                              .variants = g->variants};
    }
    case ASSAY_FORMATS: {
        const struct format *x = format_table[i];
        return (assay_member){.name = x->name,
                              .title = x->title,
                              .details = format_use(x),
                              .variants = x->variants,
                              .extensions = x->extensions};
    }
    case ASSAY_REPORTS:
        return (assay_member){.name = report_table[i]->name, .title = report_table[i]->title, .details = ""};
    case ASSAY_MONITORS: {
        const struct online *o = online_table[i];
        return (assay_member){.name = o->name,
                              .title = o->title,
                              .details = online_use(o),
                              .missing = o->missing ? o->missing() : NULL,
                              .variants = o->variants};
    }
    case ASSAY_PATTERNS:
        return (assay_member){
            .name = pattern_name((enum pattern)(i + 1)), .title = pattern_text((enum pattern)(i + 1)), .details = ""};
    case ASSAY_FAMILIES: break;
    }
    return (assay_member){0};
}

const char *assay_model_meant(const char *name, const char **meaning)
{
    if (!name || !meaning)
        return NULL;
    const struct model_name *known = model_name_find(name);
    const struct model *model = model_called(name);
    bool other = model && strcmp(model->name, name) != 0;
    *meaning = !other ? NULL : known ? known->meaning : model_name_same(model->title, name) ? model->summary : NULL;
    return other ? model->name : NULL;
}

size_t assay_misspelt(const char *typed, const char *known)
{
    return typed && known ? misspelt(typed, known) : SIZE_MAX;
}

const char *assay_model_nearest(const char *name, const char **difference)
{
    if (!name || !difference)
        return NULL;
    const struct model_name *known = model_name_declined(name);
    *difference = known ? known->meaning : NULL;
    return known ? known->model : NULL;
}

assay_model_name assay_model_name_at(size_t i)
{
    const struct model_name *n = model_name_at(i);
    return n ? (assay_model_name){n->name, n->model, n->meaning, n->declined} : (assay_model_name){0};
}

bool assay_model_implies(const char *strong, const char *weak)
{
    if (!strong || !weak)
        return false;
    const struct model *s = model_called(strong), *w = model_called(weak);
    return s && w && model_implies(s, w);
}
