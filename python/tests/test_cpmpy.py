"""CPMpy's Circuit by our encodings, in a SAT solver without a circuit of its own."""

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


@pytest.mark.parametrize("encoding", ["successor+at-most-one=sparing", "precedence"])
def test_the_circuits_are_all_found_and_nothing_else(encoding, monkeypatch):
    from cpmpy.expressions.globalconstraints import Circuit

    for name in ("decompose_positive", "decompose_linear_positive"):
        monkeypatch.setattr(Circuit, name, getattr(Circuit, name))
    hamcnf.cpmpy.use(encoding)
    x = cp.intvar(0, 4, shape=5)
    found = solutions(cp.Model(cp.Circuit(x), x[0] != 4), x)
    assert len(found) == 18
    for values in found:
        order = [0]
        while values[order[-1]] != 0:
            order.append(values[order[-1]])
        assert len(order) == 5


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
