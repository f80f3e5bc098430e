"""Steps per second of processor time in random games: VectorEnv, pyffish and pgx, each on one core.

    RAYON_NUM_THREADS=1 taskset -c 0 python3 python/benches/agents.py [--seconds 5] [--pgx]

A step of VectorEnv gives planes, masks, rewards and ends of all boards, and draws their next actions. pyffish lists the legal
moves of a position and writes the position after one of them: it has no planes, no masks and no ends by repetition here. pgx is
run on its animal shogi with automatic reset, compiled before the clock is started.
"""

import argparse
import random
import time
from collections.abc import Callable

import shogi_variants as sv

PYFFISH = {"dobutsu": "dobutsu", "minishogi": "minishogi", "kyotoshogi": "kyotoshogi", "shogi": "shogi", "gorogoro": "gorogoro"}


def timed(step: Callable[[], int], seconds: float) -> float:
    """Steps per second of processor time of what makes so many steps at each call."""
    step()
    begun, steps = time.process_time(), 0
    while (taken := time.process_time() - begun) < seconds:
        steps += step()
    return steps / taken


def vector_env(variant: sv.typing.Variant, boards: int, seconds: float) -> float:
    env = sv.VectorEnv(variant, boards, seed=1)
    env.reset()

    def step() -> int:
        env.step(env.sample())
        return boards

    return timed(step, seconds)


def pyffish(variant: str, seconds: float) -> float:
    import pyffish as ffish

    choice = random.Random(1)
    start = ffish.start_fen(variant)
    fen, plies = start, 0

    def step() -> int:
        nonlocal fen, plies
        moves = ffish.legal_moves(variant, fen, [])
        if not moves or plies >= 512:
            fen, plies = start, 0
            return 0
        fen, plies = ffish.get_fen(variant, fen, [choice.choice(moves)]), plies + 1
        return 1

    return timed(step, seconds)


def pgx(boards: int, seconds: float) -> float:
    import jax
    import jax.numpy as jnp
    from pgx import make
    from pgx.experimental import auto_reset

    env = make("animal_shogi")
    begin, play = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    @jax.jit  # type: ignore[untyped-decorator]
    def step(state: object, key: object) -> tuple[object, object]:
        key, drawn, reset = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)  # type: ignore[attr-defined]
        actions = jax.random.categorical(drawn, logits, axis=1)
        return play(state, actions, jax.random.split(reset, boards)), key

    state, key = jax.jit(begin)(jax.random.split(jax.random.PRNGKey(1), boards)), jax.random.PRNGKey(2)

    def make_step() -> int:
        nonlocal state, key
        state, key = step(state, key)
        jax.block_until_ready(state)
        return boards

    return timed(make_step, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--boards", type=int, default=4096)
    parser.add_argument("--pgx", action="store_true", help="measure pgx, which needs jax")
    given = parser.parse_args()
    if given.pgx:
        print(f"pgx animal_shogi: {pgx(given.boards, given.seconds):,.0f} steps/s")
        return
    for variant in sv.variants():
        ours = vector_env(variant, given.boards if variant != "shogi" else 512, given.seconds)
        line = f"{variant}: VectorEnv {ours:,.0f} steps/s"
        if variant in PYFFISH:
            theirs = pyffish(PYFFISH[variant], given.seconds)
            line += f", pyffish {theirs:,.0f} steps/s, {ours / theirs:.0f} times"
        print(line, flush=True)


if __name__ == "__main__":
    main()
