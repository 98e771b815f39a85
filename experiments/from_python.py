#!/usr/bin/env python3
"""Compares hamcnf in Python with other packages. Writes rows with machine and versions as JSON.

    pip install ./python networkx python-sat numpy
    python experiments/from_python.py results/python.json

Each row is one way to answer one question, run three times, each time in a separate process. Seconds are wall seconds from the
networkx graph to the answer, without imports. After 20 s a run counts as unanswered. This script checks the cycles edge by edge.
"""

import itertools
import json
import multiprocessing
import platform
import statistics
import sys
import time
from datetime import datetime, timezone

LIMIT = 20.0
RUNS = 3


def random_cubic():
    import networkx as nx

    return nx.random_regular_graph(3, 1000, seed=7)


def board():
    import networkx as nx

    moves = [(1, 2), (2, 1), (-1, 2), (-2, 1)]
    squares = set(itertools.product(range(30), range(30)))
    graph = nx.Graph()
    for x, y in sorted(squares):
        graph.add_edges_from(((x, y), (x + a, y + b)) for a, b in moves if (x + a, y + b) in squares)
    return graph


def small_board():
    return board().subgraph(itertools.product(range(6), range(6))).copy()


GRAPHS = {"random cubic, 1000 vertices": random_cubic, "knight 30x30": board, "knight 6x6": small_board}


def is_cycle(graph, cycle):
    steps = zip(cycle, cycle[1:] + cycle[:1])
    return len(cycle) == len(set(cycle)) == len(graph) and all(graph.has_edge(*step) for step in steps)


def hamcnf_solve(graph):
    import hamcnf

    return hamcnf.solve(graph)


def hamcnf_encode_pysat(graph):
    import hamcnf
    from pysat.solvers import Cadical195

    formula = hamcnf.encode(graph, "successor+parity+two-cycles")
    cnf, _, _ = formula.to_pysat()
    with Cadical195(bootstrap_with=cnf) as solver:
        solver.solve()
        return formula.tour(solver.get_model())


def hamcnf_relaxed_pysat(graph):
    return hamcnf_cuts_pysat(graph, "relaxed")


def hamcnf_edges_pysat(graph):
    return hamcnf_cuts_pysat(graph, "edges")


def hamcnf_cuts_pysat(graph, encoding):
    import hamcnf
    from pysat.solvers import Cadical195

    formula = hamcnf.encode(graph, encoding)
    cnf, _, _ = formula.to_pysat()
    with Cadical195(bootstrap_with=cnf) as solver:
        while True:
            solver.solve()
            model = solver.get_model()
            cuts = formula.cuts(model)
            if not cuts:
                return formula.tour(model)
            for cut in cuts:
                solver.add_clause(cut)


def pysat_positions(graph):
    """The textbook's n² variables, with PySAT's own at-most-one."""
    from pysat.card import CardEnc, EncType
    from pysat.formula import CNF, IDPool
    from pysat.solvers import Cadical195

    pool = IDPool()
    vertices = list(graph)
    at = [[pool.id((v, k)) for k in range(len(vertices))] for v in vertices]
    cnf = CNF()
    for group in itertools.chain(at, zip(*at)):
        group = list(group)
        cnf.append(group)
        cnf.extend(CardEnc.atmost(group, 1, vpool=pool, encoding=EncType.seqcounter).clauses)
    for v in vertices:
        for k in range(len(vertices)):
            after = (k + 1) % len(vertices)
            cnf.append([-pool.id((v, k))] + [pool.id((w, after)) for w in graph[v]])
    with Cadical195(bootstrap_with=cnf) as solver:
        solver.solve()
        true = {abs(literal) for literal in solver.get_model() if literal > 0}
    place = {k: v for row, v in zip(at, vertices) for k, variable in enumerate(row) if variable in true}
    return [place[k] for k in range(len(vertices))]


def pysat_cuts(graph):
    """Two edges at each vertex, and a cut for each cycle that is too short: the usual notebook."""
    import networkx as nx
    from pysat.card import CardEnc, EncType
    from pysat.formula import IDPool
    from pysat.solvers import Cadical195

    pool = IDPool()

    def variable(a, b):
        return pool.id(frozenset((a, b)))

    for edge in graph.edges:
        variable(*edge)
    with Cadical195() as solver:
        for v in graph:
            edges = [variable(v, w) for w in graph[v]]
            solver.append_formula(CardEnc.equals(edges, 2, vpool=pool, encoding=EncType.seqcounter).clauses)
        while solver.solve():
            true = {literal for literal in solver.get_model() if literal > 0}
            chosen = nx.Graph(edge for edge in graph.edges if variable(*edge) in true)
            cycles = list(nx.connected_components(chosen))
            if len(cycles) == 1:
                return [a for a, _ in nx.find_cycle(chosen)]
            for cycle in cycles:
                solver.add_clause([variable(*edge) for edge in nx.edge_boundary(graph, cycle)])


def networkx_search(graph):
    """Depth first, the neighbour with the fewest ways on before the others."""
    first = next(iter(graph))
    path, seen = [first], {first}

    def ways(v):
        return sum(w not in seen for w in graph[v])

    stack = [iter(sorted(graph[first], key=ways))]
    while stack:
        v = next(stack[-1], None)
        if v is None:
            stack.pop()
            seen.discard(path.pop())
        elif v not in seen:
            path.append(v)
            seen.add(v)
            if len(path) == len(graph) and graph.has_edge(v, first):
                return path
            stack.append(iter(sorted((w for w in graph[v] if w not in seen), key=ways)))


def hamcnf_count(graph):
    import hamcnf

    return hamcnf.count(graph)


def pysat_enumerate(graph):
    """Each cycle found and forbidden; of 9862 on the 6x6 board."""
    from pysat.card import CardEnc, EncType
    from pysat.formula import IDPool
    from pysat.solvers import Cadical195
    import networkx as nx

    pool = IDPool()

    def variable(a, b):
        return pool.id(frozenset((a, b)))

    edges = {variable(*edge): edge for edge in graph.edges}
    count = 0
    with Cadical195() as solver:
        for v in graph:
            around = [variable(v, w) for w in graph[v]]
            solver.append_formula(CardEnc.equals(around, 2, vpool=pool, encoding=EncType.seqcounter).clauses)
        while solver.solve():
            true = [literal for literal in solver.get_model() if literal > 0 and literal in edges]
            cycles = list(nx.connected_components(nx.Graph(edges[literal] for literal in true)))
            if len(cycles) == 1:
                count += 1
                solver.add_clause([-literal for literal in true])
            else:
                for cycle in cycles:
                    solver.add_clause([variable(*edge) for edge in nx.edge_boundary(graph, cycle)])
    return count


SOLVE = [
    hamcnf_solve,
    hamcnf_encode_pysat,
    hamcnf_relaxed_pysat,
    hamcnf_edges_pysat,
    pysat_cuts,
    pysat_positions,
    networkx_search,
]


def one(way, name, out):
    # Imports are not timed.
    import hamcnf  # noqa: F401
    import networkx  # noqa: F401
    import pysat.card  # noqa: F401
    import pysat.solvers  # noqa: F401

    graph = GRAPHS[name]()
    begun = time.perf_counter()
    answer = way(graph)
    seconds = time.perf_counter() - begun
    if isinstance(answer, int):
        out.put((seconds, answer))
    else:
        out.put((seconds, "a cycle" if is_cycle(graph, list(answer)) else "NO CYCLE"))


def timed(way, name):
    seconds, answers = [], set()
    for _ in range(RUNS):
        out = multiprocessing.Queue()
        child = multiprocessing.Process(target=one, args=(way, name, out))
        child.start()
        try:
            took, answer = out.get(timeout=LIMIT)
        except Exception:
            child.kill()
            return {"question": name, "way": way.__name__, "seconds": [], "answer": f"none after {LIMIT:.0f} s"}
        child.join()
        seconds.append(round(took, 4))
        answers.add(answer)
    assert len(answers) == 1, answers
    return {"question": name, "way": way.__name__, "seconds": seconds, "answer": answers.pop()}


def calls():
    """What a call takes beside its work, and a million clauses."""
    import hamcnf

    board = hamcnf.Board(8, 8)
    each = []
    for _ in range(500):
        begun = time.perf_counter()
        hamcnf.solve(board)
        wall = time.perf_counter() - begun
        each.append(1000 * wall)
    inside = [1000 * hamcnf.answer(board, "auto").record["wall_seconds"] for _ in range(500)]
    yield {
        "question": "knight 8x8, closed",
        "way": "solve, 500 calls",
        "median_ms": round(statistics.median(each), 4),
        "median_ms_inside": round(statistics.median(inside), 4),
    }
    for _ in range(RUNS):
        begun = time.perf_counter()
        cnf, _, _ = hamcnf.encode(hamcnf.Board(10, 10), "direct").to_pysat()
        seconds = time.perf_counter() - begun
        yield {
            "question": "direct of 10x10 to PySAT",
            "way": "to_pysat",
            "clauses": len(cnf.clauses),
            "seconds": [round(seconds, 4)],
        }


def main():
    import hamcnf
    import networkx
    import pysat

    rows = list(calls())
    for name in ("random cubic, 1000 vertices", "knight 30x30", "knight 6x6"):
        rows += [timed(way, name) for way in SOLVE]
    rows += [timed(way, "knight 6x6") for way in (hamcnf_count, pysat_enumerate)]
    result = {
        "command": "python experiments/from_python.py results/python.json",
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "hamcnf": hamcnf.__version__,
        "networkx": networkx.__version__,
        "python-sat": pysat.__version__,
        "limit_seconds": LIMIT,
        "machine": platform.platform(),
        "processors": multiprocessing.cpu_count(),
        "rows": rows,
    }
    text = json.dumps(result, indent=1)
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w") as file:
            file.write(text + "\n")
    for row in rows:
        print(row)


if __name__ == "__main__":
    main()
