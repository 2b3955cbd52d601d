#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every source file that the pages for readers of the code name is there; words in capitals and the example stand for others.
# Every page of docs/ that any text of the tree names is there.
set -u
cd "${ASSAY_ROOT:-$(dirname "$0")/../..}" || exit 2
named=0 missing=0
for page in ARCHITECTURE.md CONTRIBUTING.md docs/internals/glossary.md docs/internals/algorithms.md; do
    while read -r path; do
        named=$((named + 1))
        [ -e "$path" ] || [[ $path =~ [A-Z]{4} || $path == src/model/both.c ]] || { echo "$page: there is no $path" && missing=$((missing + 1)); }
    done < <(grep -oE '\b(src|collect|include|cli|bench|tests|examples)/[A-Za-z0-9_/]+\.(c|h|def|sh|hist|cpp)\b' "$page" | sort -u)
done
while IFS=: read -r file path; do
    named=$((named + 1))
    [ -e "$path" ] || { echo "$file: there is no $path" && missing=$((missing + 1)); }
done < <(grep -rIoE '\bdocs/[a-z0-9_/-]+\.(md|schema\.json)\b' README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md Makefile \
    docs include src cli collect bench examples tests/*/*.sh tests/*/*.[ch] tests/golden tools | sort -u)
echo "paths: $named files named, $missing missing"
[ $missing -eq 0 ]
