"""Masyu: draw one loop through squares of the grid. At a black pearl it turns, and it is straight in the squares before and
after it. At a white pearl it is straight, and it turns in the square before or after it."""

from itertools import islice
from pathlib import Path

import hamcnf
from pysat.formula import IDPool
from pysat.solvers import Cadical195

PUZZLE = """
...○.●
○.....
......
.○.●..
.○○.○.
......
"""


def solutions(rows):
    """Yields the loop of each solution, as a list of squares (row, column)."""
    pool = IDPool()
    squares = {(r, c): pearl for r, row in enumerate(rows) for c, pearl in enumerate(row)}
    edges = {((r, c), end): pool.id(((r, c), end)) for r, c in squares for end in [(r, c + 1), (r + 1, c)] if end in squares}
    outside = pool.id("outside")  # is false, and stands for the edges that would leave the grid
    clauses = [[-outside]]

    def edge(r, c, down, right):
        return edges.get(tuple(sorted([(r, c), (r + down, c + right)])), outside)

    for (r, c), pearl in squares.items():
        for down, right in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
            ahead, after = edge(r, c, down, right), edge(r + down, c + right, down, right)
            behind, before = edge(r, c, -down, -right), edge(r - down, c - right, -down, -right)
            if pearl == "●":  # one of two opposite edges, and the edge that goes straight on from there
                clauses += [[ahead, behind], [-ahead, -behind], [-ahead, after]]
            if pearl == "○":  # both or none of two opposite edges, and not straight on at both ends
                clauses += [[-ahead, behind], [ahead, edge(r, c, right, down)], [-ahead, -after, -before]]
    # All squares are optional. The clauses above make the loop visit the pearls.
    circuit = hamcnf.circuit(edges, directed=False, optional=True, vpool=pool)
    with Cadical195(bootstrap_with=clauses + circuit.clauses) as solver:
        while solver.solve():
            model = solver.get_model()
            yield circuit.cycle(model)
            # No loop contains another one, so its edges suffice to exclude it.
            solver.add_clause([-edge for edge in set(edges.values()).intersection(model)])


def text(rows, loop):
    lines = [list(line) for row in rows for line in [" ".join(row).replace(".", "·"), " " * (2 * len(row) - 1)]][:-1]
    for (r, c), (s, d) in zip(loop, loop[1:] + loop[:1]):
        lines[r + s][c + d] = "─" if r == s else "│"
    return "\n".join("".join(line) for line in lines)


def svg(rows, loop):
    pearls = [(r, c, pearl) for r, row in enumerate(rows) for c, pearl in enumerate(row) if pearl != "."]
    circle = '<circle cx="{}" cy="{}" r="10" fill="{}"/>'
    circles = [circle.format(30 * c + 20, 30 * r + 20, "black" if pearl == "●" else "white") for r, c, pearl in pearls]
    corners = " ".join(f"{30 * c + 20},{30 * r + 20}" for r, c in loop)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {30 * len(rows[0]) + 10} {30 * len(rows) + 10}" width="400">
<g stroke="black">{"".join(circles)}</g>
<polygon points="{corners}" fill="none" stroke="steelblue" stroke-width="3"/></svg>"""


if __name__ == "__main__":
    rows = PUZZLE.split()
    loop, *others = islice(solutions(rows), 2)
    print(text(rows, loop), "There is another solution." if others else "This is the only solution.", sep="\n")
    Path("masyu.svg").write_text(svg(rows, loop))
