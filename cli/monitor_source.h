/* SPDX-License-Identifier: Apache-2.0 */
/* Where the bytes of a monitor come from: a stream that is read once (assay_stream), a file with positions, or a socket
 * with several writers. */
#ifndef ASSAY_CLI_MONITOR_SOURCE_H
#define ASSAY_CLI_MONITOR_SOURCE_H

#include "assay_monitor.h"
#include "monitor_file.h"
#include "monitor_writers.h"

#include <signal.h>

struct source_options {
    bool follow, writers;
    bool needs_position;              /* a file is read as one with positions */
    const struct file_position *from; /* NULL: from the start */
    const char *mode, *group;         /* of the socket */
};

struct source {
    bool is_open, is_file, has_writers;
    assay_stream *stream;
    struct monitor_file file;
    struct monitor_writers writers;
};

bool source_open(struct source *s, const char *name, const struct source_options *o, assay_error *e);
/* How long to wait, if it may be `ms`; -1: for ever. A file that is followed is looked at now and then. */
long source_patience(const struct source *s, long ms);
bool source_polls(const struct source *s);
/* Waits for so many milliseconds with these signals let in. True: there may be something to read. */
bool source_wait(const struct source *s, long ms, const sigset_t *signals);
/* SOURCE_GAP: bytes were lost, as a warning has said. */
enum source_read { SOURCE_BYTES, SOURCE_NOTHING_YET, SOURCE_GAP, SOURCE_END, SOURCE_FAULT };
enum source_read source_read(struct source *s, char *to, size_t room, size_t *got, assay_error *e);
void source_close(struct source *s);

#endif
