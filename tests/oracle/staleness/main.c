/* SPDX-License-Identifier: Apache-2.0 */
/* An oracle of staleness (assay_stale), written from its definition: it sees the public header only. Random histories
 * are measured by the library and by the definition, one by one and two together. Everything that the library says is
 * compared: counts, each stale read with its source and the newer writes, percentiles, histograms, sessions and nodes.
 *
 *   oracle_staleness [--seed N] [--first N] [--count N] [--quick|--long] */
#include "oracle/finding.h"
#include "oracle/staleness/definition.h"
#include "support/chance.h"
#include "support/tier.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the definition says of a history, or of two. */
struct expected {
    struct measure read[2 * MAX_READS];
    uint64_t reads, stale, unexplained;
};

static struct {
    uint64_t histories, reads, stale, unexplained, sums, refused;
} counts;

/* ---- one history ---- */

static struct expected define(const struct history *h)
{
    struct expected x = {.reads = 0};
    for (int r = 0; r < h->n; r++)
        for (int i = 0; i < h->op[r].n; i++) {
            struct measure m;
            enum state state = behind(h, r, i, &m);
            if (state == MEASURED)
                x.read[x.reads++] = m;
            x.stale += state == MEASURED && m.versions;
            x.unexplained += state == UNEXPLAINED;
        }
    return x;
}

/* Is the operation among the newer writes of the read's variable, and is no other one more so? */
static bool is_extreme(const struct history *h, int op, int var, int source, int r, bool newest)
{
    bool found = false;
    for (int v = 0; v < h->n; v++)
        for (int i = 0; i < h->op[v].n; i++) {
            if (h->op[v].access[i].var != var || !is_newer(h, (struct write){v, i}, source, r))
                continue;
            found |= v == op;
            if (newest ? h->op[v].call > h->op[op].call : h->op[v].ret < h->op[op].ret)
                return false;
        }
    return found;
}

static void compare_read(const struct history *h, assay_stale_read s)
{
    struct measure m, own;
    int r = (int)s.operation, source = s.source == ASSAY_NO_OPERATION ? INITIAL : (int)s.source, access = (int)s.access;
    const struct access *read = &h->op[r].access[access];
    if (behind(h, r, access, &m) != MEASURED || m.versions != s.versions || m.time != s.time)
        finding(h->text.bytes,
                "operation %d, access %d: %" PRIu64 " versions, %" PRIu64 " behind, by definition %llu, %llu", r,
                access, s.versions, s.time, m.versions, m.time);
    own = measure(h, read->var, source, r);
    if (!is_candidate(h, source, r, read) || own.versions != m.versions || own.time != m.time)
        finding(h->text.bytes, "operation %d, access %d: the source %d does not explain this", r, access, source);
    if (!is_extreme(h, (int)s.earliest, read->var, source, r, false) ||
        !is_extreme(h, (int)s.newest, read->var, source, r, true))
        finding(h->text.bytes, "operation %d, access %d: %u or %u is not the newer write", r, access, s.earliest,
                s.newest);
}

static void compare_group(const struct history *h, const assay_stale_group *g, bool by_node)
{
    assay_stale_group sum = {0};
    for (int r = 0; r < h->n; r++)
        for (int i = 0; i < h->op[r].n; i++) {
            struct measure m;
            char name[16] = "";
            int t = h->op[r].thread;
            if (!by_node || h->node[t])
                snprintf(name, sizeof name, by_node ? "%d" : "t%d", by_node ? h->node[t] : t);
            if (strcmp(name, g->name) != 0 || behind(h, r, i, &m) != MEASURED)
                continue;
            sum.reads++;
            sum.stale += m.versions > 0;
            sum.versions = m.versions > sum.versions ? m.versions : sum.versions;
            sum.time = m.time > sum.time ? m.time : sum.time;
        }
    if (sum.reads != g->reads || sum.stale != g->stale || sum.versions != g->versions || sum.time != g->time)
        finding(h->text.bytes, "the reads of %s '%s' differ", by_node ? "node" : "session", g->name);
}

static uint64_t compare_groups(const struct history *h, const assay_staleness *s, assay_stale_grouping by)
{
    uint64_t reads = 0;
    for (size_t i = 0; i < assay_staleness_groups(s, by); i++) {
        assay_stale_group g = assay_staleness_group(s, by, i);
        compare_group(h, &g, by == ASSAY_BY_NODE);
        reads += g.reads;
    }
    return reads;
}

/* ---- distributions, of one or two ---- */

static int by_versions(const void *left, const void *right)
{
    const struct measure *a = left, *b = right;
    return a->versions < b->versions ? -1 : a->versions > b->versions;
}

static int by_time(const void *left, const void *right)
{
    const struct measure *a = left, *b = right;
    return a->time < b->time ? -1 : a->time > b->time;
}

/* The first of the sorted reads that so many of a thousand are not beyond. */
static struct measure at_percentile(const struct expected *x, unsigned per_mille)
{
    uint64_t i = 0;
    while (i < x->reads && (i + 1) * 1000 < per_mille * x->reads)
        i++;
    return x->reads ? x->read[i] : (struct measure){0, 0};
}

static void compare_distribution(const char *text, struct expected *x, const assay_staleness *s)
{
    static const unsigned asked[] = {0, 1, 250, 500, 900, 990, 999, 1000};
    if (assay_staleness_reads(s) != x->reads || assay_staleness_stale(s) != x->stale ||
        assay_staleness_unexplained(s) != x->unexplained)
        finding(text,
                "%" PRIu64 " reads, %zu stale, %" PRIu64 " unexplained; by definition %" PRIu64 ", %" PRIu64
                ", %" PRIu64,
                assay_staleness_reads(s), assay_staleness_stale(s), assay_staleness_unexplained(s), x->reads, x->stale,
                x->unexplained);
    for (uint64_t from = 0; from < 4; from++)
        for (uint64_t to = from; to < 6; to++) {
            uint64_t between = 0;
            for (uint64_t i = 0; i < x->reads; i++)
                between += x->read[i].versions >= from && x->read[i].versions <= to;
            if (assay_staleness_between(s, from, to) != between)
                finding(text, "from %" PRIu64 " to %" PRIu64 " versions: not %" PRIu64 " reads", from, to, between);
        }
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        assay_behind p = assay_staleness_percentile(s, asked[i]);
        qsort(x->read, x->reads, sizeof *x->read, by_versions);
        bool same = at_percentile(x, asked[i]).versions == p.versions;
        qsort(x->read, x->reads, sizeof *x->read, by_time);
        if (!same || at_percentile(x, asked[i]).time != p.time)
            finding(text, "%u of a thousand differs", asked[i]);
    }
    if (x->stale &&
        assay_staleness_read(s, assay_staleness_longest(s)).time != assay_staleness_percentile(s, 1000).time)
        finding(text, "the read of the longest time is another one");
    for (size_t i = 1; i < assay_staleness_stale(s); i++)
        if (assay_staleness_read(s, i - 1).versions < assay_staleness_read(s, i).versions)
            finding(text, "the worst reads are not the first");
}

static assay_staleness *compare(const struct history *h, struct expected *x)
{
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .skew = h->skew};
    assay_history *parsed = parse(h->text.bytes, "hist");
    assay_staleness *s = parsed ? assay_stale(parsed, &options, &e) : NULL;
    *x = define(h);
    assay_history_free(parsed);
    if (!s) {
        finding(h->text.bytes, "not measured: %s", e.message);
        return NULL;
    }
    compare_distribution(h->text.bytes, x, s);
    for (size_t i = 0; i < assay_staleness_stale(s); i++)
        compare_read(h, assay_staleness_read(s, i));
    if (compare_groups(h, s, ASSAY_BY_SESSION) != x->reads)
        finding(h->text.bytes, "the reads of the sessions are not all");
    if (compare_groups(h, s, ASSAY_BY_NODE) != (h->nodes ? x->reads : 0))
        finding(h->text.bytes, "the reads of the nodes are not all");
    if (assay_staleness_in_nanoseconds(s) != (h->clock != 0))
        finding(h->text.bytes, "the unit of its times is another one");
    counts.histories++;
    counts.reads += x->reads;
    counts.stale += x->stale;
    counts.unexplained += x->unexplained;
    return s;
}

/* ---- two histories ---- */

static void compare_sum(const struct history h[2], const assay_staleness *const s[2], struct expected x[2])
{
    assay_error e = {0};
    bool fits = !x[0].stale || !x[1].stale || !h[0].clock == !h[1].clock;
    assay_staleness *sum = assay_staleness_sum(s, 2, &e);
    if (!sum != !fits)
        finding(h[0].text.bytes, "the sum with another history is %s", sum ? "not refused" : e.message);
    counts.refused += !sum;
    if (!sum)
        return;
    counts.sums++;
    struct expected both = x[0];
    memcpy(both.read + both.reads, x[1].read, x[1].reads * sizeof *x[1].read);
    both.reads += x[1].reads;
    both.stale += x[1].stale;
    both.unexplained += x[1].unexplained;
    compare_distribution(h[0].text.bytes, &both, sum);
    for (size_t i = 0; i < assay_staleness_stale(sum); i++) {
        assay_stale_read r = assay_staleness_read(sum, i);
        if (r.history > 1)
            finding(h[0].text.bytes, "a read of history %u of 2", r.history);
        else
            compare_read(&h[r.history], r);
    }
    assay_staleness_free(sum);
}

static void try_pair(int i, void *arg)
{
    (void)i, (void)arg;
    static struct history h[2];
    static struct expected x[2];
    assay_staleness *s[2];
    for (int k = 0; k < 2; k++) {
        history_make(&h[k]);
        s[k] = compare(&h[k], &x[k]);
    }
    if (s[0] && s[1])
        compare_sum(h, (const assay_staleness *const *)s, x);
    for (int k = 0; k < 2; k++) {
        assay_staleness_free(s[k]);
        free(h[k].text.bytes);
    }
}

int main(int argc, char **argv)
{
    struct request r = request_of(argc, argv);
    all_parts(&r, (const struct part[]){{"pairs", try_pair, NULL, {50000, 200000, 5000000}}, {NULL}});
    printf("%" PRIu64 " histories, %" PRIu64 " reads, %" PRIu64 " of them stale, %" PRIu64 " unexplained; %" PRIu64
           " sums, %" PRIu64 " refused; %d disagreements\n",
           counts.histories, counts.reads, counts.stale, counts.unexplained, counts.sums, counts.refused, findings);
    bool enough = counts.stale > counts.reads / 10 && counts.unexplained > counts.reads / 1000;
    if (!enough)
        puts("too few of the reads are stale or unexplained");
    return findings || !enough;
}
