#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All that `assay list` prints of models, objects, engines, formats and patterns, and all other names, have a page of
# `assay explain`; so has all that it lists itself, and completion offers it: explain.sh ASSAY
set -u
. "$(dirname "$0")/../support/scratch.sh"

names_of() { sed -n 's/^[^}]*"name":"\([^"]*\)".*/\1/p'; }

for family in models objects engines formats patterns names; do
    mapfile -t names < <("$assay" list "$family" --json | names_of | sort -u)
    [ ${#names[@]} -gt 10 ] || fault "assay list $family: only ${#names[@]} names"
    "$assay" explain --json "${names[@]}" >pages 2>errors || fault "$family without a page: $(cat errors)"
    if [ "$family" != names ]; then
        names_of <pages | sort -u | comm -23 <(printf '%s\n' "${names[@]}") - >missing
        [ ! -s missing ] || fault "$family without a page of their own: $(tr '\n' ' ' <missing)"
    fi
done

mapfile -t names < <("$assay" explain | sed 's/^[a-z][a-z ]*://' | tr -s ' ' '\n' | grep .)
[ ${#names[@]} -gt 200 ] || fault "assay explain: only ${#names[@]} names"
"$assay" explain "${names[@]}" >pages 2>errors || fault "listed, but without a page: $(cat errors)"
[ "$(awk 'length > 80' pages | wc -l)" -lt 10 ] || fault "pages are wider than 80 columns" # some lines of examples are
"$assay" completion bash | grep 'explain) words="' >offered
for name in "${names[@]}"; do
    grep -qF " $name" offered || grep -qF "\"$name " offered || fault "completion does not offer $name"
done
echo "explain: ${#names[@]} names, $faults faults"
[ $faults -eq 0 ]
