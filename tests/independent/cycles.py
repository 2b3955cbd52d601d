# SPDX-License-Identifier: Apache-2.0
"""The sentences of a cycle, of memories and transactions: each is held against the lines that it names."""
import itertools
import re

from claims import INVOLVED
from hist import initial, take_value, tokens

LINE = r"line (\d+)"


def accesses(o):
    """(kind, variable, value) of an operation of a memory, or of a transaction."""
    if o.method == "txn":
        return [(o.args[i][1], o.args[i + 1], o.args[i + 2]) for i in range(0, len(o.args), 3)]
    if o.method == "read":
        return [("r", o.args[0], o.result)]
    if o.method == "write":
        return [("w", o.args[0], o.args[1])]
    if o.method == "rmw":
        return [("r", o.args[0], o.args[1]), ("w", o.args[0], o.args[2])]
    return []


def elements(v):
    return v[1:] if isinstance(v, tuple) and v[0] == "l" else (v,)


def reads_from(b, a):
    """b returned a value that a wrote."""
    written = {(x, v) for k, x, v in accesses(a) if k != "r"}
    return any(k == "r" and any((x, e) in written for e in elements(v)) for k, x, v in accesses(b))


def writes(o, x):
    return any(k != "r" and y == x for k, y, _ in accesses(o))


def reads_initial(history, o, x):
    named, default = initial(history)
    start = named.get(x, 0 if default is None else default)
    own = ()
    for k, y, v in accesses(o):
        if y == x and k == "append":
            own += (v,)
        elif y == x and k == "r" and (v == start or v == ("l",) + own):  # before its own appends the list was empty
            return True
    return False


def earlier(a, b):
    return a.thread == b.thread and a.index < b.index


def step_holds(rule, a, b):
    if rule in ("po", "ppo", "loc"):
        return earlier(a, b)
    if rule == "wr":
        return reads_from(b, a)
    if rule == "rt":
        return a.ret is not None and b.call is not None and a.ret < b.call
    common = {x for k, x, _ in accesses(a)} & {x for k, x, _ in accesses(b)}
    if rule == "rw":
        return any(writes(b, x) and any(k == "r" and y == x for k, y, _ in accesses(a)) for x in common)
    return any(writes(a, x) and writes(b, x) for x in common)  # cf, hb, ww, vo, case


def paths(line, by_line):
    """Faults of the paths `line 1 -po-> line 2 -wr-> line 3` in a sentence."""
    faults = []
    for m in re.finditer(LINE + r"((?: -[a-z]+-> line \d+)+)", line):
        at = int(m.group(1))
        for rule, to in re.findall(r" -([a-z]+)-> line (\d+)", m.group(2)):
            if not step_holds(rule, by_line[at], by_line[int(to)]):
                faults.append(f"not {rule}: line {at}, line {to}")
            at = int(to)
    return faults


def variable(text):
    return take_value(tokens(text), 0)[0]


def candidates(history, read):
    """The lines of the writes that a read of a memory may have read from; None: the initial value."""
    _, x, v = accesses(read)[0]
    out = {o.line for o in history.ops if o is not read and ("w", x, v) in accesses(o)}
    return out | ({None} if reads_initial(history, read, x) else set())


def judge_cases(history, report):
    """Faults of the cases `if line 6  ... reads from line 1`: they must cover all choices of sources of a memory."""
    by_line = {o.line: o for o in history.ops}
    cases, faults, at = [], [], None
    for line in report[1:]:
        m = re.match(r"  case \d+: (?:if (line .*)|whatever the sources are):$", line)
        if m:
            at = {int(r): int(w) if w else None for r, w in re.findall(
                LINE + r"  [^:]+: (?:read|rmw)\(.*? reads from (?:line (\d+)|the initial value)", m.group(1) or "")}
            cases.append(at)
        elif line.startswith("  so no choice of sources works"):
            reads = sorted(set().union(*cases))
            for choice in itertools.product(*[candidates(history, by_line[r]) for r in reads]):
                chosen = dict(zip(reads, choice))
                if not any(all(chosen[r] == w for r, w in c.items()) for c in cases):
                    faults.append((line.strip(), f"{chosen} is no case"))
        elif at is not None:
            for w, r in re.findall(LINE + r"(?= -wr-> line (\d+))", line):
                several = len(candidates(history, by_line[int(r)])) > 1
                if at.get(int(r), int(w)) != int(w) or (several and int(r) not in at):
                    faults.append((line.strip(), f"line {r} is not taken to read from line {w}"))
    return faults


def judge(history, report):
    """The false sentences of a report about a cycle."""
    by_line = {o.line: o for o in history.ops}
    memory = all(o.method != "txn" for o in history.ops)
    faults, chain = judge_cases(history, report) if memory else [], []

    def check(condition, line, why):
        if not condition:
            faults.append((line.strip(), why))

    culprit = None
    table = next((i for i, line in enumerate(report) if line.startswith(INVOLVED)), None)
    if table is not None:
        listed = {int(n) for line in report[table:] for n in re.findall(r"^    (?:> )?line +(\d+) ", line)}
        cited = {int(n) for line in report[1:table] for n in re.findall(r"\bline (\d+)", line)}
        check(cited <= listed, report[table], f"lines {sorted(cited - listed)} are cited, but not among them")
    for line in report[1:]:
        if line.startswith(INVOLVED):
            break  # the rest is the table
        for fault in paths(line, by_line):
            faults.append((line.strip(), fault))
        m = re.match(r"^ +" + LINE + r"  .*?  [a-z ]+ before(?: the \w+ of)?  " + LINE + r"  .*?(?:  \((.*)\))?$", line)
        if m:
            a, b = by_line[int(m.group(1))], by_line[int(m.group(2))]
            culprit = a
            if m.group(3) in ("program order", "session order"):
                check(earlier(a, b), line, "not in this order")
            elif m.group(3) and "reads from it" in m.group(3):
                check(reads_from(b, a), line, "it does not read from it")
            elif m.group(3) and "real time" in m.group(3):
                check(a.ret < b.call, line, "not earlier in time")
            if re.match(r"^    \S", line):  # deeper ones are the reasons of a step
                chain.append((a.line, b.line))
            continue
        m = re.match(r"^ +because it reads the initial value of (.*), which " + LINE + " overwrites", line)
        if m:
            x = variable(m.group(1))
            check(reads_initial(history, culprit, x), line, "it does not")
            check(writes(by_line[int(m.group(2))], x), line, "that line does not write it")
        m = re.match(r"^ +because " + LINE + r"  .*  reads the initial value of (.*) although " + LINE +
                     r" writes .* and comes before " + LINE + r" \((.*)\)$", line)
        if m:
            x, r, w = variable(m.group(2)), by_line[int(m.group(1))], by_line[int(m.group(3))]
            check(reads_initial(history, r, x) and writes(w, x) and m.group(4) == m.group(1), line, "it is not so")
            if m.group(5) in ("session order", "program order"):
                check(earlier(w, r), line, "not in this order")
        m = re.match(r"^ +because " + LINE + r"  .*  reads (.*) from " + LINE + r" although " + LINE +
                     r" writes .* as well and comes before " + LINE + r" \((.*)\)$", line)
        if m:
            x = variable(m.group(2))
            r, s, w = (by_line[int(m.group(i))] for i in (1, 3, 4))
            check(writes(s, x) and reads_from(r, s) and writes(w, x), line, "it is not so")
            if m.group(6) in ("session order", "program order"):
                check(earlier(w, r), line, "not in this order")
        m = re.match(r"^ +(\S+) \(" + LINE + r"\) read (.*) = (.*) and missed the write of (\S+) \(" + LINE + r"\)",
                     line)
        if m:
            r, w = by_line[int(m.group(2))], by_line[int(m.group(6))]
            x, v = variable(m.group(3)), variable(m.group(4))
            check(("r", x, v) in accesses(r) and r.thread == m.group(1), line, "it did not read that")
            check(writes(w, x) and w.thread == m.group(5), line, "it did not write that")
        if line.startswith("  so line "):
            m = re.match(r"  so " + LINE + " comes before itself: (.*)$", line)
            if m:
                steps = [int(n) for n in re.findall(r"line (\d+)", m.group(2))]
                check(steps[0] == steps[-1] == int(m.group(1)), line, "the cycle does not close")
                wanted = list(zip(steps, steps[1:]))
                check(chain[-len(wanted):] == wanted, line, f"the steps told are {chain}")
            chain = []
    return faults
