/* SPDX-License-Identifier: Apache-2.0 */
/* The file that a monitor follows: read from any position, while it grows, and across rotations.
 *
 * A position is a file, an offset, the first bytes of the file and the last ones before the offset. They are kept as
 * they were read, and never taken from the file again. So they tell whether the file is still the one that was read.
 * They are compared behind each read: bytes of another content do not count. Two ways of rotation are known, as
 * logrotate has them:
 *   - rename and create. The path names another file. The old one is read to its end once the new one has bytes, since
 *     then the writer has gone over to it;
 *   - copy and truncate. The file has other bytes before the offset, or is shorter. The copy is looked for among the
 *     rotated files: it has the right bytes before the offset. It is read to its end first.
 * A rotated file has the path's name with dots, dashes and digits behind it. Several are read in the order in which
 * they were written to last. Several rotations between two looks are noticed, too. At the start of the path's file
 * there may be a rotated file that is later than the one before, and begins otherwise. It comes first. So no byte that
 * the rotation keeps is lost or read twice, even if the monitor was not running. If no file has the position any more,
 * that is a gap. */
#ifndef ASSAY_CLI_MONITOR_FILE_H
#define ASSAY_CLI_MONITOR_FILE_H

#include "assay.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FILE_HEAD = 256, FILE_TAIL = 4096 };

struct file_age { /* of the file that was read before; of the first one, its own at the start. inode 0: unknown */
    uint64_t inode, seconds, nanoseconds;
};

struct file_position {
    uint64_t device, inode, offset;
    uint64_t lines; /* of the files before it; the monitor counts across them */
    uint64_t again; /* so many bytes before the offset are read again: a line whose end has not come */
    struct file_age before;
    uint32_t head_n, tail_n;
    unsigned char head[FILE_HEAD]; /* the first bytes, as far as they were read */
    unsigned char tail[FILE_TAIL]; /* the bytes before the offset */
};

struct monitor_file {
    const char *path;
    int fd;                  /* -1: there is no such file yet */
    struct file_position at; /* in it */
    bool follows;            /* wait for more at the end */
    bool old;                /* it is an older file: behind its end the path's own comes, from its start */
    bool gap;                /* the position is gone; not reported yet */
    bool begins;             /* the bytes that were read last are the first ones of a file */
};

/* from NULL: from the start. False with an error: the file cannot be read, or the position is gone and the file is not
 * followed. */
bool monitor_file_open(struct monitor_file *f, const char *path, bool follows, const struct file_position *from,
                       assay_error *e);
/* FILE_GAP: bytes were lost, as a warning has said. The next bytes are the first ones of the file. */
enum file_read { FILE_BYTES, FILE_NOTHING_YET, FILE_GAP, FILE_END, FILE_FAULT };
enum file_read monitor_file_read(struct monitor_file *f, char *to, size_t room, size_t *got, assay_error *e);
/* The position, from which so many bytes that were read last are read again. */
struct file_position monitor_file_position(const struct monitor_file *f, size_t again);
void monitor_file_close(struct monitor_file *f);

#endif
