"""Has cshogi and python-shogi read the records that `shogi convert` writes: record_peers.py SHOGI GAMES.

Random games of shogi, some with a variation, are written as KIF and CSA; both libraries must find the same
moves and the same winner of a resignation. They read main lines only, so that variations must not disturb them;
python-shogi knows no variations in KIF, and is given games without.
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import cshogi
import shogi
import shogi.CSA
import shogi.KIF
from cshogi import CSA, KIF

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"


def random_game(seed):
    """Moves in USI and, of every other game, a move that was legal in place of one of them, with its number."""
    rng = random.Random(seed)
    board = shogi.Board()
    moves, other = [], None
    for number in range(1, rng.randrange(20, 120)):
        legal = sorted(move.usi() for move in board.legal_moves)
        if not legal:
            break
        played = rng.choice(legal)
        if seed % 2 == 0 and len(legal) > 1 and other is None and rng.random() < 0.1:
            other = number, rng.choice([move for move in legal if move != played])
        moves.append(played)
        board.push_usi(played)
    return moves, other


def json_record(moves, other):
    """The game in the program's JSON, with the other move as a variation, resigned by the player to move."""
    elements = [{"move": move} for move in moves]
    if other:
        number, move = other
        elements[number - 1]["variations"] = [[{"move": move}]]
    return {"variant": "shogi", "start": START, "moves": elements, "end": {"how": "resignation"}}


def convert(program, path, target):
    done = subprocess.run([program, "convert", "shogi", str(path), "--to", target], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{path} to {target}: {done.stderr}")
    return done.stdout


def by_cshogi(format, text):
    found = {"kif": KIF, "csa": CSA}[format].Parser.parse_str(text)
    found = found[0] if isinstance(found, list) else found
    return [cshogi.move_to_usi(move) for move in found.moves], {1: "b", 2: "w"}.get(found.win)


def by_python_shogi(format, text):
    found = {"kif": shogi.KIF, "csa": shogi.CSA}[format].Parser.parse_str(text)[0]
    return list(found["moves"]), found["win"]


def main(program, games):
    compared = varied = 0
    for seed in range(games):
        moves, other = random_game(seed)
        winner = "wb"[len(moves) % 2]
        varied += other is not None
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game.json"
            path.write_text(json.dumps(json_record(moves, other)) + "\n")
            for format in ["kif", "csa"]:
                text = convert(program, path, format)
                for reader in [by_cshogi] if format == "kif" and other else [by_cshogi, by_python_shogi]:
                    found = reader(format, text)
                    if found != (moves, winner):
                        sys.exit(f"game {seed}, {format}, {reader.__name__}: {found}, not {(moves, winner)}\n{text}")
                    compared += len(moves)
    print(f"{compared} moves of {games} games, {varied} of them with a variation, are read alike by cshogi and python-shogi")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
