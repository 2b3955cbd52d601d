#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# recheck reads every record or says that it did not: whatever keeps it from reading on is status 2, with the place; a budget
# that is used up is status 3, never "accepted".
set -u
root=$(realpath "$(dirname "$0")/../..")
. "$(dirname "$0")/../support/scratch.sh"
tried=0

# wants STATUS WORDS ARGUMENTS...: recheck of run.hist ends with this status and says this.
wants() {
    local status=$1 words=$2
    shift 2
    tried=$((tried + 1))
    "$assay" recheck "$@" >out 2>&1
    local got=$?
    [ $got -eq "$status" ] && grep -q -- "$words" out && return
    echo "status $got, not $status with '$words': recheck $*"
    cat out
    faults=$((faults + 1))
}

printf 't0: write(x, 1)\nt1: read(x) => 1\n' >run.hist
"$assay" check -m cc,sc --evidence good run.hist >/dev/null
wants 0 'good:2: accepted' run.hist good
sed 's/"index":0/"index":7/' good >bad

# Bytes of value 0, at the start of a line and behind a record, hide nothing.
{ cat good; printf '\0'; cat bad; } >nul-first
wants 2 'nul-first:3:1: expected text, found a byte of value 0' run.hist nul-first
{ head -1 good; printf '\0\n'; } >nul-alone
wants 2 'nul-alone:2:1: ' run.hist nul-alone
{ head -1 good | tr -d '\n'; printf '\0junk\n'; } >nul-behind
wants 2 'nul-behind:1:[0-9]*: expected text' run.hist nul-behind
{ cat good; printf 'junk\n'; } >junk
wants 2 'junk:3:1' run.hist junk
head -c -20 good >cut
wants 2 'cut:2:[0-9]*' run.hist cut

# Nothing is not proved.
: >empty
wants 2 'there is no evidence in this file' run.hist empty
printf ' \n\n\t\n' >blank
wants 2 'there is no evidence in this file' run.hist blank
mkdir folder
wants 2 'folder:1: ' run.hist folder
wants 2 'missing: cannot open' run.hist missing
if [ -r /proc/self/mem ]; then # reading at its start fails with EIO
    wants 2 "mem:1: " run.hist /proc/self/mem
fi

# A line that no memory holds.
{ cat good; head -c 3000000 /dev/zero | tr '\0' ' '; cat good; } >long
wants 0 'long:4: accepted' run.hist long
wants 2 'long:3: the line is longer than --memory allows' --memory 1 run.hist long
if (ulimit -v 160000 2>/dev/null && "$assay" --version) >/dev/null 2>&1; then
    { cat good; head -c 140000000 /dev/zero | tr '\0' ' '; } >endless
    tried=$((tried + 1))
    (ulimit -v 160000; exec "$assay" recheck run.hist endless >out 2>&1)
    got=$?
    [ $got -eq 2 ] && grep -q 'endless:3: out of memory' out || { cat out; faults=$((faults + 1)); }
    rm endless
fi

# A short record that asks for a long search: some hundred bytes, seconds of work.
{
    echo '# @object register'
    for i in $(seq 14); do echo "t$i: write($i)"; done
    echo 't0: read() => 99'
} >deep.hist
digest=$("$assay" recheck deep.hist good | sed -n "s/.*this one's is \([0-9a-f]*\).*/\1/p" | head -1)
echo '{"evidence":1,"history":"'"$digest"'","index":0,"model":"causal-convergence","verdict":"violation","pattern":"NoVisibility","culprit":14,"prefix":false,"kept":[]}' >deep
cat deep good >mixed
wants 3 'deep:1: UNDECIDED: the time budget is used up' --time 0.001 deep.hist deep
wants 3 '"outcome":"undecided","accepted":null,"searched":[a-z]*,"reason":"the time budget is used up"' --time 0.001 --json deep.hist deep
wants 1 'mixed:2: REFUSED: the evidence is about another history' --time 0.001 deep.hist mixed
wants 2 '--time: expected' --time 0 run.hist good
wants 2 '--memory: expected' --memory 0 run.hist good
wants 0 'good:2: accepted' --time 60 --memory 100 run.hist good

# Beyond a limit of recheck: not judged, with the limit named, which is no refusal. Refused and unreadable weigh more.
for i in $(seq 3001); do echo "t0: write(x, $i)"; done >long.hist
"$assay" check -m cc,ccm --evidence limited long.hist >/dev/null
wants 3 'limited:2: NOT JUDGED: beyond the limit computed-operations: ' long.hist limited
wants 3 '"outcome":"not judged","accepted":null,"searched":[a-z]*,"reason":"beyond the limit computed-op' \
    --json long.hist limited
wants 3 'limited:1: accepted' long.hist limited
{ cat limited; cat good; } >limited-refused
wants 1 'limited-refused:2: NOT JUDGED' long.hist limited-refused
{ cat limited; cat good; echo junk; } >limited-unreadable
wants 2 'limited-unreadable:4: REFUSED' long.hist limited-unreadable
tail -1 limited >limited-alone
wants 3 'NOT JUDGED' long.hist limited-alone
head -3000 long.hist >shorter.hist
"$assay" check -m ccm,wccm --evidence within shorter.hist >/dev/null
wants 0 'within:2: accepted' shorter.hist within

# The page has the limits, each with its sentence.
while IFS='|' read -r name sentence; do
    tried=$((tried + 1))
    grep -qxF "| \`$name\` | $sentence |" "$root/docs/reference/evidence.md" && continue
    echo "docs/reference/evidence.md: no row of the limit $name: $sentence"
    faults=$((faults + 1))
done < <(sed -n 's/^X([A-Z_]*, "\([^"]*\)", .*, "\([^"]*\)")$/\1|\2/p' "$root/src/recheck/limit.def")

# Evidence of several files: each record is judged with the file that it names, of those on the command line.
odd=$(printf 'b"\\\001\377.hist')
mkdir -p runs/sub elsewhere
printf 't0: write(x, 1)\nt1: read(x) => 1\n---\nt0: write(x, 1)\nt1: read(x) => 2\n' >runs/a.hist
printf 't0: write(y, 1)\nt1: read(y) => 1\n' >runs/sub/a.hist
printf 't0: write(z, 1)\nt1: read(z) => 1\n' >"runs/$odd"
"$assay" check -m cc,sc --evidence batch runs >/dev/null
wants 0 'batch:3: accepted: runs/a.hist#1: VIOLATION of cc' runs batch
wants 0 'batch:8: accepted' runs/ batch
wants 0 'batch:8: accepted' "$PWD/runs" batch
wants 2 'batch:1: several of the files can be a.hist' runs/a.hist "runs/$odd" runs/sub/a.hist batch
wants 0 '"line":3,"history":"runs/a.hist","index":1,' --json runs batch
"$assay" check -m cc,sc --evidence named runs/*.hist runs/sub/a.hist >/dev/null
wants 0 'named:8: accepted: runs/sub/a.hist: consistent with sc' runs named
mv runs moved
wants 0 'batch:8: accepted' moved batch
mv moved runs
wants 2 'batch:7: this record is about sub/a.hist, which is not among' runs/a.hist "runs/$odd" batch
rm runs/sub/a.hist
wants 2 'batch:7: this record is about sub/a.hist, which is not among' runs batch
printf 't0: write(y, 7)\n' >runs/sub/a.hist
wants 1 'batch:7: REFUSED: runs/sub/a.hist: the evidence is about another history' runs batch
cp runs/a.hist elsewhere
sed 's|"file":"[^"]*"|"file":"../elsewhere/a.hist"|' batch >climbing
wants 2 'climbing:1: this record is about ../elsewhere/a.hist, which is not among' runs climbing
sed "s|\"file\":\"[^\"]*\"|\"file\":\"$PWD/elsewhere/a.hist\"|" batch >absolute
wants 2 'absolute:1: this record is about /.*, which is not among' runs absolute
wants 2 'batch:1: several of the files can be a.hist' runs elsewhere batch
wants 1 'batch:4: accepted' runs ./runs/a.hist batch
wants 2 'good:1: this record does not name its file' run.hist runs good
sed 's|"file":"[^"]*"|"file":""|' batch >nameless
wants 2 'nameless:1:[0-9]*: expected a file.s name' runs nameless
sed 's|"file":"[^"]*"|"file":"a\\u0000b"|' batch >nul-name
wants 2 'nul-name:1:[0-9]*: expected a file.s name' runs nul-name
sed 's|"file":"[^"]*"|"file":"a\\q"|' batch >escape
wants 2 'escape:1:[0-9]*: expected a JSON escape' runs escape
sed 's|"file":"[^"]*"|"file":7|' batch >number
wants 2 'number:1:[0-9]*: expected' runs number
cat runs/a.hist | "$assay" check -m cc --evidence piped - run.hist >/dev/null
wants 0 'piped:2: accepted: standard input#1: VIOLATION of cc' run.hist - piped <runs/a.hist

# FILE#N chooses a history; the number of the others is told.
wants 0 'batch: left out: 6 records' 'runs/a.hist#1' batch
wants 0 'batch:4: accepted: runs/a.hist#1: VIOLATION of sc' 'runs/a.hist#0' 'runs/a.hist#1' batch
wants 2 'there is no evidence of the histories that are chosen' 'runs/a.hist#7' batch
"$assay" check -m cc --evidence single 'runs/a.hist#1' >/dev/null
wants 0 'single:1: accepted: VIOLATION of cc' 'runs/a.hist#1' single
wants 0 'single:1: accepted: VIOLATION of cc' runs/a.hist single
echo "recheck: $tried runs, $faults faults"
[ $faults -eq 0 ]
