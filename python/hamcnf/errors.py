"""Exceptions, with the messages of the library."""

from __future__ import annotations

from typing import Any


class Error(ValueError):
    """Invalid input: a board, graph, vertex, method or file that does not exist, or arguments that do not fit together."""


class NotATour(Error):
    """An order of vertices is not a tour; the message names the first wrong move."""


class NotVerified(Error):
    """A proof file does not prove that there is no such tour."""


class LimitReached(Exception):
    """A limit was reached before an answer, so it is unknown whether there is a tour.

    ``record`` has the columns of an experiment's row for the run, or is None.
    """

    record: dict[str, Any] | None = None


class OutOfTime(LimitReached, TimeoutError):
    """The time limit was reached."""


class OutOfMemory(LimitReached, MemoryError):
    """The memory limit was reached."""


class Failed(RuntimeError):
    """The run failed; the message names the error."""

    record: dict[str, Any] | None = None


class ProofMissing(UserWarning):
    """There is no tour, but a limit was reached before the proof was complete."""
