/* SPDX-License-Identifier: Apache-2.0 */
#include "support/verdicts.h"

#include "engine/engine.h"
#include "support/left_out.h"

#include <stdlib.h>
#include <string.h>

/* ---- sets of models ---- */

unsigned models_all(void)
{
    unsigned set = 0;
    for (unsigned m = 0; model_table[m]; m++)
        set |= model_table[m]->needs & NEED_MEMORY ? 1u << m : 0;
    return set;
}

static unsigned bit_of(const char *name)
{
    for (unsigned m = 0; model_table[m]; m++)
        if (strcmp(model_table[m]->name, name) == 0)
            return 1u << m;
    fprintf(stderr, "there is no model %s\n", name);
    abort();
}

unsigned models_named(const char *names)
{
    unsigned set = 0;
    for (const char *at = names + strspn(names, " "); *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        set |= bit_of(name);
        at += length;
    }
    return set;
}

static bool implied_by_another(unsigned set, unsigned m)
{
    for (unsigned strong = 0; model_table[strong]; strong++)
        if (strong != m && models_have(set, strong) && model_implies(model_table[strong], model_table[m]))
            return true;
    return false;
}

struct models_text models_print(unsigned set)
{
    struct models_text out = {"nothing"};
    size_t length = 0;
    for (unsigned m = 0; model_table[m]; m++)
        if (models_have(set, m) && !implied_by_another(set, m))
            length += (size_t)snprintf(out.text + length, sizeof out.text - length, "%s%s", length ? " " : "",
                                       model_table[m]->name);
    return out;
}

static bool complain(struct complaint *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool complain(struct complaint *why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why->text, sizeof why->text, format, args);
    va_end(args);
    return false;
}

static bool ladder_holds(unsigned models, unsigned satisfied, struct complaint *why)
{
    for (unsigned strong = 0; model_table[strong]; strong++)
        for (unsigned weak = 0; model_table[weak]; weak++)
            if (models_have(satisfied, strong) && models_have(models, weak) && !models_have(satisfied, weak) &&
                assay_model_implies(model_table[strong]->name, model_table[weak]->name))
                return complain(why, "it satisfies %s and not %s", model_table[strong]->name, model_table[weak]->name);
    return true;
}

/* ---- one engine, one model ---- */

static bool recheck_line(const assay_history *h, const assay_result *r, const char *line, struct complaint *why)
{
    assay_error e = {0};
    uint32_t index = 0;
    return (assay_recheck(h, line, &index, &e) && index == 7) ||
           complain(why, "%s by %s: recheck refuses the verdict %s: %s\n%s", assay_result_model(r),
                    assay_result_engine(r), assay_verdict_name(assay_result_verdict(r)), e.message, line);
}

static bool recheck_result(const assay_history *h, const assay_result *r, uint64_t *rechecked, struct complaint *why)
{
    const struct model *model = model_find(assay_result_model(r));
    const struct engine *engine = engine_find(assay_result_engine(r), model->conditions, &(const char *){NULL}, NULL);
    char *line = NULL;
    size_t length = 0;
    if (!assay_result_proved(r))
        return engine->no_evidence || complain(why, "%s by %s: %s without evidence", model->name, engine->name,
                                               assay_verdict_name(assay_result_verdict(r)));
    FILE *out = open_memstream(&line, &length);
    bool written = out && assay_result_write_evidence(r, 7, out);
    if (!written || fclose(out) != 0)
        abort();
    bool fine = recheck_line(h, r, line, why);
    ++*rechecked;
    free(line);
    return fine;
}

/* False with a complaint. Undecided: a budget was used up, or this build lacks the engine's part. */
static bool one_verdict(const assay_history *h, const char *engine, const struct model *model, double seconds,
                        struct poll *p, assay_verdict *verdict)
{
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = engine, .evidence = true, .seconds = seconds};
    assay_result *r = assay_check(h, model->name, &options, &e);
    *verdict = ASSAY_UNDECIDED;
    if (!r)
        return e.code == ASSAY_ERROR_MISSING ||
               complain(&p->why, "%s by %s: %s", model->name, engine ? engine : "the chosen engine", e.message);
    *verdict = assay_result_verdict(r);
    bool fine = true;
    if (*verdict != ASSAY_UNDECIDED) {
        p->verdicts++;
        fine = recheck_result(h, r, &p->rechecked, &p->why);
    } else if (seconds > 0) {
        p->undecided++;
    } else {
        fine = complain(&p->why, "%s by %s: undecided: %s", model->name, assay_result_engine(r),
                        assay_result_undecided(r));
    }
    assay_result_free(r);
    return fine;
}

bool verdicts_of(const assay_history *h, const char *engine, unsigned models, unsigned *satisfied,
                 struct complaint *why)
{
    struct poll p = {0};
    bool fine = true;
    *satisfied = 0;
    for (unsigned m = 0; model_table[m] && fine; m++) {
        assay_verdict verdict = ASSAY_VIOLATION;
        if (!models_have(models, m))
            continue;
        fine = one_verdict(h, engine, model_table[m], 0, &p, &verdict);
        *satisfied |= (unsigned)(verdict == ASSAY_CONSISTENT) << m;
    }
    *why = p.why;
    return fine && ladder_holds(models, *satisfied, why);
}

/* ---- all engines ---- */

enum { MOST_CONTENDERS = 32 };

struct contenders { /* for one model, in the order of the table; brute apart */
    char name[MOST_CONTENDERS][48];
    uint32_t n;
};

static void add_contender(struct contenders *c, const char *engine, const char *variant)
{
    if (c->n == MOST_CONTENDERS)
        abort();
    snprintf(c->name[c->n++], sizeof c->name[0], "%s%s%s", engine, variant ? ":" : "", variant ? variant : "");
}

static bool takes_part(const struct engine *g, const struct model *m, const assay_history *h)
{
    uint32_t size = assay_history_size(h);
    bool batched = strcmp(g->name, "datalog") == 0, literal = strcmp(g->name, "brute") == 0;
    return !batched && !literal && engine_decides(g, m->conditions) && !(h->po_after && (g->apart & m->conditions)) &&
           (!g->most_events || size <= g->most_events) && !left_out(g->name, engine_missing(g));
}

static struct contenders contenders_for(const struct model *m, const assay_history *h)
{
    struct contenders c = {.n = 0};
    for (size_t i = 0; engine_table[i]; i++) {
        const struct engine *g = engine_table[i];
        if (!takes_part(g, m, h))
            continue;
        bool plus = g->variants && g->variants[0][0] == '+'; /* variations for objects alone */
        if (!g->variants || plus)
            add_contender(&c, g->name, NULL);
        for (const char *const *v = g->variants; v && *v && !plus; v++)
            add_contender(&c, g->name, *v);
    }
    return c;
}

/* Asks one engine; what it says must be what was said before. */
static bool ask(struct poll *p, const assay_history *h, const struct model *m, const char *engine, assay_verdict *said,
                char says[48])
{
    assay_verdict verdict;
    if (!one_verdict(h, engine, m, p->seconds, p, &verdict))
        return false;
    if (verdict == ASSAY_UNDECIDED)
        return true;
    if (*said != ASSAY_UNDECIDED && *said != verdict)
        return complain(&p->why, "%s: %s says %s, %s says %s", m->name, says, assay_verdict_name(*said), engine,
                        assay_verdict_name(verdict));
    *said = verdict;
    snprintf(says, 48, "%s", engine);
    return true;
}

static bool poll_model(struct poll *p, const assay_history *h, unsigned number)
{
    enum { MOST_FOR_BRUTE = 48 };
    const struct model *m = model_table[number];
    struct contenders c = contenders_for(m, h);
    assay_verdict said = ASSAY_UNDECIDED;
    char says[48] = "";
    bool fine = true;
    if (assay_history_size(h) <= MOST_FOR_BRUTE)
        fine = ask(p, h, m, "brute", &said, says);
    for (uint32_t i = 0; i < c.n && fine; i++)
        if (i == 0 || p->thorough)
            fine = ask(p, h, m, c.name[i], &said, says);
    p->satisfied |= (unsigned)(said == ASSAY_CONSISTENT) << number;
    return fine;
}

bool poll_run(struct poll *p, const assay_history *h)
{
    p->satisfied = 0;
    p->why.text[0] = '\0';
    for (unsigned m = 0; model_table[m]; m++)
        if (models_have(p->models, m) && !poll_model(p, h, m))
            return false;
    return p->seconds > 0 || ladder_holds(p->models, p->satisfied, &p->why);
}
