#!/usr/bin/env python3
"""Pictures of the documents, as SVG with colours for light and dark pages: plots.py [elo|plies|effort|learning|crates|boards] ...

    python3 tools/plots.py                  all but the boards
    python3 tools/plots.py boards SHOGI     the boards, by the program SHOGI

`elo` draws docs/results/engine_elo.svg from engine_matches.tsv, `plies` docs/results/dobutsu_plies.svg from
tablebases.json, `effort` docs/results/kyoto_replies.svg from kyoto_replies.tsv, `learning` docs/results/learning.svg and the tables of learning.md
from learning.json, and `crates` docs/pictures/crates.svg from the manifests. Only the standard library is used. The same data
give the same bytes.
"""

import csv
import json
import math
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs/results"
PICTURES = ROOT / "docs/pictures"
# Colours of ink, of faint lines and of up to four series, for light pages and for dark ones.
STYLE = """<style>
svg { color: #222; background: #fff; font-family: sans-serif; font-size: 12px }
text { fill: currentColor } .axis { stroke: currentColor; fill: none } .faint { stroke: currentColor; opacity: .15 }
.a { color: #1f6fb4 } .b { color: #c4432b } .c { color: #2a8a3c } .d { color: #7a4fb5 }
.mark { fill: currentColor } .line { stroke: currentColor; fill: none; stroke-width: 2 } .box { fill: none; stroke: currentColor }
@media (prefers-color-scheme: dark) {
svg { color: #ddd; background: #1b1b1f } .a { color: #6db3f2 } .b { color: #f08a6c } .c { color: #72cf86 } .d { color: #b69cf0 }
}
</style>
"""


def write(path: Path, title: str, width: int, height: int, body: list[str]) -> None:
    """Writes a picture, replacing what was there."""
    path.parent.mkdir(exist_ok=True)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n'
    path.write_text(head + f"<title>{escape(title)}</title>\n" + STYLE + "\n".join(body) + "\n</svg>\n", encoding="utf-8")
    print(path.relative_to(ROOT))


def text(x: float, y: float, words: str, anchor: str = "start", style: str = "") -> str:
    """A text at a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{escape(words)}</text>'


def legend(names: list[tuple[str, str]], x: int, y: int) -> list[str]:
    """What each colour stands for, one name a line."""
    body = []
    for line, (colour, name) in enumerate(names):
        body.append(f'<rect class="mark {colour}" x="{x}" y="{y + 18 * line}" width="12" height="10"/>')
        body.append(text(x + 18, y + 9 + 18 * line, name))
    return body


def elo() -> None:
    """Elo against Fairy-Stockfish at 100 ms a move, a point a match with its 95 % interval, from left to right in time."""
    with (RESULTS / "engine_matches.tsv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["limit"] == "100 ms"]
    variants = {"minishogi": "a", "kyotoshogi": "b", "shogi": "c", "dobutsu with tablebase": "d"}
    rows = [row for row in rows if row["variant"] in variants]
    versions = list(dict.fromkeys(row["version"] for row in rows))
    width, height, left, top = 760, 470, 60, 100
    low, high = -550.0, 950.0

    def at(value: float) -> float:
        # A match won to the last game has no upper bound.
        return top + (high - min(value, high)) / (high - low) * (height - top - 90)

    body = [text(left, 20, "Elo against Fairy-Stockfish 11.1, 100 ms a move; circles: openings that are even, squares: random ones")]
    body += legend([(colour, name) for name, colour in variants.items()], left, 28)
    for value in range(-400, 801, 200):
        body.append(f'<path class="faint" d="M{left} {at(value):.1f}H{width - 10}"/>')
        body.append(text(left - 6, at(value) + 4, f"{value:+d}" if value else "0", "end"))
    step = (width - left - 30) / len(versions)
    for place, version in enumerate(versions):
        for line, words in enumerate(wrapped(version, 12)):
            body.append(text(left + step * (place + 0.5), height - 72 + 13 * line, words, "middle", ' font-size="10"'))
    taken: dict[str, int] = {}
    for row in rows:
        order = taken[row["version"]] = taken.get(row["version"], -1) + 1
        x = left + step * versions.index(row["version"]) + 12 + order * min(16.0, (step - 24) / 5)
        y = at(float(row["elo"]))
        bounds = [float(row["elo_low"]), float(row["elo_high"] or high)]
        colour = variants[row["variant"]]
        body.append(f'<path class="line {colour}" d="M{x:.1f} {at(bounds[0]):.1f}V{at(bounds[1]):.1f}"/>')
        if row["openings"] == "even":
            body.append(f'<circle class="mark {colour}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>')
        else:
            body.append(f'<rect class="mark {colour}" x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8"/>')
    write(RESULTS / "engine_elo.svg", "Elo against Fairy-Stockfish by version", width, height, body)


def wrapped(words: str, width: int) -> list[str]:
    """A text in lines of about so many letters."""
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def plies() -> None:
    """Positions of Dobutsu shogi, won and lost, by plies to the end, on a logarithmic scale."""
    counts = json.loads((RESULTS / "tablebases.json").read_text(encoding="utf-8"))["dobutsu"]["plies"]
    width, height, left, top, bottom = 760, 360, 60, 70, 40
    decades = 8

    def at(value: int) -> float:
        return height - bottom - math.log10(max(value, 1)) / decades * (height - top - bottom)

    body = [text(left, 20, "Positions of Dobutsu shogi by plies to the end")]
    body += legend([("a", "won for the player to move"), ("b", "lost")], left, 28)
    for decade in range(0, decades + 1, 2):
        body.append(f'<path class="faint" d="M{left} {at(10**decade):.1f}H{width - 10}"/>')
        body.append(text(left - 6, at(10**decade) + 4, f"{10**decade:,}" if decade < 4 else f"1e{decade}", "end"))
    scale = (width - left - 20) / len(counts)
    for ply in range(0, len(counts), 20):
        body.append(text(left + scale * ply, height - bottom + 16, str(ply), "middle"))
    body.append(text((left + width) / 2, height - 8, "plies", "middle"))
    for parity, colour in ((1, "a"), (0, "b")):
        points = [(left + scale * ply, at(count)) for ply, count in enumerate(counts) if ply % 2 == parity and count]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        body.append(f'<path class="line {colour}" d="M{path}"/>')
    write(RESULTS / "dobutsu_plies.svg", "Positions of Dobutsu shogi by plies to the end", width, height, body)


def effort() -> None:
    """Expansions until the proof after each reply to 1e1d+ in Kyoto shogi, on a logarithmic scale."""
    with (RESULTS / "kyoto_replies.tsv").open(encoding="utf-8") as file:
        rows = [(row["reply"], int(row["expansions"])) for row in csv.DictReader(file, delimiter="\t")]
    rows.sort(key=lambda row: row[1])
    width, height, left, top, step = 760, 380, 70, 40, 25
    lowest, highest = 4, 9

    def at(value: int) -> float:
        return left + (math.log10(value) - lowest) / (highest - lowest) * (width - left - 90)

    body = [text(left, 20, "Kyoto shogi: expansions until the proof after each reply to 1e1d+")]
    for decade in range(lowest, highest + 1):
        x = at(10**decade)
        body.append(f'<path class="faint" d="M{x:.1f} {top}V{top + step * len(rows)}"/>')
        body.append(text(x, top + step * len(rows) + 16, f"1e{decade}", "middle"))
    for line, (reply, expansions) in enumerate(rows):
        y = top + step * line
        body.append(text(left - 8, y + 16, reply, "end"))
        body.append(f'<rect class="mark a" x="{left}" y="{y + 3}" width="{at(expansions) - left:.1f}" height="18"/>')
        body.append(text(at(expansions) + 6, y + 16, f"{expansions:,}"))
    write(RESULTS / "kyoto_replies.svg", "Expansions until the proof after each reply", width, height, body)


def difference(elo: list[float | None]) -> str:
    """A difference in Elo with its interval, in words; without a number where all points went to one side."""
    middle, low, high = ("-" if value is None else f"{value:+.0f}" for value in elo)
    return f"{middle} ({low} to {high})"


def learning_tables(data: dict) -> str:
    """The tables of the page on learning."""
    words = {"result": "the game's result", "search": "the search's score"}
    settings = data["settings"]
    lines = [f"`{data['run']['command']}`, {data['run']['machine']}, {data['run']['date']}, {data['run']['seconds']} s of clock in all.", ""]
    for curve in data["curves"]:
        lines.append(f"**The shares are those of {words[curve['weigh']]}:**\n")
        lines.append("| generation | share of the result | positions | K-P against the one before | K-P, nodes | K-P, time | smaller, nodes | smaller, time | K-P against smaller, time |")
        lines.append("|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
        for number, found in enumerate(curve["generations"], 1):
            cells = [found["kp"]["previous"], found["kp"]["nodes"], found["kp"]["time"]]
            cells += [found["small"]["nodes"], found["small"]["time"], found["small"]["kp"]]
            row = " | ".join(difference(cell["elo"]) for cell in cells)
            lines.append(f"| {number} | {found['result_share']:g} | {found['positions']:,} | {row} |")
        lines.append("")
    if any("last" in curve for curve in data["curves"]):
        lines.append("The last generation, Elo of the first player:\n")
        lines.append("| shares of | K-P against smaller, nodes | K-P against the program's network, nodes | time | smaller against it, nodes | time |")
        lines.append("|---|---:|---:|---:|---:|---:|")
        for curve in data["curves"]:
            last = curve.get("last", {})
            names = ["kp_against_small_nodes"] + [f"{net}_against_standard_{effort}" for net in ("kp", "small") for effort in ("nodes", "time")]
            row = " | ".join(difference(last[name]["elo"]) for name in names) if last else ""
            lines.append(f"| {words[curve['weigh']]} | {row} |")
        lines.append("")
    effort = f"Nodes: {settings['match_nodes']:,} a move; time: {settings['movetime'] * 1000:g} ms a move; {2 * settings['pairs']} games a match."
    lines.append(effort)
    return "\n".join(lines) + "\n"


def learning() -> None:
    """What each generation of learning brings, in Elo against an evaluation that stays the same, and the tables of the page."""
    data = json.loads((RESULTS / "learning.json").read_text(encoding="utf-8"))
    page = RESULTS / "learning.md"
    before, _, rest = page.read_text(encoding="utf-8").partition("<!-- from learning.json -->\n")
    _, _, after = rest.partition("<!-- up to here -->\n")
    page.write_text(f"{before}<!-- from learning.json -->\n{learning_tables(data)}<!-- up to here -->\n{after}", encoding="utf-8")
    words = {"result": "shares of the result", "search": "shares of the search"}
    against = data["settings"]["against"]
    width, height, left, top, bottom = 760, 460, 60, 100, 50
    found = [abs(bound or 0) for curve in data["curves"] for each in curve["generations"] for net in ("kp", "small") for bound in each[net]["time"]["elo"]]
    # All that was found, up to 800 either way.
    most = min(math.ceil(max(found) / 200) * 200, 800)

    def at(value: float | None, bound: float) -> float:
        value = bound if value is None else min(max(value, -most), most)
        return top + (most - value) / (2 * most) * (height - top - bottom)

    title = f"Kyoto shogi: Elo against {against} by generation, {data['settings']['movetime'] * 1000:g} ms a move"
    body = [text(left, 20, title)]
    series = [(curve, net, colour) for curve, colours in zip(data["curves"], ("ab", "cd")) for net, colour in zip(("kp", "small"), colours)]
    names = {"kp": "K-P 256x2-32-32", "small": "the smaller network, from the same games"}
    body += legend([(colour, f"{names[net]}, {words[curve['weigh']]}") for curve, net, colour in series], left, 28)
    for value in range(-most, most + 1, 100 if most <= 400 else 200):
        body.append(f'<path class="faint" d="M{left} {at(value, 0):.1f}H{width - 10}"/>')
        body.append(text(left - 6, at(value, 0) + 4, f"{value:+d}" if value else "0", "end"))
    count = max(len(curve["generations"]) for curve in data["curves"])
    step = (width - left - 20) / count
    for number in range(1, count + 1):
        body.append(text(left + step * (number - 0.5), height - bottom + 18, str(number), "middle"))
    body.append(text((left + width) / 2, height - 10, "generation", "middle"))
    for order, (curve, net, colour) in enumerate(series):
        points = []
        for number, found in enumerate(curve["generations"]):
            middle, low, high = found[net]["time"]["elo"]
            x = left + step * (number + 0.5) + 5 * (order - (len(series) - 1) / 2)
            # All points lost or won are drawn at the edge.
            edge = -most if high is not None and high < 0 else most
            points.append((x, at(middle, edge)))
            body.append(f'<path class="line {colour}" style="stroke-width: 1" d="M{x:.1f} {at(low, -most):.1f}V{at(high, most):.1f}"/>')
            body.append(f'<circle class="mark {colour}" cx="{x:.1f}" cy="{at(middle, edge):.1f}" r="3"/>')
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        body.append(f'<path class="line {colour}" d="M{path}"/>')
    write(RESULTS / "learning.svg", title, width, height, body)


def crates() -> None:
    """The crates in layers, each above those that it needs; an arrow where no other arrow implies it."""
    needs = {}
    for manifest in sorted(ROOT.glob("crates/*/Cargo.toml")):
        package = tomllib.loads(manifest.read_text(encoding="utf-8"))
        needs[package["package"]["name"]] = set(package.get("dependencies", {}))
    needs = {name: needed & needs.keys() for name, needed in needs.items()}
    everything: dict[str, set[str]] = {}

    def below(name: str) -> set[str]:
        if name not in everything:
            everything[name] = needs[name].union(*(below(other) for other in needs[name]))
        return everything[name]

    direct = {name: {other for other in needs[name] if not any(other in below(via) for via in needs[name])} for name in needs}
    layer: dict[str, int] = {}

    def depth(name: str) -> int:
        if name not in layer:
            layer[name] = 1 + max((depth(other) for other in direct[name]), default=-1)
        return layer[name]

    rows: dict[int, list[str]] = {}
    for name in sorted(needs):
        rows.setdefault(depth(name), []).append(name)
    width, step, box = 760, 56, (150, 28)
    height = step * len(rows) + 20
    place = {
        name: (width * (column + 0.5) / len(names), height - 26 - step * row)
        for row, names in rows.items()
        for column, name in enumerate(names)
    }
    body = []
    for name, others in direct.items():
        for other in sorted(others):
            (x, y), (to_x, to_y) = place[name], place[other]
            body.append(f'<path class="axis" opacity=".5" d="M{x:.1f} {y + box[1] / 2}L{to_x:.1f} {to_y - box[1] / 2}"/>')
    for name, (x, y) in place.items():
        body.append(f'<rect class="box a" x="{x - box[0] / 2:.1f}" y="{y - box[1] / 2}" width="{box[0]}" height="{box[1]}" rx="5"/>')
        body.append(text(x, y + 4, name, "middle"))
    write(PICTURES / "crates.svg", "The crates and what each builds on", width, height, body)


def boards(program: str) -> None:
    """The start of each variant as the program draws it."""
    PICTURES.mkdir(exist_ok=True)
    for variant in ("minishogi", "kyotoshogi", "shogi", "shogi34", "dobutsu"):
        start = ["--start", "KRB"] if variant == "shogi34" else ["--sfen", "startpos"]
        path = PICTURES / f"{variant}.svg"
        subprocess.run([program, "show", variant, *start, "--svg", str(path)], check=True, stdout=subprocess.DEVNULL)
        print(path.relative_to(ROOT))


PLOTS: dict[str, Callable[[], None]] = {"elo": elo, "plies": plies, "effort": effort, "learning": learning, "crates": crates}

if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments[:1] == ["boards"] and len(arguments) == 2:
        boards(arguments[1])
    elif all(argument in PLOTS for argument in arguments):
        for plot in arguments or PLOTS:
            PLOTS[plot]()
    else:
        sys.exit(__doc__)
