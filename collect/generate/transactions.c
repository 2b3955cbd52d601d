/* SPDX-License-Identifier: Apache-2.0 */
/* Random clients of a simulated store that runs transactions.
 *
 * Idea: one step at a time, a random session goes on with its transaction: call, reads, end, return. The store
 * (store.h) gives the results of reads, so it determines the level of isolation that the history satisfies.
 *
 * Invariant: the k-th write of a key writes k, aborted transactions included, so no value is written twice, and 0 or
 * the empty list is the initial value. Values that repeat take the place of these when the history is written. A
 * transaction takes effect between its call and its return, or never. If its outcome is unknown, it may do so later. */
#include "base/error.h"
#include "collect/generate/sessions.h"

/* ---- parameters ---- */

const char *const store_names[] = {[STORE_SER] = "ser", [STORE_SI] = "si", [STORE_PSI] = "psi", [STORE_PC] = "pc",
                                   [STORE_TCC] = "tcc", [STORE_RA] = "ra", [STORE_RC] = "rc",   [STORES] = NULL};

static const struct store_kind kinds[] = {
    [STORE_SER] = {.reads = STORE_READS_AT_COMMIT},
    [STORE_SI] = {.reads = STORE_READS_AT_BEGIN, .checked = true},
    [STORE_PSI] = {.reads = STORE_READS_AT_BEGIN, .checked = true, .sites = true, .causal = true},
    [STORE_PC] = {.reads = STORE_READS_AT_BEGIN},
    [STORE_TCC] = {.reads = STORE_READS_AT_BEGIN, .sites = true, .causal = true},
    [STORE_RA] = {.reads = STORE_READS_AT_BEGIN, .sites = true},
    [STORE_RC] = {.reads = STORE_READS_ONE_BY_ONE},
};

enum { DATA_REGISTERS, DATA_LISTS, DATA_BOTH };
static const char *const data_names[] = {"registers", "lists", "both", NULL};

static const struct collect_parameter parameters[] = {
    [STORE] = {.name = "store",
               .value = "LEVEL",
               .help = "the level it satisfies: ser, si, psi, pc, tcc, ra or rc (default: ser)",
               .words = store_names},
    [DATA] = {.name = "data",
              .value = "KIND",
              .help = "registers, lists or both (default: registers)",
              .words = data_names},
    [SESSIONS] = {.name = "sessions",
                  .value = "K",
                  .help = "number of sessions (default: 4)",
                  .fallback = 4,
                  .least = 1,
                  .most = 1 << 16,
                  .also = "threads"},
    [TRANSACTIONS] = {.name = "transactions",
                      .value = "N",
                      .help = "number of transactions of all sessions together (default: 100)",
                      .fallback = 100,
                      .least = 1,
                      .most = 1 << 28,
                      .also = "operations"},
    [ACCESSES] = {.name = "accesses",
                  .value = "A",
                  .help = "accesses per transaction (default: 8)",
                  .fallback = 8,
                  .least = 1,
                  .most = 1 << 16},
    [KEYS] = {.name = "keys",
              .value = "D",
              .help = "number of keys in use at a time (default: 10)",
              .fallback = 10,
              .least = 1,
              .most = 1 << 20},
    [SKEW] = {.name = "skew",
              .value = "PERCENT",
              .help = "share of accesses that go to a fifth of the keys, and so on within it (default: 0, all alike)",
              .most = 99},
    [READS] = {.name = "reads",
               .value = "PERCENT",
               .help = "share of reads among the accesses (default: 50)",
               .fallback = 50,
               .most = 100},
    [READ_FIRST] = {.name = "read-first",
                    .value = "PERCENT",
                    .help = "share of writes that directly follow a read of their key (default: 0, blind writes)",
                    .most = 100},
    [VALUES] = {.name = "values",
                .value = "V",
                .help = "write only V different values to a register (default: 0, each write has its own)",
                .most = 1 << 30},
    [APPENDS] = {.name = "appends",
                 .value = "N",
                 .help = "appends to a list before a new key takes its place (default: 32)",
                 .fallback = 32,
                 .least = 1,
                 .most = 1 << 20,
                 .needs = "data"},
    [ABORTS] = {.name = "aborts",
                .value = "PERCENT",
                .help = "share of transactions that abort (default: 0)",
                .most = 100},
    [UNKNOWN] = {.name = "unknown",
                 .value = "PERCENT",
                 .help = "share of transactions whose outcome is unknown (default: 0)",
                 .most = 100,
                 .also = "maybe"},
    [TIMES] = {.name = "times", .help = "record calls and returns", .most = 1, .flag = true},
    [BUG] = {.name = "bug",
             .value = "BUG",
             .help = "build in a bug: lost-update, dirty-read, stale-snapshot or torn-write (default: none)",
             .words = bug_names},
    [OFTEN] = {.name = "often",
               .value = "PERCENT",
               .help = "share of transactions that the bug may concern (default: 5)",
               .fallback = 5,
               .least = 1,
               .most = 100,
               .needs = "bug"},
    [MUTATE] = {.name = "mutate",
                .value = "M",
                .help = "afterwards give M reads another version of their key (default: 0)",
                .most = 1 << 30},
    [DISTANCE] = {.name = "distance",
                  .value = "D",
                  .help = "how far away that version may be (default: 20; 0: anywhere)",
                  .fallback = 20,
                  .most = 1 << 30,
                  .needs = "mutate"},
    {0},
};

/* ---- the accesses of a transaction ---- */

struct store_transaction sessions_transaction(const struct sessions *x, uint32_t id)
{
    const struct transaction *o = &x->all.at[id];
    return (struct store_transaction){x->accesses.at + o->first, o->n, o->session % x->store.site_n};
}

/* A power law: a fifth of the keys gets a share of the accesses. A fifth of these gets the same share of that. */
static uint32_t pick_slot(struct sessions *x)
{
    uint32_t n = (uint32_t)x->c->values[KEYS], skew = (uint32_t)x->c->values[SKEW];
    if (!skew)
        return rng_below(&x->rng, n);
    while (n > 1) {
        uint32_t hot = (n + 4) / 5;
        if (rng_below(&x->rng, 100) >= skew)
            return hot + rng_below(&x->rng, n - hot);
        n = hot;
    }
    return 0;
}

static void push(struct sessions *x, uint32_t key, enum store_access_kind kind, uint32_t value)
{
    struct store_access a = {.key = key, .kind = (uint8_t)kind, .value = value};
    vec_push(x->c->mem, &x->accesses, a);
}

static void push_change(struct sessions *x, uint32_t slot)
{
    uint32_t id = x->slots[slot];
    struct store_key *key = &x->store.keys.at[id];
    push(x, id, key->list ? STORE_APPEND : STORE_WRITE, ++key->written);
    if (key->list && key->written == x->c->values[APPENDS])
        x->slots[slot] = store_add_key(&x->store, true);
}

/* With a read before it, a write takes the room of two accesses. */
static void draw_accesses(struct sessions *x, uint32_t n)
{
    const uint64_t *values = x->c->values;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t slot = pick_slot(x);
        bool reads = rng_below(&x->rng, 100) < values[READS];
        bool first = !reads && rng_below(&x->rng, 100) < values[READ_FIRST];
        if (reads || first)
            push(x, x->slots[slot], STORE_READ, 0);
        if (reads || (first && ++i == n))
            continue;
        push_change(x, slot);
    }
}

static enum outcome draw_outcome(struct sessions *x)
{
    uint32_t pick = rng_below(&x->rng, 100);
    if (pick < x->c->values[ABORTS])
        return OUTCOME_ABORTED;
    return pick < x->c->values[ABORTS] + x->c->values[UNKNOWN] ? OUTCOME_UNKNOWN : OUTCOME_COMMITTED;
}

/* ---- steps of a session ---- */

static void commit(struct sessions *x, uint32_t id)
{
    const struct transaction *o = &x->all.at[id];
    struct store_transaction t = sessions_transaction(x, id);
    uint32_t number = store_commit(&x->store, &t, !o->unchecked);
    if (!number || o->outcome == OUTCOME_UNKNOWN)
        return;
    x->at[o->session].commit = number;
    x->at[o->session].last_key = x->store.writes.at[x->store.commits.at[number - 1].first].key;
}

/* The client has given up on a transaction, which takes effect nevertheless. */
static void commit_late(struct sessions *x)
{
    if (!x->late.n || rng_below(&x->rng, 8))
        return;
    uint32_t *late = &x->late.at[rng_below(&x->rng, x->late.n)], id = *late;
    *late = vec_pop(&x->late);
    commit(x, id);
}

static void call(struct sessions *x, uint32_t number)
{
    struct mem *m = x->c->mem;
    struct transaction o = {.session = number,
                            .first = x->accesses.n,
                            .n = (uint32_t)x->c->values[ACCESSES],
                            .called = ++x->events,
                            .outcome = draw_outcome(x)};
    commit_late(x);
    draw_accesses(x, o.n);
    x->at[number].open = x->all.n;
    x->at[number].state = SESSION_CALLED;
    vec_push(m, &x->all, o);
    struct store_transaction t = sessions_transaction(x, x->all.n - 1);
    store_link(&x->store, &t);
}

static void begin(struct sessions *x, struct session *session)
{
    bug_spoil(x, session->open);
    struct store_transaction t = sessions_transaction(x, session->open);
    enum store_reads reads = x->store.kind->reads;
    store_listen(&x->store, t.site);
    if (reads == STORE_READS_AT_BEGIN || x->all.at[session->open].early)
        store_see_all(&x->store, &t);
    session->next = 0;
    session->state = reads == STORE_READS_ONE_BY_ONE ? SESSION_READING : SESSION_READ;
}

static void read_next(struct sessions *x, struct session *session)
{
    struct store_transaction t = sessions_transaction(x, session->open);
    store_see(&x->store, &t, &t.at[session->next++]);
    if (session->next == t.n)
        session->state = SESSION_READ;
}

/* Of the transactions whose outcome stays unknown a quarter commits, a quarter does so late, and half never does. */
static void end(struct sessions *x, struct session *session)
{
    const struct transaction *o = &x->all.at[session->open];
    struct store_transaction t = sessions_transaction(x, session->open);
    uint32_t luck = o->outcome == OUTCOME_UNKNOWN ? rng_below(&x->rng, 4) : 0;
    if (x->store.kind->reads == STORE_READS_AT_COMMIT && !o->early)
        store_see_all(&x->store, &t);
    if (luck == 1)
        vec_push(x->c->mem, &x->late, session->open);
    if (luck == 0 && o->outcome != OUTCOME_ABORTED)
        commit(x, session->open);
    session->state = SESSION_ENDED;
}

static void returns(struct sessions *x, struct session *session)
{
    x->all.at[session->open].returned = ++x->events;
    vec_push(x->c->mem, &x->ended, session->open);
    session->state = SESSION_IDLE;
}

static void go_on(struct sessions *x, uint32_t place)
{
    struct session *session = &x->at[x->active[place]];
    switch (session->state) {
    case SESSION_IDLE:
        if (x->all.n < x->c->values[TRANSACTIONS])
            call(x, x->active[place]);
        else
            x->active[place] = x->active[--x->active_n];
        break;
    case SESSION_CALLED: begin(x, session); break;
    case SESSION_READING: read_next(x, session); break;
    case SESSION_READ: end(x, session); break;
    case SESSION_ENDED: returns(x, session); break;
    }
}

/* ---- the collector ---- */

static void demand_bug(const struct collecting *c)
{
    if (bug_fits((unsigned)c->values[BUG], (unsigned)c->values[STORE]))
        return;
    error_set(c->error, ASSAY_ERROR_USAGE, "--bug: %s is no bug of the store %s, whose level allows it",
              bug_names[c->values[BUG]], store_names[c->values[STORE]]);
    error_remedy(c->error, "choose a stronger store, as --store si, or another bug");
    escape_raise(ESCAPE_ERROR);
}

static void demand_shares(const struct collecting *c)
{
    if (c->values[ABORTS] + c->values[UNKNOWN] <= 100)
        return;
    error_set(c->error, ASSAY_ERROR_USAGE, "--aborts and --unknown: they make up more than 100 of 100 transactions");
    error_remedy(c->error, "lower one of them");
    escape_raise(ESCAPE_ERROR);
}

static void demand_room(const struct collecting *c)
{
    uint64_t most = (uint64_t)1 << 31;
    if (c->values[TRANSACTIONS] * c->values[ACCESSES] <= most)
        return;
    error_set(c->error, ASSAY_ERROR_USAGE, "--transactions and --accesses: more than 2^31 accesses in all");
    error_remedy(c->error, "--count makes several histories");
    escape_raise(ESCAPE_ERROR);
}

static void run(const struct collecting *c)
{
    demand_bug(c);
    demand_shares(c);
    demand_room(c);
    uint32_t sessions = (uint32_t)c->values[SESSIONS], keys = (uint32_t)c->values[KEYS];
    struct sessions x = {.c = c, .rng = {c->seed}};
    x.store = store_new(&kinds[c->values[STORE]], sessions, c->mem, &x.rng);
    x.at = mem_new_zero(c->mem, struct session, sessions);
    x.active = mem_new(c->mem, uint32_t, sessions);
    x.slots = mem_new(c->mem, uint32_t, keys);
    for (uint32_t i = 0; i < keys; i++)
        x.slots[i] = store_add_key(&x.store, c->values[DATA] == DATA_LISTS || (c->values[DATA] == DATA_BOTH && i % 2));
    while (x.active_n < sessions) {
        x.active[x.active_n] = x.active_n;
        x.active_n++;
    }
    while (x.active_n)
        go_on(&x, rng_below(&x.rng, x.active_n));
    sessions_mutate(&x);
    sessions_emit(&x);
}

const struct collector collector_transactions = {
    .name = "transactions",
    .title = "random clients of a simulated store that runs transactions",
    .details = "the level of --store holds, unless you build in a bug (--bug) or change reads (--mutate)",
    .notes =
        "ser: one at a time; si: a snapshot, and the first of two writers of a key wins (write skew is possible);\n"
        "psi: the same at several sites (long forks); pc: a snapshot, updates may be lost; tcc: causally, at\n"
        "several sites; ra: each transaction as a whole, in any order; rc: each read sees the last commit.\n"
        "With --times the stores ser, si, pc and rc also satisfy LEVEL-strict.\n",
    .examples =
        "  assay gen transactions --store si --sessions 25 --transactions 10000 --keys 1000 | assay check -m ser -\n"
        "  assay gen transactions --data lists --aborts 5 --unknown 2 --times --out run.hist\n"
        "  assay gen transactions --store si --bug lost-update --read-first 50 | assay check -m si -\n",
    .object = "multi-register",
    .parameters = parameters,
    .run = run,
};
