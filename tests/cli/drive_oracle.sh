#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# assay drive --load with a driver that does all that its contract allows (tests/cross/drive_oracle). An oracle compares the
# driver's own log with the histories: every call is recorded once, with its accesses, answers, outcome, thread and interval.
# The same holds after kills of the program. Against a store that is right and outlives it, no history is a violation.
set -u
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/support/scratch.sh"
command -v cc >/dev/null || { echo "drive_oracle: no compiler: left out"; exit 77; }

sources=$root/tests/cross/drive_oracle
cc -std=gnu11 -shared -fPIC -pthread -I"$root/include" -o wild.so "$sources/wild_driver.c" &&
    cc -std=gnu11 -I"$root/include" -o wild_store "$sources/wild_store.c" &&
    cc -std=gnu11 -I"$root/include" -o oracle "$sources/oracle.c" || exit 1

# drive STATUS SETTINGS ARGUMENTS...: into the folder run/; the output is in out. The final reads are not repeated, so all of
# them are in the history.
drive() {
    local expected=$1 settings=$2 status=0
    shift 2
    "$assay" drive --load ./wild.so --set "log=log,$settings" "$@" --settle 0 --out run >out 2>&1 || status=$?
    [ "$expected" = any ] && [ $status -lt 2 ] || [ $status -eq "$expected" ] || fault "drive $*: status $status, not $expected: $(tail -n 3 out)"
}

# compare WORKLOAD [--roam]: the log and run/, and the totals and out
compare() {
    local file
    ./oracle "$1" log run ${2:+"$2"} >said || fault "$*: $(cat said)"
    grep -qF "operations: $(tail -n 1 said | sed 's/.*operations: //')" out || fault "$*: $(tail -n 1 said), but $(grep operations: out)"
    for file in run/*.hist; do
        "$assay" convert -t hist "$file" >/dev/null || fault "$*: $file cannot be read"
    done
}

# ---- arbitrary answers ----

n=0
for workload in single register list counter set queue bank; do
    for shape in "--sessions 1 --read-share 100" "--sessions 3 --keys 2 --accesses 64" "--sessions 24 --read-share 0 --roam" \
        "--sessions 5 --keys 9 --accesses 1"; do
        rm -rf log run
        n=$((n + 1))
        # shellcheck disable=SC2086 # several words
        drive any "unknown=$((n % 3 * 15)),abort=$((n % 4 * 10)),broken=$((n % 2 * 20)),elements=$((n % 5 * 500)),refuse=5" \
            --workload $workload --seed $n --ops 90 --histories 2 --check none $shape
        case $shape in
        *--roam) compare $workload --roam ;;
        *) compare $workload ;;
        esac
    done
done

# ---- a right store, and kills: wherever they strike ----

./wild_store store &
store=$!
trap 'kill $store; rm -rf "$scratch"' EXIT
await test -S store

# open_log: that of a history that has calls and no end
open_log() {
    local file
    for file in run/*.log; do
        [ -e "$file" ] && grep -qs '^c ' "$file" && ! grep -qs '^e ' "$file" && echo "$file"
    done
}
drives() { # a history, and not that of an earlier program
    local now
    now=$(open_log)
    [ -n "$now" ] && [ "$now" != "$before" ]
}
drives_or_ended() { drives || ! kill -0 $drive 2>/dev/null; }

# Two kills of one campaign strike in the middle of a history. A campaign that is over before that begins anew.
for workload in single register list counter set queue bank; do
    rm -rf log run
    campaign=(store=store,unknown=3,abort=5,broken=2,refuse=2,delay=300 --workload $workload --keys 3 --ops 900 --histories 4)
    struck=0
    for try in $(seq 100); do
        before=$(open_log)
        "$assay" drive --load ./wild.so --set "log=log,${campaign[0]}" "${campaign[@]:1}" --settle 0 --out run >out 2>&1 &
        drive=$!
        await drives_or_ended
        let_pass 0.0$((try % 5))
        kill -KILL $drive 2>/dev/null
        wait $drive 2>/dev/null
        if [ $? -eq 137 ] && drives; then
            struck=$((struck + 1))
            [ $struck -lt 2 ] || break
        elif [ -e run/0004.hist ]; then
            rm -rf log run
            struck=0
        fi
    done
    [ $struck -eq 2 ] || fault "$workload: no two kills struck in the middle of a history"
    drive 0 "${campaign[@]}"
    compare $workload
    # What was cut short has its rest in further histories: no operation is missing, and none is made twice.
    grep -q ', 3600 operations: ' out || fault "$workload: not 3600 operations: $(head -2 out)"
    [ "$(ls run | grep -vE '^[0-9]{4}\.hist$')" = journal.jsonl ] && [ -e run/0004.hist ] || fault "$workload: files: $(ls run)"
done

[ $faults -eq 0 ] && echo "drive_oracle: every call is recorded as it was"
exit $((faults > 0))
