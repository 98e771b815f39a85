//! Tours: orders of the vertices whose moves have all been checked.

use crate::constraint::Shown;
use crate::instance::{Instance, TourKind};
use crate::sequence::Sequence;
use hamcnf_graph::graph::Vertex;

/// A Hamiltonian cycle or path of an instance. Only [`Tour::check`] creates values of this type, so a value proves that
/// the tour is valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tour {
    kind: TourKind,
    is_directed: bool,
    sequence: Sequence,
}

/// Reason why an order of vertices, or a model of a formula, is not a tour. Moves are counted from 1: move k goes from
/// position k − 1 to position k. Messages use the vertex names of the instance.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotATour {
    /// The order does not have exactly one entry for each vertex.
    #[error("the tour visits {found} vertices, but {name} has {n}")]
    WrongLength {
        /// Number of entries of the order.
        found: usize,
        /// Name of the instance.
        name: String,
        /// Number of vertices of the instance.
        n: u32,
    },
    /// The order does not begin at the start vertex of the instance.
    #[error("the tour starts at {found}, not at {start}")]
    WrongStart {
        /// Name of the first vertex of the order.
        found: String,
        /// Name of the instance's start vertex.
        start: String,
    },
    /// The order does not end at the given last vertex.
    #[error("the tour ends at {found}, not at {end}")]
    WrongEnd {
        /// Name of the last vertex of the order.
        found: String,
        /// Name of the given last vertex.
        end: String,
    },
    /// The order contains a vertex that the graph does not have.
    #[error("position {position} is vertex {vertex}, which is not in {name}")]
    NoSuchVertex {
        /// Position in the order, 0-based.
        position: usize,
        /// Number of the vertex, counted from 0 or 1 as in the vertex names of the instance.
        vertex: u32,
        /// Name of the instance.
        name: String,
    },
    /// Two consecutive vertices are not adjacent.
    #[error("move {number}, {from} to {to}, is not {}", step(.on_board))]
    NotAnEdge {
        /// Number of the move, counted from 1.
        number: usize,
        /// Name of the vertex before the move.
        from: String,
        /// Name of the vertex after the move.
        to: String,
        /// Piece that moves, if the instance is on a board.
        on_board: Option<String>,
    },
    /// The order visits a vertex twice.
    #[error("move {number}, {from} to {to}, returns to the vertex at position {first}")]
    Repeated {
        /// Number of the move that visits the vertex again, counted from 1.
        number: usize,
        /// Name of the vertex before the move.
        from: String,
        /// Name of the vertex that is visited again.
        to: String,
        /// Position of the first visit, 0-based.
        first: usize,
    },
    /// The last vertex of a closed tour is not adjacent to the first.
    #[error("the closing move {from} to {to} is not {}", step(.on_board))]
    NotClosed {
        /// Name of the last vertex.
        from: String,
        /// Name of the start vertex.
        to: String,
        /// Piece that moves, if the instance is on a board.
        on_board: Option<String>,
    },
    /// The tour violates a constraint of the instance.
    #[error("the tour violates the constraint \"{0}\"")]
    Constraint(String),
    /// The instance has fewer than 3 vertices, so it has no cycle.
    #[error("{name} has too few vertices for a closed tour: {n}")]
    TooShort {
        /// Name of the instance.
        name: String,
        /// Number of vertices of the instance.
        n: u32,
    },
    /// Some vertex does not have exactly one successor in the model.
    #[error("after {number} moves, the model has {found} moves from {from} instead of one")]
    NoSuccessor {
        /// Number of moves made so far.
        number: usize,
        /// Name of the vertex that is reached by these moves.
        from: String,
        /// Number of successors that the model gives to the vertex.
        found: usize,
    },
    /// Some vertex does not have the expected number of edges in the model.
    #[error("the model has {found} edges at {vertex} instead of {expected}")]
    WrongDegree {
        /// Name of the vertex.
        vertex: String,
        /// Number of edges of the model at the vertex.
        found: usize,
        /// Number of edges that a tour has at the vertex: 2, or 1 at an end of an open tour.
        expected: usize,
    },
    /// The moves of the model form several cycles.
    #[error("the model has {found} cycles; the cycle through {start} has {length} vertices")]
    Cycles {
        /// Number of cycles.
        found: usize,
        /// Name of the start vertex.
        start: String,
        /// Number of vertices of the cycle through the start vertex.
        length: usize,
    },
    /// Some position does not have exactly one vertex in the model.
    #[error("the model has {found} vertices at position {position} instead of one")]
    NotOneAtPosition {
        /// Position in the tour, 0-based.
        position: u32,
        /// Number of vertices that the model puts at the position.
        found: usize,
    },
}

fn step(on_board: &Option<String>) -> String {
    match on_board {
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
        let on_board = || instance.squares().map(|b| b.board().piece().to_string());
        let mut position_of = vec![None; n as usize];
        for (position, &v) in order.iter().enumerate() {
            if v.number() >= n {
                return Err(NotATour::NoSuchVertex {
                    position,
                    vertex: v.number().saturating_add(instance.vertex_names().numbering().first()),
                    name: instance.name().to_owned(),
                });
            }
            if position == 0 {
                if v != instance.start() {
                    return Err(NotATour::WrongStart { found: name(v), start: name(instance.start()) });
                }
            } else {
                let (number, from) = (position, order[position - 1]);
                if graph.arc(from, v).is_none() {
                    return Err(NotATour::NotAnEdge { number, from: name(from), to: name(v), on_board: on_board() });
                }
                if let Some(first) = position_of[v.index()] {
                    return Err(NotATour::Repeated { number, from: name(from), to: name(v), first });
                }
            }
            position_of[v.index()] = Some(position);
        }
        if order.len() != n as usize {
            return Err(NotATour::WrongLength { found: order.len(), name: instance.name().to_owned(), n });
        }
        if instance.kind() == TourKind::Closed && instance.is_trivial() {
            let name = instance.name().to_owned();
            return Err(NotATour::TooShort { name, n });
        }
        let (start, last) = (order[0], order[order.len() - 1]);
        if instance.kind() == TourKind::Closed && graph.arc(last, start).is_none() {
            return Err(NotATour::NotClosed { from: name(last), to: name(start), on_board: on_board() });
        }
        // The order has n entries and no vertex twice, so every vertex occurs exactly once.
        let sequence = Sequence::of_all(order);
        if let Some(violated) = instance.violated(&sequence) {
            return Err(NotATour::Constraint(Shown(violated, instance).to_string()));
        }
        Ok(Self { kind: instance.kind(), is_directed: instance.is_directed(), sequence })
    }

    /// Returns the closed tour in the opposite direction, from the same start; `None` if the tour is open or its graph
    /// is directed.
    #[must_use]
    pub fn reversed(&self) -> Option<Self> {
        let has_reverse = self.kind == TourKind::Closed && !self.is_directed;
        has_reverse.then(|| Self { kind: self.kind, is_directed: false, sequence: self.sequence.reversed() })
    }

    /// Returns the vertices in tour order, with their positions.
    #[must_use]
    #[inline]
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    /// Returns the vertices in tour order, beginning with the start.
    #[must_use]
    #[inline]
    pub fn order(&self) -> &[Vertex] {
        self.sequence.order()
    }

    /// Returns the kind of tour, closed or open.
    #[must_use]
    #[inline]
    pub fn kind(&self) -> TourKind {
        self.kind
    }

    /// Returns the position of a vertex, 0-based.
    #[must_use]
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
