# SPDX-License-Identifier: Apache-2.0
"""Cuts of transactions: a read, all accesses of a key, or a transaction with all reads of its values."""
import copy

from hist import History
from transactions import Transaction, satisfies


def elements(v):
    return v[1:] if isinstance(v, tuple) and v[0] == "l" else (v,)


def follows(whole, cut, kept, model):
    """The faults of a cut; `kept` are the transactions of the whole that its lines name."""
    faults = []
    if satisfies(cut, model):
        faults.append("not a violation")
    left = [Transaction(o) for o in cut.ops]
    keys = {x for t in left for _, x, _ in t.accesses}
    for t, w in zip(left, [Transaction(o) for o in kept]):
        rest = iter(w.accesses)
        if not all(a in rest for a in t.accesses) or (t.session, t.outcome) != (w.session, w.outcome):
            faults.append(f"{t.op} is no part of {w.op}")
        for a in w.accesses:
            if a[0] != "r" and a[1] in keys and t.accesses.count(a) < w.accesses.count(a):
                faults.append(f"{t.op} lacks a write of {w.op}")
    read = {(x, e) for t in left for k, x, v in t.accesses if k == "r" for e in elements(v)}
    every = [Transaction(o) for o in whole.ops]
    for t in every:
        if t.op in kept or t.outcome != "committed":
            continue
        for x in keys:
            for v in t.writes(x)[-1:] + t.appends(x):
                alone = sum(v in w.writes(x)[-1:] + w.appends(x) for w in every) == 1
                if (x, v) in read and alone:
                    faults.append(f"{t.op} was dropped, and its value is read")
    return faults


def without(cut, leaves_out):
    """The history without the accesses for which `leaves_out` (operation, place, access) holds."""
    rest = History()
    rest.headers = cut.headers
    for o in cut.ops:
        accesses = [o.args[i:i + 3] for i in range(0, len(o.args), 3)]
        left = [a for place, a in enumerate(accesses) if not leaves_out(o, place, a)]
        if left:
            p = copy.copy(o)
            p.args = tuple(v for a in left for v in a)
            rest.ops.append(p)
    return rest


def smaller(cut):
    """Each history that a single cut leaves."""
    keys = {o.args[i + 1] for o in cut.ops for i in range(0, len(o.args), 3)}
    for key in keys:
        yield f"the key {key}", without(cut, lambda o, place, a, key=key: a[1] == key)
    for t in cut.ops:
        for i in range(len(t.args) // 3):
            if t.args[3 * i][1] == "r":
                yield f"read {i} of {t}", without(cut, lambda o, place, a, t=t, i=i: o is t and place == i)
        wrote = {(a[1], a[2]) for a in Transaction(t).accesses if a[0] == "w"}
        if not t.pending and not any(a[0] == "append" for a in Transaction(t).accesses):
            yield f"{t}", without(cut, lambda o, place, a, t=t, wrote=wrote:
                                  o is t or (a[0][1] == "r" and (a[1], a[2]) in wrote))


def minimal(cut, model):
    """Single cuts that leave a smaller violation: (which, the rest)."""
    return [(what, rest) for what, rest in smaller(cut)
            if 0 < len(rest.ops) <= 6 and not satisfies(rest, model)]
