"""The clauses of an encoding, for whatever solves them."""

from __future__ import annotations

import gc
from collections.abc import Hashable, Iterable
from os import PathLike
from typing import Any, NamedTuple

from . import _hamcnf
from .errors import Error, NotATour
from .graphs import Sought
from .tour import Tour


class PySat(NamedTuple):
    """A formula as PySAT has it."""

    cnf: Any
    """``pysat.formula.CNF``."""
    pool: Any
    """``pysat.formula.IDPool``: an arc's variable is ``pool.id((tail, head))``, an edge's ``pool.id(frozenset((u, v)))``, another's
    ``pool.id(name)``. Of what it does not know it makes a new variable, as pools do: ``Formula.arcs`` says that there is none."""
    projection: list[int] | None
    """The variables of the projection set."""


class Arcs(dict):  # type: ignore[type-arg]
    """The variable of each arc."""

    what = "arc"

    def __init__(self, variables: dict[tuple[Hashable, Hashable], int], of: str) -> None:
        super().__init__(variables)
        self._of = of

    def __missing__(self, arc: Any) -> int:
        if not self:
            raise KeyError(f"there are no variables of {self.what}s in {self._of}")
        raise KeyError(f"{arc!r} is no {self.what} in {self._of}")


class Edges(Arcs):
    """The variable of each edge, whichever of its ends is said first. Each is there once, as it is listed."""

    what = "edge"

    def _listed(self, edge: Any) -> Any:
        if isinstance(edge, tuple) and not dict.__contains__(self, edge):
            return edge[::-1]
        return edge

    def __missing__(self, edge: Any) -> int:
        listed = self._listed(edge)
        return dict.__getitem__(self, listed) if dict.__contains__(self, listed) else super().__missing__(edge)

    def __contains__(self, edge: Any) -> bool:
        return dict.__contains__(self, self._listed(edge))

    def get(self, edge: Any, default: Any = None) -> Any:
        return dict.get(self, self._listed(edge), default)


class Formula:
    """A graph's tours under an encoding. Its clauses are made when they are asked for, the same ones each time."""

    def __init__(
        self, sought: Sought, encoding: str, open: bool | None, start: Hashable | None, projection: str | None
    ) -> None:
        self._sought = sought
        self._question = sought.question(open, start, None)
        self._clauses = _hamcnf.encode(self._question, encoding)
        self._set = projection
        if projection is not None:
            # Refused now, and not when it is asked for.
            self._clauses.projection(projection)

    def __reduce__(self) -> tuple[Any, ...]:
        # What the text of a place said of the kind and the start is said here.
        start = self._sought.vertices[self._clauses.start]
        asked = (self._sought, self.encoding, self._clauses.kind == "open", start, self._set)
        return _again, (asked, self._question.checksum)

    @property
    def encoding(self) -> str:
        """The encoding in one word."""
        return self._clauses.encoding

    @property
    def variables(self) -> int:
        """How many variables there are: 1 to that."""
        return self._clauses.variables

    @property
    def is_exact(self) -> bool:
        """Whether every model is a tour. If not, ``cuts`` has clauses to add."""
        return self._clauses.is_exact

    @property
    def models_per_tour(self) -> int:
        """How many models each tour has: of closed ones commonly 2, one for each direction."""
        return self._clauses.models_per_tour

    @property
    def clauses(self) -> list[list[int]]:
        """The clauses as lists of literals, made anew each time. Numbers of one literal are one object."""
        # Millions of lists that hold nothing but numbers: the collector would look through them again and again.
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            return self._clauses.lists()
        finally:
            if was_enabled:
                gc.enable()

    def array(self) -> tuple[Any, Any]:
        """The clauses as two NumPy arrays: all literals, and where each clause begins, with the end of the last.

        Clause ``k`` is ``literals[begins[k]:begins[k + 1]]``.
        """
        import numpy

        literals, begins = self._clauses.bytes()
        return numpy.frombuffer(literals, numpy.int32), numpy.frombuffer(begins, numpy.uint64)

    @property
    def names(self) -> dict[int, str]:
        """What each variable is called: ``H(a1,c2)`` for the arc from a1 to c2.

        Vertices of a graph from Python are called by ``str`` of them, blanks and commas in it replaced, if these are different
        words; else by their place among its vertices, from 0.
        """
        return dict(enumerate(self._clauses.names(), 1))

    @property
    def arcs(self) -> dict[tuple[Hashable, Hashable], int]:
        """The variable of each arc, by its two vertices; empty where the encoding has none.

        What is no arc, and any where the encoding has no variables of arcs, is a KeyError that says so.
        """
        vertices = self._sought.vertices
        return Arcs(
            {(vertices[a], vertices[b]): variable for a, b, variable in self._clauses.arcs()},
            of=f"{self.encoding} of {self._question}",
        )

    @property
    def edges(self) -> dict[tuple[Hashable, Hashable], int]:
        """The variable of each edge in either direction, by its two vertices; empty where the encoding has none.

        Either vertex may be the first. What is no edge is a KeyError, as for ``arcs``.
        """
        vertices = self._sought.vertices
        return Edges(
            {(vertices[a], vertices[b]): variable for a, b, variable in self._clauses.edges()},
            of=f"{self.encoding} of {self._question}",
        )

    @property
    def projection(self) -> list[int] | None:
        """The variables of the projection set that was asked for; without one, all are counted on."""
        return None if self._set is None else self._clauses.projection(self._set)

    def write(self, file: str | PathLike[str], *, names: bool = False) -> None:
        """Writes a DIMACS file, whole or not at all; compressed if its name ends in .gz or .zst.

        A projection set is in a ``c p show`` line, and with ``names`` comments say what the variables are called.
        """
        self._clauses.write(file, self._set, names)

    def to_pysat(self) -> PySat:
        """The same for PySAT: the formula, a pool that knows its variables, and the projection set."""
        from pysat.formula import CNF, IDPool
        from pysat.formula import Formula as AnyFormula

        # What CNF(from_clauses=...) does, without a copy of each clause and a look at each literal.
        cnf = CNF()
        cnf.clauses, cnf.nv = self.clauses, self.variables
        AnyFormula.export_vpool().occupy(1, cnf.nv)
        called: dict[int, Any] = dict(self.names)
        called.update({variable: arc for arc, variable in self.arcs.items() if variable > 0})
        called.update({variable: frozenset(edge) for edge, variable in self.edges.items()})
        pool = IDPool()
        for variable in range(1, cnf.nv + 1):
            pool.id(called[variable])
        return PySat(cnf, pool, self.projection)

    def tour(self, model: Iterable[int]) -> Tour:
        """The tour of a model, checked move by move. Literals of other variables do not matter.

        Raises NotATour, for models of a relaxed formula that are several cycles too.
        """
        order, cycles = self._clauses.read(_literals(model))
        if order is None:
            raise NotATour(f"the model is {len(cycles)} cycles, as {self.encoding} is relaxed: see Formula.cuts")
        return Tour(self._sought, self._question, order)

    def cycles(self, model: Iterable[int]) -> list[list[Hashable]]:
        """The cycles of a model: one for a tour, and of a relaxed formula perhaps several."""
        order, cycles = self._clauses.read(_literals(model))
        vertices = self._sought.vertices
        return [[vertices[number] for number in cycle] for cycle in ([order] if order else cycles)]

    def cuts(self, model: Iterable[int]) -> list[list[int]]:
        """Clauses that every tour satisfies and this model does not; none if it is a tour. Raises NotATour for what is no model."""
        return self._clauses.cuts(_literals(model))

    def blocking(self, tour: Iterable[Hashable]) -> list[list[int]]:
        """Clauses that exclude this tour, in both directions if it is closed, and no other."""
        numbers = self._sought.numbers
        return self._clauses.blocking([numbers[vertex] for vertex in tour])

    def __len__(self) -> int:
        """How many clauses there are."""
        return self._clauses.count()

    def __repr__(self) -> str:
        return f"<{self.encoding} of {self._question}: {self.variables} variables, {len(self)} clauses>"


def _literals(model: Iterable[int] | None) -> list[int]:
    if model is None:
        raise Error("there is no model: a solver that says None has found that there is none")
    return list(model)


def _again(asked: tuple[Any, ...], checksum: str) -> Formula:
    """A formula that was pickled: of the same graph, as a file may have another one by now."""
    formula = Formula(*asked)
    if formula._question.checksum != checksum:
        raise Error(f"the graph is another one than that of the formula: its checksum was {checksum}")
    return formula
