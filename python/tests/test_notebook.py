"""The notebooks are stored with their outputs, and are as short as they say."""

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted(Path(__file__).parents[1].glob("notebooks/*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_stored_with_its_outputs(path: Path) -> None:
    assert path.stat().st_size < 200_000
    code = [cell for cell in json.loads(path.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    shown = [output for cell in code for output in cell["outputs"]]
    assert any("image/png" in output.get("data", {}) for output in shown)
    assert any(output.get("name") == "stdout" for output in shown)
    assert not any(output["output_type"] == "error" or output.get("name") == "stderr" for output in shown)


def test_the_plot_takes_ten_lines() -> None:
    path = NOTEBOOKS[0].with_name("minishogi_estimate.ipynb")
    cells = {cell["id"]: cell["source"] for cell in json.loads(path.read_text("utf-8"))["cells"]}
    assert len(cells["estimate"]) == 10
