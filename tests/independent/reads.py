# SPDX-License-Identifier: Apache-2.0
"""What a report says about reads that contradict each other, held against the operations it names.

The sentences follow "no linearization, ...:" and name lines, elements and strings. Whether the operations together have
no linearization is judged in claims.py; here, whether the reads have what the sentence says, and in that order.
"""
import re

from hist import take_value, tokens


def value(text):
    return take_value(tokens(text), 0)[0]


def precedes(a, b):
    return not a.pending and a.ret < b.call


def judge(history, line):
    """The fault of the sentence in this line, or None."""
    m = re.search(r" no linearization, [^:]*: (line \d+ has .*)$", line)
    if not m:
        return None
    told, by_line = m.group(1), {o.line: o for o in history.ops}

    def op(number):
        return by_line[int(number)]

    def has(number, element):
        return value(element) in op(number).result[1:]

    m = re.fullmatch(r"line (\d+) has (.+) twice", told)
    if m:
        return None if op(m[1]).result[1:].count(value(m[2])) > 1 else "it has it once"
    m = re.fullmatch(r"line (\d+) has (.+) and not (.+), although line (\d+) had returned before line (\d+) was called", told)
    if m:
        read, x, y, first, second = m.groups()
        right = has(read, x) and not has(read, y) and precedes(op(first), op(second))
        return None if right and list(op(first).args) == [value(y)] and list(op(second).args) == [value(x)] else "not so"
    m = re.fullmatch(r"line (\d+) has (.+) and not (.+), line (\d+) has (.+) and not (.+), but of two reads .*", told)
    if m:
        a, x, y, b, y_again, x_again = m.groups()
        right = has(a, x) and not has(a, y) and has(b, y_again) and not has(b, x_again)
        return None if right and (x, y) == (x_again, y_again) else "the reads agree"
    m = re.fullmatch(r"line (\d+) has (.+) and returned before line (\d+) was called, which has not", told)
    if m:
        right = has(m[1], m[2]) and not has(m[3], m[2]) and precedes(op(m[1]), op(m[3]))
        return None if right else "the later read has it, or is not later"
    m = re.fullmatch(r'line (\d+) has (".*"), line (\d+) has (".*"), and neither begins with the other', told)
    if m:
        x, y = op(m[1]).result, op(m[3]).result
        right = x == value(m[2]) and y == value(m[4]) and not text(x).startswith(text(y)) and not text(y).startswith(text(x))
        return None if right else "one begins with the other"
    m = re.fullmatch(r'line (\d+) has (".*"), line (\d+) has (".*"), which goes on with the piece of line (\d+); '
                     r"that had returned before line (\d+) was called", told)
    if m:
        old, grown, append = op(m[1]), op(m[3]), op(m[5])
        right = old.result == value(m[2]) and grown.result == value(m[4]) and m[6] == m[1] and precedes(append, old)
        piece = text(append.args[1])
        right = right and text(grown.result).startswith(text(old.result))
        return None if right and piece in text(grown.result) and piece not in text(old.result) else "it does not"
    return "a sentence that is not judged"


def text(v):
    return v[1]
