//! Named snarks: `snark:NAME`. A snark is a cubic graph without bridges whose edges cannot be coloured with three
//! colours. A snark has no Hamiltonian cycle: otherwise the edges of the cycle could be coloured alternately with two
//! colours, and all other edges with the third colour.
//!
//! - `blanusa-1` and `blanusa-2`, of 18 vertices: the two dot products of the Petersen graph with itself. Two edges ab
//!   and cd without a common vertex are removed from the first copy, and two adjacent vertices x and y from the second
//!   copy. Then a and b are joined to the other neighbours of x, and c and d to the other neighbours of y. In
//!   `blanusa-2`, an edge of the first copy joins a or b to c or d; in `blanusa-1`, no edge does.
//! - `double-star`, of 30 vertices: two halves of 15 vertices, each numbered from 0 to 14. If i is divisible by three,
//!   vertex i is joined to i ± 1 and to vertex i of the other half. If i has remainder one, vertex i is joined to i + 1
//!   and i + 10 in the first half, and to i + 4 and i + 7 in the second half. All sums are modulo 15.
//!
//! The graphs are written in sparse6; tests check their girth, colours and symmetries. [`flower`] is an infinite family of
//! further snarks.
//!
//! # References
//!
//! - Danilo Blanuša: *Problem četiriju boja*, Glasnik matematičko-fizički i astronomski 1, 1946.
//! - Rufus Isaacs: *Infinite Families of Nontrivial Trivalent Graphs Which Are Not Tait Colorable*, American
//!   Mathematical Monthly 82, 1975.

use super::named::Notation::{self, Sparse6};
use super::*;

/// The family of named snarks.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "snark",
    form: "blanusa-1|blanusa-2|double-star",
    example: "snark:blanusa-1",
    says: "named snark: cubic, no Hamiltonian cycle",
    asks: &[Asked::NoCycle],
    make: |words, _| {
        let name = words.join("-").to_ascii_lowercase();
        let (_, notation) = SNARKS.iter().find(|(own, _)| *own == name).ok_or(Wrong::Form)?;
        notation.made(name)
    },
    ..FamilyKind::NONE
};

const SNARKS: [(&str, Notation); 3] = [
    ("blanusa-1", Sparse6(r":Qa@a_B_`aDdEcEFbi_J`giLjLMkMN")),
    ("blanusa-2", Sparse6(r":Qa@c?B_`aDbDEcEFai_J`biLjLMkMN")),
    ("double-star", Sparse6(r":]_`abcdaEfgdH`IjgK_CL_nqBPqoeStoRhVpWrUkYpSZnUX")),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the girth, which is the length of a shortest cycle.
    fn girth(graph: &Graph) -> u32 {
        let through = |arc: crate::graph::Arc| {
            let edges = graph.arcs().map(|other| (other.tail, other.head));
            let edge = [(arc.tail, arc.head), (arc.head, arc.tail)];
            let others = edges.filter(|other| !edge.contains(other));
            let others = others.map(|(u, v)| (u.number(), v.number()));
            let without = Graph::from_edges(graph.n_vertices(), others).unwrap();
            without.distances(arc.tail)[arc.head.index()].map(|length| length + 1)
        };
        graph.arcs().filter_map(through).min().unwrap()
    }

    /// Colours the remaining edges with three colours, the most constrained edge first. Returns false if this is
    /// impossible.
    fn coloured(edges: &[(Vertex, Vertex)], colours: &mut Vec<Option<u8>>) -> bool {
        let next_to = |k: usize, l: &usize| {
            let ((a, b), (c, d)) = (edges[k], edges[*l]);
            k != *l && (a == c || a == d || b == c || b == d)
        };
        let taken = |k: usize, colours: &[Option<u8>]| {
            let others = (0..edges.len()).filter(|l| next_to(k, l));
            others.filter_map(|l| colours[l]).fold(0u8, |all, colour| all | 1 << colour)
        };
        let open = (0..edges.len()).filter(|&k| colours[k].is_none());
        let Some(edge) = open.max_by_key(|&k| taken(k, colours).count_ones()) else {
            return true;
        };
        let taken = taken(edge, colours);
        (0..3).filter(|colour| taken & 1 << colour == 0).any(|colour| {
            colours[edge] = Some(colour);
            coloured(edges, colours) || {
                colours[edge] = None;
                false
            }
        })
    }

    fn has_three_colours(graph: &Graph) -> bool {
        let arcs = graph.arcs().filter(|arc| arc.tail < arc.head);
        let edges: Vec<_> = arcs.map(|arc| (arc.tail, arc.head)).collect();
        // The colours can be permuted, so the three edges at the first vertex can be given the colours 0, 1 and 2.
        let mut colours = vec![None; edges.len()];
        for (colour, edge) in (0..3).zip(&mut colours) {
            *edge = Some(colour);
        }
        coloured(&edges, &mut colours)
    }

    /// Returns the number of automorphisms that map the first vertices of `order` to `images`, in the same order.
    fn automorphisms(graph: &Graph, order: &[Vertex], images: &mut Vec<Vertex>) -> u32 {
        if images.len() == order.len() {
            return 1;
        }
        let v = order[images.len()];
        let fits = |w: &Vertex| {
            let before = order.iter().zip(images.iter());
            let mut before = before.map(|(&u, &x)| graph.arc(v, u).is_some() == graph.arc(*w, x).is_some());
            !images.contains(w) && before.all(|same| same)
        };
        let all: Vec<Vertex> = graph.vertices().filter(fits).collect();
        let mut ways = 0;
        for w in all {
            images.push(w);
            ways += automorphisms(graph, order, images);
            images.pop();
        }
        ways
    }

    #[test]
    fn they_are_the_snarks_of_these_names() {
        // Columns: graph source, number of vertices, number of automorphisms.
        for (word, n, symmetries) in [
            ("petersen", 10, 120),
            ("snark:blanusa-1", 18, 8),
            ("snark:blanusa-2", 18, 4),
            ("flower:5", 20, 20),
            ("snark:double-star", 30, 80),
        ] {
            let graph: Family = word.parse().unwrap();
            let graph = graph.graph().undirected().unwrap();
            assert_eq!((graph.n_vertices(), graph.n_edges()), (n, n / 2 * 3), "{word}");
            assert!(graph.vertices().all(|v| graph.degree(v) == 3), "{word}");
            assert!(girth(graph) >= 5, "{word}");
            assert!(!has_three_colours(graph), "{word}");
            let mut order: Vec<_> = graph.vertices().collect();
            let distances = graph.distances(Vertex::new(0));
            order.sort_by_key(|v| distances[v.index()]);
            assert_eq!(automorphisms(graph, &order, &mut Vec::new()), symmetries, "{word}");
        }
        let other: Family = "petersen:7:2".parse().unwrap();
        assert!(has_three_colours(other.graph().undirected().unwrap()));
    }
}
