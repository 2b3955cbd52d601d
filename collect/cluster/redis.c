/* SPDX-License-Identifier: Apache-2.0 */
/* Redis: node 1 is the primary, the others are its replicas. Nothing is written to disk: a primary that is killed and
 * started again is empty, and its replicas with it. */
#include "collect/cluster/exchange.h"
#include "collect/cluster/kind.h"

#include <stdio.h>
#include <string.h>

enum { SERVER };

static const struct cluster_program programs[] = {[SERVER] = {"redis-server", NULL}, {NULL, NULL}};

static void server(const struct site *s, unsigned node, bool alone, struct command_line *out)
{
    char primary[CLUSTER_NAME];
    (void)alone;
    command_line_add(out, "%s", s->programs[SERVER]);
    command_line_add(out, "--port");
    command_line_add(out, "%u", site_port(s, node, 0));
    command_line_add(out, "--bind");
    command_line_add(out, "%s", site_listen(s));
    if (s->isolated) { /* else only local clients are let in, and the replicas are none */
        command_line_add(out, "--protected-mode");
        command_line_add(out, "no");
    }
    command_line_add(out, "--dir");
    command_line_add(out, "%s/n%u", s->folder, node);
    command_line_add(out, "--save");
    command_line_add(out, "%s", "");
    command_line_add(out, "--appendonly");
    command_line_add(out, "no");
    command_line_add(out, "--repl-diskless-sync-delay");
    command_line_add(out, "0");
    command_line_add(out, "--daemonize");
    command_line_add(out, "no");
    if (node > 1) {
        site_address(s, 1, primary);
        command_line_add(out, "--replicaof");
        command_line_add(out, "%s", primary);
        command_line_add(out, "%u", site_port(s, 1, 0));
    }
}

static bool information(const struct site *s, unsigned node, const char *section, char *out, size_t size)
{
    char request[64];
    snprintf(request, sizeof request, "INFO %s\r\nQUIT\r\n", section);
    return exchange(s, node, request, out, size);
}

static bool ready(const struct site *s, unsigned node)
{
    char answer[8192];
    return information(s, node, "replication", answer, sizeof answer) &&
           (node == 1 ? strstr(answer, "role:master") : strstr(answer, "master_link_status:up"));
}

static void version(const struct site *s, unsigned node, char *out, size_t size)
{
    char answer[8192], number[32] = "";
    const char *at = information(s, node, "server", answer, sizeof answer) ? strstr(answer, "redis_version:") : NULL;
    if (at)
        sscanf(at, "redis_version:%31s", number);
    snprintf(out, size, "Redis %s", number);
}

const struct cluster cluster_redis = {
    .name = "redis",
    .title = "Redis: a primary and replicas",
    .user = "redis",
    .packages = "redis-server",
    .programs = programs,
    .nodes = 3,
    .port = 16381,
    .port_groups = 1,
    .server = server,
    .ready = ready,
    .version = version,
};
