#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The documents as a site: site.sh FOLDER. It is complete and works without a network; open FOLDER/index.html.
# mkdocs' warnings are faults, but for those about headings, which tests/cli/links.sh checks.
set -eu
root=$(realpath "$(dirname "$0")/..")
mkdir -p "${1:?the folder to write to}"
out=$(realpath "$1")
command -v mkdocs >/dev/null || { echo "site: mkdocs is missing (Debian: mkdocs, mkdocs-material)" >&2 && exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$root/tools/site/stage.py" "$root" "$work/source"
SITE_SOURCE="$work/source" SITE_OUT="$work/site" mkdocs build -q --strict -f "$root/tools/site/mkdocs.yml"
rm -rf "$out.old"
[ ! -e "$out" ] || mv "$out" "$out.old"
mv "$work/site" "$out"
rm -rf "$out.old"
echo "site: $(find "$out" -name '*.html' | wc -l) pages in $1"
