//! A tour of any graph, or that there is none, by whatever finds that soonest: the parts of [`crate::cycle`] one after the
//! other, each on what it is good at.
//!
//! 1. [Obstructions](Part::Obstruction): what can be seen at once.
//! 2. [2-factors](Part::Factor) of bipartite graphs, merged: boards of any size.
//! 3. [Dynamic programming](Part::Decomposition) where an elimination order is narrow: exact both ways.
//! 4. [The propagator](Part::Core) on what is left where all that is narrow has become lists of ways through; then on
//!    [the graph itself](Part::Propagator), [local search](Part::Local) and [cuts in rounds](Part::Lazy), each of which is
//!    best on some graphs: in slices that grow, each with another seed.
//!
//! With several threads the first does this, and the others begin with the fourth, with seeds of their own, once the
//! second is over and a moment has passed: most questions have their answer by then. The first answer stops all. With one thread slices are measured in what was done and not in time, so that the same seed
//! takes the same way, however fast the machine is.
//!
//! # References
//!
//! - John Rice: *The Algorithm Selection Problem*, Advances in Computers 15, 1976.
//! - Bernardo Huberman, Rajan Lukose, Tad Hogg: *An Economics Approach to Hard Computational Problems*, Science 275, 1997.
//! - Michael Luby, Alistair Sinclair, David Zuckerman: *Optimal Speedup of Las Vegas Algorithms*, Information Processing
//!   Letters 47, 1993, for slices.

use std::fmt;
use std::num::NonZero;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use cpu_time::ThreadTime;
use hamcnf_encodings::{
    Graph, GraphError, Instance, InstanceError, NotATour, Obstruction, Tour, Vertex, named,
    obstruction,
};

use crate::cycle::closure::{Closure, Ends};
use crate::cycle::decomposition::{self, Elimination};
use crate::cycle::factor::{Factor, two_factor};
use crate::cycle::merge::merge;
use crate::cycle::{Ended, Found, Watch, alternating, core, lazy, local, propagator};
use crate::stop::Stop;

/// One way, usable alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// A reason that there is no tour, which is seen without a search.
    Obstruction,
    /// A 2-factor, whose cycles are merged.
    Factor,
    /// Dynamic programming over a tree decomposition.
    Decomposition,
    /// CaDiCaL with a propagator for circuits, on the core of the graph with the ways through its pieces.
    Core,
    /// The same on the graph itself.
    Propagator,
    /// Cuts in rounds.
    Lazy,
    /// Local search.
    Local,
}

named!(Part, "part", {
    Obstruction => "obstruction",
    Factor => "two-factor",
    Decomposition => "decomposition",
    Core => "core",
    Propagator => "propagator",
    Lazy => "lazy",
    Local => "local-search",
});

impl Part {
    /// Whether it comes to an answer by itself, one way or the other. What does not says that there is no tour only
    /// where it has proved it, too.
    #[must_use]
    pub fn is_exact(self) -> bool {
        matches!(
            self,
            Self::Decomposition | Self::Core | Self::Propagator | Self::Lazy
        )
    }
}

/// How it is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// One part alone, or those that the graph asks for.
    pub part: Option<Part>,
    /// How many at once.
    pub threads: NonZero<u32>,
    /// Selects the random numbers.
    pub seed: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            part: None,
            threads: NonZero::<u32>::MIN,
            seed: 0,
        }
    }
}

/// What is known in the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A tour, of an instance that begins where it does.
    Tour(Tour),
    /// There is none, for a reason that anyone can see.
    Obstructed(Obstruction),
    /// There is none, as an exact part has found.
    NoTour,
    /// Neither is known.
    Unknown(Ended),
}

/// One part's turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Which.
    pub part: Part,
    /// Its seed.
    pub seed: u32,
    /// How much it may do; `None` for as much as it takes.
    pub slice: Option<Slice>,
    /// Selects settings that are varied from turn to turn: the round and the thread.
    pub variant: u32,
}

/// How much a part may do in one turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slice {
    /// Literals that the propagator is told of.
    Literals(u64),
    /// Conflicts.
    Conflicts(u64),
    /// Edges that a local search looks at.
    Looks(u64),
}

/// What one part did.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Whose turn it was.
    pub turn: Turn,
    /// The thread, from 0 on.
    pub thread: u32,
    /// What came out, in a word: `tour`, `no tour`, or why nothing did.
    pub outcome: &'static str,
    /// CPU seconds of its thread.
    pub cpu_seconds: f64,
    /// Wall seconds from the beginning to its end.
    pub until: f64,
    /// Counters of what it did.
    pub effort: Vec<(&'static str, u64)>,
}

/// What came out, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// What is known.
    pub verdict: Verdict,
    /// The part that found it.
    pub by: Option<Part>,
    /// What all of them did, in the order in which they ended.
    pub steps: Vec<Step>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Wrong {
    /// The graph with the vertices that close paths is too large.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A part's cycle is no tour, which would be an error of that part.
    #[error("what {part} found is not a tour, which is an error in this program: {why}")]
    NotATour {
        /// Which.
        part: Part,
        /// What is wrong with it.
        why: NotATour,
    },
    /// A part's tour ends elsewhere, which would be an error of that part.
    #[error("what {0} found ends elsewhere, which is an error in this program")]
    EndsElsewhere(Part),
    /// An end is not in the graph.
    #[error(transparent)]
    Ends(#[from] InstanceError),
}

/// The parts' settings and slices: the one place where they are tuned.
mod tuned {
    use std::time::Duration;

    /// What the first thread has before others begin.
    pub(super) const HEAD_START: Duration = Duration::from_millis(100);
    /// Above this width tables take longer than the propagator does.
    pub(super) const MOST_WIDTH: u32 = 13;
    /// The first slices of the propagator, on the core and on the graph, in literals, and how much longer each of the
    /// next is.
    pub(super) const FIRST_LITERALS: [u64; 2] = [6_000_000, 16_000_000];
    pub(super) const GROWTH: u64 = 2;
    /// The first slice of cuts in rounds, in conflicts.
    pub(super) const FIRST_CONFLICTS: u64 = 100_000;
    /// The first slice of local search, in edges looked at.
    pub(super) const FIRST_LOOKS: u64 = 4_000_000;
    /// Vertices are eliminated while one has no more neighbours than this, from slice to slice.
    pub(super) const CORE_WIDTHS: [u32; 4] = [8, 9, 6, 10];
    /// No table of a piece has more states.
    pub(super) const CORE_STATES: u64 = 20_000;
    /// Pieces with more ways than this, in the mean, are no help.
    pub(super) const CORE_WAYS: u64 = 12;
    /// Graphs of more edges have no 2-factor made for the propagator.
    pub(super) const FACTOR_EDGES: u32 = 200_000;
    /// Shares of searches for cut vertices in the propagator's work, from slice to slice.
    pub(super) const CONNECTIVITY: [f64; 3] = [0.3, 0.15, 0.5];
}

/// What is asked of all parts: a graph for a cycle through all of it.
struct Closed<'a> {
    graph: &'a Graph,
    bipartite: bool,
}

/// The turns of one thread, in order, without an end.
struct Schedule {
    thread: u32,
    seed: u32,
    opening: Vec<Part>,
    round: u32,
    next: u32,
}

impl Schedule {
    fn new(bipartite: bool, thread: u32, seed: u32) -> Self {
        // The last comes first.
        let opening = match (thread, bipartite) {
            (0, true) => vec![Part::Decomposition, Part::Factor],
            (0, false) => vec![Part::Decomposition],
            _ => Vec::new(),
        };
        Self {
            thread,
            seed,
            opening,
            round: 0,
            next: 0,
        }
    }
}

impl Iterator for Schedule {
    type Item = Turn;

    fn next(&mut self) -> Option<Turn> {
        const PARTS: [Part; 4] = [Part::Core, Part::Propagator, Part::Local, Part::Lazy];
        if let Some(part) = self.opening.pop() {
            return Some(Turn {
                part,
                seed: self.seed,
                slice: None,
                variant: 0,
            });
        }
        // Other threads begin with another part.
        let part = PARTS[((self.next + self.thread) % 4) as usize];
        let factor = tuned::GROWTH.saturating_pow(self.round);
        let seed = self
            .seed
            .wrapping_add(self.round)
            .wrapping_add(self.thread.wrapping_mul(1000))
            % 2_000_000_000;
        let slice = match part {
            Part::Core => Slice::Literals(tuned::FIRST_LITERALS[0].saturating_mul(factor)),
            Part::Propagator => Slice::Literals(tuned::FIRST_LITERALS[1].saturating_mul(factor)),
            Part::Local => Slice::Looks(tuned::FIRST_LOOKS.saturating_mul(factor)),
            _ => Slice::Conflicts(tuned::FIRST_CONFLICTS.saturating_mul(factor)),
        };
        let variant = self.round.wrapping_add(self.thread);
        self.next += 1;
        if self.next == 4 {
            self.next = 0;
            self.round = self.round.wrapping_add(1);
        }
        Some(Turn {
            part,
            seed,
            slice: Some(slice),
            variant,
        })
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.part)?;
        match self.slice {
            None => Ok(()),
            Some(Slice::Literals(n)) => write!(f, ", {n} literals, seed {}", self.seed),
            Some(Slice::Conflicts(n)) => write!(f, ", {n} conflicts, seed {}", self.seed),
            Some(Slice::Looks(n)) => write!(f, ", {n} looks, seed {}", self.seed),
        }
    }
}

/// The first turns of each thread, as they would be taken if none of them had an answer.
///
/// # Errors
///
/// [`GraphError::TooManyArcs`] for a graph that is as large as they can be.
pub fn plan(
    instance: &Instance,
    ends: Ends,
    options: &Options,
    turns: usize,
) -> Result<Vec<Vec<Turn>>, GraphError> {
    if let Some(part) = options.part {
        return Ok(vec![vec![alone(part, options.seed)]]);
    }
    let closure = Closure::new(instance.facts(), ends)?;
    let bipartite = is_bipartite(instance, &closure);
    let is_plain = ends == Ends::of(instance);
    let obstruction = alone(Part::Obstruction, options.seed);
    let threads = 0..options.threads.get();
    Ok(threads
        .map(|thread| {
            let first = (thread == 0 && is_plain).then(|| obstruction.clone());
            let schedule = Schedule::new(bipartite, thread, options.seed);
            first.into_iter().chain(schedule).take(turns).collect()
        })
        .collect())
}

fn is_bipartite(instance: &Instance, closure: &Closure) -> bool {
    match closure.graph() {
        Some(graph) => hamcnf_encodings::Facts::from(graph.clone())
            .colours()
            .is_some(),
        None => instance.facts().colours().is_some(),
    }
}

fn alone(part: Part, seed: u32) -> Turn {
    Turn {
        part,
        seed: seed % 2_000_000_001,
        slice: None,
        variant: 0,
    }
}

/// Looks for a tour with these ends. `tell` is called before and after each turn.
///
/// # Errors
///
/// [`Wrong`].
pub fn answer(
    instance: &Instance,
    ends: Ends,
    options: &Options,
    watch: &Watch,
    tell: &(dyn Fn(&Event<'_>) + Sync),
) -> Result<Answer, Wrong> {
    let began = Instant::now();
    let mut steps = Vec::new();
    let is_plain = ends == Ends::of(instance);
    if is_plain && matches!(options.part, None | Some(Part::Obstruction)) {
        let turn = alone(Part::Obstruction, options.seed);
        tell(&Event::Begins(&turn));
        let cpu = ThreadTime::now();
        let found = obstruction(instance);
        let step = Step {
            turn,
            thread: 0,
            outcome: if found.is_some() { NO_TOUR } else { NOTHING },
            cpu_seconds: cpu.elapsed().as_secs_f64(),
            until: began.elapsed().as_secs_f64(),
            effort: Vec::new(),
        };
        tell(&Event::Ends(&step));
        steps.push(step);
        if let Some(found) = found {
            return Ok(Answer {
                verdict: Verdict::Obstructed(found),
                by: Some(Part::Obstruction),
                steps,
            });
        }
    }
    if options.part == Some(Part::Obstruction) {
        return Ok(Answer {
            verdict: Verdict::Unknown(Ended::GaveUp),
            by: None,
            steps,
        });
    }
    let closure = Closure::new(instance.facts(), ends)?;
    let graph = closure.graph().unwrap_or(instance.graph());
    let closed = Closed {
        graph,
        bipartite: is_bipartite(instance, &closure),
    };
    let mut race = closed.race(options, watch, began, tell);
    steps.append(&mut race.steps);
    let verdict = match race.found {
        Found::Cycle(cycle) => {
            let order = closure.open(cycle, instance.start());
            let part = race.by.unwrap_or(Part::Propagator);
            if let Ends::Open { to: Some(to), .. } = ends
                && order.last() != Some(&to)
            {
                return Err(Wrong::EndsElsewhere(part));
            }
            let wrong = |why| Wrong::NotATour { part, why };
            Verdict::Tour(check(instance, ends, order).map_err(|error| match error {
                Checked::Not(why) => wrong(why),
                Checked::Instance(error) => Wrong::Ends(error),
            })?)
        }
        Found::None => Verdict::NoTour,
        Found::Nothing(ended) => Verdict::Unknown(ended),
    };
    Ok(Answer {
        verdict,
        by: race.by,
        steps,
    })
}

enum Checked {
    Not(NotATour),
    Instance(InstanceError),
}

/// The tour that this order is, move by move, from where it begins.
fn check(instance: &Instance, ends: Ends, order: Vec<Vertex>) -> Result<Tour, Checked> {
    let from_anywhere = matches!(ends, Ends::Open { from: None, .. });
    let first = order.first().copied().filter(|_| from_anywhere);
    match first {
        Some(first) => {
            let there = instance.starting_at(first).map_err(Checked::Instance)?;
            Tour::check(&there, order).map_err(Checked::Not)
        }
        None => Tour::check(instance, order).map_err(Checked::Not),
    }
}

/// How far it is.
#[derive(Debug)]
pub enum Event<'a> {
    /// A turn begins.
    Begins(&'a Turn),
    /// It has ended.
    Ends(&'a Step),
}

const TOUR: &str = "tour";
const NO_TOUR: &str = "no tour";
const NOTHING: &str = "nothing";

/// Where one thread panics the others end too, so that the panic is seen.
struct EndsAll<'a>(&'a Stop);

impl Drop for EndsAll<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.set();
        }
    }
}

/// What came of all turns.
struct Race {
    found: Found,
    by: Option<Part>,
    steps: Vec<Step>,
}

impl Closed<'_> {
    fn race(
        &self,
        options: &Options,
        watch: &Watch,
        began: Instant,
        tell: &(dyn Fn(&Event<'_>) + Sync),
    ) -> Race {
        let done = Stop::default();
        // Set when the first thread is done with 2-factors.
        let opened = Stop::default();
        let race = Mutex::new(Race {
            found: Found::Nothing(Ended::GaveUp),
            by: None,
            steps: Vec::new(),
        });
        let others = match options.part {
            Some(_) => 0,
            None => options.threads.get() - 1,
        };
        let share = watch.memory().map(|memory| memory / u64::from(others + 1));
        let run = |thread: u32| {
            let _ends = EndsAll(&done);
            let watch = watch.clone().beside(done.clone()).with_memory(share);
            let single = options.part.map(|part| alone(part, options.seed));
            let only = single.is_some();
            let schedule: Box<dyn Iterator<Item = Turn>> = match single {
                Some(turn) => Box::new(std::iter::once(turn)),
                None => Box::new(Schedule::new(self.bipartite, thread, options.seed)),
            };
            let may_begin = began + tuned::HEAD_START;
            while thread > 0
                && watch.over().is_none()
                && !(opened.is_set() && Instant::now() >= may_begin)
            {
                thread::sleep(tuned::HEAD_START / 10);
            }
            for turn in schedule {
                if done.is_set() {
                    return;
                }
                if turn.part != Part::Factor {
                    opened.set();
                }
                if let Some(ended) = watch.over() {
                    let mut race = locked(&race);
                    if matches!(race.found, Found::Nothing(_)) {
                        race.found = Found::Nothing(ended);
                    }
                    return;
                }
                tell(&Event::Begins(&turn));
                let cpu = ThreadTime::now();
                let (found, effort) = self.take(&turn, &watch, only);
                let mut race = locked(&race);
                let beaten = done.is_set();
                let step = Step {
                    outcome: match &found {
                        Found::Cycle(_) => TOUR,
                        Found::None => NO_TOUR,
                        Found::Nothing(_) if beaten => "stopped",
                        Found::Nothing(Ended::Time) => "time limit",
                        Found::Nothing(Ended::Memory) => "memory limit",
                        Found::Nothing(Ended::Asked) => "stopped",
                        Found::Nothing(Ended::GaveUp) => NOTHING,
                    },
                    turn,
                    thread,
                    cpu_seconds: cpu.elapsed().as_secs_f64(),
                    until: began.elapsed().as_secs_f64(),
                    effort,
                };
                tell(&Event::Ends(&step));
                if !beaten {
                    match found {
                        Found::Nothing(ended) => race.found = Found::Nothing(ended),
                        answer => {
                            race.found = answer;
                            race.by = Some(step.turn.part);
                            done.set();
                        }
                    }
                }
                race.steps.push(step);
            }
        };
        thread::scope(|scope| {
            for thread in 1..=others {
                let run = &run;
                scope.spawn(move || run(thread));
            }
            run(0);
        });
        race.into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// A 2-factor, its cycles merged, for the propagator to begin near: but on every third turn, and not of the
    /// largest graphs.
    fn near(&self, turn: &Turn, watch: &Watch) -> Result<Option<Factor>, Found> {
        if turn.variant % 3 == 2 || self.graph.n_edges() > tuned::FACTOR_EDGES {
            return Ok(None);
        }
        match two_factor(self.graph, Some(turn.seed.into()), watch) {
            Ok(Some(factor)) => Ok(Some(merge(self.graph, factor, watch))),
            // Without a 2-factor there is no Hamiltonian cycle.
            Ok(None) => Err(Found::None),
            Err(ended) => Err(Found::Nothing(ended)),
        }
    }

    /// Lets a part have its turn.
    fn take(&self, turn: &Turn, watch: &Watch, alone: bool) -> (Found, Vec<(&'static str, u64)>) {
        let seed = turn.seed;
        match turn.part {
            Part::Obstruction => (Found::Nothing(Ended::GaveUp), Vec::new()),
            Part::Factor => {
                let found = alternating::find(self.graph, seed.into(), watch);
                (found, Vec::new())
            }
            Part::Decomposition => {
                let most = match alone {
                    true => decomposition::MOST_WIDTH,
                    false => tuned::MOST_WIDTH,
                };
                match Elimination::min_degree(self.graph, most, watch) {
                    Err(ended) => (Found::Nothing(ended), Vec::new()),
                    Ok(order) => {
                        let options = decomposition::Options::default();
                        let (found, effort) =
                            decomposition::find(self.graph, &order, &options, watch);
                        let effort = vec![
                            ("states", effort.states),
                            ("peak_states", effort.most_states),
                            ("width", effort.width.into()),
                        ];
                        (found, effort)
                    }
                }
            }
            Part::Core => {
                let round = turn.variant as usize % tuned::CORE_WIDTHS.len();
                let options = core::Options {
                    most_width: tuned::CORE_WIDTHS[round],
                    states: tuned::CORE_STATES,
                    ways: if alone { u64::MAX } else { tuned::CORE_WAYS },
                    propagator: circuits(turn),
                };
                let (found, effort) = core::find(self.graph, &options, watch);
                let mut counters = vec![
                    ("vertices", effort.core),
                    ("pieces", effort.pieces),
                    ("ways", effort.ways),
                    ("links", effort.links),
                ];
                counters.extend(said(&effort.propagator));
                (found, counters)
            }
            Part::Propagator => {
                let near = match self.near(turn, watch) {
                    Ok(near) => near,
                    Err(found) => return (found, Vec::new()),
                };
                let options = circuits(turn);
                let (found, effort) = propagator::find(self.graph, near.as_ref(), &options, watch);
                (found, said(&effort).to_vec())
            }
            Part::Lazy => {
                let conflicts = match turn.slice {
                    Some(Slice::Conflicts(conflicts)) => Some(conflicts),
                    _ => None,
                };
                let options = lazy::Options { seed, conflicts };
                let (found, effort) = lazy::find(self.graph, &options, watch);
                let effort = vec![
                    ("conflicts", effort.conflicts),
                    ("rounds", effort.rounds),
                    ("cuts", effort.cuts),
                    ("literals", effort.literals),
                    ("fewest_cycles", effort.cycles),
                ];
                (found, effort)
            }
            Part::Local => {
                let found = match turn.slice {
                    Some(Slice::Looks(most)) => {
                        local::search_within(self.graph, seed.into(), most, watch)
                    }
                    _ => local::search(self.graph, seed.into(), watch),
                };
                (found, Vec::new())
            }
        }
    }
}

/// How the propagator searches in a turn.
fn circuits(turn: &Turn) -> propagator::Options {
    let round = turn.variant as usize / 2 % tuned::CONNECTIVITY.len();
    propagator::Options {
        seed: turn.seed,
        literals: match turn.slice {
            Some(Slice::Literals(literals)) => Some(literals),
            _ => None,
        },
        connectivity: tuned::CONNECTIVITY[round],
    }
}

fn said(effort: &propagator::Effort) -> [(&'static str, u64); 7] {
    [
        ("conflicts", effort.conflicts),
        ("decisions", effort.decisions),
        ("ticks", effort.ticks),
        ("literals", effort.literals),
        ("closings", effort.closings),
        ("cycles", effort.cycles),
        ("parts", effort.parts),
    ]
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
