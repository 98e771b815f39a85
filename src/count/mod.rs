//! How many tours there are.

pub mod enumerate;
pub mod external;
pub mod frontier;
pub mod projected;
pub mod queens;
#[cfg(feature = "diagrams")]
pub mod timeslice;
pub mod treewidth;

use hamcnf_encodings::named;

/// Ways to count tours, as they are called; with all that each may be told they are [`crate::method::Count`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// Dynamic programming along a frontier.
    Exact,
    /// Dynamic programming over a tree decomposition.
    Treewidth,
    /// That along a frontier on a sample of its states: an estimate with its error.
    Sample,
    /// A decision diagram over edges, which also lists, numbers and samples tours.
    Zdd,
    /// A decision diagram over vertices and times.
    Timeslice,
    /// Every tour by CaDiCaL; with a projection set, its exact number of values.
    Enumerate,
    /// ApproxMC on an encoding: an estimate within a factor.
    Approxmc,
    /// Ganak on an encoding.
    Ganak,
}

named!(Method, "method", {
    Exact => "exact",
    Treewidth => "treewidth",
    Sample => "sample",
    Zdd => "zdd",
    Timeslice => "timeslice",
    Enumerate => "enumerate",
    Approxmc => "approxmc",
    Ganak => "ganak",
});
