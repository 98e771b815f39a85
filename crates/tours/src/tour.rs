//! Tours: orders of the vertices whose moves have all been checked.

use crate::{Instance, Sequence, TourKind};
use hamcnf_graph::graph::Vertex;

/// A Hamiltonian cycle or path of an instance. Only [`Tour::check`] creates values of this type, so a value proves that
/// the tour is valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tour {
    kind: TourKind,
    is_directed: bool,
    sequence: Sequence,
}

/// Reason why an order of vertices, or a model of a formula, is not a tour, as a sentence without a full stop. Moves are
/// counted from 1: move k goes from position k − 1 to position k. Sentences use the vertex names of the instance.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotATour(String);

impl NotATour {
    /// Returns the error with this sentence.
    pub fn new(sentence: String) -> Self {
        Self(sentence)
    }

    /// Returns the error for a model that puts this number of vertices, not one, at a 0-based position.
    pub fn not_one_at(position: u32, found: usize) -> Self {
        Self(format!("the model has {found} vertices at position {position} instead of one"))
    }

    /// Returns the error for a move that visits a vertex again, which is first at the 0-based position `first`.
    pub fn repeated(number: usize, from: &str, to: &str, first: usize) -> Self {
        Self(format!("move {number}, {from} to {to}, returns to the vertex at position {first}"))
    }
}

/// Returns the noun for a move in the instance, with its article.
fn step(instance: &Instance) -> String {
    match instance.squares().map(|board| board.board().piece().to_string()) {
        Some(piece) if piece.starts_with(['a', 'o']) => format!("an {piece}'s move"),
        Some(piece) => format!("a {piece}'s move"),
        None => "an edge".to_owned(),
    }
}

impl Tour {
    /// Checks every move in this order of the vertices, and returns the order as a tour.
    ///
    /// # Errors
    ///
    /// [`NotATour`] with the first error that is found.
    pub fn check(instance: &Instance, order: Vec<Vertex>) -> Result<Self, NotATour> {
        // A forbidden move is a move that violates a constraint.
        let (graph, n) = (instance.without_constraints().digraph(), instance.n());
        let name = |v: Vertex| instance.vertex_name(v);
        let wrong = |sentence: String| Err(NotATour(sentence));
        let mut position_of = vec![None; n as usize];
        for (position, &v) in order.iter().enumerate() {
            if v.number() >= n {
                let number = v.number().saturating_add(instance.vertex_names().numbering().first());
                return wrong(format!("position {position} is vertex {number}, which is not in {}", instance.name()));
            }
            if position == 0 {
                if v != instance.start() {
                    return wrong(format!("the tour starts at {}, not at {}", name(v), name(instance.start())));
                }
            } else {
                let from = order[position - 1];
                if graph.arc(from, v).is_none() {
                    let step = step(instance);
                    return wrong(format!("move {position}, {} to {}, is not {step}", name(from), name(v)));
                }
                if let Some(first) = position_of[v.index()] {
                    return Err(NotATour::repeated(position, &name(from), &name(v), first));
                }
            }
            position_of[v.index()] = Some(position);
        }
        if order.len() != n as usize {
            return wrong(format!("the tour visits {} vertices, but {} has {n}", order.len(), instance.name()));
        }
        if instance.kind() == TourKind::Closed && instance.is_trivial() {
            return wrong(format!("{} has too few vertices for a closed tour: {n}", instance.name()));
        }
        let (start, last) = (order[0], order[order.len() - 1]);
        if instance.kind() == TourKind::Closed && graph.arc(last, start).is_none() {
            return wrong(format!("the closing move {} to {} is not {}", name(last), name(start), step(instance)));
        }
        // The order has n entries and no vertex twice, so every vertex occurs exactly once.
        let sequence = Sequence::of_all(order);
        if let Some(violated) = instance.violated(&sequence) {
            return wrong(format!("the tour violates the constraint \"{}\"", violated.text(instance)));
        }
        Ok(Self { kind: instance.kind(), is_directed: instance.is_directed(), sequence })
    }

    /// Returns the closed tour in the opposite direction, from the same start; `None` if the tour is open or its graph
    /// is directed.
    pub fn reversed(&self) -> Option<Self> {
        let has_reverse = self.kind == TourKind::Closed && !self.is_directed;
        has_reverse.then(|| Self { kind: self.kind, is_directed: false, sequence: self.sequence.reversed() })
    }

    /// Returns the vertices in tour order, with their positions.
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    /// Returns the vertices in tour order, beginning with the start.
    #[inline]
    pub fn order(&self) -> &[Vertex] {
        self.sequence.order()
    }

    /// Returns the names of the vertices in tour order, separated by blanks.
    pub fn names(&self, instance: &Instance) -> String {
        let mut names = String::new();
        for &v in self.order() {
            if !names.is_empty() {
                names.push(' ');
            }
            names += &instance.vertex_name(v);
        }
        names
    }

    /// Returns the kind of tour, closed or open.
    pub fn kind(&self) -> TourKind {
        self.kind
    }

    /// Returns the position of a vertex, 0-based.
    #[inline]
    pub fn position(&self, v: Vertex) -> u32 {
        self.sequence.position(v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_graph::graph::Graph;

    fn verdict(kind: TourKind, order: &[u32]) -> Result<(), String> {
        // A path 0-1-2-3-4 with the chord 0-3. This order is no closed tour, because 4-0 is not an edge.
        let graph = Graph::from_edges(5, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 3)]).unwrap();
        let instance = Instance::on_graph("house", graph, kind, Vertex::new(0)).unwrap();
        let order = order.iter().map(|&v| Vertex::new(v)).collect();
        Tour::check(&instance, order).map(|_| ()).map_err(|e| e.to_string())
    }

    #[test]
    fn every_way_to_be_wrong_is_named() {
        use TourKind::{Closed, Open};
        assert_eq!(verdict(Open, &[0, 1, 2, 3, 4]), Ok(()));
        for (kind, order, message) in [
            (Closed, &[0, 1, 2, 3, 4][..], "the closing move 5 to 1 is not an edge"),
            (Open, &[1, 0, 3, 2, 4], "the tour starts at 2, not at 1"),
            (Open, &[0, 1, 2, 4, 3], "move 3, 3 to 5, is not an edge"),
            (Open, &[0, 1, 2, 1, 0], "move 3, 3 to 2, returns to the vertex at position 1"),
            (Open, &[0, 1, 2, 3], "the tour visits 4 vertices, but house has 5"),
            (Open, &[], "the tour visits 0 vertices, but house has 5"),
            (Open, &[0, 1, 7], "position 2 is vertex 8, which is not in house"),
        ] {
            assert_eq!(verdict(kind, order), Err(message.to_owned()));
        }
    }

    #[test]
    fn a_board_names_the_piece() {
        let board = "3x4".parse().unwrap();
        let instance = Instance::on_board(board, TourKind::Open, Vertex::new(0)).unwrap();
        let order = vec![Vertex::new(0), Vertex::new(5)];
        assert_eq!(Tour::check(&instance, order).unwrap_err().to_string(), "move 1, a1 to b2, is not a knight's move");
    }

    #[test]
    fn positions_invert_the_order_in_both_directions() {
        let graph = Graph::from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0), (1, 3)]).unwrap();
        let on = |kind| Instance::on_graph("K4-e", graph.clone(), kind, Vertex::new(1)).unwrap();
        let order = [1, 2, 3, 0].map(Vertex::new).to_vec();
        let positions = |tour: &Tour| [0, 1, 2, 3].map(|v| tour.position(Vertex::new(v)));
        let closed = Tour::check(&on(TourKind::Closed), order.clone()).unwrap();
        assert_eq!(positions(&closed), [3, 0, 1, 2]);
        let reversed = closed.reversed().unwrap();
        assert_eq!(positions(&reversed), [1, 0, 3, 2]);
        assert_eq!(Tour::check(&on(TourKind::Closed), reversed.order().to_vec()), Ok(reversed.clone()));
        assert_eq!(reversed.reversed(), Some(closed));
        let open = Tour::check(&on(TourKind::Open), order).unwrap();
        assert_eq!(open.reversed(), None);
    }
}
