//! Endpoints of tours: each end may be given or arbitrary. Questions, counts and cycle searches use them.

use crate::instance::{Instance, TourKind};
use hamcnf_graph::graph::Vertex;

/// Choice of the first vertex of open tours. Closed tours visit every vertex, so the choice does not affect them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// Only the start vertex of the instance.
    Given,
    /// Any vertex of the graph.
    Anywhere,
}

/// Endpoints of a tour. A cycle has no endpoints. A path has two, and each may be given or arbitrary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endpoints {
    /// The tour is a cycle.
    Closed,
    /// The tour is a path.
    Open {
        /// First vertex; `None` if every vertex is allowed.
        from: Option<Vertex>,
        /// Last vertex; `None` if every vertex is allowed.
        to: Option<Vertex>,
    },
}

impl Endpoints {
    /// Endpoints of a path from any vertex to any other.
    pub const ANYWHERE: Self = Self::Open { from: None, to: None };

    /// Returns the endpoints that are given. The first vertex of the path comes before the last.
    pub fn given(self) -> impl Iterator<Item = Vertex> + Clone {
        let given = match self {
            Self::Closed => [None, None],
            Self::Open { from, to } => [from, to],
        };
        given.into_iter().flatten()
    }

    /// Returns the number of directions in which the same path counts as a tour: 2 if both ends of open tours are
    /// arbitrary, otherwise 1.
    pub fn directions(self) -> u32 {
        if self == Self::ANYWHERE { 2 } else { 1 }
    }

    /// Returns the endpoints of the instance's tours. Closed tours have none; open tours lead from the start vertex to
    /// any vertex.
    pub fn of(instance: &Instance) -> Self {
        match instance.kind() {
            TourKind::Closed => Self::Closed,
            TourKind::Open => Self::Open { from: Some(instance.start()), to: None },
        }
    }
}
