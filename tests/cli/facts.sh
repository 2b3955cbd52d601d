#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# src/spec/ owns the facts about calls (spec/facts.h). Outside of it and of the readers of files, no code compares the
# name of an object or a method with a string: it asks the facts, or compares specifications by identity.
set -u
cd "${ASSAY_ROOT:-$(dirname "$0")/../..}" || exit 2

# Why a file may: transactions and memories have engines below spec/ on the ladder, which read the names of accesses and
# of the four methods of a memory once, where they take the history in.
allowed='
src/history/blocks.c          begin ... commit is a notation of transactions
src/history/last_line.c       a read in the last line, before there are objects
src/memory/rw.c               the methods of a memory
src/baseline/brute_graph.c    the same, for brute force
src/recheck/program_memory.c  the same, for recheck, which shares nothing with the engines
src/recheck/transactions.c    the accesses of transactions: r, w, append
src/transaction/gather.c      the same
src/transaction/settled.c     the same
src/monitor/start.c           the same
'
names=$({
    sed -n 's/^X([a-z_]*, "\(.*\)").*/\1/p' src/spec/spec.def
    grep -hoE '\{"([A-Za-z-]+)", "\1\(|(ADDS|REMOVES)\("[a-z-]+"' src/spec/*.[ch] | sed 's/^[^"]*"\([^"]*\)".*/\1/'
} | sort -u | paste -sd '|')
found=$(grep -rnE --include='*.[ch]' "(strn?cmp|[a-z_]*(is|find|id|word|name|called)[a-z_]*)\(([^;]*[ (])?\"($names)\"|^ *\{\"($names)\", [^.]" src |
    grep -vE '^src/(spec|format|lexicon)/' | grep -vE "^($(grep -oE 'src/[a-z_/]+\.c' <<<"$allowed" | paste -sd '|')):")
if [ -n "$found" ]; then
    echo "$found"
    echo "facts: names of objects or methods are compared with strings; spec/facts.h knows what their calls do"
    exit 1
fi
while read -r file _; do
    [ -z "$file" ] || grep -qE "\"($names)\"" "$file" 2>/dev/null || {
        echo "facts: $file needs no exception any more"
        exit 1
    }
done <<<"$allowed"
echo "facts: nobody but spec/ and the readers of files knows objects and methods by name"
