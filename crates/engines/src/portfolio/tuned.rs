//! Tuned settings and slices of all strategies. They were tuned on public graphs and on random graphs.

use std::time::Duration;

/// Time for which only the first thread runs.
pub(super) const HEAD_START: Duration = Duration::from_secs(1);
/// Maximum width of elimination orders for tables if other strategies run too. Wider tables take longer than the propagator.
pub(super) const MOST_WIDTH: u32 = 13;
/// Maximum number of edges of graphs on which lazy subtour elimination runs before wide tables.
pub(super) const FEW_EDGES: u32 = 2_000;
/// Maximum estimated number of states of tables that are computed before lazy subtour elimination.
pub(super) const FEW_STATES: u64 = 5_000_000;
/// Maximum number of conflicts of lazy subtour elimination before wide tables.
pub(super) const FEW_CONFLICTS: u64 = 2_000;
/// First slices of the propagator, in literals: on the core, and on the graph. All slices grow by the factor `GROWTH` from
/// round to round.
pub(super) const FIRST_LITERALS: [u64; 2] = [6_000_000, 16_000_000];
pub(super) const GROWTH: u64 = 2;
/// First slice of lazy subtour elimination, in conflicts.
pub(super) const FIRST_CONFLICTS: u64 = 100_000;
/// Number of edges that the first, short local search examines, per arc of the graph.
pub(super) const GLANCES_PER_ARC: u64 = 3;
/// Number of edges that the next local search examines, per arc of the graph; at most `FIRST_LOOKS` in all.
pub(super) const LOOKS_PER_ARC: u64 = 300;
pub(super) const FIRST_LOOKS: u64 = 8_000_000;
/// Maximum degree of eliminated vertices. The slices of `core` use these values in turn.
pub(super) const CORE_WIDTHS: [u32; 4] = [8, 9, 6, 10];
/// Maximum number of states of the table of a piece of the core.
pub(super) const CORE_STATES: u64 = 20_000;
/// Maximum mean number of path segments through a piece. With more of them, pieces do not help.
pub(super) const CORE_WAYS: u64 = 12;
/// Maximum number of edges of graphs that are reduced. Larger graphs are solved by their 2-factor, if at all.
pub(super) const REDUCED_EDGES: u32 = 200_000;
/// Maximum number of edges of graphs on which the propagator starts from a 2-factor.
pub(super) const FACTOR_EDGES: u32 = 200_000;
/// Share of the propagator's work that the connectivity check may take. The slices use these values in turn.
pub(super) const CONNECTIVITY: [f64; 3] = [0.3, 0.15, 0.5];
