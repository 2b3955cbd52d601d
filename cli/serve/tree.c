/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/tree.h"

#include "serve/whole.h"

#include "characters.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool tree_open(struct tree *t, const char *folder)
{
    *t = (struct tree){.name = folder, .root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    return t->root >= 0;
}

void tree_close(struct tree *t)
{
    if (t->root >= 0)
        close(t->root);
    t->root = -1;
}

static bool name_fine(const char *name)
{
    return *name && *name != '.' && text_is_utf8(name, strlen(name));
}

bool tree_path_fine(const char *path)
{
    char copy[TREE_PATH], *rest = copy, *slash;
    unsigned depth = 0;
    if (strlen(path) >= sizeof copy)
        return false;
    strcpy(copy, path);
    while ((slash = strchr(rest, '/'))) {
        *slash = 0;
        if (!name_fine(rest) || ++depth > TREE_DEPTH)
            return false;
        rest = slash + 1;
    }
    return name_fine(rest);
}

/* O_NONBLOCK: a named pipe must not hold anyone up. */
enum { FILE_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, FOLDER_FLAGS = FILE_FLAGS | O_DIRECTORY };

int tree_file(const struct tree *t, const char *path, struct stat *about)
{
    char copy[TREE_PATH], *rest = copy, *slash;
    if (!tree_path_fine(path))
        return -1;
    strcpy(copy, path);
    int at = t->root;
    while (at >= 0 && (slash = strchr(rest, '/'))) {
        *slash = 0;
        int next = openat(at, rest, FOLDER_FLAGS);
        if (at != t->root)
            close(at);
        at = next;
        rest = slash + 1;
    }
    if (at < 0)
        return -1;
    int file = openat(at, rest, FILE_FLAGS);
    if (at != t->root)
        close(at);
    bool fine = file >= 0 && fstat(file, about) == 0 &&
                (S_ISREG(about->st_mode) || (S_ISDIR(about->st_mode) && whole_logs(file, about)));
    if (file >= 0 && !fine) {
        close(file);
        return -1;
    }
    return file;
}

/* ---- walking ---- */

struct walk {
    const struct tree_visitor *visitor;
    char path[TREE_PATH];
    unsigned depth;
};

static void walk_folder(struct walk *w, int folder);

/* `length`: of the folder's path, which stands in w->path. `jepsen`: the history of the folder, or NULL. */
static void walk_entry(struct walk *w, int folder, const char *name, size_t length, const char *jepsen)
{
    struct stat about;
    size_t room = sizeof w->path - length;
    if (!name_fine(name) || strlen(name) + 2 > room || fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
        (jepsen && whole_repeats(jepsen, name, S_ISDIR(about.st_mode))))
        return;
    snprintf(w->path + length, room, "%s%s", length ? "/" : "", name);
    if (S_ISREG(about.st_mode)) {
        w->visitor->file(w->visitor->arg, w->path, &about);
    } else if (S_ISDIR(about.st_mode) && w->depth < TREE_DEPTH) {
        int inner = openat(folder, name, FOLDER_FLAGS);
        w->depth++;
        if (inner >= 0)
            walk_folder(w, inner);
        w->depth--;
    }
    w->path[length] = 0;
}

/* Takes over the descriptor. */
static void walk_folder(struct walk *w, int folder)
{
    size_t length = strlen(w->path);
    struct stat about;
    DIR *d = fdopendir(folder);
    if (!d) {
        close(folder);
        return;
    }
    w->visitor->folder(w->visitor->arg, w->path, folder);
    const char *jepsen = whole_jepsen(folder);
    bool one = length && whole_logs(folder, &about) && w->visitor->logs(w->visitor->arg, w->path, &about);
    for (struct dirent *entry; (entry = readdir(d));)
        if (!one || !whole_log(entry->d_name)) /* else it is a part */
            walk_entry(w, folder, entry->d_name, length, jepsen);
    closedir(d);
}

void tree_walk(const struct tree *t, const struct tree_visitor *v)
{
    struct walk w = {.visitor = v};
    int root = openat(t->root, ".", FOLDER_FLAGS); /* a position of its own */
    if (root >= 0)
        walk_folder(&w, root);
}
