/* SPDX-License-Identifier: Apache-2.0 */
/* Driving a store: random clients, one a session, whose operations are recorded. This is the interface for the program;
 * docs/guides/databases.md explains it to users.
 *
 * The data's way: transactions.h makes transactions of a workload from a seed. session.h runs them through a driver
 * (assay_driver.h) and writes the raw log (log.h), as final.h does with the final reads. recover.h turns the log into a
 * history, and durability.h says what the store has lost. campaign.h does so again and again, has the histories checked
 * beside the driving, and keeps the journal. */
#ifndef ASSAY_COLLECT_DRIVE_DRIVE_H
#define ASSAY_COLLECT_DRIVE_DRIVE_H

#include "assay.h"
#include "assay_driver.h"
#include "collect/drive/driver.h"
#include "collect/drive/latency.h"
#include "collect/drive/recover.h"
#include "collect/drive/workload.h"

#define DRIVE_SETTLE 10.0 /* seconds, unless the user says otherwise */

enum { DRIVE_MOST_SESSIONS = 1024, DRIVE_MOST_NODES = 64, DRIVE_MOST_SETTINGS = 32 };

struct drive_setting {
    const char *name, *value;
};

struct drive_settings {
    const assay_driver *driver;
    const struct workload *workload;
    const char *nodes; /* "host:port,..."; NULL: the driver's */
    const char *isolation;
    struct drive_setting set[DRIVE_MOST_SETTINGS]; /* named by the user */
    size_t set_count;
    unsigned sessions;
    uint64_t operations; /* of all sessions together; 0: as many as there is time for */
    double seconds;      /* of a history; 0: any */
    unsigned keys, read_share, most_accesses;
    bool roam; /* a session runs each transaction at any node */
    double timeout;
    double settle; /* seconds that nodes have to agree in the end */
    uint64_t seed;
    const char *faults;           /* or NULL: none */
    const char *cluster;          /* the folder of the cluster whose nodes the faults are for; NULL: the usual one */
    const char *folder;           /* for the files; it exists */
    bool (*interrupt)(void *arg); /* true: stop soon; any thread asks */
    void *arg;
};

/* The store that is driven. NULL with an error. */
struct drive;
struct drive *drive_begin(const struct drive_settings *s, assay_error *e);

/* The faults of a run. */
enum { DRIVE_FAULT_KINDS = 16, DRIVE_FAULT_KIND = 24 };
struct drive_faults {
    struct {
        char kind[DRIVE_FAULT_KIND];
        uint64_t count;
    } of[DRIVE_FAULT_KINDS]; /* that happened */
    size_t kinds;
    size_t missed; /* that were to begin after the end */
};

/* False with an error: the store could not be left as it was. */
bool drive_end(struct drive *d, struct drive_faults *happened, assay_error *e);

/* What the store promises at the isolation level of these settings; NULL: none is given, or the driver does not say. */
const assay_promise *drive_promise(const struct drive_settings *s);

/* What a history is to have: operations of all sessions and seconds, or less; 0: any. */
struct drive_share {
    uint64_t seed, operations;
    double seconds;
};

/* Is this the log of this history? It has the headers that the history would have. */
bool drive_owns(struct drive *d, const struct drive_share *share, const char *log);

const char *drive_server(const struct drive *d); /* product and version */

struct drive_tally {
    struct drive_counts counts;
    struct latency latency; /* of operations that were not unknown */
    double seconds;
    bool stopped;                       /* by the interrupt */
    char trouble[ASSAY_DRIVER_MESSAGE]; /* why a session gave up, or ""; the history is whole all the same */
};

/* One history, whose raw log goes to the file, which must not exist. False with an error: there is no history, or the
 * log ends early, because it could not be written. Then it has all that was recorded. */
bool drive_history(struct drive *d, const struct drive_share *share, const char *log, struct drive_tally *out,
                   assay_error *e);
/* Operations of the history that is being driven, so far; any thread asks. */
uint64_t drive_done(const struct drive *d);

#endif
