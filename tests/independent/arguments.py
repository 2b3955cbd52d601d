# SPDX-License-Identifier: Apache-2.0
"""The argument below "... have no linearization, whatever the others do, because:", line by line.

Each line says that some orders of calls hold, so another one does; or opens a case; or ends one with a contradiction. A
fact must be one of time, one that a line above has derived or assumed, or follow from a value that was found. That the
conclusion follows is tried with all sequences of the calls of these values, without any order in time.
"""
import re

from hist import initial, take_value, tokens
from objects import ALIASES, EMPTY, FULL, kind_of, linearize, precedence, starts

CALL = r"(?:\S+?\(.*?\)(?: => .+?)? \(line (\d+)\))"
NOTHING = "nothing"  # an open call that did not take effect
START = "start"  # the value was there initially
PEEKS = {"peek", "peek-front", "peek-back"}


def adds(o):
    return bool(o.args)


def value_of(o):
    return o.args[0] if o.args else o.result


class Argument:
    """What is known where a line stands: `known` is a stack of sets of orders (line, line), one for each open case."""

    def __init__(self, history, involved):
        self.history = history
        self.by_line = {o.line: o for o in history.ops if o.line in involved and o.result != FULL}
        self.name, self.step = kind_of(history.object)
        self.position = {o.line: i for i, o in enumerate(history.ops)}
        self.before = precedence(history.ops)
        self.held = list((initial(history)[1] or ("l",))[1:])
        self.known, self.found, self.cases = [set()], [{}], []

    def in_time(self, a, b):
        return self.position[a] in self.before[self.position[b]]

    def orders(self):
        return set().union(*self.known)

    def matches(self):
        return {k: v for d in self.found for k, v in d.items()}

    def plain(self):
        """Orders of time, and of values: the add of a value that is put in once, and the calls that found it."""
        out = {(a, b) for a in self.by_line for b in self.by_line if a != b and self.in_time(a, b)}
        chosen = self.matches()
        for o in self.by_line.values():
            if adds(o) or o.pending and o.line not in chosen or o.result == EMPTY:
                continue
            puts = [p.line for p in self.by_line.values() if adds(p) and p.args[0] == o.result]
            if o.line in chosen:
                puts = [chosen[o.line]] if chosen[o.line] in self.by_line else []
            elif len(puts) + self.held.count(o.result) != 1:
                puts = []
            out |= {(p, o.line) for p in puts}
            takers = [p.line for p in self.by_line.values() if not adds(p) and p.result == o.result
                      and p.method not in PEEKS and not p.method.startswith("peek")
                      and (not puts or chosen.get(p.line, puts[0]) == puts[0])]
            takers = [p for p, put in chosen.items() if puts and put == puts[0] and p in self.by_line
                      and not self.by_line[p].method.startswith("peek")] or takers
            if o.method.startswith("peek") and puts and (len(takers) == 1 or o.line not in chosen):
                out |= {(o.line, p) for p in takers}  # of a value that is put in once, each of them took the one copy
            elif o.method.startswith("peek") and not puts and self.held.count(o.result) == 1:
                out |= {(o.line, p) for p, put in chosen.items() if put == (START, o.result)}
                out |= {(o.line, p) for p in takers if len(takers) == 1}
        return out

    def holds(self, a, b, why):
        if (a, b) in self.orders() or (a, b) in self.plain():
            return None
        return f"{why}: line {a} before line {b} is not known"

    def clauses(self, text):
        """The facts of a clause: ("order", a, b) and ("never", value), with faults of those that are told by times."""
        facts, faults, last = [], [], None
        for piece in re.split(r", (?=which )|, and ", text):
            m = re.match(rf"^(?:{CALL}|which) (returned|came) before {CALL}(?: was called)?$", piece)
            if m:
                a, b = int(m.group(1)) if m.group(1) else last, int(m.group(3))
                if m.group(2) == "returned" and not self.by_line[a].ret < self.by_line[b].call:
                    faults.append(f"line {a} did not return before line {b} was called")
                facts.append(("order", a, b))
                last = b
                continue
            m = re.match(rf"^(.+?) was in it from the start, before (?:{CALL}|.*)$", piece)
            if m:
                v = take_value(tokens(m.group(1)), 0)[0]
                if v not in self.held:
                    faults.append(f"{v} is not there initially")
                facts.append(("start", v))
                last = int(m.group(2)) if m.group(2) else None
                continue
            m = re.match(rf"^none of them took out (.+?) before {CALL}$", piece)
            if m:
                one = re.match(rf"^the (.+?) of {CALL}$", m.group(1))
                v = take_value(tokens(one.group(1) if one else m.group(1)), 0)[0]
                if one:
                    if any(put == int(one.group(2)) and not self.by_line[x].method.startswith("peek")
                           for x, put in self.matches().items() if x in self.by_line):
                        faults.append(f"{piece}: one did")
                    facts.append(("never", v, int(m.group(2))))
                    continue
                takes = [o for o in self.by_line.values() if not adds(o) and o.result == v
                         and not o.method.startswith("peek") and self.matches().get(o.line) != NOTHING]
                puts = [o for o in self.by_line.values() if adds(o) and o.args[0] == v]
                if len(takes) >= len(puts) + self.held.count(v):
                    faults.append(f"each {v} is taken out")
                facts.append(("never", v, int(m.group(2))))
                continue
            m = re.match(rf"^(?:.+ was taken out before {CALL}|(?:{CALL}|which) came before .* (?:was there|left, if it did))$",
                         piece)
            if not m:
                faults.append(f"this is no fact: {piece}")
            facts.append(("end",))
            last = None
        return facts, faults

    def follows(self, premises, conclusion):
        """No sequence of the calls of these values has the premises and the reverse of the conclusion."""
        a, b = conclusion
        named = {x for f in premises if f[0] == "order" for x in f[1:]} | {a, b}
        named |= {f[2] for f in premises if f[0] == "never"}
        values = {value_of(self.by_line[n]) for n in named} - {EMPTY, None}
        values |= {f[1] for f in premises if f[0] in ("never", "start")}
        ops = [o for o in self.by_line.values() if o.line in named or (value_of(o) in values and not o.pending)]
        ops = [o for o in ops if not (o.method.startswith("peek") and o.line not in named)]
        ops = [o for o in ops if not (o.result == EMPTY and not adds(o) and o.line not in named)]
        puts = [value_of(o) for o in ops if adds(o)] + [v for v in self.held if v in values]
        if len(puts) != len(set(puts)) or any(o.pending for o in ops):
            return None  # which of them was found is an assumption of the case
        place = {o.line: i for i, o in enumerate(ops)}
        before = [set() for _ in ops]
        for f in premises:
            if f[0] == "order":
                before[place[f[2]]].add(place[f[1]])
        before[place[a]].add(place[b])
        for k in range(len(ops)):
            for i in range(len(ops)):
                if k in before[i]:
                    before[i] |= before[k]
        if any(i in b for i, b in enumerate(before)):
            return None
        for s in starts(self.history, self.history.object, self.history.ops):
            if linearize(ops, before, self.step, self.name, tuple(v for v in s if v in values)) is not None:
                return "there is a sequence in which it does not follow"
        return None

    def close_to(self, depth):
        """Lines of this depth follow: deeper cases end."""
        while len(self.known) > depth + 1:
            self.known.pop()
            self.found.pop()

    def derive(self, text):
        premise, _, rest = text.partition(", so ")
        facts, faults = self.clauses(premise)
        faults += [x for f in facts if f[0] == "order" and (x := self.holds(f[1], f[2], "premise"))]
        m = re.match(rf"^{CALL} came before {CALL}: .+$", rest)
        if m:
            a, b = int(m.group(1)), int(m.group(2))
            why = self.follows(facts, (a, b))
            faults += [why] if why else []
            self.known[-1].add((a, b))
        elif not re.match(rf"^.+ (?:was taken out before {CALL}|came before .* was there|came before .* left, if it did): .+$",
                          rest):
            faults.append(f"this is no conclusion: {rest}")
        return faults

    def contradicts(self, text):
        facts, faults = self.clauses(text)
        faults += [x for f in facts if f[0] == "order" and (x := self.holds(f[1], f[2], "contradiction"))]
        if all(f[0] == "order" for f in facts):
            edges = self.orders() | self.plain()
            lines = list(self.by_line)
            for k in lines:
                edges |= {(a, b) for a in lines for b in lines if (a, k) in edges and (k, b) in edges}
            if not any((a, a) in edges for a in lines):
                faults.append("the orders have no circle")
        return faults

    def case(self, text):
        """Opens a case. Of a pair both orders must come; of a call, each value that it may have found."""
        self.known.append(set())
        self.found.append({})
        m = re.match(rf"^if {CALL} came before {CALL}:$", text)
        if m:
            self.known[-1].add((int(m.group(1)), int(m.group(2))))
            return frozenset(map(int, m.groups())), (int(m.group(1)), int(m.group(2)))
        m = re.match(rf"^if {CALL} found the (.+?) (?:of {CALL}|that was in it from the start):$", text)
        if m:
            self.found[-1][int(m.group(1))] = (int(m.group(3)) if m.group(3)
                                               else (START, take_value(tokens(m.group(2)), 0)[0]))
            return int(m.group(1)), int(m.group(3)) if m.group(3) else START
        m = re.match(rf"^if {CALL} took none of these values:$", text)
        if m:
            self.found[-1][int(m.group(1))] = NOTHING
        return (int(m.group(1)), "none") if m else (None, None)

    def exhaustive(self, about, seen):
        if isinstance(about, frozenset):
            return None if len(seen) == 2 else f"one order of the lines {sorted(about)} is missing"
        o = self.by_line[about]
        chosen = self.matches()
        alone = {a for a, b in self.plain() if adds(self.by_line[a]) and not adds(self.by_line[b])
                 and value_of(self.by_line[a]) == value_of(self.by_line[b])
                 and not self.by_line[b].method.startswith("peek") and b != about}
        for p in self.by_line.values():
            fits = adds(p) and (o.pending or p.args[0] == o.result)
            gone = (p.line in chosen.values() or p.line in alone) and not o.method.startswith("peek")
            if fits and p.line not in seen and not gone and not self.reaches(o.line, p.line):
                return f"line {about} may also have found the value of line {p.line}"
        return None

    def reaches(self, a, b):
        edges, todo, seen = self.orders() | self.plain(), [a], set()
        while todo:
            x = todo.pop()
            more = {y for p, y in edges if p == x} - seen
            seen |= more
            todo += more
        return b in seen


def judge(history, lines, involved):
    """The false lines: (sentence, why)."""
    x = Argument(history, involved)
    out, open_cases = [], {}
    base = min((len(line) - len(line.lstrip()) for line in lines), default=0)

    def end_cases(depth):
        for d in sorted([d for d in open_cases if d > depth], reverse=True):
            finish(d)

    def finish(d):
        about, seen, line = open_cases.pop(d)
        x.close_to(d)
        why = x.exhaustive(about, seen)
        if why:
            out.append((line, why))

    for line in lines:
        depth, text = (len(line) - len(line.lstrip()) - base) // 2, line.strip()
        end_cases(depth)
        x.close_to(depth)
        try:
            if text.startswith("if "):
                about, choice = x.case(text)
                if about is None:
                    out.append((text, "this is no case"))
                    continue
                if depth in open_cases and open_cases[depth][0] != about:
                    finish(depth)
                    x.case(text)
                open_cases.setdefault(depth, (about, set(), text))[1].add(choice)
                continue
            faults = (x.contradicts(text[4:]) if text.startswith("but ") else x.derive(text) if ", so " in text
                      else [] if re.match(rf"^no .+ is left for {CALL}$", text) else ["this is no line of an argument"])
        except (KeyError, ValueError, IndexError, TypeError) as e:
            faults = [f"it cannot be read: {e!r}"]
        out += [(text, why) for why in faults]
    end_cases(-1)
    return out
