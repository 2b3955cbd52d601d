# SPDX-License-Identifier: Apache-2.0
"""Transactions by the axioms: a level holds if some commit order satisfies

    t3 reads x from t1,  t2 writes x,  PHI(t2, t3)   =>   t2 co t1

All commit orders are tried, all choices of sources where values repeat, and all sets of unknown transactions.
"""
import itertools

from hist import initial
from objects import TooHard

NONE = ("l",)


class Transaction:
    def __init__(self, op):
        self.op, self.session = op, op.thread
        self.outcome = "aborted" if op.result == ("w", "abort") else "unknown" if op.pending else "committed"
        a = op.args
        self.accesses = [(a[i][1], a[i + 1], a[i + 2]) for i in range(0, len(a), 3)]
        self.start, self.end = op.call, op.ret
        self.rank = 0  # its number in the session

    def writes(self, x):
        return [v for what, y, v in self.accesses if what == "w" and y == x]

    def appends(self, x):
        return [v for what, y, v in self.accesses if what == "append" and y == x]

    def changes(self, x):
        return bool(self.writes(x) or self.appends(x))


def transactions(history):
    return [Transaction(o) for o in history.ops]


def start_value(history, x):
    named, default = initial(history)
    return named.get(x, 0 if default is None else default)


def base_order(ts, base):
    """Pairs (i, j); an unknown transaction has no successors."""
    out = set()
    for j, b in enumerate(ts):
        for i, a in enumerate(ts):
            if a.outcome == "unknown":
                continue
            if base != "none" and a.session == b.session and a.op.index < b.op.index:
                out.add((i, j))
            if base == "realtime" and a.end is not None and b.start is not None and a.end < b.start:
                out.add((i, j))
            if base == "realtime" and b.op.after.get(a.session, 0) > a.rank:
                out.add((i, j))
    return out


def external_reads(t):
    """(place, variable, value or list prefix) of each external read; None if an internal read is wrong."""
    own, out = {}, []
    for place, (what, x, v) in enumerate(t.accesses):
        if what == "w":
            own[x] = v
        elif what == "append":
            own.setdefault(x, [])
            own[x] = own[x] + [v]
        elif v != ("?",):
            if isinstance(own.get(x), list):
                mine = own[x]
                if not isinstance(v, tuple) or len(v) - 1 < len(mine) or list(v[len(v) - len(mine):]) != mine:
                    return None
                out.append((place, x, v[:len(v) - len(mine)]))
            elif x in own:
                if own[x] != v:
                    return None
            else:
                out.append((place, x, v))
    return out


def is_list(ts, x):
    return any(t.appends(x) for t in ts) or any(
        what == "r" and y == x and isinstance(v, tuple) and v[0] == "l" for t in ts for what, y, v in t.accesses)


def candidates(history, ts, reader, x, v, every):
    """The transactions (positions, -1 for the initial one) that a read may take its value from."""
    if is_list(every, x):
        if v == NONE:
            return [-1]
        return [i for i, t in enumerate(ts) if i != reader and t.appends(x) and t.appends(x)[-1] == v[-1]]
    out = [i for i, t in enumerate(ts) if i != reader and t.writes(x) and t.writes(x)[-1] == v]
    if start_value(history, x) == v:
        out.append(-1)
    return out


def lists_fit(ts, order, reads, every):
    """Each list that was read is a beginning of the list that the commits make. One that was read behind own appends is
    also, with all own appends, the list that the commits up to its transaction make."""
    for (i, place, x, v) in reads:
        if not is_list(every, x):
            continue
        made = [e for j in order for e in ts[j].appends(x)]
        if list(v[1:]) != made[:len(v) - 1]:
            return False
        if any(what == "append" and y == x for what, y, _ in ts[i].accesses[:place]):
            so_far = [e for j in order[:order.index(i) + 1] for e in ts[j].appends(x)]
            if list(v[1:]) + ts[i].appends(x) != so_far:
                return False
    return True


def axiom(level, ts, order, base, reads, source):
    """order: positions; reads: (reader, place, x, v); source[read] = position or -1."""
    n = len(ts)
    at = {i: k for k, i in enumerate(order)}
    at[-1] = -1
    wr = {(source[r], r[0]) for r in reads}
    if any(at[a] >= at[b] for a, b in wr | base):
        return False
    writers = {x: [i for i in range(n) if ts[i].changes(x)] for _, _, x, _ in reads}
    for i in range(n):
        for _, x, _ in ts[i].accesses:
            writers.setdefault(x, [j for j in range(n) if ts[j].changes(x)])
    direct = {(a, b) for a, b in wr | base if a >= 0}
    if level in ("psi", "si"):
        for group in writers.values():
            direct |= {(a, b) for a in group for b in group if at[a] < at[b]}
    reach = {i: {b for a, b in direct if a == i} for i in range(n)}
    if level in ("tcc", "psi"):
        for k in range(n):
            for i in range(n):
                if k in reach[i]:
                    reach[i] |= reach[k]
    for r in reads:
        t3, place, x, _ = r
        t1 = source[r]
        for t2 in writers[x]:
            if t2 in (t1, t3):
                continue
            if level == "rc":
                phi = any(q[0] == t3 and q[1] < place and source[q] == t2 for q in reads)
            elif level in ("ra", "tcc", "psi"):
                phi = t3 in reach[t2]
            elif level in ("pc", "si"):
                phi = any(t3 in reach[k] for k in range(n) if at[k] >= at[t2])
            else:
                phi = at[t2] < at[t3]
            if phi and at[t2] >= at[t1]:
                return False
    return True


def holds_for(history, ts, every, level, base_name, limit):
    base = base_order(ts, base_name)
    reads = []
    for i, t in enumerate(ts):
        external = external_reads(t)
        if external is None:
            return False
        reads += [(i, place, x, v) for place, x, v in external]
    choices = [candidates(history, ts, r[0], r[2], r[3], every) for r in reads]
    if any(not c for c in choices):
        return False
    count = 0
    for order in itertools.permutations(range(len(ts))):
        at = {i: k for k, i in enumerate(order)}
        if any(at[a] > at[b] for a, b in base) or not lists_fit(ts, order, reads, every):
            continue
        for choice in itertools.product(*choices):
            count += 1
            if count > limit:
                raise TooHard()
            if axiom(level, ts, order, base, reads, dict(zip(reads, choice))):
                return True
    return False


def satisfies(history, model, limit=60000):
    level, _, variant = model.partition("-")
    base = {"": "session", "strict": "realtime", "plain": "none"}[variant]
    every = transactions(history)
    ranks = {}
    for t in every:
        t.rank = ranks.get(t.session, 0)
        ranks[t.session] = t.rank + 1
    unknown = [t for t in every if t.outcome == "unknown"]
    for size in range(len(unknown) + 1):
        for taken in itertools.combinations(unknown, size):
            ts = [t for t in every if t.outcome == "committed" or t in taken]
            if holds_for(history, ts, every, level, base, limit):
                return True
    return False
