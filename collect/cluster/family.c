/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the kinds of clusters, and the part of their descriptors that the program sees. */
#include "base/registry.h"
#include "collect/cluster/kind.h"

#define X(ident, name) extern const struct cluster cluster_##ident;
#include "collect/cluster/cluster.def"
#undef X

const struct cluster *const cluster_table[] = {
#define X(ident, name) &cluster_##ident,
#include "collect/cluster/cluster.def"
#undef X
    NULL};

size_t cluster_count(void)
{
    return registry_size(cluster_table);
}

const struct cluster *cluster_find(const char *name)
{
    return cluster_table[registry_find(cluster_table, name)];
}

const char *cluster_name(const struct cluster *c)
{
    return c->name;
}

const char *cluster_title(const struct cluster *c)
{
    return c->title;
}

unsigned cluster_nodes(const struct cluster *c)
{
    return c->nodes;
}

unsigned cluster_port(const struct cluster *c)
{
    return c->port;
}

const char *cluster_state_name(enum cluster_state s)
{
    static const char *const names[] = {"up", "paused", "dead", "cut"};
    return names[s];
}
