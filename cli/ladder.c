/* SPDX-License-Identifier: Apache-2.0 */
#include "ladder.h"

#include "assay.h"
#include "output.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 32 };

struct drawing {
    const struct ladder *l;
    FILE *out;
    size_t name_width, verdict_width, title_width;
    bool more[DEEPEST]; /* is there a further sibling at this depth? */
};

static bool implies(const struct ladder *l, size_t strong, size_t weak)
{
    return strong != weak && assay_model_implies(l->models[strong], l->models[weak]);
}

/* The last weaker model; l->n for a root. A model between the two would come later still. */
static size_t parent(const struct ladder *l, size_t model)
{
    for (size_t i = model; i-- > 0;)
        if (implies(l, model, i))
            return i;
    return l->n;
}

static bool implies_directly(const struct ladder *l, size_t strong, size_t weak)
{
    if (!implies(l, strong, weak))
        return false;
    for (size_t i = 0; i < l->n; i++)
        if (implies(l, strong, i) && implies(l, i, weak))
            return false;
    return true;
}

static size_t next_child(const struct ladder *l, size_t of, size_t from)
{
    while (from < l->n && parent(l, from) != of)
        from++;
    return from;
}

static const char *title(const char *model)
{
    for (size_t i = 0; i < assay_family_size(ASSAY_MODELS); i++)
        if (strcmp(assay_family_member(ASSAY_MODELS, i).name, model) == 0)
            return assay_family_member(ASSAY_MODELS, i).title;
    return "";
}

/* "causal convergence and memory, also under cm": its title, and where else it belongs. Returns the width; out may
 * be NULL. */
static size_t describe(const struct ladder *l, size_t model, FILE *out)
{
    const char *glue = ", also under ", *name = title(l->models[model]);
    size_t width = strlen(name);
    if (out)
        fputs(name, out);
    for (size_t i = 0, up = parent(l, model); i < l->n; i++) {
        if (i == up || !implies_directly(l, model, i))
            continue;
        width += strlen(glue) + strlen(l->models[i]);
        if (out)
            fprintf(out, "%s%s", glue, l->models[i]);
        glue = ", ";
    }
    return width;
}

static size_t depth_of(const struct ladder *l, size_t model)
{
    size_t depth = 0;
    while ((model = parent(l, model)) < l->n)
        depth++;
    return depth;
}

static void pad(const struct drawing *d, size_t width, size_t to)
{
    fprintf(d->out, "%*s", (int)(to - width + 2), "");
}

static void draw_rung(const struct drawing *d, size_t model, size_t depth)
{
    const struct ladder *l = d->l;
    fputs("  ", d->out);
    for (size_t i = 1; i <= depth; i++)
        fputs(i < depth ? (d->more[i] ? "|   " : "    ") : d->more[i] ? "|-- " : "`-- ", d->out);
    fprintf(d->out, "%-*s  ", (int)(d->name_width - 4 * depth), l->models[model]);
    const struct ladder_mark *mark = &l->marks[model];
    put_painted(d->out, mark->paint, mark->verdict);
    pad(d, strlen(mark->verdict), d->verdict_width);
    size_t width = describe(l, model, d->out);
    if (mark->details) {
        pad(d, width, d->title_width);
        fputs(mark->details, d->out);
    }
    fputc('\n', d->out);
}

/* A rung that is too wide goes on below its title. */
static void rung(const struct drawing *d, size_t model, size_t depth)
{
    char *text = NULL;
    size_t size = 0;
    struct drawing alone = *d;
    alone.out = memory_stream(&text, &size);
    draw_rung(&alone, model, depth);
    memory_close(alone.out, &text);
    assay_wrap(text, d->l->columns, d->name_width + d->verdict_width + 6, d->out);
    free(text);
}

static void branch(struct drawing *d, size_t of, size_t depth)
{
    size_t child = next_child(d->l, of, 0);
    while (child < d->l->n && depth < DEEPEST) {
        size_t next = next_child(d->l, of, child + 1);
        d->more[depth] = next < d->l->n;
        rung(d, child, depth);
        branch(d, child, depth + 1);
        child = next;
    }
}

static void widen(size_t *width, size_t needed)
{
    *width = needed > *width ? needed : *width;
}

void ladder_draw(const struct ladder *l, FILE *out)
{
    struct drawing d = {.l = l, .out = out};
    for (size_t i = 0; i < l->n; i++) {
        widen(&d.name_width, strlen(l->models[i]) + 4 * depth_of(l, i));
        widen(&d.verdict_width, strlen(l->marks[i].verdict));
        widen(&d.title_width, describe(l, i, NULL));
    }
    branch(&d, l->n, 0);
}
