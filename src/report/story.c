/* SPDX-License-Identifier: Apache-2.0 */
#include "report/story.h"

#include "history/token.h"
#include "report/describe.h"
#include "report/key.h"

#include <string.h>

enum { LONGEST = 6 }; /* steps of a cycle that is told */

struct cycle {
    assay_step at[LONGEST];
    uint32_t n; /* more than LONGEST: it is not told */
};

static void collect(void *arg, const assay_step *step)
{
    struct cycle *c = arg;
    if (c->n < LONGEST)
        c->at[c->n] = *step;
    c->n++;
}

/* Both read a value that the other one overwrote: one of two updates of the same key is lost. */
static bool lost_update(struct text *t, const result *r, const struct cycle *c, const char *indent)
{
    const history *h = r->h;
    uint32_t a = c->at[0].from, b = c->at[0].to, read;
    struct value key = key_of_both(h, a, b);
    if (r->evidence.pattern != PATTERN_LostUpdate || c->n != 2 || key.kind == ASSAY_NONE || !key_missed(h, a, b, &read))
        return false;
    describe_say(t, h, "%s%W and %W both read %A, then both wrote %V; one update is lost\n", indent, a, b, a, read,
                 key);
    return true;
}

/* "carol (line 4) saw what bob (line 3) wrote, but read x = 0 and missed what alice (line 2) wrote" */
static bool missed(struct text *t, const result *r, const assay_step *before, const assay_step *step,
                   const char *indent)
{
    uint32_t read;
    if (step->to == ASSAY_NO_OPERATION || !key_missed(r->h, step->from, step->to, &read))
        return false;
    describe_say(t, r->h, "%s%W", indent, step->from);
    if (before->rule == ASSAY_WR && before->to == step->from)
        describe_say(t, r->h, " saw the write of %W, but", before->from);
    describe_say(t, r->h, " read %A and missed the write of %W\n", step->from, read, step->to);
    return true;
}

/* "bob (line 3) read x from alice (line 2)" */
static void read_from(struct text *t, const result *r, const assay_step *step, const char *indent)
{
    struct value key = key_that_was_read(r->h, step->to, step->from, step->from);
    if (key.kind == ASSAY_NONE)
        return;
    describe_say(t, r->h, "%s%W read %V from %W\n", indent, step->to, key, step->from);
}

/* "carol (line 5) read x = [2]: 1 is missing, which alice (line 1) appended" */
static void shown_alone(struct text *t, const result *r, const assay_step *step, const char *indent)
{
    const history *h = r->h;
    uint32_t access, write, reader = key_shown_alone(h, step->from, step->to, &access, &write);
    if (reader == ASSAY_NO_OPERATION)
        return;
    describe_say(t, h, "%s%W read %A: %V is missing, which %W appended\n", indent, reader, reader, access,
                 history_written(h, step->to, 3 * write + 2), step->to);
}

/* "carol (line 3) saw the write of x by alice (line 1) before that by bob (line 2)" */
static void shown_in_order(struct text *t, const result *r, const assay_step *step, const char *indent)
{
    struct value key;
    uint32_t reader = key_shown_in_order(r->h, step->from, step->to, &key);
    if (reader == ASSAY_NO_OPERATION) {
        shown_alone(t, r, step, indent);
        return;
    }
    describe_say(t, r->h, "%s%W saw the write of %V by %W before that by %W\n", indent, reader, key, step->from,
                 step->to);
}

/* Two transactions of the proof that write one key, each of which missed a write of the other. */
static void concurrent_writes(struct text *t, const result *r, const char *indent)
{
    struct mentions m = describe_mentions(r, true, t->mem);
    uint32_t missed_one, missed_other;
    for (uint32_t i = 0; i < m.n && m.n <= 2 * LONGEST; i++)
        for (uint32_t j = i + 1; j < m.n; j++) {
            uint32_t a = m.ops[i], b = m.ops[j];
            struct value key = key_of_both(r->h, a, b);
            if (key.kind == ASSAY_NONE || !key_missed(r->h, a, b, &missed_one) ||
                !key_missed(r->h, b, a, &missed_other))
                continue;
            describe_say(t, r->h, "%s%W and %W both wrote %V: one read %A, the other %A, so neither saw the other\n",
                         indent, a, b, key, a, missed_one, b, missed_other);
            return;
        }
}

/* ---- one read that is wrong by itself ---- */

/* The last write of the access's key by the transaction, among those before the access or among all. */
static uint32_t last_write(const history *h, uint32_t op, struct value key, uint32_t end)
{
    uint32_t found = ASSAY_NO_OPERATION;
    for (uint32_t i = 0; i < end && 3 * i + 2 < history_arity(h, op); i++)
        if (value_same(history_arg(h, op, 3 * i + 1), key) && !token_reads(h, op, i))
            found = i;
    return found;
}

/* ": 1 is in it twice, and was appended once, by alice (line 1)"; an element is appended once at most. */
static void repeated(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    describe_say(t, r->h, ": %V is in it twice, and was appended once",
                 key_repeated(r->h, ev->culprit, ev->access, ev->opposite, t->mem));
    if (ev->opposite != ASSAY_NO_OPERATION && ev->opposite != ev->culprit)
        describe_say(t, r->h, ", by %W", ev->opposite);
}

static void after_the_read(struct text *t, const result *r)
{
    const history *h = r->h;
    const struct evidence *ev = &r->evidence;
    struct value key = history_arg(h, ev->culprit, 3 * ev->access + 1);
    bool alone = ev->opposite == ASSAY_NO_OPERATION || ev->opposite == ev->culprit;
    uint32_t last = alone ? ASSAY_NO_OPERATION : last_write(h, ev->opposite, key, UINT32_MAX / 3);
    switch (ev->pattern) {
    case PATTERN_AbortedRead: describe_say(t, h, ", which %W had written, and then took back", ev->opposite); return;
    case PATTERN_IntermediateRead:
        describe_say(t, h, ", but %W went on to write ", ev->opposite);
        if (last != ASSAY_NO_OPERATION)
            describe_say(t, h, "%A", ev->opposite, last);
        return;
    case PATTERN_FutureRead: text_puts(t, " before it wrote that itself"); return;
    case PATTERN_InternalRead:
        text_puts(t, " after its own write");
        last = last_write(h, ev->culprit, key, ev->access);
        if (last != ASSAY_NO_OPERATION)
            describe_say(t, h, " of %A", ev->culprit, last);
        return;
    default:
        if (key_repeated(h, ev->culprit, ev->access, ev->opposite, t->mem).kind != ASSAY_NONE) {
            repeated(t, r);
            return;
        }
        describe_say(t, h, ", which does not go on from the list that %W read or made", ev->opposite);
    }
}

/* "bob (line 3) read x = 1, which alice (line 2) had written, and then took back" */
static void wrong_read(struct text *t, const result *r, const char *indent)
{
    const struct evidence *ev = &r->evidence;
    bool alone = ev->opposite == ASSAY_NO_OPERATION || ev->opposite == ev->culprit;
    bool own = ev->pattern == PATTERN_FutureRead || ev->pattern == PATTERN_InternalRead;
    bool told = own || ev->pattern == PATTERN_AbortedRead || ev->pattern == PATTERN_IntermediateRead ||
                ev->pattern == PATTERN_IncompatibleOrder;
    if (!told || ev->access == ASSAY_NO_OPERATION || (alone && !own)) /* the sentence before it says it all */
        return;
    describe_say(t, r->h, "%s%W read %A", indent, ev->culprit, ev->culprit, ev->access);
    after_the_read(t, r);
    text_char(t, '\n');
}

/* "carol (line 4) read x = 1, and then x = 2, without a write of its own in between" */
static void unrepeated(struct text *t, const result *r, const char *indent)
{
    uint32_t first, second, op = r->evidence.culprit;
    if (!key_read_twice(r->h, op, &first, &second))
        return;
    describe_say(t, r->h, "%s%W read %A, and then %A, without a write of its own in between\n", indent, op, op, first,
                 op, second);
}

/* ---- any of them ---- */

static void cycle_story(struct text *t, const result *r, const char *indent)
{
    struct cycle c = {.n = 0};
    bool dirty = r->evidence.pattern == PATTERN_DirtyWrite, circular = r->evidence.pattern == PATTERN_CircularRead;
    evidence_naming(&r->evidence, r->evidence.named_by, collect, &c);
    if (c.n > LONGEST || !c.n || lost_update(t, r, &c, indent))
        return;
    for (uint32_t i = 0; i < c.n; i++)
        if (c.at[i].rule == ASSAY_RW)
            missed(t, r, &c.at[(i + c.n - 1) % c.n], &c.at[i], indent);
        else if (c.at[i].rule == ASSAY_WR && circular)
            read_from(t, r, &c.at[i], indent);
        else if (c.at[i].rule == ASSAY_VO && dirty)
            shown_in_order(t, r, &c.at[i], indent);
}

void story_write(struct text *t, const result *r, const char *indent)
{
    const struct evidence *ev = &r->evidence;
    enum proof proof = pattern_proof(ev->pattern, r->model);
    if (!(r->model->needs & NEED_TRANSACTIONS))
        return;
    if (ev->pattern == PATTERN_NonRepeatableRead)
        unrepeated(t, r, indent);
    else if (proof == PROOF_CULPRIT)
        wrong_read(t, r, indent);
    else if (ev->pattern == PATTERN_ConcurrentWrites)
        concurrent_writes(t, r, indent);
    else if (proof == PROOF_CYCLE && ev->cycle_count)
        cycle_story(t, r, indent);
}
