/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "source_line.h"

#include "assay.h"
#include "characters.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SHOWN = 72, BEFORE = 48 }; /* characters of a long line, and how many of them stand before the caret */

/* Line `wanted` without its end, to be freed; NULL: there is none. */
static char *line_of(FILE *in, uint64_t wanted, size_t *length)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t n = 0;
    for (uint64_t i = 0; i < wanted && n >= 0; i++)
        n = getline(&line, &room, in);
    while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == '\r'))
        line[--n] = '\0';
    if (n > 0 && text_is_utf8(line, (size_t)n)) {
        *length = (size_t)n;
        return line;
    }
    free(line);
    return NULL;
}

static void put_character(FILE *to, const char *p, size_t n)
{
    unsigned char c = (unsigned char)*p;
    if (c < ' ' || c == 0x7f)
        fputc(' ', to); /* keeps the caret in its place */
    else
        assay_show(p, n, "", to);
}

static void print_window(FILE *to, const char *line, size_t length, uint64_t column)
{
    const char *end = line + length, *mark = line + (column - 1 < length ? column - 1 : length), *from = mark;
    for (unsigned i = 0; i < BEFORE && from > line;)
        i += ((unsigned char)*--from & 0xC0) != 0x80;
    unsigned shown = 0, caret = 0;
    fputs(from > line ? "  ..." : "  ", to);
    for (const char *p = from; p < end && shown < SHOWN; shown++) {
        size_t n = character_length((const unsigned char *)p);
        caret += p < mark;
        put_character(to, p, n ? n : 1);
        p += n ? n : 1;
        end = shown + 1 == SHOWN ? p : end;
    }
    fprintf(to, "%s\n%*s^\n", end < line + length ? "..." : "", (int)(caret + (from > line ? 5 : 2)), "");
}

void print_source_line(FILE *to, const char *path, uint64_t line, uint64_t column)
{
    struct stat about;
    size_t length = 0;
    FILE *in = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "r") : NULL;
    if (!in)
        return;
    char *text = line_of(in, line, &length);
    if (text)
        print_window(to, text, length, column);
    free(text);
    fclose(in);
}
