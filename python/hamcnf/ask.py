"""Functions that answer questions about graphs with the library."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsFloat

from . import _hamcnf
from .errors import Error, ProofMissing
from .formula import Formula
from .graphs import MOST, sought, whole
from .tour import Tour

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .constraints import Constraints


@dataclass(frozen=True)
class Answer:
    """Result of a method, with or without an answer."""

    status: str
    """Status as in an experiment's row: ``"tour"``, ``"no-tour"``, ``"count"``, ``"timeout"``, ..."""
    tours: list[Tour]
    """Tours that the method found."""
    why: str
    """Reason why there is no tour or no answer; or the strategy that found the answer."""
    is_answer: bool
    """True if the method completed its task."""
    record: dict[str, Any]
    """Columns of an experiment's row."""
    proof: dict[str, Any] | None = None
    """Requested proof, if there is no tour: ``file`` with ``encoding``, ``steps`` and ``bytes``. If no proof was written,
    ``missing`` is the reason."""

    @property
    def tour(self) -> Tour | None:
        """First tour, or None."""
        return self.tours[0] if self.tours else None


class Estimate(NamedTuple):
    """Estimate of the number of tours."""

    mean: float
    """Estimated number. A closed tour counts once for both directions, an open tour once in each direction."""
    standard_error: float | None
    """Standard error of the mean, or None if the method has none."""
    interval: tuple[float, float] | None
    """95 % confidence interval, or None if the method has none."""
    exact: bool
    """True if ``mean`` is the exact number, up to the precision of a float."""


def _told(
    seed: int | None = None,
    threads: int | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    conflicts: int | None = None,
) -> dict[str, Any]:
    told = {"seed": seed, "threads": threads, "timeout": timeout, "memory": memory, "conflicts": conflicts}
    bounds = {"seed": (0, 2**64 - 1), "threads": (1, 1024), "memory": (0, 2**64 - 1), "conflicts": (0, 2**64 - 1)}
    for name, (least, most) in bounds.items():
        if told[name] is not None:
            told[name] = whole(name, told[name], least, most)
    told["timeout"] = _seconds(timeout)
    return told


def _seconds(timeout: Any) -> float | None:
    if timeout is None:
        return None
    if not isinstance(timeout, SupportsFloat) or isinstance(timeout, (bool, str)):
        raise Error(f"timeout= must be a number of seconds of at least 0, not {timeout!r}")
    return float(timeout)


def answer(
    graph: Any,
    method: str = "auto",
    *,
    open: bool | None = None,
    start: Hashable | None = None,
    end: Hashable | None = None,
    number: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    conflicts: int | None = None,
    proof: str | PathLike[str] | None = None,
    **constraints: Unpack[Constraints],
) -> Answer:
    """Runs any method of the command line, and returns its result. A run that reaches a limit returns a result too.

    ``method`` is ``"auto"``, one of its strategies, an encoding, a search or a count, optionally with settings;
    ``hamcnf methods`` lists all. With ``number``, an encoding finds this number of different tours. If there is no tour, a
    proof is written to the file ``proof``, which ends in .cert, .drat, .lrat or .pbp. ``memory`` is in bytes.
    """
    place = sought(graph)
    question = place.question(open, start, end, constraints)
    if number is not None:
        number = whole("number", number, 1, MOST)
    told = _told(seed, threads, timeout, memory, conflicts)
    came = _hamcnf.answer(question, method, told, number, proof)
    return _answer(came, place, question)


def _answer(came: Any, place: Any, question: Any) -> Answer:
    tours = [Tour(place, question, order) for order in came.tours()]
    record = came.record()
    return Answer(record["status"], tours, record["message"], came.is_answer, record, came.proof())


def solve(
    graph: Any,
    *,
    open: bool | None = None,
    start: Hashable | None = None,
    end: Hashable | None = None,
    method: str = "auto",
    seed: int | None = None,
    threads: int | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    conflicts: int | None = None,
    proof: str | PathLike[str] | None = None,
    **constraints: Unpack[Constraints],
) -> Tour | None:
    """Returns a Hamiltonian cycle, or a Hamiltonian path with ``open=True``, of the graph's own vertices; None if there is none.

    Raises LimitReached if a limit is reached before an answer. Raises Error if the method does not support the question, or
    if the proof cannot be written. If there is no tour, but a limit ends the proof, warns (ProofMissing) and returns None.
    """
    place = sought(graph)
    question = place.question(open, start, end, constraints)
    told = _told(seed, threads, timeout, memory, conflicts)
    came = _hamcnf.answer(question, method, told, None, proof)
    came.expect()
    if missing := came.without_proof():
        warnings.warn(missing, ProofMissing, stacklevel=2)
    found = came.tours()
    if not found and came.record()["status"] != "no-tour":
        raise Error(f"method \"{method}\" finds no tours; use hamcnf.count or hamcnf.answer")
    return Tour(place, question, found[0]) if found else None


def count(
    graph: Any,
    *,
    open: bool | None = None,
    start: Hashable | None = None,
    end: Hashable | None = None,
    method: str | None = None,
    seed: int | None = None,
    threads: int | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    **constraints: Unpack[Constraints],
) -> int:
    """Returns the exact number of tours. A closed tour counts once for both directions, an open tour once in each direction.

    With ``end``, counts the tours that end at this vertex; with ``start`` and ``end``, the tours between the two. The default
    method is dynamic programming along a frontier, or over a tree decomposition if no frontier is narrow.
    """
    question = sought(graph).question(open, start, end, constraints)
    return _hamcnf.count(question, method, _told(seed, threads, timeout, memory))


def estimate(
    graph: Any,
    *,
    open: bool | None = None,
    start: Hashable | None = None,
    end: Hashable | None = None,
    method: str | None = None,
    states: int | None = None,
    repetitions: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    **constraints: Unpack[Constraints],
) -> Estimate:
    """Returns an unbiased estimate of the number of tours, from ``repetitions`` samples of ``states`` states per layer.

    With ``method="approxmc"``, optionally with settings, the model counter ApproxMC estimates, if it is installed.
    """
    question = sought(graph).question(open, start, end, constraints)
    if method is not None and (states is not None or repetitions is not None):
        raise Error("states= and repetitions= cannot be combined with method=; write method='sample+states=1000' instead")
    if states is not None:
        states = whole("states", states, 1, MOST)
    if repetitions is not None:
        repetitions = whole("repetitions", repetitions, 1, MOST)
    told = _told(seed, threads, timeout, memory)
    return Estimate(*_hamcnf.estimate(question, method, states, repetitions, told))


def sample(
    graph: Any,
    number: int = 1,
    *,
    open: bool | None = None,
    start: Hashable | None = None,
    end: Hashable | None = None,
    seed: int = 1,
    timeout: float | None = None,
    memory: int | None = None,
    **constraints: Unpack[Constraints],
) -> list[Tour]:
    """Returns random tours, each equally likely. A tour may occur twice. The list is empty if the graph has no tours.

    Another ``seed`` gives other tours. The tours are drawn from a decision diagram of all tours, which must fit into memory.
    """
    place = sought(graph)
    question = place.question(open, start, end, constraints)
    number = whole("number", number, 0, MOST)
    told = _told(seed, None, timeout, memory)
    drawn = _hamcnf.sample(question, number, told["seed"], told["timeout"], told["memory"])
    return [Tour(place, question, order) for order in drawn]


def tours(
    graph: Any,
    *,
    open: bool | None = None,
    start: Hashable | None = None,
    encoding: str | None = None,
    seed: int = 0,
    timeout: float | None = None,
    **constraints: Unpack[Constraints],
) -> Iterator[Tour]:
    """Iterates over all tours, each once; closed tours come in one direction. Each tour is found on demand.

    ``timeout`` is the time for all tours together; when it is reached, OutOfTime is raised.
    """
    place = sought(graph)
    question = place.question(open, start, None, constraints)
    seed = whole("seed", seed, 0, 2_000_000_000)
    found = _hamcnf.tours(question, encoding, seed, _seconds(timeout))
    return (Tour(place, question, order) for order in found)


def encode(
    graph: Any,
    encoding: str = "binary",
    *,
    open: bool | None = None,
    start: Hashable | None = None,
    end: Hashable | None = None,
    projection: str | None = None,
    **constraints: Unpack[Constraints],
) -> Formula:
    """Returns the formula of an encoding.

    The models of the formula are the tours. Only relaxed encodings have more models. ``encoding`` is one of
    ``hamcnf.encodings()``, with refinements after ``+``. Without a ``start``, closed tours begin at the first vertex, and
    open tours anywhere. ``projection`` is a set for model counters: ``"arcs"``, ``"edges"``, ``"co-tree"``,
    ``"paper"``, ``"positions:4,8"``, ``"vars:1..157/4"``.
    """
    return Formula(sought(graph), encoding, open, start, projection, constraints, end)


def check(
    graph: Any,
    order: Iterable[Hashable],
    *,
    open: bool | None = None,
    start: Hashable | None = None,
    end: Hashable | None = None,
    **constraints: Unpack[Constraints],
) -> Tour:
    """Checks each move of this order of vertices, and returns the tour. Raises NotATour at the first wrong move.

    The tour may start anywhere unless ``start`` is given. A closed tour may repeat its first vertex at the end.
    """
    place = sought(graph)
    order = list(order)
    if not open and len(order) == len(place.vertices) + 1 and order[0] == order[-1]:
        order.pop()
    numbers = place.numbers
    try:
        visited = [numbers[vertex] for vertex in order]
    except (KeyError, TypeError):
        wrong = next(vertex for vertex in order if vertex not in place.vertices)
        raise Error(f"{wrong!r} is not a vertex of the graph") from None
    begin = start if start is not None else next(iter(order), None)
    question = place.question(open, begin, end, constraints)
    _hamcnf.check(question, visited)
    return Tour(place, question, visited)


def verify(
    graph: Any,
    proof: str | PathLike[str],
    *,
    open: bool | None = None,
    start: Hashable | None = None,
    end: Hashable | None = None,
    encoding: str | None = None,
    timeout: float | None = None,
    **constraints: Unpack[Constraints],
) -> str:
    """Checks a proof that ``hamcnf solve --proof`` or ``solve(proof=...)`` wrote, and returns a description of the proof.

    The checker shares no code with the solver. ``encoding`` is the encoding whose clauses the proof starts from; the
    default is ``precedence``, or the encoding that a ``.pbp`` file names. Raises NotVerified if the file does not prove that
    there is no such tour, and Error if it cannot be read.
    """
    question = sought(graph).question(open, start, end, constraints)
    return _hamcnf.verify(question, proof, encoding, _seconds(timeout))


def graph_facts(graph: Any, *, open: bool | None = None, start: Hashable | None = None) -> dict[str, Any]:
    """Returns facts about a graph without solving it: degrees, components, a bound of the treewidth, an obstruction (a cheap
    reason why there is no tour), and more."""
    facts = _hamcnf.graph_facts(sought(graph).question(open, start, None))
    return facts
