//! Endpoints of tours, as far as they are given; used by questions, counts and cycles.

use crate::graph::Vertex;
use crate::instance::{Instance, TourKind};
use crate::obstruction::{Obstruction, ObstructionKind, end_colours, obstruction};

/// Choice of open tours by their first vertex. Closed tours visit every vertex, so the choice does not affect them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// Open tours from the instance's start.
    Given,
    /// Open tours from any vertex.
    Anywhere,
}

/// Endpoints of a tour, as far as they are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endpoints {
    /// The tour is a cycle.
    Closed,
    /// The tour is a path, between these vertices where they are given.
    Open {
        /// First vertex; `None` if any.
        from: Option<Vertex>,
        /// Last vertex; `None` if any.
        to: Option<Vertex>,
    },
}

impl Endpoints {
    /// Endpoints of paths between any two vertices.
    pub const ANYWHERE: Self = Self::Open {
        from: None,
        to: None,
    };

    /// Returns the given vertices, the first vertex of the path before the last.
    pub fn given(self) -> impl Iterator<Item = Vertex> + Clone {
        let given = match self {
            Self::Closed => [None, None],
            Self::Open { from, to } => [from, to],
        };
        given.into_iter().flatten()
    }

    /// Returns the number of tours per undirected tour: 2 for open tours with neither end given, which go both ways;
    /// otherwise 1.
    #[must_use]
    pub fn directions(self) -> u32 {
        if self == Self::ANYWHERE { 2 } else { 1 }
    }

    /// Returns the endpoints of an instance: closed, or from its start to any vertex.
    #[must_use]
    pub fn of(instance: &Instance) -> Self {
        match instance.kind() {
            TourKind::Closed => Self::Closed,
            TourKind::Open => Self::Open {
                from: Some(instance.start()),
                to: None,
            },
        }
    }

    /// Returns an obstruction to all tours with these endpoints in the instance's graph, if a cheap check finds one.
    #[must_use]
    pub fn obstruction(self, instance: &Instance) -> Option<Obstruction> {
        match self {
            Self::Closed => obstruction(instance),
            Self::Open {
                from: Some(from),
                to,
            } => {
                let elsewhere = (from != instance.start()).then(|| instance.starting_at(from));
                let elsewhere = elsewhere.transpose().ok()?;
                let instance = elsewhere.as_ref().unwrap_or(instance);
                // `None` here means that any last vertex is allowed.
                let to = || to.and_then(|to| end_colours(instance, [Some(from), Some(to)]));
                obstruction(instance).or_else(to)
            }
            Self::Open { from: None, to } => {
                let from_any_start = |found: &Obstruction| {
                    matches!(
                        found.kind(),
                        ObstructionKind::OutOfReach | ObstructionKind::ThreeParts
                    )
                };
                let found = obstruction(instance).filter(from_any_start);
                found.or_else(|| end_colours(instance, [None, to]))
            }
        }
    }
}
