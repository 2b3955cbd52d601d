/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls for theories: reading one from a file, and printing the built-in ones. */
#include "assay_spec.h"
#include "base/error.h"
#include "base/given.h"
#include "spec/spec.h"
#include "theory/language.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 20 };

struct loaded { /* stays loaded */
    struct mem mem;
    struct loaded *next;
    const char *file, *text;
    size_t length;
    assay_error *error;
    struct own_theory *own;
};

static void read_text(void *arg)
{
    struct loaded *l = arg;
    l->own = theory_read(l->file, l->text, l->length, &l->mem, l->error);
}

const assay_spec *assay_theory_parse(const char *name, const char *text, size_t length, assay_error *e)
{
    if (!GIVEN(name && (text || !length), e))
        return NULL;
    static struct loaded *all; /* so that they can be found */
    struct loaded *l = calloc(1, sizeof *l);
    assay_error mine = {0};
    if (!l) {
        error_set(e, ASSAY_ERROR_RESOURCE, "out of memory");
        return NULL;
    }
    *l = (struct loaded){.file = name, .text = text, .length = length, .error = &mine};
    error_from_escape(&mine, escape_run(read_text, l));
    if (mine.code) {
        error_copy(e, &mine);
        mem_release(&l->mem);
        free(l);
        return NULL;
    }
    do
        l->next = __atomic_load_n(&all, __ATOMIC_RELAXED);
    while (!__sync_bool_compare_and_swap(&all, l->next, l));
    return &l->own->spec;
}

const assay_spec *assay_theory_load(const char *path, assay_error *e)
{
    if (!GIVEN(path, e))
        return NULL;
    FILE *f = fopen(path, "r");
    char *text = f ? malloc(LONGEST + 1) : NULL;
    size_t n = text ? fread(text, 1, LONGEST + 1, f) : 0;
    const assay_spec *spec = NULL;
    if (!text || ferror(f)) {
        error_set(e, ASSAY_ERROR_INPUT, "cannot read the theory");
        error_place(e, path, 0, 0);
        error_remedy(e, "`assay list theories --text` prints examples");
    } else if (n > LONGEST) {
        error_set(e, ASSAY_ERROR_INPUT, "a theory has at most 1 megabyte");
        error_place(e, path, 0, 0);
    } else {
        spec = assay_theory_parse(path, text, n, e);
    }
    free(text);
    if (f)
        fclose(f);
    return spec;
}

const char *assay_theory_name(size_t i)
{
    for (size_t k = 0; theory_table[k]; k++)
        if (k == i)
            return theory_table[k]->name;
    return NULL;
}

struct writing {
    struct mem mem;
    size_t i;
    FILE *out;
};

static void write_one(void *arg)
{
    struct writing *w = arg;
    struct text t = text_in(&w->mem);
    const struct theory *theory = theory_table[w->i];
    theory_write(theory, spec_find(theory->name, strlen(theory->name)), &t);
    fwrite(t.at, 1, t.n, w->out);
}

bool assay_theory_write(size_t i, FILE *out)
{
    if (!out)
        return false;
    struct writing w = {.i = i, .out = out};
    if (!assay_theory_name(i))
        return false;
    bool fine = escape_run(write_one, &w) == ESCAPE_NONE;
    mem_release(&w.mem);
    return fine;
}
