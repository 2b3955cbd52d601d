# SPDX-License-Identifier: Apache-2.0
"""Pages and pictures: well-formed, the same twice, names stay text, and the linearization that a page walks is one."""
import json
import re
import string
import xml.etree.ElementTree as tree

from claims import cut_at, equal_returns, holds, method
from objects import agrees, kind_of, precedence, starts

DIGITS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
FOREIGN = {"script", "img", "image", "foreignObject", "iframe", "b"}


def picture(text):
    """The faults of an SVG."""
    try:
        root = tree.fromstring(text)
    except tree.ParseError as fault:
        return [f"the SVG is not well-formed: {fault}"]
    faults = []
    for element in root.iter():
        if element.tag.rpartition("}")[2] in FOREIGN:
            faults.append(f"the SVG has an element {element.tag}")
        faults += [f"the SVG has an attribute {a}" for a in element.attrib if a.startswith("on") or "href" in a]
    return faults


def embedded(text):
    """The data of a page or an index."""
    return json.loads(re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', text, re.S).group(1))


def numbers(column):
    """A column of a page: a list, or differences in digits of 5 bits. A sixth bit says that more follow."""
    if isinstance(column, list):
        return column
    out, code, shift, last = [], 0, 0, 0
    for letter in column:
        digit = DIGITS.index(letter)
        code, shift = code + ((digit & 31) << shift), shift + 5
        if digit < 32:
            last += -(code + 1) // 2 if code % 2 else code // 2
            out.append(last)
            code = shift = 0
    return out


def markup(text):
    """The faults of a page: a name that became markup, a control character."""
    faults = [f"the page has {bad!r}" for bad in ("<script>alert", "<img", "\u001b", "\u202e") if bad in text]
    if text.count("<script") != text.count("</script>"):
        faults.append("the scripts of the page are not closed")
    return faults


def is_open(o, red):
    """Open when the red operation returns, so that it may return anything; None: there is no such operation."""
    return o.pending or (red is not None and (o is red or o.ret >= red.ret))


def legal(history, order, red):
    """The operations at these places are a legal sequence, each with its recorded result unless it is open."""
    name, step = kind_of(history.object)
    states = set(starts(history, history.object, history.ops))
    for i in order:
        o, m = history.ops[i], method(name, history.ops[i])
        free = is_open(o, red)
        states = {t for s in states for t, r in step(s, m, o.args) if free or agrees(name, m, o.result, r)}
    return bool(states)


def first_failure(history, red, kept):
    """The events until its return are linearizable without its result, not with it. Open calls may return anything."""
    cuts = [cut_at(history, red, kept, with_it) for with_it in (False, True)]
    for o in (o for cut in cuts for o in cut if o.pending):
        o.result = None
    return holds(history, cuts[0]) and not holds(history, cuts[1])


def walk(history, data):
    """The faults of the linearization of a page."""
    faults, before = [], precedence(history.ops)
    red = data.get("unexplained")
    red = None if red is None else history.ops[red]
    for order in [numbers(o["ops"]) for o in data["orders"]]:
        place = {i: k for k, i in enumerate(order)}
        if any(j in place and place[j] > place[i] for i in order for j in before[i]):
            faults.append("the linearization of the page contradicts happens-before")
        if len(data["orders"]) == 1 and not legal(history, order, red):
            faults.append("the linearization of the page is not legal")
    if data["verdict"] == "violation" and data["orders"]:
        if red is None:
            return faults + ["the page has a linearization, but no operation that it cannot explain"]
        if not any(first_failure(history, red, equal) for equal in equal_returns(history, red)):
            faults.append(f"the page calls {red} unexplained, but it is not the first one")
    return faults
