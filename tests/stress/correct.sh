#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# At least 10,000 distinct histories of every implementation that has no flaw, and none violates what it promises:
# correct.sh ASSAY [PATTERN], of those whose names match. The counts are printed, as the table of docs/guides/stress.md.
set -u
assay=${1:?which assay} pattern=${2:-.}
goal=10000 faults=0

number() { sed -nE "s/.*\"$1\":([0-9.]+).*/\1/p" <<<"$said"; }

gather() { # NAME PROMISE
    local name=$1 promise=$2 seed said status runs=0 distinct=0 violations=0 undecided=0
    for ((seed = 1; distinct < goal && seed <= 50; seed++)); do
        said=$("$assay" stress "$name" --promised --runs 20000 --repeats 20 --seed $seed --json)
        status=$?
        if [ $status -ne 0 ]; then
            echo "$name, seed $seed: status $status: $said"
            faults=$((faults + 1))
        fi
        runs=$((runs + $(number runs)))
        distinct=$((distinct + $(number distinct)))
        violations=$((violations + $(number violations)))
        undecided=$((undecided + $(number undecided)))
    done
    [ $distinct -ge $goal ] || faults=$((faults + 1))
    echo "| \`$name\` | $promise | $runs | $distinct | $violations | $undecided |"
}

echo "| implementation | promises | runs | distinct histories | violations | undecided |"
echo "|---|---|---|---|---|---|"
while IFS=$'\t' read -r name promise; do
    gather "$name" "$promise"
done < <("$assay" list implementations --json | grep -v '"broken: ' | grep '"missing":null' |
    sed -nE 's/.*"name":"([^"]*)".*"details":"([^"]*)".*/\1\t\2/p' | grep -E "$pattern")
echo "correct: $faults faults"
[ $faults -eq 0 ]
