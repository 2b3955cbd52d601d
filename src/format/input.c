/* SPDX-License-Identifier: Apache-2.0 */
#include "format/input.h"

#include "base/error.h"
#include "format/decode.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct input {
    char *name;
    const char *variant;
    size_t memory;        /* bytes for all that is read; 0: no limit */
    struct folder folder; /* a directory: its files, of which `file` is being read */
    size_t file;
    struct decoder *decoder;
    char *buffer; /* INPUT_BEHIND bytes more than `room`, for the byte behind the last line and those of a window */
    size_t room, start, end;
    bool ended;
    bool in_memory; /* the caller's bytes are complete */
    uint64_t lines;
};

static struct input *input_new(const char *name)
{
    struct input *in = calloc(1, sizeof *in);
    if (!in)
        return NULL;
    in->room = INPUT_BUFFER;
    in->buffer = malloc(in->room + INPUT_BEHIND);
    in->name = strdup(name);
    if (in->buffer && in->name)
        return in;
    input_close(in);
    return NULL;
}

static bool is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int open_file(const char *path, assay_error *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        error_set(e, ASSAY_ERROR_INPUT, "cannot open: %s", strerror(errno));
    } else if (is_directory(path)) {
        error_set(e, ASSAY_ERROR_INPUT, "is a directory");
        error_remedy(e, "name the files in it");
        close(fd);
        fd = -1;
    }
    if (fd < 0 && e && !e->file[0])
        snprintf(e->file, sizeof e->file, "%s", path);
    return fd;
}

static struct input *with_decoder(struct input *in, struct decoder *d, assay_error *e)
{
    if (!in || !d) {
        decoder_close(d);
        input_close(in);
        error_set(e, ASSAY_ERROR_RESOURCE, "out of memory");
        return NULL;
    }
    in->decoder = d;
    return in;
}

struct input *input_open(const char *path, folder_belongs *belongs, size_t memory, assay_error *e)
{
    bool standard = strcmp(path, "-") == 0;
    struct folder folder = {0};
    bool directory = !standard && belongs && is_directory(path);
    enum folder_found found = directory ? folder_open(&folder, path, belongs) : FOLDER_OTHER;
    bool several = found == FOLDER_LOGS;
    struct input *in = NULL;
    int fd = -1;
    if (found == FOLDER_NO_MEMORY)
        error_set(e, ASSAY_ERROR_RESOURCE, "out of memory");
    else
        fd = standard ? STDIN_FILENO : open_file(several ? folder.paths[0] : path, e);
    if (fd >= 0)
        in = with_decoder(input_new(standard ? "standard input" : path), decoder_of_file(fd), e);
    if (in && several)
        in->folder = folder;
    else
        folder_free(&folder);
    if (in && memory) {
        in->memory = memory;
        decoder_limit(in->decoder, memory / 2); /* the other half is for the decoded bytes */
    }
    return in;
}

const struct folder *input_folder(const struct input *in)
{
    return in->folder.n ? &in->folder : NULL;
}

const char *input_path(const struct input *in)
{
    return in->folder.n ? in->folder.paths[in->file] : in->name;
}

bool input_next_file(struct input *in, assay_error *e)
{
    if (in->file + 1 >= in->folder.n)
        return false;
    in->file++;
    int fd = open_file(in->folder.paths[in->file], e);
    struct decoder *next = fd < 0 ? NULL : decoder_of_file(fd);
    if (fd < 0)
        escape_raise(ESCAPE_ERROR);
    if (!next)
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    decoder_close(in->decoder);
    in->decoder = next;
    if (in->memory)
        decoder_limit(next, in->memory / 2);
    in->start = in->end = 0;
    in->ended = false;
    in->lines = 0;
    return true;
}

void input_begin_history(struct input *in, history **out)
{
    history *h = *out = history_new();
    if (in->memory) {
        size_t taken = in->room + decoder_memory(in->decoder);
        h->mem.limit = taken < in->memory ? in->memory - taken : 1;
    }
    h->source = history_name(h, in->name, strlen(in->name));
}

struct input *input_from_memory(const char *name, const char *bytes, size_t n, assay_error *e)
{
    struct input *in = with_decoder(input_new(name), decoder_of_memory(bytes, n), e);
    if (in)
        in->in_memory = true;
    return in;
}

void input_close(struct input *in)
{
    if (!in)
        return;
    decoder_close(in->decoder);
    folder_free(&in->folder);
    free(in->name);
    free(in->buffer);
    free(in);
}

const char *input_name(const struct input *in)
{
    return in->name;
}

void input_set_variant(struct input *in, const char *variant)
{
    in->variant = variant;
}

const char *input_variant(const struct input *in)
{
    return in->variant;
}

static _Noreturn void raise_at(struct input *in, uint64_t column, assay_error *e)
{
    if (!e->file[0])
        snprintf(e->file, sizeof e->file, "%s", in->name);
    if (column)
        error_place(e, in->name, in->lines + 1, column);
    escape_raise(ESCAPE_ERROR);
}

/* Reads more behind the buffered bytes; false at the end of the file. */
static bool fill(struct input *in, assay_error *e)
{
    if (in->ended)
        return false;
    if (in->start) {
        memmove(in->buffer, in->buffer + in->start, in->end - in->start);
        in->end -= in->start;
        in->start = 0;
    }
    if (in->end == in->room) {
        if (in->room >= INPUT_LONGEST_LINE) {
            error_set(e, ASSAY_ERROR_INPUT, "the line is longer than %d MiB", INPUT_LONGEST_LINE / 1024 / 1024);
            error_remedy(e, "is this a text file with one operation a line?");
            raise_at(in, 1, e);
        }
        if (in->memory && in->room * 4 > in->memory / 2)
            escape_raise(ESCAPE_MEMORY_BUDGET);
        char *larger = realloc(in->buffer, in->room * 4 + INPUT_BEHIND);
        if (!larger)
            escape_raise(ESCAPE_OUT_OF_MEMORY);
        in->buffer = larger;
        in->room *= 4;
    }
    size_t n = decoder_read(in->decoder, in->buffer + in->end, in->room - in->end, e);
    if (e->code)
        raise_at(in, 0, e);
    in->end += n;
    in->ended = n == 0;
    return n > 0;
}

size_t input_peek(struct input *in, const char **bytes, assay_error *e)
{
    while (in->end - in->start < 4096 && fill(in, e))
        ;
    *bytes = in->buffer + in->start;
    return in->end - in->start;
}

bool input_line(struct input *in, struct line *line, assay_error *e)
{
    size_t searched = 0;
    char *newline;
    for (;;) {
        char *from = in->buffer + in->start + searched;
        newline = memchr(from, '\n', in->end - in->start - searched);
        if (newline)
            break;
        searched = in->end - in->start;
        if (!fill(in, e))
            break;
    }
    char *at = in->buffer + in->start;
    char *end = newline ? newline : in->buffer + in->end;
    if (!newline && at == end)
        return false;
    in->start = (size_t)(end - in->buffer) + (newline != NULL);
    bool carriage = end > at && end[-1] == '\r';
    end -= carriage;
    *end = '\0'; /* overwrites the line end, or the spare byte behind the buffer */
    *line = (struct line){at, end, ++in->lines, !newline && !carriage && !in->in_memory, carriage};
    return true;
}

const unsigned char *input_bytes(struct input *in, size_t n, assay_error *e)
{
    while (in->end - in->start < n)
        if (!fill(in, e))
            return NULL;
    const char *at = in->buffer + in->start;
    in->start += n;
    return (const unsigned char *)at;
}

bool input_at_end(struct input *in, assay_error *e)
{
    return in->start == in->end && !fill(in, e);
}

const char *input_window(struct input *in)
{
    memset(in->buffer + in->end, 0, INPUT_BEHIND);
    return in->buffer + in->start;
}

void input_skip(struct input *in, size_t bytes, uint64_t lines)
{
    in->start += bytes;
    in->lines += lines;
}

size_t input_left(const struct input *in)
{
    return in->end - in->start + decoder_left(in->decoder);
}

uint64_t input_lines(const struct input *in)
{
    return in->lines;
}

void warn(struct warnings *w, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n < 0)
        return;
    size_t length = (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    vec_push(&w->mem, &w->all, mem_text(&w->mem, text, length));
}
