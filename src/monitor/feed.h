/* SPDX-License-Identifier: Apache-2.0 */
/* Events as text, in pieces as they arrive: lines of .hist in its event form, or of JSON Lines.
 *
 * Nearly all lines of a stream look like `[12] call enq(345)`, `[7] return 42` or `[7] return empty`. feed.c takes
 * these if all is well with them: their words are read as hist_plain.h reads them. Every other line, also one with a
 * fault in it, goes to stream_line.c, which reads every kind of line and reports faults. */
#ifndef ASSAY_MONITOR_FEED_H
#define ASSAY_MONITOR_FEED_H

#include "format/entry.h"
#include "format/plain.h"
#include "monitor/monitor.h"

struct feed {
    struct monitor *m;
    struct input *in;         /* names the stream in faults */
    struct text begun;        /* bytes, of which the last line's end has not arrived */
    bool skipping;            /* the rest of a line that is too long */
    history *names;           /* of the lines that stream_line.c reads; thrown away now and then */
    struct text line;         /* the one at hand, with a NUL behind it */
    struct plain_words words; /* of plain lines; their meanings are symbols */
    uint32_t sweeps;          /* of the symbols, since these words were learnt */
    struct entry entry;       /* of it; its room is that of the names */
    assay_error fault;        /* in it */
    struct warnings warnings; /* about it */
    struct value args[UINT8_MAX];
};

/* Both may escape; ESCAPE_ERROR after filling in f->fault. */
void feed_bytes(struct feed *f, const char *bytes, size_t n);
void feed_end(struct feed *f);  /* a last line without an end is dropped, if it may be cut */
void feed_free(struct feed *f); /* frees everything outside of the monitor's memory; never escapes */

/* One line, without its line end. */
void line_read(struct feed *f, const char *at, size_t n);
/* Hands out the warnings in f->warnings. */
void line_warn(struct feed *f);
/* A fault that f->fault has been filled in with: reported, if lenient, else raised. */
void line_fault(struct feed *f);

#endif
