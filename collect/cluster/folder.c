/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* flock */
#include "collect/cluster/folder.h"

#include "base/error.h"
#include "collect/cluster/kind.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- making ---- */

static bool refuse(const char *path, const char *why, const char *remedy, assay_error *e)
{
    error_set(e, ASSAY_ERROR_INPUT, "%s", why);
    error_place(e, path, 0, 0);
    error_remedy(e, "%s", remedy);
    return false;
}

static bool make_own(const char *path, assay_error *e)
{
    struct stat st;
    if (mkdir(path, 0755) == 0 && chmod(path, 0755) < 0) /* against the umask: the servers' users go through it */
        return refuse(path, "cannot make the folder accessible", "choose another one: --dir", e);
    if (lstat(path, &st) < 0) {
        char why[128];
        snprintf(why, sizeof why, "cannot make the folder: %s", strerror(errno));
        return refuse(path, why, "choose another one: --dir", e);
    }
    if (!S_ISDIR(st.st_mode))
        return refuse(path, "this is no folder", "choose another one: --dir", e);
    if (st.st_uid != geteuid())
        return refuse(path, "somebody else owns this folder", "choose another one: --dir", e);
    if (st.st_mode & (S_IWGRP | S_IWOTH))
        return refuse(path, "others may write to this folder", "chmod go-w, or choose another one: --dir", e);
    return true;
}

/* The names of our files. */
static bool is_ours(const char *name)
{
    static const char *const names[] = {"record", "record.new", "lock", "socket", "supervisor.log", "setup"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return name[0] == 'n' && name[1] >= '1' && name[1] <= '9' && (!name[2] || strcmp(name + 2, ".log") == 0);
}

static bool is_stranger(const char *name)
{
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !is_ours(name);
}

static bool is_trace(const char *name)
{
    return is_ours(name) && strcmp(name, "lock") != 0;
}

static bool holds(const char *path, bool (*such)(const char *name))
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    bool found = false;
    while (folder && !found && (entry = readdir(folder)))
        found = such(entry->d_name);
    if (folder)
        closedir(folder);
    return found;
}

bool folder_used(const struct site *s)
{
    return holds(s->folder, is_trace);
}

/* The folder above: is it the one that the default folders of clusters are in? */
static bool default_above(const struct site *s, char above[CLUSTER_FOLDER])
{
    strcpy(above, s->folder);
    *strrchr(above, '/') = 0;
    const char *name = strrchr(above, '/');
    return name && strncmp(name + 1, SITE_DEFAULT, sizeof SITE_DEFAULT - 1) == 0;
}

bool folder_make(struct site *s, assay_error *e)
{
    char above[CLUSTER_FOLDER];
    if ((default_above(s, above) && !make_own(above, e)) || !make_own(s->folder, e))
        return false;
    site_resolve(s);
    return !holds(s->folder, is_stranger) ||
           refuse(s->folder, "this folder holds other files", "choose a new or empty one: --dir", e);
}

/* ---- the lock ---- */

/* Another process may have removed the file between our opening and our locking it. */
static bool still_there(int fd, const char *path)
{
    struct stat ours, there;
    return fstat(fd, &ours) == 0 && stat(path, &there) == 0 && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
}

enum folder_lock folder_lock(const struct site *s, bool make, int *lock, assay_error *e)
{
    char path[SITE_PATH];
    site_path(s, path, "lock");
    for (;;) {
        *lock = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | (make ? O_CREAT : 0), 0600);
        if (*lock < 0 && (errno == ENOENT || errno == ENOTDIR))
            return FOLDER_ABSENT;
        if (*lock < 0) {
            error_set(e, ASSAY_ERROR_INPUT, "%s: cannot open: %s", path, strerror(errno));
            error_remedy(e, "the cluster of somebody else? Choose another folder: --dir");
            return FOLDER_FAULT;
        }
        bool locked = flock(*lock, LOCK_EX | LOCK_NB) == 0;
        if (!locked || still_there(*lock, path)) {
            if (!locked)
                close(*lock);
            return locked ? FOLDER_LOCKED : FOLDER_BUSY;
        }
        close(*lock);
    }
}

bool folder_socket(const struct site *s, int *folder, char out[FOLDER_SOCKET])
{
    *folder = open(s->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    snprintf(out, FOLDER_SOCKET, "/proc/self/fd/%d/socket", *folder);
    return *folder >= 0;
}

/* ---- removing ---- */

/* A file, or a folder with everything in it; links are not followed. */
static void remove_tree(int above, const char *name)
{
    if (unlinkat(above, name, 0) == 0)
        return;
    int fd = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove_tree(fd, entry->d_name);
    if (folder)
        closedir(folder);
    else if (fd >= 0)
        close(fd);
    unlinkat(above, name, AT_REMOVEDIR);
}

void folder_remove(const struct site *s)
{
    int fd = open(s->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;
    char above[CLUSTER_FOLDER];
    while (folder && (entry = readdir(folder)))
        if (is_trace(entry->d_name))
            remove_tree(fd, entry->d_name);
    if (fd >= 0)
        unlinkat(fd, "lock", 0); /* the last one: until now no other cluster starts here */
    if (folder)
        closedir(folder);
    else if (fd >= 0)
        close(fd);
    rmdir(s->folder);
    if (default_above(s, above))
        rmdir(above); /* fails while there are other clusters */
}
