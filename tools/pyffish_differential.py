#!/usr/bin/env python3
"""Compares the legal moves of `shogi moves` with those of Fairy-Stockfish, position by position.

    pip install pyffish
    cargo build --release
    python3 tools/pyffish_differential.py --shogi target/release/shogi --variant minishogi

Fairy-Stockfish plays random games, as pyffish or, faster, as the program `fairy-stockfish` where that is installed
(fairy_stockfish.py); every position met is put to our program in one batch. The exit code is
0 if all answers agree, 1 at the first that does not (which is printed), and 0 with a notice where
pyffish is not installed.

Fairy-Stockfish lists drop-pawn mates as legal moves; they are taken out here by the rule itself.
Its notation is converted to ours. In moves a file is a letter from the left and a rank a number
from the bottom (`a1b2+`, `P@c3`), where USI has a number from the right and a letter from the top
(`5e4d+`, `P*3c`). In positions the hands stand letter by letter in brackets behind the board, and
Sente is `w`; turned faces are in the dialect that our program calls `fairy`.
"""

import argparse
import json
import multiprocessing
import random
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass

try:
    import pyffish
    from fairy_stockfish import gives_check, legal_moves
except ImportError:
    pyffish = None

LONGEST_GAME = 300
POSITIONS_OF_ONE_TASK = 250
BOARD_MOVE = re.compile(r"([a-i]\d)([a-i]\d)([+-]?)")
DROP = re.compile(r"(\+?[A-Z])@([a-i]\d)")


@dataclass(frozen=True)
class Variant:
    """What the comparison must know of a variant; pyffish knows it by the same name."""

    drop_pawn_mate_is_legal: bool = False
    # Without check a king is captured, and a game may end where there are moves left.
    has_check: bool = True
    # The letter of the pawn, which moves straight ahead.
    pawn: str = "P"
    # What our program takes instead of the name: a file.
    file: str = ""


VARIANTS = {
    "minishogi": Variant(),
    "shogi": Variant(),
    "kyotoshogi": Variant(drop_pawn_mate_is_legal=True),
    "dobutsu": Variant(drop_pawn_mate_is_legal=True, has_check=False),
    "gorogoro": Variant(),
    "judkins": Variant(),
    "micro": Variant(drop_pawn_mate_is_legal=True),
    "torishogi": Variant(pawn="S"),
    "euroshogi": Variant(file="variants/euroshogi.toml"),
    "yarishogi": Variant(drop_pawn_mate_is_legal=True, file="variants/yarishogi.toml"),
}


class Position:
    """A position of a variant. It plays moves itself, since a call of pyffish takes a millisecond or two."""

    def __init__(self, name, fen=None):
        self.name = name
        fen = fen or pyffish.start_fen(name)
        board, hands, side = re.match(r"(\S+)\[(.*?)\] ([wb])", fen).groups()
        empty = re.sub(r"\d", lambda digit: "." * int(digit[0]), board)
        # From Gote's side down: the names of the pieces, `+` before those that are turned.
        self.ranks = [re.findall(r"\+?[A-Za-z.]", rank) for rank in empty.split("/")]
        self.hands = hands.replace("-", "")
        self.sente = side == "w"

    def _at(self, square):
        """Indices of the rank and the file of a square of pyffish."""
        return len(self.ranks) - int(square[1:]), ord(square[0]) - ord("a")

    def __getitem__(self, square):
        """The piece on a square of pyffish, turned or not; a point where it is empty."""
        rank, file = self._at(square)
        return self.ranks[rank][file][-1]

    def letters(self):
        """The pieces, turned or not, rank by rank from Gote's side."""
        return [[piece[-1] for piece in rank] for rank in self.ranks]

    def moves(self):
        """The legal moves in pyffish's notation, and the drop-pawn mates that pyffish lists among them."""
        moves, mates = legal_moves(self.name, self.fen(), []), []
        if not VARIANTS[self.name].drop_pawn_mate_is_legal:
            mates = [move for move in moves if self._is_drop_pawn_mate(move)]
            moves = [move for move in moves if move not in mates]
        return moves, mates

    def _is_drop_pawn_mate(self, move):
        """Whether a pawn is dropped so that its check has no answer."""
        if not move.startswith(f"{VARIANTS[self.name].pawn}@"):
            return False
        # A pawn checks only a king straight before it; elsewhere pyffish is not consulted.
        ahead = f"{move[2]}{int(move[3:]) + (1 if self.sente else -1)}"
        return (
            self[ahead] == ("k" if self.sente else "K")
            and gives_check(self.name, self.fen(), [move])
            and not legal_moves(self.name, self.fen(), [move])
        )

    def end(self, moves):
        """How the game has ended for the side to move, which has these moves; `None` if it goes on."""
        # Where a game has ended, Fairy-Stockfish gives no moves. Without check the player may have won then.
        if not moves and not VARIANTS[self.name].has_check:
            is_over, value = pyffish.is_immediate_game_end(self.name, self.fen(), [])
            if is_over:
                return "win" if value > 0 else "loss" if value < 0 else "draw"
        # In every variant here a player without a move has lost.
        return None if moves else "loss"

    def play(self, move):
        """Plays a legal move."""
        if drop := DROP.fullmatch(move):
            piece, to = drop.groups()
            piece = piece if self.sente else piece.lower()
            self.hands = self.hands.replace(piece[-1], "", 1)
        else:
            origin, to, suffix = BOARD_MOVE.fullmatch(move).groups()
            rank, file = self._at(origin)
            piece, self.ranks[rank][file] = self.ranks[rank][file], "."
            piece = {"+": "+" + piece, "-": piece[-1], "": piece}[suffix]
            # What is captured changes sides, and its unturned face lies in the hand.
            self.hands += self[to].swapcase().replace(".", "")
        rank, file = self._at(to)
        self.ranks[rank][file] = piece
        self.sente = not self.sente

    def usi(self, move):
        """A move in USI notation."""

        def square(name):
            rank, file = self._at(name)
            return f"{len(self.ranks[0]) - file}{chr(ord('a') + rank)}"

        if drop := DROP.fullmatch(move):
            piece, to = drop.groups()
            return f"{piece}*{square(to)}"
        origin, to, suffix = BOARD_MOVE.fullmatch(move).groups()
        return square(origin) + square(to) + suffix

    def _board(self):
        rows = "/".join("".join(rank) for rank in self.ranks)
        return re.sub(r"\.+", lambda points: str(len(points[0])), rows)

    def fen(self):
        """The position for pyffish."""
        hands = "".join(sorted(self.hands)) or "-"
        return f"{self._board()}[{hands}] {'w' if self.sente else 'b'} 0 1"

    def sfen(self):
        """The position in SFEN."""
        counts = Counter(self.hands)
        hands = "".join(f"{n if (n := counts[p]) > 1 else ''}{p}" for p in sorted(counts))
        return f"{self._board()} {'b' if self.sente else 'w'} {hands or '-'} 1"


@dataclass
class Question:
    """A position and what pyffish says of it."""

    sfen: str
    check: bool | None
    end: str | None
    moves: list
    drop_pawn_mates: list

    def difference(self, answer):
        """What our program's answer has wrong, as lines of text; empty if nothing."""
        if answer.get("in") != self.sfen:
            return [f"the answer is to another question: {answer}"]
        if "error" in answer:
            return [f"our program refuses the position: {answer['error']}"]
        lines = []
        missing = sorted(set(self.moves) - set(answer["moves"]))
        surplus = sorted(set(answer["moves"]) - set(self.moves))
        if missing:
            lines.append(f"only pyffish has: {' '.join(missing)}")
        if surplus:
            lines.append(f"only our program has: {' '.join(surplus)}")
        if answer["moves"] != sorted(set(answer["moves"])):
            lines.append("our program's moves are not sorted or not distinct")
        if self.check is not None and answer["check"] != self.check:
            lines.append(f"check: {answer['check']}, pyffish: {self.check}")
        if answer["end"] != self.end:
            lines.append(f"end: {answer['end']}, pyffish: {self.end}")
        return lines


def random_games(task):
    """Questions from random games, some of them with a taste for captures, which fill the hands."""
    name, positions, seed = task
    source = random.Random(seed)
    questions = []
    while len(questions) < positions:
        position, played = Position(name), []
        taste_for_captures = source.choice([0.0, 0.3, 0.6])
        for _ in range(LONGEST_GAME):
            moves, mates = position.moves()
            check = gives_check(name, position.fen(), []) if VARIANTS[name].has_check else None
            names = [position.usi(move) for move in moves]
            questions.append(Question(position.sfen(), check, position.end(moves), names, mates))
            if not moves or len(questions) == positions:
                break
            captures = [move for move in moves if position[move.rstrip("+-")[-2:]] != "."]
            liked = captures if captures and source.random() < taste_for_captures else moves
            played.append(source.choice(liked))
            position.play(played[-1])
        theirs = Position(name, pyffish.get_fen(name, pyffish.start_fen(name), played))
        if theirs.fen() != position.fen():
            sys.exit(f"{name}: pyffish has another position after {' '.join(played)}")
    return questions


def questions_of(name, positions, seed):
    """As many questions, in tasks of fixed size, so that they do not depend on the machine."""
    tasks = []
    while positions > 0:
        tasks.append((name, min(positions, POSITIONS_OF_ONE_TASK), f"{seed}/{len(tasks)}"))
        positions -= POSITIONS_OF_ONE_TASK
    with multiprocessing.Pool() as pool:
        return [question for batch in pool.map(random_games, tasks) for question in batch]


def ask_our_program(program, name, questions):
    """Our program's answers, one for each question."""
    lines = "".join(question.sfen + "\n" for question in questions)
    command = [program, "moves", VARIANTS[name].file or name, "--dialect", "fairy"]
    run = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, check=False)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if len(answers) != len(questions):
        sys.exit(f"{len(questions)} positions, but {len(answers)} answers (exit {run.returncode})")
    return answers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shogi", default="target/release/shogi", help="our program")
    parser.add_argument("--variant", choices=sorted(VARIANTS), default="minishogi")
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if pyffish is None:
        print("pyffish is not available: differential test SKIPPED")
        return 0

    questions = questions_of(arguments.variant, arguments.positions, arguments.seed)
    answers = ask_our_program(arguments.shogi, arguments.variant, questions)
    for question, answer in zip(questions, answers):
        if lines := question.difference(answer):
            print(f"{arguments.variant}: {question.sfen}", *lines, sep="\n  ")
            return 1
    distinct = len({question.sfen for question in questions})
    mates = sum(len(question.drop_pawn_mates) for question in questions)
    print(
        f"{arguments.variant}: {len(questions)} positions agree with pyffish"
        f" ({distinct} distinct; {mates} drop-pawn mates among pyffish's moves left out)"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
