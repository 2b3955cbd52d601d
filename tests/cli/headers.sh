#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The public headers: each compiles alone, as C11 and as C++17; the examples do as C and as C++; the core does without
# monitors; the versions agree; every function obeys the rule of ownership; every function that is declared is defined,
# and nothing else.
set -u
root=$(realpath "$(dirname "$0")/../..")
build=${ASSAY_BUILD:?the build folder}
. "$(dirname "$0")/../support/scratch.sh"

# ---- alone ----
for header in "$root"/include/*.h; do
    name=$(basename "$header")
    echo "#include \"$name\"" | cc -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$root/include" -x c - ||
        fault "$name is not C11 alone"
    if command -v c++ >/dev/null; then
        echo "#include \"$name\"" | c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$root/include" -x c++ - ||
            fault "$name is not C++17 alone"
    fi
done
if echo '#include "assay.h"' | cc -E -I"$root/include" -x c - | grep -q 'assay_\(monitor\|spec\)\.h"'; then
    fault "assay.h includes more than the core"
fi

# ---- the examples, in both languages ----
for example in "$root"/examples/*.c; do
    for language in 'cc -std=c11 -x c' 'c++ -std=c++20 -x c++'; do
        command -v ${language%% *} >/dev/null || continue
        $language -Wall -Wextra -Wno-missing-field-initializers -Werror -fsyntax-only -D_GNU_SOURCE -I"$root/include" \
            "$example" || fault "examples/$(basename "$example") does not compile: $language"
    done
done

# ---- versions ----
number() {
    sed -n "s/^#define ASSAY_VERSION_$1 //p" "$root/include/assay.h"
}
version=$(number MAJOR).$(number MINOR).$(number PATCH)
series=$(number MAJOR)
[ "$series" != 0 ] || series=0.$(number MINOR)
[ "$("$1" --version)" = "assay $version" ] || fault "the program is not $version: $("$1" --version)"
grep -q "^CMAKE_PROJECT_VERSION:STATIC=$version\$" "$build/CMakeCache.txt" || fault "CMakeLists.txt: the version is not $version"
grep -q "^Version: $version\$" "$build/assay.pc" || fault "assay.pc: the version is not $version"
grep -q "^\.Os Assay $version\$" "$root/docs/assay.1" || fault "docs/assay.1: the version is not $version"
if command -v readelf >/dev/null && [ -e "$build/libassay.so" ]; then
    readelf -d "$build/libassay.so" | grep -q "SONAME.*\[libassay\.so\.$series\]" || fault "the shared library's name is not of $series"
fi

# ---- ownership: a pointer without const has a way back ----
for name in assay assay_spec assay_monitor; do
    cc -E -P -I"$root/include" -x c "$root/include/$name.h"
done | grep -o '__attribute__((visibility("default")))[^;(]* \**assay_[a-z_]*(' | sed 's/^.*)))  *//' | sort -u >"$scratch/declared"
[ -s "$scratch/declared" ] || fault "no declarations were found"
while read -r type name; do
    case $type in
    void) ;; # memory of specifications: assay_memory_free
    *) grep -qE "\*?${type}_(free|close)\($" "$scratch/declared" || fault "$name returns a $type that cannot be released" ;;
    esac
done < <(sed -n 's/^\(assay_[a-z]*\|void\|char\) \*\(assay_[a-z_]*\)($/\1 \2/p' "$scratch/declared")

# ---- NULL: the test that calls all of them leaves none out ----
sed -n 's/^.*\(assay_[a-z_]*\)($/\1/p' "$scratch/declared" | sort -u >"$scratch/functions"
[ "$(wc -l <"$scratch/functions")" -gt 100 ] || fault "few functions were found"
while read -r name; do
    grep -q "\b$name(" "$root/tests/unit/test_null.c" || fault "tests/unit/test_null.c does not call $name"
done <"$scratch/functions"

# ---- symbols: declared is defined, in both libraries ----
# A sanitized or fuzzed library is not what is installed.
if ! grep -q '^ASSAY_SANITIZE:STRING=.\|^ASSAY_FUZZ:BOOL=ON' "$build/CMakeCache.txt" && command -v nm >/dev/null; then
    sed 's/.*[ *]\(assay_[a-z_]*\)($/\1/' "$scratch/declared" | sort -u >"$scratch/names"
    nm -D --defined-only "$build/libassay.so" | awk '$2 != "A" { print $3 }' | sort -u >"$scratch/shared"
    diff "$scratch/names" "$scratch/shared" >"$scratch/difference" || fault "libassay.so: $(cat "$scratch/difference")"
    if grep -q '^CMAKE_OBJCOPY:FILEPATH=.*objcopy' "$build/CMakeCache.txt" && [ -e "$build/assay_all.o" ]; then
        nm -g --defined-only "$build/libassay.a" | awk 'NF == 3 { print $3 }' | sort -u >"$scratch/static"
        diff "$scratch/names" "$scratch/static" >"$scratch/difference" || fault "libassay.a: $(cat "$scratch/difference")"
    fi
fi

echo "headers: $(wc -l <"$scratch/declared") functions, $faults faults"
[ $faults -eq 0 ]
