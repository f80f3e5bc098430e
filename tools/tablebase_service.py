#!/usr/bin/env python3
"""Loads a tablebase service with probes, and holds it against its description.

    tools/tablebase_service.py target/release/shogi dobutsu.tablebase --rate 1000 --seconds 30
    tools/tablebase_service.py target/release/shogi dobutsu.tablebase --description    # needs schemathesis

Four clients play games by the moves that are answered, together at the rate. Printed is how long answers took, what
processor time and memory the service needed, and how many requests failed; the exit code is 1 if any did.
"""

import argparse
import http.client
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import quote, urlsplit

CLIENTS = 4
LONGEST = 30


def client(host: str, variant: str, start: str, pace: float, seconds: float, seed: int, times: list, failed: list) -> None:
    """Probes positions of random games, one each `pace` seconds."""
    connection = http.client.HTTPConnection(host)
    chance = random.Random(seed)
    moves: list[str] = []
    began = time.time()
    for number in range(int(seconds / pace)):
        time.sleep(max(0.0, began + number * pace - time.time()))
        position = start + (" moves " + " ".join(moves) if moves else "")
        sent = time.perf_counter()
        connection.request("GET", f"/{variant}?sfen={quote(position)}")
        answer = connection.getresponse()
        body = answer.read()
        times.append(time.perf_counter() - sent)
        found = json.loads(body).get("moves") if answer.status == 200 else None
        if found is None:
            failed.append((answer.status, position, body.decode()))
        moves = [*moves, chance.choice(found)["usi"]] if found and len(moves) < LONGEST else []


def process(pid: int) -> tuple[float, int]:
    """Seconds of processor time and kB of memory of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    memory = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), int(memory[1]) if memory else 0


def load(server: subprocess.Popen, url: str, rate: float, seconds: float) -> bool:
    host = urlsplit(url).netloc
    connection = http.client.HTTPConnection(host)
    connection.request("GET", "/")
    variant = json.load(connection.getresponse())["tablebases"][0]["variant"]
    times: list[float] = []
    failed: list[tuple] = []
    before = process(server.pid)
    clients = [
        threading.Thread(target=client, args=(host, variant, "startpos", CLIENTS / rate, seconds, seed, times, failed))
        for seed in range(CLIENTS)
    ]
    began = time.time()
    for thread in clients:
        thread.start()
    for thread in clients:
        thread.join()
    passed = time.time() - began
    after = process(server.pid)
    times.sort()
    part = [1000 * times[int(share * (len(times) - 1))] for share in (0.5, 0.99, 1)]
    print(
        f"{len(times)} probes in {passed:.1f} s: half within {part[0]:.2f} ms, 99 % within {part[1]:.2f} ms, all within {part[2]:.1f} ms; "
        f"{after[0] - before[0]:.1f} s of processor time, memory from {before[1]} to {after[1]} kB; {len(failed)} failed"
    )
    for status, position, body in failed[:5]:
        print(f"{status} for {position}: {body}", file=sys.stderr)
    return not failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shogi")
    parser.add_argument("tablebase", help="a tablebase that has the start of its variant")
    parser.add_argument("--rate", type=float, default=1000, help="probes a second")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--description", action="store_true", help="run schemathesis instead")
    given = parser.parse_args()
    command = [given.shogi, "serve", given.tablebase, "--rate", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            url = server.stdout.readline().strip() if server.stdout else ""
            if given.description:
                # A text that is no position is refused, and no schema says which texts are positions.
                test = [Path(sys.executable).with_name("st"), "run", f"{url}openapi.json", "--url", url, "--max-examples", "60"]
                test += ["--exclude-checks", "positive_data_acceptance"]
                # It leaves what it has found in its folder.
                with tempfile.TemporaryDirectory() as folder:
                    return subprocess.run(test, check=False, cwd=folder).returncode
            return 0 if load(server, url, given.rate, given.seconds) else 1
        finally:
            server.terminate()


if __name__ == "__main__":
    sys.exit(main())
