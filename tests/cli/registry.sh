#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A member of a family is one file, one line and one golden folder. In each family src/F:
#   - a file that defines a descriptor `const struct F F_ident` is F/ident.c and has a line in F.def;
#   - a line X(ident, "name") in F.def has its file, and the descriptor bears that name;
#   - tests/golden/<F's plural>/name has at least one case;
#   - and the built program lists exactly these names.
set -u
assay=${1:-}
cd "${ASSAY_ROOT:-$(dirname "$0")/../..}" || exit 2
faults=0 members=0

fault() {
    echo "$*"
    faults=$((faults + 1))
}

check_family() {
    local family=$1 plural=$2 def=src/$1/$1.def file ident name line names=""
    # files -> lines
    while IFS=: read -r file ident; do
        [ "$(basename "$file" .c)" = "$ident" ] ||
            fault "$file: defines ${family}_$ident, which belongs into src/$family/$ident.c"
        grep -qE "^X\($ident," "$def" || fault "$file: has no line X($ident, ...) in $def"
    done < <(grep -HoE "^const struct $family ${family}_[a-z0-9_]+ = " "src/$family"/*.c |
        sed -E "s/:.* ${family}_([a-z0-9_]+) = /:\1/")
    # lines -> files, golden folders
    line=0
    while IFS= read -r text; do
        line=$((line + 1))
        [[ $text =~ ^X\(([a-z0-9_]+),\ *\"([^\"]+)\" ]] || continue
        ident=${BASH_REMATCH[1]} name=${BASH_REMATCH[2]}
        file=src/$family/$ident.c
        names+="$name"$'\n'
        members=$((members + 1))
        if ! grep -qE "^const struct $family ${family}_$ident = " "$file" 2>/dev/null; then
            fault "$def:$line: $name has no member file: $file must define ${family}_$ident"
        elif ! grep -qF ".name = \"$name\"" "$file"; then
            fault "$def:$line: ${family}_$ident in $file does not bear the name \"$name\""
        fi
        [ -n "$(find "tests/golden/$plural/$name" -mindepth 2 -name cmd 2>/dev/null | head -1)" ] ||
            fault "$def:$line: $name has no golden case: tests/golden/$plural/$name/SOMETHING/cmd"
    done <"$def"
    # what the program says
    if [ -n "$assay" ]; then
        local said
        said=$("$assay" list "$plural" --json | sed -nE 's/.*"name":"([^"]*)".*/\1/p')
        [ "$said" = "${names%$'\n'}" ] ||
            fault "assay list $plural: says '${said//$'\n'/ }', $def says '${names//$'\n'/ }'"
    fi
}

check_family format formats
check_family spec objects
check_family model models
check_family engine engines
check_family report reports
echo "registry: $members members, $faults faults"
[ $faults -eq 0 ]
