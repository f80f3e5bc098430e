#!/usr/bin/env python3
"""Tunes options of an engine by games against itself: simultaneous perturbation stochastic approximation.

    pip install pyffish==0.0.90
    python3 tools/spsa.py --engine target/release/shogi-usi --variant minishogi --variant kyotoshogi \\
        --tune FutilityMargin:20 --tune LateMoveReductionSlope:5 --nodes 20000 --pairs 2000 --out spsa.json

Before every pair of games all options are moved at once, each up or down by its step; the engine with the
one set plays the engine with the opposite one, both colours from one opening; and the values go towards
whichever has won (Spall, 1992; sequences and their exponents as in Spall, 1998). Steps shrink and so does what a
pair counts. Openings are random moves that the engine calls even, drawn again and again from a pool.

With --screen the values stay as they are, and what is measured is how much each option's step up is worth against its
step down, all of them in the same games: as exactly as by a match of as many games for each option alone. A 0 or 1 for
a part of a search is such an option, too.

The state is saved to --out after every ten pairs and at Ctrl-C; the same command resumes from it. At a fixed number of
nodes the same command gives the same values, whether interrupted or not.
"""

import argparse
import json
import math
import os
import random
import signal
import sys
import time
from collections import Counter

from arbiter import Game, Rules
from match import Engine, Match, play

# Spall (1998), section III: exponents of the two sequences, and the share of pairs that the first is held back by.
ALPHA, GAMMA, STABILITY = 0.602, 0.101, 0.1


class Option:
    """An option that is tuned: where it began, where it may go, and how far it is moved at the last pair."""

    def __init__(self, text, listed):
        named, _, step = text.partition(":")
        self.name, _, start = named.partition("=")
        if self.name not in listed:
            sys.exit(f"the engine has no number called {self.name}; it has {', '.join(sorted(listed))}")
        self.start, self.least, self.most = listed[self.name]
        self.start = float(start) if start else self.start
        self.step = float(step) if step else max(0.5, self.start / 8)

    def within(self, value):
        return min(max(value, self.least), self.most)


def numbers(engine):
    """The numbers among the options of an engine: name to (default, least, most)."""
    spins = {name: kind.split() for name, kind in engine.known.items() if kind.startswith("spin ")}
    return {
        name: tuple(int(words[words.index(word) + 1]) for word in ("default", "min", "max"))
        for name, words in spins.items()
    }


def read_state(path, settings):
    """The state of a run with these settings."""
    with open(path, encoding="utf-8") as file:
        state = json.load(file)
    if state["settings"] != settings:
        different = [name for name in settings if state["settings"].get(name) != settings[name]]
        sys.exit(f"{path} is of another run, with other {', '.join(different)}: give another --out, or the same options")
    return state


def write_state(path, state):
    """Writes the state of a run whole or not at all."""
    with open(f"{path}.tmp", "w", encoding="utf-8") as file:
        json.dump(state, file)
        file.write("\n")
    os.replace(f"{path}.tmp", path)


class Tuning:
    """Values so far, and how they go on."""

    def __init__(self, arguments, options):
        self.arguments, self.options = arguments, options
        self.kept = {name: vars(arguments)[name] for name in ("variant", "tune", "option", "nodes", "pairs", "gain", "seed", "opening", "even", "even_nodes", "pool", "plies", "give_up", "screen")}
        self.values = {option.name: float(option.start) for option in options}
        self.pairs, self.course, self.openings = 0, [], {}
        # Of all pairs, for --screen: points times direction for each option, and squares of the points.
        self.sums, self.squares = dict.fromkeys(self.values, 0), 0

    def load(self, path):
        state = read_state(path, self.kept)
        self.values, self.pairs = state["values"], state["pairs"]
        self.course, self.openings = state["course"], state["openings"]
        self.sums, self.squares = state["sums"], state["squares"]

    def save(self, path):
        state = {
            "settings": self.kept,
            "pairs": self.pairs,
            "values": self.values,
            "course": self.course,
            "openings": self.openings,
            "sums": self.sums,
            "squares": self.squares,
        }
        write_state(path, state)

    def scales(self):
        """What the steps are multiplied by at this pair, and how many steps a won pair counts."""
        if self.arguments.screen:
            return 1.0, 0.0
        total, number = self.arguments.pairs, self.pairs + 1
        steps = (total / number) ** GAMMA
        held = STABILITY * total
        gain = self.arguments.gain * ((held + total) / (held + number)) ** ALPHA / steps
        return steps, gain

    def perturbed(self, source):
        """Each option's direction, and the two sets of values to be compared."""
        steps, _ = self.scales()
        signs = {option.name: source.choice((-1, 1)) for option in self.options}
        sets = []
        for side in (1, -1):
            settings = {}
            for option in self.options:
                value = option.within(self.values[option.name] + side * signs[option.name] * steps * option.step)
                # Of 3.25 comes 3 three times of four, so that a small step makes a difference, too.
                settings[option.name] = int(option.within(int(value + source.random())))
            sets.append(settings)
        return signs, sets

    def learn(self, signs, points):
        """Takes in the points of the first set in a pair of games, less those of the second: from -2 to 2."""
        _, gain = self.scales()
        for option in self.options:
            moved = self.values[option.name] + gain * option.step * points * signs[option.name]
            self.values[option.name] = option.within(moved)
            self.sums[option.name] += points * signs[option.name]
        self.squares += points * points
        self.pairs += 1
        if self.pairs % max(1, self.arguments.pairs // 100) == 0:
            self.course.append([self.pairs, {name: round(value, 2) for name, value in self.values.items()}])


def pair(tuning, players, rules, source):
    """Plays a pair of games: the directions, and the difference in points."""
    arguments = tuning.arguments
    variant = arguments.variant[tuning.pairs % len(arguments.variant)]
    one = argparse.Namespace(**{**vars(arguments), "variant": variant})
    number = source.randrange(arguments.pool)
    key = f"{variant}/{number}"
    if key not in tuning.openings:
        # Judged by the values of the start: the engine still has those of the pair before.
        players[0].options = arguments.option + [f"{option.name}={option.start:.0f}" for option in tuning.options]
        tuning.openings[key] = Match(one).opening(rules[variant], players[:1], number)
    signs, sets = tuning.perturbed(source)
    for player, settings in zip(players, sets):
        player.options = arguments.option + [f"{name}={value}" for name, value in settings.items()]
    points = 0
    for swapped in (False, True):
        game = Game(variant, rules[variant])
        for move in tuning.openings[key]:
            game.play(move)
        count = [Counter() for _ in players]
        (winner, reason), _ = play(players[::-1] if swapped else players, game, one, count)
        if reason in ("protocol", "illegal move"):
            sys.exit(f"the game ended by {reason}: {' '.join(game.moves)}")
        if winner is not None:
            points += 1 if (winner == 0) != swapped else -1
    return signs, points


# Elo of a point more for each pair of games, where players are nearly equal: the slope of the logistic curve.
ELO_OF_POINT = 400 / math.log(10)


def screened(tuning):
    pairs = max(1, tuning.pairs)
    error = 1.96 * math.sqrt(tuning.squares / pairs / pairs) * ELO_OF_POINT
    lines = [f"option                               low      high       Elo (+- {error:.0f}, {tuning.pairs} pairs)"]
    for option in tuning.options:
        low, high = (option.within(option.start + side * option.step) for side in (-1, 1))
        elo = tuning.sums[option.name] / pairs * ELO_OF_POINT
        lines.append(f"{option.name:<30} {low:>9g} {high:>9g} {elo:>+9.0f}")
    return "\n".join(lines)


def table(tuning):
    if tuning.arguments.screen:
        return screened(tuning)
    lines = ["option                             start     value"]
    for option in tuning.options:
        lines.append(f"{option.name:<30} {option.start:>9g} {tuning.values[option.name]:>9.1f}")
    return "\n".join(lines)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shogi", default="target/release/shogi", help="our program, for its rules")
    parser.add_argument("--engine", default="target/release/shogi-usi", help="command line of the engine")
    parser.add_argument("--variant", action="append", choices=["minishogi", "kyotoshogi", "shogi", "dobutsu"], required=True, help="may be repeated: played by turns")
    parser.add_argument("--tune", action="append", required=True, metavar="NAME[=START][:STEP]", help="a number among the options, where it starts (its default), and how far it is moved at the last pair (an eighth of its start)")
    parser.add_argument("--option", action="append", default=["USI_Hash=4"], metavar="NAME=VALUE", help="for both")
    parser.add_argument("--nodes", type=int, default=3000, help="nodes a move")
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--gain", type=float, default=0.01, help="steps that a value goes at the last pair for a point")
    parser.add_argument("--opening", type=int, default=4, help="random plies; every other pair has one more")
    parser.add_argument("--even", type=int, default=250, metavar="CP", help="only openings judged within so many hundredths of a pawn")
    parser.add_argument("--even-nodes", type=int, default=20_000)
    parser.add_argument("--pool", type=int, default=300, help="openings of each variant")
    parser.add_argument("--plies", type=int, default=300, help="longer games are drawn")
    parser.add_argument("--give-up", type=int, metavar="CP", help="as of match.py: who is hopelessly behind has lost")
    parser.add_argument("--screen", action="store_true", help="measure what the steps are worth, and leave the values")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True, help="where the state is kept")
    return parser.parse_args()


def main():
    arguments = parse()
    arguments.movetime = arguments.clock = None
    arguments.forget = False
    # Ctrl-C ends the tuning after this pair, not the programs that it needs until then.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    players = [Engine(arguments.engine, [], "usi") for _ in range(2)]
    tuning = Tuning(arguments, [Option(text, numbers(players[0])) for text in arguments.tune])
    if os.path.exists(arguments.out):
        tuning.load(arguments.out)
    rules = {variant: Rules(arguments.shogi, variant) for variant in arguments.variant}
    stopped = []
    signal.signal(signal.SIGINT, lambda *_: stopped.append(True))
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    begun, first, reported = time.monotonic(), tuning.pairs, 0.0
    while tuning.pairs < arguments.pairs and not stopped:
        source = random.Random(f"{arguments.seed}/{tuning.pairs}")
        tuning.learn(*pair(tuning, players, rules, source))
        if tuning.pairs % 10 == 0:
            tuning.save(arguments.out)
        used = time.monotonic() - begun
        if used - reported > 10:
            reported, left = used, (arguments.pairs - tuning.pairs) * used / (tuning.pairs - first)
            print(f"{tuning.pairs} of {arguments.pairs} pairs, {left / 60:.0f} min left", file=sys.stderr)
    tuning.save(arguments.out)
    print(table(tuning))
    if tuning.pairs < arguments.pairs:
        print(f"{tuning.pairs} of {arguments.pairs} pairs: the same command resumes", file=sys.stderr)
    for player in players:
        player.close()
    for rule in rules.values():
        rule.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
