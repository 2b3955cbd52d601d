#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What clients of assay stress may be told: who calls what, the initial content, calls before and after the others. And
# what they say when an object is broken at the end of a run.
set -u
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/support/scratch.sh"
. "$root/tests/support/expect.sh"
mkdir tmp
export TMPDIR=$scratch/tmp
stress() { "$assay" stress "$@"; }
callers() { sed -nE 's/^(t[0-9]): ([a-z]+)\(.*/\1 \2/p' "$@" | sort -u | tr '\n' ','; } # in histories or client programs

# ---- roles ----
expect 0 'of 2 threads and 9 calls' stress queue:michael-scott --roles deq=0,enq=1 --runs 60 --repeats 20 --out two
[ "$(callers two/*.hist)" = 't0 deq,t1 enq,' ] || fault "two roles: $(callers two/*.hist)"
expect 0 'of 3 threads' stress queue:michael-scott --roles deq=0,enq=1- --runs 60 --repeats 20 --out three
[ "$(callers three/*.hist)" = 't0 deq,t1 enq,t2 enq,' ] || fault "three roles: $(callers three/*.hist)"
expect 0 'of 4 threads' stress queue:michael-scott --roles deq=0+2-3 --threads 4 --runs 60 --repeats 20 --out four
[ "$(callers four/*.hist)" = 't0 deq,t0 enq,t1 enq,t2 deq,t2 enq,t3 deq,t3 enq,' ] || fault "four: $(callers four/*.hist)"
expect 2 't1 has no method to call' stress queue:michael-scott --roles deq=0,enq=0 --threads 2
expect 2 't1 has no method to call' stress queue:michael-scott --roles deq=0 --mix deq=1 --threads 2
for wrong in deq deq= deq=x deq=1-0 deq=64 deq=0+ deq=0,pop=1 =0 deq=0-9x; do
    expect 2 '--roles: cannot read' stress queue:michael-scott --roles "$wrong"
done
# A smaller program keeps its roles: no thread takes the place of another.
expect 1 '"reason":"OrderReversed"' stress queue:k-fifo --roles enq=1,deq=0+2 --invocations 5 --seconds 600 --json
grep -oE 't[0-9]: [a-z]+' said | grep -vxE 't1: enq|t[02]: deq' && fault "roles of a smaller program: $(cat said)"
if [ -n "$("$assay" list implementations --json | grep '"queue:ck-ring-spsc".*"missing":null')" ]; then
    expect 0 'of 2 threads' stress queue:ck-ring-spsc --runs 200 --repeats 20 --out ring
    [ "$(callers ring/*.hist)" = 't0 enq,t1 deq,' ] || fault "ring: $(callers ring/*.hist)"
    expect 2 't2 has no method to call' stress queue:ck-ring-spsc --threads 3
    expect 2 'no thread may call deq' stress queue:ck-ring-spsc --roles deq=0 # its own roles count, too
fi

# ---- calls before and after ----
expect 0 'no violation' stress queue:michael-scott --before enq=2,deq --after deq=3 --runs 60 --repeats 20 --mix enq=1 --out around
while read -r line; do # three calls of t0 come first, and three last
    case $line in
    '') ;;
    't0: enq(1) @ after' | 't0: enq(2) @ after' | 't0: deq() => 1 @ after') ;;
    't0: deq() => '*' @ after t1:3 t2:3') ;;
    t0:\ enq*) [[ $line != *'@ after' ]] || : ;;
    t[12]:\ enq*) [[ $line == *'@ after t0:'[3-6]* ]] || fault "around: $line" ;;
    '# @object queue' | ---) ;;
    *) fault "around: $line" ;;
    esac
done < <(cat around/*.hist)
expect 0 'no violation' stress queue:michael-scott --before 4 --after 4 --runs 60 --repeats 20 --threads 2
expect 0 'no violation' stress queue:michael-scott --before 4 --after 4 --runs 60 --repeats 20 --roles enq=0,deq=1
expect 0 'no violation' stress lock:pthread-mutex --before 2 --after 2 --runs 60 --repeats 20
expect 0 'no violation' stress semaphore:posix --before acquire=2 --after tryacquire=2 --runs 60 --repeats 20
for wrong in x enq=x enq=0 enq=1001 '' enq=1,pop=1 -1; do
    expect 2 'cannot read' stress queue:michael-scott --before="$wrong"
done
expect 2 '--after: cannot read' stress lock:pthread-mutex --after unlock=1

# ---- arguments are those that the object allows ----
accounts() { grep -ohE '(transfer\([0-9]+, [0-9]+|balance\([0-9]+)' "$1"/*.hist | grep -oE '[0-9]+' | sort -un | tr '\n' ' '; }
between() { grep -ohE 'transfer\([0-9]+, [0-9]+' two_accounts/*.hist | sort -u | grep -c .; }
expect 0 'no violation' stress bank:locks --init '[5]' --runs 50 --repeats 5 --out one_account
[ "$(accounts one_account)" = '0 ' ] || fault "one account: $(accounts one_account)"
expect 0 'no violation' stress bank:locks --init '[5, 5]' --runs 100 --repeats 5 --out two_accounts
[ "$(accounts two_accounts)" = '0 1 ' ] && [ "$(between)" = 4 ] || fault "two accounts: $(cat two_accounts/*.hist)"
expect 0 'no violation' stress bank:locks --init '[5, 5, 5, 5, 5]' --runs 200 --repeats 5 --out five_accounts
[ "$(accounts five_accounts)" = '0 1 2 3 4 ' ] || fault "five accounts: $(accounts five_accounts)"
expect 0 'no violation' stress bank:locks --init '[5, 5, 5, 5, 5]' --runs 100 --repeats 5 --values 2 --out values
[ "$(accounts values)" = '0 1 ' ] || fault "two values: $(accounts values)"
cat >only_puts.c <<'END'
#include <assay_adapter.h>
static int object;
static void *create(const assay_adapter_setting *s) { (void)s; return &object; }
static void destroy(void *o) { (void)o; }
static assay_answer call(void *o, unsigned t, unsigned m, const int64_t *a)
{ (void)o, (void)t, (void)m, (void)a; return assay_answer_none(); }
static const assay_adapter_method methods[] = {{"put", 1, 0}, {"append", 1, 0}, {0, 0, 0}};
static const assay_adapter mine = {.version = ASSAY_ADAPTER_VERSION, .name = "map:mine", .object = "append-map",
    .title = "its values are strings", .methods = methods, .create = create, .destroy = destroy, .call = call};
const assay_adapter *const assay_adapters[] = {&mine, 0};
END
cc -I"$root/include" -shared -fPIC -o only_puts.so only_puts.c || exit 1
expect 2 'left out is' stress --load ./only_puts.so --runs 20
grep -q 'put, since no call of it is valid (the values of an append-map are strings)' said || fault "puts: $(cat said)"
printf '# @implementation bank:locks\nt0: balance(0)\nt1: balance(9)\n' >unknown.client
expect 2 'the bank has no account of this number' stress --replay unknown.client --init '[5]'

# ---- an invariant that does not hold: with the program, which has its initial content and its first and last calls ----
invariant() { stress bank:unlocked --init '[6, 6, 6, 6]' --mix transfer --before balances=1 --after balances=1 "$@"; }
expect 1 'bank:unlocked: INVARIANT: the sum of all balances has changed' invariant --seconds 600
for line in '# @init [6, 6, 6, 6]' '# @first t0:1' '# @last t0:1' '# @implementation bank:unlocked' 't0: balances()'; do
    grep -qxF "$line" crash.client || fault "no line '$line' in: $(cat crash.client)"
done
grep -q -- "--init '\[6, 6, 6, 6\]'" crash.client || fault "no initial content in the command: $(cat crash.client)"
expect 1 'INVARIANT' stress --replay crash.client --seconds 600
grep -q 'balances() => \[6 6 6 6\]' said || fault "another initial content: $(cat said)"
expect 1 '"invariant":true' invariant --json --keep-going --runs 300
grep -q '"crashes":[1-9][0-9]*' said || fault "--keep-going: $(cat said)"
expect 0 'no violation' stress bank:locks --runs 60 --repeats 20
for wrong in t0:99 t9:1 t0 t0:1x 't0:1 t0:1'; do
    sed "s/^# @first.*/# @first $wrong/" crash.client >wrong.client
    expect 2 'wrong.client' stress --replay wrong.client
    grep -q 'does not fit the calls' said || fault "@first $wrong: $(cat said)"
done

[ -z "$(ls -A tmp)" ] || fault "left in TMPDIR: $(ls -A tmp)"
[ $faults -eq 0 ] && echo "stress_setups: roles, initial contents, calls before and after, arguments, invariants"
