/* SPDX-License-Identifier: Apache-2.0 */
/* Plain lines of .hist are written as write_hist writes them, or are events with one space between their words:
 *
 *     t0: write(x, 1)
 *     t1: read(x) => 1 @ 20..30
 *     t2: txn(r x 1, append z 3, r z [1 2 3])
 *     [t0] call push(5)
 *     [t0] return 5
 */
#ifndef ASSAY_FORMAT_HIST_PLAIN_H
#define ASSAY_FORMAT_HIST_PLAIN_H

#include "format/plain.h"

enum hist_plain_form { PLAIN_OPERATIONS, PLAIN_EVENTS };

/* Takes the plain lines that come next. `events` is how many there were before, and counts them. Returns how many lines
 * there were. May escape. */
uint64_t hist_plain_lines(struct plain_lines *s, enum hist_plain_form form, uint64_t *events);

#endif
