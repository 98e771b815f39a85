"""CPMpy's ``Circuit`` by the encodings of this package, for solvers that have no circuit of their own.

>>> import hamcnf.cpmpy                    # doctest: +SKIP
>>> hamcnf.cpmpy.use()          # doctest: +SKIP
>>> model.solve(solver="pindakaas")        # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .circuit import circuit

SPARING = "successor+at-most-one=sparing"


def decompose(successors: Any, encoding: str = SPARING, *, subcircuit: bool = False) -> list[Any]:
    """Returns constraints that say: x[i] = j means that j follows i, and the arcs are one circuit through all nodes.

    With ``subcircuit=True``, x[i] = i skips the node i, and the circuit may be empty. New variables are CPMpy's ``boolvar``.
    The constraints may only be required, not negated: a solution without a circuit also has values of the new variables that
    violate them.
    """
    import cpmpy as cp
    from cpmpy.expressions.utils import get_bounds

    nodes = list(successors)
    arcs = []
    for tail, successor in enumerate(nodes):
        low, high = get_bounds(successor)
        for head in range(max(low, 0), min(high, len(nodes) - 1) + 1):
            arcs.append((tail, head, successor == head))
    return [cp.any(clause) for clause in _clauses(len(nodes), arcs, encoding, subcircuit)]


def _clauses(nodes: int, arcs: Iterable[tuple[int, int, Any]], encoding: str, subcircuit: bool) -> list[list[Any]]:
    """Returns clauses of Boolean expressions, for arcs with a Boolean expression or constant each."""
    import cpmpy as cp

    listed = list(arcs)
    loops = [number for number, (tail, head, _) in enumerate(listed, 1) if tail == head and not subcircuit]
    numbered = [(tail, head, number) for number, (tail, head, _) in enumerate(listed, 1) if tail != head or subcircuit]
    made = circuit(numbered, encoding, empty=subcircuit, vertices=range(nodes), top_id=len(listed))
    literals = dict(enumerate([*(arc[2] for arc in listed), *(cp.boolvar() for _ in made.auxiliary)], 1))
    literals |= {-number: not found if isinstance(found, bool) else ~found for number, found in literals.items()}
    return [[literals[literal] for literal in clause] for clause in made.clauses + [[-number] for number in loops]]


def use(encoding: str = SPARING) -> None:
    """Replaces CPMpy's decomposition of ``Circuit`` and ``SubCircuit`` where the constraint is required. Where it is negated or
    reified, CPMpy's own decomposition stays in use.

    In the SAT solvers pindakaas and PySAT, one literal for each value of the successors replaces their comparisons. Values that
    the other constraints of the same model exclude one by one, such as ``x[0] != 4``, do not become arcs.
    """
    from cpmpy.expressions.globalconstraints import Circuit
    from cpmpy.solvers.pindakaas import CPM_pindakaas
    from cpmpy.solvers.pysat import CPM_pysat
    from cpmpy.tools.xcsp3.globals import SubCircuit

    def positive(self: Any) -> tuple[list[Any], list[Any]]:
        return decompose(self.args, encoding, subcircuit=isinstance(self, SubCircuit)), []

    for constraint in (Circuit, SubCircuit):
        constraint.decompose_positive = positive
        constraint.decompose_linear_positive = positive
    for solver in (CPM_pindakaas, CPM_pysat):
        plain = getattr(solver.transform, "plain", solver.transform)
        solver.transform = _with_literals(plain, encoding, (Circuit, SubCircuit))


def _with_literals(plain: Any, encoding: str, kinds: tuple[type, type]) -> Any:
    """Returns a solver's method ``transform`` that encodes circuits itself, after all other constraints."""
    from cpmpy.expressions.core import BoolVal, Operator
    from cpmpy.expressions.utils import is_int
    from cpmpy.expressions.variables import NegBoolView, _IntVarImpl
    from cpmpy.transformations.int2bool import IntVarEncDirect
    from cpmpy.transformations.normalize import toplevel_list

    def fits(self: Any, x: Any, nodes: int) -> bool:
        """True if x is, or may be, encoded by one literal for each value."""
        if type(x) is not _IntVarImpl or x.lb < 0 or x.ub >= nodes:
            return False
        return isinstance(self.ivarmap[x.name], IntVarEncDirect) if x.name in self.ivarmap else self.encoding in ("auto", "direct")

    def transform(self: Any, constraints: Any) -> list[Any]:
        listed = toplevel_list(constraints)
        circuits = [one for one in listed if isinstance(one, kinds) and all(fits(self, x, len(one.args)) for x in one.args)]
        own = {id(one) for one in circuits}
        successors = {id(x): x for one in circuits for x in one.args}
        done, others = [], []
        for x in successors.values():
            if x.name not in self.ivarmap:
                self.ivarmap[x.name] = IntVarEncDirect(x, csemap=self._csemap)
                others += self.ivarmap[x.name].encode_domain_constraint()
        for one in (one for one in listed if id(one) not in own):
            if one.name == "!=" and id(one.args[0]) in successors and is_int(one.args[1]):
                done.append(~self.ivarmap[one.args[0].name].eq(one.args[1]))  # CPMpy makes a clause for each other value
            else:
                others.append(one)
        done += plain(self, others)
        false = {literal._bv.name for literal in done if isinstance(literal, NegBoolView)}
        for one in circuits:
            codes = [(tail, x, self.ivarmap[x.name]) for tail, x in enumerate(one.args)]
            arcs = [(tail, head, code.eq(head)) for tail, x, code in codes for head in range(x.lb, x.ub + 1)]
            arcs = [arc for arc in arcs if arc[2].name not in false]
            for clause in _clauses(len(one.args), arcs, encoding, isinstance(one, kinds[1])):
                done.append(Operator("or", clause) if len(clause) > 1 else [*clause, BoolVal(False)][0])
        return done

    transform.plain = plain  # type: ignore[attr-defined]
    return transform
