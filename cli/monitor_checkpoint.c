/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor_checkpoint.h"

#include "outfile.h"
#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 3 };
static const char magic[] = "assay-checkpoint ";
static const char last_line[] = "checksum ";
enum { LAST_LINE = sizeof last_line - 1 + 16 + 1 };

/* FNV-1a: against damage, not against malice. */
static uint64_t checksum(const char *bytes, size_t n)
{
    uint64_t sum = 0xCBF29CE484222325u;
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ (unsigned char)bytes[i]) * 0x100000001B3u;
    return sum;
}

static void print_hex(FILE *f, const unsigned char *bytes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        fprintf(f, "%02x", bytes[i]);
}

bool checkpoint_take(const char *name, const char *input, assay_monitor *m, const struct monitor_file *file,
                     struct checkpoint_state *out)
{
    char *state = NULL;
    size_t state_n, pending;
    assay_error e = {0};
    FILE *f = memory_stream(&state, &state_n);
    bool fine = assay_monitor_save(m, f, &pending, &e);
    memory_close(f, &state);
    if (!fine) {
        print_error(stderr, name, &e);
        free(state);
        return false;
    }
    f = memory_stream(&out->text, &out->n);
    fprintf(f, "%s%d\ninput %zu ", magic, VERSION, strlen(input));
    fputs(input, f);
    struct file_position p = file ? monitor_file_position(file, pending) : (struct file_position){0};
    fprintf(f, "\nposition %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, file != NULL, p.device, p.inode, p.offset,
            p.again);
    fprintf(f, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " ", p.before.inode, p.before.seconds,
            p.before.nanoseconds, p.lines);
    print_hex(f, p.head, p.head_n);
    fputc(' ', f);
    print_hex(f, p.tail, p.tail_n);
    fprintf(f, "\nstate %zu\n", state_n);
    fwrite(state, 1, state_n, f);
    memory_close(f, &out->text);
    free(state);
    return true;
}

bool checkpoint_write(const char *name, const struct checkpoint_state *state, const struct monitor_reported *reported)
{
    char *text = NULL;
    size_t n;
    FILE *f = memory_stream(&text, &n);
    fwrite(state->text, 1, state->n, f);
    fprintf(f, "reported %zu\n", reported->n);
    for (size_t i = 0; i < reported->n; i++) {
        const struct reported_violation *v = &reported->at[i];
        fprintf(f, "%" PRIu64 " %" PRIu64 " %zu %s\n", v->index, v->event, strlen(v->object), v->object);
    }
    fflush(f);
    uint64_t sum = checksum(text, n);
    fprintf(f, "%s%016" PRIx64 "\n", last_line, sum);
    memory_close(f, &text);
    bool fine = outfile_write(name, text, n);
    free(text);
    return fine;
}

/* ---- reading ---- */

static char *read_file(const char *name, size_t *n)
{
    FILE *f = fopen(name, "rb");
    if (!f)
        return NULL;
    char *bytes = NULL;
    *n = 0;
    for (size_t got = 1; got;) {
        bytes = grow(bytes, *n + 65536 + 1);
        got = fread(bytes + *n, 1, 65536, f);
        *n += got;
    }
    bytes[*n] = '\0';
    bool fine = !ferror(f);
    fclose(f);
    if (fine)
        return bytes;
    free(bytes);
    return NULL;
}

static bool refuse(const char *name, const char *why)
{
    complain("%s: %s (delete it, and start with --attach)", name, why);
    return false;
}

struct reading {
    const char *name, *at, *end;
    bool fine;
};

/* The bytes up to a character, which must be there. */
static const char *until(struct reading *r, char c, size_t *n)
{
    const char *from = r->at, *to = r->fine ? memchr(r->at, c, (size_t)(r->end - r->at)) : NULL;
    r->fine = to != NULL;
    if (!to)
        return "";
    *n = (size_t)(to - from);
    r->at = to + 1;
    return from;
}

static void word(struct reading *r, const char *text)
{
    size_t n = strlen(text);
    r->fine &= (size_t)(r->end - r->at) >= n && memcmp(r->at, text, n) == 0;
    r->at += r->fine ? n : 0;
}

static uint64_t number(struct reading *r, char behind)
{
    size_t n = 0;
    const char *at = until(r, behind, &n);
    char *end = NULL;
    uint64_t value = r->fine ? strtoull(at, &end, 10) : 0;
    r->fine &= n && end == at + n;
    return value;
}

static uint32_t hex_bytes(struct reading *r, char behind, unsigned char *to, size_t room)
{
    size_t n = 0;
    const char *at = until(r, behind, &n);
    r->fine &= n % 2 == 0 && n / 2 <= room;
    for (size_t i = 0; r->fine && i < n / 2; i++) {
        char two[3] = {at[2 * i], at[2 * i + 1], '\0'}, *end;
        to[i] = (unsigned char)strtoul(two, &end, 16);
        r->fine &= *end == '\0';
    }
    return r->fine ? (uint32_t)(n / 2) : 0;
}

static void reported(struct reading *r, struct monitor_reported *out)
{
    word(r, "reported ");
    for (uint64_t n = number(r, '\n'); r->fine && n; n--) {
        uint64_t index = number(r, ' '), event = number(r, ' ');
        size_t length = (size_t)number(r, ' ');
        r->fine &= length < (size_t)(r->end - r->at);
        if (r->fine)
            monitor_reported_add(out, index, event, r->at, length);
        r->at += r->fine ? length : 0;
        word(r, "\n");
    }
}

/* Is it whole, and of this version? */
static bool is_whole(const char *name, const char *bytes, size_t n)
{
    char sum[LAST_LINE + 1];
    char *end;
    if (n < sizeof magic || memcmp(bytes, magic, sizeof magic - 1) != 0)
        return refuse(name, "this is no checkpoint of a monitor");
    unsigned long version = strtoul(bytes + sizeof magic - 1, &end, 10);
    if (*end == '\n' && version > VERSION)
        return refuse(name, "the checkpoint was written by a newer version of the program");
    if (*end == '\n' && version < VERSION)
        return refuse(name, "the checkpoint was written by an older version of the program");
    if (n > LAST_LINE)
        snprintf(sum, sizeof sum, "%s%016" PRIx64 "\n", last_line, checksum(bytes, n - LAST_LINE));
    if (n <= LAST_LINE || *end != '\n' || memcmp(bytes + n - LAST_LINE, sum, LAST_LINE) != 0)
        return refuse(name, "the checkpoint is damaged");
    return true;
}

static bool take(const char *name, const char *input, assay_monitor *m, struct checkpoint *out, const char *bytes,
                 size_t n)
{
    if (!is_whole(name, bytes, n))
        return false;
    struct reading r = {name, bytes, bytes + n - LAST_LINE, true};
    size_t ignored, length;
    until(&r, '\n', &ignored);
    word(&r, "input ");
    length = (size_t)number(&r, ' ');
    if (!r.fine || length > (size_t)(r.end - r.at))
        return refuse(name, "the checkpoint is damaged");
    if (length != strlen(input) || memcmp(r.at, input, length) != 0)
        return refuse(name, "the checkpoint is of another input");
    r.at += length;
    word(&r, "\nposition ");
    struct file_position *p = &out->position;
    out->has_position = number(&r, ' ');
    uint64_t *const numbers[] = {
        &p->device, &p->inode, &p->offset, &p->again, &p->before.inode, &p->before.seconds, &p->before.nanoseconds,
        &p->lines};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = number(&r, ' ');
    p->head_n = hex_bytes(&r, ' ', p->head, FILE_HEAD);
    p->tail_n = hex_bytes(&r, '\n', p->tail, FILE_TAIL);
    word(&r, "state ");
    size_t state_n = (size_t)number(&r, '\n');
    const char *state = r.at;
    r.fine &= state_n <= (size_t)(r.end - r.at);
    r.at += r.fine ? state_n : 0;
    reported(&r, &out->reported);
    if (!r.fine || r.at != r.end)
        return refuse(name, "the checkpoint is damaged");
    assay_error e = {0};
    if (assay_monitor_load(m, state, state_n, &e))
        return true;
    print_error(stderr, name, &e);
    return false;
}

bool checkpoint_load(const char *name, const char *input, assay_monitor *m, struct checkpoint *out, bool *there)
{
    size_t n = 0;
    *out = (struct checkpoint){0};
    errno = 0;
    char *bytes = read_file(name, &n);
    *there = bytes;
    if (!bytes && errno == ENOENT)
        return true;
    if (!bytes) {
        complain("cannot read %s: %s", name, strerror(errno));
        return false;
    }
    bool fine = take(name, input, m, out, bytes, n);
    free(bytes);
    return fine;
}
