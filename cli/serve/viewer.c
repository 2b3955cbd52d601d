/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/viewer.h"

#include "serve/respond.h"
#include "serve/routes.h"

#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    CONNECTIONS = 64,
    CLIENT_CONNECTIONS = 32,     /* of one other machine */
    CONNECTION_BYTES = 32 << 10, /* for a request and its headers */
    SILENT_SECONDS = 5,          /* without a request, or within its headers */
    STALLED_SECONDS = 60,        /* within an answer */
};

static void resume(void *call)
{
    MHD_resume_connection(((struct call *)call)->connection);
}

/* Has the peer closed its end? libmicrohttpd does not look at connections that are suspended. */
static bool peer_left(void *call)
{
    char byte;
    ssize_t n = recv(((struct call *)call)->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

static void sweep(void *arg)
{
    struct viewer *s = arg;
    broadcast_sweep(&s->broadcast);
    work_sweep(&s->work, peer_left);
}

static const char *header(struct MHD_Connection *c, const char *name)
{
    return MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

static int socket_of(struct MHD_Connection *c)
{
    return MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

static bool only_reads(const char *method)
{
    return strcmp(method, MHD_HTTP_METHOD_GET) == 0 || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
}

/* Called when the headers are there, with the body, if there is one, and when the connection is resumed. */
static enum MHD_Result handle(void *arg, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *body, size_t *body_size, void **context)
{
    struct viewer *s = arg;
    struct call *c = *context;
    (void)version;
    (void)body;
    if (c) {
        *body_size = 0; /* it is not read */
        return route(c, url);
    }
    struct request_headers h = {header(connection, "Host"), header(connection, "Origin"),
                                header(connection, "Sec-Fetch-Site"), header(connection, "Sec-Fetch-Mode")};
    if (!request_ours(&s->here, &h))
        return send_line(connection, MHD_HTTP_FORBIDDEN, "this viewer is for the user of its own machine");
    if (!only_reads(method))
        return send_line(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "this viewer only reads");
    c = grow(NULL, sizeof *c);
    *c = (struct call){.viewer = s, .connection = connection, .socket = socket_of(connection)};
    *context = c;
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned)STALLED_SECONDS);
    return MHD_YES;
}

static void complete(void *arg, struct MHD_Connection *connection, void **context, enum MHD_RequestTerminationCode how)
{
    struct viewer *s = arg;
    struct call *c = *context;
    if (c && c->job)
        work_release(&s->work, c->job);
    free(c);
    *context = NULL;
    if (how == MHD_REQUEST_TERMINATED_COMPLETED_OK)
        MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned)SILENT_SECONDS);
}

/* Paths and queries stay as they were sent: a NUL among the escapes would cut them. request_decode refuses it. */
static size_t leave_escaped(void *arg, struct MHD_Connection *connection, char *text)
{
    (void)arg;
    (void)connection;
    return strlen(text);
}

static struct MHD_Daemon *start_daemon(struct viewer *s, int listening)
{
    return MHD_start_daemon(MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL,
                            handle, s, MHD_OPTION_LISTEN_SOCKET, listening, MHD_OPTION_NOTIFY_COMPLETED, complete, s,
                            MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL, MHD_OPTION_CONNECTION_LIMIT,
                            (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
                            MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENT_SECONDS, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
                            (unsigned)(request_loopback(&s->here) ? 0 : CLIENT_CONNECTIONS), MHD_OPTION_END);
}

bool viewer_start(struct viewer *s, int listening, const struct budget *b)
{
    broadcast_init(&s->broadcast, resume, peer_left);
    catalogue_init(&s->catalogue, &s->tree, &s->broadcast);
    if (!work_start(&s->work, &s->tree, &s->catalogue, b, resume) ||
        !watcher_start(&s->watcher, &s->catalogue, sweep, s)) {
        complain("serve: cannot start a thread: %s", strerror(errno));
        return false;
    }
    s->daemon = start_daemon(s, listening);
    if (!s->daemon)
        complain("serve: cannot start the server: %s", strerror(errno));
    return s->daemon;
}

/* Everything that waits is woken before the daemon ends: it does not end with suspended connections. */
void viewer_stop(struct viewer *s)
{
    watcher_stop(&s->watcher);
    work_stop(&s->work);
    broadcast_close(&s->broadcast);
    MHD_stop_daemon(s->daemon);
    if (s->listing)
        MHD_destroy_response(s->listing);
    work_free(&s->work);
    catalogue_free(&s->catalogue);
    broadcast_free(&s->broadcast);
}
