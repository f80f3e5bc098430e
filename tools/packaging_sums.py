#!/usr/bin/env python3
"""Fills in version and sums in the formula for Homebrew, the PKGBUILD and the recipe for conda-forge:

    tools/packaging_sums.py ARCHIVES OUT

ARCHIVES has what a release consists of: archives of the programs and the source of the Python package. Templates are in
packaging/: @VERSION@, @RELEASE@ (the address of the release) and @SHA256:FILE@ stand for what is filled in.
"""

import hashlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent
TEMPLATES = ["shogi-variants.rb", "PKGBUILD", "recipe.yaml"]


def version() -> str:
    """The version of the workspace."""
    found = re.search(r'^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    assert found, "Cargo.toml has no version"
    return found[1]


def filled(template: str, archives: pathlib.Path) -> str:
    """The text of a template with version and sums.

    Raises:
        FileNotFoundError: An archive that it names is missing.
    """
    text = (ROOT / "packaging" / template).read_text().replace("@VERSION@", version())
    text = text.replace("@RELEASE@", f"https://github.com/shogi-variants/shogi-variants/releases/download/v{version()}")

    def sum_of(found: re.Match[str]) -> str:
        return hashlib.sha256((archives / found[1]).read_bytes()).hexdigest()

    return re.sub(r"@SHA256:([^@]+)@", sum_of, text)


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: tools/packaging_sums.py ARCHIVES OUT")
    archives, out = map(pathlib.Path, sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    for template in TEMPLATES:
        try:
            text = filled(template, archives)
        except FileNotFoundError as missing:
            sys.exit(f"{template}: the archive {missing.filename} is missing")
        (out / template).write_text(text)


if __name__ == "__main__":
    main()
