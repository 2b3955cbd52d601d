#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A program under test that is killed (signal 9) leaves a log from which `assay recover` writes a history: one that is read, and is
# no violation of a right queue, wherever it was killed. What is damaged is refused or read, and nothing worse.
set -eu
root=$(realpath "$(dirname "$0")/../..")
command -v cc >/dev/null || { echo "recover: no compiler: left out"; exit 77; }
. "$root/tests/support/scratch.sh"

cat >program.c <<'END'
#define _POSIX_C_SOURCE 200809L
#include "assay_record.h"

#include <pthread.h>

enum { THREADS = 3, ROOM = 100000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long queue[THREADS * ROOM + 1], head, tail;
static long calls;
static const struct timespec moment = {0, 10000};

static void *work(void *arg)
{
    assay_tape *t = (assay_tape *)arg;
    long i, value;
    for (i = 0; i < calls; i++) {
        assay_record_call1(t, "enq", (int64_t)t->thread * ROOM + i);
        pthread_mutex_lock(&lock);
        queue[tail++] = (long)t->thread * ROOM + i;
        pthread_mutex_unlock(&lock);
        if (i % 4 == 3) /* calls that have had their effect and have not returned */
            nanosleep(&moment, NULL);
        assay_record_return(t);
        assay_record_call0(t, "deq");
        pthread_mutex_lock(&lock);
        value = head < tail ? queue[head++] : -1;
        pthread_mutex_unlock(&lock);
        value < 0 ? assay_record_return_word(t, "empty") : assay_record_return_int(t, value);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    unsigned i;
    size_t room = (size_t)strtol(argv[3], NULL, 10);
    assay_recorder *r = assay_record_open_log(argv[1], THREADS,
                                              argv[2][0] == 'c' ? ASSAY_RECORD_COUNTERS : ASSAY_RECORD_STAMPS, room);
    calls = strtol(argv[4], NULL, 10);
    if (!r || argc != 5)
        return 1;
    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, assay_record_tape(r, i));
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assay_record_close(r);
    return 0;
}
END
strict="-Wall -Wextra -Wpedantic -Wshadow -Werror -I$root/include -pthread"
# shellcheck disable=SC2086
cc -std=c11 -O2 $strict -o program program.c
cp program.c program.cc
# shellcheck disable=SC2086
! command -v c++ >/dev/null || c++ -std=c++17 -O2 $strict -o program_cc program.cc

killed=0 pending=0
recovered() { # WHAT: the history of the log is read, and is right
    "$assay" recover -o queue log made.hist 2>said || { echo "not recovered: $1"; cat said; exit 1; }
    "$assay" check -m lin made.hist >verdict 2>&1 || { echo "$1:"; cat said; head -5 verdict; exit 1; }
}

# To its end, in both clocks, and beyond its room.
for clock in counters stamps; do
    ./program log $clock 1000 300
    recovered "closed, $clock"
    grep -q 'log: it was closed: 1800 calls returned, 0 did not (pending)$' said || { cat said; exit 1; }
    ./program log $clock 1000 2000
    recovered "full, $clock"
    grep -q 'what came later was not recorded: a tape was full' said || { cat said; exit 1; }
    grep -q '^# recording ended early: a tape was full' made.hist || { echo "no word of it in the history"; exit 1; }
done

# Killed at many moments, of which 40 are to lie between the first recorded call and the end of the program.
tries=0
while [ $killed -lt 40 ]; do
    tries=$((tries + 1))
    [ $tries -le 400 ] || { echo "of 400 programs only $killed were killed while they recorded"; exit 1; }
    [ $((tries % 2)) -eq 0 ] && clock=counters || clock=stamps
    rm -f log
    [ $((tries % 5)) -eq 0 ] && room=100 || room=2000 # once a tape is full, too
    ./program log $clock $room 100000 &
    pid=$!
    await test -s log
    let_pass $((tries / 100 % 2)).0$((tries % 3))$((tries % 7))
    kill -9 $pid 2>/dev/null || true
    wait $pid 2>/dev/null || true
    if ! "$assay" recover -o queue log made.hist 2>said; then # before its head was written
        grep -q 'its first bytes are others' said || { cat said; exit 1; }
    elif grep -q 'ended without closing it' said && grep -q '^t' made.hist; then
        killed=$((killed + 1))
        grep -q ' 0 did not' said || pending=$((pending + 1))
        "$assay" check -m lin made.hist >verdict 2>&1 || { echo "killed, $clock:"; cat said; head -5 verdict; exit 1; }
    fi
done
[ $pending -gt 0 ] || { echo "no kill struck while a call was pending"; exit 1; }

# Damaged: cut at many places, bytes changed.
./program log counters 20 10
size=$(stat -c %s log)
damaged=0
for i in $(seq 60); do
    cp log bad
    case $((i % 3)) in
    0) head -c $((size * i / 61)) log >bad ;;
    1) printf "\\$((i % 8))\\377" | dd of=bad bs=1 seek=$((i * 7 % 600)) conv=notrunc 2>/dev/null ;;
    2) printf '\377\377\377\377' | dd of=bad bs=1 seek=$((size * i / 61)) conv=notrunc 2>/dev/null ;;
    esac
    status=0
    "$assay" recover bad bad.hist 2>said || status=$?
    [ $status -eq 0 ] || [ $status -eq 2 ] || { echo "status $status of a damaged log ($i)"; exit 1; }
    damaged=$((damaged + (status == 2)))
done
[ $damaged -gt 20 ] || { echo "only $damaged of 60 damaged logs were refused"; exit 1; }
echo "recover: $killed killed programs recovered, $pending with pending calls; $damaged of 60 damaged logs refused"
