#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A member of a family is one file, one line and one golden folder. In each family of kind F (a C struct):
#   - a file that defines a descriptor `const struct F F_ident`, or SOME_MEMBER(ident, "name", ...), is ident.c and has a
#     line in the .def;
#   - a line X(ident, "name") in the .def has its file, and the descriptor bears that name;
#   - tests/golden/<plural>/name has at least one case (with - for a colon in the name);
#   - and the built program lists exactly these names.
# Theories are not listed and have no golden folder; each bears the name of an object.
# Implementations of C++ libraries are lines of cpp.def: their operations stand in cpp/*.cpp, once.
set -u
assay=${1:-}
cd "${ASSAY_ROOT:-$(dirname "$0")/../..}" || exit 2
faults=0 members=0

fault() {
    echo "$*"
    faults=$((faults + 1))
}

# check_golden WHERE PLURAL NAME
check_golden() {
    [ -n "$(find "tests/golden/$2/${3//:/-}" -mindepth 2 -name cmd 2>/dev/null | head -1)" ] ||
        fault "$1: $3 has no golden case: tests/golden/$2/${3//:/-}/SOMETHING/cmd"
}

# check_plugin DEF FOLDER: adds to the names
check_plugin() {
    local def=$1 folder=$2 line=0 text ident
    while IFS= read -r text; do
        line=$((line + 1))
        [[ $text =~ ^X\(([a-z0-9_]+),\ *\"([^\"]+)\",\ *([A-Z]+), ]] || continue
        ident=${BASH_REMATCH[1]}
        names+="${BASH_REMATCH[2]}"$'\n'
        members=$((members + 1))
        grep -qE "^constexpr operations operations_$ident =" "$folder/${BASH_REMATCH[3],,}.cpp" 2>/dev/null ||
            fault "$def:$line: $folder/${BASH_REMATCH[3],,}.cpp must define operations_$ident"
        check_golden "$def:$line" implementations "${BASH_REMATCH[2]}"
    done <"$def"
}

# check_family FOLDER KIND PLURAL (-: neither listed nor with golden folders)
check_family() {
    local folder=$1 family=$2 plural=$3 def file ident name line names=""
    def=$folder/$(basename "$folder").def
    # files -> lines
    while IFS=: read -r file ident; do
        [ "$(basename "$file" .c)" = "$ident" ] ||
            fault "$file: defines ${family}_$ident, which belongs into $folder/$ident.c"
        grep -qE "^X\($ident," "$def" || fault "$file: has no line X($ident, ...) in $def"
    done < <(grep -HoE "^const (struct $family|assay_$family) ${family}_[a-z0-9_]+ = |^[A-Z]+_MEMBER\([a-z0-9_]+, " \
        "$folder"/*.c | sed -E "s/:.* ${family}_([a-z0-9_]+) = /:\1/; s/:[A-Z]+_MEMBER\(([a-z0-9_]+), /:\1/")
    # lines -> files, golden folders
    line=0
    while IFS= read -r text; do
        line=$((line + 1))
        [[ $text =~ ^X\(([a-z0-9_]+),\ *\"([^\"]+)\" ]] || continue
        ident=${BASH_REMATCH[1]} name=${BASH_REMATCH[2]}
        file=$folder/$ident.c
        names+="$name"$'\n'
        members=$((members + 1))
        if ! grep -qE "^const (struct $family|assay_$family) ${family}_$ident = |^[A-Z]+_MEMBER\($ident, " "$file" 2>/dev/null; then
            fault "$def:$line: $name has no member file: $file must define ${family}_$ident"
        elif ! grep -qE "\.name = \"${name//+/\\+}\"|_MEMBER\($ident, \"$name\"," "$file"; then
            fault "$def:$line: ${family}_$ident in $file does not bear the name \"$name\""
        fi
        [ "$plural" = - ] && { grep -qF "\"$name\")" src/spec/spec.def || fault "$def:$line: there is no object $name"; } && continue
        check_golden "$def:$line" "$plural" "$name"
    done <"$def"
    if [ "$family" = adapter ]; then
        check_plugin "$folder/cpp.def" "$folder/cpp"
    fi
    # what the program says
    if [ -n "$assay" ] && [ "$plural" != - ]; then
        local said
        said=$("$assay" list "$plural" --json | sed -nE 's/.*"name":"([^"]*)".*/\1/p')
        [ "$said" = "${names%$'\n'}" ] ||
            fault "assay list $plural: says '${said//$'\n'/ }', $def says '${names//$'\n'/ }'"
    fi
}

check_family src/format format formats
check_family src/spec spec objects
check_family src/theory theory -
check_family src/model model models
check_family src/engine engine engines
check_family src/report report reports
check_family src/online online monitors
check_family collect collector collectors
check_family collect/implement adapter implementations
echo "registry: $members members, $faults faults"
[ $faults -eq 0 ]
