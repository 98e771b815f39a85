//! `hamcnf solve`: finds one or several tours, or answers that there is none.

use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Instant;

use anyhow::bail;
use hamcnf::Encoding;
use hamcnf::method::{Method, Place, Portfolio, Solve};
use hamcnf::portfolio::Strategy;
use hamcnf::question::{self, Files, Question};
use hamcnf::run::Settings;
use hamcnf::solve::cadical::LAST_SEED;
use hamcnf::solve::{Phases, defaults};

use super::answer::{self, Form, Request};
use super::ask::Loaded;
use super::complete;
use super::drawing::Drawing;
use super::engines::Engines;
use super::exit::NO_TOUR;
use super::instance::{QuestionArgs, Variant, encoding, named};
use super::limits::TimeLimits;
use super::longest;
use super::model::NamedModel;
use super::number::whole;
use super::several::{self, BadGraphs};
use super::verbosity::note;
use super::{proof, typed};

/// Find a tour, or prove that there is none
///
/// Uses the automatic portfolio unless --encoding or --method is given: infeasibility checks, merged 2-factors, dynamic
/// programming over a tree decomposition, CaDiCaL with a circuit propagator, lazy subtour elimination and local search.
/// Every printed tour has been checked move by move. Exit codes: 10 there is a tour, 20 there is no tour, 3 unknown
/// because a limit was reached. With --require-proof, 1 means that there is no tour but no proof was written.
#[derive(clap::Args)]
#[command(aliases = ["sat", "find", "search"], after_help = "Examples:
  hamcnf solve 8x8
  hamcnf solve 5x5 --open --start c3
  hamcnf solve 8x8 --from a1 --to h7     an open tour between two squares
  hamcnf solve 7x7 --open                an open tour from anywhere
  hamcnf solve 5x6 --open --start a1 --ranks up   a1 at the bottom left, as in chess
  hamcnf solve 8x8 --seed 7              another tour
  hamcnf solve 8x8 --number 5            five different tours
  hamcnf solve 8x8 --force a1-c2 --at d4=17 --before e5,h8
  hamcnf solve 8x8 --turns 0..89=..4     at most 4 obtuse angles
  hamcnf solve 3x4 open from a1 --unique                 is there another tour?
  hamcnf solve 5x5 --longest             a longest cycle, which may skip squares
  hamcnf solve 10x10 --encoding direct --time-limit 1m
  hamcnf solve graph.hcp --time-limit 60 --threads 1
  hamcnf solve petersen:1001:2 --method decomposition
  hamcnf solve 400x400 --method warnsdorff               Warnsdorff's rule, without clauses
  hamcnf solve graph.hcp --explain       print the plan and solve nothing
  hamcnf solve 8x8 --render tour.svg --numbers
  hamcnf solve 8x8 --json | jq .tour
  hamcnf solve graphs.g6                 every graph of the file, in order
  hamcnf solve 5x5                       exit code 20: no closed tour of 25 squares
  hamcnf solve 5x5 --proof 5x5.cert      with a certificate for hamcnf verify
  hamcnf solve 4x6 --proof p.drat --cnf p.cnf            a proof and its clauses
  hamcnf solve 3x8 -e unary --proof p.lrat               a proof from unary's clauses")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) question: QuestionArgs,
    /// Encoding to solve, such as binary or successor+parity (see `hamcnf encodings`). [default: none; if another
    /// option needs an encoding, relaxed+two-cycles+phases=false; for --number, "edges", or "counting" if the graph is
    /// dense]
    #[arg(long, short, value_parser = encoding(), add = complete::encodings())]
    encoding: Option<Encoding>,
    #[command(flatten)]
    variant: Variant,
    /// Method, optionally with settings (see `hamcnf methods`); the method "auto" is a portfolio
    /// [default: auto]
    #[arg(long, aliases = ["algorithm", "solver"], value_name = "METHOD", add = complete::methods(), conflicts_with_all = ["encoding", "pruning", "at_most_one", "orientation"])]
    method: Option<Method>,
    #[command(flatten)]
    engines: Engines,
    /// Number of threads of --method auto [default: one per processor]
    #[arg(long, aliases = ["jobs", "workers"], value_name = "N", value_parser = whole(NonZero::<u32>::MIN..=Portfolio::MOST_THREADS))]
    threads: Option<NonZero<u32>>,
    /// Print the plan of --method auto, in order, without solving anything
    #[arg(long)]
    explain: bool,
    /// Number of different tours to find; a closed tour and its reverse count as one tour
    #[arg(long, short, alias = "samples", value_name = "N", default_value_t = 1, value_parser = whole(1..=u32::MAX))]
    number: u32,
    /// Say whether there is another tour and, if so, where two tours differ
    #[arg(long, conflicts_with = "number")]
    unique: bool,
    /// Find a longest cycle, or with --open a longest path, which may skip vertices
    #[arg(long)]
    longest: bool,
    #[command(flatten)]
    proving: proof::Proving,
    #[command(flatten)]
    solving: Solving,
    #[command(flatten)]
    times: TimeLimits,
    /// With --json, add the graph's edges to each object, as details.graph
    #[arg(long, requires = "json")]
    edges: bool,
    #[command(flatten)]
    bad: BadGraphs,
    #[command(flatten)]
    drawing: Drawing,
}

impl Args {
    /// Returns the number of tours to find if the user requests several; `None` for one tour.
    fn several(&self) -> Option<NonZero<u32>> {
        let number = if self.unique { 2 } else { self.number };
        NonZero::new(number).filter(|number| number.get() > 1)
    }

    /// Returns the requested form of the answer, with the settings for every method.
    fn request(&self) -> anyhow::Result<Request<'_>> {
        let several = self.several();
        if let (Some(number), true) = (several, self.solving.dimacs) {
            bail!("--dimacs prints one answer, but --number asks for {number} tours: remove one of the two options");
        }
        Ok(Request {
            form: match (self.solving.json, self.solving.dimacs) {
                (true, _) => Form::Json,
                (_, true) => Form::Dimacs,
                _ => Form::Words,
            },
            several,
            unique: self.unique,
            edges: self.edges,
            require_proof: self.proving.require_proof,
            settings: Settings {
                seed: self.solving.seed.into(),
                limits: self.times.limits(),
                proof: self.proving.target()?,
                ..Settings::default()
            },
            drawing: &self.drawing,
        })
    }

    /// Returns the method; `None` if the options select a formula to solve.
    fn without_formula(&self) -> anyhow::Result<Option<Method>> {
        let threads = match (self.threads, &self.method) {
            (Some(_), Some(method)) if !method.has_setting(THREADS) => {
                bail!("--threads needs --method auto, because method \"{method}\" uses only one thread");
            }
            (threads, _) => threads,
        };
        let several = self.several().map(|_| if self.unique { "--unique" } else { "--number" });
        let refined = typed::of::<Variant>().map(|_| "a refinement");
        let formula = typed::first(&["--encoding"]).or(refined).or(typed::first(&["--dimacs", "--phases"]));
        match (&self.method, formula.or(several)) {
            (None, Some(option)) if threads.is_some() => {
                bail!("--threads needs --method auto, but {option} needs an encoding: remove one of the two options")
            }
            // For several tours, "auto" looks for reasons that there is none, and then solves a formula.
            (None, Some(_)) => Ok(formula.is_none().then(|| auto(None))),
            (Some(method), Some(option)) => {
                bail!(
                    "{option} needs an encoding and cannot be combined with --method {method}: remove one of the two options"
                )
            }
            (None, None) => Ok(Some(auto(threads.or(all_processors())))),
            (Some(method), None) if method.has_setting(THREADS) => {
                // The option takes precedence over the setting, and the setting over the number of processors.
                let unset = || method.setting(THREADS).is_none();
                match threads.or_else(|| all_processors().filter(|_| unset())) {
                    Some(threads) => Ok(Some(method.with_setting(THREADS, &threads.to_string())?)),
                    None => Ok(Some(method.clone())),
                }
            }
            (Some(method), None) if method.decides() => Ok(Some(method.clone())),
            (Some(method), None) if method.is_size() => {
                bail!("method \"{method}\" computes sizes and finds no tour; use `hamcnf sizes`")
            }
            (Some(method), None) => {
                bail!("method \"{method}\" only counts tours and outputs none; use `hamcnf count`")
            }
        }
    }

    /// Returns the method that solves the formula of these options. If the user names no encoding and an infeasibility
    /// check shows that there is no tour, returns a portfolio that consists of the checks alone.
    fn of_formula(&self, asked: &question::Tours) -> anyhow::Result<Method> {
        if self.explain {
            bail!("--explain needs --method auto and cannot be combined with an encoding");
        }
        let instance = asked.instance();
        match (asked.obstruction(), &self.encoding) {
            (None, _) => {}
            (Some(_), None) => {
                return Ok(Portfolio::of(Strategy::OBSTRUCTION).into());
            }
            // Graphs that are too small, and encodings that do not suit the graph, are rejected later.
            (Some(_), Some(_)) if instance.is_trivial() => {}
            (Some(_), Some(e)) if e.offers().boards_only && instance.board().is_none() => {}
            (Some(found), Some(encoding)) => note(&format!(
                "there is no tour: {found}; solving the formula of encoding \"{encoding}\" anyway, as requested"
            )),
        }
        // Options about positions require an encoding with positions.
        let fastest = || match typed::of::<Variant>() {
            Some(_) => defaults::encoding(defaults::FOUND_WITH_POSITIONS),
            None if self.several().is_some() => defaults::listed(instance),
            None => defaults::constrained(instance),
        };
        let chosen = self.encoding.clone().unwrap_or_else(fastest);
        Ok(Method::from(Solve { encoding: self.variant.of(&chosen, instance)?, phases: self.solving.phases() }))
    }
}

/// Name of the setting that `--threads` changes.
const THREADS: &str = "threads";

fn auto(threads: Option<NonZero<u32>>) -> Method {
    Method::from(Portfolio { threads: threads.unwrap_or(NonZero::<u32>::MIN), ..Portfolio::AUTO })
}

fn all_processors() -> Option<NonZero<u32>> {
    available_parallelism().ok()?.try_into().ok()
}

/// Options of the solver and of the output.
#[derive(clap::Args)]
pub(crate) struct Solving {
    /// Random seed of the search; another seed may find another solution. The seed of a random graph is part of its name,
    /// as in gnp:30,0.2:7
    #[arg(long, default_value_t = 0, value_parser = whole(0..=LAST_SEED))]
    pub(crate) seed: u32,
    /// Initial phases (the values that variables take first): "solver" keeps the phases of CaDiCaL, so the seed has
    /// no effect on small boards; "seeded" flips one phase in eight, chosen by the seed [default: "solver" for seed 0,
    /// else "seeded"]
    #[arg(long, value_parser = named::<Phases>())]
    phases: Option<Phases>,
    /// Print a JSON object for each answer, one per line. It has the columns of a `hamcnf run` row, the solution and a
    /// "details" object
    #[arg(long, conflicts_with = "dimacs")]
    pub(crate) json: bool,
    /// Print the s and v lines of SAT solvers. A comment names their encoding; `hamcnf encode` writes the same variables if
    /// both have the same --encoding
    #[arg(long)]
    pub(crate) dimacs: bool,
}

impl Solving {
    /// Returns the source of initial phases. By default, a nonzero seed selects seeded phases, because the seed would
    /// otherwise have no effect on small boards.
    pub(crate) fn phases(&self) -> Phases {
        self.phases.unwrap_or_else(|| Phases::for_seed(self.seed.into()))
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    if let Some(queens) = args.question.queens() {
        const OPTIONS: &str = "at-most-one time-limit cpu-limit seed phases json dimacs render numbers plain";
        typed::only(queens, "solve", OPTIONS)?;
    }
    args.drawing.check(args.question.queens())?;
    args.times.watch();
    let request = args.request()?;
    if let Some(queens) = args.question.queens() {
        let at_most_one = args.variant.at_most_one.unwrap_or_default();
        let method = Method::from(Place { at_most_one, phases: args.solving.phases() });
        return answer::run(&request, &Question::Queens(queens.clone()), &method, Instant::now());
    }
    if args.longest {
        longest::check_options("solve", "seed json time-limit cpu-limit render numbers plain animate")?;
    }
    let files = Arc::new(Files::default());
    let spec = args.question.spec()?;
    let several = several::questions(&spec, &files)?;
    if several.is_none()
        && let Some(model) = NamedModel::of(&spec, &files)?
    {
        let Settings { limits, proof, .. } = &request.settings;
        return model.solve(args.encoding.as_ref(), args.solving.seed, *limits, proof.as_ref(), args.unique);
    }
    let method = args.without_formula()?;
    let has_piece = args.question.options.board.piece.is_some();
    let pieces = if has_piece { Vec::new() } else { spec.pieces_to_try.clone() };
    let for_one = ["--explain", "--proof", "--require-proof", "--render"];
    let load = |spec| args.question.options.load_within(args.times.wall(), spec, &files);
    let answer = |loaded| one(args, &request, method.as_ref(), loaded);
    let code = args.bad.all(several, &spec, &for_one, load, answer)?;
    if code == NO_TOUR && !pieces.is_empty() {
        let pieces: Vec<_> = pieces.iter().map(|name| format!("\"piece {name}\"")).collect();
        note(&format!(
            "the puzzle names no piece, so a knight moves; for another piece, write {} above the grid",
            pieces.join(" or ")
        ));
    }
    Ok(code)
}

/// Answers a question. `method` is `None` if the options select a formula to solve.
fn one(args: &Args, request: &Request<'_>, method: Option<&Method>, loaded: Loaded) -> anyhow::Result<u8> {
    let (asked, began) = match loaded {
        Loaded::Question(asked, began) => (*asked, began),
        Loaded::Nothing(unloaded) => {
            let solve = || args.encoding.clone().map(|encoding| Solve::on(encoding).into());
            let method = method.cloned().or_else(solve).unwrap_or_else(|| auto(args.threads));
            let record = unloaded.record(&method, args.solving.seed.into());
            return answer::not_loaded(&unloaded, request.form, &record);
        }
    };
    if args.longest {
        longest::check(&args.question, &asked)?;
        let (seed, is_json) = (args.solving.seed, args.solving.json);
        return longest::solve(&asked, seed, args.times.limits(), is_json, &args.drawing, began);
    }
    let method = match method.cloned() {
        Some(method) => method,
        None => args.of_formula(&asked)?,
    };
    if args.explain {
        let number = request.several.map(|_| "a number of tours");
        if let Some(other) = typed::first(&["--json", "--dimacs", "--render"]).or(number) {
            bail!(
                "--explain prints the plan and solves nothing, so it cannot be combined with {other}: remove one of the two"
            );
        }
        return answer::explain(&asked, &method, args.solving.seed.into());
    }
    answer::run(request, &Question::from(asked), &method, began)
}
