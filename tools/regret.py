#!/usr/bin/env python3
"""Measures by the regret of single moves what options of an engine are worth, all of them at once.

    pip install pyffish==0.0.90 numpy
    python3 tools/regret.py --games match.json --engine target/release/shogi-usi --judge 'YaneuraOu-by-gcc' \\
        --tune LateMoveReductionSlope=34:8 --tune SingularMargin=86:20 --nodes 100000 --samples 10000 --out regret.json

Positions come from the games of matches (match.py --out). In each search every option is moved up or down by its step,
at random. The move is judged by another engine: its score after the move, and the regret is how much better the best
move known for the position is, at most --most hundredths of a pawn. A regression on the directions, with a mean for each
position, gives the regret that each step is worth. A game tells one bit for a hundred searches; here each search tells
something about each option, so an hour of searches says as much as days of matches. What the judge holds for good is the
measure, so a set that it prefers still needs a match. A position in which all searches agree says nothing, and is
searched less often.

--compare NAME=VALUE,NAME=VALUE,... measures whole sets of values instead, in the same positions, without steps.

The state is saved to --out every hundred searches and at Ctrl-C; the same command resumes from it.
"""

import argparse
import itertools
import json
import math
import os
import random
import signal
import sys
import threading
import time

import numpy

from match import Engine
from spsa import Option, numbers, read_state, write_state

# Searches after which a position is settled if they agree, and how rarely it is searched from then on.
SETTLED, RARELY = 6, 0.15
# Answers that are no moves.
ENDS = ("resign", "win")


class Study:
    """Positions, the moves that were chosen in them, and what the judge thinks of these."""

    def __init__(self, arguments, options):
        self.arguments, self.options = arguments, options
        self.kept = {name: vars(arguments)[name] for name in ("variant", "games", "positions", "plies", "tune", "compare", "option", "nodes", "judge", "judge_option", "judge_nodes", "seed")}
        self.positions = positions(arguments)
        # Each search: number of the position, directions (or number of the set), and move.
        self.searches = []
        # Pairs of position and set that are being searched, and how many searches there are of any kind.
        self.under_way, self.pending = set(), 0
        self.judged, self.best, self.chosen = {}, {}, {}

    def load(self, path):
        state = read_state(path, self.kept)
        for key, score in state["judged"].items():
            self.note_score(key, score)
        for search in state["searches"]:
            self.note(*search)

    def save(self, path):
        # Judges note their scores while this is written.
        write_state(path, {"settings": self.kept, "searches": list(self.searches), "judged": dict(self.judged)})

    def note_score(self, key, score):
        """Notes the score of a move, or without a move the judge's own: a position that it declares is decided."""
        self.judged[key] = score
        number, _, move = key.partition("/")
        if not move:
            score = math.inf if score in ENDS else -math.inf
        self.best[int(number)] = max(self.best.get(int(number), -math.inf), score)

    def note(self, number, directions, move):
        self.searches.append([number, directions, move])
        self.chosen.setdefault(number, []).append(move)

    def draw(self, source):
        """A position's number and the directions of all options, or the number of a set."""
        if self.arguments.compare:
            done = {(number, which) for number, which, _ in self.searches} | self.under_way
            sets = range(len(self.arguments.compare))
            return next(pair for pair in itertools.product(range(len(self.positions)), sets) if pair not in done)
        places = [number for number in range(len(self.positions)) if not self.is_decided(number)]
        if not places:
            sys.exit("every position is decided: give more games, or a greater --decided")
        while True:
            number = source.choice(places)
            chosen = self.chosen.get(number, [])
            if len(chosen) < SETTLED or len(set(chosen)) > 1 or source.random() < RARELY:
                return number, [source.choice((-1, 1)) for _ in self.options]

    def is_decided(self, number):
        return abs(self.best.get(number, 0)) > self.arguments.decided

    def values(self, directions):
        if self.arguments.compare:
            return [pair for pair in self.arguments.compare[directions].split(",") if pair]
        steps = zip(self.options, directions)
        return [f"{option.name}={round(option.within(option.start + sign * option.step))}" for option, sign in steps]

    def judge(self, engine, number, move):
        """Notes the score of a move, and of the judge's own."""
        moves = self.positions[number]
        if f"{number}/" not in self.judged:
            engine.new_game(self.arguments.variant)
            own, _ = engine.move(moves, f"nodes {self.arguments.judge_nodes}", 60)
            self.note_score(f"{number}/", own)
            if own not in ENDS:
                self.judge(engine, number, own)
        key = f"{number}/{move}"
        if key not in self.judged:
            engine.new_game(self.arguments.variant)
            score = engine.score(moves + [move], self.arguments.judge_nodes)
            self.note_score(key, -max(-10_000, min(10_000, score)))

    def regrets(self):
        """Number, directions and regret of each search in a position that is not decided."""
        for number, directions, move in self.searches:
            if move in ENDS or self.is_decided(number):
                continue
            yield number, directions, min(self.arguments.most, self.best[number] - self.judged[f"{number}/{move}"])


def positions(arguments):
    """Lines of moves to positions of the games, in an order by the seed."""
    source = random.Random(arguments.seed)
    least, most = arguments.plies
    found = []
    for path in arguments.games:
        with open(path, encoding="utf-8") as file:
            for game in json.load(file)["played"]:
                found += [game["moves"][:ply] for ply in range(least, min(most, len(game["moves"])))]
    source.shuffle(found)
    return found[: arguments.positions]


def work(study, seed, stopped, lock):
    """Searches and judges until there are enough searches."""
    arguments = study.arguments
    source = random.Random(f"{arguments.seed}/{seed}/{len(study.searches)}")
    engines = {}
    try:
        while not stopped and search(study, engines, source, lock):
            pass
    except (Exception, SystemExit) as error:
        stopped.append(error)
    finally:
        for engine in engines.values():
            engine.close()


def search(study, engines, source, lock):
    """Searches and judges once, unless there are enough searches."""
    arguments = study.arguments
    with lock:
        if len(study.searches) + study.pending >= arguments.samples:
            return False
        number, directions = study.draw(source)
        study.pending += 1
        if arguments.compare:
            study.under_way.add((number, directions))
    # A set of options has an engine of its own, since there is no way back to what an engine chooses by itself.
    key = directions if arguments.compare else "steps"
    for name, command in ((key, arguments.engine), ("judge", arguments.judge)):
        if name not in engines:
            engines[name] = Engine(command, [], "usi")
    engine, judge = engines[key], engines["judge"]
    engine.options, judge.options = arguments.option + study.values(directions), arguments.judge_option
    engine.new_game(arguments.variant)
    move, _ = engine.move(study.positions[number], f"nodes {arguments.nodes}", 60)
    if move not in ENDS:
        study.judge(judge, number, move)
    with lock:
        study.pending -= 1
        study.note(number, directions, move)
        if len(study.searches) % 100 == 0:
            study.save(arguments.out)
    return True


def compared(study):
    """The mean regret of each set, and its difference from the first one's with its error, position by position."""
    by = {}
    for number, which, regret in study.regrets():
        by.setdefault(number, {})[which] = regret
    sets = range(len(study.arguments.compare))
    if not any(len(row) == len(sets) for row in by.values()):
        return "no position has been searched with all sets yet"
    rows = numpy.array([[row[which] for which in sets] for row in by.values() if len(row) == len(sets)])
    lines = [f"regret   difference   error   ({len(rows)} positions)"]
    for which in sets:
        difference = rows[:, which] - rows[:, 0]
        error = difference.std() / math.sqrt(len(rows))
        lines.append(f"{rows[:, which].mean():6.2f} {difference.mean():+12.2f} {error:7.2f}   {study.arguments.compare[which] or 'as it is'}")
    return "\n".join(lines)


def regressed(study):
    """What a step of each option up is worth, in hundredths of a pawn of regret."""
    rows = list(study.regrets())
    if not rows:
        return "no searches yet"
    places = numpy.array([row[0] for row in rows])
    steps = numpy.array([row[1] for row in rows], float)
    regret = numpy.array([row[2] for row in rows], float)
    for number in set(places):
        here = places == number
        steps[here] -= steps[here].mean(axis=0)
        regret[here] -= regret[here].mean()
    covariance = numpy.linalg.pinv(steps.T @ steps)
    slopes = covariance @ (steps.T @ regret)
    left = regret - steps @ slopes
    freedom = max(1, len(rows) - len(set(places)) - len(slopes))
    errors = numpy.sqrt(numpy.diag(covariance) * (left @ left) / freedom)
    lines = [f"option                             low      high   regret of a step   error   ({len(rows)} searches)"]
    for option, slope, error in zip(study.options, slopes, errors):
        low, high = (option.within(option.start + side * option.step) for side in (-1, 1))
        lines.append(f"{option.name:<30} {low:>9g} {high:>9g} {slope:>+18.2f} {error:>7.2f}")
    return "\n".join(lines)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--variant", choices=["minishogi", "kyotoshogi", "shogi", "dobutsu"], default="shogi")
    parser.add_argument("--games", action="append", required=True, metavar="FILE", help="a report of match.py; may be repeated")
    parser.add_argument("--engine", default="target/release/shogi-usi", help="command line of the engine")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="for the engine")
    parser.add_argument("--judge", required=True, help="command line of the engine that judges")
    parser.add_argument("--judge-option", action="append", default=[], metavar="NAME=VALUE")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--tune", action="append", metavar="NAME[=START][:STEP]", help="as of spsa.py")
    what.add_argument("--compare", action="append", metavar="NAME=VALUE,...", help="a set of values; '' is the engine as it is")
    parser.add_argument("--nodes", type=int, default=100_000, help="nodes of a search")
    parser.add_argument("--judge-nodes", type=int, default=300_000)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--plies", type=int, nargs=2, default=[10, 90], metavar=("FROM", "TO"))
    parser.add_argument("--samples", type=int, default=10_000, help="searches in all")
    parser.add_argument("--most", type=int, default=300, metavar="CP", help="greatest regret of a move")
    parser.add_argument("--decided", type=int, default=800, metavar="CP", help="positions beyond this are left out")
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True, help="where the state is kept")
    return parser.parse_args()


def main():
    arguments = parse()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    engine = Engine(arguments.engine, [], "usi")
    study = Study(arguments, [Option(text, numbers(engine)) for text in arguments.tune or []])
    engine.close()
    if not study.positions:
        sys.exit("the games have no position between these plies")
    if arguments.compare:
        arguments.samples = min(arguments.samples, len(arguments.compare) * len(study.positions))
    if os.path.exists(arguments.out):
        study.load(arguments.out)
    stopped, lock = [], threading.Lock()
    signal.signal(signal.SIGINT, lambda *_: stopped.append(True))
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    workers = [threading.Thread(target=work, args=(study, seed, stopped, lock)) for seed in range(arguments.concurrency)]
    begun, first = time.monotonic(), len(study.searches)
    for worker in workers:
        worker.start()
    while any(worker.is_alive() for worker in workers):
        for worker in workers:
            worker.join(timeout=10 / len(workers))
        done = len(study.searches)
        if done > first:
            left = (arguments.samples - done) * (time.monotonic() - begun) / (done - first)
            print(f"{done} of {arguments.samples} searches, {left / 60:.0f} min left", file=sys.stderr)
    study.save(arguments.out)
    failures = [error for error in stopped if error is not True]
    if failures:
        sys.exit(f"a search failed: {failures[0]}")
    print(compared(study) if arguments.compare else regressed(study))
    return 0


if __name__ == "__main__":
    sys.exit(main())
