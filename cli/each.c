/* SPDX-License-Identifier: Apache-2.0 */
#include "each.h"

#include "interrupt.h"
#include "outfile.h"
#include "output.h"

#include <unistd.h>

static void each_file(void *context, struct task *t)
{
    struct each *e = context;
    struct reading reading = {&e->set.common, t, e, e->history, e->keeps};
    settings_read(&reading);
}

static bool print_record(void *context, const struct record *rec)
{
    struct each *e = context;
    e->status = weightier(e->status, rec->status);
    tally_add(&e->tally, rec);
    if (rec->text[TO_OUTPUT])
        assay_wrap(rec->text[TO_OUTPUT], e->width, 0, stdout);
    fflush(stdout);
    if (rec->text[TO_ERRORS])
        put_messages(rec->text[TO_ERRORS]);
    if (e->pages.folder)
        e->fault |= !pages_add(&e->pages, rec, false);
    else
        picked_take(&e->page, rec, TO_HTML);
    return !ferror(stdout);
}

/* A history must not be lost to its own page. */
static bool page_apart(const struct command *self, struct each *e, const struct paths *files)
{
    const char *name = e->set.html;
    if (pages_folder(name)) {
        e->pages.folder = name;
        return outfile_folder(name);
    }
    if (name && !outfile_standard(name) && paths_hold(files, name)) {
        complain("%s: --html %s would overwrite a history that is to be read (name another file)", self->name, name);
        return false;
    }
    return true;
}

static bool write_pages(struct each *e)
{
    bool cut = interrupted() || ferror(stdout);
    bool fine = e->pages.folder ? pages_close(&e->pages) : picked_write(&e->page, e->set.html, "html", cut);
    pages_free(&e->pages);
    picked_free(&e->page);
    return fine && !e->fault;
}

int each_run(struct each *e, const struct command *self, int argc, char **argv)
{
    struct arguments args;
    struct paths files = {0};
    e->set.common.workers = 1;
    e->color = wants_color();
    if (!options_parse(self, argc, argv, &e->set, &args))
        return args.status;
    e->width = e->set.common.json ? 0 : terminal_width();
    if (!settings_probe(&e->set.common, NULL, 0) ||
        !settings_paths(self->name, &e->set.common, &args, &files, &e->status))
        return EXIT_FAULT;
    if (!page_apart(self, e, &files) || (e->begin && !e->begin(e))) {
        paths_free(&files);
        return EXIT_FAULT;
    }
    interrupt_sets_flag();
    bool finished = pool_run(&files, e->set.common.workers,
                             &(struct pool_calls){e, each_file, print_record, e->set.quiet});
    if (finished && e->conclude && !stopping())
        e->conclude(e);
    if (e->consistent && !e->set.quiet && !e->set.common.json)
        tally_print(&e->tally, e->consistent, e->color, stdout);
    if (interrupted()) {
        complain("interrupted");
        e->status = EXIT_OPEN;
    }
    if (finished && !write_pages(e))
        e->status = EXIT_FAULT;
    int status = finish_output(e->status);
    if (!finished)
        _exit(status);
    paths_free(&files);
    return status;
}
