//! Cut vertices and bridges, which restrict the tours of a connected graph.
//!
//! If one vertex is removed from a closed tour, a path remains. A graph with a closed tour therefore has no cut vertex.
//! It follows that the graph has no bridge: in a connected graph of three vertices or more, one end of a bridge is a
//! cut vertex.
//!
//! If one vertex is removed from an open tour, at most two paths remain, or one path if the vertex is the start s. We
//! say that a vertex x is *beyond* another vertex v if every path from s to x goes through v. A connected graph with an
//! open tour from s has these properties:
//!
//! 1. s is not a cut vertex.
//! 2. Removing any other vertex leaves at most two parts.
//! 3. Of two cut vertices v and w, one is beyond the other. Suppose not. Then no vertex x is beyond both. To see this,
//!    take a path from s to x on which v, say, is the last of the two vertices. Since v is not beyond w, some path from
//!    s to v avoids w. This path, followed by the rest of the first path, leads to x without w. But the tour reaches
//!    the vertices beyond v only through v, and it cannot come back, since it passes v once. So the tour ends beyond v.
//!    For the same reason the tour ends beyond w. This is a contradiction, because the tour has only one last vertex.
//!
//! If the last vertex is given instead, the reversed tour shows that the same properties hold for it. If no end is given,
//! only condition 2 remains, for all vertices.
//!
//! For a given start, blocks and cut vertices give no further condition. By 1 and 2, every cut vertex is in two blocks,
//! and s is in one.
//! Consider the vertex through which paths from s enter a block. By 3, the block has at most one other cut vertex,
//! since of two such vertices neither would be beyond the other. The block-cut tree is therefore a path B₁ v₁ B₂ v₂ …
//! Bₖ with s in B₁. A tour from s exists if and only if each block has a tour: B₁ from s to v₁, B₂ from v₁ to v₂, and
//! so on, and Bₖ from vₖ₋₁ to any vertex. Now add all missing edges between vertices of the same block. This changes
//! neither the blocks nor the cut vertices, and afterwards the tours of the blocks exist. Hence no other condition on
//! blocks and cut vertices alone is necessary. The same argument holds for closed tours and a graph of one block.
//!
//! If two vertices other than s have one neighbour each, condition 1, 2 or 3 is violated. A check of the degrees finds
//! such vertices without computing blocks.
//!
//! A similar condition holds for several vertices: removing k vertices leaves at most k parts if there is a closed
//! tour, and at most k + 1 parts if there is an open tour. The module [`toughness`](super::toughness) checks this
//! condition. The check comes last and is incomplete.
//!
//! # References
//!
//! - J. Hopcroft and R. Tarjan, *Algorithm 447: efficient algorithms for graph manipulation*, Communications of the ACM
//!   16(6), 1973, 372–378: computation of blocks in linear time, as in [`connectivity`](hamcnf_graph::connectivity).
//! - F. Harary, *Graph Theory*, Addison-Wesley, 1969, chapters 3 and 4: blocks and the block-cut tree.

use super::*;
use hamcnf_graph::connectivity::{Blocks, blocks};

pub(super) const CHECK: Check =
    Check { kinds: &["bridge", "cut-vertex", "cut-start", "cut-last", "three-parts", "two-far-sides"], find };

fn find(instance: &Instance, ends: Endpoints) -> Option<Obstruction> {
    let graph = instance.graph();
    let name = |v| instance.vertex_name(v);
    if ends == Endpoints::Closed {
        let blocks = blocks(graph, instance.start());
        let bridges = blocks.bridges().map(|(a, b)| [a.min(b), a.max(b)]);
        if let Some(bridge) = bridges.min() {
            let edge = if instance.squares().is_some() { "move" } else { "edge" };
            let [one, other] = bridge.map(name);
            let only = "is the only one between two parts of the graph, but a closed tour needs two";
            let sentence = format!("the {edge} between {one} and {other} {only}");
            // No vertex has only one neighbour, so both ends are cut vertices.
            return Some(Obstruction { kind: "bridge", witness: Witness::Parts(vec![bridge[0]]), sentence });
        }
        let v = blocks.cut_vertices().next()?;
        let but = format!("a closed tour would have to pass {} once for each part", name(v));
        return Some(Obstruction::parts("cut-vertex", "", vec![v], instance, &but));
    }
    let three_parts = |blocks: &Blocks| {
        let v = graph.vertices().find(|&v| blocks.with(v) >= 3)?;
        let but = format!("an open tour passes {} once, so the tour can visit only two of them", name(v));
        Some(Obstruction::parts("three-parts", "", vec![v], instance, &but))
    };
    if ends == Endpoints::ANYWHERE {
        return three_parts(&blocks(graph, Vertex::new(0)));
    }
    given_ends(ends).find_map(|(end, given)| {
        let blocks = blocks(graph, end);
        if blocks.is_cut_vertex(end) {
            let but = format!("an open tour can {} only one of them", given.visits);
            return Some(Obstruction::parts(given.cut, given.name, vec![end], instance, &but));
        }
        three_parts(&blocks).or_else(|| far_sides(instance, &blocks, &given))
    })
}

/// Returns two disjoint far sides: sets of vertices that can be reached from the given end only through one vertex. The
/// blocks must come from a search that begins at the given end. The first vertex of a block is its entry. All other cut
/// vertices of the block lead away from the given end. A block with two of them excludes open tours.
fn far_sides(instance: &Instance, blocks: &Blocks, given: &End) -> Option<Obstruction> {
    let mut two = blocks.iter().filter_map(|block| {
        let mut onwards = block[1..].iter().filter(|&&v| blocks.is_cut_vertex(v));
        Some([*onwards.next()?, *onwards.next()?])
    });
    let mut through = two.next()?;
    through.sort_unstable();
    let name = |v: Vertex| instance.vertex_name(v);
    let beyond = |v: Vertex| blocks.iter().find(|block| block[0] == v).map(|entered| name(entered[1]));
    let ([a, b], [beyond_a, beyond_b]) = (through.map(name), [beyond(through[0])?, beyond(through[1])?]);
    let End { way, other, .. } = given;
    let paths = format!("every path {way} {beyond_a} goes through {a} and every path {way} {beyond_b} through {b}");
    let sentence = format!("{paths}, but an open tour can {other} beyond only one of {a} and {b}");
    Some(Obstruction { kind: "two-far-sides", witness: Witness::FarSides(through), sentence })
}
