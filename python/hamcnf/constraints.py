"""Constraints on tours as keyword arguments: ``force``, ``forbid``, ``at``, ``before``, ``turns``,
``max_turn`` and ``symmetry``."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, TypedDict

from .errors import Error


class Constraints(TypedDict, total=False):
    """Keyword arguments for constraints on tours, accepted by the functions that answer questions.

    ``at``, ``before`` and arcs distinguish the two directions of a closed tour, which then count as two tours.
    """

    force: Iterable[tuple[Hashable, Hashable]]
    """Moves that tours make: edges in either direction or, in a digraph, arcs."""
    forbid: Iterable[tuple[Hashable, Hashable]]
    """Moves that tours do not make."""
    at: Mapping[Hashable, int | tuple[int, int]]
    """Index in the tour of some vertices, from 0, the index of the start; or the least and the greatest index."""
    before: Iterable[tuple[Hashable, Hashable]]
    """Pairs of vertices of which the first comes before the second."""
    turns: str | Iterable[str]
    """Angles of turns on a board, as on the command line: ``"0..90"`` or ``"0..89=..4"``."""
    max_turn: float
    """Greatest angle of a turn on a board, in degrees."""
    symmetry: str | int | Iterable[str]
    """Symmetry of the tour of a board, as on the command line: ``180``, ``90``, ``"reflection"``, ``"left-right"``."""


def listed(constraints: Mapping[str, Any], named: Callable[[Hashable], str], directed: bool) -> list[tuple[str, str]]:
    """Returns the name and the value of each constraint, as on the command line."""
    return [said for name, given in constraints.items() for said in _listed(name, given, named, directed)]


def _listed(name: str, given: Any, named: Callable[[Hashable], str], directed: bool) -> Iterator[tuple[str, str]]:
    if given is None:
        return
    if name in ("force", "forbid", "before"):
        between = "," if name == "before" else "->" if directed else "-"
        for pair in given:
            if isinstance(pair, str) or len(pair) != 2:
                raise Error(f"{name}= must be pairs of vertices, not {pair!r}")
            yield name, between.join(map(named, pair))
    elif name == "at":
        if not isinstance(given, Mapping):
            raise Error(f"at= must be a dict of vertices and their indices in the tour, not {given!r}")
        for vertex, index in given.items():
            low, high = index if isinstance(index, tuple) else (index, index)
            yield name, f"{named(vertex)}={low + 1}..{high + 1}"
    elif name in ("turns", "symmetry") and not isinstance(given, int):
        yield from ((name, value) for value in ([given] if isinstance(given, str) else given))
    else:
        yield name.replace("_", "-"), str(given)
