//! What the first vertex of a graph is called: graphs in files are numbered from 1, or from 0. Inside they are
//! always counted from 0, so this is for what people read and write.

use super::graph::Vertex;

/// The number of the first vertex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Numbering {
    /// It is 0, as in many lists of edges.
    FromZero,
    /// It is 1, as in DIMACS and TSPLIB files.
    #[default]
    FromOne,
}

impl Numbering {
    /// The one whose first number is this.
    #[must_use]
    pub fn of_first(first: u32) -> Option<Self> {
        match first {
            0 => Some(Self::FromZero),
            1 => Some(Self::FromOne),
            _ => None,
        }
    }

    /// The number of the first vertex.
    #[must_use]
    pub fn first(self) -> u32 {
        match self {
            Self::FromZero => 0,
            Self::FromOne => 1,
        }
    }

    /// The number of a vertex.
    #[must_use]
    pub fn number(self, v: Vertex) -> u64 {
        u64::from(v.number()) + u64::from(self.first())
    }

    /// The vertex of this number, if there can be one.
    #[must_use]
    pub fn vertex(self, number: u32) -> Option<Vertex> {
        number.checked_sub(self.first()).map(Vertex::new)
    }
}
