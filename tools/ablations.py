#!/usr/bin/env python3
"""Plays the player against itself with one step of the search switched off, step by step.

    pip install pyffish==0.0.90
    python3 tools/ablations.py --variant minishogi --nodes 10000 --games 100 --out ablations.tsv

A step is off where a number among the options has a value at which it never applies. For each step the player without it
plays so many games against the player as it is, from even openings, both colours of each; the same seed gives the same
openings to all. Steps that are in --out already are not played again, so the same command resumes after Ctrl-C.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# The step's name, and the options that switch it off.
STEPS = {
    "razoring": ["RazoringBase=10000"],
    "reverse futility pruning": ["ReverseFutilityMargin=1000"],
    "null-move pruning": ["NullMoveMargin=10000"],
    "ProbCut": ["ProbCutMargin=10000"],
    "futility pruning": ["FutilityMargin=1000", "FutilityBase=1000"],
    "history pruning": ["HistoryPruning=32768"],
    "late-move pruning": ["LateMovePruningBase=100"],
    "exchanges of captures and checks": ["SeePruningTactical=1000"],
    "exchanges of quiet moves": ["SeePruningQuiet=1000"],
    "late-move reductions by depth and number": ["LateMoveReductionSlope=1"],
    "late-move reductions by history": ["LateMoveReductionHistory=65536"],
    "reductions where a cutoff is expected": ["LateMoveReductionCut=0"],
    "singular extensions": ["SingularMargin=1000"],
    "delta pruning": ["DeltaMargin=10000"],
    "quiet evasions left out": ["QuietEvasions=600"],
    "correction history": ["CorrectionMaximum=0"],
    "narrow windows at the root": ["AspirationWindow=2000"],
}

COLUMNS = ("step", "variant", "nodes", "games", "won", "drawn", "lost", "elo", "low", "high", "depth without", "depth with")


def played(step, arguments):
    """The row of a step."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "match.json"
        command = [sys.executable, Path(__file__).with_name("match.py"), "--shogi", arguments.shogi, "--variant", arguments.variant]
        command += ["--first", arguments.engine, "--second", arguments.engine]
        for which, options in (("first", STEPS[step]), ("second", [])):
            for option in ["USI_Hash=16", "MateProbe=false", *options]:
                command += [f"--{which}-option", option]
        command += ["--nodes", str(arguments.nodes), "--games", str(arguments.games), "--seed", str(arguments.seed)]
        command += ["--even", "150", "--even-nodes", "10000", "--give-up", "2500", "--out", str(report)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        found = json.loads(report.read_text())
    bounds = ["" if found[name] is None else round(found[name]) for name in ("elo", "low", "high")]
    row = [step, arguments.variant, arguments.nodes, found["games"], found["wins"], found["draws"], found["losses"], *bounds, *found["mean_depth"]]
    return "\t".join(map(str, row))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shogi", default="target/release/shogi", help="our program, for its rules")
    parser.add_argument("--engine", default="target/release/shogi-usi", help="command line of the player")
    parser.add_argument("--variant", choices=["minishogi", "kyotoshogi", "shogi"], default="minishogi")
    parser.add_argument("--step", action="append", choices=sorted(STEPS), help="only this step; may be repeated")
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True, help="the table, which is added to")
    arguments = parser.parse_args()
    table = Path(arguments.out)
    lines = table.read_text().splitlines() if table.exists() else ["\t".join(COLUMNS)]
    there = {tuple(line.split("\t")[:3]) for line in lines[1:]}
    for step in arguments.step or STEPS:
        if (step, arguments.variant, str(arguments.nodes)) in there:
            continue
        lines.append(played(step, arguments))
        print(lines[-1], flush=True)
        unfinished = table.with_suffix(".tmp")
        unfinished.write_text("\n".join(lines) + "\n")
        os.replace(unfinished, table)


if __name__ == "__main__":
    main()
