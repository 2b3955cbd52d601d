/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/broadcast.h"

#include "output.h"

#include <stdlib.h>
#include <string.h>

void broadcast_init(struct broadcast *f, void (*wake)(void *handle), bool (*left)(void *handle))
{
    *f = (struct broadcast){.wake = wake, .left = left};
    pthread_mutex_init(&f->lock, NULL);
}

static void drop_first(struct broadcast *f)
{
    size_t i = f->first++ % BROADCAST_EVENTS;
    f->bytes -= f->events[i].n;
    free(f->events[i].text);
    f->events[i].text = NULL;
}

void broadcast_free(struct broadcast *f)
{
    while (f->first < f->end)
        drop_first(f);
    pthread_mutex_destroy(&f->lock);
}

static void wake_all(struct broadcast *f)
{
    for (size_t i = 0; i < BROADCAST_LISTENERS; i++) {
        struct listener *l = f->listeners[i];
        if (l && l->waiting) {
            l->waiting = false;
            f->wake(l->handle);
        }
    }
}

/* Takes over the text. */
static void append(struct broadcast *f, char *text)
{
    size_t n = strlen(text);
    pthread_mutex_lock(&f->lock);
    while (f->first < f->end && (f->end - f->first == BROADCAST_EVENTS || f->bytes + n > BROADCAST_BYTES))
        drop_first(f);
    size_t i = f->end++ % BROADCAST_EVENTS;
    f->events[i].text = text;
    f->events[i].n = n;
    f->bytes += n;
    wake_all(f);
    pthread_mutex_unlock(&f->lock);
}

static char *event_text(const char *event, const char *data)
{
    size_t size = strlen(event) + strlen(data) + sizeof "event: \ndata: \n\n";
    char *text = grow(NULL, size);
    snprintf(text, size, "event: %s\ndata: %s\n\n", event, data);
    return text;
}

void broadcast_post(struct broadcast *f, const char *event, const char *data)
{
    append(f, event_text(event, data));
}

void broadcast_beat(struct broadcast *f)
{
    append(f, copy_text(": alive\n\n"));
}

void broadcast_close(struct broadcast *f)
{
    pthread_mutex_lock(&f->lock);
    f->closed = true;
    wake_all(f);
    pthread_mutex_unlock(&f->lock);
}

/* It asks the page to fetch everything: later changes follow as events. */
static const char greeting[] = "retry: 1000\nevent: hello\ndata: {}\n\n";

/* A connection that waits is not closed meanwhile: the handle is good. */
static void sweep(struct broadcast *f)
{
    for (size_t i = 0; i < BROADCAST_LISTENERS; i++) {
        struct listener *l = f->listeners[i];
        if (!l || !l->waiting || !f->left(l->handle))
            continue;
        f->listeners[i] = NULL;
        l->left = true;
        l->waiting = false;
        f->wake(l->handle);
    }
}

void broadcast_sweep(struct broadcast *f)
{
    pthread_mutex_lock(&f->lock);
    sweep(f);
    pthread_mutex_unlock(&f->lock);
}

static struct listener **free_place(struct broadcast *f)
{
    for (size_t i = 0; i < BROADCAST_LISTENERS; i++)
        if (!f->listeners[i])
            return &f->listeners[i];
    return NULL;
}

struct listener *broadcast_join(struct broadcast *f, void *handle)
{
    struct listener *l = NULL;
    pthread_mutex_lock(&f->lock);
    if (!free_place(f))
        sweep(f);
    struct listener **place = free_place(f);
    if (place) {
        l = *place = grow(NULL, sizeof *l);
        *l = (struct listener){.next = f->end, .greeting = sizeof greeting - 1, .handle = handle};
    }
    pthread_mutex_unlock(&f->lock);
    return l;
}

void broadcast_leave(struct broadcast *f, struct listener *l)
{
    pthread_mutex_lock(&f->lock);
    for (size_t i = 0; i < BROADCAST_LISTENERS; i++)
        if (f->listeners[i] == l)
            f->listeners[i] = NULL;
    pthread_mutex_unlock(&f->lock);
    free(l);
}

static ssize_t copy_part(const char *from, size_t n, char *out, size_t room)
{
    size_t part = n < room ? n : room;
    memcpy(out, from, part);
    return (ssize_t)part;
}

static ssize_t read_event(struct broadcast *f, struct listener *l, char *out, size_t room)
{
    size_t i = l->next % BROADCAST_EVENTS;
    ssize_t part = copy_part(f->events[i].text + l->sent, f->events[i].n - l->sent, out, room);
    l->sent += (size_t)part;
    if (l->sent == f->events[i].n) {
        l->next++;
        l->sent = 0;
    }
    return part;
}

ssize_t broadcast_read(struct broadcast *f, struct listener *l, char *out, size_t room, void (*wait)(void *handle))
{
    ssize_t part = 0;
    pthread_mutex_lock(&f->lock);
    if (f->closed || l->left || l->next < f->first) {
        part = -1;
    } else if (l->greeting) {
        part = copy_part(greeting + sizeof greeting - 1 - l->greeting, l->greeting, out, room);
        l->greeting -= (size_t)part;
    } else if (l->next < f->end) {
        part = read_event(f, l, out, room);
    } else {
        l->waiting = true;
        wait(l->handle);
    }
    pthread_mutex_unlock(&f->lock);
    return part;
}
