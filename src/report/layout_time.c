/* SPDX-License-Identifier: Apache-2.0 */
/* Threads as lanes, operations as bars between their events. All calls and returns are sorted by time, and events of
 * one moment share a place. From left to right each place is as near to the last one as the bars allow that end there.
 * A bar without a return goes on to the right edge.
 *
 * Clocks may give a thread several events at one time. Its operations are drawn one behind the other all the same. So a
 * moment has a time, and the number of operations of the thread that both began and ended at it before. */
#include "report/layout.h"

#include <stdlib.h>

enum {
    STEP = 26,  /* between two events, at least */
    APART = 2,  /* from an event to the end of its bar: bars that share a time do not touch */
    LANE = 16,  /* between lanes */
    BEYOND = 30 /* from the last event to the right edge */
};

struct moment {
    int64_t time;
    uint32_t instants;
};

struct events {
    struct moment *call, *ret; /* of a box */
    struct moment *at;         /* each once, ascending */
    int *x;
    uint32_t n;
    int right;
};

static int by_moment(const void *a, const void *b)
{
    const struct moment *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->instants > y->instants) - (x->instants < y->instants);
}

/* The box of the thread's operation before that of box i; ID_NONE: there is none. */
static uint32_t box_before(const struct layout *l, const history *h, uint32_t i)
{
    uint32_t last = ID_NONE;
    for (uint32_t k = 0; k < l->boxes.n; k++) {
        uint32_t op = l->boxes.at[k].op, mine = l->boxes.at[i].op;
        if (h->thread[op] == h->thread[mine] && op < mine && (last == ID_NONE || op > l->boxes.at[last].op))
            last = k;
    }
    return last;
}

/* Boxes of a thread come in program order. */
static void set_moments(struct events *e, const struct layout *l, const history *h)
{
    for (uint32_t i = 0; i < l->boxes.n; i++) {
        uint32_t op = l->boxes.at[i].op, before = box_before(l, h, i);
        e->call[i] = (struct moment){h->call[op], 0};
        if (before != ID_NONE && e->ret[before].time == h->call[op])
            e->call[i].instants = e->ret[before].instants;
        e->ret[i] = (struct moment){history_known_until(h, op), 0};
        if (e->ret[i].time == e->call[i].time)
            e->ret[i].instants = e->call[i].instants + 1;
    }
}

static struct events collect_events(const struct layout *l, const history *h)
{
    uint32_t n = l->boxes.n, count = 0;
    struct events e = {.call = mem_new(l->mem, struct moment, n + 1),
                       .ret = mem_new(l->mem, struct moment, n + 1),
                       .at = mem_new(l->mem, struct moment, 2 * (size_t)n + 1),
                       .x = mem_new_zero(l->mem, int, 2 * (size_t)n + 1)};
    set_moments(&e, l, h);
    for (uint32_t i = 0; i < n; i++) {
        e.at[count++] = e.call[i];
        if (!history_pending(h, l->boxes.at[i].op))
            e.at[count++] = e.ret[i];
    }
    qsort(e.at, count, sizeof *e.at, by_moment);
    for (uint32_t i = 0; i < count; i++)
        if (!i || by_moment(&e.at[i], &e.at[i - 1]) != 0)
            e.at[e.n++] = e.at[i];
    return e;
}

static int x_of(const struct events *e, struct moment m)
{
    uint32_t i = 0;
    while (i + 1 < e->n && by_moment(&e->at[i], &m) < 0)
        i++;
    return e->x[i];
}

static int end_of(const struct events *e, const struct layout *l, uint32_t box)
{
    return x_of(e, e->call[box]) + l->boxes.at[box].width + 2 * APART;
}

static void place_events(struct events *e, const struct layout *l, const history *h, int left)
{
    for (uint32_t i = 0; i < e->n; i++) {
        e->x[i] = i ? e->x[i - 1] + STEP : left;
        for (uint32_t b = 0; b < l->boxes.n; b++)
            if (!history_pending(h, l->boxes.at[b].op) && by_moment(&e->ret[b], &e->at[i]) == 0 &&
                end_of(e, l, b) > e->x[i])
                e->x[i] = end_of(e, l, b);
    }
    e->right = (e->n ? e->x[e->n - 1] : left) + BEYOND;
    for (uint32_t b = 0; b < l->boxes.n; b++)
        if (end_of(e, l, b) > e->right)
            e->right = end_of(e, l, b);
}

static void place_bar(struct layout *l, uint32_t box, const history *h, const struct events *e, int y)
{
    struct layout_box *b = &l->boxes.at[box];
    b->x = x_of(e, e->call[box]) + APART;
    b->width = (history_pending(h, b->op) ? e->right : x_of(e, e->ret[box]) - APART) - b->x;
    b->y = y;
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
static int place_lane(struct layout *l, const history *h, const struct events *e, uint32_t thread,
                      struct layout_thread *lane, int y)
{
    int height = 0;
    for (uint32_t i = 0; i < l->boxes.n; i++) {
        struct layout_box *b = &l->boxes.at[i];
        if (h->thread[b->op] != thread)
            continue;
        place_bar(l, i, h, e, y);
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
    struct events e = collect_events(l, h);
    place_events(&e, l, h, left);
    for (uint32_t i = 0; i < l->threads.n; i++) {
        struct layout_thread *lane = &l->threads.at[i];
        y += place_lane(l, h, &e, thread[i], lane, y) + LANE;
        lane->from = (struct layout_point){left, lane->y};
        lane->to = (struct layout_point){e.right, lane->y};
    }
    l->width = e.right + LAYOUT_MARGIN;
    l->bottom = y;
    const char *axis = "time goes to the right; events are in their order, not to scale";
    vec_push(l->mem, &l->notes, axis);
}
