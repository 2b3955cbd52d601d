/* SPDX-License-Identifier: Apache-2.0 */
#include "each.h"

#include "interrupt.h"
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
    if (rec->text[TO_OUTPUT])
        fwrite(rec->text[TO_OUTPUT], 1, rec->size[TO_OUTPUT], stdout);
    fflush(stdout);
    if (rec->text[TO_ERRORS])
        fwrite(rec->text[TO_ERRORS], 1, rec->size[TO_ERRORS], stderr);
    return !ferror(stdout);
}

int each_run(struct each *e, const struct command *self, int argc, char **argv)
{
    struct arguments args;
    struct paths files = {0};
    e->set.common.workers = 1;
    e->color = wants_color();
    if (!options_parse(self, argc, argv, &e->set, &args))
        return args.status;
    if (!settings_probe(&e->set.common, NULL, 0) ||
        !settings_paths(self->name, &e->set.common, &args, &files, &e->status))
        return EXIT_FAULT;
    if (e->begin && !e->begin(e)) {
        paths_free(&files);
        return EXIT_FAULT;
    }
    interrupt_sets_flag();
    bool finished = pool_run(&files, e->set.common.workers, &(struct pool_calls){e, each_file, print_record});
    if (finished && e->conclude && !stopping())
        e->conclude(e);
    if (interrupted()) {
        complain("interrupted");
        e->status = EXIT_OPEN;
    }
    int status = finish_output(e->status);
    if (!finished)
        _exit(status);
    paths_free(&files);
    return status;
}
