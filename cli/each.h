/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that report on each history and have no options beyond the common ones. Their rows are SETTINGS_ROWS(struct
 * each_settings), with that of the engine if one can be chosen. */
#ifndef ASSAY_CLI_EACH_H
#define ASSAY_CLI_EACH_H

#include "command.h"
#include "settings.h"

struct each_settings {
    struct settings common; /* must be first: SETTINGS_ROWS */
    const char *model;      /* of the commands that have a row for it; NULL: their default */
    unsigned worst;         /* the same: how many are listed */
};

struct each {
    struct each_settings set;
    bool color;
    int status; /* of the main thread */
    /* The caller's: */
    bool (*begin)(
        struct each *self); /* in the main thread, once the settings are known; or NULL. False, with a message: end */
    bool (*history)(struct reading *reading, assay_history *h, uint32_t index);
    bool keeps;                          /* `history` takes it over */
    void (*conclude)(struct each *self); /* in the main thread, when all were read; or NULL */
};

/* Reads the arguments and calls `history` for every history of the files; reading->context is the
 * struct each. Returns the exit status: 0 unless something could not be read or was interrupted. */
int each_run(struct each *e, const struct command *self, int argc, char **argv);

#endif
