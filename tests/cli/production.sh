#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `assay monitor` beside a server that runs for months: an unknown content at the start, checkpoints and restarts, rotated
# files, several writers, commands at violations, statistics, and a day of a busy queue in flat memory.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/../support/scratch.sh"

# has WHAT FILE TEXT
has() { grep -qF -- "$3" "$2" || { fault "$1: no word of '$3'"; cat "$2"; }; }
lacks() { ! grep -qF -- "$3" "$2" || { fault "$1: '$3' is there"; cat "$2"; }; }

# ---- after a violation the writer can go on ----
server() { # dies of SIGPIPE if nobody reads
    printf '[1] call deq\n[1] return 9\n'
    for i in $(seq 1 20000); do printf '[1] call enq(%d)\n[1] return\n' "$i"; done
    echo survived >&2
}
server 2>server.err | "$assay" monitor >out; [ "${PIPESTATUS[1]}" -eq 1 ] || fault 'drain: the status is not 1'
has drain server.err survived
has drain out '1 violation in 40002 events'
printf '%s\n' '[1] call a.deq' '[1] return 9' '[1] call b.deq' '[1] return 8' >two.hist
"$assay" monitor -o queue two.hist >out
has 'other objects' out 'b, a queue, is not linearizable'
"$assay" monitor -o queue --fail-fast two.hist >out
lacks 'fail fast' out 'b, a queue'
"$assay" monitor --fail-fast --all two.hist >out 2>err; [ $? -eq 2 ] || fault 'two ways at once'

# ---- an unknown content ----
printf '%s\n' '[7] return 3' '[1] call deq' '[1] return 5' '[1] call deq' '[1] return empty' '[1] call enq(6)' '[1] return' \
    '[1] call deq' '[1] return 7' >attach.hist
"$assay" monitor -o queue attach.hist >out 2>&1; [ $? -eq 2 ] || fault 'a return without a call is taken'
"$assay" monitor -o queue --attach --settle 1 attach.hist >out; [ $? -eq 1 ] || fault 'attach: the status is not 1'
has attach out 'VIOLATION at event 9'
has attach out '1 return of calls from before the start'
head -5 attach.hist | "$assay" monitor -o queue --attach --settle 1 >out; [ $? -eq 3 ] || fault 'attach: a false alarm, or a verdict'
has attach out 'what the object held at the start was unknown'
for refused in '-o bank(2,1)' '-o queue -e saturate' '-o register -m weak-hb' '-o queue --init [1]'; do
    # shellcheck disable=SC2086
    "$assay" monitor --attach $refused </dev/null >out 2>&1; [ $? -eq 2 ] || fault "attach: $refused is not refused"
done

# ---- checkpoints: the run in pieces says what the run as a whole says ----
for object in queue stack pqueue set multiset register lock exchanger cas-register map counter rwlock deque; do
    case $object in
        queue | stack | pqueue | set | multiset | deque) size='--size 16' ;;
        map) size='--values 300' ;; # more keys than have configurations of their own
        *) size= ;;
    esac
    # shellcheck disable=SC2086
    "$assay" gen object -o $object --threads 6 --operations 3000 $size --mutate 20 --seed 3 --out whole.hist 2>err ||
        { fault "gen $object"; cat err; continue; }
    "$assay" monitor --json --all whole.hist | sed 's/whole.hist/live.hist/; s/"bytes":[0-9]*/"bytes":0/' >expected
    rm -f live.hist state out
    total=$(stat -c %s whole.hist) at=0 k=0
    while [ $at -lt "$total" ]; do # ends in the middle of lines, too
        k=$((k + 1)) step=$((1 + (k * 7919 + ${#object} * 104729) % 30011))
        tail -c +$((at + 1)) whole.hist | head -c $step >>live.hist
        at=$((at + step))
        "$assay" monitor --json --all --checkpoint state live.hist 2>/dev/null | grep -v '"type":"summary"' >>out
        last=$("$assay" monitor --json --all --checkpoint state live.hist 2>/dev/null)
    done
    printf '%s\n' "$last" | grep summary | sed 's/"bytes":[0-9]*/"bytes":0/' >>out
    cmp -s out expected || { fault "checkpoint: $object in pieces says something else"; diff out expected | head -5; }
done

# ---- a violation that the end of the input brings about is reported once ----
rm -f live.hist state alerts
printf '%s\n' '[1] call ab.enq(1)' '[1] return' '[2] call ab.enq(2)' '[1] call ab.deq' '[1] return empty' >live.hist
for more in '' '' '[3] call ab.enq(3)' '[2] return' '[3] return' ''; do # the call of 2 is open at first
    [ -z "$more" ] || echo "$more" >>live.hist
    "$assay" monitor --json -o queue --checkpoint state --on-violation 'echo >>alerts' live.hist; [ $? -eq 1 ] ||
        fault 'reported once: the status is not 1'
done >out
[ "$(grep -c '"type":"violation"' out)" -eq 1 ] || { fault 'a violation is not reported once'; cat out; }
[ "$(grep -c '"violations":1' out)" -eq 6 ] || { fault 'a violation is not counted in each run'; cat out; }
await test -s alerts && [ "$(wc -l <alerts)" -eq 1 ] || fault 'the command was not run once'

# ---- a checkpoint that must be refused ----
"$assay" gen object -o queue --threads 3 --operations 200 --distinct --out live.hist 2>/dev/null
rm -f state
"$assay" monitor -o queue --checkpoint state live.hist >/dev/null
refuse() { # WHAT WORDS ARGUMENTS...
    what=$1 words=$2
    shift 2
    "$assay" monitor --checkpoint state "$@" >out 2>&1; [ $? -eq 2 ] || fault "$what: it is taken"
    has "$what" out "$words"
}
cp state good
for at in 3 40 200 2000; do
    cp good state
    printf '\377' | dd of=state bs=1 seek=$at conv=notrunc 2>/dev/null
    "$assay" monitor -o queue --checkpoint state live.hist >out 2>&1; [ $? -eq 2 ] || fault "damage at $at is taken"
done
head -c -5 good >state; refuse 'cut' 'the checkpoint is damaged' -o queue live.hist
sed '1s/3/4/' good >state; refuse 'newer' 'a newer version' -o queue live.hist
sed '1s/3/1/' good >state; refuse 'older' 'an older version' -o queue live.hist
echo hello >state; refuse 'foreign' 'no checkpoint of a monitor' -o queue live.hist
cp good state; refuse 'other object' 'other options' -o stack live.hist
cp live.hist other.hist; refuse 'other input' 'of another input' -o queue other.hist
tail -c +100 live.hist >x; mv x live.hist; refuse 'other bytes' 'the events behind the checkpoint are gone' -o queue live.hist
refuse 'a model' 'only monitors of linearizability' -m weak-hb -o queue live.hist

# ---- a command at a violation ----
evil='$(touch injected); touch injected #`touch injected`.hist'
printf '%s\n' '[1] call enq("$(touch injected)`touch injected`")' '[1] return' '[1] call deq' '[1] return empty' >"./$evil"
"$assay" monitor -o queue --on-violation 'cat >seen; printf "%s" "$ASSAY_FILE" >name; echo noise' "./$evil" >out 2>err
await test -s name || fault 'the command was not run'
[ ! -e injected ] || fault 'a name was run by the shell'
[ "$(cat name)" = "./$evil" ] || fault 'the name is not handed on'
python3 -c 'import json; json.load(open("seen"))' || fault 'the input of the command is no JSON'
lacks command out noise
for i in $(seq 1 20); do printf '[1] call o%d.deq\n[1] return 9\n' "$i"; done >many.hist
"$assay" monitor -o queue --on-violation 'exec sleep 300' many.hist >out 2>err # returns although the commands hang
has 'hanging commands' out '20 violations in 40 events'
has 'hanging commands' out 'was not run for 12'
"$assay" monitor -o queue --on-violation 'exit 3' --stats stats.json - <two.hist >out 2>err
has 'violations' out '2 violations'

# ---- a page about the first violation ----
printf '%s\n' '# @object queue' '[1] call enq(1)' '[1] return' '[2] call deq' '[2] return empty' '[2] call enq(3)' >page.hist
"$assay" monitor --html page.html page.hist >out 2>err; [ $? -eq 1 ] || fault 'page: no violation'
[ ! -s err ] || { fault 'page: a complaint'; cat err; }
has page page.html 'EmptyWhileFull'
lacks 'page: what came later' page.html 'enq(3)'
seq 100000 | awk '{print "[1] call enq(" $1 ")\n[1] return\n[1] call deq\n[1] return " $1}' >long.hist
sed 's/^\[\([12]\)/[9\1/' page.hist | sed 1d >>long.hist
"$assay" monitor -o queue --html long.html long.hist >out 2>err; [ $? -eq 1 ] || fault 'long page: no violation'
has 'long page' err 'about the operations of the report alone'
has 'long page' long.html 'EmptyWhileFull'
lacks 'long page' long.html 'enq(99999)'

# ---- statistics ----
has statistics stats.json '"violations":2'
"$assay" monitor -o queue --stats s.prom two.hist >/dev/null
has Prometheus s.prom 'assay_monitor_violations_total 2'
has Prometheus s.prom '# TYPE assay_monitor_live gauge'
"$assay" monitor --json --wall-clock -o queue two.hist >out
grep -qE '"arrived":"20[0-9]{2}-[0-9-]+T[0-9:]+Z"' out || fault 'no time of the clock'
"$assay" monitor --json -o queue two.hist >out
lacks 'no clock unless asked' out '"arrived"'
printf '%s\n' '# @clock ms' '[1] call deq @ 1763440000000' '[1] return 9 @ 1763440000250' >timed.hist
"$assay" monitor --json --wall-clock -o queue --journal timed.log --stats timed.json timed.hist >out
has 'a time of the stream' out '"happened":"2025-11-18T04:26:40.250Z"'
has 'a time in the journal' timed.log '"at":"2025-11-18T04:26:40.250Z"'
has 'a time in the statistics' timed.json '"last_violation":"2025-11-18T04:26:40.250Z"'

# ---- several writers on a socket: the producer in C ----
cc -O1 "$root/examples/producer.c" -pthread -o producer || fault 'examples/producer.c does not compile'
# The socket has its mode from the first moment at which it is seen: looked at without a pause.
python3 -c 'import os, sys, time
end = time.monotonic() + float(sys.argv[1])
while not os.path.exists("w.socket") and time.monotonic() < end: pass
print("%o" % (os.stat("w.socket").st_mode & 0o7777))' "$hung" >first_mode & looking=$!
"$assay" monitor --json -o queue --writers --socket-mode 0620 --stats w.json --write-every 0.05 unix:w.socket >out 2>err &
monitor=$!
wait $looking
[ "$(cat first_mode)" = 620 ] || fault "the socket had mode $(cat first_mode) when it was made"
./producer w.socket 500 & first=$!
./producer w.socket 0 2>producer.err
wait $first
"$assay" monitor -o queue --writers unix:w.socket >second 2>&1; [ $? -eq 2 ] || fault 'a second monitor on the socket'
await grep -qsF '"events":4000' w.json || fault "several writers: $(cat w.json)"
kill -TERM $monitor; wait $monitor
has writers out '"events":4000'
has writers out '"violations":0'
[ ! -e w.socket ] || fault 'the socket is still there'

# ---- all at once: attach, kill -9, restart, both rotations, and a violation, while the server goes on writing ----
log=events.hist
rm -f alerts
# It writes until it is told to end, however long the others take.
python3 "$root/examples/producer.py" $log --operations 100000000 --pause 0.0005 --overtake 1200 & server=$!
await test -s $log
start() {
    "$assay" monitor --json -o queue --attach --settle 100 --follow --checkpoint cp --write-every 0.1 --stats st.json \
        --on-violation 'cat >>alerts' $log >>reports 2>>errors &
    monitor=$!
}
beyond() { [ "$(sed -n 's/.*"events":\([0-9]*\).*/\1/p' st.json 2>/dev/null || echo 0)" -gt "$1" ]; } 2>/dev/null
# It attaches behind the first lines, as to a server that has been running.
warm() { [ "$(wc -l <$log)" -gt 200 ]; }
await warm
start
await beyond 500
kill -9 $monitor; wait $monitor 2>/dev/null
mv $log $log.1; kill -HUP $server # rotated while nobody looks
await test -s $log
start
await beyond 1500
mv $log $log.2; kill -HUP $server
await test -s $log
await beyond 3000
kill -TERM $monitor; wait $monitor; status=$?
[ $status -eq 3 ] || [ $status -eq 1 ] || { fault "after SIGTERM the status is $status"; cat errors; }
start
await test -s alerts || fault 'the command was not run at the violation'
kill -TERM $server; wait $server; status=$?
[ $status -eq 143 ] || fault "the server died: $status"
cat $log.1 $log.2 $log >all.hist
total=$(wc -l <all.hist)
await beyond $((total - 1)) || fault 'it does not reach the end'
# copy and truncate, and a writer that goes on
cp $log $log.3; : >$log
printf '[x] call enq(-1)\n[x] return\n' >>$log
await beyond $((total + 1)) || { fault 'nothing is read behind a truncation'; cat errors; }
kill -TERM $monitor; wait $monitor; status=$?
[ $status -eq 1 ] || { fault "a violation, but the status is $status"; cat reports errors; }
printf '[x] call enq(-1)\n[x] return\n' >>all.hist
tail -1 reports >summary
has 'all at once' summary "\"events\":$((total + 2))"
has 'all at once' summary '"violations":1'
has 'all at once' reports '"type":"violation"'
# the same as a run that nothing interrupted
"$assay" monitor --json -o queue --attach --settle 100 all.hist >whole
[ "$(grep -o '"event":[0-9]*' whole | head -1)" = "$(grep -o '"event":[0-9]*' alerts | head -1)" ] ||
    fault 'another event is named than in one run'

# ---- a day of a busy queue, sampled: memory does not grow with the events ----
# The whole day, 10^9 events, takes hours: docs/guides/monitoring.md has the command. Beside the monitor's own count, the greatest
# resident size is that of the process.
peak() { # OPERATIONS: bytes of the monitor, kilobytes of the process
    awk -v operations="$1" -f "$root/tests/support/busy_queue.awk" |
        python3 -c 'import resource, subprocess, sys
out = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, text=True).stdout
print(out[out.index("\"bytes\":") + 8:].split(",")[0], resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' \
            "$assay" monitor --json -o queue --checkpoint day.state --write-every 0.2 -
}
rm -f day.state; read -r few few_kb <<<"$(peak 30000)"
rm -f day.state; read -r many many_kb <<<"$(peak 500000)"
[ -n "$few" ] && [ -n "$many" ] && [ "$many" -le $((few + few / 2)) ] || fault "memory grows: $few bytes, then $many"
# Sanitizers keep freed memory for a while.
grep -q '^ASSAY_SANITIZE:STRING=.' "${ASSAY_BUILD:?the build folder}/CMakeCache.txt" ||
    [ "${many_kb:-1}" -le $((${few_kb:-0} + 8192)) ] || fault "the process grows: $few_kb kB, then $many_kb"

# ---- the unit ----
if command -v systemd-analyze >/dev/null; then
    systemd-analyze verify "$root/examples/assay-monitor.service" 2>&1 | grep assay-monitor && fault 'the unit is refused'
fi
grep -q '^ExecStart=.*assay monitor' "$root/examples/assay-monitor.service" || fault 'the unit starts no monitor'

exit $((faults > 0))
