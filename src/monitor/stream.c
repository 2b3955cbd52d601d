/* SPDX-License-Identifier: Apache-2.0 */
/* Where a monitor's bytes come from: files, FIFOs, standard input, Unix sockets; as they arrive, decoded if
 * compressed. */
#define _XOPEN_SOURCE 700 /* S_ISVTX */
#include "assay_monitor.h"
#include "base/error.h"
#include "base/given.h"
#include "format/decode.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

struct assay_stream {
    int descriptor;          /* of the input, or of the socket that waits for its writer */
    bool waiting;            /* for a writer */
    char *socket;            /* a socket that was made here, or NULL */
    struct stat made;        /* its state then */
    bool begun;              /* bytes have been read */
    struct decoder *decoder; /* closes the input's descriptor */
};

/* ---- opening ---- */

static int fail(assay_error *e, const char *what, const char *path)
{
    error_set(e, ASSAY_ERROR_INPUT, "%s: %s", what, strerror(errno));
    if (e && !e->file[0])
        snprintf(e->file, sizeof e->file, "%s", path);
    return -1;
}

static int open_file(const char *path, assay_error *e)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail(e, "cannot open", path);
    if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        close(fd);
        errno = EISDIR;
        return fail(e, "cannot read events from it", path);
    }
    return fd;
}

/* A monitor that makes a socket waits for a writer, and takes every connecting process for one. A second monitor would
 * connect, and wait for bytes from the first. So a socket that a monitor has made bears a mark, set before any process
 * can connect. */
enum { WAITS_FOR_A_WRITER = S_ISVTX, FOR_ITS_OWNER = S_IRUSR | S_IWUSR };

/* Is there something of this name that must not be connected to? Says so in e. */
static bool is_taken(const char *path, assay_error *e)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return false;
    if (!S_ISSOCK(st.st_mode)) {
        errno = ENOTSOCK;
        fail(e, "cannot open the socket", path);
        error_remedy(e, "without `unix:` it is read as a file; to have a socket made, name a file that does not exist");
        return true;
    }
    if (!(st.st_mode & WAITS_FOR_A_WRITER))
        return false;
    errno = EADDRINUSE;
    fail(e, "cannot open the socket: another monitor has made it", path);
    error_remedy(e, "each monitor needs a socket of its own; if that monitor was killed, delete the socket");
    return true;
}

/* Remembers the socket, so that no other is deleted at the end. It is for its owner only, whatever the umask; nobody
 * can connect before it listens. Where it cannot bear the mark, it goes without. */
static bool mark_as_made(assay_stream *s, const char *path)
{
    s->socket = strdup(path);
    if (!s->socket || stat(path, &s->made) != 0)
        return false;
    return chmod(path, FOR_ITS_OWNER | WAITS_FOR_A_WRITER) == 0 || chmod(path, FOR_ITS_OWNER) == 0;
}

static void delete_socket(const assay_stream *s)
{
    struct stat st;
    if (s->socket && stat(s->socket, &st) == 0 && st.st_dev == s->made.st_dev && st.st_ino == s->made.st_ino)
        unlink(s->socket);
}

/* Connects, or, where there is no file of this name, makes a socket and listens. */
static int open_socket(assay_stream *s, const char *path, assay_error *e)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return fail(e, "cannot open the socket", path);
    }
    if (is_taken(path, e))
        return -1;
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0)
        return fail(e, "cannot open a socket", path);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    bool absent = errno == ENOENT;
    if (!absent)
        fail(e, "cannot connect", path);
    else if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0)
        fail(e, "cannot make the socket", path);
    else if (!mark_as_made(s, path) || listen(fd, 1) != 0)
        fail(e, "cannot listen", path);
    else {
        s->waiting = true;
        return fd;
    }
    if (!absent)
        error_remedy(e, "is its program running? delete the socket to have it made anew");
    close(fd);
    return -1;
}

static bool decode(assay_stream *s, assay_error *e)
{
    s->decoder = decoder_of_file(s->descriptor);
    if (!s->decoder)
        error_set(e, ASSAY_ERROR_RESOURCE, "out of memory");
    return s->decoder;
}

assay_stream *assay_stream_open(const char *path, assay_error *e)
{
    if (!GIVEN(path, e))
        return NULL;
    assay_stream *s = calloc(1, sizeof *s);
    if (!s) {
        error_set(e, ASSAY_ERROR_RESOURCE, "out of memory");
        return NULL;
    }
    if (strcmp(path, "-") == 0)
        s->descriptor = STDIN_FILENO;
    else if (strncmp(path, "unix:", 5) == 0)
        s->descriptor = open_socket(s, path + 5, e);
    else
        s->descriptor = open_file(path, e);
    if (s->descriptor >= 0 && (s->waiting || decode(s, e)))
        return s;
    assay_stream_close(s);
    return NULL;
}

void assay_stream_close(assay_stream *s)
{
    if (!s)
        return;
    if (s->decoder)
        decoder_close(s->decoder);
    else if (s->descriptor > STDERR_FILENO)
        close(s->descriptor);
    delete_socket(s);
    free(s->socket);
    free(s);
}

/* ---- reading ---- */

/* The decoder of compressed bytes may hold some that it has not decoded. */
int assay_stream_descriptor(const assay_stream *s)
{
    if (!s)
        return -1;
    return s->begun && !decoder_is_plain(s->decoder) ? -1 : s->descriptor;
}

static bool accept_writer(assay_stream *s, assay_error *e)
{
    int fd = accept(s->descriptor, NULL, NULL);
    if (fd < 0 && (errno == EINTR || errno == ECONNABORTED))
        return true;
    if (fd < 0) {
        fail(e, "cannot accept a writer", s->socket);
        return false;
    }
    close(s->descriptor);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    s->descriptor = fd;
    s->waiting = false;
    return decode(s, e);
}

bool assay_stream_read(assay_stream *s, char *to, size_t room, size_t *got, assay_error *e)
{
    if (!GIVEN(s && to && got, e))
        return false;
    assay_error own = {0}, *fault = e ? e : &own;
    *got = 0;
    if (s->waiting)
        return accept_writer(s, fault);
    *got = decoder_read(s->decoder, to, room, fault);
    s->begun = true;
    return *got > 0;
}
