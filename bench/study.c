/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/study.h"

void study_add(struct study *s, const struct measured *m)
{
    if (!study_chosen(s, m->cell.store))
        return;
    if (s->n == STUDY_CELLS)
        bench_fault(s->bench, "more than %d cells", STUDY_CELLS);
    else
        s->cells[s->n++] = *m;
}

const struct measured *study_find(const struct study *s, enum study_part part, unsigned setting, unsigned column)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct measured *m = &s->cells[i];
        if (m->part == part && m->setting == setting && m->column == column)
            return m->outcome.histories ? m : NULL;
    }
    return NULL;
}

bool study_chosen(const struct study *s, const struct store *store)
{
    return s->stores[store - store_table];
}

static bool has_part(const struct study *s, const struct store *store, enum study_part part)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->cells[i].cell.store == store && s->cells[i].part == part)
            return true;
    return false;
}

/* The first line of a list comes behind an empty one. */
static FILE *next_line(const struct study *s, bool *begun)
{
    if (!*begun)
        fputc('\n', s->bench->set->out);
    *begun = true;
    return s->bench->set->out;
}

void study_print_gaps(const struct study *s, enum study_part part)
{
    bool begun = false;
    for (const struct store *store = store_table; store->name; store++)
        if (s->reasons[store - store_table][0] && has_part(s, store, part))
            fprintf(next_line(s, &begun), "- not measured: %s: %s\n", store->title, s->reasons[store - store_table]);
    for (size_t i = 0; i < s->n; i++) {
        const struct measured *m = &s->cells[i];
        if (m->part == part && m->outcome.trouble[0] && !s->reasons[m->cell.store - store_table][0])
            fprintf(next_line(s, &begun), "- not complete: %s, %u sessions, %u operations: %s\n", m->cell.store->title,
                    m->cell.sessions, m->cell.operations, m->outcome.trouble);
    }
}

void study_heading(const struct study *s, const char *title)
{
    paragraph(s->bench, "%s%s", s->bench->set->markdown ? "### " : "", title);
}

void study_open_block(const struct study *s, const char *language)
{
    FILE *out = s->bench->set->out;
    fputc('\n', out);
    if (s->bench->set->markdown)
        fprintf(out, "```%s\n", language);
}

void study_close_block(const struct study *s)
{
    if (s->bench->set->markdown)
        fputs("```\n", s->bench->set->out);
}
