#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A violation that `assay monitor` finds is told in the words of `assay check`. For every object, and each of its monitors of
# linearizability: the sentence of the report is the one that check has for the events up to the one that is reported. Of locks,
# sets and most others every report has one. The rest rests on many operations, or the monitor knows a more special kind.
set -u
. "$(dirname "$0")/../support/scratch.sh"
seeds=${2:-2}

# sentence_of_check: what stands below the kind of violation
sentence_of_check() { sed -n '3s/^    //p'; }

# compare OBJECT MONITOR SEED: counts reports, and those with a sentence
compare() {
    local line said check
    "$assay" monitor --fail-fast -o "$1" -e "$2" run.hist >report 2>err
    case $? in
    1) ;;
    0 | 3) return ;; # one that is sound only may miss it
    *) grep -q 'cannot follow it' err || { fault "$1, $2, seed $3: status 2"; cat err; }; return ;;
    esac
    reports=$((reports + 1))
    line=$(sed -n '1s/.*(line \([0-9]*\)).*/\1/p' report)
    said=$(sed -n '3s/^    \(line \|the [0-9]\)/\1/p' report)
    [ -n "$said" ] || return
    told=$((told + 1))
    head -n "$line" run.hist >prefix.hist
    check=$("$assay" check -m lin -o "$1" prefix.hist | sentence_of_check)
    [ "$said" = "$check" ] ||
        fault "$1, $2, seed $3: the monitor says '$said', check says '$check'"
}

objects=$("$assay" list objects | sed -n 's/^  \([a-z-]*\) .*/\1/p')
monitors=$("$assay" list monitors | sed -n 's/^  \([a-z-]*\) .*/\1/p' | grep -vx -e weak -e window)
[ -n "$objects" ] && [ -n "$monitors" ] || fault 'no objects, or no monitors'
for object in $objects; do
    methods=
    case $object in
    multi-register) continue ;; # transactions: the report is check's
    semaphore | counting-semaphore | bounded-queue) kind="$object(2)" ;;
    bank) kind='bank(3,10)' methods=transfer,balance ;; # a monitor follows no lists
    *) kind=$object ;;
    esac
    reports=0 told=0
    for seed in $(seq 1 "$seeds"); do
        "$assay" gen object -o "$kind" --operations 40 --threads 3 --values 4 --mutate 4 --seed "$seed" \
            ${methods:+--methods $methods} --out run.hist 2>err ||
            { fault "$object: no history"; cat err; }
        for monitor in $monitors; do compare "$kind" "$monitor" "$seed"; done
    done
    echo "$object: $reports reports, $told with the sentence of check"
    [ "$told" -gt 0 ] || fault "$object: no report has a sentence"
done
[ $faults -eq 0 ]
