/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "collect/cluster/site.h"

#include "base/error.h"
#include "collect/cluster/kind.h"
#include "collect/cluster/network.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NEWEST_VERSION = 99 }; /* in the name of a folder */

/* ---- folder ---- */

/* The folder as an absolute path. It need not exist. */
static bool absolute(const char *given, char out[CLUSTER_FOLDER], assay_error *e)
{
    char here[CLUSTER_FOLDER] = "";
    size_t length = strlen(given);
    while (length > 1 && given[length - 1] == '/')
        length--;
    bool rooted = given[0] == '/';
    int n = -1;
    if (length > 0 && (rooted || getcwd(here, sizeof here)))
        n = snprintf(out, CLUSTER_FOLDER, "%s%s%.*s", here, rooted ? "" : "/", (int)length, given);
    if (n > 0 && n < CLUSTER_FOLDER && !strpbrk(out, "\n\t'\"\\"))
        return true;
    error_set(e, ASSAY_ERROR_USAGE, "the folder '%s' cannot hold a cluster", given);
    error_remedy(e, "paths have at most %d bytes, without quotation marks, tabs and line ends", CLUSTER_FOLDER - 1);
    return false;
}

/* Without symbolic links, as far as the folders exist: the kernel tells where processes are by such names. */
void site_resolve(struct site *s)
{
    char above[CLUSTER_FOLDER], whole[PATH_MAX];
    char *slash = strrchr(strcpy(above, s->folder), '/');
    if (realpath(s->folder, whole) && strlen(whole) < sizeof s->folder) {
        strcpy(s->folder, whole);
    } else if (slash != above) {
        *slash = 0;
        if (realpath(above, whole) && strlen(whole) + strlen(slash + 1) + 1 < sizeof s->folder)
            snprintf(s->folder, sizeof s->folder, "%s/%s", whole, slash + 1);
    }
}

bool site_at(struct site *s, const struct cluster *kind, const char *folder, assay_error *e)
{
    const char *temporary = getenv("TMPDIR");
    char usual[PATH_MAX];
    *s = (struct site){.kind = kind};
    snprintf(usual, sizeof usual, "%s/" SITE_DEFAULT "%ld/%s", temporary && *temporary ? temporary : "/tmp",
             (long)geteuid(), kind->name);
    if (!absolute(folder ? folder : usual, s->folder, e))
        return false;
    site_resolve(s);
    return true;
}

void site_path(const struct site *s, char out[SITE_PATH], const char *format, ...)
{
    va_list arguments;
    int n = snprintf(out, SITE_PATH, "%s/", s->folder);
    va_start(arguments, format);
    vsnprintf(out + n, SITE_PATH - (size_t)n, format, arguments);
    va_end(arguments);
}

void site_log(const struct site *s, unsigned node, char out[SITE_PATH])
{
    site_path(s, out, "n%u.log", node);
}

/* ---- programs ---- */

static bool is_there(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, R_OK) == 0;
}

/* A star stands for a version; the newest counts. This takes no memory: a list of clusters must not depend on it. */
static bool find_by_pattern(const char *pattern, char out[SITE_PATH])
{
    const char *star = strchr(pattern, '*');
    for (int version = star ? NEWEST_VERSION : 0; version >= 0; version--) {
        int n = star ? snprintf(out, SITE_PATH, "%.*s%d%s", (int)(star - pattern), pattern, version, star + 1)
                     : snprintf(out, SITE_PATH, "%s", pattern);
        if (n < SITE_PATH && is_there(out))
            return true;
    }
    return false;
}

static bool find_in(const char *places, const char *name, char out[SITE_PATH])
{
    char pattern[2 * SITE_PATH];
    for (const char *at = places; at; at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL) {
        int length = (int)strcspn(at, ":");
        int n = snprintf(pattern, sizeof pattern, "%.*s/%s", length, at, name);
        if (length > 0 && n < (int)sizeof pattern && find_by_pattern(pattern, out))
            return true;
    }
    return false;
}

static bool find_program(const struct cluster_program *p, char out[SITE_PATH])
{
    return find_in(p->places, p->name, out) || find_in(getenv("PATH"), p->name, out) ||
           find_in("/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin", p->name, out);
}

const char *cluster_missing(const struct cluster *c)
{
    char path[SITE_PATH];
    for (const struct cluster_program *p = c->programs; p->name; p++)
        if (!find_program(p, path))
            return p->name;
    return NULL;
}

bool site_find_programs(struct site *s, assay_error *e)
{
    for (size_t i = 0; s->kind->programs[i].name; i++)
        if (!find_program(&s->kind->programs[i], s->programs[i])) {
            error_set(e, ASSAY_ERROR_MISSING, "%s is missing", s->kind->programs[i].name);
            error_remedy(e, "make deps-databases, or apt-get install %s", s->kind->packages);
            return false;
        }
    return true;
}

bool site_from(struct site *s, const struct cluster_settings *settings, assay_error *e)
{
    const struct cluster *kind = settings->kind;
    if (!site_at(s, kind, settings->folder, e))
        return false;
    s->nodes = settings->nodes ? settings->nodes : kind->nodes;
    s->port = settings->port ? settings->port : kind->port;
    s->isolated = settings->isolated;
    unsigned most = 65535 - SITE_PORT_STEP * (kind->port_groups - 1) - (CLUSTER_MOST_NODES - 1);
    if (s->nodes > CLUSTER_MOST_NODES) {
        error_set(e, ASSAY_ERROR_USAGE, "a cluster has at most %d nodes", CLUSTER_MOST_NODES);
        return false;
    }
    if (s->port < 1024 || s->port > most) {
        error_set(e, ASSAY_ERROR_USAGE, "the first port of %s lies between 1024 and %u", kind->name, most);
        return false;
    }
    return site_find_programs(s, e) && (!s->isolated || network_possible(e));
}

/* ---- addresses ---- */

unsigned site_port(const struct site *s, unsigned node, unsigned group)
{
    return s->port + SITE_PORT_STEP * group + node - 1;
}

void site_address(const struct site *s, unsigned node, char out[CLUSTER_NAME])
{
    if (s->isolated)
        network_address(node, out);
    else
        strcpy(out, "127.0.0.1");
}

const char *site_listen(const struct site *s)
{
    return s->isolated ? "0.0.0.0" : "127.0.0.1";
}

static bool port_free(unsigned port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on); /* connections of an earlier server do not matter */
    bool taken = fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof at) < 0 && errno == EADDRINUSE;
    if (fd >= 0)
        close(fd);
    return !taken;
}

bool site_ports_free(const struct site *s, assay_error *e)
{
    if (s->isolated) /* nothing else is in the new networks */
        return true;
    for (unsigned node = 1; node <= s->nodes; node++)
        for (unsigned group = 0; group < s->kind->port_groups; group++)
            if (!port_free(site_port(s, node, group))) {
                error_set(e, ASSAY_ERROR_RESOURCE, "port %u, which node %u needs, is in use", site_port(s, node, group),
                          node);
                error_remedy(e, "--port BASE chooses others");
                return false;
            }
    return true;
}
