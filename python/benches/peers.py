"""Speed beside pyffish, cshogi and python-shogi on the same tasks in standard shogi.

    pip install './python[bench]'
    python3 python/benches/peers.py --rounds 7

All take part in every round, one after another, and the fastest round of each counts: what else the machine
does slows some rounds down, and rarely all of them. Every task is checked first to have the same answer
everywhere. Prints a table in Markdown: microseconds, and how many times as long as ours a peer takes.
"""

import argparse
import random
import re
import time
from collections.abc import Callable

import shogi_variants as sv

try:
    import cshogi
    import pyffish
    import shogi as python_shogi
except ImportError as missing:
    raise SystemExit(f"{missing.name} is missing: pip install './python[bench]'") from None

Task = Callable[[], int]
START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"


def positions(count: int) -> list[tuple[str, list[str]]]:
    """Positions of random games in SFEN, each with the moves from it to the end of its game."""
    choice, found = random.Random(1), list[tuple[str, list[str]]]()
    while len(found) < count:
        game = sv.Game("shogi")
        while not game.outcome and len(game) < 120:
            game.play(choice.choice(sorted(game.position.legal_moves())))
        played, moves = game.positions, game.moves()
        for ply in range(10, len(moves), 20):
            found.append((played[ply].sfen(), moves[ply:]))
    return found[:count]


def fen(sfen: str) -> str:
    """A position in pyffish's own notation, whose first player is white."""
    board, side, hands, _ = sfen.split()
    held = re.sub(r"(\d+)(\w)", lambda many: many[2] * int(many[1]), hands)
    return f"{board}[{held}] {'w' if side == 'b' else 'b'} 0 1"


def uci(mv: str) -> str:
    """A move in pyffish's notation: files are letters from the left, ranks numbers from below."""

    def square(name: str) -> str:
        return "ihgfedcba"[int(name[0]) - 1] + str(ord("i") - ord(name[1]) + 1)

    if mv[1] == "*":
        return f"{mv[0]}@{square(mv[2:])}"
    return square(mv[:2]) + square(mv[2:4]) + mv[4:]


def legal_moves(sfens: list[str]) -> dict[str, Task]:
    """The legal moves of positions as texts."""
    ours = [sv.Position("shogi", sfen) for sfen in sfens]
    theirs = [cshogi.Board(sfen) for sfen in sfens]
    pure = [python_shogi.Board(sfen) for sfen in sfens]
    fens = [fen(sfen) for sfen in sfens]
    to_usi = cshogi.move_to_usi
    return {
        "shogi_variants": lambda: sum(len(one.legal_moves()) for one in ours),
        "cshogi": lambda: sum(len([to_usi(mv) for mv in one.legal_moves]) for one in theirs),
        "pyffish": lambda: sum(len(pyffish.legal_moves("shogi", one, [])) for one in fens),
        "python-shogi": lambda: sum(len([mv.usi() for mv in one.legal_moves]) for one in pure),
    }


def make(lines: list[tuple[str, list[str]]]) -> dict[str, Task]:
    """Moves given as texts, played one after another from positions that are there."""
    ours = [(sv.Position("shogi", sfen), moves) for sfen, moves in lines]

    def play() -> int:
        made = 0
        for position, moves in ours:
            for mv in moves:
                position = position.play(mv)
            made += len(moves)
        return made

    theirs = [(cshogi.Board(sfen), moves) for sfen, moves in lines]

    def push_usi(boards: list[tuple[object, list[str]]]) -> int:
        made = 0
        for board, moves in boards:
            for mv in moves:
                board.push_usi(mv)  # type: ignore[attr-defined]
            for _ in moves:
                board.pop()  # type: ignore[attr-defined]
            made += len(moves)
        return made

    pure = [(python_shogi.Board(sfen), moves) for sfen, moves in lines]
    fens = [(fen(sfen), [uci(mv) for mv in moves]) for sfen, moves in lines]
    return {
        "shogi_variants": play,
        "cshogi": lambda: push_usi(theirs),
        "pyffish": lambda: sum(
            len(moves) for start, moves in fens if pyffish.get_fen("shogi", start, moves)
        ),
        "python-shogi": lambda: push_usi(pure),
    }


def parse(sfens: list[str]) -> dict[str, Task]:
    """Positions read from SFEN."""
    fens = [fen(sfen) for sfen in sfens]
    return {
        "shogi_variants": lambda: sum(bool(sv.Position("shogi", sfen)) for sfen in sfens),
        "cshogi": lambda: sum(bool(cshogi.Board(sfen)) for sfen in sfens),
        "pyffish": lambda: sum(pyffish.validate_fen(one, "shogi") == 1 for one in fens),
        "python-shogi": lambda: sum(python_shogi.Board(sfen) is not None for sfen in sfens),
    }


def perft(depth: int) -> dict[str, Task]:
    """Perft in Python: moves as each library likes them best."""

    def ours(position: sv.Position, depth: int) -> int:
        moves = position.legal_moves()
        if depth == 1:
            return len(moves)
        return sum(ours(position.play(mv), depth - 1) for mv in moves)

    def stacked(board: object, depth: int) -> int:
        moves = list(board.legal_moves)  # type: ignore[attr-defined]
        if depth == 1:
            return len(moves)
        nodes = 0
        for mv in moves:
            board.push(mv)  # type: ignore[attr-defined]
            nodes += stacked(board, depth - 1)
            board.pop()  # type: ignore[attr-defined]
        return nodes

    def ffish(moves: list[str], depth: int) -> int:
        legal = pyffish.legal_moves("shogi", START, moves)
        if depth == 1:
            return len(legal)
        return sum(ffish([*moves, mv], depth - 1) for mv in legal)

    return {
        "shogi_variants": lambda: ours(sv.Position("shogi"), depth),
        "cshogi": lambda: stacked(cshogi.Board(), depth),
        "pyffish": lambda: ffish([], depth),
        "python-shogi": lambda: stacked(python_shogi.Board(), depth),
    }


def perft_inside(depth: int) -> dict[str, Task]:
    """Perft by a single call, where there is one."""
    start = sv.Position("shogi")
    return {"shogi_variants": lambda: start.perft(depth)}


def measure(tasks: dict[str, Task], rounds: int) -> dict[str, float]:
    """The fewest seconds of each task, in rounds in which all take part."""
    answers = {name: task() for name, task in tasks.items()}
    if len(set(answers.values())) > 1:
        raise SystemExit(f"the answers differ: {answers}")
    best = dict.fromkeys(tasks, float("inf"))
    for _ in range(rounds):
        for name, task in tasks.items():
            started = time.perf_counter()
            task()
            best[name] = min(best[name], time.perf_counter() - started)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="rounds in which all take part")
    parser.add_argument("--positions", type=int, default=400, help="positions of random games")
    arguments = parser.parse_args()
    lines = positions(arguments.positions)
    sfens = [sfen for sfen, _ in lines]
    plies = sum(len(moves) for _, moves in lines)
    tables = [
        ("legal moves of a position, as texts", legal_moves(sfens), len(sfens)),
        ("a move, given as text", make(lines), plies),
        ("a position from SFEN", parse(sfens), len(sfens)),
        ("perft 3 in Python, 25,470 nodes, a node", perft(3), 25_470),
        ("perft 5 in one call, 19,861,490 nodes, a node", perft_inside(5), 19_861_490),
    ]
    peers = ["shogi_variants", "cshogi", "pyffish", "python-shogi"]
    print("| microseconds | " + " | ".join(peers) + " |")
    print("|---" + "|---:" * len(peers) + "|")
    for title, tasks, count in tables:
        best = measure(tasks, arguments.rounds)
        ours, cells = best["shogi_variants"], []
        for peer in peers:
            if peer not in best:
                cells.append("")
                continue
            ratio = "" if peer == "shogi_variants" else f" ({best[peer] / ours:.1f}x)"
            cells.append(f"{1e6 * best[peer] / count:.3g}{ratio}")
        print(f"| {title} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
