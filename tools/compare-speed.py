#!/usr/bin/env python3
"""Compares the speed of two builds of Kraton: processor time of the same work, in turns.

  tools/compare-speed.py OLD NEW [--pairs 15] [--only NAME]

OLD and NEW are build folders. A line for each subject: the median of NEW/OLD over the pairs and the
quartiles. Processor time is counted, so other programs on the machine disturb it little, but a
quiet machine is still better. The search is compared by nodes a second, since its tree may differ.
"""
import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile


def run(command):
    """Runs a command; returns (processor seconds, its output)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}: {done.stderr.strip()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def perft(build, game, depth):
    return run([f"{build}/kraton", "perft", game, str(depth)])[0]


def tables(build):
    folder = tempfile.mkdtemp()
    try:
        return run([f"{build}/kraton", "tb", "build", "--pieces", "6", "--dir", folder])[0]
    finally:
        shutil.rmtree(folder)


def search(build, game):
    seconds, text = run([f"{build}/kraton-{game}", "bench", "11"])
    return seconds / float(re.match(r"(\d+) nodes", text).group(1))


def server(build):
    """The server's own figure: processor time a move."""
    text = run([f"{build}/kraton", "bench", "serve", "--games", "200", "--spectators", "50",
                "--idle", "0", "--plies", "40"])[1]
    return float(re.search(r"CPU +([\d.]+) us a move", text).group(1))


SUBJECTS = {
    "perft-surakarta": lambda build: perft(build, "surakarta", 7),
    "perft-xiangqi": lambda build: perft(build, "xiangqi", 5),
    "tables": tables,
    "search-surakarta": lambda build: search(build, "surakarta"),
    "search-xiangqi": lambda build: search(build, "xiangqi"),
    "server": server,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--only", choices=SUBJECTS, action="append")
    options = parser.parse_args()
    for name in options.only or SUBJECTS:
        ratios = []
        for pair in range(options.pairs):
            # Who goes first alternates, so that a drift of the clock rate hits both alike.
            order = [options.old, options.new] if pair % 2 else [options.new, options.old]
            cost = {build: SUBJECTS[name](build) for build in order}
            ratios.append(cost[options.new] / cost[options.old])
        low, middle, high = statistics.quantiles(ratios, n=4)
        print(f"{name:18} new/old {middle:.3f} ({low:.3f} to {high:.3f}), {len(ratios)} pairs",
              flush=True)


main()
