#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tree as a newcomer finds it: readmes.sh ASSAY. Every folder of code has a README.md of at most 60 lines of 120 columns.
# It names each source file of the folder, and nothing that is not there. ARCHITECTURE.md has at most 2,500 words.
#
# A file is named in a code span, in full (`wgl.c`) or by a pattern that begins with a letter (`txn_*.c`). A source and its
# header are one: who names one of them, or `wgl.*`, has named both. Names with a slash lead elsewhere; paths.sh has them.
set -u
cd "${ASSAY_ROOT:-$(dirname "$0")/../..}" || exit 2
ends='c|h|cpp|def|py|js|sh|awk|cmake|css|html'
folders=0 files=0 faults=0

fault() {
    echo "$1"
    faults=$((faults + 1))
}

# readme FOLDER SOURCE...: the folder's page names its sources.
readme() {
    local page=$1/README.md span stem end file patterns=()
    folders=$((folders + 1))
    [ -e "$page" ] || { fault "$1: there is no README.md" && return; }
    [ "$(wc -l <"$page")" -le 60 ] || fault "$page: $(wc -l <"$page") lines; a page has at most 60"
    [ "$(LC_ALL=C.UTF-8 wc -L <"$page")" -le 120 ] || fault "$page: a line of $(LC_ALL=C.UTF-8 wc -L <"$page") columns"
    while read -r span; do
        stem=${span%.*} end=${span##*.}
        compgen -G "$1/$span" >/dev/null || fault "$page: there is no $span"
        case $end in c | h | cpp | '*') patterns+=("$stem.c" "$stem.h" "$stem.cpp") ;; *) patterns+=("$span") ;; esac
    done < <(grep -oE '`[A-Za-z][A-Za-z0-9_.*-]*\.('"$ends"'|\*)`' "$page" | tr -d '`' | sort -u)
    shift
    for file; do
        files=$((files + 1))
        for span in "${patterns[@]}"; do
            # shellcheck disable=SC2053 # a pattern
            [[ ${file##*/} == $span ]] && continue 2
        done
        fault "$page: does not name ${file##*/}"
    done
}

words=$(wc -w <ARCHITECTURE.md)
[ "$words" -le 2500 ] || fault "ARCHITECTURE.md: $words words; the page has at most 2,500"
while read -r folder; do
    mapfile -t sources < <(find "$folder" -maxdepth 1 -type f | grep -E "\.($ends)\$" | sort)
    [ ${#sources[@]} -eq 0 ] || readme "$folder" "${sources[@]}"
done < <(find src collect cli bench web include tests tools examples cmake \( -name node_modules -o -name __pycache__ \
    -o -path 'tests/golden/*' -o -path 'tests/fuzz/corpus' -o -path 'tests/independent/cases' \) -prune \
    -o -type d -print 2>/dev/null | sort)
echo "readmes: $folders folders, $files source files, $faults faults"
[ $faults -eq 0 ]
