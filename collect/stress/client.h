/* SPDX-License-Identifier: Apache-2.0 */
/* Client programs: the calls of each thread, one after the other. */
#ifndef ASSAY_COLLECT_CLIENT_H
#define ASSAY_COLLECT_CLIENT_H

#include "assay_adapter.h"
#include "assay_spec.h"
#include "base/mem.h"
#include "base/text.h"
#include "collect/stress/allowed.h"
#include "collect/stress/roles.h"

#include <stdbool.h>
#include <stdint.h>

enum { CLIENT_MOST_METHODS = 32, CLIENT_NONE = 255 };

struct step {
    uint8_t method; /* of the adapter */
    int64_t args[ASSAY_ADAPTER_ARGS];
};

struct client {
    uint32_t threads;
    uint32_t *from; /* steps from[t] .. from[t+1]-1 are those of thread t */
    /* The first of them come before the threads begin, and the last when all have done: one after the other, first
     * those of thread 0. */
    uint32_t *before, *after;
    struct step *steps;
};

static inline uint32_t client_size(const struct client *p)
{
    return p->from[p->threads];
}

/* Calls that come one after the other. */
struct sequel {
    uint32_t n;
    uint8_t *methods; /* NULL: random ones */
};

/* The methods that clients call, and their properties. */
struct vocabulary {
    const assay_adapter *adapter;
    const assay_method *methods[CLIENT_MOST_METHODS]; /* as the object describes them */
    unsigned weights[CLIENT_MOST_METHODS];
    role roles[CLIENT_MOST_METHODS];
    bool has_roles;
    struct sequel before, after;
    /* Of an acquiring method: the one that releases; of others CLIENT_NONE. */
    uint8_t closed_by[CLIENT_MOST_METHODS];
    bool closes[CLIENT_MOST_METHODS];
    const char *waits[CLIENT_MOST_METHODS]; /* the answer instead of which the method waits, or NULL */
    const assay_spec *spec;                 /* of the object */
    const char *kind;                       /* "semaphore(2)" */
    assay_setting setting;                  /* of the object */
    assay_adapter_binding *initial;         /* its content; NULL: none */
    size_t initial_count;
    uint32_t n;
    unsigned values; /* arguments are 1 .. values; 0: each is a new one; if few are allowed, those */
    struct allowed_calls allowed[CLIENT_MOST_METHODS];
    const char *left_out; /* methods of which no call is valid, and why; or NULL */
    bool counted;         /* weights are how many calls of each method a program has */
};

/* Matches the adapter with its object, and reads the mix. `spec`: the user's own object, or NULL. Escapes with the
 * fault in e. */
void vocabulary_init(struct vocabulary *v, const assay_adapter *a, const assay_spec *spec, const char *mix,
                     unsigned values, struct mem *mem, assay_error *e);

/* Reads METHOD=ANSWER,... into `waits`; `from` says where it stands. Escapes with the fault in e. */
void vocabulary_read_waits(struct vocabulary *v, const char *from, const char *text, struct mem *mem, assay_error *e);

bool vocabulary_waits(const struct vocabulary *v); /* is there one in it? */

/* Reads METHOD=THREADS,... (roles.h); several of them add up. Escapes with the fault in e. */
void vocabulary_read_roles(struct vocabulary *v, const char *from, const char *text, assay_error *e);

/* Reads 4, or METHOD=CALLS,... Escapes with the fault in e. */
struct sequel vocabulary_read_sequel(const struct vocabulary *v, const char *from, const char *text, struct mem *mem,
                                     assay_error *e);

/* The calls of a program whose threads make so many at the same time. */
static inline uint32_t vocabulary_calls(const struct vocabulary *v, uint32_t calls)
{
    return calls + v->before.n + v->after.n;
}

/* The first of so many threads that has no method to call; the number of threads if each has one. */
uint32_t vocabulary_idle(const struct vocabulary *v, uint32_t threads);

/* The adapter's method of this name, or CLIENT_NONE. */
uint8_t vocabulary_find(const struct vocabulary *v, const char *name, size_t length);

/* A program with room for so many calls, and none so far. */
struct client client_empty(uint32_t threads, uint32_t calls, struct mem *mem);

/* A random program of so many calls, about equally many of each thread, and those that come before and after. */
struct client client_random(const struct vocabulary *v, uint32_t threads, uint32_t calls, uint64_t seed,
                            struct mem *mem);

/* The same without a thread, or without a step. */
struct client client_without_thread(const struct client *p, uint32_t thread, struct mem *mem);
struct client client_without_calls_of(const struct client *p, uint32_t thread, struct mem *mem); /* who stays */
struct client client_without_step(const struct client *p, uint32_t step, struct mem *mem);

/* One call, as in `enq(1)`; the program in thread columns. */
void client_show_step(const struct step *s, const struct vocabulary *v, struct text *out);
void client_show(const struct client *p, const struct vocabulary *v, struct text *out);

#endif
