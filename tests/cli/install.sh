#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `make install` installs can be used: the program, the libraries through pkg-config, the header from
# C and, where there is a compiler, from C++.
set -eu
build=${ASSAY_BUILD:?the build folder}
. "$(dirname "$0")/../support/scratch.sh"
cmake --install "$build" --prefix "$scratch/usr" >/dev/null
find usr \( -type f -o -type l \) | sort

usr/bin/assay --version
# A sanitized library asks its users for the sanitizer; that is not what this is about.
if grep -q '^ASSAY_SANITIZE:STRING=.' "$build/CMakeCache.txt"; then
    exit 0
fi
cat >user.c <<'END'
#include <assay.h>
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* Names that are the library's, too, inside of it. */
void names_put(void);
void names_put(void)
{
    puts("mine");
}

int main(void)
{
    assay_history *h = assay_history_new();
    assay_error e = {ASSAY_OK, 0, 0, "", "", ""};
    assay_value args[2] = {assay_word("x"), assay_int(1)};
    assay_operation op = {"t0", 0, "write", args, 2, {ASSAY_NONE, 0, 0, 0}, 0, 0, 0, 0, 0, 0};
    assay_history_add(h, &op, &e);
    assay_result *r = assay_check(h, "cm", 0, &e);
    puts(r ? assay_verdict_name(assay_result_verdict(r)) : e.message);
    assay_result_free(r);
    assay_history_free(h);
    dup2(1, 2);
    fflush(stdout);
    errno = 0;
    warn("a warning of the system");
    names_put();
    return 0;
}
END
lib=$(dirname "$(find usr -name libassay.a)")
{
    echo "shared:"
    cc -Iusr/include user.c -L"$lib" -lassay -o shared
    LD_LIBRARY_PATH=$lib ./shared
    if command -v pkg-config >/dev/null; then
        echo "static, by pkg-config:"
        export PKG_CONFIG_PATH=$lib/pkgconfig
        read -ra flags <<<"$(pkg-config --define-variable=prefix="$PWD/usr" --cflags --libs --static assay)"
        cc user.c "${flags[@]/#-lassay/$lib/libassay.a}" -o static
        ./static
    fi
    if command -v c++ >/dev/null; then
        echo "from C++:"
        c++ -x c++ -Wall -Werror -Iusr/include user.c -L"$lib" -lassay -o plus
        LD_LIBRARY_PATH=$lib ./plus
    fi
} | tee said
for line in consistent mine '.*: a warning of the system: .*'; do
    [ "$(grep -c "^$line\$" said)" -eq "$(grep -c ':$' said)" ]
done
# Nothing but the public names leaves the libraries.
if nm -D --defined-only "$lib/libassay.so" | grep -v ' assay_' | grep ' [A-TV-Z] '; then
    echo "the shared library exports internal names"
    exit 1
fi
if grep -q '^CMAKE_OBJCOPY:FILEPATH=.*objcopy' "$build/CMakeCache.txt" &&
    nm -g --defined-only "$lib/libassay.a" | grep -v ' assay_' | grep ' [A-TV-Z] '; then
    echo "the static library defines internal names"
    exit 1
fi
