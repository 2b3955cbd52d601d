#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Assay against definitions written down a second time: run.py ASSAY FAMILY COUNT [SEED]

This test shares nothing with the program: no code, no parser, no specification. It was written from the definitions
and the user's pages alone, in another language. It generates histories and decides each of them by brute force. Then
it holds the answers of the program against that:

  verdicts    the model holds, or does not
  sentences   each claim of an explanation that the test can read is true
  proofs      recheck accepts the evidence
  shrinking   the result is a violation with the pattern of the whole, follows by allowed cuts only, and no single cut
              leaves a smaller one
  streams     a monitor names the first event after which no order explains the calls
  readers     every format that can say a history is read as the same one; a file that is cut is refused
  pages       well-formed, the same twice, hostile names stay text, linearizations are legal

A fault is printed with its history. The seed makes it come again. The histories in cases/ are tried first.
"""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import claims
import cuts
import cycles
import generate
import levels
import memory
import memory_cuts
import monitors
import objects
import pages
import readers
import transaction_cuts
import transactions
import weak
from hist import parse, write

SHOWN = 5  # faults that are printed with their histories
WEAK_OBJECTS = ["register", "multi-register", "multi-register", "cas-register", "queue", "stack", "set", "map", "counter",
                "multiset", "pqueue", "memory", "lock"]
MEMORY_MODELS = ["cc", "ccv", "cm", "sc", "tso", "pso"]
TRANSACTION_MODELS = ["rc", "ra", "tcc", "pc", "psi", "si", "ser", "tcc-plain", "si-plain", "ser-plain"]


class Batch:
    """Many histories in one file, which the program reads at once."""

    def __init__(self, assay, folder, texts):
        self.assay, self.folder, self.texts = assay, pathlib.Path(folder), texts
        self.file = self.folder / "histories.hist"
        self.file.write_text("---\n".join(texts))
        self.histories = parse(self.file.read_text())
        assert len(self.histories) == len(texts), "the test reads its own histories"
        self.faults = self.checked = 0

    def fault(self, index, text, extra=""):
        self.faults += 1
        print(text if self.faults > SHOWN else f"{text}\n{self.texts[index]}{extra}")

    def run(self, *arguments):
        done = subprocess.run([self.assay, *map(str, arguments)], capture_output=True, text=True, errors="replace")
        if done.returncode < 0:
            self.faults += 1
            print(f"{' '.join(map(str, arguments))}: ended by signal {-done.returncode}")
        return done.stdout

    def check(self, model, *options):
        return self.run("check", "-m", model, *options, self.file)

    def results(self, model):
        """The results by index. Those of a model that does not apply are no results."""
        out = self.check(model, "--json", "--shrink", "--evidence", self.folder / "proofs.jsonl")
        records = [json.loads(line) for line in out.splitlines()]
        for line in self.run("recheck", self.file, self.folder / "proofs.jsonl").splitlines():
            if "accepted" not in line:
                self.faults += 1
                print(f"recheck: {line}")
        return {r["index"]: r for r in records if "verdict" in r}

    def verdict(self, index, record, holds):
        """Compares a verdict with the oracle's. True if both say violation."""
        self.checked += 1
        if (record["verdict"] == "consistent") != holds:
            self.fault(index, f"{record['model']}: {record['verdict']}, which is wrong")
        return not holds and record["verdict"] == "violation"

    def shrunk(self, index, record, follows, minimal):
        """Judges the result of --shrink; follows takes (cut, kept operations), minimal the cut."""
        if "shrunk" not in record:
            return
        text, whole = record["shrunk"], self.histories[index]
        by_line = {o.line: o for o in whole.ops}
        lines = [int(n) for n in re.findall(r"# line (\d+)$", text, re.M)]
        cut = (parse(text) or [None])[0]
        if cut is None or len(lines) != len(cut.ops) or len(set(lines)) != len(lines) or not set(lines) <= set(by_line):
            self.fault(index, "--shrink names other lines than it has operations", text)
            return
        faults = follows(cut, [by_line[n] for n in lines])
        smaller = list(minimal(cut))
        patterns = self.patterns(record["model"], [cut] + [rest for _, rest in smaller], " @ " in text)
        if patterns and patterns[0] != record["reason"]:
            faults.append(f"{record['reason']} has become {patterns[0]}")
        faults += [f"{what} could go" for (what, _), p in zip(smaller, patterns[1:]) if p == record["reason"]]
        for fault in faults:
            self.fault(index, f"{record['model']}: --shrink: {fault}", "->\n" + text)

    def patterns(self, model, histories, knowledge):
        """As the program names them: they are words of its reports, and no part of the definitions."""
        some = self.folder / "smaller.hist"
        some.write_text("---\n".join(write(h, knowledge) for h in histories))
        records = [json.loads(line) for line in self.run("check", "-m", model, "--json", some).splitlines()]
        return [r.get("reason") for r in records]

    def sentences(self, model, judge):
        for index, report in claims.split_reports(self.check(model, "--explain")).items():
            if "VIOLATION" in report[0]:
                for sentence, why in judge(self.histories[index], report):
                    self.fault(index, f"false: {sentence}\n  {why}")


def tried(oracle, *arguments):
    """The oracle's answer, or None where brute force takes too long."""
    try:
        return oracle(*arguments)
    except objects.TooHard:
        return None


def judge_objects(batch):
    for index, record in batch.results("lin").items():
        history = batch.histories[index]
        holds = tried(objects.linearizable, history)
        if holds is not None and batch.verdict(index, record, holds):
            batch.shrunk(index, record, lambda cut, kept: cuts.follows(history, cut, kept), cuts.minimal)
    batch.sentences("lin", claims.judge)


def judge_memories(batch):
    for model in MEMORY_MODELS:
        for index, record in batch.results(model).items():
            history = batch.histories[index]
            holds = tried(memory.satisfies, history, model)
            if holds is not None and batch.verdict(index, record, holds):
                batch.shrunk(index, record, lambda cut, kept: memory_cuts.follows(history, cut, kept, model),
                             lambda cut: memory_cuts.minimal(cut, model))
        batch.sentences(model, cycles.judge)


def judge_transactions(batch):
    for model in TRANSACTION_MODELS:
        for index, record in batch.results(model).items():
            history = batch.histories[index]
            holds = tried(transactions.satisfies, history, model)
            if holds is not None and batch.verdict(index, record, holds):
                batch.shrunk(index, record, lambda cut, kept: transaction_cuts.follows(history, cut, kept, model),
                             lambda cut: transaction_cuts.minimal(cut, model))
        batch.sentences(model, cycles.judge)


def judge_weak(batch):
    for model in weak.MODELS:
        for index, record in batch.results(model).items():
            history = batch.histories[index]
            holds = tried(weak.satisfies, history, model)
            if holds is not None and batch.verdict(index, record, holds):
                batch.shrunk(index, record, lambda cut, kept: weak.follows(history, cut, kept, model), lambda cut: [])


def judge_pages(batch):
    outputs = []
    for name in ("first", "second"):
        folder = batch.folder / name
        batch.check("lin", "--html", f"{folder}/")
        outputs.append({p.name: p.read_text() for p in sorted(folder.iterdir())})
    if outputs[0] != outputs[1]:
        batch.faults += 1
        print("two runs wrote different pages")
    for row in pages.embedded(outputs[0]["index.html"]):
        batch.checked += 1
        text = outputs[0][row["page"]]
        for fault in pages.markup(text) + pages.walk(batch.histories[row["index"]], pages.embedded(text)):
            batch.fault(row["index"], fault)
    for index in range(0, len(batch.texts), 10):
        one, svg = batch.folder / "one.hist", batch.folder / "one.svg"
        one.write_text(batch.texts[index])
        batch.run("check", "-m", "lin", "--svg", svg, one)
        for fault in pages.picture(svg.read_text()):
            batch.fault(index, fault)


FAMILIES = {
    "objects": (generate.object_history, judge_objects),
    "starts": (generate.any_start_history, judge_objects),
    "memories": (generate.memory_history, judge_memories),
    "transactions": (generate.transaction_history, judge_transactions),
    "levels": (levels.history, levels.judge),
    "monitors": (monitors.history, monitors.judge),
    "weak": (lambda rng: generate.weak_history(rng, WEAK_OBJECTS), judge_weak),
    "readers": (readers.history, readers.judge),
    "pages": (lambda rng: generate.object_history(rng, timed="times"), judge_pages),
}


def main():
    assay, family, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = sys.argv[4] if len(sys.argv) > 4 else "1"
    rng = random.Random(f"{family} {seed}")
    make, judge = FAMILIES[family]
    cases = sorted((pathlib.Path(__file__).parent / "cases" / family).glob("*.hist"))
    texts = [case.read_text() for case in cases] + [make(rng) for _ in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        batch = Batch(assay, folder, texts)
        judge(batch)
    print(f"{family}: seed {seed}: {len(texts)} histories, {batch.checked} answers, {batch.faults} faults")
    sys.exit(1 if batch.faults or not batch.checked else 0)


if __name__ == "__main__":
    main()
