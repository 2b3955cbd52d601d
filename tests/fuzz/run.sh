#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD seconds|inputs N: builds the fuzz targets with clang's libFuzzer and the address and
# undefined-behaviour sanitizers in BUILD and runs each one for so many seconds, or on so many inputs.
# The seed is fixed and so are the inputs, unless the code or the corpus changes: a tier of the tests that
# counts them passes on each machine or on none. New inputs go to BUILD/corpus; an input that fails is left in
# BUILD/found.
set -u
build=$1 unit=$2 amount=$3
source=$(realpath "$(dirname "$0")/../..")

if ! echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d && n ? 0 : 0; }' |
    clang -fsanitize=fuzzer,address,undefined -x c - -o /dev/null 2>/dev/null; then
    echo "fuzz: no clang with libFuzzer here (Debian: clang libclang-rt-14-dev): left out"
    exit 77
fi

mkdir -p "$build"
if ! { cmake -S "$source" -B "$build" -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DASSAY_FUZZ=ON -DASSAY_WERROR=ON \
    -DASSAY_SANITIZE=address,undefined -DASSAY_CROSS=OFF && cmake --build "$build" -j2 --target fuzz_programs; } >"$build/build.log" 2>&1; then
    cat "$build/build.log"
    exit 1
fi
cd "$build" || exit 2
mkdir -p found

targets=()
for file in "$source"/tests/fuzz/fuzz_*.c; do
    targets+=("$(basename "$file" .c)")
done
case $unit in
seconds) limit=-max_total_time=$amount ;;
inputs) limit=-runs=$amount ;;
esac

run() {
    local name=${1#fuzz_} status
    mkdir -p "corpus/$name"
    "tests/$1" -seed=1 "$limit" -timeout=10 -rss_limit_mb=2048 -max_len=4096 \
        -artifact_prefix="found/$name-" -print_final_stats=1 \
        "corpus/$name" "$source/tests/fuzz/corpus/$name" >"$name.log" 2>&1
    status=$?
    if [ $status -ne 0 ]; then
        tail -60 "$name.log"
        echo "fuzz: $name FAILED; the input is in $PWD/found"
    else
        echo "fuzz: $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$name.log") inputs"
    fi
    return $status
}

failed=0 running=()
for target in "${targets[@]}"; do
    if [ ${#running[@]} -ge 2 ]; then
        wait "${running[0]}" || failed=1
        running=("${running[@]:1}")
    fi
    run "$target" &
    running+=($!)
done
for pid in "${running[@]}"; do
    wait "$pid" || failed=1
done
exit $failed
