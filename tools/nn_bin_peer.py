#!/usr/bin/env python3
"""Compares YaneuraOu and our player with one network, an `nn.bin`, in both: the values of positions, and the searches.

    shogi learn fit shogi --archive games.psv --form halfkp --out nn.bin
    python3 tools/nn_bin_peer.py --shogi target/release/shogi --yaneuraou YaneuraOu-by-gcc --network nn.bin
    python3 tools/nn_bin_peer.py --yaneuraou YaneuraOu-by-gcc --network nn.bin --form kp --games 64 --nodes 50000 --out match.json

YaneuraOu is built with YANEURAOU_EDITION=YANEURAOU_ENGINE_NNUE, for --form kp with YANEURAOU_ENGINE_NNUE_KP256. Positions
are those of games of our player after random openings. Its command `e` prints the raw value, of which a pawn has 90; ours
is in hundredths of a pawn, rounded towards zero. The exit code is 0 if all are the same, and 1 at the first that differs,
which is printed, or if the network is of another form.

With --games the two then play a match by match.py, so many nodes a move, from even openings with both colours. --depths
searches positions of games with so many nodes and prints the mean depth that each reports; of a player built with
`--features shogi-search/statistics` also how many beta cutoffs the first move makes, and how many positions quiescence
search visits for each of the main search.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from match import Engine, said


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


def network_options(network, folder):
    """The options of YaneuraOu for a network, which it reads as `nn.bin` of a folder; it plays by no book."""
    (Path(folder) / "nn.bin").symlink_to(Path(network).resolve())
    return [f"EvalDir={folder}", "FV_SCALE=16", "USI_Hash=64", "Threads=1", "USI_OwnBook=false", "BookFile=no_book"]


def our_options(network):
    """The options of our player for a network; it searches for no mate first, as YaneuraOu does not."""
    return [f"EvalFile={Path(network).resolve()}", "FV_SCALE=16", "USI_Hash=64", "MateProbe=false"]


def match(arguments):
    """Plays a match between the searches."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, Path(__file__).with_name("match.py"), "--shogi", arguments.shogi, "--variant", "shogi"]
        command += ["--first", arguments.engine, "--second", str(Path(arguments.yaneuraou).resolve())]
        for which, options in (("first", our_options(arguments.network)), ("second", network_options(arguments.network, folder))):
            command += [word for option in options for word in (f"--{which}-option", option)]
        command += ["--nodes", str(arguments.nodes), "--games", str(arguments.games), "--seed", str(arguments.seed)]
        command += ["--even", "150", "--even-nodes", "5000", "--give-up", "2500"]
        command += ["--out", arguments.out] if arguments.out else []
        return subprocess.run(command).returncode


def depths(command, options, lines, nodes):
    """Prints the mean depth that an engine reports after so many nodes, and its statistics, if it has any."""
    engine = Engine(command, options, "usi", errors=subprocess.STDOUT)
    sums, reported = Counter(), []
    for line in lines:
        engine.new_game("shogi")
        engine.say(line)
        engine.say(f"go nodes {nodes}")
        answer = engine.hear("bestmove", 600.0)
        found = said(answer)
        reported += [found["depth"]] if math.isfinite(found["score"]) else []
        for words in map(str.split, answer):
            if words[:1] == ["statistics"]:
                sums.update({key: int(value) for key, value in zip(words[1::2], words[2::2])})
    engine.close()
    print(f"{engine.name}: mean depth {sum(reported) / max(1, len(reported)):.2f} in {len(reported)} positions without a mate")
    if sums["cutoffs"]:
        first, before = sums["first"] / sums["cutoffs"], sums["before"] / sums["cutoffs"]
        ratio = sums["quiescence"] / (sums["nodes"] - sums["quiescence"])
        print(f"  first moves cut {first:.1%}, {before:.2f} moves before the one that cuts, quiescence {ratio:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shogi", default="target/release/shogi", help="our program")
    parser.add_argument("--yaneuraou", required=True, help="YaneuraOu with its NNUE evaluation")
    parser.add_argument("--network", required=True, help="the nn.bin")
    parser.add_argument("--form", choices=sorted(HASHES), default="halfkp", help="the form of the network")
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", default="target/release/shogi-usi", help="our player, for --games and --depths")
    parser.add_argument("--games", type=int, help="then play so many games")
    parser.add_argument("--nodes", type=int, default=50_000, help="nodes of each search")
    parser.add_argument("--depths", type=int, metavar="N", help="then search so many of the positions")
    parser.add_argument("--out", help="the report of the match, with the games")
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
    if arguments.depths:
        some = lines[:: max(1, len(lines) // arguments.depths)][: arguments.depths]
        depths(arguments.engine, our_options(arguments.network), some, arguments.nodes)
        with tempfile.TemporaryDirectory() as folder:
            options = network_options(arguments.network, folder)
            depths(str(Path(arguments.yaneuraou).resolve()), options, some, arguments.nodes)
    return match(arguments) if arguments.games else 0


if __name__ == "__main__":
    sys.exit(main())
