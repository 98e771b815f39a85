#!/usr/bin/env python3
"""Compares `hamcnf filter` with published counts and with other filters. Writes rows with machine and versions as JSON, and a page.

    pip download --no-deps --no-binary :all: pynauty        # contains the sources of nauty: geng and cubhamg
    git clone https://github.com/JarneRenders/K2-Hamiltonian-Graphs
    python experiments/streams.py results/streams --hamcnf hamcnf --geng geng --cubhamg cubhamg --k2 hamiltonicityChecker

The programs are paths or names on the PATH. Counts pipe geng into `hamcnf filter`. Times are CPU seconds, user and system, of the
filter alone, on lists that geng has written before. The filters take turns, five rounds, and each has one thread.
"""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timezone
from pathlib import Path

ROUNDS = 5
COLUMNS = ["part", "class", "graphs", "program", "command", "answer", "published", "cpu_seconds", "wall_seconds"]

# Aldred, McKay and Wormald 1997.
HYPOHAMILTONIAN = {10: 1, 11: 0, 12: 0, 13: 1, 14: 0, 15: 1, 16: 4, 17: 0}
# OEIS A164919, as far as MathWorld cites it (Cubic Nonhamiltonian Graph).
CUBIC = {10: 2, 12: 5, 14: 35, 16: 219, 18: 1666, 20: None}
# OEIS A126149.
CONNECTED = {8: 4921, 9: 83997}

GIRTH5 = "girth at least 5, least degree at least 3"
TRIANGLE_FREE = "2-connected, no triangle, least degree at least 3"
ALL = "2-connected, least degree at least 3"

SEARCHES = (
    [("hypohamiltonian", ALL, f"-C -d3 {n}", HYPOHAMILTONIAN[n]) for n in [10]]
    + [("hypohamiltonian", TRIANGLE_FREE, f"-t -C -d3 {n}", HYPOHAMILTONIAN[n]) for n in range(10, 14)]
    + [("hypohamiltonian", GIRTH5, f"-tf -d3 {n}", HYPOHAMILTONIAN[n]) for n in range(10, 18)]
    + [("not-hamiltonian", "connected", f"-c {n}", CONNECTED[n]) for n in [8, 9]]
    + [("not-hamiltonian", "connected, cubic", f"-c -d3 -D3 {n}", CUBIC[n]) for n in range(10, 20, 2)]
)

# Options of the list that --cubic20 gives.
CUBIC20 = "-c -d3 -D3 20"

# Lists for the comparison of speeds: geng's options, the property, and whether cubhamg reads the list.
LISTS = [
    ("-c -d3 -D3 18", "not-hamiltonian", True),
    ("-c 9", "not-hamiltonian", False),
    ("-t -C -d3 12", "not-hamiltonian", False),
    ("-t -C -d3 12", "hypohamiltonian", False),
    ("-tf -d3 17", "hypohamiltonian", False),
]


def measured(command, source):
    """Runs a command. Returns its output, the number of CPU seconds and the number of wall seconds."""
    with tempfile.TemporaryFile() as out:
        began = time.monotonic()
        child = subprocess.Popen(command, stdin=source, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f"{' '.join(command)}: exit code {child.returncode}")
        out.seek(0)
        return out.read(), usage.ru_utime + usage.ru_stime, wall


def commands(args, kind, cubic):
    """Returns each filter's name and command for a property."""
    found = [("hamcnf filter", [args.hamcnf, "-q", "filter", "--threads", "1", f"--{kind}"])]
    k2 = [args.k2] + (["-1"] if kind == "hypohamiltonian" else [])
    found.append(("hamiltonicityChecker", k2))
    if cubic:
        found.append(("cubhamg", [args.cubhamg]))
    return found


def plain(command):
    """Returns a command without the folder of its program."""
    return " ".join([Path(command[0]).name, *command[1:]])


def searches(args, rows):
    given = [("not-hamiltonian", "connected, cubic", CUBIC20, CUBIC[20])] if args.cubic20 else []
    for kind, of, options, published in list(SEARCHES) + given:
        geng = [args.geng, "-q", *options.split()]
        is_given = options == CUBIC20
        source = subprocess.Popen(["cat", args.cubic20] if is_given else geng, stdout=subprocess.PIPE)
        command = [args.hamcnf, "filter", f"--{kind}", "--count"]
        began = time.monotonic()
        filtering = subprocess.Popen(command, stdin=source.stdout, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        source.stdout.close()
        summary = filtering.stderr.read()
        _, status, usage = os.wait4(filtering.pid, 0)
        if source.wait() != 0 or status != 0:
            sys.exit(f"geng {options} | {plain(command)} failed")
        cpu, wall = usage.ru_utime + usage.ru_stime, time.monotonic() - began
        graphs, answer = map(int, re.search(r"(\d+) graphs? read, (\d+) matching", summary).groups())
        said = f"geng {options} | hamcnf filter --{kind} --count"
        rows.append([kind, of, graphs, "hamcnf filter", said, answer, published, round(cpu, 3), round(wall, 3)])
        print(*rows[-1], sep=", ", file=sys.stderr)


def speeds(args, rows):
    with tempfile.TemporaryDirectory() as folder:
        lists = LISTS + ([(CUBIC20, "not-hamiltonian", True)] if args.cubic20 else [])
        for options, kind, cubic in lists:
            file = Path(folder, "list.g6") if options != CUBIC20 else Path(args.cubic20)
            if options != CUBIC20:
                with file.open("wb") as out:
                    subprocess.run([args.geng, "-q", *options.split()], stdout=out, check=True)
            graphs = file.read_bytes().count(b"\n")
            for _ in range(ROUNDS):
                for name, command in commands(args, kind, cubic):
                    with file.open("rb") as source:
                        text, cpu, wall = measured(command, source)
                    answer = text.count(b"\n")
                    row = ["speed", f"geng {options}", graphs, name, plain(command), answer, None, round(cpu, 3), round(wall, 3)]
                    rows.append(row)
                    print(*row, sep=", ", file=sys.stderr)


def table(heads, lines):
    """Returns a table in Markdown, with numbers to the right."""
    lines = [[str(cell) for cell in line] for line in lines]
    is_number = [all(line[k] == "–" or line[k].replace(".", "").isdigit() for line in lines) for k in range(len(heads))]
    rule = ["-:" if right else "-" for right in is_number]
    return "\n".join("| " + " | ".join(line) + " |" for line in [heads, rule, *lines])


def page(rows, machine):
    counted = [row for row in rows if row[0] != "speed"]
    known = [row for row in counted if row[6] is not None]
    wrong = [row for row in known if row[5] != row[6]]
    lines = [[row[0], row[1], row[4].split(" | ")[0], row[2], row[5], "–" if row[6] is None else row[6], row[7]] for row in counted]
    heads = ["property", "graphs searched", "by", "graphs", "found", "published", "CPU s"]
    verdict = "All numbers are as published." if not wrong else f"{len(wrong)} numbers are not as published."
    fast = []
    kinds = sorted({(row[1], row[4].find("hypo") >= 0 or row[4].endswith("-1")) for row in rows if row[0] == "speed"})
    for of, hypo in kinds:
        of_list = [r for r in rows if r[0] == "speed" and r[1] == of and (r[4].find("hypo") >= 0 or r[4].endswith("-1")) == hypo]
        for name in dict.fromkeys(row[3] for row in of_list):
            own = [row for row in of_list if row[3] == name]
            cpu = statistics.median(float(row[7]) for row in own)
            rate = round(own[0][2] / cpu) if cpu > 0 else ""
            fast.append(["hypohamiltonian" if hypo else "not Hamiltonian", of, own[0][2], name, own[0][5], f"{cpu:.3f}", rate])
    answers = {}
    for row in fast:
        answers.setdefault((row[0], row[1]), set()).add(row[4])
    agree = "The filters agree on every list." if all(len(found) == 1 for found in answers.values()) else "The filters do not agree."
    ratios = []
    for row in fast:
        ours = next(other for other in fast if other[:2] == row[:2])
        if row[3] == "hamiltonicityChecker":
            ratios.append(float(ours[5]) / float(row[5]))
    ratio = f"`hamcnf filter` needs {min(ratios):.1f} to {max(ratios):.1f} times the CPU time of `hamiltonicityChecker`."
    speed_heads = ["property", "list", "graphs", "program", "found", "CPU s", "graphs per CPU second"]
    return f"""# Streams of graphs: hamcnf filter, published counts and other filters

Made by `python experiments/streams.py results/streams`; the raw rows, the machine and the versions are in
[streams.json](streams.json). hamcnf {machine["hamcnf"]} (commit {machine["commit"]}); {machine["processor"]}, \
{machine["processors"]} logical processors; {machine["date"]}, load {machine["load"]} at the start.

## Counts

A hypohamiltonian graph is 3-connected, so its least degree is at least 3. Only the first search covers all graphs of its order. The others
cover the graphs of the class that the table names: their counts agree with the published totals, but they do not prove them again.
Published: hypohamiltonian graphs by Aldred, McKay and Wormald (1997), connected graphs in OEIS A126149, cubic graphs in OEIS A164919
as far as MathWorld cites it; the other filters below confirm the number of cubic graphs on 20 vertices.
{verdict} CPU seconds are those of `hamcnf filter` on all processors; geng is not included.

{table(heads, lines)}

## Speed

Each list is written once by geng. The filters read it in turns, {ROUNDS} rounds, one thread each, and print the graphs that they find. The
table has the median of the CPU seconds of the whole process. `hamiltonicityChecker` is the program of *K2-Hamiltonian Graphs: II*
(Goedgebeur, Renders, Wiener and Zamfirescu), compiled by its own makefile for graphs of up to 64 vertices and for this processor;
`cubhamg` belongs to nauty and reads graphs of degree at most 3. {agree}
{ratio}

{table(speed_heads, fast)}
"""


def here(args):
    version = subprocess.run([args.hamcnf, "graph", "petersen", "--json"], capture_output=True, text=True, check=True)
    build = json.loads(version.stdout)
    model = [line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    memory = int(Path("/proc/meminfo").read_text().split()[1]) / 2**20
    return {
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "processor": model[0],
        "processors": os.cpu_count(),
        "memory_gib": round(memory, 1),
        "system": f"{platform.system()} {platform.release()}",
        "load": round(os.getloadavg()[0], 2),
        "hamcnf": build["version"],
        "commit": build["commit"],
        "programs": {
            "geng, cubhamg": args.nauty_version,
            "hamiltonicityChecker": args.k2_version,
        },
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", help="path of the results without extension")
    parser.add_argument("--hamcnf", default="hamcnf")
    parser.add_argument("--geng", default="geng")
    parser.add_argument("--cubhamg", default="cubhamg")
    parser.add_argument("--k2", default="hamiltonicityChecker")
    parser.add_argument("--nauty-version", default="unknown", help="version for the machine file")
    parser.add_argument("--k2-version", default="unknown", help="commit for the machine file")
    parser.add_argument("--cubic20", help="output of geng -c -d3 -D3 20, which takes minutes")
    args = parser.parse_args()
    machine = here(args)
    rows = []
    speeds(args, rows)
    searches(args, rows)
    Path(f"{args.results}.md").write_text(page(rows, machine))
    lines = ",\n".join("  " + json.dumps(dict(zip(COLUMNS, row))) for row in rows)
    head = json.dumps(machine, indent=1).removesuffix("\n}")
    Path(f"{args.results}.json").write_text(f'{head},\n "rows": [\n{lines}\n ]\n}}\n')


if __name__ == "__main__":
    main()
