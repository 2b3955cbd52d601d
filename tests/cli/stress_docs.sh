#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commands of docs/guides/stress.md work in a fresh clone as they are printed: nothing is installed, and PATH and CPATH are those
# that the page sets. cli.docs compares the outputs of its examples; here each command must only run. Also run are the commands
# with sanitizers, where gcc has their runtimes.
set -u
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/support/scratch.sh"
sanitized=$(sed -nE 's/^ASSAY_SANITIZE:[A-Z]*=(.+)/\1/p' "${ASSAY_BUILD:?the build folder}/CMakeCache.txt")
mkdir clone clone/build
cp -r "$root/examples" "$root/include" clone
ln -s "$assay" clone/build/assay
cd clone || exit 2
unset CPATH

# Commands of console blocks, and the indented lines of these kinds.
commands() {
    sed -nE '/^```console/,/^```$/{/^```/d; s/^\$ //p}; s/^    (export PATH=.*|cc -g .*|LD_PRELOAD=.*)/\1/p' "$root/docs/guides/stress.md" |
        if [ -z "$sanitized" ] && [ -f "$(cc -print-file-name=libasan.so)" ] && [ -f "$(cc -print-file-name=libtsan.so)" ]; then
            cat
        else
            grep -v -e 'LD_PRELOAD=' -e '-fsanitize='
        fi
}

# The first lines need PATH and CPATH in a clone, though they stand before the line that sets them.
eval "$(commands | grep '^export PATH=')"
tried=0
while IFS= read -r command <&3; do
    eval "$command" >said 2>&1 </dev/null
    status=$?
    tried=$((tried + 1))
    if [ $status -gt 1 ] || grep -qE 'command not found|No such file|error:' said; then
        fault "$command: status $status: $(cat said)"
    fi
done 3< <(commands)
[ $tried -ge 12 ] || fault "only $tried commands found"
[ $faults -eq 0 ] && echo "stress_docs: $tried commands of docs/guides/stress.md run in a clone"
