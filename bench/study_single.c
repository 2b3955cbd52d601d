/* SPDX-License-Identifier: Apache-2.0 */
/* Case study: single reads and writes, as in Zennou's thesis, section 3.3.4. Sizes are those of the thesis: 4 sessions
 * with 100 to 600 operations in all, and 2 to 6 sessions with 50 operations each. */
#include "bench/columns.h"
#include "bench/study.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 4, MODELS = 5, STALE_COLUMNS = 2 };

static const struct size {
    unsigned sessions, operations;
} sizes[] = {{4, 100}, {4, 200}, {4, 300}, {4, 400}, {4, 500}, {4, 600}, {2, 100}, {3, 150}, {5, 250}, {6, 300}};
enum { SIZES = sizeof sizes / sizeof *sizes, QUICK_SIZES = 1 };

static const struct setting {
    const char *store, *title;
    struct drive_setting set[CELL_SETTINGS];
    bool roam;
} settings[] = {
    {"galera", "wsrep_sync_wait=0", {{"wsrep_sync_wait", "0"}}, false},
    {"galera", "wsrep_sync_wait=0, roaming", {{"wsrep_sync_wait", "0"}}, true},
    {"galera", "wsrep_sync_wait=1", {{"wsrep_sync_wait", "1"}}, false},
    {"galera", "wsrep_sync_wait=1, roaming", {{"wsrep_sync_wait", "1"}}, true},
    {"postgres", "synchronous_commit=local", {{"read_from", "standby"}, {"synchronous_commit", "local"}}, false},
    {"postgres",
     "synchronous_commit=remote_write",
     {{"read_from", "standby"}, {"synchronous_commit", "remote_write"}},
     false},
    {"postgres", "synchronous_commit=on", {{"read_from", "standby"}, {"synchronous_commit", "on"}}, false},
    {"postgres",
     "synchronous_commit=remote_apply",
     {{"read_from", "standby"}, {"synchronous_commit", "remote_apply"}},
     false},
    {"redis", "wait=0", {{"read_from", "replica"}, {"wait", "0"}}, false},
    {"redis", "wait=2", {{"read_from", "replica"}, {"wait", "2"}}, false},
    {"etcd", "reads=serializable", {{"reads", "serializable"}}, false},
    {"etcd", "reads=serializable, roaming", {{"reads", "serializable"}}, true},
    {"etcd", "reads=linearizable", {{"reads", "linearizable"}}, false},
    {"etcd", "reads=linearizable, roaming", {{"reads", "linearizable"}}, true},
    {"sqlite", "journal=wal", {{"journal", "wal"}}, false},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static unsigned sizes_of(const struct study *s)
{
    return s->bench->set->quick ? QUICK_SIZES : SIZES;
}

static void plan_size(struct study *s, unsigned size)
{
    for (unsigned i = 0; i < SETTINGS; i++) {
        const struct setting *at = &settings[i];
        struct measured m = {.part = STUDY_SINGLE, .setting = i, .column = size, .promise = NO_PROMISE};
        m.histories = (s->histories + sizes_of(s) - 1) / sizes_of(s);
        m.cell = (struct cell){.store = store_find(at->store),
                               .workload = "single",
                               .roam = at->roam,
                               .sessions = sizes[size].sessions,
                               .operations = sizes[size].operations,
                               .keys = KEYS};
        memcpy(m.cell.set, at->set, sizeof at->set);
        study_add(s, &m);
    }
}

/* Size by size: all settings meet the same machine, whose load decides how long a replica is behind. */
void single_plan(struct study *s)
{
    for (unsigned i = 0; i < sizes_of(s); i++)
        plan_size(s, i);
}

static bool sum_up(const struct study *s, unsigned setting, struct outcome *sum)
{
    *sum = (struct outcome){0};
    for (unsigned i = 0; i < SIZES; i++) {
        const struct measured *m = study_find(s, STUDY_SINGLE, setting, i);
        if (m)
            outcome_add(sum, &m->outcome);
    }
    return sum->histories > 0;
}

bool single_first_setting(const struct study *s, unsigned *setting, const char **store, const char **title)
{
    struct outcome sum;
    for (unsigned i = 0; i < SETTINGS; i++) {
        if (!sum_up(s, i, &sum))
            continue;
        *setting = i;
        *store = store_find(settings[i].store)->title;
        *title = settings[i].title;
        return true;
    }
    return false;
}

/* ---- staleness ---- */

struct stale {
    uint64_t reads, stale;
    double late; /* milliseconds: 99 of 100 reads are at most this far behind */
};

static assay_staleness *stale_of(const char *path)
{
    assay_error e = {0};
    assay_reader *reader = assay_reader_open(path, "hist", &e);
    assay_history *h = reader ? assay_reader_next(reader, &e) : NULL;
    assay_staleness *found = h ? assay_stale(h, NULL, &e) : NULL;
    assay_history_free(h);
    assay_reader_close(reader);
    return found;
}

/* Of all histories of the setting. */
static struct stale measure_stale(const struct study *s, unsigned setting, uint64_t histories)
{
    struct stale out = {0};
    assay_staleness **parts = calloc(histories, sizeof *parts);
    size_t n = 0;
    char path[PATH_SPACE];
    for (unsigned i = 0; parts && i < SIZES; i++) {
        const struct measured *m = study_find(s, STUDY_SINGLE, setting, i);
        for (uint64_t k = 1; m && k <= m->outcome.histories && n < histories; k++) {
            cell_history(&m->cell, s->work, k, path);
            parts[n] = stale_of(path);
            n += parts[n] != NULL;
        }
    }
    assay_staleness *sum = n ? assay_staleness_sum((const assay_staleness *const *)parts, n, NULL) : NULL;
    if (sum) {
        out.reads = assay_staleness_reads(sum);
        out.stale = assay_staleness_stale(sum);
        out.late = (double)assay_staleness_percentile(sum, 990).time * 1e-6;
    }
    assay_staleness_free(sum);
    while (n)
        assay_staleness_free(parts[--n]);
    free(parts);
    return out;
}

/* ---- tables ---- */

static void put_share(char cell[COLUMN_CELL], uint64_t part, uint64_t whole)
{
    if (part)
        snprintf(cell, COLUMN_CELL, "%" PRIu64 " (%.3g %%)", part, 100.0 * (double)part / (double)whole);
    else
        snprintf(cell, COLUMN_CELL, "0");
}

static void print_pooled_row(const struct study *s, const struct column *columns, unsigned setting,
                             const struct outcome *o)
{
    char cells[4 + MODELS + STALE_COLUMNS][COLUMN_CELL];
    struct stale stale = measure_stale(s, setting, o->histories);
    size_t n = 0;
    snprintf(cells[n++], COLUMN_CELL, "%s", settings[setting].title);
    snprintf(cells[n++], COLUMN_CELL, "%s", grouped((uint32_t)o->histories));
    snprintf(cells[n++], COLUMN_CELL, "%.2g",
             100.0 * (double)o->aborted / (double)(o->committed + o->aborted + o->unknown));
    for (size_t i = 0; i < MODELS; i++) {
        put_share(cells[n], o->models[i].violations, o->histories);
        if (o->models[i].undecided) {
            size_t length = strlen(cells[n]);
            snprintf(cells[n] + length, COLUMN_CELL - length, ", %" PRIu64 " undecided", o->models[i].undecided);
        }
        n++;
    }
    snprintf(cells[n++], COLUMN_CELL, "%.3g", stale.reads ? 100.0 * (double)stale.stale / (double)stale.reads : 0);
    snprintf(cells[n++], COLUMN_CELL, "%.3g", stale.late);
    columns_print_row(s->bench, columns, n, cells);
}

static void print_pooled(const struct study *s, const char *store)
{
    static const struct column columns[] = {{"setting", -32},      {"histories", 9},     {"aborted %", 9}, {"cc", 12},
                                            {"ccv", 12},           {"cm", 12},           {"sc", 12},       {"lin", 12},
                                            {"stale reads %", 13}, {"p99 ms behind", 13}};
    struct outcome sum;
    columns_print_head(s->bench, columns, sizeof columns / sizeof *columns);
    for (unsigned i = 0; i < SETTINGS; i++)
        if (strcmp(settings[i].store, store) == 0 && sum_up(s, i, &sum))
            print_pooled_row(s, columns, i, &sum);
}

/* How many of the histories of each size violate the model. */
static void print_by_size(const struct study *s, const char *store, size_t model, const char *name)
{
    struct column columns[1 + SIZES] = {{"setting", -32}};
    char titles[SIZES][16], cells[1 + SIZES][COLUMN_CELL];
    unsigned n = sizes_of(s);
    for (unsigned i = 0; i < n; i++) {
        snprintf(titles[i], sizeof titles[i], "%u x %u", sizes[i].sessions, sizes[i].operations / sizes[i].sessions);
        columns[1 + i] = (struct column){titles[i], 7};
    }
    paragraph(s->bench, "Violations of %s by size, in percent (sessions x operations of each):", name);
    columns_print_head(s->bench, columns, 1 + n);
    for (unsigned k = 0; k < SETTINGS; k++) {
        struct outcome sum;
        if (strcmp(settings[k].store, store) != 0 || !sum_up(s, k, &sum))
            continue;
        snprintf(cells[0], COLUMN_CELL, "%s", settings[k].title);
        for (unsigned i = 0; i < n; i++) {
            const struct measured *m = study_find(s, STUDY_SINGLE, k, i);
            snprintf(cells[1 + i], COLUMN_CELL, m ? "%.3g" : "-",
                     m ? 100.0 * (double)m->outcome.models[model].violations / (double)m->outcome.histories : 0);
        }
        columns_print_row(s->bench, columns, 1 + n, cells);
    }
}

/* Beside the share that the thesis found. */
static void compare_with_thesis(const struct study *s)
{
    struct outcome pinned, roaming;
    if (!sum_up(s, 0, &pinned) || !sum_up(s, 1, &roaming))
        return;
    const struct model_outcome *cc = &roaming.models[0], *cm = &roaming.models[2];
    paragraph(
        s->bench,
        "The thesis found that 1.25 %% of its Galera histories violate causal consistency (Galera 3.20), and\n"
        "that 73.3 %% of the CM violations also violate CC. Here, with wsrep_sync_wait=0, %.3g %% of the histories\n"
        "violate cm if sessions stay at a node, and %.3g %% if they roam.",
        100.0 * (double)pinned.models[2].violations / (double)pinned.histories,
        100.0 * (double)cm->violations / (double)roaming.histories);
    if (cm->violations)
        paragraph(s->bench, "With roaming sessions, %.3g %% of the CM violations also violate CC.",
                  100.0 * (double)cc->violations / (double)cm->violations);
}

static void print_store(const struct study *s, const struct store *store)
{
    struct outcome sum;
    bool any = false;
    for (unsigned i = 0; i < SETTINGS; i++)
        any = any || (strcmp(settings[i].store, store->name) == 0 && sum_up(s, i, &sum));
    if (!any)
        return;
    study_heading(s, store->title);
    print_pooled(s, store->name);
    print_by_size(s, store->name, 0, "cc");
    print_by_size(s, store->name, MODELS - 1, "lin");
    if (strcmp(store->name, "galera") == 0)
        compare_with_thesis(s);
    if (strcmp(store->name, "postgres") == 0)
        paragraph(
            s->bench,
            "These servers run without fsync, so a standby has flushed a commit as soon as it has written it.\n"
            "That is why remote_write and on differ little. With remote_apply no read is stale, but lin may still be\n"
            "violated: the primary waits for the standby, so the standby shows a commit first. A read at the\n"
            "standby may return the new value, and a later read at the primary the old one.");
    if (strcmp(store->name, "redis") == 0)
        paragraph(
            s->bench,
            "With wait=2 no read is stale, but lin may still be violated: a write that is still waiting may be seen\n"
            "at one node, and later not yet seen at another.");
}

void single_print(const struct study *s)
{
    heading(s->bench, "Single operations");
    paragraph(
        s->bench,
        "This repeats the thesis' case study (section 3.3.4, Figure 3.2) with its sizes: 4 sessions with 100 to\n"
        "600 operations in all, and 2 to 6 sessions with 50 operations each. Each operation reads or writes in a\n"
        "transaction of its own, and every value is written once. Half of the operations read; there are %d keys.\n"
        "\n"
        "Sessions are assigned to the nodes in turn and stay there, unless they *roam*: then each operation runs\n"
        "at any node. PostgreSQL has a primary and one synchronous standby, Redis a primary and two replicas.\n"
        "With these two, all sessions write at the primary, and the sessions of other nodes read at their own\n"
        "node. SQLite, which is one file, is the control.",
        KEYS);
    paragraph(s->bench, "The column of a model says how many histories violate it. A read is stale if a write that is\n"
                        "certainly newer had returned before the read was called ([stale](stale-reads.md)).");
    for (const struct store *store = store_table; store->name; store++)
        print_store(s, store);
    study_print_gaps(s, STUDY_SINGLE);
}
