"""Tests of the examples in documents, and of the notebooks."""

import doctest
import re
from pathlib import Path

import hamcnf
import pytest

HERE = Path(__file__).parent.parent


def test_the_package_documents_itself():
    assert doctest.testmod(hamcnf).failed == 0
    for name in hamcnf.__all__:
        assert getattr(hamcnf, name).__doc__, name


def test_the_examples_of_the_page_run(tmp_path, monkeypatch):
    page = (HERE / "README.md").read_text()
    root = HERE.parent
    monkeypatch.chdir(tmp_path)
    (tmp_path / "experiments").mkdir()
    table = (root / "experiments" / "table1.toml").read_text()
    (tmp_path / "experiments" / "table1.toml").write_text(table)
    names = {}
    for example in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(example, names)
    assert len(names["rows"]) == 30 // 2 and names["rows"].faults == []
    assert list(names["tour"].moves())[0] == ("a1", "b3")


@pytest.mark.parametrize("notebook", sorted((HERE / "notebooks").glob("*.ipynb")), ids=lambda file: file.stem)
def test_notebooks_run(notebook, tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    text = nbformat.read(notebook, as_version=4)
    # Notebooks are stored without outputs; running them makes the outputs.
    assert all(not cell.get("outputs") for cell in text.cells)
    nbformat.validate(text)
    client = nbclient.NotebookClient(text, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}})
    client.execute()
