/* SPDX-License-Identifier: Apache-2.0 */
/* The random clients of an object: threads, their calls, and the record of both. */
#ifndef ASSAY_COLLECT_GENERATE_CLIENTS_H
#define ASSAY_COLLECT_GENERATE_CLIENTS_H

#include "base/arena.h"
#include "base/rng.h"
#include "base/vec.h"
#include "collect/collect.h"
#include "collect/generate/flaw.h"

enum { MOST_ARGS = 3, MOST_METHODS = 32 };

struct record {
    uint32_t thread;
    uint32_t method;           /* in clients.methods */
    uint32_t called, returned; /* events, counted from 1; returned 0: it never did */
    int64_t args[MOST_ARGS];
    assay_value result;
};

struct records {
    VEC(struct record) all;
    VEC(uint32_t) events; /* whose call or return */
};

struct method {
    const assay_method *m;
    unsigned arity;
    bool observes;
    bool strings;  /* its values are strings */
    bool takes;    /* it removes the value that it returns, or returns `empty` */
    bool releases; /* it returns the tag of the holder that it releases */
};

struct client {    /* a thread */
    uint32_t open; /* its last call */
    bool happened; /* which has taken effect */
    bool stops;    /* which never returns */
};

struct clients {
    const struct collecting *c;
    struct rng rng;
    enum flaw flaw;
    const assay_spec *spec;
    bool tags;  /* its calls may have tags */
    bool meets; /* an exchanger: there is no state, calls take effect together */
    void *state;
    struct method methods[MOST_METHODS];
    uint32_t method_n, observer_n;
    bool whole; /* some calls concern all parts */
    bool banks; /* the first two arguments are accounts, of which there are: */
    uint32_t accounts;
    bool grows;          /* values are added and removed: a call with an argument adds, one without removes */
    int64_t size, fresh; /* how much is in it; the last new value */
    struct client *at;
    uint32_t *idle, idle_n, *busy, busy_n; /* threads that go on; the others have stopped */
    uint32_t waits;                        /* failed attempts to go on since the last successful one */
    bool *stops;                           /* of each operation: it never returns */
    assay_value held;                      /* FLAW_SWAP: the value that the next removal gets, or none */
    struct arena texts;
    struct records out;
};

/* Flips a truth value, or exchanges the results of two calls of a method that are at most so many calls apart; 0:
 * anywhere. False: results hardly differ, and nothing to change was found. */
bool records_mutate(struct records *x, struct rng *rng, uint64_t distance);

/* Is this one of the calls that the bug spoils? */
bool clients_spoil(struct clients *x, const struct method *m);

/* A call of an exchanger meets another one or gives up. False: it waits. */
bool clients_meet(struct clients *x, struct client *client);

#endif
