/* SPDX-License-Identifier: Apache-2.0 */
#include "outfile.h"

#include "command.h"
#include "output.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 };

static _Atomic(struct outfile *) unfinished;

static bool cannot_write(const char *name)
{
    complain("cannot write %s: %s", name, strerror(errno));
    return false;
}

/* ---- places ---- */

/* The length of the name's folder, with the slash. */
static size_t folder_length(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? (size_t)(slash - name) + 1 : 0;
}

static char *beside(const char *name, const char *other)
{
    size_t n = folder_length(name);
    char *out = grow(NULL, n + strlen(other) + 1);
    memcpy(out, name, n);
    strcpy(out + n, other);
    return out;
}

/* Where a link leads, a dangling one, too. */
static char *follow(const char *name)
{
    char *at = copy_text(name), to[4096];
    for (int i = 0; i < MOST_LINKS; i++) {
        ssize_t n = readlink(at, to, sizeof to - 1);
        if (n < 0)
            break;
        to[n] = '\0';
        char *next = to[0] == '/' ? copy_text(to) : beside(at, to);
        free(at);
        at = next;
    }
    return at;
}

static bool same_node(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool outfile_standard(const char *name)
{
    struct stat it, output;
    return !name || strcmp(name, "-") == 0 ||
           (stat(name, &it) == 0 && S_ISREG(it.st_mode) && fstat(STDOUT_FILENO, &output) == 0 &&
            same_node(&it, &output));
}

static bool stat_folder(const char *name, struct stat *out)
{
    char *folder = beside(name, ".");
    bool there = stat(folder, out) == 0;
    free(folder);
    return there;
}

/* Of two files that need not exist: would they have the same name in the same folder? */
static bool same_place(const char *a, const char *b)
{
    char *x = follow(a), *y = follow(b);
    struct stat of_x, of_y;
    bool same = strcmp(x + folder_length(x), y + folder_length(y)) == 0 && stat_folder(x, &of_x) &&
                stat_folder(y, &of_y) && same_node(&of_x, &of_y);
    free(x);
    free(y);
    return same;
}

bool outfile_same(const char *a, const char *b)
{
    struct stat of_a, of_b;
    if (outfile_standard(a) || outfile_standard(b))
        return outfile_standard(a) && outfile_standard(b);
    bool has_a = stat(a, &of_a) == 0, has_b = stat(b, &of_b) == 0;
    if ((has_a && !S_ISREG(of_a.st_mode)) || (has_b && !S_ISREG(of_b.st_mode)))
        return false; /* devices and pipes take everything */
    return (has_a && has_b && same_node(&of_a, &of_b)) || same_place(a, b);
}

bool outfile_apart(const char *command, const struct outfile_option *outputs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (outputs[i].name && outputs[j].name && outfile_same(outputs[i].name, outputs[j].name)) {
                complain("%s: --%s %s and --%s %s are the same file (name another one)", command, outputs[j].option,
                         outputs[j].name, outputs[i].option, outputs[i].name);
                return false;
            }
    return true;
}

/* ---- opening ---- */

static mode_t usual_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* A file of its own: mkstemp opens a new file, so neither a file nor a link that another process put there is touched.
 * Its mode, and if possible its owner, are those of the file that it replaces. */
static int make_temporary(struct outfile *f, const struct stat *old)
{
    int fd = mkstemp(f->temporary);
    if (fd < 0)
        return -1;
    if (old && (old->st_uid != geteuid() || old->st_gid != getegid()) && fchown(fd, old->st_uid, old->st_gid) != 0)
        old = old->st_uid == geteuid() ? old : NULL; /* another's file becomes the user's own, with the usual mode */
    if (fchmod(fd, old ? old->st_mode & 0777 : usual_mode()) == 0)
        return fd;
    unlink(f->temporary);
    close(fd);
    return -1;
}

static void forget(struct outfile *f)
{
    atomic_store(&unfinished, NULL);
    if (f->own)
        f->name = NULL;
    free(f->own);
    free(f->place);
    free(f->temporary);
    free(f->part);
    free(f->kept);
    free(f->lost);
    *f = (struct outfile){.name = f->name};
}

/* Made beforehand, fit for a terminal: a signal handler can only write. */
static char *sentence(const struct outfile *f, const char *what, const char *where)
{
    char *text;
    size_t size;
    FILE *to = memory_stream(&text, &size);
    show(to, f->name);
    fprintf(to, " is not written: %s", what);
    show(to, where);
    memory_close(to, &text);
    return text;
}

static bool open_beside(struct outfile *f, const struct stat *old)
{
    f->place = follow(f->name);
    f->temporary = beside(f->place, ".assay-XXXXXX"); /* hidden: it is not taken for a history */
    f->part = grow(NULL, strlen(f->place) + sizeof ".part");
    strcat(strcpy(f->part, f->place), ".part");
    f->kept = sentence(f, "what is complete of it is in ", f->part);
    f->lost = sentence(f, "nothing of it is complete", "");
    int fd = old && access(f->place, W_OK) != 0 ? -1 : make_temporary(f, old);
    if (fd >= 0 && !(f->stream = fdopen(fd, "w"))) {
        unlink(f->temporary);
        close(fd);
    }
    if (!f->stream) {
        cannot_write(f->name);
        forget(f);
        return false;
    }
    atomic_store(&unfinished, f);
    return true;
}

bool outfile_open(struct outfile *f, const char *name)
{
    struct stat old;
    *f = (struct outfile){.name = name};
    if (outfile_standard(name)) {
        f->name = "standard output";
        f->stream = stdout;
        return true;
    }
    bool exists = stat(name, &old) == 0;
    if (!exists || S_ISREG(old.st_mode))
        return open_beside(f, exists ? &old : NULL);
    f->stream = fopen(name, "w");
    return f->stream || cannot_write(name);
}

bool outfile_open_in(struct outfile *f, const char *folder, const char *name)
{
    size_t n = strlen(folder);
    char *path = grow(NULL, n + strlen(name) + 2);
    sprintf(path, "%s%s%s", folder, n && folder[n - 1] == '/' ? "" : "/", name);
    if (outfile_open(f, path)) {
        f->own = path;
        return true;
    }
    free(path);
    return false;
}

bool outfile_folder(const char *name)
{
    struct stat found;
    if (!name || mkdir(name, 0777) == 0)
        return true;
    int why = errno;
    if (stat(name, &found) == 0 && S_ISDIR(found.st_mode))
        return true;
    complain("cannot make the folder %s: %s", name, strerror(why));
    return false;
}

/* ---- ending ---- */

void outfile_record(struct outfile *f)
{
    if (!f->place)
        return;
    if (fflush(f->stream) == 0 && !ferror(f->stream))
        f->complete = ftello(f->stream);
    else if (!f->fault)
        f->fault = errno;
}

static bool put_in_place(const struct outfile *f)
{
    if (rename(f->temporary, f->place) == 0)
        return true;
    cannot_write(f->name);
    unlink(f->temporary);
    return false;
}

/* For signal handlers, too. True: there is something in FILE.part. */
static bool keep_part(const struct outfile *f)
{
    if (f->complete > 0 && truncate(f->temporary, f->complete) == 0 && rename(f->temporary, f->part) == 0)
        return true;
    unlink(f->temporary);
    return false;
}

static bool end_whole(struct outfile *f)
{
    bool fine;
    if (f->fault) {
        fclose(f->stream);
        errno = f->fault;
        fine = cannot_write(f->name);
    } else {
        fine = f->stream == stdout ? finish_output(EXIT_FINE) == EXIT_FINE : finish(f->stream, f->name);
    }
    if (f->place && fine)
        return put_in_place(f);
    if (f->place)
        unlink(f->temporary);
    return fine;
}

static void end_early(struct outfile *f, enum outfile_end end)
{
    if (f->stream == stdout)
        fflush(stdout);
    else
        fclose(f->stream);
    if (f->place && end == OUTFILE_FAILED)
        unlink(f->temporary);
    else if (f->place)
        complain("%s", keep_part(f) ? f->kept : f->lost);
}

bool outfile_close(struct outfile *f, enum outfile_end end)
{
    sigset_t all, before;
    bool fine = true;
    if (!f->stream)
        return true;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before); /* a handler must not meet it half closed */
    if (end == OUTFILE_WHOLE)
        fine = end_whole(f);
    else
        end_early(f, end);
    forget(f);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return fine;
}

bool outfile_history(struct outfile *f, const assay_history *h)
{
    assay_error e = {0};
    bool fine = assay_history_write(h, "hist", 0, f->stream, &e);
    if (!fine)
        print_error(stderr, f->name, &e);
    return outfile_close(f, fine ? OUTFILE_WHOLE : OUTFILE_FAILED) && fine;
}

bool outfile_write(const char *name, const char *text, size_t size)
{
    struct outfile f;
    if (!outfile_open(&f, name))
        return false;
    fwrite(text, 1, size, f.stream);
    return outfile_close(&f, OUTFILE_WHOLE);
}

static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return; /* no one is left to read a message */
}

void outfile_abandon(void)
{
    struct outfile *f = atomic_exchange(&unfinished, NULL);
    if (!f)
        return;
    say("assay: ");
    say(keep_part(f) ? f->kept : f->lost);
    say("\n");
}
