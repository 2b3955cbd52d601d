/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/watcher.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/inotify.h>
#endif

enum {
    DISTANCE = 50, /* milliseconds between the end of a scan and the next one */
    PERIOD = 1000, /* of ticks, and of scans where changes are not told */
    BEAT = 15000,  /* of signs of life to listeners, and of scans in any case */
};

/* ---- being told ---- */

#if defined(__linux__)

static int notify_open(void)
{
    return inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}

/* A folder that is watched already keeps its watch; that of a deleted one is gone by itself. */
static bool notify_add(int notify, int folder)
{
    char name[32];
    snprintf(name, sizeof name, "/proc/self/fd/%d", folder);
    return inotify_add_watch(notify, name,
                             IN_CREATE | IN_DELETE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO) >= 0;
}

static void notify_drain(int notify)
{
    char events[4096];
    while (read(notify, events, sizeof events) > 0)
        ;
}

#else

static int notify_open(void)
{
    return -1;
}

static bool notify_add(int notify, int folder)
{
    (void)notify;
    (void)folder;
    return false;
}

static void notify_drain(int notify)
{
    (void)notify;
}

#endif

/* ---- scanning ---- */

/* Watched before its files are seen: a change in between is told. */
static void see_folder(void *arg, const char *path, int descriptor)
{
    struct watcher *w = arg;
    (void)path;
    if (w->notify < 0 || !notify_add(w->notify, descriptor))
        w->blind = true;
}

static void scan(struct watcher *w)
{
    w->blind = false;
    catalogue_scan(w->catalogue, see_folder, w);
}

enum waited { STOP, CHANGED, QUIET };

/* Waits so many milliseconds, or until it is told of a change, or to stop. */
static enum waited wait_for_change(const struct watcher *w, int told, int milliseconds)
{
    struct pollfd on[] = {{.fd = w->stop[0], .events = POLLIN}, {.fd = told, .events = POLLIN}};
    int ready = poll(on, 2, milliseconds);
    return ready > 0 && on[0].revents ? STOP : ready > 0 ? CHANGED : QUIET;
}

static void *follow(void *arg)
{
    struct watcher *w = arg;
    int silence = 0; /* milliseconds, about */
    while (wait_for_change(w, -1, DISTANCE) != STOP) {
        enum waited waited = wait_for_change(w, w->notify, PERIOD);
        if (waited == STOP)
            break;
        if (waited == CHANGED)
            notify_drain(w->notify);
        w->tick(w->arg);
        silence = waited == QUIET ? silence + PERIOD : 0;
        if (waited == CHANGED || w->blind || silence >= BEAT)
            scan(w);
        if (silence >= BEAT) {
            broadcast_beat(w->catalogue->broadcast);
            silence = 0;
        }
    }
    return NULL;
}

bool watcher_start(struct watcher *w, struct catalogue *c, void (*tick)(void *arg), void *arg)
{
    *w = (struct watcher){.catalogue = c, .notify = notify_open(), .tick = tick, .arg = arg};
    if (pipe(w->stop) != 0)
        return false;
    scan(w);
    errno = pthread_create(&w->thread, NULL, follow, w);
    if (errno == 0)
        return true;
    close(w->stop[0]);
    close(w->stop[1]);
    return false;
}

void watcher_stop(struct watcher *w)
{
    close(w->stop[1]);
    pthread_join(w->thread, NULL);
    close(w->stop[0]);
    if (w->notify >= 0)
        close(w->notify);
}
