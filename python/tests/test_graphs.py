"""Tests of inputs that are accepted or rejected as graphs."""

import pickle

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
    # Square with a diagonal.
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
    king = hamcnf.Board(3, 3, piece="king")
    assert str(king) == "king:3x3" and king.leaper is None and hamcnf.count(king) == 16
    assert hamcnf.Board(4, 4, piece="wazir") == hamcnf.Board(4, 4, leaper=(0, 1))
    assert pickle.loads(pickle.dumps(king)) == king == eval(repr(king), {"Board": hamcnf.Board})
    graph = nx.Graph(hamcnf.solve(board).moves())
    assert len(graph) == 64 and all(degree == 2 for _, degree in graph.degree)
    assert hamcnf.solve(hamcnf.Board(3, 4), open=True, start="a1", end="d3")[-1] == "d3"
    for wrong, words in [
        (lambda: hamcnf.Board(0, 8), "board 0x8 has no squares"),
        (lambda: hamcnf.Board(-1, 8), "rows= must be a whole number"),
        (lambda: hamcnf.Board(8, 8, leaper=(0, 0)), "leaper"),
        (lambda: hamcnf.Board(8, 8, leaper=3), "leaper= must be a pair such as .1, 2. for the knight, not 3"),
        (lambda: hamcnf.Board(8, 8, piece="kng"), 'unknown piece "kng": did you mean king'),
        (lambda: hamcnf.Board(8, 8, leaper=(1, 2), piece="king"), "pass leaper= or piece=, not both"),
        (lambda: hamcnf.Board(8.0, 8), "rows= must be a whole number from 0 to .*, not 8.0"),
        (lambda: hamcnf.Board(8, 8, holes=["z9"]), "square z9 is not on the 8x8 board"),
        (lambda: hamcnf.solve(board, start="i1"), "square i1 is not on the 8x8 board"),
        (lambda: hamcnf.solve("9x"), '"9x" is neither a board'),
        (lambda: hamcnf.solve(board, end="a1", open=False), "pass end= only for open tours"),
        (lambda: hamcnf.solve(board, open="yes"), "open= must be True, False or None, not 'yes'"),
    ]:
        with pytest.raises(hamcnf.Error, match=words):
            wrong()


def test_texts_say_what_they_say_on_the_command_line():
    assert hamcnf.solve("5x5 open from c3")[0] == "c3"
    assert hamcnf.count("petersen") == 0
    assert hamcnf.count("cycle:12") == 1
    assert hamcnf.solve("cycle:5", start=3)[0] == 3
    # A text without a start allows any start.
    assert hamcnf.count("3x4", open=True) == 16
    assert hamcnf.count("3x4 open from a1") == 2


def test_digraphs_have_tours_in_the_direction_of_their_arcs():
    digraph = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "a"), ("a", "c")])
    assert list(hamcnf.solve(digraph, start="b")) == ["b", "c", "a"]
    assert hamcnf.count(digraph) == 1
    assert hamcnf.count(nx.DiGraph([(0, 1), (1, 2), (2, 0), (0, 2), (2, 1), (1, 0)])) == 2
    assert hamcnf.count(digraph, open=True) == 3
    assert hamcnf.solve(nx.DiGraph([(0, 1), (1, 2), (0, 2)])) is None
    assert hamcnf.solve(nx.DiGraph([(0, 1), (1, 2), (0, 2)]), open=True)[0] == 0
    tournament = nx.tournament.random_tournament(9, seed=3)
    path = hamcnf.solve(tournament, open=True, start=None)
    assert all(tournament.has_edge(a, b) for a, b in zip(path, path[1:]))


@pytest.mark.parametrize(
    "graph, words",
    [
        (nx.MultiGraph([(0, 1), (1, 2), (2, 0)]), "is a multigraph"),
        (nx.Graph([("a", "b"), ("b", "b")]), "edge 'b'-'b' is a self-loop"),
        ([(1, 2), (2, 2)], "edge 2-2 is a self-loop"),
        (np.array([[4, 5], [7, 7]]), "edge 7-7 is a self-loop"),
        (np.zeros((3, 3), dtype=int), "shape .*adjacency matrix, pass networkx.from_numpy_array"),
        (np.zeros((7, 3), dtype=int), "shape .*to leave out weights, pass edges"),
        ({0: [1, 2], 1: [2]}, "a dict is not a list of edges"),
        (np.array([[0.5, 1.0]]), "float64"),
        (["ab", "bc"], "not a graph"),
        ([(1, 2, 3)], "an edge must be a pair of vertices, but .1, 2, 3. has three items"),
        (nx.cycle_graph(3).edges(data=True), "remove weights and data"),
        ([(1, 2, 3, 4)], "not a graph"),
        ([1, 2], "not a graph"),
        ([([], 1)], "not a graph"),
        (17, "not a graph"),
        (None, "not a graph"),
        ([], "closed tours need at least 3 vertices, but .* has 0"),
        (nx.Graph(), "has 0$"),
        ("no-such-file.col", "neither a board"),
    ],
)
def test_what_is_no_graph_is_refused(graph, words):
    with pytest.raises(hamcnf.Error, match=words) as raised:
        hamcnf.solve(graph)
    assert isinstance(raised.value, ValueError)


@pytest.mark.parametrize("graph", [[(0, 1)], nx.path_graph(2), nx.empty_graph(1), "1x1"])
def test_graphs_with_one_or_two_vertices_have_no_closed_tour(graph):
    assert hamcnf.solve(graph) is None
    assert hamcnf.count(graph) == 0


def test_open_tours_of_one_and_two_vertices():
    assert hamcnf.solve("1x1", open=True) == ("a1",)
    assert hamcnf.solve([(0, 1)], open=True, start=1) == (1, 0)


def test_a_vertex_that_is_not_there():
    square = nx.cycle_graph(4)
    for ends in ({"start": 9}, {"open": True, "end": "x"}, {"start": []}):
        with pytest.raises(hamcnf.Error, match="is not a vertex of the graph"):
            hamcnf.solve(square, **ends)


def test_messages_call_vertices_as_the_caller_does():
    names = ["a", "New York", ("c", 1), 7]
    path = nx.path_graph(4)
    graph = nx.relabel_nodes(path, dict(enumerate(names)))
    with pytest.raises(hamcnf.NotATour, match=r"move 1, a to \('c'_1\), is not an edge"):
        hamcnf.check(graph, ["a", ("c", 1), "New York", 7], open=True)
    with pytest.raises(hamcnf.Error, match="an open tour cannot both start and end at New_York"):
        hamcnf.solve(graph, start="New York", end="New York")
    assert "H(a,New_York)" in hamcnf.encode(graph, start="a").names.values()
    # Numbers in another order than their vertices, and names that are equal as words.
    with pytest.raises(hamcnf.Error, match="an open tour cannot both start and end at 2"):
        hamcnf.solve([(2, 0), (0, 1)], start=2, end=2)
    both = nx.Graph([(1, "1"), ("1", 2), (2, 1)])
    assert hamcnf.solve(both, start="1")[0] == "1"
    assert hamcnf.encode(both).names[1] == "H(0,1)"


def test_a_list_in_a_file_is_the_list_in_python(tmp_path):
    edges = [(1, 2), (2, 3), (3, 9), (9, 1)]
    file = tmp_path / "gaps.txt"
    file.write_text("".join(f"{a} {b}\n" for a, b in edges))
    assert hamcnf.solve(str(file), start=9)[0] == 9
    assert set(hamcnf.solve(str(file))) == set(hamcnf.solve(edges)) == {1, 2, 3, 9}


def test_facts():
    facts = hamcnf.graph_facts(nx.petersen_graph())
    assert (facts["vertices"], facts["edges"], facts["mean_degree"]) == (10, 15, 3.0)
    assert facts["bipartite"] is False and facts["components"] == 1
    odd = hamcnf.graph_facts(hamcnf.Board(5, 5))
    assert odd["obstruction"] == "colours"
    assert hamcnf.graph_facts(nx.path_graph(5))["bridges"] == 4


def test_graphs_of_a_file_are_iterated(tmp_path):
    file = tmp_path / "graphs.g6"
    file.write_text("Bw\nC~\n:Fa@x^\n")
    counts = [hamcnf.count(graph) for graph in hamcnf.graphs(file)]
    assert counts[:2] == [1, 3]
    assert [len(graph.vertices) for graph in hamcnf.graphs(file)] == [3, 4, 7]
    assert [hamcnf.count(graph, force=[("1", "2")]) for graph in hamcnf.graphs(file)][:2] == [1, 2]
    file.write_text("Bw\n\x07\n")
    with pytest.raises(hamcnf.Error, match="line 2"):
        list(hamcnf.graphs(file))
