//! Random bipartite graphs with independent edges: `bipartite:LEFT,RIGHT,P:SEED`. Each vertex on the left is joined to
//! each vertex on the right with probability P. The vertices on the left have the lower numbers.
//!
//! A Hamiltonian cycle needs sides of equal size. With `+planted`, the edges of a random Hamiltonian cycle are added.
//! With `+no-cycle`, a random set of more than half of the left vertices keeps only its edges to a random set of right
//! vertices that has one vertex fewer. By Hall's theorem, the graph then has no perfect matching, and hence no
//! Hamiltonian cycle. If the sides differ in size, `+no-cycle` changes nothing.
//!
//! # References
//!
//! - Philip Hall: *On Representatives of Subsets*, Journal of the London Mathematical Society 10, 1935.
//! - Edgar Gilbert: *Random Graphs*, Annals of Mathematical Statistics 30, 1959.

use super::gnp::independent;
use super::*;

/// The family of random bipartite graphs.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "bipartite",
    also: &["glrp"],
    form: "LEFT,RIGHT,P:SEED",
    example: "bipartite:20,20,0.3:7",
    says: "random bipartite graph with edge probability P",
    seeded: true,
    asks: &[Asked::Planted, Asked::NoCycle],
    make: |words, asked| {
        // If the sides differ in size, no Hamiltonian cycle exists anyway, so the setting is dropped.
        let kept = |differ: bool| asked.filter(|&asked| asked != Asked::NoCycle || !differ);
        let made = probable(words, |sides, p, seed| bipartite(sides, p, seed, kept(sides[0] != sides[1])))?;
        Ok(Made { is_asked_in_vain: kept(made.arguments[0] != made.arguments[1]).is_none(), ..made })
    },
    ..FamilyKind::NONE
};

fn bipartite([left, right]: [u32; 2], p: f64, seed: u32, asked: Option<Asked>) -> Result<Graph, NoGraph> {
    let pairs = u64::from(left) * u64::from(right);
    let n = left.checked_add(right).filter(|&n| n <= MOST);
    let (Some(n), 1.., true) = (n, left.min(right), (0.0..=1.0).contains(&p)) else {
        return Err(NoGraph(format!(
            "each side must have at least 1 vertex, both sides together at most {MOST} vertices; P must be from 0 to 1"
        )));
    };
    refuse(pairs as f64 * p > f64::from(MOST), || format!("the graph would have more than {MOST} edges"))?;
    refuse(asked.is_some() && (left != right || left < 2), || {
        "with +planted or +no-cycle, both sides must have the same number of vertices, at least 2".to_owned()
    })?;
    let mut random = relabel::generator(seed);
    let edge = |number: u64| {
        let (i, j) = (number / u64::from(right), number % u64::from(right));
        (i as u32, left + j as u32)
    };
    let mut edges: Vec<_> = independent(pairs, p, &mut random).map(edge).collect();
    let mut hidden = planted::random(seed);
    let order = |random: &mut ChaCha8Rng| relabel::order(left, random);
    match asked {
        Some(Asked::Planted) => {
            let (from, to) = (order(&mut hidden), order(&mut hidden));
            let next = from.iter().cycle().skip(1);
            let there = from.iter().zip(&to);
            let back = next.zip(&to);
            edges.extend(there.chain(back).map(|(&u, &v)| (u, left + v)));
        }
        Some(Asked::NoCycle) => {
            // The set on the left consists of the first `many` vertices in a random order. The set on the right has one
            // vertex fewer.
            let [mut rank, mut other] = [0; 2].map(|_: u32| vec![0; left as usize]);
            for rank in [&mut rank, &mut other] {
                for (k, v) in (0..).zip(order(&mut hidden)) {
                    rank[v as usize] = k;
                }
            }
            let many = left / 2 + 1;
            edges.retain(|&(u, v)| rank[u as usize] >= many || other[(v - left) as usize] < many - 1);
        }
        None => {}
    }
    Graph::from_edges(n, edges).map_err(NoGraph::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_go_from_one_side_to_the_other() {
        for asked in [None, Some(Asked::Planted), Some(Asked::NoCycle)] {
            let graph = bipartite([20, 20], 0.4, 3, asked).unwrap();
            assert_eq!(graph.n_vertices(), 40);
            assert!(graph.arcs().all(|a| (a.tail.number() < 20) != (a.head.number() < 20)));
            let two = graph.vertices().all(|v| graph.degree(v) >= 2);
            assert!(two || asked != Some(Asked::Planted));
        }
        let all = bipartite([3, 5], 1.0, 1, None).unwrap();
        assert_eq!(all.n_edges(), 15);
        assert_eq!(bipartite([3, 5], 0.0, 1, None).unwrap().n_edges(), 0);
        // Three of the four vertices on the left keep two neighbours each; the fourth vertex keeps all four.
        let without = bipartite([4, 4], 1.0, 1, Some(Asked::NoCycle)).unwrap();
        assert_eq!(without.n_edges(), 3 * 2 + 4);
    }

    #[test]
    fn bad_numbers_are_refused() {
        for (sides, p) in [([0, 5], 0.5), ([5, 5], 1.5), ([MOST, 1], 0.1)] {
            assert!(bipartite(sides, p, 1, None).is_err());
        }
        assert!(bipartite([1, 1], 0.5, 1, Some(Asked::Planted)).is_err());
        assert!(bipartite([4, 5], 0.5, 1, Some(Asked::Planted)).is_err());
    }
}
