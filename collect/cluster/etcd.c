/* SPDX-License-Identifier: Apache-2.0 */
/* etcd: equal nodes, which elect a leader. A node that is killed keeps its data. */
#include "collect/cluster/exchange.h"
#include "collect/cluster/kind.h"

#include <stdio.h>
#include <string.h>

enum { SERVER };
enum { CLIENTS, PEERS };

static const struct cluster_program programs[] = {[SERVER] = {"etcd", NULL}, {NULL, NULL}};

static void members(const struct site *s, char *out, size_t size)
{
    size_t n = 0;
    for (unsigned i = 1; i <= s->nodes; i++) {
        char address[CLUSTER_NAME];
        site_address(s, i, address);
        n += (size_t)snprintf(out + n, size - n, "%sn%u=http://%s:%u", i == 1 ? "" : ",", i, address,
                              site_port(s, i, PEERS));
    }
}

static void server(const struct site *s, unsigned node, bool alone, struct command_line *out)
{
    char address[CLUSTER_NAME], all[CLUSTER_MOST_NODES * 64];
    unsigned client = site_port(s, node, CLIENTS), peer = site_port(s, node, PEERS);
    (void)alone;
    site_address(s, node, address);
    members(s, all, sizeof all);
    command_line_add(out, "%s", s->programs[SERVER]);
    command_line_add(out, "--name=n%u", node);
    command_line_add(out, "--data-dir=%s/n%u/data", s->folder, node);
    command_line_add(out, "--listen-peer-urls=http://%s:%u", site_listen(s), peer);
    command_line_add(out, "--initial-advertise-peer-urls=http://%s:%u", address, peer);
    command_line_add(out, "--listen-client-urls=http://%s:%u", site_listen(s), client);
    command_line_add(out, "--advertise-client-urls=http://%s:%u", address, client);
    command_line_add(out, "--initial-cluster=%s", all);
    command_line_add(out, "--initial-cluster-state=new");
    command_line_add(out, "--unsafe-no-fsync");
    command_line_add(out, "--logger=zap");
    command_line_add(out, "--log-outputs=stderr");
}

static bool get(const struct site *s, unsigned node, const char *path, char *out, size_t size)
{
    char request[64];
    snprintf(request, sizeof request, "GET %s HTTP/1.0\r\n\r\n", path);
    return exchange(s, node, request, out, size);
}

/* Healthy: it can commit, so there is a leader that it reaches. */
static bool ready(const struct site *s, unsigned node)
{
    char answer[4096];
    return get(s, node, "/health", answer, sizeof answer) && strstr(answer, "\"health\":\"true\"");
}

static void version(const struct site *s, unsigned node, char *out, size_t size)
{
    char answer[4096], number[32] = "";
    const char *at = get(s, node, "/version", answer, sizeof answer) ? strstr(answer, "\"etcdserver\":\"") : NULL;
    if (at)
        sscanf(at, "\"etcdserver\":\"%31[^\"]", number);
    snprintf(out, size, "etcd %s", number);
}

const struct cluster cluster_etcd = {
    .name = "etcd",
    .title = "etcd: equal nodes with an elected leader",
    .user = "etcd",
    .packages = "etcd-server",
    .programs = programs,
    .nodes = 3,
    .port = 12391,
    .port_groups = 2,
    .server = server,
    .ready = ready,
    .version = version,
};
