/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite: several connections to one file, each of a thread of its own.
 *
 * A single access is one statement in autocommit mode. Several accesses stand between BEGIN and COMMIT. Outcomes are
 * certain here: the library runs in this process and says of each statement whether it took effect. After an error
 * the transaction is rolled back; only where that fails, or the disk did, the outcome is unknown. */
#include "collect/drive/driver.h"

#ifdef ASSAY_WITH_SQLITE

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum statement {
    BEGIN = ASSAY_ACTIONS, /* behind one for each action */
    COMMIT,
    ROLLBACK,
    STATEMENTS
};

static const char *const statements[STATEMENTS] = {
    [ASSAY_ACTION_READ] = "SELECT v FROM assay_registers WHERE k = ?1",
    [ASSAY_ACTION_WRITE] = "UPDATE assay_registers SET v = ?2 WHERE k = ?1",
    [ASSAY_ACTION_ADD] = "UPDATE assay_registers SET v = v + ?2 WHERE k = ?1",
    [ASSAY_ACTION_TRANSFER] = "SELECT v FROM assay_registers WHERE k = ?1",
    [ASSAY_ACTION_LIST] = "SELECT v FROM assay_lists WHERE k = ?1",
    [ASSAY_ACTION_APPEND] = "UPDATE assay_lists SET v = v || ?2 || ',' WHERE k = ?1",
    [ASSAY_ACTION_ELEMENTS] = "SELECT e FROM assay_elements WHERE k = ?1",
    [ASSAY_ACTION_INSERT] = "INSERT OR IGNORE INTO assay_elements (k, e) VALUES (?1, ?2)",
    [ASSAY_ACTION_ENQUEUE] = "INSERT INTO assay_queue (k, v) VALUES (?1, ?2)",
    [ASSAY_ACTION_DEQUEUE] =
        "DELETE FROM assay_queue WHERE n = (SELECT min(n) FROM assay_queue WHERE k = ?1) RETURNING v",
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
};

static const char *const tables =
    "CREATE TABLE IF NOT EXISTS assay_registers (k INTEGER PRIMARY KEY, v INTEGER NOT NULL);"
    "CREATE TABLE IF NOT EXISTS assay_lists (k INTEGER PRIMARY KEY, v TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS assay_elements (k INTEGER, e INTEGER, PRIMARY KEY (k, e)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS assay_queue (n INTEGER PRIMARY KEY AUTOINCREMENT, k INTEGER NOT NULL, v INTEGER NOT "
    "NULL)";

struct store {
    char *path;
    bool own; /* the file is ours, and goes with us */
    char begin[32];
    sqlite3 *first; /* for tables and keys */
};

struct connection {
    sqlite3 *db;
    sqlite3_stmt *prepared[STATEMENTS];
    double timeout;
};

/* ---- opening ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Waits for others in short steps: SQLite's own handler sleeps for milliseconds, in which nothing overlaps. */
static int busy(void *arg, int times)
{
    struct connection *c = arg;
    if (times > 100 && times % 64 == 0 && now() > c->timeout)
        return 0;
    nanosleep(&(struct timespec){0, times < 10 ? 10000 : 100000}, NULL);
    return 1;
}

static bool is_on(const assay_campaign *c, const char *setting)
{
    return strcmp(c->setting(c, setting), "on") == 0;
}

static int execute(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

static int configure(const assay_campaign *c, sqlite3 *db)
{
    char pragma[128];
    snprintf(pragma, sizeof pragma, "PRAGMA journal_mode=%s; PRAGMA synchronous=%s", c->setting(c, "journal"),
             c->setting(c, "synchronous"));
    int code = execute(db, pragma);
    if (code == SQLITE_OK && c->isolation && strcmp(c->isolation, "read-uncommitted") == 0)
        code = execute(db, "PRAGMA read_uncommitted=1");
    return code;
}

static sqlite3 *open_file(const assay_campaign *c, struct connection *owner, char *message)
{
    const struct store *s = c->state;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    flags |= is_on(c, "shared_cache") ? SQLITE_OPEN_SHAREDCACHE : SQLITE_OPEN_PRIVATECACHE;
    sqlite3 *db = NULL;
    int code = sqlite3_open_v2(s->path, &db, flags, NULL);
    owner->timeout = now() + c->timeout;
    if (code == SQLITE_OK)
        sqlite3_busy_handler(db, busy, owner);
    if (code == SQLITE_OK)
        code = configure(c, db);
    if (code == SQLITE_OK)
        return db;
    snprintf(message, ASSAY_DRIVER_MESSAGE, "cannot open %.128s: %s", s->path,
             db ? sqlite3_errmsg(db) : sqlite3_errstr(code));
    sqlite3_close(db);
    return NULL;
}

static void close_connection(struct connection *own)
{
    for (size_t i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(own->prepared[i]);
    sqlite3_close(own->db);
    free(own);
}

static bool prepare_statements(const struct store *s, struct connection *own, char *message)
{
    for (size_t i = 0; i < STATEMENTS; i++) {
        const char *sql = i == BEGIN ? s->begin : statements[i];
        if (sqlite3_prepare_v3(own->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &own->prepared[i], NULL) != SQLITE_OK) {
            snprintf(message, ASSAY_DRIVER_MESSAGE,
                     "%s (a table of this name has other columns: drop it, or name another file)",
                     sqlite3_errmsg(own->db));
            return false;
        }
    }
    return true;
}

static struct connection *connect_to(const assay_campaign *c, char *message)
{
    struct connection *own = calloc(1, sizeof *own);
    if (!own) {
        snprintf(message, ASSAY_DRIVER_MESSAGE, "no memory");
        return NULL;
    }
    own->db = open_file(c, own, message);
    if (own->db && prepare_statements(c->state, own, message))
        return own;
    close_connection(own);
    return NULL;
}

static bool open_session(assay_campaign *c, assay_session *s)
{
    s->state = connect_to(c, s->message);
    return s->state != NULL;
}

static void close_session(assay_campaign *c, assay_session *s)
{
    (void)c;
    close_connection(s->state);
}

/* ---- transactions ---- */

static bool push_list(assay_access *a, const char *text)
{
    for (char *end; *text; text = end + (*end == ',')) {
        int64_t element = strtoll(text, &end, 10);
        if (end == text || !assay_access_push(a, element))
            return false;
    }
    return true;
}

static bool take_row(assay_access *a, sqlite3_stmt *row)
{
    if (a->action == ASSAY_ACTION_LIST)
        return push_list(a, (const char *)sqlite3_column_text(row, 0));
    if (a->action == ASSAY_ACTION_ELEMENTS)
        return assay_access_push(a, sqlite3_column_int64(row, 0));
    a->found = true;
    a->answer = sqlite3_column_int64(row, 0);
    return true;
}

/* Runs a statement to its end; rows go to the access. SQLITE_DONE, or the error. */
static int step(struct connection *own, size_t which, uint64_t key, int64_t value, assay_access *a)
{
    sqlite3_stmt *p = own->prepared[which];
    int code = SQLITE_ROW;
    if (sqlite3_bind_parameter_count(p) > 0)
        sqlite3_bind_int64(p, 1, (sqlite3_int64)key);
    if (sqlite3_bind_parameter_count(p) > 1)
        sqlite3_bind_int64(p, 2, value);
    while ((code = sqlite3_step(p)) == SQLITE_ROW && a)
        if (!take_row(a, p)) {
            code = SQLITE_NOMEM;
            break;
        }
    sqlite3_reset(p);
    return code;
}

/* Reads a balance, and writes the new one: as applications do, so that lost updates would show. */
static int change_balance(struct connection *own, assay_access *a, uint64_t key, int64_t by)
{
    int code = step(own, ASSAY_ACTION_TRANSFER, key, 0, a);
    if (code != SQLITE_DONE || a->answer + by < 0)
        return code;
    return step(own, ASSAY_ACTION_WRITE, key, a->answer + by, NULL);
}

static int run_access(struct connection *own, assay_access *a)
{
    if (a->action != ASSAY_ACTION_TRANSFER)
        return step(own, a->action, a->key, a->value, a);
    int code = change_balance(own, a, a->key, -a->value);
    bool enough = a->answer >= a->value;
    if (code == SQLITE_DONE && enough)
        code = change_balance(own, a, a->to, a->value);
    a->found = enough;
    return code;
}

/* The statement, or the transaction, did nothing. */
static bool refused(int code)
{
    int primary = code & 0xff;
    return primary == SQLITE_BUSY || primary == SQLITE_LOCKED || primary == SQLITE_FULL || primary == SQLITE_READONLY ||
           primary == SQLITE_CONSTRAINT || primary == SQLITE_NOMEM;
}

static assay_outcome fail(struct connection *own, assay_session *s, int code)
{
    snprintf(s->message, sizeof s->message, "%s", sqlite3_errmsg(own->db));
    if (!sqlite3_get_autocommit(own->db))
        step(own, ROLLBACK, 0, 0, NULL);
    bool gone = sqlite3_get_autocommit(own->db) && refused(code);
    s->broken = !gone;
    return gone ? ASSAY_ABORTED : ASSAY_UNKNOWN;
}

static assay_outcome run(assay_campaign *c, assay_session *s, assay_access *a, size_t n)
{
    struct connection *own = s->state;
    bool several = n > 1 || a[0].action == ASSAY_ACTION_TRANSFER;
    own->timeout = now() + c->timeout;
    int code = several ? step(own, BEGIN, 0, 0, NULL) : SQLITE_DONE;
    for (size_t i = 0; i < n && code == SQLITE_DONE; i++)
        code = run_access(own, &a[i]);
    if (several && code == SQLITE_DONE)
        code = step(own, COMMIT, 0, 0, NULL);
    return code == SQLITE_DONE ? ASSAY_COMMITTED : fail(own, s, code);
}

/* ---- the store ---- */

static bool find_file(assay_campaign *c, struct store *s)
{
    const char *file = c->setting(c, "file");
    char path[4096];
    s->own = !*file;
    snprintf(path, sizeof path, "%s/store.sqlite", c->folder);
    s->path = strdup(*file ? file : path);
    if (!s->path)
        snprintf(c->message, sizeof c->message, "no memory");
    return s->path != NULL;
}

static void remove_file(const struct store *s)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    char name[4160];
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        snprintf(name, sizeof name, "%s%s", s->path, suffixes[i]);
        unlink(name);
    }
}

static bool attach(assay_campaign *c)
{
    struct store *s = calloc(1, sizeof *s);
    struct connection owner = {0};
    c->state = s;
    if (!s) {
        snprintf(c->message, sizeof c->message, "no memory");
        return false;
    }
    snprintf(s->begin, sizeof s->begin, "BEGIN %s", c->setting(c, "begin"));
    snprintf(c->server, sizeof c->server, "SQLite %s", sqlite3_libversion());
    if (c->isolation && strcmp(c->isolation, "read-uncommitted") == 0 && !is_on(c, "shared_cache")) {
        snprintf(c->message, sizeof c->message, "read-uncommitted is for a shared cache (add --set shared_cache=on)");
        return false;
    }
    if (!find_file(c, s))
        return false;
    if (s->own)
        remove_file(s);
    s->first = open_file(c, &owner, c->message);
    if (!s->first)
        return false;
    sqlite3_busy_timeout(s->first, (int)(c->timeout * 1000)); /* the owner of the handler ends here */
    if (execute(s->first, tables) == SQLITE_OK)
        return true;
    snprintf(c->message, sizeof c->message, "cannot make tables: %s", sqlite3_errmsg(s->first));
    return false;
}

static void detach(assay_campaign *c)
{
    struct store *s = c->state;
    if (!s)
        return;
    sqlite3_close(s->first);
    if (s->own && s->path)
        remove_file(s);
    free(s->path);
    free(s);
    c->state = NULL;
}

static bool prepare(assay_campaign *c, const assay_keys *keys)
{
    struct store *s = c->state;
    sqlite3_stmt *rows[2] = {NULL, NULL};
    int code = execute(s->first, "BEGIN IMMEDIATE");
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(s->first, "INSERT INTO assay_registers (k, v) VALUES (?1, ?2)", -1, &rows[0], NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(s->first, "INSERT INTO assay_lists (k, v) VALUES (?1, '')", -1, &rows[1], NULL);
    for (uint64_t i = 0; i < 2 * keys->count && code == SQLITE_OK; i++) {
        sqlite3_stmt *row = rows[i % 2];
        sqlite3_bind_int64(row, 1, (sqlite3_int64)(keys->first + i / 2));
        sqlite3_bind_int64(row, 2, keys->initial); /* an error without consequence for a list */
        code = sqlite3_step(row) == SQLITE_DONE ? SQLITE_OK : sqlite3_errcode(s->first);
        sqlite3_reset(row);
    }
    sqlite3_finalize(rows[0]);
    sqlite3_finalize(rows[1]);
    if (code == SQLITE_OK)
        code = execute(s->first, "COMMIT");
    if (code == SQLITE_OK)
        return true;
    snprintf(c->message, sizeof c->message,
             "cannot insert the keys: %s (a table of this name may have other columns: drop it, or name another file)",
             sqlite3_errmsg(s->first));
    execute(s->first, "ROLLBACK");
    return false;
}

static void forget(assay_campaign *c, const assay_keys *keys)
{
    struct store *s = c->state;
    static const char *const names[] = {"registers", "lists", "elements", "queue"};
    char sql[160];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(sql, sizeof sql, "DELETE FROM assay_%s WHERE k BETWEEN %lld AND %lld", names[i],
                 (long long)keys->first, (long long)(keys->first + keys->count - 1));
        execute(s->first, sql);
    }
}

static const assay_driver_setting settings[] = {
    {"journal", "wal", "wal|delete|truncate|memory|off", "journal_mode"},
    {"synchronous", "off", "off|normal|full", "when data go to the disk; matters if the system fails"},
    {"begin", "deferred", "deferred|immediate|exclusive", "how transactions begin"},
    {"shared_cache", "off", "on|off", "all connections share one cache and lock its tables"},
    {"file", "", "PATH", "an existing database; else one is made in the folder of --out, and removed"},
    {0},
};

/* The manual, Isolation In SQLite, and SQLite Shared-Cache Mode: dirty reads. */
static const assay_promise promises[] = {{"read-uncommitted", NULL, NULL}, {"serializable", "ser", NULL}, {0}};

#endif

const assay_driver driver_sqlite = {
    .version = ASSAY_DRIVER_VERSION,
    .name = "sqlite",
    .title = "SQLite: connections to one file",
#ifdef ASSAY_WITH_SQLITE
    .actions = (1u << ASSAY_ACTIONS) - 1,
    .isolations = "read-uncommitted serializable",
    .promises = promises,
    .settings = settings,
    .attach = attach,
    .detach = detach,
    .prepare = prepare,
    .forget = forget,
    .open = open_session,
    .run = run,
    .close = close_session,
#else
    .missing = "built without SQLite",
#endif
};
