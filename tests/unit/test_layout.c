/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of results: boxes do not overlap, their texts fit, and neither an arrow nor a label of one touches a box.
 * Tried on known violations and on random histories. */
#include "report/layout.h"
#include "support/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct area {
    int left, top, right, bottom;
};

static bool meet(struct area a, struct area b)
{
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

static struct area area_of(const struct layout_box *b)
{
    return (struct area){b->x, b->y, b->x + b->width, b->y + b->height};
}

static struct area area_of_label(const struct layout_edge *e)
{
    int half = layout_label_width(e->rule) / 2, up = LAYOUT_LABEL_HEIGHT / 2;
    return (struct area){e->label.x - half, e->label.y - up, e->label.x + half, e->label.y + up};
}

static bool is_inside(struct area a, struct area whole)
{
    return a.left >= whole.left && a.top >= whole.top && a.right <= whole.right && a.bottom <= whole.bottom;
}

/* Points of an arrow's piece are within a box. */
static bool runs_through(struct layout_point a, struct layout_point b, struct area box)
{
    for (int i = 0; i <= 200; i++) {
        int x = a.x + (b.x - a.x) * i / 200, y = a.y + (b.y - a.y) * i / 200;
        if (x > box.left + 1 && x < box.right - 1 && y > box.top + 1 && y < box.bottom - 1)
            return true;
    }
    return false;
}

static void look_at_boxes(const struct layout *l)
{
    struct area whole = {0, 0, l->width, l->height};
    for (uint32_t i = 0; i < l->boxes.n; i++) {
        const struct layout_box *b = &l->boxes.at[i];
        assert_true(is_inside(area_of(b), whole));
        for (uint32_t k = 0; k < b->n; k++)
            assert_true(layout_text_width(b->lines[k]) + 2 * LAYOUT_PAD <= b->width);
        for (uint32_t j = 0; j < i; j++)
            assert_false(meet(area_of(b), area_of(&l->boxes.at[j])));
    }
}

static void look_at_arrow(const struct layout *l, const struct layout_edge *e)
{
    assert_true(is_inside(area_of_label(e), (struct area){0, 0, l->width, l->height}));
    for (uint32_t i = 0; i < l->boxes.n; i++) {
        struct area box = area_of(&l->boxes.at[i]);
        assert_false(meet(area_of_label(e), box));
        for (uint32_t k = 0; k + 1 < e->n; k++)
            assert_false(runs_through(e->at[k], e->at[k + 1], box));
    }
}

static void look_at(const struct layout *l)
{
    look_at_boxes(l);
    for (uint32_t i = 0; i < l->edges.n; i++)
        look_at_arrow(l, &l->edges.at[i]);
}

/* Labels that touch each other. */
static unsigned crowded(const struct layout *l)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < l->edges.n; i++)
        for (uint32_t j = 0; j < i; j++)
            n += meet(area_of_label(&l->edges.at[i]), area_of_label(&l->edges.at[j]));
    return n;
}

struct seen {
    unsigned violations, arrows, crowded;
};

static void draw(const char *text, const char *model, struct seen *seen)
{
    assay_error e = {0};
    assay_history *h = load_text(text, &e);
    if (!h)
        fail_msg("%s:\n%s", e.message, text);
    assay_options options = {ASSAY_OPTIONS_INIT, .evidence = true};
    assay_result *r = assay_check(h, model, &options, &e);
    if (!r)
        fail_msg("%s:\n%s", e.message, text);
    struct mem m = {0};
    struct layout l = layout_of(r, &m);
    look_at(&l);
    seen->violations += r->verdict == ASSAY_VIOLATION;
    seen->arrows += l.edges.n;
    seen->crowded += crowded(&l);
    mem_release(&m);
    assay_result_free(r);
    assay_history_free(h);
}

/* ---- known ones ---- */

static const struct known {
    const char *model, *text;
    unsigned arrows;
} known[] = {
    {"sc", "a: write(x, 1)\na: read(y) => 0\nb: write(y, 1)\nb: read(x) => 0\n", 4},
    {"cc", "a: write(x, 1)\nb: read(x) => 1\nb: write(y, 2)\nc: read(y) => 2\nc: read(x) => 0\n", 5},
    {"sc", "a: write(x, 1)\nb: write(y, 1)\nc: read(x) => 1\nc: read(y) => 0\nd: read(y) => 1\nd: read(x) => 0\n", 6},
    {"ccv", "a: write(x, 1)\na: read(x) => 2\nb: write(x, 2)\nb: read(x) => 1\n", 4},
    {"ser", "a: txn(r x 0, r y 0, w x 1)\nb: txn(r x 0, r y 0, w y 1)\n", 2},
    {"rc", "a: txn(w x 1) => abort\nb: txn(r x 1)\n", 1},
    {"lin", "# @object queue\na: enq(1) @ 1..2\na: enq(2) @ 3..4\nb: deq() => 2 @ 5..6\nc: enq(3) @ 5..\n", 0},
};

static void test_known_violations(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct seen seen = {0};
        draw(known[i].text, known[i].model, &seen);
        assert_int_equal(seen.arrows, known[i].arrows);
        assert_int_equal(seen.crowded, 0);
        assert_int_equal(seen.violations, 1);
    }
}

/* The middle of a long call is left out, never a part of a character. */
static void test_long_calls_are_abbreviated(void **state)
{
    (void)state;
    static const char text[] =
        "# @object queue\na: enq(\"\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4"
        "\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6"
        "\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc the end\") @ 1..2\n"
        "b: deq() => empty @ 3..4\n";
    assay_history *h = load_text(text, NULL);
    assay_options options = {ASSAY_OPTIONS_INIT, .evidence = true};
    assay_result *r = assay_check(h, "lin", &options, NULL);
    struct mem m = {0};
    struct layout l = layout_of(r, &m);
    assert_true(l.is_time_line);
    assert_string_equal(l.boxes.at[0].lines[0],
                        "enq(\"\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6"
                        "\xc3\xbc\xc3\xa4\xc3\xb6...\xc3\xb6\xc3\xbc the end\")");
    mem_release(&m);
    assay_result_free(r);
    assay_history_free(h);
}

/* ---- random ones ---- */

static uint32_t next_number(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % below;
}

/* Threads write distinct values to a few variables, and read any. */
static void random_memory(uint32_t seed, char *out, size_t size)
{
    uint32_t threads = 2 + next_number(&seed, 5), value = 1;
    size_t n = 0;
    for (uint32_t t = 0; t < threads; t++)
        for (uint32_t i = 0, each = 1 + next_number(&seed, 5); i < each; i++) {
            char variable = (char)('x' + next_number(&seed, 3));
            if (next_number(&seed, 2))
                n += (size_t)snprintf(out + n, size - n, "t%u: write(%c, %u)\n", t, variable, value++);
            else
                n += (size_t)snprintf(out + n, size - n, "t%u: read(%c) => %u\n", t, variable, next_number(&seed, 6));
        }
}

static void test_random_memories(void **state)
{
    (void)state;
    static const char *const models[] = {"cc", "ccv", "cm", "sc", "tso"};
    struct seen seen = {0};
    for (uint32_t seed = 0; seed < 600; seed++) {
        char text[2048] = "";
        random_memory(seed, text, sizeof text);
        draw(text, models[seed % 5], &seen);
    }
    assert_true(seen.violations > 200);
    assert_true(seen.crowded * 50 < seen.arrows);
}

static void test_random_queues(void **state)
{
    (void)state;
    struct seen seen = {0};
    for (uint32_t first = 0; first < 300; first++) {
        char text[2048];
        uint32_t seed = first;
        size_t n = (size_t)snprintf(text, sizeof text, "# @object queue\n");
        for (uint32_t t = 0; t < 3; t++)
            for (uint32_t i = 0, now = next_number(&seed, 5); i < 4; i++) {
                uint32_t end = now + next_number(&seed, 9);
                n += (size_t)snprintf(text + n, sizeof text - n,
                                      next_number(&seed, 2) ? "t%u: enq(%u) @ %u..%u\n" : "t%u: deq() => %u @ %u..%u\n",
                                      t, next_number(&seed, 8), now, end);
                now = end + next_number(&seed, 3);
            }
        draw(text, "lin", &seen);
    }
    assert_true(seen.violations > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_violations),
        cmocka_unit_test(test_long_calls_are_abbreviated),
        cmocka_unit_test(test_random_memories),
        cmocka_unit_test(test_random_queues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
