/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/large.h"

#include "oracle/finding.h"
#include "oracle/transactions/compare.h"
#include "oracle/transactions/counts.h"
#include "oracle/transactions/draw.h"
#include "oracle/transactions/history.h"
#include "oracle/transactions/notation.h"
#include "oracle/transactions/oracle.h"
#include "oracle/transactions/store.h"
#include "oracle/transactions/write.h"
#include "support/chance.h"

#include <stdlib.h>
#include <string.h>

static struct store_plan draw_store(int most)
{
    static const int keys[] = {1, 3, 10, 100}, sessions[] = {1, 2, 5, 20, 80}, rarely[] = {0, 0, 5, 20};
    struct store_plan p = {.level = (enum level)below(LEVELS), .n = 1 + below(most), .accesses = 1 + below(6)};
    p.keys = keys[below(4)];
    p.sessions = sessions[below(5)];
    p.reads = 20 + below(70);
    p.lists = chance(60) ? 0 : chance(50) ? 100 : 40;
    p.aborted = rarely[below(4)];
    p.maybe = rarely[below(4)];
    p.timed = chance(50);
    p.strict = p.level != TCC && p.level != PSI && p.level != RA && (p.level == SER || p.level == RC || chance(50));
    return p;
}

static void ladder(const char *text, const enum expectation verdicts[MODELS])
{
    for (int s = 0; s < MODELS; s++)
        for (int w = 0; w < MODELS; w++)
            if (implies(s, w) && verdicts[s] == HOLDS && verdicts[w] == FAILS)
                finding(text, "%s holds, and %s fails", model_names[s], model_names[w]);
    counts.laws++;
}

static void check_text(const char *text, const char *format, const struct history *h,
                       const enum expectation expected[MODELS])
{
    enum expectation verdicts[MODELS];
    assay_options o = {ASSAY_OPTIONS_INIT, .evidence = true, .seconds = differentiated(h) ? 0 : 1};
    assay_history *a = text ? parse(text, format) : NULL;
    for (int m = 0; m < MODELS; m++)
        verdicts[m] = UNSURE;
    for (int m = 0; a && m < MODELS; m++)
        if (h->timing != UNTIMED || base_of(m) != STRICT)
            verdicts[m] = compare(a, text, m, expected[m], &o, NULL);
    if (a)
        ladder(text, verdicts);
    assay_history_free(a);
}

/* The planted history ends before the other one begins, if there are times. */
static struct history *draw_planted(bool timed, bool repeated)
{
    struct history *g;
    do {
        g = repeated ? draw_repeated() : chance(50) ? draw_history() : read_notation(gadgets[below(GADGETS)]);
        if (timed && g->timing == UNTIMED)
            draw_times(g);
        if (g->timing == (timed ? TIMED : UNTIMED) && g->n)
            break;
        free_history(g);
    } while (true);
    for (int t = 0; timed && t < g->n; t++) {
        g->txns[t].begin = -1000 + (g->txns[t].begin & 255);
        if (g->txns[t].outcome != MAYBE)
            g->txns[t].end = -1000 + (g->txns[t].end & 255);
    }
    return g;
}

static bool sane_times(const struct history *g)
{
    for (int t = 0; t < g->n; t++)
        for (int u = 0; u < t; u++)
            if (g->txns[t].session == g->txns[u].session &&
                g->txns[t].begin < (g->txns[u].outcome == MAYBE ? g->txns[u].begin : g->txns[u].end))
                return false;
    for (int t = 0; t < g->n; t++)
        if (g->txns[t].begin > g->txns[t].end)
            return false;
    return true;
}

static void check_store(const struct store_plan *p)
{
    struct history *h = run_store(p), *g = NULL;
    struct spelling s = chance(70) ? plain_spelling() : draw_spelling();
    enum expectation expected[MODELS];
    bool ok[MODELS];
    counts.large++;
    for (int m = 0; m < MODELS; m++)
        expected[m] = implies(model_of(p->level, p->strict ? STRICT : SESSION), m) ? HOLDS : UNSURE;
    char *text = write_lines(h, &s, NULL);
    check_text(text, "hist", h, expected);
    free(text);
    do {
        free_history(g);
        g = draw_planted(p->timed, p->values);
    } while (p->timed && !sane_times(g));
    judge(g, ok);
    for (int m = 0; m < MODELS; m++)
        expected[m] = ok[m] ? expected[m] : FAILS;
    struct history *both = copy_history(g);
    add_history(both, h, g->session_count);
    text = chance(50) ? write_lines(both, &s, NULL) : chance(50) ? write_jsonl(both, &s) : write_blocks(both, &s);
    counts.planted++;
    check_text(text, text && text[0] == '{' ? "jsonl" : "hist", both, expected);
    free(text);
    free_history(both);
    free_history(g);
    free_history(h);
}

void check_large(int most)
{
    struct store_plan p = draw_store(most);
    check_store(&p);
}

void check_large_repeated(int most)
{
    struct store_plan p = draw_store(most);
    p.values = 1 + below(4);
    check_store(&p);
}
