#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# examples/embed.c is the program that docs/reference/library.md shows, and prints what the document says: embed.sh ASSAY
set -eu
root=$(realpath "$(dirname "$0")/../..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The blocks of C, with an empty line between them; the program without its head comment.
awk '/^```c$/ { if (n++) print ""; on = 1; next } /^```$/ { on = 0 } on' "$root/docs/reference/library.md" >"$scratch/document"
sed -n '/^#include/,$p' "$root/examples/embed.c" >"$scratch/program"
diff -u --label docs/reference/library.md --label examples/embed.c "$scratch/document" "$scratch/program"

sed -n '/^The program above prints$/,/^- /s/^    //p' "$root/docs/reference/library.md" >"$scratch/expected"
[ -s "$scratch/expected" ]
"${ASSAY_BUILD:?where the programs are}/tests/example_embed" >"$scratch/printed"
diff -u --label "docs/reference/library.md" --label "what it prints" "$scratch/expected" "$scratch/printed"
echo "embed: the example is the document's and prints what it says"
