# SPDX-License-Identifier: Apache-2.0
"""One history in every format that can say it: the program must read the same from all, and judge as brute force does.

The histories are small and their values hostile: words beyond ASCII, strings with quotation marks, separators and line
ends, the ends of 64 bits. Some results are wrong. What a format leaves out by its page, `expected` leaves out, too.
Formats whose files end with a bracket are also cut: a part must never be judged.
"""
import copy
import json
import random
import re
import subprocess

import hist
import logs
import objects
import transactions
from hist import show

WORDS = ["a", "b", "k-17", "x_1", "caf\u00e9", "\u65e5\u672c", "Zoe"]
STRINGS = ["a b", "", "a", "17", "-1", "0x10", 'say "hi"', "back\\slash", "two\nlines", "tab\there", "\u00e9t\u00e9 ",
           "\U0001f600", "a,b;c", "#x", "]})", "=> ?", "'", "\r\n", "---", ";", "\u2028", "nil", "?", "//", "\\u0041"]
NUMBERS = [0, 1, 2, 3, 5, -1, -7, 2**63 - 1, -2**63, 10**15]
KINDS = ["register", "cas-register", "memory", "set", "elements", "counter", "queue", "stack", "bank", "append-map",
         "multi-register", "lists", "lock", "semaphore(1)", "named queues"]
JEPSEN = {"edn", "store", "history.txt", "jepsen json", "kv-log"}
TIMED = {"hist", "jsonl", "array", "csv"}  # these keep the times as they are
BRACKETS = {"array", "array of events"}
NIL, OK, EMPTY, UNKNOWN = ("w", "nil"), ("w", "ok"), ("w", "empty"), ("?",)


def values(rng):
    pool = rng.choice([NUMBERS[:5], NUMBERS, NUMBERS, None, None])
    if pool is None:
        pool = [("w", w) for w in WORDS] + [("s", s) for s in STRINGS] + NUMBERS
    return rng.sample(pool, min(len(pool), rng.randrange(2, 6)))


def arguments(rng, kind, pool, used):
    """(method, arguments) of a call."""
    v = rng.choice(pool)
    if kind in ("register", "cas-register", "memory"):
        key = (rng.choice(used),) if kind == "memory" else ()
        method = rng.choice(["read", "write"] + (["cas"] if kind != "register" else []))
        if method == "cas":
            return ("rmw" if key else "cas"), key + (v, rng.choice(pool))
        return method, key + ((v,) if method == "write" else ())
    if kind == "set":
        return rng.choice(["add", "remove", "contains"]), (v,)
    if kind == "elements":
        return ("elements", ()) if rng.random() < 0.4 else ("add", (v,))
    if kind == "counter":
        return ("get", ()) if rng.random() < 0.5 else ("add", (rng.choice([1, 2, -3, 10**12]),))
    if kind in ("queue", "stack", "named queues"):
        names = ("push", "pop") if kind == "stack" else ("enq", "deq")
        return (names[0], (v,)) if rng.random() < 0.6 else (names[1], ())
    if kind == "bank":
        return ("balances", ()) if rng.random() < 0.5 else \
            ("transfer", (rng.randrange(3), rng.randrange(3), rng.randrange(8)))
    if kind == "append-map":
        method, s = rng.choice(["get", "put", "append"]), ("s", rng.choice(STRINGS))
        return method, (("s", rng.choice(["k", "a b"])),) + (() if method == "get" else (s,))
    if kind in ("lock", "semaphore(1)"):
        return rng.choice(["lock", "unlock"] if kind == "lock" else ["acquire", "release"]), ()
    raise ValueError(kind)


def outcome(step, name, state, method, args, rng):
    """A state and a result, or None where the call waits."""
    found = step(state, method, args)
    if not found:
        return None
    state, result = rng.choice(found)
    if isinstance(result, tuple) and result and result[0] == "set":
        result = ("l",) + tuple(sorted(result[1], key=repr))
    if result == ("untagged",) or (name == "set" and method in ("add", "remove") and rng.random() < 0.3):
        result = None
    return state, result


def history(rng):
    """The text of a history in the operation form."""
    kind = rng.choice(KINDS)
    name = {"elements": "set", "lists": "multi-register", "named queues": "queue"}.get(kind, kind)
    found = transaction_log(rng, kind == "lists") if name == "multi-register" else object_log(rng, kind, name)
    found.headers = [("object", name)]
    if name in ("register", "cas-register", "memory", "multi-register"):
        found.headers.append(("init", "nil"))
    if name == "bank":
        found.headers.append(("init", "[10, 5, 3]"))
    return canonical(found)


def canonical(found):
    lines = [f"# @{k} {t}" for k, t in found.headers]
    for o in found.ops:
        rows = list(map(show, o.args))
        if o.method == "txn":
            rows = [" ".join(rows[i:i + 3]) for i in range(0, len(rows), 3)]
        lines.append(f"{o.thread}: {o.obj + '.' if o.obj else ''}{o.method}({', '.join(rows)})"
                     + ("" if o.result is None else f" => {show(o.result)}")
                     + f" @ {o.call}..{'' if o.pending else o.ret}")
    return "\n".join(lines) + "\n"


def object_log(rng, kind, name):
    found, pool = hist.History(), values(rng)
    keys = rng.sample([1, 2, ("w", "x"), ("s", "a b")] if rng.random() < 0.3 else [1, 2, 3], 2)
    _, step = objects.kind_of(name)
    found.headers = [("object", name)] + ([("init", "nil")] if "register" in name or name == "memory" else []) \
        + ([("init", "[10, 5, 3]")] if name == "bank" else [])
    boxes = ["q1", "q2"] if kind == "named queues" else [None]
    states = {b: objects.starts(found, name, [])[0] for b in boxes}
    processes = rng.sample(range(0, 12), rng.randrange(1, 4))
    lives, running = {p: 0 for p in processes}, {}
    ties, now = rng.random() < 0.3, rng.choice([0, 1, 1, 10**17])
    for _ in range(rng.choice([0, 2, 8, 14, 20])):
        now += (1 if not ties or rng.random() < 0.5 else 0) * rng.choice([1, 1, 1, 1000])
        p = rng.choice(processes)
        if p not in running:
            box = rng.choice(boxes)
            method, args = arguments(rng, kind, pool, keys)
            o = hist.Op(len(found.ops), str(p) + (f".{lives[p]}" if lives[p] else ""), box, method, args, 0)
            o.call, o.pending, o.effect = now, True, False
            found.ops.append(o)
            running[p] = o
            continue
        o = running[p]
        if not o.effect:
            answer = outcome(step, name, states[o.obj], o.method, o.args, rng)
            if answer is None or (o.method == "cas" and answer[1] == ("w", "false")):
                answer = None
            if answer:
                states[o.obj], o.answer = answer
                o.effect = True
            elif o.method in ("cas", "rmw", "transfer"):
                found.ops.remove(o)  # it failed
                del running[p]
                continue
        if o.effect and rng.random() < 0.9:
            o.pending, o.ret, o.result = False, now, o.answer
            if o.result is not None and rng.random() < 0.06:
                others = [q.result for q in found.ops if q.result is not None and q.method == o.method]
                o.result = rng.choice(others)
            if o.result == ("w", "refused"):
                found.ops.remove(o)
            del running[p]
        elif rng.random() < 0.3:  # nobody knows
            lives[p] += 1
            del running[p]
    found.ops = [o for o in found.ops if not (o.pending and o.method in ("read", "get", "contains", "elements",
                                                                         "balances"))]
    given_up = {}
    for o in found.ops:  # a process has a new name behind a call whose outcome nobody knows
        p = o.thread.partition(".")[0]
        o.thread = p + (f".{given_up[p]}" if given_up.get(p) else "")
        given_up[p] = given_up.get(p, 0) + o.pending
    return found


def transaction_log(rng, lists):
    found = hist.History()
    keys = rng.sample([1, 2, ("w", "x"), ("w", "y"), ("s", "a b")], rng.randrange(1, 3))
    store, fresh = {k: [] for k in keys}, 0
    now = 0
    free = {}
    for _ in range(rng.randrange(0, 6)):
        p = rng.randrange(3)
        now += 1
        o = hist.Op(len(found.ops), str(p), None, "txn", (), 0)
        o.call = max(now, free.get(p, 0) + 1)
        o.ret = o.call + rng.randrange(1, 4)
        free[p] = o.ret
        fate = rng.choices(["committed", "aborted", "unknown"], [8, 1, 1])[0]
        args, mine = (), {k: list(v) for k, v in store.items()}
        for _ in range(rng.randrange(1, 4)):
            x = rng.choice(keys)
            if rng.random() < 0.5:
                v = ("l",) + tuple(mine[x]) if lists else mine[x][-1] if mine[x] else NIL
                if rng.random() < 0.1 and store[x]:
                    v = ("l",) + tuple(store[x][:-1]) if lists else store[x][0]
                args += (("w", "r"), x, v if fate == "committed" else UNKNOWN)
            else:
                fresh += 1
                args += (("w", "append" if lists else "w"), x, fresh)
                mine[x].append(fresh)
        if fate != "aborted":
            store = mine
        o.args = args
        if fate == "aborted":
            o.result = ("w", "abort")
        elif fate == "unknown":
            o.pending, o.ret = True, None
        found.ops.append(o)
    if lists and not any(b == ("w", "append") for o in found.ops for b in o.args[::3]):
        found.ops = []  # nothing says that these are lists
    times = sorted({t for o in found.ops for t in (o.call, o.ret) if t is not None})
    if rng.random() < 0.7:  # numbered events: no two at one time
        order = sorted((t, rng.random(), o.index, which) for o in found.ops
                       for which, t in (("call", o.call), ("ret", o.ret)) if t is not None)
        at = {(e[2], e[3]): i + 1 for i, e in enumerate(order)}
        for o in found.ops:
            o.call, o.ret = at[o.index, "call"], at.get((o.index, "ret"))
    return found if times else hist.History()


def prepare(found):
    """The place of each event among those of its time: calls as they stand in the history, each before its return."""
    for place, o in enumerate(sorted(found.ops, key=lambda o: (o.call, o.index))):
        o.order = (2 * place, 2 * place + 1)
    return found


def expected(found, form):
    """What the format's page keeps of the history."""
    out = copy.copy(found)
    if form in JEPSEN:
        out.ops = [copy.copy(o) for o in found.ops if not (o.method in logs.READS and o.result == NIL)]
        for o in out.ops:
            if found.object == "counter" and o.method == "add":
                o.result = None
    return out


def dense(times):
    return {t: i for i, t in enumerate(sorted(set(times)))}


def picture(found, exact):
    """By thread: calls, results, times or their ranks; and the objects and initial values."""
    ranks = dense([t for o in found.ops for t in (o.call, o.ret) if t is not None])
    place = (lambda t: t) if exact else (lambda t: None if t is None else ranks[t])
    alias = dict(objects.ALIASES.get(found.object or "", {}))
    if found.object in ("set", "bank"):
        alias["read"] = "elements" if found.object == "set" else "balances"
    out = {}
    for o in found.ops:
        result = o.result
        if found.object == "set" and result and result[0] == "l":
            result = ("l",) + tuple(sorted(result[1:], key=repr))
        if o.method in ("transfer", "cas") and result in (OK, ("w", "true")):
            result = None
        out.setdefault(o.thread, []).append((o.obj, alias.get(o.method, o.method), o.args, result, o.pending,
                                             place(o.call), place(o.ret)))
    return out


def holds(found):
    if found.object == "multi-register":
        return transactions.satisfies(found, "ser-strict")
    if any(o.obj for o in found.ops):
        parts = {o.obj: [p for p in found.ops if p.obj == o.obj] for o in found.ops}
        return all(objects.linearizable(found, part) for part in parts.values())
    return objects.linearizable(found)


def event(process, kind, f, value="nil"):
    return f"{{:process {process}, :type :{kind}, :f :{f}, :value {value}}}\n"


def answered(process, f, value, answer):
    return event(process, "invoke", f, value) + event(process, "ok", f, answer)


OPERATION = '{"thread":0,"method":"enq","args":[5],"call":1,"return":4}'
COLUMNS = "thread,method,args,result,call,return\n"
REFUSED = [  # name of the file, its text: none of these may be judged
    ("a.edn", event(0, "ok", "write", 1)), ("a.edn", answered(0, "write", 1, 2)),
    ("a.edn", "[" + event(0, "invoke", "read")),
    ("a.edn", "[" + event(0, "invoke", "read") + "] junk\n"),
    ("a.edn", event(0, "invoke", "write", "99999999999999999999")),
    ("a.edn", event(0, "invoke", "write", 1) + event(0, "ok", "read", 1)), ("a.edn", event(0, "started", "write", 1)),
    ("a.edn", answered(0, "write", 1, 1) + answered(0, "enqueue", 1, 1)),
    ("a.edn", answered(0, "write", "[1 5]", "[2 5]")),
    ("a.edn", answered(0, "enqueue", ":empty", ":empty")),
    ("a.edn", "[" * 1000), ("history.txt", "0\t:invoke\t:write\t1\n0\t:ok\t:write\t2\n"),
    ("a.json", f"[{OPERATION},]\n"), ("a.json", f"[{OPERATION} {OPERATION}]\n"), ("a.json", f"[{OPERATION}]]\n"),
    ("a.jsonl", OPERATION + " x\n"), ("a.jsonl", OPERATION.replace("5]", "5],\"args\":[6]") + "\n"),
    ("a.jsonl", OPERATION.replace("4}", "0}") + "\n"), ("a.jsonl", OPERATION.replace("[5]", "5") + "\n"),
    ("a.csv", COLUMNS + "a,enq,1,,1\n"), ("a.csv", COLUMNS + "a,enq,1,,1,4x\n"),
    ("a.csv", COLUMNS + 'a,enq,"1,,1,4\n'),
    ("a.csv", COLUMNS + "a,deq,,5,1,\n"), ("a.csv", COLUMNS.replace("args", "thread") + "a,enq,1,,1,4\n"),
    ("a.hist", "[1] call deq\n[1] return 5"),
    ("a.edn", answered('"0"', "write", 1, 1) + answered('"1"', "read", "nil", 9)),
    ("a.edn", answered(0, "write", 1, 1) + answered("1.5", "read", "nil", 9)),
    ("a.edn", answered(0, "write", 1, 1) + answered(":n1", "read", "nil", 9)),
    ("a.json", '[{"process":"0","type":"invoke","f":"read"},{"process":"0","type":"ok","f":"read","value":9}]\n'),
    ("history.txt", '"0"\t:invoke\t:write\t1\n"0"\t:ok\t:write\t1\n'),
    ("a.edn", event(0, "invoke", "write", "1, :value 2")),
    ("a.edn", answered(0, "enqueue", "nil", "nil") + answered(1, "dequeue", "nil", "nil")),
    ("a.edn", answered(0, "txn", "[[:r 1 nil] [:w 1 2]]", "[[:r 1 nil]]")),
    ("a.edn", answered(0, "txn", "[[:r 1 nil]]", "[[:r 2 3]]")),
    ("a.edn", event(0, "invoke", "write", "\\newlin")),
]


def must_refuse(batch, file, text):
    """Status 2 and a place: never a verdict."""
    batch.checked += 1
    file.write_bytes(text.encode())
    out, said = run(batch, "check", file)
    if out or not re.search(r":[0-9]+:[0-9]+: ", said):
        batch.faults += 1
        print(f"{file.name} is not refused with a place:\n{text}\n-> {out}{said}")


def judge(batch):
    for name, text in REFUSED:
        must_refuse(batch, batch.folder / name, text)
    for index, found in enumerate(batch.histories):
        rng = random.Random(f"formats of {batch.texts[index]}")
        prepare(found)
        for form, (write, name) in logs.FORMATS.items():
            text = write(found, rng)
            if text is None:
                continue
            file = batch.folder / name
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(text.encode())
            judge_one(batch, index, form, expected(found, form), file, text)
            if form in BRACKETS:
                whole = text.strip("\ufeff\r\n ")
                must_refuse(batch, file, whole[:rng.randrange(1, len(whole))])


def run(batch, *arguments):
    """What the program says, and what it complains about."""
    done = subprocess.run([batch.assay, *map(str, arguments)], capture_output=True)
    if done.returncode not in (0, 1, 2, 3):
        batch.faults += 1
        print(f"{' '.join(map(str, arguments))}: status {done.returncode}")
    return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def judge_one(batch, index, form, want, file, text):
    subject = file.parent if form == "store" else file
    options = ["--init", "[10, 5, 3]"] if want.object == "bank" and form in JEPSEN else []
    batch.checked += 1
    out, said = run(batch, "convert", "-t", "hist", file)
    try:
        got = (hist.parse(out) or [hist.History()])
    except (ValueError, AssertionError, IndexError):
        got = []
    exact = form in TIMED
    if not want.ops:
        fine = len(got) == 1 and not got[0].ops
    else:
        got[0:1] = [with_object(got[0], want)] if got else []
        fine = len(got) == 1 and picture(got[0], exact) == picture(want, exact)
    if not fine:
        batch.fault(index, f"{form}: convert reads another history", f"-> {form}\n{text}-> hist\n{out}{said}")
        return
    if not want.ops:
        return
    try:
        truth = holds(want)
    except objects.TooHard:
        return
    model = "ser-strict" if want.object == "multi-register" else "lin"
    lines = run(batch, "check", "-m", model, "--json", *options, subject)[0].splitlines()
    records = [json.loads(line) for line in lines]
    if len(records) != 1 or records[0].get("verdict") != ("consistent" if truth else "violation"):
        batch.fault(index, f"{form}: not the verdict {truth}", f"-> {form}\n{text}-> {lines}\n")


def with_object(got, want):
    if got.object is None:
        got.headers = list(want.headers)
    return got
