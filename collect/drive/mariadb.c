/* SPDX-License-Identifier: Apache-2.0 */
/* MariaDB: one server, or servers that replicate from the first one by means of their own. */
#include "collect/drive/mariadb_client.h"

#ifdef ASSAY_WITH_MARIADB
static const assay_driver_setting settings[] = {MARIA_SNAPSHOT_ISOLATION, {0}};

static bool attach(assay_campaign *c)
{
    return maria_attach(c, "");
}

static bool prepare(assay_campaign *c, const assay_keys *keys)
{
    if (!maria_fill(c, 0, keys, c->message))
        return false;
    maria_await(c, 0, keys);
    return true;
}
#endif

/* The manual, SET TRANSACTION and innodb_snapshot_isolation: without the latter a write takes the newest version of its
 * row, which plain reads do not see. */
static const assay_promise promises[] = {{"read-uncommitted", NULL, NULL},
                                         {"read-committed", "rc", NULL},
                                         {"repeatable-read", "si", "innodb_snapshot_isolation=on"},
                                         {"repeatable-read", "ra", NULL},
                                         {"serializable", "ser", NULL},
                                         {0}};

const assay_driver driver_mariadb = {
    .version = ASSAY_DRIVER_VERSION,
    .name = "mariadb",
    .title = "MariaDB server",
    .nodes = "127.0.0.1:3306",
    .actions = SQL_ACTIONS,
    .isolations = MARIA_ISOLATIONS,
    .promises = promises,
#ifdef ASSAY_WITH_MARIADB
    .settings = settings,
    .attach = attach,
    .detach = maria_detach,
    .prepare = prepare,
    .forget = maria_forget,
    .open = maria_open,
    .run = maria_run,
    .close = maria_close,
#else
    .missing = "built without MariaDB Connector/C: install libmariadb-dev",
#endif
};
