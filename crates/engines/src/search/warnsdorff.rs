//! Warnsdorff's rule: go where the fewest moves lead on. A descent follows it without taking a move back, and
//! so takes time linear in the number of moves of the board.
//!
//! The rule leaves ties, and how they are broken decides. The first in a fixed order or one drawn at random
//! do on small boards; on large ones nearly every descent gets stuck. [`Ties`] has the better choices of the
//! literature. Where one leaves a tie too, the first in the move order is taken.
//!
//! A descent that gets stuck is mended by rotations of the path (`rotation.rs`), as far as an amount of work
//! linear in the number of vertices goes. If that fails, another descent follows. Every second of these breaks
//! all ties at random, in case it is the choice that fails; the others make the choice again, and break what
//! ties it leaves at random. Squirrel and Cull's leaves none, so Roth's takes its place there.
//! Closed tours are found in the same way: the rotations go on until the last vertex is a neighbour of the
//! first.
//!
//! Vertices from which nothing leads on are passed over until the last move, as the article does: whoever
//! goes there is stuck. Without rotations a descent ends when there is such a vertex, since no path can visit
//! it any more and go on.
//!
//! # References
//!
//! - H. C. von Warnsdorff: *Des Rösselsprunges einfachste und allgemeinste Lösung*, Schmalkalden 1823.
//! - Ira Pohl: *A method for finding Hamilton paths and knight's tours*, Communications of the ACM 10, 1967.
//! - Arnd Roth: *The problem of the knight*, as Ganzfried reports it (see `squirrel_cull.rs`).

use hamcnf_encodings::{Board, Instance, Named, NoSuchName, TourKind, Vertex};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::order::Neighbours;
use super::rotation;
use super::squirrel_cull::SquirrelCull;
use super::walk::Walk;
use super::{Abort, Limit, Meter, SearchError, below};

/// Which of the neighbours from which equally few moves lead on is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// The first in the move order, as in the article.
    Order,
    /// One whose own unvisited neighbours have the fewest moves that lead on, summed over them: Pohl's rule.
    Pohl,
    /// One that lies farthest from the centre of the board: Roth's rule.
    Roth,
    /// By move orders that change on the way, for a knight on a square board from its upper left corner.
    SquirrelCull,
    /// One at random.
    Random,
}

impl Named for Ties {
    const OF: &'static str = "way to break ties";
    const ALL: &'static [Self] = &[
        Self::Order,
        Self::Pohl,
        Self::Roth,
        Self::SquirrelCull,
        Self::Random,
    ];

    fn as_str(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Pohl => "pohl",
            Self::Roth => "roth",
            Self::SquirrelCull => "squirrel-cull",
            Self::Random => "random",
        }
    }
}

impl std::fmt::Display for Ties {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

impl std::str::FromStr for Ties {
    type Err = NoSuchName;

    fn from_str(name: &str) -> Result<Self, NoSuchName> {
        hamcnf_encodings::names::find(name)
    }
}

/// How descents are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Descents {
    /// How ties are broken.
    pub ties: Ties,
    /// Whether a path that gets stuck is mended by rotations.
    pub rotations: bool,
    /// After how many restarts to give up.
    pub restarts: u32,
}

/// Descents until one of them is a tour, or a limit comes.
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
        let mut rule = Rule::new(instance, how.ties, watch.restarts());
        let mut walk = Walk::new(neighbours, instance.start());
        watch.node()?;
        while let Some(next) = rule.next(&walk, how.rotations, &mut random) {
            walk.visit(next);
            watch.node()?;
        }
        let is_tour = walk.is_complete()
            && (!closed || instance.graph().arc(walk.last(), walk.first()).is_some());
        if is_tour || (how.rotations && rotation::mend(&mut walk, closed, &mut random, watch)?) {
            return Ok(walk.into_path());
        }
        if watch.restarts() == how.restarts {
            return Err(Abort::Limit(Limit::Restarts));
        }
        watch.restart();
    }
}

/// Warnsdorff's rule with its ties broken.
struct Rule {
    ties: Ties,
    /// Whether what ties remain are broken at random, not by the move order.
    at_random: bool,
    orders: Option<SquirrelCull>,
    board: Option<Board>,
    /// The choices among which the tie is.
    tied: Vec<Vertex>,
}

impl Rule {
    /// That of a descent after so many restarts.
    fn new(instance: &Instance, ties: Ties, restarts: u32) -> Self {
        let ties = match ties {
            _ if restarts % 2 == 1 => Ties::Random,
            // It would do the same again.
            Ties::SquirrelCull if restarts > 0 => Ties::Roth,
            ties => ties,
        };
        Self {
            ties,
            at_random: ties == Ties::Random || restarts > 0,
            orders: (ties == Ties::SquirrelCull)
                .then(|| SquirrelCull::new(instance))
                .flatten(),
            board: instance.board().copied(),
            tied: Vec::new(),
        }
    }

    /// Where to go from the last vertex; `None` if there is nowhere to go, or no tour along this way.
    fn next(
        &mut self,
        walk: &Walk<'_>,
        pass_over: bool,
        random: &mut ChaCha8Rng,
    ) -> Option<Vertex> {
        let from = walk.last();
        if let Some(orders) = &mut self.orders {
            orders.arrive(from);
        }
        let is_last_move = walk.path().len() + 1 == walk.n();
        let tied = &mut self.tied;
        tied.clear();
        let mut fewest = u32::MAX;
        for &v in walk.neighbours(from) {
            if walk.is_visited(v) {
                continue;
            }
            let onward = walk.onward(v);
            if onward == 0 && !is_last_move {
                if pass_over {
                    continue;
                }
                return None;
            }
            if onward < fewest {
                fewest = onward;
                tied.clear();
            }
            if onward == fewest {
                tied.push(v);
            }
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

/// Keeps those for which the value is least, in their order.
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

/// Four times the square of the distance from the centre of the board.
fn from_centre(board: &Board, v: Vertex) -> i64 {
    let (row, col) = board.row_col(v);
    let twice = |place: u32, side: u32| 2 * i64::from(place) - (i64::from(side) - 1);
    twice(row, board.rows()).pow(2) + twice(col, board.cols()).pow(2)
}

/// Whether ties can be broken in this way on an instance.
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
        need: if ties == Ties::Roth {
            "a board"
        } else {
            "a knight on a square board of at least 5x5, from square a1"
        },
    })
}
