/* SPDX-License-Identifier: Apache-2.0 */
/* assay convert: the same histories in another format. A file is replaced only when all is
 * written. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "command.h"
#include "interrupt.h"
#include "output.h"
#include "settings.h"

#include "assay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct convert_settings {
    const char *to, *from;
};

/* Where the output goes: standard output, a device or pipe as it is, or a temporary file beside its
 * name. */
struct target {
    const char *name;
    char *real;      /* the file to replace: links are followed */
    char *temporary; /* NULL: written directly */
    FILE *stream;
};

static bool cannot_write(const char *name)
{
    complain("cannot write %s: %s", name, strerror(errno));
    return false;
}

static bool ends_in(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

static mode_t usual_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static bool open_temporary(struct target *t, const struct stat *old)
{
    char *real = realpath(t->name, NULL);
    t->real = real ? real : copy_text(t->name);
    t->temporary = grow(NULL, strlen(t->real) + sizeof ".XXXXXX");
    strcat(strcpy(t->temporary, t->real), ".XXXXXX");
    int fd = mkstemp(t->temporary);
    if (fd >= 0 && fchmod(fd, old ? old->st_mode & 0777 : usual_mode()) == 0)
        t->stream = fdopen(fd, "w");
    if (t->stream)
        return true;
    cannot_write(t->name);
    if (fd >= 0) {
        unlink(t->temporary);
        close(fd);
    }
    return false;
}

static bool open_target(struct target *t)
{
    struct stat old;
    if (!t->name || strcmp(t->name, "-") == 0) {
        t->name = "standard output";
        t->stream = stdout;
        return true;
    }
    if (ends_in(t->name, ".gz") || ends_in(t->name, ".zst")) {
        complain("%s: compressed files are read but not written (write to - and pipe into %s)",
                 t->name, ends_in(t->name, ".gz") ? "gzip" : "zstd");
        return false;
    }
    bool exists = stat(t->name, &old) == 0;
    if (!exists || S_ISREG(old.st_mode))
        return open_temporary(t, exists ? &old : NULL);
    t->stream = fopen(t->name, "w");
    return t->stream || cannot_write(t->name);
}

/* Keeps what was written, or forgets it. */
static bool close_target(struct target *t, bool keep)
{
    bool fine = true;
    if (t->stream == stdout)
        fine = finish_output(EXIT_FINE) == EXIT_FINE;
    else if (t->stream)
        fine = finish(t->stream, t->name);
    if (t->stream && t->temporary && !(keep && fine))
        unlink(t->temporary);
    else if (t->stream && t->temporary && rename(t->temporary, t->real) != 0) {
        fine = cannot_write(t->name);
        unlink(t->temporary);
    }
    interrupt_ends(NULL);
    free(t->temporary);
    free(t->real);
    return fine;
}

static bool copy_all(assay_reader *reader, const char *format, FILE *out, assay_error *e)
{
    uint32_t index = 0;
    for (assay_history *h; (h = assay_reader_next(reader, e)); index++) {
        const char *warning;
        for (size_t i = 0; (warning = assay_reader_warning(reader, i)); i++)
            complain("warning: %s", warning);
        bool fine = assay_history_write(h, format, index, out, e);
        assay_history_free(h);
        if (!fine || ferror(out))
            return false;
    }
    if (!index && !e->code)
        settings_no_history(e);
    return !e->code;
}

static int convert(const struct convert_settings *set, const char *in, const char *out)
{
    assay_error e = {0};
    struct target target = {.name = out};
    assay_reader *reader = assay_reader_open(in, set->from, &e);
    bool fine = reader && open_target(&target);
    interrupt_ends(target.temporary);
    if (fine)
        fine = copy_all(reader, set->to, target.stream, &e);
    if (e.code)
        print_error(stderr, in, &e);
    fine &= close_target(&target, fine);
    assay_reader_close(reader);
    return fine ? EXIT_FINE : EXIT_FAULT;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct convert_settings set = {0};
    struct arguments args;
    enum parsed parsed = options_parse(self, argc, argv, &set, &args);
    if (parsed != PARSED)
        return options_status(parsed);
    if (args.n < 1 || args.n > 2) {
        complain("convert: name one input and at most one output (`assay convert --help`)");
        return EXIT_FAULT;
    }
    if (!set.to) {
        complain("convert: -t FORMAT is missing (`assay list formats` shows the formats)");
        return EXIT_FAULT;
    }
    if (!settings_known(ASSAY_FORMATS, set.to) ||
        (set.from && !settings_known(ASSAY_FORMATS, set.from)))
        return EXIT_FAULT;
    return convert(&set, args.at[0], args.n > 1 ? args.at[1] : NULL);
}

static const struct option_row rows[] = {
    {'t', "to", "FORMAT", "the format to write", OPTION_TEXT, offsetof(struct convert_settings, to),
     FAMILY(ASSAY_FORMATS)},
    {'f', "format", "FORMAT", "the format to read; default: by name and content", OPTION_TEXT,
     offsetof(struct convert_settings, from), FAMILY(ASSAY_FORMATS)},
    {0},
};

const struct command command_convert = {
    .name = "convert",
    .summary = "Write histories in another format.",
    .usage = "-t FORMAT [-f FORMAT] IN [OUT]",
    .notes = "IN and OUT may be - (standard input and output). A file OUT is replaced only after "
             "all of\n"
             "it has been written.\n\nexit status: 0 converted; 2 a fault; 3 interrupted\n",
    .examples = "  assay convert -t hist run.hist.gz tidy.hist\n"
                "  assay convert -t datalog run.hist\n",
    .options = rows,
    .run = run,
};
