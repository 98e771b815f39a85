//! The parts' settings and slices: the one place where they are tuned. They were, on public graphs and on random ones.

use std::time::Duration;

/// What the first thread has before others begin.
pub(super) const HEAD_START: Duration = Duration::from_secs(1);
/// Above this width tables take longer than the propagator does.
pub(super) const MOST_WIDTH: u32 = 13;
/// Graphs of no more edges are tried by cuts in rounds before tables that are not narrow.
pub(super) const FEW_EDGES: u32 = 2_000;
/// Tables of so many states, by their estimate, come before that.
pub(super) const FEW_STATES: u64 = 5_000_000;
/// What cuts in rounds have before wider tables, in conflicts.
pub(super) const FEW_CONFLICTS: u64 = 2_000;
/// The first slices of the propagator, on the core and on the graph, in literals, and how much longer each of the
/// next is.
pub(super) const FIRST_LITERALS: [u64; 2] = [6_000_000, 16_000_000];
pub(super) const GROWTH: u64 = 2;
/// The first slice of cuts in rounds, in conflicts.
pub(super) const FIRST_CONFLICTS: u64 = 100_000;
/// What local search looks at before all else, in edges for each arc.
pub(super) const GLANCES_PER_ARC: u64 = 3;
/// Its first slice after that, in edges looked at: for each arc, and at most.
pub(super) const LOOKS_PER_ARC: u64 = 300;
pub(super) const FIRST_LOOKS: u64 = 8_000_000;
/// Vertices are eliminated while one has no more neighbours than this, from slice to slice.
pub(super) const CORE_WIDTHS: [u32; 4] = [8, 9, 6, 10];
/// No table of a piece has more states.
pub(super) const CORE_STATES: u64 = 20_000;
/// Pieces with more ways than this, in the mean, are no help.
pub(super) const CORE_WAYS: u64 = 12;
/// Graphs of more edges are not reduced: what is as large and solved at all is found by its 2-factor.
pub(super) const REDUCED_EDGES: u32 = 200_000;
/// Graphs of more edges have no 2-factor made for the propagator.
pub(super) const FACTOR_EDGES: u32 = 200_000;
/// Shares of searches for cut vertices in the propagator's work, from slice to slice.
pub(super) const CONNECTIVITY: [f64; 3] = [0.3, 0.15, 0.5];
