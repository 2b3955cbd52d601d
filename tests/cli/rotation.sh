#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `assay monitor --follow` when its file is copied and truncated, or replaced, at the worst moments: what it has read, and
# what it has lost, it knows. The monitor is stopped (SIGSTOP) while the file changes, so that it cannot look in between.
set -u
. "$(dirname "$0")/../support/scratch.sh"

has() { grep -qF -- "$3" "$2" || { fault "$1: no word of '$3'"; cat "$2"; }; }
lacks() { ! grep -qF -- "$3" "$2" || { fault "$1: '$3' is there"; cat "$2"; }; }

value=0 total=0
# operations N: a right queue, 4 events each; values have 5 digits, so that equal numbers have equal sizes.
operations() {
    local i
    for ((i = 0; i < $1; i++)); do
        value=$((value + 1))
        printf '[1] call enq(%d)\n[1] return\n[1] call deq\n[1] return %d\n' $((10000 + value)) $((10000 + value))
    done >>log
    total=$((total + 4 * $1))
}
fresh() {
    rm -f log* state stats.json out err
    : >log
    total=0
}
start() {
    "$assay" monitor --json -o queue --follow --settle 4 --checkpoint state --stats stats.json --write-every 0.05 log \
        >>out 2>>err &
    monitor=$!
}
counted() { grep -qs "\"events\":$1," stats.json; }
reads() { await counted "$1" || { fault "$2: it does not read $1 events"; cat stats.json err; }; }
stopped=""
stop() { bring_to_a_stop $monitor; stopped=yes; }
go_on() { kill -CONT $monitor; stopped=""; }
# A monitor that runs gets no SIGCONT: it would undo the stop by which the leak sanitizer looks at it in the end.
end() { kill -TERM $monitor; [ -z "$stopped" ] || go_on; wait $monitor; }
# copy NAME AGE: copied, and truncated. Copies within a tick of the clock would have one time.
copy() { cp log "$1"; touch -d "$2 seconds ago" "$1"; : >log; }
right() { # WHAT: all events, once, and nothing else
    reads $total "$1"
    end
    tail -1 out >summary
    has "$1" summary "\"events\":$total,"
    has "$1" summary '"violations":0'
    [ ! -s err ] || { fault "$1: a warning"; cat err; }
}

# ---- truncated between the last look and the end of the monitor ----
for more in 1 9 30; do # the new content is shorter, longer, and much longer
    fresh; operations 8; start; reads $total 'the first content'
    stop; operations 3; copy log.1 20; operations $more; end
    start; right "restart behind copytruncate, then $more"
done

# ---- in the middle of a line ----
fresh; operations 8; start; reads $total 'a part of a line'
printf '[1] call enq(5' >>log
await grep -qaE '^position 1 [0-9]+ [0-9]+ [0-9]+ 14 ' state || fault 'a part of a line is not noted'
stop; printf '5555)\n[1] return\n' >>log; total=$((total + 2)); copy log.1 20; printf '[1] call deq\n[1] return 55555\n' >>log
total=$((total + 2)); end
start; right 'a part of a line'

# ---- two rotations between two looks ----
fresh; operations 10; start; reads $total 'equal sizes'
stop; copy log.1 30; operations 10; copy log.2 20; operations 10; go_on
right 'equal sizes'
# The monitor is at the start of the truncated file: nothing before its position tells.
fresh; operations 10; start; reads $total 'at the start'
copy log.1 30
await grep -qaE '^position 1 [0-9]+ [0-9]+ 0 ' state || fault 'it does not go to the start'
stop; operations 10; copy log.2 20; operations 10; go_on
right 'at the start'
fresh; operations 10; start; reads $total 'at the start, restarted'
copy log.1 30
await grep -qaE '^position 1 [0-9]+ [0-9]+ 0 ' state || fault 'it does not go to the start'
end; operations 10; copy log.2 20; operations 10; start
right 'at the start, restarted'

# ---- bytes that are gone: a warning, and no false alarm ----
lost() { # WHAT: the rest of a queue, of which a part was lost
    printf '%s\n' '[2] return' '[1] call deq' '[1] return 77' '[1] call deq' '[1] return 78' '[1] call deq' \
        '[1] return empty' '[1] call enq(80)' '[1] return'
}
for way in running restarted; do
    fresh; operations 3; start; reads $total "loss, $way"
    printf '[2] call enq(79)\n[3] call deq\n[3] ret' >>log # calls that are open, and a part of a line
    reads $((total + 2)) "loss, $way"
    stop; printf 'urn\n[1] call enq(77)\n[1] return\n' >>log; : >log
    [ $way = running ] || operations 9 # longer than the position
    lost >>log
    if [ $way = running ]; then go_on; total=$((total + 2 + 9)); else end; start; total=$((total + 2 + 9)); fi
    reads $total "loss, $way"
    has "loss, $way" err 'events may have been lost'
    lacks "loss, $way" out '"type":"violation"'
    # It can be saved, and goes on: a violation for every content is still reported.
    end; start
    printf '[1] call deq\n[1] return 81\n' >>log
    reads $((total + 2)) "after the loss, $way"
    end
    has "after the loss, $way" out '"type":"violation"'
    [ "$(grep -c 'events may have been lost' err)" -eq 1 ] || { fault "loss, $way: not one warning"; cat err; }
done
fresh; operations 3; start; reads $total 'verdict'
stop; : >log; operations 1; go_on
reads $total 'verdict'
end
tail -1 out >summary
has 'verdict' summary '"verdict":"undecided"'
has 'verdict' summary 'events may have been lost'

# ---- objects that cannot be followed with an unknown content are not checked any more; transactions are a fault ----
follow() { # MODEL OPTIONS...: one line, which is lost, and another one
    rm -f stats.json out err
    "$assay" monitor --json -m "$@" --follow --stats stats.json --write-every 0.05 log >out 2>err & monitor=$!
}
printf '[1] call write(5)\n[1] return\n' >log; follow weak-hb -o register; reads 2 'a weak model'
stop; : >log; printf '[1] call read\n[1] return 6\n' >>log; go_on
reads 4 'a weak model'
end
has 'a weak model' out '"violations":0'
has 'a weak model' out 'events may have been lost'
printf 'a: txn(w x 5) @ 1..2\n' >log; follow ser --sessions 1; reads 1 'transactions'
stop; : >log; printf 'a: txn(r x 6)\n' >>log; go_on
wait $monitor; [ $? -eq 2 ] || fault 'transactions are judged behind a loss'
has 'transactions' err 'transactions may have been lost'

exit $((faults > 0))
