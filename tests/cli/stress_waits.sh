#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# assay stress and calls that wait: a run in which everybody waits as he should is no finding, and the campaign goes on. A
# lost wake-up is one, and so is a call that answers instead of waiting. With one thread it is certain what happens.
set -u
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/support/scratch.sh"
. "$root/tests/support/expect.sh"
mkdir tmp
export TMPDIR=$scratch/tmp
ulimit -c 0
build() { cc -g -std=gnu11 -Wall -Wextra -Werror -pthread -shared -fPIC -o "$@"; }
build waiting.so -I"$root/include" "$root/tests/support/waiting.c" || exit 1
stress() { "$assay" stress --load ./waiting.so "$@"; }
queue() { stress queue:waits "$@"; }

# ---- right ones ----
expect 0 ', 20 runs, 20 distinct histories, 0 violations, 20 runs ended in calls that wait' \
    queue --threads 1 --mix deq=1 --values 3 --runs 20 --repeats 1 --invocations 3 --out waits
[ "$(cat waits/program-1.hist)" = $'# @object queue\nt0: deq() => ? @ after' ] || fault "waits: $(cat waits/program-1.hist)"
expect 0 ', 10 runs, 2 distinct histories, 0 violations, 10 runs ended in calls that wait' queue --threads 1 --mix deq=1 --runs 10
expect 0 'no violation' queue --runs 60 --repeats 20
expect 0 'no violation' queue --runs 60 --repeats 20 -m level:weak
expect 0 '"waits":10,' queue --threads 3 --mix deq=1 --runs 10 --json
# Each run that waits ends its process. The next one has another program, and nothing of this one is in its record.
for seed in 1 2 3 4; do
    expect 0 ', 40 runs, ' queue --invocations 7 --mix enq=1,deq=2 --runs 40 --repeats 1 --seed $seed --hang 10
    grep -q ' 0 violations, ' said || fault "calls of another process: $(cat said)"
done
WAITING=spin expect 0 'no violation' queue --runs 20 --repeats 5
expect 0 ', 5 runs ended in calls that wait' stress semaphore:waits --threads 1 --runs 5
expect 0 'no violation' stress semaphore:waits --runs 20
expect 0 ', 20 runs ended in calls that wait' stress exchanger:waits --runs 20 --repeats 5 # nine calls: one is left over
expect 0 'no violation' "$assay" stress queue:waiting --runs 40 --repeats 20

# ---- those that do not wake up ----
export WAITING=sleeper
expect 1 'queue:waits: HANG: lost wake-up: no call returned for 1 seconds, and deq() of t0 should have ended: the state is [1' \
    queue --threads 1 --hang 1 --seconds 600
grep -q 'deq() => ?' said && grep -q '^t0: deq()$' crash.client || fault "sleeper: $(cat said)"
expect 1 '"how":"lost wake-up: ' queue --threads 1 --hang 1 --json --seconds 600
WAITING=silent expect 1 'queue:waits: HANG: lost wake-up: ' queue --hang 1 --seconds 600
WAITING=silent expect 1 'exchanger:waits: HANG: lost wake-up: ' stress exchanger:waits --hang 1 --seconds 600
expect 1 'and two of exchange(1) of t0, exchange(4) of t1, exchange(7) of t2 should have ended' \
    stress exchanger:waits --hang 1 --seconds 600
expect 1 'queue:lost-wakeup: HANG: lost wake-up: ' "$assay" stress queue:lost-wakeup --hang 1 --seconds 600

# ---- a call that answers instead of waiting ----
export WAITING=spurious
expect 1 'queue:waits: VIOLATION of lin' queue --threads 1 --seconds 600
grep -q 'to a program of 1 call:' said && grep -q 'deq() => empty' said || fault "spurious: $(cat said)"
WAITING=newest expect 1 'queue:waits: VIOLATION of lin' queue --threads 1 --mix enq=2,deq=1 --invocations 5 --seconds 600
grep -q 'to a program of 3 calls' said || fault "shrinking ends at a program whose calls wait: $(cat said)"
expect 0 'no violation' stress queue:unlisted --threads 1 --runs 20 # as a deq of a queue may

# ---- of methods that are total, and of which nothing is said, a wait is a hang ----
unset WAITING
unlisted() { stress queue:unlisted --threads 1 --mix deq=1 --hang 1 "$@"; }
expect 1 'queue:unlisted: HANG: no call returned for 1 seconds' unlisted
# Where the answer that it could give instead is certain, the report says what to do if it waits by intent.
grep -q 'if they wait instead, say so: --waits deq=empty' said || fault "no remedy: $(cat said)"
expect 1 '"waits":"deq=empty"' unlisted --json
expect 1 'say so: --waits deq=empty' stress queue:unlisted --mix deq=1 --hang 1
WAITING=sleeper expect 1 'HANG: no call returned' unlisted --before enq=1
grep -q -- '--waits' said && fault "it could have returned 1: $(cat said)"
expect 0 'no violation' stress queue:unlisted --threads 1 --mix deq=1 --hang 1 --waits deq=empty --runs 5
expect 2 "--waits: cannot read 'deq'" stress queue:unlisted --waits deq
expect 2 "--waits: cannot read 'pop=empty'" stress queue:unlisted --waits pop=empty

# ---- adapters built with the first version of the header ----
mkdir old
sed '/^    .. since version 2 ..$/,/^} assay_adapter;/{/^} assay_adapter;/!d}; s/ADAPTER_VERSION 2.*/ADAPTER_VERSION 1/' \
    "$root/include/assay_adapter.h" >old/assay_adapter.h
build old.so -DVERSION_1 -Iold "$root/tests/support/waiting.c" || exit 1
expect 0 'no violation' "$assay" stress --load ./old.so --waits deq=empty --runs 20

[ -z "$(ls -A tmp)" ] || fault "left in TMPDIR: $(ls -A tmp)"
[ $faults -eq 0 ] && echo "stress_waits: right waits are none, lost wake-ups and early answers are findings"
