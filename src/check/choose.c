/* SPDX-License-Identifier: Apache-2.0 */
/* Which engine? Models state conditions and needs. Engines state the conditions that they decide and their own needs.
 * The match is made here and nowhere else. An engine that the user names is looked up once. Else the engines of the
 * table come in its order, the ones on request last. */
#include "check/choose.h"

#include "check/applies.h"

/* As the user names it: "sat:eager". */
struct engine_text {
    char text[64];
};

static struct engine_text text_of(const struct engine *g, const char *variant)
{
    struct engine_text t;
    snprintf(t.text, sizeof t.text, "%s%s%s", g->name, variant && *variant != '+' ? ":" : "", variant ? variant : "");
    return t;
}

static void refuse_size(const struct checker *c, const struct engine *g, const char *variant, assay_error *e)
{
    error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "the engine %s is for histories of at most %u operations, this one has %u",
              text_of(g, variant).text, g->most_events, c->h->n);
    if (variant) /* of the same name there is one without a limit */
        error_remedy(e, "leave -e out, or try -e %s", g->name);
    else
        error_remedy(e, "leave -e out");
}

/* The reason why the engine cannot decide the model here. It is asked for each part of a history. */
enum obstacle { OBSTACLE_NONE, OBSTACLE_MISSING, OBSTACLE_MODEL, OBSTACLE_ACROSS, OBSTACLE_VALUES, OBSTACLE_SIZE };

static enum obstacle obstacle(const struct checker *c, const struct engine *g, const struct model *m)
{
    if (!engine_decides(g, m->conditions))
        return engine_missing(g) ? OBSTACLE_MISSING : OBSTACLE_MODEL;
    if (engine_missing(g))
        return OBSTACLE_MISSING;
    if ((m->conditions & g->apart) && c->rw && c->rw->across)
        return OBSTACLE_ACROSS;
    if (!applies_values(c, m, g->lifts))
        return OBSTACLE_VALUES;
    return g->most_events && c->h->n > g->most_events ? OBSTACLE_SIZE : OBSTACLE_NONE;
}

/* Can the engine decide the model here? False with an error. */
static bool usable(const struct checker *c, const struct engine *g, const char *variant, const struct model *m,
                   assay_error *e)
{
    switch (obstacle(c, g, m)) {
    case OBSTACLE_NONE: return true;
    case OBSTACLE_MISSING:
        error_set(e, ASSAY_ERROR_MISSING, "the engine %s cannot run: %s", g->name, engine_missing(g));
        break;
    case OBSTACLE_MODEL:
        error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "the engine %s does not decide %s", text_of(g, variant).text, m->name);
        error_remedy(e, "leave -e out, or see `assay list engines`");
        break;
    case OBSTACLE_ACROSS:
        error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "the engine %s decides %s only without program order between threads",
                  g->name, m->name);
        error_remedy(e, "leave -e out, or leave out `@po after`");
        break;
    case OBSTACLE_VALUES:
        applies_refuse_values(c, text_of(g, variant).text, e);
        error_remedy(e, "leave -e out: another engine does without unique values");
        break;
    case OBSTACLE_SIZE: refuse_size(c, g, variant, e); break;
    }
    return false;
}

/* No engine takes it: because of the size, if one would take it otherwise. */
static void refuse_all(const struct checker *c, const struct model *m, assay_error *e)
{
    uint32_t most = 0;
    for (size_t i = 0; engine_table[i]; i++)
        if (engine_decides(engine_table[i], m->conditions) && engine_table[i]->most_events > most)
            most = engine_table[i]->most_events;
    if (most && c->h->n > most)
        error_set(e, ASSAY_ERROR_NOT_APPLICABLE,
                  "%s does not apply: %sit is decided for at most %u operations, and there are %u", m->name,
                  c->rw && c->rw->across ? "with program order between threads " : "", most, c->h->n);
    else
        error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "no engine of this version decides %s", m->name);
}

/* ---- one after another ---- */

/* Is the engine one of the walk, usable or not? */
static bool belongs(const struct choosing *k, const struct engine *g)
{
    switch (k->from) {
    case CHOOSE_ANY: return !k->part || k->part->object || g->whole;
    case CHOOSE_SCAN: return !g->on_request && !g->whole;
    case CHOOSE_TENTATIVE: return g->tentative;
    }
    return false;
}

static bool is_next(const struct choosing *k, const struct engine *g)
{
    const struct choice *choice = k->choice;
    if (choice->asked)
        return g == choice->asked && belongs(k, g); /* choose has found it usable */
    return belongs(k, g) && obstacle(choice->c, g, choice->model) == OBSTACLE_NONE;
}

const struct engine *choose_next(struct choosing *k)
{
    for (; k->round <= 1; k->round++, k->at = 0)
        while (engine_table[k->at]) {
            const struct engine *g = engine_table[k->at++];
            if (g->on_request == k->round && is_next(k, g))
                return g;
        }
    return NULL;
}

bool choose(struct choice *choice, const struct checker *c, const struct model *m, assay_error *e)
{
    *choice = (struct choice){.c = c, .model = m};
    if (c->options->engine) {
        choice->first = choice->asked = engine_find(c->options->engine, m->conditions, &choice->variant, e);
        return choice->asked && usable(c, choice->asked, choice->variant, m, e);
    }
    choice->first = choose_next(&(struct choosing){.choice = choice});
    if (!choice->first)
        refuse_all(c, m, e);
    return choice->first;
}

/* ---- no engine takes the part ---- */

static void refuse_asked(const struct engine *g, const char *why, assay_error *e)
{
    error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "the engine %s does not apply: %s", g->name, why);
    error_remedy(e, "leave -e out: another engine serves");
}

void choose_refuse(const struct choosing *k, const char *why, assay_error *e)
{
    const char *model = k->choice->model->name;
    if (k->choice->asked) {
        refuse_asked(k->choice->asked, why ? why : "the order is not one of intervals", e);
    } else if (k->part->object) {
        error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "no engine of this version decides %s of the object %s%s%s", model,
                  k->part->object->kind, why ? ": " : "", why ? why : "");
    } else {
        error_set(e, ASSAY_ERROR_NOT_APPLICABLE,
                  "%s does not apply: happens-before is not an interval order, so the objects cannot be judged apart, "
                  "and exchanges have no place in an order of single operations",
                  model);
        error_remedy(e, "record times that tell which operation returned before which was called");
    }
}
