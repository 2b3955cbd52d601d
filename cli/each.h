/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that report on each history and have no options beyond the common ones. Their rows are SETTINGS_ROWS(struct
 * each_settings), with that of the engine if one can be chosen. */
#ifndef ASSAY_CLI_EACH_H
#define ASSAY_CLI_EACH_H

#include "command.h"
#include "pages.h"
#include "picked.h"
#include "settings.h"
#include "tally.h"

struct each_settings {
    struct settings common; /* must be first: SETTINGS_ROWS */
    const char *model;      /* of the commands that have a row for it; NULL: their default */
    unsigned worst;         /* the same: how many are listed */
    const char *html;       /* the same: a page, or a folder of pages */
    bool quiet;             /* the same: no closing line, no progress */
};

struct each {
    struct each_settings set;
    bool color;
    size_t width; /* of the terminal; 0: lines are not broken */
    int status;   /* of the main thread, as the next four: */
    struct tally tally;
    struct picked page;
    struct pages pages; /* instead, if --html names a folder; its folder is NULL else */
    bool fault;         /* a page could not be written */
    /* The caller's: */
    bool (*begin)(
        struct each *self); /* in the main thread, once the settings are known; or NULL. False, with a message: end */
    bool (*history)(struct reading *reading, assay_history *h, uint32_t index);
    bool keeps;                          /* `history` takes it over */
    const char *consistent;              /* the word for histories without a violation in a closing line; or NULL */
    void (*conclude)(struct each *self); /* in the main thread, when all were read; or NULL */
};

/* Reads the arguments and calls `history` for every history of the files; reading->context is the
 * struct each. Returns the exit status: 0 unless something could not be read or was interrupted. */
int each_run(struct each *e, const struct command *self, int argc, char **argv);

#endif
