#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Other names of models: every command that takes a model takes those that mean a model here, and says which, and declines
# the others with the nearest model. docs/reference/models-formal.md has them all.
set -u
root=$(realpath "$(dirname "$0")/../..")
. "$(dirname "$0")/../support/scratch.sh"
names=0

fail() { # WORDS: with the output of the command
    echo "names: $1"
    cat out
    faults=$((faults + 1))
}

# says STATUS WORDS COMMAND...: the command ends with this status (-: any but 2) and says this.
says() {
    local status=$1 words=$2
    shift 2
    "$assay" "$@" >out 2>&1
    local got=$?
    if [ "$status" = - ]; then [ $got -ne 2 ]; else [ $got -eq "$status" ]; fi && grep -qF -- "$words" out && return
    fail "status $got, not $status with '$words': $*"
}

printf 't0: txn(w x 1)\nt1: txn(r x 1)\n' >txn.hist
printf 't0: txn(w x 1) @ 0..1\nt1: txn(r x 1) @ 2..3\n' >timed.hist
printf 't0: write(x, 1) @ 0..1\nt1: read(x) => 1 @ 2..3\n' >memory.hist
printf '[1] call txn(w x 1)\n[1] return\n' >live.hist

row() { sed -n 's/.*"'"$1"'":"\(\([^"\\]\|\\.\)*\)".*/\1/p' <<<"$line"; }

while read -r line; do
    name=$(row name) model=$(row title) meaning=$(row details) nearest=$(row missing)
    names=$((names + 1))
    if [ -z "$nearest" ]; then
        grep -qxF "| $name | \`$model\` | ${meaning:-the same} |" "$root/docs/reference/models-formal.md" ||
            { : >out; fail "docs/reference/models-formal.md has no row of $name"; }
        history=timed.hist
        case $model in lin | sc) history=memory.hist ;; esac
        says 0 "$name is $model here" check -m "$name" "$history"
        says 0 "\"model\":\"$name\",\"means\":\"$model\"" check -m "$name" --json "$history"
        "$assay" check -q -m "$model" --evidence proof "$history" >/dev/null
        sed "s/\"model\":\"$model\"/\"model\":\"$name\"/" proof >renamed
        says 0 "accepted: consistent with $model" recheck "$history" renamed
    else
        nearest=${nearest##* }
        grep -qxF "| $name | \`$nearest\` | $meaning |" "$root/docs/reference/models-formal.md" ||
            { : >out; fail "docs/reference/models-formal.md has no row of $name"; }
        declined="$name is not checked here; the nearest model is $nearest: $meaning"
        says 2 "$declined" check -m "$name" txn.hist
        says 2 "$declined" kernel -m "$name" memory.hist
        says 2 "$declined" monitor -m "$name" live.hist
        says 2 "$declined" stress -m "$name" queue:mutex
        "$assay" check -q -m ser --evidence proof txn.hist >/dev/null
        sed "s/\"model\":\"ser\"/\"model\":\"$name\"/" proof >renamed
        says 2 "(the nearest is $nearest)" recheck txn.hist renamed
    fi
done < <("$assay" list names --json)

# Kernels, streams and implementations by other names.
says 0 'sequential is sc here' kernel -m sequential memory.hist
says 0 '"model":"sequential consistency","means":"sc"' kernel --json -m 'sequential consistency' memory.hist
says 0 '"model":"TOTAL-Store-order","means":"tso"' kernel --json -m TOTAL-Store-order memory.hist
says 0 '"model":"Sequential-Consistency","means":"sc"' check --json -m Sequential-Consistency memory.hist
says 2 'there is no kernel of the model' kernel -m linearizable memory.hist
says 0 'linearizable is lin here' stress -m linearizable --runs 1 queue:mutex
says 0 'linearizable is lin here' monitor -m linearizable -o register - <<<'[1] call write(1)'
says 0 'strong-session-serializable is ser here' monitor -m strong-session-serializable txn.hist
# A name that is a model's keeps its meaning.
says 2 'unknown' check -m nonsense txn.hist
says - '"model":"monotonic-reads","object"' check --json -m monotonic-reads memory.hist
# All names of Elle (elle.consistency-model), with the canonical ones in its reports, and its strong and strong-session kinds.
elle="1SR causal causal-cerone conflict-serializable consistent-view cursor-stability forward-consistent-view linearizable
    monotonic-atomic-view monotonic-reads monotonic-snapshot-read monotonic-view monotonic-writes parallel-snapshot-isolation
    PL-1 PL-2 PL-2+ PL-2.99 PL-2L PL-3 PL-3U PL-CS PL-FCV PL-MSR PL-SI PL-SS PRAM prefix read-atomic read-committed
    read-uncommitted read-your-writes repeatable-read ROLA sequential serializable session-serializable snapshot-isolation
    strict-serializable strong-PL-1 strong-PL-2 strong-read-committed strong-read-uncommitted strong-serializable
    strong-session-PL-1 strong-session-PL-2 strong-session-PL-2+ strong-session-PL-2.99 strong-session-PL-2L
    strong-session-PL-3 strong-session-PL-3U strong-session-PL-CS strong-session-PL-SI strong-PL-3 strong-PL-3U strong-PL-SI
    strong-session-read-committed strong-session-read-uncommitted strong-session-serializable
    strong-session-snapshot-isolation strong-snapshot-isolation update-serializable view-serializable writes-follow-reads"
for name in $elle; do
    "$assay" check -m "$name" txn.hist >out 2>&1
    ! grep -q 'unknown model' out || fail "a name of Elle is unknown: $name"
done
[ "$names" -gt 40 ] || fail 'there are few names'
echo "names: $names names, $faults faults"
[ "$faults" -eq 0 ]
