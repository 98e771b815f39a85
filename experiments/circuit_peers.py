"""Circuits, subcircuits and tours of bounded cost: our encodings, CPMpy's own, OR-tools' circuit, pumpkin.

    python experiments/circuit_peers.py results/circuit

Needs the packages hamcnf, cpmpy, ortools, pindakaas, pumpkin-solver, python-sat and networkx. Each run is a process of its own
with 60 s of CPU. A row of circuit.json has the graph, its vertices and arcs, the system, the status (solved, none, timeout,
skipped, failed) and the CPU seconds, in which imports are not included. After a timeout, a system skips the further rows
of the same kind. circuit.md is a table of the rows. Circuits are checked arc by arc, and no graph may have both a circuit and "none".
"""

import json
import platform
import random
import resource
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from math import dist
from pathlib import Path

LIMIT = 60
SYSTEMS = {
    "hamcnf-arcs": "literals for the arcs, hamcnf.circuit, CaDiCaL by PySAT; for tours, hamcnf encode --max-cost and CaDiCaL",
    "ortools-arcs": "literals for the arcs, AddCircuit, OR-tools with one thread",
    "hamcnf-cpmpy": "CPMpy's Circuit and SubCircuit with hamcnf.cpmpy, CaDiCaL by pindakaas",
    "cpmpy": "CPMpy's Circuit and SubCircuit with CPMpy's own decompositions, CaDiCaL by pindakaas",
    "ortools-cpmpy": "CPMpy's Circuit as AddCircuit, and CPMpy's decomposition of SubCircuit, OR-tools with one thread",
    "pumpkin": "CPMpy's Circuit, and CPMpy's decomposition of SubCircuit, in pumpkin",
}


def graphs():
    """Yields the graph of each row of the table, with the least number of visited vertices or the greatest cost."""
    import networkx as nx

    for n in (20, 40, 60, 100, 200):
        yield {"graph": f"cubic-{n}", "vertices": n, "arcs": cubic(nx, n)}
    for n in (20, 100):
        choice = random.Random(n)
        order = choice.sample(range(n), n)
        arcs = {(order[k - 1], order[k]) for k in range(n)}
        yield {"graph": f"digraph-{n}", "vertices": n, "arcs": random_arcs(n, arcs, 3 * n, choice)}
    for n in (40, 100):
        yield {"graph": f"subcubic-{n}", "vertices": n, "arcs": cubic(nx, n), "at_least": 9 * n // 10}
    for n, seed, visited in ((40, 2040, (28, 32)), (100, 1100, (70, 80))):
        arcs = random_arcs(n, set(), 5 * n // 2, random.Random(seed))
        for least in visited:
            yield {"graph": f"subdigraph-{n}", "vertices": n, "arcs": arcs, "at_least": least}
    for n, percent in (*((n, percent) for n in (10, 12, 14) for percent in (110, 100)), (10, None), (12, None)):
        choice = random.Random(n)
        towns = [(choice.randrange(1000), choice.randrange(1000)) for _ in range(n)]
        arcs = [(u, v) for u in range(n) for v in range(n) if u != v]
        yield {"graph": f"tsp-{n}", "vertices": n, "arcs": arcs, "towns": towns, "percent": percent}


def cubic(nx, n):
    graph = nx.random_regular_graph(3, n, seed=1)
    return sorted([*graph.edges, *((v, u) for u, v in graph.edges)])


def random_arcs(n, arcs, count, choice):
    """Returns sorted arcs after the addition of random ones."""
    while len(arcs) < count:
        arcs.add(tuple(choice.sample(range(n), 2)))
    return sorted(arcs)


def lengths(graph):
    """Returns the rounded distances of TSPLIB."""
    towns = graph["towns"]
    return {(u, v): int(dist(towns[u], towns[v]) + 0.5) for u, v in graph["arcs"]}


def by_arcs(graph):
    import hamcnf
    from pysat.solvers import Cadical195

    options = {"optional": True, "at_least": graph["at_least"]} if "at_least" in graph else {}
    numbered = {arc: k for k, arc in enumerate(graph["arcs"], 1)}
    circuit = hamcnf.circuit(numbered, vertices=range(graph["vertices"]), **options)
    with Cadical195(bootstrap_with=circuit.clauses) as solver:
        return circuit.cycle(solver.get_model()) if solver.solve() else None


def by_program(graph, bound):
    """Solves the formula of hamcnf encode --max-cost."""
    from pysat.formula import CNF
    from pysat.solvers import Cadical195

    program = [sys.executable, "-m", "hamcnf"]
    with tempfile.TemporaryDirectory() as folder:
        tsp, cnf, answer = (Path(folder) / name for name in ("graph.tsp", "graph.cnf", "answer.txt"))
        towns = "".join(f"{k} {x} {y}\n" for k, (x, y) in enumerate(graph["towns"], 1))
        about = f"TYPE: TSP\nDIMENSION: {graph['vertices']}\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"
        tsp.write_text(about + towns)
        encode = ["encode", "-q", tsp, "-e", "successor+at-most-one=sparing", "--max-cost", str(bound), "-o", cnf]
        subprocess.run([*program, *encode], check=True)
        with Cadical195(bootstrap_with=CNF(from_file=str(cnf))) as solver:
            if not solver.solve():
                return None
            answer.write_text(f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model()))} 0\n")
        tour = subprocess.run([*program, "decode", "-q", cnf, answer], capture_output=True, text=True).stdout
        return [int(word) - 1 for word in tour.splitlines()[-1].split()]


def by_cpmpy(graph, system):
    import cpmpy as cp
    import hamcnf.cpmpy
    from cpmpy.tools.xcsp3.globals import SubCircuit

    if system == "hamcnf-cpmpy":
        hamcnf.cpmpy.use()
    solver = {"ortools-cpmpy": "ortools", "pumpkin": "pumpkin"}.get(system, "pindakaas")
    n = graph["vertices"]
    x = cp.intvar(0, n - 1, shape=n)
    present = set(graph["arcs"])
    constraints = [cp.Circuit(x)]
    if "at_least" in graph:
        present |= {(u, u) for u in range(n)}
        constraints = [SubCircuit(x), cp.sum([x[u] != u for u in range(n)]) >= graph["at_least"]]
    absent = [x[u] != v for u in range(n) for v in range(n) if (u, v) not in present]
    options = {"num_workers": 1} if solver == "ortools" else {}
    if not cp.Model(constraints, absent).solve(solver=solver, **options):
        return None
    return follow({u: int(x[u].value()) for u in range(n)})


def by_ortools(graph, bound=None, minimize=False):
    """Solves a graph without CPMpy. With ``minimize``, finds a shortest tour."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    literals = {arc: model.new_bool_var("") for arc in graph["arcs"]}
    loops = {}
    if "at_least" in graph:
        loops = {(u, u): model.new_bool_var("") for u in range(graph["vertices"])}
        model.add(sum(loops.values()) <= graph["vertices"] - graph["at_least"])
    model.add_circuit([(u, v, literal) for (u, v), literal in (literals | loops).items()])
    if "towns" in graph:
        cost = sum(length * literals[arc] for arc, length in lengths(graph).items())
        model.minimize(cost) if minimize else model.add(cost <= bound)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return follow({u: v for (u, v), literal in literals.items() if solver.boolean_value(literal)})


def follow(successors):
    """Returns the vertices of the circuit, from its first one."""
    order = [next((u for u, v in successors.items() if u != v), 0)]
    while successors[order[-1]] != order[0] and len(order) <= len(successors):
        order.append(successors[order[-1]])
    return order


def cost_of(graph, order):
    return sum(lengths(graph)[arc] for arc in zip(order, order[1:] + order[:1]))


def run(number, system):
    """Solves one graph in this process, and prints the status and the CPU seconds."""
    import cpmpy  # noqa: F401
    import cpmpy.tools.xcsp3.globals  # noqa: F401
    import hamcnf.cpmpy  # noqa: F401
    from ortools.sat.python import cp_model  # noqa: F401

    graph = list(graphs())[int(number)]
    bound = None
    if "towns" in graph:
        best = cost_of(graph, by_ortools(graph, minimize=True))
        bound = best * graph["percent"] // 100 if graph["percent"] else best - 1
    began = seconds_used()
    if system == "hamcnf-arcs":
        order = by_program(graph, bound) if "towns" in graph else by_arcs(graph)
    elif system == "ortools-arcs":
        order = by_ortools(graph, bound)
    else:
        order = by_cpmpy(graph, system)
    seconds = seconds_used() - began
    if order is not None:
        n, present = graph["vertices"], set(graph["arcs"])
        assert len(set(order)) == len(order) and graph.get("at_least", n) <= len(order) <= n
        assert all(arc in present for arc in zip(order, order[1:] + order[:1]))
        assert bound is None or cost_of(graph, order) <= bound
    print("solved" if order is not None else "none", round(seconds, 3))


def seconds_used():
    """Returns the CPU seconds of this process and of the programs that it has run."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT + 5, LIMIT + 5))


def main(target):
    rows = []
    skipped = set()
    for number, graph in enumerate(graphs()):
        kind = (graph["graph"].split("-")[0], graph.get("percent", 100) is None)
        for system in SYSTEMS:
            if "towns" in graph and system not in ("hamcnf-arcs", "ortools-arcs"):
                continue
            status, seconds = one_run(number, system) if (kind, system) not in skipped else ("skipped", None)
            if status == "timeout":
                skipped.add((kind, system))
            row = {"graph": label(graph), "vertices": graph["vertices"], "arcs": len(graph["arcs"]), "system": system}
            rows.append(row | {"status": status, "cpu_seconds": seconds})
            print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    for name in dict.fromkeys(row["graph"] for row in rows):
        answers = {row["status"] for row in rows if row["graph"] == name}
        assert not {"solved", "none"} <= answers, name
    machine = {"processor": platform.machine(), "system": platform.platform(), "python": platform.python_version()}
    versions = {package: version(package) for package in ("cpmpy", "ortools", "pindakaas", "pumpkin-solver", "python-sat")}
    lines = [json.dumps(row) for row in rows]
    about = json.dumps({"machine": machine, "versions": versions})[:-1]
    Path(f"{target}.json").write_text(about + ', "rows": [\n' + ",\n".join(lines) + "\n]}\n")
    Path(f"{target}.md").write_text(table(rows))


def label(graph):
    """Returns the name of a row of the table."""
    if "at_least" in graph:
        return f"{graph['graph']}, at least {graph['at_least']} visited"
    if "towns" in graph:
        return f"{graph['graph']}, " + (f"cost at most {graph['percent']} %" if graph["percent"] else "cost below 100 %")
    return graph["graph"]


def one_run(number, system):
    """Returns the status and the CPU seconds of a new process."""
    command = [sys.executable, __file__, "--run", str(number), system]
    ended = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited)
    if ended.returncode > 0:
        print(ended.stderr[-500:], file=sys.stderr)
        return "failed", None
    if ended.returncode < 0:
        return "timeout", float(LIMIT)
    status, seconds = ended.stdout.split()[-2:]
    return (status, float(seconds)) if float(seconds) <= LIMIT else ("timeout", float(LIMIT))


def table(rows):
    """Returns the rows as Markdown."""
    text = f"# Circuits through CPMpy and beside it\n\nCPU seconds, at most {LIMIT}, by `experiments/circuit_peers.py`.\n\n"
    text += "".join(f"- {system}: {what}\n" for system, what in SYSTEMS.items())
    text += (
        "\nThe graphs are random. A digraph has a hidden circuit, unless it is for subcircuits, which have a least number of\n"
        "vertices. For tours of towns in the plane, the bound of the cost is compared with the optimum. \"none\" is a refutation.\n"
        "After a timeout, a system skips the further rows of the same kind.\n"
        "\nFor tours of bounded cost, the bound is the bottleneck of a SAT solver, not the circuit.\n"
    )
    text += f"\n| graph | {' | '.join(SYSTEMS)} |\n|---|{'---|' * len(SYSTEMS)}\n"
    for graph in dict.fromkeys(row["graph"] for row in rows):
        cells = {row["system"]: row for row in rows if row["graph"] == graph}
        text += f"| {graph} | {' | '.join(shown(cells.get(system)) for system in SYSTEMS)} |\n"
    return text


def shown(row):
    """Returns a cell of the table."""
    if row is None:
        return ""
    if row["status"] in ("solved", "none"):
        return f"{row['cpu_seconds']:.2f}" + (", none" if row["status"] == "none" else "")
    return row["status"]


if __name__ == "__main__":
    if sys.argv[1] == "--run":
        run(*sys.argv[2:])
    else:
        main(sys.argv[1])
