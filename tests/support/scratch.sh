# SPDX-License-Identifier: Apache-2.0
# For tests of the program, to be sourced with the program as the first argument: its path in $assay, a folder of their own,
# which goes at the end, as the current one, and fault WORDS..., which counts what is wrong in $faults.
assay=$(realpath "${1:?which assay}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
faults=0

fault() {
    echo "$*"
    faults=$((faults + 1))
}
