/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700 /* st_mtim */
#include "monitor_file.h"

#include "output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void fail(const struct monitor_file *f, assay_error *e, const char *what, const char *remedy)
{
    e->code = ASSAY_ERROR_INPUT;
    snprintf(e->message, sizeof e->message, "%s", what);
    snprintf(e->remedy, sizeof e->remedy, "%s", remedy);
    snprintf(e->file, sizeof e->file, "%s", f->path);
}

/* ---- positions ---- */

static bool has_bytes(int fd, const unsigned char *bytes, size_t n, uint64_t from)
{
    unsigned char there[FILE_TAIL];
    return pread(fd, there, n, (off_t)from) == (ssize_t)n && memcmp(there, bytes, n) == 0;
}

/* Does the file have the bytes that were read? */
static bool has_read(int fd, const struct file_position *p)
{
    return p->tail_n <= p->offset && has_bytes(fd, p->head, p->head_n, 0) &&
           has_bytes(fd, p->tail, p->tail_n, p->offset - p->tail_n);
}

static void advance(struct file_position *p, const char *bytes, size_t n)
{
    size_t head = p->offset < FILE_HEAD ? FILE_HEAD - (size_t)p->offset : 0;
    if (head > n)
        head = n;
    memcpy(p->head + p->head_n, bytes, head);
    p->head_n += (uint32_t)head;
    size_t keep = n < FILE_TAIL ? FILE_TAIL - n : 0;
    if (keep > p->tail_n)
        keep = p->tail_n;
    memmove(p->tail, p->tail + p->tail_n - keep, keep);
    size_t more = n < FILE_TAIL ? n : FILE_TAIL;
    memcpy(p->tail + keep, bytes + n - more, more);
    p->tail_n = (uint32_t)(keep + more);
    p->offset += n;
}

struct file_position monitor_file_position(const struct monitor_file *f, size_t again)
{
    struct file_position p = f->at;
    p.again = again < p.offset ? again : p.offset;
    return p;
}

/* Goes on in the open file, which has the position. False: it was cut meanwhile. */
static bool resume(struct monitor_file *f, const struct file_position *from)
{
    struct file_position p = *from;
    p.device = f->at.device;
    p.inode = f->at.inode;
    p.again = 0;
    if (from->again) {
        p.offset -= from->again;
        p.head_n = p.offset < p.head_n ? (uint32_t)p.offset : p.head_n;
        p.tail_n = p.offset < FILE_TAIL ? (uint32_t)p.offset : FILE_TAIL;
        if (pread(f->fd, p.tail, p.tail_n, (off_t)(p.offset - p.tail_n)) != (ssize_t)p.tail_n || !has_read(f->fd, from))
            return false;
    }
    f->at = p;
    return true;
}

static struct file_age age_of(const struct stat *st)
{
    return (struct file_age){(uint64_t)st->st_ino, (uint64_t)st->st_mtim.tv_sec, (uint64_t)st->st_mtim.tv_nsec};
}

static void identify(struct monitor_file *f)
{
    struct stat st;
    if (f->fd < 0 || fstat(f->fd, &st) != 0)
        return;
    f->at.device = (uint64_t)st.st_dev;
    f->at.inode = (uint64_t)st.st_ino;
    f->at.before = age_of(&st);
}

static bool is_earlier(const struct file_age *a, const struct file_age *b)
{
    return a->seconds != b->seconds ? a->seconds < b->seconds : a->nanoseconds < b->nanoseconds;
}

static int open_regular(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
        close(fd);
        errno = EINVAL;
        return -1;
    }
    return fd;
}

/* ---- rotations ---- */

static void take(struct monitor_file *f, int fd, bool old)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = fd;
    f->at = (struct file_position){0};
    f->old = old;
    identify(f);
}

/* Is it the name of a rotated file: the path, and behind it dots, dashes and digits? */
static bool is_rotated_name(const char *name, const char *base)
{
    size_t n = strlen(base);
    return strncmp(name, base, n) == 0 && name[n] && strspn(name + n, ".-_0123456789") == strlen(name + n);
}

/* Opens the rotated file that `fits`, and among several the one that was written to first. -1: there is none. */
static int find_rotated(const struct monitor_file *f, bool (*fits)(int fd, const struct stat *st, const void *arg),
                        const void *arg)
{
    const char *slash = strrchr(f->path, '/'), *base = slash ? slash + 1 : f->path;
    size_t folder_n = slash ? (size_t)(slash - f->path) + 1 : 0;
    char *folder = copy_text(slash ? f->path : ".");
    if (slash)
        folder[folder_n] = '\0';
    DIR *dir = opendir(folder);
    struct file_age first = {0};
    int best = -1;
    for (struct dirent *d; dir && (d = readdir(dir));) {
        if (!is_rotated_name(d->d_name, base))
            continue;
        char *name = grow(NULL, folder_n + strlen(d->d_name) + 1);
        memcpy(name, f->path, folder_n);
        strcpy(name + folder_n, d->d_name);
        struct stat st;
        int fd = open_regular(name);
        free(name);
        if (fd < 0)
            continue;
        bool better = fstat(fd, &st) == 0 && fits(fd, &st, arg);
        struct file_age age = age_of(&st);
        better = better && (best < 0 || is_earlier(&age, &first));
        if (better && best >= 0)
            close(best);
        if (better) {
            best = fd;
            first = age;
        } else {
            close(fd);
        }
    }
    if (dir)
        closedir(dir);
    free(folder);
    return best;
}

/* Without bytes before it, only the file itself tells. */
static bool has_position(int fd, const struct stat *st, const void *arg)
{
    const struct file_position *p = arg;
    bool itself = (uint64_t)st->st_ino == p->inode && (uint64_t)st->st_dev == p->device;
    return p->tail_n ? has_read(fd, p) : itself;
}

static bool is_later(int fd, const struct stat *st, const void *arg)
{
    const struct file_age *than = arg, age = age_of(st);
    (void)fd;
    return age.inode != than->inode && is_earlier(than, &age);
}

/* The file that was written to after the one that is at its end: an older one, or the path's own. */
static void go_to_next(struct monitor_file *f)
{
    struct stat st;
    struct file_age now = {0};
    if (f->fd >= 0 && fstat(f->fd, &st) == 0)
        now = age_of(&st);
    int old = now.inode ? find_rotated(f, is_later, &now) : -1;
    take(f, old >= 0 ? old : open_regular(f->path), old >= 0);
    if (now.inode)
        f->at.before = now;
}

struct beginning {
    struct file_age after;
    const char *bytes;
    size_t n;
};

/* A copy of the file that is being read, perhaps not finished yet, begins as this one does. */
static bool is_skipped(int fd, const struct stat *st, const void *arg)
{
    const struct beginning *b = arg;
    size_t n = (uint64_t)st->st_size < b->n ? (size_t)st->st_size : b->n;
    for (size_t at = 0; at < n; at += FILE_TAIL)
        if (!has_bytes(fd, (const unsigned char *)b->bytes + at, n - at < FILE_TAIL ? n - at : FILE_TAIL, at))
            return is_later(fd, st, &b->after);
    return false;
}

/* These are the first bytes of the path's file. Was there a file between it and the one before? Then it is next. */
static bool go_to_skipped(struct monitor_file *f, const char *bytes, size_t n)
{
    struct beginning b = {f->at.before, bytes, n};
    int old = b.after.inode ? find_rotated(f, is_skipped, &b) : -1;
    if (old >= 0)
        take(f, old, true);
    return old >= 0;
}

/* Has a rotated file the position? Then it is read from there. */
static bool find_old(struct monitor_file *f, const struct file_position *p)
{
    struct file_position from = *p;
    int fd = find_rotated(f, has_position, &from);
    if (fd < 0)
        return false;
    take(f, fd, true);
    return resume(f, &from);
}

static bool is_truncated(const struct monitor_file *f)
{
    struct stat st;
    return fstat(f->fd, &st) == 0 && ((uint64_t)st.st_size < f->at.offset || !has_read(f->fd, &f->at));
}

/* Goes to the start of the path's file. */
static void lose_position(struct monitor_file *f)
{
    complain(
        "warning: %s: the file was cut or replaced, and no file beside it has the position: events may have been lost, "
        "and the content is unknown from here",
        f->path);
    take(f, open_regular(f->path), false);
    f->gap = true;
}

/* Does the path name another file, which has bytes? */
static bool is_replaced(const struct monitor_file *f)
{
    struct stat st;
    return stat(f->path, &st) == 0 && st.st_size > 0 &&
           ((uint64_t)st.st_ino != f->at.inode || (uint64_t)st.st_dev != f->at.device);
}

/* ---- reading ---- */

bool monitor_file_open(struct monitor_file *f, const char *path, bool follows, const struct file_position *from,
                       assay_error *e)
{
    *f = (struct monitor_file){.path = path, .fd = open_regular(path), .follows = follows};
    identify(f);
    if (f->fd < 0 && !(follows && errno == ENOENT)) {
        fail(f, e, errno == EINVAL ? "only a file can be read from a position" : strerror(errno),
             "--follow and the position of --checkpoint are for files");
        return false;
    }
    if (f->fd < 0)
        complain("warning: %s: there is no such file yet: waiting for it", path);
    if (!from)
        return true;
    struct stat st;
    bool is_fresh = !from->tail_n && !from->inode; /* there was no file yet */
    bool is_here = f->fd >= 0 && fstat(f->fd, &st) == 0 && (is_fresh || has_position(f->fd, &st, from));
    if ((is_here && resume(f, from)) || find_old(f, from) || (f->fd < 0 && is_fresh))
        return true;
    if (follows) {
        lose_position(f);
        return true;
    }
    fail(f, e, "the events behind the checkpoint are gone: neither this file nor one beside it has its position",
         "keep rotated files uncompressed until they are read; or delete the checkpoint, and start with --attach");
    return false;
}

enum file_read monitor_file_read(struct monitor_file *f, char *to, size_t room, size_t *got, assay_error *e)
{
    *got = 0;
    for (;;) {
        if (f->gap) {
            f->gap = false;
            return FILE_GAP;
        }
        if (f->fd < 0 && f->follows)
            take(f, open_regular(f->path), false);
        bool current = f->fd >= 0 && !f->old && f->follows, replaced = current && is_replaced(f);
        ssize_t n = f->fd < 0 ? 0 : pread(f->fd, to, room, (off_t)f->at.offset);
        if (n < 0) {
            fail(f, e, strerror(errno), "");
            return FILE_FAULT;
        }
        if (current && is_truncated(f)) {
            struct file_position p = f->at;
            if (!find_old(f, &p))
                lose_position(f);
        } else if (n > 0 && !(current && f->at.offset == 0 && go_to_skipped(f, to, (size_t)n))) {
            f->begins = f->at.offset == 0;
            advance(&f->at, to, (size_t)n);
            *got = (size_t)n;
            return FILE_BYTES;
        } else if (n == 0 && !f->old && !replaced) {
            return f->follows ? FILE_NOTHING_YET : FILE_END;
        } else if (n == 0) {
            go_to_next(f);
        }
    }
}

void monitor_file_close(struct monitor_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
}
