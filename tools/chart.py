"""What the pictures share: SVG with colours for light and dark pages, scales, axes, legends."""

import math
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

# Width and height of a chart, and how far its axes reach.
SIZE = (760, 460)
LEFT, RIGHT, BOTTOM = 70, 735, 410
# Colours of ink, of faint lines and of up to five series, for light pages and for dark ones.
STYLE = """<style>
svg { color: #222; background: #fff; font-family: sans-serif; font-size: 12px }
text { fill: currentColor } .axis { stroke: currentColor; fill: none } .faint { stroke: currentColor; opacity: .15 }
.a { color: #1f6fb4 } .b { color: #c4432b } .c { color: #2a8a3c } .d { color: #7a4fb5 }
.e { color: #c98a00 } .inside { fill: #fff }
.mark { fill: currentColor } .line { stroke: currentColor; fill: none; stroke-width: 2 } .box { fill: none; stroke: currentColor }
@media (prefers-color-scheme: dark) {
svg { color: #ddd; background: #1b1b1f } .a { color: #6db3f2 } .b { color: #f08a6c } .c { color: #72cf86 } .d { color: #b69cf0 }
.e { color: #f0bd5a } .inside { fill: #1b1b1f }
}
</style>
"""


def write(path: Path, title: str, width: int, height: int, body: list[str]) -> None:
    """Writes a picture, replacing what was there."""
    path.parent.mkdir(exist_ok=True)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n'
    path.write_text(head + f"<title>{escape(title)}</title>\n" + STYLE + "\n".join(body) + "\n</svg>\n", encoding="utf-8")
    print(os.path.relpath(path))


def text(x: float, y: float, words: str, anchor: str = "start", style: str = "") -> str:
    """A text at a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{escape(words)}</text>'


def wrapped(words: str, width: int) -> list[str]:
    """A text in lines of about so many letters."""
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def head(title: str, names: list[tuple[str, str]], x: int) -> list[str]:
    """The title, and below it what each colour stands for, one name a line."""
    body = [text(x, 20, title)]
    for line, (colour, name) in enumerate(names):
        y = 28 + 18 * line
        body.append(f'<rect class="mark {colour}" x="{x}" y="{y}" width="12" height="10"/>')
        body.append(text(x + 18, y + 9, name))
    return body


@dataclass(frozen=True)
class Scale:
    """Numbers from `low` to `high` along a picture from `start` to `end`; what lies outside stands at the edge."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        value = min(max(value, self.low), self.high)
        low, high = self.low, self.high
        if self.logarithmic:
            low, high, value = math.log10(low), math.log10(high), math.log10(value)
        return self.start + (value - low) / (high - low) * (self.end - self.start)

    def decades(self) -> list[float]:
        """The powers of ten on it."""
        return [10.0**power for power in range(math.ceil(math.log10(self.low)), math.floor(math.log10(self.high)) + 1)]


def power_of_ten(value: float) -> str:
    """A power of ten as a label."""
    return f"1e{math.log10(value):.0f}"


def levels(scale: Scale, values: Iterable[float], name: Callable[[float], str], left: float, right: float) -> list[str]:
    """Faint lines across at values of a scale that goes up, each with its name before it."""
    body = []
    for value in values:
        body.append(f'<path class="faint" d="M{left} {scale(value):.1f}H{right}"/>')
        body.append(text(left - 6, scale(value) + 4, name(value), "end"))
    return body


def columns(scale: Scale, values: Iterable[float], name: Callable[[float], str], top: float, bottom: float) -> list[str]:
    """Faint lines upwards at values of a scale that goes to the right, each with its name below it."""
    body = []
    for value in values:
        body.append(f'<path class="faint" d="M{scale(value):.1f} {top}V{bottom}"/>')
        body.append(text(scale(value), bottom + 16, name(value), "middle"))
    return body


def line(points: Iterable[tuple[float, float]], colour: str, style: str = "") -> str:
    """A line from point to point."""
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f'<path class="line {colour}"{style} d="M{path}"/>'


@dataclass(frozen=True)
class Axis:
    """What an axis of a chart measures, from where to where, and what is marked on it: without marks the powers of ten."""

    words: str
    low: float
    high: float
    marks: Iterable[float] | None = None
    name: Callable[[float], str] = power_of_ten

    def placed(self, start: float, end: float) -> Scale:
        """Its scale along a picture."""
        return Scale(self.low, self.high, start, end, logarithmic=self.marks is None)


def chart(title: str, names: list[tuple[str, str]], across: Axis, up: Axis) -> tuple[list[str], Scale, Scale]:
    """A chart of `SIZE` without its data: title, what the colours mean and both axes, and the scales of these."""
    top = 46 + 18 * len(names)
    x, y = across.placed(LEFT, RIGHT), up.placed(BOTTOM, top)
    body = head(title, names, LEFT)
    body += levels(y, y.decades() if up.marks is None else up.marks, up.name, LEFT, RIGHT)
    body += columns(x, x.decades() if across.marks is None else across.marks, across.name, top, BOTTOM)
    body.append(f'<path class="axis" d="M{LEFT} {top}V{BOTTOM}H{RIGHT}"/>')
    body.append(text((LEFT + RIGHT) / 2, BOTTOM + 38, across.words, "middle"))
    middle = (top + BOTTOM) / 2
    body.append(text(16, middle, up.words, "middle", f' transform="rotate(-90 16 {middle:.1f})"'))
    return body, x, y
