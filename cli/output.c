/* SPDX-License-Identifier: Apache-2.0 */
#include "output.h"

#include "characters.h"
#include "command.h"
#include "outfile.h"
#include "source_line.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A stream that was closed is occupied before anything is opened: else the first file takes its number, and a report
 * lands in the evidence. Opened the wrong way round: reading from it or writing to it stays a fault. */
static void occupy_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream)
            _exit(EXIT_FAULT);
}

void program_begin(void)
{
    occupy_streams();
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow further is a fault of writing, with its message */
}

void show(FILE *to, const char *text)
{
    assay_show(text, strlen(text), "", to);
}

/* The columns of a terminal; 0: it is none. */
static size_t columns_of(int stream)
{
    struct winsize size = {0};
    return isatty(stream) && ioctl(stream, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void put_messages(const char *text)
{
    static const char start[] = "assay: ";
    size_t columns = columns_of(STDERR_FILENO);
    while (columns && *text) {
        size_t n = strcspn(text, "\n");
        char *line = strndup(text, n);
        if (!line)
            break;
        if (strncmp(line, start, sizeof start - 1) == 0)
            assay_wrap(line, columns, 2, stderr);
        else
            fprintf(stderr, "%s\n", line);
        free(line);
        text += n + (text[n] == '\n');
    }
    fputs(text, stderr);
}

void complain(const char *format, ...)
{
    va_list args;
    char text[8192], *shown = NULL; /* there may be no memory to complain with */
    size_t size = 0;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    FILE *memory = columns_of(STDERR_FILENO) ? open_memstream(&shown, &size) : NULL, *to = memory ? memory : stderr;
    fputs("assay: ", to);
    show(to, text);
    fputc('\n', to);
    if (memory && fclose(memory) == 0)
        put_messages(shown);
    free(shown);
}

void complain_unknown(const struct suggestion *s, const char *remedy, const char *format, ...)
{
    va_list args;
    char text[4096];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char near[512] = "";
    for (size_t i = 0, at = 0; i < s->n && at < sizeof near; i++)
        at += (size_t)snprintf(near + at, sizeof near - at, "%s%s",
                               !i             ? "did you mean "
                               : i + 1 < s->n ? ", "
                                              : " or ",
                               s->best[i]);
    complain("%s (%s%s)", text, s->n ? near : remedy, s->n ? "?" : "");
}

/* Names that are not shown as they are, as they are shown: few, and kept. */
static const char *shown_name(const char *file)
{
    static struct known {
        struct known *next;
        char *name, *shown;
    } * all;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    char *text = NULL;
    size_t size;
    FILE *f = memory_stream(&text, &size);
    show(f, file);
    memory_close(f, &text);
    if (strcmp(text, file) == 0) {
        free(text);
        return file;
    }
    pthread_mutex_lock(&lock);
    struct known *k = all;
    while (k && strcmp(k->name, file) != 0)
        k = k->next;
    if (k) {
        free(text);
    } else {
        k = grow(NULL, sizeof *k);
        *k = (struct known){all, copy_text(file), text};
        all = k;
    }
    pthread_mutex_unlock(&lock);
    return k->shown;
}

const char *spoken(const char *file)
{
    return strcmp(file, "-") == 0 ? "standard input" : shown_name(file);
}

static void write_error(FILE *to, const char *file, const assay_error *e)
{
    fputs("assay: ", to);
    if (e->file[0] || file) {
        show(to, e->file[0] ? e->file : spoken(file));
        fputc(':', to);
    }
    if (e->line)
        fprintf(to, "%llu:", (unsigned long long)e->line);
    if (e->line && e->column)
        fprintf(to, "%llu:", (unsigned long long)e->column);
    if (e->file[0] || file)
        fputc(' ', to);
    assay_show(e->message, strlen(e->message), "\n", to); /* an axiom is shown on lines of its own */
    if (e->remedy[0]) {
        fputs(" (", to);
        show(to, e->remedy);
        fputc(')', to);
    }
    fputc('\n', to);
    if (e->line && e->column && (e->file[0] || file))
        print_source_line(to, e->file[0] ? e->file : file, e->line, e->column);
}

void print_error(FILE *to, const char *file, const assay_error *e)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = to == stderr && columns_of(STDERR_FILENO) ? open_memstream(&text, &size) : NULL;
    write_error(memory ? memory : to, file, e);
    if (memory && fclose(memory) == 0)
        put_messages(text);
    free(text);
}

/* ---- JSON ---- */

void print_json(FILE *to, const char *text)
{
    if (!text) {
        fputs("null", to);
        return;
    }
    fputc('"', to);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t n = character_length(s);
        if (!n)
            fputs("\xEF\xBF\xBD", to);
        else if (*s == '"' || *s == '\\')
            fprintf(to, "\\%c", *s);
        else
            assay_show((const char *)s, n, "", to); /* its escapes are those of JSON */
        s += n ? n : 1;
    }
    fputc('"', to);
}

void print_json_text(FILE *to, char before, const char *name, const char *text)
{
    fprintf(to, "%c\"%s\":", before, name);
    print_json(to, text);
}

void print_json_number(FILE *to, const char *name, uint64_t number, bool known)
{
    fprintf(to, ",\"%s\":", name);
    if (known)
        fprintf(to, "%llu", (unsigned long long)number);
    else
        fputs("null", to);
}

void print_json_error(FILE *to, const char *file, long long index, const char *model, const assay_error *e)
{
    print_json_text(to, '{', "file", file);
    if (index >= 0)
        fprintf(to, ",\"index\":%lld", index);
    print_json_text(to, ',', "model", model);
    print_json_text(to, ',', "error", e->message);
    print_json_number(to, "line", e->line, e->line);
    print_json_number(to, "column", e->column, e->column);
    print_json_text(to, ',', "remedy", e->remedy[0] ? e->remedy : NULL);
    fputs("}\n", to);
}

/* ---- streams ---- */

static bool lost(const char *name)
{
    complain("cannot write %s: %s", name, strerror(errno));
    return false;
}

bool finish(FILE *stream, const char *name)
{
    bool failed = ferror(stream);
    if (fclose(stream) != 0 || failed)
        return lost(name);
    return true;
}

int finish_output(int status)
{
    bool failed = ferror(stdout);
    if (fflush(stdout) != 0 || failed) {
        lost("standard output");
        return EXIT_FAULT;
    }
    return status;
}

int weightier(int a, int b)
{
    static const int weight[] = {[EXIT_FINE] = 0, [EXIT_OPEN] = 1, [EXIT_VIOLATED] = 2, [EXIT_FAULT] = 3};
    return weight[a] >= weight[b] ? a : b;
}

bool wants_color(void)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

void put_painted(FILE *to, const char *color, const char *text)
{
    if (color)
        fprintf(to, "\033[%sm%s\033[0m", color, text);
    else
        fputs(text, to);
}

size_t terminal_width(void)
{
    enum { NARROWEST = 20, WIDEST = 1000 }; /* a width beyond these is a mistake */
    const char *columns = getenv("COLUMNS");
    long width = columns ? strtol(columns, NULL, 10) : 0;
    if (width <= 0)
        width = (long)columns_of(STDOUT_FILENO);
    if (width <= 0)
        return 0;
    return width < NARROWEST ? NARROWEST : width > WIDEST ? WIDEST : (size_t)width;
}

void print_wrapped(size_t indent, const char *format, ...)
{
    va_list args;
    char *text = NULL;
    size_t size = 0;
    FILE *f = memory_stream(&text, &size);
    va_start(args, format);
    vfprintf(f, format, args);
    va_end(args);
    memory_close(f, &text);
    assay_wrap(text, terminal_width(), indent, stdout);
    free(text);
}

/* ---- memory ---- */

static void out_of_memory(void)
{
    complain("out of memory");
    outfile_abandon();
    fflush(stdout);
    _exit(EXIT_FAULT);
}

void *grow(void *block, size_t bytes)
{
    void *p = realloc(block, bytes ? bytes : 1);
    if (!p)
        out_of_memory();
    return p;
}

char *copy_text(const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(grow(NULL, n), s, n);
}

FILE *memory_stream(char **text, size_t *size)
{
    FILE *f = open_memstream(text, size);
    if (!f)
        out_of_memory();
    return f;
}

void memory_close(FILE *stream, char *const *text)
{
    bool failed = ferror(stream);
    if (fclose(stream) != 0 || failed || !*text)
        out_of_memory();
}

/* A failure to write to standard output is reported at its end. */
static void need(bool written, FILE *to)
{
    if (!written && !ferror(to))
        out_of_memory();
}

void put_report(const assay_result *r, const char *kind, const assay_report_options *options, FILE *to)
{
    need(assay_result_report(r, kind, options, to, NULL), to);
}

void put_history(const assay_history *h, FILE *to)
{
    need(assay_history_write(h, "hist", 0, to, NULL), to);
}
