# SPDX-License-Identifier: Apache-2.0
"""Models of memories by their definitions: cc, ccv, cm as relations; sc, tso, pso as machines that are searched.

Where values repeat, or operations are pending, all choices are tried. The initial writes are operations of their own.
"""
import itertools

from hist import initial
from objects import TooHard


class Access:
    def __init__(self, thread, place, var, reads, writes, op):
        self.thread, self.place, self.var, self.reads, self.writes, self.op = thread, place, var, reads, writes, op


NOTHING = ("nothing",)


def accesses(history):
    """Per thread the accesses in program order; a fence has no variable."""
    out, places = [], {}
    for o in history.ops:
        place = places.setdefault(o.thread, 0)
        places[o.thread] += 1
        var = (o.obj, o.args[0]) if o.args else None
        if o.method == "read":
            reads, writes = (NOTHING if o.pending else o.result), NOTHING
        elif o.method == "write":
            reads, writes = NOTHING, o.args[1]
        elif o.method == "rmw":
            reads, writes = o.args[1], o.args[2]
        else:
            reads = writes = NOTHING
        out.append(Access(o.thread, place, var, reads, writes, o))
    return out


def start_value(history, var):
    named, default = initial(history)
    return named.get(var[1], 0 if default is None else default)


def closure(pairs, n):
    after = [set() for _ in range(n)]
    for a, b in pairs:
        after[a].add(b)
    for k in range(n):
        for i in range(n):
            if k in after[i]:
                after[i] |= after[k]
    return after


def executions(history, limit=3000):
    """Each choice of pending operations and sources: (accesses with initial writes, program order, wr)."""
    every = [a for a in accesses(history) if a.var is not None and not (a.op.method == "read" and a.op.pending)]
    unsure = [a for a in every if a.op.pending]
    tried = 0
    for size in range(len(unsure) + 1):
        for dropped in itertools.combinations(unsure, size):
            ops = [a for a in every if a not in dropped]
            variables = sorted({a.var for a in ops}, key=repr)
            nodes = ops + [Access(None, 0, v, NOTHING, start_value(history, v), None) for v in variables]
            n = len(ops)
            po = {(i, j) for i, a in enumerate(ops) for j, b in enumerate(ops)
                  if a.thread == b.thread and a.place < b.place}
            po |= {(i, j) for i in range(n, len(nodes)) for j in range(n)}
            readers = [i for i, a in enumerate(ops) if a.reads != NOTHING]
            candidates = [[j for j, b in enumerate(nodes)
                           if j != i and b.var == ops[i].var and b.writes == ops[i].reads] for i in readers]
            for choice in itertools.product(*candidates):
                tried += 1
                if tried > limit:
                    raise TooHard()
                yield nodes, po, dict(zip(readers, choice))


def writes_of(nodes, var):
    return [i for i, a in enumerate(nodes) if a.var == var and a.writes != NOTHING]


def is_cc(nodes, po, wr):
    n = len(nodes)
    co = closure(po | {(w, r) for r, w in wr.items()}, n)
    if any(i in co[i] for i in range(n)):
        return None
    for r, w in wr.items():
        for v in writes_of(nodes, nodes[r].var):
            if v not in (r, w) and v in co[w] and r in co[v]:
                return None
    return co


def is_ccv(nodes, po, wr):
    co = is_cc(nodes, po, wr)
    if co is None:
        return False
    order = po | {(w, r) for r, w in wr.items()}
    for r, w in wr.items():
        order |= {(v, w) for v in writes_of(nodes, nodes[r].var) if v not in (r, w) and r in co[v]}
    after = closure(order, len(nodes))
    return not any(i in after[i] for i in range(len(nodes)))


def is_cm(nodes, po, wr):
    co = is_cc(nodes, po, wr)
    if co is None:
        return False
    n = len(nodes)
    for o in range(n):
        later = [a for a in nodes if a.thread == nodes[o].thread and a.place > nodes[o].place]
        if nodes[o].op is None or later:
            continue
        past = {i for i in range(n) if i == o or o in co[i]}
        hb = {(i, j) for i in past for j in past if j in co[i]}
        while True:
            after = closure(hb, n)
            new = set()
            for r, w in wr.items():
                if nodes[r].thread == nodes[o].thread and r in past:
                    new |= {(v, w) for v in writes_of(nodes, nodes[r].var) if v not in (r, w) and r in after[v]}
            if new <= hb:
                break
            hb |= new
        if any(i in after[i] for i in range(n)):
            return False
    return True


def machine(history, buffers, limit=300000):
    """sc (no buffers), tso (a buffer per thread), pso (a buffer per thread and variable)."""
    threads = {}
    for a in accesses(history):
        threads.setdefault(a.thread, []).append(a)
    rows = list(threads.values())
    seen = set()

    def value(mem, var):
        return dict(mem).get(var, start_value(history, var))

    def store(mem, var, v):
        return tuple(sorted([p for p in mem if p[0] != var] + [(var, v)], key=repr))

    todo = [((0,) * len(rows), ((),) * len(rows), ())]
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        if len(seen) > limit:
            raise TooHard()
        at, buf, mem = state
        if all(p == len(row) or row[p].op.pending for p, row in zip(at, rows)):
            return True
        for t, row in enumerate(rows):
            flushable = range(len(buf[t])) if buffers == "pso" else range(min(1, len(buf[t])))
            for i in flushable:
                var, v = buf[t][i]
                if any(q[0] == var for q in buf[t][:i]):
                    continue
                todo.append((at, buf[:t] + (buf[t][:i] + buf[t][i + 1:],) + buf[t + 1:], store(mem, var, v)))
            if at[t] == len(row):
                continue
            a = row[at[t]]
            step = at[:t] + (at[t] + 1,) + at[t + 1:]
            own = [v for var, v in buf[t] if var == a.var]
            if a.var is None:
                if not buf[t]:
                    todo.append((step, buf, mem))
            elif a.op.method == "read":
                if a.reads == NOTHING or (own[-1] if own else value(mem, a.var)) == a.reads:
                    todo.append((step, buf, mem))
            elif a.op.method == "rmw":
                if not buf[t] and value(mem, a.var) == a.reads:
                    todo.append((step, buf, store(mem, a.var, a.writes)))
            elif buffers:
                todo.append((step, buf[:t] + (buf[t] + ((a.var, a.writes),),) + buf[t + 1:], mem))
            else:
                todo.append((step, buf, store(mem, a.var, a.writes)))
    return False


def satisfies(history, model):
    if model in ("sc", "tso", "pso"):
        return machine(history, None if model == "sc" else model)
    judge = {"cc": lambda *x: is_cc(*x) is not None, "ccv": is_ccv, "cm": is_cm}[model]
    return any(judge(*e) for e in executions(history))
