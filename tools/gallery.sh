#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The gallery of well-known violations: gallery.sh ASSAY FOLDER
#
# Each examples/gallery/NAME.hist begins with comments: a title, a story of a sentence or two, and lines `Family:`,
# `Violates:` and `Satisfies:` with one model each (the last one may be absent). Writes FOLDER/gallery.md, the index, and
# for each history FOLDER/gallery/NAME.md and NAME.svg. Fails if a verdict is not as the comments say.
set -eu
assay=$(realpath "${1:?which assay}")
mkdir -p "${2:?the folder to write to}/gallery"
out=$(realpath "$2")
root=$(realpath "$(dirname "$0")/..")
cd "$root"
export LC_ALL=C

families=(sc tso causal lin monitor weak transactions)
declare -A about=(
    [sc]="Sequential consistency: one order of all operations explains every read"
    [tso]="Store buffers: one order of the memory explains every read"
    [causal]="Causal models: no effect without its causes"
    [lin]="Linearizability: each call takes effect at one moment between its call and its return"
    [monitor]="Monitoring: a violation is reported at the event where it happens"
    [weak]="Weak consistency: the operations that a call sees explain its result"
    [transactions]="Transactions: levels of isolation"
)

field() { sed -nE "s/^# $2: //p" "$1"; }
title_of() { sed -n '1s/^# //p' "$1"; }
story_of() { sed -nE '2,/^# Family:/{/^# Family:/d; s/^# //p}' "$1" | fmt -w 120; }

# shown COMMAND...: a console block with the output
assay() { "$assay" "$@"; }
shown() {
    printf '```console\n$ %s\n' "$*"
    eval "$*" 2>&1 || [ $? -eq 1 ]
    printf '```\n\n'
}

# verdict MODEL FILE WANTED
verdict() {
    "$assay" check --json -m "$1" "$2" 2>/dev/null | grep -q "\"verdict\":\"$3\"" ||
        { echo "gallery: $2: $1 is not $3" >&2 && exit 1; }
}

page() {
    local file=$1 name=$2 violates satisfies
    violates=$(field "$file" Violates) satisfies=$(field "$file" Satisfies)
    verdict "$violates" "$file" violation
    printf '# %s\n\n' "$(title_of "$file")"
    story_of "$file"
    printf '\n![%s](%s.svg)\n\nThe history violates `%s`' "$(title_of "$file")" "$name" "$violates"
    [ -z "$satisfies" ] || printf ' and satisfies `%s`' "$satisfies"
    printf '.\n\n'
    shown sed "'/^# [^@]/d'" "$file"
    shown assay check -m "$violates" "$file"
    if [ "$(field "$file" Family)" = monitor ]; then
        printf 'A monitor reports the violation at the event that makes it certain:\n\n'
        shown assay monitor "$file"
    fi
    if [ -n "$satisfies" ]; then
        verdict "$satisfies" "$file" consistent
        printf 'The same history does satisfy `%s`, for this reason:\n\n' "$satisfies"
        shown assay check -m "$satisfies" --explain "$file"
    fi
    printf '[The gallery](../gallery.md)\n'
}

index() {
    local family file name satisfies
    printf '# Gallery of violations\n\n'
    printf 'These are the best-known violations of consistency. Click a title to see the history and the explanation. The\n'
    printf 'pictures are made by `assay check --svg`, and `make gallery` writes all these pages from `examples/gallery/`.\n'
    for family in "${families[@]}"; do
        printf '\n## %s\n' "${about[$family]}"
        for file in examples/gallery/*.hist; do
            [ "$(field "$file" Family)" = "$family" ] || continue
            name=$(basename "$file" .hist) satisfies=$(field "$file" Satisfies)
            printf '\n### [%s](gallery/%s.md)\n\n' "$(title_of "$file")" "$name"
            story_of "$file"
            printf '\nIt violates `%s`%s.\n\n' "$(field "$file" Violates)" "${satisfies:+ and satisfies \`$satisfies\`}"
            printf '![%s](gallery/%s.svg)\n' "$(title_of "$file")" "$name"
        done
    done
}

for file in examples/gallery/*.hist; do
    name=$(basename "$file" .hist)
    [ -n "${about[$(field "$file" Family)]:-}" ] || { echo "gallery: $file: unknown family" >&2 && exit 1; }
    "$assay" check -m "$(field "$file" Violates)" --svg "$out/gallery/$name.svg" "$file" >/dev/null 2>&1 || [ $? -eq 1 ]
    page "$file" "$name" >"$out/gallery/$name.new"
    mv "$out/gallery/$name.new" "$out/gallery/$name.md"
done
index >"$out/gallery.new"
mv "$out/gallery.new" "$out/gallery.md"
