/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/draw.h"

#include "oracle/memory/history.h"
#include "oracle/memory/machine.h"
#include "oracle/memory/oracle.h"
#include "support/chance.h"

#include <stdbool.h>
#include <stdlib.h>

void bend_read(struct history *h)
{
    int i = below(h->n), j = below(h->n);
    if (!reads(&h->ops[i]))
        return;
    h->ops[i].old = h->vars[h->ops[i].var].init;
    for (int k = 0; k < h->n; k++) {
        const struct op *w = &h->ops[(j + k) % h->n];
        if (writes(w) && w->var == h->ops[i].var && chance(70)) {
            h->ops[i].old = w->val;
            return;
        }
    }
    if (chance(5))
        h->ops[i].old = below(VALUES);
}

void make_pending(struct history *h, int percent)
{
    for (int t = 0; t < h->threads; t++)
        for (int i = h->n - 1; i >= 0; i--)
            if (h->ops[i].thread == t) {
                h->ops[i].pending = chance(percent);
                break;
            }
}

/* Values that the numbers stand for change, equal ones together: words, strings, ends of the range */
static void disguise(struct history *h)
{
    int from = h->n ? h->ops[below(h->n)].val : NOTHING, to = below(VALUES);
    if (from == NOTHING)
        return;
    for (int v = 0; v < h->var_count; v++)
        if (h->vars[v].init == to || h->vars[v].final == to)
            return;
    for (int i = 0; i < h->n; i++)
        if (h->ops[i].val == to || h->ops[i].old == to)
            return;
    for (int v = 0; v < h->var_count; v++) {
        if (h->vars[v].init == from)
            return;
        if (h->vars[v].final == from)
            h->vars[v].final = to;
    }
    for (int i = 0; i < h->n; i++) {
        if (h->ops[i].val == from)
            h->ops[i].val = to;
        if (h->ops[i].old == from)
            h->ops[i].old = to;
    }
}

static void draw_variables(struct history *h, int count)
{
    bool objects = chance(15), odd = chance(40);
    h->var_count = count;
    h->default_init = chance(10) ? below(VALUES) : NOTHING;
    for (int v = 0; v < count; v++) {
        h->vars[v] = (struct var){
            .name = v, .init = h->default_init == NOTHING ? 0 : h->default_init, .final = NOTHING};
        h->vars[v].object = objects ? 1 + below(2) : 0;
        if (count > NAMES)
            h->vars[v].name = NAMES + v;
        else if (odd)
            h->vars[v].name = (v * 5 + 3) % NAMES;
        if (chance(15)) {
            h->vars[v].named_init = true;
            h->vars[v].init = below(VALUES);
        }
        if (objects && v % 2 == 1 && chance(60)) { /* the same name in another object: the same initial value */
            h->vars[v] = h->vars[v - 1];
            h->vars[v].object = 3 - h->vars[v - 1].object;
            h->vars[v].named_init = false;
        }
    }
}

/* @final of variables, also of ones that nobody touches; not with several objects, whose variables share names */
static void draw_finals(struct history *h)
{
    if (h->vars[0].object || !chance(35))
        return;
    if (chance(30) && h->var_count < 4) {
        int v = h->var_count++;
        h->vars[v] = (struct var){
            .name = v + 7, .init = h->default_init == NOTHING ? 0 : h->default_init, .final = NOTHING};
        h->vars[v].final = chance(50) ? h->vars[v].init : below(4);
    }
    for (int v = 0; v < h->var_count; v++) {
        if (!chance(50) || h->vars[v].final != NOTHING)
            continue;
        h->vars[v].final = chance(15) ? below(4) : h->vars[v].init;
        for (int i = 0; i < h->n; i++)
            if (writes(&h->ops[i]) && h->ops[i].var == v && chance(60))
                h->vars[v].final = h->ops[i].val;
    }
}

struct memory *draw_run(struct history *h, const struct shape *s)
{
    struct memory *m = calloc(1, sizeof *m);
    if (!m)
        abort();
    m->machine = s->machine;
    *h = (struct history){.threads = s->threads};
    draw_variables(h, s->vars);
    run_machine(h, s, m);
    return m;
}

void decorate(struct history *h)
{
    draw_finals(h);
    for (int i = chance(30) ? 3 : 0; i > 0; i--)
        disguise(h);
}

void draw_small(struct history *h)
{
    do {
        struct shape s = {.ops = 1 + below(chance(30) ? 12 : 9), .threads = 1 + below(4), .vars = 1 + below(3)};
        s.alphabet = chance(35) ? 2 + below(3) : 0;
        s.rmw = chance(40) ? 20 : 0;
        s.fence = chance(30) ? 15 : 0;
        s.write = 30 + below(30);
        s.machine = (enum machine)below(5);
        free(draw_run(h, &s));
        int bends = s.machine == DICE ? h->n : chance(60) ? 1 + below(3) : 0;
        for (int i = 0; i < bends; i++)
            bend_read(h);
        if (chance(30))
            make_pending(h, 50);
        decorate(h);
    } while (effort(h) > 1500);
}
