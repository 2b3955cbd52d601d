/* SPDX-License-Identifier: Apache-2.0 */
#include "paths.h"

#include "assay.h"
#include "collect/collect.h"
#include "output.h"
#include "selected.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void push(struct paths *p, char *name)
{
    if (p->n == p->cap) {
        p->cap = p->cap * 2 + 16;
        p->at = grow(p->at, p->cap * sizeof *p->at);
        p->only = grow(p->only, p->cap * sizeof *p->only);
        p->below = grow(p->below, p->cap * sizeof *p->below);
    }
    p->only[p->n] = -1;
    p->below[p->n] = 0;
    p->at[p->n++] = name;
}

static char *joined(const char *directory, const char *name)
{
    size_t n = strlen(directory);
    bool slash = n && directory[n - 1] == '/';
    char *out = grow(NULL, n + strlen(name) + 2);
    memcpy(out, directory, n + 1);
    if (!slash)
        out[n++] = '/';
    strcpy(out + n, name);
    return out;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool unreadable(const char *name)
{
    complain("%s: %s", name, strerror(errno));
    return false;
}

static bool entries(const char *directory, struct paths *out)
{
    DIR *d = opendir(directory);
    if (!d)
        return unreadable(directory);
    errno = 0;
    for (struct dirent *entry; (entry = readdir(d)); errno = 0)
        if (entry->d_name[0] != '.')
            push(out, joined(directory, entry->d_name));
    int fault = errno;
    closedir(d);
    errno = fault;
    if (fault)
        return unreadable(directory);
    if (out->n)
        qsort(out->at, out->n, sizeof *out->at, by_name);
    return true;
}

/* A history that `assay drive` has not finished yet, or that it could not finish. */
static bool is_open_log(const char *name, const char *level, const char *so)
{
    size_t n = strlen(name);
    if (n < 4 || strcmp(name + n - 4, ".log") != 0 || !drive_log_recognised(name))
        return false;
    complain("%s%s: the log of a history that `assay drive` has not finished%s (the same command goes on with it; "
             "`assay recover %s %.*s.hist` makes a history of it as it is)",
             level, name, so, name, (int)(n - 4), name);
    return true;
}

/* Beside the logs of a run lie settings and figures of its program. */
static bool is_no_history(const char *name)
{
    size_t n = strlen(name);
    if (n < 5 || strcmp(name + n - 5, ".json") != 0)
        return false;
    assay_reader *r = assay_reader_open(name, NULL, NULL);
    assay_history *h = r ? assay_reader_next(r, NULL) : NULL;
    assay_history_free(h);
    assay_reader_close(r);
    return !h;
}

static bool is_history(const char *name, bool format_given, bool beside_run)
{
    struct stat target;
    if (!assay_format_by_name(name) || stat(name, &target) != 0 || !S_ISREG(target.st_mode) ||
        is_open_log(name, "warning: ", ": left out"))
        return false;
    if (drive_journal_recognised(name)) /* `assay drive` keeps it beside its histories */
        return false;
    if (assay_file_is_part(name)) /* its directory is the history */
        return false;
    bool known = format_given || assay_file_is_history(name),
         stray = !format_given && known && beside_run && is_no_history(name);
    if (known && !stray)
        return true;
    complain("warning: %s: %s: left out (-f names its format)", name,
             stray ? "no history can be read from it, and its directory is one" : "no format recognises it");
    return false;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The history of a Jepsen test in its directory, or NULL: there is none. */
static const char *jepsen_history(const struct paths *in)
{
    static const char *const names[] = {"history.edn", "history.txt"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (size_t i = 0; i < in->n; i++)
            if (strcmp(last_part(in->at[i]), names[k]) == 0)
                return in->at[i];
    return NULL;
}

/* The other files of a Jepsen test say the same again, or are no histories. `independent` has it once more, by keys. */
static bool repeats_jepsen(const char *name, bool directory, const char *history)
{
    return history && name != history && (!directory || strcmp(last_part(name), "independent") == 0);
}

/* Links to directories are not followed: they could lead back. Hidden entries are not histories. The logs of the
 * directory may be one history, a run. */
static bool walk(struct paths *p, const char *directory, bool format_given, bool run)
{
    struct paths in = {0};
    bool fine = entries(directory, &in);
    const char *jepsen = jepsen_history(&in);
    for (size_t i = 0; i < in.n; i++) {
        struct stat about;
        bool known = lstat(in.at[i], &about) == 0;
        if (known && repeats_jepsen(in.at[i], S_ISDIR(about.st_mode), jepsen))
            continue;
        if (!known)
            fine = unreadable(in.at[i]);
        else if (S_ISDIR(about.st_mode)) {
            bool one = assay_file_is_history(in.at[i]);
            if (one)
                push(p, copy_text(in.at[i]));
            fine &= walk(p, in.at[i], format_given, one);
        } else if (is_history(in.at[i], format_given, run))
            push(p, copy_text(in.at[i]));
    }
    paths_free(&in);
    return fine;
}

bool paths_add(struct paths *p, const char *name, bool format_given)
{
    struct stat about = {0};
    size_t before = p->n;
    if (strcmp(name, "-") == 0 || stat(name, &about) != 0 || !S_ISDIR(about.st_mode)) {
        if (S_ISREG(about.st_mode) && is_open_log(name, "", ""))
            return false;
        struct selected s = selected_of(name); /* a missing file is reported when it is opened, in its turn */
        push(p, s.file);
        p->only[p->n - 1] = s.index;
        return true;
    }
    bool one = assay_file_is_history(name);
    if (one)
        push(p, copy_text(name));
    bool fine = walk(p, name, format_given, one);
    for (size_t i = before + one, n = strlen(name); i < p->n; i++)
        p->below[i] = name[n - 1] == '/' ? n : n + 1;
    if (!fine)
        return false;
    if (p->n == before)
        complain("%s: no history files in this directory (`assay list formats` shows their extensions; or name a file)",
                 name);
    return p->n > before;
}

static bool regular(const char *name, struct stat *about)
{
    int status = strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, about) : stat(name, about);
    return status == 0 && S_ISREG(about->st_mode);
}

bool paths_hold(const struct paths *p, const char *name)
{
    struct stat it, other;
    bool exists = stat(name, &it) == 0;
    for (size_t i = 0; i < p->n; i++)
        if (!exists ? strcmp(p->at[i], name) == 0
                    : S_ISREG(it.st_mode) && regular(p->at[i], &other) && it.st_dev == other.st_dev &&
                          it.st_ino == other.st_ino)
            return true;
    return false;
}

const char *paths_named(const struct paths *p, size_t i)
{
    return p->n > 1 || p->below[i] ? p->at[i] + p->below[i] : NULL;
}

void paths_free(struct paths *p)
{
    for (size_t i = 0; i < p->n; i++)
        free(p->at[i]);
    free(p->at);
    free(p->only);
    free(p->below);
    *p = (struct paths){0};
}
