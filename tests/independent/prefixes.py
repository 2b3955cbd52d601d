# SPDX-License-Identifier: Apache-2.0
"""Linearizability of an event stream, event by event, from the definition.

Events: ('call', id, method, args) ('ret', id, result or None) ('dead', id). Tokens are text as in .hist.
A dead or open call may take effect at any time after its call, or never."""
from hist import take_value, tokens
from objects import TooHard, agrees, kind_of


def canon(token):
    return None if token is None else take_value(tokens(token), 0)[0]


class Oracle:
    def __init__(self, kind, init, limit=30000):
        self.name, self.step = kind_of(kind)
        self.limit = limit
        # a configuration: state, {open op: its result} as a frozenset of pairs, the dead ops that took effect
        self.confs = {(init, frozenset())}
        self.open = {}       # id -> op number
        self.pending = {}    # op -> (method, args): open, or dead
        self.dead = set()
        self.n = 0
        self.ok = True
        # a configuration is (state, frozenset of (op, result) that took effect and are still known as pending)

    def feed(self, e):
        """True as long as what was read is linearizable."""
        if not self.ok:
            return False
        if e[0] == 'call':
            if e[1] in self.open:
                self.dead.add(self.open.pop(e[1]))
            self.open[e[1]] = self.n
            self.pending[self.n] = (e[2], tuple(canon(t) for t in e[3]))
            self.n += 1
        elif e[0] == 'dead':
            op = self.open.pop(e[1])
            self.dead.add(op)
            self.forget(op)
        elif e[0] == 'ret':
            op = self.open.pop(e[1])
            self.ret(op, canon(e[2]))
            del self.pending[op]
        return self.ok

    def forget(self, op):       # its result does not matter any more
        self.confs = {(s, frozenset((o, None if o == op else r) for o, r in l)) for s, l in self.confs}

    def ret(self, op, rec):
        method = self.pending[op][0]
        done, seen, todo = set(), set(self.confs), list(self.confs)
        while todo:
            st, lin = todo.pop()
            d = dict(lin)
            if op in d:
                if agrees(self.name, method, rec, d[op]):
                    done.add((st, frozenset((o, r) for o, r in lin if o != op)))
                continue
            for o, (me, ar) in self.pending.items():
                if o in d:
                    continue
                for st2, res in self.step(st, me, ar):
                    c = (st2, lin | {(o, None if o in self.dead else res)})
                    if c not in seen:
                        seen.add(c)
                        todo.append(c)
                        if len(seen) > self.limit:
                            raise TooHard
        self.confs = done
        self.ok = bool(done)


def first_violation(kind, init, events):
    """The number (from 1) of the event with which the stream stops being linearizable, or None."""
    o = Oracle(kind, init)
    for i, e in enumerate(events):
        if not o.feed(e):
            return i + 1
    return None
