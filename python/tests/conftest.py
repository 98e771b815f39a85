"""Code shared by several tests."""

import itertools
import random

import pytest


def cycles(n, edges):
    """Returns the Hamiltonian cycles of a graph on 0..n, each once, as sets of edges. Tries all orders."""
    adjacent = {frozenset(edge) for edge in edges}
    found = set()
    for rest in itertools.permutations(range(1, n)):
        order = (0, *rest)
        moves = [frozenset((order[k - 1], order[k])) for k in range(n)]
        if all(move in adjacent for move in moves):
            found.add(frozenset(moves))
    return found


def paths(n, edges):
    """Returns the Hamiltonian paths in the same way, each in both directions."""
    adjacent = {frozenset(edge) for edge in edges}
    return {
        order
        for order in itertools.permutations(range(n))
        if all(frozenset(move) in adjacent for move in zip(order, order[1:]))
    }


def some_graphs():
    """Yields random graphs of 4 to 7 vertices, without isolated vertices."""
    chosen = random.Random(7)
    while True:
        n = chosen.randint(4, 7)
        pairs = list(itertools.combinations(range(n), 2))
        edges = chosen.sample(pairs, chosen.randint(n, len(pairs)))
        if len(set(itertools.chain(*edges))) == n:
            yield n, edges


@pytest.fixture(params=list(itertools.islice(some_graphs(), 25)), ids=lambda graph: f"{graph[0]}-{len(graph[1])}")
def small(request):
    """Small graph: its number of vertices, and its edges."""
    return request.param
