#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Pictures are what their programs take: SVG is well-formed XML whose texts are those of the history, and Graphviz draws
# DOT with the threads side by side: operations of one thread below each other, threads from left to right.
set -u
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/support/scratch.sh"
. "$root/tests/support/pictured.sh"
command -v python3 >/dev/null || { echo "pictures: left out: no python3 here" && exit 77; }
command -v dot >/dev/null || { echo "pictures: left out: no dot here (Debian: graphviz)" && exit 77; }

cat >look.py <<'END'
import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
root = tree.parse(sys.argv[1]).getroot()
allowed = {"svg", "title", "desc", "style", "defs", "marker", "path", "rect", "g", "text"}
found = {element.tag.replace(SVG, "") for element in root.iter()}
assert root.tag == SVG + "svg", root.tag
assert found <= allowed, found - allowed
assert root.find(SVG + "title").text and root.find(SVG + "desc").text
for element in root.iter():
    for name in element.attrib:
        assert not name.startswith("on") and "href" not in name, name
END
cat >columns.py <<'END'
import sys

nodes, heads, of = {}, {}, {}
for line in open(sys.argv[1]):
    word = line.split(" ")
    if word[0] == "node":
        place = (float(word[2]), float(word[3]))
        (heads if word[1].startswith("thread") else nodes)[word[1]] = place
for name, group in (pair.split("=") for pair in sys.argv[2].split()):
    of.setdefault("thread" + group, []).append(name)
order = sorted(heads, key=lambda name: int(name[len("thread"):]))
assert [heads[name][0] for name in order] == sorted(heads[name][0] for name in order), "heads out of order"
for head in order:
    places = [nodes[name] for name in of[head]]
    assert all(abs(x - heads[head][0]) < 0.2 for x, _ in places), (head, "not a column", places)
    assert [y for _, y in places] == sorted((y for _, y in places), reverse=True), (head, "not from top to bottom")
END

drawn=0
each() {
    "$assay" check -m "$2" --svg "$1.svg" --dot "$1.dot" "$1.hist" >/dev/null 2>err
    [ $? -le 1 ] || fault "$1: $(<err)"
    python3 look.py "$1.svg" || fault "$1.svg is not as it should be"
    dot -Tplain "$1.dot" >"$1.plain" 2>err || fault "$1.dot: $(<err)"
    groups=$(sed -nE 's/^ *(op[0-9]+) \[label=.*, group=([0-9]+)\];$/\1=\2/p' "$1.dot")
    python3 columns.py "$1.plain" "${groups//$'\n'/ }" || fault "$1.dot is not drawn in columns"
    drawn=$((drawn + 1))
}
pictured "$root"

# A test that can fail: the same graph without its groups and chains.
sed -E '/style=invis/d; s/, group=[0-9]+//; s/group=[0-9]+, //' cycle.dot >loose.dot
dot -Tplain loose.dot >loose.plain
python3 columns.py loose.plain "op0=0 op1=0 op2=1 op3=1" 2>/dev/null && fault "a graph without columns is taken for one"
echo "pictures: $drawn histories drawn, $faults faults"
[ "$faults" -eq 0 ] && [ "$drawn" -eq 6 ]
