"""Numberlink: join equal numbers by paths through neighbouring squares. The paths do not cross, and cover all squares."""

from itertools import islice
from pathlib import Path

import hamcnf
from pysat.formula import IDPool
from pysat.solvers import Cadical195

PUZZLE = """
13....
....4.
2.....
..3...
....4.
...21.
"""


def solutions(rows):
    """Yields the paths of each solution, one for each number, as lists of squares (row, column)."""
    pool = IDPool()
    squares = {(r, c): number for r, row in enumerate(rows) for c, number in enumerate(row)}
    numbers = sorted(set(squares.values()) - {"."})
    starts, ends = zip(*([square for square in squares if squares[square] == number] for number in numbers))
    moves = [((r, c), end) for r, c in squares for end in [(r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)] if end in squares]
    arcs = {(u, v): pool.id((u, v)) for u, v in moves if u not in ends and v not in starts}
    # Arcs that are always true lead from the end of each path to the start of the next, so that the paths become parts of
    # one circuit. Without the circuit, squares that no path visits could form loops.
    joins = {(ends[k - 1], starts[k]): True for k in range(len(numbers))}
    circuit = hamcnf.circuit({**arcs, **joins}, vpool=pool)
    # A path could still lead from one number to another one. So each start hands its number on along the arcs.
    clauses = []
    for number in numbers:
        has = {square: pool.id((square, number)) for square in squares}
        clauses += [[-arc, -has[u], has[v]] for (u, v), arc in arcs.items()]
        clauses += [[has[square] if squares[square] == number else -has[square]] for square in starts + ends]
    with Cadical195(bootstrap_with=clauses + circuit.clauses) as solver:
        while solver.solve():
            model = solver.get_model()
            order = circuit.cycle(model)
            at = order.index(starts[0])
            order = order[at:] + order[:at]
            yield [order[order.index(start) : order.index(end) + 1] for start, end in zip(starts, ends)]
            solver.add_clause([-arc for arc in set(arcs.values()).intersection(model)])


def text(rows, paths):
    lines = [list(line) for row in rows for line in [" ".join(row).replace(".", "·"), " " * (2 * len(row) - 1)]][:-1]
    for path in paths:
        for (r, c), (s, d) in zip(path, path[1:]):
            lines[r + s][c + d] = "─" if r == s else "│"
    return "\n".join("".join(line) for line in lines)


def svg(rows, paths):
    numbers = [(r, c, number) for r, row in enumerate(rows) for c, number in enumerate(row) if number != "."]
    texts = "".join(f'<text x="{30 * c + 20}" y="{30 * r + 26}">{number}</text>' for r, c, number in numbers)
    points = [" ".join(f"{30 * c + 20},{30 * r + 20}" for r, c in path) for path in paths]
    lines = "".join(f'<polyline points="{line}" stroke="hsl({360 * k // len(paths)} 60% 75%)"/>' for k, line in enumerate(points))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {30 * len(rows[0]) + 10} {30 * len(rows) + 10}" width="400">
<g fill="none" stroke-width="12">{lines}</g>
<g text-anchor="middle" font-family="sans-serif">{texts}</g></svg>"""


if __name__ == "__main__":
    rows = PUZZLE.split()
    paths, *others = islice(solutions(rows), 2)
    print(text(rows, paths), "There is another solution." if others else "This is the only solution.", sep="\n")
    Path("numberlink.svg").write_text(svg(rows, paths))
