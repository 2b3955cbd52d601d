/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/cells.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

enum { FIRST_SEED = 1, CHECK_SECONDS = 60, TIMEOUT = 10, ACCESSES = 4, READ_SHARE = 50 };

size_t cell_models(const char *workload, const char *models[CELL_MODELS])
{
    static const char *const memory[] = {"cc", "ccv", "cm", "sc", "lin"};
    static const char *const transactions[] = {"rc", "ra", "tcc", "pc", "psi", "si", "ser", "ser-strict"};
    bool several = workload_find(workload)->transactions;
    size_t n = several ? sizeof transactions / sizeof *transactions : sizeof memory / sizeof *memory;
    memcpy(models, several ? transactions : memory, n * sizeof *models);
    return n;
}

/* ---- names ---- */

static void put_name(const struct cell *c, FILE *to)
{
    fprintf(to, "%s-%s", c->store->name, c->workload);
    if (c->isolation)
        fprintf(to, "-%s", c->isolation);
    for (size_t i = 0; i < CELL_SETTINGS && c->set[i].name; i++)
        fprintf(to, "-%s-%s", c->set[i].name, c->set[i].value);
    fprintf(to, "%s-%u-%u", c->roam ? "-roam" : "", c->sessions, c->operations);
}

static bool make_folder(const struct cell *c, const char *work, char out[PATH_SPACE])
{
    char name[PATH_SPACE / 2] = "";
    FILE *to = fmemopen(name, sizeof name, "w");
    if (!to)
        return false;
    put_name(c, to);
    fclose(to);
    for (char *at = name; *at; at++)
        *at = isalnum((unsigned char)*at) ? *at : '-';
    int n = snprintf(out, PATH_SPACE, "%s/%s", work, name);
    return n < PATH_SPACE - 16 && (mkdir(out, 0777) == 0 || errno == EEXIST);
}

void cell_history(const struct cell *c, const char *work, uint64_t number, char out[PATH_SPACE])
{
    char folder[PATH_SPACE];
    out[0] = 0;
    if (make_folder(c, work, folder))
        drive_path(folder, number, ".hist", out, PATH_SPACE);
}

void cell_print_command(const struct cell *c, uint64_t histories, FILE *to)
{
    const struct store *s = c->store;
    fprintf(to, "assay drive %s --workload %s", s->driver, c->workload);
    if (s->cluster && strcmp(s->cluster, s->driver) != 0) { /* the driver's own nodes are others */
        char nodes[STORE_NODES];
        store_nodes(s, cluster_port(cluster_find(s->cluster)), nodes);
        fprintf(to, " --nodes %s", nodes);
    }
    if (c->isolation)
        fprintf(to, " --isolation %s", c->isolation);
    for (size_t i = 0; i < CELL_SETTINGS && c->set[i].name; i++)
        fprintf(to, "%s%s=%s", i ? "," : " --set ", c->set[i].name, c->set[i].value);
    fprintf(to, "%s \\\n    --sessions %u --ops %u --keys %u --seed %d --histories %" PRIu64 " --out out\n",
            c->roam ? " --roam" : "", c->sessions, c->operations, c->keys, FIRST_SEED, histories);
}

/* ---- outcomes ---- */

static void note_anomaly(struct outcome *o, const char *name, uint64_t histories)
{
    size_t i = 0;
    while (i < o->anomaly_count && strcmp(o->anomalies[i].name, name) != 0)
        i++;
    if (i == CELL_ANOMALIES)
        return;
    if (i == o->anomaly_count)
        snprintf(o->anomalies[o->anomaly_count++].name, DRIVE_PATTERN, "%s", name);
    o->anomalies[i].histories += histories;
}

static void note_history(void *context, const struct drive_record *r)
{
    struct outcome *o = context;
    bool first = true;
    o->histories++;
    o->committed += r->tally.counts.committed;
    o->aborted += r->tally.counts.aborted;
    o->unknown += r->tally.counts.unknown;
    for (size_t i = 0; i < r->verdict_count && i < CELL_MODELS; i++) {
        struct model_outcome *m = &o->models[i];
        const struct drive_verdict *v = &r->verdicts[i];
        m->undecided += v->finding == DRIVE_UNDECIDED || v->finding == DRIVE_ERROR;
        if (v->finding != DRIVE_VIOLATION)
            continue;
        m->violations++;
        m->first = m->first && m->first < r->number ? m->first : r->number;
        if (first)
            note_anomaly(o, v->pattern, 1);
        first = false;
    }
}

void outcome_add(struct outcome *sum, const struct outcome *o)
{
    sum->histories += o->histories;
    sum->committed += o->committed;
    sum->aborted += o->aborted;
    sum->unknown += o->unknown;
    for (size_t i = 0; i < CELL_MODELS; i++) {
        sum->models[i].violations += o->models[i].violations;
        sum->models[i].undecided += o->models[i].undecided;
    }
    for (size_t i = 0; i < o->anomaly_count; i++)
        note_anomaly(sum, o->anomalies[i].name, o->anomalies[i].histories);
    if (o->trouble[0])
        memcpy(sum->trouble, o->trouble, sizeof sum->trouble);
}

/* ---- driving ---- */

static void take_settings(struct drive_settings *d, const struct cell *c)
{
    for (; d->set_count < CELL_SETTINGS && c->set[d->set_count].name; d->set_count++)
        d->set[d->set_count] = c->set[d->set_count];
}

static struct drive_settings drive_settings_of(const struct bench *b, const struct cell *c, const char *folder,
                                               const char *nodes)
{
    struct drive_settings d = {.driver = store_driver(c->store),
                               .workload = workload_find(c->workload),
                               .nodes = nodes[0] ? nodes : NULL,
                               .isolation = c->isolation,
                               .sessions = c->sessions,
                               .operations = c->operations,
                               .keys = c->keys,
                               .read_share = READ_SHARE,
                               .most_accesses = ACCESSES,
                               .roam = c->roam,
                               .timeout = TIMEOUT,
                               .settle = DRIVE_SETTLE,
                               .seed = FIRST_SEED,
                               .folder = folder,
                               .interrupt = b->set->interrupt};
    take_settings(&d, c);
    return d;
}

const char *cell_promise(const struct cell *c)
{
    struct drive_settings d = {.driver = store_driver(c->store), .isolation = c->isolation};
    take_settings(&d, c);
    const assay_promise *p = drive_promise(&d);
    return p ? p->model : NULL;
}

/* The journal is read first: servers are started only for histories that it lacks. */
static bool fill(const struct drive_campaign_settings *s, struct server *server, struct outcome *out, assay_error *e)
{
    static struct drive_summary summary;
    if (!drive_campaign_read(s, &summary, e))
        return false;
    if (summary.histories >= s->histories)
        return true;
    *out = (struct outcome){0};
    return server_up(server) && drive_campaign_run(s, &summary, e);
}

void cell_run(struct bench *b, const struct cell *c, struct server *server, const char *work, uint64_t histories,
              struct outcome *out)
{
    char folder[PATH_SPACE], nodes[STORE_NODES];
    const char *models[CELL_MODELS];
    assay_error e = {0};
    *out = (struct outcome){0};
    if (!make_folder(c, work, folder)) {
        bench_fault(b, "cannot make a folder in %s: %s", work, strerror(errno));
        return;
    }
    store_nodes(c->store, c->store->port, nodes);
    struct drive_campaign_settings s = {
        .drive = drive_settings_of(b, c, folder, nodes),
        .histories = histories,
        .models = (char *const *)models,
        .model_count = cell_models(c->workload, models),
        .checkers = 1,
        .keep_all = true,
        .check = {ASSAY_OPTIONS_INIT, .seconds = CHECK_SECONDS, .interrupt = b->set->interrupt},
        .finished = note_history,
        .context = out};
    if (!fill(&s, server, out, &e))
        snprintf(out->trouble, sizeof out->trouble, "%s", e.code ? e.message : server->reason);
}
