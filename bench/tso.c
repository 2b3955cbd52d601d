/* SPDX-License-Identifier: Apache-2.0 */
/* Total store order: the goals, and all engines side by side in the shapes of the thesis'
 * figures. The histories with goals come from a memory with store buffers, those of the figures,
 * as in the thesis, from a sequentially consistent one. Partial store order has goals, too. */
#include "bench/figure.h"
#include "bench/goals.h"
#include "bench/papers.h"

static const struct aim aims[] = {
    {"tso", 64000, 16, 16, 0, ASSAY_CONSISTENT, 0.3, 0, "3.8"},
    {"tso", 16000, 64, 16, 0, ASSAY_CONSISTENT, 0.8, 0, "25"},
    {"tso", 64000, 16, 16, 100, ASSAY_VIOLATION, 0.1, 0, "up to 0.25"},
    {"tso", 64000, 16, 16, 1000, ASSAY_VIOLATION, 0.1, 0, "up to 0.25"},
    {"gadget", 800, 8, 16, 0, ASSAY_VIOLATION, 0.2, 0, "> 60"},
};

/* At most twice the time of tso on a memory of its own. */
static const struct aim pso_aims[] = {
    {"pso", 64000, 16, 16, 0, ASSAY_CONSISTENT, 0.6, 0, NULL},
    {"pso", 16000, 64, 16, 0, ASSAY_CONSISTENT, 1.6, 0, NULL},
    {"pso", 200000, 16, 100, 0, ASSAY_CONSISTENT, 0.5, 0, NULL},
};

static const char *const saturations[] = {"wtso", "wccm", NULL};

static const struct figure figures[] = {
    {.file = "tso-operations",
     .title = "TSO, valid histories: operations",
     .paper =
         "This is like Figure 5.5a of the thesis. The thesis finds that wCCM followed by enumeration or SAT scales\n"
         "much better than SAT alone (here `sat:eager`), and that for TSO, SAT is the better of the two. It leaves\n"
         "a search with store buffers (`wtso+search`) open. The page of sc has a table of the papers' names.",
     .model = "tso",
     .goal = 0.005},
    {.file = "tso-threads",
     .title = "TSO, valid histories: threads",
     .paper = "This is like Figure 5.5b. The thesis finds the same as for growing numbers of operations.",
     .model = "tso",
     .over_threads = true,
     .goal = 0.005},
    {.file = "tso-violations",
     .title = "TSO, violating histories: threads",
     .paper = "The thesis has no such figure for TSO; these histories are like those of Figure 4.18.",
     .model = "tso",
     .mutate = 10,
     .over_threads = true,
     .goal = 0.005},
    {.file = "wtso-operations",
     .title = "wTSO and wCCM: operations",
     .paper = "This is like Figure 5.10a. The thesis finds that wTSO is faster than wCCM.",
     .weaker = saturations},
    {.file = "wtso-threads",
     .title = "wTSO and wCCM: threads",
     .paper = "This is like Figure 5.10b. The thesis finds that wTSO is faster than wCCM, 5 times at 16 threads.",
     .weaker = saturations,
     .over_threads = true},
};

static void run_figures(struct bench *b)
{
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        figure_run(b, &figures[i]);
}

static void run(struct bench *b)
{
    goals_run(b, "tso", aims, sizeof aims / sizeof *aims);
    goals_run(b, "pso", pso_aims, sizeof pso_aims / sizeof *pso_aims);
    run_figures(b);
    papers_run_tso(b);
}

const struct suite suite_tso = {
    .name = "tso",
    .title = "total store order (tso)",
    .inputs = MEMORY_INPUTS,
    .run = run,
    .run_papers = papers_run_tso,
};
