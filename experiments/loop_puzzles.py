"""Loop puzzles as models with a circuit: found, and proved unique, by `hamcnf solve FILE --unique`.

    python experiments/loop_puzzles.py target/release/hamcnf Slitherlink_dataset.json Masyu_dataset.json results/puzzles

The puzzles are those of SmilingWayne/puzzlekit-dataset (assets/data). Also thins ten large ones: each clue is kept with
probability 75, 50, 25 and 10 %, for three seeds, and one loop is found, in 30 s. These models have further variables, which tell inside from outside. A row has
the kind, the puzzle's name, the share of clues kept and the seed, the status (unique, several, found, timeout, failed) and the CPU
seconds of the process.
"""

import itertools
import json
import platform
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

LARGE = {
    "Slitherlink": ["185_20x30", "364_20x30", "369_30x40", "196_30x40", "60x60_1"],
    "Masyu": ["140_20x36", "330_20x36", "759_30x40", "270_31x45", "760_40x58"],
}
LIMIT = 30
STEPS = [(0, 1), (1, 0), (0, -1), (-1, 0)]


def exactly(number, literals):
    """Clauses: exactly this number of the literals is true."""
    for some in itertools.combinations(literals, number + 1):
        yield [-literal for literal in some]
    for some in itertools.combinations(literals, len(literals) - number + 1):
        yield list(some)


def grid(rows, columns):
    """Variables of the edges between neighbours in a grid of points, by their ends in either order."""
    edges = {}
    for point in itertools.product(range(rows), range(columns)):
        for step in STEPS[:2]:
            other = (point[0] + step[0], point[1] + step[1])
            if other[0] < rows and other[1] < columns:
                edges[point, other] = edges[other, point] = len(edges) // 2 + 1
    return edges


def inside(edges):
    """Clauses: each square between four points of the grid has a variable "inside the loop", and an edge is true if it separates
    inside from outside. They follow from the circuit, but no single vertex shows them."""
    rows, columns = (1 + max(point[k] for edge in edges for point in edge) for k in range(2))
    numbers = itertools.count(len(edges) // 2 + 1)
    squares = {square: next(numbers) for square in itertools.product(range(rows - 1), range(columns - 1))}
    for ((r, c), (s, d)), edge in edges.items():
        if (r, c) < (s, d):
            beside = [(r - 1, c), (r, c)] if r == s else [(r, c - 1), (r, c)]
            literals = [edge, *(squares[square] for square in beside if square in squares)]
            for signs in itertools.product((1, -1), repeat=len(literals)):
                if signs.count(-1) % 2:
                    yield [sign * literal for sign, literal in zip(signs, literals)]


def slitherlink(rows, columns, clues):
    edges, clauses = grid(rows + 1, columns + 1), []
    for (r, c), clue in clues.items():
        corners = [(r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)]
        around = [edges[corners[k - 1], corners[k]] for k in range(4)]
        clauses += exactly(int(clue), around)
    return edges, clauses


def masyu(rows, columns, clues):
    edges, clauses = grid(rows, columns), []

    def edge(point, step):
        return edges.get((point, (point[0] + step[0], point[1] + step[1])))

    for (r, c), clue in clues.items():
        at = [edge((r, c), step) for step in STEPS]
        beyond = [edge((r + step[0], c + step[1]), step) for step in STEPS]
        for here, there in ((0, 2), (1, 3)):
            pair = [literal for literal in (at[here], at[there]) if literal]
            if clue in "b2":
                clauses += exactly(1, pair)
            elif len(pair) < 2:
                clauses += [[-literal] for literal in pair]
            else:
                clauses += [[-pair[0], pair[1]], [pair[0], -pair[1]]]
                if beyond[here] and beyond[there]:
                    clauses.append([-pair[0], -beyond[here], -beyond[there]])
        if clue in "b2":
            clauses += [[-first] + ([second] if second else []) for first, second in zip(at, beyond) if first]
        else:
            clauses.append([literal for literal in at if literal])
    return edges, clauses


def model(edges, clauses):
    """The text of the model."""
    lines = ["c circuit optional"]
    for ((r, c), (s, d)), literal in edges.items():
        if (r, c) < (s, d):
            lines.append(f"c edge {r},{c} {s},{d} {literal}")
    variables = max(len(edges) // 2, *(abs(literal) for clause in clauses for literal in clause))
    lines.append(f"p cnf {variables} {len(clauses)}")
    return "\n".join(lines + [" ".join(map(str, [*clause, 0])) for clause in clauses]) + "\n"


def run(hamcnf, text, options):
    with tempfile.NamedTemporaryFile("w", suffix=".cnf") as file:
        file.write(text)
        file.flush()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ended = subprocess.run([hamcnf, "solve", file.name, "--cpu-limit", str(LIMIT), *options], capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    status = {10: "found", 20: "none", 3: "timeout"}.get(ended.returncode, "failed")
    for line, found in (("c unique", "unique"), ("c not unique", "several")):
        status = found if line in ended.stdout else status
    return {"status": status, "cpu_seconds": round(seconds, 4)}


def main(hamcnf, slitherlinks, masyus, target):
    rows = []
    for kind, file, rules in (("Slitherlink", slitherlinks, slitherlink), ("Masyu", masyus, masyu)):
        puzzles = {}
        for name, puzzle in json.loads(Path(file).read_text())["data"].items():
            size, *lines = puzzle["problem"].split("\n")
            height, width = map(int, size.split()[:2])
            cells = {(r, c): word for r, line in enumerate(lines[:height]) for c, word in enumerate(line.split())}
            puzzles[name] = height, width, {cell: word for cell, word in cells.items() if word not in "-."}
        for name, (height, width, clues) in puzzles.items():
            rows.append({"kind": kind, "puzzle": name} | run(hamcnf, model(*rules(height, width, clues)), ["--unique"]))
        for seed, name, kept in itertools.product(range(3), LARGE[kind], (75, 50, 25, 10)):
            choice = random.Random(f"{kind} {name} {kept} {seed}")
            height, width, clues = puzzles[name]
            thin = {cell: word for cell, word in clues.items() if choice.random() < kept / 100}
            edges, clauses = rules(height, width, thin)
            made = run(hamcnf, model(edges, [*clauses, *inside(edges)]), [])
            rows.append({"kind": kind, "puzzle": name, "kept": kept, "seed": seed} | made)
    lines = [json.dumps(row) for row in rows]
    about = json.dumps({"machine": {"processor": platform.machine(), "system": platform.platform()}})[:-1]
    Path(f"{target}.json").write_text(about + ', "rows": [\n' + ",\n".join(lines) + "\n]}\n")
    Path(f"{target}.md").write_text(table(rows))


def table(rows):
    """Returns sums of the rows as Markdown."""
    text = "# Loop puzzles\n\nCPU seconds of `hamcnf solve FILE --unique`, a process for each puzzle, by `experiments/loop_puzzles.py`.\n\n"
    text += "| puzzles | number | unique | several answers | sum | slowest |\n|---|---|---|---|---|---|\n"
    for kind in LARGE:
        some = [row for row in rows if row["kind"] == kind and "seed" not in row]
        number = [sum(row["status"] == status for row in some) for status in ("unique", "several")]
        seconds = [row["cpu_seconds"] for row in some]
        text += f"| {kind} | {len(some)} | {number[0]} | {number[1]} | {sum(seconds):.1f} | {max(seconds):.2f} |\n"
    text += f"\nThinned puzzles, one loop each, {LIMIT} s:\n\n| seed | number | found | sum | slowest | second |\n|---|---|---|---|---|---|\n"
    for seed in range(3):
        some = [row for row in rows if row.get("seed") == seed]
        seconds = sorted(row["cpu_seconds"] for row in some)
        found = sum(row["status"] == "found" for row in some)
        text += f"| {seed} | {len(some)} | {found} | {sum(seconds):.1f} | {seconds[-1]:.2f} | {seconds[-2]:.2f} |\n"
    return text


if __name__ == "__main__":
    main(*sys.argv[1:])
