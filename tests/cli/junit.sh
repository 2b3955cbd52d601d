#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `assay check --junit` writes XML that a parser reads: a test case for each history and model, whatever bytes names and values
# have. A file takes its place when it is whole.
set -u
. "$(dirname "$0")/../support/scratch.sh"
command -v python3 >/dev/null || { echo "junit: left out: no python3 here" && exit 77; }

# Prints the test cases: model, history, outcome.
cat >cases.py <<'PY'
import sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot().find("testsuite")
kinds = [None if len(case) == 0 else case[0].tag for case in suite]
for name, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
    assert int(suite.get(name)) == kinds.count(kind), name
assert int(suite.get("tests")) == len(kinds)
for case, kind in zip(suite, kinds):
    assert float(case.get("time")) >= 0
    assert kind is None or case[0].get("message")
    assert kind != "failure" or "VIOLATION of " + case.get("classname") in case[0].text
    print(ascii(case.get("classname")), ascii(case.get("name")), kind or "passed")
PY

# holds FILE: the test cases of FILE are those on standard input.
holds() {
    cat >wanted
    python3 cases.py "$1" >found 2>&1 && diff wanted found || fault "$1 is not as wanted"
}

mkdir runs
printf 't0: write(x, 1)\nt1: read(x) => 1\n' >runs/fine.hist
printf 't0: write(x, 1)\nt1: read(x) => 2\n\n---\nt0: write(x, 1)\n' >runs/thin.hist
printf 't0: write(x, 1)\nt1: bread(x) => 2\n' >runs/other.hist
"$assay" check -m cc,sc --junit all.xml runs runs/missing.hist >out 2>err
[ $? -eq 2 ] || fault "not status 2"
holds all.xml <<'WANTED'
'cc' 'runs/fine.hist' passed
'sc' 'runs/fine.hist' passed
'cc' 'runs/other.hist' error
'sc' 'runs/other.hist' error
'cc' 'runs/thin.hist' failure
'sc' 'runs/thin.hist' failure
'cc' 'runs/thin.hist#1' passed
'sc' 'runs/thin.hist#1' passed
'history' 'runs/missing.hist' error
WANTED
[ "$(tail -1 out)" = "5 histories, 2 models: 4 consistent, 2 violations, 3 errors" ] || fault "the closing line: $(tail -1 out)"

# Workers change nothing but the seconds.
"$assay" check -m cc,sc -j 4 --junit several.xml runs runs/missing.hist >/dev/null 2>&1
sed 's/ time="[^"]*"//' all.xml >one
sed 's/ time="[^"]*"//' several.xml | diff one - || fault "-j 4 writes another file"

# An engine that finds violations only leaves a consistent history undecided.
printf '# @object queue\nt0: enq(1) @ 1..2\nt1: deq() => 1 @ 3..4\n' >open.hist
"$assay" check -m lin -e saturate --junit open.xml open.hist >/dev/null 2>&1
[ $? -eq 3 ] && grep -q '<skipped message="' open.xml || fault "an undecided history is not skipped"

# Markup, controls, characters that XML lacks, and bytes that are no UTF-8: in values, names of threads and of files.
name=$(printf 'a<b>&"\001\033\377.hist')
printf 't0: write("]]>&<!--", "\\u0001\357\277\276\357\277\277")\nt1: read("]]>&<!--") => "</failure>&#1;\\"\302\205\342\200\250"\n' >"$name"
"$assay" check -m cc,nonsense --junit bad.xml "$name" >/dev/null 2>&1
[ ! -e bad.xml ] || fault "written although nothing was checked"
"$assay" check -m cc --junit markup.xml "$name" >/dev/null 2>&1
holds markup.xml <<'WANTED'
'cc' 'a<b>&"\\u0001\\u001b\\xff.hist' failure
WANTED
printf 't0: wr\001<&\377(\n' >"$name"
"$assay" check -m cc --junit markup.xml "$name" >/dev/null 2>&1
holds markup.xml <<'WANTED'
'history' 'a<b>&"\\u0001\\u001b\\xff.hist' error
WANTED

# Written beside its place: a folder that cannot be written to, or a full disk, leaves the old file.
if [ -w /dev/full ]; then
    "$assay" check -m cc --junit /dev/full runs/fine.hist >/dev/null 2>err
    [ $? -eq 2 ] && grep -q '/dev/full' err || fault "a full disk is not noticed"
fi
"$assay" check -m cc --junit none/all.xml runs/fine.hist >/dev/null 2>err
[ $? -eq 2 ] && grep -q 'none/all.xml' err || fault "a folder that is not there is not noticed"
"$assay" check -m cc --junit - runs/fine.hist 2>/dev/null | sed 1d >behind.xml
holds behind.xml <<'WANTED'
'cc' 'runs/fine.hist' passed
WANTED
echo "junit: $faults faults"
[ $faults -eq 0 ]
