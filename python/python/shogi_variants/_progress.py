"""The bars of ``progress=True``, and of long calls in notebooks."""

import sys
import time
from typing import Any

# Seconds after which a call in a notebook shows a bar.
DELAY = 1.0


class Bar:
    """A bar of tqdm that appears once a call has taken so many seconds.

    Raises ``ImportError`` where tqdm is not installed.
    """

    def __init__(self, after: float = 0.0) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError as error:
            raise ImportError("progress=True needs tqdm: pip install tqdm") from error
        self._made: Any = tqdm
        self._bar: Any = None
        self._from = time.monotonic() + after

    def __call__(self, done: int, total: int | None) -> None:
        if self._bar is None:
            if time.monotonic() < self._from:
                return
            self._bar = self._made(unit_scale=True)
        self._bar.total = total
        self._bar.n = done
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def by_default() -> Bar | None:
    """A bar for long calls in a notebook where tqdm is installed; elsewhere none."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if getattr(shell, "kernel", None) is None:
        return None
    try:
        return Bar(after=DELAY)
    except ImportError:
        return None
