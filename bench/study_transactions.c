/* SPDX-License-Identifier: Apache-2.0 */
/* Case study: transactions at the levels of isolation that stores offer, beside the promises of their manuals. */
#include "bench/columns.h"
#include "bench/study.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SESSIONS = 6, TRANSACTIONS = 300, KEYS = 6, WORKLOADS = 2 };

static const char *const workloads[WORKLOADS] = {"register", "list"};

/* The levels in the order of cell_models, the weakest first. pc and psi are not comparable; all others are. */
enum level { RC, RA, TCC, PC, PSI, SI, SER, SER_STRICT, LEVELS };

#define PG "PostgreSQL, 13.2 Transaction Isolation"
#define MARIADB "MariaDB, SET TRANSACTION"
#define INNODB "MariaDB, innodb_snapshot_isolation"
#define GALERA "Galera, Isolation Levels"
#define SQLITE "SQLite, Isolation In SQLite"

static const struct setting {
    const char *store, *title, *isolation;
    struct drive_setting set[CELL_SETTINGS];
    /* What the manual promises where the store has no levels, or few sessions are promised more; NULL: what the driver
     * promises of the isolation level, if anything. */
    const char *own;
    const char *words, *chapter;
    unsigned sessions; /* 0: the usual number */
} settings[] = {
    {"postgres", "read-committed", "read-committed", {{0}}, NULL, "each statement has a snapshot of its own", PG},
    {"postgres", "repeatable-read", "repeatable-read", {{0}}, NULL, "snapshot isolation", PG},
    {"postgres", "serializable", "serializable", {{0}}, NULL, "as if one after the other", PG},
    {"mariadb", "read-uncommitted", "read-uncommitted", {{0}}, NULL, "below rc: dirty reads", MARIADB},
    {"mariadb", "read-committed", "read-committed", {{0}}, NULL, "each read has a snapshot of its own", MARIADB},
    {"mariadb",
     "repeatable-read, snapshot_isolation off",
     "repeatable-read",
     {{"innodb_snapshot_isolation", "off"}},
     NULL,
     "plain reads have one snapshot; writes see the newest rows",
     MARIADB},
    {"mariadb",
     "repeatable-read, snapshot_isolation on",
     "repeatable-read",
     {{"innodb_snapshot_isolation", "on"}},
     NULL,
     "a write of a row that changed since the snapshot fails",
     INNODB},
    {"mariadb", "serializable", "serializable", {{0}}, NULL, "reads lock their rows", MARIADB},
    {"galera", "read-committed", "read-committed", {{0}}, NULL, "as one server, at each node", GALERA},
    {"galera",
     "repeatable-read, snapshot_isolation off",
     "repeatable-read",
     {{"innodb_snapshot_isolation", "off"}},
     NULL,
     "within a node as MariaDB, si between nodes",
     GALERA},
    {"galera",
     "the same, 1 session at a node",
     "repeatable-read",
     {{"innodb_snapshot_isolation", "off"}},
     "si",
     "between nodes the first committer wins",
     GALERA,
     3},
    {"galera",
     "repeatable-read, snapshot_isolation on",
     "repeatable-read",
     {{"innodb_snapshot_isolation", "on"}},
     NULL,
     "also within a node",
     INNODB},
    {"galera", "serializable", "serializable", {{0}}, NULL, "within a node only; between nodes si", GALERA},
    {"redis",
     "MULTI/EXEC, primary",
     NULL,
     {{"read_from", "primary"}},
     "ser-strict",
     "one transaction at a time",
     "Redis, Transactions"},
    {"redis",
     "MULTI/EXEC, reads at replicas",
     NULL,
     {{"read_from", "replica"}},
     NULL,
     "replicas follow asynchronously",
     "Redis, Replication"},
    {"etcd",
     "txn, reads=linearizable",
     NULL,
     {{"reads", "linearizable"}},
     "ser-strict",
     "strict serializability",
     "etcd, API guarantees"},
    {"etcd",
     "txn, reads=serializable",
     NULL,
     {{"reads", "serializable"}},
     "ser",
     "reads may be old",
     "etcd, API guarantees"},
    {"sqlite", "journal=wal", NULL, {{"journal", "wal"}}, "ser", "serializable", SQLITE},
    {"sqlite", "journal=delete", NULL, {{"journal", "delete"}}, "ser", "serializable", SQLITE},
    {"sqlite",
     "shared cache",
     "serializable",
     {{"shared_cache", "on"}},
     NULL,
     "locks on tables",
     "SQLite, Shared-Cache Mode"},
    {"sqlite",
     "shared cache, read-uncommitted",
     "read-uncommitted",
     {{"shared_cache", "on"}},
     NULL,
     "below rc: dirty reads",
     "SQLite, Shared-Cache Mode"},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* As a number of the models; NO_PROMISE: none, or less than each of them. */
static int promised_level(const struct setting *at, const struct cell *c)
{
    const char *names[CELL_MODELS], *model = at->own ? at->own : cell_promise(c);
    size_t n = cell_models(c->workload, names), i = 0;
    while (model && i < n && strcmp(names[i], model) != 0)
        i++;
    return model && i < n ? (int)i : NO_PROMISE;
}

void transactions_plan(struct study *s)
{
    for (unsigned i = 0; i < SETTINGS; i++) {
        const struct setting *at = &settings[i];
        struct measured m = {.part = STUDY_TRANSACTIONS, .setting = i, .histories = s->histories};
        m.cell = (struct cell){.store = store_find(at->store),
                               .isolation = at->isolation,
                               .sessions = at->sessions ? at->sessions : SESSIONS,
                               .operations = TRANSACTIONS,
                               .keys = KEYS};
        memcpy(m.cell.set, at->set, sizeof at->set);
        for (m.column = 0; m.column < WORKLOADS; m.column++) {
            m.cell.workload = workloads[m.column];
            m.promise = promised_level(at, &m.cell);
            study_add(s, &m);
        }
    }
}

/* ---- levels ---- */

static bool held(const struct outcome *o, int level)
{
    return !o->models[level].violations && !o->models[level].undecided;
}

static void append(char cell[COLUMN_CELL], const char *between, const char *format, const char *name, uint64_t count)
{
    size_t n = strlen(cell);
    if (n)
        n += (size_t)snprintf(cell + n, COLUMN_CELL - n, "%s", between);
    if (n < COLUMN_CELL)
        snprintf(cell + n, COLUMN_CELL - n, format, name, count);
}

/* The strongest level without a violation: two if they are pc and psi. */
static void put_strongest(const struct outcome *o, const char *const *names, char cell[COLUMN_CELL])
{
    int best = LEVELS - 1;
    while (best >= 0 && !held(o, best))
        best--;
    cell[0] = 0;
    if (best == PSI && held(o, PC))
        append(cell, "", "%s", names[PC], 0);
    append(cell, ", ", "%s", best < 0 ? "none: below rc" : names[best], 0);
}

/* The weakest level with a violation, and of how many histories. */
static void put_weakest(const struct outcome *o, const char *const *names, char cell[COLUMN_CELL])
{
    int worst = 0;
    while (worst < LEVELS && !o->models[worst].violations)
        worst++;
    cell[0] = 0;
    if (worst < LEVELS)
        append(cell, "", "%s: %" PRIu64, names[worst], o->models[worst].violations);
    if (worst == PC && o->models[PSI].violations)
        append(cell, ", ", "%s: %" PRIu64, names[PSI], o->models[PSI].violations);
    for (int i = 0; i < LEVELS; i++)
        if (o->models[i].undecided)
            append(cell, ", ", "%s: %" PRIu64 " undecided", names[i], o->models[i].undecided);
    if (!cell[0])
        append(cell, "", "%s", "-", 0);
}

static int by_count(const void *a, const void *b)
{
    const struct anomaly *x = a, *y = b;
    return x->histories != y->histories ? (x->histories < y->histories) - (x->histories > y->histories)
                                        : strcmp(x->name, y->name);
}

/* The most frequent first. */
static void put_anomalies(const struct outcome *o, char cell[COLUMN_CELL])
{
    struct anomaly sorted[CELL_ANOMALIES];
    memcpy(sorted, o->anomalies, sizeof sorted);
    qsort(sorted, o->anomaly_count, sizeof *sorted, by_count);
    cell[0] = 0;
    for (size_t i = 0; i < o->anomaly_count; i++)
        append(cell, ", ", "%s %" PRIu64, sorted[i].name, sorted[i].histories);
    if (!cell[0])
        append(cell, "", "%s", "-", 0);
}

/* ---- the table ---- */

static void print_row(const struct study *s, const struct column *columns, size_t n, const struct setting *at,
                      const struct measured *m)
{
    char cells[9][COLUMN_CELL];
    const char *names[CELL_MODELS];
    const struct outcome *o = &m->outcome;
    cell_models(m->cell.workload, names);
    snprintf(cells[0], COLUMN_CELL, "%s", at->title);
    snprintf(cells[1], COLUMN_CELL, "%s", m->cell.workload);
    snprintf(cells[2], COLUMN_CELL, "%" PRIu64, o->histories);
    snprintf(cells[3], COLUMN_CELL, "%.0f",
             100.0 * (double)o->aborted / (double)(o->committed + o->aborted + o->unknown));
    put_strongest(o, names, cells[4]);
    put_weakest(o, names, cells[5]);
    put_anomalies(o, cells[6]);
    snprintf(cells[7], COLUMN_CELL, "%s%s%s", m->promise == NO_PROMISE ? "" : names[m->promise],
             m->promise == NO_PROMISE ? "" : ": ", at->words);
    snprintf(cells[8], COLUMN_CELL, "%s", m->promise == NO_PROMISE ? "-" : held(o, m->promise) ? "yes" : "no");
    columns_print_row(s->bench, columns, n, cells);
}

static const struct measured *any_of(const struct study *s, unsigned setting)
{
    const struct measured *m = NULL;
    for (unsigned k = 0; !m && k < WORKLOADS; k++)
        m = study_find(s, STUDY_TRANSACTIONS, setting, k);
    return m;
}

static void print_chapters(const struct study *s, const struct store *store)
{
    char text[512] = "";
    for (unsigned i = 0; i < SETTINGS; i++) {
        if (strcmp(settings[i].store, store->name) != 0 || !any_of(s, i) || strstr(text, settings[i].chapter))
            continue;
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "%s%s", n ? "; " : "", settings[i].chapter);
    }
    paragraph(s->bench, "Manuals: %s.", text);
}

static void print_store(const struct study *s, const struct store *store)
{
    static const struct column columns[] = {{"setting", -39},
                                            {"workload", -8},
                                            {"histories", 9},
                                            {"aborted %", 9},
                                            {"strongest held", -14},
                                            {"weakest violated", -16},
                                            {"anomalies", -30},
                                            {"the manual's words", -30},
                                            {"kept", -4}};
    size_t n = sizeof columns / sizeof *columns;
    bool begun = false;
    for (unsigned i = 0; i < SETTINGS; i++) {
        if (strcmp(settings[i].store, store->name) != 0 || !any_of(s, i))
            continue;
        if (!begun) {
            study_heading(s, store->title);
            columns_print_head(s->bench, columns, n);
        }
        begun = true;
        for (unsigned k = 0; k < WORKLOADS; k++) {
            const struct measured *m = study_find(s, STUDY_TRANSACTIONS, i, k);
            if (m)
                print_row(s, columns, n, &settings[i], m);
        }
    }
    if (!begun)
        return;
    print_chapters(s, store);
    if (strcmp(store->name, "mariadb") == 0)
        paragraph(
            s->bench,
            "With snapshot_isolation off, a write takes the newest version of its row, not that of the snapshot,\n"
            "so updates are lost. A transaction that has appended to a list reads it with the elements that others\n"
            "have appended since the snapshot, but still reads old versions of other lists.");
    if (strcmp(store->name, "galera") == 0)
        paragraph(
            s->bench,
            "With snapshot_isolation off, a commit from another node may arrive after the snapshot of a\n"
            "transaction. If the transaction then overwrites it, certification finds no conflict and the update is\n"
            "lost.");
}

void transactions_print(const struct study *s)
{
    heading(s->bench, "Transactions");
    paragraph(
        s->bench,
        "Each history has %d sessions with %d transactions in all. A transaction has 1 to 4 accesses to %d keys,\n"
        "and half of the accesses read. Every value is written once: the workload `register` writes it, `list`\n"
        "appends it. Sessions are assigned to the nodes in turn and stay there. A single MariaDB server is a\n"
        "Galera cluster of one node.",
        SESSIONS, TRANSACTIONS, KEYS);
    paragraph(
        s->bench,
        "The levels are rc, ra, tcc, pc, psi, si, ser and ser-strict ([transactions](../reference/transactions.md)).\n"
        "A level is *held* if all histories satisfy it. The number beside the weakest violated level says how many\n"
        "histories violate it. An anomaly is counted once per history, at the weakest level that the history\n"
        "violates. The promise is `kept` if all histories satisfy the level that the manual promises. READ\n"
        "UNCOMMITTED is not a level here.");
    for (const struct store *store = store_table; store->name; store++)
        print_store(s, store);
    study_print_gaps(s, STUDY_TRANSACTIONS);
}
