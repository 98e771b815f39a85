"""Clauses of an encoding, for any solver."""

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
    """Formula as PySAT objects."""

    cnf: Any
    """``pysat.formula.CNF``."""
    pool: Any
    """``pysat.formula.IDPool``: ``pool.id((tail, head))`` is the variable of an arc, ``pool.id(frozenset((u, v)))`` of an edge,
    and ``pool.id(name)`` of any other variable. For an unknown key, the pool makes a new variable, but ``Formula.arcs`` raises
    a KeyError."""
    projection: list[int] | None
    """Variables of the projection set."""


class Arcs(dict):  # type: ignore[type-arg]
    """Variable of each arc."""

    what = "arc"

    def __init__(self, variables: dict[tuple[Hashable, Hashable], int], of: str) -> None:
        super().__init__(variables)
        self._of = of

    def __missing__(self, arc: Any) -> int:
        if not self:
            raise KeyError(f"{self._of} has no {self.what} variables")
        raise KeyError(f"{arc!r} is not an {self.what} in {self._of}")


class Edges(Arcs):
    """Variable of each edge, found by its ends in either order. Iteration yields each edge once."""

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
    """Formula for the tours of a graph in an encoding. The clauses are generated on demand, and are the same each time."""

    def __init__(
        self,
        sought: Sought,
        encoding: str,
        open: bool | None,
        start: Hashable | None,
        projection: str | None,
        constraints: Mapping[str, Any] | None = None,
        end: Hashable | None = None,
    ) -> None:
        self._sought = sought
        self._constraints = constraints
        self._question = sought.question(open, start, end, constraints)
        self._clauses = _hamcnf.encode(self._question, encoding, projection)
        self._set = projection
        if projection is not None:
            # Refuse an invalid projection set now, not on first use.
            self._clauses.projection(projection)

    def __reduce__(self) -> tuple[Any, ...]:
        # Make kind and ends explicit, which the text of the graph source may have set.
        numbers = (self._clauses.start, self._clauses.end)
        start, end = (None if number is None else self._sought.vertices[number] for number in numbers)
        asked = (self._sought, self.encoding, self._clauses.kind == "open", start, self._set, self._constraints, end)
        return _again, (asked, self._question.checksum)

    @property
    def encoding(self) -> str:
        """Name of the encoding with its refinements."""
        return self._clauses.encoding

    @property
    def variables(self) -> int:
        """Number of variables. Variables are numbered from 1."""
        return self._clauses.variables

    @property
    def is_exact(self) -> bool:
        """True if every model is a tour. Otherwise ``cuts`` returns clauses that exclude a model which is not a tour."""
        return self._clauses.is_exact

    @property
    def models_per_tour(self) -> int:
        """Number of models of each tour: usually 2 for closed tours, one for each direction.

        With ``orientation=fixed``, only one of the two directions of an open tour from anywhere has a model.
        """
        return self._clauses.models_per_tour

    @property
    def clauses(self) -> list[list[int]]:
        """Clauses as new lists of literals. Equal literals are one object."""
        # The garbage collector would scan these millions of lists of numbers again and again.
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            return self._clauses.lists()
        finally:
            if was_enabled:
                gc.enable()

    def array(self) -> tuple[Any, Any]:
        """Returns two NumPy arrays: all literals, and the index where each clause begins, followed by the end of the last clause.

        Clause ``k`` is ``literals[begins[k]:begins[k + 1]]``.
        """
        import numpy

        literals, begins = self._clauses.bytes()
        return numpy.frombuffer(literals, numpy.int32), numpy.frombuffer(begins, numpy.uint64)

    @property
    def names(self) -> dict[int, str]:
        """Names of the variables: ``H(a1,c2)`` for the arc from a1 to c2, ``L(c2)`` for an open tour that ends at c2, and
        ``F(a1)`` for an open tour that begins at a1, if its start is not given.

        Vertices of a Python graph are named by their ``str``, with blanks and commas replaced, if these names are all
        different. Otherwise their positions among the vertices, from 0, are their names.
        """
        return dict(enumerate(self._clauses.names(), 1))

    @property
    def arcs(self) -> dict[tuple[Hashable, Hashable], int]:
        """Variable of each arc, by its two vertices; empty if the encoding has no arc variables. It is true in a model
        exactly if the tour goes from the first vertex to the second. Arcs that no tour uses, as those to the start of an
        open tour, have no variable.

        A pair that is not an arc raises a KeyError with the reason.
        """
        vertices = self._sought.vertices
        return Arcs(
            {(vertices[a], vertices[b]): variable for a, b, variable in self._clauses.arcs()},
            of=f"{self.encoding} of {self._question}",
        )

    @property
    def edges(self) -> dict[tuple[Hashable, Hashable], int]:
        """Variable of each undirected edge, by its two vertices in either order; empty if the encoding has no edge variables.

        A pair that is not an edge raises a KeyError with the reason.
        """
        vertices = self._sought.vertices
        return Edges(
            {(vertices[a], vertices[b]): variable for a, b, variable in self._clauses.edges()},
            of=f"{self.encoding} of {self._question}",
        )

    @property
    def projection(self) -> list[int] | None:
        """Variables of the chosen projection set; None if no set was chosen, so that models are counted on all variables."""
        return None if self._set is None else self._clauses.projection(self._set)

    def write(self, file: str | PathLike[str], *, names: bool = False) -> None:
        """Writes a DIMACS file, compressed if the name ends in .gz or .zst. An error leaves no partial file.

        A ``c p show`` line lists the projection set. With ``names``, comments name the variables.
        """
        self._clauses.write(file, self._set, names)

    def to_pysat(self) -> PySat:
        """Returns objects for PySAT: the formula, a pool with its variables, and the projection set."""
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
        """Returns the tour of a model, checked move by move. Ignores literals of other variables.

        Raises NotATour if the model is not a tour, for example if a model of a relaxed formula has several cycles.
        """
        order, cycles = self._clauses.read(_literals(model))
        if order is None:
            raise NotATour(
                f"the model has {len(cycles)} cycles instead of one, because {self.encoding} is relaxed;"
                " add the clauses of Formula.cuts"
            )
        return Tour(self._sought, self._question, order)

    def cycles(self, model: Iterable[int]) -> list[list[Hashable]]:
        """Returns the cycles of a model: one for a tour, possibly several for a relaxed formula."""
        order, cycles = self._clauses.read(_literals(model))
        vertices = self._sought.vertices
        return [[vertices[number] for number in cycle] for cycle in ([order] if order else cycles)]

    def cuts(self, model: Iterable[int]) -> list[list[int]]:
        """Returns clauses that every tour satisfies and this model violates; an empty list if the model is a tour.

        Raises NotATour if the literals are not a model.
        """
        return self._clauses.cuts(_literals(model))

    def blocking(self, tour: Iterable[Hashable]) -> list[list[int]]:
        """Returns clauses that exclude this tour, in both directions if it is closed, and no other tour."""
        numbers = self._sought.numbers
        return self._clauses.blocking([numbers[vertex] for vertex in tour])

    def __len__(self) -> int:
        """Number of clauses."""
        return self._clauses.count()

    def __repr__(self) -> str:
        return f"<{self.encoding} of {self._question}: {self.variables} variables, {len(self)} clauses>"


def _literals(model: Iterable[int] | None) -> list[int]:
    if model is None:
        raise Error("the model is None, so the solver found no model")
    return list(model)


def _again(asked: tuple[Any, ...], checksum: str) -> Formula:
    """Restores a pickled formula. Raises Error if the graph has changed, for example in its file."""
    formula = Formula(*asked)
    if formula._question.checksum != checksum:
        raise Error(f"the graph of the formula has changed: the checksum of its edges was {checksum} when the formula was made")
    return formula
