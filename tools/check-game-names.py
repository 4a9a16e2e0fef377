#!/usr/bin/env python3
"""Fails where too many files know a game by name, or where a name is compared as a string.

What differs between the games stands in the table of games; other code asks there. This counts the
files that name a game all the same: in code, strings, comments or file names, also by the prefix of
its identifiers. Files of one game (a folder or a file called like it) and the lab are not counted.

    tools/check-game-names.py [--list] [FOLDER]

--list prints the files that count. FOLDER is another checkout."""
import pathlib, re, sys

# At most so many.
LIMITS = {
    "C files that name a game": 10,
    "files of the page that name a game": 6,
    "comparisons with a game's name": 0,
    "comparisons with a protocol's name": 0,
}
PROTOCOLS = ["uci", "ucci", "cecp", "sau"]
LAB = {"lab"}  # the component that may know the games
NAMES_OF_PROTOCOLS = {"dialect", "stub"}  # components that speak them: "uci" is a command there



def games_of(root):
    """The games that CMakeLists.txt lists, each with the prefix of its identifiers."""
    names = re.search(r"^set\(GAMES ([^)]*)\)", (root / "CMakeLists.txt").read_text(), re.M)[1].split()
    headers = {name: (root / "src/rules" / name / (name + ".h")).read_text() for name in names}
    return {name: re.search(r"\} (\w+)_pos;", header)[1] for name, header in headers.items()}


GAMES = games_of(pathlib.Path(__file__).resolve().parent.parent)
words = "|".join(GAMES)
prefixes = "|".join(GAMES.values())
NAMES_GAME = re.compile(r"%s|(?<![a-z0-9])(?:%s)_" % (words, prefixes), re.I)


def compared(names):
    """A pattern of comparisons with one of the names, or a protocol's constant, in C or JavaScript."""
    literal = r"""(?:["'`](?:%s)["'`]|DIALECT_(?:%s)\b)""" % ("|".join(names), "|".join(names))
    calls = r"(?:text_is\w*|str\w*cmp)\([^;{}]*?" + literal
    return re.compile(r"%s|[=!]==?\s*%s|%s\s*[=!]==?|\bcase\s+%s" % (calls, literal, literal, literal), re.I)


def files(root, folder, endings):
    for path in sorted((root / folder).rglob("*")):
        if path.suffix in endings and "node_modules" not in path.parts:
            yield path, path.relative_to(root / folder)


def is_of_a_game(inside):
    """A folder or a file called like a game."""
    return any(part.split(".")[0] in GAMES for part in inside.parts)


def places(pattern, path, text):
    return ["%s:%d" % (path, text.count("\n", 0, found.start()) + 1) for found in pattern.finditer(text)]


def main(arguments):
    listed = "--list" in arguments
    folders = [a for a in arguments if a != "--list"]
    if len(folders) > 1 or any(a.startswith("-") for a in folders):
        sys.exit("usage: tools/check-game-names.py [--list] [FOLDER]")
    root = pathlib.Path(folders[0] if folders else pathlib.Path(__file__).resolve().parent.parent)
    found = {what: [] for what in LIMITS}
    c_files, page_files, games, protocols = found
    for folder, endings, what in (("src", {".c", ".h"}, c_files), ("web", {".js", ".css", ".html"}, page_files)):
        for path, inside in files(root, folder, endings):
            component = inside.parts[0] if folder == "src" else ""
            text = path.read_text(encoding="utf-8")
            if component in LAB or is_of_a_game(inside):
                continue
            if component not in NAMES_OF_PROTOCOLS:
                found[protocols] += places(compared(PROTOCOLS), path.relative_to(root), text)
            if NAMES_GAME.search(str(inside)) or NAMES_GAME.search(text):
                found[what].append(str(path.relative_to(root)))
            found[games] += places(compared(GAMES), path.relative_to(root), text)
    if not any(path for path, _ in files(root, "src", {".c"})):
        sys.exit("no C files in %s/src" % root)
    failed = False
    for what, limit in LIMITS.items():
        count = len(found[what])
        if count > limit:
            failed = True
            print("too many %s: %d, and the limit is %d" % (what, count, limit), file=sys.stderr)
        elif listed:
            print("%s: %d (limit %d)" % (what, count, limit))
        if count > limit or listed:
            print("".join("    %s\n" % where for where in found[what]), end="", file=sys.stdout if listed else sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
