/* SPDX-License-Identifier: Apache-2.0 */
/* Threads as columns. Between two columns, and between two rows, is a channel without boxes, and arrows run there only:
 *
 *   - to the next box of the column straight down (or up) the row channel between them;
 *   - to another box of the column through the channel on its right;
 *   - to a neighbouring column straight through the channel between the two;
 *   - to a column further away along a track of the row channel beside the target's row.
 *
 * So no arrow crosses a box. A row channel is as high as its tracks need. A read stands in the row of the write that it
 * reads from, if it can: then reads-from is drawn level, and time flows down. Columns are exchanged as long as arrows
 * become shorter by that. */
#include "report/describe.h"
#include "report/layout.h"

enum {
    CHANNEL = 92,     /* between columns */
    ROW_CHANNEL = 44, /* between rows, at least */
    TRACK = 16,       /* between arrows that share a channel */
    TURN = 24,        /* from a box to the bend of an arrow */
};

struct grid {
    struct layout *l;
    const history *h;
    uint32_t *row, *column; /* of a box */
    uint32_t rows, columns;
    int *x, *width;       /* of a column */
    int *y, *height;      /* of a row */
    int *top;             /* of the row channel above a row; the last one is below all rows */
    uint32_t *tracks;     /* of a row channel */
    uint32_t *side_track; /* arrows in the channel on the right of a column so far */
    uint32_t *track;      /* of an arrow that runs along a row channel */
    struct idmap box_of;  /* operation -> box */
};

/* ---- boxes, and which of them arrows join ---- */

static struct grid grid_new(struct layout *l, const history *h)
{
    uint32_t n = l->boxes.n + 2;
    struct mem *m = l->mem;
    struct grid g = {.l = l,
                     .h = h,
                     .row = mem_new_zero(m, uint32_t, n),
                     .column = mem_new_zero(m, uint32_t, n),
                     .x = mem_new_zero(m, int, n),
                     .width = mem_new_zero(m, int, n),
                     .y = mem_new_zero(m, int, n),
                     .height = mem_new_zero(m, int, n),
                     .top = mem_new_zero(m, int, n),
                     .tracks = mem_new_zero(m, uint32_t, n),
                     .side_track = mem_new_zero(m, uint32_t, n)};
    for (uint32_t i = 0; i < l->boxes.n; i++)
        *idmap_at(m, &g.box_of, l->boxes.at[i].op) = i;
    return g;
}

static void add_edge(struct grid *g, assay_rule rule, uint32_t from, uint32_t to, bool in_cycle)
{
    struct layout_edge e = {
        .rule = rule, .from = idmap_get(&g->box_of, from), .to = idmap_get(&g->box_of, to), .in_cycle = in_cycle};
    if (e.from != ID_NONE && e.to != ID_NONE)
        vec_push(g->l->mem, &g->l->edges, e);
}

/* Of transactions: a write comes before a reader of the initial value. The picture has the cycle that this is: the
 * reader comes before the write that overwrites its value. */
static void close_at_initial(struct grid *g, const struct evidence *ev)
{
    const struct reason *last = &vec_last(&ev->reasons);
    for (uint32_t i = 0; i < g->l->edges.n; i++)
        g->l->edges.at[i].in_cycle = true;
    add_edge(g, ASSAY_RW, last->read, last->from, true);
}

static void add_edges(struct grid *g, const result *r)
{
    const struct evidence *ev = &r->evidence;
    struct drawing edges = {0};
    if (r->verdict == ASSAY_VIOLATION)
        edges = describe_drawing(r, g->l->mem);
    for (uint32_t i = 0; i < edges.n; i++)
        add_edge(g, edges.at[i].step->rule, edges.at[i].step->from, edges.at[i].step->to, edges.at[i].in_cycle);
    if (r->verdict == ASSAY_VIOLATION && ev->reasons.n && vec_last(&ev->reasons).to == ASSAY_NO_OPERATION &&
        !ev->cycle_count)
        close_at_initial(g, ev);
    if (ev->pattern == PATTERN_AbortedRead || ev->pattern == PATTERN_IntermediateRead)
        add_edge(g, ASSAY_WR, ev->opposite, ev->culprit, true);
}

static uint32_t thread_of(const struct grid *g, uint32_t box)
{
    return g->h->thread[g->l->boxes.at[box].op];
}

/* Threads without boxes have no column. */
static void number_columns(struct grid *g)
{
    for (uint32_t t = 0; t < g->h->threads.n; t++) {
        bool present = false;
        for (uint32_t i = 0; i < g->l->boxes.n; i++)
            if (thread_of(g, i) == t) {
                g->column[i] = g->columns;
                present = true;
            }
        if (!present)
            continue;
        struct layout_thread named = {.name = layout_thread_name(g->l, g->h, t)};
        vec_push(g->l->mem, &g->l->threads, named);
        g->columns++;
    }
}

/* How many columns the arrows jump over if columns a and b are exchanged, and how many arrows do. */
static uint32_t jumps(const struct grid *g, uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < g->l->edges.n; i++) {
        uint32_t from = g->column[g->l->edges.at[i].from], to = g->column[g->l->edges.at[i].to];
        from = from == a ? b : from == b ? a : from;
        to = to == a ? b : to == b ? a : to;
        uint32_t distance = from < to ? to - from : from - to;
        sum += distance > 1 ? distance : 0;
    }
    return sum;
}

static void exchange(struct grid *g, uint32_t a, uint32_t b)
{
    struct layout_thread first = g->l->threads.at[a];
    g->l->threads.at[a] = g->l->threads.at[b];
    g->l->threads.at[b] = first;
    for (uint32_t i = 0; i < g->l->boxes.n; i++)
        g->column[i] = g->column[i] == a ? b : g->column[i] == b ? a : g->column[i];
}

/* The exchange that helps most, of neighbours first, again and again. Each makes the sum smaller, so this ends. */
static void sort_columns(struct grid *g)
{
    for (;;) {
        uint32_t least = jumps(g, 0, 0), first = 0, second = 0;
        for (uint32_t apart = 1; apart < g->columns; apart++)
            for (uint32_t a = 0; a + apart < g->columns; a++)
                if (jumps(g, a, a + apart) < least) {
                    least = jumps(g, a, a + apart);
                    first = a;
                    second = a + apart;
                }
        if (first == second)
            return;
        exchange(g, first, second);
    }
}

/* Below the box before it in the thread, and not above the write that it reads from. */
static void choose_rows(struct grid *g)
{
    uint32_t *free_row = mem_new_zero(g->l->mem, uint32_t, g->columns + 1);
    for (uint32_t i = 0; i < g->l->boxes.n; i++) {
        uint32_t row = free_row[g->column[i]];
        for (uint32_t k = 0; k < g->l->edges.n; k++) {
            const struct layout_edge *e = &g->l->edges.at[k];
            if (e->rule == ASSAY_WR && e->from < i && e->to == i && g->row[e->from] > row)
                row = g->row[e->from];
        }
        g->row[i] = row;
        free_row[g->column[i]] = row + 1;
        g->rows = row + 1 > g->rows ? row + 1 : g->rows;
    }
}

/* Above the first row and below the last one there is none without arrows. */
static int channel_height(const struct grid *g, uint32_t channel)
{
    int needed = g->tracks[channel] ? (int)(g->tracks[channel] + 1) * TRACK : 0;
    bool is_inner = channel > 0 && channel < g->rows;
    return is_inner && needed < ROW_CHANNEL ? ROW_CHANNEL : needed;
}

static void place_boxes(struct grid *g)
{
    struct layout *l = g->l;
    for (uint32_t c = 0; c < g->columns; c++)
        g->width[c] = layout_text_width(l->threads.at[c].name);
    for (uint32_t i = 0; i < l->boxes.n; i++) {
        int *width = &g->width[g->column[i]], *height = &g->height[g->row[i]];
        *width = l->boxes.at[i].width > *width ? l->boxes.at[i].width : *width;
        *height = l->boxes.at[i].height > *height ? l->boxes.at[i].height : *height;
    }
    int x = LAYOUT_MARGIN, y = LAYOUT_MARGIN + LAYOUT_HEAD;
    for (uint32_t c = 0; c < g->columns; c++) {
        g->x[c] = x;
        x += g->width[c] + CHANNEL;
    }
    for (uint32_t r = 0; r <= g->rows; r++) {
        g->top[r] = y;
        y += channel_height(g, r);
        g->y[r] = y;
        y += r < g->rows ? g->height[r] : 0;
    }
    for (uint32_t i = 0; i < l->boxes.n; i++) {
        struct layout_box *b = &l->boxes.at[i];
        b->width = g->width[g->column[i]]; /* all of a column are as wide: arrows end where the channel begins */
        b->x = g->x[g->column[i]];
        b->y = g->y[g->row[i]] + (g->height[g->row[i]] - b->height) / 2;
    }
    l->width = x - CHANNEL + LAYOUT_MARGIN;
    l->bottom = y + LAYOUT_MARGIN;
}

/* A thread's name stands above its column, and a line joins its boxes. */
static void place_threads(struct grid *g)
{
    for (uint32_t c = 0; c < g->columns; c++) {
        struct layout_thread *t = &g->l->threads.at[c];
        t->x = g->x[c] + g->width[c] / 2;
        t->y = LAYOUT_MARGIN + LAYOUT_HEAD / 2 - 3;
        t->from = t->to = (struct layout_point){t->x, LAYOUT_MARGIN + LAYOUT_HEAD};
        for (uint32_t i = 0; i < g->l->boxes.n; i++)
            if (g->column[i] == c && g->l->boxes.at[i].y > t->to.y)
                t->to.y = g->l->boxes.at[i].y;
    }
}

/* ---- tracks ---- */

/* Does the arrow pass a column? */
static bool is_long(const struct grid *g, const struct layout_edge *e)
{
    uint32_t a = g->column[e->from], b = g->column[e->to];
    return a > b + 1 || b > a + 1;
}

/* The row channel beside the target's row, on the side from which the arrow comes. */
static uint32_t channel_of(const struct grid *g, const struct layout_edge *e)
{
    return g->row[e->from] > g->row[e->to] ? g->row[e->to] + 1 : g->row[e->to];
}

/* Do two arrows of one row channel run beside each other, so that they need two tracks? */
static bool share_columns(const struct grid *g, const struct layout_edge *e, const struct layout_edge *o)
{
    uint32_t a = g->column[e->from], b = g->column[e->to], c = g->column[o->from], d = g->column[o->to];
    return (a < b ? a : b) < (c < d ? d : c) && (c < d ? c : d) < (a < b ? b : a);
}

static void choose_tracks(struct grid *g)
{
    const struct layout *l = g->l;
    g->track = mem_new_zero(l->mem, uint32_t, l->edges.n + 1);
    for (uint32_t i = 0; i < l->edges.n; i++) {
        const struct layout_edge *e = &l->edges.at[i];
        if (!is_long(g, e))
            continue;
        uint32_t channel = channel_of(g, e);
        for (uint32_t k = 0; k < i; k++) {
            const struct layout_edge *o = &l->edges.at[k];
            if (is_long(g, o) && channel_of(g, o) == channel && share_columns(g, e, o) && g->track[k] >= g->track[i])
                g->track[i] = g->track[k] + 1;
        }
        g->tracks[channel] = g->track[i] + 1 > g->tracks[channel] ? g->track[i] + 1 : g->tracks[channel];
    }
}

static int track_y(const struct grid *g, uint32_t edge)
{
    uint32_t channel = channel_of(g, &g->l->edges.at[edge]);
    int height = g->y[channel] - g->top[channel];
    return g->top[channel] + height * (int)(g->track[edge] + 1) / (int)(g->tracks[channel] + 1);
}

/* ---- arrows ---- */

/* Nothing of the column is between the two. */
static bool is_next(const struct grid *g, uint32_t a, uint32_t b)
{
    if (g->column[a] != g->column[b])
        return false;
    uint32_t low = g->row[a] < g->row[b] ? g->row[a] : g->row[b], high = g->row[a] + g->row[b] - low;
    for (uint32_t i = 0; i < g->l->boxes.n; i++)
        if (g->column[i] == g->column[a] && g->row[i] > low && g->row[i] < high)
            return false;
    return true;
}

/* Does the arrow end, or begin, at this side of the box? Sides: -1 left, 1 right. */
static bool is_at_side(const struct grid *g, const struct layout_edge *e, uint32_t box, int side)
{
    uint32_t other = e->from == box ? e->to : e->from;
    if ((e->from != box && e->to != box) || is_next(g, e->from, e->to))
        return false;
    return side == (g->column[other] < g->column[box] ? -1 : 1);
}

/* The arrows at a side share its height, those from above first. */
static int port(const struct grid *g, uint32_t edge, uint32_t box, int side)
{
    const struct layout *l = g->l;
    const struct layout_edge *mine = &l->edges.at[edge];
    uint32_t count = 0, before = 0, other = mine->from == box ? mine->to : mine->from;
    for (uint32_t i = 0; i < l->edges.n; i++) {
        const struct layout_edge *e = &l->edges.at[i];
        if (!is_at_side(g, e, box, side))
            continue;
        uint32_t to = e->from == box ? e->to : e->from;
        count++;
        before += l->boxes.at[to].y < l->boxes.at[other].y || (l->boxes.at[to].y == l->boxes.at[other].y && i < edge);
    }
    const struct layout_box *b = &l->boxes.at[box];
    return b->y + b->height * (int)(before + 1) / (int)(count + 1);
}

/* Between the boxes of one column; a second arrow of the pair stands beside the first. */
static void route_down(struct grid *g, uint32_t edge)
{
    struct layout_edge *e = &g->l->edges.at[edge];
    const struct layout_box *a = &g->l->boxes.at[e->from], *b = &g->l->boxes.at[e->to];
    int shift = 0;
    for (uint32_t i = 0; i < edge; i++) {
        const struct layout_edge *o = &g->l->edges.at[i];
        if ((o->from == e->from && o->to == e->to) || (o->from == e->to && o->to == e->from))
            shift -= 2 * TRACK;
    }
    int x = a->x + a->width / 2 + shift;
    e->at[0] = (struct layout_point){x, a->y < b->y ? a->y + a->height : a->y};
    e->at[1] = (struct layout_point){x, a->y < b->y ? b->y : b->y + b->height};
    e->n = 2;
}

static void route_around(struct grid *g, uint32_t edge)
{
    struct layout_edge *e = &g->l->edges.at[edge];
    const struct layout_box *a = &g->l->boxes.at[e->from];
    int right = a->x + a->width, x = right + TURN + (int)(g->side_track[g->column[e->from]]++ % 4) * (TRACK / 2);
    int from = port(g, edge, e->from, 1), to = port(g, edge, e->to, 1);
    e->at[0] = (struct layout_point){right, from};
    e->at[1] = (struct layout_point){x, from};
    e->at[2] = (struct layout_point){x, to};
    e->at[3] = (struct layout_point){right, to};
    e->n = 4;
    if (x + CHANNEL / 2 > g->l->width)
        g->l->width = x + CHANNEL / 2;
}

static void route_across(struct grid *g, uint32_t edge)
{
    struct layout_edge *e = &g->l->edges.at[edge];
    const struct layout_box *a = &g->l->boxes.at[e->from], *b = &g->l->boxes.at[e->to];
    int side = g->column[e->from] < g->column[e->to] ? 1 : -1;
    struct layout_point start = {side > 0 ? a->x + a->width : a->x, port(g, edge, e->from, side)};
    struct layout_point end = {side > 0 ? b->x : b->x + b->width, port(g, edge, e->to, -side)};
    e->at[0] = start;
    e->n = 1;
    if (is_long(g, e)) {
        int y = track_y(g, edge);
        e->at[1] = (struct layout_point){start.x + side * TURN, y};
        e->at[2] = (struct layout_point){end.x - side * TURN, y};
        e->n = 3;
    }
    e->at[e->n++] = end;
}

void layout_grid(struct layout *l, const result *r)
{
    struct grid g = grid_new(l, r->h);
    number_columns(&g);
    add_edges(&g, r);
    sort_columns(&g);
    choose_rows(&g);
    choose_tracks(&g);
    place_boxes(&g);
    place_threads(&g);
    for (uint32_t i = 0; i < l->edges.n; i++) {
        const struct layout_edge *e = &l->edges.at[i];
        if (is_next(&g, e->from, e->to))
            route_down(&g, i);
        else if (g.column[e->from] == g.column[e->to])
            route_around(&g, i);
        else
            route_across(&g, i);
    }
}
