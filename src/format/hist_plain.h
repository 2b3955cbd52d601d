/* SPDX-License-Identifier: Apache-2.0 */
/* Plain lines of .hist, read where they lie in the input's buffer, eight bytes at a time: nearly all lines of a large
 * file. A line is plain if it is written as write_hist writes it, or as an event of one space between its words:
 *
 *     t0: write(x, 1)
 *     t1: read(x) => 1 @ 20..30
 *     [t0] call push(5)
 *     [t0] return 5
 *
 * and if its names are short and ASCII, its integers decimal and short, and nothing is wrong with it. All other lines
 * are left to hist.c, which reports faults. Such a line may have left names and threads in the history. They are those
 * that hist.c finds first in it, so it makes the same numbers of them. */
#ifndef ASSAY_FORMAT_HIST_PLAIN_H
#define ASSAY_FORMAT_HIST_PLAIN_H

#include "format/input.h"
#include "format/seen.h"

struct hist_plain {
    struct input *in;
    history *h;
    struct seen threads, calls, words;
    uint32_t wait, waited; /* where lines are not plain, only some are tried */
};

enum hist_plain_form { PLAIN_OPERATIONS, PLAIN_EVENTS };

/* Takes the plain lines that come next. `clock` is the number of events so far, and counts them. Returns how many lines
 * there were. May escape. */
uint64_t hist_plain_lines(struct hist_plain *s, enum hist_plain_form form, int64_t *clock);
void hist_plain_end(struct hist_plain *s);

#endif
