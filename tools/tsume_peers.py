#!/usr/bin/env python3
"""Composes problems, changes them, and compares what `shogi tsume` says of both with brute force and KomoringHeights.

    cargo build --release -p shogi-cli
    cargo build --release -p shogi-variants-problem-judge
    python3 tools/tsume_peers.py --shogi target/release/shogi --judge target/release/problem_judge \\
        --variant shogi --plies 3 --count 1000 --komoring PATH

Of each problem of `shogi tsume generate` a copy is made with one piece taken off, moved, given to the other player or
put from a hand onto the board: mostly no problem any more, which `shogi tsume check` must notice. The judge, a program
without our search, examines every item of both answers by brute force. KomoringHeights (any program that answers `go mate`; GPL, run as
a process) finds the length over all moves, which is compared with `shogi mate --shortest`.

Files of problems are kept in --folder and not made again. The exit code is 1 if anybody disagrees; each disagreement is printed.
"""

import argparse
import json
import random
import re
import subprocess
import sys
from pathlib import Path

# A cell of a board in SFEN: a piece, or a number of empty squares.
CELL = re.compile(r"\+?[A-Za-z]|\d+")
IN_HAND = re.compile(r"(\d*)([A-Za-z])")
# Kyoto shogi has a letter for each face; hands have that of the front.
FRONTS = {"kyotoshogi": {"R": "P", "B": "S", "G": "N", "T": "L"}}
KINGS = {"dobutsu": "L"}


def read(sfen):
    """The rows of cells, None for an empty one, and the pieces in hand."""
    board, _, hands, *_ = sfen.split()
    rows = []
    for row in board.split("/"):
        cells = []
        for cell in CELL.findall(row):
            cells += [None] * int(cell) if cell.isdigit() else [cell]
        rows.append(cells)
    found = [letter for count, letter in IN_HAND.findall(hands) for _ in range(int(count or 1))]
    return rows, found


def write(rows, hands):
    texts = []
    for row in rows:
        text = "".join(cell or " " for cell in row)
        texts.append(re.sub(" +", lambda run: str(len(run[0])), text))
    counts = {letter: hands.count(letter) for letter in hands}
    held = "".join(f"{count if count > 1 else ''}{letter}" for letter, count in counts.items())
    return f"{'/'.join(texts)} b {held or '-'} 1"


def changed(sfen, variant, choice):
    """The position with one piece changed; it may be illegal."""
    rows, hands = read(sfen)
    squares = [(y, x) for y, row in enumerate(rows) for x in range(len(row))]
    king = KINGS.get(variant, "K")
    pieces = [(y, x) for y, x in squares if rows[y][x] and rows[y][x].upper() != king]
    empty = [(y, x) for y, x in squares if not rows[y][x]]
    kind = choice.choice(["take off", "move", "swap", "put", "hold", "release"])
    if kind in ("take off", "move", "swap") and pieces:
        y, x = choice.choice(pieces)
        piece, rows[y][x] = rows[y][x], None
        if kind == "take off":
            letter = piece.lstrip("+").upper()
            hands.append(FRONTS.get(variant, {}).get(letter, letter).lower())
        elif kind == "move":
            y, x = choice.choice(empty)
            rows[y][x] = piece
        else:
            rows[y][x] = piece.swapcase()
    elif hands:
        piece = hands.pop(choice.randrange(len(hands)))
        if kind == "put":
            y, x = choice.choice(empty)
            rows[y][x] = choice.choice([piece.upper(), piece.lower()])
        else:
            hands.append(piece.swapcase())
    return write(rows, hands)


def lines_of(command, text):
    """What a program prints, as JSON; it may fail where it has objections."""
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def kept(path, make):
    """The lines of a file, which is made if it is not there."""
    if not path.exists():
        lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in make())
        path.write_text(lines)
    return [json.loads(line) for line in path.read_text().splitlines()]


def generated(arguments, variant, plies):
    command = [arguments.shogi, "tsume", "generate", variant, "--plies", str(plies), "--hash", "4"]
    command += ["--from", arguments.origin, "--count", str(arguments.count), "--seed", str(arguments.seed), "--threads", str(arguments.threads)]
    return lines_of(command, "")


def checked(arguments, variant, sfens):
    """The answers of `tsume check` to positions that are legal, as far as all is known of them."""
    command = [arguments.shogi, "tsume", "check", variant, "--hash", "4", "--nodes", str(arguments.nodes)]
    answers = lines_of([*command, "--threads", str(arguments.threads)], "".join(f"{sfen}\n" for sfen in sfens))
    pairs = zip(sfens, answers, strict=True)
    return [{"sfen": sfen, **answer} for sfen, answer in pairs if answer.get("complete")]


def judged(arguments, variant, claims, plies, of):
    """Prints what the judge objects to, and adds up what it judged."""
    deepest = max(plies, arguments.deepest)
    command = [arguments.judge, variant, str(deepest), str(arguments.beyond), str(arguments.effort)]
    *remarks, summary = lines_of(command, "".join(json.dumps(claim) + "\n" for claim in claims))
    for remark in remarks:
        if remark["objections"]:
            print(f"{variant} {of}: {remark}", flush=True)
    print(f"{variant} {of} in {plies}: {summary}", flush=True)
    return summary["objections"]


class Komoring:
    """KomoringHeights as a process."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for name, value in {"USI_Hash": 128, "Threads": 1, "PostSearchLevel": "MinLength"}.items():
            self.say(f"setoption name {name} value {value}")
        self.say("isready")
        self.wait("readyok")

    def say(self, text):
        self.process.stdin.write(f"{text}\n")
        self.process.stdin.flush()

    def wait(self, word):
        for line in self.process.stdout:
            if line.startswith(word):
                return line
        sys.exit("KomoringHeights has ended")

    def plies(self, sfen):
        """The length over all moves, or None if there is no mate."""
        self.say("usinewgame")
        self.say(f"position sfen {sfen}")
        self.say("go mate infinite")
        answer = self.wait("checkmate").split()[1:]
        return None if answer == ["nomate"] else len(answer)


def against_komoring(arguments, claims, of):
    """How often the lengths over all moves differ."""
    command = [arguments.shogi, "mate", "shogi", "--shortest", "--hash", "16", "--threads", "1"]
    ours = lines_of(command, "".join(f"{claim['sfen']}\n" for claim in claims))
    engine = Komoring(arguments.komoring)
    differ = longer = no_mate = 0
    for claim, answer in zip(claims, ours, strict=True):
        theirs = engine.plies(claim["sfen"])
        no_mate += theirs is None
        longer += theirs is not None and claim["plies"] is not None and theirs > claim["plies"]
        if theirs != answer["mate"]:
            differ += 1
            print(f"{claim['sfen']}: KomoringHeights {theirs}, here {answer['mate']}, by the book {claim['plies']}")
    engine.say("quit")
    print(f"shogi {of}: {len(claims)} positions by KomoringHeights, {no_mate} without mate, {differ} differ;"
          f" {longer} are shorter by the book", flush=True)
    return differ


def main(arguments):
    arguments.folder.mkdir(parents=True, exist_ok=True)
    name = f"{arguments.variant}-{arguments.plies}-{arguments.origin}-{arguments.seed}"
    variant, plies = arguments.variant, arguments.plies
    problems = kept(arguments.folder / f"{name}.jsonl", lambda: generated(arguments, variant, plies))
    choice = random.Random(arguments.seed)
    sfens = [changed(problem["sfen"], variant, choice) for problem in problems[: arguments.changes]]
    others = kept(arguments.folder / f"{name}-changed.jsonl", lambda: checked(arguments, variant, sfens))
    wrong = 0
    for claims, of in [(problems, "problems"), (others, "changed problems")]:
        wrong += judged(arguments, variant, claims, plies, of)
        if arguments.komoring and variant == "shogi":
            wrong += against_komoring(arguments, claims, of)
    return int(wrong > 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shogi", required=True)
    parser.add_argument("--judge", required=True)
    parser.add_argument("--komoring")
    parser.add_argument("--variant", required=True)
    parser.add_argument("--plies", type=int, required=True)
    parser.add_argument("--from", dest="origin", choices=["pieces", "games"], default="pieces")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--changes", type=int, default=1000, help="so many problems are changed at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=200_000)
    parser.add_argument("--deepest", type=int, default=5)
    parser.add_argument("--beyond", type=int, default=2)
    parser.add_argument("--effort", type=int, default=20_000)
    parser.add_argument("--folder", type=Path, default=Path("target/tsume"))
    sys.exit(main(parser.parse_args()))
