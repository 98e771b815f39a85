#!/usr/bin/env python3
"""Finds the graphs of a public set of random graphs on 14 vertices that have no Hamiltonian cycle, and proves it for each of them.

    git clone https://github.com/Joeri1324/Universally-Hard-Hamiltonian-Cycle-Problem-Instances
    python experiments/random14.py FOLDER/src/main/resources/indexed-14-node-test-set results/random14 --hamcnf hamcnf

The set belongs to Sleegers and van den Berg, "Universally Hard Hamiltonian Cycle Problem Instances", 2022: 91001 random graphs
in JSON, 1000 for most numbers of edges from 0 to 91. `hamcnf filter` finds those without a Hamiltonian cycle. `hamcnf compare` runs the
methods `prove+by=certificate` and `prove` on each of these, in separate processes; both check the proof that they have written. Writes
rows per number of edges with machine and version as JSON, and a page.
"""

import argparse
import csv
import json
import os
import platform
import subprocess
import tempfile
from collections import Counter
from datetime import datetime, timezone
from pathlib import Path

N = 14
METHODS = {"certificate": "prove+by=certificate", "DRAT": "prove"}


def graph6(graph):
    """Returns a graph of the set in graph6, and its number of edges."""
    edges = {tuple(sorted(end["id"] for end in edge["endpoints"])) for edge in graph["edges"]}
    bits = "".join("1" if (u, v) in edges else "0" for v in range(1, N) for u in range(v))
    bits += "0" * (-len(bits) % 6)
    return chr(63 + N) + "".join(chr(63 + int(bits[at : at + 6], 2)) for at in range(0, len(bits), 6)), len(edges)


def filtered(hamcnf, lines):
    """Returns the set of those lines whose graphs have no Hamiltonian cycle."""
    text = "\n".join(lines) + "\n"
    command = [hamcnf, "-q", "filter", "--not-hamiltonian"]
    return set(subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.split())


def proved(hamcnf, lines):
    """Returns a row for each graph and method."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "graphs.g6")
        file.write_text("\n".join(lines) + "\n")
        command = [hamcnf, "-q", "compare", str(file), "--methods", ",".join(METHODS.values()), "--format", "csv"]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return list(csv.DictReader(text.splitlines()))


def metric(row, name):
    return int(dict(entry.split("=", 1) for entry in row["statistics"].split())[name])


def counted(hamcnf, folder):
    """Returns the rows: one for each number of edges."""
    of_edges = {}
    for file in folder.glob("*.json"):
        line, m = graph6(json.loads(file.read_text()))
        of_edges.setdefault(m, []).append(line)
    rows, reasons = [], Counter()
    for m, lines in sorted(of_edges.items()):
        none = filtered(hamcnf, lines)
        asked = [line for line in lines if line in none]
        row = {"edges": m, "graphs": len(lines), "without_cycle": len(asked)}
        answers = proved(hamcnf, asked) if asked else []
        for name, method in METHODS.items():
            own = [answer for answer in answers if answer["method"] == method]
            done = [answer for answer in own if answer["status"] == "no-tour"]
            row[f"{name}_proofs"] = len(done)
            row[f"{name}_bytes"] = max((metric(answer, "proof.bytes") for answer in done), default=0)
            row[f"{name}_seconds"] = max((float(answer["cpu_seconds"]) for answer in done), default=0.0)
            if name == "certificate":
                reasons.update(answer["message"] for answer in done)
        row["conflicts"] = max((metric(answer, "proof.conflicts") for answer in answers if answer["method"] == METHODS["DRAT"]), default=0)
        rows.append(row)
        print(*row.values(), sep=", ", flush=True)
    return rows, dict(reasons.most_common())


def here(hamcnf):
    build = json.loads(subprocess.run([hamcnf, "graph", "petersen", "--json"], capture_output=True, text=True, check=True).stdout)
    model = [line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    return {
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "processor": model[0],
        "processors": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "load": round(os.getloadavg()[0], 2),
        "hamcnf": build["version"],
        "commit": build["commit"],
    }


def page(rows, reasons, machine):
    total, none = sum(row["graphs"] for row in rows), sum(row["without_cycle"] for row in rows)
    heads = ["edges", "graphs", "without a cycle", "certificates", "greatest, bytes", "DRAT proofs", "greatest, bytes", "most conflicts"]
    bands = [(low, min(low + 4, 91)) for low in range(0, 92, 5)]
    lines = []
    for low, high in bands:
        own = [row for row in rows if low <= row["edges"] <= high]
        if not sum(row["without_cycle"] for row in own):
            continue
        sums = [sum(row[key] for row in own) for key in ("graphs", "without_cycle", "certificate_proofs")]
        certificate = max(row["certificate_bytes"] for row in own)
        drat, size = sum(row["DRAT_proofs"] for row in own), max(row["DRAT_bytes"] for row in own)
        lines.append([f"{low} to {high}", *sums, certificate, drat, size, max(row["conflicts"] for row in own)])
    table = ["| " + " | ".join(heads) + " |", "|" + "-:|" * len(heads)]
    table += ["| " + " | ".join(map(str, line)) + " |" for line in lines]
    said = "\n".join(f"- {name}: {number}" for name, number in reasons.items())
    proofs = {name: sum(row[f"{name}_proofs"] for row in rows) for name in METHODS}
    slowest = max(max(row["certificate_seconds"], row["DRAT_seconds"]) for row in rows)
    for name, number in proofs.items():
        if number != none:
            raise SystemExit(f"{number} of {none} graphs without a Hamiltonian cycle have a {name} proof")
    return f"""# Random graphs on 14 vertices: a proof for every graph without a Hamiltonian cycle

Made by `python experiments/random14.py`; the rows are in [random14.json](random14.json). hamcnf {machine["hamcnf"]} \
(commit {machine["commit"]}); {machine["processor"]}, {machine["processors"]} logical processors; {machine["date"]}, \
load {machine["load"]} at the start.

The graphs are those of Sleegers and van den Berg, *Universally Hard Hamiltonian Cycle Problem Instances* (2022). They published as data
the random graphs and not the graphs that they evolved. Of {total} graphs, {none} have no Hamiltonian cycle. Of these,
{proofs["certificate"]} have a certificate and {proofs["DRAT"]} a DRAT proof that hamcnf wrote and checked. The slowest process took
{slowest:.3f} s of CPU.

{chr(10).join(table)}

Reasons of the certificates:

{said}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", type=Path, help="folder of the graphs in JSON")
    parser.add_argument("results", help="path of the results without extension")
    parser.add_argument("--hamcnf", default="hamcnf")
    args = parser.parse_args()
    machine = here(args.hamcnf)
    rows, reasons = counted(args.hamcnf, args.graphs)
    lines = ",\n".join("  " + json.dumps(row) for row in rows)
    head = json.dumps({**machine, "reasons": reasons}, indent=1).removesuffix("\n}")
    Path(f"{args.results}.json").write_text(f'{head},\n "rows": [\n{lines}\n ]\n}}\n')
    Path(f"{args.results}.md").write_text(page(rows, reasons, machine))


if __name__ == "__main__":
    main()
