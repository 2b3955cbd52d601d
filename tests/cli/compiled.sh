#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# No file is compiled twice in a build tree: what several programs share is a library. All of src/ is compiled.
set -u
list=${ASSAY_BUILD:?the build folder}/compile_commands.json
files=$(sed -nE 's/^ *"file": "(.*)",?$/\1/p' "$list" | sort)
twice=$(uniq -d <<<"$files")
[ -z "$twice" ] || { printf 'compiled: more than once:\n%s\n' "$twice"; exit 1; }
here=$(find "$(dirname "$0")/../../src" -name '*.c' | wc -l) there=$(grep -c '/src/.*\.c$' <<<"$files")
[ "$there" -ge "$here" ] || { echo "compiled: $list has $there of $here files of src/"; exit 1; }
