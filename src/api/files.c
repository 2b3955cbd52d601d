/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions on files (assay.h): readers that hand out one history at a time, and the writer. */
#include "base/given.h"
#include "format/format.h"
#include "history/blocks.h"
#include "history/last_line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct assay_reader {
    struct input *in;
    const struct format *format;
    struct warnings warnings;
    size_t memory;   /* bytes for reading; 0: no limit */
    bool over;       /* the end, or a fault: nothing more is read */
    bool by_content; /* a format recognised the first bytes */
};

static bool ends_in(const char *text, size_t length, const char *end)
{
    size_t n = strlen(end);
    return length >= n && memcmp(text + length - n, end, n) == 0;
}

static bool bears_extension(const struct format *f, const char *path)
{
    size_t length = strlen(path);
    if (ends_in(path, length, ".gz"))
        length -= 3;
    else if (ends_in(path, length, ".zst"))
        length -= 4;
    for (const char *const *x = f->extensions; x && *x; x++)
        if (ends_in(path, length, *x))
            return true;
    return false;
}

const char *assay_format_by_name(const char *path)
{
    if (!path)
        return NULL;
    for (size_t i = 0; format_table[i]; i++)
        if (format_table[i]->read && bears_extension(format_table[i], path))
            return format_table[i]->name;
    return NULL;
}

/* How well a format fits: best if name and content do, then by content. The name alone counts more only than being the
 * fallback for files that fit nothing else. */
enum { FITS_BY_NAME = 2 };

static int fitness(const struct format *f, const char *path, const char *bytes, size_t n)
{
    int sure = f->recognise ? f->recognise(bytes, n) : 0;
    if (!path || !bears_extension(f, path))
        return sure;
    return sure ? 100 + sure : FITS_BY_NAME;
}

/* path may be NULL: the content alone decides. *most says how well it fits. */
static const struct format *choose(const char *path, const char *bytes, size_t n, int *most)
{
    const struct format *best = NULL;
    *most = 0;
    for (size_t i = 0; format_table[i]; i++) {
        const struct format *f = format_table[i];
        int fits = f->read ? fitness(f, path, bytes, n) : 0;
        if (fits > *most) {
            *most = fits;
            best = f;
        }
    }
    return best;
}

/* ---- directories that are one history ---- */

struct look {
    const char *path;
    struct input *in;
    const struct format *format; /* that recognises its content; NULL: none */
    bool part;                   /* it may be one of several files, perhaps damaged */
};

static bool some_folder_has(const char *bytes, size_t n)
{
    for (size_t i = 0; format_table[i]; i++)
        if (format_table[i]->folder && format_table[i]->folder(bytes, n))
            return true;
    return false;
}

static void look_inside(void *arg)
{
    struct look *l = arg;
    assay_error e = {0};
    const char *bytes;
    int fits = 0;
    l->in = input_open(l->path, NULL, 0, &e);
    if (!l->in)
        return;
    size_t n = input_peek(l->in, &bytes, &e);
    const struct format *f = choose(l->path, bytes, n, &fits);
    l->format = fits > FITS_BY_NAME ? f : NULL;
    l->part = some_folder_has(bytes, n);
}

static struct look look_at(const char *path)
{
    struct look l = {.path = path, .part = true}; /* what cannot be read is reported when it is read */
    escape_run(look_inside, &l);
    input_close(l.in);
    return l;
}

/* Other files lie beside the logs. A log that is damaged is one all the same. */
static bool may_be_part(const char *path)
{
    return look_at(path).part;
}

static bool is_part(const char *path)
{
    const struct format *f = look_at(path).format;
    return f && f->folder;
}

/* The format of the first log that one recognises: a damaged one may stand before it. */
static const struct format *format_of_folder(const struct folder *folder)
{
    for (size_t i = 0; i < folder->n; i++)
        if (is_part(folder->paths[i]))
            return look_at(folder->paths[i]).format;
    return NULL;
}

/* The directory of the run that the file is a part of, for the caller to free; NULL: of none. A log that no format
 * recognises is a damaged part if another one is recognised. */
static char *run_of(const char *path)
{
    struct look l = folder_is_log(path) ? look_at(path) : (struct look){.part = false};
    if (!l.part || (l.format && !l.format->folder))
        return NULL;
    return folder_shared(path, l.format ? may_be_part : is_part);
}

bool assay_file_is_part(const char *path)
{
    char *directory = path ? run_of(path) : NULL;
    bool part = directory;
    free(directory);
    return part;
}

/* ---- opening ---- */

struct opening {
    assay_reader *r;
    const char *path;
    assay_error *e;
    int fits;
};

static void refuse_part(const struct opening *o)
{
    char *directory = run_of(o->path);
    if (!directory)
        return;
    error_set(o->e, ASSAY_ERROR_INPUT, "is a part of a run: other sessions of it lie in the same directory");
    error_remedy(o->e, "name the directory: %s", directory);
    snprintf(o->e->file, sizeof o->e->file, "%s", o->path);
    free(directory);
}

static void refuse_directory(const struct opening *o)
{
    error_set(o->e, ASSAY_ERROR_INPUT, "is a directory");
    error_remedy(o->e, "name the files in it");
    snprintf(o->e->file, sizeof o->e->file, "%s", o->path);
}

static void recognise(void *arg)
{
    struct opening *o = arg;
    const struct folder *folder = input_folder(o->r->in);
    const char *bytes;
    size_t n = input_peek(o->r->in, &bytes, o->e);
    if (!o->r->format && folder) {
        o->r->format = format_of_folder(folder);
        o->fits = 100;
    } else if (!o->r->format) {
        o->r->format = choose(o->path, bytes, n, &o->fits);
    }
    bool several = o->r->format && o->r->format->folder;
    if (folder && !several)
        refuse_directory(o);
    else if (!folder && several)
        refuse_part(o);
}

static const struct format *wanted(const char *format, const char **variant, assay_error *e)
{
    const struct format *f = format_find(format, variant);
    if (f && f->read)
        return f;
    error_set(e, ASSAY_ERROR_USAGE, f ? "the format %s cannot be read" : "unknown format '%s'", format);
    error_remedy(e, "`assay list formats` shows the formats");
    return NULL;
}

/* The reason why reading stopped: a given limit is not the system's. */
static void reading_stopped(assay_error *e, enum escape why)
{
    if (why == ESCAPE_MEMORY_BUDGET) {
        error_set(e, ASSAY_ERROR_BUDGET, "reading it takes more memory than it may");
        error_remedy(e, "give more with --memory");
    }
    error_from_escape(e, why);
}

assay_reader *assay_reader_open(const char *path, const char *format, assay_error *e)
{
    if (!GIVEN(path, e))
        return NULL;
    return assay_reader_open_within(path, format, 0, e);
}

assay_reader *assay_reader_open_within(const char *path, const char *format, size_t memory, assay_error *e)
{
    if (!GIVEN(path, e))
        return NULL;
    assay_error mine = {0};
    const char *variant = NULL;
    const struct format *f = format ? wanted(format, &variant, e) : NULL;
    if (format && !f)
        return NULL;
    assay_reader *r = calloc(1, sizeof *r);
    if (!r) {
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
        return NULL;
    }
    r->format = f;
    r->memory = memory;
    r->in = input_open(path, may_be_part, memory, &mine);
    if (r->in) {
        input_set_variant(r->in, variant);
        struct opening o = {.r = r, .path = path, .e = &mine};
        reading_stopped(&mine, escape_run(recognise, &o));
        r->by_content = o.fits > FITS_BY_NAME;
    }
    if (!mine.code)
        return r;
    error_copy(e, &mine);
    assay_reader_close(r);
    return NULL;
}

assay_reader *assay_reader_open_memory(const char *name, const char *bytes, size_t n, const char *format,
                                       assay_error *e)
{
    if (!GIVEN(name && (bytes || !n), e))
        return NULL;
    int ignored;
    const char *variant = NULL;
    const struct format *f = format ? wanted(format, &variant, e) : choose(NULL, bytes, n, &ignored);
    assay_reader *r = f ? calloc(1, sizeof *r) : NULL;
    if (!r)
        return NULL;
    r->format = f;
    r->in = input_from_memory(name, bytes, n, e);
    if (r->in) {
        input_set_variant(r->in, variant);
        return r;
    }
    assay_reader_close(r);
    return NULL;
}

struct reading {
    assay_reader *r;
    history *h;
    bool found;
    assay_error *e;
};

static void read_next(void *arg)
{
    struct reading *x = arg;
    x->found = x->r->format->read(x->r->in, &x->h, &x->r->warnings, x->e);
    if (!x->found)
        return;
    history *joined = blocks_joined(x->h, x->e);
    if (joined != x->h)
        history_free(x->h);
    x->h = joined;
}

assay_history *assay_reader_next(assay_reader *r, assay_error *e)
{
    if (!GIVEN(r, e))
        return NULL;
    mem_release(&r->warnings.mem);
    r->warnings = (struct warnings){.mem.limit = r->memory, .number_like = r->warnings.number_like};
    if (r->over)
        return NULL;
    assay_error mine = {0};
    struct reading x = {.r = r, .e = &mine};
    enum escape left = escape_run(read_next, &x);
    reading_stopped(&mine, left);
    if (!left && x.found) {
        x.h->mem.limit = 0; /* it was for reading */
        return x.h;
    }
    r->over = true;
    history_free(x.h);
    error_copy(e, &mine);
    return NULL;
}

const char *assay_reader_warning(const assay_reader *r, size_t i)
{
    if (!r)
        return NULL;
    return i < r->warnings.all.n ? r->warnings.all.at[i] : NULL;
}

const char *assay_history_unended(const assay_history *h)
{
    return h && h->last_line.line ? last_line_warning : NULL;
}

bool assay_file_is_history(const char *path)
{
    if (!path)
        return false;
    struct stat about;
    unsigned bearers = 0;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        assay_error e = {0};
        assay_reader *folder = assay_reader_open(path, NULL, &e);
        bool one = folder ? folder->by_content && input_folder(folder->in)->n > 1 : e.code != ASSAY_ERROR_INPUT;
        assay_reader_close(folder);
        return one;
    }
    for (size_t i = 0; format_table[i]; i++)
        if (format_table[i]->read && bears_extension(format_table[i], path))
            bearers += 1 + format_table[i]->shared_extension;
    if (bearers < 2)
        return bearers == 1;
    assay_reader *r = assay_reader_open(path, NULL, NULL);
    bool is = !r || r->by_content;
    assay_reader_close(r);
    return is;
}

const char *assay_reader_format(const assay_reader *r)
{
    if (!r)
        return NULL;
    return r->format->name;
}

void assay_reader_close(assay_reader *r)
{
    if (!r)
        return;
    input_close(r->in);
    mem_release(&r->warnings.mem);
    free(r);
}

/* ---- writing ---- */

struct write_call {
    const struct format *format;
    const history *h;
    struct writing writing;
};

static void write_history(void *arg)
{
    struct write_call *c = arg;
    c->format->write(c->h, &c->writing);
}

bool assay_history_write(const assay_history *h, const char *format, uint32_t index, FILE *out, assay_error *e)
{
    if (!GIVEN(h && format && out, e))
        return false;
    struct mem mem = {0};
    assay_error mine = {0};
    struct write_call c = {.h = h, .writing = {.index = index, .mem = &mem, .out = out, .e = &mine}};
    c.format = format_find(format, &c.writing.variant);
    if (!c.format || !c.format->write) {
        error_set(e, ASSAY_ERROR_USAGE, c.format ? "the format %s cannot be written" : "unknown format '%s'", format);
        error_remedy(e, "`assay list formats` shows the formats");
        return false;
    }
    errno = 0;
    error_from_escape(&mine, escape_run(write_history, &c));
    mem_release(&mem);
    if (!mine.code && ferror(out))
        error_set(&mine, ASSAY_ERROR_RESOURCE, "cannot write: %s", strerror(errno));
    error_copy(e, &mine);
    return !mine.code;
}
