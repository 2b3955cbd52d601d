#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every flaw of the implementations that have one is found, and every relaxation is seen, within a minute each: bugs.sh ASSAY.
# How long it took is printed, as the table of docs/guides/stress.md.
set -u
assay=${1:?which assay}
missed=0

number() { sed -nE "s/.*\"$1\":([0-9.]+).*/\1/p" <<<"$said"; }

find_it() { # WHAT OPTIONS...
    local what=$1 said status found
    shift
    said=$("$assay" stress "$@" --seconds 60 --json)
    status=$?
    found=$(sed -nE 's/.*"found":\{"seconds":([0-9.]+),.*"calls":([0-9]+),.*/\1 | \2/p' <<<"$said")
    if [ $status -ne 1 ] || [ -z "$found" ]; then
        echo "not found within a minute: $what (assay stress $*)"
        missed=$((missed + 1))
    fi
    echo "| $what | \`assay stress $*\` | $(number programs) | $(number runs) | ${found:-never |} |"
}

echo "| what is found | command | programs | runs | seconds | calls of the smallest program found |"
echo "|---|---|---|---|---|---|"
find_it "ABA (PLDI 2015, Figure 1)" stack:treiber-aba
find_it "the same on 2 threads" stack:treiber-aba --threads 2 --invocations 10
find_it "the same, pinned" stack:treiber-aba --pin
find_it "reordering of a k-FIFO queue" queue:k-fifo
find_it "weak contains-value" map:striped --mix put=3,remove=2,contains-value=2
find_it "weak size" map:striped --mix put=2,remove=1,size=1
find_it "weak contains-value of a skip list" map:skip-list --mix put=3,contains-value=1 --invocations 12
find_it "weak size of a skip list" map:skip-list --mix put=2,remove=1,size=1
find_it "broken skip list" set:broken
find_it "broken deque" deque:broken
find_it "rechecking deque" deque:rechecking
find_it "broken semaphore" semaphore:broken
find_it "broken exchanger" exchanger:broken
find_it "broken read/write lock" rwlock:broken
find_it "the same, more threads than cores" rwlock:broken --threads 8 --invocations 16
while read -r name; do
    find_it "relaxation of a library's queue" "$name"
done < <("$assay" list implementations --json | grep '"details":"level:weak","missing":null' |
    sed -nE 's/.*"name":"([^"]*)".*/\1/p' | grep -vx queue:k-fifo)
echo "bugs: $missed were not found"
[ $missed -eq 0 ]
