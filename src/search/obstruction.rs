//! Reasons that there is no tour which can be seen without a search.
//!
//! A cycle enters and leaves every vertex; a path does so except at its two ends; both are connected; and
//! where every move changes colour, as a knight's does, the visits alternate between the two colours. What
//! is found here in linear time no search has to look for: on a board of odd size a search for a closed
//! tour would try every path before it knew.

use std::fmt;

use hamcnf_encodings::{Instance, TourKind, Vertex};

/// Why there cannot be a tour. Vertices stand under the names that the instance gives them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Obstruction {
    /// No path leads from the start to this vertex.
    OutOfReach {
        /// The start.
        start: String,
        /// The vertex.
        vertex: String,
    },
    /// A closed tour enters and leaves every vertex, but this one has one neighbour.
    OneNeighbour(String),
    /// An open tour can end in a vertex of one neighbour, but only in one of them.
    TwoEnds(String, String),
    /// Moves change colour, and the numbers of the two colours do not fit the kind of tour.
    Colours {
        /// Vertices that have the start's colour.
        like_start: u32,
        /// The others.
        other: u32,
        /// The kind of tour.
        kind: TourKind,
    },
}

impl fmt::Display for Obstruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfReach { start, vertex } => {
                write!(f, "no path leads from {start} to {vertex}")
            }
            Self::OneNeighbour(vertex) => {
                write!(
                    f,
                    "{vertex} has one neighbour, so no closed tour can go through it"
                )
            }
            Self::TwoEnds(one, other) => write!(
                f,
                "{one} and {other} have one neighbour each, and an open tour can end in one of them only"
            ),
            Self::Colours {
                like_start,
                other,
                kind,
            } => {
                let fits = match kind {
                    TourKind::Closed => "as many of each",
                    TourKind::Open => "as many of each, or one more of the start's",
                };
                write!(
                    f,
                    "every move changes colour, {like_start} have the start's colour and {other} the other, \
                     and a tour of this kind visits {fits}"
                )
            }
        }
    }
}

/// A reason that the instance has no tour, if one of these is; `None` says nothing.
#[must_use]
pub fn obstruction(instance: &Instance) -> Option<Obstruction> {
    let (graph, start) = (instance.graph(), instance.start());
    let name = |v: Vertex| instance.vertex_name(v);
    let distances = graph.distances(start);
    if let Some(vertex) = graph.vertices().find(|v| distances[v.index()].is_none()) {
        return Some(Obstruction::OutOfReach {
            start: name(start),
            vertex: name(vertex),
        });
    }
    let ends = graph.vertices().filter(|&v| graph.degree(v) == 1);
    match instance.kind() {
        TourKind::Closed => {
            if let Some(vertex) = ends.into_iter().next() {
                return Some(Obstruction::OneNeighbour(name(vertex)));
            }
        }
        TourKind::Open => {
            let mut ends = ends.filter(|&v| v != start);
            if let (Some(one), Some(other)) = (ends.next(), ends.next()) {
                return Some(Obstruction::TwoEnds(name(one), name(other)));
            }
        }
    }
    // The graph is connected, so it has two colours if neighbours are never equally far from the start.
    let odd = |v: Vertex| distances[v.index()].is_some_and(|d| d % 2 == 1);
    if graph.arcs().any(|arc| odd(arc.tail) == odd(arc.head)) {
        return None;
    }
    let other = graph.vertices().filter(|&v| odd(v)).count() as u32;
    let like_start = instance.n() - other;
    let fits = match instance.kind() {
        TourKind::Closed => like_start == other,
        TourKind::Open => like_start == other || like_start == other + 1,
    };
    (!fits).then_some(Obstruction::Colours {
        like_start,
        other,
        kind: instance.kind(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_encodings::Graph;

    fn on_board(board: &str, kind: TourKind, start: &str) -> Option<String> {
        let board: hamcnf_encodings::Board = board.parse().unwrap();
        let start = board.square(start).unwrap();
        let instance = Instance::on_board(board, kind, start).unwrap();
        obstruction(&instance).map(|found| found.to_string())
    }

    #[test]
    fn each_is_found_and_said() {
        use TourKind::{Closed, Open};
        let said = |text: &str| Some(text.to_owned());
        assert_eq!(on_board("8x8", Closed, "a1"), None);
        assert_eq!(on_board("5x5", Open, "a1"), None);
        assert_eq!(
            on_board("3x3", Closed, "a1"),
            said("no path leads from a1 to b2")
        );
        assert_eq!(
            on_board("5x5", Closed, "a1"),
            said(
                "every move changes colour, 13 have the start's colour and 12 the other, and a tour of this \
                 kind visits as many of each"
            )
        );
        assert_eq!(
            on_board("5x5", Open, "b1"),
            said(
                "every move changes colour, 12 have the start's colour and 13 the other, and a tour of this \
                 kind visits as many of each, or one more of the start's"
            )
        );
        let path = |kind, start| {
            let graph = Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap();
            let instance = Instance::on_graph("path", graph, kind, Vertex::new(start)).unwrap();
            obstruction(&instance).map(|found| found.to_string())
        };
        assert_eq!(path(Open, 0), None);
        assert_eq!(
            path(Open, 1),
            said("1 and 3 have one neighbour each, and an open tour can end in one of them only")
        );
        assert_eq!(
            path(Closed, 0),
            said("1 has one neighbour, so no closed tour can go through it")
        );
    }
}
