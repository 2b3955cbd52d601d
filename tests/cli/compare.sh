#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# assay-bench --json and compare: a run equals itself, a worse figure is found, noise is not, and bad files are refused.
set -eu
. "$(dirname "$0")/../support/expect.sh"
bench=$(realpath "${ASSAY_BUILD:?the build folder}")/assay-bench
. "$(dirname "$0")/../support/scratch.sh"

# A run of its own.
"$bench" record --quick --json run.json >/dev/null
expect 0 '0 worse, 0 better, 48 the same' "$bench" compare run.json run.json
grep -q '"commit":"[0-9a-z-]*"' run.json

# The machine of the new run is half as fast: most figures double, and only the others are named.
run() { # NAME SECONDS...: a figure
    local values
    values=$(IFS=, && echo "${*:2}")
    printf ',\n{"name":"%s","measure":"check","unit":"s","values":[%s],"later":{"a":[1]}}' "$1" "$values"
}
whole() { # a file of the figures on standard input
    printf '{"assay":"0.2.0","commit":"%s","processor":"one","figures":[' "$1"
    cat | tail -c +2
    printf ',\n{"name":"a","measure":"memory","unit":"MB","values":[%s]}]}\n' "$2"
}
{ run a 1 && run b 2 && run c 3e-3 && run noisy 1 9 && run worse 1 1.1 && run better 1 && run gone 1; } | whole 1a 100 >old
{ run a 2 && run b 4 && run c 6e-3 && run noisy 6 && run worse 3 3.1 && run better 1 && run new 1; } | whole 2b 130 >new
expect 1 'x1.50      1.000 s  ->    3.000 s   worse, check' "$bench" compare old new
expect 1 'x0.50      1.000 s  ->    1.000 s   better, check' "$bench" compare old new
expect 1 'most figures: time x2.00, memory x1.30' "$bench" compare old new
expect 1 '7 figures in both, 1 only in the old run, 1 only in the new one' "$bench" compare old new
expect 1 '1 worse, 1 better, 5 the same within 20 %' "$bench" compare old new
expect 0 '0 worse, 1 better' "$bench" compare --tolerance 60 old new

# Rounds of one figure may stand apart.
{ run a 2 && run a 1 && run b 2 && run c 2; } | whole 1a 100 >apart
{ run a 1.4 && run b 2 && run c 2; } | whole 1a 100 >joined
expect 0 '0 worse, 0 better, 4 the same' "$bench" compare apart joined

# Bad files.
expect 2 'nowhere: cannot read' "$bench" compare nowhere new
expect 2 'compare needs two files' "$bench" compare old
echo 'not json' >bad
expect 2 'bad:1:1: expected' "$bench" compare old bad
sed 's/"MB"/"GB"/' old >bad
expect 2 "bad:9:59: the unit of a figure is s or MB" "$bench" compare bad new
sed 's/"values":\[1\]/"values":[-1]/' old >bad
expect 2 'expected a cost' "$bench" compare old bad
printf '{"commit":"\x7f"}' >bad
expect 2 'printable ASCII' "$bench" compare old bad
head -c 300 old >bad
expect 2 'bad:' "$bench" compare old bad
printf '{"assay":"x\0"}' >bad
expect 2 'no file of figures' "$bench" compare old bad
expect 2 'unknown suite' "$bench" cause
expect 2 'name one suite' "$bench" sc tso
echo "compare: runs, noise and bad files are told apart"
