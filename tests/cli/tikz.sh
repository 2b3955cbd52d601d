#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# TikZ compiles: alone with the lines of its head uncommented, and by \input in a document. Without a warning: neither a
# missing character nor an overfull box.
set -u
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/support/scratch.sh"
. "$root/tests/support/pictured.sh"
command -v pdflatex >/dev/null || { echo "tikz: left out: no pdflatex here (Debian: texlive-latex-base)" && exit 77; }
for file in tikz.sty standalone.cls; do
    kpsewhich $file >/dev/null || { echo "tikz: left out: no $file here (Debian: texlive-pictures, texlive-latex-extra)" && exit 77; }
done

drawn=0
compile() {
    pdflatex -interaction=nonstopmode -halt-on-error "$1" >log 2>&1 || fault "$1: $(tail -n 15 log)"
    ! grep -E 'Missing character|Overfull|^! ' log || fault "$1: see above"
    [ -s "${1%.tex}.pdf" ] || fault "$1: no pdf"
}
each() {
    "$assay" check -m "$2" --tikz "$1.tikz" "$1.hist" >/dev/null 2>err
    [ $? -le 1 ] || fault "$1: $(<err)"
    sed 's/^%\\/\\/' "$1.tikz" >"$1-alone.tex"
    compile "$1-alone.tex"
    drawn=$((drawn + 1))
}
pictured "$root"
printf '\\documentclass{article}\n\\usepackage{tikz}\n\\begin{document}\n\\input{cycle.tikz}\n\\end{document}\n' >paper.tex
compile paper.tex

# A test that can fail.
sed 's/\\&/\&/' aborted-alone.tex >raw.tex
pdflatex -interaction=nonstopmode -halt-on-error raw.tex >log 2>&1 && fault "a bare & compiles"
echo "tikz: $drawn pictures compiled, $faults faults"
[ "$faults" -eq 0 ] && [ "$drawn" -eq 6 ]
