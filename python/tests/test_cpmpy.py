"""CPMpy's Circuit by our encodings, in a SAT solver without a circuit of its own."""

from itertools import product

import hamcnf.cpmpy
import pytest

cp = pytest.importorskip("cpmpy")
pytest.importorskip("pindakaas")


def solutions(model, x):
    """All values of x in solutions of the model."""
    found = set()
    while model.solve(solver="pindakaas"):
        values = tuple(int(value) for value in x.value())
        assert values not in found
        found.add(values)
        model += cp.any([x[k] != value for k, value in enumerate(values)])
    return found


@pytest.fixture
def restored(monkeypatch):
    """Removes what ``use`` has replaced."""
    from cpmpy.expressions.globalconstraints import Circuit
    from cpmpy.solvers.pindakaas import CPM_pindakaas
    from cpmpy.solvers.pysat import CPM_pysat
    from cpmpy.tools.xcsp3.globals import SubCircuit

    for constraint in (Circuit, SubCircuit):
        for name in ("decompose_positive", "decompose_linear_positive"):
            monkeypatch.setattr(constraint, name, getattr(constraint, name, None), raising=False)
    for solver in (CPM_pindakaas, CPM_pysat):
        monkeypatch.setattr(solver, "transform", solver.transform)
    return SubCircuit


def circuits(n, *, subcircuit=False):
    """All successors of circuits."""
    for values in product(range(n), repeat=n):
        moved = [node for node in range(n) if values[node] != node]
        order = moved[:1]
        while order and values[order[-1]] != order[0] and len(order) <= n:
            order.append(values[order[-1]])
        if sorted(order) == (moved if subcircuit else list(range(n))):
            yield values


@pytest.mark.parametrize("encoding", ["successor+at-most-one=sparing", "precedence"])
def test_the_circuits_are_all_found_and_nothing_else(encoding, restored):
    hamcnf.cpmpy.use(encoding)
    x = cp.intvar(0, 4, shape=5)
    assert len(solutions(cp.Model(cp.Circuit(x), x[0] != 4), x)) == 18
    assert solutions(cp.Model(cp.Circuit(x), x[0] != 4), x) == {values for values in circuits(5) if values[0] != 4}


def test_successors_have_other_constraints_too(restored):
    hamcnf.cpmpy.use()
    hamcnf.cpmpy.use()
    x = cp.intvar(0, 4, shape=5)
    holds = cp.boolvar()
    model = cp.Model(x[1] < x[3], cp.Circuit(x), x[0] != 4, x[2] != 7, holds == (x[4] == 1), cp.sum(x[:3]) >= 4)
    model += holds.implies(x[0] != 2)
    expected = {v for v in circuits(5) if v[1] < v[3] and v[0] != 4 and sum(v[:3]) >= 4 and not (v[4] == 1 and v[0] == 2)}
    assert expected and solutions(model, x) == expected
    assert solutions(cp.Model(cp.Circuit(x), cp.Circuit([x[k] for k in (0, 1, 2, 3, 4)]), x[3] == 1), x) == {
        values for values in circuits(5) if values[3] == 1
    }
    assert solutions(cp.Model(cp.Circuit(x), x[0] != 1, x[0] != 2, x[0] != 3, x[0] != 4), x) == set()


def test_constraints_may_come_one_by_one(restored):
    hamcnf.cpmpy.use()
    x = cp.intvar(0, 4, shape=5)
    solver = cp.SolverLookup.get("pindakaas")
    for constraint in (x[0] + x[1] <= 5, x[2] != 0, cp.Circuit(x), x[3] != 2, cp.Circuit(x)):
        solver += constraint
    assert solver.solve()
    values = tuple(int(value) for value in x.value())
    assert values in set(circuits(5)) and values[0] + values[1] <= 5 and values[2] != 0 and values[3] != 2


def test_a_subcircuit_of_the_tools_has_bounds(restored):
    hamcnf.cpmpy.use()
    x = cp.intvar(0, 3, shape=4)
    model = cp.Model(restored(x), cp.sum([x[k] != k for k in range(4)]) >= 3, x[0] != 3)
    expected = {values for values in circuits(4, subcircuit=True) if sum(values[k] != k for k in range(4)) >= 3 and values[0] != 3}
    assert solutions(model, x) == expected


def test_pysat_has_the_same_circuits(restored):
    pytest.importorskip("pysat")
    hamcnf.cpmpy.use()
    x = cp.intvar(0, 4, shape=5)
    model = cp.Model(cp.Circuit(x), x[0] != 4, x[1] == 4)
    assert model.solve(solver="pysat")
    assert tuple(int(value) for value in x.value()) in set(circuits(5))


def test_a_subcircuit_may_skip_nodes():
    x = cp.intvar(-1, 3, shape=4)
    found = solutions(cp.Model(hamcnf.cpmpy.decompose(x, subcircuit=True)), x)
    assert len(found) == 21 and (0, 1, 2, 3) in found


def test_a_node_without_an_arc_has_no_circuit():
    model = cp.Model(hamcnf.cpmpy.decompose([1, 0, cp.intvar(3, 5)]))
    assert not model.solve(solver="pindakaas")


def test_successors_may_be_constants():
    x = cp.intvar(0, 3, shape=2)
    model = cp.Model(hamcnf.cpmpy.decompose([1, x[0], 3, x[1]]))
    assert solutions(model, x) == {(2, 0)}
