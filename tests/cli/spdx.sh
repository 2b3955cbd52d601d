#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every source file names its licence in its first two lines.
set -u
cd "$(dirname "$0")/../.." || exit 2
missing=0 files=0
while IFS= read -r file; do
    files=$((files + 1))
    if ! head -2 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0'; then
        echo "$file:1: no SPDX-License-Identifier"
        missing=$((missing + 1))
    fi
done < <(find src include cli collect tests tools bench examples .ci CMakeLists.txt Makefile \
    \( -path tests/golden/\*/\* -o -path tests/fuzz/corpus \) -prune -o -type f \
    \( -name '*.[ch]' -o -name '*.def' -o -name '*.cpp' -o -name '*.cmake' -o -name '*.sh' -o -name '*.py' -o -name CMakeLists.txt \
    -o -name Makefile -o -path .ci/run \) -print 2>/dev/null)
echo "spdx: $files files, $missing without the line"
[ $missing -eq 0 ] && [ $files -gt 0 ]
