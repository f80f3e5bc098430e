#!/usr/bin/env python3
"""Plays a match between two engines that speak USI or UCI.

    pip install pyffish==0.0.90
    python3 tools/match.py --variant minishogi --first 'target/release/shogi-usi' \\
        --second /usr/games/fairy-stockfish --games 100 --movetime 100 --out match.json

Openings are random legal moves from a seed; each is played twice, with colours exchanged. On small boards
few random moves decide most games, so that both games of a pair are won by the same side and decide nothing:
--even takes only openings that both engines call even. arbiter.py says what is legal and when a game ends. Illegal
moves, moves out of time and whatever breaks the protocol lose the game, and are counted; a game in which a move is out
of time by no more than the machine stood still meanwhile is played again. Our engine is set to write
Fairy-Stockfish's dialect.
Ctrl-C ends a match after the pairs that are being played, with a report of all until then.
"""

import argparse
import itertools
import json
import math
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import Counter

try:
    import pyffish  # noqa: F401  (the arbiter needs it)
except ImportError:
    pyffish = None
else:
    from arbiter import Game, Rules, opening

# An engine that has not answered so long after its time is taken for dead.
PATIENCE = 20.0


class ProtocolError(Exception):
    """The engine has said something that the protocol does not have, or nothing."""


class Standstill(Exception):
    """A move was out of time since the machine stood still."""


class Watch:
    """Notices when the machine gives this process no time, by a thread that does nothing but sleep."""

    # What a thread may sleep too long while all is well, in seconds: longer than a slice of the scheduler.
    USUAL = 0.15

    def __init__(self):
        self.standstills = []
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            start = time.monotonic()
            time.sleep(0.02)
            end = time.monotonic()
            if end - start > self.USUAL:
                self.standstills.append((start, end))

    def lost(self, start, end):
        """The seconds between two moments at which the machine stood still."""
        time.sleep(0.1)  # So that a standstill at the end has been noticed.
        return sum(max(0.0, min(end, there) - max(start, here)) for here, there in self.standstills)


def said(lines):
    """What an engine says last of the best line: its depth and its nodes, 0 where it says nothing, and its score in hundredths
    of a pawn, infinite for mates and where it says nothing."""
    depth, nodes, score = 0, 0, math.inf
    for line in lines:
        words = line.split()
        if words[:2] == ["info", "string"] or ("multipv" in words and words[words.index("multipv") + 1] != "1"):
            continue
        after = {name: words[words.index(name) + 1] for name in ("depth", "nodes") if name in words[:-1]}
        depth, nodes = int(after.get("depth", depth)), int(after.get("nodes", nodes))
        if "score" in words[:-2]:
            kind, value = words[words.index("score") + 1 :][:2]
            score = int(value) if kind == "cp" else math.copysign(math.inf, -1 if value.startswith("-") else 1)
    return {"depth": depth, "nodes": nodes, "score": score}


class Engine:
    """An engine at the other end of a pipe."""

    def __init__(self, command, options, protocol, errors=subprocess.DEVNULL):
        self.protocol = protocol
        pipe = subprocess.PIPE
        # A session of its own keeps Ctrl-C from it, so that the pair can be played to its end.
        self.process = subprocess.Popen(
            shlex.split(command), stdin=pipe, stdout=pipe, stderr=errors, text=True, start_new_session=True
        )
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.say(protocol)
        lines = self.hear(f"{protocol}ok", PATIENCE)
        self.name = next((line[8:] for line in lines if line.startswith("id name ")), command)
        # Options, and what each takes.
        self.known = dict(
            line.removeprefix("option name ").split(" type ", 1)
            for line in lines
            if line.startswith("option name ") and " type " in line
        )
        self.options = options

    def _read(self):
        for line in self.process.stdout:
            self.lines.put((time.monotonic(), line.strip()))
        self.lines.put((time.monotonic(), None))

    def say(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise ProtocolError(f"the engine has gone: {error}") from error

    def hear(self, start, seconds):
        """The lines up to one that begins so."""
        lines, deadline = [], time.monotonic() + seconds
        while not lines or not lines[-1].startswith(start):
            try:
                self.heard, line = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise ProtocolError(f"no {start} within {seconds:.1f} s") from None
            if line is None:
                raise ProtocolError("the engine has ended")
            if line.startswith("info string error"):
                raise ProtocolError(line)
            lines.append(line)
        return lines

    def new_game(self, variant):
        for name in ("USI_Variant", "UCI_Variant"):
            if name in self.known:
                self.say(f"setoption name {name} value {variant}")
        if "Dialect" in self.known:
            self.say("setoption name Dialect value fairy")
        for option in self.options:
            name, value = option.split("=", 1)
            self.say(f"setoption name {name} value {value}")
        self.say(f"{self.protocol}newgame")
        self.say("isready")
        self.hear("readyok", PATIENCE)

    def move(self, moves, go, seconds):
        """The answer to `go`, and how long it took."""
        self.say("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        start = time.monotonic()
        self.say(f"go {go}")
        lines = self.hear("bestmove", seconds + PATIENCE)
        words = lines[-1].split()
        self.said = said(lines)
        if len(words) not in (2, 4) or (len(words) == 4 and words[2] != "ponder"):
            raise ProtocolError(" ".join(words))
        return words[1], self.heard - start

    def score(self, moves, nodes):
        """What a search of so many nodes says to the player to move, in hundredths of a pawn; infinite for mates."""
        self.say("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        self.say(f"go nodes {nodes}")
        return said(self.hear("bestmove", 60.0))["score"]

    def close(self):
        try:
            self.say("quit")
            self.process.wait(timeout=5)
        except (ProtocolError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


class Clock:
    """How long the players may think."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.left = [arguments.clock[0], arguments.clock[0]] if arguments.clock else None

    def go(self, side, protocol):
        """The words after `go`, and the seconds that the move may take, if they are counted."""
        arguments = self.arguments
        if arguments.nodes:
            return f"nodes {arguments.nodes}", math.inf
        if arguments.movetime:
            return f"movetime {arguments.movetime}", (arguments.movetime + arguments.margin) / 1000
        first, second = ("w", "b") if protocol == "uci" else ("b", "w")
        sente, gote = (max(1, int(left)) for left in self.left)
        increment = int(arguments.clock[1])
        words = f"{first}time {sente} {second}time {gote}"
        if increment:
            words += f" {first}inc {increment} {second}inc {increment}"
        return words, self.left[side] / 1000

    def spend(self, side, seconds):
        if self.left:
            self.left[side] += self.arguments.clock[1] - 1000 * seconds


def play(engines, game, arguments, count, watch=None):
    """Plays a game to its end between the engines, Sente's first: (winner or None, reason), and the longest moves."""
    clock = Clock(arguments)
    for engine in engines:
        engine.new_game(arguments.variant)
    longest = [0.0, 0.0]
    hopeless = [0, 0]
    while not game.result:
        if len(game.moves) >= arguments.plies:
            return (None, "length"), longest
        side = game.side
        engine = engines[side]
        go, seconds = clock.go(side, engine.protocol)
        moves = game.moves
        if engine.protocol == "uci":
            moves = game.coordinates
        limit = 60.0 if seconds == math.inf else seconds
        try:
            if arguments.forget:
                engine.new_game(arguments.variant)
            move, used = engine.move(moves, go, limit)
        except ProtocolError as error:
            count[side]["protocol"] += 1
            print(f"{engine.name}: {error}; after {' '.join(game.moves)}", file=sys.stderr)
            return (1 - side, "protocol"), longest
        if used > seconds and watch and watch.lost(engine.heard - used, engine.heard) >= used - seconds:
            raise Standstill
        longest[side] = max(longest[side], used)
        for name in ("depth", "nodes"):
            count[side][name] += engine.said[name]
        count[side]["moves"] += 1
        hopeless[side] = hopeless[side] + 1 if arguments.give_up and engine.said["score"] <= -arguments.give_up else 0
        if hopeless[side] >= 3:
            return (1 - side, "given up"), longest
        if engine.protocol == "uci" and move in game.theirs.values():
            move = game.position.usi(move)
        if used > seconds:
            count[side]["time"] += 1
            return (1 - side, "time"), longest
        clock.spend(side, used)
        if move in ("resign", "(none)", "0000"):
            return (1 - side, "resignation"), longest
        if move == "win":
            game.result = game.declared()
            count[side]["illegal"] += game.result[0] != side
            break
        if arguments.variant == "dobutsu" and move not in game.legal and move + "+" in game.legal:
            # Fairy-Stockfish 11.1 lets chicks on the last rank be, where they turn by themselves.
            move += "+"
        if move not in game.legal:
            count[side]["illegal"] += 1
            print(f"{engine.name}: {move}; after {' '.join(game.moves)}", file=sys.stderr)
            return (1 - side, "illegal move"), longest
        game.play(move)
    return game.result, longest


def even(engines, game, arguments):
    """Whether every engine calls the position even."""
    for engine in engines:
        engine.new_game(arguments.variant)
        moves = game.coordinates if engine.protocol == "uci" else game.moves
        if abs(engine.score(moves, arguments.even_nodes)) > arguments.even:
            return False
    return True


def elo(score):
    """The difference in strength that makes this score expected."""
    score = min(max(score, 1e-6), 1 - 1e-6)
    return -400 * math.log10(1 / score - 1)


def strength(pairs):
    """Elo of the first engine with a 95 % interval, from the scores of pairs of games (0 to 2)."""
    scores = [pair / 2 for pair in pairs]
    mean = sum(scores) / len(scores)
    variance = sum((score - mean) ** 2 for score in scores) / len(scores)
    error = 1.96 * math.sqrt(variance / len(scores))
    low, high = wilson(mean, len(scores)) if error == 0 else (mean - error, mean + error)
    return {"elo": elo(mean), "low": elo(low), "high": elo(high), "score": mean}


def wilson(share, trials):
    """Wilson's 95 % interval of a share, for pairs that all end alike: the normal one has no width there."""
    square = 1.96**2 / trials
    middle = (share + square / 2) / (1 + square)
    width = 1.96 / (1 + square) * math.sqrt(share * (1 - share) / trials + square / 4 / trials)
    return middle - width, middle + width


def likelihood_ratio(pairs, low, high):
    """The logarithm of the likelihood ratio of two strengths, by the normal approximation."""
    scores = [pair / 2 for pair in pairs]
    mean = sum(scores) / len(scores)
    # One pair of each result beforehand, so that the first ones do not decide.
    variance = sum((score - mean) ** 2 for score in scores + [0, 0.25, 0.5, 0.75, 1])
    variance /= len(scores) + 5
    expected = [1 / (1 + 10 ** (-difference / 400)) for difference in (low, high)]
    distance = expected[1] - expected[0]
    return len(scores) * distance * (2 * mean - sum(expected)) / (2 * variance)


class Match:
    """A match and what has come of it."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.lock = threading.Lock()
        self.numbers = itertools.count()
        self.pairs = []
        self.wins = Counter()
        self.reasons = Counter()
        self.counts = [Counter(), Counter()]
        self.longest = [0.0, 0.0]
        self.names = ["", ""]
        self.plies = 0
        self.differences = []
        self.games = []
        self.rejected = 0
        self.replayed = 0
        self.watch = Watch()
        self.over = False
        self.started = time.monotonic()

    def opening(self, rules, players, number):
        """The moves that pair `number` begins with."""
        arguments = self.arguments
        for attempt in itertools.count():
            seed = f"{arguments.seed}/{number}" + (f"/{attempt}" if attempt else "")
            start = opening(arguments.variant, rules, arguments.opening + number % 2, seed)
            if arguments.even is None:
                return start
            game = Game(arguments.variant, rules)
            for move in start:
                game.play(move)
            if even(players, game, arguments):
                return start
            with self.lock:
                self.rejected += 1

    def game(self, rules, order, start):
        """Plays a game in which the machine does not stand still: (game, faults, (winner, reason), longest moves)."""
        while True:
            game = Game(self.arguments.variant, rules)
            for move in start:
                game.play(move)
            count = [Counter(), Counter()]
            try:
                return game, count, *play(order, game, self.arguments, count, self.watch)
            except Standstill:
                with self.lock:
                    self.replayed += 1

    def work(self):
        arguments = self.arguments
        rules = Rules(arguments.shogi, arguments.variant)
        sides = (
            (arguments.first, arguments.first_option, arguments.first_protocol),
            (arguments.second, arguments.second_option, arguments.second_protocol),
        )
        players = [Engine(*side) for side in sides]
        while not self.over:
            number = next(self.numbers)
            if 2 * number >= arguments.games:
                break
            start = self.opening(rules, players, number)
            pair = 0
            for swapped in (False, True):
                game, count, (winner, reason), longest = self.game(rules, players[::-1] if swapped else players, start)
                if swapped:
                    count, longest = count[::-1], longest[::-1]
                    winner = None if winner is None else 1 - winner
                pair += 1 if winner is None else 2 * (winner == 0)
                with self.lock:
                    self.wins[winner] += 1
                    self.reasons[reason] += 1
                    self.plies += len(game.moves)
                    self.differences += game.differences
                    self.games.append({"moves": game.moves, "swapped": swapped, "winner": winner, "reason": reason})
                    for side in (0, 1):
                        self.counts[side] += count[side]
                        self.longest[side] = max(self.longest[side], longest[side])
                if reason == "protocol":
                    for player in players:
                        player.close()
                    players = [Engine(*side) for side in sides]
            with self.lock:
                self.names = [player.name for player in players]
                self.pairs.append(pair / 2)
                self.over |= self.decided() is not None
                if sys.stderr.isatty():
                    print(f"\r{self.progress()}", end="", file=sys.stderr, flush=True)
        for player in players:
            player.close()
        rules.close()

    def progress(self):
        """How the match stands, in a line."""
        wins, draws, losses = self.wins[0], self.wins[None], self.wins[1]
        done, all_games = wins + draws + losses, self.arguments.games
        left = (time.monotonic() - self.started) / done * (all_games - done)
        now = strength(self.pairs)
        return f"{done} of {all_games}: +{wins} ={draws} -{losses}, {now['elo']:+.0f} ({now['low']:+.0f} to {now['high']:+.0f}), {left / 60:.0f} minutes left  "

    def end(self, *_):
        """Ends the match after the pairs that are being played, whose results count."""
        self.over = True

    def decided(self):
        """What the sequential test has decided, if it has: H1 or H0."""
        if not self.arguments.sprt or not self.pairs:
            return None
        ratio = likelihood_ratio(self.pairs, *self.arguments.sprt)
        bound = math.log(0.95 / 0.05)
        return "H1" if ratio >= bound else "H0" if ratio <= -bound else None

    def report(self, seconds):
        arguments = self.arguments
        wins, draws, losses = self.wins[0], self.wins[None], self.wins[1]
        report = {
            "variant": arguments.variant,
            "engines": self.names,
            "options": [arguments.first_option, arguments.second_option],
            "limit": {name: vars(arguments)[name] for name in ("movetime", "nodes", "clock") if vars(arguments)[name]},
            **({"forget": True} if arguments.forget else {}),
            "opening": arguments.opening,
            "seed": arguments.seed,
            **({"even": arguments.even, "even_nodes": arguments.even_nodes, "rejected": self.rejected} if arguments.even is not None else {}),
            "shared_pairs": self.pairs.count(1.0),
            "games": wins + draws + losses,
            "wins": wins,
            "draws": draws,
            "losses": losses,
            **strength(self.pairs),
            "illegal_moves": [count["illegal"] for count in self.counts],
            "time_losses": [count["time"] for count in self.counts],
            "protocol_errors": [count["protocol"] for count in self.counts],
            "played_again": self.replayed,
            "mean_depth": [round(count["depth"] / max(1, count["moves"]), 2) for count in self.counts],
            "mean_nodes": [round(count["nodes"] / max(1, count["moves"])) for count in self.counts],
            "longest_move": [round(longest, 3) for longest in self.longest],
            "reasons": dict(self.reasons),
            "plies": self.plies,
            "arbiters_differ": len(self.differences),
            "seconds": round(seconds, 1),
        }
        if arguments.sprt:
            report["sprt"] = {
                "elo": arguments.sprt,
                "ratio": likelihood_ratio(self.pairs, *arguments.sprt),
                "decided": self.decided(),
            }
        return report


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shogi", default="target/release/shogi", help="our program, for its rules")
    parser.add_argument("--variant", choices=["minishogi", "kyotoshogi", "shogi", "dobutsu"], default="minishogi")
    for which in ("first", "second"):
        parser.add_argument(f"--{which}", required=True, help="command line of the engine")
        parser.add_argument(f"--{which}-option", action="append", default=[], metavar="NAME=VALUE")
        parser.add_argument(f"--{which}-protocol", choices=["usi", "uci"], default="usi")
    limit = parser.add_mutually_exclusive_group(required=True)
    limit.add_argument("--movetime", type=int, metavar="MS")
    limit.add_argument("--nodes", type=int)
    clock = lambda text: [float(part) for part in (text.split("+") + ["0"])[:2]]
    limit.add_argument("--clock", type=clock, metavar="MS+MS", help="for the game, and added after each move")
    parser.add_argument("--margin", type=int, default=100, help="milliseconds over --movetime that are let pass")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--opening", type=int, default=6, help="random plies; every other pair has one more")
    parser.add_argument("--even", type=int, metavar="CP", help="only openings that both engines judge within so many hundredths of a pawn")
    parser.add_argument("--even-nodes", type=int, default=100_000, metavar="N", help="nodes of the searches that judge openings")
    parser.add_argument("--give-up", type=int, metavar="CP", help="an engine loses that says three times in a row that it is behind by so many hundredths of a pawn")
    parser.add_argument("--forget", action="store_true", help="begin a new game for both engines before each move, so that they keep nothing from move to move")
    parser.add_argument("--plies", type=int, default=300, help="longer games are drawn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--sprt", type=float, nargs=2, metavar=("ELO0", "ELO1"))
    parser.add_argument("--out", help="write the report, with the games, to this file")
    parser.add_argument("--clean", action="store_true", help="exit with 1 unless our side (the first) has broken no rule")
    return parser.parse_args()


def main():
    arguments = parse()
    if pyffish is None:
        print("pyffish is not available: match SKIPPED")
        return 0
    match = Match(arguments)
    for signum in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signum, match.end)
    threads = [threading.Thread(target=match.work) for _ in range(arguments.concurrency)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if not match.pairs:
        print("no game was finished", file=sys.stderr)
        return 1
    report = match.report(time.monotonic() - match.started)
    print(json.dumps(report))
    if arguments.out:
        with open(arguments.out, "w", encoding="utf-8") as file:
            json.dump({**report, "played": match.games}, file)
            file.write("\n")
    faults = ("illegal_moves", "time_losses", "protocol_errors")
    broken = any(report[fault][0] for fault in faults) or report["arbiters_differ"]
    return 1 if arguments.clean and broken else 0


if __name__ == "__main__":
    sys.exit(main())
