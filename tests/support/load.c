/* SPDX-License-Identifier: Apache-2.0 */
#include "support/load.h"

#include "base/error.h"
#include "format/format.h"

#include <string.h>

struct load {
    struct input *in;
    const struct format *format;
    history *h;
    struct warnings warnings;
    assay_error *e;
    bool found;
};

static void read_next(void *arg)
{
    struct load *l = arg;
    l->found = l->format->read(l->in, &l->h, &l->warnings, l->e);
}

/* The next history, which is then the caller's; NULL at the end or on an error. */
static assay_history *next(struct load *l)
{
    l->h = NULL;
    l->found = false;
    enum escape escape = escape_run(read_next, l);
    if (escape)
        error_from_escape(l->e, escape);
    mem_release(&l->warnings.mem);
    memset(&l->warnings, 0, sizeof l->warnings);
    if (l->found && !escape)
        return l->h;
    history_free(l->h);
    return NULL;
}

static bool start(struct load *l, const char *format, const char *bytes, size_t n, assay_error *e)
{
    const char *variant;
    *l = (struct load){.e = e};
    l->format = format_find(format, &variant);
    l->in = input_from_memory("text", bytes, n, e);
    return l->format && l->format->read && l->in;
}

assay_history *load_text(const char *text, assay_error *e)
{
    struct load l;
    assay_error unwanted = {0};
    assay_history *h = NULL;
    if (start(&l, "hist", text, strlen(text), e ? e : &unwanted))
        h = next(&l);
    input_close(l.in);
    return h;
}

size_t load_each(const char *format, const char *bytes, size_t n, void (*each)(assay_history *h, void *arg), void *arg,
                 assay_error *e)
{
    struct load l;
    size_t count = 0;
    if (start(&l, format, bytes, n, e))
        for (assay_history *h; (h = next(&l)); count++) {
            each(h, arg);
            assay_history_free(h);
        }
    input_close(l.in);
    return count;
}
