"""Tests of one tour, all tours, random tours and their number, against brute force and networkx."""

import itertools
import json
import pickle

import hamcnf
import networkx as nx
import pytest
from conftest import cycles, paths


def edges_of(tour):
    return frozenset(frozenset(move) for move in tour.moves())


def test_answers_are_those_of_brute_force(small):
    n, edges = small
    known, open_ones = cycles(n, edges), paths(n, edges)
    graph = nx.Graph(edges)
    tour = hamcnf.solve(graph)
    assert (tour is not None) == bool(known)
    if tour is not None:
        assert edges_of(tour.check()) in known
        assert all(graph.has_edge(*move) for move in tour.moves())
    assert hamcnf.count(graph) == len(known)
    assert hamcnf.count(graph, open=True) == len(open_ones)
    begin = edges[0][0]
    assert hamcnf.count(graph, open=True, start=begin) == sum(order[0] == begin for order in open_ones)
    listed = list(hamcnf.tours(graph))
    assert len(listed) == len(known) and {edges_of(tour) for tour in listed} == known
    listed = [tuple(tour) for tour in hamcnf.tours(graph, open=True)]
    assert len(listed) == len(open_ones) and set(listed) == open_ones
    drawn = hamcnf.sample(graph, 5)
    assert len(drawn) == (5 if known else 0) and all(edges_of(tour) in known for tour in drawn)
    for a, b in itertools.islice(itertools.permutations(range(n), 2), 4):
        path = hamcnf.solve(graph, start=a, end=b)
        assert (path is not None) == any((order[0], order[-1]) == (a, b) for order in open_ones)
        assert path is None or tuple(path) in open_ones
    for method in ("direct", "backtrack", "decomposition", "lazy"):
        assert (hamcnf.solve(graph, method=method) is not None) == bool(known)


def test_a_large_graph_of_networkx():
    graph = nx.random_regular_graph(3, 1000, seed=7)
    tour = hamcnf.solve(graph, timeout=60)
    assert sorted(tour) == sorted(graph) and all(graph.has_edge(*move) for move in tour.moves())


def test_known_counts():
    assert hamcnf.count(hamcnf.Board(6, 6)) == 9862
    assert hamcnf.count(hamcnf.Board(6, 6), method="zdd") == 9862
    assert hamcnf.count(nx.complete_graph(9)) == 20160
    assert hamcnf.count(hamcnf.Board(5, 5), open=True) == 1728
    assert hamcnf.count(nx.circular_ladder_graph(7)) == len(list(hamcnf.tours(nx.circular_ladder_graph(7))))


def test_tours_that_end_where_it_is_said():
    ladder = nx.ladder_graph(5)
    between = [path for path in hamcnf.tours(ladder, start=0, open=True) if path[-1] == 5]
    assert hamcnf.count(ladder, start=0, end=5) == len(between) == 1
    to = [path for path in hamcnf.tours(ladder, open=True) if path[-1] == 7]
    assert hamcnf.count(ladder, end=7) == hamcnf.count(ladder, end=7, method="zdd") == len(to) > 0
    assert hamcnf.estimate(ladder, end=7).mean == len(to)
    assert {tuple(path) for path in hamcnf.sample(ladder, 100, end=7)} <= {tuple(path) for path in to}
    assert hamcnf.count(ladder, start=0, end=5, method="enumerate") == len(between)
    with pytest.raises(hamcnf.Error, match="this method does not accept a given end"):
        hamcnf.solve(ladder, start=0, end=5, method="backtrack")


def test_estimates():
    found = hamcnf.estimate(hamcnf.Board(6, 6), states=500, repetitions=20, seed=3)
    assert abs(found.mean - 9862) < 6 * found.standard_error and not found.exact
    low, high = found.interval
    assert low < found.mean < high
    exact = hamcnf.estimate(nx.cycle_graph(5))
    assert exact.exact and exact.mean == 1
    with pytest.raises(hamcnf.Error, match="does not count"):
        hamcnf.estimate(nx.cycle_graph(5), method="binary")
    with pytest.raises(hamcnf.Error, match="estimate"):
        hamcnf.count(hamcnf.Board(6, 6), method="sample+states=100")


def test_iterators_are_lazy():
    # 13267364410532 tours, too many to list all of them.
    board = hamcnf.Board(8, 8)
    found = hamcnf.tours(board, encoding="counting")
    assert len({tour for tour in itertools.islice(found, 3)}) == 3
    del found
    assert list(hamcnf.tours(hamcnf.Board(9, 9))) == []
    with pytest.raises(hamcnf.OutOfTime):
        list(hamcnf.tours(board, timeout=0.3))
    with pytest.raises(hamcnf.Error, match="encoding"):
        next(hamcnf.tours(board, encoding="ternary"))


def test_seeds_decide():
    board = hamcnf.Board(8, 8)
    one = [hamcnf.solve(board, method="solve+phases=seeded:binary", seed=seed) for seed in (1, 1, 2)]
    assert one[0] == one[1] != one[2]
    drawn = [hamcnf.sample(hamcnf.Board(6, 6), 3, seed=seed) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_tour_is_a_sequence():
    tour = hamcnf.solve(hamcnf.Board(6, 6), start="c3")
    assert tour[0] == "c3" and tour[-1] in tour and len(tour[:5]) == 5
    assert tour == list(tour) and tour == tuple(tour) and tour == hamcnf.check(hamcnf.Board(6, 6), tour)
    assert tour != list(tour)[::-1] and tour[:2] == list(tour)[:2]
    assert json.loads(json.dumps({"tour": tour})) == {"tour": list(tour)}
    assert repr(tour).startswith("<closed tour of 6x6: c3 ")
    assert tour._repr_svg_().startswith("<svg ") and "<animate" in tour.svg(animate=True)


def test_pictures_are_files(tmp_path):
    tour = hamcnf.solve(nx.cycle_graph(5))
    tour.save(tmp_path / "tour.svg", numbers=True)
    assert "graph of 5 vertices" in (tmp_path / "tour.svg").read_text()


def test_wrong_tours_are_said_to_be():
    square = nx.cycle_graph(4)
    assert hamcnf.check(square, [2, 3, 0, 1]).kind == "closed"
    assert hamcnf.check(square, [2, 3, 0, 1], open=True, end=1).kind == "open"
    for order, words in [
        ([0, 2, 1, 3], "move 1, 0 to 2, is not an edge"),
        ([0, 1, 2], "the tour visits 3 vertices"),
        ([0, 1, 0, 1], "returns to the vertex at position 0"),
        ([], "the tour visits 0 vertices"),
    ]:
        with pytest.raises(hamcnf.NotATour, match=words):
            hamcnf.check(square, order)
    with pytest.raises(hamcnf.Error, match="'x' is not a vertex"):
        hamcnf.check(square, [0, 1, 2, "x"])
    with pytest.raises(hamcnf.NotATour, match="the tour does not end at 0"):
        hamcnf.check(square, [2, 3, 0, 1], open=True, end=0)


def test_answers_say_how_it_came():
    none = hamcnf.answer(hamcnf.Board(9, 9))
    assert (none.status, none.tour, none.is_answer) == ("no-tour", None, True) and "colour" in none.why
    several = hamcnf.answer(hamcnf.Board(6, 6), "counting", number=3)
    assert len({tuple(tour) for tour in several.tours}) == 3
    sized = hamcnf.answer(hamcnf.Board(8, 8), "size:binary")
    assert (sized.record["variables"], sized.record["clauses"]) == (714, 12161)
    counted = hamcnf.answer(nx.complete_graph(12), "exact")
    assert counted.record["value"] == 19958400 and counted.record["question"] == "graph of 12 vertices"
    with pytest.raises(hamcnf.Error, match="finds no tours"):
        hamcnf.solve(hamcnf.Board(6, 6), method="exact")


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda board: hamcnf.solve(board, method="guess"), '"guess"'),
        (lambda board: hamcnf.solve(board, timeout=-1), "timeout= must be a number of seconds of at least 0"),
        (lambda board: hamcnf.solve(board, timeout=float("nan")), "timeout"),
        (lambda board: hamcnf.solve(board, timeout="1"), "timeout= must be a number of seconds of at least 0, not '1'"),
        (lambda board: hamcnf.tours(board, timeout="1"), "timeout= must be a number of seconds"),
        (lambda board: hamcnf.solve(board, seed="x"), "seed= must be a whole number from 0 to .*, not 'x'"),
        (lambda board: hamcnf.count(board, memory=1e9), "memory= must be a whole number from 0 to .*, not 1000000000.0"),
        (lambda board: hamcnf.solve(board, threads=0), "threads= must be a whole number from 1 to 1024"),
        (lambda board: hamcnf.solve(board, seed=-1), "seed= must be a whole number"),
        (lambda board: hamcnf.sample(board, -1), "number= must be a whole number"),
        (lambda board: hamcnf.answer(board, number=0), "number= must be a whole number"),
        (lambda board: hamcnf.solve(board, proof="p.txt"), "p.txt"),
    ],
)
def test_wrong_words_are_refused(call, words):
    with pytest.raises(hamcnf.Error, match=words):
        call(hamcnf.Board(8, 8))


def test_unknown_keywords_are_type_errors():
    for function in (hamcnf.solve, hamcnf.count, hamcnf.encode):
        with pytest.raises(TypeError, match='unexpected keyword argument "forse"'):
            function(hamcnf.Board(8, 8), forse=[("a1", "c2")])


@pytest.mark.parametrize(
    "graph, asked",
    [
        (hamcnf.Board(5, 6), {}),
        (hamcnf.Board(5, 5, holes=["a1"]), {"open": True}),
        ("cubic:20:1", {}),
        ([("a", "b"), ("b", ("c", 1)), (("c", 1), "a")], {}),
        ([(1, 2), (2, 3)], {"open": True, "start": 3, "end": 1}),
    ],
)
def test_tours_are_pickled(graph, asked):
    tour = hamcnf.solve(graph, **asked)
    again = pickle.loads(pickle.dumps(tour))
    assert again == tour and repr(again) == repr(tour)
    assert again.check().svg() == tour.svg()


def test_texts_and_arguments_agree():
    assert hamcnf.count("5x5 open") == hamcnf.count("5x5", open=True) == 1728
    assert hamcnf.count("5x5 open from a1") == hamcnf.count("5x5 open", start="a1") == 304
    assert hamcnf.count("5x5 open from a1", start="a1") == 304
    for asked in ({"start": "c3"}, {"start": "b1"}, {"open": False}):
        with pytest.raises(hamcnf.Error, match="the text"):
            hamcnf.solve("5x5 open from a1", **asked)


def test_a_closed_tour_may_come_back():
    square = [(0, 1), (1, 2), (2, 3), (3, 0)]
    assert hamcnf.check(square, [0, 1, 2, 3, 0]) == [0, 1, 2, 3]
    with pytest.raises(hamcnf.NotATour):
        hamcnf.check(square, [0, 1, 2, 3, 0], open=True)


def test_pictures_are_svg(tmp_path):
    tour = hamcnf.solve("5x6")
    tour.save(tmp_path / "tour.svg")
    with pytest.raises(hamcnf.Error, match="must end in .svg"):
        tour.save(tmp_path / "tour.png")


def test_boards_are_pickled():
    board = hamcnf.Board(6, 5, (1, 3), ["a1"])
    assert pickle.loads(pickle.dumps(board)) == board


def test_constraints_are_keyword_arguments():
    edges = list(itertools.combinations("abcde", 2))
    known = {
        frozenset(frozenset(pair) for pair in zip(order, order[1:] + order[:1]))
        for order in (("a", *rest) for rest in itertools.permutations("bcde"))
    }
    uses = frozenset("ab")
    assert hamcnf.count(edges) == len(known) == 12
    assert hamcnf.count(edges, force=[("a", "b")]) == sum(uses in cycle for cycle in known) == 6
    assert hamcnf.count(edges, forbid=[("b", "a")]) == 6
    # Positions give closed tours a direction.
    assert hamcnf.count(edges, at={"c": 2}) == 6
    assert hamcnf.count(edges, at={"c": (1, 2)}, before=[("b", "d")]) == sum(
        order.index("c") in (1, 2) and order.index("b") < order.index("d")
        for order in (("a", *rest) for rest in itertools.permutations("bcde"))
    )
    digraph = nx.DiGraph(list(itertools.permutations("abcd", 2)))
    assert hamcnf.count(digraph, force=[("a", "b")]) == 2
    tour = hamcnf.solve(hamcnf.Board(8, 8), at={"c3": 16}, turns="0..89=..9", open=True, start="a1")
    assert tour is not None and tour[16] == "c3"
    assert hamcnf.solve("6x6", max_turn=90) is None
    assert hamcnf.count("6x6", symmetry=90) == 10
    assert hamcnf.count("5x6", symmetry=["reflection"]) == 4
    formula = hamcnf.encode(edges, "unary", at={"c": 2})
    assert pickle.loads(pickle.dumps(formula)).variables == formula.variables
    for wrong in ({"force": ["ab"]}, {"at": [("c", 2)]}, {"at": {"z": 1}}, {"at": {"a": 3}}):
        with pytest.raises(hamcnf.Error):
            hamcnf.count(edges, **wrong)
