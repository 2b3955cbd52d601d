/* SPDX-License-Identifier: Apache-2.0 */
/* The watcher: a thread that scans the folder as soon as something in it changes.
 *
 * Idea: inotify only says when; the scan finds out the rest. So an event that is lost, merged or late does no harm.
 * Without inotify, or beyond its limits, there is a scan every second. Scans keep a distance, so that a busy writer
 * costs a bounded share of the processor. The thread has a second task: about every second it calls its viewer. */
#ifndef ASSAY_CLI_SERVE_WATCHER_H
#define ASSAY_CLI_SERVE_WATCHER_H

#include "serve/catalogue.h"

#include <stdbool.h>

struct watcher {
    struct catalogue *catalogue;
    pthread_t thread;
    int notify; /* inotify's descriptor, or -1 */
    bool blind; /* some folder could not be watched in the last scan */
    void (*tick)(void *arg);
    void *arg;
    int stop[2];
};

/* Scans once, then goes on in the background. False: errno says why. */
bool watcher_start(struct watcher *w, struct catalogue *c, void (*tick)(void *arg), void *arg);
void watcher_stop(struct watcher *w);

#endif
