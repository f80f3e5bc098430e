#!/usr/bin/env python3
"""Builds a proof with the searches on the workers of a Dask cluster.

    pip install distributed==2026.8.0
    cargo build --release
    python3 tools/dask_proof.py --jobs jobs --local 2 -- kyotoshogi --sfen SFEN --out proof --checkpoint log

What stands after -- goes to `shogi proof build`, which runs here, writes jobs into the folder and checks
their results by the rules. The folder is one that all workers see. The job of a worker that dies goes to
another; at most the jobs in flight are lost when this program is interrupted, and the same command goes
on from the checkpoint.
"""

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path

from dask_estimate import Client, add_cluster, connected


def work(program, job, options):
    """Does one job; runs on a worker."""
    # Where the system can, the program is killed with the worker.
    command = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
    command += [program, "proof", "work", "--job", job, "--out", str(Path(job).with_suffix(".result"))]
    done = subprocess.run(command + options, capture_output=True, text=True)
    # The build takes a job away that it does not need any more.
    if done.returncode != 0 and Path(job).exists():
        raise RuntimeError(f"{job}: exit {done.returncode}: {done.stderr.strip()}")


def run(client, arguments):
    """Gives jobs to workers until the build ends; its exit code."""
    folder = arguments.jobs.resolve()
    workers = 2 * max(1, sum(client.nthreads().values()))
    command = [arguments.shogi, "proof", "build", *arguments.build]
    command += ["--jobs", str(folder), "--workers", str(workers)]
    build = subprocess.Popen(command)
    given = {}
    try:
        while build.poll() is None:
            jobs = {str(job) for job in folder.glob("*.job")}
            given = {job: future for job, future in given.items() if job in jobs}
            for job in sorted(jobs):
                # A result that the build could not use is gone, and its job is still there.
                is_lost = job in given and given[job].done() and not Path(job).with_suffix(".result").exists()
                if job not in given or is_lost:
                    options = ["--hash", str(arguments.hash)]
                    given[job] = client.submit(work, arguments.shogi, job, options, pure=False, retries=2)
            time.sleep(0.05)
    finally:
        if build.poll() is None:
            build.terminate()
    return build.wait()


def main():
    own = sys.argv[1:]
    split = own.index("--") if "--" in own else len(own)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=Path, required=True, help="folder of the jobs, seen by all")
    parser.add_argument("--hash", type=int, default=256, help="megabytes for the table of a job")
    add_cluster(parser)
    arguments = parser.parse_args(own[:split])
    arguments.build = own[split + 1 :]
    if Client is None:
        sys.exit("this needs Dask: pip install distributed==2026.8.0")
    arguments.jobs.mkdir(parents=True, exist_ok=True)
    with connected(arguments) as client:
        sys.exit(run(client, arguments))


if __name__ == "__main__":
    main()
