/* SPDX-License-Identifier: Apache-2.0 */
/* The meaning of Jepsen's events, in any notation: each has a process, a type (invoke, ok, fail, info), a function and
 * a value. */
#ifndef ASSAY_FORMAT_JEPSEN_H
#define ASSAY_FORMAT_JEPSEN_H

#include "format/edn_form.h"
#include "format/elle.h"
#include "format/jepsen_functions.h"
#include "format/log_calls.h"

enum jepsen_type { JEPSEN_INVOKE, JEPSEN_OK, JEPSEN_FAIL, JEPSEN_INFO };

enum { JEPSEN_PROCESSES = 256 };

/* A drain that returned: calls of its own. */
struct drain {
    uint32_t empty;      /* the one that found nothing */
    uint32_t first, end; /* those that took its values out */
};

struct jepsen {
    struct cursor c;
    struct edn edn;
    struct calls calls;
    history *h;
    struct text scratch;
    struct arguments args;    /* of the event at hand */
    bool failed_cas_observed; /* a failed cas saw another value; else it did not happen */
    bool nil_says_nothing;    /* a read answered nil fits every state; else nil was read */
    unsigned allowed;         /* families that may occur in such a log */
    unsigned families;        /* of which this log is one, as far as it is known */
    uint64_t families_line;   /* where some of them were excluded last */
    uint64_t first_line;      /* of the first call; 0: there was none */
    bool has_cas, has_other, has_init;
    uint64_t called_line, unseen_line; /* of the last transaction with a call, the first without one; 0: none */
    uint32_t nil_reads;                /* that say nothing */
    uint32_t drained;                  /* dequeues of drains that are threads of their own */
    VEC(struct drain) drains;
    uint32_t sessions, session;         /* transactions without a process: so many sessions, and the last one */
    bool keyed;                         /* values are pairs of a key and a value */
    uint32_t process[JEPSEN_PROCESSES]; /* 1 + the process of a small number; 0: not known yet */
    uint32_t method[JEPSEN_FUNCTIONS];  /* the same of the methods' names */
};

/* The parts of an event, as nodes; ID_NONE: absent. */
struct jepsen_event {
    uint32_t process, type, f, value, key, time;
    uint32_t whole; /* where it is, for faults */
};

/* A history of maps: in a vector, in a list, or one after another up to the end of the file. False: there is none. */
bool jepsen_read(struct input *in, history **h, bool json, struct warnings *warnings, assay_error *e);

/* Only functions of the families may occur. */
void jepsen_start(struct jepsen *s, unsigned families, struct input *in, history *h, struct warnings *warnings,
                  assay_error *e);
void jepsen_event(struct jepsen *s, const struct jepsen_event *event);
/* An event of a process, with a function and a type. */
void jepsen_take(struct jepsen *s, const struct jepsen_event *event, uint32_t function, enum jepsen_type type);
/* The map at `node` as an event. */
void jepsen_map(struct jepsen *s, uint32_t node);
/* The rest of the line as an event: process, type, function and value. `remedy` shows such a line. */
void jepsen_fields(struct jepsen *s, const char *remedy);
/* The log is of one of these families, of which one is left. */
void jepsen_narrow(struct jepsen *s, unsigned families, const struct jepsen_event *event);
/* All events have been given: headers and operations go into the history. */
void jepsen_end(struct jepsen *s);

#endif
