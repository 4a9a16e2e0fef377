#!/usr/bin/env python3
"""Reads folders of real game records and says how many files open without an error.

    tools/check-records.py [--kraton PROGRAM] FOLDER...
    tools/check-records.py [--kraton PROGRAM] --cchess FOLDER_OF_CCHESS XQF_FOLDER
    tools/check-records.py [--kraton PROGRAM] --vschess VSCHESS_JS XQF_FOLDER

The first form opens every file of every folder by itself, as `kraton convert auto moves` does, and
names those that fail with the reason. The others compare the trees of moves that another program
reads from XQF files with ours: cchess (https://github.com/walker8088/cchess) needs the folder with
its package, vschess (https://github.com/FastLight126/vschess) its one file and node."""
import argparse, json, pathlib, subprocess, sys

# Prints the tree of every file named on its command line, a line each: [[move, [...]], ...].
VSCHESS = """
const fs = require("fs"), vm = require("vm"), [library, ...files] = process.argv.slice(1);
const context = { console, module: { exports: {} }, exports: {}, require, Buffer };
context.window = context.self = context.global = context;
vm.createContext(context);
vm.runInContext(fs.readFileSync(library, "utf8"), context);
const vschess = context.vschess ?? context.module.exports;
const dump = (node) => node.next.map((move) => [move.move, dump(move)]);
for (const file of files) console.log(JSON.stringify(dump(vschess.binaryToNode_XQF(Array.from(fs.readFileSync(file))))));
"""


def convert(kraton, to, path):
    return subprocess.run([kraton, "convert", "auto", to, str(path), "--game", "xiangqi"], capture_output=True, text=True)


def files_of(folder):
    return sorted(path for path in pathlib.Path(folder).rglob("*") if path.is_file())


def check_folder(kraton, folder):
    files, bad, games = files_of(folder), [], 0
    for path in files:
        done = convert(kraton, "moves", path)
        games += done.stdout.count("\n")
        if done.returncode:
            faults = [line for line in done.stderr.splitlines() if " dropped: " not in line and ": game " not in line]
            bad.append((faults or ["killed"])[0])
    print("%s: %d of %d files without an error, %d games" % (folder, len(files) - len(bad), len(files), games))
    for line in bad:
        print("  " + line)


def our_tree(kraton, path):
    """[[move, [...]], ...] of a file, alternatives in their order."""
    record = json.loads(convert(kraton, "json", path).stdout)
    root, lines = [], []
    for line in [dict(record, of=None)] + record.get("lines", []):
        here = root if line["of"] is None else lines[line["of"]][line["at"]]
        places = {}
        for ply, move in enumerate(line["moves"], line.get("at", 1)):
            places[ply] = here
            here.append([move, []])
            here = here[-1][1]
        lines.append(places)
    return root


def lines_of(tree, so_far=()):
    """All ways from the root to a leaf."""
    if not tree:
        return [so_far]
    return [line for move, rest in tree for line in lines_of(rest, so_far + (move,))]


def cchess_lines(folder, path):
    sys.path.insert(0, folder)
    from cchess import Game
    whole = Game.read_from(str(path)).dump_moves()
    return [tuple(move.to_iccs() for move in line["moves"]) for line in whole] or [()]


def compare(kraton, folder, name, theirs):
    files = [path for path in files_of(folder) if path.suffix.lower() == ".xqf"]
    same = 0
    for path, other in zip(files, theirs(files)):
        if sorted(lines_of(our_tree(kraton, path))) == sorted(other):
            same += 1
        else:
            print("  %s differs" % path)
    print("%s reads %d of %d files with the same tree" % (name, same, len(files)))
    return same == len(files)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kraton", default="build/release/kraton")
    parser.add_argument("--cchess")
    parser.add_argument("--vschess")
    parser.add_argument("folder", nargs="+")
    asked = parser.parse_args()
    sys.setrecursionlimit(100000)
    good = True
    for folder in asked.folder:
        if asked.cchess:
            good &= compare(asked.kraton, folder, "cchess", lambda files: [cchess_lines(asked.cchess, path) for path in files])
        elif asked.vschess:
            def trees(files):
                out = subprocess.run(["node", "-e", VSCHESS, asked.vschess] + [str(path) for path in files], capture_output=True, text=True, check=True).stdout
                return [lines_of(json.loads(line)) for line in out.splitlines()]
            good &= compare(asked.kraton, folder, "vschess", trees)
        else:
            check_folder(asked.kraton, folder)
    sys.exit(not good)


main()
