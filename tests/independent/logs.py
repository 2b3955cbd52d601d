# SPDX-License-Identifier: Apache-2.0
"""Histories as the logs of other tools have them, from docs/guides/formats.md alone: each function writes one format.

A history of hist.py is given, with times or with numbered events, and a generator of random numbers. What the page
says to be without meaning is thrown in: the order of columns and keys, white space, comments, metadata, failed calls,
reads without an answer, the nemesis. A function answers None where its format cannot say what the history says.
"""
import json
import re

from hist import show

READS = {"read", "get", "contains"}
WORD = re.compile(r"^(?:[A-Za-z0-9_.\-]|[^\x00-\x7f])+$")
INTEGER = re.compile(r"^-?(?:[0-9]+|0[xX][0-9a-fA-F]+)$")
JEPSEN = {"enq": "enqueue", "deq": "dequeue", "elements": "read", "balances": "read", "rmw": "cas"}


def is_word(text):
    return bool(WORD.match(text)) and not INTEGER.match(text)


def values_of(history):
    def within(v):
        if isinstance(v, tuple) and v[0] == "l":
            for w in v[1:]:
                yield from within(w)
        else:
            yield v
    for o in history.ops:
        for v in o.args + ((o.result,) if o.result is not None else ()):
            yield from within(v)


def events(history):
    """(time, operation, whether it returns), in the order of the log: a thread's return is before its next call."""
    out = []
    for o in history.ops:
        out.append((o.call, 0, o.order[0], o, False))
        if not o.pending:
            out.append((o.ret, 0, o.order[1], o, True))
    return [(e[0], e[3], e[4]) for e in sorted(out, key=lambda e: e[:3])]


def goes_on(history):
    """Whether a thread goes on after a call that never returned, as sessions of transactions may."""
    last = {o.thread: o for o in history.ops}
    return any(o.pending and o is not last[o.thread] for o in history.ops)


def numbered(history):
    """Whether no two events have one time: then their order says all."""
    times = [e[0] for e in events(history)]
    return len(set(times)) == len(times)


def finish(rng, lines, bom=True, cut=False):
    """Line ends and a byte order mark; where it is allowed, the last line may have no end."""
    end = rng.choice(["\n", "\n", "\r\n"])
    text = end.join(lines) + ("" if cut and rng.random() < 0.2 else end)
    return ("\ufeff" if bom and rng.random() < 0.1 else "") + text


# ---- .hist: operations, events, the dialect without brackets ----

def hist(history, rng):
    lines = [f"# @{k} {t}" for k, t in history.headers]
    rest = {}
    for o in history.ops:
        rest.setdefault(o.thread, []).append(o)
    while rest:
        o = rest[t := rng.choice(sorted(rest))].pop(0)
        if not rest[t]:
            del rest[t]
        name = (o.obj + "." if o.obj else "") + o.method
        arguments = [show(a) for a in o.args]
        if o.method == "txn":
            arguments = [" ".join(arguments[i:i + 3]) for i in range(0, len(arguments), 3)]
        call = name if not o.args and rng.random() < 0.3 else f"{name}({', '.join(arguments)})"
        result = "" if o.result is None else f" => {show(o.result)}"
        if o.pending and rng.random() < 0.5:
            result = " => ?"
        blank = rng.choice(["", " ", "\t"])
        lines.append(f"{o.thread}{blank}: {call}{result} @ {o.call}..{'' if o.pending else o.ret}"
                     + rng.choice(["", "", " # note", "#"]))
        if rng.random() < 0.1:
            lines.append(rng.choice(["", "# a comment", "  "]))
    return finish(rng, lines)


def hist_events(history, rng, dialect=False):
    if not numbered(history) or goes_on(history) or any(o.result == ("w", "abort") for o in history.ops):
        return None
    lines = [f"@{k} {t}" for k, t in history.headers if k != "ids"]
    for _, o, returns in events(history):
        name = (o.obj + "." if o.obj else "") + o.method
        result = "" if o.result is None else " " + show(o.result)
        if dialect and o.result == ("w", "empty"):
            result = ""
        arguments = " " + " ".join(map(show, o.args)) if dialect and o.args else f"({', '.join(map(show, o.args))})"
        if returns:
            lines.append(f"[{o.thread}] return{result}")
        else:
            lines.append(f"[{o.thread}] call {name}{'' if dialect and not o.args else arguments}")
    return finish(rng, lines)


def dialect(history, rng):
    if history.object not in ("queue", "stack") or not any(o.args for o in history.ops):
        return None  # nothing shows that it is the dialect
    return hist_events(history, rng, True)


# ---- JSON ----

def json_value(v, rng):
    if isinstance(v, int):
        return v
    if v[0] == "?":
        return {}
    if v[0] == "l":
        return [json_value(w, rng) for w in v[1:]]
    if v[0] == "s":
        return {"string": v[1]} if is_word(v[1]) or rng.random() < 0.3 else v[1]
    return {"true": True, "false": False, "null": None}.get(v[1], v[1]) if rng.random() < 0.5 else v[1]


def shuffled(rng, fields):
    items = list(fields.items())
    if rng.random() < 0.5:
        rng.shuffle(items)
    if rng.random() < 0.2:
        items.insert(rng.randrange(len(items) + 1), ("note", {"deep": [1, {"x": "}]\""}], "u": 1.5e3}))
    return dict(items)


def thread_name(thread, rng):
    return int(thread) if thread.isdigit() and thread == str(int(thread)) and rng.random() < 0.5 else thread


def json_header(history):
    return [{"type": "header", "key": k, "value": t} for k, t in history.headers]


def json_operations(history, rng):
    out = json_header(history)
    for o in history.ops:
        fields = {"thread" if rng.random() < 0.8 else "id": thread_name(o.thread, rng), "method": o.method}
        if o.obj:
            fields["object"] = o.obj
        if o.args or rng.random() < 0.3:
            fields["args"] = [json_value(a, rng) for a in o.args]
        if o.result is not None:
            fields["result" if rng.random() < 0.8 else "value"] = json_value(o.result, rng)
        fields["call"] = o.call
        if not o.pending:
            fields["return"] = o.ret
        elif rng.random() < 0.5:
            fields["pending"] = True
        if rng.random() < 0.2:
            fields["type"] = "operation"
        out.append(shuffled(rng, fields))
    return out


def json_events(history, rng):
    if goes_on(history) or any(o.result == ("w", "abort") for o in history.ops):
        return None
    timed = not numbered(history) or rng.random() < 0.5
    out = json_header(history)
    for time, o, returns in events(history):
        fields = {"type": "return" if returns else "call", "thread": thread_name(o.thread, rng)}
        if not returns:
            fields["method"] = o.method
            if o.obj:
                fields["object"] = o.obj
            if o.args:
                fields["args"] = [json_value(a, rng) for a in o.args]
        elif o.result is not None:
            fields["result" if rng.random() < 0.8 else "value"] = json_value(o.result, rng)
        if timed:
            fields["time"] = time
        out.append(shuffled(rng, fields))
    return out


def lines_of(objects, rng):
    if objects is None:
        return None
    return finish(rng, [json.dumps(o, ensure_ascii=rng.random() < 0.5) for o in objects], cut=True)


def array_of(objects, rng):
    if objects is None:
        return None
    text = json.dumps(objects, ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, 1, 4]))
    return finish(rng, [text], cut=True)


# ---- tables ----

COLUMNS = {"thread": ["thread", "process", "client", "session"], "method": ["method", "operation", "op", "function"],
           "arguments": ["arguments", "argument", "args"], "result": ["result", "response"],
           "call": ["call", "start", "invoke"], "return": ["return", "end", "complete"], "object": ["object"]}


def csv(history, rng):
    separator = rng.choice([",", ",", ";", "\t"])
    columns = [c for c in COLUMNS if c != "object" or any(o.obj for o in history.ops)]
    if rng.random() < 0.5:
        rng.shuffle(columns)

    def cell(text):
        if re.search(r'[",;\t\n\r]', text) or rng.random() < 0.1:
            return '"' + text.replace('"', '""') + '"'
        return text

    names = [rng.choice(COLUMNS[c]) for c in columns]
    style = rng.choice([str, str, str.upper, str.capitalize])
    lines = [f"# @{k} {t}" for k, t in history.headers] + [separator.join(map(cell, map(style, names)))]
    for o in history.ops:
        between = rng.choice([" ", ", ", ";"])
        row = {"thread": o.thread, "method": o.method, "arguments": between.join(map(show, o.args)),
               "result": "" if o.result is None else show(o.result), "call": str(o.call), "object": o.obj or "",
               "return": "" if o.pending else str(o.ret)}
        if o.pending and rng.random() < 0.3:
            row["result"] = "?"
        lines.append(separator.join(cell(row[c]) for c in columns))
        if rng.random() < 0.1:
            lines.append("# a comment")
    return finish(rng, lines)


# ---- Jepsen: EDN, history.txt, JSON ----

def edn_value(v, rng):
    """In the notation of Clojure; words are keywords or symbols, but for those that mean themselves."""
    if v is None:
        return "nil"
    if isinstance(v, int):
        return str(v)
    if v[0] == "l":
        return "[" + rng.choice([" ", ", "]).join(edn_value(w, rng) for w in v[1:]) + "]"
    if v[0] == "s":
        text = v[1].replace("\\", "\\\\").replace('"', '\\"')
        if rng.random() < 0.5:
            text = text.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
            text = re.sub(r"[\u0080-\uffff]", lambda m: f"\\u{ord(m.group()):04x}", text)
        return f'"{text}"'
    if v[1] in ("nil", "true", "false"):
        return v[1]
    return v[1] if rng.random() < 0.3 and v[1][0].isalpha() else ":" + v[1]


class Raw(str):
    """Text that is EDN already."""


def to_edn(v, rng):
    return v if isinstance(v, Raw) else edn_value(v, rng)


def process_of(thread):
    return int(thread.split(".")[0])


def edn_process(process):
    return str(process) if isinstance(process, int) else ":" + process[1]


def jepsen_events(history, rng):
    """Events (process, type, function, value, key, time), or None."""
    kind, out = history.object, []
    tagged = rng.choice(["#clojure.lang.MapEntry ", "#jepsen.independent/tuple ", ""])
    if kind not in ("register", "cas-register", "memory", "append-map", "set", "counter", "bank", "queue", "stack",
                    "multi-register", "lock", "semaphore(1)") or any(o.obj for o in history.ops):
        return None
    if kind in ("register", "cas-register", "memory", "multi-register") and ("init", "nil") not in history.headers:
        return None
    if any(re.search("[A-Za-z]", o.thread) for o in history.ops):
        return None
    told_by = {"counter": "add", "bank": "transfer"}.get(kind)  # reads alone could be those of another object
    if told_by and not any(o.method == told_by for o in history.ops):
        return None
    for v in values_of(history):
        if isinstance(v, tuple) and v[0] == "w" and not re.match(r"^[A-Za-z][A-Za-z0-9_-]*$", v[1]):
            return None
    for time, o, returns in events(history):
        f, key, args = JEPSEN.get(o.method, o.method), None, list(o.args)
        if kind == "counter" and f == "get":
            f = "read"
        if o.result == ("w", "false") and f == "cas":
            return None
        if kind == "append-map":
            key = args.pop(0)
        if o.method == "txn":
            if o.result == ("w", "abort"):
                kind_of_event = "fail"
            else:
                kind_of_event = "ok"
            rows = []
            for i in range(0, len(args), 3):
                what, x, v = args[i][1], args[i + 1], args[i + 2]
                if what == "r" and (not returns or kind_of_event == "fail" or v == ("?",)):
                    v = None
                elif what == "r" and v == ("l",) and rng.random() < 0.5:
                    v = None if any(b[1] == "append" and c == x for p in history.ops
                                    for b, c in zip(p.args[::3], p.args[1::3])) else v
                rows.append(f"[:{what} {edn_value(x, rng)} {edn_value(v, rng)}]")
            out.append((process_of(o.thread), kind_of_event if returns else "invoke", "txn",
                        Raw("[" + " ".join(rows) + "]"), None, time))
            continue
        if f == "transfer":
            value = Raw("{:from %d, :to %d, :amount %d}" % tuple(args))
        elif f == "cas":
            k = [args.pop(0)] if kind == "memory" else []
            value = ("l", *k, ("l", *args)) if k else ("l", *args)
        elif kind == "memory":
            value = ("l", args[0], args[1] if f == "write" else ("w", "nil"))
        else:
            value = args[0] if args else None
        if returns and o.result is not None:
            if f == "read" and kind == "memory":
                value = ("l", args[0], o.result)
            elif f in ("enqueue", "push", "cas", "transfer", "write") or kind == "counter" and f == "add":
                pass
            elif o.result == ("w", "empty"):
                value = None
            else:
                value = o.result
            if isinstance(value, tuple) and value[0] == "l" and f == "read":
                if kind == "set" and rng.random() < 0.5 and len(set(value[1:])) == len(value) - 1:
                    value = Raw("#{" + edn_value(value, rng)[1:-1] + "}")
                elif kind == "bank" and rng.random() < 0.5:
                    value = Raw("{" + ", ".join(f"{i} {n}" for i, n in enumerate(value[1:])) + "}")
        if kind == "memory":
            value = Raw(tagged + edn_value(value, rng))
        out.append((process_of(o.thread), "ok" if returns else "invoke", f, value, key, time))
    return noise(history, rng, given_up(out), tagged)


def given_up(out):
    """A process that goes on has said that it does not know what became of its call."""
    still, whole = {}, []
    for event in out:
        process, kind = event[:2]
        if kind != "invoke":
            del still[process]
        elif process in still:
            whole.append((process, "info") + still[process] + event[5:])
        if kind == "invoke":
            still[process] = event[2:5]
        whole.append(event)
    return whole


def noise(history, rng, out, tagged):
    """Failed calls, reads that nobody answered, outcomes that are said to be unknown, and the nemesis."""
    f = {"queue": "enqueue", "stack": "push", "set": "add", "counter": "add", "register": "write",
         "cas-register": "write", "memory": "write", "append-map": "put"}.get(history.object)
    keyed = history.object == "memory"
    key = ("s", "k") if history.object == "append-map" else None
    unique = 90
    for _ in range(rng.choice([0, 0, 1, 2])):
        at = rng.randrange(len(out) + 1)
        time = out[at - 1][5] if at else 0
        what = rng.randrange(4)
        unique += 1
        if what == 0:
            out.insert(at, (("w", "nemesis"), "info", "start", None, None, time))
        elif what == 1 and f:
            value = ("s", "zz") if key else 77
            value = Raw(tagged + f"[1 {value}]") if keyed else value
            out[at:at] = [(unique, "invoke", f, value, key, time), (unique, "fail", f, value, key, time)]
        elif what == 2 and history.object in ("register", "cas-register", "memory"):
            value = Raw(tagged + "[1 nil]") if keyed else None
            events_of_it = [(unique, "invoke", "read", value, None, time)]
            answer = rng.choice([None, "info", "fail", "ok"])
            if answer:
                events_of_it.append((unique, answer, "read", value, None, time))
            out[at:at] = events_of_it
        else:
            said = [i for i, e in enumerate(out) if e[1] == "invoke" and e[2] != "txn" and not keyed]
            for i in said[:1]:
                rest = [e for e in out[i + 1:] if e[0] == out[i][0]]
                if not rest:
                    out.append((out[i][0], "info", out[i][2], out[i][3], out[i][4], out[-1][5]))
    return out


def edn_map(event, rng, timed, index):
    process, kind, f, value, key, time = event
    fields = [("process", edn_process(process)), ("type", f":{kind}"), ("f", f":{f}")]
    if value is not None or rng.random() < 0.7:
        fields.append(("value", to_edn(value, rng)))
    if key is not None:
        fields.append(("key", to_edn(key, rng)))
    if timed:
        fields.append(("time", str(time)))
    if rng.random() < 0.2:
        fields.append(("index", str(index)))
    if rng.random() < 0.1:
        said = [":timeout", '["}" {:a #{1}}]', "\\a", "\\newline", '#inst "2020-01-01"']
        fields.append(("error", rng.choice(said)))
    if rng.random() < 0.5:
        rng.shuffle(fields)
    comma = rng.choice([", ", " ", " , "])
    before = rng.choice(["", "", "", "#jepsen.history.Op ", "#jepsen.history.Op", "^{:line 1} ", "#_ {:process 5} "])
    return before + "{" + comma.join(f":{k} {v}" for k, v in fields) + "}"


def edn(history, rng):
    found = jepsen_events(history, rng)
    if found is None:
        return None
    timed = not numbered(history) or rng.random() < 0.5
    maps = [edn_map(e, rng, timed, i) for i, e in enumerate(found)]
    if rng.random() < 0.2 and maps:
        maps.insert(rng.randrange(len(maps)), "; a comment {")
    form = rng.choice(["vector", "list", "bare"])
    if form == "bare":
        return finish(rng, maps, cut=True)
    left, right = "[]" if form == "vector" else "()"
    tag = rng.choice(["", "", "#jepsen.history/history "])
    return finish(rng, [tag + left + (maps[0] if maps else "")] + maps[1:] + [right], cut=True)


def history_txt(history, rng):
    found = jepsen_events(history, rng)
    if not found or not numbered(history) or any(e[4] is not None for e in found):
        return None
    lines = []
    for process, kind, f, value, _, _ in found:
        text = to_edn(value, rng)
        if "\n" in text or "\r" in text or "\t" in text:
            return None
        error = "\t:timeout" if kind in ("info", "fail") and rng.random() < 0.5 else ""
        lines.append(f"{edn_process(process)}\t:{kind}\t:{f}\t{text}{error}")
    return finish(rng, lines)


def jepsen_json(history, rng):
    """Only what JSON tells apart: strings that could be words are words there."""
    if any(isinstance(v, tuple) and v[0] == "s" and is_word(v[1]) for v in values_of(history)):
        return None
    if history.object not in ("register", "cas-register", "queue", "stack", "counter"):
        return None
    found = jepsen_events(history, rng)
    if found is None:
        return None
    timed = not numbered(history) or rng.random() < 0.5

    def plain(v):
        if v is None or v == ("w", "nil"):
            return None
        if isinstance(v, int):
            return v
        if v[0] == "l":
            return [plain(w) for w in v[1:]]
        return {"true": True, "false": False}.get(v[1], v[1])

    objects = []
    for process, kind, f, value, _, time in found:
        fields = {"process": plain(process), "type": kind, "f": f, "value": plain(value)}
        if timed:
            fields["time"] = time
        objects.append(fields)
    if not objects:
        return None
    return (array_of if rng.random() < 0.5 else lines_of)(objects, rng)


def jepsen_log(history, rng):
    if history.object not in ("register", "cas-register") or not numbered(history) or not history.ops:
        return None
    if ("init", "nil") not in history.headers or any("." in o.thread for o in history.ops):
        return None
    lines = []
    for v in values_of(history):
        if not isinstance(v, int) and v[1] not in ("true", "false", "nil"):
            return None
    for _, o, returns in events(history):
        value = edn_value(("l",) + o.args if o.method == "cas" else o.args[0] if o.args else None, rng)
        kind = "ok" if returns else "invoke"
        if returns and o.method == "read":
            value = edn_value(o.result, rng)
        if returns and o.result == ("w", "false"):
            kind = "fail"
        lines.append(f"INFO  jepsen.util - {o.thread}\t:{kind}\t:{o.method}\t{value}")
    return finish(rng, ["INFO  jepsen.core - Running test"] + lines, bom=False)


def set_log(history, rng):
    if history.object != "set" or not numbered(history) or any("." in o.thread for o in history.ops):
        return None
    if not history.ops or any(o.method == "elements" or (o.result is None and not o.pending) for o in history.ops):
        return None
    if any(not isinstance(a, int) for o in history.ops for a in o.args):
        return None
    return finish(rng, [f"{o.thread} returns {show(o.result)}" if returns else
                        f"{o.thread} invokes {o.method} {show(o.args[0])}" for _, o, returns in events(history)])


def kv_log(history, rng):
    if history.object != "append-map" or not numbered(history) or not history.ops:
        return None
    lines = []
    for process, kind, f, value, key, _ in jepsen_events(history, rng) or []:
        value, key = to_edn(value, rng), to_edn(key, rng)
        if not isinstance(process, int) or "\n" in value + key or "\r" in value + key:
            return None
        lines.append(f"{{:process {process}, :type :{kind}, :f :{f}, :key {key}, :value {value}}}")
    return finish(rng, lines, bom=False, cut=True) if lines else None


# name of the format: how it is written, what the file is called
FORMATS = {
    "hist": (hist, "run.hist"),
    "hist events": (hist_events, "run.hist"),
    "dialect": (dialect, "run.hist"),
    "jsonl": (lambda h, rng: lines_of(json_operations(h, rng), rng), "run.jsonl"),
    "jsonl events": (lambda h, rng: lines_of(json_events(h, rng), rng), "run.jsonl"),
    "array": (lambda h, rng: array_of(json_operations(h, rng), rng), "run.json"),
    "array of events": (lambda h, rng: array_of(json_events(h, rng), rng), "run.json"),
    "csv": (csv, "run.csv"),
    "edn": (edn, "run.edn"),
    "store": (edn, "test/history.edn"),
    "history.txt": (history_txt, "history.txt"),
    "jepsen json": (jepsen_json, "run.json"),
    "jepsen-log": (jepsen_log, "run.log"),
    "set-log": (set_log, "run.log"),
    "kv-log": (kv_log, "run.log"),
}
