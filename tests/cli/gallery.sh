#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pages of the gallery are those that `make gallery` writes, for every family; and a history whose verdict is not the
# one that its comments claim is refused.
set -u
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/support/scratch.sh"
"$root/tools/gallery.sh" "$assay" made || fault "the gallery cannot be made"
diff -r "$root/docs/gallery" made/gallery >said || fault "docs/gallery is not as it is made (make gallery): $(head -n 40 said)"
diff "$root/docs/gallery.md" made/gallery.md || fault "docs/gallery.md is not as it is made (make gallery)"
for family in sc tso causal lin monitor weak transactions; do
    grep -q "^# Family: $family$" "$root"/examples/gallery/*.hist || fault "the family $family has no violation"
done

# A tree of its own, with one claim changed.
mkdir -p other/tools other/examples/gallery
cp "$root/tools/gallery.sh" other/tools
sed 's/^# Violates: sc/# Violates: tso/' "$root/examples/gallery/store-buffering.hist" >other/examples/gallery/store-buffering.hist
other/tools/gallery.sh "$assay" refused 2>said && fault "a wrong claim is believed"
grep -q 'tso is not violation' said || fault "a wrong claim is refused, but: $(<said)"
echo "gallery: $(find made/gallery -name '*.svg' | wc -l) pictures, $faults faults"
[ "$faults" -eq 0 ]
