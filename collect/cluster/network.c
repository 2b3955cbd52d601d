/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* setns */
#include "collect/cluster/network.h"

#include "base/error.h"
#include "collect/cluster/child.h"
#include "collect/cluster/kind.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NAMED_NETWORKS "/run/netns" /* where ip keeps them */
#define NETWORK_PREFIX "10.9.0."    /* in every cluster: their networks do not meet */

enum { IP_SECONDS = 60 };

/* ---- names ---- */

static const char *ip_program(void)
{
    static const char *const places[] = {"/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip", "/bin/ip"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (access(places[i], X_OK) == 0)
            return places[i];
    return NULL;
}

bool network_possible(assay_error *e)
{
    if (geteuid() != 0) {
        error_set(e, ASSAY_ERROR_MISSING, "only root can give the nodes networks of their own");
        error_remedy(e, "sudo, or leave out --isolated");
    } else if (!ip_program()) {
        error_set(e, ASSAY_ERROR_MISSING, "ip is missing");
        error_remedy(e, "make deps-databases, or apt-get install iproute2");
    }
    return geteuid() == 0 && ip_program();
}

void network_name(const struct site *s, unsigned node, char out[CLUSTER_NAME])
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a of the folder */
    for (const char *c = s->folder; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    snprintf(out, CLUSTER_NAME, "assay-%s-%012llx-%u", s->kind->name, (unsigned long long)(hash >> 16), node);
}

void network_address(unsigned node, char out[CLUSTER_NAME])
{
    snprintf(out, CLUSTER_NAME, NETWORK_PREFIX "%u", node);
}

/* ---- making ---- */

/* ip with these arguments, which have no spaces in them. */
__attribute__((format(printf, 3, 4))) static bool ip(const struct site *s, assay_error *e, const char *format, ...)
{
    struct command_line line = {0};
    char text[256], output[CHILD_OUTPUT], *rest = NULL;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    command_line_add(&line, "%s", ip_program());
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        command_line_add(&line, "%s", word);
    return child_run(s, 0, &line, IP_SECONDS, output, e);
}

static bool make_bridge(const struct site *s, assay_error *e)
{
    char bridge[CLUSTER_NAME];
    network_name(s, 0, bridge);
    return ip(s, e, "netns add %s", bridge) && ip(s, e, "-n %s link add br0 type bridge", bridge) &&
           ip(s, e, "-n %s link set br0 up", bridge);
}

static bool make_node(const struct site *s, unsigned node, assay_error *e)
{
    char bridge[CLUSTER_NAME], own[CLUSTER_NAME], address[CLUSTER_NAME];
    network_name(s, 0, bridge);
    network_name(s, node, own);
    network_address(node, address);
    return ip(s, e, "netns add %s", own) && ip(s, e, "-n %s link set lo up", own) &&
           ip(s, e, "-n %s link add v%u type veth peer name eth0 netns %s", bridge, node, own) &&
           ip(s, e, "-n %s link set v%u master br0 up", bridge, node) &&
           ip(s, e, "-n %s addr add %s/24 dev eth0", own, address) && ip(s, e, "-n %s link set eth0 up", own);
}

bool networks_make(const struct site *s, assay_error *e)
{
    bool fine = make_bridge(s, e);
    for (unsigned node = 1; node <= s->nodes && fine; node++)
        fine = make_node(s, node, e);
    return fine;
}

void networks_remove(const struct site *s)
{
    struct site here = *s;
    here.stopped = NULL; /* this is how everything ends */
    for (unsigned node = 0; node <= CLUSTER_MOST_NODES && ip_program(); node++) {
        char name[CLUSTER_NAME], path[SITE_PATH];
        network_name(s, node, name);
        snprintf(path, sizeof path, NAMED_NETWORKS "/%s", name);
        if (access(path, F_OK) == 0)
            ip(&here, NULL, "netns del %s", name);
    }
}

bool network_link(const struct site *s, unsigned node, bool up, assay_error *e)
{
    char bridge[CLUSTER_NAME];
    network_name(s, 0, bridge);
    return ip(s, e, "-n %s link set v%u %s", bridge, node, up ? "up" : "down");
}

/* ---- entering ---- */

static bool enter(const char *path)
{
#ifdef __linux__
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool fine = fd >= 0 && setns(fd, CLONE_NEWNET) == 0;
    int number = errno;
    if (fd >= 0)
        close(fd);
    errno = number;
    return fine;
#else
    (void)path;
    errno = ENOSYS;
    return false;
#endif
}

bool cluster_enter(const char *network, assay_error *e)
{
    char path[SITE_PATH];
    snprintf(path, sizeof path, NAMED_NETWORKS "/%s", network);
    if (enter(path))
        return true;
    error_set(e, ASSAY_ERROR_RESOURCE, "cannot enter the network %s: %s", network, strerror(errno));
    error_remedy(e, "only root can");
    return false;
}

int network_visit(const struct site *s, unsigned node)
{
    char name[CLUSTER_NAME];
    int back = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    network_name(s, node, name);
    if (back >= 0 && !cluster_enter(name, NULL)) {
        close(back);
        back = -1;
    }
    return back;
}

void network_leave(int back)
{
#ifdef __linux__
    if (setns(back, CLONE_NEWNET) < 0)
        _exit(127); /* everything that follows would go to the wrong servers */
#endif
    close(back);
}
