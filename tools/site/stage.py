#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lays out the pages for mkdocs: stage.py ROOT FOLDER

The site is the tree as it is: README.md, the other pages at the root, docs/, and each file that one of them links to, at the
same paths, so that no link has to be rewritten. Only the front page is made: the gallery, with links from one folder higher.
README.md is about.md there, because mkdocs would take it for the front page.
"""
import re
import shutil
import sys
from pathlib import Path

LINK = re.compile(r"""(\]\()([^()#\s]+)((?:#[^()\s]*)?(?:\s+"[^"]*")?\))""")
FENCED = re.compile(r"^ *```.*?^ *```", re.M | re.S)
ROOT_PAGES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]


def staged_name(path):
    return Path("about.md") if path == Path("README.md") else path


def place(source, page, text, out, prefix=""):
    """Writes a page; returns the files that it links to, as paths below the root."""
    linked = []
    name = staged_name(page)

    def follow(match):
        address = match.group(2)
        if "://" in address:
            return match.group(0)
        target = (source / page.parent / address).resolve().relative_to(source)
        linked.append(target)
        if target == Path("README.md"):
            address = address.replace("README.md", "about.md")
        return match.group(1) + prefix + address + match.group(3)

    # Code blocks stay as they are: what looks like a link there is none.
    parts, at = [], 0
    for block in FENCED.finditer(text):
        parts += [LINK.sub(follow, text[at:block.start()]), block.group(0)]
        at = block.end()
    parts.append(LINK.sub(follow, text[at:]))
    destination = out / name if not prefix else out / "index.md"
    destination.parent.mkdir(parents=True, exist_ok=True)
    destination.write_text("".join(parts), encoding="utf-8")
    return linked


def main():
    source, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    shutil.rmtree(out, ignore_errors=True)
    pages = [Path(name) for name in ROOT_PAGES] + sorted(p.relative_to(source) for p in (source / "docs").rglob("*.md"))
    linked = []
    for page in pages: # those of the folders of code come as links lead to them
        found = place(source, page, (source / page).read_text(encoding="utf-8"), out)
        pages += sorted(p for p in set(found) - set(pages) if p.suffix == ".md")
        linked += found
    gallery = Path("docs/gallery.md")
    place(source, gallery, (source / gallery).read_text(encoding="utf-8"), out, prefix="docs/")
    for target in sorted(set(linked) - set(pages)):
        if (source / target).is_file():
            (out / target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / target, out / target)


main()
