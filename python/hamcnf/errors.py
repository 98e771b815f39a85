"""Exceptions, with the messages of the library."""

from __future__ import annotations

from typing import Any


class Error(ValueError):
    """Invalid input: a board, graph, vertex, method or file does not exist, or some of them do not go together."""


class NotATour(Error):
    """An order of vertices is no tour; the message names the first wrong move."""


class NotVerified(Error):
    """A file does not prove the statement."""


class LimitReached(Exception):
    """A limit was reached before an answer: there may be a tour or not.

    ``record`` has the columns of an experiment's row for the run, or is None.
    """

    record: dict[str, Any] | None = None


class OutOfTime(LimitReached, TimeoutError):
    """The time limit was reached."""


class OutOfMemory(LimitReached, MemoryError):
    """The memory limit was reached."""


class Failed(RuntimeError):
    """The run failed; the message says where."""

    record: dict[str, Any] | None = None


class ProofMissing(UserWarning):
    """There is no tour, and a limit was reached before the proof was written."""
