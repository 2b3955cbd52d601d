#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# assay drive on a real cluster of its own: strong settings hold, weak ones are found out where that is certain, a node is killed,
# and so is assay drive itself. What the clients counted is what the files hold, and what the server holds lies between the
# committed operations and those that perhaps happened. usage: drive_servers.sh ASSAY redis|postgres|galera|etcd
set -u
. "$(dirname "$0")/../support/scratch.sh"
kind=${2:-redis}
chmod 755 "$scratch" # the servers' users go through it
dir=$scratch/cluster
clean_up() {
    "$assay" cluster down "$kind" --dir "$dir" >/dev/null 2>&1
    rm -rf "$scratch"
}
trap clean_up EXIT

for part in clusters drivers; do
    "$assay" list $part | grep -E "^ *$kind " | grep 'not available' &&
        { echo "drive: $kind is left out: its packages are not installed"; exit 77; }
done

# Ports of our own: others may run this test at the same time.
base=$((31000 + ($$ % 100) * 80))
for _ in $(seq 20); do
    "$assay" cluster up "$kind" --dir "$dir" --port $base >out 2>&1 && break
    grep -q 'is in use' out || break
    base=$((31000 + (base - 31000 + 80) % 8000))
done
"$assay" cluster status "$kind" --dir "$dir" >out 2>&1
grep -q ': up in' out || { echo "drive: no cluster: $(cat out)"; exit 1; }

# drive STATUS ARGUMENTS...: into the folder run/, which is new
drive() {
    local expected=$1 status=0
    shift
    rm -rf run
    "$assay" drive "$kind" --cluster "$dir" --out run "$@" >out 2>&1 || status=$?
    [ "$expected" = any ] || [ $status -eq "$expected" ] || fault "drive $*: status $status, not $expected: $(cat out)"
}

recorded() {
    grep -cE '^(# aborted: )?s[0-9.]+: ' "$1"
}

# The journal and the file of history 1 agree.
agree() {
    local counted
    counted=$(sed -nE 's/^\{"history":1,.*"committed":([0-9]+),"aborted":([0-9]+),"unknown":([0-9]+).*/\1 + \2 + \3/p' run/journal.jsonl)
    [ -n "$counted" ] && [ $((counted)) -eq "$(recorded run/0001.hist)" ] ||
        fault "$*: the journal says $counted, the file $(recorded run/0001.hist)"
}

# ---- settings that promise much, and keep it ----

case $kind in
redis) strong=() txn=() ;;
postgres) strong=() txn=(--isolation serializable) ;;
galera) strong=(--set wsrep_sync_wait=15) txn=(--nodes "127.0.0.1:$base" --isolation serializable) ;;
etcd) strong=(--set reads=linearizable) txn=("${strong[@]}") ;;
esac
drive 0 "${strong[@]}" --histories 2
agree single
for workload in counter set queue bank; do
    [ $kind = galera ] && [ $workload != counter ] && continue # nodes write at the same time
    [ $workload != bank ] || [ $kind != postgres ] || strong+=("${txn[@]}") # lost updates are no fault of read committed
    drive 0 "${strong[@]}" --workload $workload --ops 150
    agree $workload
done
for workload in register list; do
    drive 0 "${txn[@]}" --workload $workload --ops 150 --check ser
    agree $workload
done

# ---- a lever: reads are stale, and the history says when ----

case $kind in
redis) lever=(--set read_from=replica --fault lag:2@0.2+1,lag:3@0.2+1) name=lag:2 ;;
postgres) lever=(--set read_from=standby --fault lag:2@0.2+1) name=lag:2 ;;
galera) lever=(--fault lock:2@0.2+1) name=lock:2 ;;
etcd) lever=() ;;
esac
if [ ${#lever[@]} -gt 0 ]; then
    drive 1 "${lever[@]}" --seconds 2 --check lin
    grep -qE "^# @fault $name [0-9]+\.\.[0-9]+$" run/0001.hist || fault "no fault in the header: $(grep @fault run/0001.hist)"
    agree lever
fi

# ---- a node is killed and comes back ----

for late in 0 5 50; do # until the kill falls into the history
    kills=kill:2@$late.5+1
    [ $kind = galera ] || kills+=,kill:1@$((late + 2))+0.5 # a node of Galera takes long to come back
    drive any --workload counter --seconds $((late + 4)) --timeout 2 --fault $kills
    grep -q '^# @fault kill:2 ' run/0001.hist && break
done
grep -q '^# @fault kill:2 ' run/0001.hist || fault "no kill in the header: $(cat out)"
agree killed node
"$assay" cluster status "$kind" --dir "$dir" >out
grep -qE '^ +2 .* up ' out || fault "node 2 has not come back: $(cat out)"

# ---- the primary is killed: what it kept nowhere is gone, what it wrote down is there ----

# killed STATUS OPTIONS...: later, if a busy machine makes the kill miss the history
killed() {
    local expected=$1 at status
    shift
    for at in 1 10 100; do
        status=0
        rm -rf run
        "$assay" drive "$kind" --cluster "$dir" --out run --seconds $((3 * at)) --timeout 2 --check none --fault kill:1@$at+0.5 "$@" \
            >out 2>&1 || status=$?
        grep -q '^# @fault kill:1 ' run/0001.hist && break
    done
    [ $status -eq "$expected" ] || fault "killed, $*: status $status, not $expected: $(cat out)"
}
case $kind in
redis) # the cluster's servers have no persistence
    for workload in single register list counter set queue bank; do
        killed 1 --workload $workload
        grep -qE 'acknowledged writes?: (at least )?[1-9][0-9]* lost' out || fault "$workload: nothing is lost: $(cat out)"
    done
    killed 0 --loss allowed
    ;;
postgres)
    for workload in single list counter; do
        killed 0 --workload $workload
        grep -qF ' 0 lost' out || fault "$workload: what was committed is lost: $(cat out)"
    done
    ;;
esac

# ---- a campaign that was killed has left a node paused: the next one says so ----

if [ $kind != galera ]; then # its other nodes would give the node up
    "$assay" cluster pause "$kind" 2 --dir "$dir" >/dev/null || fault "pause"
    drive 2 --timeout 1
    grep -qF "node 2 is paused: \`assay cluster resume $kind 2 --dir $dir\`" out || fault "a paused node: $(cat out)"
    "$assay" cluster resume "$kind" 2 --dir "$dir" >/dev/null || fault "resume"
fi

# ---- assay drive is killed ----

# The counter on the server.
counter() {
    case $kind in
    redis) redis-cli -p "$base" --scan --pattern 'assay:r:*' | xargs -n 1 redis-cli -p "$base" get ;;
    postgres) PGUSER=assay psql -h 127.0.0.1 -p "$base" -Atc 'select sum(v) from assay_registers' assay ;;
    esac
}

if [ $kind = redis ] || [ $kind = postgres ]; then
    drive 0 --ops 4 # what earlier histories left is removed with them
    rm -rf killed
    "$assay" drive $kind --cluster "$dir" --workload counter --read-share 20 --seconds 600 --out killed >out 2>&1 &
    under_way() { [ -e killed/0001.log ] && [ "$(grep -c '^o ' killed/0001.log)" -gt 100 ]; }
    await under_way
    kill -9 $!
    wait $! 2>/dev/null
    "$assay" recover killed/0001.log killed.hist 2>out || fault "recover: $(cat out)"
    [ "$(recorded killed.hist)" -eq "$(grep -c '^c ' killed/0001.log)" ] || fault "calls are lost"
    "$assay" check -m lin killed.hist >out 2>&1 || fault "killed: $(cat out)"
    sure=$(grep -cE '^s[0-9.]+: add\(1\) @ [0-9]+\.\.[0-9]+$' killed.hist)
    perhaps=$(grep -cE '^s[0-9.]+: add\(1\) @ [0-9]+\.\.$' killed.hist)
    held=$(counter)
    [ "$held" -ge "$sure" ] && [ "$held" -le $((sure + perhaps)) ] ||
        fault "the server holds $held; $sure are sure, $perhaps perhaps"
fi

# ---- the end ----

"$assay" cluster down "$kind" --dir "$dir" >/dev/null || fault "down"
drive 2 # there is no cluster any more
[ ! -e "$dir" ] || fault "files are left"
echo "drive: $kind: $faults faults"
[ $faults -eq 0 ]
