"""The circuit constraint, over the literals of your own model."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from . import _hamcnf
from .errors import Error, NotATour


def circuit(
    arcs: Mapping[tuple[Hashable, Hashable], Any] | Iterable[tuple[Hashable, Hashable, Any]],
    encoding: str = "successor+at-most-one=sparing",
    *,
    directed: bool = True,
    optional: bool | Iterable[Hashable] = False,
    skip: Mapping[Hashable, Any] | None = None,
    visited: Mapping[Hashable, Any] | None = None,
    empty: bool = False,
    path: tuple[Hashable | None, Hashable | None] | None = None,
    depot: Hashable | None = None,
    root: Hashable | None = None,
    vertices: Iterable[Hashable] | None = None,
    when: int | None = None,
    at_least: int | None = None,
    at_most: int | None = None,
    vpool: Any = None,
    top_id: int | None = None,
) -> Circuit:
    """Returns clauses that say: the arcs whose literals are true form one circuit.

    >>> import hamcnf
    >>> loop = hamcnf.circuit({("a", "b"): 1, ("b", "c"): 2, ("c", "a"): 3, ("b", "a"): 4}, optional=["c"])
    >>> loop.cycle([-1, 2, 3, -4])
    Traceback (most recent call last):
    hamcnf.errors.NotATour: vertex a has 0 arcs instead of 1
    >>> loop.cycle([1, -2, -3, 4])
    ['a', 'b']

    ``arcs`` maps pairs of vertices to literals, or lists triples of two vertices and a literal. Vertices are any hashable
    objects. A literal is a nonzero number, or True or False. It may stand on several arcs, and several arcs may join the same
    vertices. With ``directed=False``, the pairs are undirected edges; a circuit of edges has at least three vertices.

    Every vertex must be visited exactly once, except:

    - vertices in ``optional`` (True for all) may be skipped; such a vertex is skipped exactly if no arc of it is true;
    - a vertex in ``skip`` is skipped exactly if its literal is true, one in ``visited`` exactly if its literal is false;
      an arc from a vertex to itself is its literal for "skipped", as in OR-tools.

    If all vertices are optional, the circuit may be empty only with ``empty=True``. ``path=(s, t)`` asks for a path from s to
    t instead, where None leaves an end free. ``depot=v`` asks for one or more circuits that have exactly v in common.
    ``root`` is a vertex that the circuit visits unless it is empty. The vertices are those of the arcs; ``vertices`` names all
    of them, in case one has no arc. With ``when``, the constraint holds only if this literal
    is true. ``at_least`` and ``at_most`` bound the number of visited vertices.

    New variables come from the PySAT pool ``vpool``, or follow ``top_id``. Without either, they follow the greatest variable
    of the literals given here, so that your model must not use greater ones.
    """
    listed = [(*pair, literal) for pair, literal in arcs.items()] if isinstance(arcs, Mapping) else [tuple(arc) for arc in arcs]
    for arc in listed:
        if len(arc) != 3:
            raise Error(f"{arc!r} is no arc: write two vertices and a literal")
    if path is not None and len(path) != 2:
        raise Error(f"path={path!r} must have two ends; None leaves an end free")
    for name, bound in (("at_least", at_least), ("at_most", at_most)):
        if bound is not None and (not isinstance(bound, int) or bound < 0):
            raise Error(f"{name}={bound!r} must be a whole number, and not negative")
    for name, mapping in (("skip", skip), ("visited", visited)):
        if mapping is not None and not isinstance(mapping, Mapping):
            raise Error(f"{name} must map vertices to literals, such as {{vertex: 7}}")
    if isinstance(optional, str):
        raise Error(f"optional={optional!r} must be a list of vertices, or True")
    skips = dict(skip or {})
    for vertex, literal in (visited or {}).items():
        if vertex in skips:
            raise Error(f"vertex {vertex!r} is in both skip and visited")
        skips[vertex] = (not literal) if isinstance(literal, bool) else -literal
    numbers: dict[Hashable, int] = {vertex: number for number, vertex in enumerate(dict.fromkeys(vertices or ()))}
    for tail, head, _ in listed:
        numbers.setdefault(tail, len(numbers))
        numbers.setdefault(head, len(numbers))
    def number(vertex: Hashable, role: str) -> int:
        if vertex not in numbers:
            raise Error(f"{role} {vertex!r} has no arc")
        return numbers[vertex]

    free: Iterable[Hashable] = numbers if optional is True else optional or ()
    options = {
        "directed": directed,
        "skip": [(number(vertex, "vertex with a literal in skip or visited,"), literal) for vertex, literal in skips.items()],
        "optional": [number(vertex, "optional vertex") for vertex in free],
        "empty": empty,
        "path": None if path is None else tuple(None if end is None else number(end, "the end of the path") for end in path),
        "depot": None if depot is None else number(depot, "the depot"),
        "root": None if root is None else number(root, "the root"),
        "when": when,
        "at_least": at_least,
        "at_most": at_most,
        "names": [str(vertex) for vertex in numbers],
    }
    if path is not None and depot is not None:
        raise Error("a path has no depot: remove path or depot")
    if vpool is not None and top_id is not None:
        raise Error("vpool and top_id both say where new variables come from: remove one of them")
    fresh = None if vpool is None else vpool.id
    links = [(numbers[tail], numbers[head], literal) for tail, head, literal in listed]
    return Circuit(_hamcnf.circuit(links, encoding, options, fresh, top_id or 0), list(numbers))


class Circuit:
    """Clauses of a circuit, with the interpretation of models."""

    def __init__(self, circuit: Any, vertices: list[Hashable]) -> None:
        self._circuit = circuit
        self._vertices = vertices

    @property
    def clauses(self) -> list[list[int]]:
        """Clauses, as new lists of literals."""
        return self._circuit.clauses()

    @property
    def nv(self) -> int:
        """Greatest variable of the literals and clauses."""
        return self._circuit.top

    @property
    def auxiliary(self) -> list[int]:
        """New variables. Given the literals of the arcs, each of them has one value in all models, unless ``depot`` is used."""
        return self._circuit.auxiliary()

    @property
    def is_exact(self) -> bool:
        """True if every model has one circuit. Otherwise add the clauses of ``cuts`` until a model has one."""
        return self._circuit.is_exact

    @property
    def visited(self) -> dict[Hashable, Any]:
        """For each vertex, the literal or constant "visited". With ``when``, it says so only if ``when`` is true."""
        return {vertex: self._circuit.visited(number) for number, vertex in enumerate(self._vertices)}

    def cycle(self, model: Iterable[int] | None) -> list[Any] | None:
        """Returns the vertices in the order of the circuit or path, checked against the whole constraint.

        With ``depot``, returns a list of circuits, each beginning with the depot. Returns an empty list for the empty circuit,
        and None if the literal ``when`` is false. Ignores literals of other variables. Raises NotATour if the arcs of the
        model are not what the constraint asks for.
        """
        if model is None:
            raise Error("the model is None, so the solver found no model")
        shape, parts = self._circuit.read(set(model))
        orders = [[self._vertices[number] for number in part] for part in parts]
        if shape == "several":
            raise NotATour(f"the model has {len(orders)} circuits instead of one; add the clauses of Circuit.cuts")
        if shape == "inactive":
            return None
        return orders if shape == "routes" else (orders[0] if orders else [])

    def cuts(self, model: Iterable[int]) -> list[list[int]]:
        """Returns clauses that every circuit satisfies, and that a model with several circuits violates."""
        return self._circuit.cuts(set(model))

    def __repr__(self) -> str:
        return f"<circuit on {len(self._vertices)} vertices: {len(self.clauses)} clauses>"
