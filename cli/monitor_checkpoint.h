/* SPDX-License-Identifier: Apache-2.0 */
/* The file of --checkpoint: the state of a monitor, and how far it had read its input.
 *
 * The first line has the version of the form. Lines of text follow, and the bytes of the state (assay_monitor_save).
 * The last line has a checksum of all that. It is written beside its place and renamed, so it is whole or the one
 * before. */
#ifndef ASSAY_CLI_MONITOR_CHECKPOINT_H
#define ASSAY_CLI_MONITOR_CHECKPOINT_H

#include "assay_monitor.h"
#include "monitor_file.h"
#include "monitor_reported.h"

struct checkpoint {
    bool has_position; /* the input is a file */
    struct file_position position;
    struct monitor_reported reported;
};

/* Reads it into a monitor that was just opened. *there: is there such a file? False, with a message: it is damaged,
 * newer, of something else, or of other options or another input. */
bool checkpoint_load(const char *name, const char *input, assay_monitor *m, struct checkpoint *out, bool *there);
/* The state as it is now, to be written once or several times. file NULL: the input has no position. False, with a
 * message. */
struct checkpoint_state {
    char *text; /* to be freed */
    size_t n;
};
bool checkpoint_take(const char *name, const char *input, assay_monitor *m, const struct monitor_file *file,
                     struct checkpoint_state *out);
bool checkpoint_write(const char *name, const struct checkpoint_state *state, const struct monitor_reported *reported);

#endif
