#!/usr/bin/env python3
"""Compares the speed of two builds of Kraton: processor time of the same work, in turns.

  tools/compare-speed.py OLD NEW [--pairs 15] [--only NAME]
  tools/compare-speed.py OLD NEW --instructions [--only NAME]

OLD and NEW are build folders. A line for each subject: the median of NEW/OLD over the pairs and the
quartiles. Processor time is counted, on one core and with addresses that do not change from run to
run, so other programs on the machine disturb it little; a quiet machine is still better.

--instructions counts instructions with valgrind instead: exact to a few per mille on any machine,
but blind to caches, to system calls and to AVX-512. The server is left out then: how many moves
share a turn of its loop is up to the machine.

The search is compared by node. If the two trees differ, so do their nodes: a difference is then no
proof. Where the tool says so, compare with a build of the same tree.
"""
import argparse
import ctypes
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


def count(command):
    """Runs a command in valgrind; returns (instructions, its output)."""
    with tempfile.NamedTemporaryFile("r") as log:
        _, text = run(["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--log-file={log.name}",
                       "--cachegrind-out-file=/dev/null", *command])
        return int(re.search(r"I +refs: +([\d,]+)", log.read())[1].replace(",", "")), text


def pin():
    """Keeps this process and its children on one core, at addresses that do not change."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    still = 0x0040000  # ADDR_NO_RANDOMIZE
    ctypes.CDLL(None).personality(still)


def perft(measure, build, game, depth):
    return measure([f"{build}/kraton", "perft", game, str(depth)])[0]


def tables(measure, build, pieces):
    folder = tempfile.mkdtemp()
    try:
        return measure([f"{build}/kraton", "tb", "build", "--pieces", str(pieces), "--threads", "1",
                        "--dir", folder])[0]
    finally:
        shutil.rmtree(folder)


nodes = {}  # of a bench, by game: the trees that were compared


def search(measure, build, game, depths):
    """The cost of a node between two depths of the bench, so that starting does not count."""
    costs, counts = [], []
    for depth in depths:
        cost, text = measure([f"{build}/kraton-{game}", "bench", str(depth)])
        costs.append(cost)
        counts.append(int(re.match(r"(\d+) nodes", text)[1]))
    nodes.setdefault(game, set()).add(counts[1])
    return (costs[1] - costs[0]) / (counts[1] - counts[0])


def server(measure, build):
    """The server's own figure: processor time a move."""
    text = run([f"{build}/kraton", "bench", "serve", "--games", "200", "--spectators", "50",
                "--idle", "0", "--plies", "40"])[1]
    return float(re.search(r"CPU +([\d.]+) us a move", text)[1])


# By subject: what to do, with how much work in a measurement of time and in one of instructions.
SUBJECTS = {
    "perft-surakarta": (lambda m, build, depth: perft(m, build, "surakarta", depth), 7, 6),
    "perft-xiangqi": (lambda m, build, depth: perft(m, build, "xiangqi", depth), 5, 4),
    "tables": (tables, 7, 6),
    "search-surakarta": (lambda m, build, depths: search(m, build, "surakarta", depths), (4, 13), (4, 10)),
    "search-xiangqi": (lambda m, build, depths: search(m, build, "xiangqi", depths), (4, 12), (4, 10)),
    "server": (lambda m, build, _: server(m, build), None, None),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--only", choices=SUBJECTS, action="append")
    parser.add_argument("--instructions", action="store_true")
    options = parser.parse_args()
    if options.instructions and not shutil.which("valgrind"):
        sys.exit("tools/compare-speed.py: --instructions takes valgrind: apt install valgrind")
    if not options.instructions:
        pin()
    for name in options.only or SUBJECTS:
        work, for_time, for_count = SUBJECTS[name]
        if options.instructions and for_count is None:
            continue
        ratios = []
        for pair in range(1 if options.instructions else options.pairs):
            # Who goes first alternates, so that a drift of the clock rate hits both alike.
            order = [options.old, options.new] if pair % 2 else [options.new, options.old]
            if options.instructions:
                cost = {build: work(count, build, for_count) for build in order}
            else:
                cost = {build: work(run, build, for_time) for build in order}
            ratios.append(cost[options.new] / cost[options.old])
        game = name.partition("-")[2]
        differs = "; the trees differ" if "search" in name and len(nodes[game]) > 1 else ""
        if options.instructions:
            print(f"{name:18} new/old {ratios[0]:.3f} instructions{differs}", flush=True)
            continue
        low, middle, high = statistics.quantiles(ratios, n=4)
        print(f"{name:18} new/old {middle:.3f} ({low:.3f} to {high:.3f}), {len(ratios)} pairs"
              f"{differs}", flush=True)


main()
