#!/usr/bin/env python3
"""Builds tablebases on the workers of a Dask cluster, one set of pieces a job.

    pip install distributed==2026.8.0
    cargo build --release
    python3 tools/dask_tables.py shogi34 GG NN BB --folder tables --local 2
    python3 tools/dask_tables.py shogi34 GG NN BB --folder tables --scheduler tcp://head:8786

Sets are worlds of their own, so jobs know nothing of each other. The folder is one that all workers
see. A table is there whole or not at all, and beside it, while it is built, a checkpoint: a worker that
dies takes its `shogi` with it, and another resumes from the checkpoint. The file is the same byte for
byte. A table that is there and passes `shogi verify` is not built again: run the same command to go on
after an interruption.
"""

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path

from dask_estimate import Client, add_cluster, connected, is_good, report

def build(program, variant, pieces, folder, options):
    """Builds one table; runs on a worker."""
    # Where the system can, the program is killed with the worker: two builds of one set must not share
    # a checkpoint.
    command = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
    command += [program, "tablebase", "build", variant, "--class", pieces, *options]
    command += ["--checkpoint", str(Path(folder) / "checkpoints"), "--out", table(folder, variant, pieces)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit {done.returncode}: {done.stderr.strip()}")


def table(folder, variant, pieces):
    """Where a table is kept."""
    return str(Path(folder) / f"{variant}-{pieces}.tablebase")


def run(client, arguments):
    """Builds what is missing."""
    folder = str(arguments.folder.resolve())
    path = lambda pieces: Path(table(folder, arguments.variant, pieces))
    missing = [pieces for pieces in arguments.sets if not is_good(arguments.shogi, path(pieces))]
    options = ["--threads", str(arguments.threads)]
    futures = [
        client.submit(
            build, arguments.shogi, arguments.variant, pieces, folder, options, retries=2, pure=False
        )
        for pieces in missing
    ]
    start = time.monotonic()
    for count, future in enumerate(futures, 1):
        future.result()
        report(count, len(missing), start)
    report(len(missing), len(missing), start, end="\n")
    damaged = [pieces for pieces in missing if not is_good(arguments.shogi, path(pieces))]
    if damaged:
        raise RuntimeError(f"{', '.join(damaged)}: not verified; run again")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("variant")
    parser.add_argument("sets", nargs="+", help="sets of pieces, such as GG")
    parser.add_argument("--folder", type=Path, required=True, help="where tables are kept, seen by all")
    add_cluster(parser)
    arguments = parser.parse_args()
    if Client is None:
        sys.exit("this needs Dask: pip install distributed==2026.8.0")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with connected(arguments) as client:
        run(client, arguments)


if __name__ == "__main__":
    main()
