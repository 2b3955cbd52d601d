/* SPDX-License-Identifier: Apache-2.0 */
/* A driver runs transactions on a store for `assay drive`: C11 and C++17.
 *
 * A driver is a struct of data and functions. The drivers of this project use the same interface (collect/drive).
 * examples/driver.c is built outside of it, as a shared object that exports
 *
 *     const assay_driver *const assay_drivers[] = {&mine, NULL};
 *
 * Try it with
 *
 *     cc -shared -fPIC -o driver.so driver.c
 *     assay drive --load ./driver.so
 *
 * The life of a driver. `attach` is called once and finds the store. Before each history `prepare` makes its keys,
 * which no other history uses. Each session has a thread of its own, which calls `open`, then `run` for each
 * transaction, and `close`. If a session reports that its connection is broken, it is closed and opened again. When all
 * sessions have ended, `forget` may remove the keys of the history. `detach` comes last. Functions of different
 * sessions are called at the same time, but never at the same time as `attach`, `prepare`, `forget` and `detach`.
 *
 * The one duty. Return COMMITTED only for transactions that the store has confirmed, and ABORTED only for transactions
 * that certainly have no effect, now and later. Everything else is UNKNOWN: an answer that was lost, a time-out, an
 * error that the driver does not know. A wrong COMMITTED or ABORTED is a false alarm or a hidden fault, whereas an
 * UNKNOWN only makes the check weaker. */
#ifndef ASSAY_DRIVER_H
#define ASSAY_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_DRIVER_VERSION 2
#define ASSAY_DRIVER_MESSAGE 256 /* bytes of a message, with the end */

/* The accesses of a transaction. Each kind of value has its own space of keys. */
typedef enum assay_action {
    ASSAY_ACTION_READ,     /* a register */
    ASSAY_ACTION_WRITE,    /* a register */
    ASSAY_ACTION_ADD,      /* `value`, which may be negative, to a register */
    ASSAY_ACTION_TRANSFER, /* `value` from the register `key` to the register `to`, unless it has less than that */
    ASSAY_ACTION_LIST,     /* the elements of a list, in their order */
    ASSAY_ACTION_APPEND,   /* `value` at the end of a list */
    ASSAY_ACTION_ELEMENTS, /* the elements of a set, in any order */
    ASSAY_ACTION_INSERT,   /* `value` into a set */
    ASSAY_ACTION_ENQUEUE,  /* `value` at the end of a queue */
    ASSAY_ACTION_DEQUEUE,  /* the first element of a queue, which is removed */
    ASSAY_ACTIONS
} assay_action;

#define ASSAY_CAN(action) (1u << ASSAY_ACTION_##action) /* ASSAY_CAN(READ) | ASSAY_CAN(WRITE) */

typedef struct assay_access {
    assay_action action;
    uint64_t key, to;
    int64_t value;
    /* The answer, which the driver fills in; when it gets the access, `found` is false and `count` 0. */
    bool found;        /* READ, DEQUEUE: there is a value; TRANSFER: it was done */
    int64_t answer;    /* READ, DEQUEUE */
    int64_t *elements; /* LIST, ELEMENTS: assay_access_push adds one; the driver frees nothing */
    size_t count, room;
} assay_access;

/* False: no memory. */
static inline bool assay_access_push(assay_access *a, int64_t element)
{
    if (a->count == a->room) {
        size_t room = a->room ? 2 * a->room : 16;
        int64_t *grown = (int64_t *)realloc(a->elements, room * sizeof *grown);
        if (!grown)
            return false;
        a->elements = grown;
        a->room = room;
    }
    a->elements[a->count++] = element;
    return true;
}

typedef enum assay_outcome {
    ASSAY_COMMITTED,
    ASSAY_ABORTED, /* certainly without effect, now and later: a deadlock, a conflict, refused */
    ASSAY_UNKNOWN  /* perhaps it happened, or still will */
} assay_outcome;

/* The part of a session that the driver and assay share. */
typedef struct assay_session {
    void *state;                        /* the driver's own, from `open` on */
    unsigned number, node;              /* from 0 */
    bool broken;                        /* set by the driver: the connection can no longer be used */
    char message[ASSAY_DRIVER_MESSAGE]; /* why it is not COMMITTED, in the words of the store */
} assay_session;

typedef struct assay_node {
    const char *host; /* "127.0.0.1" */
    unsigned port;    /* 0: none */
} assay_node;

/* The campaign that the user asked for. */
typedef struct assay_campaign {
    const assay_node *nodes;
    size_t node_count;
    const char *isolation; /* one of the driver's, or NULL: the store's default */
    double timeout;        /* seconds; no call takes much longer */
    unsigned sessions;
    const char *folder; /* for files of a store without a server; it exists */
    uint64_t seed;
    /* The value of a setting of the driver's table: as given, or its fallback. */
    const char *(*setting)(const struct assay_campaign *c, const char *name);
    void *state;                        /* the driver's own, from `attach` on */
    char server[ASSAY_DRIVER_MESSAGE];  /* filled in by `attach`: product and version, for the header of histories */
    char message[ASSAY_DRIVER_MESSAGE]; /* why `attach` or `prepare` failed, with a remedy */
} assay_campaign;

/* The keys of a history: first, first + 1, ... in the spaces of keys that its actions use. */
typedef struct assay_keys {
    uint64_t first, count;
    uint32_t actions; /* that the history uses: ASSAY_CAN bits */
    int64_t initial;  /* of registers */
} assay_keys;

typedef struct assay_driver_setting {
    const char *name, *fallback;
    const char *values; /* "on|off", or the name of a value: "N"; values with bars are checked before `attach` */
    const char *help;
} assay_driver_setting;

/* What the store's manual promises of transactions at a level of isolation. Of several rows for one level the first
 * whose setting has its value counts. */
typedef struct assay_promise {
    const char *isolation;
    const char *model;   /* rc, ra, tcc, pc, psi, si, ser or ser-strict; NULL: less than each of them */
    const char *setting; /* "NAME=VALUE": a setting of the driver, at which this holds; NULL: any */
} assay_promise;

/* A lever makes the store itself misbehave at a node: "lag" on a standby stops its replay. */
typedef struct assay_lever {
    const char *name, *help;
    unsigned first; /* the first node that has it, from 0: 1 if a primary comes first and only its replicas have it */
} assay_lever;

typedef struct assay_driver {
    unsigned version; /* ASSAY_DRIVER_VERSION */
    const char *name, *title;
    const char *missing;                  /* why it cannot be used in this build, or NULL */
    const char *nodes;                    /* the fallback of --nodes: "host:port,..."; NULL: it has no nodes */
    uint32_t actions;                     /* ASSAY_CAN bits */
    unsigned most_accesses;               /* of a transaction; 0: any number */
    bool one_write_per_key;               /* a transaction may write a key only once, and not read it after that */
    const char *isolations;               /* "read-committed serializable", the weakest first; NULL: no choice */
    const assay_promise *promises;        /* of these levels, up to a NULL isolation; or NULL */
    const assay_driver_setting *settings; /* up to a NULL name; or NULL */
    const assay_lever *levers;            /* up to a NULL name; or NULL */

    bool (*attach)(assay_campaign *c); /* finds the store, checks the settings, makes tables. False: see message */
    void (*detach)(assay_campaign *c); /* also after an `attach` that failed half-way */
    /* Makes the keys, with their initial values (empty lists, sets, queues), so that every node sees them if the store
     * can promise that. */
    bool (*prepare)(assay_campaign *c, const assay_keys *keys);
    void (*forget)(assay_campaign *c, const assay_keys *keys); /* removes them, if that can be done; or NULL */

    bool (*open)(assay_campaign *c, assay_session *s); /* connects to its node. False: see the session's message */
    assay_outcome (*run)(assay_campaign *c, assay_session *s, assay_access *accesses, size_t n);
    void (*close)(assay_campaign *c, assay_session *s);

    /* Pulls a lever at a node, or releases it, over a connection of its own; NULL if there are no levers. False: see
     * message, which has ASSAY_DRIVER_MESSAGE bytes. */
    bool (*lever)(assay_campaign *c, unsigned node, const char *name, bool pulled, char *message);
} assay_driver;

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
extern const assay_driver *const assay_drivers[]; /* the shared object's; up to NULL */

#ifdef __cplusplus
}
#endif
#endif
