//! De Bruijn graphs: `de-bruijn:SYMBOLS:LENGTH`. The vertices are all words of the given length over the given number
//! of symbols. Remove the first symbol of a word and append any symbol: an arc leads to each word that results. Loops
//! are left out, because no tour uses them.
//!
//! A Hamiltonian cycle is a de Bruijn sequence, in which every word of this length occurs once. For k symbols and
//! length n, the number of de Bruijn sequences is (k!)^(k^(n−1)) / k^n.
//!
//! # References
//!
//! - Tatyana van Aardenne-Ehrenfest, Nicolaas de Bruijn: *Circuits and Trees in Oriented Linear Graphs*, Simon Stevin
//!   28, 1951.

use super::*;

/// The family of de Bruijn graphs.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "de-bruijn",
    also: &["debruijn"],
    form: "SYMBOLS:LENGTH",
    example: "de-bruijn:2:4",
    says: "de Bruijn graph (digraph)",
    make: |words, _| numbers(words, |[symbols, length]| de_bruijn(symbols, length)),
    ..FamilyKind::NONE
};

fn de_bruijn(symbols: u32, length: u32) -> Result<Digraph, NoGraph> {
    let n = symbols.checked_pow(length);
    let arcs = n.and_then(|n| n.checked_mul(symbols));
    let (Some(n), true) = (n, symbols >= 2 && length >= 1 && arcs.is_some_and(|m| m <= MOST)) else {
        return Err(NoGraph(format!(
            "there must be at least 2 symbols; words must have at least 1 symbol; the graph must have at most {MOST} arcs"
        )));
    };
    let arcs = (0..n).flat_map(|w| (0..symbols).map(move |s| (w, (w * symbols + s) % n)));
    let arcs = arcs.filter(|(tail, head)| tail != head);
    Digraph::from_arcs(n, arcs).map_err(NoGraph::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_overlap_in_all_but_one_symbol() {
        let digraph = de_bruijn(2, 3).unwrap();
        // The loops at the words 000 and 111 are left out.
        assert_eq!((digraph.n_vertices(), digraph.n_arcs()), (8, 14));
        assert_eq!(digraph.successors(crate::graph::Vertex::new(0b101)), [0b010, 0b011].map(crate::graph::Vertex::new));
        assert!(de_bruijn(1, 3).is_err() && de_bruijn(10, 12).is_err());
    }
}
