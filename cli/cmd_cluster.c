/* SPDX-License-Identifier: Apache-2.0 */
/* assay cluster: real servers on this machine, and faults on them. Options and output of collect/cluster. */
#include "command.h"
#include "interrupt.h"
#include "output.h"
#include "progress.h"

#include "collect/collect.h"

#include <stdlib.h>
#include <string.h>

enum { LOG_LINES = 10, LOG_BYTES = 8192, LINE_BYTES = 300, START_SECONDS = 600 };

struct cluster_options {
    const char *folder;
    unsigned nodes, port;
    bool isolated, json;
};

struct request {
    struct cluster_options set;
    const char *verb;
    const struct cluster *kind;
    unsigned node; /* 0: none */
    struct progress progress;
};

/* ---- output ---- */

static void print_table(const struct cluster_view *v)
{
    size_t width = strlen("address");
    for (unsigned i = 0; i < v->node_count; i++) {
        size_t length = (size_t)snprintf(NULL, 0, "%s:%u", v->nodes[i].host, v->nodes[i].port);
        width = length > width ? length : width;
    }
    printf("  node  %-*s  state   process%s\n", (int)width, "address", v->isolated ? "  network" : "");
    for (unsigned i = 0; i < v->node_count; i++) {
        const struct cluster_node *n = &v->nodes[i];
        char address[2 * CLUSTER_NAME];
        snprintf(address, sizeof address, "%s:%u", n->host, n->port);
        printf("  %4u  %-*s  %-6s", n->number, (int)width, address, cluster_state_name(n->state));
        if (n->pid)
            printf("  %7ld", n->pid);
        else
            printf("        -");
        printf("%s%s\n", v->isolated ? "  " : "", n->network);
    }
}

static void print_object(const struct cluster_view *v)
{
    print_json_text(stdout, '{', "cluster", cluster_name(v->kind));
    printf(",\"up\":%s", v->up ? "true" : "false");
    print_json_text(stdout, ',', "folder", v->folder);
    if (v->up) {
        print_json_text(stdout, ',', "version", v->version);
        printf(",\"isolated\":%s,\"nodes\":[", v->isolated ? "true" : "false");
        for (unsigned i = 0; i < v->node_count; i++) {
            const struct cluster_node *n = &v->nodes[i];
            printf("%s{\"number\":%u", i ? "," : "", n->number);
            print_json_text(stdout, ',', "host", n->host);
            printf(",\"port\":%u", n->port);
            print_json_text(stdout, ',', "network", n->network[0] ? n->network : NULL);
            print_json_number(stdout, "process", (uint64_t)n->pid, n->pid != 0);
            print_json_text(stdout, ',', "state", cluster_state_name(n->state));
            fputc('}', stdout);
        }
        fputc(']', stdout);
    }
    puts("}");
}

static void print_view(const struct request *r, const struct cluster_view *v, const char *words)
{
    if (r->set.json) {
        print_object(v);
        return;
    }
    printf("%s: %s in ", cluster_name(v->kind), words);
    show(stdout, v->folder);
    if (!v->up) {
        putchar('\n');
        return;
    }
    printf(": %s, %u node%s%s\n", v->version, v->node_count, plural(v->node_count),
           v->isolated ? " with networks of their own" : "");
    print_table(v);
}

/* The end of a server's log says more than its exit status. */
static void print_log(const char *path)
{
    char text[LOG_BYTES + 1];
    FILE *log = fopen(path, "r");
    if (!log)
        return;
    fseek(log, 0, SEEK_END);
    long size = ftell(log);
    fseek(log, size > LOG_BYTES ? size - LOG_BYTES : 0, SEEK_SET);
    size_t n = fread(text, 1, LOG_BYTES, log), lines = 0;
    fclose(log);
    while (n > 0 && text[n - 1] == '\n')
        n--;
    text[n] = 0;
    while (n > 0 && lines < LOG_LINES)
        if (text[--n] == '\n')
            lines++;
    for (char *rest = NULL, *line = strtok_r(text + n, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        line[strlen(line) < LINE_BYTES ? strlen(line) : LINE_BYTES] = 0;
        fputs("  | ", stderr);
        show(stderr, line);
        fputc('\n', stderr);
    }
}

static int failed(struct request *r, const assay_error *e)
{
    size_t length = strlen(e->file);
    progress_hide(&r->progress);
    print_error(stderr, NULL, e);
    if (length > 4 && strcmp(e->file + length - 4, ".log") == 0)
        print_log(e->file);
    return e->code == ASSAY_ERROR_INTERRUPTED ? EXIT_OPEN : EXIT_FAULT;
}

static void step(void *arg, const char *words)
{
    struct request *r = arg;
    progress_show(&r->progress, 0, 0, words);
}

/* ---- verbs ---- */

static struct cluster_settings settings(struct request *r)
{
    return (struct cluster_settings){.kind = r->kind,
                                     .folder = r->set.folder,
                                     .nodes = r->set.nodes,
                                     .port = r->set.port,
                                     .isolated = r->set.isolated,
                                     .arg = r,
                                     .interrupt = stop_asked,
                                     .step = step};
}

static int up(struct request *r)
{
    struct cluster_settings s = settings(r);
    struct cluster_view v;
    assay_error e = {ASSAY_OK};
    bool already;
    interrupt_sets_flag();
    if (!cluster_up(&s, &v, &already, &e))
        return failed(r, &e);
    progress_hide(&r->progress);
    print_view(r, &v, already ? "up already" : "up");
    return EXIT_FINE;
}

static int down(struct request *r)
{
    assay_error e = {ASSAY_OK};
    bool found;
    if (!cluster_down(r->kind, r->set.folder, &found, &e))
        return failed(r, &e);
    printf("%s: %s\n", cluster_name(r->kind), found ? "down" : "there was no cluster");
    return EXIT_FINE;
}

static int status_of(struct request *r)
{
    struct cluster_view v;
    assay_error e = {ASSAY_OK};
    if (!cluster_view(r->kind, r->set.folder, &v, &e))
        return failed(r, &e);
    print_view(r, &v, v.up ? "up" : "not up");
    return v.up ? EXIT_FINE : EXIT_OPEN;
}

/* All kinds, where none is named: one that is up is enough. */
static int status(struct request *r)
{
    int best = EXIT_OPEN;
    if (r->kind)
        return status_of(r);
    for (size_t i = 0; cluster_table[i]; i++) {
        r->kind = cluster_table[i];
        int one = status_of(r);
        if (one == EXIT_FAULT)
            return one;
        best = one == EXIT_FINE ? one : best;
    }
    return best;
}

static int act(struct request *r)
{
    struct cluster_settings s = settings(r);
    assay_error e = {ASSAY_OK};
    bool starts = strcmp(r->verb, "start") == 0;
    interrupt_sets_flag();
    if (!cluster_act(r->kind, r->set.folder, r->verb, r->node, &e) ||
        (starts && !cluster_await(&s, r->node, START_SECONDS, &e)))
        return failed(r, &e);
    printf("%s: %s node %u: done\n", cluster_name(r->kind), r->verb, r->node);
    return EXIT_FINE;
}

static const struct verb {
    const char *name;
    int (*run)(struct request *r);
    bool needs_node;
} verbs[] = {{"up", up, false},    {"down", down, false}, {"status", status, false},
             {"pause", act, true}, {"resume", act, true}, {"kill", act, true},
             {"start", act, true}, {"cut", act, true},    {"heal", act, true}};
enum { VERBS = sizeof verbs / sizeof *verbs };

/* ---- the command line ---- */

static const struct verb *find_verb(const char *name)
{
    struct suggestion s = {.typed = name};
    for (size_t i = 0; i < VERBS; i++) {
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
        suggest_offer(&s, verbs[i].name);
    }
    complain_unknown(&s, "`assay cluster --help` lists them", "cluster: unknown action '%s'", name);
    return NULL;
}

static const struct cluster *find_kind(const char *name)
{
    struct suggestion s = {.typed = name};
    for (size_t i = 0; cluster_table[i]; i++)
        suggest_offer(&s, cluster_name(cluster_table[i]));
    if (!cluster_find(name))
        complain_unknown(&s, "`assay list clusters` lists them", "cluster: unknown cluster '%s'", name);
    return cluster_find(name);
}

static bool find_node(const struct verb *v, const struct arguments *args, unsigned *out)
{
    unsigned long long number = 0;
    if (v->needs_node && args->n < 3) {
        complain("cluster: which node? (assay cluster %s %s 2)", v->name, args->at[1]);
        return false;
    }
    if (!v->needs_node && args->n > 2) {
        complain("cluster: '%s' is not expected here (`assay cluster --help`)", args->at[2]);
        return false;
    }
    if (v->needs_node && !whole_number(args->at[2], 1, CLUSTER_MOST_NODES, &number)) {
        complain("cluster: expected the number of a node, not '%s' (they begin with 1)", args->at[2]);
        return false;
    }
    *out = (unsigned)number;
    return true;
}

/* Options that only `up` has an effect of shall not be without effect. */
static bool options_fit(const struct request *r)
{
    const char *option = r->set.nodes ? "nodes" : r->set.port ? "port" : r->set.isolated ? "isolated" : NULL;
    if (option && strcmp(r->verb, "up") != 0) {
        complain("cluster: --%s belongs to `assay cluster up`", option);
        return false;
    }
    if (!r->kind && strcmp(r->verb, "status") != 0) {
        complain("cluster: which cluster? (`assay list clusters` lists them)");
        return false;
    }
    if (!r->kind && r->set.folder) {
        complain("cluster: which cluster is in the folder? (assay cluster status KIND --dir FOLDER)");
        return false;
    }
    return true;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct request r = {0};
    struct arguments args;
    if (!options_parse(self, argc, argv, &r.set, &args))
        return args.status;
    const struct verb *v = find_verb(args.at[0]);
    if (!v || (args.n > 1 && !(r.kind = find_kind(args.at[1]))))
        return EXIT_FAULT;
    r.verb = v->name;
    if (!options_fit(&r) || !find_node(v, &args, &r.node))
        return EXIT_FAULT;
    progress_start(&r.progress, "steps");
    return finish_output(v->run(&r));
}

static const char *const *words(void)
{
    static const char *all[VERBS + 16];
    size_t n = 0;
    for (size_t i = 0; i < VERBS; i++)
        all[n++] = verbs[i].name;
    for (size_t i = 0; cluster_table[i]; i++)
        all[n++] = cluster_name(cluster_table[i]);
    return all;
}

static const struct option_row rows[] = {
    {0, "nodes", "N", "number of nodes, at most 9", OPTION_NUMBER, offsetof(struct cluster_options, nodes), 0},
    {0, "dir", "FOLDER", "the cluster's folder (default: ${TMPDIR:-/tmp}/assay-cluster-UID/KIND)", OPTION_TEXT,
     offsetof(struct cluster_options, folder), 0},
    {0, "port", "BASE", "the port of node 1; the others follow", OPTION_NUMBER, offsetof(struct cluster_options, port),
     0},
    {0, "isolated", NULL, "give each node a network of its own, for cut and heal (needs root)", OPTION_FLAG,
     offsetof(struct cluster_options, isolated), 0},
    {0, "json", NULL, "up, status: one JSON object per line", OPTION_FLAG, offsetof(struct cluster_options, json), 0},
    {0},
};

const struct command command_cluster = {
    .name = "cluster",
    .summary = "Start real servers on this machine and make their nodes fail.",
    .usage = "up|down|status KIND [--nodes N] [--dir FOLDER] [--port BASE] [--isolated]\n"
             "       assay cluster pause|resume|kill|start|cut|heal KIND NODE [--dir FOLDER]",
    .notes = "up starts a cluster and returns when all nodes answer; down ends it and removes its folder, even after\n"
             "a crash. pause stops a node, resume continues it, kill ends it, start starts it again and waits until\n"
             "it has joined the others. cut takes its network away, heal gives it back (docs/guides/databases.md).\n\n"
             "exit status: 0 done, or the cluster is up; 2 a fault; 3 interrupted, or (status) the cluster is not up\n",
    .examples = "  assay cluster up redis\n"
                "  assay cluster pause redis 2\n"
                "  assay cluster up etcd --isolated --nodes 5\n"
                "  assay cluster cut etcd 3\n"
                "  assay cluster down redis\n",
    .least = 1,
    .most = 3,
    .expects = "say what to do: up, down, status, pause, resume, kill, start, cut or heal",
    .options = rows,
    .words = words,
    .run = run,
};
