#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# assay-bench replot draws each chart of docs/internals/plots from its numbers, in as many pictures as are committed; a damaged file
# is refused by name, and so is a folder without numbers. A picture is well-formed and names all of its series.
set -u
root=$(realpath "$(dirname "$0")/../..")
bench=$(realpath "${ASSAY_BUILD:?the build folder}")/assay-bench
. "$root/tests/support/scratch.sh"
command -v gnuplot >/dev/null || { echo "replot: left out: no gnuplot here (Debian: gnuplot-nox)" && exit 77; }

mkdir charts empty
cp "$root"/docs/internals/plots/*.tsv charts
"$bench" replot charts >said 2>&1 || fault "not drawn: $(<said)"
for numbers in "$root"/docs/internals/plots/*.tsv; do
    name=$(basename "$numbers" .tsv)
    [ "$(cd charts && ls "$name".svg "$name"-[0-9].svg 2>/dev/null)" = "$(cd "$root/docs/internals/plots" && ls "$name".svg "$name"-[0-9].svg 2>/dev/null)" ] ||
        fault "$name: other pictures than those in docs/internals/plots"
    while IFS= read -r series; do
        grep -qF -- "$series" charts/"$name"*.svg || fault "$name: no name '$series' in its pictures"
    done < <(sed -n 's/^series\t//p' "$numbers" | sed 's/&/\&amp;/g')
done
"$bench" replot empty >said 2>&1 && fault "a folder without numbers is taken"
printf 'title\tA\nseries\ts\n1\tfast\n' >empty/wrong.tsv
"$bench" replot empty >said 2>&1 && fault "a damaged file is taken"
grep -q 'empty/wrong.tsv' said || fault "a damaged file is not named: $(<said)"
echo "replot: $(find charts -name '*.tsv' | wc -l) charts, $faults faults"
[ "$faults" -eq 0 ]
