/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated multiprocessor: cores, a private cache for each, one home of all lines, and a network between them.
 *
 * Idea: everything that takes time is a message or a wake-up in one queue of events, taken in the order of its time. A
 * message takes a random time, so messages overtake each other. A line holds one variable. The home serves one
 * transaction of a line at a time and lets other requests for it wait; this makes the protocols short. A protocol
 * defines how a cache and the home handle a message. A kind of core defines its requests to its cache, and their times.
 *
 * Invariant: an access is performed in one step, by a cache whose line permits it, at the moment when the permission
 * arrives or is there. So no request starves, and the order of these steps explains every value read. A seeded bug
 * breaks this; then, and only then, messages may find a line in an unexpected state.
 *
 * The states of a line are the stable ones of the textbooks. A transient state is a stable one together with `asked` (a
 * transaction of this cache is under way) or `leaving` (a write-back is). Nagarajan, Sorin, Hill and Wood, A Primer on
 * Memory Consistency and Cache Coherence, describes protocols of this kind. */
#ifndef ASSAY_COLLECT_COHERENCE_MACHINE_H
#define ASSAY_COLLECT_COHERENCE_MACHINE_H

#include "base/hash.h"
#include "base/ring.h"
#include "base/rng.h"
#include "base/vec.h"
#include "collect/access.h"

#include <stdbool.h>

enum { MOST_CORES = 64 };

enum protocol_bit {
    MI = 1,
    MESI = 2,
    MOESI = 4,
    MOESI_AMD = 8,
    SHARING = MESI | MOESI | MOESI_AMD, /* a line may be in several caches */
    ANY_PROTOCOL = MI | SHARING
};
enum core_bit { SC = 1, TSO = 2 };

enum bug {
    BUG_NONE,
#define X(ident, name, protocols, cores, summary) BUG_##ident,
#include "collect/coherence/bugs.def"
#undef X
};

/* ---- messages ---- */

enum message_type {
    /* to the home, which lets them wait while it serves another request for the line */
    GET_SHARED,
    GET_EXCLUSIVE,
    PUT, /* a write-back, with its value; in moesi only the wish for one */
    LAST_REQUEST = PUT,
    /* to the home, about the request that it serves */
    DONE,      /* the request of the requester is done */
    COPY,      /* the value that the owner forwarded, for the home, too; moesi-amd: only for the home */
    NOTHING,   /* the owner has nothing to forward; moesi-amd: the cache has no dirty line */
    PUT_VALUE, /* moesi: the write-back itself */
    PUT_CANCEL,
    /* to a cache */
    FORWARD_SHARED, /* send the line to the requester and share it; moesi-amd: send it to the home */
    FORWARD_EXCLUSIVE,
    INVALIDATE,
    VALUE, /* the line */
    ACK,
    PUT_DONE, /* the write-back has arrived; moesi: it may start */
    /* from a cache to itself */
    INVALIDATE_LATE,
    /* no message: a core goes on */
    WAKE,
};

struct message {
    enum message_type type;
    uint32_t from, to, variable;
    uint32_t requester, serial; /* the cache that this is about, and its transaction */
    uint32_t value;
    uint32_t answers; /* VALUE: how many acks the requester must await */
    bool has_value;   /* or only permission */
    bool shared;      /* another cache has the line */
    bool waited;      /* at the home, for another transaction */
    bool supersedes;  /* moesi-amd: the write-back of the cache that answers */
};

/* ---- caches ---- */

enum line_state { INVALID, SHARED, OWNED, EXCLUSIVE, MODIFIED };

struct line {
    uint32_t variable;
    bool used; /* else this place is free */
    enum line_state state;
    bool asked, leaving;
    uint32_t value;
    /* of the transaction that is under way */
    bool write;
    uint32_t serial, answers, needed; /* needed: ID_NONE as long as it is unknown */
    uint32_t found;                   /* the value that was sent */
    bool has_found, from_owner, shared;
};

/* The users of the cache: the core itself, and its store buffer on the way to memory. */
enum port { PORT_CORE, PORT_BUFFER, PORTS };

struct request {
    bool active;
    enum access_kind kind;
    uint32_t variable, value;
};

struct cache {
    struct line *lines;
    struct request requests[PORTS];
};

/* ---- cores ---- */

struct stores {
    VEC(struct access) all; /* oldest first */
};

struct core {
    uint32_t left; /* operations to do, with `now` and `next` */
    struct access now, next;
    bool early; /* the value of `next`, a read, has been looked up already */
    bool waits; /* for the store buffer */
    bool split; /* BUG_SPLIT_RMW: the read of `now` is done, the write is not */
    struct stores buffer;
    uint32_t draining; /* which of the buffer is on its way */
};

/* ---- the home: memory, or a shared second level, and its knowledge of the caches ---- */

struct home_line {
    uint32_t value, owner; /* owner: a cache or ID_NONE */
    uint64_t sharers;
    uint32_t awaits; /* messages, before the next request is served */
    /* moesi-amd: the answers to probes */
    uint32_t answers; /* so many are missing */
    uint32_t found;   /* the dirty value */
    bool has_found, shared;
    uint64_t superseded; /* caches whose next write-back is void */
    struct message current;
    RING(struct message) queue;
};

/* ---- the machine ---- */

struct machine;

struct protocol {
    const char *name;
    /* Starts a transaction for a line whose state does not permit the access. */
    void (*ask)(struct machine *m, uint32_t cache, struct line *l, bool write);
    /* Makes a line go: at once, or `leaving`. */
    void (*evict)(struct machine *m, uint32_t cache, struct line *l);
    void (*cache_receives)(struct machine *m, uint32_t cache, const struct message *msg);
    void (*home_serves)(struct machine *m, struct home_line *h, const struct message *msg);
    void (*home_receives)(struct machine *m, struct home_line *h, const struct message *msg);
};

struct core_kind {
    const char *name;
    void (*wake)(struct machine *m, uint32_t core, enum port port);
    /* A request was performed; it found this value. */
    void (*performed)(struct machine *m, uint32_t core, enum port port, uint32_t found);
};

extern const struct protocol protocol_mi, protocol_mesi, protocol_moesi, protocol_moesi_amd;
extern const struct core_kind core_sc, core_tso;

struct event {
    uint64_t time, number;
    enum port port; /* of WAKE */
    struct message message;
};

struct machine {
    const struct collecting *c;
    struct mem *mem;
    struct rng rng;
    const struct protocol *protocol;
    const struct core_kind *kind;
    enum bug bug;
    uint32_t cores, variables, lines, delay;
    bool ordered; /* between two nodes messages keep their order */
    uint32_t reads, fences, rmws;

    uint64_t now, events, events_most;
    VEC(struct event) queue; /* a heap, the next event first */
    uint64_t *last_arrival;  /* of each channel */
    uint32_t serial;         /* of the last transaction */

    struct cache *caches;
    struct core *at;
    struct home_line *home;
    uint32_t *written; /* of each variable, the last value */
    struct accesses out;
};

static inline uint32_t home_node(const struct machine *m)
{
    return m->cores;
}

/* Runs until every core is done. A machine that stands still or goes round in circles is a fault. */
void machine_run(struct machine *m, uint32_t operations);
void machine_wake(struct machine *m, uint32_t core, enum port port, uint32_t most_delay);
void machine_send(struct machine *m, struct message msg);
void machine_later(struct machine *m, struct message msg, uint32_t most_delay);
/* An event that cannot happen without a bug: an internal error, if no bug was seeded. */
void machine_unexpected(struct machine *m, const char *what);

/* ---- cache.c ---- */

void cache_request(struct machine *m, uint32_t core, enum port port, struct request r);
void cache_retry(struct machine *m, uint32_t core); /* after a message: waiting requests may go on */
struct line *cache_find(struct machine *m, uint32_t core, uint32_t variable); /* or NULL */
bool line_permits(const struct line *l, bool write);
/* The cache can no longer be read; the place becomes free unless something is under way. */
void line_drop(struct machine *m, uint32_t core, struct line *l);
/* From the cache to the home, about the line. */
void line_sends(struct machine *m, uint32_t core, const struct line *l, enum message_type type, struct message extra);
/* Another cache wants to write. */
void line_invalidate(struct machine *m, uint32_t core, struct line *l);
/* Bug early-ack: the invalidation, which has waited, happens, unless the cache has asked for the line again. */
void line_drop_late(struct machine *m, uint32_t core, struct line *l);
void line_leave(struct machine *m, uint32_t core, struct line *l);
void line_left(struct line *l);
/* Is the message an answer that the line waits for? */
bool line_awaits(struct machine *m, const struct line *l, const struct message *msg);
/* The state that a transaction gives, once all answers are there. */
enum line_state line_gained(const struct line *l);
/* The transaction is over: the line has this state and value; the home is told. */
void line_granted(struct machine *m, uint32_t core, struct line *l, enum line_state state, uint32_t value);

/* ---- home.c ---- */

void home_receives(struct machine *m, const struct message *msg);
/* From the home to a node, about the request that is served. */
void home_sends(struct machine *m, struct home_line *h, enum message_type type, uint32_t to, struct message extra);
/* A PUT with its value, where the home knows the owner. */
void home_writes_back(struct machine *m, struct home_line *h, const struct message *msg);

/* ---- core.c ---- */

void core_start(struct machine *m, uint32_t operations);
/* Asks the cache for the access of `now`. A read that misses may look up the next one meanwhile. */
void core_issue(struct machine *m, uint32_t core);
/* The access that core_issue asked for was performed: false, if there is more to do for `now`. */
bool core_issued(struct machine *m, uint32_t core, uint32_t found);
/* `now` is done, and the reads looked up early behind it: into the history. */
void core_retire(struct machine *m, uint32_t core);
/* The cache can no longer read the variable: values that were looked up early are void. */
void core_loses(struct machine *m, uint32_t core, uint32_t variable);
bool core_holds(const struct core *k, uint32_t variable, uint32_t *value); /* the buffer, the newest */

#endif
