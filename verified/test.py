"""Tests of the extracted rules and of the checker: test.py [SHOGI] [POSITIONS].

SHOGI is the program of this repository; with it legal moves are compared on POSITIONS random positions
of each game (3,000), and verdicts on damaged proofs. Without it what is published is compared.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RULES, CHECK = HERE / "build" / "rules", HERE / "check"

STARTS = {
    "shogi34": "rbk/2p/P2/KBR b - 1",
    "minishogi": "rbsgk/4p/5/P4/KGSBR b - 1",
    "kyotoshogi": "pgkst/5/5/5/TSKGP b - 1",
    "shogi": "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
}

# Confirmed by two programs or more: see docs/results/README.md.
PERFT = {
    ("minishogi", STARTS["minishogi"]): [14, 181, 2512, 35401],
    ("kyotoshogi", STARTS["kyotoshogi"]): [12, 137, 1636, 18268, 225903],
    ("shogi", STARTS["shogi"]): [30, 900, 25470],
    ("shogi34", "bkr/1p1/1P1/RKB b - 1"): [6, 26, 162, 1013, 6882],
    ("shogi34", "skg/1p1/1P1/GKS b - 1"): [5, 21, 117, 694, 4011],
}


def run(*command, stdin=None, good=(0,), cwd=None):
    done = subprocess.run([str(part) for part in command], input=stdin, capture_output=True, text=True, cwd=cwd)
    if done.returncode not in good:
        sys.exit(f"{command} ended with {done.returncode}: {done.stdout[-500:]}{done.stderr[-500:]}")
    return done


def test_perft():
    for (variant, sfen), counts in PERFT.items():
        for depth, nodes in enumerate(counts, 1):
            found = int(run(RULES, "perft", variant, depth, sfen).stdout)
            assert found == nodes, f"{variant} {sfen} to {depth} plies: {found}, not {nodes}"
    print("perft: as published")


def positions(variant, count, *kind):
    """Random positions, the same each time."""
    return run(RULES, "positions", variant, STARTS[variant], count, 1, *kind).stdout.splitlines()


def differing(rules, shogi, variant, sfens):
    """Positions in which the extracted rules and the program differ, with what each says."""
    text = "".join(sfen + "\n" for sfen in sfens)
    ours = run(rules, "moves", variant, stdin=text).stdout.splitlines()
    theirs = run(shogi, "moves", variant, stdin=text).stdout.splitlines()
    assert len(ours) == len(theirs) == len(sfens)
    for sfen, line, answer in zip(sfens, ours, theirs):
        answer = json.loads(answer)
        expected = " ".join([str(answer["check"]).lower(), *sorted(answer["moves"])])
        if line.strip() != expected:
            yield sfen, line, expected


def test_moves(shogi, count):
    for variant in STARTS:
        plain = positions(variant, count)
        chosen = [] if variant == "kyotoshogi" else positions(variant, count // 50, "mates")
        assert variant == "kyotoshogi" or len(chosen) > 10, f"{variant}: too few drop-pawn mates"
        for sfen, line, expected in differing(RULES, shogi, variant, plain + chosen):
            sys.exit(f"{variant} {sfen}: {line}, but the program says {expected}")
        print(f"moves of {variant}: {len(plain)} random positions and {len(chosen)} with drop-pawn mates or stalemates agree")


def seal(data):
    """A file's bytes with its checksum made anew."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        return data + bytes.fromhex(run(RULES, "hash", file.name).stdout.strip())


def accepted(path):
    done = run(CHECK, path, good=(0, 1))
    assert ("accepted" in done.stdout) == (done.returncode == 0), done.stdout
    assert ("refused" in done.stdout) == (done.returncode == 1), done.stdout
    return done.returncode == 0


def damaged(data, seed):
    """Files with a byte changed, cut short or with more behind, their checksums left alone and redone."""
    rng = random.Random(seed)
    body = data[:-32]
    for _ in range(60):
        i, flip = rng.randrange(len(data)), rng.randrange(1, 256)
        yield "a byte changed", data[:i] + bytes([data[i] ^ flip]) + data[i + 1 :], False
    for _ in range(20):
        yield "cut short", data[: rng.randrange(len(data))], False
    yield "more bytes behind", data + b"\0", False
    for _ in range(20):
        yield "cut short and sealed", seal(body[: rng.randrange(len(body))]), False
    for _ in range(120):
        i, flip = rng.randrange(len(body)), rng.randrange(1, 256)
        yield "a byte changed and sealed", seal(body[:i] + bytes([body[i] ^ flip]) + body[i + 1 :]), None


def test_damage(shogi):
    """What is damaged is refused; a changed file that is sealed again only passes if the program's own checker agrees."""
    for proof in sorted((HERE / "proofs").glob("*.proof")):
        assert accepted(proof), f"{proof} is refused"
        refused = passed = 0
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "damaged.proof"
            for what, data, verdict in damaged(proof.read_bytes(), 1):
                path.write_bytes(data)
                if not accepted(path):
                    refused += 1
                    continue
                assert verdict is None, f"{proof}: {what}, and accepted"
                passed += 1
                if shogi:
                    answer = json.loads(run(shogi, "verify", path, "--json", good=(0, 1)).stdout)
                    reason = json.dumps(answer)
                    assert answer["ok"] or "comes to" in reason, reason
        assert refused > 3 * passed, f"{proof}: {passed} changed files were accepted"
        print(f"{proof.name}: {refused} damaged files refused, {passed} still proofs")


def test_what_a_file_is(shogi):
    """Files that say nothing false and are none all the same, here and for the program."""
    kbr = (HERE / "proofs" / "kbr.proof").read_bytes()[:-32]
    # Behind the first eight bytes, the version, the variant, the rules, the root, the claim and the repetition.
    place = 8 + 2
    place += 1 + kbr[place] + 32
    place += 2 + int.from_bytes(kbr[place : place + 2], "little") + 2
    count = int.from_bytes(kbr[place : place + 8], "little")
    assert 0 < count < len(kbr), count
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "count.proof"
        for wrong in [count + (1 << bit) for bit in range(8, 64)] + [(1 << 64) - 1, 1 << 63, 0, count - 1]:
            path.write_bytes(seal(kbr[:place] + wrong.to_bytes(8, "little") + kbr[place + 8 :]))
            refused(path, shogi, "")
        path.write_bytes(seal(kbr))
        assert accepted(path)
    refused(HERE / "proofs" / "checks" / "unused.proof", shogi, "no line leads to entry")
    print("files: refused with any other count, and with an entry that no line reaches")


def refused(path, shogi, reason):
    assert not accepted(path)
    for jobs in 1, 3:
        assert reason in run(CHECK, "--jobs", jobs, path, good=(1,)).stdout
    assert not shogi or run(shogi, "verify", path, good=(0, 1)).returncode == 1


def test_perpetual_check(shogi):
    """Strategies of Kyoto shogi that give check wherever they can: of one the checks end, of the other they need not."""
    for name, verdict in ("end", True), ("forever", False):
        proof = HERE / "proofs" / "checks" / f"{name}.proof"
        done = run(CHECK, proof, good=(0, 1))
        assert accepted(proof) == verdict, done.stdout
        assert verdict or "leads back to itself by checks alone" in done.stdout, done.stdout
        if shogi:
            assert (run(shogi, "verify", proof, good=(0, 1)).returncode == 0) == verdict
    print("perpetual check: accepted where checks end, refused where they need not")


def test_accept(shogi):
    """What accept.py keeps: each claim is done once, and a search again for more nodes."""
    skeleton = HERE.parent / "docs" / "results" / "kyoto" / "4a5b-.skeleton"
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, HERE / "accept.py", shogi, folder, HERE / "proofs" / "kbr.proof", skeleton, "--starts", "KNR,KRP", "--leaf", "unit", "--hash", "64"]
        first = run(*command, "--nodes", "2e5", "--at-once", "2").stdout.splitlines()
        assert sorted(first) == ["4a5b- by folded_wins", "KNR by folded_wins", "KRP no proof", "kbr by folded_wins"], first
        assert run(*command, "--nodes", "2e5").stdout == ""
        assert run(*command, "--nodes", "1e6").stdout == "KRP by folded_does_not_lose\n"
        table = (pathlib.Path(folder) / "table.md").read_text()
        assert "| 4a5b- | Sente wins within 25 plies | 2516 |" in table and "Without a value: KRP (" in table, table
        broken = pathlib.Path(folder) / "broken.proof"
        broken.write_bytes((HERE / "proofs" / "kbr.proof").read_bytes()[:-1])
        assert run(sys.executable, HERE / "accept.py", shogi, folder, broken, good=(1,)).stdout.startswith("broken ")
    print("accept.py: done once, refused where broken")


def main(arguments):
    shogi = arguments[0] if arguments else None
    test_perft()
    if shogi:
        test_moves(shogi, int(arguments[1]) if len(arguments) > 1 else 3000)
    test_damage(shogi)
    test_what_a_file_is(shogi)
    test_perpetual_check(shogi)
    if shogi:
        test_accept(shogi)


if __name__ == "__main__":
    main(sys.argv[1:])
