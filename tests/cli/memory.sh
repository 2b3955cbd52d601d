#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# No memory, at any allocation of any command, in whatever library: the command ends by itself, with status 2 or 3 and a word about
# it, or says what it says otherwise. Never a crash, never a verdict that lost its report.
set -u
export LC_ALL=C
normalise=$(realpath "$(dirname "$0")/../normalise.sed")
. "$(dirname "$0")/../support/scratch.sh"
preload=${ASSAY_BUILD:-$(dirname "$assay")}/tests/libfailing_malloc.so
[ -f "$preload" ] || { echo "memory: no allocator to be preloaded was built: left out"; exit 77; }
tried=0
singly=40 # so many allocations one by one, then at a growing distance: commands share most of what they do

# with N [ONCE] COMMAND...: with N allocations.
with() {
    local n=$1 once=$2
    shift 2
    if [ -n "$once" ]; then
        env ASSAY_FAIL_AFTER="$n" ASSAY_FAIL_ONCE=1 LD_PRELOAD="$preload" "$assay" "$@" 9>count
    else
        env ASSAY_FAIL_AFTER="$n" LD_PRELOAD="$preload" "$assay" "$@" 9>count
    fi
}

# starve COMMAND...: which writes the file `made`, perhaps.
starve() {
    local n total status wanted once
    rm -f made
    with -1 "" "$@" >out.good 2>err.good
    wanted=$?
    sed -E -f "$normalise" out.good >out.want
    [ ! -e made ] || cp made made.want
    total=$(cat count)
    for once in "" once; do
        for ((n = 0; n < total; n += 1 + (n > singly ? n / 10 : 0))); do
            tried=$((tried + 1))
            echo old >made
            with $n "$once" "$@" >out.raw 2>err
            status=$?
            if [ $status -gt 3 ]; then
                fault "status $status without allocation $n $once: $*: $(head -1 err)"
            elif [ $status -gt 1 ]; then
                [ -s err ] || [ -s out.raw ] || fault "an empty screen without allocation $n $once: $*"
            elif ! grep -q 'out of memory' out.raw err; then # of several models one may be undecided
                sed -E -f "$normalise" out.raw >out
                [ $status -eq $wanted ] || fault "status $status instead of $wanted without allocation $n $once: $*"
                cmp -s out out.want || fault "another report without allocation $n $once: $*"
                [ ! -e made.want ] || cmp -s made made.want || fault "another file without allocation $n $once: $*"
            fi
        done
    done
    rm -f made made.want
}

if ! with -1 "" --version >/dev/null 2>&1; then # sanitizers bring their own allocator
    echo "memory: no allocator can be preloaded here: left out"
    exit 77
fi

cat >memory.hist <<'END'
t0: write(z, 1)
t0: write(x, 1)
t0: write(y, "a string")
t1: write(x, 2)
t1: read(z) => 0
t1: read(y) => "a string"
t1: read(x) => 2
END
cat >transactions.hist <<'END'
t0: txn(r x 0, w y 1)
t1: txn(r y 1, w x "a string") => abort
END
cat >transactions.plume <<'END'
w(1,0,0,0)
w(1,1,1,1)
r(1,1,2,2)
END
echo '[[{"events":[["w",0,1],["r",1,null]],"committed":true}],[{"events":[["r",0,1]],"committed":false}]]' >transactions.json
echo '[{"type":"invoke","process":0,"f":"txn","value":[["append","x",1],["r","x",null]]},
{"type":"ok","process":0,"f":"txn","value":[["append","x",1],["r","x",[1]]]}]' >elle.json
mkdir cobra
for i in 0 1; do printf "S\\0\\0\\0\\0\\0\\0\\0\\$i""C\\0\\0\\0\\0\\0\\0\\0\\$i" >cobra/T$i.log; done
cat >same.hist <<'END'
t0: write(x, 1)
t0: read(y) => 0
t0: write(x, 1)
t1: write(y, 1)
t1: read(x) => 0
t1: write(y, 1)
END
cat >set.hist <<'END'
# @object set
t0: add(1) => true @ 0..1
t1: remove(1) => false @ 2..3
t2: contains(1) => false @ 4..5
END
cat >queue.log <<'END'
# @object queue
[1] call enq(1)
[2] call deq
[1] return
[2] return 2
END
"$assay" gen transactions --data both --sessions 2 --transactions 40 --accesses 2 --keys 3 --times --out stream.hist
"$assay" check -m cc,sc --evidence proof memory.hist >/dev/null
"$assay" check -m peer --evidence weak set.hist >/dev/null

starve check -m cc,sc --explain memory.hist
starve check -m cc,sc --evidence made memory.hist
starve check -m sc --json --shrink memory.hist
starve check -m cc --html made memory.hist
starve check -m sc --dot made memory.hist
starve check -m sc --svg made memory.hist
starve check -m lin --tikz made queue.log
for solver in cadical picosat; do
    "$assay" check -m sc -e sat:$solver memory.hist >/dev/null 2>&1
    [ $? -eq 2 ] && continue # not built in
    singly=400 starve check -m sc -e sat:$solver memory.hist
    starve check -m sc -e sat:$solver --evidence made same.hist
    starve check -m tso -e wtso+sat:$solver same.hist
done
starve check -m lin -e symbolic queue.log
starve check -m peer,lin set.hist
starve grade memory.hist
starve grade --json set.hist
starve strongest set.hist
starve strongest --json set.hist
starve kernel memory.hist
starve stale stream.hist
starve stale --json stream.hist
starve recheck memory.hist proof
starve recheck --json set.hist weak
starve convert -t jsonl memory.hist made
starve convert -t plume transactions.hist made
starve convert -t hist transactions.plume
starve convert -t dbcop transactions.plume made
starve convert -t hist transactions.json
starve convert -t hist elle.json
starve check -m lin cobra
starve gen memory --operations 30 --out made
starve gen transactions --store psi --data both --transactions 20 --unknown 20 --times
starve gen object --object queue --operations 20
starve monitor queue.log
starve monitor --all -e symbolic queue.log
starve monitor -m si-strict --sessions 2 --window 16 stream.hist
starve list --json
starve explain --json write skew # without memory a text is printed, but not wrapped (assay_wrap)
starve explain --example WriteSkew
starve completion bash
starve --help
echo "memory: $tried runs, $faults faults"
[ $faults -eq 0 ]
