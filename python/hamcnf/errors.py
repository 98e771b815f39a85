"""What goes wrong, with the library's own words."""

from __future__ import annotations

from typing import Any


class Error(ValueError):
    """What is asked cannot be: there is no such board, graph, vertex, method or file, or they do not go together."""


class NotATour(Error):
    """An order of vertices is no tour; the words name the first wrong move."""


class NotVerified(Error):
    """A file proves nothing of what is asked."""


class LimitReached(Exception):
    """A limit came before an answer, which says nothing about whether there is a tour.

    ``record`` has what is known of the run, where there is such: the columns of an experiment's row.
    """

    record: dict[str, Any] | None = None


class OutOfTime(LimitReached, TimeoutError):
    """The limit on time."""


class OutOfMemory(LimitReached, MemoryError):
    """The limit on memory."""


class Failed(RuntimeError):
    """The work failed, and the words say at what."""

    record: dict[str, Any] | None = None


class ProofMissing(UserWarning):
    """There is no tour, and a limit came before its proof was written."""
