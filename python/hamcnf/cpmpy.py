"""CPMpy's ``Circuit`` by the encodings of this package, for solvers that have no circuit of their own.

>>> import hamcnf.cpmpy                    # doctest: +SKIP
>>> hamcnf.cpmpy.use()          # doctest: +SKIP
>>> model.solve(solver="pindakaas")        # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

from .circuit import circuit


def decompose(successors: Any, encoding: str = "successor+at-most-one=sparing", *, subcircuit: bool = False) -> list[Any]:
    """Returns constraints that say: x[i] = j means that j follows i, and the arcs are one circuit through all nodes.

    With ``subcircuit=True``, x[i] = i skips the node i, and the circuit may be empty. New variables are CPMpy's ``boolvar``.
    The constraints may only be required, not negated: a solution without a circuit also has values of the new variables that
    violate them.
    """
    import cpmpy as cp
    from cpmpy.expressions.utils import get_bounds

    nodes = list(successors)
    literals: list[Any] = []
    arcs, loops = [], []
    for tail, successor in enumerate(nodes):
        low, high = get_bounds(successor)
        for head in range(max(low, 0), min(high, len(nodes) - 1) + 1):
            literals.append(successor == head)
            (loops if head == tail and not subcircuit else arcs).append((tail, head, len(literals)))
    made = circuit(arcs, encoding, empty=subcircuit, vertices=range(len(nodes)), top_id=len(literals))
    literals += [cp.boolvar() for _ in made.auxiliary]

    def expression(literal: int) -> Any:
        found = literals[abs(literal) - 1]
        if isinstance(found, bool):
            return found == (literal > 0)
        return found if literal > 0 else ~found

    clauses = made.clauses + [[-literal] for *_, literal in loops]
    return [cp.any([expression(literal) for literal in clause]) for clause in clauses]


def use(encoding: str = "successor+at-most-one=sparing") -> None:
    """Replaces CPMpy's decomposition of ``Circuit`` where the constraint is required. Where it is negated or reified, CPMpy's
    own decomposition stays in use."""
    from cpmpy.expressions.globalconstraints import Circuit

    def positive(self: Any) -> tuple[list[Any], list[Any]]:
        return decompose(self.args, encoding), []

    Circuit.decompose_positive = positive
    Circuit.decompose_linear_positive = positive
