/* SPDX-License-Identifier: Apache-2.0 */
/* Charts of the benchmarks: at most seven series a picture, names and ticks that do not collide, axes that hold all
 * points, and numbers that come back from their file. Tried on random series. */
#include "bench/chart.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t next_number(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % below;
}

static struct chart *random_chart(uint32_t seed)
{
    static struct chart c;
    c = (struct chart){.title = "Title", .x_title = "operations", .y_title = "CPU seconds"};
    c.log_x = next_number(&seed, 2);
    c.log_y = next_number(&seed, 4);
    size_t series = 1 + next_number(&seed, 20), points = 1 + next_number(&seed, 12);
    double step = 1 + next_number(&seed, 100000);
    for (size_t i = 0; i < series; i++) {
        char name[32];
        snprintf(name, sizeof name, "engine %zu", i);
        double y = (1 + next_number(&seed, 1000)) * 1e-5;
        for (size_t k = 0; k < points; k++, y *= 1 + next_number(&seed, 20) / 10.0)
            chart_add(&c, name,
                      (struct chart_point){step * (double)(k + 1), y, next_number(&seed, 30) == 0 && k + 1 == points});
    }
    return &c;
}

static void look_at_names(const struct chart *part, const struct chart_frame *f)
{
    double y[CHART_SERIES];
    chart_labels(part, f, y);
    for (size_t i = 0; i < part->n; i++) {
        assert_true(y[i] > 0 && y[i] < CHART_HEIGHT);
        assert_true(f->right + chart_text_width(part->series[i].name) < CHART_WIDTH);
        for (size_t k = 0; k < i; k++)
            assert_true(fabs(y[i] - y[k]) > CHART_LABEL - 0.001);
    }
}

static void look_at_ticks(const struct chart *part, const struct chart_frame *f)
{
    struct chart_tick ticks[CHART_TICKS];
    size_t n = chart_x_ticks(part, f, ticks);
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            assert_true(fabs(chart_x(part, f, ticks[i].at) - chart_x(part, f, ticks[k].at)) >
                        (chart_text_width(ticks[i].text) + chart_text_width(ticks[k].text)) / 2);
    n = chart_y_ticks(part, f, ticks);
    assert_true(n >= 1);
    for (size_t i = 1; i < n; i++)
        assert_true(chart_y(part, f, ticks[i].at) - chart_y(part, f, ticks[i - 1].at) > 12);
}

static void look_at_points(const struct chart *part, const struct chart_frame *f)
{
    for (size_t i = 0; i < part->n; i++)
        for (size_t k = 0; k < part->series[i].n; k++) {
            const struct chart_point *p = &part->series[i].at[k];
            assert_true(p->x >= f->low_x && p->x <= f->high_x && p->y >= f->low_y && p->y <= f->high_y);
        }
}

static void test_nothing_collides(void **state)
{
    (void)state;
    static struct chart part;
    for (uint32_t seed = 0; seed < 500; seed++) {
        const struct chart *c = random_chart(seed);
        size_t shown = 0;
        for (size_t i = 0; i < chart_pictures(c); i++) {
            chart_part(c, i, &part);
            struct chart_frame f = chart_frame_of(&part);
            assert_true(part.n >= 1 && part.n <= CHART_SERIES);
            shown += part.n;
            look_at_names(&part, &f);
            look_at_ticks(&part, &f);
            look_at_points(&part, &f);
        }
        assert_int_equal(shown, c->n);
    }
}

static void test_the_cheapest_come_first(void **state)
{
    (void)state;
    static struct chart c, part;
    memset(&c, 0, sizeof c);
    for (int i = 0; i < 10; i++) {
        char name[8];
        snprintf(name, sizeof name, "e%d", i);
        chart_add(&c, name, (struct chart_point){1, 10 - i, i == 9});
    }
    assert_int_equal(chart_pictures(&c), 2);
    chart_part(&c, 0, &part);
    assert_int_equal(part.n, 5);
    assert_string_equal(part.series[4].name, "e8");
    chart_part(&c, 1, &part);
    assert_string_equal(part.series[4].name, "e9"); /* it gave up */
}

static void test_numbers_come_back(void **state)
{
    (void)state;
    static struct chart back;
    const struct chart *c = random_chart(7);
    FILE *f = tmpfile();
    chart_write(f, c);
    rewind(f);
    assert_true(chart_read(f, &back));
    fclose(f);
    assert_int_equal(back.n, c->n);
    assert_int_equal(back.log_x, c->log_x);
    assert_int_equal(back.log_y, c->log_y);
    for (size_t i = 0; i < c->n; i++) {
        assert_string_equal(back.series[i].name, c->series[i].name);
        assert_int_equal(back.series[i].n, c->series[i].n);
        for (size_t k = 0; k < c->series[i].n; k++) {
            assert_int_equal(back.series[i].at[k].gave_up, c->series[i].at[k].gave_up);
            assert_true(fabs(back.series[i].at[k].y / c->series[i].at[k].y - 1) < 1e-5);
        }
    }
}

static void test_other_files_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "title\tA\n", "1\t2\n", "title\tA\nseries\ts\n1\tfast\n",
                                        "title\tA\ny\ts\tlog\nseries\ts\n1\t0\n"};
    static struct chart c;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        FILE *f = tmpfile();
        fputs(texts[i], f);
        rewind(f);
        assert_false(chart_read(f, &c));
        fclose(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_collides),
        cmocka_unit_test(test_the_cheapest_come_first),
        cmocka_unit_test(test_numbers_come_back),
        cmocka_unit_test(test_other_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
