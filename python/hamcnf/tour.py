"""Tours: the vertices in the order of their visits."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

from . import _hamcnf
from .errors import Error
from .features import optional
from .graphs import Sought


class Tour(tuple):  # type: ignore[type-arg]
    """Hamiltonian cycle or path, as a tuple of the graph's own vertices that begins with the start.

    A tour equals a list or tuple of the same vertices. A notebook shows the tour as a picture.
    """

    _sought: Sought
    _question: Any
    _order: list[int]

    def __new__(cls, sought: Sought, question: Any, order: list[int]) -> Tour:
        tour = super().__new__(cls, (sought.vertices[number] for number in order))
        tour._sought, tour._question, tour._order = sought, question, order
        return tour

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._sought, self.kind == "open", self._order)

    @property
    def kind(self) -> str:
        """Kind of the tour: ``"closed"`` or ``"open"``."""
        return self._question.kind

    @property
    def is_closed(self) -> bool:
        """True if the tour returns to its start."""
        return self.kind == "closed"

    def moves(self) -> list[tuple[Hashable, Hashable]]:
        """Returns the edges in order. The last edge of a closed tour leads back to the start."""
        to = tuple(self)[1:] + (tuple(self)[:1] if self.is_closed else ())
        return list(zip(self, to))

    def check(self) -> Tour:
        """Checks the tour again, move by move, and returns the tour. Raises NotATour if a move is wrong."""
        _hamcnf.check(self._question, self._order)
        return self

    def svg(self, *, numbers: bool = False, animate: bool = False) -> str:
        """Returns a picture as an SVG document. ``numbers`` numbers the vertices; ``animate`` draws the tour move by move."""
        return optional("svg")(self._question, self._order, numbers, animate)

    def save(self, file: str | Path, *, numbers: bool = False, animate: bool = False) -> None:
        """Writes the picture as SVG. For ``.png`` and other formats, use the program ``hamcnf solve --render``."""
        if Path(file).suffix.lower() != ".svg":
            raise Error(f'"{file}" must end in .svg, because the picture is written as SVG')
        Path(file).write_text(self.svg(numbers=numbers, animate=animate), encoding="utf-8")

    def _repr_svg_(self) -> str | None:
        return self.svg() if hasattr(_hamcnf, "svg") else None

    def __getitem__(self, index: Any) -> Any:
        # A slice is no tour, and compares as a list.
        found = super().__getitem__(index)
        return list(found) if isinstance(index, slice) else found

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Tour):
            return self.kind == other.kind and tuple(self) == tuple(other)
        if isinstance(other, (list, tuple)):
            return tuple(self) == tuple(other)
        return NotImplemented

    def __ne__(self, other: object) -> bool:
        equal = self == other
        return equal if equal is NotImplemented else not equal

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{self.kind} tour of {self._sought.at}: {' '.join(map(str, self))}>"


def _again(sought: Sought, open: bool, order: list[int]) -> Tour:
    """Restores a pickled tour, and checks it, since the graph's file may have changed."""
    return Tour(sought, sought.question(open, sought.vertices[order[0]], None), order).check()
