#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tidy.sh BUILD [PATH...]: clang-tidy, with the checks of .clang-tidy, over the files of src/, cli/ and collect/ that BUILD compiles,
# or over those below the paths; two at a time. Every finding is a failure.
set -u
build=$(realpath "${1:?the build folder}")
shift
cd "$(dirname "$0")/.." || exit 2
root=$PWD
# Other versions have other checks.
if ! clang-tidy --version 2>/dev/null | grep -q 'version 14\.'; then
    echo "tidy: left out: there is no clang-tidy 14"
    exit 77
fi
[ $# -gt 0 ] || set -- src cli collect
mapfile -t files < <(sed -nE 's/^ *"file": "(.*)",?$/\1/p' "$build/compile_commands.json" | sort -u |
    grep -E "^$root/($(IFS='|' && echo "$*"))(/|\$)" | sed "s|^$root/||")
[ ${#files[@]} -gt 0 ] || { echo "tidy: $build compiles none of these files" && exit 1; }

# gcc's warnings are not clang's. The headers of ck lack structures where an analyzer reads them. The analyzer's deep mode takes five
# times as long.
check() {
    local said
    said=$(clang-tidy --quiet -p "$1" --extra-arg=-Wno-unknown-warning-option --extra-arg=-U__clang_analyzer__ \
        --extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=mode=shallow "$2" 2>/dev/null) ||
        printf '%s\n' "$said" FAULT
}
export -f check
report=$(printf '%s\n' "${files[@]}" | xargs -P2 -n1 bash -c 'check "$0" "$1"' "$build")
[ -z "$report" ] || grep -vx FAULT <<<"$report"
faults=$(grep -cx FAULT <<<"$report")
echo "tidy: ${#files[@]} files, $faults with findings"
[ "$faults" -eq 0 ]
