#!/usr/bin/env python3
"""Checks the layout of the documentation: check-docs.py [FILE...]

Lines of text have at most 100 columns; tables, code, comments and links that fill a line are
exempt. Links to files and headings lead somewhere. docs/protocol.md has every error code and every
verb of the server. Prints what is wrong and exits with 1."""
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


def check_protocol():
    """Error codes have a row of the table under `Error codes`, verbs are mentioned."""
    page = (ROOT / "docs/protocol.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| `(\w+)` \|", page.partition("## Error codes")[2], re.M))
    verbs, before_login, codes = set(), set(), set()
    for path in [*ROOT.glob("src/server/*.c"), *ROOT.glob("src/features/*.c")]:
        source = path.read_text(encoding="utf-8")
        codes |= set(re.findall(r'session_refuse\(\s*s,\s*"(\w+)"', source))
        if path.name == "game.c":
            codes |= set(re.findall(r'return "(\w+)";', source.partition("*game_play(")[2]))
        for table in re.findall(r"\bverb \w*verbs\[\] = \{(.*?)\n\};", source, re.S):
            for verb, rest in re.findall(r'\{"(\w+)", \w+([^}]*)\}', table):
                (verbs if "needs_login" in rest else before_login).add(verb)
    said = re.search(r"before login anything but ([^|]*)", page)
    if before_login != set(re.findall(r"`(\w+)`", said[1] if said else "")):
        yield "docs/protocol.md: before login these are allowed: " + " ".join(sorted(before_login))
    for verb in sorted(verbs | before_login):
        if f"`{verb}`" not in page:
            yield f"docs/protocol.md: the verb {verb} is missing"
    for code in sorted(codes ^ rows):
        yield f"docs/protocol.md: error code {code}: in the table or in the code, not in both"


def main():
    files = [Path(name) for name in sys.argv[1:]] or [
        *sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md"))]
    wrong = [line for path in files for line in check(path)]
    if len(sys.argv) == 1:
        wrong += check_protocol()
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


main()
