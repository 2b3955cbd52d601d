#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# assay cluster with real servers: starting, looking, faults, a supervisor that is killed, servers that die or hang, ports in
# use. Nothing is left behind: no process, no file, no network. usage: cluster.sh ASSAY redis|postgres|galera|etcd
set -u
. "$(dirname "$0")/../support/scratch.sh"
kind=${2:-redis}
chmod 755 "$scratch" # the servers' users go through it
dir=$scratch/cluster
sleeper=''
clean_up() {
    [ -z "$sleeper" ] || kill "$sleeper"
    "$assay" cluster down "$kind" --dir "$dir" >/dev/null 2>&1
    "$assay" cluster down "$kind" --dir "$dir-2" >/dev/null 2>&1
    rm -rf "$scratch"
}
trap clean_up EXIT

"$assay" list clusters | grep -E "^ *$kind " | grep 'not available' &&
    { echo "cluster: $kind is left out: its packages are not installed"; exit 77; }

# says STATUS TEXT ARGUMENTS...: assay cluster ends so and says this.
tried=0
says() {
    local status=$1 text=$2 got
    shift 2
    tried=$((tried + 1))
    timeout "$hung" "$assay" cluster "$@" >said 2>&1
    got=$?
    [ $got -eq "$status" ] || fault "status $got, not $status: cluster $* ($(<said))"
    grep -qF -- "$text" said || fault "'$text' is not said: cluster $* ($(<said))"
}

# field NODE NAME: of `status --json`
field() {
    "$assay" cluster status "$kind" --dir "$dir" --json | grep -oE "\"number\":$1,[^}]*" |
        sed -nE "s/.*\"$2\":\"?([^\",]*).*/\1/p"
}
state_is() { [ "$(field "$1" state)" = "$2" ]; }
process_state() { sed -nE 's/.*\) (.) .*/\1/p' "/proc/$(field "$1" process)/stat"; }

# Processes with the folder in their arguments or environment; a zombie has neither.
processes() {
    printf '%s\n' "ASSAY_CLUSTER=$dir" "$dir/n" >patterns
    grep -alsF -f patterns /proc/[0-9]*/environ /proc/[0-9]*/cmdline | cut -d/ -f3 | sort -u
}
networks() { ls /run/netns 2>/dev/null | grep -xF -- "$(cat names 2>/dev/null)"; }
gone() {
    [ -z "$(processes)" ] || fault "$1: processes are left: $(processes | xargs)"
    [ ! -e "$dir" ] || fault "$1: files are left: $(find "$dir" | head -3 | xargs)"
    [ ! -s names ] || [ -z "$(networks)" ] || fault "$1: networks are left: $(networks | xargs)"
}
supervisor() { sed -nE 's/^supervisor ([0-9]+).*/\1/p' "$dir/record"; }
ended() { [ ! -e "/proc/$1" ] || grep -q '^State:[[:space:]]*Z' "/proc/$1/status"; }

# Ports of our own: others may run this test at the same time. The last option of all starts.
base=$((18000 + ($$ % 150) * 80))
up() {
    local try
    for try in $(seq 20); do
        timeout "$hung" "$assay" cluster up "$kind" --dir "$dir" --port $base "$@" >said 2>&1 && return
        grep -q 'is in use' said || break
        base=$((18000 + (base - 18000 + 80) % 12000))
    done
    fault "it does not start: $(<said)"
    return 1
}

# ---- up, up again, with other settings, a port in use ----
up || exit 1
grep -q "^$kind: up in $dir: " said || fault "up says something else: $(<said)"
says 0 "$kind: up already in" up "$kind" --dir "$dir"
says 2 'up with other settings' up "$kind" --dir "$dir" --nodes 9
says 2 'up with other settings' up "$kind" --dir "$dir" --port $((base + 1))
says 2 "port $base, which node 1 needs, is in use (--port BASE chooses others)" up "$kind" --dir "$dir-2" --port $base
says 0 "$kind: down" down "$kind" --dir "$dir-2"
says 0 "127.0.0.1:$((base + 1))  up" status "$kind" --dir "$dir"
case $kind in
postgres) psql -h 127.0.0.1 -p $base -U assay -d assay -Atc 'create table t(k int)' >said 2>&1 ||
    fault "the user assay has no database assay: $(<said)" ;;
galera) mariadb --no-defaults -h 127.0.0.1 -P $((base + 1)) -u assay -e \
    'create table assay.t(k int primary key); flush tables with read lock; unlock tables; set global wsrep_sync_wait = 0' \
    >said 2>&1 || fault "the user assay lacks rights: $(<said)" ;;
esac

# ---- faults ----
says 0 'pause node 2: done' pause "$kind" 2 --dir "$dir"
state_is 2 paused || fault "node 2 is $(field 2 state), not paused"
is_in() { [ "$(process_state "$1")" = "$2" ]; }
await is_in 2 T || fault "node 2 is not stopped: $(process_state 2)"
is_in 1 T && fault "node 1 is stopped, too"
says 2 'node 2 is paused already (resume it)' pause "$kind" 2 --dir "$dir"
says 0 'resume node 2: done' resume "$kind" 2 --dir "$dir"
state_is 2 up || fault "node 2 is $(field 2 state), not up"
runs() { ! is_in "$1" T; }
await runs 2 || fault "node 2 is still stopped"
says 2 'node 2 is not paused' resume "$kind" 2 --dir "$dir"
was=$(field 2 process)
says 0 'kill node 2: done' kill "$kind" 2 --dir "$dir"
state_is 2 dead || fault "node 2 is $(field 2 state), not dead"
ended "$was" || fault "process $was of node 2 is still there"
says 2 'node 2 is dead already' kill "$kind" 2 --dir "$dir"
says 2 'node 2 is dead (start it first)' pause "$kind" 2 --dir "$dir"
says 0 'start node 2: done' start "$kind" 2 --dir "$dir"
state_is 2 up || fault "node 2 is $(field 2 state), not up"
says 2 'node 2 runs already' start "$kind" 2 --dir "$dir"
says 2 'start the cluster with --isolated' cut "$kind" 2 --dir "$dir"
says 2 'there is no node 9' kill "$kind" 9 --dir "$dir"
# A server that dies by itself is noticed.
kill -KILL "$(field 1 process)"
await state_is 1 dead || fault "nobody notices that node 1 has died"
says 0 'start node 1: done' start "$kind" 1 --dir "$dir"

# ---- the supervisor is killed; a stranger in the folder is left alone ----
says 0 'pause node 2: done' pause "$kind" 2 --dir "$dir"
(cd "$dir/n1" 2>/dev/null || cd "$dir" && exec env -i sleep 86400) &
sleeper=$!
chief=$(supervisor)
kill -KILL "$chief"
await ended "$chief"
says 3 "$kind: not up" status "$kind" --dir "$dir"
says 0 "$kind: down" down "$kind" --dir "$dir"
gone 'after a crash'
kill -0 $sleeper || fault "a stranger in the folder was killed"
kill $sleeper && wait $sleeper 2>/dev/null
sleeper=''
says 0 'there was no cluster' down "$kind" --dir "$dir"

# ---- the next `up` clears such remains, too; `down` while all is well ----
if [ "$kind" = redis ]; then
    up --nodes 2 && kill -KILL "$(supervisor)" && up --nodes 1 && says 0 'Redis' status redis --dir "$dir"
    says 0 'redis: down' down redis --dir "$dir"
    gone 'after down'
fi

# ---- servers that are none: one dies, one never answers. The real one of PostgreSQL is not looked for in PATH ----
server=$(case $kind in redis) echo redis-server ;; etcd) echo etcd ;; galera) echo mariadbd ;; esac)
if [ -n "$server" ]; then
    mkdir -m 755 fake
    printf '#!/bin/sh\necho "no memory for this"\nexit 3\n' >fake/$server
    chmod 755 fake/$server
    real=$PATH
    PATH=$PWD/fake:$PATH
    says 2 "$dir/n1.log: node 1 ($server) has ended with status 3 before it was ready" up "$kind" --dir "$dir" --port $base
    grep -qxF '  | no memory for this' said || fault "the log of a server that died is not shown: $(<said)"
    says 0 "$kind: down" down "$kind" --dir "$dir"
    gone 'after a server died'

    printf '#!/bin/sh\nexec sleep 86400\n' >fake/$server
    waits() { grep -qsE '^node 1 [1-9]' "$dir/record"; }
    # starts_and SIGNAL: `up` gets it while it waits; its status is in rc.
    starts_and() {
        rm -f rc
        (set -m; "$assay" cluster up "$kind" --dir "$dir" --port $base >said 2>&1 & echo $! >pid; wait $!; echo $? >rc) 2>/dev/null &
        await waits || fault "no server is started"
        says 2 'being started or ended' up "$kind" --dir "$dir"
        says 3 'not up' status "$kind" --dir "$dir"
        "$@"
        wait $!
    }
    interrupt() { kill -INT "$(cat pid)"; }
    forget_it() { kill -KILL "$(cat pid)"; }
    take_down() { "$assay" cluster down "$kind" --dir "$dir" >/dev/null || fault "down fails while it starts"; }
    starts_and interrupt
    [ "$(cat rc)" = 3 ] || fault "interrupted: status $(cat rc), not 3"
    gone 'after an interrupt'
    starts_and take_down
    [ "$(cat rc)" = 3 ] || fault "taken down while it starts: status $(cat rc), not 3"
    gone 'after down while it starts'
    starts_and forget_it
    nobody() { [ -z "$(processes)" ]; }
    await nobody || fault "servers outlive a start that was killed"
    says 0 "$kind: down" down "$kind" --dir "$dir"
    gone 'after a start that was killed'
    PATH=$real
fi

# ---- folders that are not ours to use ----
mkdir -m 777 open
says 2 'others may write to this folder' up "$kind" --dir open
mkdir taken && echo mine >taken/file
says 2 'this folder holds other files' up "$kind" --dir taken
[ "$(cat taken/file)" = mine ] || fault "a file in a folder that is refused was touched"

# ---- networks ----
if [ "$kind" = etcd ] && { [ "$(id -u)" -ne 0 ] || ! command -v ip >/dev/null; }; then
    echo "cluster: networks are left out: they need root and ip"
elif [ "$kind" = etcd ]; then
    up --isolated || exit 1
    "$assay" cluster status etcd --dir "$dir" --json | grep -oE '"network":"[^"]*' | cut -d'"' -f4 >names
    [ "$(networks | wc -l)" -eq 3 ] || fault "there are other networks than three: $(networks)"
    inside() { # NODE SERIALIZABLE: a read by a client in the node's network
        ip netns exec "$(sed -n "$1p" names)" curl -s -m 3 "http://127.0.0.1:$((base + $1 - 1))/v3/kv/range" \
            -d "{\"key\":\"aw==\",\"serializable\":$2}" | grep -q header
    }
    cut_off() { ! inside 3 false; }
    says 2 'node 3 is not cut off' heal etcd 3 --dir "$dir"
    says 0 'cut node 3: done' cut etcd 3 --dir "$dir"
    state_is 3 cut || fault "node 3 is $(field 3 state), not cut"
    says 2 'node 3 is cut off already' cut etcd 3 --dir "$dir"
    await cut_off || fault "node 3 still has a leader"
    await inside 3 true || fault "node 3 does not answer inside of its network"
    await inside 1 false || fault "nodes 1 and 2 have no leader"
    says 0 'heal node 3: done' heal etcd 3 --dir "$dir"
    state_is 3 up || fault "node 3 is $(field 3 state), not up"
    await inside 3 false || fault "node 3 has no leader after it was healed"
    says 0 'etcd: down' down etcd --dir "$dir"
    gone 'after networks'
    up --isolated --nodes 1 || exit 1
    kill -KILL "$(supervisor)"
    says 0 'etcd: down' down etcd --dir "$dir"
    gone 'after a crash with networks'
fi

echo "cluster: $kind, $tried commands, $faults faults"
[ $faults -eq 0 ]
