/* SPDX-License-Identifier: Apache-2.0 */
/* Weak consistency: the cost of visibility over linearizability. The histories have the shape of section 5 of Emmi and
 * Enea, Monitoring Weak Consistency (CAV'18), or are longer. */
#include "bench/columns.h"
#include "bench/trial.h"
#include "bench/weak_live.h"

#include <math.h>

enum { WG_LIN, WG_NAIVE, WG_MINIMAL, JIT_LIN, JIT_NAIVE, JIT_MINIMAL, WGL, JIT, CONTENDERS };

#define BASELINE "level:complete"

static const struct contender contenders[CONTENDERS] = {
    [WG_LIN] = {BASELINE, "weak-wg:minimal", true, WG_LIN, "1", 0},
    [WG_NAIVE] = {"weak-hb", "weak-wg:naive", false, WG_LIN, "about 10", 0},
    [WG_MINIMAL] = {"weak-hb", "weak-wg:minimal", false, WG_LIN, "about 2", 1.5},
    [JIT_LIN] = {BASELINE, "weak-jit:minimal", true, JIT_LIN, "1", 0},
    [JIT_NAIVE] = {"weak-hb", "weak-jit:naive", false, JIT_LIN, "nearly the same", 0},
    [JIT_MINIMAL] = {"weak-hb", "weak-jit:minimal", false, JIT_LIN, "not stated", 1.5},
    [WGL] = {"lin", "wgl", true, WG_LIN, "", 0},
    [JIT] = {"lin", "jit", true, JIT_LIN, "", 0},
};

/* ---- tables ---- */

/* The command of the measurement, and the origin of the histories. */
static void print_command(const struct bench *b, const char *histories)
{
    const char *fence = b->set->markdown ? "```" : "";
    paragraph(b, "%s%s\n%s\n# %s\n%s", fence, b->set->markdown ? "sh" : "", b->set->command, histories, fence);
}

static void print_gen_command(const struct bench *b, const char *options, size_t n)
{
    char histories[128];
    snprintf(histories, sizeof histories, "the histories: assay gen weak-map%s --count %zu", options, n);
    print_command(b, histories);
}

static const struct column columns[] = {
    {"model", -14}, {"engine", -16}, {"median ms", 9},     {"mean ms", 9},     {"95 % ms", 9},
    {"max ms", 9},  {"given up", 8}, {"median ratio", 12}, {"mean ratio", 10}, {"the paper", -15},
};

enum { TIMES = 7, ALL = sizeof columns / sizeof *columns }; /* how many of the columns */

static void print_table(const struct bench *b, const struct trial *t, size_t shown)
{
    columns_print_head(b, columns, shown);
    for (size_t i = 0; i < t->contender_n; i++) {
        const struct contender *c = &t->contenders[i];
        struct summary s = trial_summary(t, i);
        char cells[ALL][COLUMN_CELL];
        snprintf(cells[0], COLUMN_CELL, "%s", c->model);
        snprintf(cells[1], COLUMN_CELL, "%s", c->engine);
        snprintf(cells[2], COLUMN_CELL, "%.4f", s.median);
        snprintf(cells[3], COLUMN_CELL, "%.4f", s.mean);
        snprintf(cells[4], COLUMN_CELL, "%.4f", s.late);
        snprintf(cells[5], COLUMN_CELL, "%.3f", s.most);
        snprintf(cells[6], COLUMN_CELL, "%zu", s.gave_up);
        snprintf(cells[7], COLUMN_CELL, "%.2f", trial_median_ratio(t, i));
        snprintf(cells[8], COLUMN_CELL, "%.2f", trial_mean_ratio(t, i, c->baseline));
        snprintf(cells[9], COLUMN_CELL, "%s", c->paper);
        columns_print_row(b, columns, shown, cells);
    }
    fputc('\n', b->set->out);
}

static void print_goal(const struct bench *b, const char *engine, const char *what, double measured, double goal,
                       const char *unit)
{
    fprintf(b->set->out, "- %s, %s: %.3g%s, goal at most %g%s: %s\n", engine, what, measured, unit, goal, unit,
            measured <= goal ? "met" : "missed");
}

static void print_goals(const struct bench *b, const struct trial *t)
{
    for (size_t i = 0; i < t->contender_n; i++) {
        const struct contender *c = &t->contenders[i];
        if (c->goal <= 0)
            continue;
        print_goal(b, c->engine, "median over linearizability", trial_median_ratio(t, i), c->goal, " times");
        print_goal(b, c->engine, "mean over linearizability", trial_mean_ratio(t, i, c->baseline), c->goal, " times");
        print_goal(b, c->engine, "given up", (double)trial_summary(t, i).gave_up, 0, "");
    }
}

/* ---- plots ---- */

static const struct comparison {
    const char *figure, *title, *x_name, *y_name;
    size_t x, y;
    const char *paper;
} comparisons[] = {
    {"fig7-left", "Linearizability: by call, by return", "by call (weak-wg)", "by return (weak-jit)", WG_LIN, JIT_LIN,
     "As in Figure 7, left, this compares linearizability by the two strategies. The paper finds no clear\n"
     "winner: each is better on some histories."},
    {"fig7-right", "Weak consistency, all visibility, over linearizability", "linearizability (weak-wg)",
     "weak-hb, naive (weak-wg)", WG_LIN, WG_NAIVE,
     "As in Figure 7, right, this compares all visibility sets, the largest first, with linearizability. The\n"
     "paper finds an overhead of about 10 times."},
    {"fig8-left", "Weak consistency: all visibility, minimal visibility", "weak-hb, naive (weak-wg)",
     "weak-hb, minimal (weak-wg)", WG_NAIVE, WG_MINIMAL,
     "As in Figure 8, left, this compares all visibility sets with the minimal ones. The paper finds that\n"
     "minimal is consistently faster, sometimes by orders of magnitude. The leftmost time-out of naive is 18 ms\n"
     "for minimal."},
    {"fig8-right", "Weak consistency, minimal visibility, over linearizability", "linearizability (weak-wg)",
     "weak-hb, minimal (weak-wg)", WG_LIN, WG_MINIMAL,
     "As in Figure 8, right, this compares the minimal visibility sets with linearizability. The paper finds an\n"
     "overhead of about 2 times."},
};

static void compare(struct bench *b, const struct trial *t, const struct comparison *c, bool recorded)
{
    const double *x = t->of[c->x].ms, *y = t->of[c->y].ms;
    char axes[2][64], file[64], title[96];
    snprintf(axes[0], sizeof axes[0], "%s, ms", c->x_name);
    snprintf(axes[1], sizeof axes[1], "%s, ms", c->y_name);
    snprintf(file, sizeof file, "weak-%s%s", b->set->papers ? "papers-" : recorded ? "recorded-" : "", c->figure);
    snprintf(title, sizeof title, "%s%s", c->title, recorded ? ", recorded" : "");
    size_t faster = 0;
    double least = y[0] / x[0], most = least;
    for (size_t i = 0; i < t->n; i++) {
        faster += y[i] < x[i];
        least = fmin(least, y[i] / x[i]);
        most = fmax(most, y[i] / x[i]);
    }
    heading(b, title);
    paragraph(b,
              "%s\n"
              "Here %s takes %.2f times the mean time of %s.\n"
              "On single histories it takes from %.2g to %.3g times as long, and it is faster on %.0f %% of them.",
              c->paper, c->y_name, trial_mean_ratio(t, c->y, c->x), c->x_name, least, most,
              100 * (double)faster / (double)t->n);
    plot_scatter(b, &(struct scatter){.file = file,
                                      .title = title,
                                      .x_title = axes[0],
                                      .y_title = axes[1],
                                      .x = x,
                                      .y = y,
                                      .marked = t->odd,
                                      .n = t->n,
                                      .names = {"linearizable", "not linearizable"},
                                      .limit = TRIAL_LIMIT_MS});
}

/* ---- the parts of the suite ---- */

/* The ratio of the mean times on the histories that are not linearizable, where minimal has to look for visibility. */
static double odd_ratio(const struct trial *t, size_t contender)
{
    double own = 0, base = 0;
    for (size_t i = 0; i < t->n; i++)
        if (t->odd[i]) {
            own += t->of[contender].ms[i];
            base += t->of[t->contenders[contender].baseline].ms[i];
        }
    return base > 0 ? own / base : 0;
}

static size_t count_odd(const struct trial *t)
{
    size_t odd = 0;
    for (size_t i = 0; i < t->n; i++)
        odd += t->odd[i];
    return odd;
}

static void print_odd(struct bench *b, const struct trial *t)
{
    if (!count_odd(t))
        return;
    paragraph(
        b,
        "The minimal variants try complete visibility first, which suffices for linearizable histories. On the\n"
        "%zu other histories they take %.1f (weak-wg) and %.1f times (weak-jit) the mean time of the search that\n"
        "finds no linearization. That search also looks for a reason to blame. This takes at most some\n"
        "milliseconds, but on such small histories it is more than the search itself.",
        count_odd(t), odd_ratio(t, WG_MINIMAL), odd_ratio(t, JIT_MINIMAL));
}

static void report_overhead(struct bench *b, const struct trial *t, bool recorded)
{
    print_table(b, t, ALL);
    print_goals(b, t);
    print_odd(b, t);
    paragraph(b,
              "The last two rows are the engines of lin itself, which know no visibility. weak-wg:minimal takes %.1f\n"
              "times the mean time of wgl, and weak-jit:minimal %.1f times that of jit.",
              trial_mean_ratio(t, WG_MINIMAL, WGL), trial_mean_ratio(t, JIT_MINIMAL, JIT));
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        compare(b, t, &comparisons[i], recorded);
}

static size_t short_n(const struct bench *b)
{
    return b->set->quick ? 100 : TRIAL_MOST;
}

static void short_histories(struct bench *b)
{
    static struct trial t = {.contenders = contenders, .contender_n = CONTENDERS};
    trial_run(b, &t, 15, 3, short_n(b));
    if (!bench_goes_on(b))
        return;
    heading(b, "Visibility over linearizability");
    paragraph(
        b,
        "There are %s histories of 15 operations on 3 threads, of which %zu are not linearizable; all satisfy\n"
        "weak-hb. The paper has 4,000 histories of Java's ConcurrentSkipListMap, with up to 15 operations on up to\n"
        "3 threads. The ratios compare with linearizability by the same strategy and the same program,\n"
        "`" BASELINE "`: the median of the histories' ratios, and the ratio of the means.",
        grouped((uint32_t)t.n), count_odd(&t));
    print_gen_command(b, "", t.n);
    report_overhead(b, &t, false);
}

/* ---- recorded, as in the paper ---- */

static double seconds_of_program(const struct bench *b)
{
    return b->set->quick ? 0.005 : b->set->papers ? 1 : 0.2;
}

static size_t recorded_n(const struct bench *b)
{
    return b->set->quick ? 100 : b->set->papers ? TRIAL_MOST : 1000;
}

static bool record(struct bench *b, const char *implementation, const char *mix, struct trial *t,
                   struct stress_sample *sample)
{
    struct stress_sampling how = {.adapter = adapter_find(implementation),
                                  .programs = 20,
                                  .threads = 3,
                                  .invocations = 15,
                                  .mix = mix,
                                  .seconds = seconds_of_program(b),
                                  .pace = STRESS_VARIED,
                                  .seed = 1};
    trial_run_recorded(b, t, &how, recorded_n(b), sample);
    return bench_goes_on(b);
}

static void print_sample(const struct bench *b, const struct trial *t, const struct stress_sample *s)
{
    paragraph(b,
              "20 random programs of up to 15 calls on 2 or 3 threads were run for %g s each, which gave %s runs and\n"
              "%s different histories. The counters of the threads tell which calls had returned before a call began;\n"
              "in this order, %s histories are sequences of calls and returns.\n"
              "Of these, %s were chosen at random. The threads are disturbed as `assay stress` does: when a call\n"
              "begins, %.2f others are open on average. Not linearizable: %zu of the chosen histories.",
              seconds_of_program(b), grouped((uint32_t)s->runs), grouped((uint32_t)s->distinct),
              grouped((uint32_t)s->sequences), grouped((uint32_t)t->n), t->open, count_odd(t));
}

/* The map sees at least the calls that had returned before the call began, so weak-hb holds. */
static void recorded_map(struct bench *b)
{
    static struct trial t = {.contenders = contenders, .contender_n = CONTENDERS};
    struct stress_sample sample;
    if (!record(b, "map:skip-list", NULL, &t, &sample))
        return;
    heading(b, "Visibility over linearizability, recorded");
    paragraph(
        b,
        "This is the experiment of the paper's section 5, with a map in C that resembles Java's\n"
        "ConcurrentSkipListMap: `map:skip-list`, a lock-free skip list. Its contains-value and size walk along the\n"
        "keys and see at least all calls that had returned before. All other calls see all calls before them, so\n"
        "its histories satisfy weak-hb. The paper runs 20 programs, each for 1 second, with up to 15 calls on up to\n"
        "3 threads. From some 1,000,000 runs it gets some 8,000 histories, and chooses 4,000 of them.");
    print_sample(b, &t, &sample);
    print_command(b, "other histories of it: assay stress map:skip-list --threads 3 --invocations 15 --promised --out "
                     "DIR");
    report_overhead(b, &t, true);
}

static const struct recorded {
    const char *implementation, *mix, *title, *says;
} others[] = {
    {"map:skip-list", "put=2,remove=2,size=2", "A map that is walked over, recorded",
     "The map is again `map:skip-list`, but every third call is a size, which may miss keys."},
    {"set:skip-list", NULL, "A skip-list set, recorded", "The set is `set:skip-list`, which is linearizable."},
    {"deque:michael", NULL, "A deque, recorded", "The deque is `deque:michael`, which is linearizable."},
};
enum { OTHERS = sizeof others / sizeof *others };

static void recorded_other(struct bench *b, const struct recorded *r, struct trial *t)
{
    struct stress_sample sample;
    *t = (struct trial){.contenders = contenders, .contender_n = CONTENDERS};
    if (!record(b, r->implementation, r->mix, t, &sample))
        return;
    heading(b, r->title);
    paragraph(b, "%s", r->says);
    print_sample(b, t, &sample);
    print_table(b, t, ALL);
    print_odd(b, t);
}

static void recorded_histories(struct bench *b)
{
    static struct trial t;
    recorded_map(b);
    for (size_t i = 0; i < OTHERS && bench_goes_on(b); i++)
        recorded_other(b, &others[i], &t);
}

static void long_histories(struct bench *b)
{
    static const struct contender minimal[] = {{"weak-hb", "weak-wg:minimal", false, 0, "", 0},
                                               {"weak-hb", "weak-jit:minimal", false, 0, "", 0}};
    static struct trial t = {.contenders = minimal, .contender_n = 2};
    size_t n = b->set->quick ? 20 : 1000;
    trial_run(b, &t, 60, 4, n);
    if (!bench_goes_on(b))
        return;
    heading(b, "Longer histories");
    paragraph(b, "There are %s histories of 60 operations on 4 threads, which satisfy weak-hb.", grouped((uint32_t)n));
    print_gen_command(b, " --operations 60 --threads 4", n);
    print_table(b, &t, TIMES);
    for (size_t i = 0; i < t.contender_n; i++)
        print_goal(b, minimal[i].engine, "the slowest history", trial_summary(&t, i).most, 50, " ms");
}

static void run(struct bench *b)
{
    short_histories(b);
    long_histories(b);
    if (bench_goes_on(b))
        weak_live(b);
}

const struct suite suite_weak = {
    .name = "weak",
    .title = "weak consistency of objects (weak-hb)",
    .legend =
        "Milliseconds are wall-clock time for one check, without reading the history: the least of 5, unless it\n"
        "takes long. A check is stopped after 1000 ms, which counts as 1000 ms. The simulated histories come from\n"
        "random clients of a map whose contains and size walk over the keys while others write (`assay gen\n"
        "weak-map`, with the seeds 1, 2, ...). The other histories are recorded.",
    .run = run,
    .run_recorded = recorded_histories,
    .run_papers = recorded_histories,
};
