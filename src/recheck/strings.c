/* SPDX-License-Identifier: Apache-2.0 */
/* The strings of an append-map's gets: do they contradict happens-before, or each other?
 *
 * A get returns the text of the last put before it (or the initial one), and then the texts of all appends since. So
 * its string is composed of the texts of these calls. A call is not one of them if the get happens before it, or if it
 * happens before a put that happens before the get. The initial text is none if a put happens before the get. If the
 * remaining calls can be combined in one way only, they are known: the get's makers. If in none, nothing explains the
 * get. A search for linearizations would try the orders of all the other appends in vain; there are too many.
 *
 * The facts about two gets with known makers:
 *   - with the same put (or both with the initial text) there is no other put between the put and either get. So the
 *     makers of the earlier get are the first makers of the other. A get whose makers are fewer comes before the next
 *     maker of the other;
 *   - with different puts they have no append in common.
 * A group is a put, the kept gets that it is a maker of, and all makers of these. From the put to the last of these
 * gets nothing else changes the string. So any other group, and any other put or append that happened, is before all of
 * the group or behind all of it. The group of the initial text comes first. */
#include "recheck/object.h"

#include "spec/roles.h"
#include "spec/value_forms.h"

#include <stdlib.h>
#include <string.h>

enum { INITIALLY = ID_NONE - 1 }; /* the put of gets that have none */

struct writer { /* a put or an append of the key, with a text that is not empty, unless it is a put */
    assay_value text;
    uint32_t op;
    bool put;
};

struct made { /* a kept get, and its makers */
    uint32_t get, put;
    VEC(uint32_t) appends;
};

struct placed { /* within its group; a single put or append is a group of its own */
    uint32_t op, group, step;
};

struct strings {
    const struct object_view *v;
    struct mem *m;
    uint32_t part;
    VEC(struct writer) writers; /* by their texts */
    VEC(size_t) lengths;        /* of their texts, different ones */
    VEC(struct made) made;
    VEC(uint32_t) others; /* kept puts and appends */
    VEC(struct placed) placed;
};

static unsigned method_of(const struct strings *x, uint32_t op)
{
    return objects_method(&x->v->objects, op)->id;
}

static assay_value text_of(const struct strings *x, uint32_t op)
{
    const history *h = x->v->x->h;
    return value_public(h, method_of(x, op) == APPEND_MAP_GET ? history_result(h, op) : history_arg(h, op, 1));
}

/* ---- writers ---- */

static int compare(const char *a, size_t a_length, const char *b, size_t b_length)
{
    if (a_length != b_length)
        return a_length < b_length ? -1 : 1;
    return a_length ? memcmp(a, b, a_length) : 0;
}

static int by_text(const void *left, const void *right)
{
    const struct writer *a = left, *b = right;
    int order = compare(a->text.text, a->text.length, b->text.text, b->text.length);
    return order ? order : (a->op > b->op) - (a->op < b->op);
}

static void find_writers(struct strings *x)
{
    const history *h = x->v->x->h;
    for (uint32_t op = 0; op < h->n; op++) {
        if (x->v->part[op] != x->part || method_of(x, op) == APPEND_MAP_GET)
            continue;
        struct writer w = {text_of(x, op), op, method_of(x, op) == APPEND_MAP_PUT};
        if (w.put || w.text.length)
            vec_push(x->m, &x->writers, w);
    }
    if (x->writers.n)
        qsort(x->writers.at, x->writers.n, sizeof *x->writers.at, by_text);
    for (uint32_t i = 0; i < x->writers.n; i++)
        if (!i || x->writers.at[i].text.length != x->writers.at[i - 1].text.length)
            vec_push(x->m, &x->lengths, x->writers.at[i].text.length);
}

/* The first writer whose text is not below this one, by length and then by letters. */
static uint32_t first_writer(const struct strings *x, const char *text, size_t length)
{
    uint32_t low = 0, high = x->writers.n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const assay_value *t = &x->writers.at[middle].text;
        if (compare(t->text, t->length, text, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- makers ---- */

struct composing {
    struct strings *x;
    uint32_t get;
    assay_value text;
    VEC(uint32_t) puts; /* that happen before the get */
    struct reached {    /* of each place in the string */
        uint8_t ways;   /* 2: several */
        uint32_t by;    /* the writer's operation, or INITIALLY */
        size_t from;    /* the place before; its own: it is the front's */
    } * reached;
};

static bool may_make(const struct composing *c, uint32_t op)
{
    const struct object_view *v = c->x->v;
    if (object_before(v, c->get, op))
        return false;
    for (uint32_t i = 0; i < c->puts.n; i++) {
        budget_tick(v->x->budget);
        if (object_before(v, op, c->puts.at[i]))
            return false;
    }
    return true;
}

static void note(struct composing *c, size_t place, uint32_t ways, uint32_t by, size_t from)
{
    struct reached *r = &c->reached[place];
    *r = (struct reached){r->ways + ways > 1 ? 2 : 1, by, from};
}

/* All writers of that kind whose text stands there. */
static void go_on(struct composing *c, size_t from, bool puts, uint32_t ways)
{
    const struct strings *x = c->x;
    size_t rest = c->text.length - from;
    for (uint32_t l = 0; l < x->lengths.n && x->lengths.at[l] <= rest; l++) {
        size_t length = x->lengths.at[l];
        const char *text = c->text.text + from;
        for (uint32_t i = first_writer(x, text, length); i < x->writers.n; i++) {
            const struct writer *w = &x->writers.at[i];
            if (compare(w->text.text, w->text.length, text, length) != 0)
                break;
            if (w->put == puts && may_make(c, w->op))
                note(c, from + length, ways, w->op, puts ? from + length : from);
        }
    }
}

static assay_value initial_text(const struct strings *x)
{
    const struct object_part *part = &x->v->parts.at[x->part];
    assay_value key = value_public(x->v->x->h, part->key), v = assay_string("", 0);
    for (size_t i = 0; i < part->use->setting.init_count; i++)
        if (assay_value_same(part->use->setting.init[i].key, key))
            v = part->use->setting.init[i].value;
    return v;
}

static uint32_t count_ways(struct composing *c)
{
    struct strings *x = c->x;
    for (uint32_t i = 0; i < x->writers.n; i++)
        if (x->writers.at[i].put && object_before(x->v, x->writers.at[i].op, c->get))
            vec_push(x->m, &c->puts, x->writers.at[i].op);
    c->reached = mem_new_zero(x->m, struct reached, c->text.length + 1);
    go_on(c, 0, true, 1);
    assay_value initial = initial_text(x);
    if (!c->puts.n && initial.length <= c->text.length &&
        compare(initial.text, initial.length, c->text.text, initial.length) == 0)
        note(c, initial.length, 1, INITIALLY, initial.length);
    for (size_t at = 0; at < c->text.length; at++)
        if (c->reached[at].ways)
            go_on(c, at, false, c->reached[at].ways);
    return c->reached[c->text.length].ways;
}

/* Reads the makers off. False: an append is among them twice. */
static bool read_makers(const struct composing *c, struct made *made)
{
    struct mem *m = c->x->m;
    size_t at = c->text.length;
    for (; c->reached[at].from != at; at = c->reached[at].from)
        vec_push(m, &made->appends, c->reached[at].by);
    made->put = c->reached[at].by;
    for (uint32_t i = 0, j = made->appends.n; i + 1 < j; i++) {
        uint32_t last = made->appends.at[--j];
        made->appends.at[j] = made->appends.at[i];
        made->appends.at[i] = last;
    }
    struct idmap seen = {0};
    for (uint32_t i = 0; i < made->appends.n; i++) {
        uint32_t *number = idmap_at(m, &seen, made->appends.at[i]);
        if (*number != ID_NONE)
            return false;
        *number = i;
    }
    return true;
}

/* False: nothing explains the get. Gets whose makers are not known say nothing. */
static bool find_makers(struct strings *x, uint32_t get)
{
    struct composing c = {.x = x, .get = get, .text = text_of(x, get)};
    struct made made = {.get = get};
    uint32_t ways = count_ways(&c);
    if (ways == 0 || (ways == 1 && !read_makers(&c, &made)))
        return false;
    if (ways == 1)
        vec_push(x->m, &x->made, made);
    return true;
}

/* ---- two gets ---- */

static bool has(const struct made *a, uint32_t append)
{
    for (uint32_t i = 0; i < a->appends.n; i++)
        if (a->appends.at[i] == append)
            return true;
    return false;
}

static bool fit_together(const struct made *a, const struct made *b)
{
    uint32_t both = a->appends.n < b->appends.n ? a->appends.n : b->appends.n;
    if (a->put == b->put)
        return !both || memcmp(a->appends.at, b->appends.at, both * sizeof *a->appends.at) == 0;
    for (uint32_t i = 0; i < a->appends.n; i++)
        if (has(b, a->appends.at[i]))
            return false;
    return true;
}

/* ---- groups ---- */

static void place(struct strings *x, uint32_t op, uint32_t group, uint32_t step)
{
    for (uint32_t i = 0; i < x->placed.n; i++)
        if (x->placed.at[i].op == op)
            return;
    vec_push(x->m, &x->placed, ((struct placed){op, group, step}));
}

/* The number of groups. A group has the number of the first kept get with its put. */
static uint32_t place_all(struct strings *x)
{
    for (uint32_t i = 0; i < x->made.n; i++) {
        const struct made *made = &x->made.at[i];
        uint32_t group = 0;
        while (x->made.at[group].put != made->put)
            group++;
        if (made->put != INITIALLY)
            place(x, made->put, group, 0);
        for (uint32_t j = 0; j < made->appends.n; j++)
            place(x, made->appends.at[j], group, 2 * (j + 1));
        place(x, made->get, group, 2 * made->appends.n + 1);
    }
    for (uint32_t i = 0; i < x->others.n; i++)
        place(x, x->others.at[i], x->made.n + i, 0);
    return x->made.n + x->others.n;
}

/* Must the groups come in an order that cannot be? */
static bool orders_clash(struct strings *x)
{
    uint32_t n = place_all(x);
    bool *before = mem_new_zero(x->m, bool, mem_product(n + 1, n + 1));
    for (uint32_t i = 0; i < x->placed.n; i++)
        for (uint32_t j = 0; j < x->placed.n; j++) {
            const struct placed *a = &x->placed.at[i], *b = &x->placed.at[j];
            budget_tick(x->v->x->budget);
            if (!object_before(x->v, a->op, b->op))
                continue;
            bool first = b->group < x->made.n && x->made.at[b->group].put == INITIALLY;
            if (a->group == b->group ? a->step > b->step : first || before[b->group * (size_t)n + a->group])
                return true;
            before[a->group * (size_t)n + b->group] = true;
        }
    return false;
}

static bool contradict(struct strings *x)
{
    const struct evidence *ev = &x->v->x->line->evidence;
    const history *h = x->v->x->h;
    find_writers(x);
    for (uint32_t i = 0; i < ev->kept.n; i++) {
        uint32_t op = ev->kept.at[i];
        if (op >= h->n || x->v->part[op] != x->part || history_pending(h, op))
            continue;
        bool get = method_of(x, op) == APPEND_MAP_GET;
        if (get && !find_makers(x, op))
            return true;
        if (!get && (method_of(x, op) == APPEND_MAP_PUT || text_of(x, op).length))
            vec_push(x->m, &x->others, op);
    }
    for (uint32_t i = 0; i < x->made.n; i++)
        for (uint32_t j = 0; j < i; j++)
            if (!fit_together(&x->made.at[i], &x->made.at[j]))
                return true;
    return orders_clash(x);
}

bool object_strings_contradict(const struct object_view *v)
{
    const struct evidence *ev = &v->x->line->evidence;
    const struct object_part *part = &v->parts.at[v->part[ev->culprit]];
    if (!ev->kept.n || !spec_is(part->use->spec, "append-map") || part->key.kind == ASSAY_NONE)
        return false;
    struct strings x = {.v = v, .m = v->x->mem, .part = v->part[ev->culprit]};
    return contradict(&x);
}
