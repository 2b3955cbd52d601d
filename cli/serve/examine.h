/* SPDX-License-Identifier: Apache-2.0 */
/* The examination of one history of a file: the report `html` for a model, or the grade of every model. It sees the
 * public interface of the library only, and keeps within a budget. */
#ifndef ASSAY_CLI_SERVE_EXAMINE_H
#define ASSAY_CLI_SERVE_EXAMINE_H

#include "serve/tree.h"

#include "assay.h"

#include <stdatomic.h>

struct budget {
    double seconds; /* of one examination, by the clock on the wall */
    size_t memory;  /* bytes: for reading, and again for a check */
    const atomic_bool *stop;
};

struct examination {
    const char *path;
    uint32_t index;
    bool grade;        /* JSON about all models; else a page about one */
    const char *model; /* of a page; NULL: the strongest that applies */
};

struct finding {
    unsigned status; /* of HTTP */
    char *text;      /* the page, or the JSON; of a fault a page or JSON that names it */
    size_t n;
    struct stat about; /* the file as it was read */
};

/* The caller frees out->text. */
void examine(const struct tree *t, const struct examination *x, const struct budget *b, struct finding *out);

/* The text, with the characters escaped that HTML gives a meaning. */
void put_html(FILE *to, const char *text);

#endif
