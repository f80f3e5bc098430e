"""The examples in docstrings, in the README and in the guide hold."""

import doctest
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import shogi_variants
from shogi_variants import data, env, errors


def documented() -> Iterator[tuple[str, str]]:
    """All docstrings of the package with the names of what they are on."""
    yield "shogi_variants", inspect.getdoc(shogi_variants) or ""
    for name in shogi_variants.__all__:
        value: Any = getattr(shogi_variants, name)
        members = vars(value).items() if inspect.isclass(value) else ()
        for path, one in [(name, value), *((f"{name}.{key}", member) for key, member in members)]:
            if not path.split(".")[-1].startswith("_"):
                yield path, inspect.getdoc(one) or ""


EXAMPLES = {name: text for name, text in documented() if ">>>" in text}
EXAMPLES |= {name: inspect.getdoc(getattr(env, name)) or "" for name in ("Oracle", "evaluate_policy")}
EXAMPLES["data"] = inspect.getdoc(data) or ""
EXAMPLES["README"] = Path(__file__).with_name("..").joinpath("README.md").read_text("utf-8")


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_in_docstrings_hold(name: str) -> None:
    test = doctest.DocTestParser().get_doctest(EXAMPLES[name], {}, name, None, 0)
    said: list[str] = []
    failed, tried = doctest.DocTestRunner().run(test, out=said.append)
    assert failed == 0 and tried > 0, "".join(said)


@pytest.mark.parametrize("page", ["python", "agents", "training-data"])
def test_the_blocks_of_a_page_of_the_guide_print_what_they_say(
    page: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = Path(__file__).parents[2]
    text = (root / "docs" / "guide" / f"{page}.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    said = re.findall(r"^ *print\(.*\) +# (.*)$", "".join(blocks), re.MULTILINE)
    monkeypatch.chdir(root)
    exec("".join(blocks), {})
    printed = capsys.readouterr().out.splitlines()
    assert blocks and said
    assert [line for line in said if line not in printed] == []


def test_the_package_is_imported_in_the_folder_of_its_sources() -> None:
    # README and notebooks lie there; the sources must not stand in for what is installed.
    folder = Path(__file__).parents[1]
    said = subprocess.run(
        [sys.executable, "-c", "import shogi_variants; print(shogi_variants.Position('minishogi').sfen())"],
        cwd=folder, capture_output=True, text=True, check=False,
    )
    assert said.stdout == "rbsgk/4p/5/P4/KGSBR b - 1\n", said.stderr


def test_every_public_name_has_a_docstring_of_its_own() -> None:
    bare = [name for name, text in documented() if not text and name != "STAGES"]
    assert bare == []
    assert len(EXAMPLES) > 20


def test_every_exception_is_an_error_of_the_package() -> None:
    for name in errors.__all__:
        assert issubclass(getattr(errors, name), errors.Error)
