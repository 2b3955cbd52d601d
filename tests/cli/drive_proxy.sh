#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lost answers are recorded as operations that perhaps happened. A proxy between `assay drive` and a server of this test loses
# chosen answers and requests (support/proxy.c). Each of them must be exactly one operation without an end, the server must
# have executed all committed operations and those whose answer was lost, none of them twice, and the history must be
# consistent. usage: drive_proxy.sh ASSAY redis|etcd
set -u
tests=$(realpath "$(dirname "$0")/..")
proxy=$(realpath "${ASSAY_BUILD:?the build folder}/tests/test_proxy")
store=${2:-redis}
. "$tests/support/scratch.sh"
server='' between=''
clean_up() {
    [ -z "$between" ] || kill "$between"
    [ -z "$server" ] || { kill "$server" && wait "$server"; }
    rm -rf "$scratch"
}
trap clean_up EXIT

"$assay" list drivers | grep -E "^ *$store " | grep -q 'not available' &&
    { echo "drive_proxy: this build has no driver $store: left out"; exit 77; }

# ---- servers: `start` runs one at $port, `ours` says whether it answers, `executed COMMAND` how many it has run ----

start_redis() {
    exec redis-server --port "$port" --bind 127.0.0.1 --dir "$scratch" --save '' --appendonly no >server.log 2>&1
}
ours_redis() {
    [ "$(redis-cli -p "$port" config get dir 2>/dev/null | tail -1)" = "$scratch" ]
}
executed_redis() {
    local calls
    calls=$(redis-cli -p "$port" info commandstats | sed -nE "s/^cmdstat_$1:calls=([0-9]+).*/\1/p")
    echo "${calls:-0}"
}

start_etcd() {
    local url=http://127.0.0.1:$port peer=http://127.0.0.1:$((port + 1))
    exec etcd --name "assay$$" --data-dir "$scratch/data" --unsafe-no-fsync --logger zap --log-outputs stderr \
        --listen-client-urls "$url" --advertise-client-urls "$url" --listen-peer-urls "$peer" \
        --initial-advertise-peer-urls "$peer" --initial-cluster "assay$$=$peer" >server.log 2>&1
}
ours_etcd() {
    curl -s "http://127.0.0.1:$port/v3/cluster/member/list" -X POST -d '{}' | grep -q "\"name\":\"assay$$\"" &&
        curl -s "http://127.0.0.1:$port/health" | grep -q true
}
executed_etcd() {
    curl -s "http://127.0.0.1:$port/metrics" | awk '$1 == "etcd_mvcc_'"$1"'_total" { print $2 }'
}

case $store in
redis) needs='redis-server redis-cli' ;;
etcd) needs='etcd curl' ;;
esac
for program in $needs; do
    command -v "$program" >/dev/null || { echo "drive_proxy: there is no $program: left out"; exit 77; }
done

running_or_over() {
    "ours_$store" || ! kill -0 "$server" 2>/dev/null
}
for _ in $(seq 50); do # ports may be in use
    port=$((20000 + RANDOM % 10000 * 2))
    "start_$store" &
    server=$!
    await running_or_over
    "ours_$store" && break
    wait "$server"
    server=''
done
[ -n "$server" ] || { echo "drive_proxy: $store did not start: $(tail -5 server.log)"; exit 1; }

# ---- driving ----

# drive WORKLOAD ONLY PROXY_OPTIONS...: through a proxy that tampers with exchanges that contain ONLY; more options of drive
# stand in the array `more`.
more=()
drive() {
    local workload=$1 only=$2
    shift 2
    rm -rf out tampered
    "$proxy" 0 "$port" --only "$only" "$@" >tampered &
    between=$!
    await test -s tampered
    "$assay" drive "$store" --nodes "127.0.0.1:$(head -1 tampered)" --workload "$workload" --ops 400 --out out \
        "${more[@]}" >said 2>&1 || fault "$workload with $*: status $?: $(<said)"
    kill "$between"
    wait "$between" 2>/dev/null
    between=''
}

# The number that the journal has for an outcome.
outcome() {
    sed -nE "s/.*\"history\":1,.*\"$1\":([0-9]+).*/\1/p" out/journal.jsonl
}
# Operations of the history whose text matches: with an end, and in all.
committed() {
    grep -vE '^#' out/0001.hist | grep -E "$1" | grep -cE '@ [0-9]+\.\.[0-9]+$'
}
written() {
    grep -vE '^#' out/0001.hist | grep -cE "$1"
}
tampered() {
    grep -c "$1" tampered
}

# lose WORKLOAD ONLY METHOD COMMAND: answers and requests of operations METHOD, each of which is one COMMAND of the server.
lose() {
    local before after ends
    before=$("executed_$store" "$4")
    drive "$1" "$2" --drop-answer 5,40,80 --drop-request 20,60
    after=$("executed_$store" "$4")
    [ "$(tampered answer)" -eq 3 ] && [ "$(tampered request)" -eq 2 ] || fault "$1: the proxy lost otherwise: $(<tampered)"
    [ "$(outcome unknown)" -eq 5 ] || fault "$1: 5 answers were lost, and $(outcome unknown) operations are unknown"
    ends=$(committed "$3")
    [ $(($(written "$3") - ends)) -eq 5 ] || fault "$1: $(written "$3") of $3 are in the file, $ends with an end"
    [ $((after - before)) -eq $((ends + 3)) ] ||
        fault "$1: $ends of $3 committed and 3 answers lost, but the server ran $((after - before))"
}

if [ "$store" = redis ]; then
    more=(--read-share 30)
    lose counter INCRBY 'add\(' incrby
    lose queue RPUSH 'enq' rpush
    lose queue LPOP 'deq' lpop
    lose set SADD 'add\(' sadd
    # Transactions: the answer of EXEC is lost. Before it, nothing has happened.
    drive bank WATCH --drop-answer 5,40
    [ "$(outcome aborted)" -ge 2 ] && [ "$(outcome unknown)" -eq 0 ] ||
        fault "a lost balance has no effect, but there are $(outcome unknown) unknown and $(outcome aborted) aborted"
    for workload in register list bank; do
        drive "$workload" EXEC --drop-answer 5,40 --drop-request 20
        [ "$(outcome unknown)" -eq 3 ] || fault "$workload: 3 lost and $(outcome unknown) unknown"
    done
    # An answer that comes late is as good as lost. How many are late depends on the machine.
    more=(--timeout 3)
    before=$(executed_redis incrby)
    drive counter INCRBY --delay-answer 10:60000
    ran=$(($(executed_redis incrby) - before)) ends=$(committed 'add\(')
    [ "$(outcome unknown)" -ge 1 ] && [ "$ran" -gt "$ends" ] && [ "$ran" -le $((ends + $(outcome unknown))) ] ||
        fault "a late answer: $ends committed, $(outcome unknown) unknown, and the server ran $ran"
    [ -z "$(redis-cli -p "$port" keys 'assay:*')" ] || fault "keys are left: $(redis-cli -p "$port" keys 'assay:*')"
else
    more=(--read-share 30)
    lose set request_put 'add\(' put
fi
echo "drive_proxy: $store, $faults faults"
[ "$faults" -eq 0 ]
