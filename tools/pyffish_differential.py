#!/usr/bin/env python3
"""Compares the legal moves of `shogi moves` with those of Fairy-Stockfish, position by position.

    pip install pyffish
    cargo build --release
    python3 tools/pyffish_differential.py --shogi target/release/shogi --variant minishogi

pyffish plays random games; every position met is put to our program in one batch. The exit code is
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
from dataclasses import dataclass

try:
    import pyffish
except ImportError:
    pyffish = None

LONGEST_GAME = 300
POSITIONS_OF_ONE_TASK = 250
BOARD_MOVE = re.compile(r"([a-i])(\d+)([a-i])(\d+)([+-]?)")
DROP = re.compile(r"(\+?[A-Z])@([a-i])(\d+)")


@dataclass(frozen=True)
class Variant:
    """What the comparison must know of a variant; pyffish knows it by the same name."""

    files: int
    ranks: int
    drop_pawn_mate_is_legal: bool = False
    # Without check a king is captured, and a game may end where there are moves left.
    has_check: bool = True


VARIANTS = {
    "minishogi": Variant(files=5, ranks=5),
    "shogi": Variant(files=9, ranks=9),
    "kyotoshogi": Variant(files=5, ranks=5, drop_pawn_mate_is_legal=True),
    "dobutsu": Variant(files=3, ranks=4, drop_pawn_mate_is_legal=True, has_check=False),
}


def usi(move, variant):
    """A move of pyffish in USI notation."""

    def square(file, rank):
        from_right = variant.files - (ord(file) - ord("a"))
        from_top = variant.ranks - int(rank)
        return f"{from_right}{chr(ord('a') + from_top)}"

    if drop := DROP.fullmatch(move):
        piece, file, rank = drop.groups()
        return f"{piece}*{square(file, rank)}"
    file, rank, to_file, to_rank, suffix = BOARD_MOVE.fullmatch(move).groups()
    return square(file, rank) + square(to_file, to_rank) + suffix


def sfen(fen):
    """A position of pyffish in SFEN."""
    board, hands, side = re.match(r"(\S+)\[(.*?)\] ([wb])", fen).groups()
    letters = sorted(set(hands) - {"-"})
    counts = "".join(f"{n if (n := hands.count(p)) > 1 else ''}{p}" for p in letters)
    return f"{board} {'b' if side == 'w' else 'w'} {counts or '-'} 1"


def pieces(fen):
    """The letters of the pieces on the board, turned or not, by pyffish's names of the squares."""
    found = {}
    ranks = fen.partition("[")[0].replace("+", "").split("/")
    for from_top, rank in enumerate(ranks):
        column = 0
        for letter in rank:
            if letter.isdigit():
                column += int(letter)
            else:
                found[f"{chr(ord('a') + column)}{len(ranks) - from_top}"] = letter
                column += 1
    return found


def is_drop_pawn_mate(name, fen, move):
    """Whether a pawn is dropped so that its check has no answer.

    A pawn checks only a king straight before it; elsewhere pyffish, which is slow, is not asked.
    """
    if not move.startswith("P@"):
        return False
    sente = fen.split()[1] == "w"
    ahead = f"{move[2]}{int(move[3:]) + (1 if sente else -1)}"
    return (
        pieces(fen).get(ahead) == ("k" if sente else "K")
        and pyffish.gives_check(name, fen, [move])
        and not pyffish.legal_moves(name, fen, [move])
    )


def end(name, fen, moves):
    """How the game has ended for the side to move, `None` if it goes on."""
    is_over, value = pyffish.is_immediate_game_end(name, fen, [])
    if is_over:
        return "win" if value > 0 else "loss" if value < 0 else "draw"
    # In every variant here a player without a move has lost.
    return None if moves else "loss"


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
    variant, source = VARIANTS[name], random.Random(seed)
    questions = []
    while len(questions) < positions:
        fen = pyffish.start_fen(name)
        taste_for_captures = source.choice([0.0, 0.3, 0.6])
        for _ in range(LONGEST_GAME):
            moves, mates = pyffish.legal_moves(name, fen, []), []
            if not variant.drop_pawn_mate_is_legal:
                mates = [move for move in moves if is_drop_pawn_mate(name, fen, move)]
                moves = [move for move in moves if move not in mates]
            check = pyffish.gives_check(name, fen, []) if variant.has_check else None
            names = [usi(move, variant) for move in moves]
            questions.append(Question(sfen(fen), check, end(name, fen, moves), names, mates))
            if not moves or len(questions) == positions:
                break
            occupied = pieces(fen)
            captures = [move for move in moves if move.rstrip("+-")[2:] in occupied]
            liked = captures if captures and source.random() < taste_for_captures else moves
            fen = pyffish.get_fen(name, fen, [source.choice(liked)])
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
    command = [program, "moves", name, "--dialect", "fairy"]
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
