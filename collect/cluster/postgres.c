/* SPDX-License-Identifier: Apache-2.0 */
/* PostgreSQL: node 1 is the primary, the others are streaming standbys, one of them synchronous: then
 * synchronous_commit makes a difference. All settings are arguments, so that no file of the server needs to be changed.
 *
 * The role `assay` is a superuser: it pauses the replay of standbys. Clients on this machine need no password. */
#include "base/error.h"
#include "collect/cluster/child.h"
#include "collect/cluster/kind.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>

#define PLACES "/usr/lib/postgresql/*/bin:/usr/pgsql-*/bin"

enum { SERVER, INITDB, BASEBACKUP, PSQL };
enum { MAKE_SECONDS = 600, QUERY_SECONDS = 20 };

static const struct cluster_program programs[] = {[SERVER] = {"postgres", PLACES},
                                                  [INITDB] = {"initdb", PLACES},
                                                  [BASEBACKUP] = {"pg_basebackup", PLACES},
                                                  [PSQL] = {"psql", PLACES},
                                                  {NULL, NULL}};

/* ---- clients ---- */

/* Commands, up to NULL, as the superuser that initdb has made. */
static bool query(const struct site *s, unsigned node, const char *const *commands, char output[CHILD_OUTPUT],
                  assay_error *e)
{
    struct command_line line = {0};
    command_line_add(&line, "%s", s->programs[PSQL]);
    command_line_add(&line, "--no-psqlrc");
    command_line_add(&line, "--quiet");
    command_line_add(&line, "--tuples-only");
    command_line_add(&line, "--no-align");
    command_line_add(&line, "--host=127.0.0.1");
    command_line_add(&line, "--port=%u", site_port(s, node, 0));
    command_line_add(&line, "--username=postgres");
    command_line_add(&line, "--dbname=postgres");
    command_line_add(&line, "--set=ON_ERROR_STOP=1");
    for (; *commands; commands++)
        command_line_add(&line, "--command=%s", *commands);
    return child_run(s, node, &line, QUERY_SECONDS, output, e);
}

static bool ready(const struct site *s, unsigned node)
{
    static const char *const primary[] = {"select 1", NULL};
    static const char *const standby[] = {"select count(*) from pg_stat_wal_receiver where status = 'streaming'", NULL};
    char output[CHILD_OUTPUT];
    return query(s, node, node == 1 ? primary : standby, output, NULL) && output[0] == '1';
}

/* There is no standby yet that a commit could wait for. */
static bool settle(const struct site *s, assay_error *e)
{
    static const char *const commands[] = {"set synchronous_commit = local", "create role assay superuser login",
                                           "create database assay owner assay", NULL};
    char output[CHILD_OUTPUT];
    return query(s, 1, commands, output, e);
}

static void version(const struct site *s, unsigned node, char *out, size_t size)
{
    static const char *const show[] = {"show server_version", NULL};
    char output[CHILD_OUTPUT] = "";
    query(s, node, show, output, NULL);
    output[strcspn(output, " \n")] = 0; /* the rest names the distribution */
    snprintf(out, size, "PostgreSQL %s", output);
}

/* ---- servers ---- */

/* The clients that may connect: in a network of its own also the other nodes. */
static bool write_permissions(const struct site *s, assay_error *e)
{
    char path[SITE_PATH];
    site_path(s, path, "setup");
    FILE *to = fopen(path, "w");
    if (to) {
        const char *who = s->isolated ? "0.0.0.0/0" : "127.0.0.1/32";
        fprintf(to, "host all all %s trust\nhost replication all %s trust\n", who, who);
    }
    bool fine = to && !ferror(to);
    fine = to && fclose(to) == 0 && fine;
    if (!fine)
        error_set(e, ASSAY_ERROR_RESOURCE, "%s: cannot write: %s", path, strerror(errno));
    return fine;
}

static bool make(const struct site *s, unsigned node, assay_error *e)
{
    struct command_line line = {0};
    char output[CHILD_OUTPUT], primary[CLUSTER_NAME];
    site_address(s, 1, primary);
    if (node == 1) {
        command_line_add(&line, "%s", s->programs[INITDB]);
        command_line_add(&line, "--pgdata=%s/n1/data", s->folder);
        command_line_add(&line, "--auth=trust");
        command_line_add(&line, "--encoding=UTF8");
        command_line_add(&line, "--no-sync");
        command_line_add(&line, "--username=postgres");
        return write_permissions(s, e) && child_run(s, node, &line, MAKE_SECONDS, output, e);
    }
    command_line_add(&line, "%s", s->programs[BASEBACKUP]);
    command_line_add(&line, "--host=%s", primary);
    command_line_add(&line, "--port=%u", site_port(s, 1, 0));
    command_line_add(&line, "--username=postgres");
    command_line_add(&line, "--pgdata=%s/n%u/data", s->folder, node);
    command_line_add(&line, "--write-recovery-conf");
    command_line_add(&line, "--checkpoint=fast");
    command_line_add(&line, "--wal-method=stream");
    command_line_add(&line, "--no-sync");
    return child_run(s, node, &line, MAKE_SECONDS, output, e);
}

static void setting(struct command_line *out, const char *text)
{
    command_line_add(out, "-c");
    command_line_add(out, "%s", text);
}

static void server(const struct site *s, unsigned node, bool alone, struct command_line *out)
{
    (void)alone;
    command_line_add(out, "%s", s->programs[SERVER]);
    command_line_add(out, "-D");
    command_line_add(out, "%s/n%u/data", s->folder, node);
    command_line_add(out, "-p");
    command_line_add(out, "%u", site_port(s, node, 0));
    command_line_add(out, "-h");
    command_line_add(out, "%s", site_listen(s));
    command_line_add(out, "-c");
    command_line_add(out, "hba_file=%s/setup", s->folder);
    setting(out, "unix_socket_directories=");
    setting(out, "dynamic_shared_memory_type=mmap"); /* in its folder, where it is removed */
    setting(out, "fsync=off");
    setting(out, "shared_buffers=64MB");
    setting(out, "max_connections=100");
    setting(out, "max_wal_senders=20");
    setting(out, "wal_keep_size=64MB");
    if (node == 1 && s->nodes > 1)
        setting(out, "synchronous_standby_names=*");
}

/* ---- traces ---- */

/* A server that was killed leaves a segment of shared memory, whose number is on line 7 of its pid file. */
static void forget(const struct site *s, unsigned node)
{
    char path[SITE_PATH], text[512];
    struct shmid_ds segment;
    struct stat file;
    int id = -1;
    site_path(s, path, "n%u/data/postmaster.pid", node);
    FILE *from = fopen(path, "r");
    for (unsigned line = 1; from && line <= 7 && fgets(text, sizeof text, from); line++)
        if (line == 7 && sscanf(text, "%*u %d", &id) != 1)
            id = -1;
    bool known = from && fstat(fileno(from), &file) == 0;
    if (from)
        fclose(from);
    if (known && id >= 0 && shmctl(id, IPC_STAT, &segment) == 0 && segment.shm_nattch == 0 &&
        segment.shm_perm.uid == file.st_uid) /* the server's own */
        shmctl(id, IPC_RMID, NULL);
}

const struct cluster cluster_postgres = {
    .name = "postgres",
    .title = "PostgreSQL: a primary and streaming standbys",
    .user = "postgres",
    .packages = "postgresql-15",
    .programs = programs,
    .nodes = 2,
    .port = 15431,
    .port_groups = 1,
    .in_turn = true,
    .make = make,
    .settle = settle,
    .server = server,
    .ready = ready,
    .version = version,
    .forget = forget,
};
