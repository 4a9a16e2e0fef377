#!/usr/bin/env python3
"""Draws the plots of docs/endgame-statistics.md: plot-endgames.py COUNTS.csv IMAGES

COUNTS.csv is what `kraton tb build --csv` writes. IMAGES is the folder for endgames-values-RULES.svg
(share of wins, draws and losses by split) and endgames-distances-RULES.svg (wins by distance)."""
import csv
import math
import sys
from collections import defaultdict
from pathlib import Path

COLOURS = {"win": "#2a7f5f", "draw": "#c9c3b1", "loss": "#b5493c"}
LINES = ["#1b6ca8", "#c2571a", "#2a7f5f", "#8b3fa0", "#7a6a1f", "#444444"]
TEXT = 'font-family="sans-serif" font-size="11" fill="#333"'


def read(path):
    """counts[rules][to-move, others][value][distance]"""
    counts = defaultdict(lambda: defaultdict(lambda: defaultdict(lambda: defaultdict(int))))
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            split = int(row["to-move"]), int(row["others"])
            counts[row["rules"]][split][row["value"]][int(row["distance"])] += int(row["placements"])
    return counts


def svg(path, width, height, parts):
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">\n'
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n")


def draw_values(path, splits):
    """A bar for each split of at least six pieces, by pieces and then by who has more."""
    names = sorted((s for s in splits if sum(s) >= 6), key=lambda s: (sum(s), -s[0]))
    bar, left, top = 12, 60, 24
    parts = [f'<text x="{left}" y="14" {TEXT}>of the side to move, per cent:</text>']
    for i, (value, colour) in enumerate(COLOURS.items()):
        x = left + 170 + 70 * i
        parts.append(f'<rect x="{x}" y="5" width="10" height="10" fill="{colour}"/>'
                     f'<text x="{x + 15}" y="14" {TEXT}>{value}</text>')
    for i, split in enumerate(names):
        y, x = top + i * (bar + 3), left
        sums = {v: sum(splits[split][v].values()) for v in COLOURS}
        parts.append(f'<text x="{left - 6}" y="{y + bar - 2}" text-anchor="end" {TEXT}>'
                     f"{split[0]}v{split[1]}</text>")
        for value, colour in COLOURS.items():
            width = 500 * sums[value] / sum(sums.values())
            parts.append(f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{bar}" '
                         f'fill="{colour}"/>')
            x += width
    svg(path, left + 520, top + len(names) * (bar + 3) + 8, parts)


def draw_distances(path, splits):
    """Wins by distance of the largest splits, on a logarithmic scale."""
    names = sorted(splits, key=lambda s: -sum(sum(d.values()) for d in splits[s].values()))[:6]
    longest = max((d for s in names for d in splits[s]["win"]), default=1)
    most = max(n for s in names for n in splits[s]["win"].values())
    left, top, width, height = 60, 20, 520, 300
    decades = math.ceil(math.log10(most))

    def place(distance, count):
        return (left + width * distance / longest,
                top + height * (1 - math.log10(max(count, 1)) / decades))

    parts = [f'<text x="{left}" y="12" {TEXT}>won placements by plies to the capture</text>']
    for decade in range(0, decades + 1, 2):
        y = place(0, 10**decade)[1]
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + width}" y2="{y:.1f}" '
                     f'stroke="#ddd"/><text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end" '
                     f"{TEXT}>1e{decade}</text>")
    for distance in range(0, longest + 1, 5):
        x = place(distance, 1)[0]
        parts.append(f'<text x="{x:.1f}" y="{top + height + 16}" text-anchor="middle" {TEXT}>'
                     f"{distance}</text>")
    for i, split in enumerate(names):
        points = sorted((d, n) for d, n in splits[split]["win"].items() if d > 0)
        path_points = " ".join("%.1f,%.1f" % place(d, n) for d, n in points)
        parts.append(f'<polyline points="{path_points}" fill="none" stroke="{LINES[i]}" '
                     f'stroke-width="1.5"/><text x="{left + width - 40}" y="{top + 14 + 14 * i}" '
                     f'font-family="sans-serif" font-size="11" fill="{LINES[i]}">'
                     f"{split[0]}v{split[1]}</text>")
    svg(path, left + width + 20, top + height + 24, parts)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder = Path(sys.argv[2])
    for rules, splits in read(sys.argv[1]).items():
        draw_values(folder / f"endgames-values-{rules}.svg", splits)
        draw_distances(folder / f"endgames-distances-{rules}.svg", splits)


main()
