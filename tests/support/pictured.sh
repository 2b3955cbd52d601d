# SPDX-License-Identifier: Apache-2.0
# For tests of pictures, to be sourced: pictured, which writes histories to the current folder and calls
# `each NAME MODEL` for each. Between them they have all kinds of pictures: cycles, cases, time lines, transactions,
# witnesses, nothing to draw, and names that mean something to XML, TeX and Graphviz.
hostile='<\/svg>&amp;]]>--{}$x^_~%\\\\end{document}\" \\\\n %s'
pictured() {
    printf 'a: write(x, 1)\na: read(y) => 0\nb: write(y, 1)\nb: read(x) => 0\n' >cycle.hist
    printf 'a: txn(w x 1) => abort\nb: txn(r x 1, append y "%s")\n' "${hostile//\\\\/\\}" >aborted.hist
    printf '# @object queue\na: enq("%s") @ 1..2\nb: deq() => 5 @ 1..9\nc-d_e: enq(5) @ 3..\n' "${hostile//\\\\/\\}" >time.hist
    cp "$1"/examples/only-search.hist cases.hist
    printf '\303\244_\344\270\226: write(x, 1)\nb: read(x) => 0\n' >fine.hist
    for ((i = 0; i < 100; i++)); do printf 't%d: write(x, %d)\n' $((i % 3)) $i; done >large.hist
    each cycle sc
    each aborted rc
    each time lin
    each cases sc
    each fine sc
    each large sc
}
