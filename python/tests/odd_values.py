"""Calls every callable of the package with odd values: `python3 odd_values.py SEED ROUNDS LOG`.

Run by `test_odd_values.py` in a process of its own with limits on memory and time, since what is looked for
are crashes. For each name of a class or function on standard input its calls are made, and how many of them
returned, were refused and were interrupted is printed. Each call is written to LOG before it is made, so that
the last line names the one that crashed.
"""

import inspect
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

import numpy as np
import shogi_variants as sv

MEMORY = 8 << 30
"""Bytes of address space: what is beyond has to be a MemoryError."""
SECONDS = 0.25
"""How long a call may take before it is interrupted, as by Ctrl-C."""

NUMBERS: list[Any] = [0, 1, 2, 3, 255, 256, 2**31 - 1, 2**31, 2**32, 2**53, 2**63 - 1, 2**63, 2**64 - 1, 2**64]
NUMBERS += [-1, -(2**31), -(2**63) - 1, 10**40, True, 0.5, -0.0, 1e308, float("nan"), float("inf"), np.uint64(7), np.int8(-1)]
VARIANTS: list[Any] = ["minishogi", "kyotoshogi", "shogi34", "dobutsu", "shogi", "micro", "chess", "MINISHOGI", ""]
VARIANTS += [sv.Variant.load(file) for file in (Path(__file__).parents[2] / "variants").glob("*.toml")]
MOVES: list[Any] = ["5d5c", "2a3b", "G*3c", "9z9z", "5d5c+", "+", "0000", "resign", "１二"]
TEXTS: list[Any] = ["", " ", "\0", "é", "\U0001f600", "a" * 5_000, "startpos", "startpos moves 5d5c", "4k/5/5/5/K4 b - 1"]
TEXTS += ["K" * 99, "9/" * 40, "9999999999/5/5/5/5 b 99999999999G 1", "1lk/3/3/KL1 b - 1", "b", "[1]", "{}", "null"]
VARIANT_TEXTS: list[Any] = [text for text in (sv.Variant(name).text for name in sv.variants()) if text]
VARIANT_TEXTS += [text[: len(text) // 2] + "\n" for text in VARIANT_TEXTS] + [text.replace("1", "7") for text in VARIANT_TEXTS]
NAMES: list[Any] = ["sente", "gote", "lishogi", "fairy", "usi", "kif", "csa", "json", "ki2", "king-legal", "ishii-tanaka"]
NAMES += ["plain", "strata", "dfpn", "pds", "material", "network", "L2", "G1L2", "RKB", "standard"]
OTHERS: list[Any] = [None, b"", b"\xff\xfe", [], [1, -1], ["5d5c", 3], (), {}, {1: 2}, object(), 1j, len, type, ...]
ARRAYS: list[Any] = [
    np.zeros(0, dtype=np.uint64),
    np.array([0, 1, 2**63], dtype=np.uint64),
    np.array([-1, 5]),
    np.array([0.5, float("nan")]),
    np.array([1, None, "x", 2**80], dtype=object),
    np.zeros((2, 3), dtype=np.uint64),
    np.array([], dtype=object),
    np.array(["startpos", "x"]),
    np.zeros(7, dtype=np.uint64)[::-2],
]
OF_A_KIND = [NUMBERS, NUMBERS, VARIANTS, MOVES, TEXTS, NAMES, OTHERS, ARRAYS]

DOCUMENTED = (sv.Error, TypeError, ValueError, OverflowError, MemoryError, OSError, ImportError, StopIteration)
"""What bad input raises; anything else, the panics of Rust first of all, is a fault."""


class Interrupted(Exception):
    """A call has taken long enough."""


def interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise Interrupted


def subjects(folder: Path) -> list[Any]:
    """An object of every class, and the functions."""
    start = sv.Position("minishogi")
    game = sv.Game("minishogi")
    game.play("5d5c")
    record = sv.Record.from_game(game)
    solution = sv.solve(sv.Position.named_start("shogi34", "RKR"))
    proof = solution.proof
    assert proof is not None
    classifier = sv.Classifier("minishogi", certificates=True)
    found = classifier.classify(start)
    player = sv.Player("minishogi", hash_mb=1)
    choice = player.think(start, depth=1)
    table = sv.Tablebase.build("dobutsu", folder / "small", pieces="L2")
    probed = table.probe("2l/3/3/L2 b - 1")
    lost = sv.Game("minishogi")
    return [
        *(start, game, record, *record.moves(), *record.lines(), solution, proof, proof.check(), proof.step(), *proof.step().replies[:1]),
        *(proof.walk(), start.unmoves(), classifier, found, found.certificate, player, choice, choice.score),
        *(choice.lines[0], table, probed, probed.moves[0], lost.resign("sente"), sv.Space("minishogi")),
        *(sv.Space("shogi"), sv.estimate("minishogi", 100), sv.mate(start, nodes=10), sv.Encoding("kyotoshogi")),
        sv.Space("minishogi").ranked(start),
        sv.report("micro", games=1, move_nodes=10, nodes=1_000, samples=100, positions=1),
        *(sv.Variant("micro"), VARIANTS[-1], sv.Encoding(VARIANTS[-1]), sv.Game(VARIANTS[-1]), sv.Player(VARIANTS[-1], hash_mb=1)),
        *(sv.VectorEnv("micro", 3), sv.VectorEnv(VARIANTS[-1], 2, max_plies=3), sv.Packing("hcp")),
    ]


def callables(objects: list[Any]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Functions, constructors, static methods and methods, each with its name."""
    for name in sv._native.__all__:
        value = getattr(sv, name)
        if callable(value):
            yield name, value
    for number, one in enumerate(objects):
        for name in dir(one):
            # What every object of Python has is not ours, unless a class of ours has its own.
            ours = getattr(type(one), name, None) is not getattr(object, name, None)
            value = getattr(one, name)
            if ours and callable(value) and name not in ("__class__", "__subclasshook__"):
                yield f"{type(one).__name__}.{name}/{number}", value


def parameters(objects: list[Any], name: str) -> list[inspect.Parameter]:
    """What a callable takes, as far as that can be seen."""
    owner, _, method = name.partition(".")
    value = getattr(sv, owner)
    method, _, number = method.partition("/")
    if method:
        value = getattr(objects[int(number)], method)
    try:
        return list(inspect.signature(value).parameters.values())
    except (TypeError, ValueError):
        return [inspect.Parameter(f"_{i}", inspect.Parameter.POSITIONAL_ONLY) for i in range(2)]


STARTS = 3 * [sv.Position(variant) for variant in sv.variants()]
# What each parameter takes, by its name; all others take anything.
FITTING: dict[str, list[Any]] = {
    **dict.fromkeys(["depth", "count", "seed", "first", "samples", "hash_mb", "threads", "lines"], NUMBERS),
    **dict.fromkeys(["boards", "random_plies"], NUMBERS[:6]),
    **dict.fromkeys(["max_positions", "memory_mb", "nodes", "max_plies", "rank", "seconds", "action"], NUMBERS),
    **dict.fromkeys(["variant"], VARIANTS),
    **dict.fromkeys(["mv", "move"], MOVES),
    **dict.fromkeys(["dialect", "player", "format", "numbering", "method", "algorithm", "evaluation", "pieces"], NAMES),
    **dict.fromkeys(["sfen", "text", "name", "value", "path_or_text"], [*TEXTS, *NAMES, *VARIANT_TEXTS]),
    **dict.fromkeys(["ranks", "actions", "positions", "placements"], [*ARRAYS, [1, 2], TEXTS, [TEXTS[6]] * 3]),
    **dict.fromkeys(["problem", "shortest", "exact", "wdl", "certificates", "kanji"], [True, False]),
    "moves": [MOVES[:2], MOVES, [], ["5d5c"]],
    "progress": [None, max, len, 3],
}


def arguments(
    choice: random.Random, taken: list[inspect.Parameter], objects: list[Any], folder: Path
) -> tuple[list[Any], dict[str, Any]]:
    """Values for the parameters, mostly of the right kind, now and then one too few or too many."""
    paths = [folder / "none", folder, folder / "a" / "b", "\0", folder / "small", folder / f"new{choice.randrange(99)}"]
    placed = [*TEXTS, *(one for one in objects if isinstance(one, (sv.Position, sv.Game))), *STARTS]
    fitting = {**FITTING, **dict.fromkeys(["path", "checkpoint"], paths)}
    fitting |= dict.fromkeys(["position", "placement", "game", "start"], placed)

    def odd(of: str) -> Any:
        fits = choice.random() < 0.75
        return choice.choice(fitting[of] if fits and of in fitting else choice.choice([*OF_A_KIND, objects]))

    values: list[Any] = []
    named: dict[str, Any] = {}
    for parameter in taken:
        if parameter.kind is parameter.VAR_POSITIONAL:
            values += [odd("mv") for _ in range(choice.randrange(3))]
        elif parameter.kind is parameter.KEYWORD_ONLY or parameter.default is not parameter.empty:
            if choice.random() < 0.4:
                named[parameter.name] = odd(parameter.name)
        elif parameter.kind is not parameter.VAR_KEYWORD:
            values.append(odd(parameter.name))
    if choice.random() < 0.03:
        values = values[1:] if choice.random() < 0.5 else [*values, None]
    return values, named


def make(call: Callable[..., Any], values: list[Any], named: dict[str, Any]) -> str:
    """Makes a call that is interrupted after a while; how it ends."""
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, SECONDS)
            call(*values, **named)
            return "returned"
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except DOCUMENTED:
        return "refused"
    except Interrupted:
        return "interrupted"


def calls(chosen: str, seed: int, rounds: int, objects: list[Any], folder: Path, log: TextIO) -> dict[str, int]:
    """Makes the calls of a class or function; how often they ended in which way."""
    choice = random.Random(f"{chosen} {seed}")
    ends = {"returned": 0, "refused": 0, "interrupted": 0}
    for name, call in callables(objects):
        if name.partition(".")[0] != chosen:
            continue
        taken = parameters(objects, name)
        for _ in range(rounds):
            values, named = arguments(choice, taken, objects, folder)
            print(f"{name} {values!r:.300} {named!r:.300}".encode("unicode_escape").decode(), file=log, flush=True)
            ends[make(call, values, named)] += 1
    return ends


def main() -> None:
    seed, rounds, path = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]).absolute()
    first = Path(tempfile.mkdtemp(dir=path.parent))
    objects = subjects(first)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, interrupt)
    with path.open("w", encoding="utf-8") as log:
        for line in sys.stdin:
            # No name finds the files of another one. Any text can be the name of a file to write.
            folder = Path(tempfile.mkdtemp(dir=path.parent))
            shutil.copy(first / "small", folder)
            os.chdir(folder)
            print(*calls(line.strip(), seed, rounds, objects, folder, log).values(), flush=True)


if __name__ == "__main__":
    main()
