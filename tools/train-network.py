#!/usr/bin/env python3
"""Trains a network for Xiangqi's evaluation on a GPU (PyTorch) from packed games of self-play.

    tools/train-network.py --out xiangqi.network [--width 256] [--king-buckets 6] [--output-buckets 8]
                           [--epochs 30] [--batch 16384] [--blend 0.4] [--check FILE] GAMES...

Reads the games and writes the network as docs/tuning.md and docs/networks.md specify them. The network
replaces the hand-made evaluation: this script does not know it (kraton-lab train can correct it).
--check writes `FEN ; VALUE` for some held-out positions, computed in the engine's integers;
`kraton-lab evaluate xiangqi FILE --network xiangqi.network` must say the same.
"""
import argparse
import os
import struct
import sys
import time
import zlib

import numpy as np
import torch

POINTS, INPUTS, PIECES, ONE, PHASES = 90, 14 * 90, 32, 255, 256
LETTERS = ".RCNPBAK.rcnpbak"  # by piece: type, black + 8
PHASE_OF = {1: 32, 2: 16, 3: 16}  # chariot, cannon, horse
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
NO_SCORE = -32768
ROW_LIMIT = 3.8


def board_of(fen):
    board = [0] * POINTS
    for row, text in enumerate(fen.split()[0].split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
            else:
                board[(9 - row) * 9 + file] = LETTERS.index(letter)
                file += 1
    return board


def fen_of(board, side):
    rows = []
    for rank in range(9, -1, -1):
        row, empty = "", 0
        for piece in board[rank * 9 : rank * 9 + 9]:
            if piece == 0:
                empty += 1
                continue
            row += (str(empty) if empty else "") + LETTERS[piece]
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows) + (" b" if side else " w") + " - - 0 1"


def games_of(path):
    """(start FEN, first side's half points, plies) of each game; a ply is four numbers."""
    data = open(path, "rb").read()
    if data[:8] != b"KRATONPG" or struct.unpack_from("<H", data, 8)[0] != 1:
        sys.exit(f"{path}: no packed games of version 1")
    (settings,) = struct.unpack_from("<H", data, 10)
    if b"game xiangqi\n" not in data[12 : 12 + settings]:
        sys.exit(f"{path}: not games of Xiangqi")
    at = 12 + settings + 4
    while at + 12 <= len(data):
        number, plies, opening, half_points, end, fen = struct.unpack_from("<IHHBBH", data, at)
        size = 12 + fen + 4 * plies
        if at + size + 4 > len(data):
            break
        if zlib.crc32(data[at : at + size]) != struct.unpack_from("<I", data, at + size)[0]:
            break
        start = data[at + 12 : at + 12 + fen].decode() or START + " w"
        yield start, half_points, list(struct.iter_unpack("<BBh", data[at + 12 + fen : at + size]))
        at += size + 4


def rows_of(board, side, king_buckets):
    """The active rows of a perspective."""
    king = board.index(7 + 8 * side)
    mirrored = king % 9 > 4
    king_file = 8 - king % 9 if mirrored else king % 9
    king_rank = 9 - king // 9 if side else king // 9
    bucket = 0 if king_buckets == 1 else 3 * (king_file - 3) + king_rank
    rows = []
    for point, piece in enumerate(board):
        if piece == 0:
            continue
        rank, file = point // 9, point % 9
        rank = 9 - rank if side else rank
        file = 8 - file if mirrored else file
        kind = (piece & 7) - 1 + (0 if piece >> 3 == side else 7)
        rows.append((bucket * 14 + kind) * POINTS + rank * 9 + file)
    return rows


class Data:
    """Quiet positions: no check, best move no capture, score within bounds, each board once."""

    def __init__(self, options):
        rows, buckets, scores, results, self.fens = [], [], [], [], []
        seen = set()
        padding = options.king_buckets * INPUTS
        for path in options.games:
            for start, half_points, plies in games_of(path):
                board, side = board_of(start), int(start.split()[1] == "b")
                for origin, target, score in plies:
                    quiet = not (origin & 128 or target & 128 or score == NO_SCORE)
                    key = (bytes(board), side)
                    if quiet and abs(score) <= options.max_score and key not in seen:
                        seen.add(key)
                        pair = [rows_of(board, s, options.king_buckets) for s in (side, 1 - side)]
                        rows.append([r + [padding] * (PIECES - len(r)) for r in pair])
                        phase = sum(PHASE_OF.get(piece & 7, 0) for piece in board)
                        buckets.append(phase * options.output_buckets // (PHASES + 1))
                        scores.append(score)
                        results.append((2 - half_points if side else half_points) / 2)
                        self.fens.append(fen_of(board, side))
                    board[target & 127], board[origin & 127] = board[origin & 127], 0
                    side = 1 - side
        self.rows = torch.from_numpy(np.array(rows, dtype=np.int16))
        self.buckets = torch.from_numpy(np.array(buckets, dtype=np.int64))
        self.scores = torch.from_numpy(np.array(scores, dtype=np.float32))
        self.results = torch.from_numpy(np.array(results, dtype=np.float32))


class Network(torch.nn.Module):
    def __init__(self, options):
        super().__init__()
        rows = options.king_buckets * INPUTS
        self.rows = torch.nn.EmbeddingBag(rows + 1, options.width, mode="sum", padding_idx=rows)
        torch.nn.init.uniform_(self.rows.weight, -0.1, 0.1)
        self.bias = torch.nn.Parameter(torch.full((options.width,), 0.3))
        self.output = torch.nn.Parameter(0.05 * torch.randn(options.output_buckets, 2 * options.width))
        self.constant = torch.nn.Parameter(torch.zeros(options.output_buckets))

    def forward(self, rows, buckets):
        units = [self.rows(rows[:, look].long()) + self.bias for look in (0, 1)]
        active = torch.cat(units, dim=1).clamp(0, 1) ** 2
        return (active * self.output[buckets]).sum(dim=1) + self.constant[buckets]

    def clip(self):
        with torch.no_grad():
            self.rows.weight.clamp_(-ROW_LIMIT, ROW_LIMIT)
            self.bias.clamp_(-ROW_LIMIT, ROW_LIMIT)


def fit_scale(scores, results):
    """k of the logistic function that predicts results best from scores."""
    best = min((torch.nn.functional.binary_cross_entropy_with_logits(k * scores, results).item(), k)
               for k in [0.0005 * 1.05**i for i in range(80)])
    return best[1]


def integers_of(network, k, options):
    """The weights of the file."""
    rows = np.rint(network.rows.weight.detach().cpu().numpy()[:-1] * ONE).astype(np.int16)
    bias = np.rint(network.bias.detach().cpu().numpy() * ONE).astype(np.int16)
    output = network.output.detach().cpu().numpy()
    unit = max(float(np.abs(output).max()), 1e-6) / 127
    constant = np.rint(network.constant.detach().cpu().numpy() / unit * 127).astype(np.int32)
    scale = round(65536 * unit / (127 * k))
    return rows, bias, np.rint(output / unit).astype(np.int8), constant, scale


def write_network(path, weights, text, options):
    rows, bias, output, constant, scale = weights
    about = ("game xiangqi\n" + text).encode()
    data = b"KRATONNN" + struct.pack("<HHIHHHHiI", 1, len(about), INPUTS, options.width,
                                     options.king_buckets, options.output_buckets, 0, scale, 0)
    data += about + rows.astype("<i2").tobytes() + bias.astype("<i2").tobytes()
    data += output.tobytes() + constant.astype("<i4").tobytes()
    checksum = 0xCBF29CE484222325
    for byte in data:
        checksum = (checksum ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    open(path, "wb").write(data + struct.pack("<Q", checksum))


def value_of(weights, rows, bucket):
    """The value of a position as the engine computes it."""
    table, bias, output, constant, scale = weights
    total = int(constant[bucket])
    width = len(bias)
    for look in (0, 1):
        units = bias.astype(np.int64)
        for row in rows[look]:
            if row < len(table):
                units = units + table[row]
        active = np.clip(units, 0, ONE) ** 2 >> 9
        total += int((active * output[bucket, look * width : (look + 1) * width].astype(np.int64)).sum())
    value = abs(total * scale) // 65536
    return value if total * scale >= 0 else -value


def main():
    parser = argparse.ArgumentParser(description="trains a network from packed games")
    parser.add_argument("games", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--check")
    for name, kind, usual in (("width", int, 256), ("king-buckets", int, 6), ("output-buckets", int, 8),
                              ("epochs", int, 30), ("batch", int, 16384), ("rate", float, 0.001),
                              ("blend", float, 0.4), ("max-score", int, 2000), ("seed", int, 1)):
        parser.add_argument("--" + name, type=kind, default=usual)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    began = time.time()
    data = Data(options)
    count = len(data.fens)
    held = max(count // 20, 1)  # the last games
    k = fit_scale(data.scores, data.results)
    print(f"{count} positions in {time.time() - began:.0f} s on {device}; K = {2.302585 / k:.1f}", flush=True)
    target = options.blend * data.results + (1 - options.blend) * torch.sigmoid(k * data.scores)
    rows, buckets, target = data.rows.to(device), data.buckets.to(device), target.to(device)
    network = Network(options).to(device)
    optimizer = torch.optim.Adam(network.parameters(), lr=options.rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, options.epochs, options.rate / 50)
    loss_of = torch.nn.functional.binary_cross_entropy_with_logits
    best = None
    for epoch in range(1, options.epochs + 1):
        order = torch.randperm(count - held, device=device)
        total = 0.0
        for part in order.split(options.batch):
            optimizer.zero_grad()
            loss = loss_of(network(rows[part], buckets[part]), target[part])
            loss.backward()
            optimizer.step()
            network.clip()
            total += loss.item() * len(part)
        schedule.step()
        with torch.no_grad():
            judged = loss_of(network(rows[-held:], buckets[-held:]), target[-held:]).item()
        print(f"epoch {epoch}/{options.epochs}  held out {judged:.6f}  training {total / len(order):.6f}"
              f"  {time.time() - began:.0f} s", flush=True)
        if best is None or judged < best:
            best = judged
            weights = integers_of(network, k, options)
            kept = epoch
    text = (f"positions {count}\nfrom {' '.join(os.path.basename(p) for p in options.games)}\n"
            f"command train-network.py\nblend {options.blend}\nepochs {kept} of {options.epochs}\n"
            f"batch {options.batch}\nrate {options.rate}\nloss {best:.6f}\n"
            f"date {time.strftime('%Y-%m-%d')}\n")
    write_network(options.out, weights, text, options)
    print(f"{options.out} written (epoch {kept})")
    if options.check:
        with open(options.check, "w") as out:
            for n in range(count - min(held, 1000), count):
                value = value_of(weights, data.rows[n].tolist(), int(data.buckets[n]))
                print(f"{data.fens[n]} ; {value}", file=out)


if __name__ == "__main__":
    main()
