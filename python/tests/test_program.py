"""Tests of proofs, experiments, and the program."""

import subprocess
import sys

import hamcnf
import networkx as nx
import pandas as pd
import pytest

EXPERIMENT = """
title = "Two boards"
time_limit = 20
questions = ["6x6", "5x5"]
methods = ["auto", "binary", "exact"]
"""


@pytest.mark.parametrize("ending", ["drat", "drat.gz", "pbp"])
def test_proofs_are_checked(tmp_path, ending):
    file = tmp_path / f"proof.{ending}"
    assert hamcnf.solve("4x6", proof=file) is None
    assert "steps from the clauses of" in hamcnf.verify("4x6", file)
    # Only VeriPB's format names the question. In other formats, the steps do not follow from another graph's clauses.
    words = 'is about "4x6"' if ending == "pbp" else 'clauses of the encoding "precedence": step 1 .* does not follow'
    with pytest.raises(hamcnf.NotVerified, match=words):
        hamcnf.verify("4x8", file)


def test_proofs_of_graphs_from_python(tmp_path):
    file = tmp_path / "proof.lrat"
    graph = nx.petersen_graph()
    assert hamcnf.solve(graph, method="binary", proof=file) is None
    assert hamcnf.verify(graph, file, encoding="binary").startswith("lrat: ")
    with pytest.raises(hamcnf.NotVerified, match='clauses of the encoding "precedence": .*encoding='):
        hamcnf.verify(graph, file)
    graph.add_edge(0, 2)
    with pytest.raises(hamcnf.NotVerified, match='clauses of the encoding "binary": '):
        hamcnf.verify(graph, file, encoding="binary")
    with pytest.raises(hamcnf.Error, match="cannot read"):
        hamcnf.verify(graph, tmp_path / "none.drat")


def test_certificates_are_written_and_checked(tmp_path):
    file = tmp_path / "reason.cert"
    assert hamcnf.solve(hamcnf.Board(9, 9), proof=file) is None
    assert hamcnf.verify("9x9", file).startswith("colours: ")
    graph = nx.petersen_graph()
    answer = hamcnf.answer(graph, proof=tmp_path / "petersen.cert.gz")
    assert answer.status == "no-tour"
    assert hamcnf.verify(graph, tmp_path / "petersen.cert.gz")
    with pytest.raises(hamcnf.Error, match="number="):
        hamcnf.answer("5x6", "binary", number=3, proof=tmp_path / "three.cert")
    tour = tmp_path / "tour.cert"
    assert hamcnf.solve("5x6", proof=tour)
    assert not tour.exists()


def test_what_is_counted_has_a_clausal_proof(tmp_path):
    file = tmp_path / "9x9.drat"
    assert hamcnf.solve("9x9", proof=file, timeout=20) is None
    assert file.stat().st_size < 1_000_000
    assert "precedence" in hamcnf.verify("9x9", file)


def test_certificates_of_the_program_are_checked(tmp_path):
    file = tmp_path / "9x9.cert"
    done = program("solve", "9x9", "-q", "--proof", str(file))
    assert done.returncode == 20, done
    assert hamcnf.verify(hamcnf.Board(9, 9), file).startswith("colours: ")
    with pytest.raises(hamcnf.Error, match="an encoding can be given only for"):
        hamcnf.verify("9x9", file, encoding="binary")


def test_an_experiment_becomes_a_table(tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(EXPERIMENT.replace(', "exact"', ""))
    rows = hamcnf.run(file)
    table = pd.DataFrame(rows)
    assert list(table["status"]) == ["tour", "tour", "no-tour", "no-tour"]
    assert table["wall_seconds"].dtype == float and rows.faults == [] and "Two boards" in rows.report
    kept = hamcnf.run(file, tmp_path / "results")
    assert (tmp_path / "results" / "small.csv").exists() and len(kept) == 4
    file.write_text(EXPERIMENT.replace("auto", "autto"))
    with pytest.raises(hamcnf.Error, match="small.toml"):
        hamcnf.run(file)
    with pytest.raises(hamcnf.Error, match="cannot read"):
        hamcnf.run(tmp_path / "none.toml")


def program(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "hamcnf", *arguments], capture_output=True, text=True, timeout=60
    )


def test_the_program_is_there_too():
    assert program("solve", "6x6", "-q").returncode == 10
    assert program("count", "6x6").stdout.startswith("6x6: 9862 closed tours")
    wrong = program("solve", "0x6")
    assert wrong.returncode == 2 and wrong.stderr.startswith("hamcnf: board 0x6 has no squares: ")
    assert hamcnf.__version__ in program("--version").stdout
