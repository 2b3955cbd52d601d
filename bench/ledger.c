/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/ledger.h"

#include "assay.h"
#include "bench/machine.h"
#include "cli/outfile.h"
#include "cli/output.h"

#include <stdio.h>
#include <stdlib.h>

struct ledger {
    FILE *out;
    char *text;
    size_t size;
    size_t figures;
};

struct ledger *ledger_new(const char *command)
{
    struct ledger *l = calloc(1, sizeof *l);
    char processor[MACHINE_TEXT];
    if (!l || !(l->out = open_memstream(&l->text, &l->size))) {
        free(l);
        return NULL;
    }
    fprintf(l->out, "{\"assay\":\"%s\",\"commit\":\"%s\",\"processor\":", assay_version(), machine_commit);
    print_json(l->out, machine_processor(processor));
    fputs(",\"compiler\":", l->out);
    print_json(l->out, MACHINE_COMPILER);
    fputs(",\"command\":", l->out);
    print_json(l->out, command);
    fputs(",\"figures\":[", l->out);
    return l;
}

void ledger_free(struct ledger *l)
{
    if (!l)
        return;
    if (l->out)
        fclose(l->out);
    free(l->text);
    free(l);
}

static void add(struct ledger *l, const char *name, const char *measure, const char *unit, const double *values,
                size_t n)
{
    if (!l || !n)
        return;
    fputs(l->figures++ ? ",\n{\"name\":" : "\n{\"name\":", l->out);
    print_json(l->out, name);
    fprintf(l->out, ",\"measure\":\"%s\",\"unit\":\"%s\",\"values\":[", measure, unit);
    for (size_t i = 0; i < n; i++)
        fprintf(l->out, "%s%.6g", i ? "," : "", values[i]);
    fputs("]}", l->out);
}

void ledger_time(struct ledger *l, const char *name, const char *measure, const double *seconds, size_t n)
{
    add(l, name, measure, "s", seconds, n);
}

void ledger_memory(struct ledger *l, const char *name, const double *megabytes, size_t n)
{
    add(l, name, "memory", "MB", megabytes, n);
}

bool ledger_save(struct ledger *l, const char *file)
{
    fputs("\n]}\n", l->out);
    bool fine = !ferror(l->out) && fclose(l->out) == 0;
    l->out = NULL;
    if (!fine)
        complain("no memory for the figures");
    return fine && outfile_write(file, l->text, l->size);
}
