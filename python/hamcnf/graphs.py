"""Graphs to search: boards, Python graphs, and graph sources of the library, given as texts.

Every graph becomes an ordered list of vertices, and edges as pairs of their numbers. Callers see their own vertices.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import index
from os import PathLike, fspath
from typing import Any

from . import _hamcnf
from .constraints import listed
from .errors import Error

MOST = 2**32 - 1
"""Greatest number of small arguments."""


def whole(name: str, number: Any, least: int, most: int) -> int:
    """Returns a Python or NumPy integer as an int. ``name`` is its name in the error message."""
    try:
        is_one = least <= index(number) <= most
    except TypeError:
        is_one = False
    if not is_one:
        raise Error(f"{name}= must be a whole number from {least} to {most}, not {number!r}")
    return index(number)


@dataclass(frozen=True)
class Board:
    """Board for a piece, which is the knight by default. ``holes`` are missing squares.

    ``piece`` is a name or the lengths of the jumps, such as ``"king"``, ``"2,3"`` or ``"1,2+1,4"``. A piece with a single jump
    can also be given as a pair, ``leaper=(2, 3)``.

    Squares are named by column and row, beginning with ``"a1"``, as on the command line. ``str(board)`` is the board as text
    for the command line.
    """

    rows: int
    columns: int
    leaper: tuple[int, int] | None = field(repr=False)
    holes: tuple[str, ...]
    piece: str
    _place: Any = field(init=False, repr=False, compare=False)

    def __init__(
        self,
        rows: int,
        columns: int,
        leaper: Sequence[int] | None = None,
        holes: Iterable[str] = (),
        piece: str | None = None,
    ) -> None:
        if leaper is not None:
            if piece is not None:
                raise Error("pass leaper= or piece=, not both")
            try:
                a, b = leaper
            except (TypeError, ValueError):
                raise Error(f"leaper= must be a pair such as (1, 2) for the knight, not {leaper!r}") from None
            a, b = whole("leaper", a, 0, MOST), whole("leaper", b, 0, MOST)
            piece = f"{a},{b}"
        holes = tuple(str(hole) for hole in holes)
        rows, columns = whole("rows", rows, 0, MOST), whole("columns", columns, 0, MOST)
        place = _hamcnf.Place.board(rows, columns, "knight" if piece is None else str(piece), list(holes))
        piece, leaper = place.piece()
        said = {"rows": rows, "columns": columns, "leaper": leaper, "holes": holes, "piece": piece, "_place": place}
        for name, value in said.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return Board, (self.rows, self.columns, None, self.holes, self.piece)

    @property
    def squares(self) -> list[str]:
        """Names of the squares, row by row, without the holes."""
        return self._place.vertices()

    def __str__(self) -> str:
        return str(self._place)


@dataclass(frozen=True)
class Sought:
    """Graph source with its vertices in order."""

    place: Any
    vertices: Sequence[Hashable]
    given: tuple[str, bytes, bool] | None = None
    """Name and edges of a graph of Python; True if the edges are arcs."""

    def __reduce__(self) -> tuple[Any, ...]:
        if self.given is None:
            return sought, (str(self.at),)
        name, flat, directed = self.given
        return _from_bytes, (list(self.vertices), flat, name, directed)

    @property
    def numbers(self) -> dict[Hashable, int]:
        """Number of each vertex."""
        return {vertex: number for number, vertex in enumerate(self.vertices)}

    def named(self, vertex: Hashable) -> str:
        """Returns the library's name of a vertex of the caller."""
        if isinstance(self.place, _Named):
            return str(vertex)
        try:
            return self.place.name(self.numbers[vertex])
        except (KeyError, TypeError):
            raise Error(f"{vertex!r} is not a vertex of the graph") from None

    def question(self, open: bool | None, start: Any, end: Any, constraints: Mapping[str, Any] | None = None) -> Any:
        """Returns a question about the graph."""
        if not (open is None or isinstance(open, bool) or type(open).__name__ == "bool"):
            raise Error(f"open= must be True, False or None, not {open!r}")
        if open is False and end is not None:
            raise Error("closed tours return to their start; pass end= only for open tours")
        named = [None if vertex is None else self.named(vertex) for vertex in (start, end)]
        directed = self.given is not None and self.given[2]
        return _hamcnf.Question(self.at, open, *named, listed(constraints or {}, self.named, directed))

    @property
    def at(self) -> Any:
        """Graph source of the library."""
        return self.place.place if isinstance(self.place, _Named) else self.place


@dataclass(frozen=True)
class _Named:
    """Graph source whose vertices the library names."""

    place: Any


def sought(graph: Any) -> Sought:
    """Converts a board, a text, a networkx graph, a NumPy array of edges or an iterable of edges to a graph source.

    The edges of a networkx.DiGraph are arcs, and tours use them in their direction only. Other edges have no direction. An
    edge that is listed twice is one edge.
    """
    if isinstance(graph, Sought):
        return graph
    if isinstance(graph, (Board, str)):
        place = graph._place if isinstance(graph, Board) else _hamcnf.Place.named(graph)
        return Sought(_Named(place), place.vertices())
    if hasattr(graph, "is_directed") and hasattr(graph, "nodes"):
        return _of_networkx(graph)
    if hasattr(graph, "dtype") and hasattr(graph, "shape"):
        return _of_array(graph)
    return _of_edges(graph)


def graphs(file: str | PathLike[str]) -> Iterator[Sought]:
    """Iterates over the graphs of a file with a graph per line (graph6, sparse6, digraph6), which may be compressed.

    Each graph can be passed to the functions of this package. A line that is not a graph raises Error, which names the line.
    """
    for place in _hamcnf.Place.several(fspath(file)):
        yield Sought(_Named(place), place.vertices())


def _of_networkx(graph: Any) -> Sought:
    if graph.is_multigraph():
        raise Error("the graph is a multigraph; pass networkx.Graph(graph) or networkx.DiGraph(graph), which has each edge once")
    name = graph.name if isinstance(graph.name, str) else ""
    return _given(list(graph.nodes), graph.edges, name, directed=graph.is_directed())


def _of_array(edges: Any) -> Sought:
    import numpy

    if edges.ndim != 2 or edges.shape[1] != 2:
        otherwise = ""
        if edges.ndim == 2 and edges.shape[0] == edges.shape[1]:
            otherwise = "; for an adjacency matrix, pass networkx.from_numpy_array(matrix)"
        elif edges.ndim == 2 and edges.shape[1] == 3:
            otherwise = "; to leave out weights, pass edges[:, :2]"
        raise Error(
            "an array of edges must have a row of two vertices for each edge,"
            f" but this array has shape {edges.shape}{otherwise}"
        )
    if not numpy.issubdtype(edges.dtype, numpy.integer):
        raise Error(f"an array of edges must have an integer dtype, not {edges.dtype}")
    loops = edges[edges[:, 0] == edges[:, 1]]
    if len(loops):
        raise _loop(loops[0][0].item())
    vertices, numbers = numpy.unique(edges, return_inverse=True)
    flat = numpy.ascontiguousarray(numbers.reshape(-1), dtype=numpy.uint32)
    return _from_bytes(vertices.tolist(), flat.tobytes(), "")


class _Data(Exception):
    """An edge has more than two items."""


def _of_edges(edges: Any) -> Sought:
    numbers: dict[Hashable, int] = {}
    listed = []
    if isinstance(edges, Mapping):
        raise Error(
            "a dict is not a list of edges; for a dict of neighbours pass networkx.Graph(dict), for a dict of edges list(dict)"
        )
    try:
        for edge in edges:
            if isinstance(edge, str):
                raise TypeError
            if isinstance(edge, Sequence) and len(edge) == 3:
                raise _Data(f"an edge must be a pair of vertices, but {edge!r} has three items; remove weights and data")
            tail, head = edge
            numbers.setdefault(tail, len(numbers))
            numbers.setdefault(head, len(numbers))
            listed.append((tail, head))
    except _Data as error:
        raise Error(*error.args) from None
    except (TypeError, ValueError):
        raise Error(
            "not a graph; pass a Board, a text, a networkx.Graph, an array of edges or an iterable of pairs of vertices"
        ) from None
    return _given(list(numbers), listed, "")


def _given(vertices: list[Hashable], edges: Iterable[tuple[Hashable, Hashable]], name: str, directed: bool = False) -> Sought:
    numbers = {vertex: number for number, vertex in enumerate(vertices)}
    flat = array("I", (numbers[vertex] for vertex in chain.from_iterable(edges)))
    if any(map(int.__eq__, flat[::2], flat[1::2])):
        raise _loop(next(vertices[a] for a, b in zip(flat[::2], flat[1::2]) if a == b))
    return _from_bytes(vertices, flat.tobytes(), name, directed)


def _loop(vertex: Hashable) -> Error:
    return Error(f"edge {vertex!r}-{vertex!r} is a self-loop; remove it")


def _from_bytes(vertices: list[Hashable], flat: bytes, name: str, directed: bool = False) -> Sought:
    # The library uses the caller's names of vertices in messages if they are words.
    numbered = all(vertex is number or vertex == number for number, vertex in enumerate(vertices))
    words = None if numbered else [str(vertex) for vertex in vertices]
    place = _hamcnf.Place.given(name or f"graph of {len(vertices)} vertices", len(vertices), flat, words, directed)
    return Sought(place, vertices, (name, flat, directed))
