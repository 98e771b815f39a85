"""What the adaptors beside this share: their words, graphs and boards, the package, and `s` and `v` lines.

An adaptor makes a package from PyPI a program like any SAT solver. It is started in one of three ways:

    NAME QUESTION...    solve it, with the package that has been fetched; the network is not used
    NAME --version      print the package and its version; the exit code is 3 where it has not been fetched
    NAME --set-up       fetch it, if it is not there

An answer is `s SATISFIABLE` with `v` lines, `s UNSATISFIABLE` or `s UNKNOWN`, and the exit codes are those of SAT
solvers: 10, 20 and 0. The `v` lines hold the tour's vertices in their order, counted from 1, or the model of a
formula; a 0 ends them. Errors are one line on standard error, with the exit code 1, or 3 where the package is
not there.

Packages are those of exact versions, in folders of their own under HAMCNF_CACHE, or else in the user's cache
folder. How they get there is in count-models, one folder up.
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

# No compiled copies beside the scripts.
sys.dont_write_bytecode = True

# Answers that have nothing to show.
NONE, UNKNOWN = "UNSATISFIABLE", "UNKNOWN"


def packages():
    """count-models as a module: what fetches packages is written once."""
    script = Path(__file__).resolve().parent.parent / "count-models"
    loader = importlib.machinery.SourceFileLoader("packages", str(script))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("packages", loader))
    loader.exec_module(module)
    module.say = say
    return module


def say(text):
    print(f"{Path(sys.argv[0]).name}: {text}", file=sys.stderr, flush=True)


# The questions.


class Graph:
    """A graph from a file of DIMACS edges, where a tour starts, and whether it is open. Counted from 0 here."""

    def __init__(self, file, kind, start):
        self.size, edges = None, []
        with open(file, encoding="ascii") as lines:
            for words in map(str.split, lines):
                if words[:2] == ["p", "edge"]:
                    self.size = int(words[2])
                elif words[:1] == ["e"]:
                    edges.append((int(words[1]) - 1, int(words[2]) - 1))
        if self.size is None:
            raise ValueError(f"{file} has no line 'p edge VERTICES EDGES'")
        self.near = [set() for _ in range(self.size)]
        for a, b in edges:
            self.near[a].add(b)
            self.near[b].add(a)
        self.open, self.start = is_open(kind), int(start) - 1

    def arcs(self):
        """Arcs whose Hamiltonian cycles are the tours. An open one is closed by a way back from anywhere."""
        for a, near in enumerate(self.near):
            yield from ((a, b) for b in sorted(near) if b != self.start or not self.open)
            if self.open and a != self.start:
                yield a, self.start

    def along(self, successors):
        """The order in which a cycle of successors visits, from the start."""
        order = [self.start]
        while (vertex := successors[order[-1]]) != self.start and len(order) < self.size:
            order.append(vertex)
        return order


class Board:
    """A board and its piece, as hamcnf names them, where a tour starts, and whether it is open."""

    def __init__(self, name, kind, start):
        found = re.fullmatch(r"(?:leaper:(\d+),(\d+):)?(\d+)x(\d+)", name, re.ASCII)
        if not found:
            raise ValueError(f"'{name}' is not a board")
        self.rows, self.columns = int(found[3]), int(found[4])
        self.legs = (int(found[1]), int(found[2])) if found[1] else (1, 2)
        self.open, self.start = is_open(kind), int(start) - 1


def variables(file):
    """How many variables the header of a DIMACS formula announces. Solvers leave out those that no clause has."""
    with open(file, encoding="ascii", errors="replace") as lines:
        return next(int(words[2]) for words in map(str.split, lines) if words[:2] == ["p", "cnf"])


def is_open(kind):
    if kind not in ("open", "closed"):
        raise ValueError(f"'{kind}' is neither open nor closed")
    return kind == "open"


def tour(order):
    """The order of a tour as it is answered."""
    return [vertex + 1 for vertex in order]


# From the words to the answer.


class Clock:
    """Says how long making the model took, and solving it, without what Python and the package take to start."""

    def __init__(self):
        self.since = time.monotonic()

    def says(self, what):
        now = time.monotonic()
        print(f"c {what} in {now - self.since:.3f} s", flush=True)
        self.since = now


clock = None


def built():
    """To be called when the model is made and is solved next."""
    clock.says("made")


def main(package, version, module, usage, solve, dependencies=False):
    """Does what the command line says. `solve` is given the module of the package, and the words that `usage`
    names. It gives the numbers for the `v` lines, NONE or UNKNOWN."""
    global clock
    words = sys.argv[1:]
    fetcher = packages()
    # Linux: no solving on for a program that was killed.
    fetcher.die_with_parent()
    try:
        folder = fetcher.folder_of(package, version)
        if words == ["--set-up"]:
            # What has been fetched in part is removed on the way.
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
            say(f"it takes {usage}, or --version, or --set-up")
            sys.exit(2)
        # Python would keep both until the solver returns.
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
    # Some packages take their time to go, which is no part of the answer.
    os._exit(code)
