/* SPDX-License-Identifier: Apache-2.0 */
#include "report/story.h"

#include "history/token.h"
#include "report/describe.h"
#include "report/key.h"

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

/* "alice (line 2)" */
static void who(struct text *t, const history *h, uint32_t op)
{
    if (op == ASSAY_NO_OPERATION) {
        text_puts(t, "the initial values");
        return;
    }
    text_printf(t, "%s (", history_text(h, h->threads.at[h->thread[op]].name));
    describe_place(t, h, op);
    text_char(t, ')');
}

/* "x = 0" */
static void read_value(struct text *t, const history *h, uint32_t op, uint32_t access)
{
    token_print(t, h, history_written(h, op, 3 * access + 1));
    text_puts(t, " = ");
    token_print(t, h, history_written(h, op, 3 * access + 2));
}

/* Both read a value that the other one overwrote: one of two updates of the same key is lost. */
static bool lost_update(struct text *t, const result *r, const struct cycle *c, const char *indent)
{
    const history *h = r->h;
    uint32_t a = c->at[0].from, b = c->at[0].to, read;
    struct value key = key_of_both(h, a, b);
    if (r->evidence.pattern != PATTERN_LostUpdate || c->n != 2 || key.kind == ASSAY_NONE || !key_missed(h, a, b, &read))
        return false;
    text_puts(t, indent);
    who(t, h, a);
    text_puts(t, " and ");
    who(t, h, b);
    text_puts(t, " both read ");
    read_value(t, h, a, read);
    text_puts(t, ", then both wrote ");
    token_print(t, h, key);
    text_puts(t, "; one update is lost\n");
    return true;
}

/* "carol (line 4) saw what bob (line 3) wrote, but read x = 0 and missed what alice (line 2) wrote" */
static bool missed(struct text *t, const result *r, const assay_step *before, const assay_step *step,
                   const char *indent)
{
    uint32_t read;
    if (step->to == ASSAY_NO_OPERATION || !key_missed(r->h, step->from, step->to, &read))
        return false;
    text_puts(t, indent);
    who(t, r->h, step->from);
    if (before->rule == ASSAY_WR && before->to == step->from) {
        text_puts(t, " saw the write of ");
        who(t, r->h, before->from);
        text_puts(t, ", but");
    }
    text_puts(t, " read ");
    read_value(t, r->h, step->from, read);
    text_puts(t, " and missed the write of ");
    who(t, r->h, step->to);
    text_char(t, '\n');
    return true;
}

void story_write(struct text *t, const result *r, const char *indent)
{
    const struct evidence *ev = &r->evidence;
    struct cycle c = {.n = 0};
    if (!(r->model->needs & NEED_TRANSACTIONS) || pattern_proof(ev->pattern, r->model) != PROOF_CYCLE ||
        !ev->cycle_count)
        return;
    evidence_naming(ev, ev->named_by, collect, &c);
    if (c.n > LONGEST || !c.n || lost_update(t, r, &c, indent))
        return;
    for (uint32_t i = 0; i < c.n; i++)
        if (c.at[i].rule == ASSAY_RW)
            missed(t, r, &c.at[(i + c.n - 1) % c.n], &c.at[i], indent);
}
