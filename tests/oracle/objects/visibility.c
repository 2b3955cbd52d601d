/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/visibility.h"

#include "oracle/objects/history.h"
#include "oracle/objects/object.h"
#include "oracle/objects/order.h"
#include "oracle/objects/search.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define MAX_SEEN 32
#define STEPS 400000 /* calls replayed */
#define SETS 8000000 /* sets looked at, most of them without a replay */

/* Operations are bits of a word, numbered as they were called. */
struct explanation {
    const struct history *h;
    const struct axioms *axioms[MAX_SEEN];
    const struct op *op[MAX_SEEN];
    struct object start;
    int ops, length, lin[MAX_SEEN];
    uint32_t must, done, po[MAX_SEEN], hb[MAX_SEEN], before[MAX_SEEN], vis[MAX_SEEN];
    bool passed_on; /* some path leads through the visibility of others */
    long steps, sets;
};

static uint32_t predecessors(const struct explanation *x, char relation, int i)
{
    switch (relation) {
    case 'p': return x->po[i] & x->done;
    case 'h': return x->hb[i] & x->done;
    case 'l': return x->before[i];
    default: return x->vis[i];
    }
}

/* All from which the path leads to the operation. Its relations lie within lin, so they are known. */
static uint32_t demanded(const struct explanation *x, const char *path, int i)
{
    uint32_t ends = (uint32_t)1 << i;
    for (size_t k = strlen(path); k--;) {
        uint32_t from = 0;
        for (int j = 0; j < x->ops; j++)
            if (ends >> j & 1)
                from |= predecessors(x, path[k], j);
        ends = from;
    }
    return ends;
}

/* The step of a call that is seen. Of a transaction only its writes take effect: what its reads returned is a result. */
static bool seen(const struct explanation *x, const struct op *op, struct object *o)
{
    struct op call = *op;
    int result;
    for (int i = 0; x->h->kinds[op->object] == MULTI_REGISTER && i < call.arg_count; i += 3)
        if (!call.args[i])
            call.args[i + 2] = NONE;
    return step(x->h, o, &call, &result);
}

static bool returns(struct explanation *x, int i)
{
    static struct object o;
    int result;
    o = x->start;
    x->steps++;
    for (int k = 0; k < x->length; k++)
        if (x->vis[i] >> x->lin[k] & 1)
            if (!seen(x, x->op[x->lin[k]], &o))
                return false;
    return step(x->h, &o, x->op[i], &result) && result_fits(x->h, x->op[i], result);
}

static enum answer extend(struct explanation *x);

static uint32_t all_demanded(const struct explanation *x, int i)
{
    uint32_t all = 0;
    for (int a = 0; a < x->axioms[i]->count; a++)
        all |= demanded(x, x->axioms[i]->path[a], i);
    return all;
}

static enum answer append_seeing(struct explanation *x, int i)
{
    x->lin[x->length++] = i;
    x->done |= (uint32_t)1 << i;
    enum answer a = extend(x);
    x->done &= ~((uint32_t)1 << i);
    x->length--;
    return a;
}

static enum answer append(struct explanation *x, int i)
{
    uint32_t enough[64];
    int found = 0;
    x->before[i] = x->done;
    x->vis[i] = 0;
    /* A set comes behind its subsets. It is left out if a subset satisfies the axioms of the operation and Ret, too:
     * the subset asks no more of the others, as no axiom forbids to see. */
    uint32_t least = all_demanded(x, i), rest = x->done & ~least;
    for (uint32_t more = 0;; more = (more - rest) & rest) {
        bool larger = false;
        for (int k = 0; k < found && !larger; k++)
            larger = !(enough[k] & ~more);
        x->vis[i] = least | more;
        if (!larger && !(all_demanded(x, i) & ~x->vis[i]) && returns(x, i)) {
            if (found < 64)
                enough[found++] = more;
            enum answer a = append_seeing(x, i);
            if (a != NO)
                return a;
        }
        if (more == rest || (found && !x->passed_on))
            return NO;
        if (x->steps > STEPS || ++x->sets > SETS)
            return TOO_MUCH;
    }
}

static enum answer extend(struct explanation *x)
{
    if (!(x->must & ~x->done))
        return YES;
    if (x->steps > STEPS)
        return TOO_MUCH;
    for (int i = 0; i < x->ops; i++)
        if (!(x->done >> i & 1) && !(x->hb[i] & ~x->done)) {
            enum answer a = append(x, i);
            if (a != NO)
                return a;
        }
    return NO;
}

static const struct axioms *axioms_of(const struct weak_model *m, const char *method)
{
    for (int k = 0; k < m->named; k++)
        if (!strcmp(m->method[k], method))
            return &m->own[k];
    return &m->all;
}

enum answer weakly_consistent(const struct history *h, int object, const struct weak_model *m)
{
    static struct order time, program;
    struct explanation x = {.h = h};
    int number[MAX_SEEN];
    happens_before(h, true, &time);
    happens_before(h, false, &program);
    create(h, object, &x.start);
    for (int i = 0; i < h->ops; i++)
        if (h->op[i].object == object) {
            if (x.ops == MAX_SEEN)
                return TOO_MUCH;
            for (int k = 0; k < x.ops; k++) {
                x.po[x.ops] |= (uint32_t)has(program.before[i], number[k]) << k;
                x.hb[x.ops] |= (uint32_t)has(time.before[i], number[k]) << k;
            }
            number[x.ops] = i;
            x.op[x.ops] = &h->op[i];
            x.axioms[x.ops] = axioms_of(m, h->op[i].name);
            for (int a = 0; a < x.axioms[x.ops]->count; a++)
                x.passed_on = x.passed_on || strchr(x.axioms[x.ops]->path[a], 'v');
            x.must |= (uint32_t)!h->op[i].pending << x.ops;
            x.ops++;
        }
    return extend(&x);
}
