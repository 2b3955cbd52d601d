# SPDX-License-Identifier: Apache-2.0
"""Sequential objects and linearizability, from docs/reference/objects.md and the definition of linearizability, by brute force.

A step maps (state, method, arguments) to the outcomes that are possible: pairs of a new state and a result. No outcome
means that the call cannot take effect there. A result of None says nothing, and a recorded None was not recorded: both
agree with everything. States are hashable.
"""
import itertools

from hist import initial

EMPTY, TRUE, FALSE, NULL, NIL, OK = (("w", t) for t in ("empty", "true", "false", "null", "nil", "ok"))
REFUSED = ("w", "refused")
FULL = ("w", "full")
FRESH = ("fresh",)  # a value that no call names
ALIASES = {
    "queue": {"enqueue": "enq", "offer": "enq", "add": "enq", "dequeue": "deq", "poll": "deq", "remove": "deq",
              "rem": "deq", "rm": "deq"},
    "stack": {"add": "push", "remove": "pop", "rem": "pop", "rm": "pop", "top": "peek"},
    "pqueue": {"insert": "add", "offer": "add", "rm": "rem", "remove": "rem", "poll": "rem", "extract": "rem"},
    "set": {"insert": "add", "rem": "remove", "rm": "remove", "delete": "remove"},
    "multiset": {"insert": "add", "rem": "remove", "rm": "remove", "delete": "remove"},
    "map": {"rem": "remove", "rm": "remove", "delete": "remove", "containsKey": "contains-key",
            "contains-value": "contains", "containsValue": "contains"},
    "counter": {"increment": "inc", "decrement": "dec", "read": "get",
                "get-and-add": "fetch-add"},
    "deque": {"add-first": "push-front", "offer-first": "push-front", "add-last": "push-back",
              "offer-last": "push-back", "poll-first": "pop-front", "poll-last": "pop-back",
              "peek-first": "peek-front", "peek-last": "peek-back"},
    "lock": {"acquire": "lock", "release": "unlock", "tryacquire": "trylock"},
}
LEAST, GREATEST = -(1 << 63), (1 << 63) - 1


def yes(condition):
    return TRUE if condition else FALSE


def dict_set(state, key, new):
    """A dictionary as a sorted tuple of pairs; None deletes."""
    rest = [(k, v) for k, v in state if k != key]
    if new is not None:
        rest.append((key, new))
    return tuple(sorted(rest, key=repr))


def register(s, m, a):
    if m == "write":
        return [(a[0], None)]
    if m == "read":
        return [(s, s)]
    return [(a[1], TRUE)] if s == a[0] else [(s, FALSE)]


def memory(s, m, a):
    """Cells that are not in the state hold the default, kept under the key None."""
    if m == "fence":
        return [(s, None)]
    cells = dict(s)
    now = cells.get(a[0], cells[None])
    if m == "read":
        return [(s, now)]
    if m == "write":
        return [(dict_set(s, a[0], a[1]), None)]
    return [(dict_set(s, a[0], a[2]), None)] if now == a[1] else []


def fifo(s, m, a):
    if m == "enq":
        return [(s + (a[0],), None)]
    if not s:
        return [(s, EMPTY)]
    return [(s[1:] if m == "deq" else s, s[0])]


def bounded(most):
    def step(s, m, a):
        if m == "enq":
            return [(s + (a[0],), OK) if len(s) < most else (s, FULL)]
        return fifo(s, m, a)
    return step


def lifo(s, m, a):
    if m == "push":
        return [(s + (a[0],), None)]
    if not s:
        return [(s, EMPTY)]
    return [(s[:-1] if m == "pop" else s, s[-1])]


def deque(s, m, a):
    what, end = m.split("-")
    if what == "push":
        return [((a[0],) + s if end == "front" else s + (a[0],), None)]
    if not s:
        return [(s, EMPTY)]
    if end == "front":
        return [(s[1:] if what == "pop" else s, s[0])]
    return [(s[:-1] if what == "pop" else s, s[-1])]


def priority(best):
    def step(s, m, a):
        if m == "add":
            return [(tuple(sorted(s + (a[0],))), None)]
        if not s:
            return [(s, EMPTY)]
        v = best(s)
        if m == "peek":
            return [(s, v)]
        i = s.index(v)
        return [(s[:i] + s[i + 1:], v)]
    return step


def a_set(s, m, a):
    if m == "elements":
        return [(s, ("set", s))]
    there = a[0] in s
    if m == "add":
        return [(s | {a[0]}, yes(not there))]
    if m == "remove":
        return [(s - {a[0]}, yes(there))]
    return [(s, yes(there))]


def multiset(s, m, a):
    n = dict(s).get(a[0], 0)
    if m == "add":
        return [(dict_set(s, a[0], n + 1), None)]
    if m == "remove":
        return [(dict_set(s, a[0], n - 1 or None) if n else s, yes(n))]
    return [(s, n if m == "count" else yes(n))]


def a_map(s, m, a):
    if m == "size":
        return [(s, len(s))]
    if m == "contains":
        return [(s, yes(any(v == a[0] for _, v in s)))]
    now = dict(s).get(a[0])
    old = NULL if now is None else now
    if m == "put":
        return [(dict_set(s, a[0], a[1]), old)]
    if m == "get":
        return [(s, old)]
    if m == "contains-key":
        return [(s, yes(now is not None))]
    return [(dict_set(s, a[0], None), old)]


def append_map(s, m, a):
    now = dict(s).get(a[0], "")
    if m == "get":
        return [(s, ("s", now))]
    return [(dict_set(s, a[0], (now if m == "append" else "") + a[1][1]), None)]


def counter(s, m, a):
    if m == "get":
        return [(s, s)]
    n = s + {"inc": 1, "dec": -1}.get(m, a[0] if a else 0)
    return [(n, s if m == "fetch-add" else n)] if LEAST <= n <= GREATEST else []


def bank(s, m, a):
    if m == "balance":
        return [(s, s[a[0]])]
    if m == "balances":
        return [(s, ("l",) + s)]
    if s[a[0]] < a[2]:
        return [(s, REFUSED)]
    t = list(s)
    t[a[0]] -= a[2]
    t[a[1]] += a[2]
    return [(tuple(t), OK)]


def holders(most, take, give, attempt):
    """A lock is a semaphore with one holder. The state has the tags of the holders, None for one without."""
    def step(s, m, a):
        if m == give:
            return [(tuple(s[:i] + s[i + 1:]), s[i] if s[i] is not None else ("untagged",)) for i in range(len(s))]
        full = len(s) >= most
        if m == take:
            return [] if full else [(tuple(sorted(s + (a[0] if a else None,), key=repr)), None)]
        assert m == attempt
        return [(s, FALSE)] if full else [(tuple(sorted(s + (a[0] if a else None,), key=repr)), TRUE)]
    return step


def rwlock(s, m, _):
    readers, writer = s
    if m in ("rdlock", "tryrdlock"):
        return [((readers + 1, 0), TRUE)] if not writer else [] if m == "rdlock" else [(s, FALSE)]
    if m in ("wrlock", "trywrlock"):
        return [((0, 1), TRUE)] if s == (0, 0) else [] if m == "wrlock" else [(s, FALSE)]
    if m == "rdunlock":
        return [((readers - 1, 0), None)] if readers else []
    return [((0, 0), None)] if writer else []


def posix_semaphore(s, m, _):
    if m == "post":
        return [(s + 1, None)]
    if m == "wait":
        return [(s - 1, None)] if s else []
    return [(s - 1, TRUE)] if s else [(s, FALSE)]


def multi_register(s, m, a):
    """A committed txn: accesses in threes. Reads of ? say nothing."""
    cells = dict(s)
    for i in range(0, len(a), 3):
        what, x, v = a[i][1], a[i + 1], a[i + 2]
        now = cells.get(x, cells[None])
        if what == "r":
            if v == ("l",) and x not in cells:
                continue
            if v != ("?",) and now != v:
                return []
        elif what == "w":
            cells[x] = v
        else:
            items = now if isinstance(now, tuple) and now[0] == "l" else ("l",)
            cells[x] = items + (v,)
    return [(tuple(sorted(cells.items(), key=repr)), None)]


def kind_of(text):
    """The object that a header names: (name, step)."""
    name, _, parameter = text.replace("atomic-", "").partition("(")
    parameter = parameter.rstrip(")")
    if name == "semaphore":
        return name, holders(int(parameter), "acquire", "release", "tryacquire")
    if name == "bounded-queue" or name == "queue" and parameter:
        return "bounded-queue", bounded(int(parameter))
    if name == "pqueue":
        return name, priority(min if parameter == "min" else max)
    return name, {
        "register": register, "cas-register": register, "memory": memory, "queue": fifo, "stack": lifo,
        "deque": deque, "set": a_set, "multiset": multiset, "map": a_map, "append-map": append_map,
        "counter": counter, "bank": bank, "lock": holders(1, "lock", "unlock", "trylock"), "rwlock": rwlock,
        "counting-semaphore": posix_semaphore, "multi-register": multi_register}[name]


def named_values(ops):
    out = set()
    for o in ops:
        out |= set(o.args)
        if o.result is not None:
            out.add(o.result)
    return out


def contents(name, ops):
    """Any initial content, without values that nobody finds: each of these is found, or taken by a pending removal."""
    found = [o.result for o in ops if not o.args and o.result not in (None, EMPTY)]
    if name == "pqueue":
        found = [v for v in found if isinstance(v, int)]
    else:
        found += [FRESH for o in ops if not o.args and o.pending]
    return sorted({c for n in range(len(found) + 1) for c in itertools.permutations(found, n)
                   if name != "pqueue" or list(c) == sorted(c)}, key=repr)


def starts(history, text, ops):
    """All states that may be the initial one."""
    name, _, parameter = text.replace("atomic-", "").partition("(")
    named, default = initial(history)
    every = sorted(named_values(ops), key=repr) + [FRESH]
    unknown = default == ("?",)
    if name in ("register", "cas-register"):
        return every if unknown else [0 if default is None else default]
    if name in ("memory", "multi-register"):
        variables = sorted({o.args[0] for o in ops if o.args}, key=repr) if name == "memory" else []
        choices = []
        for x in variables:
            v = named.get(x, 0 if default is None else default)
            choices.append([(x, w) for w in every] if v == ("?",) else [(x, v)])
        rest = 0 if default in (None, ("?",)) else default
        return [tuple(sorted(pairs + ((None, rest),), key=repr)) for pairs in itertools.product(*choices)]
    if name == "map":
        keys = sorted({o.args[0] for o in ops if o.args and o.method not in ("contains", "contains-value")}
                      | set(named), key=repr)
        choices = []
        for k in keys:
            v = named.get(k, default)
            choices.append([(k, w) for w in every + [None]] if v == ("?",) else [(k, v)])
        return [tuple(sorted((p for p in pairs if p[1] is not None), key=repr))
                for pairs in itertools.product(*choices)]
    if name == "append-map":
        return [tuple(sorted(((k, v[1]) for k, v in named.items()), key=repr))]
    if name == "set":
        if unknown:
            values = sorted({o.args[0] for o in ops if o.args}, key=repr)
            return [frozenset(c) for n in range(len(values) + 1) for c in itertools.combinations(values, n)]
        base = set(default[1:]) if default else set()
        unsure = sorted((k for k, v in named.items() if v == ("?",)), key=repr)
        return [frozenset(base | set(c)) for n in range(len(unsure) + 1) for c in itertools.combinations(unsure, n)]
    if name == "counter":
        if unknown:
            sums = {0}  # of some of the calls: they lead to a result, or to an end
            for o in ops:
                change = {"get": 0, "read": 0, "inc": 1, "increment": 1, "dec": -1, "decrement": -1}.get(o.method, o.args[0] if o.args else 0)
                sums |= {s + change for s in sums}
            shown = [o.result for o in ops if isinstance(o.result, int)] + [LEAST, GREATEST]
            return sorted(n for n in {r - s for r in shown for s in sums} | {0} if LEAST <= n <= GREATEST)
        return [0 if default is None else default]
    if unknown and name in ("queue", "stack", "deque", "pqueue"):
        return contents(name, ops)
    if name in ("queue", "bounded-queue", "stack", "deque"):
        return [tuple(default[1:]) if default else ()]
    if name == "pqueue":
        return [tuple(sorted(default[1:])) if default else ()]
    if name == "multiset":
        state = ()
        for v in default[1:] if default else ():
            state = dict_set(state, v, dict(state).get(v, 0) + 1)
        return [state]
    if name == "bank":
        if parameter:
            n, each = parameter.rstrip(")").split(",")
            return [(int(each),) * int(n)]
        return [tuple(default[1:])]
    if name == "rwlock":
        return [(0, 0)] + [(0, 1)] * unknown + [(n, 0) for n in range(1, len(ops) + 1) if unknown]
    if name == "counting-semaphore":
        return range(len(ops) + 1) if unknown else [int(parameter.rstrip(")"))]
    holders = int(parameter.rstrip(")")) if name == "semaphore" else 1
    if holders > len(ops) and not any(o.method == "tryacquire" for o in ops):
        holders = len(ops)  # nobody can tell more from these
    return [(None,) * n for n in range((holders if unknown else 0) + 1)]


def agrees(name, method, recorded, possible):
    if recorded is None or possible is None:
        return True
    if possible == ("untagged",):
        return False
    if isinstance(possible, tuple) and possible[0] == "set":
        return len(set(recorded[1:])) == len(recorded) - 1 and frozenset(recorded[1:]) == possible[1]
    if name == "map" and possible == NULL and recorded == NIL:
        return True
    if name == "bounded-queue" and method == "enq":
        return {TRUE: OK, FALSE: FULL}.get(recorded, recorded) == possible
    return recorded == possible


def precedence(ops, program_order_only=False):
    """before[i]: the set of positions that must come before position i, transitively closed."""
    n = len(ops)
    place = {}
    for i, o in enumerate(ops):
        place.setdefault(o.thread, []).append(i)
    before = [set() for _ in ops]
    for i, o in enumerate(ops):
        for j, p in enumerate(ops):
            if p.thread == o.thread and j < i:
                before[i].add(j)
            elif not program_order_only and o.call is not None and p.ret is not None and p.ret < o.call:
                before[i].add(j)
        if not program_order_only:
            for thread, count in o.after.items():
                before[i] |= set(place.get(thread, [])[:count])
    for k in range(n):
        for i in range(n):
            if k in before[i]:
                before[i] |= before[k]
    return before


class TooHard(Exception):
    pass


def linearize(ops, before, step, name, state, limit=200000):
    """A linearization as positions, or None. `ops` may hold pending operations."""
    n = len(ops)
    masks = [sum(1 << j for j in b) for b in before]
    must = sum(1 << i for i, o in enumerate(ops) if not o.pending)
    aliases = ALIASES.get(name, {})
    methods = [aliases.get(o.method, o.method) for o in ops]
    seen, order = set(), []
    work = [0]

    def search(done, s):
        if done & must == must:
            return True
        if (done, s) in seen:
            return False
        seen.add((done, s))
        work[0] += 1
        if work[0] > limit:
            raise TooHard()
        for i in range(n):
            if done >> i & 1 or masks[i] & ~done:
                continue
            o = ops[i]
            for t, result in step(s, methods[i], o.args):
                if agrees(name, methods[i], o.result, result):
                    order.append(i)
                    if search(done | 1 << i, t):
                        return True
                    order.pop()
        return False

    return list(order) if search(0, state) else None


def linearizable(history, ops=None, sequential=False, obj=None):
    """Whether the operations (all of the history's, unless given) have a linearization, from some initial state."""
    ops = history.ops if ops is None else ops
    text = obj or history.object
    name, step = kind_of(text)
    before = precedence(ops, sequential)
    return any(linearize(ops, before, step, name, s) is not None for s in starts(history, text, ops))
