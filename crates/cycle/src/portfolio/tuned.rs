//! Numbers of the schedule: the work limits of the strategies' turns (*slices*), and settings that depend on the turn. They
//! are tuned on public graphs and on random graphs.

use std::time::Duration;

/// Time for which only the first thread of the portfolio runs.
pub(super) const HEAD_START: Duration = Duration::from_secs(1);
/// Maximum width of an elimination order for dynamic programming if other strategies run too. With wider orders,
/// dynamic programming takes longer than the propagator.
pub(super) const MOST_WIDTH: u32 = 13;
/// Maximum number of edges of a small graph. On small graphs, short turns of several strategies precede dynamic
/// programming without a work limit.
pub(super) const FEW_EDGES: u32 = 2_000;
/// Maximum estimated number of states of all tables in the first turn of dynamic programming on a small graph. This
/// turn precedes lazy subtour elimination.
pub(super) const FEW_STATES: u64 = 5_000_000;
/// Maximum number of conflicts in the opening turn of lazy subtour elimination on a small graph. This turn precedes
/// dynamic programming without a work limit.
pub(super) const FEW_CONFLICTS: u64 = 2_000;
/// Work limit of the propagator in the first round, in literals: on the core, and on the graph itself.
pub(super) const FIRST_LITERALS: u64 = 6_000_000;
/// Work limit of `core` in the first round on graphs that consist of groups, in literals. It solves few of them, each with
/// less than a million literals; more of them take the time of `quotient`.
pub(super) const LITERALS_WITH_GROUPS: u64 = 1_000_000;
/// Factor by which all work limits grow from round to round.
pub(super) const GROWTH: u64 = 2;
/// Work limit of lazy subtour elimination in the first round, in conflicts.
pub(super) const FIRST_CONFLICTS: u64 = 15_000;
/// Limit on the edges that the first, short local search examines, as a multiple of the number of arcs of the graph.
pub(super) const GLANCES_PER_ARC: u64 = 3;
/// Limit on the edges that the local search examines in its second opening turn, as a multiple of the number of arcs of
/// the graph.
pub(super) const LOOKS_PER_ARC: u64 = 300;
/// Absolute limit on the edges that the local search examines in its second opening turn.
pub(super) const FIRST_LOOKS: u64 = 8_000_000;
/// Limit on the edges that the local search examines in the first round, as a multiple of the number of arcs of the
/// graph and of the mean degree minus 2, the number of edges that a cycle does not use at a vertex. Of the public graphs that
/// the local search solves in the rounds, all have a mean degree of at least 11.
pub(super) const ROUND_LOOKS_PER_ARC: u64 = 140;
/// Limit of the same kind for graphs with a mean degree of at most 5. The local search solves random ones, with about 5 edges
/// per arc.
pub(super) const ROUND_LOOKS_IF_SPARSE: u64 = 40;
/// Absolute limit on the edges that the local search examines in the first round.
pub(super) const ROUND_LOOKS: u64 = 128_000_000;
/// Work limit of the searches on the quotient in the opening turn and in the first round, in conflicts. They get most of the
/// time, because the other strategies find cycles of few graphs that have a quotient. With 150 000 conflicts in the opening
/// turn, most of the hardest graphs had to wait for another 4 to 8 s of `core`.
pub(super) const QUOTIENT_CONFLICTS: u64 = 400_000;
/// Maximum degree of a vertex that `core` eliminates. The turns of `core` cycle through these values.
pub(super) const CORE_WIDTHS: [u32; 4] = [8, 9, 6, 10];
/// Maximum number of states in the table of a piece. Pieces are the narrow parts of the graph that `core` replaces.
pub(super) const CORE_STATES: u64 = 20_000;
/// Maximum mean number of path systems through a piece. With more path systems, replacing pieces does not help `core`.
pub(super) const CORE_WAYS: u64 = 8;
/// Maximum number of edges of graphs that `reduction` handles. Larger graphs are solved by merging the cycles of a
/// 2-factor, if at all.
pub(super) const REDUCED_EDGES: u32 = 200_000;
/// Maximum number of edges of graphs on which the propagator starts from a 2-factor.
pub(super) const FACTOR_EDGES: u32 = 200_000;
/// Maximum work of the propagator's connectivity check, as a fraction of the solver's: in the first thread's first turn, and
/// in other turns.
/// On graphs that a first turn solves, a check of 1.0 costs up to twice the time; on graph 1001 of the FHCP Challenge Set, it
/// saves a third.
pub(super) const CONNECTIVITY: [f64; 2] = [0.3, 1.0];
