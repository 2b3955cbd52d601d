/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/live.h"

#include "history/history.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

void live_init(struct live *l, void (*take)(void *arg, const char *events, size_t bytes), void *arg)
{
    l->take = take;
    l->arg = arg;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->arrived, NULL);
    pthread_cond_init(&l->taken, NULL);
    pthread_cond_init(&l->idle, NULL);
    atomic_init(&l->off, false);
}

/* ---- the monitor's thread ---- */

static void *check(void *arg)
{
    struct live *l = arg;
    pthread_mutex_lock(&l->lock);
    for (;;) {
        while (!l->filled && !l->closing)
            pthread_cond_wait(&l->arrived, &l->lock);
        if (!l->filled)
            break;
        char *events = l->filling;
        size_t bytes = l->filled;
        l->filling = l->checking;
        l->checking = events;
        l->filled = 0;
        pthread_cond_broadcast(&l->taken);
        pthread_mutex_unlock(&l->lock);
        l->take(l->arg, events, bytes);
        pthread_mutex_lock(&l->lock);
        l->done += bytes;
        pthread_cond_broadcast(&l->idle);
    }
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

/* The thread takes no signals of the program. */
static bool begin(struct live *l)
{
    sigset_t all, before;
    l->filling = malloc(LIVE_BUFFER);
    l->checking = malloc(LIVE_BUFFER);
    if (!l->filling || !l->checking)
        return false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    l->running = pthread_create(&l->thread, NULL, check, l) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return l->running;
}

void live_free(struct live *l)
{
    pthread_mutex_lock(&l->lock);
    l->closing = true;
    pthread_cond_broadcast(&l->arrived);
    pthread_mutex_unlock(&l->lock);
    if (l->running)
        pthread_join(l->thread, NULL);
    pthread_cond_destroy(&l->idle);
    pthread_cond_destroy(&l->taken);
    pthread_cond_destroy(&l->arrived);
    pthread_mutex_destroy(&l->lock);
    free(l->filling);
    free(l->checking);
}

/* ---- the program's threads ---- */

static size_t size_of(size_t method_length, const assay_value *values, size_t n)
{
    size_t size = sizeof(struct live_event) + n * sizeof(struct live_value) + method_length;
    for (size_t i = 0; i < n && size < LIVE_BUFFER; i++)
        if (kind_is_text(values[i].kind))
            size = values[i].length < LIVE_BUFFER ? size + values[i].length : LIVE_BUFFER;
    return (size + 7) / 8 * 8;
}

static void write_event(char *to, uint64_t id, const char *method, size_t length, const assay_value *values, size_t n,
                        size_t size)
{
    struct live_event event = {.id = id,
                               .size = (uint32_t)size,
                               .is_return = !method,
                               .method_length = (uint32_t)length,
                               .count = (uint32_t)n};
    memcpy(to, &event, sizeof event);
    char *value = to + sizeof event, *text = value + n * sizeof(struct live_value);
    if (method)
        memcpy(text, method, length);
    text += length;
    for (size_t i = 0; i < n; i++, value += sizeof(struct live_value)) {
        const assay_value *v = &values[i];
        struct live_value out = {.integer = v->integer, .kind = v->kind};
        if (kind_is_text(v->kind)) {
            out.length = (uint32_t)v->length;
            memcpy(text, v->text, v->length);
            text += v->length;
        }
        memcpy(value, &out, sizeof out);
    }
}

bool live_put(struct live *l, uint64_t id, const char *method, const assay_value *values, size_t n, const char **why)
{
    if (atomic_load_explicit(&l->off, memory_order_relaxed))
        return true;
    size_t length = method ? strlen(method) : 0;
    size_t size = n <= UINT8_MAX && length < LIVE_BUFFER / 2 ? size_of(length, values, n) : LIVE_BUFFER;
    if (size >= LIVE_BUFFER) {
        *why = "a call with more than 255 arguments or a mebibyte of text";
        return false;
    }
    for (size_t i = 0; i < n; i++)
        if (values[i].kind == ASSAY_LIST) {
            *why = "a value that is a list, which a monitor does not follow";
            return false;
        }
    bool fine = true;
    pthread_mutex_lock(&l->lock);
    if (!l->running && !(fine = begin(l)))
        *why = "the monitor's thread could not be started";
    while (fine && LIVE_BUFFER - l->filled < size && !atomic_load_explicit(&l->off, memory_order_relaxed))
        pthread_cond_wait(&l->taken, &l->lock);
    if (fine && LIVE_BUFFER - l->filled >= size) {
        write_event(l->filling + l->filled, id, method, length, values, n, size);
        if (!l->filled)
            pthread_cond_signal(&l->arrived);
        l->filled += size;
        l->put += size;
    }
    pthread_mutex_unlock(&l->lock);
    return fine;
}

void live_drain(struct live *l)
{
    pthread_mutex_lock(&l->lock);
    uint64_t arrived = l->put;
    while (l->done < arrived)
        pthread_cond_wait(&l->idle, &l->lock);
    pthread_mutex_unlock(&l->lock);
}
