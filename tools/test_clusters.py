#!/usr/bin/env python3
"""Estimates, tablebases and proofs done in parts, by every way in docs/guide/clusters.md.

    pip install distributed==2026.8.0
    cargo build --release
    python3 tools/test_clusters.py target/release/shogi

Each test makes the files that one process makes, byte for byte, or a proof of the same value that
`shogi verify` finds good. Those of Dask kill a worker in the middle of the run. What is not installed here is skipped, and said to be.
"""

import contextlib
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parent
PROGRAM = "target/release/shogi"
SAMPLES, SEED, SHARDS = 3_000_000, 7, 24
HAS_DASK = importlib.util.find_spec("distributed") is not None
PATIENCE = 300


class Cluster(unittest.TestCase):
    """What the tests of all jobs share."""

    def setUp(self):
        self.program = str(Path(PROGRAM).resolve())
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def start(self, *command):
        """A process that ends with the test."""
        log = open(self.folder / "log", "a")
        self.addCleanup(log.close)
        process = subprocess.Popen(command, stdout=log, stderr=log)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, what, holds):
        end = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > end:
                self.fail(f"{what}: not within {PATIENCE} s\n{(self.folder / 'log').read_text()}")
            time.sleep(0.02)

    def cluster(self):
        """A scheduler's file and two workers."""
        file = self.folder / "scheduler.json"
        dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
        self.start(*dask, "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
                   "--scheduler-file", str(file))
        self.wait_for("the scheduler", file.exists)
        dask = [sys.executable, "-m", "distributed.cli.dask_worker"]
        workers = [
            self.start(*dask, "--scheduler-file", str(file), "--nthreads", "1", "--no-nanny",
                       "--no-dashboard", "--host", "127.0.0.1", "--local-directory", str(self.folder))
            for _ in range(2)
        ]
        return file, workers

    def kill(self, worker):
        worker.send_signal(signal.SIGKILL)
        self.assertEqual(worker.wait(), -signal.SIGKILL)

    def done_again(self, files, damage, command):
        """Damages the first file: it is made again, and only that one."""
        damaged, *rest = sorted(files)
        damaged.write_bytes(damage(damaged.read_bytes()))
        times = {path: path.stat().st_mtime_ns for path in rest}
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE)
        self.assertEqual(times, {path: path.stat().st_mtime_ns for path in rest})

    def slurm(self, script, task, **variables):
        """One task of a SLURM script. SLURM itself only sets the variables, which is done here."""
        environment = os.environ | {"SHOGI": self.program, "SLURM_ARRAY_TASK_ID": str(task)} | variables
        command = ["sh", str(TOOLS / script)]
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)

    def parallel(self, number, *changes):
        """The document's command of this number for GNU parallel, with changes."""
        page = (TOOLS.parent / "docs" / "guide" / "clusters.md").read_text()
        command = re.findall(r"```sh\n(mkdir -p \w+\nparallel .*?)```", page, re.DOTALL)[number]
        for old, new in changes:
            self.assertIn(old, command)
            command = command.replace(old, new)
        subprocess.run(command, shell=True, check=True, cwd=self.folder, stdout=subprocess.DEVNULL)


class Estimates(Cluster):
    @classmethod
    def setUpClass(cls):
        cls.whole = tempfile.TemporaryDirectory()
        out = Path(cls.whole.name) / "whole.json"
        run = [str(Path(PROGRAM).resolve()), "estimate", "minishogi", "--json", "--out", str(out)]
        run += ["--samples", str(SAMPLES), "--seed", str(SEED)]
        cls.report = json.loads(subprocess.run(run, check=True, stdout=subprocess.PIPE).stdout)
        cls.expected = out.read_bytes()

    @classmethod
    def tearDownClass(cls):
        cls.whole.cleanup()

    def merged(self):
        """Merges the shards of the folder and compares."""
        out, shards = self.folder / "merged.json", (self.folder / "shards").glob("*.json")
        subprocess.run(
            [self.program, "merge", "--out", str(out), *map(str, shards)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        self.assertEqual(out.read_bytes(), self.expected)

    @unittest.skipUnless(HAS_DASK, "no Dask here (pip install distributed==2026.8.0)")
    def test_dask_with_a_worker_killed(self):
        file, workers = self.cluster()
        shards = self.folder / "shards"
        out = self.folder / "dask.json"
        answer = open(self.folder / "answer", "w")
        self.addCleanup(answer.close)
        command = [sys.executable, str(TOOLS / "dask_estimate.py"), "minishogi"]
        command += ["--samples", str(SAMPLES), "--seed", str(SEED), "--shards", str(SHARDS)]
        command += ["--folder", str(shards), "--out", str(out), "--shogi", self.program]
        command += ["--scheduler-file", str(file)]
        run = subprocess.Popen(command, stdout=answer, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.stderr.close)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        self.wait_for("the first shards", lambda: len(list(shards.glob("*.json"))) >= 3)
        self.kill(workers[0])
        self.assertLess(len(list(shards.glob("*.json"))), SHARDS, "the worker died too late")
        _, errors = run.communicate(timeout=PATIENCE)
        self.assertEqual(run.returncode, 0, errors)
        self.assertIsNone(workers[1].poll())
        self.assertEqual(out.read_bytes(), self.expected)
        self.assertEqual(json.loads((self.folder / "answer").read_text()), self.report)

        out.unlink()
        self.done_again(shards.glob("*.json"), lambda shard: shard.replace(b'"seed"', b'"sead"', 1), command)
        self.assertEqual(out.read_bytes(), self.expected)

    @unittest.skipUnless(HAS_DASK, "no Dask here (pip install distributed==2026.8.0)")
    def test_dask_on_one_machine(self):
        out = self.folder / "dask.json"
        command = [sys.executable, str(TOOLS / "dask_estimate.py"), "minishogi", "--local", "2"]
        command += ["--samples", str(SAMPLES), "--seed", str(SEED), "--shards", "5"]
        command += ["--folder", str(self.folder / "shards"), "--out", str(out)]
        # As the page has it, with the program in the path and the command given anywhere.
        path = {**os.environ, "PATH": f"{Path(self.program).parent}{os.pathsep}{os.environ['PATH']}"}
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE, env=path, cwd=self.folder)
        self.assertEqual(out.read_bytes(), self.expected)
        nowhere = subprocess.run(
            [*command, "--shogi", "nowhere/shogi"], capture_output=True, text=True, timeout=PATIENCE, cwd=self.folder
        )
        self.assertEqual(nowhere.returncode, 1)
        self.assertEqual(len(nowhere.stderr.splitlines()), 1, nowhere.stderr)

    def test_slurm_script(self):
        numbers = {"SAMPLES": str(SAMPLES), "SEED": str(SEED), "SLURM_ARRAY_TASK_COUNT": "3"}
        for task in (3, 1, 2):
            self.slurm("estimate.sbatch", task, FOLDER=str(self.folder / "shards"), **numbers)
        self.merged()

    @unittest.skipUnless(shutil.which("parallel"), "no GNU parallel here (apt install parallel)")
    def test_gnu_parallel(self):
        self.parallel(
            0,
            ("100000000", str(SAMPLES)),
            ("--seed 1 ", f"--seed {SEED} "),
            ("shogi estimate", f"{self.program} estimate"),
            ("64", "6"),
        )
        self.merged()


class Tables(Cluster):
    """Tablebases of small sets; the last takes seconds."""

    SETS = ["P2K2", "P1G1K2", "P1S1K2", "P1R1K2", "P2S1K2", "P2G2K2"]

    @classmethod
    def setUpClass(cls):
        cls.whole = tempfile.TemporaryDirectory()
        cls.expected = {}
        for pieces in cls.SETS:
            out = Path(cls.whole.name) / pieces
            run = [str(Path(PROGRAM).resolve()), "tablebase", "build", "shogi34", "--class", pieces]
            subprocess.run([*run, "--out", str(out)], check=True, stdout=subprocess.DEVNULL)
            cls.expected[f"shogi34-{pieces}.tablebase"] = out.read_bytes()

    @classmethod
    def tearDownClass(cls):
        cls.whole.cleanup()

    def built(self):
        """Compares the tables of the folder."""
        files = (self.folder / "tables").glob("*.tablebase")
        found = {path.name: path.read_bytes() for path in files}
        self.assertTrue(found == self.expected, sorted(found))

    @unittest.skipUnless(HAS_DASK, "no Dask here (pip install distributed==2026.8.0)")
    def test_dask_with_a_worker_killed(self):
        file, workers = self.cluster()
        tables = self.folder / "tables"
        # The longest first: the worker that has it is killed before it is done.
        sets = [*reversed(self.SETS)]
        command = [sys.executable, str(TOOLS / "dask_tables.py"), "shogi34", *sets]
        command += ["--folder", str(tables), "--shogi", self.program, "--scheduler-file", str(file)]
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.stderr.close)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        # Kept from one look: a short build may be over at the next.
        children = []
        self.wait_for("a build", lambda: children.extend(self.builds(workers[0])) or children)
        [child] = children
        self.kill(workers[0])
        self.wait_for("the end of its program", lambda: not Path(f"/proc/{child}").exists())
        _, errors = run.communicate(timeout=PATIENCE)
        self.assertEqual(run.returncode, 0, errors)
        self.assertIsNone(workers[1].poll())
        self.built()

        self.done_again(tables.glob("*.tablebase"), lambda table: table[:-1], command)
        self.built()

    def builds(self, worker):
        """The programs that a worker runs."""
        of_worker = ["ps", "--ppid", str(worker.pid), "-o", "pid=,comm="]
        lines = subprocess.run(of_worker, capture_output=True, text=True).stdout.splitlines()
        return [line.split()[0] for line in lines if line.split()[1] == "shogi"]

    def test_slurm_script(self):
        for task in reversed(range(1, len(self.SETS) + 1)):
            self.slurm("tables.sbatch", task, FOLDER=str(self.folder / "tables"), SETS=" ".join(self.SETS))
        self.built()

    @unittest.skipUnless(shutil.which("parallel"), "no GNU parallel here (apt install parallel)")
    def test_gnu_parallel(self):
        tables = ("shogi tablebase", f"{self.program} tablebase")
        self.parallel(1, tables, ("GG NN BB", " ".join(self.SETS)))
        self.built()


class Proofs(Cluster):
    """A proof by jobs far too small for it."""

    BUILD = ["shogi34", "--start", "KGR", "--job", "4", "--limit", "20", "--hash", "8"]

    def verified(self):
        """Checks the proof by the rules alone."""
        verify = [self.program, "verify", str(self.folder / "proof"), "--json"]
        answer = json.loads(subprocess.run(verify, check=True, stdout=subprocess.PIPE).stdout)
        self.assertTrue(answer["ok"])
        self.assertEqual(answer["claim"], "win")

    @unittest.skipUnless(HAS_DASK, "no Dask here (pip install distributed==2026.8.0)")
    def test_dask_with_a_worker_killed(self):
        file, workers = self.cluster()
        log = self.folder / "checkpoint" / "log"
        command = [sys.executable, str(TOOLS / "dask_proof.py"), "--jobs", str(self.folder / "jobs")]
        command += ["--hash", "1", "--shogi", self.program, "--scheduler-file", str(file), "--"]
        command += [*self.BUILD, "--out", str(self.folder / "proof"), "--checkpoint", str(log.parent)]
        run = self.start(*command)
        self.wait_for("the first jobs", lambda: log.exists() and len(log.read_bytes().splitlines()) > 3)
        self.kill(workers[0])
        self.assertIsNone(run.poll(), "the worker died too late")
        self.assertEqual(run.wait(PATIENCE), 0, (self.folder / "log").read_text())
        self.assertIsNone(workers[1].poll())
        self.verified()

    @unittest.skipUnless(shutil.which("flock"), "no flock here (apt install util-linux)")
    def test_workers_of_a_folder(self):
        """One worker dies with its job, which another does."""
        jobs = self.folder / "jobs"
        jobs.mkdir()
        environment = ["env", f"SHOGI={self.program}", f"JOBS={jobs}", "HASH=1"]
        workers = [self.start(*environment, "sh", str(TOOLS / "proof_worker.sh")) for _ in range(3)]
        command = [self.program, "proof", "build", *self.BUILD, "--workers", "3", "--jobs", str(jobs)]
        command += ["--out", str(self.folder / "proof"), "--checkpoint", str(self.folder / "checkpoint")]
        run = self.start(*command)
        log = self.folder / "checkpoint" / "log"
        self.wait_for("the first jobs", lambda: log.exists() and len(log.read_bytes().splitlines()) > 3)
        self.kill(workers[0])
        self.assertEqual(run.wait(PATIENCE), 0, (self.folder / "log").read_text())

        def removed():
            with contextlib.suppress(OSError):
                jobs.rmdir()
            return not jobs.exists()

        # A worker may still be busy with a job that the build has taken away.
        self.wait_for("a folder without jobs and results", removed)
        for worker in workers[1:]:
            self.assertEqual(worker.wait(PATIENCE), 0)
        self.verified()


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=2)
