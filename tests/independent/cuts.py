# SPDX-License-Identifier: Apache-2.0
"""Whether the result of --shrink follows from the history: it is a violation, and each cut was allowed.

A cut is allowed if it leaves every linearizable history linearizable. The cuts, from the definition:
  late      calls made after every return that is left; calls open then become pending
  early     operations that returned before every call that is left, if the initial state may be any
  open      a return: the operation becomes pending, maybe on a thread of its own
  still     an operation that changes no state
  cells     of a register or a key of a map, a write and all that read its value
  values    of a collection, all operations of a value
  episodes  the same between two moments at which the value is not in it; of a lock, at which it is free
  parts     another object, variable, key, element
"""
import copy

from hist import initial
from objects import ALIASES, FALSE, NIL, NULL, kind_of, linearizable, precedence

LOCKS = {"lock", "rwlock", "semaphore", "counting-semaphore"}
TAKES = {"lock", "trylock", "rdlock", "wrlock", "tryrdlock", "trywrlock", "acquire", "tryacquire", "wait", "trywait"}
# calls that change nothing, whatever they return
STILL = {"read", "peek", "peek-front", "peek-back", "contains", "contains-key", "get", "size", "count", "elements",
         "balance", "balances", "fence"}


def method(name, o):
    return ALIASES.get(name, {}).get(o.method, o.method)


def still(name, o):
    """An operation that certainly changed nothing."""
    m = method(name, o)
    if m in STILL or (m == "transfer" and o.args[0] == o.args[1]):
        return True
    if m in ("cas", "rmw") and o.args[-2] == o.args[-1]:
        return True
    if o.pending or o.result is None:
        return False
    if o.result == FALSE:  # a failed cas or attempt; an add or remove of a set that found nothing to do
        return True
    if m in ("deq", "pop", "rem", "pop-front", "pop-back") and o.result == ("w", "empty"):
        return True
    if name == "bounded-queue" and o.result == ("w", "full"):
        return True
    if name == "map":
        return (m == "remove" and o.result in (NULL, NIL)) or (m == "put" and o.result == o.args[1])
    if name == "bank":
        return o.result == ("w", "refused")
    if name == "counter":
        return m == "add" and o.args[0] == 0
    return False


def reads_of(name, o):
    """The values that a call of a cell saw; of a map null stands for no value, and None for any."""
    m = method(name, o)
    if name == "map":
        if m == "contains-key":
            return {NULL if o.result == FALSE else None}
        return {NULL if o.result == NIL else o.result} if o.result is not None else set()
    if m == "read":
        return {o.result} if not o.pending else set()
    if m in ("cas", "rmw"):
        return {o.args[-2]} if not (m == "cas" and o.result == FALSE) else set()
    return set()


def part(name, ops):
    """A function from an operation to its part, where the object has parts."""
    if name in ("memory", "append-map", "multiset"):
        return lambda o: o.args[0] if o.args else None
    if name == "set" and not any(method(name, o) == "elements" for o in ops):
        return lambda o: o.args[0]
    if name == "map" and not any(method(name, o) in ("size", "contains") for o in ops):
        return lambda o: o.args[0]
    return lambda o: None


def value_of(name, o):
    if name in ("queue", "stack", "deque", "pqueue"):
        return o.args[0] if o.args else o.result
    if name in ("set", "multiset"):
        return o.args[0] if o.args else None
    return None


def weight(name, o):
    """How an operation changes the number of holders of a lock, or of the copies of its value."""
    m = method(name, o)
    if m in TAKES or (o.args and name in ("queue", "stack", "deque", "pqueue")) or (m == "add" and name == "multiset"):
        return 1
    if name == "set":
        return {"add": 1, "remove": -1}.get(m, 0)
    return -1


def episode(name, ops, o, copies, before):
    """The operations of the episode of o, among those of its value or lock. The last one goes to the end."""
    ops = sorted(ops, key=lambda p: len(before[p.index]))
    group, now = [], copies
    for k, p in enumerate(ops):
        if now == 0 and all(q.index in before[r.index] for q in ops[:k] for r in ops[k:]):
            if o in group:
                return group
            group = []
        group.append(p)
        now += weight(name, p)
    return group if group[0] is not ops[0] or copies == 0 else None


def gone_by_episodes(name, whole, done, o, held, before):
    """Whether o went with its whole episode, of which calls may be left that are pending now."""
    v = value_of(name, o)
    changing = [p for p in whole.ops if not still(name, p)]
    if v is not None:
        changing = [p for p in changing if value_of(name, p) == v]
    elif name not in LOCKS:
        return False
    else:
        held = ()
    group = episode(name, changing, o, held.count(v), before)
    return group is not None and not any(p in done for p in group)


def follows(whole, cut, kept):
    """The faults of a cut; `kept` are the operations of the whole that its lines name."""
    faults = []
    name, _ = kind_of(whole.object)
    if cut.object != whole.object:
        faults.append("another object")
    if linearizable(cut):
        faults.append("not a violation")
    named, default = initial(cut)
    unknown = ("?",) in list(named.values()) + [default]
    timed = any(o.call is not None for o in whole.ops)
    before = precedence(whole.ops)
    done = [o for o, c in zip(kept, cut.ops) if not c.pending]
    for o, c in zip(kept, cut.ops):
        if (c.method, c.args, c.call) != (o.method, o.args, o.call):
            faults.append(f"{c} is not {o}")
        if not c.pending and (c.result, c.ret, c.thread) != (o.result, o.ret, o.thread):
            faults.append(f"{c} is not {o}")
        expected = next(q for q in restrict(whole.ops, kept) if q.index == o.index)
        if not timed and {t: n for t, n in c.after.items() if n} != expected.after:
            faults.append(f"{c} knows another past than {expected.after}")
    which = part(name, kept)
    parts = {which(o) for o in kept}
    held = (initial(whole)[1] or ("l",))[1:] if name not in ("register", "cas-register", "memory", "counter") else ()
    values = {value_of(name, c) for c in cut.ops}
    for o in whole.ops:
        if o in kept or still(name, o) or which(o) not in parts:
            continue
        late = all(p.index in before[o.index] for p in done)
        early = unknown and all(o.index in before[p.index] for p in done)
        if late or early:
            continue
        seen = set().union(*[reads_of(name, c) for c in cut.ops if which(c) == which(o)])
        if name in ("register", "cas-register", "memory") and o.args[-1] not in seen:
            continue
        if name == "map" and not seen & ({o.args[1], None} if method(name, o) == "put" else {NULL}):
            continue
        if initial(whole)[1] != ("?",) and gone_by_episodes(name, whole, done, o, held, before):
            continue
        v = value_of(name, o)
        if v is not None and v not in values:
            continue
        faults.append(f"{o} was dropped")
    declared, other = initial(whole)
    if not unknown and (default != other or any(declared.get(k) != v for k, v in named.items())):
        faults.append("another initial state")
    return faults


def reduced(history, ops, any_start=False):
    h = copy.copy(history)
    h.ops = ops
    if any_start:
        h.headers = [x for x in history.headers if x[0] != "init"] + [("init", "?")]
    return h


def without(history, gone):
    return restrict(history.ops, [o for o in history.ops if o not in gone])


def restrict(ops, kept):
    """Copies of the kept operations. Knowledge (`@ after`) counts operations, so it is counted anew."""
    out = []
    for o in kept:
        p = copy.copy(o)
        p.after = {}
        for thread, count in o.after.items():
            left = sum(1 for q in [q for q in ops if q.thread == thread][:count] if q in kept)
            if left:
                p.after[thread] = left
        out.append(p)
    return out


def from_moment(name, ops, moment):
    """Operations that returned before a moment go. Those that are open then become pending, on threads of their own."""
    rest = []
    for o in ops:
        if not o.pending and o.ret < moment:
            continue
        p = copy.copy(o)
        if o.call < moment:
            if still(name, o):
                continue
            p.pending, p.ret, p.result, p.thread = True, None, None, o.thread + "-open"
        rest.append(p)
    return rest


def smaller(cut):
    """Each part that a single cut leaves: (name of the cut, operations, whether the initial state may be any)."""
    name, _ = kind_of(cut.object)
    ops, which = cut.ops, part(name, cut.ops)
    timed = all(o.call is not None for o in ops)
    named, default = initial(cut)
    unsure = name == "map" and ("?",) in [default, *named.values()]  # null may be there, and a remove takes it out
    for o in ops:
        if still(name, o) and not (unsure and method(name, o) == "remove"):
            yield f"{o}", without(cut, [o]), False
    parts = sorted({which(o) for o in ops}, key=repr)
    if timed and len(parts) > 1:
        for p in parts:
            yield f"the part {p}", without(cut, [o for o in ops if which(o) == p]), False
    if name in ("queue", "stack", "deque", "pqueue"):
        held = (initial(cut)[1] or ("l",))[1:]
        values = {value_of(name, o) for o in ops} - {None, ("w", "empty")} - set(held)
        for v in sorted(values, key=repr):
            yield f"the value {v}", without(cut, [o for o in ops if value_of(name, o) == v]), False
    if timed and name in ("register", "cas-register", "memory", "counter", "queue", "stack", "deque", "pqueue"):
        for moment in sorted({o.ret + 1 for o in ops if not o.pending}):
            yield f"all that returned before {moment}", from_moment(name, ops, moment), True


def minimal(cut):
    """Single cuts that leave a smaller violation: (which, the rest)."""
    ends = [o.ret for o in cut.ops if o.ret is not None]
    found = [(f"{o}, called after the last return,", without(cut, [o]), False) for o in cut.ops
             if o.call is not None and ends and o.call > max(ends) and not o.pending]  # of equal times it may stay
    for what, rest, any_start in found + list(smaller(cut)):
        less = reduced(cut, rest, any_start)
        if rest and not linearizable(less):
            yield what, less
