#!/usr/bin/env python3
"""Trains a network for an evaluation with PyTorch, on a GPU if there is one.

    kraton-lab positions xiangqi xiangqi.games --window 0 --binary xiangqi.positions
    tools/train-network.py xiangqi.positions --out xiangqi.network [--width 256] [--king-buckets 6]
        [--output-buckets 8] [--replace] [--epochs 30] [--batch 16384] [--rate 0.001] [--decay 0.01]
        [--blend 0.3] [--hold-out 5] [--seed 1] [--check FILE]

Reads positions and writes the network as docs/networks.md specifies them. The network corrects the hand-made
evaluation, or with --replace takes its place. --check writes `FEN ; VALUE` for some held-out positions,
computed in the engine's integers; `kraton-lab evaluate GAME FILE --network NETWORK` must say the same.
"""
import argparse
import os
import struct
import sys
import time
import types

import numpy as np
import torch
import torch.nn.functional as F

ONE, PIECES, ROW_LIMIT, EVAL_MAX = 255, 32, 3.8, 14999
BLOCK = 2000  # positions in a row that are held out together, so that those of a game stay together


class Xiangqi:
    """Inputs: 14 kinds of pieces on 90 points as a side sees them, mirrored by its king."""

    points, inputs, symmetries = 90, 14 * 90, 1
    letters = ".RCNPBAK.rcnpbak"
    phase_of = np.array([0, 32, 16, 16, 0, 0, 0, 0] * 2)

    @staticmethod
    def rows(board, side, king_buckets):
        """Rows of a perspective, point by point, and whether the mirror image has others."""
        king = (board == (7 + 8 * side)[:, None]).argmax(axis=1)
        file, rank = king % 9, np.where(side == 1, 9 - king // 9, king // 9)
        mirrored = file > 4
        bucket = np.zeros_like(rank) if king_buckets == 1 else 3 * (file == 4) + rank
        point = np.arange(90)
        ranks = np.where(side[:, None] == 1, 9 - point // 9, point // 9)
        files = np.where(mirrored[:, None], 8 - point % 9, point % 9)
        kind = (board & 7) - 1 + np.where(board >> 3 == side[:, None], 0, 7)
        return (bucket[:, None] * 14 + kind) * 90 + ranks * 9 + files, file == 4

    @staticmethod
    def flip(rows):
        """The row of the mirror image, where the king stands on the middle file."""
        row = np.arange(rows)
        return row - row % 9 + 8 - row % 9

    @classmethod
    def bucket(cls, board, buckets):
        return cls.phase_of[board].sum(axis=1) * buckets // 257

    @classmethod
    def fen(cls, board, side):
        rows = [board[rank * 9 : rank * 9 + 9] for rank in range(9, -1, -1)]
        return fen_rows(rows, cls.letters) + (" b" if side else " w") + " - - 0 1"


class Surakarta:
    """Inputs: own pieces on 36 points, then the other's. Eight symmetries are in the weights."""

    points, inputs, symmetries = 36, 72, 8
    letters = ".bw"

    @staticmethod
    def rows(board, side, king_buckets):
        own = board == side[:, None] + 1
        return np.where(own, 0, 36) + np.arange(36), np.zeros(len(board), dtype=bool)

    @staticmethod
    def flip(rows):
        return np.arange(rows)

    @staticmethod
    def bucket(board, buckets):
        return (board != 0).sum(axis=1) * buckets // 25

    @classmethod
    def fen(cls, board, side):
        rows = [board[row * 6 : row * 6 + 6] for row in range(6)]
        return fen_rows(rows, cls.letters) + (" w" if side else " b") + " 0 1"

    @staticmethod
    def turn(point, n):
        row, column = point // 6, point % 6
        column = 5 - column if n & 1 else column
        row = 5 - row if n & 2 else row
        return column * 6 + row if n & 4 else row * 6 + column


GAMES = {"xiangqi": Xiangqi, "surakarta": Surakarta}


def fen_rows(rows, letters):
    def words(row):
        text, empty = "", 0
        for piece in row:
            if piece == 0:
                empty += 1
                continue
            text += (str(empty) if empty else "") + letters[piece]
            empty = 0
        return text + (str(empty) if empty else "")

    return "/".join(words(row) for row in rows)


class Positions:
    """The records of files that kraton-lab wrote."""

    def __init__(self, paths):
        parts = []
        for path in paths:
            with open(path, "rb") as file:
                words = file.readline(100).split()
                if words[:2] != [b"KRATONPS", b"1"] or len(words) != 4:
                    sys.exit(f"{path}: no positions of version 1 (kraton-lab positions --binary)")
                self.name = words[2].decode()
                if parts and self.name != game:
                    sys.exit(f"{path}: positions of {self.name} after those of {game}")
                game = self.name
                self.game = GAMES[self.name]
                half = self.game.points // 2
                data = np.frombuffer(file.read(), dtype=np.uint8)
                parts.append(data[: len(data) // (half + 8) * (half + 8)].reshape(-1, half + 8))
        data = np.concatenate(parts)
        packed = data[:, :half]
        self.board = np.empty((len(data), 2 * half), dtype=np.int64)
        self.board[:, 0::2], self.board[:, 1::2] = packed & 15, packed >> 4
        self.side = data[:, half].astype(np.int64)
        self.result = data[:, half + 1].astype(np.float32) / 2
        values = data[:, half + 2 :].copy().view("<i2").astype(np.float32)
        self.score, self.hand, self.plain = values[:, 0].copy(), values[:, 1].copy(), values[:, 2].copy()
        self.count = len(data)


def views(positions, king_buckets):
    """Rows of both perspectives (padded to PIECES), and which of them have a mirror image."""
    padding = king_buckets * positions.game.inputs
    count = positions.count
    at, point = np.nonzero(positions.board)
    place = np.arange(len(at)) - np.searchsorted(at, np.arange(count))[at]
    rows = np.full((count, 2, PIECES), padding, dtype=np.int32)
    mirrors = np.zeros((count, 2), dtype=bool)
    for look in (0, 1):
        for first in range(0, count, 65536):  # in parts, for the memory
            part = slice(first, first + 65536)
            found, mirrors[part, look] = positions.game.rows(
                positions.board[part], positions.side[part] ^ look, king_buckets)
            mine = (at >= first) & (at < first + 65536)
            rows[at[mine], look, place[mine]] = found[at[mine] - first, point[mine]]
    return rows, mirrors


class Network(torch.nn.Module):
    def __init__(self, game, options):
        super().__init__()
        self.game, self.options = game, options
        inputs, turns = options.king_buckets * game.inputs, game.symmetries
        units = options.width // turns
        self.base = torch.nn.Parameter(torch.empty(inputs, units).uniform_(-0.1, 0.1))
        # What all king buckets share: rare buckets learn from the others.
        self.shared = torch.nn.Parameter(torch.zeros(game.inputs, units)) if options.king_buckets > 1 else None
        self.bias = torch.nn.Parameter(torch.full((units,), 0.3))
        spread = 0.0 if options.corrects else 0.05
        self.output = torch.nn.Parameter(spread * torch.randn(options.output_buckets, 2, units))
        self.constant = torch.nn.Parameter(torch.zeros(options.output_buckets))
        if turns > 1:
            turn = [[game.turn(p, s) for s in range(turns)] for p in range(game.points)]
            self.register_buffer("turned", torch.tensor(turn))

    def layers(self):
        """Rows, bias and outputs of all units."""
        rows, turns = self.base, self.game.symmetries
        if self.shared is not None:
            rows = rows + self.shared.repeat(self.options.king_buckets, 1)
        if turns == 1:
            return rows, self.bias, self.output
        kinds = rows.view(-1, self.game.points, rows.shape[1])[:, self.turned]  # kind, point, symmetry, group
        rows = kinds.transpose(2, 3).reshape(-1, self.options.width)
        return rows, self.bias.repeat_interleave(turns), self.output.repeat_interleave(turns, dim=2)

    def forward(self, rows, buckets):
        table, bias, output = self.layers()
        # A product with a matrix of ones and zeros is faster than adding up rows.
        seen = torch.zeros(2 * len(rows), len(table) + 1, device=rows.device)
        seen.scatter_(1, rows.view(2 * len(rows), -1).long(), 1.0)
        units = seen[:, :-1] @ table + bias
        active = units.view(len(rows), 2, -1).clamp(0, 1) ** 2
        return (active * output[buckets]).sum(dim=(1, 2)) + self.constant[buckets]

    def clip(self):
        with torch.no_grad():
            self.base.clamp_(-ROW_LIMIT / 2, ROW_LIMIT / 2)
            self.bias.clamp_(-ROW_LIMIT, ROW_LIMIT)
            if self.shared is not None:
                self.shared.clamp_(-ROW_LIMIT / 2, ROW_LIMIT / 2)


def fit_scale(scores, results):
    """k of the logistic function that predicts results best from scores, and its loss."""
    loss = F.binary_cross_entropy_with_logits
    return min((loss(k * scores, results).item(), k) for k in [0.0005 * 1.05**i for i in range(120)])[1]


def integers_of(network, k):
    """The weights of the file."""
    with torch.no_grad():
        rows, bias, output = (layer.cpu().double().numpy() for layer in network.layers())
        constant = network.constant.cpu().double().numpy()
    unit = max(float(np.abs(output).max()), 1e-6) / 127
    return types.SimpleNamespace(
        rows=np.rint(rows * ONE).astype(np.int16), bias=np.rint(bias * ONE).astype(np.int16),
        output=np.rint(output / unit).astype(np.int8), constant=np.rint(constant / unit * 127).astype(np.int32),
        scale=round(65536 * unit / (127 * k)))


def values_of(weights, rows, buckets, device):
    """The network's values as the engine computes them, in centipawns."""
    table = torch.from_numpy(np.vstack([weights.rows, np.zeros((1, len(weights.bias)), np.int16)])).to(device).float()
    bias = torch.from_numpy(weights.bias).to(device).float()
    output = torch.from_numpy(weights.output).to(device).double()
    constant = torch.from_numpy(weights.constant).to(device).double()
    parts = []
    for part in torch.arange(len(rows), device=device).split(16384):
        total = constant[buckets[part]]
        for look in (0, 1):
            units = F.embedding_bag(rows[part, look], table, mode="sum") + bias  # whole numbers below 2^24: exact
            active = torch.floor(units.clamp(0, ONE) ** 2 / 512).double()
            total = total + (active * output[buckets[part], look]).sum(dim=1)
        parts.append(torch.trunc(total * weights.scale / 65536))
    return torch.cat(parts)


def write_network(path, game, weights, text, options):
    about = f"game {game}\n{text}".encode()
    data = b"KRATONNN" + struct.pack("<HHIHHHHiI", 1, len(about), GAMES[game].inputs, options.width,
                                     options.king_buckets, options.output_buckets, options.corrects, weights.scale, 0)
    data += about + weights.rows.astype("<i2").tobytes() + weights.bias.astype("<i2").tobytes()
    data += weights.output.tobytes() + weights.constant.astype("<i4").tobytes()
    checksum = 0xCBF29CE484222325
    for byte in data:
        checksum = (checksum ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    with open(path, "wb") as out:
        out.write(data + struct.pack("<Q", checksum))


def train(positions, options, say=print, deadline=None):
    """Trains, writes options.out (and options.check), and returns the losses on held-out positions."""
    torch.manual_seed(options.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    began = time.time()
    game = positions.game
    rows, mirrors = views(positions, options.king_buckets)
    rows, mirrors = torch.from_numpy(rows).to(device), torch.from_numpy(mirrors).to(device)
    flip = torch.from_numpy(np.append(game.flip(options.king_buckets * game.inputs),
                                      options.king_buckets * game.inputs)).to(device).int()
    buckets = torch.from_numpy(game.bucket(positions.board, options.output_buckets)).to(device)
    score, result, hand, plain = (torch.from_numpy(v).to(device) for v in
                                  (positions.score, positions.result, positions.hand, positions.plain))
    k = fit_scale(score, result)
    target = options.blend * result + (1 - options.blend) * torch.sigmoid(k * score)
    base = k * hand if options.corrects else torch.zeros_like(hand)
    loss_of = F.binary_cross_entropy_with_logits
    block = min(BLOCK, max(positions.count // 100, 1))
    number = torch.arange(positions.count, device=device) // block
    held_out = (number * options.hold_out) % 100 < options.hold_out
    learnt, held = (~held_out).nonzero()[:, 0], held_out.nonzero()[:, 0]
    losses = {"hand": loss_of(k * plain[held], target[held]).item(),
              "search": loss_of(k * score[held], target[held]).item()}
    say(f"{positions.count} positions of {positions.name} on {device}, {len(held)} held out; K = {2.302585 / k:.1f}; "
        f"held out: hand-made {losses['hand']:.6f}, search {losses['search']:.6f}")
    network = Network(game, options).to(device)
    optimizer = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=options.decay)
    batches = options.epochs * -(-len(learnt) // options.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, options.rate, batches, pct_start=0.1)

    def judge():
        with torch.no_grad():
            parts = [network(rows[part], buckets[part]) for part in held.split(16384)]
            return loss_of(torch.cat(parts) + base[held], target[held]).item()

    best, kept, weights = judge(), 0, integers_of(network, k)
    for epoch in range(1, options.epochs + 1):
        order, total = learnt[torch.randperm(len(learnt), device=device)], 0.0
        for part in order.split(options.batch):
            seen = rows[part]
            if game is Xiangqi:  # half of the positions as their mirror image
                turned = (torch.rand(len(part), 1, device=device) < 0.5) & mirrors[part]
                seen = torch.where(turned[:, :, None], flip[seen.long()], seen)
            optimizer.zero_grad()
            loss = loss_of(network(seen, buckets[part]) + base[part], target[part])
            loss.backward()
            optimizer.step()
            schedule.step()
            network.clip()
            total += loss.detach() * len(part)
        judged = judge()
        if options.verbose:
            say(f"epoch {epoch}/{options.epochs}  held out {judged:.6f}  training {float(total) / len(order):.6f}"
                f"  {time.time() - began:.0f} s")
        if judged < best:
            best, kept, weights = judged, epoch, integers_of(network, k)
        if deadline and time.time() > deadline:
            break
    values = values_of(weights, rows[held], buckets[held], device).float() + hand[held] * options.corrects
    values = values.clamp(-EVAL_MAX, EVAL_MAX)
    losses["network"] = loss_of(k * values, target[held]).item()
    # Apart, so that networks with different targets can be compared.
    for name, goal in (("results", result), ("scores", torch.sigmoid(k * score))):
        losses[f"network on {name}"] = loss_of(k * values, goal[held]).item()
        losses[f"hand on {name}"] = loss_of(k * plain[held], goal[held]).item()
    text = (f"positions {positions.count}\nfrom {options.source}\ncommand train-network.py --width {options.width} "
            f"--king-buckets {options.king_buckets} --output-buckets {options.output_buckets} "
            f"{'' if options.corrects else '--replace '}--epochs {options.epochs} --batch {options.batch} "
            f"--rate {options.rate} --decay {options.decay} --blend {options.blend} --seed {options.seed}\n"
            f"epoch {kept}\nloss {losses['network']:.6f}\nhand-made {losses['hand']:.6f}\n"
            f"date {time.strftime('%Y-%m-%d')}\n")
    write_network(options.out, positions.name, weights, text, options)
    say(f"{options.out} written: epoch {kept}, held out {losses['network']:.6f} in integers "
        f"(hand-made {losses['hand']:.6f}), {time.time() - began:.0f} s")
    if options.check:
        with open(options.check, "w") as out:
            for n, value in list(zip(held.tolist(), values.tolist()))[:1000]:
                print(f"{game.fen(positions.board[n], positions.side[n])} ; {int(value)}", file=out)
    return losses


OPTIONS = (("width", int, 256), ("king-buckets", int, 1), ("output-buckets", int, 8), ("epochs", int, 30),
           ("batch", int, 16384), ("rate", float, 0.001), ("decay", float, 0.01), ("blend", float, 0.3),
           ("hold-out", int, 5), ("seed", int, 1))


def main():
    parser = argparse.ArgumentParser(description="trains a network from positions of packed games")
    parser.add_argument("positions", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--check")
    parser.add_argument("--replace", action="store_true")
    for name, kind, usual in OPTIONS:
        parser.add_argument("--" + name, type=kind, default=usual)
    options = parser.parse_args()
    options.corrects, options.verbose = int(not options.replace), True
    options.source = " ".join(os.path.basename(path) for path in options.positions)
    train(Positions(options.positions), options)


if __name__ == "__main__":
    main()
