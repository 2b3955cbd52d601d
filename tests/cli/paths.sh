#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every source file that the pages for readers of the code name is there; words in capitals and the example stand for others.
set -u
cd "${ASSAY_ROOT:-$(dirname "$0")/../..}" || exit 2
named=0 missing=0
for page in ARCHITECTURE.md CONTRIBUTING.md docs/reference/glossary.md docs/internals/algorithms.md; do
    while read -r path; do
        named=$((named + 1))
        [ -e "$path" ] || [[ $path =~ [A-Z]{4} || $path == src/model/both.c ]] || { echo "$page: there is no $path" && missing=$((missing + 1)); }
    done < <(grep -oE '\b(src|collect|include|cli|bench|tests|examples)/[A-Za-z0-9_/]+\.(c|h|def|sh|hist|cpp)\b' "$page" | sort -u)
done
echo "paths: $named files named, $missing missing"
[ $missing -eq 0 ]
