"""Tests of clauses in files, lists, arrays and PySAT, and of their models."""

import gzip
import pickle
import time

import hamcnf
import networkx as nx
import numpy as np
import pytest
from conftest import cycles, paths
from pysat.examples.rc2 import RC2
from pysat.formula import CNF, WCNF
from pysat.solvers import Solver


def test_what_is_no_model_is_not_taken_for_one():
    formula = hamcnf.encode(nx.petersen_graph(), "edges")
    for model in ([], [1], [999999], [0]):
        for read in (formula.cuts, formula.tour, formula.cycles):
            with pytest.raises(hamcnf.NotATour):
                read(model)


def test_pysat_finds_what_brute_force_does(small):
    n, edges = small
    known = cycles(n, edges)
    graph = nx.Graph(edges)
    for encoding in hamcnf.encodings():
        try:
            formula = hamcnf.encode(graph, encoding)
        except hamcnf.Error as refusal:
            assert "board" in str(refusal)
            continue
        cnf, pool, projection = formula.to_pysat()
        assert projection is None and len(cnf.clauses) == len(formula)
        found = set()
        with Solver("cadical153", bootstrap_with=cnf) as solver:
            while solver.solve():
                model = solver.get_model()
                cuts = formula.cuts(model)
                if cuts:
                    assert not formula.is_exact and len(formula.cycles(model)) > 1
                    with pytest.raises(hamcnf.NotATour):
                        formula.tour(model)
                    solver.append_formula(cuts)
                    continue
                tour = formula.tour(model)
                found.add(frozenset(map(frozenset, tour.moves())))
                for move in tour.moves():
                    if move in formula.arcs:
                        assert pool.id(move) in model
                    if formula.edges:
                        assert formula.edges[move] == formula.edges[move[::-1]] == pool.id(frozenset(move))
                        assert formula.edges[move] in model
                solver.append_formula(formula.blocking(tour))
        assert found == known, encoding


def test_open_tours_with_any_ends_are_those_of_brute_force(small):
    n, edges = small
    graph = nx.Graph(edges)
    vertices = list(graph)
    known = {tuple(path) for path in paths(n, edges)}
    s, t = vertices[0], vertices[-1]
    for start, end in [(s, None), (None, t), (s, t), (None, None)]:
        expected = {path for path in known if start in (None, path[0]) and end in (None, path[-1])}
        for encoding in ("binary", "direct", "precedence+edges"):
            formula = hamcnf.encode(graph, encoding, open=True, start=start, end=end)
            found = set()
            with Solver("cadical153", bootstrap_with=formula.clauses) as solver:
                while solver.solve():
                    model = set(solver.get_model())
                    tour = formula.tour(model)
                    assert tuple(tour) not in found
                    found.add(tuple(tour))
                    if formula.arcs:
                        made = {arc for arc, variable in formula.arcs.items() if variable in model}
                        assert made == set(tour.moves())
                    if formula.edges:
                        used = {frozenset(edge) for edge, variable in formula.edges.items() if variable in model}
                        assert used == set(map(frozenset, tour.moves()))
                    solver.append_formula(formula.blocking(tour))
            assert found == expected and formula.models_per_tour == 1, (encoding, start, end)


def test_a_shortest_path_is_as_long_as_its_moves():
    weights = {(0, 1): 1, (1, 2): 1, (2, 3): 1, (0, 3): 100, (0, 2): 10, (1, 3): 10}
    formula = hamcnf.encode(nx.complete_graph(4), "precedence", open=True, start=0)
    soft = WCNF()
    soft.extend(formula.clauses)
    for (u, v), variable in formula.arcs.items():
        soft.append([-variable], weight=weights[min(u, v), max(u, v)])
    with RC2(soft) as rc2:
        tour = formula.tour(rc2.compute())
        assert (list(tour), rc2.cost) == ([0, 1, 2, 3], 3)
    assert formula.arcs.keys() == {(u, v) for u in range(4) for v in range(1, 4) if u != v}


def test_models_are_as_many_as_are_said():
    formula = hamcnf.encode(hamcnf.Board(3, 10), "counting")
    support = hamcnf.encode(hamcnf.Board(3, 10), "counting", projection="arcs").projection
    models = 0
    with Solver("cadical153", bootstrap_with=formula.clauses) as solver:
        while solver.solve():
            model = solver.get_model()
            models += 1
            solver.add_clause([-model[variable - 1] for variable in support])
    assert models == formula.models_per_tour * hamcnf.count(hamcnf.Board(3, 10))


def test_names_and_projections():
    formula = hamcnf.encode(hamcnf.Board(6, 6), "binary", projection="arcs")
    variable = formula.arcs["a1", "c2"]
    assert formula.names[variable] == "H(a1,c2)" and variable in formula.projection
    cnf, pool, projection = formula.to_pysat()
    assert pool.obj(variable) == ("a1", "c2") and pool.top == cnf.nv == formula.variables
    assert projection == sorted(formula.arcs.values())
    # New keys get new variables.
    assert pool.id("mine") == formula.variables + 1
    graph = nx.Graph([("x", "y"), ("y", "z"), ("z", "x")])
    assert set(hamcnf.encode(graph, open=True).names.values()) >= {"H(x,y)", "F(x)", "L(z)"}
    assert sorted(hamcnf.encode(graph, projection="edges").edges.values()) == [7, 8, 9]
    assert hamcnf.encode(graph).arcs["z", "x"] in hamcnf.encode(graph, projection="arcs").projection
    with pytest.raises(hamcnf.Error, match="sideways"):
        hamcnf.encode(hamcnf.Board(6, 6), projection="sideways")
    with pytest.raises(hamcnf.Error, match="phases"):
        hamcnf.encode(hamcnf.Board(6, 6), "binary+phases=false")
    with pytest.raises(hamcnf.Error):
        hamcnf.encode(hamcnf.Board(6, 6), "ternary")


def test_files_lists_and_arrays_are_the_same(tmp_path):
    formula = hamcnf.encode(hamcnf.Board(5, 6), "unary", projection="arcs")
    formula.write(tmp_path / "f.cnf")
    formula.write(str(tmp_path / "f.cnf.gz"), names=True)
    text = (tmp_path / "f.cnf").read_text()
    assert "\nc p show " in text and f"\np cnf {formula.variables} {len(formula)}\n" in text
    clauses = formula.clauses
    assert CNF(from_file=str(tmp_path / "f.cnf")).clauses == clauses
    with gzip.open(tmp_path / "f.cnf.gz", "rt") as packed:
        assert "H(a1,c2)" in packed.read()
    literals, begins = formula.array()
    assert literals.dtype == np.int32 and len(begins) == len(clauses) + 1
    assert [literals[a:b].tolist() for a, b in zip(begins, begins[1:])] == clauses
    with pytest.raises(hamcnf.Error, match="cannot write"):
        formula.write(tmp_path / "no" / "f.cnf")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["f.cnf", "f.cnf.gz"]


def test_a_million_clauses():
    formula = hamcnf.encode(hamcnf.Board(10, 10), "direct")
    began = time.perf_counter()
    cnf = formula.to_pysat().cnf
    # A figure for people; tests assert counts.
    print(f"{len(cnf.clauses)} clauses in {time.perf_counter() - began:.2f} s")
    assert (cnf.nv, len(cnf.clauses)) == (10000, 1000102)


def test_a_formula_from_a_start():
    formula = hamcnf.encode(hamcnf.Board(5, 5), "binary", open=True, start="c3")
    with Solver("cadical153", bootstrap_with=formula.clauses) as solver:
        assert solver.solve()
        tour = formula.tour(solver.get_model())
    assert (tour[0], tour.kind) == ("c3", "open")
    with pytest.raises(hamcnf.NotATour):
        formula.tour([])


def test_formulas_are_pickled(tmp_path):
    graph = nx.petersen_graph()
    file = tmp_path / "g.edges"
    file.write_text("0 1\n1 2\n2 0\n2 3\n")
    for given in [
        hamcnf.encode("5x5 open from c3", "edges"),
        hamcnf.encode("6x6 from c3", "binary"),
        hamcnf.encode(f"{file} open from 3", "relaxed"),
        hamcnf.encode(graph, "edges", open=True, start=3),
        hamcnf.encode(graph, "binary", start=3, end=5, projection="edges"),
        hamcnf.encode("3x4 open from anywhere to a1"),
        hamcnf.encode("3x4", open=True),
        hamcnf.encode(hamcnf.Board(6, 6), "counting+windows=none", projection="co-tree"),
    ]:
        again = pickle.loads(pickle.dumps(given))
        assert (again.encoding, again.clauses, again.names) == (given.encoding, given.clauses, given.names)
        assert (again.arcs, again.edges, again.projection) == (given.arcs, given.edges, given.projection)
    pickled = pickle.dumps(hamcnf.encode(str(file)))
    file.write_text("0 1\n1 2\n2 0\n1 3\n")
    with pytest.raises(hamcnf.Error, match="has changed"):
        pickle.loads(pickled)


def test_moves_that_are_none_are_said():
    formula = hamcnf.encode(hamcnf.Board(6, 6), "binary")
    assert formula.arcs["a1", "b3"] > 0
    with pytest.raises(KeyError, match="'a1', 'a2'. is not an arc in binary of 6x6"):
        formula.arcs["a1", "a2"]
    with pytest.raises(KeyError, match="direct of 6x6.* has no arc variables"):
        hamcnf.encode(hamcnf.Board(6, 6), "direct").arcs["a1", "b3"]
    with pytest.raises(hamcnf.Error, match="no model"):
        formula.tour(None)
    formula = hamcnf.encode(hamcnf.Board(6, 6), "edges")
    assert formula.edges["b3", "a1"] == formula.edges["a1", "b3"] > 0
    assert ("b3", "a1") in formula.edges and formula.edges.get(("b3", "a1")) == formula.edges["a1", "b3"]
    assert ("a1", "a2") not in formula.edges and formula.edges.get(("a2", "a1")) is None
    with pytest.raises(KeyError, match="'a1', 'a2'. is not an edge in edges of 6x6"):
        formula.edges["a1", "a2"]
    with pytest.raises(KeyError, match="edges of 6x6.* has no arc variables"):
        formula.arcs["a1", "b3"]
