/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* SOCK_CLOEXEC, SOCK_NONBLOCK */
#include "monitor_writers.h"

#include "output.h"

#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static bool fail(assay_error *e, const char *path, const char *what, const char *remedy)
{
    e->code = ASSAY_ERROR_INPUT;
    snprintf(e->message, sizeof e->message, "%s: %s", what, strerror(errno));
    snprintf(e->remedy, sizeof e->remedy, "%s", remedy);
    snprintf(e->file, sizeof e->file, "%s", path);
    return false;
}

/* The socket is made with no rights for others (umask), and then gets its own. */
static bool set_rights(const char *path, const char *mode, const char *group, assay_error *e)
{
    char *end = NULL;
    unsigned long bits = mode ? strtoul(mode, &end, 8) : 0600;
    errno = EINVAL;
    if (mode && (!*mode || *end || bits > 0777))
        return fail(e, path, "cannot set the mode of the socket", "--socket-mode has octal digits, as in 0660");
    struct group *g = group ? getgrnam(group) : NULL;
    if (group && !g)
        return fail(e, path, "cannot set the group of the socket", "there is no group of this name");
    if (g && chown(path, (uid_t)-1, g->gr_gid) != 0)
        return fail(e, path, "cannot set the group of the socket", "the user of the monitor must be in it");
    return chmod(path, (mode_t)bits) == 0 || fail(e, path, "cannot set the mode of the socket", "");
}

/* A socket whose monitor was killed is in the way: connecting to it is refused. */
static void delete_dead(const struct sockaddr_un *address)
{
    struct stat st;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    if (stat(address->sun_path, &st) == 0 && S_ISSOCK(st.st_mode) &&
        connect(fd, (const struct sockaddr *)address, sizeof *address) != 0 && errno == ECONNREFUSED)
        unlink(address->sun_path);
    close(fd);
}

bool monitor_writers_open(struct monitor_writers *w, const char *path, const char *mode, const char *group,
                          assay_error *e)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    *w = (struct monitor_writers){.path = path, .fd = -1};
    errno = ENAMETOOLONG;
    if (strlen(path) >= sizeof address.sun_path)
        return fail(e, path, "cannot make the socket", "");
    strcpy(address.sun_path, path);
    delete_dead(&address);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    mode_t usual = umask(0177);
    bool bound = fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0;
    umask(usual);
    if (!bound) {
        fail(e, path, "cannot make the socket", "each monitor needs a socket of its own");
        if (fd >= 0)
            close(fd);
        return false;
    }
    w->fd = fd;
    if (set_rights(path, mode, group, e))
        return true;
    monitor_writers_close(w);
    return false;
}

size_t monitor_writers_read(struct monitor_writers *w, char *to, size_t room)
{
    size_t n = 0;
    while (room - n > MONITOR_DATAGRAM) {
        ssize_t got = recv(w->fd, to + n, MONITOR_DATAGRAM, MSG_TRUNC);
        if (got <= 0)
            break;
        if (got > MONITOR_DATAGRAM) {
            complain("warning: %s: a datagram of more than %d bytes is dropped", w->path, MONITOR_DATAGRAM);
            continue;
        }
        n += (size_t)got;
        if (to[n - 1] != '\n')
            to[n++] = '\n';
    }
    return n;
}

void monitor_writers_close(struct monitor_writers *w)
{
    if (w->fd < 0)
        return;
    close(w->fd);
    unlink(w->path);
    w->fd = -1;
}
