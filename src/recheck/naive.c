/* SPDX-License-Identifier: Apache-2.0 */
/* Models computed again, from their definitions, in bit matrices: no clocks, no chains, and the initial writes as
 * operations of their own.
 *
 *   cc     co = (po U wr)+ is irreflexive, and no write of the variable lies between a read and its source.
 *   ccv    cc, and po U wr U cf[co] is acyclic.
 *   cm     cc, and hb_o is irreflexive for each thread's last operation o.
 *   ccm    hb = (U_o hb_o)+, pww = (hb_WW U cf[hb])+, and po U wr U pww U rw[pww] is acyclic.
 *   wccm   the same over two pairs of orders, (ppo, wr_e) and (po-loc, wr):
 *          whb = (U_o hb_o^ppo U U_o hb_o^po-loc)+, wpww = (whb_WW U cf_e[hb^ppo] U cf_e[hb^po-loc])+, and
 *          ppo U wr_e U wpww U rw[wpww] and po-loc U wr U wpww U rw[wpww] are acyclic.
 *
 * hb_o grows with o: if o comes before o' in the program order at hand, hb_o is contained in hb_o'. So only maximal o
 * are computed. For po this is the last operation of a thread, for ppo its last write and its last operation. For
 * po-loc it is the last operation on each variable, all of them at once, since variables do not interact.
 * Source: definitions 13 and 17 of the thesis, as docs/reference/models-formal.md corrects them. */
#include "base/bitset.h"
#include "recheck/graphs.h"
#include "recheck/program.h"

enum kind { PO, PPO, LOC };

struct naive {
    struct recheck *x;
    uint32_t ops, n; /* operations; and with the initial writes, ops + variable */
    size_t words;
    struct groups by_var; /* the writes of a variable, its initial one first */
};

typedef uint64_t *relation; /* n rows: the later operations */

/* ---- relations ---- */

static relation new_relation(const struct naive *v)
{
    return mem_new_zero(v->x->mem, uint64_t, mem_product(v->n, v->words));
}

static uint64_t *row(const struct naive *v, relation r, uint32_t a)
{
    return r + (size_t)a * v->words;
}

static bool has(const struct naive *v, relation r, uint32_t a, uint32_t b)
{
    return bitset_has(row(v, r, a), b);
}

static void unite(const struct naive *v, relation into, relation from)
{
    for (size_t i = 0; i < v->n * v->words; i++)
        into[i] |= from[i];
}

static void close_relation(const struct naive *v, relation r)
{
    for (uint32_t b = 0; b < v->n; b++) {
        budget_tick(v->x->budget);
        for (uint32_t a = 0; a < v->n; a++)
            if (has(v, r, a, b))
                bitset_join(row(v, r, a), row(v, r, b), v->words);
    }
}

/* Adds a -> b to a transitive relation. */
static void insert(const struct naive *v, relation r, uint32_t a, uint32_t b)
{
    budget_tick(v->x->budget);
    for (uint32_t p = 0; p < v->n; p++)
        if (p == a || has(v, r, p, a)) {
            bitset_join(row(v, r, p), row(v, r, b), v->words);
            bitset_add(row(v, r, p), b);
        }
}

/* Is the relation, which need not be transitive, acyclic? Depth first; grey nodes are on the way. */
static bool acyclic(const struct naive *v, relation r)
{
    enum { WHITE, GREY, BLACK };
    uint8_t *color = mem_new_zero(v->x->mem, uint8_t, v->n);
    uint32_t *way = mem_new(v->x->mem, uint32_t, v->n), *next = mem_new(v->x->mem, uint32_t, v->n);
    bool found = false;
    for (uint32_t start = 0; start < v->n && !found; start++) {
        uint32_t depth = 0;
        if (color[start] != WHITE)
            continue;
        color[start] = GREY;
        way[0] = start;
        next[0] = 0;
        do {
            uint32_t b = (uint32_t)bitset_next(row(v, r, way[depth]), v->n, next[depth]);
            if (b == v->n) {
                color[way[depth]] = BLACK;
                if (!depth--)
                    break;
                continue;
            }
            next[depth] = b + 1;
            if (color[b] == GREY) {
                found = true;
                break;
            }
            if (color[b] == WHITE) {
                color[b] = GREY;
                way[++depth] = b;
                next[depth] = 0;
            }
        } while (true);
    }
    mem_free(v->x->mem, color);
    mem_free(v->x->mem, way);
    mem_free(v->x->mem, next);
    return !found;
}

/* ---- the history's own relations ---- */

static bool is_initial(const struct naive *v, uint32_t a)
{
    return a >= v->ops;
}

static uint32_t var_of(const struct naive *v, uint32_t a)
{
    return is_initial(v, a) ? a - v->ops : v->x->memory.var[a];
}

static bool writes(const struct naive *v, uint32_t a)
{
    return is_initial(v, a) || (v->x->memory.role[a] & ROLE_WRITES);
}

static bool reads(const struct naive *v, uint32_t a)
{
    return !is_initial(v, a) && (v->x->memory.role[a] & ROLE_READS);
}

static bool part(const struct naive *v, uint32_t a)
{
    return is_initial(v, a) || v->x->memory.role[a];
}

static uint32_t source(const struct naive *v, uint32_t r)
{
    uint32_t s = v->x->memory.source[r];
    return s == FROM_INITIAL ? v->ops + v->x->memory.var[r] : s;
}

/* The initial value is of no thread, so a read of it is not external. */
static bool external(const struct naive *v, uint32_t r)
{
    uint32_t s = source(v, r);
    return !is_initial(v, s) && v->x->h->thread[s] != v->x->h->thread[r];
}

static bool program_order(const struct naive *v, enum kind kind, uint32_t a, uint32_t b)
{
    const struct recheck *x = v->x;
    if (is_initial(v, b) || a == b)
        return false;
    if (!is_initial(v, a) && !program_before(x, a, b))
        return false;
    if (kind == LOC)
        return var_of(v, a) == var_of(v, b);
    if (kind == PPO)
        return is_initial(v, a) ? writes(v, b) : preserved(x, false, a, b);
    return true;
}

/* The program order of this kind with the reads that go with it. */
static relation base_relation(const struct naive *v, enum kind kind)
{
    relation r = new_relation(v);
    for (uint32_t a = 0; a < v->n; a++)
        for (uint32_t b = 0; b < v->ops; b++)
            if (part(v, a) && part(v, b) && program_order(v, kind, a, b))
                bitset_add(row(v, r, a), b);
    for (uint32_t b = 0; b < v->ops; b++)
        if (reads(v, b) && (kind != PPO || external(v, b)))
            bitset_add(row(v, r, source(v, b)), b);
    return r;
}

/* ---- observations ---- */

struct observers {
    uint64_t *past;     /* the causal pasts of the maximal operations, and these */
    uint32_t *reads, n; /* that come before one of them in the program order, or are it */
};

/* Applies the rule of the reads until nothing changes: w1 -> w2 when w1 -> r, r reads from w2. */
static void force(const struct naive *v, relation hb, const struct observers *o)
{
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = o->n; i-- > 0;) {
            uint32_t r = o->reads[i], s = source(v, r), x = var_of(v, r);
            for (uint32_t at = v->by_var.at[x + 1]; at-- > v->by_var.at[x];) {
                uint32_t w = v->by_var.list[at];
                if (w == s || !has(v, hb, w, r) || has(v, hb, w, s))
                    continue;
                insert(v, hb, w, s);
                again = true;
            }
        }
    }
}

/* hb_o of the observers, joined to `into`. */
static void observe(const struct naive *v, relation co, const struct observers *o, relation into)
{
    relation hb = new_relation(v);
    for (uint32_t a = 0; a < v->n; a++)
        for (size_t i = 0; i < v->words; i++)
            row(v, hb, a)[i] = row(v, co, a)[i] & o->past[i];
    force(v, hb, o);
    unite(v, into, hb);
    mem_free(v->x->mem, hb);
}

static void observe_from(const struct naive *v, enum kind kind, relation co, const uint32_t *last, uint32_t count,
                         relation into)
{
    struct mem *m = v->x->mem;
    struct observers o = {mem_new_zero(m, uint64_t, v->words), mem_new(m, uint32_t, v->ops), 0};
    for (uint32_t i = 0; i < count; i++) {
        bitset_add(o.past, last[i]);
        for (uint32_t a = 0; a < v->n; a++) {
            if (has(v, co, a, last[i]))
                bitset_add(o.past, a);
            if (reads(v, a) && (a == last[i] || program_order(v, kind, a, last[i])))
                o.reads[o.n++] = a;
        }
    }
    observe(v, co, &o, into);
    mem_free(m, o.past);
    mem_free(m, o.reads);
}

/* The maximal operations of a thread, for which hb_o is computed one by one or, for LOC, together. */
static void observe_thread(const struct naive *v, enum kind kind, relation co, uint32_t thread, relation into)
{
    const struct recheck *x = v->x;
    uint32_t *last = mem_new(x->mem, uint32_t, x->memory.vars), count = 0;
    uint32_t last_write = ID_NONE, last_any = ID_NONE;
    bool *seen = mem_new_zero(x->mem, bool, x->memory.vars);
    for (uint32_t a = v->ops; a-- > 0;) {
        if (!part(v, a) || x->h->thread[a] != thread)
            continue;
        last_any = last_any == ID_NONE ? a : last_any;
        last_write = last_write == ID_NONE && writes(v, a) ? a : last_write;
        if (!seen[var_of(v, a)])
            last[count++] = a;
        seen[var_of(v, a)] = true;
    }
    if (kind == LOC)
        observe_from(v, kind, co, last, count, into);
    else if (last_any != ID_NONE)
        observe_from(v, kind, co, &last_any, 1, into);
    if (kind == PPO && last_write != ID_NONE && last_write != last_any)
        observe_from(v, kind, co, &last_write, 1, into);
    mem_free(x->mem, last);
    mem_free(x->mem, seen);
}

/* (U_o hb_o)+ for the kind of program order; base: its relation. */
static relation happens_before(const struct naive *v, enum kind kind, relation base)
{
    relation co = new_relation(v), hb = new_relation(v);
    unite(v, co, base);
    close_relation(v, co);
    for (uint32_t t = 0; t < v->x->h->threads.n; t++)
        observe_thread(v, kind, co, t, hb);
    close_relation(v, hb);
    mem_free(v->x->mem, co);
    return hb;
}

/* ---- the store order ---- */

static void add_writes(const struct naive *v, relation hb, relation store)
{
    for (uint32_t x = 0; x < v->x->memory.vars; x++)
        for (uint32_t i = v->by_var.at[x]; i < v->by_var.at[x + 1]; i++)
            for (uint32_t j = v->by_var.at[x]; j < v->by_var.at[x + 1]; j++)
                if (i != j && has(v, hb, v->by_var.list[i], v->by_var.list[j]))
                    bitset_add(row(v, store, v->by_var.list[i]), v->by_var.list[j]);
}

static void add_conflicts(const struct naive *v, relation hb, bool only_external, relation store)
{
    for (uint32_t r = 0; r < v->ops; r++) {
        if (!reads(v, r) || (only_external && !external(v, r)))
            continue;
        uint32_t x = var_of(v, r), s = source(v, r);
        for (uint32_t i = v->by_var.at[x]; i < v->by_var.at[x + 1]; i++) {
            uint32_t w = v->by_var.list[i];
            if (w != s && has(v, hb, w, r))
                bitset_add(row(v, store, w), s);
        }
    }
}

/* The base with the store order and its rw: is it acyclic? */
static bool fits(const struct naive *v, relation base, relation store)
{
    unite(v, base, store);
    for (uint32_t r = 0; r < v->ops; r++) {
        if (!reads(v, r))
            continue;
        bool itself = has(v, base, r, r);
        bitset_join(row(v, base, r), row(v, store, source(v, r)), v->words);
        if (!itself) /* an rmw does not overwrite its own source */
            bitset_remove(row(v, base, r), r);
    }
    return acyclic(v, base);
}

static bool is_ccm(const struct naive *v)
{
    relation base = base_relation(v, PO), hb = happens_before(v, PO, base), store = new_relation(v);
    add_writes(v, hb, store);
    add_conflicts(v, hb, false, store);
    close_relation(v, store);
    return fits(v, base, store);
}

static bool is_wccm(const struct naive *v)
{
    relation base[2] = {base_relation(v, PPO), base_relation(v, LOC)}, store = new_relation(v);
    relation hb[2] = {happens_before(v, PPO, base[0]), happens_before(v, LOC, base[1])};
    for (int i = 0; i < 2; i++)
        add_conflicts(v, hb[i], true, store);
    unite(v, hb[0], hb[1]);
    close_relation(v, hb[0]);
    add_writes(v, hb[0], store);
    close_relation(v, store);
    return fits(v, base[0], store) && fits(v, base[1], store);
}

/* ---- the causal models ---- */

static bool irreflexive(const struct naive *v, relation r)
{
    for (uint32_t a = 0; a < v->n; a++)
        if (has(v, r, a, a))
            return false;
    return true;
}

/* No write comes between a read and its source. */
static bool reads_the_latest(const struct naive *v, relation co)
{
    for (uint32_t r = 0; r < v->ops; r++) {
        if (!reads(v, r))
            continue;
        uint32_t x = var_of(v, r), s = source(v, r);
        for (uint32_t i = v->by_var.at[x]; i < v->by_var.at[x + 1]; i++)
            if (has(v, co, s, v->by_var.list[i]) && has(v, co, v->by_var.list[i], r))
                return false;
    }
    return true;
}

static bool converges(const struct naive *v, relation co)
{
    relation base = base_relation(v, PO);
    add_conflicts(v, co, false, base);
    bool fine = acyclic(v, base);
    mem_free(v->x->mem, base);
    return fine;
}

static bool each_thread_explained(const struct naive *v, relation co)
{
    bool fine = true;
    for (uint32_t t = 0; t < v->x->h->threads.n && fine; t++) {
        relation hb = new_relation(v);
        observe_thread(v, PO, co, t, hb);
        fine = irreflexive(v, hb);
        mem_free(v->x->mem, hb);
    }
    return fine;
}

/* ---- the verdict ---- */

static void list_writes(struct naive *v)
{
    uint32_t *var = mem_new(v->x->mem, uint32_t, v->n);
    for (uint32_t a = 0; a < v->n; a++)
        var[a] = writes(v, a) ? var_of(v, a) : ID_NONE;
    v->by_var = group_by(var, v->n, v->x->memory.vars, v->x->mem);
    mem_free(v->x->mem, var);
}

static bool from_nowhere(const struct naive *v)
{
    for (uint32_t a = 0; a < v->ops; a++)
        if (reads(v, a) && v->x->memory.source[a] == FROM_NOBODY)
            return true;
    return false;
}

bool naive_causal(struct recheck *x)
{
    unsigned conditions = x->line->model->conditions;
    struct naive v = {.x = x, .ops = x->h->n, .n = x->h->n + x->memory.vars};
    v.words = bitset_words(v.n);
    list_writes(&v);
    relation co = base_relation(&v, PO);
    close_relation(&v, co);
    bool holds = !from_nowhere(&v) && irreflexive(&v, co) && reads_the_latest(&v, co) &&
                 (!(conditions & COND_CONVERGENT) || converges(&v, co)) &&
                 (!(conditions & COND_PER_THREAD) || each_thread_explained(&v, co));
    mem_free(x->mem, co);
    groups_free(&v.by_var, x->mem);
    return holds;
}

bool recheck_naive(struct recheck *x)
{
    const struct model *model = x->line->model;
    struct naive v = {.x = x, .ops = x->h->n, .n = x->h->n + x->memory.vars};
    if (x->memory.program.past)
        return cannot_judge(x, "recheck cannot judge %s with program order between threads", model->name);
    if (v.ops > at_most(x, LIMIT_COMPUTED_OPERATIONS))
        return beyond(x, LIMIT_COMPUTED_OPERATIONS);
    v.words = bitset_words(v.n);
    list_writes(&v);
    return (!from_nowhere(&v) && (model->conditions & COND_CCM ? is_ccm(&v) : is_wccm(&v))) ||
           refuse(x, "computed again, the history is a violation of %s", model->name);
}
