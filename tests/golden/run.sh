#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Golden tests: run.sh [--accept] ASSAY [CASE...]
#
# A case is a file FAMILY/MEMBER/NAME.case. Text above the first section is for the reader. A line "==== ..." begins a section:
#
#   ==== command                  a shell snippet, run by bash in a scratch folder with `assay` in PATH
#   ==== file a.hist              an input file in this folder
#   ==== file a.hist from PATH    the same, a copy of tests/golden/PATH, which several cases share
#   ==== needs clingo libz        the case is left out when a program is absent, or when assay says on standard error that it
#                                 was built without a library (lib...)
#   ==== status 1                 the exit status of the command; 0 if there is no such section
#   ==== stdout                   its standard output
#   ==== stderr                   its standard error; not compared if there is no such section
#
# What ../normalise.sed rewrites is not compared. Where files have other bytes than lines of text, or are long, a case is a
# folder FAMILY/MEMBER/NAME with these as files: cmd, needs, status, expected.out, expected.err, and the input files.
#
# --accept writes instead of comparing: stdout, status, and stderr where it was or where a case is new and wrote to it.
set -u
here=$(realpath "$(dirname "$0")")
accept=
[ "${1:-}" = --accept ] && { accept=yes && shift; }
assay=$(realpath "${1:?which assay}")
shift

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/cases"
ln -s "$assay" "$scratch/bin/assay"
export PATH="$scratch/bin:$PATH" LC_ALL=C

# run_case PATH WORK EXPECTED: runs the case in the folder WORK; what is expected are files that begin with EXPECTED. Prints what is
# wrong; status 1 if anything is, 77 if left out.
run_case() {
    local path=$1 name=${1#"$here"/} work=$2 expected=$3 status wanted=0 wrong=0 needs="" need
    if [ -f "$work.fault" ]; then
        sed 's/^/FAILED /' "$work.fault"
        return 1
    fi
    [ -f "$work/cmd" ] || { echo "FAILED $name:1: there is no section 'command'" && return 1; }
    [ -f "${expected}needs" ] && read -r needs <"${expected}needs"
    for need in $needs; do
        [[ $need == lib* ]] || command -v "$need" >/dev/null || { echo "left out $name: no $need here" && return 77; }
    done
    (cd "$work" && exec bash ./cmd) >"$work.out" 2>"$work.err" </dev/null
    status=$?
    if [[ $needs == *lib* ]] && grep -q 'built without' "$work.err"; then
        echo "left out $name: $(grep -m1 'built without' "$work.err")"
        return 77
    fi
    sed -E -i -f "$here/../normalise.sed" "$work.out" "$work.err"

    if [ -n "$accept" ]; then
        accept_case "$expected" "$work" "$status"
        [[ $path != *.case ]] || repack "$path" "$expected"
        return
    fi

    [ -f "${expected}status" ] && read -r wanted <"${expected}status"
    if [ "$status" -ne "$wanted" ]; then
        echo "FAILED $name: exit status $status, expected $wanted"
        head -5 "$work.err"
        wrong=1
    fi
    if [ ! -f "${expected}expected.out" ]; then
        echo "FAILED $name: no standard output is expected yet: accept what there is"
        wrong=1
    elif ! diff -u --label "$name: stdout" --label "output" "${expected}expected.out" "$work.out"; then
        echo "FAILED $name: standard output differs"
        wrong=1
    fi
    if [ -f "${expected}expected.err" ] &&
        ! diff -u --label "$name: stderr" --label "errors" "${expected}expected.err" "$work.err"; then
        echo "FAILED $name: standard error differs"
        wrong=1
    fi
    return $wrong
}

# accept_case EXPECTED WORK STATUS: what came out is expected from now on.
accept_case() {
    local expected=$1 work=$2 status=$3
    if [ -f "${expected}expected.err" ] || [ ! -f "${expected}expected.out" ]; then
        rm -f "${expected}expected.err"
        [ -s "$work.err" ] && cp "$work.err" "${expected}expected.err"
    fi
    cp "$work.out" "${expected}expected.out"
    rm -f "${expected}status"
    [ "$status" -eq 0 ] || echo "$status" >"${expected}status"
}

# repack PATH EXPECTED: the case file, with what is expected now.
repack() {
    local path=$1 expected=$2 file
    for file in "${expected}expected.out" "${expected}expected.err"; do
        [ -f "$file" ] || continue
        if grep -qE '^====( |$)' "$file" || [ -n "$(tail -c1 "$file")" ]; then
            echo "FAILED $path: cannot hold an output with a line '====', or with no newline at its end: make it a folder"
            return 1
        fi
    done
    {
        awk '/^====( |$)/ { old = $2 == "status" || $2 == "stdout" || $2 == "stderr" } !old' "$path"
        [ ! -f "${expected}status" ] || echo "==== status $(<"${expected}status")"
        echo "==== stdout"
        cat "${expected}expected.out"
        [ ! -f "${expected}expected.err" ] || { echo "==== stderr" && cat "${expected}expected.err"; }
    } >"${expected}new"
    cat "${expected}new" >"$path"
}

# run_folder PATH WORK: the same of a case that is a folder.
run_folder() {
    rm -rf "$2"
    cp -r "$1" "$2"
    rm -f "$2"/{expected.out,expected.err,status,needs}
    run_case "$1" "$2" "$1/"
}

# Case files are unpacked all at once: one process, not one for each.
paths=() unpack=()
while IFS= read -r path; do
    paths+=("${path%/cmd}")
    [[ $path == *.case ]] || continue
    unpack+=("folder=$scratch/cases/$((${#paths[@]} - 1))" "$path")
done < <(for where in "${@:-$here}"; do find "$(realpath "$where")" -name cmd -o -name '*.case'; done | sort)
if [ ${#unpack[@]} -gt 0 ]; then
    (cd "$scratch/cases" && seq 0 $((${#paths[@]} - 1)) | xargs mkdir) &&
        awk -f "$here/unpack.awk" root="$here" "${unpack[@]}" || exit 2
fi

workers=2
worker() {
    local i passed=0 failed=0 skipped=0
    for ((i = $1; i < ${#paths[@]}; i += workers)); do
        if [[ ${paths[i]} == *.case ]]; then
            run_case "${paths[i]}" "$scratch/cases/$i" "$scratch/cases/$i."
        else
            run_folder "${paths[i]}" "$scratch/work$1"
        fi
        case $? in
        0) passed=$((passed + 1)) ;;
        77) skipped=$((skipped + 1)) ;;
        *) failed=$((failed + 1)) ;;
        esac
    done >"$scratch/report$1" 2>&1
    echo "$passed $failed $skipped" >"$scratch/count$1"
}
for ((w = 0; w < workers; w++)); do
    worker "$w" &
done
wait

passed=0 failed=0 skipped=0
for ((w = 0; w < workers; w++)); do
    cat "$scratch/report$w"
    read -r p f s <"$scratch/count$w"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
left_out=
[ $skipped -gt 0 ] && left_out=", $skipped left out (their needs are not met here)"
if [ -n "$accept" ]; then
    echo "golden: $passed cases accepted, $failed failed$left_out: look at the difference before you commit it"
else
    echo "golden: $passed cases passed, $failed failed$left_out"
fi
[ $failed -eq 0 ] && [ ${#paths[@]} -gt 0 ]
