/* SPDX-License-Identifier: Apache-2.0 */
/* Reading binary files: fields of fixed size, and faults that name the byte. */
#ifndef ASSAY_FORMAT_BYTES_H
#define ASSAY_FORMAT_BYTES_H

#include "base/error.h"
#include "format/input.h"

#include <inttypes.h>
#include <stdio.h>

struct bytes {
    struct input *in;
    assay_error *e;
    uint64_t read; /* so many */
};

/* The fault is in the error; its place is the file. */
static inline _Noreturn void bytes_raise(struct bytes *b)
{
    error_remedy(b->e, "is it whole, and in this format? -f names another one");
    if (!b->e->file[0])
        snprintf(b->e->file, sizeof b->e->file, "%s", input_path(b->in));
    escape_raise(ESCAPE_ERROR);
}

#define BYTES_FAULT(b, ...) (error_set((b)->e, ASSAY_ERROR_INPUT, __VA_ARGS__), bytes_raise(b))

static inline const unsigned char *bytes_next(struct bytes *b, size_t n, const char *what)
{
    const unsigned char *at = input_bytes(b->in, n, b->e);
    if (!at)
        BYTES_FAULT(b, "at byte %" PRIu64 ": expected %s, found the end of the file: it is cut off", b->read, what);
    b->read += n;
    return at;
}

static inline int64_t bytes_little_at(const unsigned char *at)
{
    uint64_t v = 0;
    for (int i = 7; i >= 0; i--)
        v = v << 8 | at[i];
    return (int64_t)v;
}

static inline int64_t bytes_little(struct bytes *b, const char *what)
{
    return bytes_little_at(bytes_next(b, 8, what));
}

static inline uint64_t bytes_big_at(const unsigned char *at)
{
    uint64_t v = 0;
    for (int i = 0; i < 8; i++)
        v = v << 8 | at[i];
    return v;
}

static inline uint64_t bytes_big(struct bytes *b, const char *what)
{
    return bytes_big_at(bytes_next(b, 8, what));
}

#endif
