//! Where tours begin and end, as far as that is asked: what questions, counts and cycles say to each other.

use crate::graph::Vertex;
use crate::instance::{Instance, TourKind};
use crate::obstruction::{Obstruction, ObstructionKind, end_colours, obstruction};

/// Which open tours are meant. Closed tours go through every vertex, wherever they start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// Those from the instance's start.
    Given,
    /// Those from any vertex.
    Anywhere,
}

/// Where a path ends, if that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endpoints {
    /// It is a cycle.
    Closed,
    /// It is a path, between these where they are given.
    Open {
        /// The first vertex.
        from: Option<Vertex>,
        /// The last one.
        to: Option<Vertex>,
    },
}

impl Endpoints {
    /// Of paths between any two vertices.
    pub const ANYWHERE: Self = Self::Open {
        from: None,
        to: None,
    };

    /// The vertices that are given: first that where paths begin.
    pub fn given(self) -> impl Iterator<Item = Vertex> + Clone {
        let given = match self {
            Self::Closed => [None, None],
            Self::Open { from, to } => [from, to],
        };
        given.into_iter().flatten()
    }

    /// How many tours an undirected one is: closed ones are one, open ones go both ways where neither end is given.
    #[must_use]
    pub fn directions(self) -> u32 {
        if self == Self::ANYWHERE { 2 } else { 1 }
    }

    /// Those of an instance: closed, or from its start to anywhere.
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

    /// Why no tour of the instance's graph has these ends, if that is seen at once.
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
                // Wherever it ends, it begins there.
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
