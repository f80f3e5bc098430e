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


def check_line(game, rules, pv):
    """Whether a line can be played from the game's position on."""
    copy = Game(game.name, rules)
    for move in game.moves:
        copy.play(move)
    for move in pv:
        if copy.result:
            # A line may take a lion that the arbiter no longer waits for, or go on after a repetition.
            return copy.result[1] != "board"
        if move not in copy.legal:
            return False
        copy.play(move)
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
        if move in ("resign", "win"):
            break
        if move not in game.legal:
            if engine is not ours:
                break
            sys.exit(f"{variant}: illegal move {move} after {' '.join(game.moves)}")
        if engine is ours and len(game.moves) % 7 == 0:
            if listener.pv is None or listener.score is None:
                sys.exit(f"{variant}: no pv or score for {move}")
            if not check_line(game, rules, listener.pv):
                sys.exit(f"{variant}: pv {listener.pv} after {' '.join(game.moves)}")
        if board:
            if cshogi.Board.move_from_usi(board, move) not in board.legal_moves:
                sys.exit(f"cshogi refuses {move} in {board.sfen()}")
            board.push_usi(move)
        game.play(move)
    for engine in engines:
        engine.gameover("draw")
    if game.differences:
        sys.exit(f"{variant}: the arbiters differ at {game.differences[0]}")
    return len(game.moves)


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
        plies = 0
        for number in range(arguments.games):
            order = [ours, other] if number % 2 == 0 else [other, ours]
            plies += play(order, ours, rules, variant, f"client/{number}", arguments.byoyomi)
        if variant == "minishogi":
            ours.position(sfen="sfen 4k/5/4G/5/K4 b R 1")
            if not ours.go_mate(byoyomi=1000).startswith("R*"):
                sys.exit("no mate in one was found")
        for engine in (ours, other):
            engine.quit()
        rules.close()
        print(f"{variant}: {arguments.games} games, {plies} plies through cshogi's client: all legal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
