//! Numbering of vertices in files and output: from 1 or from 0. Internally vertices are always counted from 0.

use super::graph::Vertex;

/// Number of the first vertex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Numbering {
    /// The first vertex is 0, as in many lists of edges.
    FromZero,
    /// The first vertex is 1, as in DIMACS and TSPLIB files.
    #[default]
    FromOne,
}

impl Numbering {
    /// Returns the numbering with this first number; `None` unless it is 0 or 1.
    #[must_use]
    pub fn of_first(first: u32) -> Option<Self> {
        match first {
            0 => Some(Self::FromZero),
            1 => Some(Self::FromOne),
            _ => None,
        }
    }

    /// Returns the number of the first vertex.
    #[must_use]
    pub fn first(self) -> u32 {
        match self {
            Self::FromZero => 0,
            Self::FromOne => 1,
        }
    }

    /// Returns the number of a vertex.
    #[must_use]
    pub fn number(self, v: Vertex) -> u64 {
        u64::from(v.number()) + u64::from(self.first())
    }

    /// Returns the vertex of this number; `None` for 0 if numbers begin at 1.
    #[must_use]
    pub fn vertex(self, number: u32) -> Option<Vertex> {
        number.checked_sub(self.first()).map(Vertex::new)
    }
}
