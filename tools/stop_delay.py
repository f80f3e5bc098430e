#!/usr/bin/env python3
"""Measures how soon an engine answers `stop`.

    python3 tools/stop_delay.py --engine target/release/shogi-usi

Endless searches of every variant, and searches for a mate, are stopped at random moments. The exit code is
1 if an answer took longer than --limit.
"""

import argparse
import random
import sys
import time

from match import PATIENCE, Engine

# A position of shogi with a mate of 1525 plies, which takes longer than any of these searches.
MICROCOSMOS = "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="target/release/shogi-usi")
    parser.add_argument("--times", type=int, default=20, help="for each kind of search")
    parser.add_argument("--limit", type=float, default=50.0, help="milliseconds")
    arguments = parser.parse_args()
    source, late = random.Random(1), 0
    for variant in ("minishogi", "kyotoshogi", "shogi", "shogi34", "dobutsu"):
        for threads in (1, 2):
            for go, answer in (("infinite", "bestmove"), ("mate infinite", "checkmate")):
                if go != "infinite" and (variant != "shogi" or threads > 1):
                    continue
                engine = Engine(arguments.engine, [f"Threads={threads}", "USI_Hash=64"], "usi")
                engine.new_game(variant)
                delays = []
                for _ in range(arguments.times):
                    engine.say("position " + (f"sfen {MICROCOSMOS}" if "mate" in go else "startpos"))
                    engine.say(f"go {go}")
                    time.sleep(source.uniform(0.0, 0.3))
                    start = time.monotonic()
                    engine.say("stop")
                    engine.hear(answer, PATIENCE)
                    delays.append(1000 * (engine.heard - start))
                engine.close()
                delays.sort()
                late += sum(delay > arguments.limit for delay in delays)
                print(f"{variant}, {threads} threads, {go}: median {delays[len(delays) // 2]:.1f} ms, longest {delays[-1]:.1f} ms")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
