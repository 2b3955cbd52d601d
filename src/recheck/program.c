/* SPDX-License-Identifier: Apache-2.0 */
#include "recheck/program.h"

static uint32_t nth(const struct program *p, uint32_t thread, uint32_t count)
{
    return p->by_thread.list[p->by_thread.at[thread] + count - 1];
}

static uint32_t *row(const struct program *p, uint32_t op)
{
    return p->past + (size_t)op * p->threads;
}

/* ---- construction ---- */

/* op comes after the first `count` operations of the thread, and after all that the last of these comes after. */
static void join(const struct program *p, uint32_t op, uint32_t thread, uint32_t count)
{
    uint32_t *mine = row(p, op);
    const uint32_t *theirs = row(p, nth(p, thread, count));
    for (uint32_t t = 0; t < p->threads; t++)
        mine[t] = mine[t] > theirs[t] ? mine[t] : theirs[t];
    mine[thread] = mine[thread] > count ? mine[thread] : count;
}

/* The next operation of its thread can come now if those that it names are done. */
static bool take_next(const history *h, const struct program *p, uint32_t op, const uint32_t *done)
{
    for (uint32_t i = h->after_at[op]; i < h->after_at[op + 1]; i++)
        if (h->after.at[i].count > done[h->after.at[i].thread])
            return false;
    for (uint32_t i = h->after_at[op]; i < h->after_at[op + 1]; i++)
        if (h->after.at[i].count)
            join(p, op, h->after.at[i].thread, h->after.at[i].count);
    if (p->place[op])
        join(p, op, h->thread[op], p->place[op]);
    return true;
}

/* Threads go on in turn, as far as they can. False: not all come to their end. */
static bool compute_rows(const history *h, struct program *p, struct mem *m)
{
    uint32_t *done = mem_new_zero(m, uint32_t, p->threads), sorted = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t t = 0; t < p->threads; t++)
            while (done[t] < p->by_thread.at[t + 1] - p->by_thread.at[t] &&
                   take_next(h, p, nth(p, t, done[t] + 1), done)) {
                done[t]++;
                sorted++;
                moved = true;
            }
    }
    mem_free(m, done);
    return sorted == h->n;
}

static bool is_kind(const struct memory *mem, uint32_t op, int kind)
{
    uint8_t role = mem->role[op];
    switch (kind) {
    case PROGRAM_READ: return role == ROLE_READS;
    case PROGRAM_WRITE: return role & ROLE_WRITES;
    case PROGRAM_BARRIER: return mem->fence[op] || role == (ROLE_READS | ROLE_WRITES);
    default: return role;
    }
}

static void find_last(const struct memory *mem, struct program *p, int kind)
{
    for (uint32_t t = 0; t < p->threads; t++)
        for (uint32_t i = p->by_thread.at[t], last = ID_NONE; i < p->by_thread.at[t + 1]; i++) {
            uint32_t op = p->by_thread.list[i];
            p->upto[kind][op] = last = is_kind(mem, op, kind) ? op : last;
        }
}

static void list_by_variable(const history *h, const struct memory *mem, struct program *p, struct mem *m)
{
    uint32_t *var = mem_new(m, uint32_t, h->n);
    for (uint32_t i = 0; i < h->n; i++) {
        uint32_t op = p->by_thread.list[i];
        var[i] = mem->role[op] ? mem->var[op] : ID_NONE;
    }
    p->of_var = group_by(var, h->n, mem->vars, m);
    for (uint32_t i = 0; i < p->of_var.at[mem->vars]; i++)
        p->of_var.list[i] = p->by_thread.list[p->of_var.list[i]];
    mem_free(m, var);
}

bool recheck_program(const history *h, struct memory *mem, struct mem *m, assay_error *e)
{
    struct program *p = &mem->program;
    *p = (struct program){.threads = h->threads.n, .by_thread = history_by_thread(h, m)};
    p->place = mem_new(m, uint32_t, h->n);
    for (uint32_t t = 0; t < p->threads; t++)
        for (uint32_t i = p->by_thread.at[t]; i < p->by_thread.at[t + 1]; i++)
            p->place[p->by_thread.list[i]] = i - p->by_thread.at[t];
    if (!h->po_after || !h->after_at)
        return true;
    p->past = mem_new_zero(m, uint32_t, mem_product(h->n, p->threads));
    if (!compute_rows(h, p, m)) {
        error_set(e, ASSAY_ERROR_REFUSED, "program order is circular");
        return false;
    }
    for (int kind = 0; kind < PROGRAM_KINDS; kind++) {
        p->upto[kind] = mem_new(m, uint32_t, h->n);
        find_last(mem, p, kind);
    }
    list_by_variable(h, mem, p, m);
    return true;
}

/* ---- questions ---- */

uint32_t program_count(const struct recheck *x, uint32_t op, uint32_t thread)
{
    const struct program *p = &x->memory.program;
    if (x->h->thread[op] == thread)
        return p->place[op];
    return p->past ? row(p, op)[thread] : 0;
}

bool program_before(const struct recheck *x, uint32_t a, uint32_t b)
{
    return x->memory.program.place[a] < program_count(x, b, x->h->thread[a]);
}

uint32_t program_last(const struct recheck *x, int kind, uint32_t thread, uint32_t count)
{
    const struct program *p = &x->memory.program;
    return count ? p->upto[kind][nth(p, thread, count)] : ID_NONE;
}

uint32_t program_last_of(const struct recheck *x, uint32_t var, uint32_t thread, uint32_t count)
{
    const struct program *p = &x->memory.program;
    const uint32_t *list = p->of_var.list;
    uint32_t low = p->of_var.at[var], high = p->of_var.at[var + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2, op = list[middle], t = x->h->thread[op];
        if (t < thread || (t == thread && p->place[op] < count))
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low > p->of_var.at[var] && x->h->thread[list[low - 1]] == thread;
    return found ? list[low - 1] : ID_NONE;
}

uint32_t program_settled(const struct recheck *x, uint32_t op, uint32_t thread)
{
    uint32_t settled = 0;
    for (uint32_t t = 0; t < x->memory.program.threads; t++) {
        uint32_t barrier = program_last(x, PROGRAM_BARRIER, t, program_count(x, op, t));
        if (barrier == ID_NONE)
            continue;
        uint32_t count = program_count(x, barrier, thread) + (t == thread);
        settled = settled > count ? settled : count;
    }
    return settled;
}

bool program_barrier_between(const struct recheck *x, uint32_t a, uint32_t b)
{
    return x->memory.program.place[a] < program_settled(x, b, x->h->thread[a]);
}
