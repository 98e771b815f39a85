//! Vertices with one neighbour. A closed tour visits none of them. An open tour visits such a vertex only at an end, so
//! there are at most two, and one besides a given end.

use super::*;

pub(super) const CHECK: Check = Check { kinds: &["one-neighbour", "two-ends"], find };

fn find(instance: &Instance, ends: Endpoints) -> Option<Obstruction> {
    let graph = instance.graph();
    let name = |v| instance.vertex_name(v);
    let mut leaves = graph.vertices().filter(|&v| graph.degree(v) == 1);
    if ends == Endpoints::Closed {
        let leaf = leaves.next()?;
        let sentence = format!("{} has one neighbour, so no closed tour can go through it", name(leaf));
        return Some(Obstruction { kind: "one-neighbour", witness: Witness::Leaves(vec![leaf]), sentence });
    }
    let leaves: Vec<_> = leaves.take(4).collect();
    given_ends(ends).find_map(|(end, given)| {
        let mut others = leaves.iter().copied().filter(|&v| v != end);
        let two = [others.next()?, others.next()?];
        let ([one, other], end) = (two.map(name), given.other);
        let sentence =
            format!("{one} and {other} have one neighbour each, but an open tour can {end} in only one of them");
        Some(Obstruction { kind: "two-ends", witness: Witness::Leaves(two.to_vec()), sentence })
    })
}
