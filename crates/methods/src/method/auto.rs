//! `auto`: a portfolio of strategies, and each strategy alone; see [`portfolio`](hamcnf_cycle::portfolio).

use std::fmt;
use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};

use hamcnf_tours::TourKind;
use hamcnf_tours::endpoints::Start;

use super::{Advice, Backend, Class, Field, Method, MethodKind, Profile, Search, Setting, Solve, WrongValue};
use crate::run::{Failure, Run, RunResult, Settings, Status, Wanted};
use hamcnf_cycle::portfolio::{self, Argument, Event, Options, Stage, Step, Strategy, Turn, Verdict};
use hamcnf_cycle::search::{self, Proof};
use hamcnf_graph::budget::{Round, Stopped};
use hamcnf_questions::{Question, Tours};
use hamcnf_sat::solve::{Phases, defaults};

/// Portfolio: a single strategy, or several strategies that run one after the other or at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Portfolio {
    /// Single strategy; `None` for all strategies that suit the graph.
    pub strategy: Option<Strategy>,
    /// Number of strategies that run at the same time.
    pub threads: NonZero<u32>,
}

impl Portfolio {
    /// Portfolio of all strategies, on one thread.
    pub const AUTO: Self = Self { strategy: None, threads: NonZero::<u32>::MIN };

    /// Maximum number of threads. A larger number is rejected, because it is probably a typing error.
    pub const MOST_THREADS: NonZero<u32> = NonZero::new(1024).expect("1024 is not 0");

    fn options(&self, seed: u64) -> Result<Options, Failure> {
        Ok(Options { strategy: self.strategy, threads: self.threads, seed: u32::try_from(seed)?, opening_only: false })
    }

    /// True if the portfolio is a single strategy that works only on graphs with parts of small treewidth, and gives up
    /// at once on other graphs.
    fn is_for_narrow(&self) -> bool {
        self.strategy.is_some_and(|strategy| strategy.is_for_narrow)
    }

    /// Returns a portfolio of a single strategy on one thread.
    pub const fn of(strategy: Strategy) -> Self {
        Self { strategy: Some(strategy), threads: NonZero::<u32>::MIN }
    }
}

impl Method {
    /// Returns the kind of argument by which the method shows that there is no tour; `None` unless the method is a
    /// single strategy.
    pub fn argument(&self) -> Option<Argument> {
        Some(self.kind::<Portfolio>()?.strategy?.argument)
    }
}

impl MethodKind for Portfolio {
    fn profile(&self) -> Profile<'_> {
        let strategy = self.strategy.as_ref();
        let summary =
            strategy.map_or("portfolio of the strategies below, adapted to the graph", |strategy| strategy.summary);
        Profile {
            backend: Backend::Both,
            random: strategy.is_none_or(|strategy| strategy.is_random),
            compared: strategy.is_none_or(Strategy::is_compared),
            proof: true,
            checks: strategy.is_none_or(|strategy| strategy.stage == Stage::Question),
            several: strategy.is_none(),
            ..Profile::new(strategy.map_or("auto", |strategy| strategy.name), summary, Class::Solver).with_ends()
        }
    }

    fn settings(&mut self) -> Vec<Field<'_>> {
        if self.strategy.is_some() {
            return Vec::new();
        }
        let summary = "number of strategies that run at the same time [default: 1]";
        vec![Setting::new("threads", "N", summary).of(&mut self.threads, &Self::AUTO.threads, |text| {
            let most = Self::MOST_THREADS;
            let threads: Option<NonZero<u32>> = text.parse().ok().filter(|&threads| threads <= most);
            threads.ok_or_else(|| WrongValue::new(format_args!("\"{text}\" is not a whole number from 1 to {most}")))
        })]
    }

    fn advice(&self, question: &Question, status: Status) -> Vec<Advice> {
        let Question::Tours(tours) = question else { return Vec::new() };
        match self.strategy {
            Some(_) => auto_instead(status),
            None => {
                let mut advice = more_of_it(status);
                advice.push(search_instead(tours));
                advice
            }
        }
    }

    fn with_clauses(&self, tours: &Tours, settings: &Settings) -> Option<Method> {
        let encoding = || match settings.wanted {
            Wanted::Several(_) => defaults::listed(tours.instance()),
            Wanted::One | Wanted::All | Wanted::ByStart => defaults::constrained(tours.instance()),
        };
        let solve = || Solve { encoding: encoding(), phases: Phases::for_seed(settings.seed) };
        self.strategy.is_none().then(solve).map(Method::from)
    }

    fn plan(&self, tours: &Tours, seed: u64, most: usize) -> Result<Option<Vec<Vec<Turn>>>, Failure> {
        let options = self.options(seed)?;
        let plan = portfolio::plan(tours.instance(), tours.ends(), &options, most)?;
        Ok(Some(plan))
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        self.answer(tours, &self.options(run.settings().seed)?, run)
    }
}

impl Portfolio {
    /// Answers a question that the first strategies of `auto` decide. The result has no answer if they do not.
    pub(crate) fn opening(tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        let options = Options { opening_only: true, ..Self::AUTO.options(run.settings().seed)? };
        Self::AUTO.answer(tours, &options, run)
    }

    fn answer(&self, tours: &Tours, options: &Options, run: &Run<'_>) -> Result<RunResult, Failure> {
        let mut result = RunResult::default();
        let instance = tours.instance();
        let ends = tours.ends();
        let done = Arc::new(Mutex::new(Done::default()));
        let observer = &run.settings().observer;
        let (rounds, heard) = (Arc::clone(&done), observer.clone());
        let budget = run.budget().telling(move |round| {
            let mut done = rounds.lock().unwrap_or_else(PoisonError::into_inner);
            done.round(round);
            heard.at(None, || done.to_string());
        });
        run.knows(&result.clone().late());
        let tell = |event: &Event<'_>| match event {
            Event::Begins(turn) => {
                observer.doing(|| turn.to_string());
                let done = done.lock().unwrap_or_else(PoisonError::into_inner);
                if *done != Done::default() {
                    observer.at(None, || done.to_string());
                }
            }
            Event::Ends(step) => {
                let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                done.step(step);
            }
        };
        let answer = portfolio::answer(instance, ends, options, &budget, &tell)?;
        for step in &answer.steps {
            count(&mut result, step);
        }
        let by = |result: RunResult, status| {
            let words = answer.by.map_or_else(String::new, |strategy| format!("by {strategy}"));
            result.ended(status, words)
        };
        let answered: RunResult = match answer.verdict {
            Verdict::Tour(tour) => by(result.found(tour), Status::Tour),
            Verdict::Obstructed(reason) => proved(result, Proof::Obstruction(reason)),
            Verdict::NoTour => by(result, Status::NoTour),
            Verdict::Unknown(Stopped::GaveUp) if self.is_for_narrow() => {
                result.ended(Status::GaveUp, "the graph is too wide for this method")
            }
            Verdict::Unknown(why) => result.stopped(why),
        };
        Ok(RunResult { by: answer.by.map(|strategy| strategy.argument), steps: answer.steps, ..answered })
    }
}

/// Returns the advice to use `auto`, which tries several strategies. After a timeout, also advises more time and
/// another seed. The advice suits methods that find a tour or prove that there is none.
pub(super) fn auto_instead(status: Status) -> Vec<Advice> {
    let mut advice = vec![Advice::to_use(Portfolio::AUTO, ", which tries several methods")];
    advice.extend(more_of_it(status));
    advice
}

/// Returns the advice to try again with more time or another seed, if the run timed out.
fn more_of_it(status: Status) -> Vec<Advice> {
    match status {
        Status::Timeout => vec!["more time".into(), "another --seed".into()],
        _ => Vec::new(),
    }
}

/// Returns the advice to search without clauses, by Warnsdorff's rule.
pub(super) fn search_instead(tours: &Tours) -> Advice {
    let question = command_line(tours);
    let text = format!("`hamcnf solve {question} --method warnsdorff`, a search without SAT");
    Advice::about(Search::new(search::Method::Warnsdorff), text)
}

/// Returns the question as command-line arguments.
pub(super) fn command_line(tours: &Tours) -> String {
    let instance = tours.instance();
    if !instance.constraints().is_empty() {
        return format!("'{tours}'");
    }
    let start = instance.vertex_name(instance.start());
    let open = match (instance.kind(), tours.start()) {
        (TourKind::Open, Start::Given) => format!(" --open --start {start}"),
        (TourKind::Open, Start::Anywhere) => " --open".to_owned(),
        (TourKind::Closed, _) => String::new(),
    };
    format!("{}{open}", instance.name())
}

/// Adds a proof to a result, and sets the status [`Status::NoTour`] and a message that describes the proof.
pub(crate) fn proved(result: RunResult, proof: Proof) -> RunResult {
    let why = proof.to_string();
    RunResult { proof: Some(proof), ..result.ended(Status::NoTour, why) }
}

/// Work that all strategies have done so far, for progress messages.
#[derive(Clone, PartialEq, Eq, Default)]
struct Done {
    conflicts: u64,
    cuts: u64,
    /// Number of cycles in the last model that was not a tour.
    cycles: Option<u64>,
}

impl Done {
    fn round(&mut self, round: Round) {
        self.conflicts += round.conflicts;
        self.cuts += round.cuts;
        self.cycles = Some(round.cycles);
    }

    fn step(&mut self, step: &Step) {
        // The observer of lazy iterations (`round`) has already added the work of this strategy.
        if step.turn.strategy.tells_rounds {
            return;
        }
        let counter = |name| step.statistics.iter().find(|counter| counter.name == name);
        let value = |name| counter(name).map_or(0, |counter| counter.value);
        self.conflicts += value("conflicts");
        self.cuts += value("cycles");
    }
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} conflicts, {} subtour constraints", self.conflicts, self.cuts)?;
        if let Some(cycles) = self.cycles { write!(f, ", {cycles} cycles in the last model") } else { Ok(()) }
    }
}

/// Adds the metrics of one turn of the portfolio to the totals of its strategy.
fn count(result: &mut RunResult, step: &Step) {
    let strategy = step.turn.strategy;
    let mut add = |name: &str, with: &dyn Fn(Option<u64>) -> u64| {
        let name = format!("{strategy}.{name}");
        result.statistics.set(&name, with(result.statistics.get(&name)));
    };
    add("turns", &|before| before.unwrap_or(0) + 1);
    for counter in &step.statistics {
        add(counter.name, &|before| counter.with(before));
    }
}
