#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Litmus tests of X86 against two machines: litmus.py ASSAY COUNT [SEED]

Random programs of stores, loads, exchanges and fences run on a machine with store buffers, and on one without. Both
machines are explored exhaustively. The outcome of the condition is reachable with buffers iff the program calls it
consistent with tso, and reachable without them iff it is consistent with sc. Recheck accepts every proof. Then come
faulty files: none has a verdict, each message has line and column, and no proper beginning of a file is judged.

The machine: a store enters the buffer of its thread, and leaves the oldest end at any time. A load takes the youngest
store of its variable in the own buffer, else the memory. A fence and an exchange wait for an empty buffer.
"""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

REGISTERS = ["EAX", "EBX", "ECX"]
SHOWN = 5  # faults that are printed with their tests

FAULTY = {
    "forall": "X86 A\n{ x=1; }\n P0 ;\n MOV EAX,[x] ;\nforall (0:EAX=1)\n",
    "disjunction": "X86 A\n{ x=1; }\n P0 ;\n MOV EAX,[x] ;\nexists (0:EAX=1 \\/ 0:EAX=2)\n",
    "negation": "X86 A\n{ x=1; }\n P0 ;\n MOV EAX,[x] ;\nexists (not (0:EAX=1))\n",
    "inequation": "X86 A\n{ x=1; }\n P0 ;\n MOV EAX,[x] ;\nexists (0:EAX<>1)\n",
    "no condition": "X86 A\n{ x=1; }\n P0 ;\n MOV EAX,[x] ;\n",
    "two conditions": "X86 A\n{ x=1; }\n P0 ;\n MOV EAX,[x] ;\nexists (0:EAX=1)\nexists (0:EAX=2)\n",
    "contradiction": "X86 A\n{ x=1; }\n P0 ;\n MOV EAX,[x] ;\nexists (x=1 /\\ x=2)\n",
    "no such thread": "X86 A\n{ x=1; }\n P0 ;\n MOV EAX,[x] ;\nexists (3:EAX=1)\n",
    "instruction": "X86 A\n{ x=1; }\n P0 ;\n INC [x] ;\nexists (x=2)\n",
    "label": "X86 A\n{ x=1; }\n P0 ;\n L0: MOV EAX,[x] ;\nexists (0:EAX=1)\n",
    "two addresses": "X86 A\n{ x=1; }\n P0 ;\n MOV [x],[y] ;\nexists (x=0)\n",
    "architecture": "AArch64 A\n{ x=1; }\n P0 ;\n LDR W0,[X1] ;\nexists (x=1)\n",
    "a column too many": "X86 A\n{ x=1; }\n P0 ;\n MOV EAX,[x] | MOV EAX,[x] ;\nexists (0:EAX=1)\n",
    "thread twice": "X86 A\n{ x=1; }\n P0 | P0 ;\n MOV EAX,[x] | MOV EAX,[x] ;\nexists (0:EAX=1)\n",
    "initial value twice": "X86 A\n{ x=1; x=2; }\n P0 ;\n MOV EAX,[x] ;\nexists (0:EAX=1)\n",
    "large number": "X86 A\n{ x=99999999999999999999; }\n P0 ;\n MOV EAX,[x] ;\nexists (0:EAX=1)\n",
    "text behind": "X86 A\n{ x=1; }\n P0 ;\n MOV EAX,[x] ;\nexists (0:EAX=1) more\n",
    "filter": "X86 A\n{ x=1; }\n P0 ;\n MOV EAX,[x] ;\nfilter (x=1)\nexists (0:EAX=1)\n",
}


def outcomes(threads, memory, registers, buffered):
    """All final states: pairs of the registers of each thread, and of the memory."""
    count = len(threads)
    start = ((0,) * count, tuple(frozenset(r.items()) for r in registers), ((),) * count, frozenset(memory.items()))
    seen, work, final = {start}, [start], set()
    while work:
        state = work.pop()
        at, _, buffers, _ = state
        if all(at[t] == len(threads[t]) for t in range(count)) and not any(buffers):
            final.add((state[1], state[3]))
        for t in range(count):
            for after in drain(state, t) + execute(state, t, threads[t], buffered):
                if after not in seen:
                    seen.add(after)
                    work.append(after)
    return final


def put(row, place, item):
    return row[:place] + (item,) + row[place + 1:]


def drain(state, t):
    at, registers, buffers, memory = state
    if not buffers[t]:
        return []
    variable, value = buffers[t][0]
    return [(at, registers, put(buffers, t, buffers[t][1:]), frozenset({**dict(memory), variable: value}.items()))]


def execute(state, t, program, buffered):
    at, registers, buffers, memory = state
    if at[t] == len(program):
        return []
    own, cells, queue = dict(registers[t]), dict(memory), buffers[t]
    name, *operands = program[at[t]]
    if name in ("fence", "exchange") and queue:
        return []
    if name == "load":
        register, variable = operands
        stored = [value for where, value in queue if where == variable]
        own[register] = stored[-1] if stored else cells[variable]
    elif name == "store":
        variable, value = operands
        value = own.get(value, value)
        if buffered:
            queue += ((variable, value),)
        else:
            cells[variable] = value
    elif name == "set":
        own[operands[0]] = operands[1]
    elif name == "exchange":
        variable, register = operands
        own[register], cells[variable] = cells[variable], own[register]
    return [(put(at, t, at[t] + 1), put(registers, t, frozenset(own.items())), put(buffers, t, queue),
             frozenset(cells.items()))]


def program(rng, variables, known, most):
    """One thread. The register of a store or an exchange holds a known value."""
    made, known = [], set(known)
    for _ in range(rng.randint(1, most)):
        name = rng.choices(["load", "store", "set", "exchange", "fence"], [6, 6, 1, 2, 1])[0]
        variable, register = rng.choice(variables), rng.choice(REGISTERS)
        if name == "load":
            made.append((name, register, variable))
            known.discard(register)
        elif name == "store":
            made.append((name, variable, rng.choice([1, 2, 3, *sorted(known)])))
        elif name == "set":
            made.append((name, register, rng.randint(0, 3)))
            known.add(register)
        elif name == "fence":
            made.append((name,))
        elif known:
            register = rng.choice(sorted(known))
            made.append((name, variable, register))
            known.discard(register)
    return made


def written(instruction, rng):
    name, *o = instruction
    if name == "load":
        return f"MOV {o[0]},[{o[1]}]"
    if name == "store":
        return f"MOV [{o[0]}]," + (o[1] if isinstance(o[1], str) else f"${o[1]}")
    if name == "set":
        return f"MOV {o[0]},${o[1]}"
    if name == "fence":
        return "MFENCE"
    return f"XCHG [{o[0]}],{o[1]}" if rng.random() < 0.5 else f"XCHG {o[1]},[{o[0]}]"


def value_of(outcome, name):
    registers, memory = outcome
    return dict(memory)[name] if isinstance(name, str) else dict(registers[name[0]])[name[1]]


def litmus_test(rng):
    """A test, and whether its outcome is reachable without buffers, and with them."""
    variables = ["x", "y", "z"][:rng.randint(1, 3)]
    memory = {v: rng.choice([0, 0, 0, 1, 2]) for v in variables}
    registers = [{r: rng.randint(0, 3) for r in REGISTERS if rng.random() < 0.1} for _ in range(rng.randint(2, 4))]
    threads = [program(rng, variables, known, 4 if len(registers) < 4 else 3) for known in registers]
    plain, buffered = (outcomes(threads, memory, registers, b) for b in (False, True))
    names = sorted({(t, i[2] if i[0] == "exchange" else i[1]) for t, thread in enumerate(threads)
                    for i in thread if i[0] in ("load", "set", "exchange")})
    names = [n for n in names if rng.random() < 0.9] + [v for v in variables if rng.random() < 0.4]
    if not names:
        names = variables[:1]
    shown = [sorted({tuple(value_of(o, n) for n in names) for o in some}) for some in (plain, buffered)]
    weak = [o for o in shown[1] if o not in shown[0]]
    chosen = list(rng.choice(weak if weak and rng.random() < 0.6 else shown[1]))
    if rng.random() < 0.4:
        chosen[rng.randrange(len(chosen))] = rng.randint(0, 3)
    equations = [f"{n}={v}" if isinstance(n, str) else f"{n[0]}:{n[1]}={v}" for n, v in zip(names, chosen)]
    rng.shuffle(equations)
    state = [f"{v}={memory[v]};" for v in variables if memory[v] or rng.random() < 0.5]
    state += [f"{t}:{r}={v};" for t, some in enumerate(registers) for r, v in some.items()]
    rows = [" | ".join(f"P{t}" for t in range(len(threads)))]
    for row in range(max(map(len, threads))):
        rows.append(" | ".join(written(thread[row], rng) if row < len(thread) else "" for thread in threads))
    text = f"X86 T\n{{ {' '.join(state)} }}\n" + "".join(f" {row} ;\n" for row in rows)
    text += rng.choice(["exists", "~exists"]) + " (" + " /\\ ".join(equations) + ")\n"
    return text, [tuple(chosen) in some for some in shown]


class Run:
    def __init__(self, assay, folder):
        self.assay, self.folder, self.faults, self.checked = assay, pathlib.Path(folder), 0, 0

    def __call__(self, *arguments):
        done = subprocess.run([self.assay, *map(str, arguments)], capture_output=True, text=True, errors="replace")
        return done.returncode, done.stdout, done.stderr

    def fault(self, text, test):
        self.faults += 1
        print(text if self.faults > SHOWN else f"{text}\n{test}")

    def judge(self, tests):
        tested = self.folder / "tests"
        tested.mkdir()
        for number, (text, _) in enumerate(tests):
            (tested / f"{number:05}.litmus").write_text(text)
        proofs = self.folder / "proofs.jsonl"
        out = self("check", "-m", "sc,tso", "--json", "--evidence", proofs, tested)[1]
        found = {}
        for record in map(json.loads, out.splitlines()):
            found[int(pathlib.Path(record["file"]).stem), record["model"]] = record
        for number, (text, reachable) in enumerate(tests):
            error = found.get((number, None), {}).get("error", "")
            if "no execution has this outcome" in error and not any(reachable):
                continue  # a constant decides it before any model does
            if re.search(r"the condition does not say which( value)?$", error):
                continue  # the condition names no value that an exchange read: no single outcome
            for model, want in zip(("sc", "tso"), reachable):
                self.checked += 1
                said = found.get((number, model), {}).get("verdict", found.get((number, None)))
                if said != ("consistent" if want else "violation"):
                    self.fault(f"{model}: {said}, but the machine {'reaches' if want else 'never reaches'} it", text)
        for line in self("recheck", tested, proofs)[1].splitlines():
            if "accepted" not in line:
                self.fault(f"recheck: {line}", "")

    def refused(self, why, text):
        self.checked += 1
        file = self.folder / "faulty.litmus"
        file.write_text(text)
        status, out, said = self("check", "-m", "sc", file)
        if status != 2 or out or not re.search(r"faulty\.litmus:\d+:\d+: ", said):
            self.fault(f"{why}: status {status}, {out}{said}", text)


def main():
    assay, count = sys.argv[1], int(sys.argv[2])
    seed = sys.argv[3] if len(sys.argv) > 3 else "1"
    rng = random.Random(f"litmus {seed}")
    with tempfile.TemporaryDirectory() as folder:
        run = Run(assay, folder)
        tests = [litmus_test(rng) for _ in range(count)]
        run.judge(tests)
        for why, text in FAULTY.items():
            run.refused(why, text)
        for text, _ in tests[:20]:
            run.refused("a cut file", text[:rng.randrange(1, len(text) - 2)])
    print(f"litmus: seed {seed}: {count} tests, {run.checked} answers, {run.faults} faults")
    sys.exit(1 if run.faults or not run.checked else 0)


if __name__ == "__main__":
    main()
