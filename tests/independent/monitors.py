# SPDX-License-Identifier: Apache-2.0
"""Monitors against the definition: a report names the first event after which no order explains the calls so far.

The histories are those of objects, as events. All are parts of one stream, and each is followed alone where open calls
may have left it undecided. Every other violation must be reported.
"""
import copy
import json

import generate
from hist import parse, show
from objects import TooHard, linearizable

LISTS = ("elements", "balances")  # monitors do not follow values that are lists


def events(rng, ops):
    """Calls and returns in the order of times. Of equal times any comes first, but for what one thread did."""
    left, out = [], []
    for op in ops:
        left.append((op.call, rng.random(), False, op))
        if op.ret is not None:
            left.append((op.ret, rng.random(), True, op))
    left.sort(key=lambda e: e[:3])
    while left:
        for event in left:
            _, _, returns, op = event
            earlier = [o for _, _, r, o in left if o.thread == op.thread and (o.index, r) < (op.index, returns)]
            if not earlier:
                break
        left.remove(event)
        out.append((returns, op))
    return out


def history(rng):
    while True:
        text = generate.object_history(rng, timed="times")
        [h] = parse(text)
        if h.ops and not any(op.method in LISTS for op in h.ops):
            break
    lines = [line for line in text.splitlines() if line.startswith("#")]
    for returns, op in events(rng, h.ops):
        if returns:
            lines.append(f"[{op.thread}] return" + ("" if op.result is None else " " + show(op.result)))
        else:
            lines.append(f"[{op.thread}] call {op.method}({', '.join(show(a) for a in op.args)})")
    return "\n".join(lines) + "\n"


def until(h, event):
    """The operations that the first events show."""
    out = []
    for op in h.ops:
        if op.call <= event:
            out.append(copy.copy(op))
            if op.ret is None or op.ret > event:
                out[-1].pending, out[-1].ret, out[-1].result = True, None, None
    return out


def first_fault(h, last):
    """The event, or None if there is none."""
    if linearizable(h):
        return None
    return next(event for event in range(1, last + 1) if not linearizable(h, until(h, event)))


def follow(batch, path):
    out = [json.loads(line) for line in batch.run("monitor", "--json", path).splitlines()]
    summaries = [r for r in out if r.get("type") == "summary"]
    return [r for r in out if r.get("type") == "violation"], summaries[0] if summaries else {}


def judge(batch):
    one = batch.folder / "one.hist"
    reports, summary = follow(batch, batch.file)
    if summary.get("histories") != len(batch.histories):
        batch.fault(0, f"the stream was not followed to its end: {summary}")
        return
    before = 0
    for index, h in enumerate(batch.histories):
        last = sum(1 if op.ret is None else 2 for op in h.ops)
        named = [r["event"] - before for r in reports if r["index"] == index]
        before += last
        try:
            expected = first_fault(h, last)
        except TooHard:
            continue
        batch.checked += 1
        if named == ([] if expected is None else [expected]):
            continue
        one.write_text(batch.texts[index])
        open_at_end = any(op.pending for op in h.ops)
        if named or not open_at_end or follow(batch, one)[1]["verdict"] != "undecided":
            batch.fault(index, f"the first fault is event {expected}, reported were {named}")
