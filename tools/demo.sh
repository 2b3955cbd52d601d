#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Shows what Assay does on the histories of examples/: demo.sh [ASSAY]. Fails if a verdict surprises.
set -u
program=${1:-build/assay}
assay=$(realpath "$program")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$(dirname "$0")"/../examples/*.hist "$scratch" && cd "$scratch" || exit 2
surprises=0

# show STATUS ARGUMENT...: runs assay, which must end with STATUS.
show() {
    local wanted=$1 status
    shift
    printf '\n$ assay %s\n' "$*"
    "$assay" "$@"
    status=$?
    printf '[exit status %d]\n' "$status"
    [ "$status" -eq "$wanted" ] || surprises=$((surprises + 1))
}

say() { printf '\n== %s\n' "$*"; }

say "A message and a flag: is this history consistent, and with what?"
cat message-passing.hist
show 0 check message-passing.hist
show 0 grade message-passing.hist

say "A stale read: a violation, explained down to the lines of the file"
cat stale-read.hist
show 1 check -m cc --explain stale-read.hist

say "Between the models: what each of these satisfies"
for history in two-orders own-order back-and-forth independent-reads; do
    show 0 grade $history.hist
done

say "Every verdict has a proof that can be rechecked without trusting the engine that found it"
show 1 check -m cc,ccv,cm --evidence proof.jsonl own-order.hist
show 0 recheck own-order.hist proof.jsonl

say "A queue: is it linearizable, and if not, which operations show it?"
cat late-dequeue.hist
show 1 check late-dequeue.hist

say "A map whose iterator is weak on purpose: how much does each method guarantee?"
cat missed-value.hist
show 0 strongest missed-value.hist

say "For scripts: one JSON object per line"
show 1 check --json -m cm message-passing.hist stale-read.hist

if [ $surprises -gt 0 ]; then
    printf '\n%d commands ended with another exit status than expected\n' $surprises
    exit 1
fi
printf '\nThat was the demo. Try: %s check YOUR.hist; make help; README.md\n' "$program"
