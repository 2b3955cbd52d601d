/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/kind.h"

#include "assay.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { START = 64 }; /* so many bytes tell */

const char *kind_name(enum kind k)
{
    static const char *const names[] = {
        [KIND_NONE] = "none",       [KIND_JOURNAL] = "journal", [KIND_EVIDENCE] = "evidence",
        [KIND_RESULTS] = "results", [KIND_MONITOR] = "monitor", [KIND_STRESS] = "stress",
        [KIND_HISTORY] = "history", [KIND_PAGE] = "page",       [KIND_PICTURE] = "picture",
    };
    return names[k];
}

bool kind_has_records(enum kind k)
{
    return k >= KIND_JOURNAL && k <= KIND_STRESS;
}

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* The first key tells the writer; the JSON of this program has no blanks. */
static enum kind by_first_line(const char *start, size_t n)
{
    static const struct {
        const char *begins;
        enum kind kind;
    } lines[] = {
        {"{\"campaign\":", KIND_JOURNAL},
        {"{\"evidence\":", KIND_EVIDENCE},
        {"{\"file\":", KIND_RESULTS},
        {"{\"type\":\"violation\"", KIND_MONITOR},
        {"{\"type\":\"summary\"", KIND_MONITOR},
        {"{\"implementation\":", KIND_STRESS},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        size_t length = strlen(lines[i].begins);
        if (n >= length && memcmp(start, lines[i].begins, length) == 0)
            return lines[i].kind;
    }
    return KIND_NONE;
}

static bool is_history(const char *root, const char *path)
{
    if (!assay_format_by_name(path))
        return false;
    char *whole = grow(NULL, strlen(root) + strlen(path) + 2);
    sprintf(whole, "%s/%s", root, path);
    bool is = assay_file_is_history(whole);
    free(whole);
    return is;
}

/* By its descriptor: the name might lead elsewhere by now. */
static bool is_one_history(int folder)
{
    char name[32];
    snprintf(name, sizeof name, "/dev/fd/%d", folder);
    return assay_file_is_history(name);
}

enum kind kind_of(const char *root, const char *path, int file, const struct stat *about)
{
    char start[START];
    if (S_ISDIR(about->st_mode))
        return is_one_history(file) ? KIND_HISTORY : KIND_NONE;
    ssize_t n = pread(file, start, sizeof start, 0);
    if (n < 0)
        return KIND_NONE;
    if (ends_in(path, ".html"))
        return KIND_PAGE;
    if (ends_in(path, ".svg"))
        return KIND_PICTURE;
    if (ends_in(path, ".jsonl") || ends_in(path, ".json")) {
        enum kind k = by_first_line(start, (size_t)n);
        if (k != KIND_NONE || n == 0) /* an empty file is of no kind yet */
            return k;
    }
    return is_history(root, path) ? KIND_HISTORY : KIND_NONE;
}
