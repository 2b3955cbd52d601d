#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# include/assay_record.h compiles without warnings as C11 and C++17 with every compiler there is, and what examples/record.c
# records is read and checked; under ThreadSanitizer, too, where there is one.
set -eu
root=$(realpath "$(dirname "$0")/../..")
. "$(dirname "$0")/../support/scratch.sh"
cp "$root/examples/record.c" record.cc
cp "$root/examples/record.c" record.c
strict="-Wall -Wextra -Wpedantic -Wshadow -Werror -I$root/include -pthread"
built=0

try() { # FILE COMPILER...: builds it, runs it, checks what it recorded
    local file=$1
    shift
    command -v "$1" >/dev/null || return 0
    # shellcheck disable=SC2086
    "$@" $strict -o program "$file"
    ./program >recorded.hist
    "$assay" check -m lin recorded.hist >said || { cat said; exit 1; }
    grep -q 'consistent with lin .* 2000 operations, 2 threads' said || { cat said; exit 1; }
    built=$((built + 1))
}

for compiler in gcc clang; do
    try record.c $compiler -std=c11 -O2
done
for compiler in g++ clang++; do
    try record.cc $compiler -std=c++17 -O2
done
[ $built -gt 0 ]

threads=left-out
echo 'int main(void) { return 0; }' >nothing.c
if cc -fsanitize=thread -o nothing nothing.c 2>/dev/null && ./nothing; then
    export TSAN_OPTIONS=halt_on_error=1
    try record.c cc -std=c11 -O1 -g -fsanitize=thread
    threads=quiet
fi
echo "record: built by $built compilers, ThreadSanitizer $threads"
