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
    assert names["order"] == ["a", "d", "b"]


def test_the_guide_on_circuits_runs(monkeypatch):
    pytest.importorskip("pysat")
    cpmpy = pytest.importorskip("cpmpy.expressions.globalconstraints")
    for name in ("decompose_positive", "decompose_linear_positive"):
        monkeypatch.setattr(cpmpy.Circuit, name, getattr(cpmpy.Circuit, name))
    for solver in ("pindakaas", "pysat"):
        kind = getattr(pytest.importorskip(f"cpmpy.solvers.{solver}"), f"CPM_{solver}")
        monkeypatch.setattr(kind, "transform", kind.transform)
    start = re.search(r"start:circuit] -->\n(.*?)<!--", (HERE / "README.md").read_text(), re.DOTALL).group(1)
    page = (HERE.parent / "scripts" / "pages" / "guide" / "circuit.md").read_text()
    page = page.replace('--8<-- "python/README.md:circuit"', start)
    names = {}
    for example in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(example, names)
    assert names["order"] == ["a", "d", "b"]
    shortest = names["shortest"]
    assert shortest[0] == "home" and len(shortest) == 7
    assert sum(names["both"][way] for way in zip(shortest, shortest[1:] + shortest[:1])) == 316
    assert names["best"] in (["home", "a", "e", "b", "c"], ["home", "c", "b", "e", "a"])
    assert len(names["found"]) == 7


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
