"""Code shared by the adaptors in this folder: arguments, graphs and boards, the package, and `s` and `v` lines.

An adaptor turns a package from PyPI into a program like a SAT solver. It is started in one of three ways:

    NAME QUESTION...    solve the question with the downloaded package, without the network
    NAME --version      print the package and its version; exit with 3 if the package has not been downloaded
    NAME --set-up       download the package if it is missing

An answer is `s SATISFIABLE` with `v` lines, `s UNSATISFIABLE` or `s UNKNOWN`, and the exit codes are those of SAT
solvers: 10, 20 and 0. The `v` lines have the tour's vertices in order, counted from 1, or the model of a formula; a 0
ends them. An error is one line on standard error, with the exit code 1, or 3 if the package is missing.

Packages have exact versions, and separate folders under HAMCNF_CACHE, or else in the user's cache folder.
count-models, one folder up, downloads them.
"""

import importlib
import importlib.machinery
import importlib.util
import os
import re
import signal
import sys
import time
from pathlib import Path

# Write no bytecode beside the scripts.
sys.dont_write_bytecode = True

# Answers without `v` lines.
NONE, UNKNOWN = "UNSATISFIABLE", "UNKNOWN"


def packages():
    """Returns count-models as a module, which has the code that downloads packages."""
    script = Path(__file__).resolve().parent.parent / "count-models"
    loader = importlib.machinery.SourceFileLoader("packages", str(script))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("packages", loader))
    loader.exec_module(module)
    module.say = say
    return module


def say(text):
    print(f"{Path(sys.argv[0]).name}: {text}", file=sys.stderr, flush=True)


# Questions.


class Graph:
    """Graph from a file of DIMACS edges, or digraph from a file of DIMACS arcs, with the start of tours and their kind.

    Vertices are 0-based. `near` has the neighbours of each vertex, or its successors.
    """

    def __init__(self, file, kind, start):
        self.size, edges, self.directed = None, [], False
        with open(file, encoding="ascii") as lines:
            for words in map(str.split, lines):
                if words[:2] in (["p", "edge"], ["p", "sp"]):
                    self.size, self.directed = int(words[2]), words[1] == "sp"
                elif words[:1] in (["e"], ["a"]):
                    edges.append((int(words[1]) - 1, int(words[2]) - 1))
        if self.size is None:
            raise ValueError(f"{file} has no line 'p edge VERTICES EDGES'")
        self.near = [set() for _ in range(self.size)]
        for a, b in edges:
            self.near[a].add(b)
            if not self.directed:
                self.near[b].add(a)
        self.open, self.start = is_open(kind), int(start) - 1

    def arcs(self):
        """Yields arcs whose Hamiltonian cycles are the tours. Arcs from every vertex to the start close open tours."""
        for a, near in enumerate(self.near):
            yield from ((a, b) for b in sorted(near) if b != self.start or not self.open)
            if self.open and a != self.start:
                yield a, self.start

    def along(self, successors):
        """Returns the vertices in the order of a cycle of successors, from the start."""
        order = [self.start]
        while (vertex := successors[order[-1]]) != self.start and len(order) < self.size:
            order.append(vertex)
        return order


class Board:
    """Board with its piece, as hamcnf names them, with the start of tours and their kind."""

    def __init__(self, name, kind, start):
        found = re.fullmatch(r"(?:leaper:(\d+,\d+(?:\+\d+,\d+)*):)?(\d+)x(\d+)", name, re.ASCII)
        if not found:
            raise ValueError(f"'{name}' is not a board")
        self.rows, self.columns = int(found[2]), int(found[3])
        leapers = (found[1] or "1,2").split("+")
        self.legs = [tuple(int(leg) for leg in leaper.split(",")) for leaper in leapers]
        self.open, self.start = is_open(kind), int(start) - 1


def variables(file):
    """Returns the number of variables in the header of a DIMACS formula. Models of solvers lack variables in no clause."""
    with open(file, encoding="ascii", errors="replace") as lines:
        return next(int(words[2]) for words in map(str.split, lines) if words[:2] == ["p", "cnf"])


def is_open(kind):
    if kind not in ("open", "closed"):
        raise ValueError(f"'{kind}' is neither open nor closed")
    return kind == "open"


def tour(order):
    """Returns the order of a tour with vertices counted from 1, as in the answer."""
    return [vertex + 1 for vertex in order]


# Main program.


class Clock:
    """Prints the times to make and to solve the model, without the start of Python and the package."""

    def __init__(self):
        self.since = time.monotonic()

    def says(self, what):
        now = time.monotonic()
        print(f"c {what} in {now - self.since:.3f} s", flush=True)
        self.since = now


clock = None


def built():
    """Prints the time to make the model. Adaptors call this function before they solve the model."""
    clock.says("made")


def main(package, version, module, usage, solve, dependencies=False):
    """Runs the command line. `solve` gets the module of the package and the arguments that `usage` names. It returns the
    numbers for the `v` lines, NONE or UNKNOWN."""
    global clock
    words = sys.argv[1:]
    fetcher = packages()
    # On Linux, ends this process when its parent is killed.
    fetcher.die_with_parent()
    try:
        folder = fetcher.folder_of(package, version)
        if words == ["--set-up"]:
            # Exits through the handlers that remove partial downloads.
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
            fetcher.set_up(package, version, dependencies)
            return
        if not folder.is_dir():
            say(f"{package} {version} is not in {folder}: fetch it with --set-up")
            sys.exit(fetcher.NOT_THERE)
        if words == ["--version"]:
            print(f"{package} {version}")
            return
        if len(words) != len(usage.split()):
            say(f"usage: {usage}, or --version, or --set-up")
            sys.exit(2)
        # Python's own handlers would wait until the solver returns.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        sys.path.insert(0, str(folder))
        module = importlib.import_module(module)
        clock = Clock()
        answer = solve(module, *words)
        clock.says("solved")
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as why:
        lines = str(why).strip().splitlines()
        say(f"{type(why).__name__}: {lines[0] if lines else 'no reason'}")
        sys.exit(1)
    if isinstance(answer, list):
        print("s SATISFIABLE")
        print("v", *answer, 0, flush=True)
        code = 10
    else:
        print(f"s {answer}", flush=True)
        code = 20 if answer == NONE else 0
    # Skips the slow clean-up of some packages, which would count as solving time.
    os._exit(code)
