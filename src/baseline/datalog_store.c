/* SPDX-License-Identifier: Apache-2.0 */
/* The logic program, second part: the models that derive a partial store order (ccm, wsc, wccm, wtso).
 *
 * Idea: their relations are least fixpoints of rules without negation, that is, Datalog. The recursion of wsc and wtso
 * between happens-before and the store order is no obstacle: it is one more recursion. As in the first part, initial
 * writes are no operations. The initial write of a variable comes before all its other writes in every store order. So
 * a read of the initial value comes before all of them (rw). A write that is found before such a read closes a cycle.
 *
 * The store order is given by generating pairs: its closure is taken together with that of the graph that it enters.
 * For the same reason a read need only come before the writes that a generating pair leads to.
 *
 * Source: CAV'19, section 5, which computes pww this way; thesis, sections 4.2.1, 5.1 and 5.2 for the definitions. */
#include "baseline/datalog_program.h"

static const char ccm[] = "\n% ---- ccm: convergent causal memory ----\n"
                          "bad(H,ccm,\"ThinAirRead\") :- thinair(H,_).\n"
                          "% all: what some thread's last operation sees, closed; again only what starts at a write.\n"
                          "some(H,X,Y) :- step(H,_,X,Y).\n"
                          "all(H,X,Y) :- some(H,X,Y), write(H,X,_).\n"
                          "all(H,X,Z) :- all(H,X,Y), some(H,Y,Z).\n"
                          "% pww, by generating pairs: all on the writes of a variable, and its conflict order.\n"
                          "pww(H,X,Y) :- all(H,X,Y), write(H,X,V), write(H,Y,V).\n"
                          "pww(H,U,W) :- all(H,U,R), wr(H,W,R), write(H,W,V), write(H,U,V), U != W.\n"
                          "% The graph that must be acyclic: program order, reads-from, pww and rw.\n"
                          "ccmedge(H,X,Y) :- edge(H,X,Y).\n"
                          "ccmedge(H,X,Y) :- pww(H,X,Y).\n"
                          "ccmedge(H,R,W) :- wr(H,U,R), pww(H,U,W), R != W.\n"
                          "ccmedge(H,R,W) :- initread(H,R), read(H,R,V), write(H,W,V), R != W.\n"
                          "ccmpath(H,X,Y) :- ccmedge(H,X,Y), write(H,X,_).\n"
                          "ccmpath(H,X,Z) :- ccmpath(H,X,Y), ccmedge(H,Y,Z).\n"
                          "bad(H,ccm,\"ForcedCycle\") :- ccmpath(H,X,X).\n";

static const char wsc[] =
    "\n% ---- wsc: weak sequential consistency ----\n"
    "bad(H,wsc,\"ThinAirRead\") :- thinair(H,_).\n"
    "% Happens-before and the store order st, each derived from the other. Only what starts at a\n"
    "% write is derived: no rule asks for more, and every cycle goes through a write.\n"
    "wscedge(H,X,Y) :- edge(H,X,Y).\n"
    "wscedge(H,X,Y) :- st(H,X,Y).\n"
    "wscedge(H,R,W) :- wr(H,U,R), st(H,U,W), R != W.\n"
    "wscedge(H,R,W) :- initread(H,R), read(H,R,V), write(H,W,V), R != W.\n"
    "wschb(H,X,Y) :- wscedge(H,X,Y), write(H,X,_).\n"
    "wschb(H,X,Z) :- wschb(H,X,Y), wscedge(H,Y,Z).\n"
    "st(H,X,Y) :- wschb(H,X,Y), write(H,X,V), write(H,Y,V).\n"
    "st(H,U,W) :- wschb(H,U,R), wr(H,W,R), write(H,W,V), write(H,U,V), U != W.\n"
    "bad(H,wsc,\"ForcedCycle\") :- wschb(H,X,X).\n";

static const char buffers[] =
    "\n% ---- store buffers: the two orders of wccm and wtso ----\n"
    "%   in(H,X,T)      X is an operation of the thread T\n"
    "%   fenced(H,X,Y)  as po(H,X,Y), with a fence between them\n"
    "#defined in/3. #defined fenced/3.\n"
    "access(H,X,V) :- write(H,X,V).\n"
    "access(H,X,V) :- read(H,X,V).\n"
    "before(H,X,Y) :- po(H,X,Y).\n"
    "before(H,X,Z) :- before(H,X,Y), po(H,Y,Z).\n"
    "beyond(H,X,Y) :- fenced(H,X,Y).\n"
    "beyond(H,X,Z) :- before(H,X,Y), fenced(H,Y,Z).\n"
    "beyond(H,X,Z) :- beyond(H,X,Y), po(H,Y,Z).\n"
    "% ppo: all of program order but a write before a read, unless a fence stands between them. A\n"
    "% read-modify-write is a read in the first place and a write in the second.\n"
    "order(H,ppo,X,Y) :- before(H,X,Y), read(H,X,_).\n"
    "order(H,ppo,X,Y) :- before(H,X,Y), write(H,Y,_).\n"
    "order(H,ppo,X,Y) :- beyond(H,X,Y).\n"
    "% loc: program order on each variable.\n"
    "order(H,loc,X,Y) :- before(H,X,Y), access(H,X,V), access(H,Y,V).\n"
    "% With ppo goes reads-from between different threads, with loc all of it.\n"
    "external(H,X,Y) :- wr(H,X,Y), in(H,X,S), in(H,Y,T), S != T.\n"
    "base(H,P,X,Y) :- order(H,P,X,Y).\n"
    "base(H,ppo,X,Y) :- external(H,X,Y).\n"
    "base(H,loc,X,Y) :- wr(H,X,Y).\n"
    "% A read of the initial value comes before every write of its variable.\n"
    "initrw(H,P,R,W) :- initread(H,R), read(H,R,V), write(H,W,V), R != W, side(P).\n"
    "side(ppo). side(loc).\n";

static const char wccm[] =
    "\n% ---- wccm: weak convergent causal memory ----\n"
    "bad(H,wccm,\"ThinAirRead\") :- thinair(H,_).\n"
    "% For each of the two orders P and for every operation O: its past, the operations up to it,\n"
    "% and the order that it sees. The last operations of the threads do not suffice here.\n"
    "cause(H,P,X,Y) :- base(H,P,X,Y).\n"
    "cause(H,P,X,Z) :- cause(H,P,X,Y), base(H,P,Y,Z).\n"
    "known(H,P,O,O) :- access(H,O,_), side(P).\n"
    "known(H,P,O,X) :- cause(H,P,X,O).\n"
    "until(H,P,O,O) :- access(H,O,_), side(P).\n"
    "until(H,P,O,X) :- order(H,P,X,O).\n"
    "wstep(H,P,O,X,Y) :- known(H,P,O,Y), base(H,P,X,Y).\n"
    "wstep(H,P,O,U,W) :- until(H,P,O,R), wr(H,W,R), write(H,W,V), write(H,U,V), U != W,\n"
    "                    whb(H,P,O,U,R).\n"
    "whb(H,P,O,X,Y) :- wstep(H,P,O,X,Y), write(H,X,_).\n"
    "whb(H,P,O,X,Z) :- whb(H,P,O,X,Y), wstep(H,P,O,Y,Z).\n"
    "% What some operation sees, closed for each order, and for both together.\n"
    "seen(H,P,X,Y) :- wstep(H,P,_,X,Y).\n"
    "hbp(H,P,X,Y) :- seen(H,P,X,Y), write(H,X,_).\n"
    "hbp(H,P,X,Z) :- hbp(H,P,X,Y), seen(H,P,Y,Z).\n"
    "both(H,X,Y) :- seen(H,_,X,Y), write(H,X,_).\n"
    "both(H,X,Z) :- both(H,X,Y), seen(H,_,Y,Z).\n"
    "% wpww, by generating pairs; its conflict order goes through reads of other threads' writes.\n"
    "wpww(H,X,Y) :- both(H,X,Y), write(H,X,V), write(H,Y,V).\n"
    "wpww(H,U,W) :- hbp(H,_,U,R), external(H,W,R), write(H,W,V), write(H,U,V), U != W.\n"
    "% Both graphs must be acyclic.\n"
    "wccmedge(H,P,X,Y) :- base(H,P,X,Y).\n"
    "wccmedge(H,P,X,Y) :- wpww(H,X,Y), side(P).\n"
    "wccmedge(H,P,R,W) :- wr(H,U,R), wpww(H,U,W), R != W, side(P).\n"
    "wccmedge(H,P,R,W) :- initrw(H,P,R,W).\n"
    "wccmpath(H,P,X,Y) :- wccmedge(H,P,X,Y), write(H,X,_).\n"
    "wccmpath(H,P,X,Z) :- wccmpath(H,P,X,Y), wccmedge(H,P,Y,Z).\n"
    "bad(H,wccm,\"ForcedCycle\") :- wccmpath(H,_,X,X).\n";

static const char wtso[] = "\n% ---- wtso: weak total store order ----\n"
                           "bad(H,wtso,\"ThinAirRead\") :- thinair(H,_).\n"
                           "% As wsc, with one store order and happens-before in each of the two orders.\n"
                           "wtsoedge(H,P,X,Y) :- base(H,P,X,Y).\n"
                           "wtsoedge(H,P,X,Y) :- wst(H,X,Y), side(P).\n"
                           "wtsoedge(H,P,R,W) :- wr(H,U,R), wst(H,U,W), R != W, side(P).\n"
                           "wtsoedge(H,P,R,W) :- initrw(H,P,R,W).\n"
                           "wtsohb(H,P,X,Y) :- wtsoedge(H,P,X,Y), write(H,X,_).\n"
                           "wtsohb(H,P,X,Z) :- wtsohb(H,P,X,Y), wtsoedge(H,P,Y,Z).\n"
                           "wst(H,X,Y) :- wtsohb(H,_,X,Y), write(H,X,V), write(H,Y,V).\n"
                           "wst(H,U,W) :- wtsohb(H,_,U,R), wr(H,W,R), write(H,W,V), write(H,U,V), U != W.\n"
                           "bad(H,wtso,\"ForcedCycle\") :- wtsohb(H,_,X,X).\n";

void datalog_store_rules(unsigned rules, struct text *out)
{
    if (rules & DATALOG_CCM)
        text_puts(out, ccm);
    if (rules & DATALOG_WSC)
        text_puts(out, wsc);
    if (rules & DATALOG_BUFFERS)
        text_puts(out, buffers);
    if (rules & DATALOG_WCCM)
        text_puts(out, wccm);
    if (rules & DATALOG_WTSO)
        text_puts(out, wtso);
}
