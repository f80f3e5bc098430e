"""No value ends the process or shows a panic of Rust: every callable is called with odd ones, in other processes."""

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest
import shogi_variants as sv

pytest.importorskip("resource", reason="limits of POSIX")

CALLED = [name for name in sv._native.__all__ if callable(getattr(sv, name))]
ROUNDS = int(os.environ.get("ODD_ROUNDS", "25"))
"""Calls of each callable; the environment can set another number."""


@pytest.mark.parametrize("name", CALLED)
def test_odd_values_are_refused_or_answered(name: str, tmp_path: Path) -> None:
    log = tmp_path / "calls"
    program = Path(__file__).with_name("odd_values.py")
    command = [sys.executable, str(program), name, "1", str(ROUNDS), str(log)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600)
    calls = log.read_text("utf-8").splitlines() if log.exists() else []
    last = calls[-1] if calls else "no call"
    assert ended.returncode == 0, f"{last}\n{ended.stderr[-2_000:]}"
    returned, refused, _ = map(int, ended.stdout.split())
    assert len(calls) >= ROUNDS
    # A sample in which nothing is refused, or of a class nothing answered, would be too tame.
    assert refused > 0
    assert returned > 0 or not inspect.isclass(getattr(sv, name))
