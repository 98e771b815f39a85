//! Counting along a frontier.
//!
//! The vertices are swept one after the other; at each, its edges to later vertices are chosen. What the
//! rest of the sweep has to know of the choices made is only how many edges each vertex of the frontier has,
//! and which of the paths' ends belong together: that is a *state*. The dynamic program over states counts
//! cycles without seeing any ([`exact`]), or estimates their number from a sample of the states ([`sample`]).
//! The decision diagram of all tours has one node or a few for each state ([`diagram`]).
//!
//! # References
//!
//! - Donald Knuth: _The Art of Computer Programming_ 4A, section 7.1.4, Simpath.
//! - Brendan McKay: *Knight's tours of an 8×8 chessboard*, Technical Report TR-CS-97-03, 1997.
//! - Jun Kawahara, Takeru Inoue, Hiroaki Iwashita, Shin-ichi Minato: *Frontier-based search for enumerating
//!   all constrained subgraphs with compressed representation*, IEICE Trans. Fundamentals, 2017.

mod degrees;
pub mod diagram;
pub mod exact;
mod layer;
mod matching;
mod moves;
mod order;
pub mod sample;
mod sweep;
mod weight;

pub use sweep::TooWide;

/// How far a sweep is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Vertices swept.
    pub layer: usize,
    /// All vertices, those included that open tours need beside the graph's.
    pub layers: usize,
    /// States on the frontier.
    pub states: usize,
    /// Bytes they take.
    pub bytes: u64,
    /// How many states there may be at most on one frontier, as far as degrees tell.
    pub most_states: f64,
    /// Bytes of that many states.
    pub most_bytes: f64,
}
