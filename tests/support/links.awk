# SPDX-License-Identifier: Apache-2.0
# What the tests of documents know about links (links.sh, quotes.sh).

# A heading as a link names it: lower case, without signs, blanks as "-"; a second one of that name has "-1" behind it.
function anchor_of(heading,    text) {
    text = tolower(heading)
    gsub(/\]\([^)]*\)/, "", text)
    gsub(/[^a-z0-9_ \200-\377-]/, "", text)
    gsub(/ /, "-", text)
    return text
}

# The path that `link` names on `page`: "." and ".." are followed.
function resolve(page, link,    n, parts, i, depth, path) {
    n = split(page, parts, "/")
    depth = 0
    for (i = 1; i < n; i++) path[++depth] = parts[i]
    n = split(link, parts, "/")
    for (i = 1; i <= n; i++)
        if (parts[i] == "..") depth--
        else if (parts[i] != "." && parts[i] != "") path[++depth] = parts[i]
    link = ""
    for (i = 1; i <= depth; i++) link = link (i > 1 ? "/" : "") path[i]
    return link
}
