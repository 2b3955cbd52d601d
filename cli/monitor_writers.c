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

/* Who may connect. */
struct rights {
    mode_t mode;
    bool for_group;
    gid_t group;
};

static bool read_rights(struct rights *r, const char *path, const char *mode, const char *group, assay_error *e)
{
    char *end = NULL;
    unsigned long bits = mode ? strtoul(mode, &end, 8) : 0600;
    errno = EINVAL;
    if (mode && (!*mode || *end || bits > 0777))
        return fail(e, path, "cannot set the mode of the socket", "--socket-mode has octal digits, as in 0660");
    struct group *g = group ? getgrnam(group) : NULL;
    if (group && !g)
        return fail(e, path, "cannot set the group of the socket", "there is no group of this name");
    *r = (struct rights){.mode = (mode_t)bits, .for_group = g != NULL, .group = g ? g->gr_gid : 0};
    return true;
}

/* At no moment may anybody connect whom the mode keeps out: the umask gives the socket its mode when it is made. If it
 * is for another group, only its owner may connect until it belongs to that group. The umask is the process's, so this
 * is called before there are other threads. */
static bool bind_with_rights(int fd, const struct sockaddr_un *address, const struct rights *r)
{
    mode_t usual = umask(0777 & ~(r->for_group ? r->mode & 0700 : r->mode));
    bool bound = bind(fd, (const struct sockaddr *)address, sizeof *address) == 0;
    int why = errno;
    umask(usual);
    errno = why;
    return bound;
}

static bool hand_to_group(const char *path, const struct rights *r, assay_error *e)
{
    if (!r->for_group)
        return true;
    if (chown(path, (uid_t)-1, r->group) != 0)
        return fail(e, path, "cannot set the group of the socket", "the user of the monitor must be in it");
    return chmod(path, r->mode) == 0 || fail(e, path, "cannot set the mode of the socket", "");
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
    struct rights rights;
    *w = (struct monitor_writers){.path = path, .fd = -1};
    errno = ENAMETOOLONG;
    if (strlen(path) >= sizeof address.sun_path)
        return fail(e, path, "cannot make the socket", "");
    if (!read_rights(&rights, path, mode, group, e))
        return false;
    strcpy(address.sun_path, path);
    delete_dead(&address);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || !bind_with_rights(fd, &address, &rights)) {
        fail(e, path, "cannot make the socket", "each monitor needs a socket of its own");
        if (fd >= 0)
            close(fd);
        return false;
    }
    w->fd = fd;
    if (hand_to_group(path, &rights, e))
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
