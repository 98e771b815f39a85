//! Warnsdorff's rule: move to the vertex from which the fewest moves lead on. A *descent* follows the rule without
//! taking a move back, so its time is linear in the number of moves of the board.
//!
//! The rule leaves ties, and success depends on how they are broken. On small boards, it suffices to choose the first
//! neighbour in a fixed order, or a random neighbour. On large boards, nearly every descent of this kind gets stuck.
//! [`Ties`] lists better rules from the literature. If several neighbours are still tied, the descent moves to the
//! first of them in the move order.
//!
//! Rotations of the path (`rotation.rs`) repair a stuck descent, with an amount of work linear in the number of
//! vertices. If they fail, another descent follows. The first, third, fifth, … of these further descents break all ties
//! at random, in case the rule for breaking ties causes the failure. The others use this rule again, and break the
//! remaining ties at random. If this rule is Squirrel and Cull's, which leaves no ties, they use Roth's rule instead.
//! Closed tours are found in the same way: the rotations continue until the last vertex is a neighbour of the first.
//!
//! As in the web article, vertices from which no move leads on are skipped until the last move, since a path that
//! visits one of them is stuck. Without rotations, a descent ends as soon as it meets such a vertex: no path can visit
//! the vertex and continue.
//!
//! # References
//!
//! - H. C. von Warnsdorff: *Des Rösselsprunges einfachste und allgemeinste Lösung*, Schmalkalden 1823.
//! - Ira Pohl: *A method for finding Hamilton paths and knight's tours*, Communications of the ACM 10, 1967.
//! - Arnd Roth: *The problem of the knight*, as Ganzfried reports it (see `squirrel_cull.rs`).
//! - The web article *Performing the Knights Tour in Linear Time*.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use hamcnf_graph::{Vertex, named};
use hamcnf_tours::{Board, Instance, TourKind};

use super::order::Neighbours;
use super::rotation;
use super::squirrel_cull::SquirrelCull;
use super::walk::Walk;
use super::{Abort, Limit, Meter, SearchError};
use crate::below;

named! {
    /// Tie-breaking rule, which selects one of the neighbours from which the fewest moves lead on.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Ties: "tie-breaking rule" {
        /// First neighbour in the move order, as in the web article *Performing the Knights Tour in Linear Time*.
        Order => "order",
        /// Neighbour that minimises the total number of moves that lead on from its unvisited neighbours: Pohl's rule.
        Pohl => "pohl",
        /// Neighbour farthest from the centre of the board: Roth's rule.
        Roth => "roth",
        /// First neighbour in a move order that changes at given squares: Squirrel and Cull's rule. It only applies to a
        /// knight that starts in the upper left corner of a square board.
        SquirrelCull => "squirrel-cull",
        /// Random neighbour among the tied neighbours.
        Random => "random",
    }
}

/// Settings of descents, which follow Warnsdorff's rule and take no move back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Descents {
    /// Rule that breaks ties.
    pub ties: Ties,
    /// True if rotations (reversals of the path's last section) repair a stuck path.
    pub rotations: bool,
    /// Maximum number of descents after the first.
    pub restarts: u32,
}

/// Repeats descents by Warnsdorff's rule until a descent gives a tour or a limit is reached.
pub(super) fn warnsdorff(
    instance: &Instance,
    neighbours: &Neighbours,
    how: Descents,
    seed: u64,
    watch: &mut Meter<'_>,
) -> Result<Vec<Vertex>, Abort> {
    let closed = instance.kind() == TourKind::Closed;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    loop {
        let mut rule = Rule::new(instance, how.ties, watch.statistics.restarts);
        let mut walk = Walk::new(neighbours, instance.start());
        watch.node()?;
        while let Some(next) = rule.next(&walk, how.rotations, &mut random) {
            walk.visit(next);
            watch.node()?;
        }
        let is_tour = walk.is_complete() && (!closed || instance.graph().arc(walk.last(), walk.first()).is_some());
        if is_tour || (how.rotations && rotation::mend(&mut walk, closed, &mut random, watch)?) {
            return Ok(walk.into_path());
        }
        if watch.statistics.restarts == how.restarts {
            return Err(Abort::Limit(Limit::Restarts));
        }
        watch.statistics.restarts += 1;
    }
}

/// Warnsdorff's rule, combined with a rule for breaking ties.
struct Rule {
    ties: Ties,
    /// True if remaining ties are broken at random; false if they are broken by the move order.
    at_random: bool,
    orders: Option<SquirrelCull>,
    board: Option<Board>,
    /// Buffer for the tied neighbours, kept to reuse its memory.
    tied: Vec<Vertex>,
}

impl Rule {
    /// Creates the rule for the descent after the given number of restarts.
    fn new(instance: &Instance, ties: Ties, restarts: u32) -> Self {
        let ties = match ties {
            _ if restarts % 2 == 1 => Ties::Random,
            // The move orders of Squirrel and Cull would give the same path again.
            Ties::SquirrelCull if restarts > 0 => Ties::Roth,
            ties => ties,
        };
        Self {
            ties,
            at_random: ties == Ties::Random || restarts > 0,
            orders: (ties == Ties::SquirrelCull).then(|| SquirrelCull::new(instance)).flatten(),
            board: instance.board().copied(),
            tied: Vec::new(),
        }
    }

    /// Returns the vertex to visit next, or `None` if no move is left or the path cannot become a tour. If `pass_over`
    /// is true, skips vertices from which no move leads on.
    fn next(&mut self, walk: &Walk<'_>, pass_over: bool, random: &mut ChaCha8Rng) -> Option<Vertex> {
        let from = walk.last();
        if let Some(orders) = &mut self.orders {
            orders.arrive(from);
        }
        let is_last_move = walk.path().len() + 1 == walk.n();
        let tied = &mut self.tied;
        let fewest = walk.fewest_onward((pass_over && !is_last_move).into(), tied);
        if fewest == 0 && !is_last_move {
            return None;
        }
        if tied.len() > 1 {
            match self.ties {
                Ties::Order | Ties::Random => {}
                Ties::Pohl => keep_least(tied, |v| {
                    let unvisited = |w: &&Vertex| !walk.is_visited(**w);
                    let next = walk.neighbours(v).iter().filter(unvisited);
                    next.map(|&w| i64::from(walk.onward(w))).sum()
                }),
                Ties::Roth => {
                    if let Some(board) = &self.board {
                        keep_least(tied, |v| -from_centre(board, v));
                    }
                }
                Ties::SquirrelCull => {
                    if let Some(orders) = &self.orders {
                        return orders.choose(from, tied);
                    }
                }
            }
        }
        match tied.len() {
            0 => None,
            several if several > 1 && self.at_random => Some(tied[below(random, several)]),
            _ => Some(tied[0]),
        }
    }
}

/// Keeps the vertices with the least value, without changing their order.
fn keep_least(tied: &mut Vec<Vertex>, value: impl Fn(Vertex) -> i64) {
    let mut least = i64::MAX;
    let mut kept = 0;
    for k in 0..tied.len() {
        let v = tied[k];
        let value = value(v);
        if value < least {
            least = value;
            kept = 0;
        }
        if value == least {
            tied[kept] = v;
            kept += 1;
        }
    }
    tied.truncate(kept);
}

/// Returns four times the squared distance of a square from the centre of the board.
fn from_centre(board: &Board, v: Vertex) -> i64 {
    let (row, col) = board.row_col(v);
    let twice = |place: u32, side: u32| 2 * i64::from(place) - (i64::from(side) - 1);
    twice(row, board.rows()).pow(2) + twice(col, board.cols()).pow(2)
}

/// Checks that a rule for breaking ties applies to an instance.
pub(super) fn check(ties: Ties, instance: &Instance) -> Result<(), SearchError> {
    let fits = match ties {
        Ties::Order | Ties::Pohl | Ties::Random => true,
        Ties::Roth => instance.board().is_some(),
        Ties::SquirrelCull => super::squirrel_cull::applies(instance),
    };
    if fits {
        return Ok(());
    }
    Err(SearchError::TiesDoNotFit {
        ties,
        name: instance.to_string(),
        need: if ties == Ties::Roth { "a board" } else { "a knight on a square board of at least 5x5, from square a1" },
    })
}
