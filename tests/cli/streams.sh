#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Standard streams that were closed before the start: a file that is opened must not take their place. No report lands in the
# evidence, no message in the history, and an output that nobody could read is status 2.
set -u
export LC_ALL=C
. "$(dirname "$0")/../support/scratch.sh"
tried=0

# closed STREAMS ARGUMENTS...: runs assay with these of 0, 1 and 2 closed; its status.
closed() {
    local streams=$1
    shift
    tried=$((tried + 1))
    (
        case $streams in *0*) exec 0<&- ;; *) exec 0<run.hist ;; esac
        case $streams in *1*) exec 1>&- ;; *) exec 1>out ;; esac
        case $streams in *2*) exec 2>&- ;; *) exec 2>err ;; esac
        exec "$assay" "$@"
    )
}

# wants STATUS STREAMS ARGUMENTS...
wants() {
    local status=$1
    shift
    closed "$@"
    local got=$?
    [ $got -eq "$status" ] || fault "status $got, not $status: closed $*"
}

printf 't0: write(x, 1)\nt1: read(x) => 2\n' | tee kept >run.hist
cp run.hist second.hist
"$assay" check -m cc,sc --evidence good run.hist second.hist >/dev/null
"$assay" check -m cc --html good.html run.hist >/dev/null
"$assay" gen memory --seed 3 >good.hist

for streams in 0 1 2 01 02 12 012; do
    # Standard output is where reports go: what is lost there is a fault; messages may be lost.
    case $streams in *1*) lost=2 ;; *) lost=0 ;; esac
    violated=$((lost ? lost : 1))
    wants $violated $streams check -m cc,sc --evidence made run.hist second.hist
    if [ $lost -eq 0 ]; then
        cmp -s good made || fault "the evidence is not what it is otherwise: closed $streams"
    else # it stops, since nobody gets its reports
        grep -qvxFf good made.part && fault "something else stands in the evidence: closed $streams"
        [ ! -e made ] || fault "evidence of a part stands there as if it were whole: closed $streams"
        cp good made
    fi
    wants $violated $streams check -m cc --html made.html run.hist
    cmp -s good.html made.html || cmp -s good.html made.html.part || fault "the page is not what it is otherwise: closed $streams"
    wants $lost $streams recheck run.hist second.hist made
    wants 0 $streams gen memory --seed 3 --out made.hist
    cmp -s good.hist made.hist || fault "the history is not what it is otherwise: closed $streams"
    wants 0 $streams convert -t hist run.hist converted.hist
    wants $lost $streams convert -t hist run.hist
    wants $lost $streams grade run.hist
    wants $lost $streams list
    wants $lost $streams --version
    wants $lost $streams --help
    wants 2 $streams check -m cc missing.hist
    rm -f made* converted.hist
    cmp -s run.hist kept || fault "the history was written to: closed $streams"
done
wants 2 0 check -m cc -
wants 2 0 recheck run.hist -
wants 2 0 convert -t hist - out.hist
[ ! -e out.hist ] || fault "a history was made of nothing"
echo "streams: $tried runs, $faults faults"
[ $faults -eq 0 ]
