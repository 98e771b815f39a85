//! Numbering of vertices in input and output: from 0 or from 1. Internally, vertices are always counted from 0.

use crate::graph::Vertex;

/// Numbering of vertices, given by the number of the first vertex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Numbering {
    /// The first vertex is 0, as in many edge lists.
    FromZero,
    /// The first vertex is 1, as in DIMACS and TSPLIB files.
    #[default]
    FromOne,
}

impl Numbering {
    /// Returns the numbering that begins at `first`; `None` unless `first` is 0 or 1.
    pub fn of_first(first: u32) -> Option<Self> {
        match first {
            0 => Some(Self::FromZero),
            1 => Some(Self::FromOne),
            _ => None,
        }
    }

    /// Returns the number of the first vertex.
    pub fn first(self) -> u32 {
        match self {
            Self::FromZero => 0,
            Self::FromOne => 1,
        }
    }

    /// Returns the number of a vertex in this numbering.
    pub fn number(self, v: Vertex) -> u64 {
        u64::from(v.number()) + u64::from(self.first())
    }

    /// Returns the vertex with this number; `None` for number 0 if the numbering begins at 1.
    pub fn vertex(self, number: u32) -> Option<Vertex> {
        number.checked_sub(self.first()).map(Vertex::new)
    }
}
