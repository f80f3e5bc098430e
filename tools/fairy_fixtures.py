#!/usr/bin/env python3
"""Records what Fairy-Stockfish says of variants in files of its own format, for the tests of `shogi variant import`.

    pip install pyffish==0.0.90
    python3 tools/fairy_fixtures.py crates/shogi-rules/tests/it/data/fairy/*.ini

Beside each file, which has one section of its own name, a table is written: a line with the numbers of sequences of
moves from the start, then 500 positions of random games, each with how the game has ended there for the side to
move (or `-`), the number of its legal moves, and FNV-1a of 32 bits over them in USI notation, sorted and each with a space
behind it.
"""

import argparse
import random
from pathlib import Path

import fairy_stockfish
import pyffish
from pyffish_differential import VARIANTS, Position, Variant

POSITIONS = 500
LONGEST_GAME = 120


def fnv(text):
    value = 0x811C9DC5
    for byte in text.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def end_of(name, position, moves):
    """How the game has ended for the side to move; `-` if it goes on."""
    is_over, value = pyffish.is_immediate_game_end(name, position.fen(), [])
    if not is_over:
        if moves:
            return "-"
        value = pyffish.game_result(name, position.fen(), [])
    return "win" if value > 0 else "loss" if value < 0 else "draw"


def perft(name, position, depth):
    moves = pyffish.legal_moves(name, position.fen(), [])
    if end_of(name, position, moves) != "-":
        return 0
    if depth == 1:
        return len(moves)
    nodes = 0
    for move in moves:
        after = Position(name, position.fen())
        after.play(move)
        nodes += perft(name, after, depth - 1)
    return nodes


def table(name, seed, deepest):
    start = Position(name)
    counts = [str(perft(name, start, depth)) for depth in range(1, deepest + 1)]
    lines = ["perft\t" + "\t".join(counts)]
    source, seen = random.Random(seed), set()
    while len(seen) < POSITIONS:
        position, taste = Position(name), source.choice([0.0, 0.3, 0.6])
        for _ in range(LONGEST_GAME):
            legal = pyffish.legal_moves(name, position.fen(), [])
            end = end_of(name, position, legal)
            if position.sfen() not in seen and len(seen) < POSITIONS:
                seen.add(position.sfen())
                moves = sorted(position.usi(move) for move in legal) if end == "-" else []
                hashed = fnv("".join(move + " " for move in moves))
                lines.append(f"{position.sfen()}\t{end}\t{len(moves)}\t{hashed:08x}")
            if end != "-":
                break
            captures = [move for move in legal if "@" not in move and position[move.rstrip("+-")[2:]] != "."]
            liked = captures if captures and source.random() < taste else legal
            position.play(source.choice(liked))
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depth", type=int, default=4, help="plies of the longest sequences")
    arguments = parser.parse_args()
    for file in arguments.files:
        pyffish.load_variant_config(file.read_text())
        name = file.stem
        VARIANTS[name] = Variant(drop_pawn_mate_is_legal=True)
        fairy_stockfish.LESS_KNOWN.add(name)
        file.with_suffix(".tsv").write_text(table(name, arguments.seed, arguments.depth))
        print(f"{file}: {POSITIONS} positions")


if __name__ == "__main__":
    main()
