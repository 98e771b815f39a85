"""Hamiltonian cycles and knight's tours: solved, encoded, counted, sampled, listed.

>>> import hamcnf
>>> tour = hamcnf.solve(hamcnf.Board(8, 8))
>>> len(tour), tour[0]
(64, 'a1')
>>> hamcnf.count(hamcnf.Board(6, 6))
9862
>>> hamcnf.solve([("u", "v"), ("v", "w"), ("w", "u")])
<closed tour of graph of 3 vertices: u v w>

A graph is a :class:`Board`, any ``networkx.Graph``, an iterable of edges, a NumPy array with a row of two vertices for each
edge, or a text as the command line has it: ``"cubic:60:7"``, ``"graph.col"``. Vertices may be anything that can be a key;
tours are of the graph's own.

Tours are closed unless ``open=True`` is said, or an ``end``. Open ones may start anywhere, unless ``start`` says where.

Long calls let other threads go on, show nothing, and end within half a second of an interrupt. ``timeout`` is in seconds; a
limit that comes first is raised as :class:`LimitReached`, never an answer.
"""

from __future__ import annotations

from ._hamcnf import VERSION as __version__
from ._hamcnf import encodings
from .ask import Answer, Estimate, answer, check, count, encode, estimate, graph_facts, sample, solve, tours, verify
from .errors import Error, Failed, LimitReached, NotATour, NotVerified, OutOfMemory, OutOfTime, ProofMissing
from .experiment import Rows, run
from .formula import Formula, PySat
from .graphs import Board
from .tour import Tour

__all__ = [
    "Answer",
    "Board",
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
    "count",
    "encode",
    "encodings",
    "estimate",
    "graph_facts",
    "run",
    "sample",
    "solve",
    "tours",
    "verify",
]
