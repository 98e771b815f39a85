//! Symmetries of tours: permutations of the vertices that map the edges of a tour to edges of the same tour.
//!
//! A [`Symmetry`] is a permutation that generates a group of two or four permutations. It need not be an automorphism
//! of the graph: an edge whose image is not in the graph is in no symmetric tour. [`BoardSymmetry`] names the
//! symmetries of boards.
//!
//! # How a tour can be symmetric
//!
//! A symmetry g of a closed tour with n vertices acts on the tour as on a regular n-gon, since it maps neighbours on
//! the tour to neighbours. So there are two cases:
//!
//! - *Turn*: g moves every vertex by the same number of steps k along the tour. No power of g except the identity fixes
//!   a vertex. If g has order m, then k is n/m times an odd number, for m = 2 and m = 4.
//! - *Flip*: g reverses the tour. Then g has order 2, and it fixes two vertices, or two edges, or one of each.
//!
//! An open tour is never turned. A flip exchanges its ends.

use std::sync::Arc as Shared;

use crate::{Board, HoledBoard, TourKind};
use hamcnf_graph::names::named;
use hamcnf_graph::{Facts, Graph, Vertex};

/// Permutation of the vertices of order 2 or 4.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symmetry {
    images: Shared<[Vertex]>,
    /// Number of times that the symmetry must be repeated to give the identity: 2 or 4.
    order: usize,
}

impl Symmetry {
    /// Returns the symmetry that maps vertex v to `images[v]`; `None` if this is not a permutation of order 2 or 4.
    pub fn new(images: impl Into<Shared<[Vertex]>>) -> Option<Self> {
        let images = images.into();
        let mut is_image = vec![false; images.len()];
        for image in images.iter() {
            if std::mem::replace(is_image.get_mut(image.index())?, true) {
                return None;
            }
        }
        let is_identity = |times: usize| {
            let vertices = (0..images.len() as u32).map(Vertex::new);
            vertices.map(|v| (v, (0..times).fold(v, |v, _| images[v.index()]))).all(|(v, image)| v == image)
        };
        let order = [1, 2, 4].into_iter().find(|&times| is_identity(times)).filter(|&times| times > 1)?;
        Some(Self { images, order })
    }

    /// Returns the order of the symmetry: the number of times that it must be repeated to give the identity, 2 or 4.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Returns the number of vertices.
    pub fn n(&self) -> usize {
        self.images.len()
    }

    /// Returns the image of a vertex.
    #[inline]
    pub fn image(&self, v: Vertex) -> Vertex {
        self.images[v.index()]
    }

    /// Returns v and its images under repeated application of the symmetry: as many vertices as the order, some of them
    /// perhaps repeated.
    pub fn images_of(&self, v: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        std::iter::successors(Some(v), |&v| Some(self.image(v))).take(self.order)
    }

    /// Returns the images of the edge between `u` and `v`, beginning with this edge, without repetitions. The smaller
    /// vertex of each edge comes first.
    pub fn images_of_edge(&self, u: Vertex, v: Vertex) -> Vec<(Vertex, Vertex)> {
        let mut images = Vec::with_capacity(self.order);
        for (u, v) in self.images_of(u).zip(self.images_of(v)) {
            let edge = (u.min(v), u.max(v));
            if !images.contains(&edge) {
                images.push(edge);
            }
        }
        images
    }

    /// True if no power of the symmetry except the identity fixes a vertex.
    pub fn is_free(&self) -> bool {
        self.vertices().all(|v| self.images_of(v).skip(1).all(|image| image != v))
    }

    /// Returns the vertices that are their own images.
    pub fn fixed(&self) -> impl Iterator<Item = Vertex> + '_ {
        self.vertices().filter(|&v| self.image(v) == v)
    }

    fn vertices(&self) -> impl Iterator<Item = Vertex> + use<> {
        (0..self.images.len() as u32).map(Vertex::new)
    }

    /// Returns the same symmetry of a graph in which vertex v has the number `new[v]`.
    pub fn relabelled(&self, new: &[Vertex]) -> Self {
        let mut images = self.images.to_vec();
        for (image, &label) in self.images.iter().zip(new) {
            images[label.index()] = new[image.index()];
        }
        Self { images: images.into(), order: self.order }
    }

    /// Returns the same symmetry of a graph with one more vertex, which is its own image.
    pub fn extended(&self) -> Self {
        let added = Vertex::new(self.images.len() as u32);
        Self { images: self.images.iter().copied().chain([added]).collect(), order: self.order }
    }

    /// Returns the orbits that consist of at least two edges, at least one of them in the graph. An orbit consists of
    /// an edge and its images; it is whole if all of them are in the graph.
    pub fn orbits(&self, graph: &Graph) -> Vec<Orbit> {
        let edges = graph.arcs().filter(|arc| arc.tail < arc.head);
        let orbits = edges.filter_map(|arc| {
            let images = self.images_of_edge(arc.tail, arc.head);
            let (here, all): (Vec<_>, usize) = {
                let all = images.len();
                let here = images.into_iter();
                (here.filter(|&(u, v)| graph.arc(u, v).is_some()).collect(), all)
            };
            // Each orbit is returned once, for its first edge in the graph.
            let is_first = here.iter().min() == Some(&(arc.tail, arc.head));
            (all > 1 && is_first).then_some(Orbit { is_whole: here.len() == all, edges: here })
        });
        orbits.collect()
    }

    /// Returns a reason why no tour of this kind is symmetric, if the fixed vertices or the colours of the graph give
    /// one, as a sentence. `None` does not prove that a symmetric tour exists.
    pub fn obstruction(&self, facts: &Facts, kind: TourKind) -> Option<String> {
        let fixed = self.fixed().count();
        let (is_free, can_flip) = (self.is_free(), self.order == 2);
        let most = if kind == TourKind::Open { 1 } else { 2 };
        match kind {
            TourKind::Open if !can_flip => {
                return Some("a symmetry of an open tour exchanges its ends, so its order is 2, not 4".to_owned());
            }
            TourKind::Closed if !is_free && !can_flip => {
                let power = "neither a symmetry of order 4 of a closed tour nor its square fixes a vertex";
                return Some(format!("{power}, but here one of the two does"));
            }
            _ if fixed > most => {
                let few = "but a symmetry of such a tour fixes at most";
                return Some(format!("the symmetry fixes {fixed} vertices, {few} {most}"));
            }
            _ if kind == TourKind::Open || !is_free => return None,
            _ => {}
        }
        // From here on, the symmetry turns the tour, unless the tour uses an edge between a vertex and its image.
        let graph = facts.graph();
        let is_own_image = |v: Vertex| graph.arc(v, self.image(v)).is_some();
        if can_flip && graph.vertices().any(is_own_image) {
            return None;
        }
        let colours = facts.colours()?;
        let steps = self.n() / self.order;
        let apart = if steps == 1 { "step" } else { "steps" };
        let changes = |v: Vertex| colours[v.index()] != colours[self.image(v).index()];
        let is_odd = steps % 2 == 1;
        let contradicts = graph.vertices().any(|v| changes(v) != is_odd);
        let other = if is_odd { "the same colour as" } else { "another colour than" };
        (contradicts && facts.components().count() == 1).then(|| {
            format!(
                "two colours alternate along a tour, and a vertex and its image are an odd multiple of {steps} {apart} apart, \
                 but some vertex has {other} its image"
            )
        })
    }
}

/// Orbit of an edge: the edge and its images, as far as they are edges of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Orbit {
    /// Edges, each with its smaller vertex first.
    pub edges: Vec<(Vertex, Vertex)>,
    /// True if all images are edges of the graph. Otherwise no symmetric tour uses any of them.
    pub is_whole: bool,
}

named! {
    /// Symmetry of a board.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum BoardSymmetry: "symmetry" {
        /// Rotation by 180 degrees.
        HalfTurn => "180",
        /// Rotation by 90 degrees, of a square board.
        QuarterTurn => "90",
        /// Reflection that exchanges left and right.
        LeftRight => "left-right",
        /// Reflection that exchanges top and bottom.
        TopBottom => "top-bottom",
        /// Reflection in the diagonal through the top left corner, of a square board.
        Diagonal => "diagonal",
        /// Reflection in the diagonal through the top right corner, of a square board.
        Antidiagonal => "antidiagonal",
    }
}

/// Reason why a board does not have a symmetry, as a sentence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the symmetry \"{symmetry}\" {why}")]
pub struct NoBoardSymmetry {
    symmetry: BoardSymmetry,
    why: String,
}

impl BoardSymmetry {
    /// Returns the image of a square. The board must be square if the symmetry exchanges rows and columns.
    fn image(self, board: &Board, square: Vertex) -> Vertex {
        let (row, col) = board.row_col(square);
        let (below, right) = (board.rows() - 1 - row, board.cols() - 1 - col);
        let (row, col) = match self {
            Self::HalfTurn => (below, right),
            Self::QuarterTurn => (col, below),
            Self::LeftRight => (row, right),
            Self::TopBottom => (below, col),
            Self::Diagonal => (col, row),
            Self::Antidiagonal => (right, below),
        };
        board.square_at(row, col)
    }

    /// Returns the symmetry as a permutation of a board's vertices.
    ///
    /// # Errors
    ///
    /// [`NoBoardSymmetry`] if the board does not have the symmetry.
    pub fn on(self, board: &HoledBoard) -> Result<Symmetry, NoBoardSymmetry> {
        let whole = board.board();
        let wrong = |why| NoBoardSymmetry { symmetry: self, why };
        let exchanges = matches!(self, Self::QuarterTurn | Self::Diagonal | Self::Antidiagonal);
        if exchanges && whole.rows() != whole.cols() {
            return Err(wrong(format!("needs a square board, but {} is not square", board.sides())));
        }
        for &hole in board.holes() {
            let image = self.image(whole, hole);
            if board.vertex(image).is_some() {
                let [hole, image] = [hole, image].map(|square| whole.square_name(square));
                return Err(wrong(format!("moves the hole {hole} to {image}, which is not a hole")));
            }
        }
        let vertices = (0..board.n_squares()).map(Vertex::new);
        // Holes are images of holes, so every image of a vertex is a vertex.
        let images = vertices.filter_map(|v| board.vertex(self.image(whole, board.square(v))));
        // Applying a board's symmetry four times gives the identity. So the only possible error is that the symmetry is
        // itself the identity.
        Symmetry::new(images.collect::<Vec<_>>()).ok_or_else(|| wrong(format!("moves no square of {board}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::Instance;
    use hamcnf_graph::names::Named;

    fn holed(text: &str) -> HoledBoard {
        text.parse::<Board>().unwrap().into()
    }

    #[test]
    fn symmetries_of_boards_keep_moves() {
        for text in ["6x6", "5x8", "king:4x4", "7x3"] {
            let board = holed(text);
            let graph = board.graph();
            for symmetry in BoardSymmetry::ALL {
                let Ok(g) = symmetry.on(&board) else {
                    assert_ne!(board.board().rows(), board.board().cols());
                    continue;
                };
                for arc in graph.arcs() {
                    assert!(graph.arc(g.image(arc.tail), g.image(arc.head)).is_some());
                }
                let four = *symmetry == BoardSymmetry::QuarterTurn;
                assert_eq!(g.order(), if four { 4 } else { 2 });
            }
        }
    }

    #[test]
    fn lists_that_are_no_symmetries_are_refused() {
        let of = |images: &[u32]| {
            let images = images.iter().map(|&v| Vertex::new(v));
            Symmetry::new(images.collect::<Vec<_>>()).map(|symmetry| symmetry.order())
        };
        for wrong in [&[0, 0][..], &[0, 2], &[0, 1], &[1, 2, 0]] {
            assert_eq!(of(wrong), None, "{wrong:?}");
        }
        assert_eq!((of(&[1, 0, 2]), of(&[1, 2, 3, 0, 5, 4])), (Some(2), Some(4)));
    }

    #[test]
    fn colours_forbid_quarter_turns_if_a_side_is_a_multiple_of_four() {
        for (text, symmetry, is_obstructed) in [
            ("6x6", BoardSymmetry::QuarterTurn, false),
            ("8x8", BoardSymmetry::QuarterTurn, true),
            ("10x10", BoardSymmetry::QuarterTurn, false),
            ("12x12", BoardSymmetry::QuarterTurn, true),
            ("7x7", BoardSymmetry::QuarterTurn, true),
            ("8x8", BoardSymmetry::HalfTurn, false),
            ("8x8", BoardSymmetry::LeftRight, true),
            ("8x8", BoardSymmetry::Diagonal, true),
            ("5x10", BoardSymmetry::LeftRight, false),
            ("5x8", BoardSymmetry::LeftRight, true),
        ] {
            let board = holed(text);
            let g = symmetry.on(&board).unwrap();
            let instance = Instance::on_holed(board, TourKind::Closed, Vertex::new(0)).unwrap();
            let found = g.obstruction(instance.facts(), TourKind::Closed);
            assert_eq!(found.is_some(), is_obstructed, "{text} {symmetry}");
        }
    }

    #[test]
    fn an_orbit_with_a_missing_edge_is_not_whole() {
        let board = holed("king:2x2");
        let g = BoardSymmetry::QuarterTurn.on(&board).unwrap();
        let sizes = |graph: &Graph| -> Vec<_> {
            let orbits = g.orbits(graph).into_iter();
            orbits.map(|orbit| (orbit.edges.len(), orbit.is_whole)).collect()
        };
        assert_eq!(sizes(&board.graph()), [(4, true), (2, true)]);
        let path = Graph::from_edges(4, [(0, 1), (1, 3)]).unwrap();
        assert_eq!(sizes(&path), [(2, false)]);
    }
}
