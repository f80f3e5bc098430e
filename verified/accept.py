"""Solves the starts of 3x4 shogi and has the machine-checked checker accept each proof: accept.py SHOGI OUT [FILES...].

Further proof FILES are checked as well. OUT gets a table in Markdown. --nodes N bounds each search (2e7),
--jobs N are the checker's processes (1). A start that is not solved within the bound is listed as such.
"""

import argparse
import itertools
import json
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CHECK = HERE / "check"


def starts():
    """The back ranks of 3x4 shogi, one of each two mirror images."""
    seen = set()
    for king in range(3):
        for officers in itertools.product("RBGSNLP", repeat=2):
            name = "".join(officers[:king]) + "K" + "".join(officers[king:])
            if name[::-1] not in seen:
                seen.add(name)
                yield name


def check(path, jobs):
    """What the checker prints, as a dictionary."""
    done = subprocess.run([CHECK, "--jobs", str(jobs), path], capture_output=True, text=True)
    return dict(line.split(None, 1) for line in done.stdout.splitlines())


def row(name, answer):
    verdict = f"`{answer['accepted'].split()[-1]}`" if "accepted" in answer else f"refused: {answer.get('refused')}"
    return f"| {name} | {answer.get('claim', '')} | {answer.get('entries', '')} | {answer.get('time', '')} | {verdict} | `{answer.get('hash', '')[:16]}` |"


def solve(shogi, start, nodes, path):
    command = [shogi, "solve", "shogi34", "--start", start, "--nodes", nodes, "--hash", "1024", "--proof", path, "--json"]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shogi")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("files", nargs="*", default=[])
    parser.add_argument("--nodes", default="2e7")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    lines = ["| proof | claim | entries | time | accepted by | hash |", "|---|---|---|---|---|---|"]
    unsolved = []
    for path in options.files:
        lines.append(row(pathlib.Path(path).stem, check(path, options.jobs)))
    with tempfile.TemporaryDirectory() as folder:
        for start in starts():
            path = pathlib.Path(folder) / f"{start}.proof"
            answer = solve(options.shogi, start, options.nodes, path)
            if path.exists():
                lines.append(row(start, check(path, options.jobs)))
                path.unlink()
            else:
                unsolved.append(start)
            print(start, answer["value"], flush=True)
    lines.append("")
    lines.append(f"Not solved within {options.nodes} nodes: {', '.join(unsolved) or 'none'}.")
    options.out.write_text("\n".join(lines) + "\n")


main()
