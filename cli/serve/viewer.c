/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/viewer.h"

#include "serve/respond.h"
#include "serve/routes.h"

#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CONNECTIONS = 64,
    CONNECTION_BYTES = 32 << 10, /* for a request and its headers */
    IDLE_SECONDS = 60,
};

static void resume(void *connection)
{
    MHD_resume_connection(connection);
}

static const char *header(struct MHD_Connection *c, const char *name)
{
    return MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
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
    *c = (struct call){.viewer = s, .connection = connection};
    *context = c;
    return MHD_YES;
}

static void complete(void *arg, struct MHD_Connection *connection, void **context, enum MHD_RequestTerminationCode how)
{
    struct viewer *s = arg;
    struct call *c = *context;
    (void)connection;
    (void)how;
    if (c && c->job)
        work_release(&s->work, c->job);
    free(c);
    *context = NULL;
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
                            MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_END);
}

bool viewer_start(struct viewer *s, int listening, const struct budget *b)
{
    broadcast_init(&s->broadcast, resume);
    catalogue_init(&s->catalogue, &s->tree, &s->broadcast);
    if (!watcher_start(&s->watcher, &s->catalogue) || !work_start(&s->work, &s->tree, &s->catalogue, b, resume)) {
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
