"""The examples print a picture whose lines are a loop, or paths between equal numbers, and draw it as SVG."""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import networkx as nx
import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


def lines(rows):
    """Returns the graph of a picture: every second character of every second row is a vertex, with a line or none between
    neighbours."""
    graph = nx.Graph()
    for r, row in enumerate(rows):
        for c, character in enumerate(row):
            if character == "─":
                graph.add_edge((r, c - 1), (r, c + 1))
            if character == "│":
                graph.add_edge((r - 1, c), (r + 1, c))
    assert all(r % 2 == 0 and c % 2 == 0 for r, c in graph)
    return graph


def test_examples_are_found():
    assert [file.stem for file in EXAMPLES] == ["masyu", "numberlink", "slitherlink"]


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_the_only_solution_is_drawn(file, tmp_path):
    run = subprocess.run([sys.executable, "-X", "utf8", file], cwd=tmp_path, capture_output=True, check=True, encoding="utf-8")
    *rows, last = run.stdout.splitlines()
    assert last == "This is the only solution."
    graph = lines(rows)
    if file.stem == "numberlink":
        assert len(graph) == ((len(rows) + 1) // 2) ** 2
        for part in nx.connected_components(graph):
            ends = [rows[r][c] for r, c in part if graph.degree((r, c)) == 1]
            assert len(ends) == 2 and ends[0] == ends[1] != "·"
            assert graph.subgraph(part).number_of_edges() == len(part) - 1
    else:
        assert nx.is_connected(graph) and all(degree == 2 for _, degree in graph.degree)
    if file.stem == "slitherlink":
        for r in range(1, len(rows), 2):
            for c in range(1, len(rows[r]), 2):
                sides = [rows[r - 1][c], rows[r + 1][c], rows[r][c - 1], rows[r][c + 1]]
                assert rows[r][c] in (" ", str(sum(side in "─│" for side in sides)))
    if file.stem == "masyu":
        pearls = {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row) if mark in "○●"}
        straight = {v: len({r for r, _ in graph[v]}) == 1 or len({c for _, c in graph[v]}) == 1 for v in graph}
        for pearl, mark in pearls.items():
            around = [straight[v] for v in graph[pearl]]
            assert (not straight[pearl] and all(around)) if mark == "●" else (straight[pearl] and not all(around))
    picture = ElementTree.parse(tmp_path / f"{file.stem}.svg").getroot()
    shapes = [shape for shape in picture.iter() if shape.tag.endswith(("polygon", "polyline"))]
    assert len(shapes) == nx.number_connected_components(graph)
    assert sum(len(shape.get("points").split()) for shape in shapes) == len(graph)
