#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# nested.sh NAME LABELS CMAKE-OPTION...: builds the tree once more in ./NAME with these options and runs
# the tests with these labels there.
set -eu
name=$1 labels=$2
shift 2
source=$(realpath "$(dirname "$0")/..")
cmake -S "$source" -B "$name" -DASSAY_WERROR=ON -DASSAY_CROSS=OFF "$@" >"$name.log" 2>&1 || { cat "$name.log"; exit 1; }
cmake --build "$name" -j2 >"$name.log" 2>&1 || { cat "$name.log"; exit 1; }
cd "$name"
exec ctest --output-on-failure -j3 -L "$labels" -LE 'deep|long|tree|once'
