#!/usr/bin/env python3
"""Pictures of the documents, as SVG with colours for light and dark pages.

    python3 tools/plots.py                              all but the boards, from docs/results
    python3 tools/plots.py elo plies                    these
    python3 tools/plots.py --folder DIR minishogi       this, from what an example has written into DIR
    python3 tools/plots.py --boards SHOGI               the boards, by the program SHOGI

| name | draws | from |
|---|---|---|
| minishogi | minishogi_estimate.svg, minishogi_funnel.svg | minishogi_reachable.json |
| shogi | shogi_estimate.svg, shogi_funnel.svg | shogi_reachable.json |
| strata | minishogi_strata.svg | minishogi_strata.json |
| player | shogi_player_ideas.svg, shogi_player_table.svg, shogi_player_tree.svg | shogi_player.json |
| elo | engine_elo.svg | engine_matches.tsv |
| plies | dobutsu_plies.svg | tablebases.json |
| progress | kyoto_progress.svg | kyoto_progress.tsv |
| effort | kyoto_replies.svg | kyoto_replies.tsv |
| learning | learning.svg, and the tables of learning.md | learning.json |
| crates | docs/pictures/crates.svg | the manifests |

Only the standard library is used. The same data give the same bytes.
"""

import argparse
import csv
import json
import math
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

from chart import BOTTOM, SIZE, Axis, Scale, chart, columns, head, levels, line, power_of_ten, text, wrapped, write

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs/results"
PICTURES = ROOT / "docs/pictures"


def read(path: Path) -> dict:
    """The data of a file of JSON."""
    return json.loads(path.read_text(encoding="utf-8"))


def table(path: Path) -> list[dict[str, str]]:
    """The rows of a table, whose columns are parted by tabs."""
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def signed(value: float) -> str:
    """A difference with its sign, 0 without."""
    return f"{value:+.0f}" if value else "0"


def funnel(path: Path, whole: str, data: dict, stages: list[dict]) -> None:
    """What is left after each stage, as a share of the whole, beside the paper."""
    of = {"ours": ("a", data["report"]["done"]), "paper": ("b", data["published"]["drawn"])}
    names = [("a", "this run"), ("b", "the paper")]
    shares = Axis(f"share of the {whole}", 0, 1, [tenth / 10 for tenth in range(11)], lambda share: f"{100 * share:.0f} %")
    across = Axis("stage, and its share in this run", 0, len(stages), [])
    title = f"Left after each stage, of the {whole}"
    body, x, y = chart(title, names, across, shares)
    for number, stage in enumerate(stages):
        for offset, (key, (colour, count)) in zip((0.14, 0.51), of.items()):
            left, top = x(number + offset), y(stage[key] / count)
            width = x(number + offset + 0.35) - left
            body.append(f'<rect class="mark {colour}" x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{BOTTOM - top:.1f}"/>')
        name = f"{stage['name']}: {100 * stage['ours'] / of['ours'][1]:.3f} %"
        body.append(text(x(number + 0.5), BOTTOM + 16, name, "middle"))
    write(path, title, *SIZE, body)


def convergence(path: Path, data: dict) -> None:
    """How uncertain the running estimate is, relative to itself, how uncertain the published one is, and how far apart they are."""
    points = [(samples, p, (high - low) / 2 / p) for samples, p, (low, high) in data["running_estimate"]]
    published = data["published"]
    paper = (published["p_interval"][1] - published["p_interval"][0]) / 2 / published["p"]
    start = points[0][0]
    samples = Axis("samples", start, 1.2 * max(points[-1][0], published["samples"], 10 * start))
    # What is below the chart is drawn at its lower edge.
    error = Axis("relative error", max(min(points[-1][2], paper) / 100, 1e-9), 2 * max(points[0][2], paper))
    names = [
        ("a", "half of the 95 % interval of this run so far"),
        ("b", "half of the 95 % interval of the paper, with a circle at its number of samples"),
        ("c", "distance between this run so far and the paper"),
    ]
    title = "Relative error of the share of reachable positions"
    body, x, y = chart(title, names, samples, error)
    body.append(line([(x(end), y(paper)) for end in (samples.low, samples.high)], "b", ' stroke-dasharray="8 6"'))
    body.append(line([(x(done), y(half)) for done, _, half in points], "a"))
    for done, p, _ in points:
        distance = abs(p - published["p"]) / published["p"]
        body.append(f'<circle class="mark c" cx="{x(done):.1f}" cy="{y(max(distance, error.low)):.1f}" r="3"/>')
    body.append(f'<circle class="line b" cx="{x(published["samples"]):.1f}" cy="{y(paper):.1f}" r="6"/>')
    write(path, title, *SIZE, body)


def minishogi(folder: Path) -> None:
    """The estimate of reachable Minishogi positions beside the paper's."""
    data = read(folder / "minishogi_reachable.json")
    funnel(folder / "minishogi_funnel.svg", "candidates", data, data["table_1"])
    convergence(folder / "minishogi_estimate.svg", data)


def shogi(folder: Path) -> None:
    """The estimate of reachable positions of shogi beside the published one."""
    data = read(folder / "shogi_reachable.json")
    funnel(folder / "shogi_funnel.svg", "pawn-legal candidates", data, data["left_of_pawn_legal"])
    convergence(folder / "shogi_estimate.svg", data)


def strata(folder: Path) -> None:
    """The relative standard error of the number of reachable Minishogi positions for each way to draw samples."""
    data = read(folder / "minishogi_strata.json")
    colours = "becad"
    estimators = data["estimators"]
    title = "Relative standard error of the number of reachable positions"
    samples, error = Axis("samples", 1e6, 1e10), Axis("relative standard error", 1e-8, 1e-2)
    names = [(colour, estimator["name"]) for colour, estimator in zip(colours, estimators)]
    body, x, y = chart(title, names, samples, error)

    def at(estimator: int, drawn: float) -> tuple[float, float]:
        return x(drawn), y(math.sqrt(estimators[estimator]["variance"] / drawn))

    for number, colour in enumerate(colours):
        # The last two lines are as good as one: the upper is thick, so that it shows behind the lower.
        style = ' style="stroke-width: 7"' if number == len(colours) - 2 else ""
        body.append(line([at(number, end) for end in (samples.low, samples.high)], colour, style))
    for number, drawn, name in ((0, 1e8, "the paper"), (3, data["report"]["samples"], "this run")):
        right, up = at(number, drawn)
        body.append(f'<circle class="mark {colours[number]}" cx="{right:.1f}" cy="{up:.1f}" r="5"/>')
        body.append(text(right + 10, up - 8, name))
    write(folder / "minishogi_strata.svg", title, *SIZE, body)


def nodes_by_depth(path: Path, series: list[tuple[str, str, list[int]]]) -> None:
    """Nodes to each depth from 1 on, a line for each search, which has a colour and a name."""
    everything = [nodes for _, _, found in series for nodes in found]
    deepest = max(2, *(len(found) for _, _, found in series))
    depth = Axis("depth", 1, deepest, range(1, deepest + 1), str)
    title = "Nodes to a depth, all positions together"
    body, x, y = chart(title, [(colour, name) for colour, name, _ in series], depth, Axis("nodes", min(everything), max(everything)))
    for colour, _, found in series:
        points = [(x(number), y(nodes)) for number, nodes in enumerate(found, 1)]
        body.append(line(points, colour))
        body += [f'<circle class="mark {colour}" cx="{right:.1f}" cy="{up:.1f}" r="3"/>' for right, up in points]
    write(path, title, *SIZE, body)


def leaves(node: dict) -> int:
    """How many leaves a tree has."""
    return sum(map(leaves, node["children"])) or 1


def places(node: dict, left: int = 0, level: int = 0, parent: tuple[float, int] | None = None) -> Iterator[tuple]:
    """Each node of a tree with its place and that of its parent: over the middle of its leaves, so many levels down."""
    place = (left + leaves(node) / 2, level)
    yield node, place, parent
    for child in node["children"]:
        yield from places(child, left, level + 1, place)
        left += leaves(child)


def tree(path: Path, root: dict) -> None:
    """What minimax visits of a tree, and below it what alpha-beta does, both numbered in their order."""
    colours = {1: "c", -1: "b", 0: "e"}
    title = "Above minimax, below alpha-beta"
    names = [("c", "won for the player at the root"), ("b", "lost"), ("e", "open"), ("faint", "not looked at")]
    (width, height), left = (760, 515), 34
    body = head(title, names, left)
    nodes = list(places(root))
    deepest = max(level for _, (_, level), _ in nodes)
    for search, top in enumerate((130, 335)):

        def at(place: tuple[float, int], top: int = top) -> tuple[float, float]:
            return left + place[0] / leaves(root) * (width - 2 * left), top + place[1] / deepest * 160

        for node, place, parent in nodes:
            if parent:
                (x, y), (to_x, to_y) = at(parent), at(place)
                kind = "faint" if node["visited"][search] is None else "axis"
                body.append(f'<path class="{kind}" d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}"/>')
        for node, place, _ in nodes:
            (x, y), number = at(place), node["visited"][search]
            colour = "faint" if number is None else colours[node["value"]]
            # No line shows through a node.
            for kind in ("inside", f"mark {colour}"):
                body.append(f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="10"/>')
            if number is not None:
                body.append(f'<text class="inside" x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" font-size="11">{number}</text>')
    write(path, title, width, height, body)


def player(folder: Path) -> None:
    """What each idea of the text on a shogi player saves, what the library's table saves, and the text's two trees."""
    data = read(folder / "shogi_player.json")
    steps = zip("becad", data["ideas"], data["costs"]["steps"])
    nodes_by_depth(folder / "shogi_player_ideas.svg", [(colour, name, [cost["nodes"] for cost in costs]) for colour, name, costs in steps])
    columns = zip("ab", ("with the table", "without"), zip(*(row["nodes"] for row in data["table"])))
    nodes_by_depth(folder / "shogi_player_table.svg", [(colour, name, list(nodes)) for colour, name, nodes in columns])
    tree(folder / "shogi_player_tree.svg", data["tree"]["root"])


def elo(folder: Path) -> None:
    """Elo against Fairy-Stockfish at 100 ms a move, a point a match with its 95 % interval, from left to right in time."""
    rows = [row for row in table(folder / "engine_matches.tsv") if row["limit"] == "100 ms"]
    variants = {"minishogi": "a", "kyotoshogi": "b", "shogi": "c", "dobutsu with tablebase": "d"}
    rows = [row for row in rows if row["variant"] in variants]
    versions = list(dict.fromkeys(row["version"] for row in rows))
    width, height, left, top = 760, 470, 60, 100
    at = Scale(-550, 950, height - 90, top)
    title = "Elo against Fairy-Stockfish, 100 ms a move; circles: openings that are even, squares: random ones"
    body = head(title, [(colour, name) for name, colour in variants.items()], left)
    body += levels(at, range(-400, 801, 200), signed, left, width - 10)
    step = (width - left - 30) / len(versions)
    for place, version in enumerate(versions):
        for number, words in enumerate(wrapped(version, 12)):
            body.append(text(left + step * (place + 0.5), height - 72 + 13 * number, words, "middle", ' font-size="10"'))
    taken: dict[str, int] = {}
    for row in rows:
        order = taken[row["version"]] = taken.get(row["version"], -1) + 1
        x = left + step * versions.index(row["version"]) + 12 + order * min(16.0, (step - 24) / 5)
        y = at(float(row["elo"]))
        # A match won to the last game has no upper bound.
        bounds = [float(row["elo_low"]), float(row["elo_high"] or at.high)]
        colour = variants[row["variant"]]
        body.append(f'<path class="line {colour}" d="M{x:.1f} {at(bounds[0]):.1f}V{at(bounds[1]):.1f}"/>')
        if row["openings"] == "even":
            body.append(f'<circle class="mark {colour}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>')
        else:
            body.append(f'<rect class="mark {colour}" x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8"/>')
    write(folder / "engine_elo.svg", "Elo against Fairy-Stockfish by version", width, height, body)


def plies(folder: Path) -> None:
    """Positions of Dobutsu shogi, won and lost, by plies to the end, on a logarithmic scale."""
    counts = read(folder / "tablebases.json")["dobutsu"]["plies"]
    width, height, left, top, bottom = 760, 360, 60, 70, 40
    at = Scale(1, 1e8, height - bottom, top, logarithmic=True)
    title = "Positions of Dobutsu shogi by plies to the end"
    body = head(title, [("a", "won for the player to move"), ("b", "lost")], left)
    body += levels(at, at.decades()[::2], lambda value: f"{value:,.0f}" if value < 1e4 else power_of_ten(value), left, width - 10)
    scale = (width - left - 20) / len(counts)
    for ply in range(0, len(counts), 20):
        body.append(text(left + scale * ply, height - bottom + 16, str(ply), "middle"))
    body.append(text((left + width) / 2, height - 8, "plies", "middle"))
    for parity, colour in ((1, "a"), (0, "b")):
        points = [(left + scale * ply, at(count)) for ply, count in enumerate(counts) if ply % 2 == parity and count]
        body.append(line(points, colour))
    write(folder / "dobutsu_plies.svg", title, width, height, body)


def progress(folder: Path) -> None:
    """Positions proved by expansions after replies to 1e1d+ in Kyoto shogi."""
    courses: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for row in table(folder / "kyoto_progress.tsv"):
        point = int(row["expansions"]), int(row["positions"])
        courses.setdefault((row["reply"], row["state"]), []).append(point)
    ends = [points[-1] for points in courses.values()]
    expansions = Axis("expansions", 1e3, 4 * max([1e5, *(end for end, _ in ends)]))
    positions = Axis("positions proved", 1e2, 10 ** math.ceil(math.log10(max([1e3, *(end for _, end in ends)]))))
    states = {"proved": "c", "open": "b"}
    title = "Kyoto shogi: positions proved after each reply to 1e1d+"
    names = [(colour, name) for name, colour in states.items() if any(state == name for _, state in courses)]
    body, x, y = chart(title, names, expansions, positions)
    for (reply, state), points in courses.items():
        right, up = x(points[-1][0]), y(points[-1][1])
        body.append(line([(x(spent), y(proved)) for spent, proved in points], states[state]))
        body.append(f'<circle class="mark {states[state]}" cx="{right:.1f}" cy="{up:.1f}" r="3"/>')
        # A reply that a few jobs have proved is a point, and its name would cover others.
        if len(points) > 10:
            body.append(text(right + 7, up - 5, reply))
    write(folder / "kyoto_progress.svg", title, *SIZE, body)


def effort(folder: Path) -> None:
    """Expansions until the proof after each reply to 1e1d+ in Kyoto shogi, on a logarithmic scale."""
    rows = [(row["reply"], int(row["expansions"])) for row in table(folder / "kyoto_replies.tsv")]
    rows.sort(key=lambda row: row[1])
    width, left, top, step = 760, 70, 40, 25
    height = top + step * len(rows) + 40
    decades = [math.log10(expansions) for _, expansions in rows] or [1]
    at = Scale(10 ** math.floor(min(decades)), 10 ** (math.floor(max(decades)) + 1), left, width - 90, logarithmic=True)
    body = head("Kyoto shogi: expansions until the proof after each reply to 1e1d+", [], left)
    body += columns(at, at.decades(), power_of_ten, top, top + step * len(rows))
    for row, (reply, expansions) in enumerate(rows):
        y = top + step * row
        body.append(text(left - 8, y + 16, reply, "end"))
        body.append(f'<rect class="mark a" x="{left}" y="{y + 3}" width="{at(expansions) - left:.1f}" height="18"/>')
        body.append(text(at(expansions) + 6, y + 16, f"{expansions:,}"))
    write(folder / "kyoto_replies.svg", "Expansions until the proof after each reply", width, height, body)


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


def fill_in(page: Path, tables: str) -> None:
    """Writes tables into a page, in the place of those that were there."""
    before, _, rest = page.read_text(encoding="utf-8").partition("<!-- from learning.json -->\n")
    _, _, after = rest.partition("<!-- up to here -->\n")
    page.write_text(f"{before}<!-- from learning.json -->\n{tables}<!-- up to here -->\n{after}", encoding="utf-8")


def learning(folder: Path) -> None:
    """What each generation of learning brings, in Elo against an evaluation that stays the same, and the tables of the page."""
    data = read(folder / "learning.json")
    if folder == RESULTS:
        fill_in(folder / "learning.md", learning_tables(data))
    words = {"result": "shares of the result", "search": "shares of the search"}
    against = data["settings"]["against"]
    width, height, left, top, bottom = 760, 460, 60, 100, 50
    found = [abs(bound or 0) for curve in data["curves"] for each in curve["generations"] for net in ("kp", "small") for bound in each[net]["time"]["elo"]]
    # All that was found, up to 800 either way.
    most = min(math.ceil(max(found) / 200) * 200, 800)

    at = Scale(-most, most, height - bottom, top)
    title = f"Kyoto shogi: Elo against {against} by generation, {data['settings']['movetime'] * 1000:g} ms a move"
    series = [(curve, net, colour) for curve, colours in zip(data["curves"], ("ab", "cd")) for net, colour in zip(("kp", "small"), colours)]
    names = {"kp": "K-P 256x2-32-32", "small": "the smaller network, from the same games"}
    body = head(title, [(colour, f"{names[net]}, {words[curve['weigh']]}") for curve, net, colour in series], left)
    body += levels(at, range(-most, most + 1, 100 if most <= 400 else 200), signed, left, width - 10)
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
            points.append((x, at(edge if middle is None else middle)))
            bounds = [at(-most if low is None else low), at(most if high is None else high)]
            body.append(f'<path class="line {colour}" style="stroke-width: 1" d="M{x:.1f} {bounds[0]:.1f}V{bounds[1]:.1f}"/>')
            body.append(f'<circle class="mark {colour}" cx="{x:.1f}" cy="{points[-1][1]:.1f}" r="3"/>')
        body.append(line(points, colour))
    write(folder / "learning.svg", title, width, height, body)


def crates(_folder: Path) -> None:
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


PLOTS: dict[str, Callable[[Path], None]] = {
    "minishogi": minishogi,
    "shogi": shogi,
    "strata": strata,
    "player": player,
    "elo": elo,
    "plies": plies,
    "progress": progress,
    "effort": effort,
    "learning": learning,
    "crates": crates,
}


def main() -> None:
    """Draws the pictures that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", nargs="*", metavar="NAME", help="what to draw; all by default")
    parser.add_argument("--folder", type=Path, metavar="DIR", default=RESULTS, help="where the data are and the pictures go")
    parser.add_argument("--boards", metavar="SHOGI", help="draw the boards instead, by this program")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.pictures if name not in PLOTS]
    if unknown:
        parser.error(f"no picture {', '.join(unknown)}: {', '.join(PLOTS)}")
    if arguments.boards:
        return boards(arguments.boards)
    for name in arguments.pictures or PLOTS:
        PLOTS[name](arguments.folder)


if __name__ == "__main__":
    main()
