#!/usr/bin/env python3
"""Solves the mate problems of a table beside shtsume, a process for each problem and program.

    git clone https://github.com/hkijin/shtsume && make -C shtsume
    cargo build --release -p shogi-cli
    python3 tools/mate_peers.py --shogi target/release/shogi --shtsume shtsume/shtsume \\
        crates/shogi-mate/tests/it/data/tsume.tsv --seconds 100 --megabytes 2048 --log target/mates.jsonl

Both have the same limits: megabytes for the table, and seconds of processor time, after which the process is ended by
the system. shtsume (GPL, run as a process) looks for any mate and, with --level, makes it shorter level by
level; ours looks for any mate, or for one as the books count it (--tsume). Answers are kept in the log, a line for each
problem and program, and are not searched for again. The exit code is 1 if one program finds a mate where the other
finds that there is none.
"""

import argparse
import csv
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

# The answers of shtsume: mated in so many plies, mated with a piece left, no mate.
MATED = "詰みました。"
LEFT = "駒余り"
NO_MATE = "不詰です。"


def run(command, seconds):
    """The output of a program, and its seconds of processor time; it is ended after the limit."""

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, preexec_fn=limit)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        output.seek(0)
        text = output.read()
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode > 1:
        sys.exit(f"{' '.join(command)}: {done.stderr.decode()}")
    # Below zero is the signal by which the process was ended.
    return text, round(took, 2), done.returncode


def ours(arguments, sfen):
    """The plies of a mate, 0 if there is none, None if that is unknown; and the nodes."""
    command = [arguments.shogi, "mate", "shogi", "--threads", "1", "--hash", str(arguments.megabytes), "--sfen", sfen]
    text, took, code = run(command + ["--tsume"] * arguments.tsume, arguments.seconds)
    if code < 0:
        return {"plies": None, "nodes": None, "seconds": took}
    answer = json.loads(text)
    plies = 0 if answer["status"] == "nomate" else answer["mate"]
    return {"plies": plies, "nodes": answer["expansions"], "seconds": took}


def shtsume(arguments, sfen):
    """The plies of a mate by shtsume, 0 or None, and its nodes. A mate with a piece left has a length that it does not say."""
    # It reads a space after the number of the move.
    command = [arguments.shtsume, "-m", str(arguments.megabytes), "-l", str(arguments.level), f"{sfen} "]
    text, took, code = run(command, arguments.seconds)
    lines = text.splitlines()
    ended = next((line for line in lines if line.startswith(MATED)), None)
    nodes = next((int(line.split()[1]) for line in lines if line.startswith("探索局面数 ")), None)
    if ended:
        plies = -1 if LEFT in ended else int(ended.removeprefix(MATED).split("手")[0])
        return {"plies": plies, "nodes": nodes, "seconds": took}
    is_refuted = code == 0 and any(line.startswith(NO_MATE) for line in lines)
    return {"plies": 0 if is_refuted else None, "nodes": nodes, "seconds": took}


def problems(path, longest):
    """The problems of up to so many plies, or the others."""
    with open(path, newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    is_short = lambda row: row["plies"].isdecimal() and int(row["plies"]) <= longest  # noqa: E731
    return [row for row in rows if is_short(row)], [row for row in rows if not is_short(row)]


def summary(rows, found, name):
    """How many are solved and refuted, how many lengths are those of the source, and the time of all."""
    answers = [(row, found[name, row["name"]]) for row in rows]
    mates = [(row, answer) for row, answer in answers if answer["plies"]]
    none = sum(answer["plies"] == 0 for _, answer in answers)
    same = sum(str(answer["plies"]) == row["plies"] for row, answer in mates)
    left = sum(answer["plies"] == -1 for _, answer in mates)
    seconds = sum(answer["seconds"] for _, answer in answers)
    return f"{name}: {len(mates)} mates ({same} as published, {left} with pieces left), {none} without mate, {seconds:.1f} s"


def main(arguments):
    short, long = problems(arguments.problems, 13)
    rows = short if arguments.short else long
    options = [arguments.seconds, arguments.megabytes, arguments.level, arguments.tsume]
    lines = arguments.log.read_text().splitlines() if arguments.log.exists() else []
    logged = [json.loads(line) for line in lines]
    found = {(line["program"], line["problem"]): line for line in logged if line["options"] == options}
    programs = {"shogi mate": ours, "shtsume": shtsume}
    differ = 0
    for row in rows:
        for name, solve in programs.items():
            key = (name, row["name"])
            if key not in found:
                found[key] = {"program": name, "problem": row["name"], "options": options, **solve(arguments, row["sfen"])}
                with arguments.log.open("a") as log:
                    log.write(json.dumps(found[key], ensure_ascii=False) + "\n")
        pair = [found[name, row["name"]] for name in programs]
        known = [answer["plies"] for answer in pair if answer["plies"] is not None]
        differ += len(known) == 2 and (known[0] == 0) != (known[1] == 0)
        print(row["name"], row["plies"], *[f"| {one['plies']} plies, {one['nodes']} positions, {one['seconds']} s" for one in pair], flush=True)
    for name in programs:
        print(summary(rows, found, name))
    print(f"{differ} differ in whether there is a mate")
    return int(differ > 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", type=Path)
    parser.add_argument("--shogi", required=True)
    parser.add_argument("--shtsume", required=True)
    parser.add_argument("--seconds", type=int, default=100)
    parser.add_argument("--megabytes", type=int, default=2048)
    parser.add_argument("--level", type=int, default=0)
    parser.add_argument("--tsume", action="store_true")
    parser.add_argument("--short", action="store_true", help="the problems of up to 13 plies in place of the others")
    parser.add_argument("--log", type=Path, default=Path("target/mates.jsonl"))
    sys.exit(main(parser.parse_args()))
