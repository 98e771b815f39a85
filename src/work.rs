//! A question and a method make a record: the one place where methods are carried out for rows. The libraries are
//! called directly, in this process; who wants limits kept that they do not look at runs it in one of its own.

use std::error::Error;
use std::io::{BufWriter, Write};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use hamcnf_encodings::{
    AtMostOne, Clauses, DimacsWriter, Encoding, Formula, Header, Instance, ProjectionFormat,
    Queens, QueensFormula, Reading, Tour,
};
use num_bigint::BigUint;
use rustsat::types::Var;

use crate::count::Start;
use crate::count::enumerate::{fastest, placements, tours_of};
use crate::count::external::{
    self, ApproxMc, Counter, Fetch, Ganak, Guarantee, Outcome as Counted, Places, Request, Seed,
};
use crate::count::frontier::TooWide;
use crate::count::frontier::diagram::{self, Diagram, DiagramError};
use crate::count::frontier::exact::{self, ExactError};
use crate::count::frontier::sample::{self, Repetitions, SampleError};
use crate::count::projected::projected;
use crate::count::queens::{self, QueensError, Solutions};
use crate::count::timeslice::{self, TimesliceError};
use crate::limits::Limits;
use crate::machine::{available_memory, peak_kib};
use crate::method::{Count, Engine, Formulated, Method, Search};
use crate::question::{Question, Tours};
use crate::record::{Record, Status};
use crate::search::{self, Descents, MethodName, Moves, Order, best_ties};
use crate::solve::external::{
    self as external_solver, Availability, EngineError, Problem, Unknown,
};
use crate::solve::{self, Phases, Stage, Stopped};
use crate::stop::Stop;
use crate::store::BYTES_A_NODE;
use crate::temporary::Temporary;

/// What a method is told besides the question.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Selects the random numbers.
    pub seed: u64,
    /// What it may take. A method keeps these as far as it looks at them.
    pub limits: Limits,
    /// Whether it may fetch a model counter.
    pub fetch: Fetch,
    /// Asks it to end.
    pub stop: Stop,
}

/// A record, with the tour if that is its answer.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The record.
    pub record: Record,
    /// The tour, checked move by move.
    pub tour: Option<Tour>,
}

impl From<Record> for Answered {
    fn from(record: Record) -> Self {
        Self { record, tour: None }
    }
}

/// What ends a method otherwise than with its record: an error. It is said in the record.
type Failure = Box<dyn Error>;

impl Method {
    /// Answers a question. `told` is given the record as far as it goes when more is known of it, as that of a run that
    /// did not come further.
    #[must_use]
    pub fn answer(
        &self,
        question: &Question,
        settings: &Settings,
        told: &dyn Fn(&Record),
    ) -> Answered {
        let Settings { seed, limits, .. } = settings;
        let name = question.to_string();
        let record = Record::new(&name, question.checksum(), self, *seed, limits);
        let (began, cpu) = (Instant::now(), ProcessTime::now());
        let work = Work {
            settings,
            began,
            told,
        };
        let answered = match self.suits(question) {
            Ok(()) => work.answer(self, question, record.clone()),
            Err(refusal) => Ok(record
                .clone()
                .ended(Status::Refused, refusal.to_string())
                .into()),
        };
        let mut answered = answered
            .unwrap_or_else(|failure| record.ended(Status::Failed, failure.to_string()).into());
        let record = &mut answered.record;
        // A refusal takes no time worth a figure.
        if record.status != Status::Refused {
            let wall = || began.elapsed().as_secs_f64();
            record.wall_seconds.get_or_insert_with(wall);
            let cpu = || cpu.elapsed().as_secs_f64();
            record.cpu_seconds.get_or_insert_with(cpu);
            record.peak_kib = Some(peak_kib());
        }
        answered
    }
}

/// One run.
struct Work<'a> {
    settings: &'a Settings,
    began: Instant,
    told: &'a dyn Fn(&Record),
}

impl Work<'_> {
    fn answer(
        &self,
        method: &Method,
        question: &Question,
        record: Record,
    ) -> Result<Answered, Failure> {
        let tours = match question {
            Question::Tours(tours) => tours,
            Question::Queens(queens) => return self.queens(method, queens, record),
        };
        let instance = tours.instance();
        match method {
            Method::Solve { encoding, phases } => self.solve(encoding, *phases, instance, record),
            Method::Search(how) => self.search(how, instance, record),
            Method::Size(encoding) => Ok(size(encoding, instance, record)),
            Method::Count(how) => Ok(self.count(how, tours, record)?.into()),
            Method::External { engine, encoding } => {
                self.external(engine, encoding.as_ref(), instance, record)
            }
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.settings.limits.deadline(self.began)
    }

    fn left(&self) -> Option<Duration> {
        let deadline = self.deadline()?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// Bytes for states and nodes: most of the limit, as the rest of the process takes some too, or of what is free.
    fn memory(&self) -> u64 {
        let most = || available_memory().map_or(u64::MAX, |free| free / 4 * 3);
        let limit = self.settings.limits.memory;
        limit.map_or_else(most, |limit| limit / 8 * 7)
    }

    fn solver_options(&self, phases: Phases) -> Result<solve::Options, Failure> {
        Ok(solve::Options {
            time_limit: self.left(),
            conflicts: self.settings.limits.conflicts,
            stop: self.settings.stop.clone(),
            seed: u32::try_from(self.settings.seed)?,
            phases,
        })
    }

    fn solve(
        &self,
        encoding: &Encoding,
        phases: Phases,
        instance: &Instance,
        mut record: Record,
    ) -> Result<Answered, Failure> {
        let formula = match Formula::new(encoding.clone(), instance) {
            Ok(formula) => formula,
            Err(refusal) => return Ok(refused(record, &refusal)),
        };
        record.variables = Some(formula.n_vars().into());
        (self.told)(&late(record.clone()));
        let begun = record.clone();
        let mut stage = |stage| {
            if let Stage::Loaded {
                clauses,
                encode_seconds,
            } = stage
            {
                let mut loaded = begun.clone();
                loaded.clauses = Some(clauses.clauses);
                loaded.encode_seconds = Some(encode_seconds);
                (self.told)(&late(loaded));
            }
        };
        let options = self.solver_options(phases)?;
        let solved = solve::solve(&formula, &options, &mut stage)?;
        let effort = solved.effort;
        record.clauses = Some(solved.clauses.clauses);
        record.encode_seconds = Some(effort.encode_seconds);
        record.solve_seconds = Some(effort.solve_seconds);
        record.wall_seconds = Some(effort.wall_seconds);
        for (name, value) in [
            ("conflicts", effort.conflicts),
            ("decisions", effort.decisions),
            ("propagations", effort.propagations),
            ("ticks", effort.ticks),
        ] {
            record.effort.set(name, value);
        }
        if !formula.is_exact() {
            record.effort.set("cuts", effort.cuts);
        }
        Ok(match solved.outcome {
            solve::Outcome::Tour(tour, _) => found(record, tour),
            solve::Outcome::NoTour => record.ended(Status::NoTour, "").into(),
            solve::Outcome::Timeout => match solved.stopped {
                Some(Stopped::Conflicts) => {
                    record.ended(Status::ConflictLimit, "conflict limit").into()
                }
                Some(Stopped::Asked) => record.ended(Status::Stopped, "").into(),
                Some(Stopped::Time) | None => late(record).into(),
            },
        })
    }

    fn search(
        &self,
        how: &Search,
        instance: &Instance,
        mut record: Record,
    ) -> Result<Answered, Failure> {
        let options = search::Options {
            method: match how.name {
                MethodName::Backtrack => search::Method::Backtrack,
                MethodName::BestFirst => search::Method::BestFirst,
                MethodName::Warnsdorff => search::Method::Warnsdorff(Descents {
                    ties: how.ties.unwrap_or_else(|| best_ties(instance)),
                    rotations: how.rotations,
                    restarts: how.restarts,
                }),
            },
            order: how.order.unwrap_or(match instance.board() {
                Some(_) => Order::Moves(Moves::ARTICLE),
                None => Order::Graph,
            }),
            seed: self.settings.seed,
            node_limit: how.nodes,
            time_limit: self.left(),
        };
        let searched = match search::search(instance, &options, &mut |_, _| ()) {
            Ok(searched) => searched,
            Err(wrong @ search::SearchError::WrongPath(_)) => return Err(wrong.into()),
            Err(refusal) => return Ok(refused(record, &refusal)),
        };
        let effort = searched.effort;
        record.effort.set("nodes", effort.nodes);
        record.effort.set("restarts", effort.restarts);
        record.effort.set("rotations", effort.rotations);
        record.solve_seconds = Some(effort.seconds);
        record.wall_seconds = Some(effort.seconds);
        Ok(match searched.outcome {
            search::Outcome::Tour(tour) => found(record, tour),
            search::Outcome::NoTour(proof) => {
                let why = proof.said(instance).to_string();
                record.ended(Status::NoTour, why).into()
            }
            search::Outcome::NotFound(search::Limit::Time) => late(record).into(),
            search::Outcome::NotFound(limit) => {
                record.ended(Status::GaveUp, limit.to_string()).into()
            }
        })
    }

    fn count(&self, how: &Count, tours: &Tours, record: Record) -> Result<Record, Failure> {
        match how {
            Count::Exact => self.exact(tours, record),
            Count::Sample {
                states,
                repetitions,
            } => self.sample(*states, *repetitions, tours, record),
            Count::Zdd => self.zdd(tours, record),
            Count::Timeslice => self.timeslice(tours, record),
            Count::Enumerate(formulated) => self.enumerate(formulated, tours, record),
            Count::Approxmc { formula, .. } | Count::Ganak(formula) => {
                self.models(self.counter(how)?, formula, tours, record)
            }
            // It does not suit tours, which has been asked.
            Count::Bdd => Ok(record.ended(Status::Refused, "")),
        }
    }

    fn exact(&self, tours: &Tours, mut record: Record) -> Result<Record, Failure> {
        let options = exact::Options {
            threads: threads(),
            memory: self.memory(),
            deadline: self.deadline(),
            prune: true,
            try_hard: false,
        };
        let counted = exact::count(tours.instance(), tours.start(), &options, &mut |_| ());
        let exact = match counted {
            Ok(exact) => exact,
            Err(ExactError::TooWide(wide)) => return Ok(too_wide(record, &wide)),
            Err(error @ (ExactError::Memory { .. } | ExactError::Hopeless { .. })) => {
                return Ok(record.ended(Status::Memout, error.to_string()));
            }
            Err(error @ ExactError::Time { .. }) => {
                return Ok(record.ended(Status::Timeout, error.to_string()));
            }
            Err(error) => return Err(error.into()),
        };
        record.effort.set("states", exact.generated);
        record.effort.set("peak_states", exact.peak_states);
        record.effort.set("width", exact.width);
        Ok(record.with_answer(Status::Count, &exact.count))
    }

    fn sample(
        &self,
        states: usize,
        repetitions: usize,
        tours: &Tours,
        mut record: Record,
    ) -> Result<Record, Failure> {
        let options = sample::Options {
            states,
            repetitions: Repetitions::new(repetitions).ok_or("a sample has two repetitions")?,
            seed: self.settings.seed,
            threads: threads(),
            deadline: self.deadline(),
        };
        let mut show = |_, _| ();
        let sampled = sample::estimate(tours.instance(), tours.start(), &options, &mut show);
        let estimate = match sampled {
            Ok(estimate) => estimate,
            Err(SampleError::TooWide(wide)) => return Ok(too_wide(record, &wide)),
            Err(error @ SampleError::Time) => {
                return Ok(record.ended(Status::Timeout, error.to_string()));
            }
            Err(error @ SampleError::Nothing { .. }) => {
                return Ok(record.ended(Status::GaveUp, error.to_string()));
            }
        };
        record.effort.set("peak_states", estimate.peak_states);
        record.effort.set("standard_error", estimate.standard_error);
        record.effort.set("repetitions", estimate.repetitions.len());
        // Sums of whole numbers below 2^53 are exact.
        if estimate.exact && estimate.mean < (1u64 << 53) as f64 {
            return Ok(record.with_answer(Status::Count, &(estimate.mean as u64)));
        }
        Ok(record.with_answer(Status::Estimate, &estimate.mean))
    }

    fn zdd(&self, tours: &Tours, mut record: Record) -> Result<Record, Failure> {
        let options = diagram::Options {
            memory: self.memory(),
            deadline: self.deadline(),
        };
        let built = Diagram::new(tours.instance(), tours.start(), &options, &mut |_| ());
        let diagram = match built {
            Ok(diagram) => diagram,
            Err(DiagramError::TooWide(wide)) => return Ok(too_wide(record, &wide)),
            Err(error @ DiagramError::Memory { .. }) => {
                return Ok(record.ended(Status::Memout, error.to_string()));
            }
            Err(error @ DiagramError::Time { .. }) => {
                return Ok(record.ended(Status::Timeout, error.to_string()));
            }
        };
        record.effort.set("nodes", diagram.nodes());
        Ok(record.with_answer(Status::Count, &diagram.count()))
    }

    fn timeslice(&self, tours: &Tours, mut record: Record) -> Result<Record, Failure> {
        let default = timeslice::Options::default();
        let limit = self.settings.limits.memory;
        let nodes = limit.map(|_| self.memory() / BYTES_A_NODE);
        let options = timeslice::Options {
            threads: NonZero::new(threads() as u32).unwrap_or(default.threads),
            node_capacity: nodes.map_or(default.node_capacity, |nodes| {
                default
                    .node_capacity
                    .min(usize::try_from(nodes).unwrap_or(usize::MAX))
            }),
            deadline: self.deadline(),
        };
        let counted = timeslice::count(tours.instance(), tours.start(), &options, &mut |_| ());
        let counted = match counted {
            Ok(counted) => counted,
            Err(TimesliceError::Store { error, .. }) => {
                return Ok(record.ended(Status::Memout, error.to_string()));
            }
            Err(error @ TimesliceError::NodeCapacity { .. }) => {
                return Ok(record.ended(Status::Memout, error.to_string()));
            }
            Err(error @ TimesliceError::Deadline { .. }) => {
                return Ok(record.ended(Status::Timeout, error.to_string()));
            }
        };
        record.effort.set("peak_nodes", counted.peak_nodes);
        record.effort.set("nodes", counted.nodes);
        Ok(record.with_answer(Status::Count, &counted.count))
    }

    fn enumerate(
        &self,
        formulated: &Formulated,
        tours: &Tours,
        mut record: Record,
    ) -> Result<Record, Failure> {
        let instance = tours.instance();
        let fastest = fastest();
        // The values of a projection set are read off the tours, whichever encoding these come from.
        let by = match (&formulated.encoding, &formulated.project) {
            (Some(encoding), None) => encoding,
            _ => &fastest,
        };
        let set = match &formulated.project {
            Some(_) if tours.start() == Start::Anywhere => {
                return Ok(record.ended(Status::Refused, ONE_START));
            }
            Some(set) => {
                let encoding = formulated.encoding.clone().unwrap_or_else(counting);
                let formula = match Formula::new(encoding.clone(), instance) {
                    Ok(formula) => formula,
                    Err(refusal) => return Ok(refused(record, &refusal).record),
                };
                match formula.project(set) {
                    Ok(vars) => vars.map(|vars| (formula, set, vars)),
                    Err(refusal) => return Ok(refused(record, &refusal).record),
                }
            }
            None => None,
        };
        let starts = match tours.start() {
            Start::Given => vec![instance.clone()],
            Start::Anywhere => {
                let vertices = instance.graph().vertices();
                vertices
                    .map(|v| instance.starting_at(v))
                    .collect::<Result<_, _>>()?
            }
        };
        let (mut all, mut complete) = (Vec::new(), true);
        for from in &starts {
            let formula = match Formula::new(by.clone(), from) {
                Ok(formula) => formula,
                Err(refusal) => return Ok(refused(record, &refusal).record),
            };
            let before = all.len();
            let mut options = self.solver_options(Phases::default())?;
            // The order in which they are found is of no matter.
            options.seed = 0;
            let found = tours_of(&formula, &options, &mut |found| {
                let so_far = record
                    .clone()
                    .with_answer(Status::AtLeast, &(before + found.len()));
                (self.told)(&so_far);
            })?;
            all.extend(found.found);
            complete &= found.complete;
        }
        if !complete {
            return Ok(record.with_answer(Status::AtLeast, &all.len()));
        }
        if let Some((formula, set, vars)) = set {
            let exact = projected(&formula, &all, &vars)?;
            record.effort.set("values", exact.values);
            record.effort.set("models", exact.models);
            record
                .effort
                .set("models_per_tour", formula.values_per_tour(set));
            record.effort.set("projected_variables", vars.len());
        }
        Ok(record.with_answer(Status::Count, &all.len()))
    }

    fn counter(&self, how: &Count) -> Result<Counter, Failure> {
        let seed = Seed::try_from(u32::try_from(self.settings.seed)?)?;
        Ok(match how {
            Count::Approxmc { epsilon, delta, .. } => {
                Counter::ApproxMc(ApproxMc::new(*epsilon, *delta, seed)?)
            }
            _ => Counter::Ganak(Ganak { seed }),
        })
    }

    fn models(
        &self,
        counter: Counter,
        formulated: &Formulated,
        tours: &Tours,
        mut record: Record,
    ) -> Result<Record, Failure> {
        if tours.start() == Start::Anywhere {
            return Ok(record.ended(Status::Refused, ONE_START));
        }
        let encoding = formulated.encoding.clone().unwrap_or_else(counting);
        let formula = match Formula::new(encoding.clone(), tours.instance()) {
            Ok(formula) => formula,
            Err(refusal) => return Ok(refused(record, &refusal).record),
        };
        if !formula.is_exact() {
            return Ok(record.ended(Status::Refused, RELAXED));
        }
        let set = formulated
            .project
            .clone()
            .unwrap_or_else(|| formula.counted_on());
        let vars = match formula.project(&set) {
            Ok(vars) => vars,
            Err(refusal) => return Ok(refused(record, &refusal).record),
        };
        let per_tour = formula.values_per_tour(&set);
        record.variables = Some(formula.n_vars().into());
        if let Some(vars) = &vars {
            record.effort.set("projected_variables", vars.len());
        }
        self.count_models(
            counter,
            &formula,
            vars.as_deref(),
            record,
            |found, record| {
                record.effort.set("values", &found.count);
                record.effort.set("models_per_tour", per_tour);
                // On a set that is no independent support the values need not be a multiple of the models of a tour.
                let is_whole = &found.count % per_tour == BigUint::ZERO;
                match found.guarantee {
                    Guarantee::Exact if is_whole => (Status::Count, &found.count / per_tour),
                    _ if is_whole => (Status::Estimate, &found.count / per_tour),
                    // Half a tour more or less is nothing to an estimate, but is not said to be a count.
                    _ => (Status::Estimate, (&found.count + per_tour / 2) / per_tour),
                }
            },
        )
    }

    /// Counts the values of a projection set by a model counter, and takes what `read` makes of the number.
    fn count_models(
        &self,
        counter: Counter,
        formula: &impl Clauses,
        set: Option<&[Var]>,
        mut record: Record,
        read: impl FnOnce(&external::Answer, &mut Record) -> (Status, BigUint),
    ) -> Result<Record, Failure> {
        let clauses = formula.tally().total().clauses;
        record.clauses = Some(clauses);
        (self.told)(&late(record.clone()));
        let header = Header {
            comments: &[],
            variables: formula.n_vars(),
            clauses,
            projection: set.map(|set| (ProjectionFormat::Show, set)),
            names: None,
        };
        let mut file = Temporary::for_a_child(".cnf")?;
        let mut writer = DimacsWriter::new(BufWriter::new(file.file_mut()), &header);
        formula.emit(&mut writer);
        writer.finish()?.flush()?;
        let left = self.left();
        if left.is_some_and(|left| left.is_zero()) {
            return Ok(late(record));
        }
        let request = Request {
            file: file.file().path(),
            counter,
            time_limit: left,
            places: &Places::from_environment(),
            fetch: self.settings.fetch,
            stop: &self.settings.stop,
        };
        match external::run(&request, &mut |_| ())? {
            Counted::Counted(found) => {
                let version = found.version.as_deref().unwrap_or("of unknown version");
                record.solver = format!("{counter} {version}");
                record.wall_seconds = Some(found.wall_seconds);
                record.cpu_seconds = Some(found.cpu_seconds);
                let (status, answer) = read(&found, &mut record);
                Ok(record.with_answer(status, &answer))
            }
            Counted::TimedOut { wall_seconds } => {
                record.wall_seconds = Some(wall_seconds);
                Ok(late(record))
            }
        }
    }

    /// Asks another program.
    fn external(
        &self,
        name: &Engine,
        encoding: Option<&Encoding>,
        instance: &Instance,
        mut record: Record,
    ) -> Result<Answered, Failure> {
        let engine = name.engine();
        let refused_by = |error: EngineError, record: Record| match error.problem {
            Problem::Missing { .. }
            | Problem::NotSetUp { .. }
            | Problem::Kind(_)
            | Problem::Input { .. }
            | Problem::NoBoard(_) => Ok(refused(record, &error)),
            _ => Err(Failure::from(error)),
        };
        match engine.availability(&self.settings.stop) {
            Ok(Availability::Ready { version }) => {
                let version = version.as_deref().unwrap_or("of unknown version");
                record.solver = format!("{name} {version}");
            }
            Ok(Availability::NotSetUp | Availability::Missing) => {
                let why = format!("the engine {name} is not there: {}", engine.install());
                return Ok(refused(record, &why));
            }
            Err(error) => return refused_by(error, record),
        }
        let settings = external_solver::Settings {
            time_limit: self.left(),
            seed: u32::try_from(self.settings.seed)?,
            stop: &self.settings.stop,
        };
        let solved = match encoding {
            Some(encoding) => match Formula::new(encoding.clone(), instance) {
                Ok(formula) => engine.solve_formula(&formula, &settings),
                Err(refusal) => return Ok(refused(record, &refusal)),
            },
            None => engine.solve_instance(instance, &settings),
        };
        let solved = match solved {
            Ok(solved) => solved,
            Err(error) => return refused_by(error, record),
        };
        record.variables = solved.variables.map(u64::from);
        record.clauses = solved.clauses.map(|count| count.clauses);
        record.solve_seconds = Some(solved.cpu_seconds);
        record.wall_seconds = Some(solved.write_seconds + solved.wall_seconds);
        Ok(match solved.outcome {
            external_solver::Outcome::Found(Reading::Tour(tour)) => found(record, tour),
            external_solver::Outcome::Found(Reading::Cycles(cycles)) => {
                let why = format!(
                    "its model is {} cycles, as the encoding is relaxed",
                    cycles.len()
                );
                record.ended(Status::GaveUp, why).into()
            }
            external_solver::Outcome::None => record.ended(Status::NoTour, "").into(),
            external_solver::Outcome::Unknown(Unknown::TimeLimit) => late(record).into(),
            external_solver::Outcome::Unknown(Unknown::GaveUp) => record
                .ended(Status::GaveUp, "it says that it does not know")
                .into(),
            external_solver::Outcome::Unknown(Unknown::Stopped) => {
                record.ended(Status::Stopped, "").into()
            }
        })
    }

    fn queens(
        &self,
        method: &Method,
        queens: &Queens,
        mut record: Record,
    ) -> Result<Answered, Failure> {
        let Method::Count(how) = method else {
            return Ok(record.ended(Status::Refused, "").into());
        };
        if let Count::Bdd = how {
            return Ok(self.placements_diagram(queens, record)?.into());
        }
        let formula = QueensFormula::new(queens, AtMostOne::Pairwise);
        record.variables = Some(formula.n_vars().into());
        if let Count::Enumerate(_) = how {
            record.clauses = Some(formula.tally().total().clauses);
            let mut options = self.solver_options(Phases::default())?;
            options.seed = 0;
            let mut n = 0u64;
            let complete = placements(&formula, &options, &mut |_| {
                n += 1;
                (self.told)(&record.clone().with_answer(Status::AtLeast, &n));
                ControlFlow::Continue(())
            })?;
            let status = if complete {
                Status::Count
            } else {
                Status::AtLeast
            };
            return Ok(record.with_answer(status, &n).into());
        }
        let squares: Vec<_> = formula.squares().collect();
        record.effort.set("projected_variables", squares.len());
        let counter = self.counter(how)?;
        let record = self.count_models(counter, &formula, Some(&squares), record, |found, _| {
            let status = match found.guarantee {
                Guarantee::Exact => Status::Count,
                Guarantee::Approximate { .. } => Status::Estimate,
            };
            (status, found.count.clone())
        })?;
        Ok(record.into())
    }

    fn placements_diagram(&self, queens: &Queens, mut record: Record) -> Result<Record, Failure> {
        let enough = queens::Options::enough_for(queens);
        let nodes = usize::try_from(self.memory() / BYTES_A_NODE).unwrap_or(usize::MAX);
        let options = queens::Options {
            threads: NonZero::new(threads() as u32).unwrap_or(enough.threads),
            node_capacity: nodes.min(enough.node_capacity),
            deadline: self.deadline(),
        };
        match Solutions::new(queens, &options, &mut |_| ()) {
            Ok(solutions) => {
                record.effort.set("peak_nodes", solutions.peak_nodes());
                record.effort.set("nodes", solutions.nodes());
                Ok(record.with_answer(Status::Count, &solutions.count()))
            }
            Err(QueensError::Store { error, .. }) => {
                Ok(record.ended(Status::Memout, error.to_string()))
            }
            Err(error @ QueensError::NodeCapacity { .. }) => {
                Ok(record.ended(Status::Memout, error.to_string()))
            }
            Err(error @ QueensError::Deadline { .. }) => {
                Ok(record.ended(Status::Timeout, error.to_string()))
            }
            Err(error @ QueensError::TooMany(_)) => Ok(refused(record, &error).record),
            Err(error @ QueensError::Wrong(_)) => Err(error.into()),
        }
    }
}

const RELAXED: &str = "some models of a relaxed encoding are several cycles, and would be counted";

const ONE_START: &str = "it is about one formula: the question has to say from where";

fn found(record: Record, tour: Tour) -> Answered {
    Answered {
        record: record.ended(Status::Tour, ""),
        tour: Some(tour),
    }
}

fn late(record: Record) -> Record {
    record.ended(Status::Timeout, "time limit")
}

fn refused(record: Record, why: &impl ToString) -> Answered {
    record.ended(Status::Refused, why.to_string()).into()
}

fn too_wide(record: Record, wide: &TooWide) -> Record {
    record.ended(Status::Refused, wide.why())
}

fn counting() -> Encoding {
    "counting".parse().expect("there is this encoding")
}

fn threads() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

/// The size of a formula, and of each family of its clauses.
fn size(encoding: &Encoding, instance: &Instance, mut record: Record) -> Answered {
    let formula: Formula = match Formula::new(encoding.clone(), instance) {
        Ok(formula) => formula,
        Err(refusal) => return refused(record, &refusal),
    };
    let tally = formula.tally();
    let total = tally.total();
    record.variables = Some(formula.n_vars().into());
    record.clauses = Some(total.clauses);
    record.effort.set("nonunit", total.without_units());
    record.effort.set("literals", total.literals);
    for (family, count) in tally.families() {
        for (figure, value) in [
            ("clauses", count.clauses),
            ("nonunit", count.without_units()),
            ("literals", count.literals),
        ] {
            record
                .effort
                .set(&format!("{}.{figure}", family.label), value);
        }
    }
    record.ended(Status::Size, "").into()
}
