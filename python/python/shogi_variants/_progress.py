"""What ``progress=True`` shows."""

from typing import Any


class Bar:
    """A bar of tqdm, which is there only if it is installed."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError as error:
            raise ImportError("progress=True needs tqdm: pip install tqdm") from error
        self._bar: Any = tqdm(unit_scale=True)

    def __call__(self, done: int, total: int | None) -> None:
        self._bar.total = total
        self._bar.n = done
        self._bar.refresh()

    def close(self) -> None:
        self._bar.close()
