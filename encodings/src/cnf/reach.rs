//! Position windows from shortest paths: the preprocessing of the paper's section 3.3.
//!
//! With d(v) the distance from the start, a tour cannot be on v before position d(v), nor, where it has to
//! close, after position N − d(v), since it has to get back. Vertices that cannot be reached have an empty
//! window.
//!
//! # References
//!
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.

use crate::names::named;
use crate::problem::instance::{Instance, TourKind};

/// How much of the shortest-path preprocessing an encoding does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pruning {
    /// None: every vertex may have every position.
    None,
    /// What the authors' programs do: windows for all vertices, except that the start, at distance 0,
    /// keeps all N positions; each encoding's page says what follows from a window there.
    AsPublished,
    /// Windows for all vertices, the start's position a constant, and every consequence drawn that the
    /// published programs leave out.
    Full,
}

named!(Pruning, "pruning", {
    None => "none",
    AsPublished => "as-published",
    Full => "full",
});

/// The positions that a vertex may have: `lo..=hi`, counted from 0, or none where lo > hi.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The first position.
    pub lo: u32,
    /// The last position.
    pub hi: u32,
}

impl Window {
    /// No position at all.
    pub const EMPTY: Self = Self { lo: 1, hi: 0 };

    /// Whether position p lies in it.
    #[must_use]
    pub const fn contains(&self, p: u32) -> bool {
        self.lo <= p && p <= self.hi
    }

    /// How many positions lie in it.
    #[must_use]
    pub const fn width(&self) -> u32 {
        (self.hi + 1).saturating_sub(self.lo)
    }

    /// The positions below n that are not in it, in increasing order.
    pub fn outside(&self, n: u32) -> impl Iterator<Item = u32> + use<> {
        let (below, above) = match self.width() {
            0 => (0..n, 0..0),
            _ => (0..self.lo, self.hi + 1..n),
        };
        below.chain(above)
    }

    /// Its positions in increasing order.
    pub fn positions(&self) -> impl Iterator<Item = u32> + use<> {
        self.lo..=self.hi
    }
}

/// The window of every vertex, indexed by vertex.
#[must_use]
pub fn windows(instance: &Instance, pruning: Pruning) -> Vec<Window> {
    let last = instance.n() - 1;
    if pruning == Pruning::None {
        return vec![Window { lo: 0, hi: last }; instance.n() as usize];
    }
    let window = |distance: Option<u32>| match distance {
        Some(0) if pruning == Pruning::Full => Window { lo: 0, hi: 0 },
        Some(0) => Window { lo: 0, hi: last },
        Some(d) => {
            let hi = match instance.kind() {
                TourKind::Closed => instance.n() - d,
                TourKind::Open => last,
            };
            Window { lo: d, hi }
        }
        None => Window::EMPTY,
    };
    let distances = instance.graph().distances(instance.start());
    distances.into_iter().map(window).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::graph::{Graph, Vertex};

    #[test]
    fn windows_are_what_the_distances_leave() {
        // 0-1-2-3 and the lonely 4.
        let on = |kind| {
            let graph = Graph::from_edges(5, [(0, 1), (1, 2), (2, 3)]).unwrap();
            Instance::on_graph("path", graph, kind, Vertex::new(0)).unwrap()
        };
        let of = |kind, pruning| {
            windows(&on(kind), pruning)
                .iter()
                .map(|w| (w.lo, w.hi))
                .collect::<Vec<_>>()
        };
        let (closed, open) = (TourKind::Closed, TourKind::Open);
        assert_eq!(of(closed, Pruning::None), [(0, 4); 5]);
        assert_eq!(
            of(closed, Pruning::AsPublished),
            [(0, 4), (1, 4), (2, 3), (3, 2), (1, 0)]
        );
        assert_eq!(
            of(closed, Pruning::Full),
            [(0, 0), (1, 4), (2, 3), (3, 2), (1, 0)]
        );
        assert_eq!(
            of(open, Pruning::Full),
            [(0, 0), (1, 4), (2, 4), (3, 4), (1, 0)]
        );
    }

    #[test]
    fn an_empty_window_has_no_positions() {
        for w in [
            Window::EMPTY,
            Window { lo: 3, hi: 2 },
            Window { lo: 9, hi: 2 },
        ] {
            assert_eq!(w.width(), 0);
            assert_eq!(w.positions().count(), 0);
            assert!((0..10).all(|p| !w.contains(p)));
            assert!(w.outside(10).eq(0..10));
        }
        let w = Window { lo: 2, hi: 4 };
        assert_eq!((w.width(), w.positions().count()), (3, 3));
        assert!(w.outside(10).eq((0..10).filter(|&p| !w.contains(p))));
    }
}
