/* SPDX-License-Identifier: Apache-2.0 */
/* Which return completes a contradiction: the past is judged up to various returns. A judgement takes one pass of the
 * scan, a few more where that leaves it open, and only then all linearizations. */
#include "scan/past.h"

enum { PAST_GUESSES = 16 };

struct guesses {
    VEC(struct value) values; /* that an open operation may have returned */
};

static void guess(struct guesses *g, struct mem *m, struct value v)
{
    for (uint32_t i = 0; i < g->values.n; i++)
        if (value_same(g->values.at[i], v))
            return;
    vec_push(m, &g->values, v);
}

/* The values that the checker's report names. */
static void guess_named(struct guesses *g, const struct past_case *c, void *checker)
{
    struct mem *m = c->all->mem;
    struct online_fault f = {.why = text_in(m)};
    holdback_explain(checker, &f, m);
    for (uint32_t i = 0; i < f.ops.n; i++)
        guess(g, m, c->scan->names(&f.ops.at[i]));
    vec_free(m, &f.ops);
    mem_free(m, f.why.at);
}

static enum online_verdict verdict(const struct past_case *c, const struct past *p, const struct scan *scan,
                                   uint64_t until, const struct past_sequel *sequel, struct guesses *g)
{
    struct online_setup setup = past_setup(p, &c->setup);
    void *checker = holdback_open_apart(scan, &setup);
    enum online_verdict v = past_show(p, until, sequel, checker) ? holdback_finish(checker) : ONLINE_VIOLATION;
    if (v == ONLINE_FINE && holdback_weakened(checker))
        v = ONLINE_OPEN;
    if (g && v != ONLINE_FINE && !holdback_weakened(checker))
        guess_named(g, c, checker);
    holdback_close(checker);
    return v;
}

/* Does the scan accept a sequel? A fault of one names a value that the next operation to return may have removed. */
static bool has_sequel(const struct past_case *c, uint64_t until)
{
    struct guesses g = {0};
    bool fine = false;
    guess(&g, c->all->mem, (struct value){0});
    for (uint32_t i = 0; c->scan->names && i < c->fault->ops.n; i++)
        guess(&g, c->all->mem, c->scan->names(&c->fault->ops.at[i]));
    for (uint32_t i = 0; c->scan->names && i < g.values.n && i < PAST_GUESSES && !fine; i++)
        for (int without = 1; without >= 0 && !fine; without--) {
            struct past_sequel sequel = {.next = g.values.at[i], .without_suspects = without};
            fine = verdict(c, c->all, c->scan, until, &sequel, &g) == ONLINE_FINE;
        }
    vec_free(c->all->mem, &g.values);
    return fine;
}

struct search { /* a violation stays a violation */
    const struct past_case *of;
    VEC(uint64_t) returns;
    uint32_t fine, wrong; /* so many returns */
    bool exact;           /* it is known to be fine */
    bool too_many;        /* linearizations */
};

/* The scan leaves it open if operations are open that may have removed something. Then the named values alone may be a
 * contradiction, or a sequel may show that there is none. All linearizations come last: they are costly. If they are
 * too many once, they are not tried again. */
static enum online_verdict judge(struct search *s, uint64_t until)
{
    const struct past_case *c = s->of;
    enum online_verdict v = verdict(c, c->all, c->scan, until, NULL, NULL);
    if (v != ONLINE_OPEN || !c->setup.spec->create || c->scan == &scan_jit)
        return v;
    if (c->part && verdict(c, c->part, &scan_jit, until, NULL, NULL) == ONLINE_VIOLATION)
        return ONLINE_VIOLATION;
    if (has_sequel(c, until))
        return ONLINE_FINE;
    if (!s->too_many)
        v = verdict(c, c->all, &scan_jit, until, NULL, NULL);
    s->too_many |= v == ONLINE_OPEN;
    return v;
}

/* Are the events up to so many returns wrong? */
static bool look(struct search *s, uint32_t n)
{
    enum online_verdict v = judge(s, s->returns.at[n - 1]);
    if (v == ONLINE_VIOLATION) {
        s->wrong = n;
    } else {
        s->fine = n;
        s->exact = v == ONLINE_FINE;
    }
    return v == ONLINE_VIOLATION;
}

/* Steps from the guess backwards, twice as far each time, and then halves. */
static void narrow(struct search *s, uint32_t guess)
{
    if (!(guess && look(s, guess)) && !(guess < s->returns.n && look(s, s->returns.n)))
        return;
    for (uint32_t back = 1; s->wrong - s->fine > 1; back *= 2)
        if (!look(s, s->wrong - s->fine > back ? s->wrong - back : s->fine + 1))
            break;
    while (s->wrong - s->fine > 1)
        look(s, s->fine + (s->wrong - s->fine) / 2);
}

uint64_t past_completes(const struct past_case *c, bool *exact)
{
    struct search s = {.of = c, .exact = true};
    uint32_t guess = 0;
    for (uint32_t i = 0; i < c->all->events.n; i++) {
        if (c->all->events.at[i].returns)
            vec_push(c->all->mem, &s.returns, c->all->events.at[i].step);
        if (c->all->events.at[i].step <= c->fault->step)
            guess = s.returns.n;
    }
    narrow(&s, guess);
    uint64_t step = s.wrong ? s.returns.at[s.wrong - 1] : c->last;
    *exact = s.wrong && s.exact;
    vec_free(c->all->mem, &s.returns);
    return step;
}
