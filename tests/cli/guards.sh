#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The guards bite: in a copy of the tree, each breach that ladder.sh, registry.sh, quotes.sh, benchmarks.sh and prose.sh
# promise to find is made once and must be found.
set -u
here=$(realpath "$(dirname "$0")")
root=$(realpath "$here/../..")
ASSAY_ROOT=$(mktemp -d)
export ASSAY_ROOT
trap 'rm -rf "$ASSAY_ROOT"' EXIT
tried=0 missed=0

mkdir "$ASSAY_ROOT/tests"
cp -r "$root/src" "$root/cli" "$root/collect" "$root/bench" "$ASSAY_ROOT"
cp -r "$root/tests/golden" "$ASSAY_ROOT/tests"
cp -r "$root/docs" "$root/include" "$root/tools" "$root/Makefile" "$root"/*.md "$ASSAY_ROOT"
cd "$ASSAY_ROOT" || exit 2

# must_fail SCRIPT TEXT CHANGED: the script fails and says TEXT; then what was changed is as it was.
must_fail() {
    local output
    tried=$((tried + 1))
    if output=$(bash "$here/$1") || ! grep -qF -- "$2" <<<"$output"; then
        echo "$1 did not find: $2"
        missed=$((missed + 1))
    fi
    rm -rf "$3"
    [ ! -e "$root/$3" ] || cp -r "$root/$3" "$3"
}

# include FILE HEADER: a breach of the ladder.
include() {
    echo "#include \"$2\"" >"$1"
    must_fail ladder.sh "$1:1:" "$1"
}

include src/base/bad.c history/history.h
echo >src/weak/queue.c
must_fail ladder.sh "two files are called queue.c" src/weak/queue.c
include src/history/bad.h model/model.h
include src/model/bad.c engine/engine.h
include src/engine/bad.c check/check.h
include src/report/bad.c ../base/mem.h
include src/format/bad.c input.h
include src/evidence/bad.c engine/engine.h
include src/recheck/bad.c engine/engine.h
include src/memory/bad.c baseline/store_orders.h
include src/weak/bad.c spec/store.h
mkdir src/new
include src/new/bad.c base/mem.h
rmdir src/new
include cli/bad.c base/mem.h
include bench/bad.c src/check/check.h
include collect/bad.c cli/command.h
mkdir -p tests/cross/oracle_bad
include tests/cross/oracle_bad/bad.c search/calls.h

echo 'const struct engine engine_bad = {.name = "bad"};' >src/scan/bad.c
must_fail registry.sh 'src/scan/bad.c: has no line' src/scan/bad.c
sed -i 's/MODEL("cc", /MODEL("bad", /' src/model/table.c
must_fail registry.sh 'bad has no golden case' src/model/table.c
echo 'const assay_adapter adapter_bad = {.name = "queue:bad"};' >collect/implement/bad.c
must_fail registry.sh 'collect/implement/bad.c: has no line' collect/implement/bad.c
echo 'X(bad, "bad")' >>src/format/format.def
must_fail registry.sh 'bad has no member file' src/format/format.def
rm -r tests/golden/models/cc
must_fail registry.sh 'cc has no golden case' tests/golden/models/cc
sed -i 's/"memory"/"store"/' src/spec/spec.def
must_fail registry.sh 'does not bear the name "store"' src/spec/spec.def
echo 'X(bad, "queue:bad", TBB, "queue", "bad", NULL)' >>collect/implement/cpp.def
must_fail registry.sh 'collect/implement/cpp/tbb.cpp must define operations_bad' collect/implement/cpp.def

# quote FILE SED TEXT: a breach of the quotes.
quote() {
    sed -i "$2" "$1"
    ! cmp -s "$1" "$root/$1" || echo "nothing is changed by $2"
    must_fail quotes.sh "$3" "$1"
}

papers=docs/internals/papers.md cases=docs/guides/case-studies.md
table=$(echo docs/internals/benchmarks/tables/sc-papers/figure-415-*.tsv)
quote $papers 's/\[88\.5 %\]/[84 %]/' "\"84 %\" is not in $cases#galera"
quote $papers 's/\[755 ms\]/[0.3 s]/' "\"0.3 s\" is not in $cases#checking-time, 600"
quote $cases 's/177 (88\.5 %)/177 (84 %)/' "\"88.5 %\" is not in $cases#galera"
quote "$table" 's/0\.000872/0.000972/' '"0.87 ms" is not in docs/internals/benchmarks/sc.md#figure-415-'
quote $papers 's/#galera "wsrep_sync_wait=0, roaming"/#galera "wsrep_sync_wait=1, roaming"/' '"88.5 %" is not in'
quote $papers 's/case-studies\.md#galera "/case-studies.md#oracle "/' 'quotes ../guides/case-studies.md#oracle, which is not there'
quote $papers 's/\[91\.2 %\]([^)]*)/91.2 %/' '"91.2 %," is quoted without a link to it'
echo 'It takes 3 s ([measured](internals/benchmarks/sc.md)).' >>docs/gallery.md
must_fail quotes.sh '"3 s " is quoted without a link to it' docs/gallery.md

sed -i 's/^lin stack n=1000000 k=16\tfastlin\t3.420/lin stack n=1000000 k=16\tfastlin\t3.440/' bench/peers.tsv
must_fail benchmarks.sh 'other figures of peers' bench/peers.tsv
sed -i 's/^1000000\t3.420/1000000\t3.440/' docs/internals/plots/peers-lin.tsv
must_fail benchmarks.sh '3.440 s is not in peers.tsv' docs/internals/plots/peers-lin.tsv
touch docs/internals/benchmarks/tables/sc/bad.tsv
must_fail benchmarks.sh 'no page links tables/sc/bad.tsv' docs/internals/benchmarks/tables/sc/bad.tsv
sed -i 's/n - 2 <= 9/n - 2 <= 99/' tools/benchmark-page.sh
must_fail benchmarks.sh 'benchmark-page.sh: ' tools/benchmark-page.sh

for _ in {1..40}; do sed -i '/^## \[0\.1\.0\]/a - cli: one more line' CHANGELOG.md; done
must_fail prose.sh 'a release has at most 40' CHANGELOG.md

echo "guards: $tried breaches made, $missed missed"
[ $missed -eq 0 ]
