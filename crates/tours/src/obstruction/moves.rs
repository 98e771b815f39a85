//! Contradictions between forced and forbidden moves. Each is found without a search, and is described by the moves
//! that the user gave:
//!
//! 1. A forced move is forbidden.
//! 2. Forbidden moves leave a vertex too few neighbours, or no arc in one direction.
//! 3. A vertex has three forced moves, or two if it is a given end of open tours. Or two forced arcs leave the same
//!    vertex, or enter the same vertex.
//! 4. Forced moves form a cycle that is not the whole tour.
//!
//! Methods also refute such instances, but with reasons that refer to the changed graph. The only purpose of this
//! module is therefore the explanation.

use std::collections::BTreeMap;

use super::*;

pub(super) const CHECK: Check = Check { kinds: &["moves"], find };

/// Returns the first contradiction between the forced and forbidden moves of an instance.
fn find(instance: &Instance, ends: Endpoints) -> Option<Obstruction> {
    if instance.constraints().is_empty() || instance.is_trivial() {
        return None;
    }
    let forced = forced_moves(instance.constraints());
    let digraph = instance.digraph();
    let is_left = |tail, head| digraph.arc(tail, head).is_some();
    let excluded = forced.iter().find(|forced| {
        let Forced { tail, head, is_arc } = **forced;
        !is_left(tail, head) && (is_arc || !is_left(head, tail))
    });
    let excluded = excluded.map(|excluded| format!("{} is both forced and forbidden", excluded.text(instance)));
    let without_witness = |sentence| Obstruction { kind: "moves", witness: Witness::Hidden, sentence };
    excluded
        .map(without_witness)
        .or_else(|| too_few(instance))
        .or_else(|| too_many(instance, ends, &forced).or_else(|| cycle(instance, forced)).map(without_witness))
}

/// Returns a vertex to which forbidden moves leave too few neighbours or arcs.
fn too_few(instance: &Instance) -> Option<Obstruction> {
    let (plain, digraph) = (instance.without_constraints(), instance.digraph());
    let is_closed = instance.kind() == TourKind::Closed;
    // Two opposite arcs are a closed tour of a digraph.
    let needed = if is_closed && instance.n() > 2 { 2 } else { 1 };
    let mut vertices = instance.graph().vertices();
    vertices.find_map(|vertex| {
        let name = |v| instance.vertex_name(v);
        let leave = "the forbidden moves leave";
        let neighbours = instance.graph().neighbours(vertex);
        if neighbours.len() < needed && plain.graph().degree(vertex) >= needed {
            let sentence = match neighbours.first() {
                None => format!("{leave} {} no neighbour", name(vertex)),
                Some(&left) => {
                    format!("{leave} {} one neighbour, {}, but a closed tour needs two", name(vertex), name(left))
                }
            };
            return Some(Obstruction { kind: "moves", witness: Witness::Parts(neighbours.to_vec()), sentence });
        }
        let way = ["from", "to"].into_iter().find(|&way| {
            let is_none = |digraph: &Digraph| match way {
                "from" => digraph.successors(vertex).is_empty(),
                _ => digraph.predecessors(vertex).is_empty(),
            };
            is_closed && is_none(digraph) && !is_none(plain.digraph())
        })?;
        let sentence = format!("{leave} no move {way} {}", name(vertex));
        Some(Obstruction { kind: "moves", witness: Witness::Hidden, sentence })
    })
}

/// Names forced moves.
fn listed(instance: &Instance, moves: &[Forced]) -> String {
    and_more(moves.iter().map(|one| one.text(instance)).collect(), moves.len(), 6)
}

/// Returns a sentence about a vertex with more forced moves than a tour can use, if there is one.
fn too_many(instance: &Instance, ends: Endpoints, forced: &[Forced]) -> Option<String> {
    let mut at: BTreeMap<Vertex, Vec<Forced>> = BTreeMap::new();
    for &one in forced {
        [one.tail, one.head].into_iter().for_each(|v| at.entry(v).or_default().push(one));
    }
    at.into_iter().find_map(|(vertex, here)| {
        let is_end = ends.given().any(|end| end == vertex);
        let more = |most, is_it: &dyn Fn(&Forced) -> bool| {
            let moves: Vec<_> = here.iter().copied().filter(is_it).collect();
            (moves.len() > most).then_some(moves)
        };
        let moves = more(if is_end { 1 } else { 2 }, &|_| true)
            .or_else(|| more(1, &|one| one.is_arc && one.tail == vertex))
            .or_else(|| more(1, &|one| one.is_arc && one.head == vertex))?;
        let end = if is_end { ", one of its ends" } else { "" };
        let (moves, at) = (listed(instance, &moves), instance.vertex_name(vertex));
        Some(format!("a tour cannot use all the forced moves {moves} at {at}{end}"))
    })
}

/// Returns a sentence about a cycle of forced moves that is not a whole closed tour, if there is one. No vertex may have
/// more than two forced moves.
fn cycle(instance: &Instance, forced: Vec<Forced>) -> Option<String> {
    let mut left = forced;
    while let Some(first) = left.pop() {
        let (mut path, end) = walk(&mut left, first.head, first.tail);
        path.insert(0, first);
        let is_tour = instance.kind() == TourKind::Closed && path.len() == instance.n() as usize;
        if end == first.tail && !is_tour {
            let squares = if instance.squares().is_some() { "squares" } else { "vertices" };
            let (all, length, n) = (listed(instance, &path), path.len(), instance.n());
            return Some(format!("the forced moves {all} are a cycle of {length} of the {n} {squares}"));
        }
        // The moves before the first one form a path, too.
        walk(&mut left, first.tail, end);
    }
    None
}

/// Removes the forced moves of the path that begins at `from`, up to the vertex `to` if the path reaches it. Returns
/// the moves in order, and the last vertex.
fn walk(left: &mut Vec<Forced>, from: Vertex, to: Vertex) -> (Vec<Forced>, Vertex) {
    let mut path = Vec::new();
    let mut end = from;
    while end != to
        && let Some(k) = left.iter().position(|one| one.tail == end || one.head == end)
    {
        let next = left.swap_remove(k);
        end = if next.tail == end { next.head } else { next.tail };
        path.push(next);
    }
    (path, end)
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::constraint::{self, ConstraintKind, Context};
    use crate::split::tests::orders;
    use hamcnf_graph::graph::Graph;

    /// Returns the instance with the constraints in `words`, a list of names and values.
    pub(in crate::obstruction) fn constrained(plain: &Instance, words: &str) -> Instance {
        let words: Vec<_> = words.split_whitespace().collect();
        let given = words.chunks(2).map(|pair| {
            let kind = ConstraintKind::named(pair[0]).unwrap();
            (kind, pair[1])
        });
        let context = Context { instance: plain, has_start: false };
        plain.constrained(&constraint::parsed(&context, given).unwrap())
    }

    /// Returns the contradiction of closed tours, or of open tours from a1, perhaps to a square.
    fn said(ends: &str, words: &str) -> Option<String> {
        let kind = if ends == "closed" { TourKind::Closed } else { TourKind::Open };
        let board = Instance::on_board("6x6".parse().unwrap(), kind, Vertex::new(0)).unwrap();
        let ends = match kind {
            TourKind::Closed => Endpoints::Closed,
            TourKind::Open => Endpoints::Open { from: Some(board.start()), to: board.vertex_named(ends) },
        };
        Some(find(&constrained(&board, words), ends)?.to_string())
    }

    #[test]
    fn contradictions_name_the_moves() {
        for (ends, words, expected) in [
            ("closed", "force a1-b3 forbid b3-a1", "a1-b3 is both forced and forbidden"),
            ("closed", "force c4->d6 forbid c4->d6", "c4->d6 is both forced and forbidden"),
            ("closed", "forbid a1-b3", "the forbidden moves leave a1 one neighbour, c2, but a closed tour needs two"),
            ("open", "forbid b1-a3 forbid b1-c3 forbid b1-d2", "the forbidden moves leave b1 no neighbour"),
            ("closed", "forbid a1->b3 forbid a1->c2", "the forbidden moves leave no move from a1"),
            ("closed", "forbid b3->a1 forbid c2->a1", "the forbidden moves leave no move to a1"),
            (
                "closed",
                "force a3-b1 force a3-b5 force a3-c2 force e3-f5",
                "a tour cannot use all the forced moves a3-b1, a3-b5 and a3-c2 at a3",
            ),
            ("closed", "force a3->b1 force a3->b5", "a tour cannot use all the forced moves a3->b1 and a3->b5 at a3"),
            (
                "f5",
                "force f5-e3 force f5-d4",
                "a tour cannot use all the forced moves f5-d4 and f5-e3 at f5, one of its ends",
            ),
            (
                "closed",
                "force a1->b3 force b3->a1",
                "the forced moves b3->a1 and a1->b3 are a cycle of 2 of the 36 squares",
            ),
        ] {
            assert_eq!(said(ends, words).as_deref(), Some(expected));
        }
        let cycle = said("open", "force b3-d2-b1-a3-c4-b2-d3-e1-c2-d4-b3").unwrap();
        assert!(cycle.ends_with(" and 4 more are a cycle of 10 of the 36 squares"), "{cycle}");
        for (ends, words) in [
            ("closed", "force a3-b1 force a3-b5 force a1-b3"),
            ("closed", "force a1-b3 forbid a1->b3"),
            ("open", "forbid a1-b3"),
            ("open", "force c4-a3 force c4-b2"),
            ("closed", "force b3-d2-b1-a3 at c3=9"),
        ] {
            assert_eq!(said(ends, words), None, "{words}");
        }
        // Forced moves that are a tour.
        let five = Graph::from_edges(5, (0..5).flat_map(|a| (0..a).map(move |b| (a, b)))).unwrap();
        let five = Instance::on_graph("five", five, TourKind::Closed, Vertex::new(0)).unwrap();
        let whole = constrained(&five, "force 1-2-3-4-5-1");
        assert_eq!(find(&whole, Endpoints::Closed), None);
        let part = constrained(&five, "force 1-2-3-4-1");
        assert!(find(&part, Endpoints::Closed).is_some());
    }

    proptest! {
        #[test]
        fn questions_with_a_contradiction_have_no_tour(
            kind in 0..4u8,
            moves in proptest::collection::vec((0..3u8, 0..5u32, 0..5u32), 1..7),
        ) {
            let edges = (0..5).flat_map(|a| (0..a).map(move |b| (a, b)));
            let five = Graph::from_edges(5, edges).unwrap();
            let (tours, ends) = match kind {
                0 | 1 => (TourKind::Closed, Endpoints::Closed),
                2 => (TourKind::Open, Endpoints::ANYWHERE),
                _ => (TourKind::Open, Endpoints::Open {
                    from: Some(Vertex::new(0)),
                    to: Some(Vertex::new(1)),
                }),
            };
            let five = Instance::on_graph("five", five, tours, Vertex::new(0)).unwrap();
            let words = moves.iter().filter(|(_, a, b)| a != b).map(|(how, a, b)| match how {
                0 => format!("forbid {}-{}", a + 1, b + 1),
                1 => format!("force {}-{}", a + 1, b + 1),
                _ => format!("force {}->{}", a + 1, b + 1),
            });
            let words = words.collect::<Vec<_>>().join(" ");
            prop_assume!(!words.is_empty());
            let instance = constrained(&five, &words);
            if let Some(found) = find(&instance, ends) {
                prop_assert!(orders(&instance, ends).is_empty(), "{words}: {found:?}");
            }
        }
    }
}
