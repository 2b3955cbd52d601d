# SPDX-License-Identifier: Apache-2.0
"""Cuts of memories: a read, a fence, or writes together with all that read their values."""
from hist import History
from memory import satisfies


def seen(ops):
    """(variable, value) of all reads."""
    return {(o.args[0], o.result if o.method == "read" else o.args[1]) for o in ops if o.method in ("read", "rmw")}


def same(a, b):
    return (a.thread, a.method, a.args, a.result, a.pending) == (b.thread, b.method, b.args, b.result, b.pending)


def follows(whole, cut, kept, model):
    """The faults of a cut; `kept` are the operations of the whole that its lines name."""
    faults = []
    if satisfies(cut, model):
        faults.append("not a violation")
    faults += [f"{c} is not {o}" for o, c in zip(kept, cut.ops) if not same(o, c)]
    dropped = [o for o in whole.ops if o not in kept and not o.pending]
    for o in dropped:
        if o.method in ("write", "rmw") and (o.args[0], o.args[-1]) in seen(cut.ops):
            faults.append(f"{o} was dropped, and its value is read")
    return faults


def with_readers(ops, first):
    """An operation and all that depend on its value."""
    gone = [first]
    while True:
        written = {(o.args[0], o.args[-1]) for o in gone if o.method in ("write", "rmw")}
        more = [o for o in ops if o not in gone and seen([o]) & written]
        if not more:
            return gone
        gone += more


def minimal(cut, model):
    """Single cuts that leave a smaller violation: (which, the rest)."""
    for o in cut.ops:
        rest = History()
        gone = with_readers(cut.ops, o)
        rest.headers, rest.ops = cut.headers, [p for p in cut.ops if p not in gone]
        if rest.ops and not satisfies(rest, model):
            yield gone, rest
