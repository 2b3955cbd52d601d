#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# assay drive on stores that need no server: every workload, every outcome, faults, and all ways to end in the middle. What the
# clients counted is what the files hold.
set -u
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/support/scratch.sh"

drivers=(memory)
if "$assay" list drivers | grep -q 'sqlite.*not available'; then
    echo "drive: sqlite left out: built without SQLite"
else
    drivers+=(sqlite)
fi

# drive STATUS ARGUMENTS...: into the folder run/, which is new; the output is in out
drive() {
    local expected=$1 status=0
    shift
    rm -rf run
    "$assay" drive "$@" --out run >out 2>&1 || status=$?
    [ "$expected" = any ] || [ $status -eq "$expected" ] || fault "drive $*: status $status, not $expected: $(tail -n 3 out)"
}

# drive_until STATUS WORDS ARGUMENTS...: with more and more operations until the words are in the output. On a busy machine sessions
# take turns, and few of their transactions overlap.
drive_until() {
    local expected=$1 words=$2
    shift 2
    local status ops
    for ops in 400 4000 40000; do
        status=0
        rm -rf run
        "$assay" drive "$@" --ops $ops --out run >out 2>&1 || status=$?
        ! grep -qF -- "$words" out || break
    done
    [ $status -eq "$expected" ] || fault "drive $* --ops $ops: status $status, not $expected: $(tail -n 3 out)"
    said "$words"
}

# with_faults STATUS FAULTS ARGUMENTS...: a history of three times the seconds AT. They are more if a busy machine makes the fault miss
# the history, or if there was nothing at that moment that it could have destroyed.
with_faults() {
    local expected=$1 faults_at=$2 at status
    shift 2
    for at in 0.5 0.6 0.7 5 50; do
        status=0
        rm -rf run
        "$assay" drive "$@" --fault "${faults_at//AT/$at}" --seconds "$(awk "BEGIN { print 3 * $at }")" --out run >out 2>&1 || status=$?
        [ "$(grep -c '^# @fault ' run/0001.hist)" -lt "$(grep -o AT <<<"$faults_at" | wc -l)" ] || [ $status -ne "$expected" ] || break
    done
    [ $status -eq "$expected" ] || fault "drive $* --fault $faults_at: status $status, not $expected: $(tail -n 3 out)"
}

said() {
    grep -qF -- "$1" out || fault "'$1' is not in the output: $(head -n 5 out)"
}

# Operations of all kinds in a history.
recorded() {
    grep -cE '^(# aborted: )?s[0-9.]+: ' "$1"
}

# ---- every workload ----

for driver in "${drivers[@]}"; do
    for workload in single register list counter set queue bank; do
        drive 0 "$driver" --workload $workload --histories 3 --ops 120
        said "3 histories, 360 operations"
        for i in 1 2 3; do
            [ "$(recorded run/000$i.hist)" -eq 120 ] || fault "$driver $workload: $i: $(recorded run/000$i.hist) operations"
        done
        [ "$(ls run)" = "$(printf '%s\n' 000{1,2,3}.hist journal.jsonl)" ] || fault "files: $(ls run)"
    done
done

# ---- outcomes: nothing is dropped ----

for workload in single register list counter queue bank; do
    drive 0 memory --workload $workload --histories 2 --ops 200 --set lose=5,abort=5 --seed 7
    for i in 1 2; do
        [ "$(recorded run/000$i.hist)" -eq 200 ] || fault "$workload: $i: $(recorded run/000$i.hist) operations"
        counted=$(sed -nE "s/.*\"history\":$i,.*\"aborted\":([0-9]+),\"unknown\":([0-9]+).*/\1 \2/p" run/journal.jsonl)
        file="$(grep -cE '^# aborted: s|^s.*=> abort' run/000$i.hist) $(grep -cE '^s[^#]*\.\. #' run/000$i.hist)"
        [ "$counted" = "$file" ] || fault "$workload: the journal says $counted, the file $file (aborted, unknown)"
    done
done

# ---- stores that are wrong, and the level that says so ----

# refutes MODEL ARGUMENTS...: and holds the models before it
refutes() {
    local model=$1
    shift
    drive 1 memory --histories 5 --check "$model" "$@"
    said "VIOLATION of $model"
}

refutes cc --set lag=1000000
refutes rc --workload register --set bug=dirty-read,abort=20
refutes si --workload register --keys 2 --ops 400 --set bug=lost-update
refutes ra --workload list --keys 3 --set bug=torn-write
refutes lin --workload counter --ops 400 --set bug=lost-update
refutes lin --workload bank --ops 400 --set bug=lost-update
drive 0 memory --histories 5 --workload register --keys 2 --ops 400 --set bug=lost-update --check rc,ra,tcc,pc

# ---- isolation levels: the promise of the store decides, not the models above it ----

drive 0 memory --isolation serializable --ops 60 --histories 2
said "workload register, isolation serializable"
said "serializable promises ser here: kept in 2 of 2 histories"
drive_until 1 "serializable promises ser here: BROKEN in 2 of 2 histories" memory --isolation serializable --keys 2 --histories 2 \
    --set bug=lost-update
said "the first violation:"
drive 0 memory --isolation serializable --keys 2 --ops 400 --set bug=lost-update --check pc # what is asked for counts
said "serializable promises ser here, which was not checked"
drive 0 memory --isolation serializable --workload single --ops 20
said "warning: the workload single has one access a transaction, so it says nothing about isolation"
drive 0 memory --isolation serializable --ops 20 --json
said '"promise":"ser","kept":true'
# A store that promises si: write skew is in the table, and no failure; a lost update is one.
if command -v cc >/dev/null && cc -std=gnu11 -shared -fPIC -pthread -I"$root/include" -o promising.so "$root/tests/support/driver_promises.c"; then
    drive_until 0 "no failure, as repeatable-read does not promise it: the first violation of ser" \
        --load ./promising.so --isolation "Repeatable Read" --keys 3 --histories 3
    said "repeatable-read promises si here: kept in 3 of 3 histories"
    drive_until 1 "serializable promises ser here: BROKEN in 3 of 3 histories" \
        --load ./promising.so --isolation serializable --keys 3 --histories 3
    drive 1 --load ./promising.so --isolation repeatable-read --keys 3 --ops 2000 --histories 3 --check si,ser # ser was asked for
    said "repeatable-read promises si here: kept in 3 of 3 histories"
    drive 0 --load ./promising.so --isolation read-uncommitted
    said "read-uncommitted promises none of these models here"
fi

# ---- what was acknowledged and is gone ----

# number NAME: of the JSON output
number() {
    sed -nE "s/.*\"durability\":\{[^}]*\"$1\":([0-9]+).*/\1/p" out
}

for workload in list counter set queue bank; do # so long that the few faults cannot cancel each other out
    drive 1 memory --workload $workload --ops 1000 --set bug=dropped --check none --json
    [ "$(number lost)" -gt 0 ] || fault "$workload: dropped writes: $(cat out)"
    grep -q '"examples":\["lost: ' out || fault "$workload: no example: $(cat out)"
    drive 0 memory --workload $workload --ops 1000 --set bug=dropped --check none --loss allowed
    said "lost (allowed)"
    drive 1 memory --workload $workload --ops 1000 --set bug=twice --check none --json
    [ $workload = bank ] || [ "$(number duplicated)" -gt 0 ] || fault "$workload: writes made twice: $(cat out)"
done
drive 1 memory --workload set --set bug=twice --check none --loss allowed # that is no loss
drive 1 memory --workload single --set bug=dirty-read,abort=30 --check none --json # the last write may be one that was aborted
[ "$(number unexpected)" -gt 0 ] || fault "aborted writes: $(cat out)"
# All is lost at some moment, and values are written over it: the keys that are written once tell.
for workload in single register list counter set queue bank; do
    with_faults 1 wipe:1@AT+0.01 memory --workload $workload --check none --json
    [ "$(number lost)" -gt 0 ] || fault "$workload: a wiped store: $(cat out)"
done
# The final reads are part of the history, at each node; the counts are those of the sessions.
drive 0 memory --workload set --ops 40
for node in 1 2 3; do
    [ "$(grep -c "^f$node: elements() => " run/0001.hist)" -eq 1 ] || fault "no final read at node $node"
done
grep -q '^# @nodes .* f1=1 f2=2 f3=3$' run/0001.hist || fault "nodes of the final reads: $(grep @nodes run/0001.hist)"
said "1 history, 40 operations"
# They wait for nodes that are behind; without waiting, the nodes differ and what they lack is lost.
drive any memory --workload set --ops 40 --set lag=100000 --check none
said "0 lost"
drive 1 memory --workload set --ops 40 --set lag=10000000 --check none --settle 0
said "nodes had different values in the end"
# The counts come back from the journal.
said_before=$(grep acknowledged out)
"$assay" drive memory --workload set --ops 40 --set lag=10000000 --check none --settle 0 --out run >out 2>&1
[ "$(grep acknowledged out)" = "$said_before" ] || fault "the journal: $(grep acknowledged out), not $said_before"
sed -i 2d run/journal.jsonl
"$assay" drive memory --workload set --ops 40 --set lag=10000000 --check none --settle 0 --out run >out 2>&1
[ "$(grep acknowledged out)" = "$said_before" ] || fault "the history: $(grep acknowledged out), not $said_before"

# ---- a lever: the fault is in the history, and makes it stale ----

with_faults 1 lag:2@AT+200ms,lag:3@AT memory --keys 2 --check lin
grep -qE '^# @fault lag:2 [0-9]+\.\.[0-9]+$' run/0001.hist || fault "no fault in the header: $(head -n 20 run/0001.hist)"
grep -qE '^# @fault lag:3 [0-9]+\.\.[0-9]+$' run/0001.hist || fault "no fault that lasts until the final reads"

# Those that happened are counted by kind, also with a folder whose name ends in a slash.
with_faults 0 lag:2@AT+10ms,wipe:1@AT,lag:3@AT+10ms memory --check none --loss allowed
said "faults: 2 lag, 1 wipe"
"$assay" drive memory --set bug=dropped --workload set --ops 1000 --check none --out slash// >out 2>&1 && fault "nothing was dropped"
said "  in slash/0001.hist"
# A driver without servers of `assay cluster` does not send anybody to it.
drive 2 memory --fault pause:1@0s+1s
said "the driver memory has no servers of \`assay cluster\`, which pause needs"

# A fault that comes too late is no test of the store, and is said to be none.
drive 0 memory --check none --fault lag:2@600s,lag:1@0
said "1 of the faults never began"

# ---- the same command goes on; other settings are another campaign ----

drive 0 memory --histories 2
status=0
"$assay" drive memory --histories 5 --out run >out 2>&1 || status=$?
[ $status -eq 0 ] || fault "going on: status $status"
said "5 histories (2 of them earlier)"
# Killed after a line of the journal and before its log was removed: the next run removes it.
cp run/0001.hist run/0001.log
"$assay" drive memory --histories 5 --out run >out 2>&1 || fault "a log that was left: $(cat out)"
[ "$(ls run | xargs)" = "0001.hist 0002.hist 0003.hist 0004.hist 0005.hist journal.jsonl" ] || fault "a log that was left: $(ls run)"
status=0
"$assay" drive memory --histories 5 --keys 3 --out run >out 2>&1 || status=$?
[ $status -eq 2 ] || fault "another campaign: status $status"
said "a campaign with other settings"
"$assay" drive memory --histories 5 --fault lag:1@0 --out run >out 2>&1 && fault "other faults are the same campaign"
said "a campaign with other settings"

# ---- an end in the middle ----

# under_way FOLDER: its first history has calls
under_way() { grep -qs '^c ' "$1/0001.log"; }

# Ctrl-C: what was recorded is a history, and no operation is open.
"$assay" drive memory --seconds 600 --check lin --out stopped >out 2>&1 &
await under_way stopped
kill -INT $!
status=0
wait $! || status=$?
[ $status -eq 3 ] || fault "Ctrl-C: status $status: $(cat out)"
"$assay" check -m lin stopped/0001.hist >/dev/null || fault "Ctrl-C: the history is no history"

status=0
"$assay" drive memory --seconds 600 --check lin --out stopped --minutes 1e-9 >out 2>&1 || status=$?
[ $status -eq 0 ] && [ "$(ls stopped | xargs)" = "0001.hist journal.jsonl" ] || fault "after Ctrl-C: status $status, $(ls stopped)"
said "$(recorded stopped/0001.hist) operations"

# Interrupted, and started again: what is left is driven, and nothing twice.
for operations in 40000 400000 4000000; do
    rm -rf rest
    "$assay" drive memory --ops $operations --check none --out rest >out 2>&1 &
    await under_way rest
    kill -INT $!
    status=0
    wait $! || status=$?
    [ $status -ne 3 ] || break # else it was done before
done
[ $status -eq 3 ] || fault "interrupted: status $status: $(cat out)"
said "(1 cut short)"
grep -q '"complete":false' rest/journal.jsonl || fault "an interrupted history is complete: $(tail -n 1 rest/journal.jsonl)"
"$assay" drive memory --ops $operations --check none --out rest >out 2>&1 || fault "the rest: $(cat out)"
said "2 histories (1 of them earlier) (1 cut short), $operations operations"
said "1 history was interrupted: its writes were not read back (rest/0001.hist)"
"$assay" drive memory --ops $operations --check none --out rest >out 2>&1 || fault "nothing is left: $(cat out)"
said "2 histories (2 of them earlier) (1 cut short), $operations operations"
said "1 history was interrupted: its writes were not read back (rest/0001.hist)"
"$assay" drive memory --ops $operations --check none --json --out rest >out 2>&1 || fault "nothing is left: $(cat out)"
said '"interrupted":1'
# The same with seconds.
"$assay" drive memory --seconds 1.5 --check none --out timed >out 2>&1 &
await under_way timed
kill -INT $!
wait $!
"$assay" drive memory --seconds 1.5 --check none --out timed >out 2>&1 || fault "the rest of the time: $(cat out)"
sed -nE 's/.*"complete":[a-z]*,"seconds":([0-9.]+).*/\1/p' timed/journal.jsonl | paste -sd+ | awk -F+ '{ s = 0
    for (i = 1; i <= NF; i++) s += $i
    exit s < 1.49 }' || fault "less than 1.5 seconds: $(cat timed/journal.jsonl)"

# A line of the journal is lost: its history is counted and checked again.
drive 0 memory --workload register --histories 3 --set lose=5,abort=5
cp run/journal.jsonl before
sed -i 3d run/journal.jsonl
"$assay" drive memory --workload register --histories 3 --set lose=5,abort=5 --out run >out 2>&1 || fault "lost line: $(cat out)"
counts() { sed -nE 's/.*"history":2,.*("committed.*"complete").*/\1/p' "$1"; }
[ "$(counts before)" = "$(counts run/journal.jsonl)" ] || fault "lost line: $(counts before), $(counts run/journal.jsonl)"

# Two campaigns in one folder, a log of another campaign, one with its headers only, and a folder that vanishes.
"$assay" drive memory --seconds 600 --check none --out busy >/dev/null 2>&1 &
await test -s busy/0001.log
"$assay" drive memory --seconds 600 --check none --out busy >out 2>&1 && fault "two campaigns in one folder"
said "another assay drive is at work in this folder"
kill -9 $!
wait $! 2>/dev/null
drive 0 memory --workload register
cp busy/0001.log run/0002.log
"$assay" drive memory --workload register --histories 2 --out run >out 2>&1 && fault "a log of another campaign"
said "0002.log: this log is not of this campaign"
sed -n '1,/^@clock/p' busy/0001.log | sed 's/@workload single/@workload register/; s/@keys 4/@keys 10/; s/@seed 1/@seed 2/; s/@kept 32/@kept 25/' >run/0002.log
"$assay" drive memory --workload register --histories 2 --out run >out 2>&1 || fault "headers only: $(cat out)"
said "3 histories (1 of them earlier) (1 cut short), 400 operations" # the empty one is made good
"$assay" drive memory --seconds 600 --check none --out gone >out 2>&1 &
await test -s gone/0001.log
rm -rf gone
kill -INT $!
wait $! && fault "the folder vanished unnoticed"
said "it has vanished"

# Fewer operations than sessions.
drive 0 memory --ops 2 --sessions 4
said "1 history, 2 operations"

# kill -9: the log has every call; the campaign goes on with it.
for driver in "${drivers[@]}"; do
    rm -rf killed
    "$assay" drive $driver --workload counter --seconds 600 --check lin --out killed >out 2>&1 &
    await under_way killed
    kill -9 $!
    wait $! 2>/dev/null
    calls=$(grep -c '^c ' killed/0001.log)
    "$assay" recover killed/0001.log recovered.hist 2>out || fault "recover: $(cat out)"
    said "it was cut short"
    [ "$(recorded recovered.hist)" -eq "$calls" ] || fault "$calls calls, $(recorded recovered.hist) recovered"
    "$assay" check -m lin recovered.hist >out 2>&1 || fault "kill -9: $(cat out)"
done
status=0
"$assay" drive "${drivers[-1]}" --workload counter --seconds 600 --check lin --out killed --minutes 1e-9 --histories 2 >out 2>&1 || status=$?
[ $status -eq 0 ] && [ ! -e killed/0001.log ] && [ -e killed/0001.hist ] || fault "going on after kill -9: $status, $(ls killed)"

# A full disk: the operations so far are kept.
(
    trap '' XFSZ
    ulimit -f 100
    "$assay" drive memory --seconds 600 --check none --out full >out 2>&1
    [ $? -eq 2 ] || echo "full disk: $(cat out)" >>faults
)
[ ! -e faults ] || fault "$(cat faults)"
said "File too large"
"$assay" recover full/0001.log full.hist 2>/dev/null || fault "full disk: the log is lost"
"$assay" check -m lin full.hist >/dev/null 2>&1 || fault "full disk: the history is no history"

# ---- bad input ----

# refused WORDS ARGUMENTS...
refused() {
    local words=$1
    shift
    drive 2 "$@"
    said "$words"
}

refused "unknown driver 'sqlit'" sqlit
refused "unknown workload 'regster'" memory --workload regster
refused "the driver memory has no setting 'lags'" memory --set lags=3
refused "expected NAME=VALUE" memory --set lag
refused "lag is a number up to" memory --set lag=-1
refused "bug is none|lost-update" memory --set bug=some
refused "the driver memory has no isolation level" memory --isolation snapshot
refused "the driver memory has no nodes" memory --nodes 127.0.0.1:1
refused "knows no fault 'stop'" memory --fault stop:1@1s
refused "there is no node 4" memory --fault lag:4@1s
refused "KIND:NODE@START+DURATION" memory --fault lag:1
refused "say for how long" memory --histories 0
refused "needs 2 to" memory --workload bank --keys 1
refused "(1 could not be checked)" memory --check ser
"$assay" list drivers | grep -q 'redis.*not available' || refused "expected HOST:PORT" redis --nodes ,
"$assay" drive memory >out 2>&1 && fault "no folder is no error"
said "--out DIR"

if [ ${#drivers[@]} -gt 1 ]; then
    refused "read-uncommitted is for a shared cache" sqlite --isolation read-uncommitted
    refused "cannot open /nonexistent/x" sqlite --set file=/nonexistent/x
    echo "this is no database, but long enough to be taken for one: ................................................................" >other
    refused "file is not a database" sqlite --set file="$PWD/other"
    # A database of the user's own is used and left there.
    drive 0 sqlite --set file="$PWD/mine.sqlite"
    [ -s mine.sqlite ] || fault "the user's database is gone"
fi

# ---- a driver of the user's own ----

if command -v cc >/dev/null; then
    cc -shared -fPIC -Wall -Wextra -Werror -I "$root/include" -o driver.so "$root/examples/driver.c" || fault "examples/driver.c"
    drive 0 --load ./driver.so --histories 3
    said "mutexed (examples/driver.c)"
    drive 1 --load ./driver.so --histories 3 --set broken=on --keys 1
    "$assay" drive --load ./driver.so --help >out || fault "help of a driver"
    said "  --set broken=on|off"
    grep -qx '  --workload single' out || fault "help: $(grep -e '--workload s' out)"
    echo 'int nothing;' >empty.c && cc -shared -fPIC -o empty.so empty.c
    refused "exports no assay_drivers" --load ./empty.so
    refused "cannot load the driver" --load ./absent.so
    # A lever that is pulled or released while a history begins: its log has no end of a fault without a beginning.
    cc -shared -fPIC -pthread -Wall -Wextra -Werror -I "$root/include" -o levers.so "$root/tests/support/driver_levers.c" ||
        fault "driver_levers.c"
    pulls=$(for i in $(seq 20); do echo "slow:1@$((70 * i))ms+1ms"; done | paste -sd ,)
    drive 0 --load ./levers.so --sessions 2 --seconds 0.05 --histories 30 --check none --fault "$pulls"
    said "30 histories"
    # A fault between histories delays the next one, and does not end the campaign.
    drive 0 --load ./levers.so --ops 100 --histories 500 --check none --fault deaf:1@10ms+300ms
    said "500 histories"
    # A lever that the first node does not have is not drawn there.
    refused "node 1 has no lever 'second'" --load ./levers.so --fault second:1@0
    for seconds in 0.5 5 50; do # until one has come in time
        drive 0 --load ./levers.so --seconds $seconds --sessions 1 --check none --fault random:19
        grep -q '^# @fault ' run/0001.hist && break
    done
    grep -q '^# @fault second:2 ' run/0001.hist || fault "random faults: $(grep @fault run/0001.hist)"
else
    echo "drive: drivers of users left out: no compiler"
fi

echo "drive: $faults faults"
[ $faults -eq 0 ]
