/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/stores.h"

#include <string.h>

/* The ports are not those of `assay cluster`: a cluster of the user may be up. A single MariaDB server is a Galera
 * cluster of one node, which the driver mariadb takes for a plain server. */
const struct store store_table[] = {
    {"galera", "Galera", "galera", "galera", 3, 23300},
    {"mariadb", "MariaDB", "mariadb", "galera", 1, 23400},
    {"postgres", "PostgreSQL", "postgres", "postgres", 2, 23500},
    {"redis", "Redis", "redis", "redis", 3, 23600},
    {"etcd", "etcd", "etcd", "etcd", 3, 23700},
    {"sqlite", "SQLite", "sqlite", NULL, 0, 0},
    {0},
};

const struct store *store_find(const char *name)
{
    const struct store *s = store_table;
    while (s->name && strcmp(s->name, name) != 0)
        s++;
    return s->name ? s : NULL;
}

const assay_driver *store_driver(const struct store *s)
{
    size_t i = 0;
    while (driver_table[i] && strcmp(driver_table[i]->name, s->driver) != 0)
        i++;
    return driver_table[i];
}

bool store_lacking(const struct store *s, char reason[STORE_REASON])
{
    const assay_driver *d = store_driver(s);
    const struct cluster *kind = s->cluster ? cluster_find(s->cluster) : NULL;
    const char *program = kind ? cluster_missing(kind) : NULL;
    if (d->missing)
        snprintf(reason, STORE_REASON, "%s", d->missing);
    else if (program)
        snprintf(reason, STORE_REASON, "the program %s is missing", program);
    return d->missing || program;
}

void store_nodes(const struct store *s, unsigned port, char out[STORE_NODES])
{
    size_t n = 0;
    out[0] = 0;
    for (unsigned i = 0; i < s->nodes && n < STORE_NODES; i++)
        n += (size_t)snprintf(out + n, STORE_NODES - n, "%s127.0.0.1:%u", i ? "," : "", port + i);
}

void store_print_cluster(const struct store *s, FILE *to)
{
    if (!s->cluster)
        return;
    fprintf(to, "assay cluster up %s", s->cluster);
    if (s->nodes != cluster_nodes(cluster_find(s->cluster)))
        fprintf(to, " --nodes %u", s->nodes);
    fputc('\n', to);
}

/* ---- servers ---- */

void server_init(struct server *s, const struct bench *b, const struct store *store, const char *work)
{
    *s = (struct server){.store = store, .bench = b};
    snprintf(s->folder, sizeof s->folder, "%s/%s-cluster", work, store->name);
}

static bool give_up(struct server *s, const assay_error *e)
{
    snprintf(s->reason, sizeof s->reason, "%s%s%s%s", e->file, e->file[0] ? ": " : "", e->message[0] ? e->message : "",
             s->bench->set->interrupt && s->bench->set->interrupt(NULL) ? " (interrupted)" : "");
    return false;
}

/* Servers of an earlier run that was killed go first. */
bool server_up(struct server *s)
{
    struct cluster_view view;
    assay_error e = {0};
    bool found, already;
    if (s->up || !s->store->cluster)
        return true;
    if (s->reason[0])
        return false;
    struct cluster_settings settings = {.kind = cluster_find(s->store->cluster),
                                        .folder = s->folder,
                                        .nodes = s->store->nodes,
                                        .port = s->store->port,
                                        .interrupt = s->bench->set->interrupt};
    s->up = cluster_down(settings.kind, s->folder, &found, &e) && cluster_up(&settings, &view, &already, &e);
    return s->up || give_up(s, &e);
}

void server_down(struct server *s)
{
    assay_error e = {0};
    bool found;
    if (s->up && !cluster_down(cluster_find(s->store->cluster), s->folder, &found, &e))
        fprintf(stderr, "assay-bench: %s: %s\n", s->folder, e.message);
    s->up = false;
}
