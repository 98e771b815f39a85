"""What can be a graph, and what cannot."""

import hamcnf
import networkx as nx
import numpy as np
import pytest


def is_cycle(graph, tour):
    return sorted(tour, key=str) == sorted(graph.nodes, key=str) and all(graph.has_edge(*move) for move in tour.moves())


def test_vertices_may_be_anything():
    names = ["b", ("a", 1), 3.5, b"x", frozenset({1})]
    graph = nx.Graph(nx.utils.pairwise(names, cyclic=True))
    tour = hamcnf.solve(graph)
    assert tour[0] == "b" and is_cycle(graph, tour)
    assert hamcnf.solve(graph, start=3.5)[0] == 3.5
    path = hamcnf.solve(graph, open=True, start=("a", 1))
    assert path.kind == "open" and path[0] == ("a", 1) and len(path.moves()) == 4


def test_every_way_to_give_a_graph_is_the_same_graph(tmp_path):
    edges = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]
    file = tmp_path / "graph.txt"
    file.write_text("".join(f"{a} {b}\n" for a, b in edges))
    counts = [
        hamcnf.count(graph, open=True)
        for graph in (
            edges,
            iter(edges),
            edges + [(b, a) for a, b in edges],
            nx.Graph(edges),
            np.array(edges),
            np.array(edges, dtype=np.uint8) + 200,
            str(file),
            {frozenset(edge) for edge in edges},
        )
    ]
    # The square with a diagonal.
    assert counts == [12] * 8
    assert hamcnf.solve(str(file))[0] == 0
    assert hamcnf.solve(np.array(edges) * 10 + 5)[0] == 5


def test_boards():
    board = hamcnf.Board(8, 8)
    assert str(board) == "8x8" and board.squares[:2] == ["a1", "b1"] and len(board.squares) == 64
    assert board == hamcnf.Board(8, 8) and hash(board) == hash(hamcnf.Board(8, 8))
    holed = hamcnf.Board(8, 8, holes=["a1", "h8"])
    assert str(holed) == "8x8-a1-h8" and len(holed.squares) == 62
    assert str(hamcnf.Board(10, 10, leaper=(2, 3))) == "leaper:2,3:10x10"
    graph = nx.Graph(hamcnf.solve(board).moves())
    assert len(graph) == 64 and all(degree == 2 for _, degree in graph.degree)
    assert hamcnf.solve(hamcnf.Board(3, 4), open=True, start="a1", end="d3")[-1] == "d3"
    for wrong, words in [
        (lambda: hamcnf.Board(0, 8), "board 0x8 has no squares"),
        (lambda: hamcnf.Board(-1, 8), "rows is a whole number"),
        (lambda: hamcnf.Board(8, 8, leaper=(0, 0)), "leaper"),
        (lambda: hamcnf.Board(8, 8, holes=["z9"]), "square z9 is not on the 8x8 board"),
        (lambda: hamcnf.solve(board, start="i1"), "square i1 is not on the 8x8 board"),
        (lambda: hamcnf.solve("9x"), "'9x' is neither a board"),
        (lambda: hamcnf.solve(board, end="a1", open=False), "'to' is for open ones"),
    ]:
        with pytest.raises(hamcnf.Error, match=words):
            wrong()


def test_texts_say_what_they_say_on_the_command_line():
    assert hamcnf.solve("5x5 open from c3")[0] == "c3"
    assert hamcnf.count("petersen") == 0
    assert hamcnf.count("cycle:12") == 1
    assert hamcnf.solve("cycle:5", start=3)[0] == 3
    # A text that says nothing of a start leaves it open.
    assert hamcnf.count("3x4", open=True) == 16
    assert hamcnf.count("3x4 open from a1") == 2


@pytest.mark.parametrize(
    "graph, words",
    [
        (nx.DiGraph([(0, 1), (1, 2), (2, 0)]), "is directed"),
        (nx.MultiGraph([(0, 1), (1, 2), (2, 0)]), "is a multigraph"),
        (nx.Graph([("a", "b"), ("b", "b")]), "edge 'b'-'b' joins a vertex to itself"),
        ([(1, 2), (2, 2)], "edge 2-2 joins a vertex to itself"),
        (np.array([[4, 5], [7, 7]]), "edge 7-7 joins a vertex to itself"),
        (np.zeros((3, 3), dtype=int), "shape"),
        (np.array([[0.5, 1.0]]), "float64"),
        (["ab", "bc"], "that is no graph"),
        ([(1, 2, 3)], "that is no graph"),
        ([1, 2], "that is no graph"),
        ([([], 1)], "that is no graph"),
        (17, "that is no graph"),
        (None, "that is no graph"),
        ([], "closed tours need at least 3 vertices, and .* has 0"),
        (nx.Graph(), "has 0$"),
        ([(0, 1)], "has 2$"),
        ("1x1", "1x1 has 1$"),
        ("no-such-file.col", "neither a board"),
    ],
)
def test_what_is_no_graph_is_refused(graph, words):
    with pytest.raises(hamcnf.Error, match=words) as raised:
        hamcnf.solve(graph)
    assert isinstance(raised.value, ValueError)


def test_a_vertex_that_is_not_there():
    square = nx.cycle_graph(4)
    for ends in ({"start": 9}, {"open": True, "end": "x"}, {"start": []}):
        with pytest.raises(hamcnf.Error, match="is not a vertex of the graph"):
            hamcnf.solve(square, **ends)


def test_facts():
    facts = hamcnf.graph_facts(nx.petersen_graph())
    assert (facts["vertices"], facts["edges"], facts["mean_degree"]) == (10, 15, 3.0)
    assert facts["bipartite"] is False and facts["components"] == 1
    odd = hamcnf.graph_facts(hamcnf.Board(5, 5))
    assert odd["obstruction"] == "colours"
    assert hamcnf.graph_facts(nx.path_graph(5))["bridges"] == 4
