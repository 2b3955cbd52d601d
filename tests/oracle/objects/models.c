/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/history.h"
#include "oracle/objects/visibility.h"
#include "support/chance.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *paths[MAX_AXIOMS];
} models[] = {
    {"level:weak", {NULL}},
    {"level:self", {"p"}},
    {"level:monotonic", {"p", "vp"}},
    {"level:peer", {"p", "vp", "pv"}},
    {"level:causal", {"p", "vp", "pv", "vv"}},
    {"level:complete", {"p", "vp", "pv", "vv", "l"}},
    {"return-value", {NULL}},
    {"read-my-writes", {"p"}},
    {"monotonic-reads", {"vp"}},
    {"peer", {"pv"}},
    {"causal-convergence", {"p", "vv"}},
    {"weak-hb", {"h"}},
};

#define LEVELS 6
#define MODELS ((int)(sizeof models / sizeof *models))

static void axioms_of_model(struct axioms *a, int model)
{
    for (a->count = 0; models[model].paths[a->count]; a->count++)
        strcpy(a->path[a->count], models[model].paths[a->count]);
}

static void add(char *text, size_t room, const char *piece)
{
    size_t n = strlen(text);
    snprintf(text + n, room - n, "%s", piece);
}

static void add_path(char *text, size_t room, const char *path)
{
    for (const char *p = path; *p; p++) {
        add(text, room, p == path ? "" : chance(70) ? ";" : " ; ");
        add(text, room, *p == 'p' ? "po" : *p == 'h' ? "hb" : *p == 'l' ? "lin" : "vis");
    }
}

static void choose_axioms(struct weak_model *m, bool near)
{
    strcpy(m->name, "weak: ");
    if (near && chance(70)) {
        strcpy(m->name, "weak: vis >= hb & ");
        strcpy(m->all.path[m->all.count++], "h");
    }
    for (int k = 1 + below(chance(10) ? MAX_AXIOMS - 1 : 3); k; k--) {
        bool on_vis = chance(90);
        char path[MAX_PATH + 1] = "";
        int length = 1 + below(chance(10) ? MAX_PATH : 3);
        for (int i = 0; i < length; i++)
            path[i] = "ppphhlvvvv"[below(10)];
        if (chance(5)) {
            add(m->name, sizeof m->name, "Ret");
        } else if (chance(4)) {
            add(m->name, sizeof m->name, "vis = lin");
            strcpy(m->all.path[m->all.count++], "l");
        } else {
            add(m->name, sizeof m->name, on_vis ? "vis >= " : "lin >= ");
            add_path(m->name, sizeof m->name, path);
            if (on_vis)
                strcpy(m->all.path[m->all.count++], path);
        }
        if (k > 1)
            add(m->name, sizeof m->name, chance(70) ? " & " : "&");
    }
}

static void choose_levels(struct weak_model *m, const struct history *h, bool near)
{
    for (int tries = 1 + below(MAX_NAMED); tries; tries--) {
        const char *method = h->op[below(h->ops)].name;
        bool twice = false;
        for (int k = 0; k < m->named; k++)
            twice = twice || !strcmp(m->method[k], method);
        if (twice)
            continue;
        int level = near && chance(80) ? LEVELS - 1 : below(LEVELS);
        m->method[m->named] = method;
        axioms_of_model(&m->own[m->named++], level);
        add(m->visibility, sizeof m->visibility, *m->visibility ? "," : "");
        add(m->visibility, sizeof m->visibility, method);
        add(m->visibility, sizeof m->visibility, "=");
        add(m->visibility, sizeof m->visibility, models[level].name + strlen("level:"));
    }
}

void choose_model(struct weak_model *m, const struct history *h, bool near)
{
    memset(m, 0, sizeof *m);
    int model = near && chance(80) ? chance(70) ? MODELS - 1 : LEVELS - 1 : below(MODELS);
    bool levels = h->objects == 1 && chance(20);
    if (chance(near ? 15 : 35)) {
        choose_axioms(m, near);
    } else if (levels && chance(30)) {
        axioms_of_model(&m->all, LEVELS - 1); /* without a model: complete */
    } else {
        strcpy(m->name, models[model].name);
        axioms_of_model(&m->all, model);
    }
    if (levels)
        choose_levels(m, h, near);
}
