"""No value ends the process or shows a panic of Rust: every callable is called with odd ones, in another process."""

import inspect
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import shogi_variants as sv

pytest.importorskip("resource", reason="limits of POSIX")

CALLED = [name for name in sv._native.__all__ if callable(getattr(sv, name))]
ROUNDS = int(os.environ.get("ODD_ROUNDS", "25"))
"""Calls of each callable; the environment can set another number."""
SECONDS = 600
"""How long the calls of a name may take."""


class Caller:
    """A process that makes the calls of one name after the other; where it has ended, the next name starts another."""

    def __init__(self, folder: Path) -> None:
        self.log, self.errors = folder / "calls", folder / "errors"
        self.process: subprocess.Popen[str] | None = None

    def started(self) -> subprocess.Popen[str]:
        program = Path(__file__).with_name("odd_values.py")
        command = [sys.executable, str(program), "1", str(ROUNDS), str(self.log)]
        with self.errors.open("w", encoding="utf-8") as errors:
            return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True)

    def calls(self, name: str) -> str:
        """What the process says of the calls of a name: nothing if it has ended."""
        self.process = self.process or self.started()
        assert self.process.stdin is not None and self.process.stdout is not None
        timer = threading.Timer(SECONDS, self.process.kill)
        timer.start()
        try:
            print(name, file=self.process.stdin, flush=True)
            said = self.process.stdout.readline()
        except BrokenPipeError:
            said = ""
        timer.cancel()
        if not said:
            self.process.communicate()
            self.process = None
        return said

    def last(self) -> str:
        """The last call, and what was said of its end."""
        calls = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        return f"{calls[-1] if calls else 'no call'}\n{self.errors.read_text('utf-8')[-2_000:]}"


@pytest.fixture(scope="module")
def caller(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    caller = Caller(tmp_path_factory.mktemp("odd"))
    yield caller
    if caller.process is not None:
        caller.process.communicate(timeout=SECONDS)
        assert caller.process.returncode == 0, caller.last()


@pytest.mark.parametrize("name", CALLED)
def test_odd_values_are_refused_or_answered(name: str, caller: Caller) -> None:
    said = caller.calls(name)
    assert said, caller.last()
    returned, refused, interrupted = map(int, said.split())
    assert returned + refused + interrupted >= ROUNDS
    # A sample in which nothing is refused, or of a class nothing answered, would be too tame.
    assert refused > 0
    assert returned > 0 or not inspect.isclass(getattr(sv, name))
