#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Hooks of a user's specification that crash, call exit or never return. There is a sentence that names the hook, and no
# status that reads as a verdict.
set -u
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/support/scratch.sh"
. "$root/tests/support/expect.sh"
ulimit -c 0
sanitized=$(sed -nE 's/^ASSAY_SANITIZE:[A-Z]*=(.+)/\1/p' "${ASSAY_BUILD:?the build folder}/CMakeCache.txt")
cp "$root/examples/ticket.hist" .

spec() { # NAME STATEMENT: ticket.c whose step begins with the statement, in calls that are not asked for by a sanity check
    sed "/^static assay_effect step/,/^{/s/^{/{\n    $2/" "$root/examples/ticket.c" >"$1.c"
    cmp -s "$1.c" "$root/examples/ticket.c" && fault "the example has no step"
    cc -std=c11 -O0 -w -I"$root/include" -shared -fPIC -o "$1.so" "$1.c"
}
cc -std=c11 -I"$root/include" -shared -fPIC -o adapter.so "$root/tests/support/ticket_adapter.c"

ends() { # STATUS TEXT COMMAND...: the text comes behind the hook
    expect "$@"
    grep -q "^assay: the specification ticket: step, in a call of [a-z]*, $2" said || fault "$*: $(cat said)"
}
everywhere() { # STATUS TEXT NAME
    ends "$1" "$2" "$assay" check -m lin --time 1 --spec "./$3.so" ticket.hist
    ends "$1" "$2" "$assay" stress --load ./adapter.so --spec "./$3.so" --seconds 1 --time 60
}

spec leaves 'exit(0);'
everywhere 2 'ended the program (it called exit)' leaves
ends 2 'ended the program' "$assay" list --test-spec ./leaves.so
ends 2 'ended the program' "$assay" grade --spec ./leaves.so ticket.hist
if [ -z "$sanitized" ]; then
    spec crashes '*(volatile int *)0 = 1;'
    everywhere 2 'crashed: signal 11 (SIGSEGV)' crashes
    ends 2 'crashed: signal 11' "$assay" list --test-spec ./crashes.so
    ends 2 'crashed: signal 11' "$assay" check -j 2 --spec ./crashes.so ticket.hist ticket.hist
    spec aborts 'abort();'
    everywhere 2 'crashed: signal 6 (SIGABRT)' aborts
    spec recurs 'volatile char room[4096]; room[0] = 1; step(state, call, choice, result, saved); room[1] = 1;'
    everywhere 2 'crashed: signal 11 (SIGSEGV)' recurs
    echo '__attribute__((constructor)) static void early(void) { *(volatile int *)0 = 1; }' >early.c
    cc -shared -fPIC -o early.so early.c
    expect 2 'the specification ./early.so: loading it crashed: signal 11 (SIGSEGV)' "$assay" check --spec ./early.so ticket.hist
fi

# ---- a hook that never returns ----
spec loops 'for (volatile int i = 0;; i++);'
spec sleeps 'for (;;) sleep(1);'
for kind in loops sleeps; do
    ends 3 'has not returned for ' "$assay" check -m lin --wall 1 --spec ./$kind.so ticket.hist
    ends 3 'has not returned for ' "$assay" stress --load ./adapter.so --spec ./$kind.so --seconds 1
done
ends 3 'has not returned for ' "$assay" check -m lin --time 1 --spec ./loops.so ticket.hist
asked_to_end() { # COMMAND...: the first signal is enough
    "$@" >said 2>&1 &
    local pid=$!
    catches() { (($(sed -n 's/^SigCgt:[[:space:]]*/0x/p' "/proc/$pid/status") & 0x4000)); }
    await catches || fault "$*: no handler"
    let_pass 1
    kill -TERM $pid
    wait $pid
    [ $? -eq 3 ] || fault "$*: $(cat said)"
}
asked_to_end "$assay" check -m lin --spec ./loops.so ticket.hist
asked_to_end "$assay" stress --load ./adapter.so --spec ./loops.so --seconds 600
[ $faults -eq 0 ] && echo "spec_hooks: hooks that crash, exit or never return are named"
