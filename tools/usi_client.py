#!/usr/bin/env python3
"""Plays whole games through the USI client of cshogi, which was written for other engines.

    pip install pyffish==0.0.90 cshogi==1.1.0
    python3 tools/usi_client.py --shogi target/release/shogi --engine target/release/shogi-usi

The engine plays against itself, or with --opponent against another engine, with half of the time
each. pyffish and our rules are the arbiters (arbiter.py); in standard shogi cshogi's own board too. A
move that is not legal, a pv that cannot be played or an answer that the client does not understand
ends the run with exit code 1; where cshogi or pyffish is missing it is passed over with a notice.
"""

import argparse
import os
import sys
from collections import Counter

try:
    import cshogi
    import pyffish  # noqa: F401  (the arbiter needs it)
    from cshogi.usi import Engine, InfoListener
except ImportError:
    cshogi = None
else:
    from arbiter import Game, Rules, opening

VARIANTS = ["minishogi", "kyotoshogi", "dobutsu", "shogi"]


def start(path, variant):
    engine = Engine(os.path.abspath(path))
    for name in ("USI_Variant", "UCI_Variant"):
        engine.setoption(name, variant)
    engine.setoption("Dialect", "fairy")
    engine.setoption("USI_Hash", 16)
    engine.isready()
    return engine


def can_be_played(game, pv):
    """Whether a line can be played from the game's position on."""
    line = game.branch()
    for move in pv:
        if line.result:
            # A line may take a lion that the arbiter no longer waits for, or go on after a repetition.
            return line.result[1] != "board"
        if move not in line.legal:
            return False
        line.play(move)
    return True


def play(engines, ours, rules, variant, seed, milliseconds):
    game = Game(variant, rules)
    for move in opening(variant, rules, 4, seed):
        game.play(move)
    board = cshogi.Board() if variant == "shogi" else None
    if board:
        for move in game.moves:
            board.push_usi(move)
    for engine in engines:
        engine.usinewgame()
    while not game.result and len(game.moves) < 200:
        engine, listener = engines[game.side], InfoListener()
        engine.position(moves=game.moves)
        move, _ = engine.go(byoyomi=milliseconds, listener=listener.listen())
        case = f"{variant}: {move} after {' '.join(game.moves)}"
        if engine in ours:
            check(game, move, listener, case)
        if move == "win":
            game.result = game.declared()
            break
        if move not in game.legal:
            # Only another engine's: it resigns, or plays by other rules.
            reason = "resignation" if move == "resign" else "illegal move of the other"
            game.result = (1 - game.side, reason)
            break
        if board:
            if cshogi.Board.move_from_usi(board, move) not in board.legal_moves:
                sys.exit(f"cshogi refuses {case}")
            board.push_usi(move)
        game.play(move)
    for engine in engines:
        engine.gameover("draw")
    if game.differences:
        sys.exit(f"{variant}: the arbiters differ at {game.differences[0]}")
    return game


def check(game, move, listener, case):
    """Stops the program where our engine's answer is wrong. It never resigns of its own accord."""
    if move == "win":
        if game.declared()[0] != game.side:
            sys.exit(f"not a win: {case}")
    elif move not in game.legal:
        sys.exit(f"illegal: {case}")
    elif listener.pv is None or listener.score is None:
        sys.exit(f"no pv or no score: {case}")
    elif not can_be_played(game, listener.pv):
        sys.exit(f"the pv {' '.join(listener.pv)} cannot be played: {case}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shogi", default="target/release/shogi", help="our program, for its rules")
    parser.add_argument("--engine", default="target/release/shogi-usi", help="our engine")
    parser.add_argument("--opponent", help="another engine's program [default: ours]")
    parser.add_argument("--games", type=int, default=2, help="of each variant")
    parser.add_argument("--byoyomi", type=int, default=50, help="milliseconds for each move")
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=VARIANTS)
    arguments = parser.parse_args()
    if cshogi is None:
        print("NOTICE: cshogi or pyffish is not available: games through its USI client: SKIPPED")
        return 0
    for variant in arguments.variants:
        rules = Rules(arguments.shogi, variant)
        ours = start(arguments.engine, variant)
        other = start(arguments.opponent or arguments.engine, variant)
        games, checked = [], [ours] if arguments.opponent else [ours, other]
        for number in range(arguments.games):
            order = [ours, other] if number % 2 == 0 else [other, ours]
            games.append(play(order, checked, rules, variant, f"client/{number}", arguments.byoyomi))
        if variant == "minishogi":
            ours.position(sfen="sfen 4k/5/4G/5/K4 b R 1")
            if not ours.go_mate(byoyomi=1000).startswith("R*"):
                sys.exit("no mate in one was found")
        for engine in (ours, other):
            engine.quit()
        rules.close()
        plies = sum(len(game.moves) for game in games)
        reasons = Counter(game.result[1] if game.result else "length" for game in games)
        ends = ", ".join(f"{reason} {count}" for reason, count in reasons.items())
        print(f"{variant}: {len(games)} games, {plies} plies through cshogi's client, all legal; ends: {ends}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
