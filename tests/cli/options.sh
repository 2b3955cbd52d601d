#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/reference/options.md says what the program says: options.sh ASSAY
set -u
root=$(realpath "$(dirname "$0")/../..")
"$root/tools/options.sh" "${1:?which assay}" | diff "$root/docs/reference/options.md" - ||
    { echo "options: run make options" && exit 1; }
