#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The plug-in with implementations of C++ libraries is found beside the program and below the folder that it is installed in, and
# can be named; without it, the program says what to install.
set -eu
. "$(dirname "$0")/../support/expect.sh"
build=${ASSAY_BUILD:?the build folder}
. "$(dirname "$0")/../support/scratch.sh"
mkdir alone
cp "$build/assay" alone/assay

expect 2 'queue:tbb: built without oneTBB: install libtbb-dev' alone/assay stress queue:tbb --runs 1
expect 0 '(not available: built without libcds: install libcds-dev)' alone/assay list implementations --all
expect 0 ' more (`assay list implementations --all`)' alone/assay list implementations
echo 'not a shared object' >alone/libassay_stress_cpp.so
expect 2 'queue:boost: built without Boost.Lockfree' alone/assay stress queue:boost --runs 1

plugin=$build/libassay_stress_cpp.so
if [ ! -f "$plugin" ]; then
    echo "libraries: the plug-in left out: this build has none; what is missing is said"
    exit 0
fi
name=$("$build/assay" list implementations --json | grep '"missing":null' |
    sed -nE 's/.*"name":"([a-z]+:(tbb|boost|xenium|cds|moodycamel)[^"]*)".*/\1/p' | head -1)
expect 0 'no violation' "$build/assay" stress "$name" --promised --runs 5
expect 0 'no violation' alone/assay stress "$name" --load "$plugin" --promised --runs 5
cp "$plugin" alone
expect 0 'no violation' alone/assay stress "$name" --promised --runs 5
cmake --install "$build" --prefix "$scratch/usr" >/dev/null
expect 0 'no violation' usr/bin/assay stress "$name" --promised --runs 5
echo "libraries: the plug-in is found, and what is missing is said"
