/* SPDX-License-Identifier: Apache-2.0 */
/* Sequential consistency: large histories, violations, and histories that only a search refutes, against goals. Then
 * all engines side by side in the shapes of the thesis' figures. */
#include "bench/figure.h"
#include "bench/goals.h"
#include "bench/papers.h"

static const struct aim aims[] = {
    {"sc", 64000, 16, 16, 0, ASSAY_CONSISTENT, 0.13, 0, "1.3"},
    {"sc", 16000, 64, 16, 0, ASSAY_CONSISTENT, 0.4, 0, "4.5"},
    {"sc", 1000000, 4, 4, 0, ASSAY_CONSISTENT, 0.6, 2000, "2.6 to 3.2"},
    {"sc", 64000, 16, 16, 100, ASSAY_VIOLATION, 0.1, 0, "up to 0.25"},
    {"sc", 64000, 16, 16, 1000, ASSAY_VIOLATION, 0.1, 0, "up to 0.25"},
    {"gadget", 800, 8, 16, 0, ASSAY_VIOLATION, 0.2, 0, "> 60"},
};

static const char *const saturations[] = {"wsc", "ccm", NULL};

static const struct figure figures[] = {
    {.file = "sc-operations",
     .title = "SC, valid histories: operations",
     .paper =
         "This is like Figures 4.6a and 4.15 of the thesis. The thesis finds that CCM followed by enumeration or SAT\n"
         "scales much better than SAT alone (here `sat:eager`), and that the two differ little. With 6 threads the\n"
         "frontier search (DBCOP, here `search`) is fastest. wSC+ENUM (here `wsc+sat:eager`, or `wsc+sat`) is\n"
         "clearly better than CCM+ENUM (here `ccm+sat:eager`, or `ccm+sat`).",
     .model = "sc",
     .goal = 0.005},
    {.file = "sc-threads",
     .title = "SC, valid histories: threads",
     .paper =
         "This is like Figures 4.6b and 4.16. The thesis finds that beyond 8 threads the frontier search degrades\n"
         "quickly, whereas engines that saturate first scale. wSC followed by the frontier search (here\n"
         "`wsc+search`) is best.",
     .model = "sc",
     .over_threads = true,
     .goal = 0.005},
    {.file = "sc-mixed",
     .title = "SC, valid and violating histories: threads",
     .paper =
         "This is like Figure 4.17: about half of the histories are violations, made by giving reads the values of\n"
         "other writes nearby. The thesis finds that the algorithms compare as on valid histories.",
     .model = "sc",
     .mutate = 1,
     .over_threads = true,
     .goal = 0.005},
    {.file = "sc-violations",
     .title = "SC, violating histories: threads",
     .paper =
         "This is like Figures 4.7 and 4.18, and adds the weak models alone. The thesis finds that all violations\n"
         "are violations of a weak model, so the step after the saturation does not matter. wSC is faster than CCM,\n"
         "and more than 70 times faster than the frontier search at 8 threads. CCM misses 1.25 % of the violations.",
     .model = "sc",
     .weaker = saturations,
     .mutate = 10,
     .over_threads = true,
     .goal = 0.005},
};

/* The thesis calls an engine ENUM in section 4.1 and section 4.2, and means enumeration first and a formula then. */
static void print_names(struct bench *b)
{
    heading(b, "The papers' names");
    paragraph(
        b,
        "This table says which engine is which curve of CAV'19 and of the thesis. The engines with `:eager` use the\n"
        "papers' encoding, all clauses at once. Those without it ask the same question with clauses on demand.");
    paragraph(
        b,
        "| paper | where | here |\n"
        "|---|---|---|\n"
        "| CC, CCv, CM_1, CM_2 in Datalog | thesis 3.3 to 3.4 | `datalog`, `datalog:cm_1`, `datalog:cm_2` |\n"
        "| SC-SAT, TSO-SAT | CAV'19 Figures 4 and 6, thesis 4.6 and 5.5 | `sat:eager` (on demand: `sat`) |\n"
        "| SC-CCM+ENUM | CAV'19 Figures 4 and 5, thesis 4.6 and 4.7 | `ccm+enum`; its saturation was in Datalog: "
        "`-m ccm -e datalog` |\n"
        "| SC-CCM+SAT | the same | `ccm+sat:eager` (on demand: `ccm+sat`) |\n"
        "| TSO-CCM+ENUM, TSO-CCM+SAT | CAV'19 Figure 6, thesis 5.5 | `wccm+enum`, `wccm+sat:eager` (on demand: "
        "`wccm+sat`); in Datalog: `-m wccm -e datalog` |\n"
        "| wSC+ENUM | thesis 4.15 to 4.17: by its text a formula with st added | `wsc+sat:eager` (on demand: "
        "`wsc+sat`) |\n"
        "| CCM+ENUM | thesis 4.15 to 4.17: the same with pww | `ccm+sat:eager` (on demand: `ccm+sat`) |\n"
        "| Algorithms 3, 4, 6 and 7 as they are printed: enumeration | thesis | `ccm+enum`, `wsc+enum`, `wccm+enum`, "
        "`wtso+enum` |\n"
        "| wTSO+ENUM as a formula | not measured there | `wtso+sat:eager` (on demand: `wtso+sat`) |\n"
        "| DBCOP, wSC+DBCOP | thesis 4.15 to 4.18 | `search`, `wsc+search` |\n"
        "| DBCOP for TSO, with wTSO | left open there | `-m tso -e search`, `wtso+search` |\n"
        "| wSC, CCM, wTSO, wCCM alone | thesis 4.18, 5.10 | the models `wsc`, `ccm`, `wtso`, `wccm` (`saturate`) |\n"
        "| nothing of the kind | | `auto`, the default |");
}

static void run_figures(struct bench *b)
{
    print_names(b);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        figure_run(b, &figures[i]);
    paragraph(
        b, "For comparison, dbcop (Rust), with its memo repaired, needs 2.3 s for 800 operations of 6 threads, and\n"
           "6.5 s with time-outs for 16 threads of 50 operations. This was measured on the same kind of machine, but\n"
           "not by this command.");
}

static void run(struct bench *b)
{
    goals_run(b, "sc", aims, sizeof aims / sizeof *aims);
    run_figures(b);
    papers_run_sc(b);
}

const struct suite suite_sc = {
    .name = "sc",
    .title = "sequential consistency (sc)",
    .inputs = MEMORY_INPUTS,
    .run = run,
    .run_papers = papers_run_sc,
};
