"""Experiments: the same files as ``hamcnf run`` takes."""

from __future__ import annotations

import sys
import tempfile
from os import PathLike
from pathlib import Path
from typing import Any

from . import _hamcnf


class Rows(list):
    """The rows of an experiment, a dictionary each: ``pandas.DataFrame(rows)`` is a table of them."""

    report: str
    """The report as Markdown."""
    faults: list[str]
    """What is wrong with any of the answers: those that contradict what the experiment expects."""


def run(
    experiment: str | PathLike[str],
    output: str | PathLike[str] | None = None,
    *,
    fresh: bool = False,
    graphs: str | PathLike[str] | None = None,
    times: str | PathLike[str] | None = None,
) -> Rows:
    """Runs an experiment, each job in a process of its own, one after the other, and gives its rows.

    Rows, report and machine are kept in the folder ``output``, and what an interrupted run has left there is gone on with,
    unless ``fresh``; without a folder nothing is kept. Memory and CPU time of the rows are those of a process with Python in
    it, which is some 10 MB and hundredths of a second more than those of ``hamcnf run``.
    """
    if output is None:
        with tempfile.TemporaryDirectory(prefix="hamcnf-") as folder:
            return _run(experiment, folder, fresh, graphs, times)
    return _run(experiment, output, fresh, graphs, times)


def _run(experiment: Any, folder: Any, fresh: bool, graphs: Any, times: Any) -> Rows:
    program = str(Path(__file__).with_name("__main__.py"))
    # Isolated and without what is installed, as the extension needs nothing else.
    arguments = ["-I", "-S", program]
    came, report, faults = _hamcnf.run(
        experiment, folder, sys.executable, arguments, fresh, graphs, times
    )
    rows = Rows(came)
    rows.report, rows.faults = report, faults
    return rows
