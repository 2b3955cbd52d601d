/* SPDX-License-Identifier: Apache-2.0 */
/* Threads as lanes, operations as bars between their events. All calls and returns are sorted by time, and events at
 * one time share a place. From left to right each place is as near to the last one as the bars allow that end there. A
 * bar without a return goes on to the right edge. */
#include "report/layout.h"

#include <stdlib.h>

enum {
    STEP = 26,  /* between two events, at least */
    APART = 2,  /* from an event to the end of its bar: bars that share a time do not touch */
    LANE = 16,  /* between lanes */
    BEYOND = 30 /* from the last event to the right edge */
};

struct events {
    int64_t *at; /* each once, ascending */
    int *x;
    uint32_t n;
    int right;
};

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static struct events collect_times(const struct layout *l, const history *h)
{
    struct events t = {mem_new(l->mem, int64_t, 2 * (size_t)l->boxes.n + 1),
                       mem_new_zero(l->mem, int, 2 * (size_t)l->boxes.n + 1), 0, 0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->boxes.n; i++) {
        uint32_t op = l->boxes.at[i].op;
        t.at[n++] = h->call[op];
        if (!history_pending(h, op))
            t.at[n++] = h->ret[op];
    }
    qsort(t.at, n, sizeof *t.at, ascending);
    for (uint32_t i = 0; i < n; i++)
        if (!i || t.at[i] != t.at[i - 1])
            t.at[t.n++] = t.at[i];
    return t;
}

static int x_of(const struct events *t, int64_t time)
{
    uint32_t i = 0;
    while (i + 1 < t->n && t->at[i] < time)
        i++;
    return t->x[i];
}

static void place_times(struct events *t, const struct layout *l, const history *h, int left)
{
    for (uint32_t i = 0; i < t->n; i++) {
        t->x[i] = i ? t->x[i - 1] + STEP : left;
        for (uint32_t b = 0; b < l->boxes.n; b++) {
            uint32_t op = l->boxes.at[b].op;
            if (history_pending(h, op) || h->ret[op] != t->at[i] || h->call[op] == h->ret[op])
                continue;
            int end = x_of(t, h->call[op]) + l->boxes.at[b].width + 2 * APART;
            t->x[i] = end > t->x[i] ? end : t->x[i];
        }
    }
    t->right = (t->n ? t->x[t->n - 1] : left) + BEYOND;
    for (uint32_t b = 0; b < l->boxes.n; b++) {
        uint32_t op = l->boxes.at[b].op;
        int end = x_of(t, h->call[op]) + l->boxes.at[b].width + 2 * APART;
        if ((history_pending(h, op) || h->call[op] == h->ret[op]) && end > t->right)
            t->right = end;
    }
}

static void place_bar(struct layout_box *b, const history *h, const struct events *t, int y)
{
    int from = x_of(t, h->call[b->op]) + APART;
    int to = history_pending(h, b->op) ? t->right : x_of(t, h->ret[b->op]) - APART;
    b->x = from;
    b->y = y;
    b->width = to - from > b->width ? to - from : b->width;
}

static uint32_t add_lane(struct layout *l, const history *h, uint32_t thread, int *left)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < l->boxes.n; i++)
        count += h->thread[l->boxes.at[i].op] == thread;
    if (!count)
        return 0;
    struct layout_thread lane = {.name = layout_thread_name(l, h, thread), .x = LAYOUT_MARGIN};
    if (LAYOUT_MARGIN + layout_text_width(lane.name) + LAYOUT_MARGIN > *left)
        *left = LAYOUT_MARGIN + layout_text_width(lane.name) + LAYOUT_MARGIN;
    vec_push(l->mem, &l->threads, lane);
    return count;
}

/* The bars of a thread in a lane; returns its height. */
static int place_lane(struct layout *l, const history *h, const struct events *t, uint32_t thread,
                      struct layout_thread *lane, int y)
{
    int height = 0;
    for (uint32_t i = 0; i < l->boxes.n; i++) {
        struct layout_box *b = &l->boxes.at[i];
        if (h->thread[b->op] != thread)
            continue;
        place_bar(b, h, t, y);
        height = b->height > height ? b->height : height;
    }
    lane->y = y + height / 2;
    return height;
}

void layout_time_line(struct layout *l, const result *r)
{
    const history *h = r->h;
    int left = 0, y = LAYOUT_MARGIN;
    uint32_t *thread = mem_new(l->mem, uint32_t, h->threads.n + 1);
    for (uint32_t t = 0; t < h->threads.n; t++)
        if (add_lane(l, h, t, &left))
            thread[l->threads.n - 1] = t;
    struct events t = collect_times(l, h);
    place_times(&t, l, h, left);
    for (uint32_t i = 0; i < l->threads.n; i++) {
        struct layout_thread *lane = &l->threads.at[i];
        y += place_lane(l, h, &t, thread[i], lane, y) + LANE;
        lane->from = (struct layout_point){left, lane->y};
        lane->to = (struct layout_point){t.right, lane->y};
    }
    l->width = t.right + LAYOUT_MARGIN;
    l->bottom = y;
    const char *axis = "time goes to the right; events are in their order, not to scale";
    vec_push(l->mem, &l->notes, axis);
}
