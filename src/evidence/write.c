/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence as one line of JSON. A witness can have millions of numbers, so nothing here is
 * formatted but the digest. */
#include "evidence/evidence.h"

#include "history/slice.h"

#include <inttypes.h>
#include <string.h>

/* Names of this library, and texts whose languages (axioms.h) have nothing in them that JSON escapes; behind `key`. */
static void put_name(struct text *out, const char *key, const char *name)
{
    text_puts(out, key);
    text_char(out, '"');
    text_puts(out, name);
    text_char(out, '"');
}

static void put_field(struct text *out, const char *key, uint32_t number)
{
    text_puts(out, key);
    text_int(out, number);
}

/* Separates the i-th item of a list from the one before it. */
static void separate(struct text *out, uint32_t i)
{
    if (i)
        text_char(out, ',');
}

static void put_numbers(struct text *out, const char *key, const uint32_t *numbers, uint32_t at, uint32_t count)
{
    text_puts(out, key);
    for (uint32_t i = 0; i < count; i++) {
        separate(out, i);
        text_int(out, numbers[at + i]);
    }
    text_char(out, ']');
}

/* Where a step leads: an operation, or the initial transaction. */
static void put_target(struct text *out, const char *field, uint32_t to)
{
    if (to == ASSAY_NO_OPERATION)
        put_name(out, field, "initial");
    else
        put_field(out, field, to);
}

static void put_steps(struct text *out, const struct evidence *ev, uint32_t at, uint32_t count)
{
    text_char(out, '[');
    for (uint32_t i = 0; i < count; i++) {
        const assay_step *s = &ev->steps.at[at + i];
        separate(out, i);
        put_name(out, "[", assay_rule_name(s->rule));
        put_field(out, ",", s->from);
        put_target(out, ",", s->to);
        if (s->reason != ASSAY_NO_REASON)
            put_field(out, ",", s->reason);
        text_char(out, ']');
    }
    text_char(out, ']');
}

static void put_reasons(struct text *out, const struct evidence *ev)
{
    text_puts(out, ",\"reasons\":[");
    for (uint32_t i = 0; i < ev->reasons.n; i++) {
        const struct reason *r = &ev->reasons.at[i];
        separate(out, i);
        put_name(out, "{\"rule\":", assay_rule_name(r->rule));
        put_field(out, ",\"from\":", r->from);
        put_target(out, ",\"to\":", r->to);
        if (r->read != ASSAY_NO_OPERATION)
            put_field(out, ",\"read\":", r->read);
        text_puts(out, ",\"path\":");
        put_steps(out, ev, r->path_at, r->path_count);
        text_char(out, '}');
    }
    text_char(out, ']');
}

static void put_lemmas(struct text *out, const struct evidence *ev)
{
    text_puts(out, ",\"lemmas\":[");
    for (uint32_t i = 0; i < ev->lemmas.n; i++) {
        separate(out, i);
        put_steps(out, ev, ev->lemmas.at[i].at, ev->lemmas.at[i].count);
    }
    text_char(out, ']');
}

static void put_pairs(struct text *out, const assay_pair *pairs, struct span s)
{
    text_char(out, '[');
    for (uint32_t i = 0; i < s.count; i++) {
        put_field(out, i ? ",[" : "[", pairs[s.at + i].first);
        put_field(out, ",", pairs[s.at + i].second);
        text_char(out, ']');
    }
    text_char(out, ']');
}

static void put_learned(struct text *out, const struct evidence *ev)
{
    text_puts(out, ",\"learned\":[");
    for (uint32_t i = 0; i < ev->learned.n; i++) {
        separate(out, i);
        put_pairs(out, ev->pairs.at, ev->learned.at[i]);
    }
    text_char(out, ']');
}

static void put_sights(struct text *out, const struct evidence *ev)
{
    text_puts(out, ",\"sights\":[");
    for (uint32_t i = 0; i < ev->sights.n; i++) {
        const struct sight *s = &ev->sights.at[i];
        separate(out, i);
        put_field(out, "{\"by\":", s->by);
        put_field(out, ",\"sees\":", s->seen);
        for (uint32_t k = 0; k < s->path.n; k++) {
            text_puts(out, k ? ";" : ",\"path\":\"");
            text_puts(out, relation_name((enum relation)s->path.path[k]));
        }
        if (s->path.n)
            put_numbers(out, "\",\"via\":[", s->via, 0, s->path.n - 1u);
        text_char(out, '}');
    }
    text_char(out, ']');
}

static void put_part(struct text *out, const struct evidence *ev)
{
    put_field(out, ",\"culprit\":", ev->culprit);
    if (ev->whole)
        text_puts(out, ",\"whole\":true");
    text_puts(out, ev->prefix ? ",\"prefix\":true" : ",\"prefix\":false");
    put_numbers(out, ",\"kept\":[", ev->kept.at, 0, ev->kept.n);
    if (ev->suspects.n)
        put_numbers(out, ",\"suspects\":[", ev->suspects.at, 0, ev->suspects.n);
    if (ev->sights.n)
        put_sights(out, ev);
}

static void put_sources(struct text *out, const char *key, const struct evidence *ev)
{
    text_puts(out, key);
    for (uint32_t i = 0; i < ev->sources.n; i++) {
        separate(out, i);
        put_target(out, "[", ev->sources.at[i].first);
        put_field(out, ",", ev->sources.at[i].second);
        if (ev->source_access.n)
            put_field(out, ",", ev->source_access.at[i]);
        text_char(out, ']');
    }
    text_char(out, ']');
}

static void put_refutation(struct text *out, const struct evidence *ev, const struct model *model);

static void put_choices(struct text *out, const struct evidence *ev, const struct model *model)
{
    text_puts(out, ",\"cases\":[");
    for (uint32_t i = 0; i < ev->cases.n; i++) {
        separate(out, i);
        put_sources(out, "{\"sources\":[", ev->cases.at[i]);
        put_refutation(out, ev->cases.at[i], model);
        text_char(out, '}');
    }
    text_char(out, ']');
}

static void put_refutation(struct text *out, const struct evidence *ev, const struct model *model)
{
    put_name(out, ",\"pattern\":", pattern_name(ev->pattern));
    switch (pattern_proof(ev->pattern, model)) {
    case PROOF_NONE: break;
    case PROOF_CULPRIT: put_field(out, ",\"culprit\":", ev->culprit); break;
    case PROOF_PART: put_part(out, ev); break;
    case PROOF_CHOICES: put_choices(out, ev, model); break;
    case PROOF_CASES:
        put_reasons(out, ev);
        put_lemmas(out, ev);
        put_learned(out, ev);
        break;
    case PROOF_CYCLE:
        put_reasons(out, ev);
        text_puts(out, ",\"cycle\":");
        put_steps(out, ev, ev->cycle_at, ev->cycle_count);
    }
}

static void put_witness(struct text *out, const struct evidence *ev, const struct model *model)
{
    text_puts(out, ",\"orders\":[");
    for (uint32_t i = 0; i < ev->orders.n; i++) {
        const struct order *o = &ev->orders.at[i];
        separate(out, i);
        text_char(out, '{');
        if (o->thread != ASSAY_NO_THREAD) {
            put_field(out, "\"thread\":", o->thread);
            text_char(out, ',');
        }
        put_numbers(out, "\"ops\":[", ev->ops.at, o->at, o->count);
        text_char(out, '}');
    }
    text_char(out, ']');
    if (ev->sources.n)
        put_sources(out, ",\"sources\":[", ev);
    if (evidence_has_closed(model)) {
        text_puts(out, ",\"closed\":");
        put_pairs(out, ev->closed.at, (struct span){0, ev->closed.n});
    }
    if (evidence_has_visible(model)) {
        text_puts(out, ",\"visible\":");
        put_pairs(out, ev->visible.at, (struct span){0, ev->visible.n});
    }
}

static void put_skew(struct text *out, const result *r)
{
    if (r->skew)
        text_printf(out, ",\"skew\":\"%" PRId64 "\"", r->skew);
}

static void put_setting(struct text *out, const result *r)
{
    if (!strchr(r->object, ' ')) /* else there are several kinds, and the history declares them */
        put_name(out, ",\"object\":", r->object);
    put_skew(out, r);
    if (r->visibility[0])
        put_name(out, ",\"visibility\":", r->visibility);
}

void evidence_write_of(const result *r, const char *file, uint32_t index, struct text *out)
{
    const result *proof = result_proof(r);
    if (!evidence_present(r))
        return;
    text_printf(out, "{\"evidence\":1,\"history\":\"%016" PRIx64 "\"", history_digest(r->h));
    if (file) {
        text_puts(out, ",\"file\":");
        text_json(out, file, strlen(file));
    }
    put_field(out, ",\"index\":", index);
    put_name(out, ",\"model\":", r->model->name);
    if (r->from)
        put_name(out, ",\"inferred_from\":", proof->model->name);
    put_name(out, ",\"verdict\":", assay_verdict_name(r->verdict));
    if (proof->model->needs & NEED_CALLS)
        put_setting(out, r);
    else if (evidence_has_skew(proof->model))
        put_skew(out, r);
    if (r->verdict == ASSAY_VIOLATION)
        put_refutation(out, &proof->evidence, proof->model);
    else
        put_witness(out, &proof->evidence, proof->model);
    text_puts(out, "}\n");
}
