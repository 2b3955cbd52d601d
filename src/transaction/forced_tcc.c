/* SPDX-License-Identifier: Apache-2.0 */
/* The orders that transactional causal consistency forces: t3 reads x from t1, t2 writes x, and t2 is in the past of
 * t3.
 *
 * As for ccv of memories (memory/causal.h): of each write of x by t1, the clocks of its readers are joined. Of each
 * lane, the last writer of x within the joined clock comes before t1, unless it is in the past of t1 or is t1 itself.
 * The keys are taken one by one, and a bit for each transaction tells whether it writes the key. So a lane without
 * such a writer, the common case, takes a glance at one word. */
#include "transaction/clocks.h"

#include <string.h>

struct causing {
    struct dependencies *d;
    struct clocks clocks;
    struct groups writes;   /* of a key */
    struct groups readers;  /* of a write; behind the writes, of the initial value of each key: reads */
    uint32_t *reader;       /* of a read: its transaction */
    uint32_t *known, *past; /* rows: the joined clocks of the readers, and the clocks of the writer */
    uint64_t *bits;         /* of a slot: does its transaction write the key at hand? */
    VEC(uint32_t) lanes;    /* that write it */
    uint32_t *lane_key;     /* of a lane: the last key that has it among these */
    uint32_t *start;        /* of a lane: the slot of its first transaction; all lanes lie one behind the other */
    uint32_t *txn_at;       /* of a slot */
};

static void place(struct dependencies *d, uint32_t t)
{
    struct causing *c = d->arg;
    clocks_place(&c->clocks, t);
}

static void group_reads(struct causing *c)
{
    const struct txn_view *v = c->d->v;
    uint32_t reads = v->reads_at[v->n], writes = v->writes_at[v->n];
    uint32_t *of = mem_new(c->d->m, uint32_t, (size_t)reads + 1);
    c->reader = mem_new(c->d->m, uint32_t, (size_t)reads + 1);
    for (uint32_t t = 0; t < v->n; t++)
        for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++) {
            of[i] = v->reads[i].source == TXN_INIT ? writes + v->reads[i].key : v->reads[i].source;
            c->reader[i] = t;
        }
    c->readers = group_by(of, reads, writes + v->d, c->d->m);
    mem_free(c->d->m, of);
}

/* Of a write, or of an initial value. */
static void join_readers(struct causing *c, uint32_t of)
{
    uint32_t from = c->readers.at[of], end = c->readers.at[of + 1];
    clocks_load(&c->clocks, c->reader[c->readers.list[from]], c->known);
    for (uint32_t i = from + 1; i < end; i++)
        if (c->reader[c->readers.list[i]] != c->reader[c->readers.list[i - 1]])
            clocks_join(&c->clocks, c->reader[c->readers.list[i]], c->known);
}

/* The last transaction of the slots from .. end - 1 that writes the key, or ID_NONE. */
static uint32_t last_writer(const struct causing *c, uint32_t from, uint32_t end)
{
    uint32_t word = (end - 1) / 64, top = end - 1;
    uint64_t bits = c->bits[word] << (63 - top % 64);
    while (!bits) {
        if (word == from / 64)
            return ID_NONE;
        bits = c->bits[--word];
        top = 64 * word + 63;
    }
    uint32_t last = top - (uint32_t)__builtin_clzll(bits);
    return last >= from ? c->txn_at[last] : ID_NONE;
}

/* A reader of it that has t2 in its past. */
static uint32_t reader_after(const struct causing *c, uint32_t of, uint32_t t2)
{
    uint32_t i = c->readers.at[of];
    while (!clocks_before(&c->clocks, t2, c->reader[c->readers.list[i]]))
        i++;
    return c->reader[c->readers.list[i]];
}

static void force_write(struct causing *c, uint32_t of, uint32_t t1)
{
    for (uint32_t i = 0; i < c->lanes.n; i++) {
        uint32_t lane = c->lanes.at[i], low = c->past[lane], high = c->known[lane];
        if (low >= high)
            continue;
        uint32_t t2 = last_writer(c, c->start[lane] + low, c->start[lane] + high);
        if (t2 != ID_NONE)
            dependencies_force(c->d, t2, t1, reader_after(c, of, t2));
    }
}

static uint32_t slot_of(const struct causing *c, uint32_t t)
{
    return c->start[c->clocks.lane[t]] + c->clocks.place[t];
}

static void begin_key(struct causing *c, uint32_t x)
{
    const struct txn_view *v = c->d->v;
    vec_clear(&c->lanes);
    for (uint32_t i = c->writes.at[x]; i < c->writes.at[x + 1]; i++) {
        uint32_t t = v->writer[c->writes.list[i]];
        if (c->clocks.lane[t] == ID_NONE)
            continue; /* in no past */
        uint32_t slot = slot_of(c, t), *key = &c->lane_key[c->clocks.lane[t]];
        c->bits[slot / 64] |= (uint64_t)1 << slot % 64;
        if (*key != x)
            vec_push(c->d->m, &c->lanes, c->clocks.lane[t]);
        *key = x;
    }
}

static void end_key(struct causing *c, uint32_t x)
{
    for (uint32_t i = c->writes.at[x]; i < c->writes.at[x + 1]; i++) {
        uint32_t t = c->d->v->writer[c->writes.list[i]];
        if (c->clocks.lane[t] != ID_NONE)
            c->bits[slot_of(c, t) / 64] = 0;
    }
}

static void force_key(struct causing *c, uint32_t x)
{
    const struct txn_view *v = c->d->v;
    uint32_t from = c->writes.at[x], end = c->writes.at[x + 1], initial = v->writes_at[v->n] + x;
    begin_key(c, x);
    if (c->readers.at[initial] < c->readers.at[initial + 1]) {
        join_readers(c, initial);
        memset(c->past, 0, c->clocks.length.n * sizeof *c->past);
        force_write(c, initial, TXN_INIT);
    }
    for (uint32_t i = from; i < end; i++) {
        uint32_t w = c->writes.list[i], t1 = v->writer[w];
        budget_tick(c->d->budget);
        if (c->readers.at[w] == c->readers.at[w + 1])
            continue;
        join_readers(c, w);
        clocks_load(&c->clocks, t1, c->past);
        c->past[c->clocks.lane[t1]] = c->clocks.place[t1] + 1;
        force_write(c, w, t1);
    }
    end_key(c, x);
}

static void lay_out_lanes(struct causing *c)
{
    const struct txn_view *v = c->d->v;
    uint32_t lanes = c->clocks.length.n;
    c->known = mem_new(c->d->m, uint32_t, (size_t)lanes + 1);
    c->past = mem_new(c->d->m, uint32_t, (size_t)lanes + 1);
    c->lane_key = mem_new_ids(c->d->m, (size_t)lanes + 1);
    c->start = mem_new(c->d->m, uint32_t, (size_t)lanes + 1);
    c->txn_at = mem_new(c->d->m, uint32_t, (size_t)v->n + 1);
    for (uint32_t i = 0, sum = 0; i < lanes; i++) {
        c->start[i] = sum;
        sum += c->clocks.length.at[i];
    }
    for (uint32_t t = 0; t < v->n; t++)
        if (c->clocks.lane[t] != ID_NONE)
            c->txn_at[slot_of(c, t)] = t;
}

/* A key that is read from two sources needs no clocks. */
static bool sources_fit(struct dependencies *d)
{
    const struct txn_view *v = d->v;
    struct {
        uint32_t reader, source;
    } *read = mem_alloc(d->m, mem_product((size_t)v->d + 1, sizeof *read));
    for (uint32_t x = 0; x < v->d; x++)
        read[x].reader = ID_NONE;
    for (uint32_t t = 0; t < v->n; t++)
        for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++) {
            uint32_t x = v->reads[i].key;
            if (read[x].reader == t && read[x].source != v->reads[i].source) {
                d->two_sources = t;
                return false;
            }
            read[x].reader = t;
            read[x].source = v->reads[i].source;
        }
    mem_free(d->m, read);
    return true;
}

bool force_tcc(struct dependencies *d)
{
    const struct txn_view *v = d->v;
    struct causing c = {.d = d};
    if (!sources_fit(d))
        return true;
    clocks_init(&c.clocks, v, d->m);
    d->place = place;
    d->arg = &c;
    bool acyclic = dependencies_sort(d);
    d->place = NULL;
    if (!acyclic)
        return false;
    d->stats->clock_rows += v->n;
    group_reads(&c);
    c.writes = group_by(v->write_key, v->writes_at[v->n], v->d, d->m);
    lay_out_lanes(&c);
    c.bits = mem_new_zero(d->m, uint64_t, (size_t)v->n / 64 + 1);
    for (uint32_t x = 0; x < v->d && d->impossible == ID_NONE; x++)
        force_key(&c, x);
    return true;
}
