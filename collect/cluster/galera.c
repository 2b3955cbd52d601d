/* SPDX-License-Identifier: Apache-2.0 */
/* MariaDB with Galera: equal nodes, which certify each transaction. The first node to start founds the cluster; the
 * others join it, and get the data by rsync from a node that has it.
 *
 * The user `assay` has no password and comes from this machine. It may change global settings and take the locks that
 * make a node fall behind. */
#include "base/error.h"
#include "collect/cluster/child.h"
#include "collect/cluster/kind.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { SERVER, INSTALL, CLIENT, RSYNC, PROVIDER };
enum { CLIENTS, GROUP, TRANSFER, INCREMENT };
enum { MAKE_SECONDS = 600, QUERY_SECONDS = 20 };

static const struct cluster_program programs[] = {
    [SERVER] = {"mariadbd", NULL},
    [INSTALL] = {"mariadb-install-db", NULL},
    [CLIENT] = {"mariadb", NULL},
    [RSYNC] = {"rsync", NULL},
    [PROVIDER] = {"libgalera_smm.so", "/usr/lib/galera:/usr/lib64/galera-4:/usr/lib/galera-4"},
    {NULL, NULL}};

/* ---- clients ---- */

static bool query(const struct site *s, unsigned node, const char *command, char output[CHILD_OUTPUT], assay_error *e)
{
    struct command_line line = {0};
    command_line_add(&line, "%s", s->programs[CLIENT]);
    command_line_add(&line, "--no-defaults");
    command_line_add(&line, "--host=127.0.0.1");
    command_line_add(&line, "--port=%u", site_port(s, node, CLIENTS));
    command_line_add(&line, "--protocol=tcp");
    command_line_add(&line, "--user=assay");
    command_line_add(&line, "--connect-timeout=5");
    command_line_add(&line, "--skip-column-names");
    command_line_add(&line, "--batch");
    command_line_add(&line, "--execute=%s", command);
    return child_run(s, node, &line, QUERY_SECONDS, output, e);
}

static bool ready(const struct site *s, unsigned node)
{
    char output[CHILD_OUTPUT];
    return query(s, node, "show status where variable_name in ('wsrep_ready', 'wsrep_local_state_comment')", output,
                 NULL) &&
           strstr(output, "wsrep_ready\tON") && strstr(output, "wsrep_local_state_comment\tSynced");
}

static void version(const struct site *s, unsigned node, char *out, size_t size)
{
    char output[CHILD_OUTPUT] = "", server[32] = "", provider[32] = "";
    query(s, node,
          "select version(); select variable_value from information_schema.global_status where "
          "variable_name = 'wsrep_provider_version'",
          output, NULL);
    sscanf(output, "%31[^-\n]%*[^\n]\n%31[^(\n]", server, provider);
    snprintf(out, size, "MariaDB %s with Galera %s", server, provider);
}

/* ---- servers ---- */

/* For mariadb-install-db, which reads it while privileges are not in force. */
static bool write_setup(const struct site *s, assay_error *e)
{
    char path[SITE_PATH];
    site_path(s, path, "setup");
    FILE *to = fopen(path, "w");
    const char *from = s->isolated ? "%" : "127.0.0.1";
    if (to)
        fprintf(to,
                "flush privileges;\n"
                "create database assay;\n"
                "create user assay@'%s';\n"
                "grant all on assay.* to assay@'%s';\n"
                "grant reload, process, super, connection admin, replication client on *.* to assay@'%s';\n",
                from, from, from);
    bool fine = to && !ferror(to);
    fine = to && fclose(to) == 0 && fine;
    if (!fine)
        error_set(e, ASSAY_ERROR_RESOURCE, "%s: cannot write: %s", path, strerror(errno));
    return fine;
}

/* Only the first node has data of its own. */
static bool make(const struct site *s, unsigned node, assay_error *e)
{
    struct command_line line = {0};
    char output[CHILD_OUTPUT];
    if (node > 1) {
        command_line_add(&line, "/bin/mkdir");
        command_line_add(&line, "%s/n%u/data", s->folder, node);
        return child_run(s, node, &line, QUERY_SECONDS, output, e);
    }
    command_line_add(&line, "%s", s->programs[INSTALL]);
    command_line_add(&line, "--no-defaults");
    command_line_add(&line, "--datadir=%s/n1/data", s->folder);
    command_line_add(&line, "--auth-root-authentication-method=normal");
    command_line_add(&line, "--skip-test-db");
    command_line_add(&line, "--extra-file=%s/setup", s->folder);
    return write_setup(s, e) && child_run(s, node, &line, MAKE_SECONDS, output, e);
}

/* Galera refuses to found a cluster on data of a node that did not end last, or that was killed. If no other node runs,
 * there is no better one. */
static bool revive(const struct site *s, unsigned node, bool alone, assay_error *e)
{
    struct command_line line = {0};
    char output[CHILD_OUTPUT];
    if (!alone)
        return true;
    command_line_add(&line, "/bin/sed");
    command_line_add(&line, "-i");
    command_line_add(&line, "s/^safe_to_bootstrap: 0/safe_to_bootstrap: 1/");
    command_line_add(&line, "%s/n%u/data/grastate.dat", s->folder, node);
    return child_run(s, node, &line, QUERY_SECONDS, output, e);
}

static void group_address(const struct site *s, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "gcomm://");
    for (unsigned i = 1; i <= s->nodes; i++) {
        char address[CLUSTER_NAME];
        site_address(s, i, address);
        n += (size_t)snprintf(out + n, size - n, "%s%s:%u", i == 1 ? "" : ",", address, site_port(s, i, GROUP));
    }
}

static void server(const struct site *s, unsigned node, bool alone, struct command_line *out)
{
    char address[CLUSTER_NAME], group[CLUSTER_MOST_NODES * 32 + 16];
    site_address(s, node, address);
    group_address(s, group, sizeof group);
    command_line_add(out, "%s", s->programs[SERVER]);
    command_line_add(out, "--no-defaults");
    command_line_add(out, "--datadir=%s/n%u/data", s->folder, node);
    command_line_add(out, "--tmpdir=%s/n%u", s->folder, node);
    command_line_add(out, "--socket=server.sock"); /* in the data's folder; paths of sockets are short */
    command_line_add(out, "--pid-file=server.pid");
    command_line_add(out, "--bind-address=%s", site_listen(s));
    command_line_add(out, "--port=%u", site_port(s, node, CLIENTS));
    command_line_add(out, "--skip-log-bin");
    command_line_add(out, "--binlog-format=ROW");
    command_line_add(out, "--default-storage-engine=InnoDB");
    command_line_add(out, "--innodb-autoinc-lock-mode=2");
    command_line_add(out, "--innodb-buffer-pool-size=64M");
    command_line_add(out, "--innodb-log-file-size=16M");
    command_line_add(out, "--innodb-flush-log-at-trx-commit=2"); /* commits survive kill -9, not the system's end */
    command_line_add(out, "--skip-name-resolve");
    command_line_add(out, "--performance-schema=0");
    command_line_add(out, "--max-connections=100");
    command_line_add(out, "--wsrep-on=ON");
    command_line_add(out, "--wsrep-provider=%s", s->programs[PROVIDER]);
    command_line_add(out, "--wsrep-cluster-name=assay-%u", s->port);
    command_line_add(out, "--wsrep-cluster-address=%s", group);
    command_line_add(out, "--wsrep-node-name=n%u", node);
    command_line_add(out, "--wsrep-node-address=%s:%u", address, site_port(s, node, GROUP));
    command_line_add(out, "--wsrep-node-incoming-address=%s:%u", address, site_port(s, node, CLIENTS));
    command_line_add(out,
                     "--wsrep-provider-options=gmcast.listen_addr=tcp://%s:%u;ist.recv_addr=%s:%u;gcache.size=128M",
                     address, site_port(s, node, GROUP), address, site_port(s, node, INCREMENT));
    command_line_add(out, "--wsrep-sst-method=rsync");
    command_line_add(out, "--wsrep-sst-receive-address=%s:%u", address, site_port(s, node, TRANSFER));
    if (alone)
        command_line_add(out, "--wsrep-new-cluster");
}

const struct cluster cluster_galera = {
    .name = "galera",
    .title = "MariaDB with Galera: equal nodes",
    .user = "mysql",
    .packages = "mariadb-server galera-4 rsync",
    .programs = programs,
    .nodes = 3,
    .port = 13301,
    .port_groups = 4,
    .in_turn = true,
    .make = make,
    .server = server,
    .revive = revive,
    .ready = ready,
    .version = version,
};
