"""Solves, encodes, counts, samples and lists Hamiltonian cycles and knight's tours.

>>> import hamcnf
>>> tour = hamcnf.solve(hamcnf.Board(8, 8))
>>> len(tour), tour[0]
(64, 'a1')
>>> hamcnf.count(hamcnf.Board(6, 6))
9862
>>> hamcnf.solve([("u", "v"), ("v", "w"), ("w", "u")])
<closed tour of graph of 3 vertices: u v w>

A graph is a :class:`Board`, any ``networkx.Graph``, an iterable of edges, a NumPy array with a row of two vertices for each
edge, or a text as on the command line, such as ``"cubic:60:7"`` or ``"graph.col"``. Vertices may be any hashable objects;
tours contain these objects.

Tours are closed unless you pass ``open=True`` or an ``end``. Open tours may start anywhere unless you pass a ``start``.

Long calls let other threads run, print nothing, and end within half a second of an interrupt. ``timeout`` is in seconds. If
a limit is reached before an answer, :class:`LimitReached` is raised.
"""

from __future__ import annotations

from ._hamcnf import VERSION as __version__
from ._hamcnf import encodings
from .ask import Answer, Estimate, answer, check, count, encode, estimate, graph_facts, sample, solve, tours, verify
from .circuit import Circuit, circuit
from .errors import Error, Failed, LimitReached, NotATour, NotVerified, OutOfMemory, OutOfTime, ProofMissing
from .experiment import Rows, run
from .formula import Formula, PySat
from .graphs import Board, graphs
from .tour import Tour

__all__ = [
    "Answer",
    "Board",
    "Circuit",
    "Error",
    "Estimate",
    "Failed",
    "Formula",
    "LimitReached",
    "NotATour",
    "NotVerified",
    "OutOfMemory",
    "OutOfTime",
    "ProofMissing",
    "PySat",
    "Rows",
    "Tour",
    "__version__",
    "answer",
    "check",
    "circuit",
    "count",
    "encode",
    "encodings",
    "estimate",
    "graph_facts",
    "graphs",
    "run",
    "sample",
    "solve",
    "tours",
    "verify",
]
