#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pages hold together: links.sh ASSAY. Every link of a page leads to a file, and to a heading where it names one; every
# page can be reached from README.md; every table has a head, and as many cells in each row as in its head. The pages that
# `assay explain` tells to read are there.
set -u
links=$(realpath "$(dirname "$0")/../support/links.awk")
cd "${ASSAY_ROOT:-$(dirname "$0")/../..}" || exit 2
unread=$(grep -oE 'docs/[a-z/-]+\.md' src/lexicon/*.c | sort -t: -k2 -u | while IFS=: read -r from page; do
    [ -e "$page" ] || echo "$from: there is no $page"
done)
mapfile -t pages < <({
    find README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md docs -name '*.md'
    find src collect cli bench web include tests tools examples cmake -name node_modules -prune -o -name README.md -print 2>/dev/null
} | sort)
find . -path ./build -prune -o -path './build-*' -prune -o -path ./.git -prune -o -print | sed 's,^\./,,' |
LC_ALL=C awk -v pages="${pages[*]}" "$(cat "$links")"'
function fault(text) { print page ":" number ": " text; faults++ }

function cells_of(row,    n, parts) {
    gsub(/\\\|/, "", row)
    while (match(row, /`[^`]*`/)) row = substr(row, 1, RSTART - 1) "code" substr(row, RSTART + RLENGTH)
    sub(/^ *\|/, "", row)
    sub(/\| *$/, "", row)
    return split(row, parts, "|")
}

function table_line(line) {
    if (line !~ /^ ? ? ?\|/) { rows = 0; return }
    rows++
    if (rows == 1) head = cells_of(line)
    else if (rows == 2 && line !~ /^[ |:-]+$/) fault("a table without a head: " substr(line, 1, 60))
    else if (cells_of(line) != head) fault("a row of " cells_of(line) " cells below a head of " head ": " substr(line, 1, 60))
}

# The link joined over the end of a line belongs to the line where it ends.
function links_of(text,    link, hash, path, anchor) {
    gsub(/``[^`]*``/, "", text)
    gsub(/`[^`]*`/, "", text)
    gsub(/ +"[^"]*"\)/, ")", text) # titles
    while (match(text, /\]\([^() ]*(\([^()]*\))?[^() ]*\)/)) {
        link = substr(text, RSTART + 2, RLENGTH - 3)
        text = substr(text, RSTART + RLENGTH)
        if (link ~ /^[a-z]+:/) continue
        hash = index(link, "#")
        anchor = hash ? substr(link, hash + 1) : ""
        path = hash == 1 ? page : resolve(page, hash ? substr(link, 1, hash - 1) : link)
        if (!(path in exists)) fault("there is no " path)
        else if (anchor != "" && path ~ /\.md$/ && !((path, anchor) in anchors))
            fault("there is no heading \"" anchor "\" in " path)
        leads[page] = leads[page] " " path
    }
}

{ exists[$0] = 1 }

END {
    n = split(pages, list, " ")
    for (i = 1; i <= n; i++) {
        fenced = 0
        while ((getline line < list[i]) > 0) {
            if (line ~ /^ *```/) fenced = !fenced
            if (fenced) continue
            if (match(line, /<a id="[^"]*">/)) anchors[list[i], substr(line, RSTART + 7, RLENGTH - 9)] = 1
            if (line !~ /^#+ /) continue
            sub(/^#+ +/, "", line)
            name = anchor_of(line)
            count = seen[list[i], name]++
            anchors[list[i], name (count ? "-" count : "")] = 1
        }
        close(list[i])
    }
    for (i = 1; i <= n; i++) {
        page = list[i]
        number = fenced = rows = 0
        text = ""
        while ((getline line < page) > 0) {
            number++
            if (line ~ /^ *```/) fenced = !fenced
            if (fenced || line ~ /^ *```/) continue
            table_line(line)
            if (line ~ /^ *$/) { links_of(text); text = "" }
            else text = text " " line
            if (line ~ /^ *[|]/) { links_of(text); text = "" }
        }
        links_of(text)
        close(page)
    }
    # Which pages does a reader find?
    queue[last = 1] = "README.md"
    found["README.md"] = 1
    for (next_page = 1; next_page <= last; next_page++) {
        m = split(leads[queue[next_page]], targets, " ")
        for (j = 1; j <= m; j++)
            if (!(targets[j] in found)) { found[targets[j]] = 1; queue[++last] = targets[j] }
    }
    number = 1
    for (i = 1; i <= n; i++)
        if (!(list[i] in found)) { page = list[i]; fault("no link leads here from README.md") }
    printf "links: %d pages, %d faults\n", n, faults
    exit faults > 0
}' && [ -z "$unread" ] || { [ -z "$unread" ] || echo "$unread"; exit 1; }
