/* SPDX-License-Identifier: Apache-2.0 */
/* The viewer: an HTTP server on a folder, for the user of this machine. It only reads.
 *
 * Threads: libmicrohttpd's own answers requests and never waits; the watcher scans the folder; workers check histories.
 * A request that must wait is suspended and woken. */
#ifndef ASSAY_CLI_SERVE_VIEWER_H
#define ASSAY_CLI_SERVE_VIEWER_H

#include "serve/request.h"
#include "serve/watcher.h"
#include "serve/work.h"

struct MHD_Daemon;
struct MHD_Response;

struct viewer {
    struct address here;
    struct tree tree;
    struct broadcast broadcast;
    struct catalogue catalogue;
    struct watcher watcher;
    struct work work;
    struct MHD_Daemon *daemon;
    struct MHD_Response *listing; /* of this version of the catalogue */
    uint64_t listing_version;
};

/* Takes over the socket; the tree is open. False, with a message, on a fault. */
bool viewer_start(struct viewer *s, int listening, const struct budget *b);
void viewer_stop(struct viewer *s);

#endif
