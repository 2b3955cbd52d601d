#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The program at a terminal, which is a pseudo-terminal here: texts are as wide as it is, and in colour unless NO_COLOR or a
# dumb terminal forbids that. In a pipe there is neither.
set -eu
assay=$(realpath "$1")
pty=$(realpath "${ASSAY_BUILD:?the build folder}/tests/test_pty")
tests=$(realpath "$(dirname "$0")/..")
. "$tests/support/scratch.sh"
unset COLUMNS NO_COLOR
export TERM=xterm

cat > queue.hist <<'END'
# @object queue
producer: enq("a long value") @ 1..2
consumer-with-a-name: deq() => "another long value" @ 3..4
END
printf '# @object queue\n[producer] call enq(1)\n[producer] return\n[consumer] call deq\n[consumer] return 9\n' > events.hist

fail() {
    echo "$1"
    cat said
    exit 1
}
escape=$(printf '\033')
has_colour() { grep -q "$escape\[" said; }
# The widest line of the reports, without colours. The summary of a monitor has lines of its own.
widest() { tr -d '\r' < said | sed "/ violation in /,\$d; s/$escape\[[0-9;]*m//g" | awk '{ if (length($0) > w) w = length($0) } END { print w + 0 }'; }

for command in "check -m lin queue.hist" "monitor events.hist"; do
    for columns in 40 60 100; do
        "$pty" $columns "$assay" $command > said && fail "$command: no violation at $columns columns"
        [ "$(widest)" -le $columns ] || fail "$command: a line is wider than $columns columns"
        has_colour || fail "$command: no colour at a terminal"
    done
    "$pty" 40 "$assay" $command > said || true
    narrow=$(wc -l < said)
    "$pty" 100 "$assay" $command > said || true
    [ "$narrow" -gt "$(wc -l < said)" ] || fail "$command: the width of the terminal makes no difference"
    NO_COLOR=1 "$pty" 60 "$assay" $command > said || true
    ! has_colour || fail "$command: colour although NO_COLOR is set"
    NO_COLOR='' "$pty" 60 "$assay" $command > said || true
    has_colour || fail "$command: an empty NO_COLOR does not count"
    TERM=dumb "$pty" 60 "$assay" $command > said || true
    ! has_colour || fail "$command: colour at a dumb terminal"
    "$assay" $command | cat > said
    ! has_colour || fail "$command: colour in a pipe"
    [ "$(widest)" -gt 80 ] || fail "$command: lines are broken in a pipe"
done

# Lists, help, ladders and messages keep their words whole; an example of a command is one line, to be copied.
printf 't0: write(x, 1)\nt0: read(x) => 2\nt1: write(x, 2)\nt1: read(x) => 1\n' > orders.hist
"$assay" --help | sed -n 's/^  \([a-z]*\)  .*/\1 --help/p' > helps
{ cat helps; printf '%s\n' --help list "grade orders.hist" "check --enigne clock orders.hist" "check -m lin orders.hist"; } > tried
while read -r arguments; do
    "$pty" 80 "$assay" $arguments > said < /dev/null || true
    [ -s said ] || fail "$arguments: says nothing"
    [ "$(widest)" -le 80 ] || fail "$arguments: a line is wider than 80 columns"
    tr -d '\r' < said | sed "s/$escape\[[0-9;]*m//g" | tr -s ' \n' '\n' | sort -u > words
    "$assay" $arguments 2>&1 < /dev/null | tr -s ' \n' '\n' | sort -u | comm -13 words - | grep . && fail "$arguments: a word is broken"
done < tried
[ "$(wc -l < tried)" -gt 15 ] || fail "too few commands tried"

# All of a list is there: as many names as in JSON, or the number of those that are left out.
shown=$("$assay" list implementations | grep -c '^  [a-z]*:' || true)
absent=$("$assay" list implementations | sed -n 's/^  not available here: \([0-9]*\) more.*/\1/p')
[ $((shown + ${absent:-0})) -eq "$("$assay" list implementations --json | wc -l)" ] || fail "implementations are missing"
[ "$("$assay" list implementations --all | grep -c '^  [a-z]*:')" -eq "$("$assay" list implementations --json | wc -l)" ] || fail "--all lists fewer"
"$assay" list implementations --all | sed -n 's/^  \([a-z]*\):.*/\1/p' | uniq | sort | uniq -d | grep . && fail "an object has two groups"
echo "40, 60 and 100 columns, with and without colour"
