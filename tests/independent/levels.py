# SPDX-License-Identifier: Apache-2.0
"""Transactions of all kinds at all levels, with every base order.

A history may have registers and lists side by side, declared starts, empty transactions and blocks. It may have
knowledge instead of times, or times near the end of 64 bits. Lists are read before, between and behind own appends.

The levels are decided in another way than in transactions.py. What the axiom of rc, ra and tcc forces must have no
cycle, and for the other levels the extensions of the certain order are walked. All choices of sources are tried, and
all sets of unknown transactions.
"""
import itertools

from hist import initial, show

LEVELS = ["rc", "ra", "tcc", "pc", "psi", "si", "ser"]
BASES = ["-plain", "", "-strict"]
MODELS = [level + base for base in BASES for level in LEVELS]
CHOICES = 3000  # more choices of sources are too many
START = -1      # the initial transaction
LAST = (1 << 63) - 1
SHAPES = ["w", "w", "rr", "rr", "rw", "RW", "ww", "rww", "rrw", "WR"]  # of two variables; capitals: of one


class Transaction:
    def __init__(self, session, accesses, outcome=None):
        self.session, self.accesses, self.outcome = session, accesses, outcome
        self.begin = self.end = None
        self.known = {}


# ---- what a history says ----

def accesses_of(op):
    """A step of a block as accesses."""
    if op.method == "rmw":
        return [("r", op.args[0], op.args[1]), ("w", op.args[0], op.args[2])]
    if op.method == "read":
        return [("r", op.args[0], op.result)]
    return [({"write": "w", "append": "append"}[op.method], *op.args)]


def transactions_of(history):
    out, blocks = [], {}
    for op in history.ops:
        if op.method in ("begin", "txn"):
            a = op.args
            t = Transaction(op.thread, [(a[i][1], a[i + 1], a[i + 2]) for i in range(0, len(a), 3)])
            t.begin, t.end, t.known = op.call, op.ret, op.after
            out.append(t)
            blocks[op.thread] = t
            if op.method == "txn":
                t.outcome = "unknown" if op.pending else "aborted" if op.result else "committed"
        elif op.method in ("commit", "abort", "unknown"):
            t = blocks[op.thread]
            t.outcome = {"commit": "committed", "abort": "aborted", "unknown": "unknown"}[op.method]
            t.end = op.ret
        else:
            blocks[op.thread].accesses += accesses_of(op)
    return out


def closed(successors):
    """The transitive closure of a relation: a set of bits for each number."""
    out = list(successors)
    for k in range(len(out)):
        for i in range(len(out)):
            if out[i] >> k & 1:
                out[i] |= out[k]
    return out


def base_order(ts, base):
    """For each transaction its successors; an unknown one has none."""
    out = [0] * len(ts)
    for j, b in enumerate(ts):
        known = {}  # a session goes on knowing what it knew
        for t in ts[:j + 1]:
            if t.session == b.session:
                known = {s: max(known.get(s, 0), t.known.get(s, 0)) for s in {*known, *t.known}}
        rank = {}
        for i, a in enumerate(ts):
            rank[a.session] = rank.get(a.session, 0) + 1
            session = a.session == b.session and i < j
            ended = a.end is not None and b.begin is not None and a.end < b.begin
            told = i != j and rank[a.session] <= known.get(a.session, 0)
            if a.outcome != "unknown" and (session if base == "" else base == "-strict" and (session or ended or told)):
                out[i] |= 1 << j
    return closed(out)


# ---- what the reads say ----

class Reads:
    """The external reads (reader, place, variable, possible sources), the writers, and the orders that lists show.
    `fits` is False if every level is violated, whatever the order."""

    def __init__(self, history, ts, counting):
        named, default = initial(history)
        self.found, self.order, self.writers, self.fits = [], [], {}, True
        self.last, self.appended, self.owner = {}, {}, {}
        for i in counting:
            for what, x, v in ts[i].accesses:
                if what == "w":
                    self.last[i, x] = v
                elif what == "append":
                    self.appended[i, x] = self.appended.get((i, x), ()) + (v,)
                    self.owner[x, v] = i
                if what != "r":
                    self.writers.setdefault(x, set()).add(i)
        lists = {}
        for i in counting:
            own = {}
            for place, (what, x, v) in enumerate(ts[i].accesses):
                if what == "w":
                    own[x] = v
                elif what == "append":
                    own[x] = own.get(x, ()) + (v,)
                elif isinstance(v, tuple) and v[0] == "l":
                    start = named.get(x, ("l",))[1:]
                    self.read_list(i, place, x, v[1:], own.get(x, ()), start, lists.setdefault(x, []))
                elif v == ("?",):
                    continue
                elif x in own:
                    self.fits = self.fits and own[x] == v
                else:
                    sources = [j for j in counting if j != i and self.last.get((j, x), ("?",)) == v]
                    if v == named.get(x, 0 if default is None else default):
                        sources.append(START)
                    self.found.append((i, place, x, sources))
        self.fits = self.fits and all(sources for _, _, _, sources in self.found)
        for x, seen in lists.items():
            self.compare(x, sorted(seen, key=len), len(named.get(x, ("l",))) - 1)

    def read_list(self, i, place, x, items, own, start, seen):
        before = items[:len(items) - len(own)]
        if before + own != items or len(set(items)) < len(items) or before[:len(start)] != start:
            self.fits = False
            return
        source, rest = START, before[len(start):]
        while rest:  # whole transactions, one after another
            source = self.owner.get((x, rest[0]), i)
            part = self.appended.get((source, x), ())
            if source == i or rest[:len(part)] != part:
                self.fits = False
                return
            rest = rest[len(part):]
        self.found.append((i, place, x, [source]))
        seen += [before, items] + ([before + self.appended[i, x]] if own else [])

    def compare(self, x, seen, start):
        if any(b[:len(a)] != a for a, b in zip(seen, seen[1:])):
            self.fits = False
        if not self.fits or not seen:
            return
        shown = []
        for v in seen[-1][start:]:
            if self.owner[x, v] not in shown:
                shown.append(self.owner[x, v])
        self.order += zip(shown, shown[1:])
        self.order += [(shown[-1], w) for w in self.writers.get(x, ()) if shown and w not in shown]


# ---- the levels ----

def levels(counting, base, reads, sources, asked):
    """Those of the asked levels that some order of commits satisfies."""
    got, seen = set(), list(base)
    for (i, _, _, _), j in zip(reads.found, sources):
        if j != START:
            seen[j] |= 1 << i
    certain = list(seen)
    for a, b in reads.order:
        certain[a] |= 1 << b
    if any(after >> i & 1 for i, after in enumerate(closed(certain))):
        return got
    past = closed(seen)
    demands = [(t2, t3, t1, place) for (t3, place, x, _), t1 in zip(reads.found, sources)
               for t2 in reads.writers.get(x, ()) if t2 not in (t1, t3)]

    def read_before(t2, t3, place):
        return any(i == t3 and p < place and j == t2 for (i, p, _, _), j in zip(reads.found, sources))

    phi = {"rc": read_before, "ra": lambda t2, t3, _: seen[t2] >> t3 & 1, "tcc": lambda t2, t3, _: past[t2] >> t3 & 1}
    for level in asked & set(phi):
        forced = list(certain)
        missed = [(t2, t1) for t2, t3, t1, place in demands if phi[level](t2, t3, place)]
        for t2, t1 in missed:
            if t1 != START:
                forced[t2] |= 1 << t1
        if all(t1 != START for _, t1 in missed) and not any(a >> i & 1 for i, a in enumerate(closed(forced))):
            got.add(level)

    def satisfied(order, level):
        at = {t: k for k, t in enumerate(order)}
        at[START] = START
        known = list(seen)
        if level in ("psi", "si"):
            for group in reads.writers.values():
                for a, b in itertools.permutations(group, 2):
                    if at[a] < at[b]:
                        known[a] |= 1 << b
        if level == "psi":
            known = closed(known)
        elif level != "ser":  # whatever comes later in the order knows as much
            for a, b in zip(order[-2::-1], order[:0:-1]):
                known[a] |= known[b]
        return all(at[t2] < at[t1] for t2, t3, t1, _ in demands
                   if (at[t2] < at[t3] if level == "ser" else known[t2] >> t3 & 1))

    def walk(order, rest):
        if not rest:
            got.update(level for level in asked - got - set(phi) if satisfied(order, level))
        for t in rest:
            if asked - set(phi) <= got:
                return
            if not any(certain[a] >> t & 1 for a in rest):
                walk(order + [t], [r for r in rest if r != t])

    walk([], counting)
    return got


def satisfied_models(history):
    """The models that hold, or None if there are too many choices."""
    ts = transactions_of(history)
    got = {base: set() for base in BASES}
    unknown = [i for i, t in enumerate(ts) if t.outcome == "unknown"]
    for size in range(len(unknown) + 1):
        for taken in itertools.combinations(unknown, size):
            counting = [i for i, t in enumerate(ts) if t.outcome == "committed" or i in taken]
            reads = Reads(history, ts, counting)
            if not reads.fits:
                continue
            choices = 1
            for _, _, _, sources in reads.found:
                choices *= len(sources)
            if choices > CHOICES:
                return None
            mask = sum(1 << i for i in counting)
            for base in BASES:
                order = [after & mask if i in counting else 0 for i, after in enumerate(base_order(ts, base))]
                for sources in itertools.product(*(s for _, _, _, s in reads.found)):
                    asked = set(LEVELS) - got[base]
                    if not asked:
                        break
                    got[base] |= levels(counting, order, reads, sources, asked)
    return {level + base for base in BASES for level in got[base]}


# ---- random histories ----

class Plan:
    """Which versions of the variables there are, and who sees which of them.

    Writes are dealt first. Each variable then has an order of its writers. Each transaction has a moment to read at, or
    one for each variable. Some reads are of any version; in a history of shapes all are."""

    def __init__(self, rng, ts):
        self.rng, self.ts = rng, ts
        keys = [("w", k) for k in "xyzu"[:rng.choice([1, 2, 2, 2, 3, 4])]]
        kinds = rng.choice([["list"], ["list", "register"], ["list", "register"], ["register"]])
        self.kinds = {k: rng.choice(kinds) for k in keys}
        self.repeated = rng.random() < 0.3
        self.style = rng.choice(["number", "number", "word", "string", "huge"])
        self.starts = {k: ("l", 90, 91) if kind == "list" else rng.choice([1, 7, ("w", "nil"), ("s", "a b")])
                       for k, kind in self.kinds.items() if rng.random() < 0.12}
        self.written = 10
        reads, shaped = rng.choice([0.4, 0.5, 0.7]), rng.random() < 0.5
        for t in ts:
            some = rng.sample(keys, min(2, len(keys)))
            shape = rng.choice(SHAPES) if shaped else "?" * rng.choice([0, 1, 2, 2, 3, 3, 4, 4, 5])
            for place, letter in enumerate(shape):
                key = rng.choice(keys) if letter == "?" else some[0 if letter.isupper() else place % len(some)]
                if letter in "rR" or letter == "?" and rng.random() < reads:
                    t.accesses.append(("r", key, None))
                else:
                    t.accesses.append(("append" if self.kinds[key] == "list" else "w", key, self.fresh(key)))
        shuffled = rng.choice([0, 0, 0.4])
        self.versions = {k: self.order_of_writers(k, rng.random() < shuffled) for k in keys}
        wrong = 1 if shaped else rng.choice([0, 0.2, 0.4])
        lag, together = rng.choice([1, 2, 4, 6]), rng.choice([0, 0.5, 1])
        for i, t in enumerate(ts):
            one = rng.random() < together
            moments = {k: i - rng.randint(0, lag) for k in keys}
            self.read(i, t, wrong, {k: moments[keys[0] if one else k] for k in keys})

    def fresh(self, key):
        if self.repeated and self.kinds[key] == "register":
            return self.rng.choice([0, 1, 1, 2])
        self.written += 1
        n = self.written
        return {"number": n, "word": ("w", f"v{n}"), "string": ("s", str(n)),
                "huge": LAST - n if n % 2 else n - LAST}[self.style]

    def order_of_writers(self, key, shuffled):
        out = [i for i, t in enumerate(self.ts) if any(what != "r" and x == key for what, x, _ in t.accesses)
               and (t.outcome == "committed" or self.rng.random() < {"unknown": 0.5, "aborted": 0.05}[t.outcome])]
        if shuffled:
            self.rng.shuffle(out)
        return out

    def version(self, key, writers):
        """The value behind these writers."""
        v = self.starts.get(key, ("l",) if self.kinds[key] == "list" else 0)
        for i in writers:
            for what, x, w in self.ts[i].accesses:
                if x == key and what != "r":
                    v = v + (w,) if what == "append" else w
        return v

    def read(self, i, t, wrong, moments):
        """Gives the reads of a transaction their values."""
        own = {}
        for place, (what, key, v) in enumerate(t.accesses):
            if what != "r":
                own.setdefault(key, []).append(v)
                continue
            order = self.versions[key]
            others = [w for w in order if w != i]
            seen = [w for w in others if w < moments[key]]
            if key in own and i in order and self.rng.random() < 0.8:
                seen = order[:order.index(i)]
            if self.rng.random() < wrong:
                seen = others[:self.rng.randint(0, len(others))]
            v = self.version(key, seen)
            if key in own:
                v = v + tuple(own[key]) if self.kinds[key] == "list" else own[key][-1]
            if self.rng.random() < min(wrong, 0.2) / 20:
                v = self.bent(key, v)
            unread = self.rng.random() < (0.3 if t.outcome == "unknown" else 0.02)
            t.accesses[place] = ("r", key, ("?",) if unread else v)

    def bent(self, key, v):
        if self.kinds[key] == "register":
            return self.rng.choice([0, 1, 2, 77])
        items = list(v[1:])
        self.rng.shuffle(items)
        return ("l", *self.rng.choice([items, items[:-1], items + items[:1], items + [77]]))


def steps(rng, t):
    """A transaction as a block. A read and a write of one variable may be one step."""
    out, rest = ["begin()"], list(t.accesses)
    while rest:
        what, x, v = rest.pop(0)
        if what == "r" and rest and rest[0][:2] == ("w", x) and rng.random() < 0.5:
            out.append(f"rmw({show(x)}, {show(v)}, {show(rest.pop(0)[2])})")
        elif what == "r":
            out.append(f"read({show(x)}) => {show(v)}")
        else:
            out.append(f"{'write' if what == 'w' else 'append'}({show(x)}, {show(v)})")
    return out + [{"committed": "commit()", "aborted": "abort()", "unknown": "unknown()"}[t.outcome]]


def write_transaction(rng, t):
    told = " @ after " + " ".join(f"{s}:{n}" for s, n in t.known.items()) if t.known else ""
    readable = all(v != ("?",) for _, _, v in t.accesses)
    if readable and (t.begin is None or t.end is not None) and rng.random() < 0.2:
        lines = steps(rng, t)
        if t.begin is None:
            return [f"{t.session}: {line}{told if k == 0 else ''}" for k, line in enumerate(lines)]
        times = sorted(rng.randint(t.begin, t.end) for _ in lines)
        times = [t.begin] + times[1:-1] + [t.end]
        return [f"{t.session}: {line} @ {a}..{a}" for line, a in zip(lines, times)]
    times = told if t.begin is None else f" @ {t.begin}..{'' if t.end is None else t.end}"
    body = ", ".join(f"{what} {show(x)} {show(v)}" for what, x, v in t.accesses)
    outcome = {"committed": "", "aborted": " => abort", "unknown": " => ?"}[t.outcome]
    return [f"{t.session}: txn({body}){outcome}{times}"]


def history(rng):
    """The text of a history of up to six transactions."""
    sessions = [f"s{i}" for i in range(rng.choice([1, 2, 3, 4, 6]))]
    order = rng.choice(["none", "times", "times", "knowledge"])
    origin = rng.choice([0, 0, 1 << 62, LAST - 100])
    chances = rng.choice([[1, 0, 0], [8, 1, 1], [6, 1, 3]])
    ts, free, now = [], dict.fromkeys(sessions, 0), 0
    for _ in range(rng.choice([1, 2, 3, 4, 5, 5, 6, 6, 6])):
        session = rng.choice(sessions)
        outcome = rng.choices(["committed", "aborted", "unknown"], chances)[0]
        t = Transaction(session, [], outcome)
        if order == "times":
            t.begin = max(free[session], now - rng.choice([0, 0, 1, 2, 4]))
            end = t.begin + rng.choice([0, 0, 1, 1, 2, 3, 6])
            now = max(now, t.begin) + rng.choice([0, 0, 1, 2])
            free[session] = t.begin if outcome == "unknown" else end
            t.begin, t.end = t.begin + origin, None if outcome == "unknown" else end + origin
        elif order == "knowledge":
            for s in sessions:
                told = [u for u in ts if u.session == s]
                told = told[:next((k for k, u in enumerate(told) if u.outcome == "unknown"), len(told))]
                if s != session and told and rng.random() < 0.5:
                    t.known[s] = rng.randint(1, len(told))
        ts.append(t)
    plan = Plan(rng, ts)
    lines = [f"# @init {show(k)}={show(v)}" for k, v in plan.starts.items()]
    for t in ts:
        lines += write_transaction(rng, t)
    return "\n".join(lines) + "\n"


def judge(batch):
    satisfied = [satisfied_models(h) for h in batch.histories]
    for model in MODELS:
        for index, record in batch.results(model).items():
            if satisfied[index] is not None:
                batch.verdict(index, record, model in satisfied[index])
