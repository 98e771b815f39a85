"""Slitherlink: draw one loop along the grid. A number tells how many sides of its square belong to the loop."""

from itertools import combinations, islice
from pathlib import Path

import hamcnf
from pysat.formula import IDPool
from pysat.solvers import Cadical195

PUZZLE = """
..3.2.
2.1.02
....2.
3.23.1
.2....
12..21
"""


def solutions(rows):
    """Yields the loop of each solution, as a list of points (row, column)."""
    pool = IDPool()
    points = [(r, c) for r in range(len(rows) + 1) for c in range(len(rows[0]) + 1)]
    edges = {((r, c), end): pool.id(((r, c), end)) for r, c in points for end in [(r, c + 1), (r + 1, c)] if end in points}
    clauses = []
    for r, row in enumerate(rows):
        for c, clue in enumerate(row):
            if clue != ".":
                a, b, d, e = (r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)
                sides = [edges[a, b], edges[a, d], edges[b, e], edges[d, e]]
                clauses += [[-side for side in more] for more in combinations(sides, int(clue) + 1)]
                clauses += [list(others) for others in combinations(sides, 5 - int(clue))]
    # All points are optional. No clauses about their degrees, 0 or 2, are needed: they are a part of the constraint.
    circuit = hamcnf.circuit(edges, directed=False, optional=True, vpool=pool)
    with Cadical195(bootstrap_with=clauses + circuit.clauses) as solver:
        while solver.solve():
            model = solver.get_model()
            yield circuit.cycle(model)
            # No loop contains another one, so its edges suffice to exclude it.
            solver.add_clause([-edge for edge in set(edges.values()).intersection(model)])


def text(rows, loop):
    lines = [list(line) for row in rows for line in ["· " * len(row) + "·", f" {' '.join(row).replace('.', ' ')} "]]
    lines.append(list(lines[0]))
    for (r, c), (s, d) in zip(loop, loop[1:] + loop[:1]):
        lines[r + s][c + d] = "─" if r == s else "│"
    return "\n".join("".join(line) for line in lines)


def svg(rows, loop):
    clues = [(r, c, clue) for r, row in enumerate(rows) for c, clue in enumerate(row) if clue != "."]
    numbers = "".join(f'<text x="{30 * c + 35}" y="{30 * r + 41}">{clue}</text>' for r, c, clue in clues)
    corners = " ".join(f"{30 * c + 20},{30 * r + 20}" for r, c in loop)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {30 * len(rows[0]) + 40} {30 * len(rows) + 40}" width="400">
<g text-anchor="middle" font-family="sans-serif">{numbers}</g>
<polygon points="{corners}" fill="none" stroke="black" stroke-width="3"/></svg>"""


if __name__ == "__main__":
    rows = PUZZLE.split()
    loop, *others = islice(solutions(rows), 2)
    print(text(rows, loop), "There is another solution." if others else "This is the only solution.", sep="\n")
    Path("slitherlink.svg").write_text(svg(rows, loop))
