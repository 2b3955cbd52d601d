#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Progress of --shrink: one line on a terminal that is rewritten, and erased before anything else is printed. Nothing in a pipe,
# and nothing with -q. `script` gives the program a pseudo-terminal.
set -u
. "$(dirname "$0")/../support/scratch.sh"
command -v script >/dev/null || { echo "progress: left out: no script here (Debian: bsdutils)" && exit 77; }
line='shrinking, [0-9]* operations\{0,1\} left'

# on_terminal OPTIONS...: what a terminal gets on standard error; the output goes to a file.
on_terminal() {
    script -qec "'$assay' check -m lin $* run.hist >out" seen </dev/null >/dev/null
}

# Short work shows no progress: longer histories are tried until shrinking takes long enough to be seen.
for operations in 10000 40000 160000; do
    "$assay" gen object -o deque --operations $operations --mutate 1 --seed 1 --out run.hist
    on_terminal --shrink
    grep -qa "$line" seen && break
done
grep -qa "$line" seen || fault "no progress on a terminal"
escape=$(printf '\r\033[K')
shown=$(sed '/^Script /d' seen | tr -d '\n')
case $shown in
*"$escape"*"$escape"*) ;;
*) fault "the line is not rewritten" ;;
esac
case $shown in
*"$escape") ;;
*) fault "the line is not erased in the end" ;;
esac
grep -q 'the smallest part found' out || fault "no smaller part on standard output"
grep -qaF "$escape" out && fault "progress on standard output"

on_terminal --shrink -q
grep -qa "$line" seen && fault "progress in spite of -q"

"$assay" check -m lin --shrink run.hist >out 2>err
[ -s err ] && fault "progress in a pipe: $(head -c 200 err)"
exit $((faults > 0))
