/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/figures.h"

#include "oracle/finding.h"
#include "oracle/memory/across.h"
#include "oracle/memory/compare.h"
#include "oracle/memory/draw.h"
#include "oracle/memory/history.h"
#include "oracle/memory/models.h"
#include "oracle/memory/oracle.h"
#include "oracle/memory/small.h"
#include "support/chance.h"

#include <stdbool.h>
#include <string.h>

const struct figure figures[] = {
    {"wx1 rx2|wx2 rx1", "cc cm"},
    {"wz1 wx1 wy1|wx2 rz0 ry1 rx2", "cc ccv wccm wtso tso"},
    {"wx1 wx2 ry1|wy1 wy2 ry2 rx1", "cc ccv cm wccm wtso tso"},
    {"wx1 ry0 wy1 rx1|wx2 ry0 wy2 rx2", "cc ccv cm ccm wccm wtso tso"},
    {"wx1|wy1|rx1 ry0|ry1 rx0", "cc ccv cm"},
    {"wx1 ry0|wy1 rx1", "cc ccv cm ccm wsc sc wccm wtso tso"},
    {"wx1|wx2 rx1 rx2", "cc"},
    {"wx1 wy1|ry1 wx2|rx2 rx1", ""},
    {"rz2 wy2 rx1|wx1 wy1 wz1|wt1 ws1 wz2|rz2 wx2 ry1|rz1 wt2 rs1|rz1 ws2 rt1", "cc ccv cm ccm wsc wccm wtso tso"},
    {"wz1 wy1 wx2|wx4 wf1|rf1 wy2 rz1|rf1 wz2 ry1", "cc ccv cm ccm wsc sc wccm wtso tso"},
    {"rx1 wx1", ""},
    {"wx1 wy1 wz3 wt1|wx2 wy2 wz4 wt2|rt1 wx4 wt3|rt1 wy4 wt4|rt2 wx3 wt5|rt2 wy3 wt6|rt3 ry2|rt4 "
     "rx2|rt5 ry1|rt6 rx1",
     "cc cm"},
    {"wx1 wy1 wz3 wt1|wp2 wq2 wz4 wt2|rt1 wp4 wt3|rt1 wq4 wt4|rt2 wx3 wt5|rt2 wy3 wt6|rt3 rq2|rt4 "
     "rp2|rt5 ry1|rt6 rx1",
     "cc ccv cm ccm wsc wccm wtso"},
};

void draw_figure(struct history *h, const char *text)
{
    char letters[MAX_VARS + 1] = "";
    *h = (struct history){.threads = 1, .default_init = NOTHING};
    for (const char *p = text; *p; p++) {
        if (*p == '|')
            h->threads++;
        if (*p != 'w' && *p != 'r')
            continue;
        if (!strchr(letters, p[1])) {
            letters[h->var_count] = p[1];
            h->vars[h->var_count] = (struct var){.name = NAMES + h->var_count, .init = 0, .final = NOTHING};
            h->var_count++;
        }
        int value = p[2] == '0' ? 0 : FRESH + p[2] - '0', var = (int)(strchr(letters, p[1]) - letters);
        struct op o = {
            .kind = *p == 'w' ? WRITE : READ, .thread = h->threads - 1, .var = var, .old = NOTHING, .val = NOTHING};
        *(*p == 'w' ? &o.val : &o.old) = value;
        h->ops[h->n++] = o;
        p += 2;
    }
}

static bool named(const char *list, const char *model)
{
    size_t n = strlen(model);
    for (const char *p = list; (p = strstr(p, model)); p++)
        if ((p == list || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
            return true;
    return false;
}

bool figure_verdicts[FIGURES][MODELS];

void check_figures(void)
{
    for (int f = 0; f < FIGURES; f++) {
        struct history h;
        bool *ok = figure_verdicts[f];
        draw_figure(&h, figures[f].text);
        oracle(&h, ok);
        for (int m = 0; m < PSO; m++)
            if (ok[m] != named(figures[f].holds, model_names[m]))
                finding(figures[f].text, "%s: the oracle says %s, the table does not", model_names[m],
                        verdict_word(ok[m]));
    }
}

/* Two threads become one, two operations change places, one is dropped or becomes an rmw, ... */
static void change_figure(struct history *h)
{
    int i = below(h->n);
    struct op *o = &h->ops[i];
    switch (below(8)) {
    case 0: bend_read(h); break;
    case 1: drop(h, i); break;
    case 2:
        if (i + 1 < h->n && o->thread == o[1].thread) {
            struct op swap = *o;
            *o = o[1];
            o[1] = swap;
        }
        break;
    case 3:
        if (o->kind == WRITE) {
            o->kind = RMW;
            o->old = h->vars[o->var].init;
            bend_read(h);
        }
        break;
    case 4: h->vars[o->var].final = o->val; break;
    case 5: o->pending = true; break;
    case 6:
        memmove(o + 1, o, sizeof *o * (size_t)(h->n++ - i));
        *o = (struct op){.kind = FENCE, .thread = o->thread, .old = NOTHING, .val = NOTHING};
        break;
    default:
        if (o->kind == READ)
            o->old = h->vars[o->var].init;
    }
}

static void only_last_pending(struct history *h)
{
    bool seen[MAX_THREADS] = {false};
    for (int i = h->n - 1; i >= 0; i--) {
        h->ops[i].pending = h->ops[i].pending && !seen[h->ops[i].thread];
        seen[h->ops[i].thread] = true;
    }
}

void puzzle(int forge)
{
    struct history h, start;
    int f = below(chance(10) ? FIGURES : SMALL_FIGURES);
    draw_figure(&start, figures[f].text);
    do {
        h = start;
        for (int k = below(4); k > 0 && h.n > 1; k--)
            change_figure(&h);
        only_last_pending(&h);
    } while (effort(&h) > 30000);
    if (chance(40))
        draw_after(&h, chance(50));
    check_small(&h, forge);
}
