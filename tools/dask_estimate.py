#!/usr/bin/env python3
"""Runs `shogi estimate` on the workers of a Dask cluster, shard by shard, and merges the shards.

    pip install distributed==2026.8.0
    cargo install --path crates/shogi-cli
    python3 tools/dask_estimate.py minishogi --samples 100000000 --seed 1 --shards 64 \\
        --folder shards --out minishogi.json --local 2
    python3 tools/dask_estimate.py ... --scheduler tcp://head:8786

The samples of a shard depend on the seed and on their numbers only. So it does not matter where a
shard is done, or how often: a worker that dies loses its shard, another does it again, and the
merged file is what one process would have written, byte for byte.

Shards are kept in the folder under names that say what they are. What is there and passes
`shogi verify` is not done again: run the same command to resume after an interruption. Options
after `--` go to `shogi estimate` as they are. The merged report goes to standard output.
"""

import argparse
import contextlib
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

try:
    from distributed import Client, LocalCluster, as_completed
except ImportError:
    Client = None


def estimate(program, arguments, number, shards):
    """The file of one shard, as bytes; runs on a worker."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "shard.json"
        command = [program, "estimate", *arguments, "--shard", f"{number}/{shards}", "--out", str(out)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: exit {done.returncode}: {done.stderr.strip()}")
        return out.read_bytes()


def is_good(program, path):
    """Whether a shard is there and whole."""
    if not path.exists():
        return False
    return subprocess.run([program, "verify", str(path)], capture_output=True).returncode == 0


def write_whole(path, content):
    """Writes a file under a temporary name and renames it."""
    temporary = path.with_suffix(".tmp")
    temporary.write_bytes(content)
    temporary.rename(path)


def report(done, total, start, end="\r"):
    """Progress on a terminal."""
    if sys.stderr.isatty():
        seconds = (time.monotonic() - start) / max(done, 1) * (total - done)
        print(f"{done} of {total} jobs, {seconds:.0f} s left ", end=end, file=sys.stderr)


def shard_path(arguments, number):
    """Where a shard is kept; other parameters have other names."""
    rest = "".join(option.replace("--", "-").replace("/", "_") for option in arguments.options)
    run = f"{arguments.variant}-{arguments.samples}-seed{arguments.seed}{rest}"
    return arguments.folder / f"{run}-{number}of{arguments.shards}.json"


def run(client, arguments):
    """Does the missing shards."""
    common = [arguments.variant, "--samples", str(arguments.samples), "--seed", str(arguments.seed)]
    common += ["--threads", str(arguments.threads), *arguments.options]
    every = range(1, arguments.shards + 1)
    missing = [n for n in every if not is_good(arguments.shogi, shard_path(arguments, n))]
    # Any result of a shard is the result, but Dask may not forget one before it is written.
    futures = {
        client.submit(
            estimate, arguments.shogi, common, n, arguments.shards, retries=2, pure=False
        ): n
        for n in missing
    }
    start = time.monotonic()
    for count, (future, content) in enumerate(as_completed(futures, with_results=True), 1):
        path = shard_path(arguments, futures[future])
        write_whole(path, content)
        if not is_good(arguments.shogi, path):
            raise RuntimeError(f"{path} has come back damaged; run again")
        future.release()
        report(count, len(missing), start)
    report(len(missing), len(missing), start, end="\n")


def add_cluster(parser):
    """The arguments that say where jobs are done."""
    parser.add_argument(
        "--shogi",
        default=shutil.which("shogi") or "target/release/shogi",
        help="the program, at this path on every machine (default: that in the path, else target/release/shogi)",
    )
    parser.add_argument("--threads", type=int, default=1, help="threads of a job")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--scheduler", help="address of a scheduler, such as tcp://head:8786")
    where.add_argument("--scheduler-file", help="file that the scheduler has written")
    where.add_argument("--local", type=int, metavar="N", help="start N workers here")


def check_program(program):
    """Ends with one line where the program is not here, instead of as many errors as there are jobs."""
    if shutil.which(program) is None:
        sys.exit(f"there is no program {program} here: put shogi into the path, or name it with --shogi")


@contextlib.contextmanager
def connected(arguments):
    """A client of the cluster that the arguments name."""
    check_program(arguments.shogi)
    if arguments.local:
        cluster = LocalCluster(
            n_workers=arguments.local, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        )
        with cluster, Client(cluster) as client:
            yield client
    else:
        with Client(arguments.scheduler, scheduler_file=arguments.scheduler_file) as client:
            yield client


def parse():
    """The arguments."""
    own, _, options = "\0".join(sys.argv[1:]).partition("\0--\0")
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("variant")
    parser.add_argument("--samples", type=int, required=True, help="of the whole run")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--shards", type=int, required=True, help="parts of the run, 1 or more")
    parser.add_argument("--folder", type=Path, required=True, help="where shards are kept")
    parser.add_argument("--out", type=Path, required=True, help="the merged shard")
    add_cluster(parser)
    arguments = parser.parse_args(own.split("\0"))
    arguments.options = options.split("\0") if options else []
    if arguments.shards < 1:
        parser.error("--shards must be 1 or more")
    return arguments


def main():
    arguments = parse()
    if Client is None:
        sys.exit("this needs Dask: pip install distributed==2026.8.0")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with connected(arguments) as client:
        run(client, arguments)
    files = [str(shard_path(arguments, n)) for n in range(1, arguments.shards + 1)]
    merge = [arguments.shogi, "merge", "--json", "--out", str(arguments.out), *files]
    sys.exit(subprocess.run(merge).returncode)


if __name__ == "__main__":
    main()
