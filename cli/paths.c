/* SPDX-License-Identifier: Apache-2.0 */
#include "paths.h"

#include "assay.h"
#include "collect/collect.h"
#include "output.h"

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
    }
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

static bool is_history(const char *name, bool format_given)
{
    struct stat target;
    if (!assay_format_by_name(name) || stat(name, &target) != 0 || !S_ISREG(target.st_mode))
        return false;
    if (drive_journal_recognised(name)) /* `assay drive` keeps it beside its histories */
        return false;
    if (format_given || assay_file_is_history(name))
        return true;
    complain("warning: %s: no format recognises it: left out (-f names its format)", name);
    return false;
}

/* Links to directories are not followed: they could lead back. Hidden entries are not histories. */
static bool walk(struct paths *p, const char *directory, bool format_given)
{
    struct paths in = {0};
    bool fine = entries(directory, &in);
    for (size_t i = 0; i < in.n; i++) {
        struct stat about;
        if (lstat(in.at[i], &about) != 0)
            fine = unreadable(in.at[i]);
        else if (S_ISDIR(about.st_mode) && assay_file_is_history(in.at[i]))
            push(p, copy_text(in.at[i]));
        else if (S_ISDIR(about.st_mode))
            fine &= walk(p, in.at[i], format_given);
        else if (is_history(in.at[i], format_given))
            push(p, copy_text(in.at[i]));
    }
    paths_free(&in);
    return fine;
}

bool paths_add(struct paths *p, const char *name, bool format_given)
{
    struct stat about;
    size_t before = p->n;
    if (strcmp(name, "-") == 0 || stat(name, &about) != 0 || !S_ISDIR(about.st_mode)) {
        push(p, copy_text(name)); /* a missing file is reported when it is opened, in its turn */
        return true;
    }
    if (assay_file_is_history(name)) {
        push(p, copy_text(name));
        return true;
    }
    if (!walk(p, name, format_given))
        return false;
    if (p->n == before)
        complain("%s: no history files in this directory", name);
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

void paths_free(struct paths *p)
{
    for (size_t i = 0; i < p->n; i++)
        free(p->at[i]);
    free(p->at);
    *p = (struct paths){0};
}
