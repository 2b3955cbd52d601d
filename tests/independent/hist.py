# SPDX-License-Identifier: Apache-2.0
"""The .hist text format, read from docs/guides/formats.md alone: operation form, event form, transactions, headers.

Values keep their kinds apart, since 1, "1" and one are three values: an integer is an int, a word is ('w', text),
a string ('s', text), a list ('l', element, ...).
"""
import json
import re


class Op:
    """One operation. A result of None was not recorded; a pending operation has no return time."""

    def __init__(self, index, thread, obj, method, args, line):
        self.index, self.thread, self.obj, self.method, self.args, self.line = index, thread, obj, method, args, line
        self.result, self.pending = None, False
        self.call = self.ret = None
        self.after = {}
        self.text = ""

    def __repr__(self):
        return f"<{self.index}: {self.text}>"


class History:
    def __init__(self):
        self.ops, self.headers = [], []

    def header(self, key):
        return [text for k, text in self.headers if k == key]

    @property
    def object(self):
        named = [t for t in self.header("object") if " " not in t.strip()]
        return named[0].strip() if named else None


TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|=>|\.\.|[\[\](),:@?=#]|(?:(?!\.\.)[A-Za-z0-9_.\-]|[^\x00-\x7f])+)')
INTEGER = re.compile(r"^-?[0-9]+$")
HEX = re.compile(r"^(-?)0[xX]([0-9a-fA-F]+)$")


def tokens(text):
    out, at = [], 0
    while at < len(text):
        if text[at:].strip() == "":
            break
        m = TOKEN.match(text, at)
        if not m:
            raise ValueError(f"cannot read {text[at:]!r}")
        if m.group(1) == "#":
            break
        out.append(m.group(1))
        at = m.end()
    return out


def value(token):
    if token.startswith('"'):
        return ("s", json.loads(token))
    if INTEGER.match(token):
        return int(token)
    m = HEX.match(token)
    if m:
        n = int(m.group(2), 16)
        n = n - (1 << 64) if n >= 1 << 63 else n
        return -n if m.group(1) else n
    return ("w", token)


def take_value(ts, at):
    if ts[at] == "?":
        return ("?",), at + 1
    if ts[at] != "[":
        return value(ts[at]), at + 1
    items, at = [], at + 1
    while ts[at] != "]":
        if ts[at] == ",":
            at += 1
            continue
        v, at = take_value(ts, at)
        items.append(v)
    return ("l",) + tuple(items), at + 1


def split_method(word):
    obj, dot, method = word.rpartition(".")
    return (obj, method) if dot else (None, word)


def take_call(ts, at):
    obj, method = split_method(ts[at])
    at += 1
    args = []
    if at < len(ts) and ts[at] == "(":
        at += 1
        while ts[at] != ")":
            if ts[at] == ",":
                at += 1
                continue
            v, at = take_value(ts, at)
            args.append(v)
        at += 1
    return obj, method, tuple(args), at


def read_operation(history, text, number):
    ts = tokens(text)
    thread = ts[0]
    assert ts[1] == ":", text
    obj, method, args, at = take_call(ts, 2)
    op = Op(len(history.ops), thread, obj, method, args, number)
    if at < len(ts) and ts[at] == "=>":
        if ts[at + 1] == "?":
            op.pending, at = True, at + 2
        else:
            op.result, at = take_value(ts, at + 1)
    if at < len(ts) and ts[at] == "@":
        if ts[at + 1] == "after":
            for i in range(at + 2, len(ts), 3):
                op.after[ts[i]] = int(ts[i + 2])
        else:
            op.call = int(ts[at + 1])
            assert ts[at + 2] == "..", ts
            if at + 3 < len(ts):
                op.ret = int(ts[at + 3])
            else:
                op.pending = True
    op.text = text.split("  # line")[0].strip()
    history.ops.append(op)


def read_event(history, text, number, state):
    ts = tokens(text)
    ident = ts[1]
    state["clock"] += 1
    if ts[3] == "call":
        obj, method, args, _ = take_call(ts, 4)
        op = Op(len(history.ops), ident, obj, method, args, number)
        op.call, op.pending, op.text = state["clock"], True, text
        state["open"][ident] = op
        history.ops.append(op)
    else:
        op = state["open"].pop(ident)
        op.pending, op.ret = False, state["clock"]
        if len(ts) > 4:
            op.result, _ = take_value(ts, 4)


def parse(text):
    """All histories of a text."""
    out, history, state = [], History(), {"clock": 0, "open": {}}
    seen = False

    def finish():
        if seen:
            out.append(history)

    for number, line in enumerate(re.split("\r?\n", text), 1):
        stripped = line.strip()
        m = re.match(r"^(?:#\s*)?@([A-Za-z0-9_-]+)\s*(.*)$", stripped)
        if stripped == "---":
            finish()
            history, state, seen = History(), {"clock": 0, "open": {}}, False
        elif m:
            history.headers.append((m.group(1), m.group(2)))
            seen = True
        elif not stripped or stripped.startswith("#"):
            continue
        elif stripped.startswith("["):
            read_event(history, stripped, number, state)
            seen = True
        else:
            read_operation(history, stripped, number)
            seen = True
    finish()
    return out


def initial(history):
    """(initial values by name, the value of all others or None). The value ('?',) stands for any."""
    named, default = {}, None
    for text in history.header("init"):
        ts, at = tokens(text), 0
        while at < len(ts):
            v, at = take_value(ts, at)
            if at < len(ts) and ts[at] == "=":
                w, at = take_value(ts, at + 1)
                named[v] = w
            else:
                default = v
            if at < len(ts) and ts[at] == ",":
                at += 1
    return named, default


def show(v):
    if isinstance(v, int):
        return str(v)
    if v[0] == "w":
        return v[1]
    if v[0] == "s":
        return json.dumps(v[1], ensure_ascii=False)
    if v[0] == "?":
        return "?"
    return "[" + " ".join(show(x) for x in v[1:]) + "]"


def show_operation(o):
    if o.method == "txn":
        args = ", ".join(" ".join(show(x) for x in o.args[i:i + 3]) for i in range(0, len(o.args), 3))
    else:
        args = ", ".join(show(x) for x in o.args)
    out = f"{o.thread}: {o.obj + '.' if o.obj else ''}{o.method}({args})"
    if o.pending and o.call is None:
        out += " => ?"
    elif o.result is not None and not o.pending:
        out += f" => {show(o.result)}"
    if o.call is not None:
        return out + f" @ {o.call}..{'' if o.ret is None else o.ret}"
    return out + " @ after" + "".join(f" {t}:{n}" for t, n in o.after.items())


def write(history, knowledge):
    """The history as text again; knowledge: operations without times have `@ after`."""
    lines = [f"# @{k} {v}" for k, v in history.headers]
    for o in history.ops:
        line = show_operation(o)
        lines.append(line if knowledge else line.removesuffix(" @ after"))
    return "\n".join(lines) + "\n"
