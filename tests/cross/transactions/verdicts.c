/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/transactions/verdicts.h"

#include "cross/transactions/cuts.h"
#include "cross/transactions/forge.h"
#include "cross/transactions/prover.h"
#include "cross/transactions/related.h"
#include "cross/transactions/shrunk.h"
#include "engine/engine.h"
#include "evidence/evidence.h"
#include "support/evidence_line.h"
#include "support/mutants.h"

#include <stdlib.h>
#include <string.h>

const struct model *txn_model(unsigned i)
{
    for (size_t m = 0; model_table[m]; m++)
        if ((model_table[m]->needs & NEED_TRANSACTIONS) && !i--)
            return model_table[m];
    return NULL;
}

static bool complain(struct judging *j, const char *model, const char *engine, const char *what, const char *more)
{
    snprintf(j->why, sizeof j->why, "%s by %s: %s %s", model, engine, what, more);
    return false;
}

struct question {
    struct judging *j;
    const struct tx_sketch *s;
    const assay_history *h;
    bool expected[TXN_MODELS], asked[TXN_MODELS];
};

/* ---- damaged proofs ---- */

struct damage {
    const struct question *q;
    bool fine;
};

/* A damaged proof is refused, or it is still one. */
static void try_mutant(void *arg, const char *mutant)
{
    struct damage *d = arg;
    struct judging *j = d->q->j;
    assay_error e = {0};
    if (!d->fine)
        return;
    if (j->counts)
        j->counts->mutants++;
    if (!assay_recheck(d->q->h, mutant, NULL, &e))
        return;
    struct mem mem = {0};
    struct evidence_line line;
    bool readable = evidence_read(mutant, &mem, &line, &e);
    bool same_clocks = readable && (line.skew == d->q->s->skew || line.model->base != BASE_REALTIME);
    for (unsigned m = 0; same_clocks && txn_model(m); m++)
        if (line.model == txn_model(m) && d->q->asked[m] && (line.verdict == ASSAY_CONSISTENT) != d->q->expected[m])
            d->fine = complain(j, line.model->name, "recheck", "accepted although it is wrong:", mutant);
    if (j->counts)
        j->counts->accepted++;
    mem_release(&mem);
}

static bool damage(const struct question *q, const char *line)
{
    struct judging *j = q->j;
    struct damage d = {q, true};
    if (j->damage && rng_below(&j->rng, j->damage) == 0 && strlen(line) < MUTANTS_LONGEST)
        mutants_of(line, &j->rng, try_mutant, &d);
    if (j->damage && rng_below(&j->rng, j->damage) < 4)
        forge(line, &j->rng, try_mutant, &d);
    return d.fine;
}

/* ---- names ---- */

/* Of a line with a cycle: the one name that recheck accepts, as a line; the caller frees it. NULL: there is not exactly
 * one. */
static char *rightly_named(const struct question *q, const char *line)
{
    char *right = NULL, *named;
    for (size_t i = 0; (named = forge_name(line, i)); i++) {
        assay_error e = {0};
        bool accepted = assay_recheck(q->h, named, NULL, &e);
        bool again = accepted && right;
        free(accepted && !again ? NULL : named);
        right = accepted && !again ? named : right;
        if (again) {
            free(right);
            return NULL;
        }
    }
    return right;
}

/* Is the name of the cycle, if the line has one, the only one that recheck accepts? */
static bool names_agree(const struct question *q, const char *model, const char *engine, const char *line)
{
    char *any = forge_name(line, 0), *right = any ? rightly_named(q, line) : NULL;
    bool fine = !any || (right && strcmp(right, line) == 0) ||
                complain(q->j, model, engine, "the name is not the only one that is accepted:", line);
    free(any);
    free(right);
    return fine;
}

/* The weakest level that forbids the anomaly, of those of which there is only one. */
static const char *weakest(enum pattern p)
{
    switch (p) {
    case PATTERN_DirtyWrite:
    case PATTERN_CircularRead:
    case PATTERN_NonMonotonicRead: return "rc";
    case PATTERN_FracturedRead:
    case PATTERN_NonRepeatableRead: return "ra";
    case PATTERN_StaleRead:
    case PATTERN_CausalityViolation: return "tcc";
    case PATTERN_LostUpdate:
    case PATTERN_LongFork:
    case PATTERN_ConcurrentWrites:
    case PATTERN_ReadSkew: return "si";
    default: return "ser";
    }
}

static bool is_cycle(enum pattern p)
{
    return pattern_proof(p, model_find("ser")) == PROOF_CYCLE;
}

/* A violation has the name of its own level or of a weaker one. If it is of a weaker one, it violates that level. */
static bool level_agrees(const struct question *q, const assay_result *r)
{
    const char *model = assay_result_model(r), *variant = strchr(model, '-');
    char level[32];
    if (assay_result_verdict(r) != ASSAY_VIOLATION || !r->evidence.pattern)
        return true;
    snprintf(level, sizeof level, "%s%s", weakest(r->evidence.pattern), variant ? variant : "");
    /* The names of si are also those of pc and psi. ra forbids some stale reads, too. */
    bool own = r->evidence.pattern == PATTERN_StaleRead || !is_cycle(r->evidence.pattern) ||
               model_implies(model_find(model), model_find(level)) ||
               (strncmp(level, "si", 2) == 0 && (model_find(model)->conditions & (COND_PC | COND_PSI)));
    if (!own)
        return complain(q->j, model, pattern_name(r->evidence.pattern), "it is of a stronger level:", level);
    for (unsigned m = 0; txn_model(m); m++)
        if (strcmp(txn_model(m)->name, level) == 0 && model_implies(model_find(model), txn_model(m)) && q->expected[m])
            return complain(q->j, model, pattern_name(r->evidence.pattern), "it holds:", level);
    return true;
}

/* ---- engines ---- */

static bool check_evidence(const struct question *q, const char *model, const char *engine, bool needed,
                           const assay_result *r)
{
    struct judging *j = q->j;
    char *line = evidence_line(r);
    assay_error e = {0};
    if (!line)
        return !needed || complain(j, model, engine, "no evidence", "");
    bool fine = assay_recheck(q->h, line, NULL, &e) || complain(j, model, engine, e.message, line);
    if (j->counts)
        j->counts->rechecked += fine;
    fine = fine && names_agree(q, model, engine, line) && damage(q, line);
    free(line);
    return fine;
}

/* Of a violation with a proof; not of all, since each is checked many times then. */
static bool shrinking_agrees(const struct question *q, const char *model, const char *engine, const assay_result *r)
{
    enum { ONE_IN = 4 };
    const char *why;
    if (assay_result_verdict(r) != ASSAY_VIOLATION || !assay_result_proved(r) || rng_below(&q->j->rng, ONE_IN) != 0)
        return true;
    if (q->j->counts)
        q->j->counts->shrunk++;
    return shrinks_well(q->s, q->h, r, &why) || complain(q->j, model, engine, why, "");
}

static bool engine_agrees(const struct question *q, unsigned m, const char *engine, bool needed)
{
    const char *model = txn_model(m)->name;
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = engine, .evidence = true, .skew = q->s->skew};
    assay_error e = {0};
    assay_result *r = assay_check(q->h, model, &options, &e);
    if (!r)
        return complain(q->j, model, engine, "error:", e.message);
    assay_verdict verdict = assay_result_verdict(r);
    bool fine = (verdict == ASSAY_CONSISTENT) == q->expected[m] && verdict != ASSAY_UNDECIDED;
    if (!fine)
        complain(q->j, model, engine, "the verdict is wrong:", assay_verdict_name(verdict));
    if (q->j->counts)
        q->j->counts->verdicts++;
    fine = fine && check_evidence(q, model, engine, needed, r) && level_agrees(q, r) &&
           shrinking_agrees(q, model, engine, r);
    assay_result_free(r);
    return fine;
}

static bool engines_agree(const struct question *q, unsigned m)
{
    for (size_t i = 0; engine_table[i]; i++) {
        const struct engine *g = engine_table[i];
        if (!engine_decides(g, txn_model(m)->conditions) || engine_missing(g))
            continue;
        bool alone = !g->variants || !(g->on_request && g->no_evidence);
        if (alone && !engine_agrees(q, m, g->name, !g->no_evidence))
            return false;
        for (const char *const *v = g->variants; v && *v; v++) {
            char name[64];
            snprintf(name, sizeof name, "%s:%s", g->name, *v);
            if (!engine_agrees(q, m, name, !g->no_evidence))
                return false;
        }
    }
    return true;
}

bool brute_holds(const assay_history *h, const char *model, int64_t skew)
{
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = "brute", .skew = skew};
    assay_error e = {0};
    assay_result *r = assay_check(h, model, &options, &e);
    if (!r) {
        printf("%s: %s\n", model, e.message);
        exit(1);
    }
    bool holds = assay_result_verdict(r) == ASSAY_CONSISTENT;
    assay_result_free(r);
    return holds;
}

/* ---- cuts ---- */

/* What holds must hold after every single cut; not of all histories, since each is judged many times then. */
static bool cuts_agree(const struct question *q)
{
    enum { ONE_IN = 4 };
    struct tx_sketch rest;
    const char *what;
    if (rng_below(&q->j->rng, ONE_IN) != 0)
        return true;
    for (unsigned i = 0; (what = cut_sketch(q->s, i, &rest)); i++) {
        assay_history *h = rest.n ? sketch_history(&rest) : NULL;
        bool fine = true;
        for (unsigned m = 0; h && fine && txn_model(m); m++)
            fine = !q->expected[m] || brute_holds(h, txn_model(m)->name, rest.skew) ||
                   complain(q->j, txn_model(m)->name, "brute", "it holds, but not without", what);
        assay_history_free(h);
        if (!fine)
            return false;
        if (q->j->counts)
            q->j->counts->cuts++;
    }
    return true;
}

/* ---- the graphs ---- */

static bool prover_agrees(const struct question *q, const struct tx_sketch *s, unsigned m)
{
    const struct model *model = txn_model(m);
    char *line;
    assay_error e = {0};
    enum proved proved = prove(s, q->h, model, &line);
    bool fine = (proved == PROVED_CONSISTENT) == q->expected[m] ||
                complain(q->j, model->name, "the graphs", "another verdict:", line ? line : "");
    char *named = line ? rightly_named(q, line) : NULL;
    if (named) {
        free(line);
        line = named;
    }
    if (fine && line)
        fine = assay_recheck(q->h, line, NULL, &e) || complain(q->j, model->name, "the graphs", e.message, line);
    fine = fine && (!line || damage(q, line));
    if (q->j->counts && line)
        q->j->counts->proofs++;
    free(line);
    return fine;
}

/* ---- the ladder ---- */

static bool ladder_holds(const struct question *q)
{
    for (unsigned a = 0; txn_model(a); a++)
        for (unsigned b = 0; txn_model(b); b++)
            if (q->asked[a] && q->asked[b] && q->expected[a] && !q->expected[b] &&
                model_implies(txn_model(a), txn_model(b)))
                return complain(q->j, txn_model(a)->name, "brute", "holds, but not", txn_model(b)->name);
    return true;
}

static bool holds(const struct question *q, const char *name)
{
    for (unsigned m = 0; txn_model(m); m++)
        if (strcmp(txn_model(m)->name, name) == 0)
            return q->expected[m];
    return false;
}

static void count(const struct question *q)
{
    struct counts *c = q->j->counts;
    if (!c)
        return;
    c->histories++;
    for (unsigned m = 0; txn_model(m); m++)
        c->holds[m] += q->expected[m];
    c->between[0] += holds(q, "tcc") && holds(q, "psi") && !holds(q, "pc");
    c->between[1] += holds(q, "pc") && holds(q, "psi") && !holds(q, "si");
    c->between[2] += holds(q, "tcc") && !holds(q, "pc") && !holds(q, "psi");
    c->between[3] += holds(q, "si") && !holds(q, "ser");
}

bool verdicts_agree(const struct tx_sketch *s, struct judging *j)
{
    struct question q = {.j = j, .s = s, .h = sketch_history(s)};
    bool fine = true;
    j->why[0] = 0;
    for (unsigned m = 0; txn_model(m); m++) {
        q.asked[m] = sketch_timed(s) || !(txn_model(m)->needs & NEED_TIME);
        q.expected[m] = q.asked[m] && brute_holds(q.h, txn_model(m)->name, s->skew);
    }
    for (unsigned m = 0; txn_model(m) && fine; m++)
        if (q.asked[m] && (!j->only || strcmp(j->only, txn_model(m)->name) == 0))
            fine = engines_agree(&q, m) && (s->repeats || prover_agrees(&q, s, m));
    count(&q);
    fine = fine && ladder_holds(&q) && cuts_agree(&q) &&
           related_agree(s, q.h, holds(&q, "ser"), holds(&q, "tcc"), holds(&q, "ser-strict"), j);
    assay_history_free((assay_history *)q.h);
    return fine;
}

static bool disagree(const struct tx_sketch *s, void *arg)
{
    return !verdicts_agree(s, arg);
}

void judge_sketch(const struct tx_sketch *s, struct judging *j)
{
    struct rng rng = j->rng;
    if (verdicts_agree(s, j))
        return;
    struct tx_sketch smaller = *s;
    struct judging quiet = *j;
    quiet.counts = NULL;
    quiet.rng = rng;
    quiet.damage = j->damage ? 1 : 0;
    if (disagree(&smaller, &quiet)) {
        sketch_shrink(&smaller, disagree, &quiet);
        disagree(&smaller, &quiet);
    }
    char *text = sketch_text(&smaller);
    printf("%s\n%s\nat first: %s\n", quiet.why, text, j->why);
    free(text);
    exit(1);
}
