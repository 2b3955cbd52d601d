#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The tables of docs/internals/papers.md are complete and true: papers.sh ASSAY [DOCUMENT]
#
# Every row has as many cells as its head, and none is empty. The commands of a row are the code spans under `command`.
# `assay` runs in a scratch folder with a copy of examples/, answers with status 0 or 1, and prints something. The
# status is 3 only where the row says `undecided`.
# `assay-bench` runs with --quick, and prints the number of the figure or table that begins the row.
# Code spans and verdicts under `here we find` are parts of the output.
set -u
root=$(realpath "$(dirname "$0")/../..")
assay=$(realpath "${1:?which assay}")
document=${2:-$root/docs/internals/papers.md}
build=$(realpath "${ASSAY_BUILD:-$(dirname "$assay")}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/here" "$scratch/measured"
ln -s "$assay" "$scratch/bin/assay"
ln -s "$build/assay-bench" "$scratch/bin/assay-bench"
cp -r "$root/examples" "$scratch/here/"
export PATH="$scratch/bin:$PATH" LC_ALL=C
cd "$scratch/here" || exit 2
rows=0 commands=0 faults=0 line=0

fault() {
    echo "$document:$line: $1"
    faults=$((faults + 1))
}

# A line of a table as `line, begin, commands, findings`, with tabs between. Bars within a cell are escaped.
rows_of() {
    awk '
    function fault(text) { printf "%d\tfault\t%s\n", FNR, text }
    !/^\|/ { width = 0; next }
    {
        gsub(/\\\|/, "\001")
        n = split($0, cells, "|")
        if ($0 !~ /\|$/)
            fault("the row does not end with a bar")
        for (i = 2; i < n; i++) {
            gsub(/^ +| +$/, "", cells[i])
            if (cells[i] == "")
                fault("an empty cell")
        }
    }
    !width { width = n; kind = cells[4]; next }
    n != width { fault((n - 2) " cells, not " (width - 2)); next }
    /^\|[-:|]+$/ || kind != "command" { next }
    {
        row = FNR "\trow\t" cells[2] "\t" cells[4] "\t" cells[6]
        gsub(/\001/, "|", row)
        print row
    }' "$1"
}

# shellcheck disable=SC2016 # the quotes are meant
spans_of() { grep -oE '`[^`]+`' <<<"$1" | tr -d '`'; }

# Prints the output of a command; the status is that of the command.
run() {
    local command=$1 kept
    if [[ $command == assay-bench\ * ]]; then
        kept=$scratch/measured/${command//[^a-z]/-}
        if [ ! -f "$kept" ]; then
            $command --quick >"$kept" 2>&1 </dev/null || return
        fi
        cat "$kept"
    else
        bash -o pipefail -c "$command" 2>&1 </dev/null
    fi
}

# Runs the commands of a cell, of a row with these findings; appends to outputs.
run_all() {
    local command output status
    while IFS= read -r command; do
        commands=$((commands + 1))
        output=$(run "$command")
        status=$?
        case $command in
        assay-bench\ *) [ $status -eq 0 ] || fault "status $status: $command" ;;
        assay\ *) [ $status -le 1 ] || [[ $status -eq 3 && $2 == *undecided* ]] || fault "status $status: $command" ;;
        *) fault "neither assay nor assay-bench: $command" ;;
        esac
        [ -n "$output" ] || fault "no output: $command"
        outputs+=$output$'\n'
    done < <(spans_of "$1")
}

check_row() {
    local begin=$1 cell=$2 found=$3 outputs="" text
    rows=$((rows + 1))
    [ -n "$(spans_of "$cell")" ] || fault "no command"
    if [[ $cell == *"-e datalog"* ]] && ! command -v clingo >/dev/null; then
        echo "papers: line $line is left out: there is no clingo"
        return
    fi
    run_all "$cell" "$found"
    while IFS= read -r text; do
        [[ -z $text || $outputs == *"$text"* ]] || fault "not in the output: $text"
    done < <(
        spans_of "$found"
        grep -oE '\b(VIOLATION|consistent with|undecided)\b' <<<"$found"
        [[ $cell == *assay-bench* ]] && grep -oE '^(Figure|Table) [0-9.]*[0-9][a-z]?' <<<"$begin"
    )
}

while IFS=$'\t' read -r line kind begin cell found <&3; do
    if [ "$kind" = fault ]; then
        fault "$begin"
    else
        check_row "$begin" "$cell" "$found"
    fi
done 3< <(rows_of "$document")
echo "papers: $rows rows, $commands commands run, $faults faults"
[ "$rows" -gt 0 ] && [ "$faults" -eq 0 ]
