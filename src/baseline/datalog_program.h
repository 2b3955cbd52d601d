/* SPDX-License-Identifier: Apache-2.0 */
/* Datalog: the reduction of the models that need no search to a logic program, and its solver. The causal models are
 * in the thesis, section 3.3; that ccm is one, too, is in CAV'19, section 5; wsc, wccm and wtso follow the same way.
 *
 * The program covers many histories at once. The first argument of every predicate is the history's number, so that
 * thousands of small histories cost one run of clingo. There are no constraints; a violation is derived as bad(history,
 * condition, "Pattern"). A history satisfies CC when none of condition cc is derived; CCv and CM presuppose
 * CC. */
#ifndef ASSAY_BASELINE_DATALOG_PROGRAM_H
#define ASSAY_BASELINE_DATALOG_PROGRAM_H

#include "base/budget.h"
#include "base/error.h"
#include "base/text.h"
#include "memory/rw.h"

/* Which parts of the program. */
enum datalog_rules {
    DATALOG_CC = 1,
    DATALOG_CCV = 2,
    DATALOG_CM_1 = 4, /* hb_o for every operation o */
    DATALOG_CM_2 = 8, /* hb_o for the last operation of each thread */
    DATALOG_CCM = 16,
    DATALOG_WSC = 32,
    DATALOG_WCCM = 64,
    DATALOG_WTSO = 128,
    DATALOG_BUFFERS = DATALOG_WCCM | DATALOG_WTSO, /* rules that need to know of threads and fences */
};

/* The part of that name (cc, ccv, cm_1, ...), or 0. */
unsigned datalog_part(const char *name, size_t length);

/* The facts of one history, as these rules need them; returns how many. */
uint32_t datalog_facts(const struct rw *v, unsigned rules, uint32_t number, struct text *out);
/* The rules, with comments that a reader of `assay convert -t datalog` can follow. */
void datalog_rules(unsigned rules, struct text *out);
/* Those of them about store orders (datalog_store.c). */
void datalog_store_rules(unsigned rules, struct text *out);

/* Runs clingo on the program. found is called for each derived bad/3, where condition is one of
 * enum datalog_rules and pattern lives as long as the call. Respects the budget (kills the solver
 * and escapes). On a fault of the solver fills in e and raises ESCAPE_ERROR. */
void datalog_solve(const struct text *program, struct budget *budget,
                   void (*found)(void *arg, uint32_t history, unsigned condition, const char *pattern), void *arg,
                   assay_error *e);

const char *datalog_missing(void); /* why clingo cannot be used here, or NULL */

#endif
