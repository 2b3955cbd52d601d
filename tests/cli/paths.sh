#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every source file that the pages for readers of the code name by its path is there, be it from the root or, as includes do,
# from src/; words in capitals and the example stand for others. Every page of docs/ that any text of the tree names is there.
set -u
cd "${ASSAY_ROOT:-$(dirname "$0")/../..}" || exit 2
named=0 missing=0
mapfile -t pages < <(find src collect cli bench web include tests tools examples cmake -name node_modules -prune -o -name README.md -print 2>/dev/null)
families=$(find src -mindepth 1 -maxdepth 1 -type d -printf '%f|')
for page in ARCHITECTURE.md CONTRIBUTING.md docs/internals/glossary.md docs/internals/algorithms.md "${pages[@]}"; do
    while read -r path; do
        named=$((named + 1))
        [ -e "$path" ] || [[ $path =~ [A-Z]{4} || $path == src/model/both.c ]] || { echo "$page: there is no $path" && missing=$((missing + 1)); }
    done < <({
        grep -oE '\b(src|collect|include|cli|bench|tests|examples|cmake|web)/[A-Za-z0-9_/]+\.(c|h|def|sh|hist|cpp|js|cmake)\b' "$page"
        grep -oP "(?<![/\w])(${families%|})/[A-Za-z0-9_]+\.(c|h|def)\b" "$page" | sed 's,^,src/,'
    } | sort -u)
done
while IFS=: read -r file path; do
    named=$((named + 1))
    [ -e "$path" ] || { echo "$file: there is no $path" && missing=$((missing + 1)); }
done < <(grep -srIoE '\bdocs/[a-z0-9_/-]+\.(md|schema\.json)\b' README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md Makefile \
    docs include src cli collect bench examples tests/*/*.sh tests/*/*.[ch] tests/golden tools | sort -u)
echo "paths: $named files named, $missing missing"
[ $missing -eq 0 ]
