/* SPDX-License-Identifier: Apache-2.0 */
/* The routes: a table of paths and their answers. */
#ifndef ASSAY_CLI_SERVE_ROUTES_H
#define ASSAY_CLI_SERVE_ROUTES_H

#include "serve/viewer.h"

#include <microhttpd.h>

/* A request, from its first line until the answer has been sent. */
struct call {
    struct viewer *viewer;
    struct MHD_Connection *connection;
    int socket;      /* of the connection */
    struct job *job; /* that it holds, or NULL */
};

/* Answers a request for this path, which is as it was sent, or suspends the connection. Called again when it is
 * resumed. */
enum MHD_Result route(struct call *c, const char *url);

#endif
