/* SPDX-License-Identifier: Apache-2.0 */
#include "format/decode.h"

#include "base/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef ASSAY_WITH_ZLIB
#include <zlib.h>
#endif
#ifdef ASSAY_WITH_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

enum { RAW = 128 * 1024, LONGEST_MARK = 10 };

enum coding { UNKNOWN, PLAIN, GZIP, ZSTD };

struct decoder {
    int fd; /* -1: all the input is in `raw` already */
    enum coding coding;
    const char *raw;
    char *owned; /* the buffer behind raw, when reading a file */
    size_t start, end;
    bool ended;    /* of the raw input */
    bool finished; /* of the decoded stream: another one must follow, or nothing */
    size_t limit;  /* bytes of memory for decoding; 0: as much as the library allows */
#ifdef ASSAY_WITH_ZLIB
    z_stream gzip;
    bool gzip_open;
#endif
#ifdef ASSAY_WITH_ZSTD
    ZSTD_DStream *zstd;
#endif
};

struct decoder *decoder_of_memory(const char *bytes, size_t n)
{
    struct decoder *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->fd = -1;
    d->raw = bytes;
    d->end = n;
    d->ended = true;
    return d;
}

struct decoder *decoder_of_file(int fd)
{
    struct decoder *d = decoder_of_memory(NULL, 0);
    char *buffer = malloc(RAW);
    if (!d || !buffer) {
        free(d);
        free(buffer);
        return NULL;
    }
    d->fd = fd;
    d->raw = d->owned = buffer;
    d->ended = false;
    return d;
}

void decoder_close(struct decoder *d)
{
    if (!d)
        return;
#ifdef ASSAY_WITH_ZLIB
    if (d->gzip_open)
        inflateEnd(&d->gzip);
#endif
#ifdef ASSAY_WITH_ZSTD
    ZSTD_freeDStream(d->zstd);
#endif
    if (d->fd > STDERR_FILENO)
        close(d->fd);
    free(d->owned);
    free(d);
}

void decoder_limit(struct decoder *d, size_t bytes)
{
    d->limit = bytes;
}

size_t decoder_memory(const struct decoder *d)
{
    size_t bytes = d->owned ? RAW : 0;
#ifdef ASSAY_WITH_ZSTD
    bytes += d->zstd ? ZSTD_sizeof_DStream(d->zstd) : 0;
#endif
    return bytes;
}

bool decoder_is_plain(const struct decoder *d)
{
    return d->coding == PLAIN;
}

size_t decoder_left(const struct decoder *d)
{
    struct stat st;
    size_t buffered = d->end - d->start;
    if (!decoder_is_plain(d) || d->ended)
        return decoder_is_plain(d) ? buffered : 0;
    off_t at = lseek(d->fd, 0, SEEK_CUR);
    if (at < 0 || fstat(d->fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < at)
        return 0;
    return buffered + (size_t)(st.st_size - at);
}

static size_t read_some(struct decoder *d, char *to, size_t room, assay_error *e)
{
    for (;;) {
        ssize_t n = read(d->fd, to, room);
        if (n >= 0)
            return (size_t)n;
        if (errno == EINTR)
            continue;
        error_set(e, ASSAY_ERROR_INPUT, "cannot read: %s", strerror(errno));
        return 0;
    }
}

/* Makes sure that at least `want` raw bytes are there, unless the input ends before. */
static void need_raw(struct decoder *d, size_t want, assay_error *e)
{
    if (d->start && d->end - d->start < want && !d->ended) {
        memmove(d->owned, d->owned + d->start, d->end - d->start);
        d->end -= d->start;
        d->start = 0;
    }
    while (d->end - d->start < want && !d->ended) {
        size_t n = read_some(d, d->owned + d->end, RAW - d->end, e);
        d->end += n;
        d->ended = n == 0;
    }
}

/* Do the bytes begin with the mark, in which ? stands for any byte? */
static bool begins(const char *b, size_t n, const char *mark)
{
    size_t i = 0;
    while (mark[i] && i < n && (mark[i] == '?' || mark[i] == b[i]))
        i++;
    return !mark[i];
}

/* Compressed in a way that is not read: said plainly, not as bytes that are no text. */
static void refuse_others(const char *b, size_t n, assay_error *e)
{
    static const struct {
        const char *mark, *name, *program;
    } others[] = {
        {"\xFD\x37\x7A\x58", "xz", "xz"},
        {"\x04\x22\x4D\x18", "lz4", "lz4"},
        {"PK\x03\x04", "zip", "unzip"},
        {"BZh?\x31\x41\x59\x26\x53\x59", "bzip2", "bzip2"}, /* a word like BZh9 alone may be a thread */
        {"BZh?\x17\x72\x45\x38\x50\x90", "bzip2", "bzip2"}, /* of nothing */
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (begins(b, n, others[i].mark)) {
            error_set(e, ASSAY_ERROR_INPUT, "this is %s data; of compressed files gzip and zstd are read",
                      others[i].name);
            error_remedy(e, "decompress it first, with %s, or compress with gzip or zstd", others[i].program);
        }
}

static void recognise(struct decoder *d, assay_error *e)
{
    need_raw(d, LONGEST_MARK, e);
    const unsigned char *b = (const unsigned char *)d->raw + d->start;
    size_t n = d->end - d->start;
    if (n >= 2 && b[0] == 0x1F && b[1] == 0x8B)
        d->coding = GZIP;
    else if (n >= 4 && b[0] == 0x28 && b[1] == 0xB5 && b[2] == 0x2F && b[3] == 0xFD)
        d->coding = ZSTD;
    else
        d->coding = PLAIN;
    if (d->coding == PLAIN && !e->code)
        refuse_others((const char *)b, n, e);
}

static size_t read_plain(struct decoder *d, char *to, size_t room, assay_error *e)
{
    if (d->start == d->end)
        return d->ended ? 0 : read_some(d, to, room, e);
    size_t n = d->end - d->start < room ? d->end - d->start : room;
    memcpy(to, d->raw + d->start, n);
    d->start += n;
    return n;
}

#if defined(ASSAY_WITH_ZLIB) || defined(ASSAY_WITH_ZSTD)
static void broken(assay_error *e, const char *what)
{
    error_set(e, ASSAY_ERROR_INPUT, "the %s data is damaged or cut short", what);
    error_remedy(e, "make or copy the file again");
}
#endif

#ifdef ASSAY_WITH_ZLIB
static size_t read_gzip(struct decoder *d, char *to, size_t room, assay_error *e)
{
    if (!d->gzip_open) {
        if (inflateInit2(&d->gzip, 15 + 16) != Z_OK) {
            error_set(e, ASSAY_ERROR_RESOURCE, "out of memory");
            return 0;
        }
        d->gzip_open = true;
    }
    size_t got = 0;
    while (!got) {
        need_raw(d, 1, e);
        size_t n = d->end - d->start;
        if (e->code || (!n && d->finished))
            return 0;
        if (d->finished) { /* files may be concatenated */
            inflateReset(&d->gzip);
            d->finished = false;
        }
        d->gzip.next_in = (Bytef *)(uintptr_t)(d->raw + d->start);
        d->gzip.avail_in = n < RAW ? (uInt)n : RAW;
        d->gzip.next_out = (Bytef *)to;
        d->gzip.avail_out = room < RAW ? (uInt)room : RAW;
        uInt before_in = d->gzip.avail_in, before_out = d->gzip.avail_out;
        int status = inflate(&d->gzip, Z_NO_FLUSH);
        d->start += before_in - d->gzip.avail_in;
        got = before_out - d->gzip.avail_out;
        d->finished = status == Z_STREAM_END;
        /* Without raw bytes inflate can still hand out the bytes that it holds; if it has none, bytes are missing. */
        if ((status != Z_OK && status != Z_STREAM_END) || (!n && !got)) {
            broken(e, "gzip");
            return 0;
        }
    }
    return got;
}
#else
static size_t read_gzip(struct decoder *d, char *to, size_t room, assay_error *e)
{
    (void)d, (void)to, (void)room;
    error_set(e, ASSAY_ERROR_MISSING, "this is gzip data, and this program was built without zlib");
    error_remedy(e, "decompress it first, or install zlib1g-dev and build again");
    return 0;
}
#endif

#ifdef ASSAY_WITH_ZSTD
/* A frame says how far back it refers: so much must be kept. */
static bool open_zstd(struct decoder *d)
{
    int log = 10; /* the least there is */
    if (!(d->zstd = ZSTD_createDStream()))
        return false;
    while (d->limit >> (log + 1) && log < 27) /* the library's own limit */
        log++;
    return !d->limit || !ZSTD_isError(ZSTD_DCtx_setParameter(d->zstd, ZSTD_d_windowLogMax, log));
}

static void zstd_fault(const struct decoder *d, size_t status, assay_error *e)
{
    if (ZSTD_getErrorCode(status) != ZSTD_error_frameParameter_windowTooLarge) {
        broken(e, "zstd");
        return;
    }
    error_set(e, d->limit ? ASSAY_ERROR_BUDGET : ASSAY_ERROR_INPUT, "decompressing it takes more memory than %s",
              d->limit ? "it may" : "128 MiB");
    error_remedy(e, d->limit ? "give more with --memory, or decompress it first" : "decompress it first");
}

static size_t read_zstd(struct decoder *d, char *to, size_t room, assay_error *e)
{
    if (!d->zstd && !open_zstd(d)) {
        error_set(e, ASSAY_ERROR_RESOURCE, "out of memory");
        return 0;
    }
    ZSTD_outBuffer out = {to, room, 0};
    while (!out.pos) {
        need_raw(d, 1, e);
        size_t n = d->end - d->start;
        if (e->code || (!n && d->finished))
            return 0;
        ZSTD_inBuffer in = {d->raw + d->start, n, 0};
        size_t left = ZSTD_decompressStream(d->zstd, &out, &in);
        d->start += in.pos;
        d->finished = left == 0;
        if (ZSTD_isError(left) || (!n && !out.pos)) {
            zstd_fault(d, left, e);
            return 0;
        }
    }
    return out.pos;
}
#else
static size_t read_zstd(struct decoder *d, char *to, size_t room, assay_error *e)
{
    (void)d, (void)to, (void)room;
    error_set(e, ASSAY_ERROR_MISSING, "this is zstd data, and this program was built without libzstd");
    error_remedy(e, "decompress it first, or install libzstd-dev and build again");
    return 0;
}
#endif

size_t decoder_read(struct decoder *d, char *to, size_t room, assay_error *e)
{
    if (d->coding == UNKNOWN)
        recognise(d, e);
    if (e->code)
        return 0;
    switch (d->coding) {
    case GZIP: return read_gzip(d, to, room, e);
    case ZSTD: return read_zstd(d, to, room, e);
    default: return read_plain(d, to, room, e);
    }
}
