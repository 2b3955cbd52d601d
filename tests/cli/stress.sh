#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# assay stress, as far as it is certain what happens: right implementations show no violation, one that is wrong with a
# single thread is found, wrong options and adapters are refused. examples/adapter.c builds against what is installed.
set -eu
. "$(dirname "$0")/../support/expect.sh"
root=$(realpath "$(dirname "$0")/../..")
build=${ASSAY_BUILD:?the build folder}
. "$(dirname "$0")/../support/scratch.sh"
cmake --install "$build" --prefix "$scratch/usr" >/dev/null
assay=usr/bin/assay
shared() { cc -std=c11 -Wall -Wextra -Wpedantic -Werror -Iusr/include -pthread -shared -fPIC -o "$@"; }

# Right ones, with real threads; those that promise less than lin keep what they promise.
tried=0
while read -r name; do
    expect 0 'no violation' "$assay" stress "$name" --runs 300 --repeats 20 --promised
    tried=$((tried + 1))
done < <("$assay" list implementations --json | grep -v '"broken: ' | grep '"missing":null' |
    sed -nE 's/.*"name":"([^"]*)".*/\1/p')
[ $tried -ge 10 ]
expect 0 'no violation' "$assay" stress queue:mutex --threads 2 --pin --runs 200 --invocations 12 --mix enq=2,deq
expect 0 ', 4 runs, 1 distinct' "$assay" stress queue:mutex --threads 1 --runs 4 --values 2 --seed 9

# One's own.
shared adapter.so "$root/examples/adapter.c"
expect 0 'queue:mine: no violation of lin' "$assay" stress --load ./adapter.so --runs 300
expect 0 'queue:mine: no violation of lin' "$assay" stress queue:mine --load ./adapter.so --runs 10
shared broken.so -DNEWEST_FIRST "$root/examples/adapter.c"
expect 1 'queue:mine: VIOLATION of lin' "$assay" stress --load ./broken.so --threads 1 --seconds 600 --out runs
[ -s runs/program-1.hist ]
grep -q '^{"campaign":1,"command":"stress","object":"queue:mine",' runs/journal.jsonl
tail -n 1 runs/journal.jsonl | grep -q '^{"history":1,"file":"violation.hist","running":false,.*"verdict":"violation"'
expect 1 'runs/program-1.hist: VIOLATION of lin' "$assay" check -m lin runs # the journal there is no history
grep -q 'runs/violation.hist: left out: it shows a violation of the programs beside it once more' said
expect 1 'violation.hist: VIOLATION of lin' "$assay" check -m lin runs/violation.hist
grep -q '^# @implementation queue:mine$' runs/program-1.client # as it was found
expect 1 'the program of 3 calls' "$assay" stress --load ./broken.so --seconds 600 --replay runs/violation.client
expect 1 'to a program of 3 calls' "$assay" stress --load ./broken.so --threads 1 --seconds 600
[ "$(grep -c '^t0: ' violation.client)" = 3 ] && [ "$(grep -c '^t0: ' violation.hist)" = 3 ]
grep -q 'before shrinking it had 9 calls: its whole history is in violation-found.hist, the program in violation-found.client' said
[ "$(grep -c '^t0: ' violation-found.client)" = 9 ] && [ "$(grep -c '^t0: ' violation-found.hist)" = 9 ]
expect 1 'violation-found.hist: VIOLATION of lin' "$assay" check -m lin violation-found.hist
expect 1 'the program of 9 calls' "$assay" stress --load ./broken.so --seconds 600 --replay violation-found.client
rm violation-found.*
expect 1 'the program of 9 calls' "$assay" stress --load ./broken.so --threads 1 --seconds 600 --no-shrink
[ "$(grep -c '^t0: ' violation.client)" = 9 ] && [ "$(grep -c '^t0: ' violation.hist)" = 9 ] && [ ! -e violation-found.hist ]
expect 1 '"client":"    t0\u000a    enq(' "$assay" stress --load ./broken.so --threads 1 --json --keep-going --runs 50
if command -v c++ >/dev/null; then # the header serves C++, too
    printf '#include <assay_adapter.h>\nextern "C" const assay_adapter *const assay_adapters[] = {nullptr};\n' >empty.cc
    c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -Iusr/include -shared -fPIC -o empty.so empty.cc
    expect 2 'its list assay_adapters is empty' "$assay" stress --load ./empty.so
fi

# What cannot be.
expect 2 'cannot load the adapter' "$assay" stress --load ./absent.so
echo 'int nothing;' >nothing.c
shared nothing.so nothing.c
expect 2 'exports no assay_adapters' "$assay" stress --load ./nothing.so
sed 's/ASSAY_ADAPTER_VERSION,/ASSAY_ADAPTER_VERSION + 1,/' "$root/examples/adapter.c" >later.c
shared later.so later.c
expect 2 'built for another version' "$assay" stress --load ./later.so
sed 's/\.title = .*/.title = NULL,/' "$root/examples/adapter.c" >lame.c
shared lame.so lame.c
expect 2 'lacks a name, object, title' "$assay" stress --load ./lame.so
sed 's/"deq", 1/"dequeue-all", 1/' "$root/examples/adapter.c" >other.c
shared other.so other.c
expect 2 "has no method 'dequeue-all'" "$assay" stress --load ./other.so
expect 2 'say which implementation' "$assay" stress
expect 2 'did you mean stack:treiber?' "$assay" stress stack:treibr
expect 2 'unknown model' "$assay" stress queue:mutex -m linn
expect 2 'says something else' "$assay" stress queue:mutex -m lin --promised
expect 2 '--mix: cannot read' "$assay" stress queue:mutex --mix enq=2,pop=1
expect 2 'no method to call' "$assay" stress lock:pthread-mutex --mix unlock=1
expect 2 '--threads: at most' "$assay" stress queue:mutex --threads 1000
expect 2 '--seed: expected a whole number' "$assay" stress queue:mutex --seed x
expect 2 'cannot make the folder' "$assay" stress queue:mutex --out nothing.c/runs --runs 1
expect 2 'tso does not apply' "$assay" stress queue:mutex -m tso --runs 1
expect 2 "has no method 'contain'" "$assay" stress map:striped --visibility contain=weak --runs 1
echo "stress: $tried right implementations show no violation, examples/adapter.c serves, what cannot be is refused"
