#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/internals/benchmarks.md is the summary of the pages in docs/internals/benchmarks/, and the pages and plots that it names are there.
set -u
cd "${ASSAY_ROOT:-$(dirname "$0")/../..}" || exit 2
mapfile -t pages < <(sed -n 's/^SUITES = //p' Makefile | tr ' ' '\n' | sed 's#.*#docs/internals/benchmarks/&.md#')
if ! diff <(tools/benchmark-summary.sh "${pages[@]}") docs/internals/benchmarks.md; then
    echo "benchmarks: run tools/benchmark-summary.sh ${pages[*]} >docs/internals/benchmarks.md"
    exit 1
fi
named=0 missing=0
for page in docs/internals/benchmarks.md "${pages[@]}"; do
    while read -r path; do
        named=$((named + 1))
        [ -e "$(dirname "$page")/$path" ] || { echo "$page: there is no $path" && missing=$((missing + 1)); }
    done < <(grep -oE '\]\([^)#]+' "$page" | sed 's/^](//' | sort -u)
done
echo "benchmarks: ${#pages[@]} pages, $named files named, $missing missing"
[ $missing -eq 0 ]
