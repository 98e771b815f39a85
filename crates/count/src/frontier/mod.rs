//! Counting of tours by a sweep over the vertices, along a frontier.
//!
//! The vertices are swept in order; at each vertex, its edges to later vertices are chosen. The *frontier* consists of
//! the vertices that have not been swept, but have a swept neighbour. The rest of the sweep depends on the choices so
//! far only through the degree of each frontier vertex and the pairing of the ends of paths. These two form a *state*.
//! The dynamic program over states counts cycles without constructing any ([`exact`]), or estimates their number from a
//! sample of the states ([`sample`]). The decision diagram of all tours has one or a few nodes for each state
//! ([`diagram`]). A walk over the choices lists tours without storing any ([`walk`]). A
//! [`certificate`] lets other programs verify a count.
//!
//! ```text
//! order ─▶ sweep ─▶ state ─▶ step ─▶ store ─▶ answer
//! ```
//!
//! - `order`: vertex orders with a small frontier.
//! - `sweep`: the vertices and frontiers along an order, for a question.
//! - `state`: degree vectors, matchings of the ends of paths, their ranks, and weights.
//! - `step`: the states after the next vertex, with exact weights (`packed`: numbers and polynomials) or with estimates
//!   (`layer`: a sample of the states).
//! - `store`: the states of a layer in memory or on disk, and checkpoints.
//! - `answer`: counts, estimates, diagrams, lists and certificates.
//!
//! # References
//!
//! - Donald Knuth: _The Art of Computer Programming_ 4A, section 7.1.4, Simpath.
//! - Brendan McKay: *Knight's tours of an 8×8 chessboard*, Technical Report TR-CS-97-03, 1997.
//! - Jun Kawahara, Takeru Inoue, Hiroaki Iwashita, Shin-ichi Minato: *Frontier-based search for enumerating
//!   all constrained subgraphs with compressed representation*, IEICE Trans. Fundamentals, 2017.

mod answer;
mod order;
mod state;
mod step;
mod store;
mod sweep;

pub(super) use answer::weighted;
pub use answer::{census, certificate, diagram, exact, sample, walk};
pub use store::checkpoint::CheckpointError;
pub use store::scratch::ScratchError;
pub use sweep::TooWide;
pub use sweep::element::Element;
pub(super) use sweep::element::ordered;
pub(super) use sweep::question;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

/// Amount of memory in bytes, parsed from text such as `500M` or `1.5 GiB`. Units are powers of 1024.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Bytes(pub u64);

const UNITS: [char; 4] = ['K', 'M', 'G', 'T'];

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut value = self.0 as f64;
        let mut unit = None;
        for next in UNITS {
            if value >= 1024.0 {
                value /= 1024.0;
                unit = Some(next);
            }
        }
        match unit {
            // An estimate may be far greater.
            _ if self.0 == u64::MAX => f.write_str("16 EiB or more"),
            None => write!(f, "{} bytes", self.0),
            Some(unit) if value < 10.0 => write!(f, "{value:.1} {unit}iB"),
            Some(unit) => write!(f, "{value:.0} {unit}iB"),
        }
    }
}

/// Number of states, shown with its unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct States(pub usize);

impl fmt::Display for States {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("1 state"),
            states => write!(f, "{states} states"),
        }
    }
}

/// Error for a text that is not an amount of memory.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" is not an amount of memory; write bytes, or a number with K, M, G or T, such as 2G")]
pub struct NotBytes(String);

impl FromStr for Bytes {
    type Err = NotBytes;

    fn from_str(text: &str) -> Result<Self, NotBytes> {
        let error = || NotBytes(text.to_owned());
        let digits_end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
        let (number, unit) = text.split_at(digits_end.unwrap_or(text.len()));
        let number: f64 = number.parse().map_err(|_| error())?;
        let unit = unit.trim_start().to_ascii_uppercase();
        let unit = unit.strip_suffix("IB").or(unit.strip_suffix('B')).unwrap_or(&unit);
        let mut letters = unit.chars();
        let power = match (letters.next(), letters.next()) {
            (None, _) => 0,
            (Some(letter), None) => {
                let place = UNITS.iter().position(|&u| u == letter).ok_or_else(error)?;
                place + 1
            }
            (Some(_), Some(_)) => return Err(error()),
        };
        let bytes = number * 1024f64.powi(power as i32);
        if bytes >= 1.0 { Ok(Self(bytes as u64)) } else { Err(error()) }
    }
}

/// Exact count, with statistics of the run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Exact {
    /// Number of tours. A closed tour counts once for both directions, an open tour once per direction.
    #[serde(with = "store::checkpoint::decimal")]
    pub count: BigUint,
    /// Number of tours by the value of a statistic, without the values that no tour has. Empty unless the count is a
    /// [histogram](census). Checkpoints do not have it, because only counts of several boards have earlier answers.
    #[serde(skip)]
    pub by_value: BTreeMap<u32, BigUint>,
    /// Largest number of states on one frontier.
    pub peak_states: usize,
    /// Largest number of bytes that states occupied at one time.
    pub peak_bytes: u64,
    /// Number of states generated in all sweeps, before equal states were merged.
    pub generated: u64,
    /// Number of vertices on the widest frontier.
    pub width: usize,
    /// Largest number of bytes in temporary files at one time.
    pub scratch_bytes: u64,
    /// Number of sweeps. There are several if the weights did not fit into memory, so that the tours were counted modulo
    /// primes.
    pub sweeps: usize,
}

/// Progress of a sweep.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Number of complete sweeps.
    pub finished_sweeps: usize,
    /// Total number of sweeps: 1, unless the tours are counted modulo primes.
    pub sweeps: usize,
    /// Number of vertices swept so far in the current sweep.
    pub layer: usize,
    /// Total number of vertices, including the vertices added to the graph for open tours.
    pub layers: usize,
    /// Name of these vertices, for messages: "vertices", or "orbits" of vertices under a symmetry.
    pub unit: &'static str,
    /// Number of states on the current frontier.
    pub states: usize,
    /// Number of bytes that these states occupy.
    pub bytes: u64,
    /// Estimate of the largest number of states on one frontier: an upper bound that follows from vertex degrees, or a
    /// smaller number from a sample.
    pub most_states: f64,
    /// Number of bytes that `most_states` states would occupy.
    pub most_bytes: f64,
}

impl Progress {
    /// Returns the number of vertices swept so far in words, with the current sweep if there are several.
    pub fn place(&self) -> String {
        let place = format!("{} of {} {}", self.layer, self.layers, self.unit);
        match self.sweeps {
            1 => place,
            sweeps => format!("{place} in sweep {} of {sweeps}", self.finished_sweeps + 1),
        }
    }

    /// Returns the progress before the first vertex, when the upper bounds are not known yet.
    fn before(sweep: &sweep::Sweep) -> Self {
        Self {
            finished_sweeps: 0,
            sweeps: 1,
            layer: 0,
            layers: sweep.n(),
            unit: sweep.unit(),
            states: 1,
            bytes: 0,
            most_states: f64::INFINITY,
            most_bytes: f64::INFINITY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_as_it_is_written() {
        for (text, bytes, written) in [
            ("500", 500, "500 bytes"),
            ("2G", 2 << 30, "2.0 GiB"),
            ("1.5 KiB", 1536, "1.5 KiB"),
            ("300mb", 300 << 20, "300 MiB"),
            ("4t", 4 << 40, "4.0 TiB"),
        ] {
            assert_eq!(text.parse(), Ok(Bytes(bytes)), "{text}");
            assert_eq!(Bytes(bytes).to_string(), written);
        }
        for text in ["", "G", "0", "-1G", "2X", "2GG", "much"] {
            assert_eq!(text.parse::<Bytes>(), Err(NotBytes(text.to_owned())));
        }
    }
}
