//! How many tours there are.

pub mod enumerate;
pub mod external;
pub mod frontier;
pub mod projected;

/// Which open tours are counted. Closed tours go through every vertex, wherever they start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Start {
    /// Those from the instance's start.
    Given,
    /// Those from any vertex.
    Anywhere,
}
