#!/usr/bin/env python3
"""Compares the values that YaneuraOu and our player give to positions by one network, an `nn.bin`.

    shogi learn fit shogi --archive games.psv --form halfkp --out nn.bin
    python3 tools/nn_bin_peer.py --shogi target/release/shogi --yaneuraou YaneuraOu-by-gcc --network nn.bin

YaneuraOu is built with YANEURAOU_EDITION=YANEURAOU_ENGINE_NNUE, for --form kp with YANEURAOU_ENGINE_NNUE_KP256. Positions
are those of games of our player after random openings. Its command `e` prints the raw value, of which a pawn has 90; ours
is in hundredths of a pawn, rounded towards zero. The exit code is 0 if all are the same, and 1 at the first that differs,
which is printed, or if the network is of another form.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path


# The hash that a network of a form has in bytes 4 to 7 of its file.
HASHES = {"halfkp": 0x3E5AA6EE, "kp": 0x5C6464A9}


def check_form(network, form):
    """That a network is of this form."""
    with open(network, "rb") as file:
        found = int.from_bytes(file.read(8)[4:], "little")
    if found != HASHES[form]:
        names = [name for name, number in HASHES.items() if number == found]
        sys.exit(f"{network}: the network is {names[0] if names else 'of an unknown form'}, but --form {form} was given")


def positions(shogi, count, seed):
    """Positions of games, as USI writes them."""
    with tempfile.TemporaryDirectory() as folder:
        records = Path(folder) / "games.jsonl"
        games = max(2, count // 50)
        command = [shogi, "selfplay", "shogi", "--games", str(games), "--nodes", "20", "--seed", str(seed), "--records", str(records)]
        subprocess.run(command, check=True, capture_output=True)
        lines = []
        for record in records.read_text().splitlines():
            moves = [one["move"] for one in json.loads(record)["moves"]]
            lines += [f"position startpos moves {' '.join(moves[:length])}" for length in range(1, len(moves))]
    return lines[:: max(1, len(lines) // count)][:count]


def ours(shogi, network, lines):
    """What our player's evaluation says, in hundredths of a pawn."""
    command = [shogi, "explain", "shogi", "--eval", network, "--json"]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return [json.loads(line)["value"] for line in done.stdout.splitlines()]


def theirs(yaneuraou, network, lines, scale):
    """What YaneuraOu says, raw."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "nn.bin").symlink_to(Path(network).resolve())
        commands = ["usi", f"setoption name EvalDir value {folder}", f"setoption name FV_SCALE value {scale}", "isready"]
        for line in lines:
            commands += [line, "e"]
        commands.append("quit")
        done = subprocess.run([Path(yaneuraou).resolve()], input="\n".join(commands) + "\n", capture_output=True, text=True)
    values = [int(line.split("=")[1]) for line in done.stdout.splitlines() if line.startswith("eval =")]
    if len(values) != len(lines):
        sys.exit(f"{len(values)} values for {len(lines)} positions:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return values


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shogi", default="target/release/shogi", help="our program")
    parser.add_argument("--yaneuraou", required=True, help="YaneuraOu with its NNUE evaluation")
    parser.add_argument("--network", required=True, help="the nn.bin")
    parser.add_argument("--form", choices=sorted(HASHES), default="halfkp", help="the form of the network")
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    check_form(arguments.network, arguments.form)
    lines = positions(arguments.shogi, arguments.positions, arguments.seed)
    found = ours(arguments.shogi, arguments.network, lines)
    raw = theirs(arguments.yaneuraou, arguments.network, lines, 16)
    for line, our, their in zip(lines, found, raw, strict=True):
        wanted = int(their * 100 / 90)
        if our != wanted:
            sys.exit(f"{line}: {our}, YaneuraOu has {their}, which is {wanted}")
    print(f"{len(lines)} positions, {len(set(raw))} values from {min(raw)} to {max(raw)}: those of YaneuraOu")


if __name__ == "__main__":
    main()
