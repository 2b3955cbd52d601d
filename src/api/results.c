/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions on results (assay.h): checking, grading, shrinking, walking evidence, rechecking. */
#include "base/given.h"
#include "base/keyed.h"
#include "base/options.h"
#include "base/registry.h"
#include "check/check.h"
#include "check/infer.h"
#include "check/shrink.h"
#include "explain/refuted.h"

#include <stdlib.h>
#include <string.h>

const char *assay_verdict_name(assay_verdict v)
{
    switch (v) {
    case ASSAY_CONSISTENT: return "consistent";
    case ASSAY_VIOLATION: return "violation";
    case ASSAY_UNDECIDED: return "undecided";
    }
    return "unknown";
}

/* ---- checking ---- */

static const struct model *model_named(struct checker *c, const char *name, assay_error *e)
{
    const char *levels = c->options->visibility;
    if (!name && levels) /* methods that are not named are complete */
        name = "level:complete";
    if (!name)
        return checker_strongest(c, e);
    const struct model *m = model_called(name);
    bool spelled;
    if (m && levels && !m->axioms) {
        error_set(e, ASSAY_ERROR_USAGE, "%s has no levels of visibility by method", name);
        error_remedy(e, "name a model that has, such as level:complete");
        return NULL;
    }
    if (!m && !model_spell(name, &c->spelled, &spelled, e))
        return NULL;
    if (!m && spelled && strlen(name) < MODEL_TEXT)
        return &c->spelled;
    if (!m)
        model_unknown(name, e);
    return m;
}

static assay_result *check_model(struct checker *c, const char *model, assay_error *e)
{
    const struct model *m = model_named(c, model, e);
    assay_result *r = m ? infer_run(c, m, e) : NULL;
    if (r && model && strcmp(model, r->model->name) != 0)
        snprintf(r->called, sizeof r->called, "%s", model);
    return r;
}

/* With reasons for violations. */
static bool open_checker(struct checker *c, const history *h, const assay_options *options, assay_error *e)
{
    bool fine = checker_open(c, h, options, e);
    c->explain = explain_refuted;
    return fine;
}

assay_result *assay_check(const assay_history *h, const char *model, const assay_options *options, assay_error *e)
{
    if (!GIVEN(h, e))
        return NULL;
    struct checker c;
    assay_result *r = open_checker(&c, h, options, e) ? check_model(&c, model, e) : NULL;
    checker_close(&c);
    return r;
}

struct assay_checker {
    struct checker checker;
};

assay_checker *assay_checker_new(const assay_history *h, const assay_options *options, assay_error *e)
{
    if (!GIVEN(h, e))
        return NULL;
    assay_checker *c = calloc(1, sizeof *c);
    if (!c) {
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
        return NULL;
    }
    if (open_checker(&c->checker, h, options, e))
        return c;
    assay_checker_free(c);
    return NULL;
}

assay_result *assay_checker_run(assay_checker *c, const char *model, assay_error *e)
{
    if (!GIVEN(c, e))
        return NULL;
    return check_model(&c->checker, model, e);
}

void assay_checker_free(assay_checker *c)
{
    if (!c)
        return;
    checker_close(&c->checker);
    free(c);
}

void assay_result_free(assay_result *r)
{
    if (!r)
        return;
    assay_result_free(r->own_from);
    mem_release(&r->mem);
    mem_release(&r->explained);
    pthread_mutex_destroy(&r->explaining);
    free(r);
}

assay_history *assay_shrink(const assay_result *r, const assay_options *options, uint32_t *kept, assay_error *e)
{
    return GIVEN(r, e) ? shrink(r, options, explain_refuted, kept, e) : NULL;
}

struct assay_grading {
    size_t n;
    struct rung {
        const char *model;
        assay_result *result;
        assay_error error;
    } rungs[];
};

/* Is it graded? Not a model that has another name, or that memories have in a better form. Transactions have models of
 * their own. */
static bool graded(const struct checker *c, const struct model *m)
{
    if (!(m->needs & NEED_TRANSACTIONS) != !checker_transactions(c))
        return false;
    unsigned excused = objects_all(&c->objects, &spec_memory) ? NEED_NO_MEMORY | NEED_OTHER_OBJECT : 0;
    return !(m->needs & (NEED_ASKED | excused));
}

/* The verdict on the model, if it follows from another one in the grading. */
static void infer_rung(struct checker *c, const assay_grading *g, struct rung *rung)
{
    const struct model *m = model_find(rung->model);
    for (size_t i = 0; i < g->n && !rung->result; i++)
        if (g->rungs[i].result)
            rung->result = infer_from(c, m, g->rungs[i].result, &rung->error);
}

/* Models are checked from strong to weak, and not where a stronger one holds, unless each is to have its own witness or
 * engine. A history that violates the strong ones loses nothing: the weak ones are checked anyway. The models that no
 * engine decides come last, when all others are known. */
static void grade_all(struct checker *c, assay_grading *g)
{
    bool each = c->options->evidence || c->options->engine;
    for (size_t i = g->n; i-- > 0;) {
        struct rung *rung = &g->rungs[i];
        const struct model *m = model_find(rung->model);
        assay_error ignored = {0};
        if (!each && checker_applies(c, m, &ignored))
            infer_rung(c, g, rung);
        if (!rung->result)
            rung->result = checker_run(c, m, &rung->error);
    }
    for (size_t i = 0; i < g->n; i++) {
        struct rung *rung = &g->rungs[i];
        if (!rung->result && infer_wanted(c, model_find(rung->model), &rung->error))
            infer_rung(c, g, rung);
    }
}

assay_grading *assay_grade(const assay_history *h, const assay_options *options, assay_error *e)
{
    if (!GIVEN(h, e))
        return NULL;
    struct checker c;
    assay_grading *g = NULL;
    if (open_checker(&c, h, options, e)) {
        g = calloc(1, sizeof *g + registry_size(model_table) * sizeof *g->rungs);
        if (!g)
            error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
    }
    for (size_t i = 0; g && model_table[i]; i++) {
        const struct model *m = model_table[i];
        if (graded(&c, m))
            g->rungs[g->n++].model = m->name;
    }
    if (g)
        grade_all(&c, g);
    checker_close(&c);
    return g;
}

void assay_grading_free(assay_grading *g)
{
    for (size_t i = 0; g && i < g->n; i++)
        assay_result_free(g->rungs[i].result);
    free(g);
}

size_t assay_grading_size(const assay_grading *g)
{
    if (!g)
        return 0;
    return g->n;
}

const char *assay_grading_model(const assay_grading *g, size_t i)
{
    if (i >= assay_grading_size(g))
        return NULL;
    return g->rungs[i].model;
}

const assay_result *assay_grading_result(const assay_grading *g, size_t i)
{
    if (i >= assay_grading_size(g))
        return NULL;
    return g->rungs[i].result;
}

const assay_error *assay_grading_error(const assay_grading *g, size_t i)
{
    if (i >= assay_grading_size(g))
        return NULL;
    return g->rungs[i].result ? NULL : &g->rungs[i].error;
}

/* ---- the contents of a result ---- */

assay_verdict assay_result_verdict(const assay_result *r)
{
    if (!r)
        return ASSAY_UNDECIDED;
    return r->verdict;
}

const char *assay_result_model(const assay_result *r)
{
    if (!r)
        return NULL;
    return r->model->name;
}

const char *assay_result_inferred(const assay_result *r)
{
    if (!r)
        return NULL;
    return r->from ? r->from->model->name : NULL;
}

const char *assay_result_object(const assay_result *r)
{
    if (!r)
        return NULL;
    return r->object;
}

const char *assay_result_engine(const assay_result *r)
{
    if (!r)
        return NULL;
    return r->engine;
}

double assay_result_seconds(const assay_result *r)
{
    if (!r)
        return 0;
    return r->seconds;
}

size_t assay_result_bytes(const assay_result *r)
{
    if (!r)
        return 0;
    return r->bytes;
}

const char *assay_result_undecided(const assay_result *r)
{
    if (!r)
        return NULL;
    return r->verdict == ASSAY_UNDECIDED && *r->undecided_text ? r->undecided_text : NULL;
}

const char *assay_result_pattern(const assay_result *r)
{
    if (!r)
        return NULL;
    return r->verdict == ASSAY_VIOLATION ? pattern_reported(result_proof(r)) : NULL;
}

const char *assay_result_vacuous(const assay_result *r)
{
    if (!r)
        return NULL;
    return r->vacuous;
}

uint64_t assay_result_statistic(const assay_result *r, size_t i, const char **name, const char **text)
{
    if (!r || !name || !text)
        return 0;
    const struct {
        const char *name, *text;
        uint64_t value;
    } all[] = {
#define X(ident, what) {#ident, what, r->stats.ident},
#include "base/stats.def"
#undef X
    };
    bool there = i < sizeof all / sizeof *all;
    *name = there ? all[i].name : NULL;
    *text = there ? all[i].text : NULL;
    return there ? all[i].value : 0;
}

/* ---- evidence ---- */

size_t assay_result_orders(const assay_result *r)
{
    if (!r)
        return 0;
    return result_proof(r)->verdict == ASSAY_CONSISTENT ? result_proof(r)->evidence.orders.n : 0;
}

assay_order assay_result_order(const assay_result *r, size_t i)
{
    if (i >= assay_result_orders(r))
        return (assay_order){0};
    const struct order *o = &result_proof(r)->evidence.orders.at[i];
    return (assay_order){o->thread, result_proof(r)->evidence.ops.at + o->at, o->count};
}

size_t assay_result_cycle(const assay_result *r, const assay_step **steps)
{
    if (!r || !steps)
        return 0;
    *steps = result_proof(r)->evidence.cycle_count
                 ? result_proof(r)->evidence.steps.at + result_proof(r)->evidence.cycle_at
                 : NULL;
    return result_proof(r)->evidence.cycle_count;
}

size_t assay_result_reasons(const assay_result *r)
{
    if (!r)
        return 0;
    return result_proof(r)->evidence.reasons.n;
}

assay_reason assay_result_reason(const assay_result *r, size_t i)
{
    if (i >= assay_result_reasons(r))
        return (assay_reason){0};
    const struct reason *x = &result_proof(r)->evidence.reasons.at[i];
    return (assay_reason){x->rule,      x->from, x->to, x->read, result_proof(r)->evidence.steps.at + x->path_at,
                          x->path_count};
}

uint32_t assay_result_culprit(const assay_result *r)
{
    if (!r)
        return ASSAY_NO_OPERATION;
    return result_proof(r)->evidence.culprit;
}

size_t assay_result_lemmas(const assay_result *r)
{
    if (!r)
        return 0;
    return result_proof(r)->evidence.lemmas.n;
}

size_t assay_result_lemma(const assay_result *r, size_t i, const assay_step **steps)
{
    if (i >= assay_result_lemmas(r) || !steps)
        return 0;
    const struct span *lemma = &result_proof(r)->evidence.lemmas.at[i];
    *steps = lemma->count ? result_proof(r)->evidence.steps.at + lemma->at : NULL;
    return lemma->count;
}

size_t assay_result_learned(const assay_result *r)
{
    if (!r)
        return 0;
    return result_proof(r)->evidence.learned.n;
}

size_t assay_result_learned_at(const assay_result *r, size_t i, const assay_pair **pairs)
{
    if (i >= assay_result_learned(r) || !pairs)
        return 0;
    const struct span *clause = &result_proof(r)->evidence.learned.at[i];
    *pairs = clause->count ? result_proof(r)->evidence.pairs.at + clause->at : NULL;
    return clause->count;
}

size_t assay_result_closed(const assay_result *r, const assay_pair **pairs)
{
    if (!r || !pairs)
        return 0;
    *pairs = result_proof(r)->evidence.closed.at;
    return result_proof(r)->evidence.closed.n;
}

size_t assay_result_visible(const assay_result *r, const assay_pair **pairs)
{
    if (!r || !pairs)
        return 0;
    *pairs = result_proof(r)->evidence.visible.at;
    return result_proof(r)->evidence.visible.n;
}

size_t assay_result_sources(const assay_result *r, const assay_pair **pairs)
{
    if (!r || !pairs)
        return 0;
    *pairs = result_proof(r)->evidence.sources.at;
    return result_proof(r)->evidence.sources.n;
}

size_t assay_result_source_accesses(const assay_result *r, const uint32_t **accesses)
{
    if (!r || !accesses)
        return 0;
    *accesses = result_proof(r)->evidence.source_access.at;
    return result_proof(r)->evidence.source_access.n;
}

bool assay_result_proved(const assay_result *r)
{
    if (!r)
        return false;
    return evidence_present(r);
}

/* ---- rechecking ---- */

struct rechecking {
    const history *h;
    const char *line;
    struct object_choice asked;
    bool searched;
    struct mem mem;
    struct budget budget;
    assay_error *e;
    assay_claim claim;
    bool known; /* is the claim? */
    bool accepted;
};

_Static_assert((int)ASSAY_CLAIM_MODEL >= (int)MODEL_TEXT && (int)ASSAY_CLAIM_OBJECT >= (int)EVIDENCE_OBJECT &&
                   (int)ASSAY_CLAIM_VISIBILITY >= (int)VISIBILITY_TEXT && (int)ASSAY_CLAIM_FILE >= (int)EVIDENCE_FILE,
               "a claim has room for the texts of any record");

static void note_claim(assay_claim *claim, const struct evidence_line *line)
{
    claim->index = line->index;
    claim->verdict = line->verdict;
    claim->skew = line->skew;
    snprintf(claim->model, sizeof claim->model, "%s", line->model->name);
    snprintf(claim->inferred_from, sizeof claim->inferred_from, "%s", line->from ? line->from->name : "");
    snprintf(claim->object, sizeof claim->object, "%s", line->object);
    snprintf(claim->visibility, sizeof claim->visibility, "%s", line->visibility);
    snprintf(claim->file, sizeof claim->file, "%s", line->file ? line->file : "");
}

static void run_recheck(void *arg)
{
    struct rechecking *x = arg;
    struct evidence_line line = {0};
    if (!evidence_read(x->line, &x->mem, &line, x->e))
        return;
    note_claim(&x->claim, &line);
    x->known = true;
    x->accepted = !x->h || recheck_with(x->h, &line, x->asked, &x->mem, &x->budget, NULL, &x->searched, x->e);
}

/* Fills in x; its inputs are given. True: accepted. */
static bool recheck_protected(struct rechecking *x, const assay_options *options, assay_error *e)
{
    assay_options given;
    if (!options_take(&given, sizeof given, options, e))
        return false;
    assay_error mine = {0};
    x->e = &mine;
    x->asked = (struct object_choice){given.object, given.spec};
    x->mem.limit = given.memory;
    x->budget = budget_begin(&given);
    keyed_digests = &keyed_recheck;
    enum escape left = escape_run(run_recheck, x);
    keyed_digests = &keyed_engines;
    if (left == ESCAPE_TIME_BUDGET || left == ESCAPE_MEMORY_BUDGET)
        error_set(&mine, ASSAY_ERROR_BUDGET, "%s", escape_text(left));
    error_from_escape(&mine, left);
    mem_release(&x->mem);
    error_copy(e, &mine);
    x->e = NULL;
    return x->accepted && !left;
}

bool assay_recheck(const assay_history *h, const char *line, uint32_t *index, assay_error *e)
{
    if (!GIVEN(line, e))
        return false;
    return assay_recheck_with(h, line, NULL, index, NULL, e);
}

bool assay_recheck_with(const assay_history *h, const char *line, const assay_options *options, uint32_t *index,
                        bool *searched, assay_error *e)
{
    if (!GIVEN(line, e))
        return false;
    struct rechecking x = {.h = h, .line = line};
    bool accepted = recheck_protected(&x, options, e);
    if (index && x.known)
        *index = x.claim.index;
    if (searched)
        *searched = x.searched;
    return accepted;
}

bool assay_evidence_claim(const char *line, const assay_options *options, assay_claim *claim, assay_error *e)
{
    if (!GIVEN(line && claim, e))
        return false;
    struct rechecking x = {.line = line};
    bool known = recheck_protected(&x, options, e);
    *claim = known ? x.claim : (assay_claim){0};
    return known;
}
