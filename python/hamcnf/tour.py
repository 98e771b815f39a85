"""A tour: the vertices in the order of their visits."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import Any

from . import _hamcnf
from .errors import Error
from .graphs import Sought


class Tour(Sequence):
    """A Hamiltonian cycle or path as a sequence of the graph's own vertices, the start first.

    It equals a list or tuple of the same vertices. In a notebook it shows itself as a picture.
    """

    def __init__(self, sought: Sought, question: Any, order: list[int]) -> None:
        self._sought, self._question, self._order = sought, question, order
        self._vertices = [sought.vertices[number] for number in order]

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._sought, self.kind == "open", self._order)

    @property
    def kind(self) -> str:
        """``"closed"`` or ``"open"``."""
        return self._question.kind

    @property
    def is_closed(self) -> bool:
        """Whether it returns to its start."""
        return self.kind == "closed"

    def moves(self) -> list[tuple[Hashable, Hashable]]:
        """Its edges in their order; of a closed one the last is that back to the start."""
        to = self._vertices[1:] + (self._vertices[:1] if self.is_closed else [])
        return list(zip(self._vertices, to))

    def check(self) -> Tour:
        """Goes along it move by move once more. Raises NotATour, which no tour that was found does."""
        _hamcnf.check(self._question, self._order)
        return self

    def svg(self, *, numbers: bool = False, animate: bool = False) -> str:
        """A picture as an SVG document; ``numbers`` on every vertex, or drawn move by move."""
        return _hamcnf.svg(self._question, self._order, numbers, animate)

    def save(self, file: str | Path, *, numbers: bool = False, animate: bool = False) -> None:
        """Writes the picture as SVG: the program draws ``.png`` and others, ``hamcnf solve --render``."""
        if Path(file).suffix.lower() != ".svg":
            raise Error(f"{file}: its name has to end in .svg, as that is what is written")
        Path(file).write_text(self.svg(numbers=numbers, animate=animate), encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg()

    def __getitem__(self, index: Any) -> Any:
        return self._vertices[index]

    def __len__(self) -> int:
        return len(self._vertices)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._vertices)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Tour):
            return self.kind == other.kind and self._vertices == other._vertices
        if isinstance(other, (list, tuple)):
            return self._vertices == list(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self._vertices))

    def __repr__(self) -> str:
        return f"<{self.kind} tour of {self._sought.at}: {' '.join(map(str, self._vertices))}>"


def _again(sought: Sought, open: bool, order: list[int]) -> Tour:
    """A tour that was pickled. Checked, as a graph's file may be another one by now."""
    return Tour(sought, sought.question(open, sought.vertices[order[0]], None), order).check()
