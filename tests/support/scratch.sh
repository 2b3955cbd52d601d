# SPDX-License-Identifier: Apache-2.0
# For tests of the program, to be sourced with the program as the first argument: its path in $assay, a folder of their own,
# which goes at the end, as the current one; fault WORDS..., which counts what is wrong in $faults; and await COMMAND..., which
# waits until the command succeeds.
assay=$(realpath "${1:?which assay}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
faults=0
hung=900 # seconds until a command counts as hung: no measure of speed, machines may be busy

fault() {
    echo "$*"
    faults=$((faults + 1))
}

await() {
    local end=$((SECONDS + hung))
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.05
    done
}
