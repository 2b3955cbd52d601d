# SPDX-License-Identifier: Apache-2.0
"""The sentences of an explanation of `lin`, each held against its meaning.

A claim names a line and says something about the operation there. What it means is written down here from the
definition of linearizability, not from the code that prints it. `judge` returns the claims that are false.
"""
import copy
import itertools
import re

import arguments
import reads
from hist import initial, take_value, tokens
from objects import ALIASES, FALSE, NIL, NULL, TRUE, agrees, kind_of, linearize, precedence, starts

ADDS = {"queue": {"enq"}, "stack": {"push"}, "deque": {"push-front", "push-back"}, "bounded-queue": {"enq"}, "pqueue": {"add"}, "set": {"add"},
        "multiset": {"add"}}
# The table below the sentences. Where it has neighbours, too, `>` marks the operations involved.
INVOLVED = ("  the operation involved", "  the operations involved")
PEEKS = {"peek", "peek-front", "peek-back", "contains", "count"}


def method(name, o):
    return ALIASES.get(name, {}).get(o.method, o.method)


def holds(history, ops):
    """Linearizable from some initial state."""
    name, step = kind_of(history.object)
    before = precedence(ops)
    return any(linearize(ops, before, step, name, s) is not None for s in starts(history, history.object, history.ops))


def equal_returns(history, culprit):
    """The choices among the other returns of the culprit's moment: with equal times, any of them may come before it."""
    equal = [o for o in history.ops if o is not culprit and o.ret == culprit.ret]
    return [set(c) for n in range(len(equal), -1, -1) for c in itertools.combinations([o.index for o in equal], n)]


def cut_at(history, culprit, kept, with_result):
    """The events until the culprit's return. Calls that are open then are pending. `kept`: of the equal returns."""
    out = []
    for o in history.ops:
        if o.call > culprit.ret:
            continue
        p = copy.copy(o)
        if o is culprit:
            if not with_result:
                p.pending, p.result, p.ret = True, None, None
        elif o.pending or o.ret > culprit.ret or (o.ret == culprit.ret and o.index not in kept):
            p.pending, p.ret = True, None  # if it took effect, then with the result that it returned later
        out.append(p)
    return out


def outcomes_at(history, culprit, kept):
    """All results of the culprit with which the events until its return are linearizable."""
    name, step = kind_of(history.object)
    ops = cut_at(history, culprit, kept, False)
    found = set()
    place = next(i for i, o in enumerate(ops) if o.index == culprit.index)
    ops[place].pending = False  # it returned, with a result that is to be found
    before = precedence(ops)
    for start in starts(history, history.object, history.ops):
        while (result := hunt(ops, before, step, name, start, place, found)) is not None:
            found.add(result)
    return found


def hunt(ops, before, step, name, start, place, known):
    """A result of the operation at `place`, not among the known, that some linearization gives it."""
    masks = [sum(1 << j for j in b) for b in before]
    must = sum(1 << i for i, o in enumerate(ops) if not o.pending)
    seen = set()

    def search(done, s, got):
        if done & must == must:
            return got
        if (done, s, got) in seen:
            return None
        seen.add((done, s, got))
        for i, o in enumerate(ops):
            if done >> i & 1 or masks[i] & ~done:
                continue
            m = method(name, o)
            for t, r in step(s, m, o.args):
                if i == place:
                    key = plain(r)
                    if key in known:
                        continue
                    hit = search(done | 1 << i, t, key)
                elif agrees(name, m, o.result, r):
                    hit = search(done | 1 << i, t, got)
                else:
                    continue
                if hit is not None:
                    return hit
        return None

    return search(0, start, None)


def plain(r):
    if isinstance(r, tuple) and r[0] == "set":
        return ("l",) + tuple(sorted(r[1], key=repr))
    return ("none",) if r is None else r


def listed(text, unordered):
    """The results of `1, 2 or empty would have been possible`. The elements of a set have no order."""
    out, ts, at = set(), tokens(text), 0
    while at < len(ts):
        if ts[at] in (",",) or (ts[at] == "or" and at > 0):
            at += 1
            continue
        v, at = take_value(ts, at)
        if unordered and isinstance(v, tuple) and v[0] == "l":
            v = ("l",) + tuple(sorted(v[1:], key=repr))
        out.add(v)
    return out


def initial_values(history):
    _, default = initial(history)
    return list(default[1:]) if isinstance(default, tuple) and default[0] == "l" else []


def everything_until_then(history, culprit, rest):
    m = re.search(r"; ([^;]*) would have been possible$", rest)
    shown = listed(m.group(1), kind_of(history.object)[0] == "set") if m else None
    faults = []
    for kept in equal_returns(history, culprit):
        if not holds(history, cut_at(history, culprit, kept, False)):
            faults.append("the events until then are not linearizable")
        elif holds(history, cut_at(history, culprit, kept, True)):
            faults.append("the events with this result are linearizable")
        elif shown is not None:
            possible = outcomes_at(history, culprit, kept)
            name, _ = kind_of(history.object)
            same = {NULL if v == NIL and name == "map" else v for v in shown}
            if not same <= possible:
                faults.append(f"possible are {sorted(possible, key=repr)}")
            else:
                return None
        else:
            return None
    return "; or ".join(dict.fromkeys(faults))


def position(ops, o):
    return next(i for i, p in enumerate(ops) if p is o)


def may_precede(history, o, culprit, before):
    """o may take effect before the culprit in some order that extends happens-before."""
    return o is not culprit and position(history.ops, culprit) not in before[position(history.ops, o)]


def must_precede(history, o, culprit, before):
    return position(history.ops, o) in before[position(history.ops, culprit)]


def value_of(history, culprit):
    """The value that an operation of a collection returned or asked for."""
    name, _ = kind_of(history.object)
    if name in ("set", "multiset"):
        return culprit.args[0] if culprit.args else None
    return culprit.result


def adders(history, v, culprit):
    name, _ = kind_of(history.object)
    return [o for o in history.ops if method(name, o) in ADDS.get(name, ()) and o.args[0] == v and o is not culprit
            and o.result != FALSE]


def nobody_puts_in(history, culprit, rest):
    m = re.match(r"nobody puts in (.*)$", rest)
    v = take_value(tokens(m.group(1)), 0)[0]
    if adders(history, v, culprit) or v in initial_values(history):
        return f"{v} is put in"
    return None


def nobody_had_begun(history, culprit, rest):
    v = take_value(tokens(rest.split("put in ", 1)[1]), 0)[0]
    before = precedence(history.ops)
    if v in initial_values(history):
        return f"{v} is there initially"
    early = [o for o in adders(history, v, culprit) if may_precede(history, o, culprit, before)]
    return f"{early} may come before it" if early else None


def setters(history, culprit):
    """(operation, value) for each call that may set the cell that the culprit is about."""
    name, _ = kind_of(history.object)
    for o in history.ops:
        m = method(name, o)
        if (o is culprit and m not in ("rmw", "cas")) or (m in ("rmw", "cas") and o.args[-2] == o.args[-1]):
            continue
        if name == "memory":
            if o.args and o.args[0] == culprit.args[0] and m in ("write", "rmw"):
                yield o, o.args[-1]
        elif name == "map":
            if m == "put" and (o.args[0] == culprit.args[0] or method(name, culprit) == "contains"):
                yield o, o.args[1]
        elif m == "write":
            yield o, o.args[0]
        elif m == "cas" and (o.pending or o.result != FALSE) and o is not culprit:
            yield o, o.args[1]


def nobody_writes(history, culprit, rest):
    m = re.match(r"nobody writes (.*?)(; the initial value is taken to be (.*), unless .*)?$", rest)
    v = take_value(tokens(m.group(1)), 0)[0]
    name, _ = kind_of(history.object)
    if name == "append-map":
        return None
    written = [o for o, w in setters(history, culprit) if w == v and o is not culprit]
    if written:
        return f"{written} writes {v}"
    named, default = initial(history)
    start = named.get(culprit.args[0] if name in ("memory", "map") and culprit.args else None, default)
    if name in ("register", "cas-register", "memory"):
        start = 0 if start is None else start
    elif start is None:
        start = NULL
    if start == v:
        return f"{v} is the initial value"
    if m.group(3) and take_value(tokens(m.group(3)), 0)[0] != start:
        return f"the initial value is {start}"
    return None


def no_sum(history, culprit, _rest):
    """A choice has, with each call, those that happen before it."""
    name, _ = kind_of(history.object)
    before, at = precedence(history.ops), position(history.ops, culprit)

    def change(o):
        return {"inc": 1, "dec": -1}.get(method(name, o), o.args[0] if o.args else 0)
    own = 0 if method(name, culprit) == "fetch-add" else change(culprit)
    maybe = [i for i, o in enumerate(history.ops) if may_precede(history, o, culprit, before)]
    for n in range(len(maybe) + 1):
        for chosen in map(set, itertools.combinations(maybe, n)):
            if before[at] <= chosen and all(before[i] <= chosen for i in chosen):
                total = sum(change(history.ops[i]) for i in chosen) + own
                if any(s + total == culprit.result for s in starts(history, history.object, history.ops)):
                    return f"a choice adds up to {culprit.result}"
    return None


def sum_changed(history, culprit, rest):
    now, start = re.search(r"sum to (-?\d+|more than 64 bits hold), the accounts started with (-?\d+)", rest).groups()
    start, total = int(start), sum(culprit.result[1:])
    now = total if now == "more than 64 bits hold" and not -(1 << 63) <= total < 1 << 63 else int(now)
    if now != total or start != sum(starts(history, history.object, history.ops)[0]) or now == start:
        return "the sums are others"
    return None


def only_these(history, lines):
    return [o for o in history.ops if o.line in lines]


def whatever_others_do(history, lines):
    ops = only_these(history, lines)
    if not ops:
        return "no operations are named"
    return "these operations alone are linearizable" if holds(history, ops) else None


def given_the_setters(history, lines):
    """The named operations, with all other calls that set a value: these may take effect or not."""
    name, _ = kind_of(history.object)
    if name not in ("register", "cas-register", "memory"):
        return None
    ops = only_these(history, lines)
    extra = []
    for o in history.ops:
        if o in ops:
            continue
        m = method(name, o)
        if m in ("write", "rmw") or (m == "cas" and o.result != FALSE):
            if name == "memory" and o.args[0] not in {p.args[0] for p in ops}:
                continue
            p = copy.copy(o)
            p.method, p.pending = "write", True
            p.args = (o.args[0], o.args[-1]) if name == "memory" else (o.args[-1],)
            p.thread = f"{o.thread}+{o.index}"  # happens-before by the times alone is weaker, never stronger
            extra.append(p)
    return "they are linearizable" if holds(history, ops + extra) else None


def all_the_time(history, culprit, rest):
    v = take_value(tokens(rest), 0)[0]
    before = precedence(history.ops)
    name, _ = kind_of(history.object)
    puts = adders(history, v, culprit)
    if v not in initial_values(history) and not any(must_precede(history, o, culprit, before) for o in puts):
        part = copy.copy(history)
        part.ops = [o for o in history.ops if o is culprit or v in o.args or o.result == v or o.pending]
        if not all(v in s for s in states_at(part, culprit)):  # a call that saw it may show that it was in
            return f"{v} may have come later"
    takers = [o for o in history.ops if o is not culprit and method(name, o) not in PEEKS and not o.args
              and (o.pending or o.result == v) and may_precede(history, o, culprit, before)]
    if takers and len(puts) + initial_values(history).count(v) == 1:
        alone = [o for o in history.ops if o is culprit or v in o.args or o.result == v or o.pending]
        if holds(history, alone):
            return f"{takers} may have taken it out"
    return None


def at_each_moment(history, _culprit, _rest):
    return "the history is linearizable" if holds(history, history.ops) else None


def taken_twice(history, culprit, rest):
    m = re.match(r"(.*?) was put in (once|\d+ times)", rest)
    v = take_value(tokens(m.group(1)), 0)[0]
    name, _ = kind_of(history.object)
    before = precedence(history.ops)
    puts = adders(history, v, culprit)
    if "by then" in rest:
        puts = [o for o in puts if may_precede(history, o, culprit, before)]
    count = len(puts) + initial_values(history).count(v)
    said = 1 if m.group(2) == "once" else int(m.group(2).split()[0])
    if count != said:
        return f"{v} was put in {count} times"
    takers = [o for o in history.ops if o is not culprit and o.result == v and method(name, o) not in PEEKS]
    if "another call took it out" in rest and not takers:
        return "no other call took it out"
    if "taken out before" in rest and not [o for o in takers if must_precede(history, o, culprit, before)]:
        return "no call had certainly taken it out before"
    return None


def came_before(history, culprit, rest):
    """`line A ... came before it, [as line B ... shows,] and no call since then can have set V again`."""
    m = re.match(r"line (\d+)  .*? came before it, (?:as line (\d+)  .*? shows, )?and no call since", rest)
    by_line = {o.line: o for o in history.ops}
    named = [by_line[int(line)] for line in m.groups() if line]
    before = precedence(history.ops)
    sure = [o for o in named if must_precede(history, o, culprit, before)]
    if not sure:
        return f"{named} need not come before it"
    name, _ = kind_of(history.object)
    if name not in ("register", "cas-register", "memory"):
        return None
    if named[0] not in sure:  # the other one saw its value: was it that of this call?
        seen = named[1].result if method(name, named[1]) == "read" else named[1].args[-2]
        setting = [o for o, w in setters(history, named[1]) if w == seen and may_precede(history, o, named[1], before)]
        if setting != [named[0]] or initial_is(history, named[1], seen):
            return f"{named[1]} need not have seen {named[0]}"
    if method(name, culprit) == "read":
        again = [[o for o, w in setters(history, culprit) if w == culprit.result and o is not pivot
                  and may_precede(history, o, culprit, before) and not must_precede(history, o, pivot, before)]
                 for pivot in sure]
        if all(again):
            return f"{again[0]} can have set {culprit.result} again"
    return None


def initial_is(history, o, v):
    """Whether v may be the initial value of the cell of o."""
    named, default = initial(history)
    start = named.get(o.args[0] if o.args and kind_of(history.object)[0] == "memory" else None, default)
    return start == ("?",) or v == (0 if start is None else start)


def states_at(history, culprit):
    """The states in which the culprit may take effect: after legal beginnings that explain the results of others."""
    name, step = kind_of(history.object)
    ops, before = history.ops, precedence(history.ops)
    at = position(ops, culprit)
    todo, seen, found = [(frozenset(), s) for s in starts(history, history.object, ops)], set(), set()
    while todo:
        done, state = todo.pop()
        if (done, state) in seen:
            continue
        seen.add((done, state))
        if before[at] <= done:
            found.add(state)
        for i, o in enumerate(ops):
            if i != at and i not in done and before[i] <= done:
                m = method(name, o)
                todo += [(done | {i}, t) for t, r in step(state, m, o.args) if agrees(name, m, o.result, r)]
    return found


def amount(history, culprit, state):
    """The number that a claim counts: a balance, copies of a value, keys, holders, the value of a counter."""
    name, _ = kind_of(history.object)
    if name == "multiset":
        return dict(state).get(culprit.args[0], 0)
    if name == "rwlock":
        return sum(state)  # readers and writers
    return state if isinstance(state, int) else len(state)


def amounts(history, culprit, test, account=None):
    """None if all states pass the test, else a sentence."""
    for state in states_at(history, culprit):
        n = state[account] if account is not None else amount(history, culprit, state)
        if not test(n):
            return f"it can be {n}"
    return None


def exact_amount(history, culprit, rest):
    bound, n = re.search(r"(at least |at most |)(-?\d+)", rest.rpartition("was ")[2]).groups()
    n = int(n)
    test = {"at least ": lambda k: k >= n, "at most ": lambda k: k <= n, "": lambda k: k == n}[bound]
    return amounts(history, culprit, test)


def copies(history, culprit, rest):
    n = int(re.search(r"was in (\d+) times? then", rest).group(1))
    return amounts(history, culprit, lambda k: k == n)


def keys(history, culprit, rest):
    n = int(re.search(r"had (\d+)", rest).group(1))
    return amounts(history, culprit, lambda k: k == n)


def balance(history, culprit, rest):
    account, low, high = re.match(r"account (\d+) (?:can have )?had (-?\d+)(?: to (-?\d+))? then", rest).groups()
    low, high = int(low), int(high or low)
    return amounts(history, culprit, lambda k: low <= k <= high, int(account))


def no_such_holder(history, culprit, rest):
    """Of a rwlock, whose state is (readers, writers)."""
    kind = ("reader", "writer").index(re.match(r"no (reader|writer)", rest).group(1))
    return "it can be held so" if any(s[kind] for s in states_at(history, culprit)) else None


def released_too_often(history, culprit, rest):
    """At the return of the culprit, more releases have returned than calls that take it have begun."""
    takes, releases = {
        "": ({"lock", "trylock", "acquire", "tryacquire"}, {"unlock", "release"}),
        " for reading": ({"rdlock", "tryrdlock"}, {"rdunlock"}),
        " for writing": ({"wrlock", "trywrlock"}, {"wrunlock"}),
    }[re.search(r"released it(.*) than", rest).group(1)]
    taken = [o for o in history.ops if o.method in takes and o.call < culprit.ret and o.result != FALSE]
    released = [o for o in history.ops if o.method in releases and not o.pending and o.ret <= culprit.ret]
    return None if len(released) > len(taken) else f"{len(released)} released it, {len(taken)} took it"


def held_by_another(history, culprit, _rest):
    return amounts(history, culprit, lambda k: k >= 1)


def hold_it_with_it(history, culprit, rest):
    """At the return of the culprit: the calls that have taken it, without those that have begun to release it."""
    m = re.match(r"with it, (?:at least (\d+)|two|calls)", rest)
    taken = [o.method for o in history.ops if re.search("lock|acquire", o.method) and "un" not in o.method
             and not o.pending and o.ret <= culprit.ret and o.result != FALSE]
    released = [o.method for o in history.ops if re.search("unlock|release", o.method) and o.call <= culprit.ret]
    writers = sum("wr" in k for k in taken) - sum("wr" in k for k in released)
    least = 2 if m.group(1) is None else int(m.group(1))
    if writers >= least or (len(taken) - len(released) >= least and ("calls" not in m.group(0) or writers)):
        return None
    return f"{taken} took it, {released} release it"


def most_holders(history, culprit, rest):
    m = re.match(r"at most (\d+)", rest)
    most = int(m.group(1)) if m else 0
    return amounts(history, culprit, lambda k: k <= most)


def never_there(history, culprit, rest):
    """No state in which the culprit may take effect has the value."""
    m = re.match(r"no call can have (?:put in|written) (.*?)(?:; the initial .*)?$", rest)
    v = take_value(tokens(m.group(1)), 0)[0]
    name, _ = kind_of(history.object)
    for state in states_at(history, culprit):
        if name in ("register", "cas-register"):
            there = state == v
        elif name in ("memory", "map"):
            now = dict(state).get(culprit.args[0], dict(state).get(None))
            there = now == v if method(name, culprit) != "contains" else v in dict(state).values()
        elif name == "multiset":
            there = dict(state).get(v, 0)
        else:
            there = v in state
        if there:
            return f"{v} can be there"
    return None


def had_begun_to_set(history, culprit, rest):
    v = take_value(tokens(rest.rpartition("to set ")[2]), 0)[0]
    before = precedence(history.ops)
    early = [o for o, w in setters(history, culprit) if w == v and o is not culprit
             and may_precede(history, o, culprit, before)]
    return f"{early} may come before it" if early else None


def everything_of_its_key(history, culprit, rest):
    part = copy.copy(history)
    part.ops = [o for o in history.ops if o.args and o.args[0] == culprit.args[0]]
    return everything_until_then(part, culprit, rest)


VALUE = r'(?:"(?:[^"\\]|\\.)*"|[^\s":]+)'

RULES = [
    (r"everything until then is linearizable", everything_until_then),
    (r"nobody puts in ", nobody_puts_in),
    (r"when it returned, nobody had begun to put in", nobody_had_begun),
    (r"nobody writes ", nobody_writes),
    (r"no choice of the calls that may come before it adds up", no_sum),
    (r"the balances sum to", sum_changed),
    (VALUE + r" was in it all the time$", all_the_time),
    (r"at each moment ", at_each_moment),
    (VALUE + r" was put in (once|\d+ times)", taken_twice),
    (r"line \d+  .* came before it, ", came_before),
    (r"everything of its key until then is linearizable", everything_of_its_key),
    (r"no call can have (?:put in|written) ", never_there),
    (r"when it returned, no call had begun to set ", had_begun_to_set),
    (r"its value was (?:at least |at most )?-?\d+ then", exact_amount),
    (VALUE + r" was in \d+ times? then", copies),
    (r"the map had \d+ keys? then", keys),
    (r"account \d+ (?:can have )?had ", balance),
    (r"(?:at most \d+|nobody) can have held it then", most_holders),
    (r"no (?:reader|writer) can have held it then", no_such_holder),
    (r"with it, more calls have released it", released_too_often),
    (r"another call held it, and none that releases it had begun", held_by_another),
    (r"with it, (?:two calls hold it|calls hold it that exclude each other|at least \d+ hold)", hold_it_with_it),
]
SETS = [
    (r"(the \d+ operations below have|alone it has) no linearization, whatever the others do", whatever_others_do),
    (r"(the \d+ operations below have|alone it has) no linearization, given all calls that could have set",
     given_the_setters),
]


def split_reports(text):
    """The report of each history: (index, lines)."""
    out, at = {}, None
    for line in text.splitlines():
        m = re.match(r"^\S.*?(?:#(\d+))?: (VIOLATION|consistent|undecided)", line)
        if m:
            at = int(m.group(1) or 0)
            out[at] = [line]
        elif at is not None:
            out[at].append(line)
    return out


def acknowledged(history, read):
    """Elements of a set whose add had returned before the read, and that no call can have taken out since, but the read misses."""
    out = set()
    for o in history.ops:
        if not puts_in("set", o, o.args and o.args[0]) or o.pending or o.ret >= read.call:
            continue
        if not any(takes_out("set", p, o.args[0]) and p.call <= read.ret and (p.pending or p.ret >= o.call)
                   for p in history.ops):
            out.add(o.args[0])
    return out - set(read.result[1:])


def puts_in(name, o, v):
    """A call that has put v in when it has returned, or may have."""
    return o.args and o.args[0] == v and (method(name, o) == "put" and o.args[1] not in (NULL, NIL, FALSE)
                                          or method(name, o) == "add" and o.result != FALSE)


def takes_out(name, o, v):
    none = (NULL, NIL, FALSE)
    return o.args and o.args[0] == v and (method(name, o) == "remove" and o.result not in none
                                          or method(name, o) == "put" and o.args[1] in none)


def shows(name, o, v):
    """Does its result say that v was there?"""
    what, none = method(name, o), (None, NULL, NIL, FALSE)
    if o.pending:
        return False
    if what == "elements":
        return v in o.result[1:]
    if not o.args or o.args[0] != v:
        return False
    if what == "add":
        return o.result == FALSE
    return what in ("get", "contains-key", "count", "remove") and o.result not in none + ((0,) if what == "count" else ()) \
        or what == "contains" and name != "map" and o.result == TRUE


def misses(name, o, v):
    what, none = method(name, o), (NULL, NIL, FALSE)
    if what == "elements":
        return not o.pending and v not in o.result[1:]
    return bool(o.args) and o.args[0] == v and not o.pending and (
        what in ("get", "contains-key", "remove") and o.result in none or what == "count" and o.result == 0
        or what == "contains" and name != "map" and o.result == FALSE)


def lost_thing(history, m):
    """`V is lost: line A had returned when line B was called, and no call since then can have taken it out; ...`."""
    by_line, name = {o.line: o for o in history.ops}, kind_of(history.object)[0]
    v, put, read = take_value(tokens(m.group(1)), 0)[0], by_line[int(m.group(3))], by_line[int(m.group(4))]
    takes = [o for o in history.ops if takes_out(name, o, v)]
    between = [o for o in takes if o.call <= read.ret and (o.pending or o.ret >= put.call)]
    if not puts_in(name, put, v) or put.pending or put.ret >= read.call or not misses(name, read, v):
        return f"{v} need not have been there"
    if between or (takes and "since then" not in m.group(5)):
        return f"{v} can have been taken out"
    again = [o for o in history.ops if puts_in(name, o, v) and (o.pending or o.ret >= read.call)]
    later = [o for o in history.ops if o.call > read.ret and shows(name, o, v)]
    fate = m.group(6)
    if (m.group(2) == "missing") != fate.startswith("another call"):
        return "missing is what is put in again"
    if fate.startswith("another call"):
        return None if again else f"nobody puts {v} in again"
    if fate.startswith("no later"):
        return f"{v} is found" if later else None
    it = by_line[int(re.match(r"line (\d+) ", fate).group(1))]
    return None if it in later and not again else f"{v} is not found"


def lost_piece(history, m):
    """`"b" is lost: line A had returned when line B was called, and no put since then can have replaced it; ...`."""
    by_line = {o.line: o for o in history.ops}
    piece, add, get = take_value(tokens(m.group(1)), 0)[0][1], by_line[int(m.group(3))], by_line[int(m.group(4))]
    mine = [o for o in history.ops if o.args[0] == get.args[0]]
    seen, put = get.result[1], add.method == "put"
    puts = [o for o in mine if o.method == "put" and o is not add and o.call <= get.ret
            and (o.pending or o.ret >= add.call)]
    if add not in mine or add.pending or add.ret >= get.call or add.args[1][1] != piece or get.method != "get":
        return "these are other calls"
    if (seen.startswith(piece) if put else piece in seen) or not piece:
        return "the get has it"
    if puts:
        return "a put can have replaced it"
    later = [o for o in mine if o.method == "get" and not o.pending and o.call > get.ret and piece in o.result[1]]
    if m.group(2) == "lost":
        return "a later get has it" if later else None
    other = any(piece in o.args[1][1] for o in mine if o.method != "get" and o is not add)
    return None if later and other == (m.group(2) == "missing") else "no get has it again, or another call brings it"


NUMBERS = {"once": 1, "twice": 2}


def often(text):
    """`added at least twice`, `never added`: the word, and the least and the most that the text allows."""
    m = re.match(r"(?:never (\w+)|(\w+) (at least |at most )?(?:(\w+ce)|(\d+) times))$", text)
    if m.group(1):
        return m.group(1), 0, 0
    n = NUMBERS[m.group(4)] if m.group(4) else int(m.group(5))
    return m.group(2), 0 if m.group(3) == "at most " else n, None if m.group(3) == "at least " else n


def counted(history, m):
    """`[since line A was called,] V was added twice and removed once by then, so line B cannot be`."""
    by_line = {o.line: o for o in history.ops}
    v, o, behind = take_value(tokens(m.group(2)), 0)[0], by_line[int(m.group(7))], m.group(6).startswith("by the end")
    start = by_line[int(m.group(1))].call if m.group(1) else None
    mine = [p for p in history.ops if p.args and p.args[0] == v and (behind or p is not o)]
    told = dict((w, (least, most)) for w, least, most in (often(m.group(4)), often(m.group(5))))
    true = {}
    for word, what in (("added", "add"), ("removed", "remove")):
        sure = sum(method("set", p) == what and p.result == TRUE and not p.pending and (start is None or p.call >= start)
                   and (p.ret <= o.ret if behind else p.ret < o.call) for p in mine)
        may = sum(method("set", p) == what and p.result != FALSE and p.call <= o.ret
                  and (start is None or p.pending or p.ret >= start) for p in mine)
        least, most = told[word]
        if sure < least or most is not None and may > most:
            return f"{v} was {word} {sure} to {may} times"
        true[word] = least, most
    lowest, highest = (0, 1) if start is not None or len(starts(history, history.object, history.ops)) > 1 else \
        (int(v in starts(history, history.object, history.ops)[0]),) * 2
    in_at_first = ", in the set at first" in m.group(3)
    if in_at_first and lowest != 1:
        return f"{v} was not in at first"
    most_in = None if true["added"][1] is None else highest + true["added"][1] - true["removed"][0]
    least_in = None if true["removed"][1] is None else lowest + true["added"][0] - true["removed"][1]
    if behind:
        impossible = (most_in is not None and most_in < 0) or (least_in is not None and least_in > 1)
    else:
        needs = shows("set", o, v) or method("set", o) == "remove" and o.result == TRUE
        impossible = most_in is not None and most_in <= 0 if needs else least_in is not None and least_in > 0
    return None if impossible else "that is possible"


def both_add(history, m):
    """`lost: line A and line B both add to N, and no call between them can have taken anything away`."""
    by_line = {o.line: o for o in history.ops}
    a, b, n = by_line[int(m.group(1))], by_line[int(m.group(2))], int(m.group(3))
    change = {o: {"inc": 1, "dec": -1, "get": 0}.get(method("counter", o), o.args[0] if o.args else 0)
              for o in history.ops}
    added_to = [o.result - (0 if method("counter", o) == "fetch-add" else change[o]) for o in (a, b)]
    if any(change[o] <= 0 or o.pending for o in (a, b)) or added_to != [n, n] or a is b:
        return "they do not add to that"
    between = [o for o in history.ops if change[o] < 0 and o.call <= max(a.ret, b.ret)
               and (o.pending or o.ret >= min(a.call, b.call))]
    return "a call between can have taken something away" if between else None


COUNTS = (r"^    (?:since line (\d+) (?: .*)?was called, )?(.+?)((?:, in the set at first,)?) was "
          r"((?:never )?(?:added|removed)(?: at least| at most)?(?: \w+ce| \d+ times)?) and "
          r"((?:never )?(?:added|removed)(?: at least| at most)?(?: \w+ce| \d+ times)?) "
          r"(by then, so|by the end of) line (\d+)  ")
LOST_THING = (r"^    (.+?) is (lost|stale|missing): line (\d+)  .* had returned when line (\d+) was called, and no call ((?:since "
              r"then can have )?(?:takes|taken|removes|removed) it(?: out)?); (another .*|no later .*|line .*)$")
LOST_PIECE = (r"^    (.+?) is (lost|stale|missing): line (\d+)  .* had returned when line (\d+) was called, and no put since "
              r"then can have replaced it")
BOTH_ADD = r"^    lost: line (\d+)  .* and line (\d+)  .* both add to (-?\d+), and no call between"


def lost(history, line, culprit):
    """`V is lost: line A ...`: of a set that is read as a whole, of a collection that was found empty, of a counter."""
    by_line = {o.line: o for o in history.ops}
    for pattern, rule in ((COUNTS, counted), (LOST_THING, lost_thing), (LOST_PIECE, lost_piece), (BOTH_ADD, both_add)):
        m = re.match(pattern, line)
        fault = m and rule(history, m)
        if fault:
            return fault
    m = re.match(r"^    (.+?) is (lost|stale): line (\d+)  .* had returned when line (\d+) was called, .*"
                 r"\(of the acknowledged elements that it misses (\d+) (?:is|are) lost, (\d+) stale\)$", line)
    if m:
        v, add, read = take_value(tokens(m.group(1)), 0)[0], by_line[int(m.group(3))], by_line[int(m.group(4))]
        missing = acknowledged(history, read)
        later = [o for o in history.ops if o.call > read.ret]
        stale = {w for w in missing if any(shows("set", o, w) for o in later)
                 and all(o.ret is not None and o.ret < read.call for o in history.ops if puts_in("set", o, w))}
        again = {w for w in missing if any(o.pending or o.ret >= read.call for o in history.ops if puts_in("set", o, w))}
        if v not in missing - again or add.args[0] != v or add.ret >= read.call or (v in stale) != (m.group(2) == "stale"):
            return f"{v} is not {m.group(2)}"
        counts = [len(missing - stale - again), len(stale)]
        return None if counts == [int(m.group(5)), int(m.group(6))] else f"the counts are {counts}"
    m = re.match(r"^    (.+?) is lost: line (\d+)  .* had returned before, and no call ever finds it$", line)
    if m:
        v, add = take_value(tokens(m.group(1)), 0)[0], by_line[int(m.group(2))]
        if add.args[0] != v or add.ret >= culprit.call or any(o.result == v and not o.args for o in history.ops):
            return f"{v} is not lost"
        return None
    m = re.match(r"^    lost: the calls that had returned before add up to (\d+), so at least (\d+) is missing$", line)
    if m:
        total = sum(o.args[0] if o.args else 1 for o in history.ops if method("counter", o) in ("inc", "add", "fetch-add")
                    and not o.pending and o.ret < culprit.call)
        own = {"inc": 1, "dec": -1, "add": culprit.args[0] if culprit.args else 0}.get(method("counter", culprit), 0)
        missing = total + own - culprit.result
        return None if [total, missing] == [int(g) for g in m.groups()] else f"they add up to {total}"
    return None


def argument_of(report):
    """The lines below "..., because:"."""
    at = next((i for i, line in enumerate(report) if line.endswith(", because:")), None)
    lines = []
    for line in report[at + 1:] if at is not None else []:
        if not line.startswith("      "):
            break
        lines.append(line)
    return lines


def judge(history, report):
    """The false claims of a report: (sentence, why)."""
    by_line = {o.line: o for o in history.ops}
    involved = set()
    table = False
    for line in report:
        table = table or line.startswith(INVOLVED)
        m = re.match(r"^    (?:> )?line +(\d+)   ?", line)
        if table and m:
            involved.add(int(m.group(1)))
    faults = []
    told = argument_of(report)
    if told:
        faults += arguments.judge(history, told, involved)
    named = None
    for line in report[1:]:
        if line.startswith(INVOLVED):
            break
        for fault in (named and lost(history, line, named), reads.judge(history, line)):
            if fault:
                faults.append((line.strip(), fault))
        m = re.match(r"^    line (\d+)  ", line)
        culprit = by_line.get(int(m.group(1))) if m else None
        named = culprit or named or next((o for o in history.ops if o.line in involved), None)
        for pattern, rule in RULES:
            hit = culprit and re.search(r": (" + pattern + ".*)$", line)
            if hit:
                fault = rule(history, culprit, hit.group(1))
                if fault:
                    faults.append((line.strip(), fault))
                break
        for pattern, rule in SETS:
            hit = re.search(pattern, line)
            if hit:
                named = involved or ({culprit.line} if culprit else set())
                fault = rule(history, named)
                if fault:
                    faults.append((line.strip(), fault))
                break
    return faults
