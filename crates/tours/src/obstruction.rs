//! Obstructions: simple reasons why an instance has no tour. The checks find them without searching for tours.
//!
//! A cycle enters and leaves every vertex, and a path enters and leaves every vertex except its two ends. If every move
//! changes colour, like a knight's move, the tour visits the two colours alternately. If removing a vertex leaves
//! several parts, a tour visits at most two of them, because it passes the vertex once. It visits only one part if the
//! vertex is an end of the tour. Checks of these properties take linear time and can save a long search: on a board
//! with an odd number of squares, a search for a closed tour would try every path first. In this module, *parts* are
//! the connected components that remain after removing vertices.
//!
//! # Conditions on cut vertices
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
//! For a given start, blocks and cut vertices give no further condition. By 1 and 2, every cut vertex is in two blocks, and s is in one.
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
//! tour, and at most k + 1 parts if there is an open tour. The module [`toughness`] checks this condition. The check
//! comes last and is incomplete.
//!
//! # Conditions on reachability
//!
//! A closed tour leads from every vertex to every other. Of two vertices of an open tour, the first leads to the second.
//! So for any two vertices, a path leads from one of them to the other, and from the given first vertex to all vertices,
//! and from all vertices to the given last vertex. To check this for all pairs, number the strongly connected components
//! of the digraph so that arcs between components lead from greater to lesser numbers. If an arc leads from each
//! component to the next, all pairs satisfy the condition. If not, no path leads from the vertices of one such component
//! to those of the next, because it could go through no component between them, and none leads back.
//!
//! # References
//!
//! - J. Hopcroft and R. Tarjan, *Algorithm 447: efficient algorithms for graph manipulation*, Communications of the ACM
//!   16(6), 1973, 372–378: computation of blocks in linear time, as in [`connectivity`].
//! - F. Harary, *Graph Theory*, Addison-Wesley, 1969, chapters 3 and 4: blocks and the block-cut tree.

pub mod moves;
pub mod toughness;

use crate::endpoints::Endpoints;
use crate::instance::{Instance, TourKind};
use hamcnf_graph::connectivity::{self, Blocks};
use hamcnf_graph::digraph::Digraph;
use hamcnf_graph::graph::{Graph, Vertex};
use hamcnf_graph::names::and_more;

pub use moves::MoveConflict;
pub use toughness::Separator;

/// Reason why an instance has no tour.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Obstruction {
    /// No path leads from the first vertex to the second, but every tour has such a path.
    OutOfReach {
        /// First vertex of the missing path.
        from: Vertex,
        /// Last vertex of the missing path.
        to: Vertex,
    },
    /// No path leads from one of the vertices to the other, or back, but in an open tour one comes before the other.
    Unordered(Vertex, Vertex),
    /// The vertex has only one neighbour, but a closed tour enters and leaves every vertex.
    OneNeighbour(Vertex),
    /// Two vertices other than the given end have one neighbour each, but only one of them can be the other end of an
    /// open tour.
    TwoEnds {
        /// One of the two vertices.
        one: Vertex,
        /// The other vertex.
        other: Vertex,
        /// End of the tour that is given.
        given: End,
    },
    /// The graph is bipartite, and the sizes of its two colour classes exclude tours of this kind.
    Colours {
        /// Number of vertices that have the start's colour.
        like_start: u32,
        /// Number of vertices of the other colour.
        other: u32,
        /// Kind of tour.
        kind: TourKind,
    },
    /// The graph is bipartite, and the sizes of its two colour classes exclude open tours with these ends.
    EndColours {
        /// Number of vertices that have the colour of the first given end. If no end is given, this is the size of the
        /// larger colour class.
        one: u32,
        /// Number of vertices of the other colour.
        other: u32,
        /// First and last vertex of the tour; `None` for an end that may be any vertex.
        ends: [Option<Vertex>; 2],
    },
    /// The edge between these two vertices is a bridge: it is the only edge between two parts of the graph, but a
    /// closed tour needs two.
    Bridge(Vertex, Vertex),
    /// Removing this vertex leaves several parts. A closed tour would have to pass the vertex once for each part.
    CutVertex(CutVertex),
    /// Removing a given end leaves several parts. An open tour leaves its start and enters its end only once, so it can
    /// visit only one part.
    CutEnd(CutVertex, End),
    /// Removing this vertex leaves three or more parts. An open tour passes the vertex only once, so it visits at most
    /// two parts.
    ThreeParts(CutVertex),
    /// Two far sides ([`FarSide`]) are disjoint. An open tour would have to end in both of them, or to begin in both of
    /// them if its last vertex is given.
    TwoFarSides {
        /// One of the two far sides.
        one: FarSide,
        /// The other far side.
        other: FarSide,
        /// End of the tour that is given.
        given: End,
    },
    /// Removing these vertices leaves more parts than a tour can visit.
    ManyParts(Separator),
    /// Forced and forbidden moves contradict each other.
    Moves(MoveConflict),
    /// The tours must have a symmetry that no tour has. The value is the reason.
    Symmetry(String),
}

/// End of an open tour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// First vertex of the tour.
    First,
    /// Last vertex of the tour.
    Last,
}

/// A vertex whose removal leaves several parts (connected components).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CutVertex {
    /// Vertex to remove.
    pub vertex: Vertex,
    /// Number of parts that remain after removing the vertex.
    pub parts: u32,
    /// One vertex of each part, in increasing order; only three vertices if there are more than three parts.
    pub beside: Vec<Vertex>,
}

/// The far side of the vertex `through`: the vertices that can be reached from the given end of the tour only through
/// this vertex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FarSide {
    /// Vertex that separates the far side from the given end.
    pub through: Vertex,
    /// One vertex of the far side, as an example.
    pub beyond: Vertex,
}

/// Names of the kinds of obstructions.
pub const KINDS: [&str; 13] = [
    "out-of-reach",
    "one-neighbour",
    "two-ends",
    "colours",
    "bridge",
    "cut-vertex",
    "cut-start",
    "cut-last",
    "three-parts",
    "two-far-sides",
    "many-parts",
    "moves",
    "symmetry",
];

impl Obstruction {
    /// Returns the name of the obstruction's kind. The names are stable, so programs can rely on them.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::OutOfReach { .. } | Self::Unordered(..) => "out-of-reach",
            Self::OneNeighbour(_) => "one-neighbour",
            Self::TwoEnds { .. } => "two-ends",
            Self::Colours { .. } | Self::EndColours { .. } => "colours",
            Self::Bridge(..) => "bridge",
            Self::CutVertex(_) => "cut-vertex",
            Self::CutEnd(_, End::First) => "cut-start",
            Self::CutEnd(_, End::Last) => "cut-last",
            Self::ThreeParts(_) => "three-parts",
            Self::TwoFarSides { .. } => "two-far-sides",
            Self::ManyParts(_) => "many-parts",
            Self::Moves(_) => "moves",
            Self::Symmetry(_) => "symmetry",
        }
    }

    /// Describes the obstruction for messages, with the vertex names of the instance. The obstruction must have been
    /// found in this instance, or in another instance with the same vertices.
    #[must_use]
    pub fn said(&self, instance: &Instance) -> String {
        let name = |v: &Vertex| instance.vertex_name(*v);
        let (place, edge) = if instance.squares().is_some() { ("board", "move") } else { ("graph", "edge") };
        // Says that the graph falls into parts if the vertices named in `of` are removed.
        let parts = |of: String, parts: usize, beside: &[Vertex]| {
            let beside = and_more(beside.iter().map(name).collect(), parts, 3);
            format!("without {of} the {place} falls into {parts} parts, with {beside} in different parts")
        };
        let cut =
            |of: &str, cut: &CutVertex| parts(format!("{of}{}", name(&cut.vertex)), cut.parts as usize, &cut.beside);
        match self {
            Self::OutOfReach { from, to } => format!("no path leads from {} to {}", name(from), name(to)),
            Self::Unordered(one, other) => {
                let (one, other) = (name(one), name(other));
                format!("a path leads neither from {one} to {other} nor from {other} to {one}")
            }
            Self::OneNeighbour(v) => format!("{} has one neighbour, so no closed tour can go through it", name(v)),
            Self::TwoEnds { one, other, given } => {
                let (one, other, end) = (name(one), name(other), given.opposite());
                format!("{one} and {other} have one neighbour each, but an open tour can {end} in only one of them")
            }
            Self::Colours { like_start, other, kind } => {
                let more = if *kind == TourKind::Open { ", or one more of the start's colour" } else { "" };
                let (have, tour) = (vertices_have(*like_start), a_tour(*kind));
                format!(
                    "every move changes colour; {have} the start's colour and {other} the other colour, \
                     but {tour} tour visits the same number of each{more}"
                )
            }
            Self::EndColours { one, other, ends } => {
                let have = vertices_have(*one);
                let classes =
                    |colour: String| format!("every move changes colour; {have} {colour} and {other} the other colour");
                let fits = "but an open tour visits the same number of each, or one more of";
                match [ends[0].map(|v| name(&v)), ends[1].map(|v| name(&v))] {
                    [Some(from), Some(to)] => {
                        let classes = classes(format!("the colour of {from}"));
                        format!("{classes}, so an open tour from {from} cannot end in {to}")
                    }
                    [None, None] => format!("{}, {fits} one colour", classes("one colour".to_owned())),
                    [Some(end), None] | [None, Some(end)] => {
                        format!("{}, {fits} the colour of its ends", classes(format!("the colour of {end}")))
                    }
                }
            }
            Self::Bridge(one, other) => format!(
                "the {edge} between {} and {} is the only one between two parts of the graph, but a closed tour needs two",
                name(one),
                name(other)
            ),
            Self::CutVertex(at) => {
                let vertex = name(&at.vertex);
                format!("{}, but a closed tour would have to pass {vertex} once for each part", cut("", at))
            }
            Self::CutEnd(at, given) => {
                let (end, way) = if *given == End::First { ("start", "go to") } else { ("end", "come from") };
                format!("{}, but an open tour can {way} only one of them", cut(&format!("the {end} "), at))
            }
            Self::ThreeParts(at) => {
                let vertex = name(&at.vertex);
                let once = format!("but an open tour passes {vertex} once");
                format!("{}, {once}, so the tour can visit only two of them", cut("", at))
            }
            Self::TwoFarSides { one, other, given } => {
                let way = if *given == End::First { "to" } else { "from" };
                let [a, b] = [one, other].map(|side| name(&side.through));
                let [beyond_a, beyond_b] = [one, other].map(|side| name(&side.beyond));
                let end = given.opposite();
                format!(
                    "every path {way} {beyond_a} goes through {a} and every path {way} {beyond_b} through {b}, but an open \
                     tour can {end} beyond only one of {a} and {b}"
                )
            }
            Self::ManyParts(Separator { vertices, beside, visited }) => {
                let without = and_more(vertices.iter().map(name).collect(), vertices.len(), 6);
                let (parts, tour) = (parts(without, beside.len(), beside), a_tour(instance.kind()));
                format!("{parts}, but {tour} tour could visit only {visited} of them")
            }
            Self::Moves(conflict) => conflict.said(instance),
            Self::Symmetry(why) => why.clone(),
        }
    }
}

impl End {
    /// Returns the verb for the other end of the tour.
    const fn opposite(self) -> &'static str {
        match self {
            Self::First => "end",
            Self::Last => "begin",
        }
    }
}

/// Returns a number of vertices with the verb "to have".
fn vertices_have(number: u32) -> String {
    match number {
        1 => "1 vertex has".to_owned(),
        _ => format!("{number} vertices have"),
    }
}

/// Returns the kind with its article, to be followed by "tour".
const fn a_tour(kind: TourKind) -> &'static str {
    match kind {
        TourKind::Closed => "a closed",
        TourKind::Open => "an open",
    }
}

/// Returns an obstruction that excludes all tours of the instance with these ends, if a check finds one. `None` does not
/// mean that a tour exists. The start of the instance plays no role if the ends do not name it.
///
/// An obstruction of the tours without the constraints is one of the tours with them, since a constraint only excludes
/// tours. The cheapest checks come first: contradictory moves, symmetry, reachability, degrees, colours, blocks. The
/// check of sets of vertices comes last, and only in graphs without too many edges.
#[must_use]
pub fn obstruction(instance: &Instance, ends: Endpoints) -> Option<Obstruction> {
    let graph = instance.graph();
    if ends.given().any(|end| end.number() >= instance.n()) {
        return None;
    }
    if let Some(conflict) = moves::conflict(instance, ends) {
        return Some(Obstruction::Moves(conflict));
    }
    // Two opposite arcs are a closed tour of a digraph.
    if ends == Endpoints::Closed && instance.is_directed() && instance.n() == 2 {
        return None;
    }
    asymmetry(instance)
        .or_else(|| unreachable(instance, ends))
        .or_else(|| degrees(graph, ends))
        .or_else(|| colours(instance, ends))
        .or_else(|| match ends {
            Endpoints::Closed => of_closed_tours(&connectivity::blocks(graph, instance.start())),
            Endpoints::Open { .. } => of_open_tours(graph, ends),
        })
        .or_else(|| toughness::separator(instance, ends).map(Obstruction::ManyParts))
}

/// Returns an obstruction if the tours must have a symmetry, and fixed vertices or colours exclude it.
fn asymmetry(instance: &Instance) -> Option<Obstruction> {
    let mut symmetries = instance.constraints().iter().filter_map(|c| c.symmetry());
    let why = symmetries.find_map(|s| s.obstruction(instance.facts(), instance.kind()));
    why.map(Obstruction::Symmetry)
}

/// Returns two vertices if every tour has a path between them that the digraph lacks.
fn unreachable(instance: &Instance, ends: Endpoints) -> Option<Obstruction> {
    let digraph = instance.digraph();
    let without = |distances: &[Option<u32>]| {
        let mut vertices = digraph.vertices();
        vertices.find(|v| distances[v.index()].is_none())
    };
    let start = instance.start();
    let distances = |from| match from == start {
        true => without(instance.distances()),
        false => without(&digraph.distances(from)),
    };
    let distances_to = |to| match to == start {
        true => without(instance.distances_to()),
        false => without(&digraph.distances_to(to)),
    };
    let (from, to) = match ends {
        Endpoints::Closed => (Some(start), Some(start)),
        // Reachability from any vertex decides whether an undirected graph is connected.
        Endpoints::Open { from: None, to: None } if !instance.is_directed() => (Some(start), None),
        Endpoints::Open { from, to } => (from, to),
    };
    let from_start = from.and_then(|from| Some(Obstruction::OutOfReach { from, to: distances(from)? }));
    let is_path = ends != Endpoints::Closed && instance.is_directed();
    from_start
        .or_else(|| to.and_then(|to| Some(Obstruction::OutOfReach { from: distances_to(to)?, to })))
        .or_else(|| if is_path { unordered(digraph) } else { None })
}

/// Returns two vertices of a digraph such that no path leads from one to the other, or back.
fn unordered(digraph: &Digraph) -> Option<Obstruction> {
    let successor = |v, k: usize| digraph.successors(v).get(k).copied();
    let parts = connectivity::strong_components(digraph.n_vertices(), successor);
    let mut part_of = vec![0; digraph.n_vertices() as usize];
    for (k, part) in parts.iter().enumerate() {
        part.iter().for_each(|v| part_of[v.index()] = k);
    }
    let apart = (1..parts.len()).find(|&k| {
        let mut successors = parts[k].iter().flat_map(|&v| digraph.successors(v));
        !successors.any(|v| part_of[v.index()] == k - 1)
    })?;
    let one = *parts[apart].iter().min()?;
    let other = *parts[apart - 1].iter().min()?;
    Some(Obstruction::Unordered(one.min(other), one.max(other)))
}

/// Returns the given ends of open tours.
fn given_ends(ends: Endpoints) -> impl Iterator<Item = (Vertex, End)> {
    let (from, to) = match ends {
        Endpoints::Closed => (None, None),
        Endpoints::Open { from, to } => (from, to),
    };
    let from = from.map(|v| (v, End::First));
    from.into_iter().chain(to.map(|v| (v, End::Last)))
}

/// Returns vertices with one neighbour if they exclude tours.
fn degrees(graph: &Graph, ends: Endpoints) -> Option<Obstruction> {
    let mut leaves = graph.vertices().filter(|&v| graph.degree(v) == 1);
    if ends == Endpoints::Closed {
        return leaves.next().map(Obstruction::OneNeighbour);
    }
    let leaves: Vec<_> = leaves.take(4).collect();
    given_ends(ends).find_map(|(end, given)| {
        let mut others = leaves.iter().copied().filter(|&v| v != end);
        let (one, other) = (others.next()?, others.next()?);
        Some(Obstruction::TwoEnds { one, other, given })
    })
}

/// Returns an obstruction if the graph is bipartite and the sizes of its two colour classes exclude a tour. The graph
/// must be connected.
///
/// A closed tour alternates between the colours, so it visits equally many vertices of both. A path of N vertices
/// alternates, too. If N is even, the path has equally many vertices of both colours, and its ends differ in colour. If N
/// is odd, both ends have the same colour, and the path has one more vertex of this colour. If the result is `None`, tours
/// may exist or not.
fn colours(instance: &Instance, ends: Endpoints) -> Option<Obstruction> {
    let (start, odd) = (instance.start(), instance.odd()?);
    let (ends, kind) = match ends {
        Endpoints::Closed => ([Some(start), None], TourKind::Closed),
        Endpoints::Open { from, to } => ([from, to], TourKind::Open),
    };
    let odds = odd.iter().filter(|&&odd| odd).count() as u32;
    let evens = instance.n() - odds;
    let is_odd = |v: Vertex| odd[v.index()];
    let (one, other) = if ends[0].or(ends[1]).map_or(odds > evens, is_odd) { (odds, evens) } else { (evens, odds) };
    let most = if kind == TourKind::Open { 1 } else { 0 };
    let more = one.checked_sub(other).filter(|&more| more <= most);
    if more.is_none() && ends[0] == Some(start) {
        return Some(Obstruction::Colours { like_start: one, other, kind });
    }
    let differ = ends[0].zip(ends[1]).map(|(from, to)| is_odd(from) != is_odd(to));
    let fits = more.is_some_and(|more| differ.is_none_or(|differ| differ == (more == 0)));
    (!fits).then_some(Obstruction::EndColours { one, other, ends })
}

fn cut(blocks: &Blocks, vertex: Vertex) -> CutVertex {
    let mut beside: Vec<_> = blocks.parts_without(vertex).take(3).collect();
    beside.sort_unstable();
    CutVertex { vertex, parts: blocks.with(vertex), beside }
}

/// Returns a bridge or a cut vertex if the graph has one. Either excludes closed tours.
fn of_closed_tours(blocks: &Blocks) -> Option<Obstruction> {
    let bridges = blocks.bridges().map(|(a, b)| (a.min(b), a.max(b)));
    if let Some((one, other)) = bridges.min() {
        return Some(Obstruction::Bridge(one, other));
    }
    let vertex = blocks.cut_vertices().next()?;
    Some(Obstruction::CutVertex(cut(blocks, vertex)))
}

/// Returns an obstruction if a vertex cuts off too many parts, or if the block-cut tree is not a path that begins in the
/// block of a given end.
fn of_open_tours(graph: &Graph, ends: Endpoints) -> Option<Obstruction> {
    let three_parts = |blocks: &Blocks| {
        let vertex = graph.vertices().find(|&v| blocks.with(v) >= 3)?;
        Some(Obstruction::ThreeParts(cut(blocks, vertex)))
    };
    if ends == Endpoints::ANYWHERE {
        return three_parts(&connectivity::blocks(graph, Vertex::new(0)));
    }
    given_ends(ends).find_map(|(end, given)| {
        let blocks = connectivity::blocks(graph, end);
        if blocks.is_cut_vertex(end) {
            return Some(Obstruction::CutEnd(cut(&blocks, end), given));
        }
        three_parts(&blocks).or_else(|| far_sides(&blocks, given))
    })
}

/// Returns two disjoint far sides. The blocks must come from a search that begins at the given end. The first vertex of a
/// block is its entry. All other cut vertices of the block lead away from the given end. A block with two of them
/// excludes open tours.
fn far_sides(blocks: &Blocks, given: End) -> Option<Obstruction> {
    let mut two = blocks.iter().filter_map(|block| {
        let mut onwards = block[1..].iter().filter(|&&v| blocks.is_cut_vertex(v));
        Some((*onwards.next()?, *onwards.next()?))
    });
    let (one, other) = two.next()?;
    let (one, other) = (one.min(other), one.max(other));
    let beyond = |through: Vertex| {
        let entered = blocks.iter().find(|block| block[0] == through)?;
        Some(FarSide { through, beyond: entered[1] })
    };
    let (one, other) = (beyond(one)?, beyond(other)?);
    Some(Obstruction::TwoFarSides { one, other, given })
}

#[cfg(test)]
mod tests {
    use super::moves::tests::{constrained, has_tour as has_constrained_tour};
    use super::*;
    use crate::board::Board;
    use hamcnf_graph::connectivity::components;
    use hamcnf_graph::graph::strategy::graphs;
    use proptest::prelude::*;

    fn on_board(board: &str, kind: TourKind, start: &str) -> Instance {
        let board: Board = board.parse().unwrap();
        let start = board.square(start).unwrap();
        Instance::on_board(board, kind, start).unwrap()
    }

    fn on_graph(graph: Graph, kind: TourKind, start: u32) -> Instance {
        Instance::on_graph("graph", graph, kind, Vertex::new(start)).unwrap()
    }

    /// Returns an instance with these edges. Their ends are numbered from 1; messages use the same numbers.
    fn of_edges(kind: TourKind, start: u32, edges: &[(u32, u32)]) -> Instance {
        let n = edges.iter().map(|&(a, b)| a.max(b)).max().unwrap();
        let graph = Graph::from_edges(n, edges.iter().map(|&(a, b)| (a - 1, b - 1)));
        on_graph(graph.unwrap(), kind, start - 1)
    }

    /// Returns the obstruction of the tours that the instance describes by itself.
    fn of(instance: &Instance) -> Option<Obstruction> {
        obstruction(instance, Endpoints::of(instance))
    }

    #[test]
    fn closed_tours_of_digraphs_come_back() {
        let arcs = [(0, 1), (1, 2), (2, 1), (1, 0), (0, 3), (1, 3)];
        let digraph = hamcnf_graph::Digraph::from_arcs(4, arcs).unwrap();
        let said = |kind, start| {
            let start = Vertex::new(start);
            let instance = Instance::on_digraph("graph", digraph.clone(), kind, start).unwrap();
            let found = of(&instance)?;
            Some(found.said(&instance).to_string())
        };
        let is = |text: &str| Some(text.to_owned());
        assert_eq!(said(TourKind::Closed, 0), is("no path leads from 4 to 1"));
        assert_eq!(said(TourKind::Closed, 3), is("no path leads from 4 to 1"));
        assert_eq!(said(TourKind::Open, 2), None);
    }

    #[test]
    fn each_is_found_and_said() {
        use TourKind::{Closed, Open};
        // Triangles that share vertices: two triangles share 3, three triangles share 3 and 5, or n triangles share 1.
        let two = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 3)];
        let three = [two.as_slice(), &[(5, 6), (6, 7), (7, 5)]].concat();
        let windmill = |n| -> Vec<_> {
            let blades = (0..n).map(|k| 2 * k + 2);
            blades.flat_map(|a| [(1, a), (a, a + 1), (a + 1, 1)]).collect()
        };
        // A triangle whose three vertices each belong to another triangle as well.
        let round =
            [[(1, 2), (2, 3), (3, 1)], [(1, 4), (4, 5), (5, 1)], [(2, 6), (6, 7), (7, 2)], [(3, 8), (8, 9), (9, 3)]]
                .concat();
        let barbell = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 6), (6, 4)];
        // Three hubs that are joined to each other, and triangles. The three corners of each triangle are joined to
        // different hubs.
        let with_triangles = |n| -> Vec<_> {
            let triangles = (0..n).map(|k| 3 * k + 4);
            let edges = triangles.flat_map(|a| {
                let inside = [(a, a + 1), (a + 1, a + 2), (a + 2, a)];
                [inside, [(1, a), (2, a + 1), (3, a + 2)]].concat()
            });
            edges.chain([(1, 2), (2, 3), (3, 1)]).collect()
        };
        let (hubs, more_hubs) = (with_triangles(4), with_triangles(5));
        for (instance, kind, said) in [
            (on_board("3x3", Closed, "a1"), "out-of-reach", "no path leads from a1 to b2"),
            (
                of_edges(Closed, 1, &[(1, 2), (2, 3)]),
                "one-neighbour",
                "1 has one neighbour, so no closed tour can go through it",
            ),
            (
                of_edges(Open, 2, &[(1, 2), (2, 3)]),
                "two-ends",
                "1 and 3 have one neighbour each, but an open tour can end in only one of them",
            ),
            (
                on_board("5x5", Closed, "a1"),
                "colours",
                "every move changes colour; 13 vertices have the start's colour and 12 the other colour, but a closed \
                 tour visits the same number of each",
            ),
            (
                on_board("5x5", Open, "b1"),
                "colours",
                "every move changes colour; 12 vertices have the start's colour and 13 the other colour, but an open \
                 tour visits the same number of each, or one more of the start's colour",
            ),
            (
                of_edges(Closed, 1, &barbell),
                "bridge",
                "the edge between 3 and 4 is the only one between two parts of the graph, but a closed tour needs two",
            ),
            (
                of_edges(Closed, 4, &two),
                "cut-vertex",
                "without 3 the graph falls into 2 parts, with 1 and 4 in different parts, but a closed tour would have to pass 3 once for each part",
            ),
            (
                of_edges(Closed, 1, &windmill(5)),
                "cut-vertex",
                "without 1 the graph falls into 5 parts, with 2, 4, 6 and 2 more in different parts, but a closed tour would have to pass 1 once for each part",
            ),
            (
                of_edges(Open, 3, &two),
                "cut-start",
                "without the start 3 the graph falls into 2 parts, with 1 and 4 in different parts, but an open tour can go to only one of them",
            ),
            (
                of_edges(Open, 5, &windmill(3)),
                "three-parts",
                "without 1 the graph falls into 3 parts, with 2, 5 and 6 in different parts, but an open tour passes 1 once, so the tour can visit only two of them",
            ),
            (
                of_edges(Open, 4, &three),
                "two-far-sides",
                "every path to 1 goes through 3 and every path to 6 through 5, but an open tour can end beyond only one of 3 and 5",
            ),
            (
                of_edges(Open, 5, &round),
                "two-far-sides",
                "every path to 6 goes through 2 and every path to 8 through 3, but an open tour can end beyond only one of 2 and 3",
            ),
            (
                of_edges(Closed, 1, &hubs),
                "many-parts",
                "without 1, 2 and 3 the graph falls into 4 parts, with 4, 7, 10 and 1 more in different parts, but a closed tour could visit only 3 of them",
            ),
            (
                of_edges(Open, 4, &more_hubs),
                "many-parts",
                "without 1, 2 and 3 the graph falls into 5 parts, with 4, 7, 10 and 2 more in different parts, but an open tour could visit only 4 of them",
            ),
            (
                of_edges(Open, 1, &hubs),
                "many-parts",
                "without 1, 2 and 3 the graph falls into 4 parts, with 4, 7, 10 and 1 more in different parts, but an open tour could visit only 3 of them",
            ),
            (
                on_board("4x6", Closed, "a1"),
                "many-parts",
                "without a2, c2, e2, b3, d3 and f3 the board falls into 7 parts, with a1, b1, c1 and 4 more in different parts, but a closed tour could visit only 6 of them",
            ),
        ] {
            let found = of(&instance).unwrap();
            assert_eq!(found.said(&instance).to_string(), said);
            assert_eq!(found.kind(), kind, "{said}");
        }
        for instance in [
            on_board("8x8", Closed, "a1"),
            on_board("5x5", Open, "a1"),
            of_edges(Open, 1, &[(1, 2), (2, 3)]),
            of_edges(Open, 1, &two),
            of_edges(Open, 1, &three),
            of_edges(Open, 6, &barbell),
            of_edges(Open, 4, &hubs),
            of_edges(Closed, 1, &with_triangles(3)),
        ] {
            assert_eq!(of(&instance), None, "{instance}");
        }
        // On a board, messages call edges moves and vertices squares.
        let instance = on_board("3x4", Closed, "a1");
        let [b1, c1, d1] = [1, 2, 3].map(Vertex::new);
        let bridge = Obstruction::Bridge(b1, c1);
        assert_eq!(
            bridge.said(&instance).to_string(),
            "the move between b1 and c1 is the only one between two parts of the graph, but a closed tour needs two"
        );
        let cut = Obstruction::CutVertex(CutVertex { vertex: c1, parts: 2, beside: vec![b1, d1] });
        assert_eq!(
            cut.said(&instance).to_string(),
            "without c1 the board falls into 2 parts, with b1 and d1 in different parts, but a closed tour would have to pass c1 once for each part"
        );
    }

    /// True if the digraph of the instance has a tour with these ends. Uses dynamic programming over sets of vertices: for
    /// each set, computes the possible last vertices of paths that visit exactly the set.
    fn has_tour(instance: &Instance, ends: Endpoints) -> bool {
        let digraph = instance.digraph();
        let all = (1usize << instance.n()) - 1;
        let bits = |v: &[Vertex]| v.iter().fold(0, |set, w| set | 1u32 << w.number());
        let before = |v| bits(digraph.predecessors(v));
        let (from, to) = match ends {
            Endpoints::Closed => (Some(instance.start()), None),
            Endpoints::Open { from, to } => (from, to),
        };
        let mut lasts = vec![0u32; all + 1];
        for v in digraph.vertices().filter(|&v| from.is_none_or(|from| from == v)) {
            lasts[1 << v.number()] = 1 << v.number();
        }
        for set in 1..=all {
            for v in digraph.vertices().filter(|v| set >> v.number() & 1 == 1) {
                if lasts[set & !(1 << v.number())] & before(v) != 0 {
                    lasts[set] |= 1 << v.number();
                }
            }
        }
        let least = if instance.is_directed() { 2 } else { 3 };
        match ends {
            Endpoints::Closed => instance.n() >= least && lasts[all] & before(instance.start()) != 0,
            Endpoints::Open { .. } => to.map_or(lasts[all] != 0, |to| lasts[all] >> to.number() & 1 == 1),
        }
    }

    /// Returns all kinds of ends that tours of the graph can have.
    fn all_ends(graph: &Graph, kind: TourKind) -> Vec<Endpoints> {
        if kind == TourKind::Closed {
            return vec![Endpoints::Closed];
        }
        let some = || graph.vertices().map(Some).chain([None]);
        let both = some().flat_map(|from| some().map(move |to| (from, to)));
        let both = both.filter(|(from, to)| from.is_none() || from != to);
        both.map(|(from, to)| Endpoints::Open { from, to }).collect()
    }

    /// Returns the graph with an edge between every two vertices of the same block.
    fn with_full_blocks(graph: &Graph) -> Graph {
        let blocks = connectivity::blocks(graph, Vertex::new(0));
        let edges = blocks.iter().flat_map(|block| {
            let numbers = block.iter().map(|v| v.number());
            numbers.flat_map(|a| block.iter().map(move |b| (a, b.number())))
        });
        let edges: Vec<_> = edges.filter(|(a, b)| a != b).collect();
        Graph::from_edges(graph.n_vertices(), edges).unwrap()
    }

    /// Returns a function that maps each vertex to its component in the graph without the edges at `gone`.
    fn without(graph: &Graph, gone: Vertex) -> impl Fn(Vertex) -> u32 {
        let left = graph.arcs().filter(|arc| arc.tail != gone && arc.head != gone);
        let left = left.map(|arc| (arc.tail.number(), arc.head.number()));
        let parts = components(&Graph::from_edges(graph.n_vertices(), left).unwrap());
        move |v| parts.of(v)
    }

    fn check_separator(instance: &Instance, ends: Endpoints, separator: &Separator) {
        let Separator { vertices, beside, visited } = separator;
        let graph = instance.graph();
        let gone = |v: &Vertex| vertices.contains(v);
        let left = graph.arcs().filter(|arc| !gone(&arc.tail) && !gone(&arc.head));
        let left = left.map(|arc| (arc.tail.number(), arc.head.number()));
        let parts = components(&Graph::from_edges(graph.n_vertices(), left).unwrap());
        let least: Vec<_> = parts.least().iter().copied().filter(|v| !gone(v)).collect();
        assert_eq!(*beside, least);
        assert!(vertices.is_sorted());
        let more = match ends {
            Endpoints::Closed => 0,
            Endpoints::Open { .. } => 1 - ends.given().filter(|v| gone(v)).count() as i32,
        };
        assert_eq!(*visited as i32, vertices.len() as i32 + more);
        assert!(beside.len() > *visited as usize);
    }

    /// True if removing some set of vertices leaves too many parts. Tries every set.
    fn has_separator(instance: &Instance, ends: Endpoints) -> bool {
        let (graph, n) = (instance.graph(), instance.n());
        let neighbours: Vec<_> =
            graph.vertices().map(|v| graph.neighbours(v).iter().fold(0, |set, w| set | 1u32 << w.number())).collect();
        let all = (1u32 << n) - 1;
        (1..all).any(|gone| {
            let (mut left, mut parts) = (all & !gone, 0);
            while left != 0 {
                parts += 1;
                let (mut part, mut before) = (left & left.wrapping_neg(), 0);
                while part != before {
                    before = part;
                    let around = (0..n).filter(|v| part >> v & 1 == 1);
                    part |= around.fold(0, |set, v| set | neighbours[v as usize]) & !gone;
                }
                left &= !part;
            }
            let is_gone = |v: &Vertex| gone >> v.number() & 1 == 1;
            let fewer = match ends {
                Endpoints::Closed => 1,
                Endpoints::Open { .. } => ends.given().filter(is_gone).count() as u32,
            };
            parts + fewer > gone.count_ones() + 1
        })
    }

    #[test]
    fn sets_without_which_there_are_many_parts_are_found() {
        use TourKind::{Closed, Open};
        let parts = |instance: &Instance| match of(instance) {
            Some(found @ Obstruction::ManyParts(_)) => {
                check_witnesses(instance, Endpoints::of(instance), &found);
                let Obstruction::ManyParts(separator) = found else { unreachable!() };
                Some((separator.vertices.len(), separator.beside.len()))
            }
            other => {
                assert_eq!(other, None);
                None
            }
        };
        // Boards of four rows: removing the squares of one colour in the middle rows leaves too many parts.
        for cols in (5..=20).chain([100, 800]) {
            let board = on_board(&format!("4x{cols}"), Closed, "a1");
            assert_eq!(parts(&board), Some((cols, cols + 1)), "{cols}");
        }
        assert_eq!(parts(&on_board("4x4", Open, "a1")), Some((4, 6)));
        // These boards of three rows have no closed tours. The check proves this for all of them except 3x8, which is
        // 1-tough, as a check of all sets has shown.
        assert_eq!(parts(&on_board("3x4", Closed, "a1")), Some((2, 3)));
        assert_eq!(parts(&on_board("3x6", Closed, "a1")), Some((2, 3)));
        assert_eq!(parts(&on_board("3x6", Open, "a1")), Some((6, 7)));
        assert_eq!(parts(&on_board("3x8", Closed, "a1")), None);
        // This board has so many edges that the check is skipped.
        assert_eq!(parts(&on_board("4x2000", Closed, "a1")), None);

        // A star in which each vertex is replaced by two adjacent vertices. Removing the two vertices in the middle
        // separates the rays.
        let blown_star = |rays: u32| -> Vec<_> {
            let rays = (0..rays).map(|k| 2 * k + 3);
            let edges = rays.flat_map(|a| [(1, a), (1, a + 1), (2, a), (2, a + 1), (a, a + 1)]);
            edges.chain([(1, 2)]).collect()
        };
        assert_eq!(parts(&of_edges(Closed, 1, &blown_star(3))), Some((2, 3)));
        assert_eq!(parts(&of_edges(Open, 1, &blown_star(3))), Some((2, 3)));
        assert_eq!(parts(&of_edges(Open, 5, &blown_star(3))), None);
        assert_eq!(parts(&of_edges(Open, 5, &blown_star(4))), Some((2, 4)));
        // The Petersen graph has no closed tour, but removing any four vertices leaves at most three parts.
        let petersen: Vec<_> = (1..=5).flat_map(|v| [(v, v % 5 + 1), (v, v + 5), (v + 5, (v + 1) % 5 + 6)]).collect();
        let petersen = of_edges(Closed, 1, &petersen);
        assert_eq!(petersen.graph().n_edges(), 15);
        assert_eq!(parts(&petersen), None);
        assert!(!has_tour(&petersen, Endpoints::Closed));
        // The graph is bipartite with sides of 3 and 5. The check of colours, which comes first, already excludes
        // tours.
        let sides: Vec<_> = (1..=3).flat_map(|a| (4..=8).map(move |b| (a, b))).collect();
        let sides = of(&of_edges(Closed, 1, &sides)).unwrap();
        assert_eq!(sides.kind(), "colours");
        // A long ladder, with a path of two more vertices between the ends of its middle rung. Removing these ends
        // separates the path and both halves of the ladder.
        let rungs = (1..=40).map(|v| (v, v + 40));
        let sides = (1..40).flat_map(|v| [(v, v + 1), (v + 40, v + 41)]);
        let ladder: Vec<_> = rungs.chain(sides).collect();
        assert_eq!(parts(&of_edges(Closed, 1, &ladder)), None);
        let ray = [(20, 81), (81, 82), (82, 60)];
        let with_ray = [ladder.as_slice(), &ray].concat();
        assert_eq!(parts(&of_edges(Closed, 1, &with_ray)), Some((2, 3)));
    }

    #[test]
    fn nearly_all_sets_of_sparse_graphs_are_found() {
        // Marsaglia's xorshift generator draws the edges, so the graphs are the same in each run.
        let mut state = 12345u64;
        let mut below = move |n: u32| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % u64::from(n)) as u32
        };
        let (mut there, mut found) = (0, 0);
        for edges in [15, 17, 19, 21] {
            for round in 0..2000 {
                let pairs = std::iter::repeat_with(|| (below(12), below(12)));
                let pairs = pairs.filter(|(a, b)| a != b).take(edges);
                let graph = Graph::from_edges(12, pairs.collect::<Vec<_>>()).unwrap();
                let kind = [TourKind::Closed, TourKind::Open][round % 2];
                let instance = on_graph(graph, kind, 0);
                match of(&instance) {
                    Some(Obstruction::ManyParts(separator)) => {
                        check_separator(&instance, Endpoints::of(&instance), &separator);
                        there += 1;
                        found += 1;
                    }
                    Some(_) => {}
                    None => there += u32::from(has_separator(&instance, Endpoints::of(&instance))),
                }
            }
        }
        assert!(there > 300, "{there}");
        assert!(found * 100 >= there * 95, "{found} of {there}");
    }

    /// Checks that the vertices in an obstruction have the properties that the obstruction claims.
    fn check_witnesses(instance: &Instance, ends: Endpoints, found: &Obstruction) {
        let graph = instance.graph();
        let check_cut = |cut: &CutVertex, least: u32| {
            let part = without(graph, cut.vertex);
            let others = graph.vertices().filter(|&v| v != cut.vertex);
            let mut all: Vec<_> = others.map(&part).collect();
            all.sort_unstable();
            all.dedup();
            assert_eq!(cut.parts as usize, all.len());
            assert!(cut.parts >= least);
            let mut named: Vec<_> = cut.beside.iter().map(|&v| part(v)).collect();
            named.sort_unstable();
            named.dedup();
            assert_eq!(named.len(), cut.beside.len());
            assert_eq!(named.len(), all.len().min(3));
            assert!(cut.beside.is_sorted() && !cut.beside.contains(&cut.vertex));
        };
        match found {
            Obstruction::Bridge(a, b) => {
                let left = graph.edges().filter(|&edge| edge != (a.number(), b.number()));
                let left = Graph::from_edges(graph.n_vertices(), left).unwrap();
                assert!(graph.arc(*a, *b).is_some());
                assert_eq!(components(&left).count(), 2);
            }
            Obstruction::CutVertex(cut) => check_cut(cut, 2),
            Obstruction::CutEnd(cut, given) => {
                assert!(given_ends(ends).any(|end| end == (cut.vertex, *given)));
                check_cut(cut, 2);
            }
            Obstruction::ThreeParts(cut) => check_cut(cut, 3),
            Obstruction::TwoFarSides { one, other, given } => {
                let end = given_ends(ends).find(|(_, end)| end == given);
                let (end, _) = end.unwrap();
                let [first, second] = [one, other].map(|side| {
                    let part = without(graph, side.through);
                    assert_ne!(part(end), part(side.beyond));
                    part
                });
                assert_eq!(first(other.through), first(end));
                assert_eq!(second(one.through), second(end));
            }
            Obstruction::ManyParts(separator) => check_separator(instance, ends, separator),
            _ => {}
        }
    }

    /// Checks the obstructions of all instances on the graph. An obstruction may be found only if no tour exists. For
    /// closed tours and a given start, one must be found if the blocks alone exclude tours.
    fn check(graph: &Graph) {
        let full = with_full_blocks(graph);
        for kind in [TourKind::Closed, TourKind::Open] {
            let on = |graph: &Graph, start| Instance::on_graph("graph", graph.clone(), kind, start).unwrap();
            // On larger graphs, all first vertices and a few last ones are enough.
            let is_tried = |ends: &Endpoints| match ends {
                Endpoints::Open { from, to: Some(_) } if graph.n_vertices() > 5 => *from == Some(Vertex::new(0)),
                _ => true,
            };
            for ends in all_ends(graph, kind).into_iter().filter(is_tried) {
                let start = ends.given().next().unwrap_or(Vertex::new(0));
                let (instance, full) = (on(graph, start), on(&full, start));
                let found = obstruction(&instance, ends);
                let has_tour = has_tour(&instance, ends);
                if let Some(found) = &found {
                    assert!(!has_tour, "{found:?} in {graph:?}");
                    check_witnesses(&instance, ends, found);
                }
                // With at most six vertices, the check of sets of vertices is complete.
                if found.is_none() && instance.n() <= 6 && !has_tour {
                    assert!(!has_separator(&instance, ends), "{graph:?} {ends:?}");
                }
                let is_apart = found.as_ref().map(Obstruction::kind) == Some("out-of-reach");
                if is_apart || ends != Endpoints::of(&instance) {
                    continue;
                }
                let by_blocks = obstruction(&full, ends);
                assert_eq!(by_blocks.is_none(), self::has_tour(&full, ends), "{graph:?} {ends:?}");
                assert!(found.is_some() || by_blocks.is_none(), "{graph:?} {ends:?}");
            }
        }
    }

    /// Checks that the obstructions of a digraph exclude tours, and that those of reachability are complete: without
    /// such an obstruction, tours of the transitive closure exist.
    fn check_digraph(digraph: &Digraph) {
        for kind in [TourKind::Closed, TourKind::Open] {
            for ends in all_ends(&digraph.underlying(), kind) {
                for start in digraph.vertices() {
                    let instance = Instance::on_digraph("digraph", digraph.clone(), kind, start).unwrap();
                    let found = obstruction(&instance, ends);
                    let has_tour = has_tour(&instance, ends);
                    assert!(found.is_none() || !has_tour, "{found:?} {ends:?} {digraph:?}");
                    let reach = digraph.vertices().map(|v| digraph.distances(v));
                    let arcs = (0..).zip(reach).flat_map(|(v, distances)| {
                        let reached = (0..).zip(distances).filter(move |&(w, d)| w != v && d.is_some());
                        reached.map(move |(w, _)| (v, w))
                    });
                    let all = Digraph::from_arcs(digraph.n_vertices(), arcs.collect::<Vec<_>>()).unwrap();
                    let all = Instance::on_digraph("reach", all, kind, start).unwrap();
                    let is_apart = unreachable(&instance, ends).is_some();
                    let is_one = kind == TourKind::Closed && instance.n() < 2;
                    assert_eq!(is_apart || is_one, !self::has_tour(&all, ends), "{ends:?} {digraph:?}");
                }
            }
        }
    }

    #[test]
    fn every_graph_of_up_to_six_vertices_is_as_brute_force_says() {
        for n in 2..=6 {
            let pairs: Vec<_> = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
            for chosen in 0u32..1 << pairs.len() {
                let edges = pairs.iter().enumerate();
                let edges = edges.filter(|&(k, _)| chosen >> k & 1 == 1).map(|(_, &e)| e);
                check(&Graph::from_edges(n, edges).unwrap());
            }
        }
    }

    #[test]
    fn every_digraph_of_up_to_three_vertices_is_as_brute_force_says() {
        for n in 1..=3 {
            let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
            let pairs: Vec<_> = pairs.filter(|(a, b)| a != b).collect();
            for chosen in 0u32..1 << pairs.len() {
                let arcs = pairs.iter().enumerate();
                let arcs = arcs.filter(|&(k, _)| chosen >> k & 1 == 1);
                check_digraph(&Digraph::from_arcs(n, arcs.map(|(_, &arc)| arc)).unwrap());
            }
        }
    }

    #[test]
    fn a_free_start_need_not_be_the_first_vertex() {
        // Arcs 2→1 and 1→3 are the tour 2 1 3.
        let said = |arcs: &[(u32, u32)], from: Option<u32>, to: Option<u32>| {
            let n = arcs.iter().map(|&(a, b)| a.max(b)).max().unwrap();
            let arcs = arcs.iter().map(|&(a, b)| (a - 1, b - 1));
            let digraph = Digraph::from_arcs(n, arcs).unwrap();
            let start = Vertex::new(0);
            let instance = Instance::on_digraph("digraph", digraph, TourKind::Open, start).unwrap();
            let [from, to] = [from, to].map(|v| v.map(|v| Vertex::new(v - 1)));
            let found = obstruction(&instance, Endpoints::Open { from, to })?;
            Some(found.said(&instance).to_string())
        };
        let is = |text: &str| Some(text.to_owned());
        let path = [(2, 1), (1, 3)];
        assert_eq!(said(&path, None, None), None);
        assert_eq!(said(&path, None, Some(3)), None);
        assert_eq!(said(&path, Some(1), None), is("no path leads from 1 to 2"));
        assert_eq!(said(&path, None, Some(1)), is("no path leads from 3 to 1"));
        let fork = [(2, 1), (2, 3)];
        assert_eq!(said(&fork, None, None), is("a path leads neither from 1 to 3 nor from 3 to 1"));
        // Ends that cannot be the last, or the first, vertex.
        let tree = [(1, 2), (2, 3), (3, 2), (2, 1), (2, 4), (4, 2)];
        assert_eq!(
            said(&tree, None, Some(1)),
            is("3 and 4 have one neighbour each, but an open tour can begin in only one of them")
        );
    }

    proptest! {
        #[test]
        fn digraphs_are_as_brute_force_says(
            n in 2u32..=6, arcs in proptest::collection::vec((0u32..6, 0u32..6), 1..16),
        ) {
            let arcs = arcs.into_iter().map(|(a, b)| (a % n, b % n)).filter(|(a, b)| a != b);
            check_digraph(&Digraph::from_arcs(n, arcs).unwrap());
        }

        #[test]
        fn obstructions_of_constrained_tours_exclude_them(
            n in 3u32..=5,
            arcs in proptest::collection::vec((0u32..5, 0u32..5), 3..16),
            moves in proptest::collection::vec((0..4u8, 0..5usize, 0..5u32), 0..4),
            is_directed in proptest::bool::ANY,
        ) {
            let arcs = arcs.into_iter().map(|(a, b)| (a % n, b % n)).filter(|(a, b)| a != b);
            let digraph = Digraph::from_arcs(n, arcs).unwrap();
            let graph = digraph.underlying();
            let words = moves.iter().filter_map(|&(how, arc, other)| {
                let arcs: Vec<_> = digraph.arcs().collect();
                let arc = arcs.get(arc)?;
                let (a, b, other) = (arc.tail.number() + 1, arc.head.number() + 1, other % n + 1);
                match how {
                    0 => Some(format!("forbid {a}->{b}")),
                    1 => Some(format!("force {a}->{b}")),
                    2 if !is_directed => Some(format!("force {a}-{b}")),
                    _ => (a != other).then(|| format!("before {a},{other}")),
                }
            });
            let words = words.collect::<Vec<_>>().join(" ");
            for kind in [TourKind::Closed, TourKind::Open] {
                let start = Vertex::new(0);
                let plain = match is_directed {
                    true => Instance::on_digraph("digraph", digraph.clone(), kind, start),
                    false => Instance::on_graph("graph", graph.clone(), kind, start),
                };
                let instance = constrained(&plain.unwrap(), &words);
                for ends in all_ends(&graph, kind) {
                    if let Some(found) = obstruction(&instance, ends) {
                        let has_tour = has_constrained_tour(&instance, ends, &mut Vec::new());
                        prop_assert!(!has_tour, "{found:?} {words} {ends:?} {digraph:?}");
                    }
                }
            }
        }

        #[test]
        fn larger_graphs_are_as_brute_force_says(
            graph in graphs(7..=8), tree in proptest::collection::vec(0u32..8, 8), more in 0usize..5,
        ) {
            check(&graph);
            // A random tree with a few more edges is connected, and has so few edges that cut vertices are frequent.
            let n = graph.n_vertices();
            let edges = (1..n).zip(&tree).map(|(v, &to)| (v, to % v));
            check(&Graph::from_edges(n, edges.chain(graph.edges().take(more))).unwrap());
        }
    }
}
