/* SPDX-License-Identifier: Apache-2.0 */
#include "batch.h"

#include "characters.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name as JSON has it: U+FFFD for bytes that are not UTF-8. */
static char *as_json(const char *name)
{
    char *out = grow(NULL, 3 * strlen(name) + 1), *to = out;
    for (const char *s = name; *s;) {
        size_t n = character_length((const unsigned char *)s);
        memcpy(to, n ? s : "\xEF\xBF\xBD", n ? n : 3);
        to += n ? n : 3;
        s += n ? n : 1;
    }
    *to = '\0';
    return out;
}

/* Does the path end in the other, at the border of a folder? */
static bool ends_in(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return n > m && path[n - m - 1] == '/' && strcmp(path + n - m, end) == 0;
}

static bool fits(const struct paths *files, size_t i, const char *name, bool exactly)
{
    char *path = as_json(files->at[i]), *below = as_json(files->at[i] + files->below[i]);
    bool yes = exactly ? strcmp(below, name) == 0 || strcmp(path, name) == 0
                       : ends_in(path, name) || ends_in(name, path);
    free(path);
    free(below);
    return yes;
}

/* Did the user choose single histories? Then all others are left out. */
static bool chooses(const struct paths *files)
{
    for (size_t i = 0; i < files->n; i++)
        if (files->only[i] >= 0)
            return true;
    return false;
}

static enum batch_found fault(assay_error *e, const char *remedy, const char *message, const char *file)
{
    e->code = ASSAY_ERROR_INPUT;
    snprintf(e->message, sizeof e->message, message, file);
    snprintf(e->remedy, sizeof e->remedy, "%s", remedy);
    return BATCH_FAULT;
}

/* The file that fits; the only one fits a record without a name. */
static enum batch_found find(const struct paths *files, const assay_claim *claim, bool exactly, size_t *at,
                             assay_error *e)
{
    bool found = false, other = false;
    for (size_t i = 0; i < files->n; i++) {
        if (claim->file[0] && !fits(files, i, claim->file, exactly))
            continue;
        bool chosen = files->only[i] < 0 || files->only[i] == claim->index;
        if (chosen && found && strcmp(files->at[i], files->at[*at]) != 0)
            return fault(e, "name one of them alone", "several of the files can be %s, which this record is about",
                         claim->file);
        if (chosen && !found)
            *at = i;
        found |= chosen;
        other |= !chosen;
    }
    return found ? BATCH_FOUND : other ? BATCH_LEFT_OUT : BATCH_FAULT;
}

enum batch_found batch_find(const struct paths *files, const assay_claim *claim, size_t *at, assay_error *e)
{
    if (!claim->file[0] && files->n > 1)
        return fault(e, "recheck it with its history alone", "this record does not name its file%s", "");
    enum batch_found found = find(files, claim, true, at, e);
    if (found == BATCH_FAULT && !e->code)
        found = find(files, claim, false, at, e);
    if (found == BATCH_FAULT && !e->code && chooses(files))
        return BATCH_LEFT_OUT;
    if (found == BATCH_FAULT && !e->code)
        fault(e, "name the file, or the directory that was checked",
              "this record is about %s, which is not among the histories", claim->file);
    return found;
}
