"""The circuit constraint in models of PySAT."""

import itertools

import hamcnf
import pytest
from pysat.formula import IDPool
from pysat.solvers import Cadical195


def complete(n, directed=True):
    pairs = itertools.permutations(range(n), 2) if directed else itertools.combinations(range(n), 2)
    return {pair: k for k, pair in enumerate(pairs, 1)}


def models(circuit, extra=()):
    """All models, with the circuit of each."""
    with Cadical195(bootstrap_with=[*circuit.clauses, *extra]) as solver:
        while solver.solve():
            model = solver.get_model()
            cuts = circuit.cuts(model)
            if not cuts:
                yield model, circuit.cycle(model)
                cuts = [[-literal for literal in model]]
            for cut in cuts:
                solver.add_clause(cut)


# Numbers of solutions of XCSP3's <circuit> (self-loops skip, not empty), MiniZinc's subcircuit (also empty) and circuit.
@pytest.mark.parametrize("encoding", ["successor", "unary", "precedence", "relaxed", "remainder=2x3"])
@pytest.mark.parametrize(
    ("n", "options", "number"),
    [
        (3, {"optional": True}, 5),
        (3, {"optional": True, "empty": True}, 6),
        (3, {}, 2),
        (4, {"optional": True}, 20),
        (4, {"optional": True, "empty": True}, 21),
        (4, {}, 6),
        (4, {"optional": True, "at_most": 2}, 6),
        (4, {"optional": True, "at_least": 4}, 6),
        (3, {"optional": True, "directed": False}, 1),
        (3, {"optional": True, "directed": False, "empty": True}, 2),
        (3, {"directed": False}, 1),
        (4, {"directed": False}, 3),
        (4, {"optional": True, "directed": False}, 7),
        (4, {"optional": True, "directed": False, "empty": True}, 8),
        (3, {"path": (0, 2)}, 1),
        (3, {"path": (None, None)}, 6),
        (3, {"path": (None, None), "directed": False}, 3),
        (4, {"path": (0, 3)}, 2),
        (4, {"path": (0, 3), "directed": False}, 2),
        (4, {"path": (None, None)}, 24),
        (4, {"path": (None, None), "directed": False}, 12),
        (3, {"depot": 0}, 3),
        (4, {"depot": 0}, 13),
        # OR-tools' AddMultipleCircuit, with a literal for "skipped" at every vertex but the depot.
        (3, {"depot": 0, "optional": [1, 2], "empty": True}, 6),
        (4, {"depot": 0, "optional": [1, 2, 3], "empty": True}, 26),
        (4, {"depot": 0, "empty": True}, 13),
    ],
)
def test_numbers_of_solutions(n, options, number, encoding):
    if "depot" in options and encoding == "precedence":
        pytest.skip("the order of several circuits is free")
    arcs = complete(n, options.get("directed", True))
    circuit = hamcnf.circuit(arcs, encoding, **options)
    found = [tuple(literal for literal in model[: len(arcs)] if literal > 0) for model, _ in models(circuit)]
    assert len(set(found)) == number
    if circuit.is_exact:
        assert len(found) == number


def test_the_users_vertices_and_literals():
    arcs = {("a", "b"): -3, ("b", "c"): 5, ("c", "a"): True, ("c", "c"): 7}
    circuit = hamcnf.circuit(arcs)
    assert circuit.cycle([-3, 5, -7]) == ["a", "b", "c"]
    assert circuit.visited["c"] == -7 and circuit.visited["a"] is True
    with pytest.raises(hamcnf.NotATour, match="vertex c is skipped, but has 1 arc"):
        circuit.cycle([-3, 5, 7])
    assert min(abs(literal) for literal in circuit.auxiliary) == 8
    assert circuit.nv == max(circuit.auxiliary)


def test_variables_come_from_the_pool():
    pool = IDPool()
    arcs = {arc: pool.id(arc) for arc in complete(4)}
    other = pool.id("other")
    circuit = hamcnf.circuit(arcs, vpool=pool, when=other)
    assert set(circuit.auxiliary).isdisjoint({other, *arcs.values()})
    assert pool.id("later") > circuit.nv
    assert len(list(models(circuit, [[other]]))) == 6
    assert circuit.cycle([-other]) is None
    assert min(hamcnf.circuit(complete(3), top_id=100).auxiliary) == 101
    with pytest.raises(hamcnf.Error, match="vpool and top_id"):
        hamcnf.circuit(arcs, vpool=pool, top_id=3)


def test_a_depot_has_several_circuits():
    circuit = hamcnf.circuit(complete(4), depot=0, skip={3: 13})
    routes = [cycle for model, cycle in models(circuit, [[13]])]
    assert sorted(map(len, routes)) == [1, 1, 2]
    assert [[0, 1], [0, 2]] in [sorted(each) for each in routes]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"arcs": [(0, 1, 0)]}, "0 is not a literal"),
        ({"arcs": [(0, 1, "x")]}, "'x' is not a literal"),
        ({"arcs": [(0, 1, 1)], "skip": [0]}, "skip must map vertices to literals"),
        ({"arcs": [(0, 1, 1)], "visited": {5: 1}}, "skip or visited, 5 has no arc"),
        ({"arcs": [("a", "b", 1)], "optional": "ab"}, "must be a list of vertices"),
        ({"arcs": [(0, 1, 1)], "at_most": "3"}, "must be a whole number"),
        ({"arcs": [(0, 1)]}, "is no arc"),
        ({"arcs": [(0, 1, 1)], "root": 5}, "the root 5 has no arc"),
        ({"arcs": [(0, 1, 1)], "depot": 0, "path": (0, 1)}, "depot"),
        ({"arcs": [(0, 0, 1)], "skip": {0: 2}}, "two literals"),
        ({"arcs": [(0, 1, 1)], "encoding": "direct"}, "does not encode circuits"),
        ({"arcs": [(0, 1, 1)], "encoding": "successor+order=bfs"}, "has no effect"),
        ({"arcs": [(0, 1, 1)], "at_least": 3}, "at least 3 of 2"),
        ({"arcs": [(0, 1, 1)], "when": False}, "never holds"),
    ],
)
def test_wrong_arguments_are_named(arguments, message):
    with pytest.raises((hamcnf.Error, TypeError), match=message):
        hamcnf.circuit(**arguments)
