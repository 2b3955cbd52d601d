#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The program of docs/reference/library.md, and the structs of options, as C and as C++, with gcc and clang and all warnings as errors. The
# program runs and finds what the page says.
set -u
root=$(realpath "$(dirname "$0")/../..")
build=${ASSAY_BUILD:?the build folder}
. "$(dirname "$0")/../support/scratch.sh"
awk '/^```c$/ { code = 1; next } /^```$/ { code = 0 } code' "$root/docs/reference/library.md" >page.c
grep -q '^int main' page.c || fault "docs/reference/library.md has no program"
cat >options.c <<'END'
#include "assay.h"
#include "assay_monitor.h"
int main(void)
{
    assay_options a = {ASSAY_OPTIONS_INIT};
    assay_report_options b = {ASSAY_REPORT_OPTIONS_INIT};
    assay_monitor_options c = {ASSAY_MONITOR_OPTIONS_INIT};
    assay_error e = ASSAY_ERROR_INIT;
    assay_operation op = ASSAY_OPERATION_INIT;
    a.seconds = 1;
    b.width = 80;
    c.lenient = true;
    return a.size == sizeof a && b.size == sizeof b && c.size == sizeof c && !e.code && !op.method ? 0 : 1;
}
END
cat >designated.c <<'END'
#include "assay_monitor.h"
int main(void)
{
    assay_options a = {ASSAY_OPTIONS_INIT, .seconds = 10, .evidence = true};
    assay_report_options b = {ASSAY_REPORT_OPTIONS_INIT, .width = 80};
    assay_monitor_options c = {ASSAY_MONITOR_OPTIONS_INIT, .lenient = true};
    return a.size == sizeof a && b.size == sizeof b && c.size == sizeof c ? 0 : 1;
}
END
cp page.c page.cpp
cp options.c options.cpp
tried=0

# compiles COMPILER STANDARD FILES...: those compile without a warning.
compiles() {
    local compiler=$1 standard=$2
    shift 2
    command -v "$compiler" >/dev/null || return 0
    for file in "$@"; do
        tried=$((tried + 1))
        "$compiler" -std="$standard" -Wall -Wextra -Werror -I"$root/include" -c -o "$file.o" "$file" >out 2>&1 && continue
        fault "$file does not compile with $compiler -std=$standard"
        head -20 out
    done
}

for compiler in gcc clang cc; do
    compiles $compiler c11 page.c options.c designated.c
    compiles $compiler c17 page.c options.c designated.c
done
for compiler in g++ clang++ c++; do
    compiles $compiler c++11 page.cpp options.cpp
    compiles $compiler c++17 page.cpp options.cpp
    compiles $compiler c++20 page.cpp options.cpp
done

# The library in C++ parts needs the C++ linker; a sanitized one needs its runtime.
if [ -e "$build/libassay.so" ] && ! grep -q '^ASSAY_SANITIZE:STRING=.\|^ASSAY_FUZZ:BOOL=ON' "$build/CMakeCache.txt"; then
    for object in page.c page.cpp; do
        [ -e $object.o ] || continue
        linker=cc
        [ $object = page.c ] || linker=c++
        $linker -o page $object.o -L"$build" -lassay -Wl,-rpath,"$build" || fault "$object does not link"
        ./page >out 2>&1 || fault "the program of docs/reference/library.md fails"
        grep -q '^cm: consistent' out && grep -q '^ccv: violation' out || { fault "the program of docs/reference/library.md says:"; cat out; }
    done
fi
[ $tried -gt 3 ] || fault "nothing was compiled"
echo "api: $tried compiled, $faults faults"
[ "$faults" -eq 0 ]
