/* SPDX-License-Identifier: Apache-2.0 */
#include "format/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool ends_in(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

bool folder_is_log(const char *path)
{
    return ends_in(path, ".log") || ends_in(path, ".log.gz") || ends_in(path, ".log.zst");
}

/* Numbers in names have different lengths. */
static int by_length(const void *left, const void *right)
{
    const char *a = *(char *const *)left, *b = *(char *const *)right;
    size_t n = strlen(a), m = strlen(b);
    return n != m ? (n > m) - (n < m) : strcmp(a, b);
}

static bool add(struct folder *f, size_t *cap, char *path)
{
    if (f->n == *cap) {
        char **larger = realloc(f->paths, (*cap * 2 + 16) * sizeof *larger);
        if (!larger)
            return false;
        f->paths = larger;
        *cap = *cap * 2 + 16;
    }
    f->paths[f->n++] = path;
    return true;
}

static char *joined(const char *directory, const char *name)
{
    size_t room = strlen(directory) + strlen(name) + 2, n = strlen(directory);
    char *path = malloc(room);
    if (path)
        snprintf(path, room, "%s%s%s", directory, n && directory[n - 1] == '/' ? "" : "/", name);
    return path;
}

static bool is_regular(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* Takes the path, or frees it. */
static enum folder_found take_entry(struct folder *f, size_t *cap, char *path, folder_belongs *belongs)
{
    if (!path)
        return FOLDER_NO_MEMORY;
    bool log = folder_is_log(path) && is_regular(path) && belongs(path);
    if (log && add(f, cap, path))
        return FOLDER_LOGS;
    free(path);
    return log ? FOLDER_NO_MEMORY : FOLDER_LOGS;
}

enum folder_found folder_open(struct folder *f, const char *path, folder_belongs *belongs)
{
    size_t cap = 0;
    enum folder_found found = FOLDER_LOGS;
    *f = (struct folder){0};
    DIR *d = opendir(path);
    if (!d)
        return errno == ENOMEM ? FOLDER_NO_MEMORY : FOLDER_OTHER;
    for (struct dirent *entry; found == FOLDER_LOGS && (entry = readdir(d));)
        if (entry->d_name[0] != '.')
            found = take_entry(f, &cap, joined(path, entry->d_name), belongs);
    closedir(d);
    if (f->n)
        qsort(f->paths, f->n, sizeof *f->paths, by_length);
    return found == FOLDER_LOGS && !f->n ? FOLDER_OTHER : found;
}

/* Its directory as the user would name it; NULL: no memory. */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

char *folder_shared(const char *log, folder_belongs *belongs)
{
    const char *slash = strrchr(log, '/'), *own = slash ? slash + 1 : log;
    char *directory = folder_is_log(log) ? directory_of(log) : NULL;
    DIR *d = directory ? opendir(directory) : NULL;
    bool shared = false;
    for (struct dirent *entry; d && !shared && (entry = readdir(d));)
        if (entry->d_name[0] != '.' && folder_is_log(entry->d_name) && strcmp(entry->d_name, own) != 0) {
            char *path = joined(directory, entry->d_name);
            shared = path && is_regular(path) && belongs(path);
            free(path);
        }
    if (d)
        closedir(d);
    if (shared)
        return directory;
    free(directory);
    return NULL;
}

void folder_free(struct folder *f)
{
    for (size_t i = 0; i < f->n; i++)
        free(f->paths[i]);
    free(f->paths);
    *f = (struct folder){0};
}
