#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tree passes .clang-format (`make format`). Versions of clang-format differ in details: 14, which Debian 12 has, decides.
set -u
cd "${ASSAY_ROOT:-$(dirname "$0")/../..}" || exit 2
if ! clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    echo "format: left out: there is no clang-format 14"
    exit 77
fi
mapfile -t files < <(find src include cli collect tests bench examples \( -name '*.[ch]' -o -name '*.cpp' \) -not -path 'tests/golden/*')
if ! clang-format --dry-run -Werror "${files[@]}"; then
    echo "format: run make format"
    exit 1
fi
echo "format: ${#files[@]} files pass"
