//! Settings and slices of the strategies, all in one place. They were tuned on public graphs and on random graphs.

use std::time::Duration;

/// Head start of the first thread over the others.
pub(super) const HEAD_START: Duration = Duration::from_secs(1);
/// Width above which tables take longer than the propagator.
pub(super) const MOST_WIDTH: u32 = 13;
/// Number of edges up to which lazy subtour elimination comes before tables that are not narrow.
pub(super) const FEW_EDGES: u32 = 2_000;
/// Estimated number of states up to which tables come before this.
pub(super) const FEW_STATES: u64 = 5_000_000;
/// Limit of lazy subtour elimination before wider tables, in conflicts.
pub(super) const FEW_CONFLICTS: u64 = 2_000;
/// First slices of the propagator, on the core and on the graph, in literals, and the factor by which slices grow from round to
/// round.
pub(super) const FIRST_LITERALS: [u64; 2] = [6_000_000, 16_000_000];
pub(super) const GROWTH: u64 = 2;
/// First slice of lazy subtour elimination, in conflicts.
pub(super) const FIRST_CONFLICTS: u64 = 100_000;
/// Edges per arc that the first short local search examines.
pub(super) const GLANCES_PER_ARC: u64 = 3;
/// Edges that the next local search examines: per arc, and at most.
pub(super) const LOOKS_PER_ARC: u64 = 300;
pub(super) const FIRST_LOOKS: u64 = 8_000_000;
/// Maximum degree of eliminated vertices, in turn from slice to slice.
pub(super) const CORE_WIDTHS: [u32; 4] = [8, 9, 6, 10];
/// Maximum number of states of a table of a piece.
pub(super) const CORE_STATES: u64 = 20_000;
/// Mean number of ways per piece above which pieces do not help.
pub(super) const CORE_WAYS: u64 = 12;
/// Number of edges above which graphs are not reduced: larger graphs are solved by their 2-factor if at all.
pub(super) const REDUCED_EDGES: u32 = 200_000;
/// Number of edges above which the propagator does not start from a 2-factor.
pub(super) const FACTOR_EDGES: u32 = 200_000;
/// Shares of the connectivity check in the propagator's work, from slice to slice.
pub(super) const CONNECTIVITY: [f64; 3] = [0.3, 0.15, 0.5];
