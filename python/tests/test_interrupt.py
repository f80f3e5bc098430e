"""Long calls release the interpreter's lock, and Ctrl-C ends them."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import shogi_variants as sv

START = sv.Position("shogi")
LONG: dict[str, Callable[[Path], object]] = {
    "perft": lambda _: START.perft(9),
    "solve": lambda _: sv.solve(START),
    "mate": lambda _: sv.mate(
        # A problem of hundreds of plies.
        sv.Position("shogi", "9/9/9/9/9/9/9/9/k8 b 2R2B4G4S4N4L18P 1", problem=True),
        shortest=True,
    ),
    "think": lambda _: sv.Player("shogi", hash_mb=1).think(START, seconds=3600),
    "estimate": lambda _: sv.estimate("minishogi", 10**12),
    "build": lambda path: sv.Tablebase.build("dobutsu", path / "whole"),
}


@pytest.fixture(autouse=True)
def interrupts() -> Iterator[None]:
    """Interrupts count, also where the tests run in the background of a shell, which has them ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals of POSIX")
@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_ends_long_calls(name: str, tmp_path: Path) -> None:
    others = 0
    ended = threading.Event()

    def interrupt() -> None:
        # This thread runs while the call does: the lock is released.
        nonlocal others
        while not ended.wait(0.05):
            others += 1
            if others == 5:
                os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            LONG[name](tmp_path)
            # A call that has ended by itself waits here for the signal, and fails below.
            time.sleep(5)
            pytest.fail("the call ended before the signal")
    finally:
        ended.set()
        thread.join()
    assert others >= 5
