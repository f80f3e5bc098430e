#!/usr/bin/env python3
"""Compares `shogi learn convert` with cshogi on PSV and hcpe, byte for byte.

    pip install cshogi
    cargo build --release
    python3 tools/training_data_peer.py --shogi target/release/shogi --positions 1000000

cshogi plays random games, from the start and from handicaps, and packs every position with one of its legal moves, a
score, a result and the number of the move: as PSV and as hcpe. Our program reads the one and writes the other, and the
bytes have to be cshogi's; so has every position alone, as PackedSfen and as HCP. The exit code is 0 if all are, 1 at
the first that is not (which is printed), and 0 with a notice where cshogi is not installed.
"""

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import cshogi
    import numpy as np
except ImportError:
    cshogi = None

LONGEST_GAME = 250
# A game in so many begins with a handicap, whose pieces lie in the box.
HANDICAP_EVERY = 5
HANDICAPS = [
    "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
]


def games(positions, seed):
    """The entries of random games as PSV and as hcpe."""
    choice = random.Random(seed)
    psv = np.zeros(positions, cshogi.PackedSfenValue)
    hcpe = np.zeros(positions, cshogi.HuffmanCodedPosAndEval)
    at, game = 0, 0
    while at < positions:
        handicapped = game % HANDICAP_EVERY == 0
        board = cshogi.Board(choice.choice(HANDICAPS)) if handicapped else cshogi.Board()
        game += 1
        # 0 drawn, 1 won by Sente, 2 by Gote.
        result = choice.randrange(3)
        for ply in range(1, LONGEST_GAME):
            legal = list(board.legal_moves)
            if not legal or at == positions:
                break
            move = choice.choice(legal)
            number = cshogi.move16(move)
            score = choice.randrange(-32_000, 32_001)
            for_mover = 0 if result == 0 else 1 if (result == 1) == (board.turn == cshogi.BLACK) else -1
            board.to_psfen(psv[at : at + 1]["sfen"])
            board.to_hcp(hcpe[at : at + 1]["hcp"])
            psv[at]["score"] = hcpe[at]["eval"] = score
            psv[at]["move"], hcpe[at]["bestMove16"] = cshogi.move16_to_psv(number), number
            psv[at]["gamePly"] = ply
            psv[at]["game_result"], hcpe[at]["gameResult"] = for_mover, result
            at += 1
            board.push(move)
    return psv, hcpe


def convert(shogi, source, target):
    """What the program writes."""
    command = [shogi, "learn", "convert", "shogi", str(source), "--out", str(target)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return target.read_bytes()


def compare(what, found, wanted, entry):
    """Ends the program at the first entry that differs."""
    if found == wanted:
        return
    for at in range(0, max(len(found), len(wanted)), entry):
        if found[at : at + entry] != wanted[at : at + entry]:
            ours, theirs = found[at : at + entry].hex(), wanted[at : at + entry].hex()
            sys.exit(f"{what}: entry {at // entry} is {ours}, cshogi has {theirs}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shogi", default="target/release/shogi", help="our program")
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if cshogi is None:
        print("cshogi is not installed: nothing is compared")
        return
    psv, hcpe = games(arguments.positions, arguments.seed)
    # There is no place in hcpe for the number of the move.
    without_numbers = psv.copy()
    without_numbers["gamePly"] = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name, entries in (("a.psv", psv), ("a.hcpe", hcpe)):
            (folder / name).write_bytes(entries.tobytes())
        for source, target, wanted in (
            ("a.psv", "b.hcpe", hcpe),
            ("a.hcpe", "b.psv", without_numbers),
            ("a.psv", "c.psv", psv),
            ("a.psv", "b.hcp", hcpe["hcp"]),
            ("a.hcpe", "b.psfen", psv["sfen"]),
        ):
            found = convert(arguments.shogi, folder / source, folder / target)
            entry = wanted.itemsize if wanted.ndim == 1 else 32
            compare(f"{source} to {target}", found, np.ascontiguousarray(wanted).tobytes(), entry)
    distinct = len(np.unique(psv["sfen"], axis=0))
    print(f"{len(psv)} positions, {distinct} of them distinct: the bytes of cshogi {cshogi.__version__ if hasattr(cshogi, '__version__') else ''}".rstrip())


if __name__ == "__main__":
    main()
