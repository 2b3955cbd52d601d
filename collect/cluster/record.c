/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/cluster/record.h"

#include "base/error.h"
#include "collect/cluster/kind.h"
#include "collect/cluster/network.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define RECORD "record"

struct record record_of(const struct site *s)
{
    struct record r = {.view = {.kind = s->kind, .port = s->port, .isolated = s->isolated, .node_count = s->nodes}};
    strcpy(r.view.folder, s->folder);
    for (unsigned i = 0; i < s->nodes; i++) {
        struct cluster_node *n = &r.view.nodes[i];
        *n = (struct cluster_node){.number = i + 1, .port = site_port(s, i + 1, 0), .state = CLUSTER_DEAD};
        site_address(s, i + 1, n->host);
        if (s->isolated)
            network_name(s, i + 1, n->network);
    }
    return r;
}

void record_site(const struct record *r, struct site *out)
{
    *out = (struct site){
        .kind = r->view.kind, .nodes = r->view.node_count, .port = r->view.port, .isolated = r->view.isolated};
    strcpy(out->folder, r->view.folder);
}

/* ---- writing ---- */

static void put(const struct record *r, FILE *to)
{
    const struct cluster_view *v = &r->view;
    fprintf(to, "kind %s\nsupervisor %ld %llu\nup %d\n", v->kind->name, r->supervisor, r->supervisor_start, v->up);
    fprintf(to, "nodes %u\nport %u\nisolated %d\nversion %s\n", v->node_count, v->port, v->isolated, v->version);
    for (unsigned i = 0; i < v->node_count; i++)
        fprintf(to, "node %u %ld %s\n", i + 1, v->nodes[i].pid, cluster_state_name(v->nodes[i].state));
}

bool record_write(const struct record *r, assay_error *e)
{
    struct site s;
    char path[SITE_PATH], fresh[SITE_PATH];
    record_site(r, &s);
    site_path(&s, path, RECORD);
    site_path(&s, fresh, RECORD ".new");
    FILE *to = fopen(fresh, "w");
    if (to)
        put(r, to);
    bool fine = to && !ferror(to);
    fine = to && fclose(to) == 0 && fine && rename(fresh, path) == 0;
    if (!fine)
        error_set(e, ASSAY_ERROR_RESOURCE, "%s: cannot write: %s", path, strerror(errno));
    return fine;
}

/* ---- reading ---- */

static bool find_state(const char *name, enum cluster_state *out)
{
    for (int i = CLUSTER_UP; i <= CLUSTER_CUT; i++)
        if (strcmp(cluster_state_name((enum cluster_state)i), name) == 0) {
            *out = (enum cluster_state)i;
            return true;
        }
    return false;
}

static bool get_nodes(struct record *r, FILE *from)
{
    for (unsigned i = 0; i < r->view.node_count; i++) {
        unsigned number;
        char state[16];
        struct cluster_node *n = &r->view.nodes[i];
        if (fscanf(from, "node %u %ld %15s\n", &number, &n->pid, state) != 3 || number != i + 1 ||
            !find_state(state, &n->state))
            return false;
    }
    return true;
}

static bool get(const struct site *s, struct record *out, FILE *from)
{
    char name[32], version[CLUSTER_NAME] = "";
    long supervisor;
    unsigned long long start;
    unsigned nodes, port;
    int up, isolated;
    if (fscanf(from, "kind %31s\nsupervisor %ld %llu\nup %d\nnodes %u\nport %u\nisolated %d\nversion", name,
               &supervisor, &start, &up, &nodes, &port, &isolated) != 7 ||
        !fgets(version, sizeof version, from) || nodes > CLUSTER_MOST_NODES || !cluster_find(name))
        return false;
    struct site site = {.kind = cluster_find(name), .nodes = nodes, .port = port, .isolated = isolated != 0};
    strcpy(site.folder, s->folder);
    *out = record_of(&site);
    out->view.up = up != 0;
    out->supervisor = supervisor;
    out->supervisor_start = start;
    version[strcspn(version, "\n")] = 0;
    strcpy(out->view.version, version + (version[0] == ' '));
    return get_nodes(out, from);
}

bool record_read(const struct site *s, struct record *out)
{
    char path[SITE_PATH];
    site_path(s, path, RECORD);
    FILE *from = fopen(path, "r");
    bool fine = from && get(s, out, from);
    if (from)
        fclose(from);
    return fine;
}
