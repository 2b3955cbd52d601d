# SPDX-License-Identifier: Apache-2.0
"""Weak consistency of objects by its axioms: a linearization and a visibility relation are searched by brute force.

An operation sees some of those before it. Its result is that of the object after their invocations, executed anew in
the order of the linearization. Axioms are inclusions vis >= path.
"""
import itertools

from objects import ALIASES, TooHard, agrees, kind_of, precedence, starts

MODELS = {
    "return-value": [], "read-my-writes": [["po"]], "monotonic-reads": [["vis", "po"]], "peer": [["po", "vis"]],
    "causal-convergence": [["po"], ["vis", "vis"]], "weak-hb": [["hb"]],
    "level:weak": [], "level:self": [["po"]], "level:monotonic": [["po"], ["vis", "po"]],
    "level:peer": [["po"], ["vis", "po"], ["po", "vis"]],
    "level:causal": [["po"], ["vis", "po"], ["po", "vis"], ["vis", "vis"]], "level:complete": [["lin"]],
}


def seen_arguments(op):
    """A call as those see it that it is visible to: of a transaction only the writes and appends take effect."""
    if op.method != "txn":
        return op.args
    if op.result == ("w", "abort"):
        return []
    return [v for i in range(0, len(op.args), 3) if op.args[i] != ("w", "r") for v in op.args[i:i + 3]]


def satisfies(history, model, limit=200000):
    ops = history.ops
    name, step = kind_of(history.object)
    start = starts(history, history.object, ops)[0]
    before = precedence(ops)
    aliases = ALIASES.get(name, {})
    methods = [aliases.get(o.method, o.method) for o in ops]
    po = [{j for j in range(i) if ops[j].thread == ops[i].thread} for i in range(len(ops))]
    axioms = MODELS[model]
    work = [0]

    def demanded(i, order, vis):
        """The operations that i must see: paths are followed back from i. The path of `lin` has one step."""
        out = set()
        for path in axioms:
            ends = {i}
            for relation in reversed(path):
                back = set()
                for e in ends:
                    back |= {"po": po[e], "hb": before[e], "vis": vis.get(e, set()), "lin": set(order)}[relation]
                ends = back
            out |= ends
        return out

    def explained(seen, order, i):
        """Is the result that of the object after these? An aborted transaction says nothing."""
        return ops[i].result == ("w", "abort") or any(
            agrees(name, methods[i], ops[i].result, r) for r in results(seen, order, i))

    def results(seen, order, i):
        states = {start}
        for j in order:
            if j in seen:
                states = {t for s in states for t, _ in step(s, methods[j], seen_arguments(ops[j]))}
        return {r for s in states for _, r in step(s, methods[i], ops[i].args)}

    def search(order, vis):
        work[0] += 1
        if work[0] > limit:
            raise TooHard()
        if all(i in vis or ops[i].pending for i in range(len(ops))):
            return True
        for i in range(len(ops)):
            if i in vis or any(j not in vis and not ops[j].pending for j in before[i]):
                continue
            for size in range(len(order) + 1):
                for seen in itertools.combinations(order, size):
                    seen = set(seen)
                    vis[i] = seen
                    need = demanded(i, order, vis) & set(order)
                    if need <= seen and explained(seen, order, i):
                        order.append(i)
                        if search(order, vis):
                            return True
                        order.pop()
                    del vis[i]
        return False

    return search([], {})


def follows(history, cut, kept, model):
    """The faults of --shrink: the cut is a violation, and no result that is left can depend on a call that went.

    For each operation x that is left, all sequences are tried that x may see. If one gives its result, then so does the
    same sequence without the calls that went. So a solution of the whole is one of the rest.
    """
    ops = history.ops
    name, step = kind_of(history.object)
    start, before = starts(history, history.object, ops)[0], precedence(ops)
    methods = [ALIASES.get(name, {}).get(o.method, o.method) for o in ops]
    left = {i for i, o in enumerate(ops) if o in kept}
    told = {i for i, o in enumerate(ops) if any(o is p and not c.pending for p, c in zip(kept, cut.ops))}
    faults = ["not a violation"] if satisfies(cut, model) else []

    def explains(seen, i):
        if ops[i].result == ("w", "abort"):
            return True
        states = {start}
        for j in seen:
            states = {t for s in states for t, _ in step(s, methods[j], seen_arguments(ops[j]))}
        return any(agrees(name, methods[i], ops[i].result, r)
                   for s in states for _, r in step(s, methods[i], ops[i].args))

    for i in sorted(told):
        others = [j for j in range(len(ops)) if j != i and i not in before[j]]
        for size in range(len(others) + 1):
            for seen in itertools.permutations(others, size):
                ordered = not any(b in before[a] for k, a in enumerate(seen) for b in seen[k + 1:])
                if ordered and explains(seen, i) and not explains([j for j in seen if j in left], i):
                    return faults + [f"{ops[i]} may depend on a call that went: it may have seen {seen}"]
    return faults
