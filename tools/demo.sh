#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The four doors of README.md, one screen each: demo.sh ASSAY FOLDER. The pages it writes are in FOLDER. Fails if a verdict surprises.
set -u
program=${1:?which assay} pages=${2:?which folder}
assay=$(realpath "$program")
mkdir -p "$pages" && pages=$(realpath --relative-to=. "$pages") || exit 2
examples=$(dirname "$0")/../examples/gallery
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$examples"/*.hist "$scratch" || exit 2
surprises=0

# show STATUS ARGUMENT...: runs assay where the histories are; it must end with STATUS.
show() {
    local wanted=$1 status
    shift
    printf '$ assay %s\n' "$*"
    (cd "$scratch" && "$assay" "$@")
    status=$?
    [ "$status" -eq "$wanted" ] || { surprises=$((surprises + 1)) && echo "[exit status $status, not $wanted]"; }
}

history() { sed '/^#/d; s/^/    /' "$scratch/$1"; }

door() { printf '\n---- %s ----\n\n' "$*"; }

door "What does my memory do? Carol sees a comment, but not the photo that it is about"
history comment-before-photo.hist
show 1 check -q -m cc comment-before-photo.hist

door "Is my queue linearizable? Two workers take the same task"
history double-dequeue.hist
show 1 check -q -m lin double-dequeue.hist

door "Does my database keep its isolation level? Each doctor goes home because the other one is on call"
history write-skew.hist
show 1 check -q -m si,ser write-skew.hist

door "Watch a running system: the same queue, event by event, and the proof rechecked"
show 1 monitor -o queue double-dequeue.hist
(cd "$scratch" && "$assay" check -q -m lin --evidence proof.jsonl double-dequeue.hist >out)
show 0 recheck double-dequeue.hist proof.jsonl

(cd "$scratch" && "$assay" check -q -m ser --html page.html write-skew.hist >out)
mv "$scratch/page.html" "$pages/write-skew.html" || surprises=$((surprises + 1))

# What the last line suggests to try shows the difference: the run is none of sc, but one of tso.
generate="gen memory --kind tso --seed 4"
# shellcheck disable=SC2086 # several words
"$assay" $generate | "$assay" check -q -m sc,tso - >"$scratch/out"
[ "$(grep -oE 'VIOLATION of sc|consistent with tso' "$scratch/out" | paste -sd +)" = 'VIOLATION of sc+consistent with tso' ] ||
    { surprises=$((surprises + 1)) && echo "[no difference between sc and tso: $generate]"; }

if [ $surprises -gt 0 ]; then
    printf '\n%d commands did not end as they should\n' $surprises
    exit 1
fi
cat <<END

That was the demo. Open $pages/write-skew.html in a browser to step through the write skew, or try
    $program grade examples/gallery/lost-update.hist       every model, weakest first
    $program stress stack:treiber-aba --seconds 5          find the fault of a lock-free stack
    $program $generate | $program check -m sc,tso -
END
