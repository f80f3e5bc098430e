#!/usr/bin/env python3
"""Learns an evaluation as the paper on Kyoto shogi did, from nothing, and measures what each generation brings.

    cargo build --release -p shogi-cli
    python3 tools/learning_curve.py kyotoshogi --folder target/learning --out target/learning.json

A generation is: games of the player against itself, judged by the network so far (at first by one whose weights are all
0); a fit of a K-P 256x2-32-32 network to them, from the weights so far; and matches of the new network against the one
before, and against an evaluation that stays the same, at equal nodes and at equal time. Beside it stands the project's own
smaller network, fitted anew to the same games in the project's own way, in the same matches.

What is aimed at is a mixture of the game's result and of what the search thought of the position, in four stages. --weigh
says of which the numbers of --shares are the part: the paper's are 0, 0.1, 0.33, 0.5. Given twice, there are two curves.

It calls `shogi selfplay`, `shogi learn fit` and `shogi learn match`; each saves a checkpoint in the folder. What is done is
in the folder's state.json. After Ctrl-C the same command resumes; with a larger --generations it goes on. --out is written
after every generation. With effort in nodes the same command makes the same networks; matches by time depend on the machine.
"""

import argparse
import datetime
import json
import math
import os
import platform
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

# The 97.5th percentile of the normal distribution.
Z_95 = 1.959963984540054
# What may change when a run goes on.
FREE = ("generations", "folder", "out", "shogi")


class Interrupted(Exception):
    """Ctrl-C, or a signal to end."""


class Run:
    """The folder of a run: what is done, and how the next step is done."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.folder = arguments.folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.path = self.folder / "state.json"
        self.child = None
        self.is_interrupted = False
        settings = {name: value for name, value in vars(arguments).items() if name not in FREE}
        self.state = {"settings": settings, "steps": {}}
        if self.path.exists():
            self.state = json.loads(self.path.read_text(encoding="utf-8"))
            found = self.state["settings"]
            differing = [f"{name} {found.get(name)}, not {wanted}" for name, wanted in settings.items() if found.get(name) != wanted]
            if differing:
                sys.exit(f"error: {self.path} is of another run: {'; '.join(differing)}")
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.interrupt)

    def interrupt(self, *_):
        """Ends the step that runs, which saves its checkpoint."""
        self.is_interrupted = True
        if self.child is not None and self.child.poll() is None:
            self.child.send_signal(signal.SIGINT)

    def step(self, name, words, out=None):
        """The answer of a command of the program, which is called in the folder unless it has been; `out` is the file that
        it writes there."""
        steps = self.state["steps"]
        if name in steps and (out is None or (self.folder / out).exists()):
            return steps[name]
        if self.is_interrupted:
            raise Interrupted
        checkpoint = f"{name}.checkpoint"
        command = [self.arguments.shogi, *words, "--checkpoint", checkpoint, "--json"]
        command += ["--threads", str(self.arguments.threads)]
        if out is not None:
            command += ["--out", out]
        # In a session of its own, so that Ctrl-C reaches it once.
        self.child = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, text=True, start_new_session=True)
        if self.is_interrupted:
            self.interrupt()
        answer, _ = self.child.communicate()
        if self.child.returncode != 0:
            if self.is_interrupted:
                raise Interrupted
            sys.exit(f"error: {shlex.join(command)} ended with {self.child.returncode}")
        steps[name] = json.loads(answer)
        write_whole(self.path, json.dumps(self.state, indent=1) + "\n")
        (self.folder / checkpoint).unlink(missing_ok=True)
        return steps[name]


def write_whole(path, text):
    """Writes a file under a temporary name and renames it."""
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def elo(share):
    """The Elo difference that a share of points stands for; none where all went to one side."""
    return None if share <= 0 or share >= 1 else round(400 * math.log10(share / (1 - share)), 1)


def scored(answer):
    """Won, drawn and lost games with the Elo difference and its 95 % interval after Wilson, a draw being half a win."""
    won, drawn, lost = (answer[name] for name in ("won", "drawn", "lost"))
    games = won + drawn + lost
    share = (won + drawn / 2) / games
    middle = (share + Z_95**2 / (2 * games)) / (1 + Z_95**2 / games)
    width = Z_95 * math.sqrt(share * (1 - share) / games + Z_95**2 / (4 * games**2)) / (1 + Z_95**2 / games)
    # At an end of the range the interval reaches it just, but for rounding.
    low, high = (0.0 if share == 0 else middle - width), (1.0 if share == 1 else middle + width)
    return {"won": won, "drawn": drawn, "lost": lost, "elo": [elo(share), elo(low), elo(high)]}


class Curve:
    """The generations of one reading of the shares."""

    def __init__(self, run, weigh):
        self.run = run
        self.arguments = run.arguments
        self.weigh = weigh
        self.generations = []

    def file(self, generation, end):
        """The name of a file of a generation: games, or one of its two networks."""
        return f"{self.weigh}-{generation:02}.{end}"

    def judged_by(self, generation, end="bin"):
        """What a generation judges positions by."""
        return self.file(generation, end) if generation else "zero"

    def game(self):
        """The words that name the game, where it has several starts also the start."""
        start = self.arguments.start
        return [self.arguments.variant, *(["--start", start] if start else [])]

    def result_share(self, generation):
        """The part of the game's result in what a generation is fitted to."""
        shares, ends = self.arguments.shares, self.arguments.stages
        stage, last = 0, 0
        for stage, length in enumerate(ends):
            last += length
            if generation <= last:
                break
        else:
            stage = len(ends)
        share = shares[stage]
        return share if self.weigh == "result" else round(1 - share, 6)

    def match(self, name, first, second, effort):
        """A match of two evaluations, at equal nodes or equal time."""
        arguments = self.arguments
        limit, pairs = {
            "nodes": (["--nodes", str(arguments.match_nodes)], arguments.pairs),
            "time": (["--movetime", str(arguments.movetime)], arguments.pairs),
        }[effort]
        # All pairs are played: a test between two differences that are almost the same never ends.
        words = ["learn", "match", *self.game(), "--eval", first, "--against", second, "--pairs", str(pairs), *limit]
        words += ["--seed", str(arguments.seed), "--low", "-0.001", "--high", "0.001"]
        return scored(self.run.step(f"{self.weigh}-{name}-{effort}", words))

    def learn(self, generation):
        """A generation: games, both networks, and their matches."""
        arguments, run = self.arguments, self.run
        games, net, small = (self.file(generation, end) for end in ("games", "bin", "net"))
        before, share = self.judged_by(generation - 1), self.result_share(generation)
        name = f"{self.weigh}-{generation:02}"
        words = ["selfplay", *self.game(), "--games", str(arguments.games), "--nodes", str(arguments.nodes)]
        # Openings of games are others than those of matches, and others in every generation.
        words += ["--seed", str(arguments.seed * 1_000_000 + generation), "--eval", before]
        played = run.step(f"{name}-games", words, games)
        archives = [self.file(number, "games") for number in range(max(1, generation - arguments.window + 1), generation + 1)]
        fit = ["learn", "fit", arguments.variant, "--seed", str(arguments.seed)]
        fit += [word for archive in archives for word in ("--archive", archive)]
        words = [*fit, "--form", "kp", "--result-share", str(share), "--passes", str(arguments.passes), "--rate", str(arguments.rate)]
        fitted = run.step(f"{name}-kp", [*words, "--weights", before], net)
        own = run.step(f"{name}-small", [*fit, "--form", "network"], small)
        matches = {"previous": self.match(f"{generation:02}-previous", net, before, "nodes")}
        for effort in ("nodes", "time"):
            matches[effort] = self.match(f"{generation:02}-kp", net, arguments.against, effort)
        beside = {effort: self.match(f"{generation:02}-small", small, arguments.against, effort) for effort in ("nodes", "time")}
        beside["kp"] = self.match(f"{generation:02}-both", net, small, "time")
        results = {"result_share": share, "games": played["games"], "distinct": played["distinct"], "positions": played["positions"]}
        loss = {"loss": fitted["passes"][-1]["loss"], "bytes": fitted["bytes"], **matches}
        self.generations.append(results | {"kp": loss, "small": {"bytes": own["bytes"], **beside}})

    def finish(self):
        """Matches of the last networks against each other at equal nodes, and against what the program plays with."""
        last = len(self.generations)
        both = {end: self.judged_by(last, end) for end in ("bin", "net")}
        found = {"kp_against_small_nodes": self.match(f"{last:02}-both", both["bin"], both["net"], "nodes")}
        for end, name in (("bin", "kp"), ("net", "small")):
            for effort in ("nodes", "time"):
                found[f"{name}_against_standard_{effort}"] = self.match(f"{last:02}-{name}-standard", both[end], "standard", effort)
        return found


def processor():
    """The name of the processor where the system reports it, else its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(": ", 1)[1] for line in lines if line.startswith("model name")]
    return names[0].strip() if names else platform.machine()


def command(arguments):
    """The command that does the same."""
    words = ["python3", "tools/learning_curve.py", arguments.variant]
    for name, value in vars(arguments).items():
        if name in ("variant", "folder", "out", "shogi") or value is None:
            continue
        values = value if name == "weigh" else [",".join(map(str, value)) if isinstance(value, list) else value]
        words += [word for value in values for word in (f"--{name.replace('_', '-')}", str(value))]
    return shlex.join(words)


def results(run, curves, finals):
    """What is published of a run."""
    arguments = run.arguments
    unit = "thread" if arguments.threads == 1 else "threads"
    program = subprocess.run([arguments.shogi, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    provenance = {
        "command": command(arguments),
        "machine": f"{processor()}, {arguments.threads} {unit}",
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "program": program,
        "seconds": round(sum(step["seconds"] for step in run.state["steps"].values())),
    }
    settings = run.state["settings"]
    listed = [{"weigh": curve.weigh, "generations": curve.generations} | finals.get(curve.weigh, {}) for curve in curves]
    return json.dumps({"run": provenance, "settings": settings, "curves": listed}, indent=1) + "\n"


def numbers(kind):
    """Reads numbers with commas between them."""
    return lambda text: [kind(number) for number in text.split(",")]


def parse():
    """The arguments, checked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variant", help="the game, such as kyotoshogi, minishogi, shogi34 or shogi")
    parser.add_argument("--start", help="where games begin, in a game with several starts")
    parser.add_argument("--generations", type=int, default=30, help="how many; the paper has about 30")
    parser.add_argument("--stages", type=numbers(int), default=[5, 5, 10], help="how many of them have the first share, the second, ...; all others have the last")
    parser.add_argument("--shares", type=numbers(float), default=[0.0, 0.1, 0.33, 0.5], help="one for each stage and one for the others")
    parser.add_argument("--weigh", action="append", choices=("result", "search"), help="what the shares are the part of: the game's result (the default) or the search's score; may be given twice")
    parser.add_argument("--games", type=int, default=20_000, help="games of a generation")
    parser.add_argument("--nodes", type=int, default=1_000, help="nodes a move in these games")
    parser.add_argument("--window", type=int, default=1, help="the networks are fitted to the games of so many generations")
    parser.add_argument("--passes", type=int, default=1, help="passes over the positions")
    parser.add_argument("--rate", type=float, default=0.002, help="the size of the first steps")
    parser.add_argument("--against", default="material", help="the evaluation that all play against, a name or a file")
    parser.add_argument("--pairs", type=int, default=200, help="pairs of games of a match")
    parser.add_argument("--match-nodes", type=int, default=2_000, help="nodes a move in matches at equal nodes")
    parser.add_argument("--movetime", type=float, default=0.1, help="seconds a move in matches at equal time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--shogi", default="target/release/shogi", help="the program")
    parser.add_argument("--folder", type=Path, default=Path("target/learning"), help="where games, networks and the state are kept")
    parser.add_argument("--out", type=Path, default=Path("target/learning.json"), help="where the results go")
    arguments = parser.parse_args()
    if len(arguments.shares) != len(arguments.stages) + 1:
        parser.error("--shares needs one number more than --stages")
    if not all(0 <= share <= 1 for share in arguments.shares):
        parser.error("--shares are from 0 to 1")
    # Commands are called in the folder.
    program = shutil.which(arguments.shogi)
    if program is None:
        parser.error(f"there is no program {arguments.shogi}: cargo build --release -p shogi-cli")
    arguments.shogi = str(Path(program).resolve())
    if Path(arguments.against).exists():
        arguments.against = str(Path(arguments.against).resolve())
    arguments.weigh = list(dict.fromkeys(arguments.weigh or ["result"]))
    return arguments


def main():
    arguments = parse()
    run = Run(arguments)
    curves = [Curve(run, weigh) for weigh in arguments.weigh]
    finals = {}
    try:
        for generation in range(1, arguments.generations + 1):
            started = time.monotonic()
            for curve in curves:
                curve.learn(generation)
            write_whole(arguments.out, results(run, curves, finals))
            for curve in curves:
                found = curve.generations[-1]
                lines = [f"{net} {found[net][effort]['elo']}" for net in ("kp", "small") for effort in ("nodes", "time")]
                print(f"generation {generation}, {curve.weigh}: {', '.join(lines)}; {time.monotonic() - started:.0f} s", flush=True)
        for curve in curves:
            finals[curve.weigh] = {"last": curve.finish()}
    except Interrupted:
        print("interrupted: the same command resumes", file=sys.stderr)
        sys.exit(130)
    write_whole(arguments.out, results(run, curves, finals))
    print(arguments.out)


if __name__ == "__main__":
    os.environ.setdefault("RUST_BACKTRACE", "0")
    main()
