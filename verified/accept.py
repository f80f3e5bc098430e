"""Has the machine-checked checker accept proofs, and keeps what it says: accept.py SHOGI FOLDER [FILES...].

FILES are proofs, or skeletons, which are expanded first. Without any the starts of 3x4 shogi are solved, or those of
--starts. FOLDER gets what the checker says of each as NAME.json, and all of it as table.md. What is recorded there is
not done again, so that a run that was interrupted resumes where it was; a search is done again for more --nodes.
"""

import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import subprocess
import sys
import threading

CHECK = pathlib.Path(__file__).resolve().parent / "check"


def starts():
    """The back ranks of 3x4 shogi, one of each two mirror images."""
    seen = set()
    for king in range(3):
        for officers in itertools.product("RBGSNLP", repeat=2):
            name = "".join(officers[:king]) + "K" + "".join(officers[king:])
            if name[::-1] not in seen:
                seen.add(name)
                yield name


def run(*command):
    return subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class Acceptance:
    """What is to be done with a claim, and the records of what was."""

    def __init__(self, options):
        self.options = options
        self.folder = options.folder
        self.writing = threading.Lock()

    def record(self, name):
        path = self.folder / f"{name}.json"
        return json.loads(path.read_text()) if path.exists() else None

    def keep(self, name, record):
        part = self.folder / f"{name}.part"
        part.write_text(json.dumps(record, indent=1) + "\n")
        os.replace(part, self.folder / f"{name}.json")
        with self.writing:
            self.write_table()
            print(name, record.get("accepted") or record.get("refused") or "no proof", flush=True)

    def write_table(self):
        lines = ["| proof | claim | entries | time | accepted by | hash |", "|---|---|---|---|---|---|"]
        records = {path.stem: json.loads(path.read_text()) for path in sorted(self.folder.glob("*.json"))}
        for name, record in records.items():
            if "claim" in record or "refused" in record:
                verdict = f"`{record['accepted'].split()[-1]}`" if "accepted" in record else f"refused: {record['refused']}"
                cells = [record.get(key, "") for key in ("claim", "entries", "time")]
                lines.append(f"| {' | '.join([name, *cells, verdict])} | `{record.get('hash', '')[:16]}` |")
        lines.append("")
        unsolved = [f"{name} ({record['nodes']} nodes)" for name, record in records.items() if record.get("value") == "unknown"]
        lines.append(f"Without a value: {', '.join(unsolved) or 'none'}.")
        (self.folder / "table.md").write_text("\n".join(lines) + "\n")

    def check(self, path):
        """What the checker prints, as a dictionary."""
        done = run(CHECK, "--jobs", self.options.jobs, path)
        said = dict(line.split(None, 1) for line in done.stdout.splitlines())
        if not ("accepted" if done.returncode == 0 else "refused") in said:
            raise RuntimeError(f"{CHECK} {path} ended with {done.returncode}: {done.stderr[-500:]}")
        return said

    def remove(self, path):
        if not self.options.keep:
            path.unlink()

    def start(self, name):
        """Solves a start and has its proof checked; the proof of half a draw, too."""
        record = self.record(name)
        limit = self.options.nodes
        if record and (record["value"] != "unknown" or float(record["limit"]) >= float(limit)):
            return
        path = self.folder / f"{name}.proof"
        command = [self.options.shogi, "solve", "shogi34", "--start", name, "--leaf", self.options.leaf, "--nodes", limit, "--hash", self.options.hash, "--proof", path, "--json"]
        checkpoint = self.folder / f"{name}.checkpoint"
        if self.options.checkpoints:
            command += ["--checkpoint", checkpoint]
        path.unlink(missing_ok=True)
        done = run(*command)
        if done.returncode != 0:
            raise RuntimeError(f"{command} ended with {done.returncode}: {done.stderr[-500:]}")
        answer = json.loads(done.stdout)
        if answer["ended"] == "interrupted":
            return
        record = {key: answer[key] for key in ("value", "nodes", "seconds", "ended")} | {"limit": limit}
        if path.exists():
            record |= self.check(path)
            self.remove(path)
        self.keep(name, record)
        if answer["value"] != "unknown":
            checkpoint.unlink(missing_ok=True)

    def file(self, path):
        """Has a proof checked, or what a skeleton expands to."""
        if self.record(path.stem):
            return
        if path.suffix != ".skeleton":
            self.keep(path.stem, self.check(path))
            return
        proof = self.folder / f"{path.stem}.proof"
        if not proof.exists():
            part = self.folder / f"{path.stem}.expanding"
            command = [self.options.shogi, "proof", "expand", path, "--out", part, "--hash", self.options.hash, "--workers", self.options.workers]
            if self.options.checkpoints:
                command += ["--checkpoint", self.folder / f"{path.stem}.work"]
            done = run(*command)
            if not part.exists():
                raise RuntimeError(f"{path} was not expanded: {done.stderr[-500:]}")
            os.replace(part, proof)
        self.keep(path.stem, self.check(proof))
        self.remove(proof)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shogi", help="the program of this repository")
    parser.add_argument("folder", type=pathlib.Path, help="where records are kept")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="proofs and skeletons")
    parser.add_argument("--starts", help="starts of 3x4 shogi, such as KBB,KSB (all of them, if no files are given)")
    parser.add_argument("--nodes", default="2e7", help="most moves that the search of a start plays (2e7)")
    parser.add_argument("--leaf", default="mobility", choices=["unit", "mobility"], help="what its leaves start with (mobility)")
    parser.add_argument("--hash", default="1024", help="megabytes of each search's tables (1024)")
    parser.add_argument("--at-once", type=int, default=1, help="how many claims are done side by side (1)")
    parser.add_argument("--workers", default="1", help="searches side by side in each expansion (1)")
    parser.add_argument("--jobs", default="1", help="processes of each check (1)")
    parser.add_argument("--checkpoints", action="store_true", help="keep the state of searches and expansions in the folder, and resume from it")
    parser.add_argument("--keep", action="store_true", help="keep the proofs in the folder")
    # Files may also follow the options.
    return parser.parse_intermixed_args()


def main():
    options = arguments()
    options.folder.mkdir(parents=True, exist_ok=True)
    acceptance = Acceptance(options)
    named = options.starts.split(",") if options.starts else [] if options.files else list(starts())
    failed = False
    with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
        tasks = [pool.submit(acceptance.file, path) for path in options.files] + [pool.submit(acceptance.start, name) for name in named]
        try:
            for task in concurrent.futures.as_completed(tasks):
                if task.exception():
                    failed = True
                    print(task.exception(), file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            sys.exit(130)
    acceptance.write_table()
    names = [path.stem for path in options.files] + named
    sys.exit(1 if failed or any("refused" in (acceptance.record(name) or {}) for name in names) else 0)


if __name__ == "__main__":
    main()
