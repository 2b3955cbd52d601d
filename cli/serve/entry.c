/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/entry.h"

#include "serve/json_object.h"

#include "output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct entry *entry_new(const char *path)
{
    struct entry *e = grow(NULL, sizeof *e);
    *e = (struct entry){.path = copy_text(path)};
    return e;
}

void entry_clear(struct entry *e)
{
    for (size_t i = 0; i < e->n; i++)
        free(e->records[i].text);
    for (size_t i = 0; i < e->graded; i++)
        free(e->grades[i].json);
    free(e->records);
    e->records = NULL;
    e->n = e->cap = e->bytes = e->graded = e->tail_n = 0;
    e->taken = 0;
    e->lines = 0;
    e->clipped = false;
}

void entry_free(struct entry *e)
{
    entry_clear(e);
    free(e->path);
    free(e);
}

/* ---- lines ---- */

bool entry_continues(const struct entry *e, const struct stat *about, int file)
{
    char now[ENTRY_TAIL];
    return e->about.st_ino == about->st_ino && e->about.st_dev == about->st_dev && about->st_size >= e->taken &&
           pread(file, now, e->tail_n, e->taken - (off_t)e->tail_n) == (ssize_t)e->tail_n &&
           memcmp(now, e->tail, e->tail_n) == 0;
}

struct line {
    size_t n; /* bytes so far, of which at most ENTRY_LINE are kept */
    char text[ENTRY_LINE + 1];
};

static void line_add(struct line *l, const char *bytes, size_t n)
{
    if (l->n < ENTRY_LINE)
        memcpy(l->text + l->n, bytes, n < ENTRY_LINE - l->n ? n : ENTRY_LINE - l->n);
    l->n += n;
}

static void take(struct entry *e, struct line *l, size_t most)
{
    bool fine = l->n <= ENTRY_LINE;
    if (fine && l->n && l->text[l->n - 1] == '\r')
        l->n--;
    l->text[fine ? l->n : 0] = 0;
    fine = fine && json_object(l->text, l->n);
    size_t bytes = sizeof *e->records + (fine ? l->n : 0);
    if (e->bytes + bytes > most) {
        e->clipped = true;
        return;
    }
    if (e->n == e->cap) {
        e->cap = e->cap * 2 + 16;
        e->records = grow(e->records, e->cap * sizeof *e->records);
    }
    e->bytes += bytes;
    e->records[e->n++] = (struct record){.line = ++e->lines, .text = fine ? copy_text(l->text) : NULL};
}

static void remember_tail(struct entry *e, int file)
{
    size_t n = e->taken < ENTRY_TAIL ? (size_t)e->taken : ENTRY_TAIL;
    ssize_t got = pread(file, e->tail, n, e->taken - (off_t)n);
    e->tail_n = got == (ssize_t)n ? n : 0;
}

void entry_take_lines(struct entry *e, int file, size_t most)
{
    enum { CHUNK = 64 << 10 };
    char *chunk = grow(NULL, CHUNK);
    struct line *line = grow(NULL, sizeof *line);
    off_t at = e->taken;
    ssize_t n;
    line->n = 0;
    while (!e->clipped && (n = pread(file, chunk, CHUNK, at)) > 0) {
        const char *from = chunk, *end = chunk + n, *stop;
        for (; !e->clipped && (stop = memchr(from, '\n', (size_t)(end - from))); from = stop + 1) {
            line_add(line, from, (size_t)(stop - from));
            take(e, line, most);
            line->n = 0;
            e->taken = at + (stop + 1 - chunk);
        }
        line_add(line, from, (size_t)(end - from));
        at += n;
    }
    remember_tail(e, file);
    free(line);
    free(chunk);
}

/* ---- grades ---- */

void entry_grade(struct entry *e, uint32_t index, const char *json)
{
    size_t i = 0;
    while (i < e->graded && e->grades[i].index != index)
        i++;
    if (i == ENTRY_GRADES)
        i = 0;
    if (i < e->graded) {
        free(e->grades[i].json);
        memmove(e->grades + i, e->grades + i + 1, (--e->graded - i) * sizeof *e->grades);
    }
    e->grades[e->graded++] = (struct grade){.index = index, .json = copy_text(json)};
}

/* ---- as JSON ---- */

void entry_put(const struct entry *e, FILE *to)
{
    print_json_text(to, '{', "path", e->path);
    print_json_text(to, ',', "kind", kind_name(e->kind));
    print_json_number(to, "size", (uint64_t)e->about.st_size, true);
    print_json_number(to, "modified", (uint64_t)e->about.st_mtim.tv_sec, true);
    fprintf(to, ",\"clipped\":%s%s", e->clipped ? "true" : "false",
            S_ISDIR(e->about.st_mode) ? ",\"folder\":true" : "");
}

void entry_put_record(const struct record *r, char before, FILE *to)
{
    fprintf(to, "%c\"line\":%" PRIu64 ",\"record\":%s}", before, r->line, r->text ? r->text : "null");
}
