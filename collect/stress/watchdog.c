/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stress/watchdog.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { LONGEST = 30 }; /* seconds that a run may take */

struct watchdog {
    const struct workers *workers;
    const struct stress_settings *settings;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool ends;
};

/* True: it is over. */
static bool wait_a_second(struct watchdog *w)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_mutex_lock(&w->lock);
    if (!w->ends)
        pthread_cond_timedwait(&w->ended, &w->lock, &until);
    bool ends = w->ends;
    pthread_mutex_unlock(&w->lock);
    return ends;
}

static void *look(void *arg)
{
    struct watchdog *w = arg;
    uint64_t run = 0;
    unsigned seconds = 0;
    char where[256];
    while (!wait_a_second(w)) {
        uint64_t now = workers_runs(w->workers);
        workers_where(w->workers, where, sizeof where);
        seconds = now == run && *where ? seconds + 1 : 0;
        run = now;
        if (seconds == LONGEST)
            w->settings->stuck(w->settings->context, where);
    }
    return NULL;
}

struct watchdog *watchdog_start(const struct workers *c, const struct stress_settings *s)
{
    struct watchdog *w = s->stuck ? calloc(1, sizeof *w) : NULL;
    if (!w)
        return NULL;
    w->workers = c;
    w->settings = s;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->ended, NULL);
    if (pthread_create(&w->thread, NULL, look, w) != 0) {
        free(w);
        return NULL;
    }
    return w;
}

void watchdog_end(struct watchdog *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->ends = true;
    pthread_cond_signal(&w->ended);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->ended);
    free(w);
}
