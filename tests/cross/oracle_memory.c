/* SPDX-License-Identifier: Apache-2.0 */
/* An oracle for the memory models, written from their definitions without knowledge of the engines.
 *
 * Small random histories are judged by brute force: every subset of the pending operations that may have happened, every
 * choice of sources, every store order. Every engine, the grading, other spellings of the same history and every piece of
 * evidence must agree; forged evidence may be accepted only where what it claims is true. Histories too large for brute
 * force come from simulated memories, so that some verdicts are known, and must obey laws: the ladder of models, and changes
 * that change nothing. Uses the public interface only.
 *
 *   oracle_memory [--quick|--long] [--seed N] [--count N] [--large N] [--forge N] */
#define _POSIX_C_SOURCE 200809L
#include "assay.h"
#include "support/tier.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- Random numbers ---- */

static uint64_t rng_state;

static uint64_t rng(void)
{
    uint64_t z = rng_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static int below(int n)
{
    return n > 0 ? (int)(rng() % (uint64_t)n) : 0;
}

static bool chance(int percent)
{
    return below(100) < percent;
}

/* ---- Abstract histories ---- */

enum { MAX_OPS = 400, MAX_VARS = 24, MAX_THREADS = 24, SMALL_NODES = 48 };
enum kind { READ, WRITE, RMW, FENCE };
enum { NOTHING = -1, FRESH = 1000 }; /* values from FRESH on are the integers of this number */

struct op {
    enum kind kind;
    int thread, var;
    int old, val; /* read, written */
    bool pending;
};

struct var {
    int name, object;
    int init, final; /* values; final NOTHING: not said */
    bool named_init; /* the header says it, even if it is the default */
};

struct history {
    struct op ops[MAX_OPS];
    int n, threads;
    struct var vars[MAX_VARS];
    int var_count;
    int default_init; /* NOTHING: none is declared */
};

/* Two spellings each; the values of different rows differ. */
static const char *const values[][2] = {
    {"0", "0x0"},
    {"1", "0x1"},
    {"2", "02"},
    {"16", "0x10"},
    {"-1", "0xffffffffffffffff"},
    {"9223372036854775807", "0x7fffffffffffffff"},
    {"-9223372036854775808", "0x8000000000000000"},
    {"a", "a"},
    {"\"a\"", "\"\\u0061\""},
    {"\"1\"", "\"1\""},
    {"nil", "nil"},
    {"\"\"", "\"\""},
    {"\"a b\"", "\"a\\u0020b\""},
    {"true", "true"},
    {"a.b-c", "a.b-c"},
    {"\"\\u00e9\\n\"", "\"\xc3\xa9\\n\""},
    {"\"0x10\"", "\"0x10\""},
    {"empty", "empty"},
};
enum { VALUES = sizeof values / sizeof values[0] };

static const char *const names[][2] = {
    {"x", "x"},
    {"y", "y"},
    {"z", "z"},
    {"17", "0x11"},
    {"\"x\"", "\"\\u0078\""},
    {"\"x y\"", "\"x y\""},
    {"-5", "-05"},
    {"k-17", "k-17"},
    {"0", "0x0"},
    {"\"17\"", "\"17\""},
    {"nil", "nil"},
    {"x.y", "x.y"},
};
enum { NAMES = sizeof names / sizeof names[0] };

static bool reads(const struct op *o)
{
    return o->kind == READ || o->kind == RMW;
}

static bool writes(const struct op *o)
{
    return o->kind == WRITE || o->kind == RMW;
}

/* ---- The oracle: relations over at most 64 nodes ---- */

typedef struct {
    uint64_t row[SMALL_NODES];
} rel;

struct execution { /* what happened, with sources chosen */
    const struct history *h;
    int n, inits;            /* nodes; the first `inits` are initial writes, one per variable */
    int op[SMALL_NODES];     /* NOTHING: initial */
    int source[SMALL_NODES]; /* node; NOTHING: it does not read */
    rel po, ppo, pso, loc, wr, wr_e;
};

enum { CC, CCV, CM, CCM, WSC, SC, WCCM, WTSO, TSO, PSO, MODELS };
static const char *const model_names[MODELS] = {"cc", "ccv", "cm", "ccm", "wsc", "sc", "wccm", "wtso", "tso", "pso"};

static bool has(const rel *r, int a, int b)
{
    return r->row[a] >> b & 1;
}

static bool put(rel *r, int a, int b)
{
    bool fresh = !has(r, a, b);
    r->row[a] |= (uint64_t)1 << b;
    return fresh;
}

static void merge(rel *to, const rel *from)
{
    for (int i = 0; i < SMALL_NODES; i++)
        to->row[i] |= from->row[i];
}

static void closure(rel *r, int n)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            if (has(r, i, k))
                r->row[i] |= r->row[k];
}

static bool irreflexive(const rel *r, int n)
{
    for (int i = 0; i < n; i++)
        if (has(r, i, i))
            return false;
    return true;
}

static bool acyclic(rel r, int n)
{
    closure(&r, n);
    return irreflexive(&r, n);
}

static int var_of(const struct execution *x, int a)
{
    return a < x->inits ? a : x->h->ops[x->op[a]].var;
}

static bool node_writes(const struct execution *x, int a)
{
    return a < x->inits || writes(&x->h->ops[x->op[a]]);
}

static int value_of(const struct execution *x, int a) /* written */
{
    return a < x->inits ? x->h->vars[a].init : x->h->ops[x->op[a]].val;
}

static bool same_var(const struct execution *x, int a, int b)
{
    return var_of(x, a) == var_of(x, b);
}

static bool rival_writes(const struct execution *x, int a, int b)
{
    return a != b && node_writes(x, a) && node_writes(x, b) && same_var(x, a, b);
}

static rel pairs_of_writes(const struct execution *x, const rel *r)
{
    rel out = {{0}};
    for (int a = 0; a < x->n; a++)
        for (int b = 0; b < x->n; b++)
            if (has(r, a, b) && node_writes(x, a) && node_writes(x, b) && same_var(x, a, b))
                put(&out, a, b);
    return out;
}

/* rw[R]: a read before the writes that R puts behind its source */
static rel rw(const struct execution *x, const rel *r)
{
    rel out = {{0}};
    for (int a = 0; a < x->n; a++)
        for (int w = 0; w < x->n && x->source[a] >= 0; w++)
            if (w != a && rival_writes(x, x->source[a], w) && has(r, x->source[a], w))
                put(&out, a, w);
    return out;
}

static bool external(const struct execution *x, int read)
{
    int s = x->source[read];
    return s >= x->inits && x->h->ops[x->op[s]].thread != x->h->ops[x->op[read]].thread;
}

/* cf[R]: a write that R puts before a read, before that read's source */
static rel cf(const struct execution *x, const rel *r, bool external_only)
{
    rel out = {{0}};
    for (int a = 0; a < x->n; a++)
        for (int w = 0; w < x->n && x->source[a] >= 0; w++)
            if (rival_writes(x, w, x->source[a]) && has(r, w, a) && (!external_only || external(x, a)))
                put(&out, w, x->source[a]);
    return out;
}

static bool fence_between(const struct history *h, int a, int b)
{
    for (int i = a + 1; i < b; i++)
        if (h->ops[i].kind == FENCE && h->ops[i].thread == h->ops[a].thread)
            return true;
    return false;
}

/* Operations of one thread stand in program order in h->ops. */
static void order_pair(struct execution *x, int a, int b)
{
    const struct op *p = &x->h->ops[x->op[a]], *q = &x->h->ops[x->op[b]];
    if (p->thread != q->thread)
        return;
    bool fenced = fence_between(x->h, x->op[a], x->op[b]);
    put(&x->po, a, b);
    if (fenced || !(p->kind == WRITE && q->kind == READ))
        put(&x->ppo, a, b);
    if (fenced || !(p->kind == WRITE && (q->kind == READ || (q->kind == WRITE && p->var != q->var))))
        put(&x->pso, a, b);
    if (p->var == q->var)
        put(&x->loc, a, b);
}

static void orders(struct execution *x)
{
    for (int a = 0; a < x->inits; a++)
        for (int b = x->inits; b < x->n; b++) {
            put(&x->po, a, b);
            if (node_writes(x, b)) {
                put(&x->ppo, a, b);
                put(&x->pso, a, b);
            }
            if (same_var(x, a, b))
                put(&x->loc, a, b);
        }
    for (int a = x->inits; a < x->n; a++)
        for (int b = a + 1; b < x->n; b++)
            order_pair(x, a, b);
    closure(&x->ppo, x->n); /* an rmw is ordered with all before and after it, hence these with each other */
    closure(&x->pso, x->n);
}

static void sources_to_relations(struct execution *x)
{
    memset(&x->wr, 0, sizeof x->wr);
    memset(&x->wr_e, 0, sizeof x->wr_e);
    for (int a = x->inits; a < x->n; a++)
        if (x->source[a] >= 0) {
            put(&x->wr, x->source[a], a);
            if (external(x, a))
                put(&x->wr_e, x->source[a], a);
        }
}

static rel causal(const struct execution *x, const rel *pi, const rel *wr)
{
    rel co = *pi;
    merge(&co, wr);
    closure(&co, x->n);
    return co;
}

static bool is_cc(const struct execution *x, const rel *co)
{
    rel after = rw(x, co);
    for (int r = 0; r < x->n; r++)
        for (int w = 0; w < x->n; w++)
            if (has(&after, r, w) && has(co, w, r))
                return false;
    return irreflexive(co, x->n);
}

static bool is_ccv(const struct execution *x, const rel *co)
{
    rel g = cf(x, co, false);
    merge(&g, &x->po);
    merge(&g, &x->wr);
    return acyclic(g, x->n);
}

/* hb_o for program order pi and causal order co */
static rel hb_of(const struct execution *x, int o, const rel *pi, const rel *co)
{
    uint64_t past = (uint64_t)1 << o;
    for (int a = 0; a < x->n; a++)
        past |= (uint64_t)has(co, a, o) << a;
    rel hb = {{0}};
    for (int a = 0; a < x->n; a++)
        if (past >> a & 1)
            hb.row[a] = co->row[a] & past;
    for (bool more = true; more;) {
        more = false;
        closure(&hb, x->n);
        for (int r = 0; r < x->n; r++)
            for (int w = 0; w < x->n && x->source[r] >= 0 && (r == o || has(pi, r, o)); w++)
                if (has(&hb, w, r) && rival_writes(x, w, x->source[r]))
                    more |= put(&hb, w, x->source[r]);
    }
    return hb;
}

static bool is_cm(const struct execution *x, const rel *co)
{
    for (int o = x->inits; o < x->n; o++) {
        rel hb = hb_of(x, o, &x->po, co);
        if (!irreflexive(&hb, x->n))
            return false;
    }
    return true;
}

static rel observed(const struct execution *x, const rel *pi, const rel *co)
{
    rel hb = {{0}};
    for (int o = 0; o < x->n; o++) {
        rel one = hb_of(x, o, pi, co);
        merge(&hb, &one);
    }
    closure(&hb, x->n);
    return hb;
}

/* pi, wr, the store order and what it puts behind reads */
static bool fits(const struct execution *x, const rel *pi, const rel *wr, const rel *ww)
{
    rel g = rw(x, ww);
    merge(&g, pi);
    merge(&g, wr);
    merge(&g, ww);
    return acyclic(g, x->n);
}

static rel pww_of(const struct execution *x, const rel *co)
{
    rel hb = observed(x, &x->po, co), pww = pairs_of_writes(x, &hb), won = cf(x, &hb, false);
    merge(&pww, &won);
    closure(&pww, x->n);
    return pww;
}

static bool is_ccm(const struct execution *x, const rel *co)
{
    rel pww = pww_of(x, co);
    return fits(x, &x->po, &x->wr, &pww);
}

static bool is_wccm(const struct execution *x)
{
    rel co1 = causal(x, &x->ppo, &x->wr_e), co2 = causal(x, &x->loc, &x->wr);
    rel hb1 = observed(x, &x->ppo, &co1), hb2 = observed(x, &x->loc, &co2), whb = hb1;
    merge(&whb, &hb2);
    closure(&whb, x->n);
    rel wpww = pairs_of_writes(x, &whb), won1 = cf(x, &hb1, true), won2 = cf(x, &hb2, true);
    merge(&wpww, &won1);
    merge(&wpww, &won2);
    closure(&wpww, x->n);
    return fits(x, &x->ppo, &x->wr_e, &wpww) && fits(x, &x->loc, &x->wr, &wpww);
}

/* Least fixpoint of one store order over one or two graphs (wsc, wtso) */
static bool saturated(const struct execution *x, const rel *pi1, const rel *wr1, const rel *pi2, const rel *wr2,
                      rel *store)
{
    *store = (rel){{0}};
    for (;;) {
        rel st = *store, next = st, after = rw(x, &st);
        for (int side = 0; side < 2; side++) {
            rel hb = side ? *pi2 : *pi1;
            merge(&hb, side ? wr2 : wr1);
            merge(&hb, &st);
            merge(&hb, &after);
            closure(&hb, x->n);
            if (!irreflexive(&hb, x->n))
                return false;
            rel ww = pairs_of_writes(x, &hb), won = cf(x, &hb, false);
            merge(&next, &ww);
            merge(&next, &won);
        }
        closure(&next, x->n);
        if (!memcmp(&next, &st, sizeof st))
            return true;
        *store = next;
    }
}

static bool final_fits(const struct execution *x, int v, int last)
{
    return x->h->vars[v].final == NOTHING || x->h->vars[v].final == value_of(x, last);
}

/* All store orders that @final allows, variable by variable, write by write, until the visitor has seen enough. `placed` are
 * the writes already in the order of variable v. */
typedef bool visit(const struct execution *x, const rel *ww, void *context);

static bool each_store_order(const struct execution *x, int v, uint64_t placed, int last, const rel *ww, visit *f,
                             void *context)
{
    if (v == x->inits)
        return f(x, ww, context);
    bool complete = true;
    for (int w = x->inits; w < x->n; w++) {
        if (var_of(x, w) != v || !node_writes(x, w) || placed >> w & 1)
            continue;
        complete = false;
        rel longer = *ww;
        uint64_t before = placed | (uint64_t)1 << v;
        for (int a = 0; a < x->n; a++)
            if (before >> a & 1)
                put(&longer, a, w);
        if (each_store_order(x, v, placed | (uint64_t)1 << w, w, &longer, f, context))
            return true;
    }
    return complete && final_fits(x, v, last) && each_store_order(x, v + 1, 0, v + 1, ww, f, context);
}

static bool judge_order(const struct execution *x, const rel *ww, void *context)
{
    bool *ok = context, loc = fits(x, &x->loc, &x->wr, ww);
    ok[SC] = ok[SC] || fits(x, &x->po, &x->wr, ww);
    ok[TSO] = ok[TSO] || (loc && fits(x, &x->ppo, &x->wr_e, ww));
    ok[PSO] = ok[PSO] || (loc && fits(x, &x->pso, &x->wr_e, ww));
    return ok[SC] && ok[TSO] && ok[PSO];
}

static void judge(struct execution *x, bool ok[MODELS])
{
    sources_to_relations(x);
    rel co = causal(x, &x->po, &x->wr), ww = {{0}}, st;
    bool cc = is_cc(x, &co);
    ok[CC] = ok[CC] || cc;
    ok[CCV] = ok[CCV] || (cc && is_ccv(x, &co));
    ok[CM] = ok[CM] || (cc && is_cm(x, &co));
    ok[CCM] = ok[CCM] || is_ccm(x, &co);
    ok[WCCM] = ok[WCCM] || is_wccm(x);
    ok[WSC] = ok[WSC] || saturated(x, &x->po, &x->wr, &x->po, &x->wr, &st);
    ok[WTSO] = ok[WTSO] || saturated(x, &x->ppo, &x->wr_e, &x->loc, &x->wr, &st);
    each_store_order(x, 0, 0, 0, &ww, judge_order, ok);
}

static void each_source(struct execution *x, int a, bool ok[MODELS])
{
    while (a < x->n && (a < x->inits || !reads(&x->h->ops[x->op[a]])))
        x->source[a++] = NOTHING;
    if (a == x->n) {
        judge(x, ok);
        return;
    }
    for (int w = 0; w < x->n; w++)
        if (w != a && node_writes(x, w) && same_var(x, a, w) && value_of(x, w) == x->h->ops[x->op[a]].old) {
            x->source[a] = w;
            each_source(x, a + 1, ok);
        }
}

/* The operations that took part: the completed ones, and of the pending writes those in `set` */
static struct execution take_part(const struct history *h, int set)
{
    struct execution x = {.h = h, .n = h->var_count, .inits = h->var_count};
    for (int v = 0; v < h->var_count; v++)
        x.op[v] = NOTHING;
    for (int i = 0, p = 0; i < h->n; i++) {
        bool left_out = h->ops[i].pending;
        if (left_out && writes(&h->ops[i]))
            left_out = !(set >> p++ & 1);
        if (!left_out && h->ops[i].kind != FENCE)
            x.op[x.n++] = i;
    }
    orders(&x);
    return x;
}

/* Which models hold, for some set of pending operations that happened and some choice of sources */
static void oracle(const struct history *h, bool ok[MODELS])
{
    int count = 0;
    memset(ok, 0, MODELS * sizeof *ok);
    for (int i = 0; i < h->n; i++)
        count += h->ops[i].pending && writes(&h->ops[i]);
    for (int set = 0; set < 1 << count; set++) {
        struct execution x = take_part(h, set);
        each_source(&x, 0, ok);
    }
}

/* How much work the oracle would have: choices of sources times store orders */
static double effort(const struct history *h)
{
    double e = 1;
    for (int i = 0; i < h->n; i++) {
        int sources = h->ops[i].kind != FENCE && h->vars[h->ops[i].var].init == h->ops[i].old, rank = 1;
        for (int j = 0; j < h->n; j++)
            if (writes(&h->ops[j]) && h->ops[j].var == h->ops[i].var) {
                sources += h->ops[j].val == h->ops[i].old;
                rank += j < i;
            }
        if (reads(&h->ops[i]) && sources > 1)
            e *= sources;
        if (writes(&h->ops[i]))
            e *= rank * (h->ops[i].pending ? 2 : 1);
    }
    return e;
}

/* No value twice among the writes of a variable, pending ones and the initial one included */
static bool unique_values(const struct history *h)
{
    for (int i = 0; i < h->n; i++)
        for (int j = 0; j < i && writes(&h->ops[i]); j++)
            if (writes(&h->ops[j]) && h->ops[j].var == h->ops[i].var && h->ops[j].val == h->ops[i].val)
                return false;
    for (int i = 0; i < h->n; i++)
        if (writes(&h->ops[i]) && h->ops[i].val == h->vars[h->ops[i].var].init)
            return false;
    return true;
}

static bool pending_writes(const struct history *h)
{
    for (int i = 0; i < h->n; i++)
        if (h->ops[i].pending && writes(&h->ops[i]))
            return true;
    return false;
}

/* ---- Writing a history as text ---- */

struct text {
    char *bytes;
    size_t size, room;
};

static void say(struct text *t, const char *format, ...)
{
    va_list args;
    for (;;) {
        va_start(args, format);
        int n = vsnprintf(t->bytes + t->size, t->room - t->size, format, args);
        va_end(args);
        if (t->size + (size_t)n < t->room) {
            t->size += (size_t)n;
            return;
        }
        t->room = 2 * t->room + (size_t)n + 64;
        t->bytes = realloc(t->bytes, t->room);
        if (!t->bytes)
            abort();
    }
}

enum times { NO_TIMES, TIMES, AFTER, EVENTS };
struct style {
    bool respell; /* use the second spellings now and then */
    enum times times;
    bool shuffle;       /* interleave the lines of the threads at random */
    const char *thread; /* how threads are called */
    int salt;           /* their numbers start here */
    bool crlf, comments, bare_headers;
};

static const char *spelling(const char *const pair[2], const struct style *s)
{
    return pair[s->respell && chance(50)];
}

static void say_value(struct text *t, int v, const struct style *s)
{
    if (v >= FRESH)
        say(t, s->respell && chance(20) ? "0x%x" : "%d", v);
    else
        say(t, "%s", spelling(values[v], s));
}

static void say_name(struct text *t, const struct history *h, int var, const struct style *s)
{
    int name = h->vars[var].name;
    if (name >= NAMES)
        say(t, "v%d", name);
    else
        say(t, "%s", spelling(names[name], s));
}

static const char *line_end(const struct style *s)
{
    return s->crlf ? "\r\n" : "\n";
}

static void end_operation(struct text *t, const struct style *s)
{
    say(t, "%s%s", s->comments && chance(30) ? "  # write(x, 7)" : "", line_end(s));
    if (s->comments && chance(20))
        say(t, "%s%s", chance(50) ? "" : "# t0: read(x) => 9", line_end(s));
}

static void say_thread(struct text *t, int thread, const struct style *s)
{
    char name[32];
    snprintf(name, sizeof name, s->thread, thread + s->salt);
    say(t, "%s", name);
}

static const char *header(const struct style *s, const char *with_hash)
{
    return with_hash + (s->bare_headers ? 2 : 0);
}

static void say_headers(struct text *t, const struct history *h, const struct style *s)
{
    if (chance(50))
        say(t, "%s memory%s", header(s, "# @object"), line_end(s));
    if (h->default_init != NOTHING) {
        say(t, "%s ", header(s, "# @init"));
        say_value(t, h->default_init, s);
        say(t, "%s", line_end(s));
    }
    for (int v = 0; v < h->var_count; v++) {
        if (h->vars[v].named_init) {
            say(t, "%s ", header(s, "# @init"));
            say_name(t, h, v, s);
            say(t, "=");
            say_value(t, h->vars[v].init, s);
            say(t, "%s", line_end(s));
        }
        if (h->vars[v].final != NOTHING) {
            say(t, "%s ", header(s, "# @final"));
            say_name(t, h, v, s);
            say(t, "=");
            say_value(t, h->vars[v].final, s);
            say(t, "%s", line_end(s));
        }
    }
    if (s->times == EVENTS)
        say(t, "%s thread%s", header(s, "# @ids"), line_end(s));
}

static void say_call(struct text *t, const struct history *h, int i, const struct style *s)
{
    static const char *const methods[] = {"read", "write", "rmw", "fence"};
    static const char *const objects[] = {"", "a.", "b."};
    const struct op *o = &h->ops[i];
    if (o->kind == FENCE && chance(30)) {
        say(t, "fence");
        return;
    }
    say(t, "%s%s(", o->kind == FENCE ? "" : objects[h->vars[o->var].object], methods[o->kind]);
    if (o->kind != FENCE)
        say_name(t, h, o->var, s);
    if (o->kind == RMW) {
        say(t, ", ");
        say_value(t, o->old, s);
    }
    if (writes(o)) {
        say(t, ", ");
        say_value(t, o->val, s);
    }
    say(t, ")");
}

/* Calls and returns of all operations in one order that respects program order: event 2i is the call of operation i,
 * 2i + 1 its return. */
static int event_order(const struct history *h, int events[2 * MAX_OPS])
{
    int next[MAX_THREADS], n = 0;
    bool open[MAX_THREADS] = {false};
    for (int t = 0; t < h->threads; t++)
        next[t] = 0;
    for (int left = h->n; left > 0;) {
        int t = below(h->threads);
        while (next[t] < h->n && h->ops[next[t]].thread != t)
            next[t]++;
        if (next[t] == h->n)
            continue;
        int i = next[t];
        events[n++] = 2 * i + open[t];
        if (open[t] || h->ops[i].pending) {
            next[t]++;
            left--;
            open[t] = false;
        } else {
            open[t] = true;
        }
    }
    return n;
}

static void say_events(struct text *t, const struct history *h, const struct style *s, const int *events, int n)
{
    for (int k = 0; k < n; k++) {
        int i = events[k] / 2;
        say(t, "[");
        say_thread(t, h->ops[i].thread, s);
        say(t, "] %s", events[k] % 2 ? "return" : "call ");
        if (events[k] % 2 == 0)
            say_call(t, h, i, s);
        else if (h->ops[i].kind == READ) {
            say(t, " ");
            say_value(t, h->ops[i].old, s);
        }
        end_operation(t, s);
    }
}

static void say_after(struct text *t, const struct history *h, const struct style *s, const int *events, int call)
{
    int returned[MAX_THREADS] = {0};
    for (int k = 0; k < call; k++)
        returned[h->ops[events[k] / 2].thread] += events[k] % 2;
    say(t, " @ after");
    for (int u = 0; u < h->threads; u++)
        if (returned[u] && chance(60)) {
            say(t, " ");
            say_thread(t, u, s);
            say(t, ":%d", returned[u]);
        }
}

static void say_operation(struct text *t, const struct history *h, int i, const struct style *s, const int *events,
                          const int64_t *times, int n)
{
    const struct op *o = &h->ops[i];
    int call = 0, ret = NOTHING;
    for (int k = 0; k < n; k++) {
        if (events[k] == 2 * i)
            call = k;
        if (events[k] == 2 * i + 1)
            ret = k;
    }
    say_thread(t, o->thread, s);
    say(t, ": ");
    say_call(t, h, i, s);
    if (o->kind == READ && !o->pending) {
        say(t, " => ");
        say_value(t, o->old, s);
    }
    if (o->pending && (s->times != TIMES || chance(50)))
        say(t, " => ?");
    if (s->times == TIMES) {
        say(t, " @ %" PRId64 "..", times[call]);
        if (ret >= 0)
            say(t, "%" PRId64, times[ret]);
    }
    if (s->times == AFTER && chance(70))
        say_after(t, h, s, events, call);
    end_operation(t, s);
}

/* Times that never decrease, with ties, sometimes at the ends of the range */
static void draw_times(int64_t *times, int n)
{
    static const int64_t starts[] = {0, 0, 1000000007, -1000, INT64_MIN, INT64_MAX - 4 * MAX_OPS};
    int64_t now = starts[below(6)];
    for (int k = 0; k < n; k++)
        times[k] = now += below(3);
}

static void say_operations(struct text *t, const struct history *h, const struct style *s)
{
    int events[2 * MAX_OPS], n = event_order(h, events);
    int64_t times[2 * MAX_OPS];
    draw_times(times, n);
    if (s->times == EVENTS) {
        say_events(t, h, s, events, n);
        return;
    }
    for (int k = 0; k < (s->shuffle ? n : h->n); k++) {
        if (!s->shuffle)
            say_operation(t, h, k, s, events, times, n);
        else if (events[k] % 2 == 0)
            say_operation(t, h, events[k] / 2, s, events, times, n);
    }
}

static struct style any_style(void)
{
    struct style s = {.shuffle = chance(50), .crlf = chance(5), .respell = chance(40)};
    int times = below(10);
    s.times = times == 0 ? TIMES : times == 1 ? AFTER : times == 2 ? EVENTS : NO_TIMES;
    static const char *const threads[] = {"t%d", "t%d", "t%d", "%d", "client-%d.a", "\xc3\xa9%d", "read%d"};
    s.thread = threads[below(7)];
    s.salt = chance(20) ? below(30) : 0;
    s.comments = chance(10);
    s.bare_headers = chance(10);
    return s;
}

static char *history_text(const struct history *h, struct style s)
{
    struct text t = {0};
    say(&t, "%s", "");
    say_headers(&t, h, &s);
    say_operations(&t, h, &s);
    return t.bytes;
}

/* ---- Findings and counts ---- */

static struct {
    uint64_t histories, large, verdicts, engine_verdicts, not_applicable, undecided, proofs, rechecked, unconfirmed,
        forms, gradings, forged, forged_accepted, laws, kernels, cuts;
    int findings;
} counts;
enum { MAX_FINDINGS = 25 };

/* One disagreement of a history is enough. */
static void finding(const char *text, const char *format, ...)
{
    static char last[4096];
    va_list args;
    if (text && !strncmp(last, text, sizeof last - 1))
        return;
    snprintf(last, sizeof last, "%s", text ? text : "");
    printf("DISAGREEMENT %d: ", ++counts.findings);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n%s\n", text ? text : "");
    fflush(stdout);
}

/* ---- Calls of the library ---- */

static assay_history *parse(const char *text, const char *format)
{
    assay_error e = {0};
    assay_reader *r = assay_reader_open_memory("text", text, strlen(text), format, &e);
    assay_history *h = r ? assay_reader_next(r, &e) : NULL;
    if (!h)
        finding(text, "not read as %s: line %d: %s", format, (int)e.line, e.message);
    assay_reader_close(r);
    return h;
}

static char *evidence_line(const assay_result *r)
{
    char *line = NULL;
    size_t size;
    FILE *f = open_memstream(&line, &size);
    bool ok = f && assay_result_write_evidence(r, 0, f);
    if (f)
        fclose(f);
    if (!ok) {
        free(line);
        return NULL;
    }
    return line;
}

static const char *verdict_word(bool consistent)
{
    return consistent ? "consistent" : "violation";
}

static bool recheck(const assay_history *h, const char *line, assay_error *e)
{
    uint32_t index;
    bool searched;
    *e = (assay_error){0};
    return assay_recheck_with(h, line, NULL, &index, &searched, e);
}

/* The proof of a right verdict must be accepted. The line goes to *keep, if there is room. */
static void confirm(const assay_history *h, const assay_result *r, const char *text, const char *engine, char **keep)
{
    if (!assay_result_proved(r))
        return;
    char *line = evidence_line(r);
    assay_error e;
    counts.proofs++;
    if (!line)
        finding(text, "%s by %s: no evidence could be written", assay_result_model(r), engine);
    else if (recheck(h, line, &e))
        counts.rechecked++;
    else if (assay_history_size(h) > 16 && strstr(line, "NoSources") && strstr(e.message, "given up"))
        counts.unconfirmed++; /* a search again, with a bound that docs/evidence.md names */
    else
        finding(text, "%s by %s: the proof is refused: %s\n%s", assay_result_model(r), engine, e.message, line);
    if (keep && !*keep)
        *keep = line;
    else
        free(line);
}

/* May the model be called not applicable? */
static bool may_decline(const struct history *h, int m)
{
    bool choice = m == CC || m == CCV || m == CM || m == SC || m == TSO || m == PSO;
    return !unique_values(h) && !choice;
}

static void compare(const struct history *h, const assay_history *a, const char *text, int m, bool expected,
                    const char *engine, const assay_options *o, char **keep)
{
    assay_error e = {0};
    assay_result *r = assay_check(a, model_names[m], o, &e);
    if (!r) {
        bool excused = e.code == ASSAY_ERROR_MISSING ||
                       (e.code == ASSAY_ERROR_NOT_APPLICABLE && (engine || may_decline(h, m)));
        if (engine && e.code == ASSAY_ERROR_USAGE)
            excused = true;
        if (!excused)
            finding(text, "%s by %s: error %d: %s", model_names[m], engine ? engine : "default", e.code, e.message);
        counts.not_applicable += !engine;
        return;
    }
    assay_verdict v = assay_result_verdict(r);
    if (v == ASSAY_UNDECIDED) {
        counts.undecided++;
        if (!engine)
            finding(text, "%s: undecided: %s", model_names[m], assay_result_undecided(r));
    } else {
        engine ? counts.engine_verdicts++ : counts.verdicts++;
        if ((v == ASSAY_CONSISTENT) != expected)
            finding(text, "%s by %s (%s): %s, the definition says %s", model_names[m], engine ? engine : "default",
                    assay_result_engine(r), assay_verdict_name(v), verdict_word(expected));
        confirm(a, r, text, assay_result_engine(r), keep);
        if (v == ASSAY_CONSISTENT && o->evidence && !engine && !assay_result_proved(r))
            finding(text, "%s: no proof although one was asked for", model_names[m]);
    }
    assay_result_free(r);
}

/* The same history built by calls; NULL where a value is a string, for which the text is enough */
static bool plain_value(int v, assay_value *out)
{
    const char *text = v < FRESH ? values[v][0] : NULL;
    if (!text)
        *out = assay_int(v);
    else if (*text == '-' || (*text >= '0' && *text <= '9'))
        *out = assay_int(strtoll(text, NULL, 10));
    else
        *out = assay_word(text);
    return !text || *text != '"';
}

static bool add_call(assay_history *a, const struct history *h, const struct op *o, assay_error *e)
{
    static const char *const methods[] = {"read", "write", "rmw", "fence"};
    char thread[16], name[16];
    snprintf(thread, sizeof thread, "t%d", o->thread);
    snprintf(name, sizeof name, "w%d", h->vars[o->var].name);
    assay_value args[3] = {assay_word(name)}, result = {0};
    bool ok = (!reads(o) || plain_value(o->old, o->kind == RMW ? &args[1] : &result)) &&
              (!writes(o) || plain_value(o->val, &args[o->kind == RMW ? 2 : 1]));
    assay_operation op = {.thread = thread, .method = methods[o->kind], .args = args, .pending = o->pending};
    op.arg_count = o->kind == FENCE ? 0 : o->kind == READ ? 1 : o->kind == WRITE ? 2 : 3;
    op.result = o->pending ? (assay_value){0} : result;
    return ok && assay_history_add(a, &op, e) != ASSAY_NO_OPERATION;
}

static bool set_value(assay_history *a, const char *key, const struct var *v, int value, assay_error *e)
{
    char text[80];
    if (value >= FRESH)
        snprintf(text, sizeof text, "w%d=%d", v->name, value);
    else
        snprintf(text, sizeof text, "w%d=%s", v->name, values[value][0]);
    return assay_history_set(a, key, text, e);
}

static assay_history *build(const struct history *h, assay_error *e)
{
    assay_history *a = assay_history_new();
    bool ok = a && !h->vars[0].object;
    for (int v = 0; ok && v < h->var_count; v++) {
        ok = set_value(a, "init", &h->vars[v], h->vars[v].init, e);
        if (ok && h->vars[v].final != NOTHING)
            ok = set_value(a, "final", &h->vars[v], h->vars[v].final, e);
    }
    for (int i = 0; ok && i < h->n; i++)
        ok = add_call(a, h, &h->ops[i], e);
    if (ok)
        return a;
    assay_history_free(a);
    return NULL;
}

/* ---- Engines ---- */

enum { MAX_ENGINES = 80 };
static char engines[MAX_ENGINES][64];
static int engine_count;

static void add_engine(const char *name, const char *variant)
{
    if (engine_count < MAX_ENGINES)
        snprintf(engines[engine_count++], 64, "%s%s%s", name, variant && *variant != '+' ? ":" : "",
                 variant ? variant : "");
}

static void find_engines(void)
{
    static const char *const others[] = {"fast-", "exchanger", "wgl",       "weak-",
                                         "jit",   "symbolic",  "enumerate", "saturate+r"};
    for (size_t i = 0; i < assay_family_size(ASSAY_ENGINES); i++) {
        assay_member m = assay_family_member(ASSAY_ENGINES, i);
        bool memory = true;
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            memory = memory && strncmp(m.name, others[k], strlen(others[k]));
        if (!memory)
            continue;
        add_engine(m.name, NULL);
        for (size_t k = 0; m.variants && m.variants[k]; k++)
            add_engine(m.name, m.variants[k]);
    }
}

/* ---- Small histories ---- */

enum machine { DICE, SEQUENTIAL, BUFFERS, PARTIAL, REPLICAS };

struct memory { /* a simulated memory; values per variable */
    enum machine machine;
    int store[MAX_VARS];
    int queue[MAX_THREADS][MAX_OPS][2], queued[MAX_THREADS]; /* store buffers: variable, value */
    int seen[MAX_THREADS][MAX_VARS];                         /* replicas */
    struct {
        int var, val, from, needs[MAX_THREADS];
    } sent[MAX_OPS];
    int sent_count, sent_by[MAX_THREADS];
    int got[MAX_THREADS][MAX_THREADS]; /* replica t has applied so many messages of u */
};

static void flush_one(struct memory *m, int t, int k)
{
    m->store[m->queue[t][k][0]] = m->queue[t][k][1];
    m->queued[t]--;
    memmove(m->queue[t][k], m->queue[t][k + 1], sizeof m->queue[t][0] * (size_t)(m->queued[t] - k));
}

static void flush_some(struct memory *m, int threads)
{
    for (int i = below(3); i > 0; i--) {
        int t = below(threads);
        if (!m->queued[t])
            continue;
        int k = m->machine == PARTIAL ? below(m->queued[t]) : 0;
        for (int j = 0; j < k; j++) /* writes of one variable stay in order */
            if (m->queue[t][j][0] == m->queue[t][k][0])
                k = j;
        flush_one(m, t, k);
    }
}

static void flush_all(struct memory *m, int t)
{
    while (m->queued[t])
        flush_one(m, t, 0);
}

static void deliver_some(struct memory *m, int threads)
{
    for (int i = below(4); i > 0 && m->sent_count; i--) {
        int t = below(threads), k = below(m->sent_count), from = m->sent[k].from, number = 0;
        for (int j = 0; j < k; j++)
            number += m->sent[j].from == from;
        bool ready = from != t && m->got[t][from] == number;
        for (int u = 0; u < threads; u++)
            ready = ready && (u == from || m->got[t][u] >= m->sent[k].needs[u]);
        if (!ready)
            continue;
        m->seen[t][m->sent[k].var] = m->sent[k].val;
        m->got[t][from]++;
    }
}

static void store_value(struct memory *m, int t, int var, int val)
{
    if (m->machine == SEQUENTIAL || m->machine == DICE) {
        m->store[var] = val;
    } else if (m->machine == REPLICAS) {
        m->seen[t][var] = val;
        m->sent[m->sent_count].var = var;
        m->sent[m->sent_count].val = val;
        m->sent[m->sent_count].from = t;
        memcpy(m->sent[m->sent_count++].needs, m->got[t], sizeof m->got[t]);
        m->got[t][t]++;
    } else {
        m->queue[t][m->queued[t]][0] = var;
        m->queue[t][m->queued[t]++][1] = val;
    }
}

static int load_value(struct memory *m, int t, int var)
{
    if (m->machine == REPLICAS)
        return m->seen[t][var];
    for (int k = m->queued[t] - 1; k >= 0; k--)
        if (m->queue[t][k][0] == var)
            return m->queue[t][k][1];
    return m->store[var];
}

struct shape {
    int ops, threads, vars;
    int alphabet;          /* 0: every write has a fresh value; else so many values */
    int rmw, fence, write; /* percent */
    enum machine machine;
};

static int pick_value(const struct history *h, int var, int alphabet)
{
    if (alphabet) {
        int v = below(alphabet);
        return v == 0 ? h->vars[var].init : v < 3 ? v : FRESH + v;
    }
    return FRESH + h->n;
}

static void run_machine(struct history *h, const struct shape *s, struct memory *m)
{
    for (int v = 0; v < h->var_count; v++) {
        m->store[v] = h->vars[v].init;
        for (int t = 0; t < s->threads; t++)
            m->seen[t][v] = h->vars[v].init;
    }
    while (h->n < s->ops) {
        struct op *o = &h->ops[h->n];
        *o = (struct op){
            .thread = below(s->threads), .var = below(s->vars), .kind = READ, .old = NOTHING, .val = NOTHING};
        int dice = below(100);
        if (dice < s->rmw)
            o->kind = RMW;
        else if (dice < s->rmw + s->fence)
            o->kind = FENCE;
        else if (dice < s->rmw + s->fence + s->write)
            o->kind = WRITE;
        if (o->kind == RMW || o->kind == FENCE)
            flush_all(m, o->thread);
        if (reads(o))
            o->old = load_value(m, o->thread, o->var);
        if (writes(o)) {
            o->val = pick_value(h, o->var, s->alphabet);
            store_value(m, o->thread, o->var, o->val);
        }
        if (o->kind == RMW)
            flush_all(m, o->thread);
        h->n++;
        flush_some(m, s->threads);
        deliver_some(m, s->threads);
    }
}

/* Another value for a read: of some write of its variable, the initial one, or one that nobody wrote */
static void bend_read(struct history *h)
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

static void make_pending(struct history *h, int percent)
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

/* Runs a machine of this shape on variables of its own; the caller frees what it held at the end. */
static struct memory *draw_run(struct history *h, const struct shape *s)
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

static void draw_small(struct history *h)
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
        draw_finals(h);
        for (int i = chance(30) ? 3 : 0; i > 0; i--)
            disguise(h);
    } while (effort(h) > 1500);
}

/* ---- Forged evidence ---- */

/* The model (its number, or NOTHING) and the verdict that a line claims */
static int claimed(const char *line, bool *consistent)
{
    *consistent = strstr(line, "\"verdict\":\"consistent\"") != NULL;
    for (int m = 0; m < MODELS; m++) {
        char field[32];
        snprintf(field, sizeof field, "\"model\":\"%s\"", model_names[m]);
        if (strstr(line, field))
            return m;
    }
    return NOTHING;
}

static void try_forged(const assay_history *a, const char *text, const char *line, const bool ok[MODELS])
{
    assay_error e;
    bool consistent;
    counts.forged++;
    if (!recheck(a, line, &e))
        return;
    counts.forged_accepted++;
    int m = claimed(line, &consistent);
    if (m == NOTHING || consistent != ok[m])
        finding(text, "recheck accepts a proof of what is false:\n%s", line);
}

static void replace(char **line, size_t at, size_t length, const char *by)
{
    struct text t = {0};
    say(&t, "%.*s%s%s", (int)at, *line, by, *line + at + length);
    free(*line);
    *line = t.bytes;
}

/* The k-th place behind `start` where a number begins; its length in *length */
static size_t number_at(const char *line, size_t start, int k, size_t *length)
{
    for (size_t i = start; line[i]; i++) {
        bool begins = line[i] >= '0' && line[i] <= '9' && i && strchr("[,:", line[i - 1]);
        if (begins && k-- == 0) {
            *length = strspn(line + i, "0123456789");
            return i;
        }
    }
    *length = 0;
    return 0;
}

static size_t body(const char *line)
{
    const char *p = strstr(line, "\"verdict\"");
    return p ? (size_t)(p - line) : 0;
}

static int count_numbers(const char *line, size_t start)
{
    size_t length;
    int k = 0;
    while (number_at(line, start, k, &length))
        k++;
    return k;
}

static void forge_number(char **line, int ops)
{
    size_t length, at;
    int n = count_numbers(*line, body(*line));
    char by[16];
    if (!n)
        return;
    at = number_at(*line, body(*line), below(n), &length);
    snprintf(by, sizeof by, "%d", below(ops + 1));
    replace(line, at, length, by);
}

static void forge_swap(char **line)
{
    size_t length_a, length_b;
    int n = count_numbers(*line, body(*line));
    if (n < 2)
        return;
    int k = below(n - 1);
    int other = chance(60) ? k + 1 : k + 1 + below(n - 1 - k);
    size_t a = number_at(*line, body(*line), k, &length_a), b = number_at(*line, body(*line), other, &length_b);
    char first[32], second[32];
    snprintf(first, sizeof first, "%.*s", (int)length_a, *line + a);
    snprintf(second, sizeof second, "%.*s", (int)length_b, *line + b);
    replace(line, b, length_b, first);
    replace(line, a, length_a, second);
}

/* One element of some list goes, or is there twice. */
static void forge_element(char **line, bool twice)
{
    size_t starts[512], n = 0, size = strlen(*line);
    for (size_t i = body(*line); i < size && n < 512; i++)
        if ((*line)[i] == '[' || (*line)[i] == ',')
            starts[n++] = i + 1;
    if (!n)
        return;
    size_t at = starts[below((int)n)], end = at;
    for (int depth = 0; end < size; end++) {
        char c = (*line)[end];
        if (depth == 0 && (c == ',' || c == ']' || c == '}'))
            break;
        depth += c == '[' || c == '{';
        depth -= c == ']' || c == '}';
    }
    if (twice) {
        struct text t = {0};
        say(&t, "%.*s,", (int)(end - at), *line + at);
        replace(line, at, 0, t.bytes);
        free(t.bytes);
    } else {
        bool comma = (*line)[end] == ',';
        size_t from = comma ? at : (*line)[at - 1] == ',' ? at - 1 : at;
        replace(line, from, end + comma - from, "");
    }
}

static void forge_word(char **line, const char *before, const char *const *words, int count)
{
    int hits = 0;
    for (const char *p = *line; (p = strstr(p, before)); p++)
        hits++;
    if (!hits)
        return;
    const char *p = *line - 1;
    for (int k = below(hits); k >= 0; k--)
        p = strstr(p + 1, before);
    p += strlen(before);
    replace(line, (size_t)(p - *line), strcspn(p, "\""), words[below(count)]);
}

static void forge_once(char **line, int ops)
{
    static const char *const rules[] = {"po", "ppo", "loc", "wr", "rw", "cf", "hb", "ww", "case"};
    static const char *const patterns[] = {"ThinAirRead",  "CyclicCO",        "WriteCORead",     "WriteCOInitRead",
                                           "CyclicCF",     "CyclicHB",        "WriteHBInitRead", "ForcedCycle",
                                           "NoStoreOrder", "FinalNotWritten", "NoSources"};
    static const char *const verdicts[] = {"consistent", "violation"};
    switch (below(9)) {
    case 0: forge_number(line, ops); break;
    case 1: forge_swap(line); break;
    case 2: forge_element(line, false); break;
    case 3: forge_element(line, true); break;
    case 4: forge_word(line, "[\"", rules, 9); break;
    case 5: forge_word(line, "\"pattern\":\"", patterns, 11); break;
    case 6: forge_word(line, "\"model\":\"", model_names, MODELS); break;
    case 7: forge_word(line, "\"rule\":\"", rules, 9); break;
    default: forge_word(line, "\"verdict\":\"", verdicts, 2); break;
    }
}

/* One rule becomes another everywhere, or anywhere: proofs of a stronger model dressed up as those of a weaker one */
static void forge_rules(char **line)
{
    static const char *const to[] = {"ppo", "loc", "ww", "cf", "hb", "rw"};
    static const char *const from[] = {"\"po\"", "\"hb\"", "\"cf\"", "\"ppo\"", "\"loc\"", "\"ww\""};
    static const char *const forced[] = {"ForcedCycle"};
    const char *old = from[below(chance(60) ? 1 : 6)], *new = to[below(6)];
    bool mixed = chance(50);
    for (const char *p = *line + body(*line); (p = strstr(p, old));) {
        size_t at = (size_t)(p - *line) + 1;
        if (!mixed || chance(70))
            replace(line, at, strlen(old) - 2, mixed ? to[below(2)] : new);
        p = *line + at;
    }
    if (chance(70))
        forge_word(line, "\"pattern\":\"", forced, 1);
}

/* A line about another history or model is made to speak of this one. */
static char *transplant(const char *line, const assay_history *a, int m)
{
    char digest[17], *copy = strdup(line);
    const char *p = copy ? strstr(copy, "\"history\":\"") : NULL;
    if (!p)
        abort();
    assay_history_digest(a, digest);
    replace(&copy, (size_t)(p - copy) + 11, 16, digest);
    if (m != NOTHING)
        forge_word(&copy, "\"model\":\"", &model_names[m], 1);
    return copy;
}

static void forge_proofs(const assay_history *a, const char *text, char *const lines[MODELS], const bool ok[MODELS],
                         int rounds)
{
    int ops = (int)assay_history_size(a);
    for (int m = 0; m < MODELS; m++)
        for (int k = 0; lines[m] && k < rounds; k++) {
            char *line = transplant(lines[m], a, chance(40) ? below(MODELS) : NOTHING);
            if (chance(30))
                forge_rules(&line);
            for (int i = below(4); i > 0; i--)
                forge_once(&line, ops);
            try_forged(a, text, line, ok);
            free(line);
        }
}

/* An order of all operations that keeps program order, but for some that are left out or swapped */
static void say_order(struct text *t, const struct history *h)
{
    int events[2 * MAX_OPS], n = event_order(h, events);
    bool fences = chance(10), pending = chance(50), any = false;
    say(t, "[");
    for (int k = 0; k < n; k++) {
        const struct op *o = &h->ops[events[k] / 2];
        if (events[k] % 2 || (o->kind == FENCE && !fences) || (o->pending && (o->kind == READ || !pending)))
            continue;
        say(t, "%s%d", any ? "," : "", events[k] / 2);
        any = true;
    }
    say(t, "]");
}

/* Claims from nothing: records that need no steps, and orders at random */
static void invent_proofs(const struct history *h, const assay_history *a, const char *text, const bool ok[MODELS],
                          int rounds)
{
    char digest[17];
    assay_history_digest(a, digest);
    for (int k = 0; k < rounds; k++) {
        struct text t = {0};
        int m = below(MODELS);
        say(&t, "{\"evidence\":1,\"history\":\"%s\",\"index\":0,\"model\":\"%s\",\"verdict\":\"", digest,
            model_names[m]);
        switch (below(6)) {
        case 0: say(&t, "violation\",\"pattern\":\"NoSources\"}"); break;
        case 1: say(&t, "violation\",\"pattern\":\"FinalNotWritten\"}"); break;
        case 2: say(&t, "violation\",\"pattern\":\"ThinAirRead\",\"culprit\":%d}", below(h->n)); break;
        case 3: say(&t, "consistent\",\"orders\":[]}"); break;
        default:
            say(&t, "consistent\",\"orders\":[{\"ops\":");
            say_order(&t, h);
            say(&t, "}");
            if (m == WTSO) {
                say(&t, ",{\"ops\":");
                say_order(&t, h);
                say(&t, "}");
            }
            say(&t, m == WSC || m == WTSO ? "],\"closed\":[]}" : "]}");
        }
        try_forged(a, text, t.bytes, ok);
        free(t.bytes);
    }
}

/* ---- One small history, from all sides ---- */

static char *last_lines[MODELS]; /* proofs about a neighbour */

static void free_lines(char *lines[MODELS])
{
    for (int m = 0; m < MODELS; m++) {
        free(lines[m]);
        lines[m] = NULL;
    }
}

/* The same verdicts of the history in another format */
static void check_form(const struct history *h, const assay_history *a, const char *text, const char *format,
                       const bool ok[MODELS])
{
    char *bytes = NULL;
    size_t size;
    assay_error e = {0};
    FILE *f = open_memstream(&bytes, &size);
    bool written = f && assay_history_write(a, format, 0, f, &e);
    if (f)
        fclose(f);
    if (!written && strcmp(format, "axe"))
        finding(text, "not written as %s: %s", format, e.message);
    assay_history *b = written ? parse(bytes, format) : NULL;
    if (b) {
        char first[17], second[17];
        counts.forms++;
        assay_history_digest(a, first);
        assay_history_digest(b, second);
        if (strcmp(format, "axe") && strcmp(first, second))
            finding(text, "another digest as %s:\n%s", format, bytes);
        for (int k = 0; k < 3; k++) {
            int m = below(MODELS);
            compare(h, b, bytes, m, ok[m], NULL, &(assay_options){ASSAY_OPTIONS_INIT}, NULL);
        }
    }
    assay_history_free(b);
    free(bytes);
}

static void check_built(const struct history *h, const char *text, const bool ok[MODELS])
{
    assay_error e = {0};
    assay_history *b = build(h, &e);
    if (e.code)
        finding(text, "built by calls: %s", e.message);
    counts.forms += b != NULL;
    for (int m = 0; b && m < MODELS; m++)
        if (chance(40))
            compare(h, b, text, m, ok[m], NULL, &(assay_options){ASSAY_OPTIONS_INIT, .evidence = chance(50)}, NULL);
    assay_history_free(b);
}

static void check_grade(const struct history *h, const assay_history *a, const char *text, const bool ok[MODELS])
{
    assay_error e = {0};
    assay_grading *g = assay_grade(a, NULL, &e);
    if (!g) {
        finding(text, "grade: %s", e.message);
        return;
    }
    counts.gradings++;
    int seen = 0;
    for (size_t i = 0; i < assay_grading_size(g); i++)
        for (int m = 0; m < MODELS; m++) {
            if (strcmp(assay_grading_model(g, i), model_names[m]))
                continue;
            const assay_result *r = assay_grading_result(g, i);
            seen++;
            if (r && (assay_result_verdict(r) == ASSAY_CONSISTENT) != ok[m])
                finding(text, "grade %s: %s, the definition says %s", model_names[m],
                        assay_verdict_name(assay_result_verdict(r)), verdict_word(ok[m]));
            if (!r && !may_decline(h, m))
                finding(text, "grade %s: %s", model_names[m], assay_grading_error(g, i)->message);
        }
    if (seen != MODELS)
        finding(text, "grade has %d of %d models", seen, MODELS);
    assay_grading_free(g);
}

/* The intersection of all store orders of an sc history with unique values and no pending writes */
static bool intersect(const struct execution *x, const rel *ww, void *context)
{
    rel *common = context;
    if (fits(x, &x->po, &x->wr, ww))
        for (int a = 0; a < x->n; a++)
            common->row[a] &= ww->row[a];
    return false;
}

static void only_sources(struct execution *x)
{
    for (int a = 0; a < x->n; a++) {
        x->source[a] = NOTHING;
        for (int w = 0; a >= x->inits && reads(&x->h->ops[x->op[a]]) && w < x->n; w++)
            if (w != a && node_writes(x, w) && same_var(x, a, w) && value_of(x, w) == x->h->ops[x->op[a]].old)
                x->source[a] = w;
    }
    sources_to_relations(x);
}

static void check_kernel(const struct history *h, const assay_history *a, const char *text, bool sc)
{
    assay_error e = {0};
    assay_kernel *k = assay_kernel_of(a, NULL, &e);
    counts.kernels++;
    if (!k != !sc)
        finding(text, "kernel: %s, though sc is %s", k ? "there is one" : e.message, verdict_word(sc));
    if (!k || !sc) {
        assay_kernel_free(k);
        return;
    }
    struct execution x = take_part(h, 0);
    only_sources(&x);
    rel common, none = {{0}}, st, co = causal(&x, &x.po, &x.wr), pww = pww_of(&x, &co);
    memset(&common, 255, sizeof common);
    each_store_order(&x, 0, 0, 0, &none, intersect, &common);
    saturated(&x, &x.po, &x.wr, &x.po, &x.wr, &st);
    uint64_t forced = 0, all = 0, open = 0;
    for (int v = x.inits; v < x.n; v++)
        for (int w = x.inits; w < x.n; w++) {
            forced += rival_writes(&x, v, w) && has(&common, v, w);
            all += v < w && rival_writes(&x, v, w);
            open += v < w && rival_writes(&x, v, w) && !has(&st, v, w) && !has(&st, w, v);
        }
    bool rmws = false; /* whether rw from an rmw to a write counts as a pair of ccm is a matter of taste */
    for (int i = 0; i < h->n; i++)
        rmws = rmws || h->ops[i].kind == RMW;
    if (forced != assay_kernel_size(k) || all != assay_kernel_write_pairs(k) || open != assay_kernel_open_pairs(k))
        finding(text, "kernel: %d of %d pairs, %d open; the definition says %d of %d, %d open",
                (int)assay_kernel_size(k), (int)assay_kernel_write_pairs(k), (int)assay_kernel_open_pairs(k),
                (int)forced, (int)all, (int)open);
    for (size_t i = 0; i < assay_kernel_size(k); i++) {
        assay_kernel_pair p = assay_kernel_at(k, i);
        int v = 0, w = 0;
        for (int n = x.inits; n < x.n; n++) {
            v = x.op[n] == (int)p.first ? n : v;
            w = x.op[n] == (int)p.second ? n : w;
        }
        if (!has(&common, v, w) || has(&st, v, w) != p.saturated || (!rmws && has(&pww, v, w) != p.by_ccm))
            finding(text, "kernel: the pair %d, %d (wsc %d, ccm %d)", (int)p.first, (int)p.second, p.saturated,
                    p.by_ccm);
    }
    assay_kernel_free(k);
}

/* Several models with what they share computed once, in any order */
static void check_shared(const struct history *h, const assay_history *a, const char *text, const bool ok[MODELS])
{
    assay_error e = {0};
    assay_options o = {ASSAY_OPTIONS_INIT, .evidence = chance(50)};
    assay_checker *c = assay_checker_new(a, &o, &e);
    for (int k = 0; c && k < 12; k++) {
        int m = below(MODELS);
        assay_error f = {0};
        assay_result *r = assay_checker_run(c, model_names[m], &f);
        counts.engine_verdicts += r != NULL;
        if (r && (assay_result_verdict(r) == ASSAY_CONSISTENT) != ok[m])
            finding(text, "%s of several: %s, the definition says %s", model_names[m],
                    assay_verdict_name(assay_result_verdict(r)), verdict_word(ok[m]));
        if (r)
            confirm(a, r, text, "checker", NULL);
        else if (!may_decline(h, m))
            finding(text, "%s of several: %s", model_names[m], f.message);
        assay_result_free(r);
    }
    if (!c)
        finding(text, "no checker: %s", e.message);
    assay_checker_free(c);
}

/* A part of the history is judged like any other. */
static void check_slice(const struct history *h, const assay_history *a, const char *text)
{
    struct history cut = *h;
    bool keep[MAX_OPS], ok[MODELS];
    cut.n = 0;
    for (int i = 0; i < h->n; i++) {
        keep[i] = chance(75);
        if (keep[i])
            cut.ops[cut.n++] = h->ops[i];
    }
    assay_history *b = assay_history_slice(a, keep);
    counts.cuts++;
    oracle(&cut, ok);
    for (int k = 0; b && k < 3; k++) {
        int m = below(MODELS);
        compare(&cut, b, text, m, ok[m], NULL, &(assay_options){ASSAY_OPTIONS_INIT, .evidence = true}, NULL);
    }
    assay_history_free(b);
}

/* What shrinking leaves must violate the model, by the definition: here by the library, whose verdicts are compared elsewhere. */
static void check_shrink(const struct history *h, const assay_history *a, const char *text, int m)
{
    assay_error e = {0};
    assay_result *r = assay_check(a, model_names[m], NULL, &e);
    if (!r || assay_result_verdict(r) != ASSAY_VIOLATION) {
        assay_result_free(r);
        return;
    }
    uint32_t kept[MAX_OPS];
    assay_history *small = assay_shrink(r, NULL, kept, &e);
    if (small) {
        struct history cut = *h;
        bool ok[MODELS];
        cut.n = 0;
        for (uint32_t i = 0; i < assay_history_size(small); i++)
            cut.ops[cut.n++] = h->ops[kept[i]];
        oracle(&cut, ok);
        counts.cuts++;
        if (ok[m])
            finding(text, "%s: shrunk to %d operations, the first of them %d, which are consistent", model_names[m],
                    cut.n, cut.n ? (int)kept[0] : -1);
    }
    assay_history_free(small);
    assay_result_free(r);
}

static bool is_slow(const char *engine)
{
    return !strncmp(engine, "datalog", 7);
}

static void check_engines(const struct history *h, const assay_history *a, const char *text, const bool ok[MODELS],
                          bool slow)
{
    for (int k = 0; k < engine_count; k++)
        for (int m = 0; m < MODELS; m++) {
            if (is_slow(engines[k]) ? !slow || !chance(20) : !chance(40))
                continue;
            assay_options o = {ASSAY_OPTIONS_INIT, .engine = engines[k], .evidence = chance(70)};
            compare(h, a, text, m, ok[m], engines[k], &o, NULL);
        }
}

static bool stays_in_order(const struct style *s)
{
    return !s->shuffle && s->times != EVENTS;
}

static void check_small(const struct history *h, int forge)
{
    struct style s = any_style();
    char *text = history_text(h, s), *lines[MODELS] = {NULL};
    bool ok[MODELS];
    assay_history *a = parse(text, "hist");
    oracle(h, ok);
    for (int m = 0; a && m < MODELS; m++)
        compare(h, a, text, m, ok[m], NULL, &(assay_options){ASSAY_OPTIONS_INIT, .evidence = true}, &lines[m]);
    if (a) {
        counts.histories++;
        check_engines(h, a, text, ok, chance(2));
        if (chance(20))
            check_grade(h, a, text, ok);
        if (chance(30))
            check_form(h, a, text, chance(50) ? "jsonl" : "hist", ok);
        if (chance(30))
            check_form(h, a, text, "axe", ok);
        if (chance(20))
            check_built(h, text, ok);
        if (chance(10))
            check_shared(h, a, text, ok);
        if (chance(15) && stays_in_order(&s))
            check_shrink(h, a, text, below(MODELS));
        if (chance(15) && stays_in_order(&s))
            check_slice(h, a, text);
        if (chance(40) && stays_in_order(&s) && unique_values(h) && !pending_writes(h))
            check_kernel(h, a, text, ok[SC]);
        if (forge && chance(forge)) {
            forge_proofs(a, text, lines, ok, 12);
            forge_proofs(a, text, last_lines, ok, 4);
            if (stays_in_order(&s))
                invent_proofs(h, a, text, ok, 30);
        }
    }
    free_lines(last_lines);
    memcpy(last_lines, lines, sizeof lines);
    assay_history_free(a);
    free(text);
}

/* A history and a few neighbours of it: proofs of one are tried on the next. */
static void small_family(int forge)
{
    struct history h;
    draw_small(&h);
    check_small(&h, forge);
    for (int k = 0; k < 2; k++) {
        bend_read(&h);
        if (effort(&h) < 1500)
            check_small(&h, forge);
    }
}

/* ---- Printed examples, and what they become when something is changed ---- */

static const struct figure {
    const char *text;  /* threads separated by |; wx1: write(x, 1) */
    const char *holds; /* models of definitions, by name; pso is not among the printed ones */
} figures[] = {
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
enum { FIGURES = sizeof figures / sizeof figures[0], SMALL_FIGURES = FIGURES - 2 };

static void draw_figure(struct history *h, const char *text)
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

static bool figure_verdicts[FIGURES][MODELS];

/* The oracle itself against the table of the definitions */
static void check_figures(void)
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

static void drop(struct history *h, int i)
{
    memmove(&h->ops[i], &h->ops[i + 1], sizeof *h->ops * (size_t)(h->n - 1 - i));
    h->n--;
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

/* Proofs of cases, for which random small histories are too simple */
static void puzzle(int forge)
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
    check_small(&h, forge);
}

/* ---- Large histories: laws ---- */

/* What a model's definition says it implies */
static const int implies[][2] = {{SC, WSC},   {WSC, CCM},   {CCM, CCV}, {CCM, CM}, {CCV, CC},   {CM, CC},
                                 {TSO, WTSO}, {WTSO, WCCM}, {TSO, CCV}, {SC, TSO}, {CCM, WCCM}, {TSO, PSO}};

enum { UNKNOWN = -1 };

static void verdicts_of(const assay_history *a, const char *text, int v[MODELS])
{
    for (int m = 0; m < MODELS; m++) {
        assay_error e = {0};
        assay_options o = {ASSAY_OPTIONS_INIT, .evidence = chance(50), .seconds = 2};
        assay_result *r = assay_check(a, model_names[m], &o, &e);
        v[m] = UNKNOWN;
        if (r && assay_result_verdict(r) != ASSAY_UNDECIDED)
            v[m] = assay_result_verdict(r) == ASSAY_CONSISTENT;
        if (r && v[m] != UNKNOWN) {
            counts.verdicts++;
            confirm(a, r, text, assay_result_engine(r), NULL);
        }
        counts.undecided += r && v[m] == UNKNOWN;
        assay_result_free(r);
    }
}

static void check_ladder(const char *text, const int v[MODELS])
{
    for (size_t i = 0; i < sizeof implies / sizeof *implies; i++)
        if (v[implies[i][0]] == 1 && v[implies[i][1]] == 0)
            finding(text, "%s holds, but %s does not", model_names[implies[i][0]], model_names[implies[i][1]]);
}

/* What a simulated memory guarantees */
static void check_machine(const char *text, enum machine machine, const int v[MODELS])
{
    for (int m = 0; m < MODELS; m++) {
        bool sure = machine == SEQUENTIAL ||
                    (machine == BUFFERS && (m == TSO || m == WTSO || m == WCCM || m == CCV || m == CC || m == PSO)) ||
                    (machine == PARTIAL && m == PSO) || (machine == REPLICAS && (m == CM || m == CC));
        if (sure && v[m] == 0)
            finding(text, "machine %d: %s is violated", (int)machine, model_names[m]);
    }
}

static void large_engines(const assay_history *a, const char *text, const int v[MODELS])
{
    for (int k = 0; k < engine_count; k++) {
        int m = below(MODELS);
        if (is_slow(engines[k]) || v[m] == UNKNOWN)
            continue;
        assay_error e = {0};
        assay_options o = {ASSAY_OPTIONS_INIT, .engine = engines[k], .seconds = 0.3, .evidence = chance(50)};
        assay_result *r = assay_check(a, model_names[m], &o, &e);
        if (r && assay_result_verdict(r) != ASSAY_UNDECIDED) {
            counts.engine_verdicts++;
            if ((assay_result_verdict(r) == ASSAY_CONSISTENT) != v[m])
                finding(text, "%s: %s says %s, the default %s", model_names[m], engines[k],
                        assay_verdict_name(assay_result_verdict(r)), verdict_word(v[m]));
            confirm(a, r, text, engines[k], NULL);
        }
        assay_result_free(r);
    }
}

static void rename_all(struct history *h)
{
    int shift = 1 + below(50), turn = below(h->threads);
    for (int i = 0; i < h->n; i++) {
        h->ops[i].thread = (h->ops[i].thread + turn) % h->threads;
        h->ops[i].old += h->ops[i].old >= FRESH ? shift : 0;
        h->ops[i].val += h->ops[i].val >= FRESH ? shift : 0;
    }
    for (int v = 0; v < h->var_count; v++) {
        h->vars[v].name = NAMES + (h->vars[v].name + shift) % 97;
        h->vars[v].final += h->vars[v].final >= FRESH ? shift : 0;
    }
}

static void append(struct history *h, struct op o)
{
    if (h->n < MAX_OPS)
        h->ops[h->n++] = o;
}

/* Operations of a new thread that change no verdict. */
static void add_harmless(struct history *h)
{
    if (h->threads == MAX_THREADS || h->var_count == MAX_VARS)
        return;
    int t = h->threads++, v = h->var_count, old = below(v);
    bool fresh = chance(50);
    if (fresh) {
        h->vars[v] = (struct var){.name = NAMES + 99, .object = h->vars[0].object, .final = NOTHING};
        h->vars[v].init = h->default_init == NOTHING ? 0 : h->default_init;
        h->var_count++;
        append(h, (struct op){.kind = READ, .thread = t, .var = v, .old = h->vars[v].init, .val = NOTHING});
        append(h, (struct op){.kind = WRITE, .thread = t, .var = v, .old = NOTHING, .val = FRESH + 900});
        append(h, (struct op){.kind = FENCE, .thread = t, .old = NOTHING, .val = NOTHING});
        append(h, (struct op){.kind = RMW, .thread = t, .var = v, .old = FRESH + 900, .val = FRESH + 901});
    }
    append(h, (struct op){.kind = (enum kind)below(3),
                          .thread = t,
                          .var = old,
                          .old = FRESH + 902,
                          .val = FRESH + 903,
                          .pending = true});
}

/* A plain read goes, or the last operation of a thread if nobody reads it: what was consistent stays so. */
static bool cut_one(struct history *h)
{
    int i = below(h->n);
    if (h->ops[i].kind != READ)
        return false;
    drop(h, i);
    return true;
}

static void check_same(const struct history *h, const int v[MODELS], const char *what, bool only_consistent)
{
    char *text = history_text(h, any_style());
    assay_history *a = parse(text, "hist");
    int w[MODELS];
    if (a) {
        verdicts_of(a, text, w);
        for (int m = 0; m < MODELS; m++) {
            counts.laws++;
            if (v[m] != UNKNOWN && w[m] != UNKNOWN && v[m] != w[m] && (v[m] || !only_consistent))
                finding(text, "%s: %s was %s before and is %s now", what, model_names[m], verdict_word(v[m]),
                        verdict_word(w[m]));
        }
    }
    assay_history_free(a);
    free(text);
}

/* Several small histories side by side, on variables and threads of their own, satisfy what each of them does. */
static void join(struct history *to, const struct history *part)
{
    for (int v = 0; v < part->var_count; v++) {
        struct var x = part->vars[v];
        x.name = NAMES + to->var_count + v;
        x.named_init = x.init != 0;
        x.object = 0;
        to->vars[to->var_count + v] = x;
    }
    for (int i = 0; i < part->n; i++) {
        struct op o = part->ops[i];
        o.var += to->var_count;
        o.thread += to->threads;
        to->ops[to->n++] = o;
    }
    to->var_count += part->var_count;
    to->threads += part->threads;
}

static void check_union(void)
{
    struct history all = {.default_init = NOTHING}, part;
    bool ok[MODELS], one[MODELS];
    memset(ok, true, sizeof ok);
    for (int tries = 0; tries < 40; tries++) {
        int f = chance(20) ? below(FIGURES) : NOTHING;
        if (f >= 0)
            draw_figure(&part, figures[f].text);
        else
            draw_small(&part);
        if (part.threads + all.threads > MAX_THREADS || part.var_count + all.var_count > MAX_VARS)
            break;
        if (f >= 0)
            memcpy(one, figure_verdicts[f], sizeof one);
        else
            oracle(&part, one);
        int held = 0;
        for (int m = 0; m < MODELS; m++)
            held += one[m];
        if (held < 3 || (held < MODELS && chance(70))) /* so that not everything fails in the end */
            continue;
        for (int m = 0; m < MODELS; m++)
            ok[m] = ok[m] && one[m];
        join(&all, &part);
    }
    char *text = history_text(&all, any_style());
    assay_history *a = parse(text, "hist");
    for (int m = 0; a && m < MODELS; m++) {
        compare(&all, a, text, m, ok[m], NULL, &(assay_options){ASSAY_OPTIONS_INIT, .evidence = true}, NULL);
        int k = below(engine_count);
        if (!is_slow(engines[k]) && strcmp(engines[k], "brute"))
            compare(&all, a, text, m, ok[m], engines[k],
                    &(assay_options){ASSAY_OPTIONS_INIT, .evidence = true, .engine = engines[k], .seconds = 0.3}, NULL);
    }
    counts.large += a != NULL;
    assay_history_free(a);
    free(text);
}

static void draw_large(struct history *h, enum machine *machine)
{
    struct shape s = {.ops = 65 + below(120), .threads = 2 + below(18), .vars = 1 + below(20)};
    s.alphabet = chance(15) ? 3 : 0;
    s.rmw = chance(40) ? 10 : 0;
    s.fence = chance(30) ? 5 : 0;
    s.write = 20 + below(30);
    s.machine = (enum machine)(1 + below(4));
    struct memory *m = draw_run(h, &s);
    *machine = s.machine;
    if (s.machine == SEQUENTIAL && !h->vars[0].object && chance(50)) /* the true last values */
        for (int v = 0; v < h->var_count; v++)
            h->vars[v].final = m->store[v];
    if (chance(30)) /* that some of it may not have happened makes nothing worse */
        make_pending(h, 40);
    free(m);
}

static void check_large(void)
{
    struct history h;
    enum machine machine;
    draw_large(&h, &machine);
    bool bent = chance(50);
    for (int k = bent ? 1 + below(2) : 0; k > 0; k--)
        bend_read(&h);
    char *text = history_text(&h, any_style());
    assay_history *a = parse(text, "hist");
    int v[MODELS];
    if (a) {
        counts.large++;
        verdicts_of(a, text, v);
        check_ladder(text, v);
        if (!bent)
            check_machine(text, machine, v);
        large_engines(a, text, v);
        struct history other = h;
        rename_all(&other);
        check_same(&other, v, "renamed and interleaved", false);
        other = h;
        add_harmless(&other);
        check_same(&other, v, "with harmless operations", false);
        other = h;
        if (cut_one(&other))
            check_same(&other, v, "without a read", true);
    }
    assay_history_free(a);
    free(text);
}

/* ---- Main ---- */

static void report(void)
{
    printf("histories %" PRIu64 " small, %" PRIu64 " large; verdicts %" PRIu64 " default, %" PRIu64
           " of engines; gradings %" PRIu64 ", other forms %" PRIu64 ", laws %" PRIu64 ", cut %" PRIu64
           ", kernels %" PRIu64 "\n",
           counts.histories, counts.large, counts.verdicts, counts.engine_verdicts, counts.gradings, counts.forms,
           counts.laws, counts.cuts, counts.kernels);
    printf("proofs %" PRIu64 ", rechecked and accepted %" PRIu64 "; forged %" PRIu64
           ", of which accepted with a true claim %" PRIu64 "; searches given up %" PRIu64 ", not applicable %" PRIu64
           ", undecided %" PRIu64 "; disagreements %d\n",
           counts.proofs, counts.rechecked, counts.forged, counts.forged_accepted, counts.unconfirmed,
           counts.not_applicable, counts.undecided, counts.findings);
}

int main(int argc, char **argv)
{
    uint64_t seed = 1;
    enum tier tier = tier_of(&argc, argv);
    int count = (int)by_tier(tier, 120, 1000, 40000), large = (int)by_tier(tier, 3, 15, 1500), forge = 50;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--seed"))
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (!strcmp(argv[i], "--count"))
            count = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--large"))
            large = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--forge"))
            forge = atoi(argv[i + 1]);
    }
    find_engines();
    check_figures();
    for (int i = 0; i < count && counts.findings < MAX_FINDINGS; i++) {
        rng_state = seed * 1000003 + (uint64_t)i;
        i % 8 ? small_family(forge) : puzzle(forge);
    }
    for (int i = 0; i < large && counts.findings < MAX_FINDINGS; i++) {
        rng_state = seed * 1000003 + (uint64_t)i;
        check_large();
        rng_state = seed * 1000003 + (uint64_t)i;
        check_union();
    }
    free_lines(last_lines);
    report();
    return counts.findings ? 1 : 0;
}
