#!/usr/bin/env python3
"""Checks the layout of the documentation: check-docs.py [FILE...]

Lines of text have at most 100 columns; tables, code, comments and links that fill a line are
exempt. Links to files and headings lead somewhere. Prints what is wrong and exits with 1."""
import re
import sys
import unicodedata
from pathlib import Path

COLUMNS = 100
ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\(([^)\s]+)\)")


def width(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def text_lines(path):
    """(number, line) of the lines outside of code."""
    code = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if re.match(r" *```", line):
            code = not code
        elif not code:
            yield number, line


def anchors(path):
    """The names GitHub gives to the headings of a page."""
    titles = (line.lstrip("#").strip().lower() for _, line in text_lines(path) if line[:1] == "#")
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


def check(path):
    for number, line in text_lines(path):
        if width(line) > COLUMNS and not re.match(r" *(\||<!--|!?\[[^]]*\]\([^)]*\)$)", line):
            yield f"{path}:{number}: {width(line)} columns, at most {COLUMNS}"
        for link in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, heading = link.partition("#")
            target = path.parent / name if name else path
            if not target.exists():
                yield f"{path}:{number}: no such file: {link}"
            elif heading and heading not in anchors(target):
                yield f"{path}:{number}: no such heading: {link}"


def main():
    files = [Path(name) for name in sys.argv[1:]] or [
        *sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md"))]
    wrong = [line for path in files for line in check(path)]
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


main()
