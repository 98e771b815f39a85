//! `hamcnf solve`: a tour or several, or the answer that there is none.

use std::io::{self, Write};
use std::num::NonZero;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Instant;

use anyhow::bail;
use cpu_time::ProcessTime;
use hamcnf::answer::Answer;
use hamcnf::count::Start;
use hamcnf::count::enumerate::{Tours, some_tours_of};
use hamcnf::machine::peak_kib;
use hamcnf::method::{Method, Portfolio};
use hamcnf::question;
use hamcnf::record::Status;
use hamcnf::render::file::{TourRecord, Visits};
use hamcnf::solve::{Options, Outcome, Phases, Solved, Stage, Unfinished, checked, search_then};
use hamcnf::{
    Clauses, Count, Encoding, Formula, Instance, Named, Obstruction, Tour, TourKind, obstruction,
};
use serde::Serialize;

use super::deadline::{self, Waited, Worker};
use super::drawing::{self, Drawing};
use super::exit::{NO_TOUR, TOUR, UNKNOWN};
use super::header;
use super::instance::{EncodingParser, Question, Variant, named, seconds};
use super::interrupt::{Hold, limit};
use super::number::whole;
use super::output::Columns;
use super::progress::Progress;
use super::{answer, complain, output};

/// Find a tour, or prove that there is none
///
/// By whatever finds it soonest, unless an encoding or a method is named: reasons that are seen at once, merged
/// 2-factors, dynamic programming over a tree decomposition, CaDiCaL with a propagator for circuits, cuts in rounds,
/// local search. Every tour that is printed has been checked move by move. The exit code is 10 if there is a tour, 20 if
/// there is none, and 0 if that is not known by the time limit.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf solve 8x8
  hamcnf solve 5x5 --open --start c3
  hamcnf solve 8x8 --from a1 --to h7     an open tour between two squares
  hamcnf solve '7x7 open from anywhere'
  hamcnf solve 8x8 --seed 7              another tour
  hamcnf solve 8x8 --number 5            five different ones
  hamcnf solve 10x10 --encoding direct --time-limit 60
  hamcnf solve graph.hcp --time-limit 60 --threads 1
  hamcnf solve petersen:1001:2 --method decomposition
  hamcnf solve graph.hcp --explain       what would be tried, in order
  hamcnf solve 8x8 --render tour.svg --numbers
  hamcnf solve 8x8 --json | jq .squares
  hamcnf solve 5x5                       exit code 20: no closed tour of 25 squares")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) question: Question,
    /// Where an open tour has to end; with --from anywhere it may begin at any vertex
    #[arg(long, value_name = "END", allow_hyphen_values = true)]
    to: Option<String>,
    /// Solve the formula of this encoding as it is, perhaps with refinements: binary, successor+parity (see hamcnf
    /// encodings) [default where there has to be one, as for --number: relaxed+two-cycles+phases=false]
    #[arg(long, short, value_parser = EncodingParser)]
    encoding: Option<Encoding>,
    #[command(flatten)]
    variant: Variant,
    /// How to find one without naming an encoding: auto (whatever finds it soonest), one of its parts alone (two-factor,
    /// decomposition, core, propagator, lazy, local-search), or any other method of hamcnf compare [default: auto]
    #[arg(long, value_name = "METHOD", conflicts_with_all = ["encoding", "pruning", "at_most_one", "orientation"])]
    method: Option<Method>,
    /// How many parts of --method auto may work at once [default: as many as there are processors]
    #[arg(
        long,
        value_name = "N",
        value_parser = whole(NonZero::<u32>::MIN..=Portfolio::MOST_THREADS),
        allow_negative_numbers = true
    )]
    threads: Option<NonZero<u32>>,
    /// Say what --method auto would do, in order, and do nothing
    #[arg(long)]
    explain: bool,
    /// How many different tours to find, closed ones in either direction being the same
    #[arg(
        long,
        short,
        value_name = "N",
        default_value_t = 1,
        value_parser = whole(1..=u32::MAX),
        allow_negative_numbers = true
    )]
    number: u32,
    #[command(flatten)]
    pub(super) solving: Solving,
    #[command(flatten)]
    pub(super) drawing: Drawing,
}

impl Args {
    /// The method, if it is not about a formula that these options choose.
    fn without_formula(&self) -> anyhow::Result<Option<Method>> {
        let threads = match (self.threads, &self.method) {
            (Some(_), Some(method)) if !matches!(method, Method::Portfolio(how) if how.part.is_none()) =>
            {
                bail!("--threads is for --method auto, and {method} has one");
            }
            (threads, _) => threads,
        };
        let several = self.number > 1;
        let formula = [
            (self.encoding.is_some(), "--encoding"),
            (self.variant.given().is_some(), "a refinement"),
            (several, "--number"),
            (self.solving.dimacs, "--dimacs"),
            (self.solving.phases.is_some(), "--phases"),
        ];
        let formula = formula
            .iter()
            .find(|(is, _)| *is)
            .map(|(_, option)| *option);
        match (&self.method, formula) {
            (None, Some(option)) => match threads {
                Some(_) => bail!("--threads is for --method auto, and {option} for an encoding"),
                None => Ok(None),
            },
            (Some(method), Some(option)) => {
                bail!("{option} is for an encoding, and --method says {method}")
            }
            (Some(Method::Portfolio(how)), None) if how.part.is_some() => {
                Ok(Some(Method::Portfolio(*how)))
            }
            (None, None) => Ok(Some(auto(threads.or(all_processors())))),
            (Some(Method::Portfolio(how)), None) => {
                let said = Some(how.threads).filter(|said| said.get() > 1);
                Ok(Some(auto(threads.or(said).or(all_processors()))))
            }
            (Some(method), None) if method.decides() => Ok(Some(method.clone())),
            (Some(method @ Method::Size(_)), None) => {
                bail!("{method} is a size, and finds no tour: see hamcnf sizes")
            }
            (Some(method), None) => {
                bail!("{method} counts tours, and finds none of them: see hamcnf count")
            }
        }
    }
}

fn auto(threads: Option<NonZero<u32>>) -> Method {
    Method::Portfolio(Portfolio {
        threads: threads.unwrap_or(NonZero::<u32>::MIN),
        ..Portfolio::AUTO
    })
}

fn all_processors() -> Option<NonZero<u32>> {
    available_parallelism().ok()?.try_into().ok()
}

/// The encoding whose tours are found fastest.
const FASTEST: &str = "relaxed+two-cycles+phases=false";

/// That of those with positions, for options that are about them.
const FASTEST_WITH_POSITIONS: &str = "counting";

/// How the solver is run, and how its answer is printed.
#[derive(clap::Args)]
pub(crate) struct Solving {
    /// Stop after this many seconds of wall time
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) time_limit: Option<f64>,
    /// The solver's random seed: another one gives another answer, where there are several
    #[arg(
        long,
        default_value_t = 0,
        value_parser = whole(0..=2_000_000_000u32),
        allow_negative_numbers = true
    )]
    pub(crate) seed: u32,
    /// The values that are tried first: solver (its own, whose seed does nothing on small boards) or seeded (one in
    /// eight of them the other way, by the seed) [default: solver for seed 0, else seeded]
    #[arg(long, value_parser = named::<Phases>())]
    phases: Option<Phases>,
    /// Print a JSON object for programs, a line of it for each of several answers
    #[arg(long, conflicts_with = "dimacs")]
    pub(crate) json: bool,
    /// Print the s and v lines of SAT solvers
    #[arg(long)]
    pub(crate) dimacs: bool,
}

impl Solving {
    /// Where initial phases come from: a seed that is asked for is to make a difference.
    pub(crate) fn phases(&self) -> Phases {
        match (self.phases, self.seed) {
            (Some(phases), _) => phases,
            (None, 0) => Phases::Solver,
            (None, _) => Phases::Seeded,
        }
    }

    /// This way of solving, by its name.
    fn method(&self, encoding: &Encoding) -> Method {
        Method::Solve {
            encoding: encoding.clone(),
            phases: self.phases(),
        }
    }

    /// Searches for a model of the formula that `make` makes, and takes what `read` makes of the answer. The
    /// time limit counts from `began`.
    pub(crate) fn search<F, T>(
        &self,
        began: Instant,
        what: &str,
        make: impl FnOnce() -> anyhow::Result<F> + Send + 'static,
        read: impl FnOnce(&F, Solved<Answer>) -> anyhow::Result<T> + Send + 'static,
    ) -> anyhow::Result<Searched<F, T>>
    where
        F: Clauses + Send + Sync + 'static,
        T: Send + 'static,
    {
        let deadline = deadline::after(began, self.time_limit);
        let (seed, phases) = (self.seed, self.phases());
        let work = move |worker: &Worker<Known, anyhow::Result<(Arc<F>, T)>>| {
            let answer = || {
                let formula = Arc::new(make()?);
                worker.know(|known| known.variables = Some(formula.n_vars()));
                let options = Options {
                    time_limit: deadline::left(deadline),
                    seed,
                    phases,
                    ..Options::default()
                };
                let mut tell = |stage| match stage {
                    Stage::Loaded {
                        clauses,
                        encode_seconds,
                    } => worker.know(|known| known.loaded = Some((clauses, encode_seconds))),
                    Stage::Solving(_) => {}
                    Stage::Answered => worker.has_answer(),
                };
                search_then(formula.as_ref(), &options, &mut tell, |solved| {
                    let read = read(&formula, solved);
                    worker.answer(read.map(|read| (Arc::clone(&formula), read)));
                })?;
                Ok(())
            };
            if let Err(error) = answer() {
                worker.answer(Err(error));
            }
        };
        let cpu = ProcessTime::now();
        let progress = Progress::new(format_args!("{what}"));
        let waited = deadline::wait(deadline, None, &mut |_| (), work);
        drop(progress);
        Ok(match waited {
            Waited::Answer(answer) => {
                let (formula, read) = answer?;
                Searched::Ended(formula, read)
            }
            Waited::Late(known) => {
                let cpu = cpu.elapsed().as_secs_f64();
                let encode_seconds = known.loaded.map_or(cpu, |(_, seconds)| seconds);
                Searched::Unfinished(Unfinished {
                    variables: known.variables,
                    clauses: known.loaded.map(|(clauses, _)| clauses),
                    encode_seconds,
                    solve_seconds: cpu - encode_seconds,
                    wall_seconds: began.elapsed().as_secs_f64(),
                })
            }
        })
    }
}

/// How a search ended.
pub(crate) enum Searched<F, T> {
    /// With what was read of the answer, and the formula.
    Ended(Arc<F>, T),
    /// At the time limit, without the solver.
    Unfinished(Unfinished),
}

/// What is known of a search while it runs.
#[derive(Clone, Default)]
struct Known {
    variables: Option<u32>,
    loaded: Option<(Count, f64)>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.drawing.check()?;
    if args.number > 1 && args.solving.dimacs {
        bail!(
            "--dimacs is for one answer, and --number asks for {}",
            args.number
        );
    }
    let began = Instant::now();
    let method = args.without_formula()?;
    let asked = match &method {
        Some(_) => args.question.asked_to(args.to.as_deref())?,
        None if args.to.is_some() => {
            bail!("--to is for --method auto: in a formula the end is any")
        }
        None => args.question.asked_to(None)?,
    };
    if let Some(method) = method {
        return match args.explain {
            true => answer::explain(&asked, &method, args.solving.seed),
            false => {
                let how = answer::How {
                    seed: args.solving.seed,
                    time_limit: args.solving.time_limit,
                    json: args.solving.json,
                    drawing: &args.drawing,
                };
                answer::run(&how, asked, &method, began)
            }
        };
    }
    if args.explain {
        bail!("--explain is for --method auto, and here an encoding is solved as it is");
    }
    if asked.start() == Start::Anywhere || asked.end().is_some() {
        bail!(
            "'{asked}' is for --method auto: in a formula the start has to be one, and the end is any"
        );
    }
    let instance = asked.instance();
    match (obstruction(instance), &args.encoding) {
        (None, _) => {}
        (Some(found), None) => return obstructed(args, &asked, &found, began),
        // What is not for graphs is refused below.
        (Some(_), Some(e)) if e.offers().boards_only && instance.board().is_none() => {}
        (Some(found), Some(encoding)) => complain(&format!(
            "there is no tour: {}; {encoding} is solved all the same, as it was asked for",
            found.said(instance)
        )),
    }
    // What varies positions needs an encoding that has some.
    let fastest = || {
        let name = args
            .variant
            .given()
            .map_or(FASTEST, |_| FASTEST_WITH_POSITIONS);
        name.parse().expect("an encoding of ours")
    };
    let chosen = args.encoding.clone().unwrap_or_else(fastest);
    let encoding = args.variant.of(&chosen, instance)?;
    args.drawing.announce(instance, args.number.into());
    if args.number > 1 {
        return several(args, &asked, &encoding, began);
    }
    let (of, by) = (instance.clone(), encoding.clone());
    let make = move || Ok(Formula::new(by, &of)?);
    let read = |formula: &Formula, solved| Ok(checked(formula, solved)?);
    let what = format!("solving {instance}");
    let blank = Json::new(&asked, &encoding, &args.solving);
    let (formula, solved) = match args.solving.search(began, &what, make, read)? {
        Searched::Ended(formula, solved) => (formula, solved),
        Searched::Unfinished(unfinished) => {
            output::print(|out| {
                if args.solving.json {
                    output::json(out, &blank.unfinished(&unfinished))
                } else if args.solving.dimacs {
                    hamcnf::answer::write(out, &Answer::Unknown, unfinished.variables.unwrap_or(0))
                } else {
                    not_known(out, instance, &encoding)?;
                    writeln!(out, "{encoding}")?;
                    unfinished_in_words(out, &unfinished)
                }
            })?;
            return Ok(ExitCode::from(UNKNOWN));
        }
    };

    output::print(|out| {
        if args.solving.json {
            output::json(out, &blank.solved(instance, &solved))
        } else if args.solving.dimacs {
            let answer = match &solved.outcome {
                Outcome::Tour(_, model) => Answer::Satisfiable(model.clone()),
                Outcome::NoTour => Answer::Unsatisfiable,
                Outcome::Timeout => Answer::Unknown,
            };
            if let Answer::Satisfiable(_) = answer {
                writeln!(out, "{}", header::model_of(&formula))?;
            }
            hamcnf::answer::write(out, &answer, formula.n_vars())
        } else {
            print(out, &formula, &solved)
        }
    })?;
    if let Outcome::Tour(tour, _) = &solved.outcome {
        args.drawing.write(instance, tour)?;
    }
    Ok(ExitCode::from(match solved.outcome {
        Outcome::Tour(..) => TOUR,
        Outcome::NoTour => NO_TOUR,
        Outcome::Timeout => UNKNOWN,
    }))
}

/// Says why there is no tour, where nothing had to be solved.
fn obstructed(
    args: &Args,
    asked: &question::Tours,
    found: &Obstruction,
    began: Instant,
) -> anyhow::Result<ExitCode> {
    let instance = asked.instance();
    output::print(|out| {
        if args.solving.json {
            let json = Obstructed {
                of: Columns::new(asked.to_string(), None),
                instance: instance.name(),
                tours: instance.kind().as_str(),
                start: instance.vertex_name(instance.start()),
                status: Status::NoTour,
                obstruction: found.kind().as_str(),
                reason: found.said(instance).to_string(),
                wall_seconds: began.elapsed().as_secs_f64(),
                peak_kib: peak_kib(),
            };
            output::json(out, &json)
        } else if args.solving.dimacs {
            hamcnf::answer::write(out, &Answer::Unsatisfiable, 0)
        } else {
            let why = found.said(instance);
            writeln!(out, "{instance}: there is no tour: {why}")
        }
    })?;
    Ok(ExitCode::from(NO_TOUR))
}

/// What is known of a solver that was not waited for.
pub(crate) fn unfinished_in_words(out: &mut dyn Write, unfinished: &Unfinished) -> io::Result<()> {
    match (unfinished.variables, unfinished.clauses) {
        (Some(variables), Some(count)) => {
            writeln!(out, "{variables} variables, {} clauses", count.clauses)?;
        }
        (Some(variables), None) => {
            writeln!(out, "{variables} variables, not all clauses made by then")?;
        }
        (None, _) => writeln!(out, "variables not all numbered by then")?,
    }
    writeln!(
        out,
        "{:.3} s CPU to encode, {:.3} s to solve, {:.3} s wall: the solver had not stopped by then, and what \
         it did is not known",
        unfinished.encode_seconds, unfinished.solve_seconds, unfinished.wall_seconds
    )
}

fn print(out: &mut dyn Write, formula: &Formula, solved: &Solved) -> io::Result<()> {
    let instance = formula.instance();
    match &solved.outcome {
        Outcome::Tour(tour, _) => {
            writeln!(out, "{}\n", drawing::checked(instance))?;
            writeln!(out, "{}", drawing::in_terminal(instance, tour))?;
        }
        Outcome::NoTour => writeln!(out, "{instance}: there is no tour\n")?,
        Outcome::Timeout => not_known(out, instance, formula.encoding())?,
    }
    let effort = solved.effort;
    writeln!(out, "{}", formula.encoding())?;
    writeln!(
        out,
        "{} variables, {} clauses",
        solved.variables, solved.clauses.clauses
    )?;
    writeln!(
        out,
        "{:.3} s CPU to encode, {:.3} s to solve, {:.3} s wall: {} conflicts, {} decisions, {} propagations",
        effort.encode_seconds,
        effort.solve_seconds,
        effort.wall_seconds,
        effort.conflicts,
        effort.decisions,
        effort.propagations
    )
}

/// Says that the time was not enough, and what may do better.
fn not_known(out: &mut dyn Write, instance: &Instance, encoding: &Encoding) -> io::Result<()> {
    let open = match instance.kind() {
        TourKind::Open => " --open",
        TourKind::Closed => "",
    };
    let fastest = FASTEST
        .parse::<Encoding>()
        .is_ok_and(|fastest| fastest == *encoding);
    let faster = match fastest {
        true => String::new(),
        false => format!("the encoding {FASTEST} instead of {encoding}; "),
    };
    writeln!(out, "{instance}: not known by the time limit")?;
    writeln!(
        out,
        "what may do better: {faster}another --seed; a search without clauses: hamcnf tour {}{open}\n",
        instance.name()
    )
}

/// Finds several tours.
fn several(
    args: &Args,
    asked: &question::Tours,
    encoding: &Encoding,
    began: Instant,
) -> anyhow::Result<ExitCode> {
    let instance = asked.instance();
    let number = args.number as usize;
    let (seed, phases) = (args.solving.seed, args.solving.phases());
    let deadline = deadline::after(began, args.solving.time_limit);
    let mut progress = Progress::new(format_args!("solving {instance}"));
    let mut tick = |found: &Vec<Tour>| {
        let k = found.len();
        progress.show(format_args!("{k} of {number} tours of {instance} found"));
    };
    let hold = Hold::new();
    let (of, by) = (instance.clone(), encoding.clone());
    let waited = deadline::wait(deadline, Some(hold.stop()), &mut tick, move |worker| {
        let list = || -> anyhow::Result<Tours> {
            let options = Options {
                time_limit: deadline::left(deadline),
                seed,
                phases,
                ..Options::default()
            };
            let formula = Formula::new(by, &of)?;
            Ok(some_tours_of(&formula, number, &options, &mut |found| {
                worker.know(|known| known.extend(found.last().cloned()));
            })?)
        };
        worker.answer(list());
    });
    progress.clear();
    let Tours { found, complete } = match waited {
        Waited::Answer(found) => found?,
        Waited::Late(found) => Tours {
            found,
            complete: false,
        },
    };
    let tours = found.as_slice();
    let (status, code) = match (tours, complete) {
        ([_, ..], _) => (Status::Tour, TOUR),
        ([], true) => (Status::NoTour, NO_TOUR),
        ([], false) => (Status::Timeout, UNKNOWN),
    };
    output::print(|out| {
        if args.solving.json {
            let line = |tour: Option<&Tour>| Found {
                of: Columns::new(asked.to_string(), Some(args.solving.method(encoding))),
                status,
                seed,
                phases: phases.as_str(),
                encoding: encoding.to_string(),
                complete,
                enough: tours.len() == number,
                tour: tour.map(|tour| TourRecord::new(instance, tour)),
            };
            return match tours {
                [] => output::json(out, &line(None)),
                tours => tours
                    .iter()
                    .try_for_each(|tour| output::json(out, &line(Some(tour)))),
            };
        }
        for tour in tours {
            writeln!(out, "{}\n", drawing::checked(instance))?;
            writeln!(out, "{}", drawing::in_terminal(instance, tour))?;
        }
        match (tours.len(), complete) {
            (0, true) => writeln!(out, "{instance}: there is no tour\n")?,
            (0, false) => not_known(out, instance, encoding)?,
            (k, true) => writeln!(out, "{k} different tours, and there are no others")?,
            (k, false) if k == number => writeln!(out, "{k} different tours")?,
            (k, false) => writeln!(out, "{k} different tours before the {}", limit())?,
        }
        writeln!(out, "{encoding}")
    })?;
    let drawn: Vec<_> = tours.iter().map(|tour| (instance, tour)).collect();
    if !drawn.is_empty() {
        args.drawing.write_sheet(&drawn)?;
    }
    Ok(ExitCode::from(code))
}

/// What `--json` prints.
#[derive(Serialize)]
struct Json {
    #[serde(flatten)]
    of: Columns,
    instance: String,
    tours: &'static str,
    start: String,
    encoding: String,
    orientation: Option<String>,
    seed: u32,
    phases: &'static str,
    time_limit: Option<f64>,
    status: Status,
    // Null where the solver was not waited for and they are not known.
    variables: Option<u64>,
    clauses: Option<u64>,
    encode_seconds: f64,
    solve_seconds: f64,
    wall_seconds: f64,
    conflicts: Option<u64>,
    decisions: Option<u64>,
    propagations: Option<u64>,
    ticks: Option<u64>,
    peak_kib: u64,
    solver: &'static str,
    #[serde(flatten)]
    tour: Option<Visits>,
}

impl Json {
    /// Before anything is known.
    fn new(asked: &question::Tours, encoding: &Encoding, solving: &Solving) -> Self {
        let instance = asked.instance();
        let closed = instance.kind() == TourKind::Closed;
        Self {
            of: Columns::new(asked.to_string(), Some(solving.method(encoding))),
            instance: instance.name().to_owned(),
            tours: instance.kind().as_str(),
            start: instance.vertex_name(instance.start()),
            encoding: encoding.to_string(),
            orientation: encoding.value_of("orientation").filter(|_| closed),
            seed: solving.seed,
            phases: solving.phases().as_str(),
            time_limit: solving.time_limit,
            status: Status::Timeout,
            variables: None,
            clauses: None,
            encode_seconds: 0.0,
            solve_seconds: 0.0,
            wall_seconds: 0.0,
            conflicts: None,
            decisions: None,
            propagations: None,
            ticks: None,
            peak_kib: peak_kib(),
            solver: hamcnf::solve::signature(),
            tour: None,
        }
    }

    fn solved(self, instance: &Instance, solved: &Solved) -> Self {
        let effort = solved.effort;
        let (status, tour) = match &solved.outcome {
            Outcome::Tour(tour, _) => (Status::Tour, Some(Visits::new(instance, tour))),
            Outcome::NoTour => (Status::NoTour, None),
            Outcome::Timeout => (Status::Timeout, None),
        };
        Self {
            status,
            variables: Some(solved.variables.into()),
            clauses: Some(solved.clauses.clauses),
            encode_seconds: effort.encode_seconds,
            solve_seconds: effort.solve_seconds,
            wall_seconds: effort.wall_seconds,
            conflicts: Some(effort.conflicts),
            decisions: Some(effort.decisions),
            propagations: Some(effort.propagations),
            ticks: Some(effort.ticks),
            peak_kib: peak_kib(),
            tour,
            ..self
        }
    }

    fn unfinished(self, unfinished: &Unfinished) -> Self {
        Self {
            variables: unfinished.variables.map(u64::from),
            clauses: unfinished.clauses.map(|count| count.clauses),
            encode_seconds: unfinished.encode_seconds,
            solve_seconds: unfinished.solve_seconds,
            wall_seconds: unfinished.wall_seconds,
            peak_kib: peak_kib(),
            ..self
        }
    }
}

/// What it prints where nothing had to be solved.
#[derive(Serialize)]
struct Obstructed<'a> {
    #[serde(flatten)]
    of: Columns,
    instance: &'a str,
    tours: &'static str,
    start: String,
    status: Status,
    /// Which reason it is.
    obstruction: &'static str,
    /// It in words.
    reason: String,
    wall_seconds: f64,
    peak_kib: u64,
}

/// What it prints for each of several tours, or where there is none.
#[derive(Serialize)]
struct Found {
    #[serde(flatten)]
    of: Columns,
    status: Status,
    seed: u32,
    phases: &'static str,
    encoding: String,
    /// Whether there are no others.
    complete: bool,
    /// Whether there are as many as were asked for; if it is neither, a limit came.
    enough: bool,
    #[serde(flatten)]
    tour: Option<TourRecord>,
}
