/* SPDX-License-Identifier: Apache-2.0 */
/* assay convert: the same histories in another format. A file is replaced only when all is
 * written. */
#include "command.h"
#include "interrupt.h"
#include "outfile.h"
#include "output.h"
#include "selected.h"
#include "settings.h"

#include "assay.h"

#include <stdlib.h>
#include <string.h>

struct convert_settings {
    const char *to, *from;
    size_t memory;
    bool force;
};

static bool ends_in(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0;
}

static bool open_target(struct outfile *f, const char *name)
{
    if (name && (ends_in(name, ".gz") || ends_in(name, ".zst"))) {
        complain("%s: compressed files are read but not written (write to - and pipe into %s)", name,
                 ends_in(name, ".gz") ? "gzip" : "zstd");
        return false;
    }
    return outfile_open(f, name);
}

/* The copy would end with a newline, and nobody could tell any more that the file may be cut. */
static bool would_hide_cut(const struct convert_settings *set, const assay_history *h, assay_error *e)
{
    if (set->force || !assay_history_unended(h))
        return false;
    e->code = ASSAY_ERROR_INPUT;
    snprintf(e->message, sizeof e->message, "the last line has no newline: the file may be cut there");
    snprintf(e->remedy, sizeof e->remedy, "end it with a newline if it is complete, or convert with --force");
    return true;
}

static bool copy_all(long long only, assay_reader *reader, const struct convert_settings *set, struct outfile *out,
                     assay_error *e)
{
    uint32_t index = 0, written = 0;
    for (assay_history *h; (h = selected_next(only, reader, &index, e)); index++) {
        const char *warning;
        for (size_t i = 0; (warning = assay_reader_warning(reader, i)); i++)
            complain("warning: %s", warning);
        bool fine = !would_hide_cut(set, h, e) && assay_history_write(h, set->to, written++, out->stream, e);
        assay_history_free(h);
        outfile_record(out);
        if (!fine || ferror(out->stream))
            return false;
    }
    if (!index && !e->code)
        settings_no_history(e);
    return !e->code;
}

static int convert(const struct convert_settings *set, const char *in, const char *out)
{
    assay_error e = {0};
    struct outfile target = {0};
    interrupt_ends();
    struct selected from = selected_of(in);
    assay_reader *reader = assay_reader_open_within(from.file, set->from, set->memory, &e);
    bool fine = reader && open_target(&target, out) && copy_all(from.index, reader, set, &target, &e);
    if (e.code)
        print_error(stderr, target.stream && ferror(target.stream) ? target.name : from.file, &e);
    fine &= outfile_close(&target, e.code ? OUTFILE_FAILED : OUTFILE_WHOLE);
    assay_reader_close(reader);
    free(from.file);
    return fine ? EXIT_FINE : EXIT_FAULT;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct convert_settings set = {0};
    struct arguments args;
    if (!options_parse(self, argc, argv, &set, &args))
        return args.status;
    if (!set.to) {
        complain("convert: -t FORMAT is missing (`assay list formats` shows the formats)");
        return EXIT_FAULT;
    }
    if (!settings_known(ASSAY_FORMATS, set.to) || (set.from && !settings_known(ASSAY_FORMATS, set.from)))
        return EXIT_FAULT;
    return convert(&set, args.at[0], args.n > 1 ? args.at[1] : NULL);
}

static const struct option_row rows[] = {
    {'t', "to", "FORMAT", "the format to write", OPTION_TEXT, offsetof(struct convert_settings, to),
     FAMILY(ASSAY_FORMATS)},
    {'f', "format", "FORMAT", "the format to read (default: by name and content)", OPTION_TEXT,
     offsetof(struct convert_settings, from), FAMILY(ASSAY_FORMATS)},
    {0, "memory", "MB", "use at most MB megabytes to read a history, decompression included", OPTION_MEGABYTES,
     offsetof(struct convert_settings, memory), 0},
    {0, "force", NULL, "convert a file although its last line has no newline and may be cut", OPTION_FLAG,
     offsetof(struct convert_settings, force), 0},
    {0},
};

const struct command command_convert = {
    .name = "convert",
    .summary = "Write histories in another format.",
    .usage = "-t FORMAT [-f FORMAT] [--memory MB] [--force] IN [OUT]",
    .notes = "IN and OUT may be - (standard input and output). IN may be FILE#N. A file OUT is replaced only after "
             "all of\n"
             "it has been written.\n\nexit status: 0 converted; 2 a fault; 3 interrupted\n",
    .examples = "  assay convert -t hist run.hist.gz tidy.hist\n"
                "  assay convert -t datalog run.hist\n",
    .least = 1,
    .most = 2,
    .expects = "name an input, and an output or none",
    .options = rows,
    .run = run,
};
