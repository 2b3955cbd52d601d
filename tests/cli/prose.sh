#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The prose of pages and comments: prose.sh ASSAY [PATH...]; without paths, the whole tree that is for readers.
#
# A line has at most 120 columns, without the targets of links. A sentence of more than 25 words is a warning: long ones are read again, and a few stay.
# Prose is not: code blocks and code spans, tables, headings, quotations, formulas (words of one letter, numbers and
# signs are not counted; a line that is indented by four more columns is a formula or a picture). A colon at the end of
# a line ends a sentence, as does the begin of an item of a list.
#
# CHANGELOG.md has what a user notices: at most 40 lines for a release, empty ones not counted.
set -u
cd "${ASSAY_ROOT:-$(dirname "$0")/../..}" || exit 2
shift
all=$([ $# -gt 0 ] || echo yes)
[ $# -gt 0 ] || set -- README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md docs include src cli collect bench
mapfile -t files < <(find "$@" -type f \
    \( -name '*.md' -o -name '*.[ch]' -o -name '*.cpp' -o -name '*.def' \) | sort)
status=0
[ -z "$all" ] || awk '
function end_release() {
    if (lines > 40) { print "CHANGELOG.md: " lines " lines of " release "; a release has at most 40"; faults++ }
    lines = 0
}
/^## / { end_release(); release = $2; next }
release != "" && NF { lines++ }
END { end_release(); exit faults > 0 }' CHANGELOG.md || status=1
LC_ALL=C awk '
function fault(line, text) {
    print FILENAME_NOW ":" line ": " text
    faults++
}

function width(text) {
    gsub(/[\200-\277]/, "", text) # a character of UTF-8 is one column
    return length(text)
}

# ---- sentences ----

function end_sentence() {
    if (words > 25) {
        print "warning: " FILENAME_NOW ":" sentence_line ": " words " words"
        warnings++
    }
    sentence = ""
    words = 0
}

function add_prose(line, text,    n, i, token, list) {
    gsub(/"[^"]*"/, "Q1", text)
    n = split(text, list, /[ \t]+/)
    for (i = 1; i <= n; i++) {
        token = list[i]
        if (token == "")
            continue
        if (sentence == "")
            sentence_line = line
        sentence = sentence " " token
        if (token ~ /^[("\[*_]*([A-Za-z][A-Za-z\047]|[aAI]$)/ && token !~ /^[(]*[A-Za-z]+[([{=<>][^ ]*$/)
            words++
        if (token ~ /[.!?]["\047)\]*_]*$/ && token !~ /^[(]*(e\.g|i\.e|cf|vs|resp|Fig|Sec|Def|Thm|Prop|al|etc|St|no|pp?|\.\.)\.$/ && token !~ /\.\.\.,?$/)
            end_sentence()
    }
    if (text ~ /:$/)
        end_sentence()
}

# ---- pages ----

function page_line(line) {
    if (line ~ /^ *```/) {
        end_sentence()
        fenced = !fenced
        return
    }
    if (fenced || line ~ /^<!--/)
        return
    if (line ~ /^ *[|#]/ || line ~ /^ *!?\[[^\]]*\]\([^)]*\)[.,]?$/ || line ~ /^ *$/) {
        end_sentence()
        after_blank = line ~ /^ *$/
        if (line ~ /^ *[|#]/)
            in_list = 0
        return
    }
    if (line ~ /^    / && (after_blank || indented) && !in_list) {
        indented = 1
        return
    }
    indented = 0
    if (line !~ /^ / && line !~ /^([-*]|[0-9]+\.) / && after_blank)
        in_list = 0
    after_blank = 0
    shown = line # the target of a link is not seen
    gsub(/\]\([^)]*\)/, "]", shown)
    if (width(shown) > 120 && !generated)
        fault(FNR, width(shown) " columns")
    if (line ~ /^ *([-*]|[0-9]+\.) /) {
        end_sentence()
        in_list = 1
        sub(/^ *([-*]|[0-9]+\.) /, "", line)
    }
    gsub(/``[^`]*``/, "Q1", line)
    if (open_code) {
        if (!sub(/^[^`]*`/, "", line))
            return
        open_code = 0
    }
    gsub(/`[^`]*`/, "Q1", line)
    if (line ~ /`/) {
        sub(/`[^`]*$/, "Q1", line)
        open_code = 1
    }
    gsub(/\]\([^)]*\)/, "]", line)
    add_prose(FNR, line)
}

# ---- comments ----

# A line of a comment without its frame; its first column is that of the text of the first line.
function comment_line(text,    indent) {
    sub(/[ \t]+$/, "", text)
    match(text, /^ */)
    indent = RLENGTH
    if (indent == length(text) || text ~ /^ *-+ .* -+$/ || text ~ /^ *SPDX/) {
        end_sentence()
        return
    }
    if (indent >= 4) {
        end_sentence()
        return
    }
    text = substr(text, indent + 1)
    if (text ~ /^[^ ]+  +[^ ]/ || text ~ /[^ ]   +[^ ]/) # a term and its meaning
        end_sentence()
    if (text ~ /^([-*]|[0-9]+\.|\([a-z0-9]+\)) / || (indent == 0 && was_item)) {
        end_sentence()
        was_item = text ~ /^([-*]|[0-9]+\.|\([a-z0-9]+\)) /
        sub(/^([-*]|[0-9]+\.) /, "", text)
    }
    gsub(/`[^`]*`/, "Q1", text)
    add_prose(FNR, text)
}

function code_line(line,    start, text, ends) {
    has_comment = inside
    for (;;) {
        if (!inside) {
            gsub(/"([^"\\]|\\.)*"/, "Q", line)
            start = match(line, /\/[*\/]/)
            if (!start)
                return
            has_comment = 1
            inside = 1
            first = 1
            whole_line = substr(line, start, 2) == "//"
            line = substr(line, start + 2)
            if (whole_line)
                line = line "*/"
        }
        ends = index(line, "*/")
        text = ends ? substr(line, 1, ends - 1) : line
        if (!first)
            sub(/^ *\* ?/, "", text)
        else
            sub(/^[*!<]? */, "", text)
        first = 0
        comment_line(text)
        if (!ends)
            return
        end_sentence()
        was_item = 0
        inside = 0
        line = substr(line, ends + 2)
    }
}

FNR == 1 {
    end_sentence()
    FILENAME_NOW = FILENAME
    fenced = indented = inside = in_list = open_code = was_item = 0
    after_blank = 1
    page = FILENAME ~ /\.md$/
    generated = page && /Generated by/ # an item of such a page is one line
}
page { page_line($0); next }
{
    code_line($0)
    if (has_comment && width($0) > 120)
        fault(FNR, width($0) " columns")
}
END {
    end_sentence()
    printf "prose: %d files read, %d warnings, %d faults\n", ARGC - 1, warnings, faults
    exit faults > 0
}' "${files[@]}" || status=1
exit $status
