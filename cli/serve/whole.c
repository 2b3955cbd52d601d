/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/whole.h"

#include "assay.h"

#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static bool ends_in_one(const char *name, const char *const *ends)
{
    for (; *ends; ends++) {
        size_t n = strlen(name), m = strlen(*ends);
        if (n >= m && strcmp(name + n - m, *ends) == 0)
            return true;
    }
    return false;
}

static bool is_later(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

bool whole_log(const char *name)
{
    static const char *const logs[] = {".log", ".log.gz", ".log.zst", NULL};
    return ends_in_one(name, logs);
}

/* Adds a log to the state. False: it is a link, or the like. */
static bool take_entry(int folder, const char *name, struct stat *about, bool *any)
{
    struct stat it;
    if (*name == '.' || !whole_log(name))
        return true;
    if (fstatat(folder, name, &it, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    if (S_ISDIR(it.st_mode))
        return true;
    if (!S_ISREG(it.st_mode))
        return false;
    about->st_size += it.st_size;
    if (is_later(it.st_mtim, about->st_mtim))
        about->st_mtim = it.st_mtim;
    *any = true;
    return true;
}

bool whole_logs(int folder, struct stat *about)
{
    int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* a position of its own */
    DIR *d = own < 0 ? NULL : fdopendir(own);
    bool any = false, fine = d && fstat(folder, about) == 0;
    about->st_size = 0;
    for (struct dirent *entry; fine && (entry = readdir(d));)
        fine = take_entry(folder, entry->d_name, about, &any);
    if (d)
        closedir(d);
    else if (own >= 0)
        close(own);
    return fine && any;
}

const char *whole_jepsen(int folder)
{
    static const char *const names[] = {"history.edn", "history.txt"};
    struct stat it;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fstatat(folder, names[i], &it, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(it.st_mode))
            return names[i];
    return NULL;
}

bool whole_repeats(const char *history, const char *name, bool is_folder)
{
    static const char *const reports[] = {".json", ".jsonl", NULL};
    if (is_folder)
        return strcmp(name, "independent") == 0;
    return strcmp(name, history) != 0 && assay_format_by_name(name) && !ends_in_one(name, reports);
}
