#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A figure that a page quotes from another page is there: quotes.sh ASSAY [PAGE...]
#
# A link whose text begins with a digit is a quote:
#     [88.5 %](../guides/case-studies.md#galera "wsrep_sync_wait=0, roaming")
# Each number of the text must be in the section that the link names, with the tables (.tsv) that this section links.
# The title, if there is one, names the row: texts with "; " between them, each of which is a cell of it. If no row has
# them all, they are words of a paragraph. A number may be rounded: 0.79 quotes 0.787. Seconds may be quoted as
# milliseconds.
#
# A figure without such a link is a fault in two places, where it is certainly quoted: in a sentence that links a page
# of measurements, and in the last column of docs/internals/papers.md beside a command of assay-bench. A figure is a
# number with a unit.
set -u
links=$(realpath "$(dirname "$0")/../support/links.awk")
cd "${ASSAY_ROOT:-$(dirname "$0")/../..}" || exit 2
shift
[ $# -gt 0 ] || mapfile -t pages < <(find README.md ARCHITECTURE.md CONTRIBUTING.md docs -name '*.md' | sort)
[ $# -eq 0 ] || pages=("$@")
LC_ALL=C awk -v pages="${pages[*]}" "$(cat "$links")"'
function fault(text) { print page ":" number ": " text; faults++ }

# ---- the section that is quoted: rows[1..row_count], paragraphs[1..paragraph_count] ----

function add_table(path,    line) {
    while ((getline line < path) > 0) rows[++row_count] = "\t" line "\t"
    close(path)
}
# A row of a page as one of a table: with tabs around its cells.
function cells_of(row) {
    gsub(/\\\|/, " ", row)
    gsub(/ *\| */, "\t", row)
    gsub(/`/, "", row)
    return row
}
function add_line(path, line,    rest, table) {
    if (line ~ /^ *\|/) rows[++row_count] = cells_of(line)
    else if (line ~ /^ *$/) open_paragraph = 0
    else if (open_paragraph) paragraphs[paragraph_count] = paragraphs[paragraph_count] " " line
    else { paragraphs[++paragraph_count] = line; open_paragraph = 1 }
    rest = line
    while (match(rest, /\]\([^()#]*\.tsv\)/)) {
        table = substr(rest, RSTART + 2, RLENGTH - 3)
        rest = substr(rest, RSTART + RLENGTH)
        add_table(resolve(path, table))
    }
}
# False: there is no such section.
function load(path, anchor,    line, level, depth, name, seen, found, code) {
    if (loaded == path "#" anchor) return load_found
    loaded = path "#" anchor
    row_count = paragraph_count = open_paragraph = found = depth = 0
    if (path !~ /\.md$/) {
        add_table(path)
        return load_found = row_count > 0
    }
    split("", seen)
    while ((getline line < path) > 0) {
        if (line ~ /^ *```/) code = !code
        if (!code && match(line, /^#+ /)) {
            level = RLENGTH - 1
            name = anchor_of(substr(line, level + 2))
            if (seen[name]++) name = name "-" (seen[name] - 1)
            if (depth && level <= depth) break
            if (!depth && (anchor == "" || name == anchor)) { depth = level; found = 1 }
            open_paragraph = 0
        }
        if (depth) add_line(path, line)
    }
    close(path)
    return load_found = found
}

# ---- numbers ----

function value_of(text) { gsub(/,/, "", text); return text + 0 }
# Is there a number in the line that is `wanted`, to its last digit, in one of its units?
function has_number(line, wanted, digits, is_time,    token, value, slack, scale) {
    slack = 0.5000001 * 10 ^ -digits
    while (match(line, /[0-9][0-9,]*(\.[0-9]+)?(e[-+]?[0-9]+)?/)) {
        token = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        value = value_of(token)
        for (scale = is_time ? 1e-6 : 1; scale <= (is_time ? 1e6 : 1); scale *= 1000)
            if (value * scale - wanted <= slack && wanted - value * scale <= slack) return 1
    }
    return 0
}
# Around each text is a tab, if it is to be a whole cell.
function has_all(line, hints, n, around,    i) {
    for (i = 1; i <= n; i++)
        if (!index(line, around hints[i] around)) return 0
    return 1
}
# Where may the number be? In the rows that the title names, else in paragraphs.
function is_there(wanted, digits, is_time, title,    hints, n, i, named) {
    n = split(title, hints, "; ")
    for (i = 1; i <= row_count; i++)
        if (has_all(rows[i], hints, n, "\t")) {
            named = 1
            if (has_number(rows[i], wanted, digits, is_time)) return 1
        }
    if (named && n) return 0
    for (i = 1; i <= paragraph_count; i++)
        if (has_all(paragraphs[i], hints, n, "") && has_number(paragraphs[i], wanted, digits, is_time)) return 1
    return 0
}

# ---- quotes ----

function check_quote(text, target, title,    hash, path, anchor, rest, token, digits, is_time) {
    hash = index(target, "#")
    anchor = hash ? substr(target, hash + 1) : ""
    path = hash == 1 ? page : resolve(page, hash ? substr(target, 1, hash - 1) : target)
    quotes++
    if (!load(path, anchor)) { fault("\"" text "\" quotes " target ", which is not there"); return }
    is_time = text ~ /[0-9] (s|ms|us|\302\265s|seconds|milliseconds)( |$)/
    rest = text
    while (match(rest, /[0-9][0-9,]*(\.[0-9]+)?/)) {
        token = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        sub(/,$/, "", token)
        digits = index(token, ".") ? length(token) - index(token, ".") : 0
        numbers++
        if (!is_there(value_of(token), digits, is_time, title))
            fault("\"" text "\" is not in " path (anchor ? "#" anchor : "") (title ? ", " title : ""))
    }
}
# Checks the quotes of a text, and returns it without its links and code: \001 is a quote, \002 the link of a page of
# measurements.
function strip(text,    link, words, target, title, bar, out) {
    gsub(/``[^`]*``/, "", text)
    gsub(/`[^`]*`/, "", text)
    while (match(text, /\[[^][]*\]\([^()" ]*( +"[^"]*")?\)/)) {
        link = substr(text, RSTART, RLENGTH)
        out = out substr(text, 1, RSTART - 1)
        text = substr(text, RSTART + RLENGTH)
        bar = index(link, "](")
        words = substr(link, 2, bar - 2)
        target = substr(link, bar + 2, length(link) - bar - 2)
        title = ""
        if (match(target, / +"[^"]*"$/)) {
            title = substr(target, RSTART)
            target = substr(target, 1, RSTART - 1)
            gsub(/^ +"|"$/, "", title)
        }
        if (words ~ /^[0-9]/ && target !~ /^[a-z]+:/) {
            check_quote(words, target, title)
            out = out "\001"
        } else
            out = out (target ~ /benchmarks|case-studies/ ? "\002" : "") words
    }
    return out text
}
function figure_of(text) {
    if (match(text, /[0-9][0-9.,]* (%|ms|s|us|MB|GB|times|CPU seconds|seconds)([^a-z]|$)/))
        return substr(text, RSTART, RLENGTH)
    return ""
}
function check_text(text,    n, i, sentences, figure) {
    n = split(strip(text), sentences, /[.!?] +/)
    for (i = 1; i <= n; i++)
        if (sentences[i] ~ /\002/ && sentences[i] !~ /\001/ && (figure = figure_of(sentences[i])) != "")
            fault("\"" figure "\" is quoted without a link to it")
}
function check_row(row,    cells, n, i, text, figure, measured) {
    gsub(/\\\|/, "", row)
    n = split(row, cells, "|")
    measured = page ~ /internals\/papers\.md$/ && cells[4] ~ /assay-bench/
    for (i = 2; i < n; i++) {
        text = strip(cells[i])
        if (measured && i == n - 1 && (figure = figure_of(text)) != "")
            fault("\"" figure "\" is quoted without a link to it")
    }
}

END {
    n = split(pages, list, " ")
    for (p = 1; p <= n; p++) {
        page = list[p]
        number = fenced = 0
        text = ""
        while ((getline line < page) > 0) {
            number++
            if (number == 1 && line ~ /Generated by/) break
            if (line ~ /^ *```/) fenced = !fenced
            if (fenced || line ~ /^ *```/) continue
            if (line ~ /^ *\|/) { check_row(line); continue }
            if (line ~ /^ *$|^#/) { check_text(text); text = "" }
            else text = text " " line
        }
        check_text(text)
        close(page)
    }
    printf "quotes: %d quotes, %d numbers compared, %d faults\n", quotes, numbers, faults
    exit faults > 0
}' </dev/null
