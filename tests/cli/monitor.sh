#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `assay monitor` as it is used: pipes, FIFOs and sockets that stay open, signals, malformed lines, streams that never end.
set -u
shopt -s lastpipe # what ends a pipe runs here
. "$(dirname "$0")/../support/scratch.sh"

# said STATUS TEXT: the last command ended so, and out or err has this line's part.
said() {
    [ "$status" -eq "$1" ] || fault "$what: status $status, not $1"
    grep -qF -- "$2" out err || { fault "$what: no word of '$2'"; cat out err; }
}

# monitor WHAT ARGUMENTS...: with what comes in.
monitor() {
    what=$1
    shift
    timeout "$hung" "$assay" monitor "$@" >out 2>err
    status=$?
    [ $status -lt 124 ] || fault "$what: it crashed, or hung"
}

# Waits until the file has the text.
wait_for() {
    await grep -qsF -- "$2" "$1" || fault "$what: '$2' did not come while the input was open"
}

good() { printf '[1] call enq(1)\n[2] call deq\n[1] return\n[2] return 1\n'; }
bad() { printf '[1] call enq(1)\n[1] return\n[2] call deq\n[2] return empty\n'; }

# ---- pipes and files; the same lines, taken at first sight or not ----
good | monitor pipe
said 0 'no violation in 4 events'
bad | monitor violation -
said 1 'VIOLATION at event 4 (line 4)'
bad >file.hist
monitor file file.hist
said 1 'file.hist: VIOLATION at event 4'
bad | sed 's/$/ /; s/(/ (/' | monitor 'slow lines'
said 1 'VIOLATION at event 4 (line 4)'
bad | sed 's/$/\r/' | monitor CRLF
said 1 'VIOLATION at event 4 (line 4)'
bad | head -c -1 | monitor 'no line feed at the end: it may be cut'
said 0 'no violation in 3 events'
bad | head -c -1 | "$assay" monitor 2>&1 | grep -q ':4: the last line has no end and is dropped' || fault 'no word of the cut line'
printf '%s\n' '{"type":"call","thread":1,"method":"enq","args":[1]}' '{"type":"return","thread":1}' \
    '{"type":"call","thread":1,"method":"deq"}' >cut.jsonl
(cat cut.jsonl; printf '{"type":"return","thread":1,"result":22}') | monitor 'a whole object of JSON'
said 1 'VIOLATION at event 4'
(cat cut.jsonl; printf '{"type":"return","thread":1,"result":2') | monitor 'a cut object of JSON'
said 0 'no violation in 3 events'
(good; echo ---; bad) | monitor 'several histories'
said 1 'standard input#1: VIOLATION at event 8 (line 9)'
printf '%s\n' '{"type":"call","thread":1,"method":"enq","args":["a b"]}' '{"type":"return","thread":1}' \
    '{"type":"call","thread":1,"method":"deq"}' '{"type":"return","thread":1,"result":"empty"}' | monitor JSON
said 1 'enq("a b")'
printf '[1] call q1.enq(1)\n[1] return\n[1] call q2.deq\n[1] return empty\n[1] call q1.deq\n[1] return empty\n' |
    monitor 'several objects'
said 1 'q1, a queue, is not linearizable'
gzip -c file.hist >file.gz
monitor compressed file.gz
[ $status -eq 2 ] && grep -q 'built without' err || said 1 'VIOLATION'
monitor 'no file' absent.hist
said 2 'absent.hist: cannot open'
printf '' | monitor nothing
said 0 'no violation in 0 events'
seq 200000 | sed 's/.*/[1] call enq(&)\n[1] return/' | monitor 'a limit' --memory 2
said 3 'memory budget'

# ---- which object ----
printf '[1] call add(1)\n' | monitor 'several fit'
said 2 '1:10: the operations fit several objects'
good | monitor 'unknown engine' -e nothing
said 2 "unknown monitor 'nothing'"
good | monitor 'declined' -o queue -e exact-set
said 2 'exact-set cannot follow it'

# ---- malformed lines ----
(good; echo '[1] cal enq(2)') | monitor malformed
said 2 'standard input:5:5: expected `call` or `return`'
(echo '# @object queue'; echo '[1] return 5') | monitor 'a return alone'
said 2 'standard input:2:2: a return of this id without a call'
printf '[1] call enq(1)\n[1] call deq\n' | monitor 'two calls'
said 2 '2:2: a second call of this id; its call in line 1 has not returned'
printf '[1] call enq(1, 2)\n' | monitor arity -o queue
said 2 '1:10: enq takes 1 argument, not 2'
printf '[1] call deq()\n[1] return\n' | monitor 'no result'
said 2 '2:2: this deq returns without a result'
printf '[1] call enq(\377)\n' | monitor 'not UTF-8'
said 2 '1:14: not UTF-8 text'
head -c 5000 /dev/urandom | monitor garbage
said 2 'standard input:'
head -c 20000000 /dev/zero | tr '\0' x | monitor 'one long line'
said 2 'longer than 16 MiB'
(good; head -c 17000000 /dev/zero | tr '\0' x; echo; bad) | monitor 'one long line, lenient' --lenient
said 1 'VIOLATION at event 8 (line 9)'
(good; for i in $(seq 25); do echo "INFO $i"; done; bad) | monitor lenient --lenient
said 1 'VIOLATION at event 8 (line 33)'
said 1 '25 malformed lines skipped'
[ "$(grep -c 'expected' err)" -eq 10 ] || fault "lenient: not the first ten lines"
# What a lost line said cannot be known: the queue goes on without the values of that time.
printf '%s\n' '[1] call enq(1)' '[1] return' '[2] call deq' '[2] retur 1' '[2] return x y' '[2] call deq' '[2] return empty' \
    '[1] call enq(7)' '[1] return' '[2] call deq' '[2] return empty' | monitor 'a lost return' --lenient
said 1 'VIOLATION at event 9 (line 11)'

# ---- input that stays open: reported while it does ----
mkfifo fifo
what=idle
timeout "$hung" "$assay" monitor -o queue --fail-fast fifo >out 2>err &
pid=$!
exec 3>fifo
bad >&3
wait_for out 'VIOLATION at event 4'
wait $pid
status=$?
said 1 'VIOLATION'
exec 3>&-
what=fifo
timeout "$hung" "$assay" monitor -o queue fifo >out 2>err &
pid=$!
(good >fifo)
wait $pid
status=$?
said 0 'no violation in 4 events'

# ---- sockets: made and waited on, and connected to ----
if command -v python3 >/dev/null; then
    what=socket
    timeout "$hung" "$assay" monitor -o queue unix:made.socket >out 2>err &
    pid=$!
    bad >events
    connected() {
        python3 -c 'import socket
s = socket.socket(socket.AF_UNIX)
s.connect("made.socket")
s.sendall(open("events", "rb").read())' 2>/dev/null
    }
    await connected
    wait $pid
    status=$?
    said 1 'VIOLATION at event 4'
    [ ! -e made.socket ] || fault "socket: it is left behind"
    what='socket of another'
    python3 - <<'END' &
import os, socket
s = socket.socket(socket.AF_UNIX)
s.bind("other.early")
s.listen(1)
os.rename("other.early", "other.socket")
c, _ = s.accept()
c.sendall(open("events", "rb").read())
c.close()
END
    await test -e other.socket
    monitor 'socket of another' -o queue unix:other.socket
    said 1 'VIOLATION at event 4'
    wait
fi

# ---- what is no socket, and a socket that another monitor has made ----
printf 'keep me\n' >ordinary
monitor 'an ordinary file' -o queue unix:ordinary
said 2 'ordinary: cannot open the socket'
said 2 'without `unix:` it is read as a file'
[ "$(cat ordinary)" = 'keep me' ] || fault "an ordinary file: it was touched"
what='two monitors'
(umask 0 && exec timeout "$hung" "$assay" monitor -o queue unix:shared.socket) >first.out 2>&1 &
pid=$!
await test -k shared.socket
[ "$(stat -c %a shared.socket)" = 1600 ] || fault "two monitors: others may connect to the socket of the first"
monitor 'two monitors' -o queue unix:shared.socket
said 2 'another monitor has made it'
[ -S shared.socket ] || fault "two monitors: the socket of the first is gone"
kill -0 $pid 2>/dev/null || fault "two monitors: the first has ended"
kill $pid
wait $pid
[ ! -e shared.socket ] || fault "two monitors: the socket is left behind"

# ---- signals: a summary, status 3 ----
for signal in TERM INT; do
    what="signal $signal"
    # In the background SIGINT is ignored unless job control says otherwise.
    rm -f pid
    (set -m; exec 3>&-; "$assay" monitor -o queue --every 0.1 fifo >out 2>err & echo $! >pid; wait $!; echo $? >rc) &
    exec 3>fifo
    good >&3
    wait_for err '4 events'
    await test -s pid
    kill -$signal "$(cat pid)"
    wait $!
    exec 3>&-
    status=$(cat rc)
    said 3 'no violation in 4 events so far (interrupted)'
done

# ---- signals while one event takes hours, or many take their time: the same ----
# The malformed line says when the slow part begins: all events but one are before it.
overlapping() {
    for i in $(seq 2 15); do echo "[$i] call enq($i)"; done
    for i in $(seq 2 15); do echo "[$i] return"; done
    printf '%s\n' '[1] call deq' 'INFO slow' '[1] return 99'
}
overlapping >one.hist # every order of the 14 is tried
(echo '# @object queue'; echo 'INFO slow'; seq 3000 | sed 's/.*/[1] call enq(&)\n[1] return/') >many.hist
# stops ENGINE FILE EVENTS MODEL: so many events have been judged, or any number.
stops() {
    what="signal while $1 computes"
    rm -f pid rc
    : >err
    (set -m; "$assay" monitor -o queue -e "$1" -m "${4:-lin}" --lenient "$2" >out 2>err & echo $! >pid; wait $!; echo $? >rc) &
    wait_for err 'expected'
    await test -s pid
    kill -TERM "$(cat pid)"
    await test -s rc || kill -KILL "$(cat pid)"
    wait $!
    status=$(cat rc)
    said 3 "${3:+no violation in $3 events }so far (interrupted)"
    said 3 "queue: $1, "
}
stops enumerate one.hist '29'
stops enumerate+c one.hist '29'
stops enumerate many.hist
stops weak one.hist '29' causal-convergence
stops weak one.hist '29' level:complete
stops weak many.hist '' causal-convergence
if "$assay" list monitors | grep symbolic | grep -qv 'not available'; then
    stops symbolic many.hist
    stops symbolic+c many.hist
    stops symbolic+i many.hist
fi

# ---- --all: every fault once, no false alarm, other values still judged ----
awk -v n=20000 'BEGIN {
    for (i = 1; i <= n; i++) {
        print "[1] call enq(" i ")"
        if (i > 20) print "[2] call deq"
        print "[1] return"
        if (i > 20) print "[2] return " (i % 5000 == 0 ? 900000 + i : i - 20)
    }
}' >stream.hist
monitor 'all' --all -o queue stream.hist
said 1 '4 violations in'
for i in 5000 10000 15000 20000; do
    grep -q "deq() => $((900000 + i)): called" out || fault "all: the fault at $i was missed"
done
# A lock goes on behind an unlock that overlaps nothing.
printf '%s\n' '[1] call lock' '[1] return' '[2] call lock' '[2] return' '[1] call unlock' '[1] return' '[2] call unlock' \
    '[2] return' '[1] call lock' '[1] return' '[2] call unlock' '[2] return' '[2] call unlock' '[2] return' >lock.hist
monitor 'all of a lock' --all -o lock lock.hist
said 1 '3 violations in 14 events'

# ---- texts: two million events, each value a new string, in little memory ----
awk 'BEGIN {
    for (i = 1; i <= 500000; i++)
        print "[1] call enq(\"value " i "\")\n[2] call deq\n[1] return\n[2] return \"value " i "\""
}' >texts.hist
peak() { "$assay" monitor --json -o queue - | sed -nE 's/.*"bytes":([0-9]+).*/\1/p'; }
few=$(head -n 200000 texts.hist | peak) many=$(peak <texts.hist)
[ "$many" -le $((few + few / 10)) ] || fault "texts: $few bytes for 200000 events, $many for 2000000"

echo "monitor: $faults faults"
[ $faults -eq 0 ]
