# SPDX-License-Identifier: Apache-2.0
# For tests of the program, to be sourced with the program as the first argument: its path in $assay, a folder of their own,
# which goes at the end, as the current one; fault WORDS..., which counts what is wrong in $faults; await COMMAND..., which
# waits until the command succeeds; and let_pass SECONDS. cli/waits.sh sees to it that no test waits in another way.
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

# The command is run again and again, but the shell expands its words only once: a condition with $(...) in it is a function.
await() {
    local end=$((SECONDS + hung))
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.05
    done
}

# At least so much time passes. That is all that the test may rely on: what others do meanwhile is to be awaited.
let_pass() { sleep "$1"; }

# bring_to_a_stop PROCESS: it gets SIGSTOP, and does nothing more when this returns.
stands_still() { grep -q '^State:[[:space:]]*T' "/proc/$1/status"; }
bring_to_a_stop() {
    kill -STOP "$1"
    await stands_still "$1"
}
