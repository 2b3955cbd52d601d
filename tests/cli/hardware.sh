#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# hardware.sh ASSAY [--long]: `assay hardware` on the processor at hand. What a run shows is not known beforehand; what
# it must not show is: a violation of what the architecture promises.
#
# The long tier also asserts what is all but certain on x86 with two processors, that store buffers are seen, and says
# how long it took.
set -u
. "$(dirname "$0")/../support/scratch.sh"
tier=${2:-}

shapes="SB MP LB S R 2+2W SB+fence SB+fences SB+rmws R+fence SB+own n6 CoRR CoWW CoWR CoRW RMW 3.SB WRC RWC ISA2 IRIW"

# refused TEXT ARGUMENTS: status 2, TEXT on standard error and nothing on standard output.
refused() {
    local text=$1
    shift
    "$assay" hardware "$@" >out 2>err
    [ $? -eq 2 ] || fault "not status 2: $*"
    grep -qF -- "$text" err || fault "no word of '$text': $* said: $(<err)"
    [ ! -s out ] || fault "it went on all the same: $*"
}

bad_options() {
    refused "did you mean SB+fence" --shape SB+fense
    refused "unknown shape 'nothing'" --shape SB,nothing
    refused "a name is missing in 'SB,'" --shape SB,
    refused "unknown model" -m nothing
    refused "expected a whole number from 1" --runs 0
    refused "expected a whole number from 0 to 100" --fences 101
    refused "expected a number of bytes, not '8x'" --stride 8x
    refused "exclude each other" --pin --no-pin
    refused "name a folder with --out" --all
    refused "--threads is for random programs alone (add --shape SB,random)" --shape SB --threads 3
    refused "is not expected here" run.hist
    touch occupied
    refused "cannot make the folder occupied" --shape SB --runs 1 --out occupied
    # These are seen when the programs are made.
    "$assay" hardware --shape SB --stride 12 >out 2>err
    { [ $? -eq 2 ] && grep -q 'a stride is not a multiple of 8' err; } || fault "--stride 12 is accepted"
    "$assay" hardware --threads 65 >out 2>err
    { [ $? -eq 2 ] && grep -q 'threads goes from 1 to 64' err; } || fault "--threads 65 is accepted"
    "$assay" hardware --shape SB,random --threads 65 --runs 10 >out 2>err
    grep -q '^random' out && fault "a row for a shape that was not run: $(<out)"
    "$assay" hardware --shape SB -m lin --runs 1 >out 2>err
    { [ $? -eq 2 ] && grep -q 'no real time' err; } || fault "-m lin is accepted"
}

table() {
    local shape
    "$assay" hardware --runs 2000 --seed 3 >out 2>err || fault "status $? instead of 0: $(tail -20 out err)"
    for shape in $shapes random; do
        awk -v shape="$shape" '$1 == shape && $3 == 2000 && $4 >= 1 { found = 1 } END { exit !found }' out ||
            fault "no row for $shape in the table"
        [ "$shape" = random ] || grep -qF -- "$shape" help || fault "--help does not name $shape"
    done
    grep -q '^shape  *threads  *runs  *outcomes  *sc violations  *tso violations  *seconds$' out ||
        fault "the table's heading differs: $(head -3 out)"
    grep -qE 'and no run broke it|promises coherence' out || fault "the promise is not spoken of: $(<out)"
}

# The same seed means the same programs: the lines without what was read.
programs() {
    "$assay" hardware --operations 20000 --rmws 10 --fences 5 --runs 2 --seed 5 --out "$1" --all >out 2>err ||
        fault "status $?: $(<err)"
    cat "$1"/*.hist | sed -E '/^#/d; s/ => .*//; s/rmw\((x[0-9]+), -?[0-9]+/rmw(\1/'
}

files() {
    local n
    "$assay" hardware --shape SB,R,2+2W,RMW --runs 3000 --out found --all >out 2>err || fault "status $?: $(<err)"
    n=$(awk '$3 == 3000 { n += $4 } END { print n }' out)
    [ "$n" -eq "$(find found -name '*.hist' | wc -l)" ] || fault "$n outcomes, but $(ls found)"
    "$assay" check -m tso --evidence proofs.jsonl found >out 2>err || fault "tso fails on what was written: $(<out)"
    # What the comment says is what the check says.
    for file in found/*.hist; do
        "$assay" check -m sc "$file" >out 2>err
        case $?$(head -1 "$file") in
        0*": no violation" | 1*": violates sc") ;;
        *) fault "$file: $(head -1 "$file"), but: $(<out)" ;;
        esac
    done
    "$assay" hardware --shape SB+fences --runs 1000 --out found/none >out 2>err || fault "status $?"
    [ -z "$(ls found/none)" ] || fault "written without a violation: $(ls found/none)"
    [ "$(programs first | cksum)" = "$(programs second | cksum)" ] || fault "the seed does not decide on the programs"
}

json() {
    "$assay" hardware --shape SB,random --runs 500 -m cc,sc --json --no-pin >out 2>err || fault "status $?: $(<err)"
    [ "$(wc -l <out)" -eq 2 ] || fault "not one object per shape: $(<out)"
    grep -qE '^\{"shape":"SB","threads":2,"operations":4,"runs":500,"outcomes":[1-4],"models":\[\{"model":"cc",.*\{"model":"sc",.*"seconds":[0-9.]+\}$' out ||
        fault "the object differs: $(<out)"
}

default_tier() {
    "$assay" hardware --help >help || fault "no help"
    bad_options
    table
    files
    json
    # One processor is enough to run, if not to see.
    if command -v taskset >/dev/null && taskset -c 0 true 2>/dev/null; then
        taskset -c 0 "$assay" hardware --shape SB,IRIW --runs 200 >out 2>err || fault "one processor: status $?"
        grep -q 'little can be seen' out || fault "no remark about one processor"
    fi
    "$assay" hardware --threads 6 --operations 500 --variables 3 --runs 20 >out 2>err || fault "six threads: status $?"
}

long_tier() {
    local began=$SECONDS
    "$assay" hardware --runs 1000000 --seconds 10 >out 2>err || fault "status $?"
    cat out
    for rest in "--operations 100000 --variables 16 --fences 1 --rmws 1 --runs 200" \
        "--operations 100000 --variables 1000 --threads 4 --runs 100" "--operations 12 --variables 2 --runs 200000"; do
        # shellcheck disable=SC2086 # options
        "$assay" hardware $rest --seconds 30 --seed 2 >out.random 2>err || fault "$rest: status $?"
        echo "$rest:" && sed -n 4p out.random
    done
    echo "$((SECONDS - began)) seconds"
    if [[ $(uname -m) == x86_64 && $(nproc) -ge 2 ]]; then
        awk '$1 == "SB" && $5 > 0 { found = 1 } END { exit !found }' out || fault "store buffering was not seen"
        began=$(date +%s%N)
        "$assay" hardware --shape SB --runs 10000 --json >first || fault "status $?"
        echo "SB in 10000 runs, $((($(date +%s%N) - began) / 1000000)) ms: $(grep -oE '"model":"sc"[^}]*' first)"
    else
        echo "not x86_64 with two processors: that store buffers are seen is not asked for"
    fi
}

if [ "$tier" = --long ]; then
    long_tier
else
    default_tier
fi
echo "hardware: $faults faults"
[ $faults -eq 0 ]
