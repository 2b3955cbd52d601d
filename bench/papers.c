/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of sections 4.1.4, 4.2.5, 5.1.4 and 5.2.4 of Zennou's thesis; those of CAV'19 are among them. There the
 * histories come from random clients of gem5's protocols. Here the protocols are those of `assay gen coherence`. */
#include "bench/papers.h"

#include "bench/experiment.h"

/* ---- the algorithms, by their names there ---- */

static const struct curve sc_encoded[] = {{"SC-SAT", "sc", "sat:eager"},
                                          {"SC-SAT, on demand", "sc", "sat"},
                                          {"SC-CCM+ENUM", "sc", "ccm+enum"},
                                          {"SC-CCM+SAT", "sc", "ccm+sat:eager"},
                                          {"SC-CCM+SAT, on demand", "sc", "ccm+sat"},
                                          {"ours", "sc", "auto"},
                                          {0}};

static const struct curve sc_searched[] = {{"wSC+ENUM", "sc", "wsc+sat"}, {"CCM+ENUM", "sc", "ccm+sat"},
                                           {"DBCOP", "sc", "search"},     {"wSC+DBCOP", "sc", "wsc+search"},
                                           {"ours", "sc", "auto"},        {0}};

static const struct curve sc_bugs[] = {{"SC-SAT", "sc", "sat:eager"},
                                       {"SC-SAT, on demand", "sc", "sat"},
                                       {"SC-CCM+ENUM", "sc", "ccm+enum"},
                                       {"CC", "cc", "clock"},
                                       {"CCv", "ccv", "clock"},
                                       {"CCM", "ccm", "saturate"},
                                       {"ours", "sc", "auto"},
                                       {0}};

static const struct curve sc_violated[] = {
    {"wSC", "wsc", "saturate"}, {"CCM", "ccm", "saturate"}, {"DBCOP", "sc", "search"}, {"ours", "sc", "auto"}, {0}};

static const struct curve tso_encoded[] = {{"TSO-SAT", "tso", "sat:eager"},
                                           {"TSO-SAT, on demand", "tso", "sat"},
                                           {"TSO-CCM+ENUM", "tso", "wccm+enum"},
                                           {"TSO-CCM+SAT", "tso", "wccm+sat:eager"},
                                           {"TSO-CCM+SAT, on demand", "tso", "wccm+sat"},
                                           {"ours", "tso", "auto"},
                                           {0}};

static const struct curve tso_saturated[] = {{"wTSO", "wtso", "saturate"}, {"wCCM", "wccm", "saturate"}, {0}};

/* The bugs of mi that show without fences and read-modify-writes, and not only once in a thousand histories. */
static const char *const mi_bugs[] = {"lost-write-back", "dropped-forward", "unsquashed-load", "early-store", NULL};

enum { EXCHANGED = 3 };

/* ---- sc ---- */

static const struct experiment sc_experiments[] = {
    {.file = "papers-4-6a",
     .title = "Figure 4.6a: SC, valid histories, 100 to 500 operations of 4 processors",
     .paper =
         "This is also Figure 4, on the left, of CAV'19. The papers find that both algorithms with CCM scale much\n"
         "better than SAT, and that the two differ little.",
     .curves = sc_encoded,
     .threads = 4,
     .first = 100,
     .last = 500,
     .step = 100,
     .count = 200,
     .input = {.protocol = "all"}},
    {.file = "papers-4-6b",
     .title = "Figure 4.6b: SC, valid histories, 2 to 6 processors with 50 operations each",
     .paper = "This is also Figure 4, on the right, of CAV'19. The papers find the same.",
     .curves = sc_encoded,
     .over_threads = true,
     .first = 2,
     .last = 6,
     .step = 1,
     .count = 200,
     .input = {.protocol = "all"}},
    {.file = "papers-4-7",
     .title = "Figure 4.7: SC, violations by bugs of MI, 2 to 8 processors",
     .paper =
         "This is also Figure 5 of CAV'19. There the bugs are statements of gem5's MI in another order, and 1000\n"
         "histories of 100 to 400 operations violate sc. All of them violate CCM, and half of them CC or CCv. Here\n"
         "the bugs lost-write-back, dropped-forward, unsquashed-load and early-store take turns, and histories that\n"
         "do not violate sc are left out.",
     .curves = sc_bugs,
     .over_threads = true,
     .first = 2,
     .last = 8,
     .step = 1,
     .count = 144,
     .input = {.protocol = "mi", .bugs = mi_bugs, .violates = "sc"}},
    {.file = "papers-4-15",
     .title = "Figure 4.15: SC, valid histories, 200 to 800 operations of 6 threads",
     .paper = "The thesis finds that DBCOP is fastest, and wSC+ENUM clearly better than CCM+ENUM.",
     .curves = sc_searched,
     .threads = 6,
     .first = 200,
     .last = 800,
     .step = 100,
     .count = 200,
     .input = {.protocol = "all"}},
    {.file = "papers-4-16",
     .title = "Figure 4.16: SC, valid histories, 4 to 16 threads with 50 operations each",
     .paper =
         "The thesis finds that beyond 8 threads DBCOP degrades quickly, whereas the others scale, wSC+ENUM better\n"
         "than CCM+ENUM. wSC+DBCOP is best.",
     .curves = sc_searched,
     .over_threads = true,
     .first = 4,
     .last = 16,
     .step = 4,
     .count = 200,
     .input = {.protocol = "all"},
     .slow = &sc_searched[2],
     .fast = &sc_searched[3]},
    {.file = "papers-4-17",
     .title = "Figure 4.17: SC, half of the histories violations, 4 to 16 threads with 50 operations each",
     .paper = "A violation is a valid history in which 3 reads were given the value of another write, at most 20\n"
              "operations away. The thesis finds that the algorithms compare as on valid histories.",
     .curves = sc_searched,
     .over_threads = true,
     .first = 4,
     .last = 16,
     .step = 4,
     .count = 200,
     .input = {.protocol = "all", .mutate = EXCHANGED, .violates = "sc", .half = true},
     .slow = &sc_searched[2],
     .fast = &sc_searched[3]},
    {.file = "papers-4-18",
     .title = "Figure 4.18: SC, violations, 4 to 16 threads with 50 operations each",
     .paper = "In each history 3 reads were given the value of another write, at most 20 operations away. The thesis\n"
              "finds that all violations violate wSC, which is faster than CCM, and 70 times faster than DBCOP at 8\n"
              "threads. CCM misses 1.25 % of the violations.",
     .curves = sc_violated,
     .over_threads = true,
     .first = 4,
     .last = 16,
     .step = 4,
     .count = 100,
     .input = {.protocol = "all", .mutate = EXCHANGED, .violates = "sc"},
     .slow = &sc_violated[2],
     .fast = &sc_violated[0]},
};

/* ---- tso ---- */

static const struct experiment tso_experiments[] = {
    {.file = "papers-5-5a",
     .title = "Figure 5.5a: TSO, valid histories, 100 to 500 operations of 4 processors",
     .paper =
         "This is also Figure 6, on the left, of CAV'19. The histories are those of Figure 4.6a, so they satisfy sc.\n"
         "The papers find that both algorithms with wCCM scale much better than SAT, and that TSO-CCM+SAT is the\n"
         "better of the two.",
     .curves = tso_encoded,
     .threads = 4,
     .first = 100,
     .last = 500,
     .step = 100,
     .count = 200,
     .input = {.protocol = "all"}},
    {.file = "papers-5-5b",
     .title = "Figure 5.5b: TSO, valid histories, 2 to 6 processors with 50 operations each",
     .paper = "This is also Figure 6, on the right, of CAV'19. The papers find the same.",
     .curves = tso_encoded,
     .over_threads = true,
     .first = 2,
     .last = 6,
     .step = 1,
     .count = 200,
     .input = {.protocol = "all"}},
    {.file = "papers-5-10a",
     .title = "Figure 5.10a: wTSO and wCCM, 200 to 800 operations of 6 threads",
     .paper = "The thesis finds that wTSO is faster than wCCM.",
     .curves = tso_saturated,
     .threads = 6,
     .first = 200,
     .last = 800,
     .step = 100,
     .count = 150,
     .input = {.protocol = "all"},
     .slow = &tso_saturated[1],
     .fast = &tso_saturated[0]},
    {.file = "papers-5-10b",
     .title = "Figure 5.10b: wTSO and wCCM, 4 to 16 threads with 50 operations each",
     .paper = "The thesis finds that wTSO is faster than wCCM, 5 times at 16 threads.",
     .curves = tso_saturated,
     .over_threads = true,
     .first = 4,
     .last = 16,
     .step = 4,
     .count = 150,
     .input = {.protocol = "all"},
     .slow = &tso_saturated[1],
     .fast = &tso_saturated[0]},
};

static void run_all(struct bench *b, const struct experiment *all, size_t n)
{
    paragraph(
        b, "These are the experiments of CAV'19 and of Zennou's thesis, with fewer histories per size unless you give\n"
           "`--papers`. Random clients read and write 10 variables. The protocols mi, mesi, moesi and moesi-amd take\n"
           "turns, the cores are of the kind sc, and the histories are shuffled. `paper` is the name of the algorithm\n"
           "there; `ours` is the default of `assay check`.");
    for (size_t i = 0; i < n && bench_goes_on(b); i++)
        experiment_run(b, &all[i]);
}

void papers_run_sc(struct bench *b)
{
    run_all(b, sc_experiments, sizeof sc_experiments / sizeof *sc_experiments);
}

void papers_run_tso(struct bench *b)
{
    run_all(b, tso_experiments, sizeof tso_experiments / sizeof *tso_experiments);
}
