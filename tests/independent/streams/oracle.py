# SPDX-License-Identifier: Apache-2.0
"""Linearizability of an event stream, event by event, from the definition.

Events: ('call', id, method, args) ('ret', id, result or None) ('dead', id). Tokens are text as in .hist.
A dead or open call may take effect at any time after its call, or never."""
from models import canon


class TooMany(Exception):
    pass


class Oracle:
    def __init__(self, model, starts=None, limit=30000):
        self.model = model
        self.limit = limit
        # a configuration: state, {open op: its result} as a frozenset of pairs, the dead ops that took effect
        self.confs = {(s, frozenset()) for s in (starts if starts is not None else [model.init])}
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
        m = self.model
        method = self.pending[op][0]
        done, seen, todo = set(), set(self.confs), list(self.confs)
        while todo:
            st, lin = todo.pop()
            d = dict(lin)
            if op in d:
                if d[op] == ('any',) or m.match(method, rec, d[op]):
                    done.add((st, frozenset((o, r) for o, r in lin if o != op)))
                continue
            for o, (me, ar) in self.pending.items():
                if o in d:
                    continue
                for st2, res in m.apply(st, me, ar):
                    c = (st2, lin | {(o, None if o in self.dead else res)})
                    if c not in seen:
                        seen.add(c)
                        todo.append(c)
                        if len(seen) > self.limit:
                            raise TooMany
        self.confs = done
        self.ok = bool(done)


def first_violation(model, events, starts=None):
    """The number (from 1) of the event with which the stream stops being linearizable, or None."""
    o = Oracle(model, starts)
    for i, e in enumerate(events):
        if not o.feed(e):
            return i + 1
    return None


def brute(model, events):
    """The same question for the whole stream, by trying all orders. For the test of the oracle only."""
    ops, at = [], {}
    for i, e in enumerate(events):
        if e[0] == 'call':
            if e[1] in at:
                at.pop(e[1])
            at[e[1]] = len(ops)
            ops.append([i, None, e[2], tuple(canon(t) for t in e[3]), None])
        elif e[0] == 'dead':
            at.pop(e[1])
        else:
            o = ops[at.pop(e[1])]
            o[1], o[4] = i, canon(e[2])
    comp = [i for i, o in enumerate(ops) if o[1] is not None]

    def rec(st, used):
        if all(i in used for i in comp):
            return True
        bound = min(ops[i][1] for i in comp if i not in used)
        for i, o in enumerate(ops):
            if i in used or o[0] > bound:
                continue
            for st2, res in model.apply(st, o[2], o[3]):
                if o[1] is None or model.match(o[2], o[4], res):
                    if rec(st2, used | {i}):
                        return True
        return False
    return rec(model.init, frozenset())


class Exchanger:
    name = 'exchanger'


def exchanger_ok(events):
    """Partners overlap and get each other's value; null without a partner; pending ones are free."""
    ops, at = [], {}
    for i, e in enumerate(events):
        if e[0] == 'call':
            at[e[1]] = len(ops)
            ops.append([i, 10**9, canon(e[3][0]), None])
        elif e[0] == 'dead':
            at.pop(e[1])
        else:
            o = ops[at.pop(e[1])]
            o[1], o[3] = i, canon(e[2])
    need = [i for i, o in enumerate(ops) if o[3] is not None and o[3] not in (('w', 'null'), ('w', 'nil'))]

    def fits(a, b):
        a, b = ops[a], ops[b]
        return a[0] < b[1] and b[0] < a[1] and a[3] == b[2] and (b[3] is None or b[3] == a[2])

    def rec(used):
        for i in need:
            if i not in used:
                return any(j != i and j not in used and fits(i, j) and rec(used | {i, j}) for j in range(len(ops)))
        return True
    return rec(frozenset())


def first_violation_exchanger(events):
    for i in range(len(events)):
        if events[i][0] == 'ret' and not exchanger_ok(events[:i + 1]):
            return i + 1
    return None
