//! Circulant digraphs: `circulant:N:S,T,…`. The vertices are the numbers modulo N. Every vertex i has an arc to i + s
//! for each of the steps s = S, T, ….
//!
//! For digraphs with the two steps 1 and s, a formula gives the number of Hamiltonian cycles. The formula depends on
//! the number of cycles that the arcs of step s form. So these digraphs are test cases for counting.
//!
//! # References
//!
//! - Qing-Fang Yang, Robert E. Burkard, Eranda Çela, Gerhard J. Woeginger: *Hamiltonian Cycles in Circulant Digraphs
//!   with Two Stripes*, Discrete Mathematics 176, 1997.

use super::*;

/// The family of circulant digraphs.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "circulant",
    form: "N:S,T,...",
    example: "circulant:12:1,3",
    says: "digraph with arcs from i to i + S, i + T, ... modulo N",
    make: |words, _| {
        let numbers = words.iter().map(|word| whole(word));
        let numbers = numbers.collect::<Option<Vec<u32>>>().ok_or(Wrong::Form)?;
        let [n, ref steps @ ..] = numbers[..] else {
            return Err(Wrong::Form);
        };
        if steps.is_empty() {
            return Err(Wrong::Form);
        }
        let mut steps = steps.to_vec();
        steps.sort_unstable();
        steps.dedup();
        Ok(Made {
            arguments: [n].iter().chain(&steps).map(u32::to_string).collect(),
            graph: circulant(n, &steps).map_err(Wrong::Graph)?.into(),
            is_asked_in_vain: false,
        })
    },
    ..FamilyKind::NONE
};

fn circulant(n: u32, steps: &[u32]) -> Result<Digraph, NoGraph> {
    let arcs = u64::from(n) * steps.len() as u64;
    refuse(n < 2 || arcs > u64::from(MOST) || !steps.iter().all(|s| (1..n).contains(s)), || {
        format!(
            "N must be at least 2; each step must be from 1 to N - 1; N times the number of steps must be at most {MOST}"
        )
    })?;
    let arcs = (0..n).flat_map(|i| steps.iter().map(move |s| (i, (i + s) % n)));
    Digraph::from_arcs(n, arcs).map_err(NoGraph::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vertex_has_an_arc_for_each_step() {
        let digraph = circulant(7, &[1, 3]).unwrap();
        assert_eq!(digraph.n_arcs(), 14);
        let heads = |v| digraph.successors(crate::graph::Vertex::new(v));
        assert_eq!(heads(5), [1, 6].map(crate::graph::Vertex::new));
        assert!(circulant(7, &[0]).is_err() && circulant(7, &[7]).is_err());
    }
}
