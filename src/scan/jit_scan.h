/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the online checker `exact-jit`: parts with their configurations, and the open calls. exact_jit.c follows
 * events; jit_scan_image.c goes through all that is held. */
#ifndef ASSAY_SCAN_JIT_SCAN_H
#define ASSAY_SCAN_JIT_SCAN_H

#include "history/value_map.h"
#include "scan/scan.h"
#include "search/configurations.h"

struct call_record { /* data of an open call */
    assay_call call;
    assay_value *args;
    uint32_t room;
    uint32_t part, slot;
    struct online_op op; /* called == 0: the record is free */
};

struct jit_part {
    struct value key;
    struct configurations *configurations; /* NULL: free */
    uint64_t start[2];                     /* digest of the initial state */
    uint32_t open;
    bool unknown; /* its state; its configurations mean nothing */
    bool alone;   /* unknown: the operation that is open has overlapped no other */
};

struct jit_scan {
    struct online_setup s;
    bool own;           /* the object is one of the library's */
    bool splits, split; /* the object has parts; they are followed apart */
    void *rest;         /* a state of the whole, with the parts that are not kept; NULL: parts cannot be joined */
    struct value_map keys;
    VEC(struct jit_part) parts;
    VEC(uint32_t) free_parts;
    VEC(struct call_record *) calls;
    VEC(uint32_t) free_calls;
    bool keeps_texts;       /* states do not say which texts they hold: */
    struct value_map texts; /* every one that was ever shown */
    struct online_op wrong;
    uint32_t wrong_part;
    uint64_t credit; /* steps */
    bool gave_up;    /* there were more configurations than allowed, or the steps were used up */
    bool stopped;    /* then nothing is judged any more */
};

static inline assay_value jit_scan_value(struct jit_scan *j, struct value v)
{
    return online_public(&j->s, j->keeps_texts ? &j->texts : NULL, v);
}

/* The configurations of the part as it begins, with the digest of its state then. */
struct configurations *jit_scan_begin(struct jit_scan *j, struct value key, uint64_t start[2]);
/* Forgets all parts. */
void jit_scan_free_parts(struct jit_scan *j);

/* Hooks of struct scan. */
void jit_scan_each_value(void *state, void (*visit)(void *arg, struct value v), void *arg);
void jit_scan_image(void *state, struct image *x);

#endif
