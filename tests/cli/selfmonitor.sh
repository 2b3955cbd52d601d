#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# examples/monitor.c, a program that monitors itself, builds against what is installed; it finds its own fault, and only then.
set -eu
root=$(realpath "$(dirname "$0")/../..")
build=${ASSAY_BUILD:?the build folder}
. "$(dirname "$0")/../support/scratch.sh"
# A sanitized library asks its users for the sanitizer; unit.monitor runs threads there.
if grep -q '^ASSAY_SANITIZE:STRING=.' "$build/CMakeCache.txt"; then
    echo "selfmonitor: a sanitized library: left out"
    exit 77
fi
cmake --install "$build" --prefix "$scratch/usr" >/dev/null
lib=$(dirname "$(find usr -name libassay.a)")
cc -std=c11 -Wall -Wextra -Werror -Wno-missing-field-initializers -Iusr/include "$root/examples/monitor.c" -pthread \
    -L"$lib" -lassay -o monitor
export LD_LIBRARY_PATH=$lib
for _ in 1 2 3; do
    status=0
    ./monitor >said || status=$?
    [ $status -eq 0 ] && [ "$(cat said)" = consistent ] || { cat said; exit 1; }
done
# The fault needs two values in the queue at one moment out of a thousand: on a busy machine a run may miss it.
for _ in $(seq 100); do
    status=0
    ./monitor buggy >said || status=$?
    [ $status -eq 0 ] || break
done
[ $status -eq 1 ] && grep -q '^VIOLATION at event' said || { cat said; exit 1; }
echo "selfmonitor: the queue with a lock is one, the other is not"
