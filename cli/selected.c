/* SPDX-License-Identifier: Apache-2.0 */
#include "selected.h"

#include "output.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_DIGITS = 9 };

static bool is_there(const char *name)
{
    struct stat about;
    return strcmp(name, "-") == 0 || stat(name, &about) == 0;
}

struct selected selected_of(const char *name)
{
    struct selected s = {copy_text(name), -1};
    char *hash = strrchr(s.file, '#');
    size_t digits = hash ? strspn(hash + 1, "0123456789") : 0;
    if (!digits || digits > MOST_DIGITS || hash[1 + digits] || is_there(name))
        return s;
    *hash = '\0';
    if (is_there(s.file))
        s.index = strtoll(hash + 1, NULL, 10);
    else
        *hash = '#';
    return s;
}

assay_history *selected_next(long long only, assay_reader *reader, uint32_t *index, assay_error *e)
{
    if (only >= 0 && *index > only)
        return NULL;
    assay_history *h;
    while ((h = assay_reader_next(reader, e)) && *index < only) {
        assay_history_free(h);
        ++*index;
    }
    if (!h && !e->code && only >= 0) {
        e->code = ASSAY_ERROR_INPUT;
        snprintf(e->message, sizeof e->message, "there is no history #%lld: the file has %u", only, (unsigned)*index);
        snprintf(e->remedy, sizeof e->remedy, "they are counted from 0");
        *index = 0; /* it is about the file as a whole */
    }
    return h;
}
