#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Golden tests: run.sh [--accept] ASSAY [CASE...]
#
# A case is a folder FAMILY/MEMBER/CASE with a file `cmd`, a shell snippet that is run by bash in a scratch
# copy of the folder with `assay` in PATH. Its standard output must equal expected.out, its exit status
# the number in `status` (no file: 0), and its standard error expected.err where there is one. What
# ../normalise.sed rewrites is not compared.
#
# A file `needs` names what the case needs besides: programs, or a library (libz, libzstd); the case is left
# out when the program is absent or assay says on standard error that it was built without the library. With
# ASSAY_NO_SKIPS in the environment this is a failure.
#
# --accept writes instead of comparing: expected.out, status, and expected.err where there is one or where a
# case is new and wrote to standard error.
set -u
here=$(realpath "$(dirname "$0")")
accept=
[ "${1:-}" = --accept ] && { accept=yes && shift; }
assay=$(realpath "${1:?which assay}")
shift

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$assay" "$scratch/bin/assay"
export PATH="$scratch/bin:$PATH" LC_ALL=C

normalise() { sed -E -f "$here/../normalise.sed" "$1"; }

# run_case FOLDER WORK: prints what is wrong; status 1 if anything is, 77 if left out.
run_case() {
    local case=$1 work=$2 name=${1#"$here"/} status wanted=0 wrong=0 needs="" need
    if [ -f "$case/needs" ]; then
        needs=$(<"$case/needs")
    fi
    for need in $needs; do
        [[ $need == lib* ]] || command -v "$need" >/dev/null || { echo "left out $name: no $need here" && return 77; }
    done
    rm -rf "$work"
    cp -r "$case" "$work"
    (cd "$work" && rm -f expected.out expected.err status needs && exec bash ./cmd) \
        >"$work.out.raw" 2>"$work.err.raw" </dev/null
    status=$?
    if [[ $needs == *lib* ]] && grep -q 'built without' "$work.err.raw"; then
        echo "left out $name: $(grep -m1 'built without' "$work.err.raw")"
        return 77
    fi
    normalise "$work.out.raw" >"$work.out"
    normalise "$work.err.raw" >"$work.err"

    if [ -n "$accept" ]; then
        if [ -f "$case/expected.err" ] || [ ! -f "$case/expected.out" ]; then
            rm -f "$case/expected.err"
            [ -s "$work.err" ] && cp "$work.err" "$case/expected.err"
        fi
        cp "$work.out" "$case/expected.out"
        rm -f "$case/status"
        [ $status -eq 0 ] || echo $status >"$case/status"
        return 0
    fi

    [ -f "$case/status" ] && wanted=$(<"$case/status")
    if [ "$status" -ne "$wanted" ]; then
        echo "FAILED $name: exit status $status, expected $wanted"
        head -5 "$work.err"
        wrong=1
    fi
    if ! diff -u --label "$name/expected.out" --label "output" "$case/expected.out" "$work.out"; then
        echo "FAILED $name: standard output differs"
        wrong=1
    fi
    if [ -f "$case/expected.err" ] &&
        ! diff -u --label "$name/expected.err" --label "errors" "$case/expected.err" "$work.err"; then
        echo "FAILED $name: standard error differs"
        wrong=1
    fi
    return $wrong
}

cases=()
while IFS= read -r file; do
    cases+=("${file%/cmd}")
done < <(for where in "${@:-$here}"; do find "$(realpath "$where")" -name cmd; done | sort)

workers=2
worker() {
    local i passed=0 failed=0 skipped=0
    for ((i = $1; i < ${#cases[@]}; i += workers)); do
        run_case "${cases[i]}" "$scratch/work$1"
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
    echo "golden: $passed cases accepted$left_out: look at the difference before you commit it"
    exit 0
fi
echo "golden: $passed cases passed, $failed failed$left_out"
[ $failed -eq 0 ] && [ ${#cases[@]} -gt 0 ] && { [ -z "${ASSAY_NO_SKIPS:-}" ] || [ $skipped -eq 0 ]; }
