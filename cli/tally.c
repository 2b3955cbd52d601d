/* SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

#include "command.h"
#include "output.h"

void tally_add(struct tally *t, const struct record *rec)
{
    if (rec->outcome < 0)
        return;
    if (!t->histories || t->file != rec->file || t->index != rec->index)
        t->histories++;
    t->file = rec->file;
    t->index = rec->index;
    t->of[rec->outcome]++;
}

void tally_print(const struct tally *t, const char *consistent, bool color, FILE *out)
{
    const struct {
        int status;
        const char *one, *several, *paint;
    } rows[] = {{EXIT_FINE, consistent, consistent, "32"},
                {EXIT_VIOLATED, "violation", "violations", "1;31"},
                {EXIT_OPEN, "undecided", "undecided", "33"},
                {TALLY_NO_VERDICT, "without a verdict", "without a verdict", "33"},
                {EXIT_FAULT, "error", "errors", "1;31"}};
    const char *glue = ": ";
    if (t->histories < 2)
        return;
    fprintf(out, "%zu histories", t->histories);
    if (t->models > 1)
        fprintf(out, ", %zu models", t->models);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n = t->of[rows[i].status];
        if (!n)
            continue;
        fprintf(out, "%s%zu ", glue, n);
        put_painted(out, color ? rows[i].paint : NULL, n == 1 ? rows[i].one : rows[i].several);
        glue = ", ";
    }
    fputc('\n', out);
}
