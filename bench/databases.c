/* SPDX-License-Identifier: Apache-2.0 */
/* Case studies: real databases on this machine, driven by random clients. This does not measure speed. It counts the
 * histories that violate models, and compares the levels of isolation with the promises of the manuals.
 *
 * Stores are measured one after the other, so that the servers of one do not disturb another. The page is printed at
 * the end, from the folders of the cells alone. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "bench/study.h"
#include "cli/progress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { HISTORIES = 20, QUICK_HISTORIES = 2 };

static const char *const part_names[STUDY_PARTS] = {"single", "transactions"};

struct choice {
    bool stores[STUDY_STORES], parts[STUDY_PARTS];
};

/* ---- the choice ---- */

static bool all_false(const bool *at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (at[i])
            return false;
    return true;
}

static bool choose_name(struct choice *c, const char *name)
{
    const struct store *store = store_find(name);
    if (store)
        c->stores[store - store_table] = true;
    for (size_t i = 0; i < STUDY_PARTS; i++) {
        if (strcmp(part_names[i], name) != 0)
            continue;
        c->parts[i] = true;
        return true;
    }
    return store != NULL;
}

/* Stores that are not named: all, or with --quick those without servers. */
static void choose_rest(const struct bench *b, struct choice *c)
{
    bool no_store = all_false(c->stores, STUDY_STORES), no_part = all_false(c->parts, STUDY_PARTS);
    for (const struct store *s = store_table; no_store && s->name; s++)
        c->stores[s - store_table] = !b->set->quick || !s->cluster;
    for (size_t i = 0; no_part && i < STUDY_PARTS; i++)
        c->parts[i] = true;
}

static bool choose(struct bench *b, struct choice *c)
{
    char names[256];
    *c = (struct choice){0};
    snprintf(names, sizeof names, "%s", b->set->only ? b->set->only : "");
    for (char *rest = NULL, *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        if (choose_name(c, name))
            continue;
        bench_fault(b, "--only: there is no store and no part '%s' (`assay-bench --help` names them)", name);
        return false;
    }
    choose_rest(b, c);
    return true;
}

/* ---- measuring ---- */

static bool prepare_work(struct study *s)
{
    struct bench *b = s->bench;
    const char *folder = b->set->work ? b->set->work : b->folder;
    if (b->set->work && mkdir(folder, 0777) != 0 && errno != EEXIST) {
        bench_fault(b, "cannot make the folder %s: %s", folder, strerror(errno));
        return false;
    }
    if (!b->set->work)
        chmod(folder, 0711); /* servers run as users of their own, and go through it */
    char *real = realpath(folder, NULL);
    bool fine = real && strlen(real) < sizeof s->work;
    if (fine)
        strcpy(s->work, real);
    else
        bench_fault(b, "cannot use the folder %s: %s", folder, real ? "its path is too long" : strerror(errno));
    free(real);
    return fine;
}

static void measure_cell(struct study *s, size_t i, struct server *server, struct progress *progress)
{
    struct measured *m = &s->cells[i];
    char text[128];
    snprintf(text, sizeof text, "%s, %s", m->cell.store->title, m->cell.workload);
    progress_show(progress, i, s->n, text);
    cell_run(s->bench, &m->cell, server, s->work, m->histories, &m->outcome);
}

static void measure_store(struct study *s, const struct store *store, struct progress *progress)
{
    struct server server;
    char *reason = s->reasons[store - store_table];
    if (!study_chosen(s, store) || store_lacking(store, reason))
        return;
    server_init(&server, s->bench, store, s->work);
    for (size_t i = 0; i < s->n && bench_goes_on(s->bench); i++)
        if (s->cells[i].cell.store == store && !server.reason[0])
            measure_cell(s, i, &server, progress);
    server_down(&server);
    memcpy(reason, server.reason, STORE_REASON);
}

static void print_versions(const struct study *s)
{
    FILE *out = s->bench->set->out;
    paragraph(s->bench, "Each setting has %llu histories. The servers are:", (unsigned long long)s->histories);
    fputc('\n', out);
    for (const struct store *store = store_table; store->name; store++) {
        char path[PATH_SPACE], line[256] = "";
        const struct measured *m = NULL;
        for (size_t i = 0; i < s->n && !m; i++)
            m = s->cells[i].cell.store == store && s->cells[i].outcome.histories ? &s->cells[i] : NULL;
        if (!m)
            continue;
        cell_history(&m->cell, s->work, 1, path);
        FILE *from = fopen(path, "r");
        while (from && fgets(line, sizeof line, from) && strncmp(line, "# @server ", 10) != 0)
            continue;
        if (from)
            fclose(from);
        fprintf(out, "- %s, %u node%s\n", strncmp(line, "# @server ", 10) == 0 ? strtok(line + 10, "\n") : store->title,
                store->nodes ? store->nodes : 1, store->nodes > 1 ? "s" : "");
    }
}

static void run_study(struct study *s, const struct choice *c)
{
    struct progress progress;
    if (c->parts[STUDY_SINGLE])
        single_plan(s);
    if (c->parts[STUDY_TRANSACTIONS])
        transactions_plan(s);
    progress_start(&progress, "cells");
    for (const struct store *store = store_table; store->name && bench_goes_on(s->bench); store++)
        measure_store(s, store, &progress);
    progress_hide(&progress);
    if (!bench_goes_on(s->bench))
        return;
    print_versions(s);
    if (c->parts[STUDY_SINGLE]) {
        single_print(s);
        times_print(s);
    }
    if (c->parts[STUDY_TRANSACTIONS])
        transactions_print(s);
    violations_print(s);
}

static void run(struct bench *b)
{
    struct choice c;
    struct study *s = choose(b, &c) ? calloc(1, sizeof *s) : NULL;
    if (!s) {
        bench_fault(b, "no memory for the cells");
        return;
    }
    s->bench = b;
    s->histories = b->set->histories ? b->set->histories : b->set->quick ? QUICK_HISTORIES : HISTORIES;
    memcpy(s->stores, c.stores, sizeof s->stores);
    if (prepare_work(s))
        run_study(s, &c);
    if (b->set->work && b->set->interrupt && b->set->interrupt(NULL))
        fprintf(stderr, "assay-bench: interrupted; the same command goes on\n");
    free(s);
}

const struct suite suite_databases = {
    .name = "databases",
    .title = "case studies of real databases",
    .page = "Case studies: real databases",
    .databases = true,
    .legend = "Do real databases keep the promises of their manuals? Here random clients run against real servers on\n"
              "one machine, started by `assay cluster` and driven by `assay drive`. All of their operations are\n"
              "recorded with times, and every history is checked.",
    .run = run,
};
