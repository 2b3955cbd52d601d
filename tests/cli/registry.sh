#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A member of a family is one file, one line and one golden folder. In each family of kind F (a C struct):
#   - a file that defines a descriptor `const struct F F_ident`, or SOME_MEMBER(ident, "name", ...), wherever it stands in src/
#     or collect/, has a line in the family's .def; no descriptor is defined twice;
#   - a line X(ident, "name") in the .def has such a file, and the descriptor bears that name;
#   - tests/golden/<plural>/name has at least one case (with - for a colon in the name);
#   - and the built program lists exactly these names.
# Models are rows of one table, MODEL("name", ...): they have golden folders and are listed.
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

# All descriptors: FILE KIND IDENT. HOLDBACK_MEMBER(ident, ...) defines an online_ident.
declare -A place
while read -r file kind ident; do
    [ -z "${place[$kind.$ident]:-}" ] || fault "$file: ${kind}_$ident is also in ${place[$kind.$ident]}"
    place[$kind.$ident]=$file
done < <(grep -rHoE --include='*.c' \
    '^const (struct|assay)[ _][a-z]+ [a-z]+_[a-z0-9_]+ = |^HOLDBACK_MEMBER\([a-z0-9_]+, ' src collect |
    sed -nE 's/^([^:]*):const (struct |assay_)([a-z]+) \3_([a-z0-9_]+) = /\1 \3 \4/p
             s/^([^:]*):HOLDBACK_MEMBER\(([a-z0-9_]+), /\1 online \2/p')

# All golden cases: PLURAL/NAME.
declare -A golden
while read -r case; do
    golden[$case]=1
done < <(find tests/golden -path 'tests/golden/*/*/*/cmd' -o -path 'tests/golden/*/*/*.case' | cut -d/ -f3,4 | sort -u)

# check_golden WHERE PLURAL NAME
check_golden() {
    [ -n "${golden[$2/${3//:/-}]:-}" ] || fault "$1: $3 has no golden case: tests/golden/$2/${3//:/-}/SOMETHING.case"
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

# check_family DEF KIND PLURAL (-: neither listed nor with golden folders)
check_family() {
    local def=$1 family=$2 plural=$3 file ident name line=0 names="" key
    declare -A listed=()
    while IFS= read -r text; do
        line=$((line + 1))
        [[ $text =~ ^X\(([a-z0-9_]+),\ *\"([^\"]+)\" ]] || continue
        ident=${BASH_REMATCH[1]} name=${BASH_REMATCH[2]} file=${place[$family.${BASH_REMATCH[1]}]:-}
        listed[$ident]=1
        names+="$name"$'\n'
        members=$((members + 1))
        if [ -z "$file" ]; then
            fault "$def:$line: $name has no member file: some file must define ${family}_$ident"
        elif ! grep -qE "\.name = \"${name//+/\\+}\"|_MEMBER\($ident, \"$name\"," "$file"; then
            fault "$def:$line: ${family}_$ident in $file does not bear the name \"$name\""
        fi
        if [ "$plural" = - ]; then
            grep -qF "\"$name\")" src/spec/spec.def || fault "$def:$line: there is no object $name"
        else
            check_golden "$def:$line" "$plural" "$name"
        fi
    done <"$def"
    for key in "${!place[@]}"; do
        [ "${key%%.*}" != "$family" ] || [ -n "${listed[${key#*.}]:-}" ] ||
            fault "${place[$key]}: has no line X(${key#*.}, ...) in $def"
    done
    if [ "$family" = adapter ]; then
        check_plugin "$(dirname "$def")/cpp.def" "$(dirname "$def")/cpp"
    fi
    [ "$plural" = - ] || check_listed "$def" "$plural" "$names"
}

# check_listed DEF PLURAL NAMES: what the program says
check_listed() {
    local said
    [ -n "$assay" ] || return
    said=$("$assay" list "$2" --json | sed -nE 's/.*"name":"([^"]*)".*/\1/p')
    [ "$said" = "${3%$'\n'}" ] || fault "assay list $2: says '${said//$'\n'/ }', $1 says '${3//$'\n'/ }'"
}

# check_models TABLE
check_models() {
    local line name names=""
    while IFS=: read -r line name; do
        names+="$name"$'\n'
        members=$((members + 1))
        check_golden "$1:$line" models "$name"
    done < <(sed -nE '/^ *MODEL\("/{=;s/^ *MODEL\("([^"]*)".*/\1/p}' "$1" | paste -d: - -)
    [ -n "$names" ] || fault "$1: no models"
    check_listed "$1" models "$names"
}

check_family src/format/format.def format formats
check_family src/spec/spec.def spec objects
check_family src/theory/theory.def theory -
check_models src/model/table.c
check_family src/engine/engine.def engine engines
check_family src/report/report.def report reports
check_family src/scan/online.def online monitors
check_family collect/collect.def collector collectors
check_family collect/drive/driver.def driver drivers
check_family collect/cluster/cluster.def cluster clusters
check_family collect/implement/implement.def adapter implementations
echo "registry: $members members, $faults faults"
[ $faults -eq 0 ]
