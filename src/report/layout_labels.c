/* SPDX-License-Identifier: Apache-2.0 */
/* Where the label of an arrow stands: on the arrow, or on either side of a piece that is level or upright. Of some
 * places along the arrow the one with the least cost is taken. To touch a box or another label is never worth it, since
 * channels are wide enough for a label; to touch another arrow costs little. */
#include "report/layout.h"

#include <stdlib.h>

enum {
    PLACES = 9,
    ON_A_BOX = 1000,
    ON_A_LABEL = 300,
    ON_AN_ARROW = 10,
    OFF_THE_MIDDLE = 1,
};

struct area {
    int left, top, right, bottom;
};

static bool meet(struct area a, struct area b)
{
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

static struct area area_of_label(struct layout_point middle, assay_rule rule)
{
    int half = layout_label_width(rule) / 2, up = LAYOUT_LABEL_HEIGHT / 2;
    return (struct area){middle.x - half, middle.y - up, middle.x + half, middle.y + up};
}

/* Is any of some points of the piece in the area? Areas are some pixels large, the points are nearer to each other. */
static bool runs_through(struct layout_point a, struct layout_point b, struct area where)
{
    int length = abs(b.x - a.x) + abs(b.y - a.y), points = length / 4 + 1;
    for (int i = 0; i <= points; i++) {
        int x = a.x + (b.x - a.x) * i / points, y = a.y + (b.y - a.y) * i / points;
        if (x > where.left && x < where.right && y > where.top && y < where.bottom)
            return true;
    }
    return false;
}

/* The longest piece carries the label. */
static uint32_t longest(const struct layout_edge *e)
{
    uint32_t best = 0;
    int most = -1;
    for (uint32_t i = 0; i + 1 < e->n; i++) {
        int length = abs(e->at[i + 1].x - e->at[i].x) + abs(e->at[i + 1].y - e->at[i].y);
        best = length > most ? i : best;
        most = length > most ? length : most;
    }
    return best;
}

/* side: 1 or -1 */
static struct layout_point candidate(const struct layout_edge *e, uint32_t piece, int place, int side)
{
    struct layout_point a = e->at[piece], b = e->at[piece + 1];
    struct layout_point p = {a.x + (b.x - a.x) * (place + 1) / (PLACES + 1),
                             a.y + (b.y - a.y) * (place + 1) / (PLACES + 1)};
    if (a.x == b.x)
        p.x += side * (layout_label_width(e->rule) / 2 + 3);
    else if (a.y == b.y)
        p.y -= side * (LAYOUT_LABEL_HEIGHT / 2 + 2);
    return p;
}

static int cost(const struct layout *l, uint32_t edge, struct area where)
{
    int sum = 0;
    for (uint32_t i = 0; i < l->boxes.n; i++) {
        const struct layout_box *b = &l->boxes.at[i];
        sum += meet(where, (struct area){b->x, b->y, b->x + b->width, b->y + b->height}) ? ON_A_BOX : 0;
    }
    for (uint32_t i = 0; i < l->edges.n; i++) {
        const struct layout_edge *e = &l->edges.at[i];
        if (i < edge && meet(where, area_of_label(e->label, e->rule)))
            sum += ON_A_LABEL;
        for (uint32_t k = 0; i != edge && k + 1 < e->n; k++)
            sum += runs_through(e->at[k], e->at[k + 1], where) ? ON_AN_ARROW : 0;
    }
    return sum;
}

void layout_labels(struct layout *l)
{
    for (uint32_t i = 0; i < l->edges.n; i++) {
        struct layout_edge *e = &l->edges.at[i];
        uint32_t piece = longest(e);
        int least = -1;
        for (int place = 0; place < 2 * PLACES; place++) {
            struct layout_point p = candidate(e, piece, place / 2, place % 2 ? -1 : 1);
            int price = cost(l, i, area_of_label(p, e->rule)) + OFF_THE_MIDDLE * abs(place / 2 - PLACES / 2);
            if (least >= 0 && price >= least)
                continue;
            least = price;
            e->label = p;
        }
    }
}
