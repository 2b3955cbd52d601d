#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# assay stress survives its implementation. Whatever happens to that, there is a report with the calls that ran, a file that
# runs the client program again, status 1, and nothing is left behind. Sanitizers find faults in adapters.
set -u
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/support/scratch.sh"
. "$root/tests/support/expect.sh"
sanitized=$(sed -nE 's/^ASSAY_SANITIZE:[A-Z]*=(.+)/\1/p' "${ASSAY_BUILD:?the build folder}/CMakeCache.txt")
mkdir tmp
export TMPDIR=$scratch/tmp
ulimit -c 0
build() { cc -g -std=gnu11 -Wall -Wextra -Werror -I"$root/include" -pthread -shared -fPIC -o "$@"; }
build mishap.so "$root/tests/support/mishap.c" || exit 1
stress() { "$assay" stress --load ./mishap.so "$@"; }
gone() { ! kill -0 "$1" 2>/dev/null; }
process_of() { local keeper; keeper=$(pgrep -P "$1") && pgrep -P "$keeper"; } # of the implementation, below its keeper

# ---- mishaps: MISHAP, the headline, and a line of the report ----
tried=0
while IFS='|' read -r mishap headline line; do
    export MISHAP=$mishap
    rm -f crash.client
    expect 1 "queue:mishap: $headline" stress --hang 1 --seconds 600
    for text in "$line" 'of seed 1, run ' '  the calls that ran\|  no call had begun\|  the record of the calls is damaged' 'stress queue:mishap --load ./mishap.so --replay crash.client'; do
        grep -q -- "$text" said || fault "$mishap: no '$text' in: $(cat said)"
    done
    grep -q '^t[0-9]: enq(5)$' crash.client || fault "$mishap: crash.client lacks a call"
    MISHAP='' expect 0 'no violation' stress --replay crash.client --runs 20 # the file is a program of its own
    tried=$((tried + 1))
done <<END
segv|CRASH|enq(5) => ?
hang|HANG: no call returned for 1 seconds|enq(5) => ?
spin|HANG: no call returned for 1 seconds|enq(5) => ?
heap|CRASH|    t0  *t1  *t2
exit|CRASH: the process ended with status|enq(5) => ?
abort|CRASH|enq(5) => ?
kill|CRASH: signal 9 (SIGKILL)|enq(5) => ?
kill-group|CRASH: signal 9 (SIGKILL)|enq(5) => ?
term-group|CRASH: signal 15 (SIGTERM)|enq(5)
kill-parent|CRASH: the parent of the process was killed, and the process with it|enq(5)
stop|CRASH: the process was stopped by signal |enq(5) => ?
end-thread|CRASH: a thread ended in the midst of a run|enq(5) => ?
scribble-abort|CRASH|  1 program of 3 threads and 9 calls, 1 runs, 0 distinct histories, 0 violations, 1 process ended early
scribble|CRASH|1 process ended early
steal|CRASH: the process damaged memory or files that it shares with the harness|of seed 1
child-abort|CRASH|enq(5) => ?
session-abort|CRASH|enq(5) => ?
create|CRASH|t0 was in .create.
destroy|CRASH|t0 was in .destroy.
END
if [ -z "$sanitized" ]; then
    MISHAP=segv expect 1 'CRASH: signal 11 (SIGSEGV)' stress
    MISHAP=abort expect 1 'CRASH: signal 6 (SIGABRT)' stress
fi

# The file shows the mishap again, in the process itself, and a debugger sees it.
export MISHAP=abort
stress >said 2>&1
stress --replay crash.client >said 2>&1
[ $? -gt 1 ] || [ -n "$sanitized" ] || fault "--replay survived an abort"
if [ -z "$sanitized" ] && command -v gdb >/dev/null; then
    gdb -batch -ex run -ex bt --args "$assay" stress --load ./mishap.so --replay crash.client >said 2>&1 </dev/null
    grep -q 'in happen' said || fault "no place of the mishap from gdb: $(cat said)"
fi

# With --out the file is there, and --json and --keep-going say the same.
expect 1 '"how":"' stress --json --out runs --keep-going --seconds 600 --runs 100
grep -q '"file":"runs/crash.client"' said && grep -q '"crashes":[1-9]' said && [ -s runs/crash.client ] ||
    fault "--json: $(cat said)"
grep -q '"crashes":[1-9]' runs/journal.jsonl || fault "the journal knows no crash"

# ---- what is no hang: a call that takes its time, also while the campaign is stopped by Ctrl-Z ----
sees_ctrl_z() { (($(sed -n 's/^SigCgt:[[:space:]]*/0x/p' "/proc/$1/status") & 0x80000)); }
MISHAP=slow "$assay" stress --load ./mishap.so --hang 2 --runs 40 --repeats 1 --invocations 12 >slow.out 2>&1 &
pid=$!
await process_of $pid >children || fault "no process for the implementation"
await sees_ctrl_z $pid || fault "Ctrl-Z is not seen"
kill -TSTP $pid
child=$(head -n 1 children)
await stands_still $pid && await stands_still "$child" || fault "Ctrl-Z does not stop both processes"
let_pass 3
kill -CONT $pid
wait $pid || fault "a slow call counts as a hang: $(cat slow.out)"

# ---- what the implementation has left behind ends with its process; a copy of that does not record anything ----
MISHAP=child expect 0 'no violation' stress --runs 20
MISHAP=session expect 0 'no violation' stress --runs 20
[ "$(wc -l <child)" -ge 4 ] || fault "children were not made: $(cat child)"
while read -r left; do
    gone "$left" || fault "a process of the implementation is left: $left"
done <child
MISHAP=copy expect 0 'no violation' stress --runs 400

# ---- Ctrl-C, and the end of the harness ----
MISHAP='' "$assay" stress --load ./mishap.so --seconds 600 --out interrupted >out 2>&1 &
pid=$!
await test -s interrupted/journal.jsonl && await process_of $pid >children
kill -INT $pid
wait $pid
[ $? -eq 3 ] || fault "Ctrl-C: $(cat out)"
child=$(head -n 1 children)
await gone "$child" || fault "a process outlives Ctrl-C"
MISHAP=hang "$assay" stress --load ./mishap.so --seconds 600 >out 2>&1 & # a call that never returns does not delay it for long
pid=$!
await process_of $pid >children
kill -INT $pid
wait $pid
[ $? -eq 3 ] || fault "Ctrl-C in a hang: $(cat out)"
child=$(head -n 1 children)
await gone "$child" || fault "a process outlives Ctrl-C in a hang"
MISHAP=hang "$assay" stress --load ./mishap.so --seconds 600 >out 2>&1 &
pid=$!
await process_of $pid >children
kill -KILL $pid
wait $pid 2>/dev/null
child=$(head -n 1 children)
await gone "$child" || fault "a process outlives the harness"
: >child
MISHAP=children-hang "$assay" stress --load ./mishap.so --seconds 600 >out 2>&1 & # one of them in a session of its own
pid=$!
two_children() { [ "$(wc -l <child)" -ge 2 ]; }
await two_children || fault "children were not made"
kill -KILL $pid
wait $pid 2>/dev/null
while read -r left; do
    await gone "$left" || fault "a process of the implementation outlives the harness: $left"
done <child

MISHAP=hang "$assay" stress --load ./mishap.so --hang 1 --seconds 600 >out 2>&1
MISHAP=hang "$assay" stress --load ./mishap.so --replay crash.client --seconds 600 >out 2>&1 & # also in the program itself
pid=$!
sees_term() { (($(sed -n 's/^SigCgt:[[:space:]]*/0x/p' "/proc/$pid/status") & 0x4000)); }
await sees_term || fault "--replay does not see SIGTERM"
let_pass 1
kill -TERM $pid
wait $pid
[ $? -eq 3 ] && grep -q 'the run did not end' out || fault "the first signal does not end --replay: $(cat out)"

# ---- marked points that are not reached from a call disturb nobody ----
for where in create destroy thread; do
    MISHAP=point-$where expect 0 'no violation' stress --runs 60 --repeats 20
    MISHAP=point-$where expect 0 'no violation' stress --threads 1 --runs 20
done

# ---- calls without an effect ----
MISHAP=fails expect 0 'calls failed without an effect' stress --runs 200
MISHAP=lies expect 1 'VIOLATION of lin' stress --threads 1 --seconds 600

# ---- a smaller program that shows another violation is none of this one ----
MISHAP=twice expect 1 'VIOLATION of lin: RemovedTwice' stress --threads 1 --seconds 600
grep -q 'to a program of 3 calls' said && [ "$(grep -c '^t0: deq() => 1 ' violation.hist)" = 2 ] ||
    fault "a value that comes twice: $(cat said violation.hist)"

# ---- no verdict on a record that is not whole; words of 55 bytes, and any number of them in all runs, have room ----
MISHAP=long expect 2 'room for 255 texts of at most 55 bytes' stress --threads 1 --mix deq --runs 20
MISHAP=long expect 2 'room for 255 texts of at most 55 bytes' stress --threads 3 --runs 200 --json
MISHAP=kind expect 2 'deq returned an answer of a kind that assay_adapter.h does not have' stress --runs 200
MISHAP=longest expect 1 'VIOLATION of lin' stress --threads 1 --mix deq --runs 20
MISHAP=new-words expect 0 'no violation' stress --runs 2000
unset MISHAP

# ---- client programs that are none ----
refuse() { # TEXT, the program on standard input
    cat >bad.client
    expect 2 "$1" "$assay" stress queue:mutex --replay bad.client
}
refuse 'bad.client:2:5: pop: the implementation has no such method' <<<$'t0: enq(1)\nt0: pop()'
refuse 'bad.client:1:5: enq: an argument is not an integer' <<<'t0: enq(x)'
refuse 'bad.client:1:5: enq: the number of arguments is another one' <<<'t0: enq(1, 2)'
refuse 'bad.client:1:5: deq: the call has a result' <<<'t0: deq() => 1'
refuse 'bad.client:1:5: deq: the call has a result' <<<'t0: deq() => ?'
refuse 'bad.client:1:1: the seed of the run is not a whole number' <<<$'# @run-seed x\nt0: deq()'
refuse 'there is no client program in it' </dev/null
expect 2 'absent.client: cannot open' "$assay" stress queue:mutex --replay absent.client
expect 2 '--replay: the program is given' "$assay" stress queue:mutex --replay crash.client --mix enq=1
expect 2 '--replay needs the implementation' "$assay" stress --replay crash.client

# ---- sanitizers ----
runtime() { # of gcc's sanitizer
    local file
    file=$(cc -print-file-name="$1")
    [ -f "$file" ] && echo "$file"
}
if [ -z "$sanitized" ] && asan=$(runtime libasan.so) && build asan.so -fsanitize=address "$root/tests/support/mishap.c"; then
    expect 2 'it needs LD_PRELOAD=$(cc -print-file-name=libasan.so)' "$assay" stress --load ./asan.so --runs 1
    MISHAP='' expect 0 'no violation' env LD_PRELOAD="$asan" "$assay" stress --load ./asan.so --runs 50
    MISHAP=heap expect 1 'AddressSanitizer: heap-buffer-overflow' env LD_PRELOAD="$asan" "$assay" stress --load ./asan.so
    grep -q 'CRASH: the process ended with status' said || fault "address sanitizer: $(cat said)"
fi
if [ -z "$sanitized" ] && tsan=$(runtime libtsan.so) && build tsan.so -fsanitize=thread "$root/examples/adapter.c"; then
    expect 2 'must be loaded first: LD_PRELOAD=$(cc -print-file-name=libtsan.so)' "$assay" stress --load ./tsan.so --runs 1
    expect 0 'no violation' env LD_PRELOAD="$tsan" "$assay" stress --load ./tsan.so --runs 50
    sed '0,/pthread_mutex_lock(/s//(void)(/; 0,/pthread_mutex_unlock(/s//(void)(/' "$root/examples/adapter.c" >racy.c
    build racy.so -fsanitize=thread racy.c
    expect 1 'ThreadSanitizer: data race' env LD_PRELOAD="$tsan" "$assay" stress --load ./racy.so --runs 400 --threads 2
fi

[ -z "$(ls -A tmp)" ] || fault "left in TMPDIR: $(ls -A tmp)"
left=$(find . -name '.*' ! -name . | head -n 3)
[ -z "$left" ] || fault "temporary files are left: $left"
[ $faults -eq 0 ] && echo "stress_mishaps: $tried mishaps reported with their calls and programs, nothing left behind"
