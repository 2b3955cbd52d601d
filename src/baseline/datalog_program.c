/* SPDX-License-Identifier: Apache-2.0 */
/* The logic program: facts of a history, and rules for the patterns that each causal model forbids. The rules about
 * store orders are in datalog_store.c.
 *
 * Idea: the rules are the definitions. Initial writes are no operations here. A read of the initial value is
 * initread/2, and a contradiction to the initial write is a pattern of its own (WriteCOInitRead, WriteHBInitRead). That
 * a value has no write is a statement about all operations, which Datalog cannot make. It is therefore a fact, like the
 * sources of all other reads.
 *
 * Closures are taken by adding one base edge at a time. So the solver joins each new pair with the base edges that
 * leave its end and not with all pairs.
 *
 * Source: thesis, section 3.3.1, with two faults of its listings put right. A read takes part in hb_o only if it is o
 * or before o in its thread (a second rule there forgets the condition). And the union of co and cf is closed
 * transitively before it is searched for cycles. */
#include "baseline/datalog_program.h"

#include "memory/across.h"

/* ---- facts ---- */

struct facts {
    struct text *out;
    uint32_t history;
    uint32_t n;
};

static void begin_fact(struct facts *f, const char *predicate, uint32_t op)
{
    if (f->out->n && f->out->at[f->out->n - 1] == '.')
        text_char(f->out, ' '); /* another fact of the same line */
    text_puts(f->out, predicate);
    text_char(f->out, '(');
    text_int(f->out, f->history);
    text_char(f->out, ',');
    text_int(f->out, op);
    f->n++;
}

static void fact(struct facts *f, const char *predicate, uint32_t op)
{
    begin_fact(f, predicate, op);
    text_puts(f->out, ").");
}

static void fact_with(struct facts *f, const char *predicate, uint32_t op, uint32_t other)
{
    begin_fact(f, predicate, op);
    text_char(f->out, ',');
    text_int(f->out, other);
    text_puts(f->out, ").");
}

static void source_fact(struct facts *f, const struct rw *v, uint32_t event)
{
    uint32_t op = v->op[event], source = v->src[event];
    if (source == RW_INIT)
        fact(f, "initread", op);
    else if (source == RW_THIN)
        fact(f, "thinair", op);
    else
        fact_with(f, "wr", v->op[source], op);
}

static void event_facts(struct facts *f, const struct rw *v, uint32_t event)
{
    uint32_t op = v->op[event], var = v->var[event];
    if (v->kind[event] & RW_WRITES)
        fact_with(f, "write", op, var);
    if (v->kind[event] & RW_READS) {
        fact_with(f, "read", op, var);
        source_fact(f, v, event);
    }
}

/* ---- program order across threads ---- */

/* The last of the thread's first `count` events that has one of these kinds, or ID_NONE. */
static uint32_t last_of(const struct rw *v, uint32_t thread, uint32_t count, uint8_t kinds)
{
    while (count && !(v->kind[v->base[thread] + count - 1] & kinds))
        count--;
    return count ? v->base[thread] + count - 1 : ID_NONE;
}

/* The last operation of each other thread that precedes the event. */
static void across_facts(struct facts *f, const struct rw *v, uint32_t event)
{
    for (uint32_t t = 0; t < v->k; t++) {
        uint32_t last = last_of(v, t, across_count(v, event, t), RW_READS | RW_WRITES);
        if (t != v->thread[event] && last != ID_NONE)
            fact_with(f, "po", v->op[last], v->op[event]);
    }
}

/* The last operations before each fence that precedes the event and not the previous one of its thread. */
static void across_fences(struct facts *f, const struct rw *v, uint32_t previous, uint32_t event)
{
    for (uint32_t t = 0; t < v->k; t++) {
        uint32_t fence = last_of(v, t, across_count(v, event, t), RW_FENCE);
        if (fence == ID_NONE || (previous != ID_NONE && fence - v->base[t] < across_count(v, previous, t)))
            continue;
        for (uint32_t u = 0; u < v->k; u++) {
            uint32_t last = last_of(v, u, across_count(v, fence, u), RW_READS | RW_WRITES);
            if (last != ID_NONE)
                fact_with(f, "fenced", v->op[last], v->op[event]);
        }
    }
}

static void thread_facts(struct facts *f, const struct rw *v, uint32_t t, bool buffers)
{
    uint32_t previous = ID_NONE;
    bool fence = false; /* since then */
    for (uint32_t e = v->base[t]; e < v->base[t + 1]; e++) {
        fence = fence || v->kind[e] == RW_FENCE;
        if (!(v->kind[e] & (RW_READS | RW_WRITES)))
            continue;
        event_facts(f, v, e);
        if (buffers)
            fact_with(f, "in", v->op[e], t);
        if (previous != ID_NONE)
            fact_with(f, "po", v->op[previous], v->op[e]);
        if (v->across)
            across_facts(f, v, e);
        if (v->across && buffers)
            across_fences(f, v, previous, e);
        if (buffers && fence && previous != ID_NONE)
            fact_with(f, "fenced", v->op[previous], v->op[e]);
        previous = e;
        fence = false;
        text_char(f->out, '\n');
    }
    if (previous == ID_NONE)
        return;
    fact(f, "last", v->op[previous]);
    text_char(f->out, '\n');
}

uint32_t datalog_facts(const struct rw *v, unsigned rules, uint32_t number, struct text *out)
{
    struct facts f = {.out = out, .history = number};
    for (uint32_t t = 0; t < v->k; t++)
        thread_facts(&f, v, t, rules & DATALOG_BUFFERS);
    return f.n;
}

/* ---- rules ---- */

static const char common[] =
    "% Facts. H is always the number of a history, other arguments are numbers of its operations.\n"
    "%   write(H,X,V)   X writes the variable V\n"
    "%   read(H,X,V)    X reads the variable V (a read-modify-write does both)\n"
    "%   po(H,X,Y)      Y is the next operation after X in its thread, or after X in another one\n"
    "%   wr(H,X,Y)      Y reads what X wrote\n"
    "%   initread(H,X)  X reads the initial value\n"
    "%   thinair(H,X)   X reads a value that nobody wrote\n"
    "%   last(H,X)      X is the last operation of its thread\n"
    "#defined write/3. #defined read/3. #defined po/3. #defined wr/3.\n"
    "#defined initread/2. #defined thinair/2. #defined last/2.\n"
    "\n"
    "% Results: bad(H,model,pattern). A history satisfies a model when the answer has no bad/3 of\n"
    "% this model, and for ccv and cm_* also none of cc.\n"
    "#show bad/3.\n"
    "\n"
    "% The edges of program order and reads-from.\n"
    "edge(H,X,Y) :- po(H,X,Y).\n"
    "edge(H,X,Y) :- wr(H,X,Y).\n";

static const char co[] = "\n% Causal order: co is the transitive closure of program order and reads-from.\n"
                         "co(H,X,Y) :- edge(H,X,Y).\n"
                         "co(H,X,Z) :- co(H,X,Y), edge(H,Y,Z).\n";

static const char cc[] = "\n% ---- cc: causal consistency ----\n"
                         "% A read returned a value that nobody wrote.\n"
                         "bad(H,cc,\"ThinAirRead\") :- thinair(H,_).\n"
                         "% An operation is its own cause.\n"
                         "bad(H,cc,\"CyclicCO\") :- co(H,X,X).\n"
                         "% R reads the initial value although the write U of its variable is among its causes.\n"
                         "bad(H,cc,\"WriteCOInitRead\") :- initread(H,R), read(H,R,V), write(H,U,V), co(H,U,R).\n"
                         "% R reads from W although the write U came after W and is among the causes of R.\n"
                         "bad(H,cc,\"WriteCORead\") :- wr(H,W,R), write(H,W,V), write(H,U,V), U != W, U != R,\n"
                         "                           co(H,W,U), co(H,U,R).\n";

static const char ccv[] =
    "\n% ---- ccv: causal convergence ----\n"
    "% Conflict order: R reads from W, so any other write U among the causes of R comes before W.\n"
    "cf(H,U,W) :- wr(H,W,R), write(H,W,V), write(H,U,V), U != W, co(H,U,R).\n"
    "% Paths of program order, reads-from and conflict order that start with a conflict. A cycle\n"
    "% without any conflict is CyclicCO.\n"
    "path(H,X,Y) :- cf(H,X,Y).\n"
    "path(H,X,Z) :- path(H,X,Y), edge(H,Y,Z).\n"
    "path(H,X,Z) :- path(H,X,Y), cf(H,Y,Z).\n"
    "bad(H,ccv,\"CyclicCF\") :- path(H,X,X).\n";

static const char cm_title[] = "\n% ---- cm: causal memory ----\n";

static const char every_target[] = "% cm_1: the order hb is derived for every operation O.\n"
                                   "target(H,O) :- write(H,O,_).\n"
                                   "target(H,O) :- read(H,O,_).\n";

static const char last_target[] = "% cm_2: the order hb is derived for the last operation O of each thread.\n"
                                  "target(H,O) :- last(H,O).\n";

static const char cm[] =
    "% The causal past of O, and the part of O's thread that ends with O.\n"
    "past(H,O,O) :- target(H,O).\n"
    "past(H,O,X) :- target(H,O), co(H,X,O).\n"
    "upto(H,O,O) :- target(H,O).\n"
    "upto(H,O,X) :- upto(H,O,Y), po(H,X,Y).\n"
    "% hb(H,O,X,Y): as O sees it, X comes before Y. It contains the causal order of the past of "
    "O;\n"
    "% and where R, a read in the thread up to O, reads from W, any other write U before R comes\n"
    "% before W.\n"
    "step(H,O,X,Y) :- past(H,O,Y), edge(H,X,Y).\n"
    "step(H,O,U,W) :- upto(H,O,R), wr(H,W,R), write(H,W,V), write(H,U,V), U != W,\n"
    "                 hb(H,O,U,R).\n"
    "% Only what starts at a write is derived: no rule asks for more, and every cycle that is not\n"
    "% CyclicCO goes through a write.\n"
    "hb(H,O,X,Y) :- step(H,O,X,Y), write(H,X,_).\n"
    "hb(H,O,X,Z) :- hb(H,O,X,Y), step(H,O,Y,Z).\n"
    "% What is wrong with the order that O sees.\n"
    "wrong(H,O,\"WriteHBInitRead\") :- upto(H,O,R), initread(H,R), read(H,R,V), write(H,U,V),\n"
    "                                 hb(H,O,U,R).\n"
    "wrong(H,O,\"CyclicHB\") :- hb(H,O,X,X).\n";

static const char cm_1[] = "bad(H,cm_1,P) :- wrong(H,_,P).\n";
static const char cm_2[] = "bad(H,cm_2,P) :- wrong(H,O,P), last(H,O).\n";

void datalog_rules(unsigned rules, struct text *out)
{
    unsigned per_thread = rules & (DATALOG_CM_1 | DATALOG_CM_2 | DATALOG_CCM);
    text_puts(out, common);
    if (per_thread | (rules & (DATALOG_CC | DATALOG_CCV)))
        text_puts(out, co);
    if (rules & DATALOG_CC)
        text_puts(out, cc);
    if (rules & DATALOG_CCV)
        text_puts(out, ccv);
    if (per_thread) {
        text_puts(out, cm_title);
        text_puts(out, rules & DATALOG_CM_1 ? every_target : last_target);
        text_puts(out, cm);
        text_puts(out, rules & DATALOG_CM_1 ? cm_1 : "");
        text_puts(out, rules & DATALOG_CM_2 ? cm_2 : "");
    }
    datalog_store_rules(rules, out);
}
