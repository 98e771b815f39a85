"""Experiments, described by the same files as for ``hamcnf run``."""

from __future__ import annotations

import sys
import tempfile
from os import PathLike
from pathlib import Path
from typing import Any

from .features import optional


class Rows(list):
    """Rows of an experiment, as dictionaries; ``pandas.DataFrame(rows)`` is a table of them."""

    report: str
    """Report as Markdown."""
    faults: list[str]
    """Descriptions of the answers that contradict the experiment's expectations."""


def run(
    experiment: str | PathLike[str],
    output: str | PathLike[str] | None = None,
    *,
    fresh: bool = False,
    graphs: str | PathLike[str] | None = None,
    times: str | PathLike[str] | None = None,
) -> Rows:
    """Runs the jobs of an experiment one after the other, each in a separate process, and returns the rows.

    The folder ``output`` keeps rows, report and machine. An interrupted run in the folder is resumed, unless ``fresh`` is
    true. Without a folder, no file is kept. Memory and CPU time in the rows include Python, which adds about 10 MB and some
    hundredths of a second compared with ``hamcnf run``.
    """
    if output is None:
        with tempfile.TemporaryDirectory(prefix="hamcnf-") as folder:
            return _run(experiment, folder, fresh, graphs, times)
    return _run(experiment, output, fresh, graphs, times)


def _run(experiment: Any, folder: Any, fresh: bool, graphs: Any, times: Any) -> Rows:
    program = str(Path(__file__).with_name("__main__.py"))
    # Isolated and without installed packages: the extension needs none.
    arguments = ["-I", "-S", program]
    came, report, faults = optional("run")(
        experiment, folder, sys.executable, arguments, fresh, graphs, times
    )
    rows = Rows(came)
    rows.report, rows.faults = report, faults
    return rows
