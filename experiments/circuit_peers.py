"""Circuits through CPMpy and beside it: our encodings, CPMpy's own decomposition, OR-tools' circuit, pumpkin.

    python experiments/circuit_peers.py results/circuit

Needs the packages hamcnf, cpmpy, ortools, pindakaas, pumpkin-solver, python-sat and networkx. Each run is a process of its own
with 60 s of CPU. A row of circuit.json has the graph, its vertices and arcs, the system, the status (solved, none, timeout,
failed) and the CPU seconds, in which imports are not included. circuit.md is a table of the rows. Every circuit is checked.
"""

import json
import platform
import random
import resource
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

LIMIT = 60
SYSTEMS = {
    "hamcnf-arcs": "literals for the arcs of the graph, hamcnf.circuit, CaDiCaL by PySAT",
    "hamcnf-cpmpy": "CPMpy's Circuit with hamcnf.cpmpy, CaDiCaL by pindakaas",
    "cpmpy": "CPMpy's Circuit with its own decomposition, CaDiCaL by pindakaas",
    "ortools": "CPMpy's Circuit as AddCircuit, OR-tools with one thread",
    "pumpkin": "CPMpy's Circuit in pumpkin",
}


def graphs():
    """Names and arcs of the graphs."""
    import networkx as nx

    for n in (20, 40, 60, 100, 200):
        graph = nx.random_regular_graph(3, n, seed=1)
        yield f"cubic-{n}", n, sorted([*graph.edges, *((v, u) for u, v in graph.edges)])
    for n in (20, 100):
        choice = random.Random(n)
        order = choice.sample(range(n), n)
        arcs = {(order[k - 1], order[k]) for k in range(n)}
        while len(arcs) < 3 * n:
            arcs.add(tuple(choice.sample(range(n), 2)))
        yield f"digraph-{n}", n, sorted(arcs)


def by_arcs(n, arcs):
    import hamcnf
    from pysat.solvers import Cadical195

    circuit = hamcnf.circuit({arc: k for k, arc in enumerate(arcs, 1)})
    with Cadical195(bootstrap_with=circuit.clauses) as solver:
        return circuit.cycle(solver.get_model()) if solver.solve() else None


def by_cpmpy(n, arcs, system):
    import cpmpy as cp
    import hamcnf.cpmpy

    if system == "hamcnf-cpmpy":
        hamcnf.cpmpy.use()
    solver = system if system in ("ortools", "pumpkin") else "pindakaas"
    x = cp.intvar(0, n - 1, shape=n)
    present = set(arcs)
    absent = [x[u] != v for u in range(n) for v in range(n) if (u, v) not in present]
    options = {"num_workers": 1} if solver == "ortools" else {}
    if not cp.Model(cp.Circuit(x), absent).solve(solver=solver, **options):
        return None
    order = [0]
    while len(order) < n:
        order.append(int(x[order[-1]].value()))
    return order


def run(name, system):
    """Solves one graph in this process, and prints the status and the CPU seconds."""
    _, n, arcs = next(graph for graph in graphs() if graph[0] == name)
    import cpmpy  # noqa: F401
    import hamcnf.cpmpy  # noqa: F401

    began = time.process_time()
    order = by_arcs(n, arcs) if system == "hamcnf-arcs" else by_cpmpy(n, arcs, system)
    seconds = time.process_time() - began
    if order is not None:
        assert sorted(order) == list(range(n)) and all(arc in set(arcs) for arc in zip(order, order[1:] + order[:1]))
    print("solved" if order is not None else "none", round(seconds, 3))


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT + 5, LIMIT + 5))


def main(target):
    rows = []
    for name, n, arcs in graphs():
        for system in SYSTEMS:
            command = [sys.executable, __file__, "--run", name, system]
            ended = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited)
            status, seconds = "timeout", str(LIMIT)
            if ended.returncode == 0:
                status, seconds = ended.stdout.split()[-2:]
            elif ended.returncode > 0:
                status = "failed"
                print(ended.stderr[-500:], file=sys.stderr)
            row = {"graph": name, "vertices": n, "arcs": len(arcs), "system": system, "status": status}
            rows.append(row | {"cpu_seconds": float(seconds)})
    machine = {"processor": platform.machine(), "system": platform.platform(), "python": platform.python_version()}
    versions = {package: version(package) for package in ("cpmpy", "ortools", "pindakaas", "pumpkin-solver", "python-sat")}
    lines = [json.dumps(row) for row in rows]
    about = json.dumps({"machine": machine, "versions": versions})[:-1]
    Path(f"{target}.json").write_text(about + ', "rows": [\n' + ",\n".join(lines) + "\n]}\n")
    Path(f"{target}.md").write_text(table(rows))


def table(rows):
    """Returns the rows as Markdown."""
    text = "# Circuits through CPMpy\n\nCPU seconds, at most {}, by `experiments/circuit_peers.py`.\n\n".format(LIMIT)
    text += "".join(f"- {system}: {what}\n" for system, what in SYSTEMS.items())
    text += f"\n| graph | {' | '.join(SYSTEMS)} |\n|---|{'---|' * len(SYSTEMS)}\n"
    for graph in dict.fromkeys(row["graph"] for row in rows):
        cells = {row["system"]: row for row in rows if row["graph"] == graph}
        shown = [f"{row['cpu_seconds']:.2f}" if row["status"] == "solved" else row["status"] for row in map(cells.get, SYSTEMS)]
        text += f"| {graph} | {' | '.join(shown)} |\n"
    return text


if __name__ == "__main__":
    if sys.argv[1] == "--run":
        run(*sys.argv[2:])
    else:
        main(sys.argv[1])
