/* SPDX-License-Identifier: Apache-2.0 */
#include "pages.h"

#include "outfile.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

extern const char web_index[]; /* ends in a NUL */

enum { LONGEST_NAME = 80 };
static const size_t NO_PAGE = SIZE_MAX; /* of an error */

bool pages_folder(const char *name)
{
    struct stat found;
    size_t n = name ? strlen(name) : 0;
    return n && (name[n - 1] == '/' || (stat(name, &found) == 0 && S_ISDIR(found.st_mode)));
}

/* ---- rows ---- */

void pages_describe(struct record *rec, const assay_history *h, const assay_result *r, const char *file, uint32_t index)
{
    FILE *out = record_stream(rec, TO_ROW);
    print_json_text(out, '{', "file", file);
    print_json_number(out, "index", index, true);
    print_json_text(out, ',', "model", assay_result_model(r));
    print_json_text(out, ',', "object", assay_result_object(r));
    print_json_text(out, ',', "verdict", assay_verdict_name(assay_result_verdict(r)));
    print_json_text(out, ',', "reason", verdict_note(r));
    print_json_number(out, "operations", assay_history_size(h), true);
    print_json_number(out, "threads", assay_history_threads(h), true);
    char number[16];
    snprintf(number, sizeof number, "#%u", (unsigned)index);
    rec->history = grow(NULL, strlen(file) + sizeof number);
    sprintf(rec->history, "%s%s", file, number);
}

void pages_describe_error(struct record *rec, const char *file, long long index, const char *model,
                          const assay_error *e)
{
    FILE *out = record_stream(rec, TO_ROW);
    char *reason = NULL;
    size_t size = 0;
    FILE *words = memory_stream(&reason, &size);
    if (e->line)
        fprintf(words, "line %llu: ", (unsigned long long)e->line);
    fputs(e->message, words);
    memory_close(words, &reason);
    print_json_text(out, '{', "file", file);
    print_json_number(out, "index", index < 0 ? 0 : (uint64_t)index, true);
    print_json_text(out, ',', "model", model ? model : "");
    print_json_text(out, ',', "object", "");
    print_json_text(out, ',', "verdict", "error");
    print_json_text(out, ',', "reason", reason);
    print_json_number(out, "operations", 0, false);
    print_json_number(out, "threads", 0, false);
    free(reason);
}

/* ---- names ---- */

static bool is_safe(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
}

/* Some file systems do not tell letters' cases apart. */
static bool is_taken(const struct pages *p, const char *name)
{
    for (size_t i = 0; i < p->file_n; i++)
        if (strcasecmp(p->files[i].name, name) == 0)
            return true;
    return strcasecmp(name, "index.html") == 0;
}

static char *safe_name(const struct pages *p, const char *history)
{
    char stem[LONGEST_NAME + 1], *name = grow(NULL, LONGEST_NAME + 32);
    const char *slash = strrchr(history, '/'), *from = slash ? slash + 1 : history;
    size_t n = 0;
    for (; from[n] && n < LONGEST_NAME; n++)
        stem[n] = is_safe(from[n]) && !(n == 0 && from[n] == '.') ? from[n] : '_';
    stem[n] = '\0';
    if (n > 2 && strcmp(stem + n - 2, "_0") == 0) /* the first history of a file needs no number */
        stem[n - 2] = '\0';
    sprintf(name, "%s.html", stem);
    for (unsigned i = 2; is_taken(p, name); i++)
        sprintf(name, "%s-%u.html", stem, i);
    return name;
}

/* ---- files ---- */

static bool write_page(const struct pages *p, const char *name, const char *text, size_t size)
{
    struct outfile f;
    if (!outfile_open_in(&f, p->folder, name))
        return false;
    fwrite(text, 1, size, f.stream);
    return outfile_close(&f, OUTFILE_WHOLE);
}

static size_t file_of(struct pages *p, const char *history)
{
    if (p->file_n && strcmp(p->files[p->file_n - 1].history, history) == 0)
        return p->file_n - 1;
    if (p->file_n == p->file_cap) {
        p->file_cap = p->file_cap ? 2 * p->file_cap : 16;
        p->files = grow(p->files, p->file_cap * sizeof *p->files);
    }
    p->files[p->file_n] = (struct page_file){.history = copy_text(history), .name = safe_name(p, history)};
    return p->file_n++;
}

bool pages_add(struct pages *p, const struct record *rec, bool later)
{
    if (!rec->text[TO_ROW])
        return true; /* a warning */
    size_t file = rec->history ? file_of(p, rec->history) : NO_PAGE;
    if (p->row_n == p->row_cap) {
        p->row_cap = p->row_cap ? 2 * p->row_cap : 16;
        p->rows = grow(p->rows, p->row_cap * sizeof *p->rows);
    }
    p->rows[p->row_n++] = (struct page_row){copy_text(rec->text[TO_ROW]), file};
    if (!rec->text[TO_HTML])
        return true;
    if (!later)
        return write_page(p, p->files[file].name, rec->text[TO_HTML], rec->size[TO_HTML]);
    p->files[file].text = grow(NULL, rec->size[TO_HTML]);
    p->files[file].size = rec->size[TO_HTML];
    memcpy(p->files[file].text, rec->text[TO_HTML], rec->size[TO_HTML]);
    return true;
}

/* ---- the index ---- */

/* JSON in a script element: no `<` stands in it. */
static void put_escaped(const char *text, FILE *out)
{
    for (; *text; text++)
        if (*text == '<')
            fputs("\\u003c", out);
        else
            fputc(*text, out);
}

static void put_rows(const struct pages *p, FILE *out)
{
    fputc('[', out);
    for (size_t i = 0; i < p->row_n; i++) {
        fputs(i ? ",\n" : "\n", out);
        put_escaped(p->rows[i].json, out);
        if (p->rows[i].page == NO_PAGE)
            fputs(",\"page\":null}", out);
        else
            fprintf(out, ",\"page\":\"%s\"}", p->files[p->rows[i].page].name);
    }
    fputs("]\n", out);
}

/* The same as a list, for readers without scripts. */
static void put_links(const struct pages *p, FILE *out)
{
    for (size_t i = 0; i < p->file_n; i++)
        fprintf(out, "<li><a href=\"%s\">%s</a></li>\n", p->files[i].name, p->files[i].name);
}

static const char *put_slot(const struct pages *p, const char *at, FILE *out)
{
    static const char rows[] = "<!--slot:rows-->", links[] = "<!--slot:links-->";
    if (strncmp(at, rows, sizeof rows - 1) == 0) {
        put_rows(p, out);
        return at + sizeof rows - 1;
    }
    if (strncmp(at, links, sizeof links - 1) == 0) {
        put_links(p, out);
        return at + sizeof links - 1;
    }
    fputc(*at, out);
    return at + 1;
}

bool pages_close(struct pages *p)
{
    char *text = NULL;
    size_t size = 0;
    bool fine = true;
    for (size_t i = 0; i < p->file_n; i++)
        if (p->files[i].text)
            fine &= write_page(p, p->files[i].name, p->files[i].text, p->files[i].size);
    FILE *out = memory_stream(&text, &size);
    for (const char *at = web_index; *at;)
        at = put_slot(p, at, out);
    memory_close(out, &text);
    fine &= write_page(p, "index.html", text, size);
    free(text);
    return fine;
}

void pages_free(struct pages *p)
{
    for (size_t i = 0; i < p->row_n; i++)
        free(p->rows[i].json);
    for (size_t i = 0; i < p->file_n; i++) {
        free(p->files[i].history);
        free(p->files[i].name);
        free(p->files[i].text);
    }
    free(p->rows);
    free(p->files);
}
