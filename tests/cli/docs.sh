#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The examples in the documents run: docs.sh ASSAY [DOCUMENT...]
#
# A fenced block marked ```console holds lines `$ command` (continued by lines `> more`) and what the
# terminal then shows. The commands of one document are run in order, by one shell, in a scratch folder
# with a copy of examples/. A line `...` stands for any lines. What tests/normalise.sed
# rewrites is not compared.
set -u
root=$(realpath "$(dirname "$0")/../..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$(realpath "${1:?which assay}")" "$scratch/bin/assay"
shift
export PATH="$scratch/bin:$PATH" LC_ALL=C
export CPATH="$root/include" # as if the headers were installed
# A crash of an implementation under test is a signal, also in a build with sanitizers.
export ASAN_OPTIONS="handle_segv=0:${ASAN_OPTIONS:-}" TSAN_OPTIONS="handle_segv=0:${TSAN_OPTIONS:-}"
commands=0 failures=0

normalise() { sed -E -f "$root/tests/normalise.sed"; }

# A pattern for [[ == ]] that matches the text, with `...` lines matching any lines.
pattern_of() {
    local text=$1
    text=${text//\\/\\\\}
    text=${text//\*/\\*}
    text=${text//\?/\\?}
    text=${text//\[/\\[}
    text=$'\n'$text
    while [[ $text == *$'\n...\n'* ]]; do
        text=${text/$'\n...\n'/$'\n*'}
    done
    printf %s "$text"
}

# Runs $command, compares with $expected. Runs in the document's shell: cd, variables and $? carry over.
last=0
execute() {
    local actual pattern
    [ -n "$command" ] || return
    commands=$((commands + 1))
    (exit $last)
    eval "$command" >"$scratch/output" 2>&1 </dev/null
    last=$?
    actual=$(normalise <"$scratch/output"; echo .)
    pattern=$(pattern_of "$(printf %s "$expected" | normalise; echo .)")
    # shellcheck disable=SC2053 # the right side is meant as a pattern
    if [[ $'\n'$actual != $pattern ]]; then
        echo "$document:$line: \$ $command"
        diff -u --label document --label output <(printf %s "$expected") "$scratch/output"
        failures=$((failures + 1))
    fi
    command="" expected=""
}

run_document() {
    local document=$1 number=0 text in_block="" command="" expected="" line=0
    while IFS= read -r text <&3; do
        number=$((number + 1))
        if [ -z "$in_block" ]; then
            [[ $text == '```console'* ]] && in_block=yes
        elif [[ $text == '```' ]]; then
            execute
            in_block=""
        elif [[ $text == '$ '* ]]; then
            execute
            command=${text#'$ '} line=$number
        elif [[ $text == '> '* && -z $expected ]]; then
            command+=$'\n'${text#'> '}
        else
            expected+=$text$'\n'
        fi
    done 3<"$root/$document"
    echo "$commands $failures" >"$scratch/count"
}

documents=("$@")
if [ ${#documents[@]} -eq 0 ]; then
    mapfile -t documents < <(cd "$root" && find README.md CONTRIBUTING.md docs -name '*.md' | sort)
fi
for document in "${documents[@]}"; do
    [ -f "$root/$document" ] || continue
    rm -rf "$scratch/here"
    mkdir "$scratch/here"
    [ -d "$root/examples" ] && cp -r "$root/examples" "$scratch/here/"
    (cd "$scratch/here" && run_document "$document")
    read -r commands failures <"$scratch/count"
done
echo "docs: $commands commands run, $failures differ"
[ "$failures" -eq 0 ]
