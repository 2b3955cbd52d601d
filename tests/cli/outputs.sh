#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `assay check` writes no output over a file that it reads: not by its name, not by another name of it.
set -u
. "$(dirname "$0")/../support/scratch.sh"

# refused ARGUMENTS: status 2, the reason, and the history as it was.
refused() {
    "$assay" check -m cc "$@" >out 2>err <run.hist
    [ $? -eq 2 ] || fault "not status 2: $*"
    grep -q 'would overwrite a history' err || fault "no word of it: $*"
    [ ! -s out ] || fault "it was checked all the same: $*"
    cmp -s run.hist kept || fault "overwritten: $*"
    cp kept run.hist
}

# written FILE ARGUMENTS: FILE is written.
written() {
    local file=$1
    shift
    "$assay" check -m cc "$@" >out 2>err <run.hist || fault "refused: $*"
    [ ! -f "$file" ] || [ -s "$file" ] || fault "not written: $*"
}

printf 't0: write(x, 1)\nt1: read(x) => 1\n' | tee kept >run.hist
ln -s run.hist soft.hist
ln run.hist hard.jsonl
mkdir folder
cp kept folder/inner.hist
for option in --evidence --html --junit --dot --svg --tikz; do
    refused $option run.hist run.hist
    refused $option ./run.hist run.hist
    refused $option run.hist soft.hist
    refused $option hard.jsonl folder run.hist
    refused $option run.hist -
    refused $option folder/inner.hist folder
    cmp -s folder/inner.hist kept || fault "overwritten in a folder: $option"
    refused $option missing.hist missing.hist
    [ ! -e missing.hist ] || fault "made, to be read: $option"
    written other$option.out $option other$option.out run.hist
    written other$option.out $option other$option.out folder -
    written /dev/null $option /dev/null run.hist
    written - $option - run.hist
done
cmp -s run.hist kept || fault "overwritten by an output of another name"
echo "outputs: $faults faults"
[ $faults -eq 0 ]
