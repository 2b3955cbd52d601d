# SPDX-License-Identifier: Apache-2.0
"""Random histories: executed first, so that they are consistent, then bent a little.

The alphabet is wide on purpose: times that are equal, calls that never return, words, strings and hostile names as
values and keys, values that come again, initial values, knowledge instead of times.
"""
from hist import parse, show
from objects import EMPTY, FALSE, FULL, NULL, OK, TRUE, kind_of

HOSTILE = [("s", t) for t in ('<script>alert(1)</script>', "'\"><img src=x onerror=alert(1)>", "\u001b[31mred",
                              "a\\b\n", "</script><!--", "\u202eevil", "{{x}}", "%s%n", "\\input{x}",
                              "é$_^&", "]]>", "")]
WORDS = [("w", t) for t in ("a", "k-17", "1.5", "true", "nil", "für", "日本", "ok")]
HUGE = [(1 << 63) - 1, -(1 << 63), 1 << 53]
CORNERS = HUGE + [(1 << 63) - 2, 1 - (1 << 63), 1 << 62, -(1 << 62), 10**7]  # of numbers that are added
METHODS = {
    "register": {"write": 1, "read": 0},
    "cas-register": {"write": 1, "read": 0, "cas": 2},
    "memory": {"write": 2, "read": 1, "rmw": 3},
    "queue": {"enq": 1, "deq": 0, "peek": 0},
    "bounded-queue(2)": {"enq": 1, "deq": 0, "peek": 0},
    "bounded-queue(9)": {"enq": 1, "deq": 0, "peek": 0},
    "stack": {"push": 1, "pop": 0, "peek": 0},
    "deque": {"push-front": 1, "push-back": 1, "pop-front": 0, "pop-back": 0, "peek-front": 0, "peek-back": 0},
    "pqueue": {"add": 1, "rem": 0, "peek": 0},
    "pqueue(min)": {"add": 1, "rem": 0, "peek": 0},
    "set": {"add": 1, "remove": 1, "contains": 1, "elements": 0},
    "multiset": {"add": 1, "remove": 1, "count": 1, "contains": 1},
    "map": {"put": 2, "get": 1, "remove": 1, "contains-key": 1, "contains": 1, "size": 0},
    "append-map": {"put": 2, "append": 2, "get": 1},
    "counter": {"inc": 0, "dec": 0, "add": 1, "fetch-add": 1, "get": 0},
    "bank": {"transfer": 3, "balance": 1, "balances": 0},
    "lock": {"lock": 0, "unlock": 0, "trylock": 0},
    "rwlock": {"rdlock": 0, "rdunlock": 0, "wrlock": 0, "wrunlock": 0, "tryrdlock": 0, "trywrlock": 0},
    "semaphore(2)": {"acquire": 0, "release": 0, "tryacquire": 0},
    "counting-semaphore(1)": {"wait": 0, "post": 0, "trywait": 0},
    "counting-semaphore(9223372036854775807)": {"wait": 0, "post": 0, "trywait": 0},
    "semaphore(9223372036854775807)": {"acquire": 0, "release": 0},
}
SILENT = {"write", "rmw", "enq", "push", "push-front", "push-back", "fence", "lock", "acquire", "rdlock", "wrlock",
          "rdunlock", "wrunlock", "wait", "post"}


class Call:
    def __init__(self, thread, method, args):
        self.thread, self.method, self.args = thread, method, args
        self.call = self.ret = self.point = None
        self.result, self.pending, self.dropped = None, False, False
        self.after = {}


def some_methods(rng, kind):
    """Often only a few methods, so that each engine has its turn."""
    names = list(METHODS[kind])
    if rng.random() < 0.5:
        rare = [m for m in names if m in ("elements", "size", "contains", "peek", "cas", "rmw", "balances")]
        keep = [m for m in names if m not in rare or rng.random() < 0.4]
        names = keep or names
    return names


def values_for(rng, kind):
    style = rng.random()
    small = [1, 2, 3]
    if kind.startswith("pqueue"):
        return small if style < 0.6 else small + HUGE
    if kind in ("counter", "bank"):
        return [1, 2, 3, -1] if style < 0.6 else [1, -1] + rng.sample(CORNERS, 2)
    if kind == "append-map":
        return [("s", "a"), ("s", "b"), ("s", "ab")]
    if style < 0.5:
        return small
    if style < 0.7:
        return WORDS[:4] + [1]
    if style < 0.85:
        return rng.sample(HOSTILE, 3) + [1]
    return HUGE + [0]


def arguments(rng, kind, method, pool, fresh, keys):
    count = METHODS[kind][method]
    def pick():
        if fresh is not None and rng.random() < 0.9:
            fresh[0] += 1
            return ("s", f"v{fresh[0]}.") if kind == "append-map" else fresh[0]
        return rng.choice(pool)
    if kind in ("memory", "map", "append-map"):
        if method == "contains":
            return (rng.choice(pool),)
        args = [rng.choice(keys)] if count else []
        if method == "rmw":
            return (args[0], rng.choice(pool), pick())
        return tuple(args + [pick() for _ in range(count - 1)])
    if kind == "bank":
        amount = rng.randrange(1, 6) if rng.random() < 0.8 else abs(rng.choice(CORNERS[3:]))
        return {"transfer": (rng.randrange(2), rng.randrange(2), amount), "balance": (rng.randrange(2),),
                "balances": ()}[method]
    if kind == "counter":
        return (rng.choice(pool),) if count else ()
    if method == "cas":
        return (rng.choice(pool), pick())
    return tuple(pick() for _ in range(count))


def intervals(rng, calls, ties):
    """Calls and returns in time; with ties from a small range."""
    clock = {}
    if ties:
        for c in calls:
            start = clock.get(c.thread, 0) + rng.choice([0, 0, 1, 2])
            c.call, c.ret = start, start + rng.choice([0, 1, 2, 4])
            clock[c.thread] = c.ret
    else:
        events, queue = 0, {}
        for c in calls:
            queue.setdefault(c.thread, []).append(c)
        active = {}
        while any(queue.values()) or active:
            threads = [t for t in queue if queue[t] or t in active]
            t = rng.choice(threads)
            events += rng.choice([1, 1, 1, 7])
            if t in active:
                active.pop(t).ret = events
            else:
                active[t] = queue[t].pop(0)
                active[t].call = events
    for c in calls:
        c.point = c.call + (c.ret - c.call) * rng.random()


def tokens(kind):
    """The n of counting-semaphore(n)."""
    return int(kind.partition("(")[2].rstrip(")")) if kind.startswith("counting") else 0


def initial_for(rng, kind, pool, keys):
    """A header and the state that it declares."""
    name = kind.partition("(")[0]
    if name == "bank":
        return rng.choice([("[5 5]", (5, 5))] * 4 + [("[9223372036854775807 0]", ((1 << 63) - 1, 0))])
    if rng.random() < 0.7:
        return None, {"register": 0, "cas-register": 0, "counter": 0, "memory": ((None, 0),), "set": frozenset(),
                      "rwlock": (0, 0), "counting-semaphore": tokens(kind)}.get(name, ())
    v, w = rng.choice(pool), rng.choice(pool)
    both = "[" + show(v) + " " + show(w) + "]"
    if name in ("register", "cas-register"):
        return show(v), v
    if name == "memory":
        return f"{show(keys[0])}={show(v)} {show(w)}", tuple(sorted([(None, w), (keys[0], v)], key=repr))
    if name in ("queue", "stack", "deque"):
        return both, (v, w)
    if name == "pqueue":
        return both, tuple(sorted((v, w)))
    if name == "set":
        return (both, frozenset((v, w))) if v != w else ("[" + show(v) + "]", frozenset((v,)))
    if name == "multiset":
        return both, ((v, 2),) if v == w else tuple(sorted([(v, 1), (w, 1)], key=repr))
    if name == "map":
        return f"{show(keys[0])}={show(v)}", ((keys[0], v),)
    if name == "append-map":
        return f'{show(keys[0])}={show(v)}', ((keys[0], v[1]),)
    if name == "counter":
        n = rng.choice([7] + CORNERS)
        return str(n), n
    return None, (0, 0) if name == "rwlock" else tokens(kind) if name == "counting-semaphore" else ()


def execute(rng, calls, step, state):
    """Runs the calls in the order of their points. A call that cannot take effect never returned."""
    for c in sorted(calls, key=lambda c: (c.point, c.call)):
        outcomes = step(state, c.method, c.args)
        if c.dropped or not outcomes:
            c.pending = True
            continue
        state, c.result = rng.choice(outcomes)
        if isinstance(c.result, tuple) and c.result[0] == "set":
            items = sorted(c.result[1], key=repr)
            rng.shuffle(items)
            c.result = ("l",) + tuple(items)
        if c.result == ("untagged",):
            c.result = None
    for c in calls:  # a thread with a pending call does not go on
        c.pending = c.pending or rng.random() < 0.04
    stuck = set()
    kept = []
    for c in calls:
        if c.thread in stuck:
            continue
        if c.pending:
            stuck.add(c.thread)
        kept.append(c)
    return kept


def bend(rng, calls, name, pool):
    """Changes some results, or swaps two."""
    shown = [c for c in calls if c.result is not None and not c.pending]
    if not shown:
        return
    for _ in range(rng.choice([1, 1, 2, 3])):
        c = rng.choice(shown)
        d = rng.choice(shown)
        if c.result in (TRUE, FALSE):
            c.result = TRUE if c.result == FALSE else FALSE
        elif rng.random() < 0.5 and c.method == d.method and not (d.result in (TRUE, FALSE)):
            c.result, d.result = d.result, c.result
        elif isinstance(c.result, int) and name in ("counter", "bank", "multiset") or c.method in ("size", "count"):
            bent = max(0 if name == "bank" else HUGE[1], c.result + rng.choice([-1, 1]))
            c.result = min(bent, HUGE[0])
        elif c.method in ("peek", "deq", "pop", "rem", "peek-front", "peek-back", "pop-front", "pop-back"):
            c.result = rng.choice([EMPTY] + pool)
        elif c.result in (OK, FULL) and name == "bounded-queue":
            c.result = OK if c.result == FULL else FULL
        elif name == "map":
            c.result = rng.choice([NULL] + pool)
        elif c.method in ("balances", "elements"):
            items = list(c.result[1:])
            if items and name == "bank":
                items[0] += 1 if items[0] < HUGE[0] else -1
            elif items:
                items.pop()
            c.result = ("l",) + tuple(items)
        elif name == "bank":
            c.result = ("w", "refused") if c.result == ("w", "ok") else ("w", "ok")
        elif name == "append-map":
            c.result = ("s", c.result[1][:-1] if rng.random() < 0.5 else c.result[1] + "a")
        else:
            c.result = rng.choice(pool)


def write_operation(c, timed, name):
    text = f"{c.thread}: {c.method}({', '.join(show(a) for a in c.args)})"
    silent = (c.method in SILENT and name != "bounded-queue") or c.result is None or (c.method == "add" and name in ("pqueue", "multiset")) or \
        (c.method in ("put", "append") and name == "append-map")
    if c.pending:
        text += " => ?"
    elif not silent:
        text += " => " + show(c.result)
    if timed == "times":
        text += f" @ {c.call}.." + ("" if c.pending else str(c.ret))
    elif timed == "after" and c.after:
        text += " @ after " + " ".join(f"{t}:{n}" for t, n in sorted(c.after.items()))
    return text


def knowledge(calls):
    """Times become knowledge: how many operations of each thread had returned before the call."""
    for c in calls:
        for d in calls:
            if d.thread != c.thread and not d.pending and d.ret < c.call:
                c.after[d.thread] = c.after.get(d.thread, 0) + 1


def object_history(rng, kind=None, most=9, timed=None):
    """The text of a history of one object."""
    kind = kind or rng.choice(list(METHODS))
    name, step = kind_of(kind)
    keys = rng.choice([[("w", "x"), ("w", "y")], [("w", "x")], [1, 2, 3], rng.sample(HOSTILE, 2)])
    pool = values_for(rng, kind)
    fresh = [0] if rng.random() < 0.5 and kind != "counter" else None
    if fresh:
        pool = [1, 2, 3, 4, 5] if kind != "append-map" else [("s", "v1."), ("s", "v2.")]
    if name in ("set", "multiset", "append-map") and rng.random() < 0.3:  # so that a value is added and removed again
        pool, fresh, keys = pool[:1 if name == "set" else 2], None, keys[:1]
    threads = [f"t{i}" for i in range(rng.choice([1, 2, 2, 3, 3, 4]))]
    if rng.random() < 0.1:
        threads = ["日本", "a.b", "-", "0"][:len(threads)]
    names = some_methods(rng, kind)
    calls = []
    for _ in range(rng.randrange(0, most + 1)):
        m = rng.choice(names)
        calls.append(Call(rng.choice(threads), m, arguments(rng, kind, m, pool, fresh, keys)))
    timed = timed or rng.choice(["times"] * 6 + ["after"])
    intervals(rng, calls, rng.random() < 0.35)
    for c in calls:
        c.dropped = rng.random() < 0.06
    header, state = initial_for(rng, kind, pool, keys)
    calls = execute(rng, calls, step, state)
    if rng.random() < 0.7:
        bend(rng, calls, name, pool)
    if timed == "after":
        knowledge(calls)
    lines = ["# @object " + kind] + (["# @init " + header] if header else [])
    lines += [write_operation(c, timed, name) for c in calls]
    return "\n".join(lines) + "\n"


def memory_history(rng, most=9, unique=None):
    """Reads and writes without times: run by a machine with replicas that lag, or with values at random."""
    unique = rng.random() < 0.7 if unique is None else unique
    variables = rng.choice([["x"], ["x", "y"], ["x", "y", "z"], ['"<b>"', "y"], ["17", "x"]])
    threads = [f"t{i}" for i in range(rng.choice([1, 2, 2, 3, 3, 4]))]
    lines, written, done, next_value = [], {v: ["0"] for v in variables}, set(), 0
    for _ in range(rng.randrange(1, most + 1)):
        t, x, p = rng.choice(threads), rng.choice(variables), rng.random()
        if t in done:
            continue
        next_value += 1
        v = str(next_value) if unique else rng.choice(["1", "2", "0", "w"])
        old = rng.choice(written[x][-3:]) if rng.random() < 0.97 else "99"
        pending = rng.random() < 0.04
        tail = " => ?" if pending else ""
        if pending:
            done.add(t)
        if p < 0.4:
            lines.append(f"{t}: write({x}, {v}){tail}")
            written[x].append(v)
        elif p < 0.87:
            lines.append(f"{t}: read({x}) => {'?' if pending else old}")
        elif p < 0.95:
            lines.append(f"{t}: rmw({x}, {old}, {v}){tail}")
            written[x].append(v)
        else:
            lines.append(f"{t}: fence(){tail}")
    if rng.random() < 0.3:
        lines.sort(key=lambda l: l.split(":")[0])
    head = ["# @object memory"] + ([f"# @init {variables[0]}=1000"] if rng.random() < 0.1 else [])
    return "\n".join(head + lines) + "\n"


def transaction_history(rng, most=5):
    """Transactions that run on snapshots, mostly fresh ones; outcomes may be unknown."""
    lists = rng.random() < 0.3
    unique = rng.random() < 0.75
    keys = rng.choice([["x"], ["x", "y"], ["x", "y"], ['"</b>"', "y"], ["1", "2", "3"]])
    sessions = [f"s{i}" for i in range(rng.choice([1, 2, 3, 3]))]
    timed = rng.random() < 0.4
    versions = [{k: [] for k in keys}]
    lines, value, clock = [], 0, {}
    for _ in range(rng.randrange(1, most + 1)):
        s = rng.choice(sessions)
        outcome = rng.choices(["", " => abort", " => ?"], [8, 1, 1])[0]
        now = {k: list(v) for k, v in rng.choice(versions[-3:]).items()}
        last = {k: list(v) for k, v in versions[-1].items()}
        accesses = []
        for _ in range(rng.randrange(1, 4)):
            x = rng.choice(keys)
            if rng.random() < 0.5:
                if rng.random() < 0.15:
                    now = {k: list(v) for k, v in rng.choice(versions).items()}
                seen = now[x]
                if outcome == " => ?" and rng.random() < 0.5:
                    accesses.append(f"r {x} ?")
                elif lists:
                    accesses.append(f"r {x} [{' '.join(seen)}]")
                else:
                    accesses.append(f"r {x} {seen[-1] if seen else 0}")
            else:
                value += 1
                v = str(value) if unique or lists else rng.choice(["0", "1", "2"])
                accesses.append(f"append {x} {v}" if lists else f"w {x} {v}")
                now[x].append(v)
                last[x].append(v)
                if lists and rng.random() < 0.25:  # read back, and perhaps not to the end
                    accesses.append(f"r {x} [{' '.join(rng.choice([now, last])[x])}]")
        if outcome != " => abort":
            versions.append(last if rng.random() < 0.8 else now)
        text = f"{s}: txn({', '.join(accesses)}){outcome}"
        if timed:
            start = max(clock.get(s, 0), len(lines) * 2 - rng.randrange(3)) + rng.randrange(2)
            start = max(start, 0)
            end = start + rng.randrange(4)
            clock[s] = end
            text += f" @ {start}.." + ("" if outcome == " => ?" else str(end))
        lines.append(text)
    return "\n".join(lines) + "\n"


def small_transactions(rng, most):
    """One or two registers, few values, and many overlaps: what one transaction read, those that see it need not find."""
    keys = rng.choice([["x"], ["x"], ["x", "y"]])
    lines, clock = ["# @object multi-register"], {}
    for i in range(rng.randrange(3, most + 1)):
        s = f"t{rng.randrange(most)}"
        start = max(clock.get(s, 0), rng.randrange(2 * most))
        clock[s] = end = start + rng.choice([0, 0, 1, 2, 4, 8])
        accesses = []
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            x = rng.choice(keys)
            accesses.append(f"w {x} {i + 1}" if rng.random() < 0.45 else f"r {x} {rng.randrange(0, 3)}")
        outcome = rng.choices(["", " => abort"], [9, 1])[0]
        lines.append(f"{s}: txn({', '.join(accesses)}){outcome} @ {start}..{end}")
    return "\n".join(lines) + "\n"


def weak_history(rng, kinds, most=5):
    """Calls of an object, or transactions of a few registers and lists."""
    kind = rng.choice(kinds)
    if kind != "multi-register":
        return object_history(rng, kind, most)
    if rng.random() < 0.6:
        return small_transactions(rng, most)
    while True:
        text = transaction_history(rng, most)
        sessions = [line.partition(":")[0] for line in text.splitlines()]
        unknown = [i for i, line in enumerate(text.splitlines()) if "=> ?" in line]
        if not any(sessions[i] in sessions[i + 1:] for i in unknown):  # a call that is open is the last of its thread
            return "# @object multi-register\n" + text


def any_start_history(rng, most=8):
    """A history whose initial state may be any, as --shrink writes them."""
    kind = rng.choice(["register", "cas-register", "memory", "map", "set", "counter", "lock", "rwlock",
                       "semaphore(2)", "counting-semaphore(1)", "counter", "queue", "stack", "deque", "pqueue", "pqueue(min)"])
    lines = [l for l in object_history(rng, kind, most, "times").splitlines() if not l.startswith("# @init")]
    ops = parse("\n".join(lines) + "\n")[0].ops
    as_a_whole = {"set": ("elements",), "map": ("size", "contains")}.get(kind, ())
    if any(o.method in as_a_whole for o in ops):  # these do not take any state
        return any_start_history(rng, most)
    keys = sorted({show(o.args[0]) for o in ops if o.args})
    init = "?"
    if kind == "map":
        init = " ".join(f"{k}=?" for k in keys if rng.random() < 0.8)
    elif kind == "memory":
        init = rng.choice(["?"] + [f"{k}=?" for k in keys] + [f"? {k}=1" for k in keys])
    return "\n".join(lines[:1] + ([f"# @init {init}"] if init else []) + lines[1:]) + "\n"
