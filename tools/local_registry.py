#!/usr/bin/env python3
"""Makes a registry on this machine in which a release can be rehearsed: local_registry.py CRATES OUT

OUT becomes a local registry of Cargo: the packed crates (*.crate) of the folder CRATES, and of other people's crates those that
Cargo.lock names, from Cargo's own cache. Nothing is downloaded. `tools/release.sh` builds and installs from it.
"""

import hashlib
import json
import os
import shutil
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CARGO = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")) / "registry"
CRATES_IO = "registry+https://github.com/rust-lang/crates.io-index"


def place(name: str) -> str:
    """Where a crate stands in an index."""
    name = name.lower()
    if len(name) < 4:
        return f"{len(name)}/{name[0] + '/' if len(name) == 3 else ''}{name}"
    return f"{name[:2]}/{name[2:4]}/{name}"


def dependencies(table: dict[str, Any], kind: str, target: str | None) -> list[dict[str, Any]]:
    """The dependencies of a section of a packed manifest, as an index writes them."""
    found = []
    for name, wanted in table.items():
        wanted = {"version": wanted} if isinstance(wanted, str) else wanted
        package = wanted.get("package")
        found.append(
            {
                "name": name,
                "req": wanted["version"],
                "features": wanted.get("features", []),
                "optional": wanted.get("optional", False),
                "default_features": wanted.get("default-features", True),
                "target": target,
                "kind": kind,
                "registry": None,
                "package": package,
            }
        )
    return found


def entry(crate: Path) -> dict[str, Any]:
    """The line of the index for one of our packed crates."""
    with tarfile.open(crate) as archive:
        member = archive.extractfile(f"{crate.stem}/Cargo.toml")
        assert member, f"{crate} has no manifest"
        manifest = tomllib.loads(member.read().decode())
    sections = {"dependencies": "normal", "build-dependencies": "build", "dev-dependencies": "dev"}
    deps = []
    for section, kind in sections.items():
        deps += dependencies(manifest.get(section, {}), kind, None)
        for target, tables in manifest.get("target", {}).items():
            deps += dependencies(tables.get(section, {}), kind, target)
    return {
        "name": manifest["package"]["name"],
        "vers": manifest["package"]["version"],
        "deps": deps,
        "features": manifest.get("features", {}),
        "features2": None,
        "cksum": hashlib.sha256(crate.read_bytes()).hexdigest(),
        "yanked": False,
        "links": manifest["package"].get("links"),
        "v": 2,
    }


def cached(name: str, version: str) -> dict[str, Any]:
    """The line of the index for somebody else's crate, from Cargo's cache."""
    for file in CARGO.glob(f"index/*/.cache/{place(name)}"):
        for part in file.read_bytes().split(b"\0"):
            if part.startswith(b"{") and json.loads(part)["vers"] == version:
                return json.loads(part)
    sys.exit(f"{name} {version} is not in Cargo's cache: run `cargo fetch` with a network")


def main(crates: Path, out: Path) -> None:
    """Fills the registry."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    entries = []
    for crate in sorted(crates.glob("*.crate")):
        entries.append(entry(crate))
        shutil.copy(crate, out)
    ours = len(entries)
    for package in tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]:
        if package.get("source") != CRATES_IO:
            continue
        entries.append(cached(package["name"], package["version"]))
        # Crates for other systems need not be there.
        for file in CARGO.glob(f"cache/*/{package['name']}-{package['version']}.crate"):
            shutil.copy(file, out)
    for line in entries:
        index = out / "index" / place(line["name"])
        index.parent.mkdir(parents=True, exist_ok=True)
        with index.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
    print(f"{ours} crates of this project and {len(entries) - ours} of others")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
