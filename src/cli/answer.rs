//! A question about tours answered by a method, as `hamcnf solve` and `hamcnf tour` print it: for people, for programs as
//! the record that an experiment's row is, with the tour, or as the lines of SAT solvers.

use std::io::{self, Write};
use std::num::NonZero;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hamcnf::answer::Answer;
use hamcnf::ends::Start;
use hamcnf::json::JsonRecord;
use hamcnf::limits::Limits;
use hamcnf::method::{Class, Method, Portfolio, Search, Solve};
use hamcnf::pipeline::Answered;
use hamcnf::portfolio::{self, Step};
use hamcnf::proof::Target;
use hamcnf::question::{self, Question};
use hamcnf::record::{Record, Status};
use hamcnf::refute::BASIS;
use hamcnf::run::{Settings, Wanted};
use hamcnf::search::{self, MethodName, Proof};
use hamcnf::solve::defaults;
use hamcnf::{Encoding, Formula, Instance, Tour, TourKind, Vertex};

use super::ask::{Shown, ask};
use super::drawing::{self, Drawing};
use super::exit::{NO_TOUR, TOUR, UNKNOWN, WITHOUT_PROOF};
use super::interrupt::Hold;
use super::loudness::{is_quiet, note};
use super::progress::{self, Progress};
use super::{header, output, proof};

/// Who asks: what is said where there is no answer depends on it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asker {
    /// `hamcnf solve`.
    Solve,
    /// `hamcnf tour`.
    Tour,
}

/// How the answer is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// For people.
    Words,
    /// For programs: an object, a line of it for each of several tours.
    Json,
    /// The s and v lines of SAT solvers.
    Dimacs,
}

/// What is said of how to answer, and where the answer goes.
pub(super) struct How<'a> {
    pub(super) asker: Asker,
    /// Selects the random numbers.
    pub(super) seed: u64,
    /// Seconds of wall time.
    pub(super) time_limit: Option<f64>,
    /// How many tours, if they are several.
    pub(super) number: Option<NonZero<u32>>,
    pub(super) form: Form,
    /// Where tours are drawn.
    pub(super) drawing: &'a Drawing,
    /// Whether it was said where tours begin.
    pub(super) start_is_said: bool,
    /// Where a proof goes that there is no tour.
    pub(super) proof: Option<&'a Target>,
    /// True if "no tour" without its proof is a failure.
    pub(super) requires_proof: bool,
    /// True if the object for programs has the graph.
    pub(super) edges: bool,
}

/// Answers, prints and draws. The time limit counts from `began`.
pub(super) fn run(
    how: &How<'_>,
    asked: question::Tours,
    method: &Method,
    began: Instant,
) -> anyhow::Result<ExitCode> {
    let (start, end) = (asked.start(), asked.end());
    let asked = Arc::new(asked);
    let question = Question::Tours(Arc::clone(&asked));
    let instance = asked.instance().clone();
    method.suits(&question)?;
    let tours = how.number.map_or(1, |number| number.get().into());
    how.drawing.announce(&instance, tours);
    let of = said_of(&instance, start, end);
    let hold = Hold::new();
    let settings = Settings {
        seed: how.seed,
        limits: Limits {
            wall: how.time_limit.map(Duration::from_secs_f64),
            ..Limits::default()
        },
        wanted: match how.number.filter(|_| method.abilities().several) {
            Some(number) => Wanted::Several(number),
            None => Wanted::One,
        },
        proof: how.proof.cloned(),
        stop: hold.stop().clone(),
        ..Settings::default()
    };
    if let Some(target) = how.proof {
        proof::warn_of(target, &asked, method);
    }
    let verb = match how.asker {
        Asker::Solve => "solving",
        Asker::Tour => "searching",
    };
    let progress = Progress::new(format_args!("{verb} {of}"));
    let mut shown = Shown::new(&progress, format!("{verb} {of}"));
    let mut printed = 0;
    let answered = ask(
        &question,
        method,
        settings,
        began,
        &mut |known| {
            // Of several tours each is printed as it is found; a tour that cannot be is tried again at the end.
            if how.number.is_some() && matches!(how.form, Form::Words) {
                for tour in &known.tours()[printed..] {
                    let at = beginning(&instance, start, tour);
                    let said = progress::aside(|| output::print(|out| found(out, &at, tour)));
                    if said.is_err() {
                        break;
                    }
                    printed += 1;
                }
            }
            shown.show(known);
        },
        |_| (),
    );
    drop(progress);
    // Of several tours those that came before an interrupt are not what was asked for.
    let is_part = how.number.is_some() && hold.stop().is_set();
    drop(hold);
    if let Status::Failed | Status::Refused = answered.record.status {
        let why = &answered.record.message;
        // What is wrong with an encoding or a search says which itself.
        match method.class() {
            Class::Encoding | Class::Search => anyhow::bail!("{why}"),
            _ => anyhow::bail!("{method}: {why}"),
        }
    }
    let said = Said {
        how,
        what: &of,
        asked: &asked,
        question: &question,
        instance: &instance,
        answered: &answered,
        start,
        printed,
    };
    output::print(|out| match how.form {
        Form::Words => said.words(out),
        Form::Json => said.json(out),
        Form::Dimacs => said.dimacs(out),
    })?;
    let drawn: Vec<_> = answered
        .tours
        .iter()
        .map(|tour| (said.at(tour), tour))
        .collect();
    let drawn: Vec<_> = drawn.iter().map(|(at, tour)| (at, *tour)).collect();
    if !drawn.is_empty() && !is_part {
        how.drawing.write_sheet(&drawn)?;
    }
    let from_first = instance.kind() == TourKind::Open && !how.start_is_said;
    if answered.record.status == Status::NoTour && from_first {
        let from = instance.vertex_name(instance.start());
        note(&format!(
            "that is about open tours from {from}, as it is not said from where; from anywhere: --start anywhere"
        ));
    }
    if let Some(target) = how.proof {
        proof::say(target, &asked, &answered);
    }
    let lacks_proof = how.requires_proof && !proof::is_written(&answered);
    Ok(ExitCode::from(match answered.record.status {
        Status::NoTour if lacks_proof => WITHOUT_PROOF,
        Status::Tour => TOUR,
        Status::NoTour => NO_TOUR,
        _ => UNKNOWN,
    }))
}

/// The question in words.
pub(super) fn said_of(instance: &Instance, start: Start, end: Option<Vertex>) -> String {
    let said = match start {
        Start::Given => instance.to_string(),
        Start::Anywhere => format!("{} from anywhere", instance.without_start()),
    };
    match end {
        Some(end) => format!("{said}, end {}", instance.vertex_name(end)),
        None => said,
    }
}

/// An answer with all that is needed to say it.
struct Said<'a> {
    how: &'a How<'a>,
    /// The question in words.
    what: &'a str,
    asked: &'a question::Tours,
    question: &'a Question,
    instance: &'a Instance,
    answered: &'a Answered,
    start: Start,
    /// Number of tours that were printed as they were found.
    printed: usize,
}

/// Prints a tour.
fn found(out: &mut dyn Write, at: &Instance, tour: &Tour) -> io::Result<()> {
    writeln!(out, "{}\n", drawing::checked(at))?;
    writeln!(out, "{}", drawing::in_terminal(at, tour))
}

/// The instance, which begins where the tour does if it may begin anywhere.
fn beginning(instance: &Instance, start: Start, tour: &Tour) -> Instance {
    let first = tour.order().first().filter(|_| start == Start::Anywhere);
    let at = first.and_then(|&first| instance.starting_at(first).ok());
    at.unwrap_or_else(|| instance.clone())
}

impl Said<'_> {
    fn record(&self) -> &Record {
        &self.answered.record
    }

    /// The instance, which begins where the tour does.
    fn at(&self, tour: &Tour) -> Instance {
        beginning(self.instance, self.start, tour)
    }

    /// CPU seconds of encoding and of solving; where it was not waited for, as far as that had come.
    fn seconds(&self) -> (f64, f64) {
        let record = self.record();
        let cpu = record.cpu_seconds.unwrap_or(0.0);
        let encode = record.encode_seconds.unwrap_or(cpu);
        (
            encode,
            record.solve_seconds.unwrap_or((cpu - encode).max(0.0)),
        )
    }

    fn words(&self, out: &mut dyn Write) -> io::Result<()> {
        let (answered, record) = (self.answered, self.record());
        for tour in answered.tours.iter().skip(self.printed) {
            let at = self.at(tour);
            found(out, &at, tour)?;
        }
        if let Some(number) = self.how.number
            && let found @ 1.. = answered.tours.len()
        {
            let limit = match record.status {
                _ if answered.complete => ", and there are no others".to_owned(),
                _ if found == number.get() as usize => String::new(),
                _ => format!(" before the {}", super::interrupt::limit()),
            };
            writeln!(out, "{found} different tours{limit}")?;
        } else if answered.tours.is_empty() {
            self.without_a_tour(out)?;
            let by_obstruction = matches!(answered.proof, Some(Proof::Obstruction(_)));
            if by_obstruction && record.method.is::<Portfolio>() {
                return Ok(());
            }
        }
        // With --quiet the answer is all that is said.
        if is_quiet() {
            return Ok(());
        }
        match record.method.kind::<Search>() {
            Some(search) => self.searched(search, out),
            None if record.method.is::<Solve>() => self.solved(out),
            None => self.done(out),
        }
    }

    /// Says that there is none, or that it is not known and what may do better.
    fn without_a_tour(&self, out: &mut dyn Write) -> io::Result<()> {
        let (what, record) = (self.what, self.record());
        match (
            record.status,
            &self.answered.proof,
            record.method.class(),
            record.method.engine(),
        ) {
            (Status::NoTour, Some(_), Class::Solver, _) => {
                return writeln!(out, "{what}: there is no tour: {}", record.message);
            }
            (Status::NoTour, Some(_), ..) => {
                return writeln!(out, "{what}: there is no tour: {}\n", record.message);
            }
            (Status::NoTour, None, _, Some(engine)) => {
                return writeln!(
                    out,
                    "{what}: {engine} says that there is no tour, which nobody has checked\n"
                );
            }
            (Status::NoTour, None, ..) => return writeln!(out, "{what}: there is no tour\n"),
            _ => {}
        }
        let why = match (self.how.asker, record.status) {
            (_, Status::Timeout) => "by the time limit".to_owned(),
            (_, Status::Stopped) => "by the interrupt".to_owned(),
            (_, Status::Memout) => "within the memory that is free".to_owned(),
            (Asker::Tour, _) => format!("by the {}", record.message),
            (Asker::Solve, Status::GaveUp) if is_for_narrow(&record.method) => format!(
                "by {}, which is for narrower graphs; that proves nothing",
                record.method
            ),
            (Asker::Solve, _) => format!("by {}, which proves nothing", record.method),
        };
        match self.how.asker {
            Asker::Solve => writeln!(out, "{what}: not known {why}")?,
            Asker::Tour => writeln!(out, "{what}: no tour found {why}, which proves nothing")?,
        }
        match self.better() {
            Some(better) => writeln!(out, "what may do better: {better}\n"),
            None => writeln!(out),
        }
    }

    /// What may find a tour, or prove that there is none, where this did not; nothing where it was interrupted.
    fn better(&self) -> Option<String> {
        let record = self.record();
        if record.status == Status::Stopped {
            return None;
        }
        let open = match self.instance.kind() {
            TourKind::Open => " --open",
            TourKind::Closed => "",
        };
        let name = self.instance.name();
        let search = format!("a search without clauses: hamcnf tour {name}{open}");
        let mut ways = Vec::new();
        let method = &record.method;
        let by_asker = (
            self.how.asker,
            method.kind::<Search>(),
            method.kind::<Solve>(),
        );
        match by_asker {
            (Asker::Tour, Some(by), _) => {
                ways.push(match by.name {
                    MethodName::Warnsdorff => "--ties random with another --seed; --method best-first, which proves it if \
                                               there is none"
                        .to_owned(),
                    MethodName::Backtrack | MethodName::BestFirst => {
                        "--method warnsdorff".to_owned()
                    }
                });
                ways.push(format!("hamcnf solve {name}{open}"));
            }
            (_, _, Some(Solve { encoding, .. })) => {
                let fastest = defaults::FOUND;
                if *encoding != defaults::encoding(fastest) {
                    ways.push(format!("the encoding {fastest} instead of {encoding}"));
                }
                ways.push("--method auto, which needs no encoding".to_owned());
                ways.push("another --seed".to_owned());
                ways.push(search);
            }
            _ => {
                let portfolio = method.kind::<Portfolio>();
                let is_auto = portfolio.is_some_and(|how| how.strategy.is_none());
                if !is_auto {
                    ways.push("--method auto, which tries several".to_owned());
                }
                if record.status == Status::Timeout {
                    ways.push("more time".to_owned());
                    ways.push("another --seed".to_owned());
                }
                if is_auto {
                    ways.push(search);
                }
            }
        }
        Some(ways.join("; "))
    }

    /// What an encoding took.
    fn solved(&self, out: &mut dyn Write) -> io::Result<()> {
        let record = self.record();
        let encoding = record.method.encoding();
        if let Some(encoding) = encoding {
            writeln!(out, "{encoding}")?;
        }
        // What is relaxed has models that are no tours.
        let is_relaxed = |encoding: &Encoding| {
            Formula::new(encoding.clone(), self.instance).is_ok_and(|formula| !formula.is_exact())
        };
        let is_proof = self.how.proof.and_then(Target::steps).is_some();
        let has_cuts = is_proof && encoding.is_some_and(is_relaxed);
        if has_cuts {
            writeln!(
                out,
                "its clauses prove nothing alone: solved with cuts, which are proved from {BASIS}"
            )?;
        }
        // Several take what they take together.
        if self.how.number.is_some() {
            return Ok(());
        }
        match (record.variables, record.clauses) {
            (Some(variables), Some(clauses)) => {
                writeln!(out, "{variables} variables, {clauses} clauses")?;
            }
            (Some(variables), None) => {
                writeln!(out, "{variables} variables, not all clauses made by then")?;
            }
            (None, _) => writeln!(out, "variables not all numbered by then")?,
        }
        let (encode, solve) = self.seconds();
        let wall = record.wall_seconds.unwrap_or(0.0);
        let counter = |name| record.effort.get::<u64>(name);
        let proved = counter("proof.conflicts").zip(counter("proof.cuts"));
        let what = match (
            counter("conflicts"),
            counter("decisions"),
            counter("propagations"),
        ) {
            _ if let Some((conflicts, cuts)) = proved => {
                format!("{conflicts} conflicts, {cuts} cuts")
            }
            _ if has_cuts && record.status == Status::NoTour => "proved by counting".to_owned(),
            (Some(conflicts), Some(decisions), Some(propagations)) => {
                format!("{conflicts} conflicts, {decisions} decisions, {propagations} propagations")
            }
            _ => "the solver had not stopped by then, and what it did is not known".to_owned(),
        };
        writeln!(
            out,
            "{encode:.3} s CPU to encode, {solve:.3} s to solve, {wall:.3} s wall: {what}"
        )
    }

    /// What a search took.
    fn searched(&self, by: &Search, out: &mut dyn Write) -> io::Result<()> {
        let options = by.options(self.instance, self.how.seed, None);
        let order = options.order;
        match options.method {
            search::Method::Backtrack => write!(out, "backtracking")?,
            search::Method::BestFirst => write!(out, "best first")?,
            search::Method::Warnsdorff(how) => write!(out, "Warnsdorff's rule, ties {}", how.ties)?,
        }
        writeln!(out, ", moves in the order {order}")?;
        let record = self.record();
        let counters = ["nodes", "restarts", "rotations"];
        let counters = counters.map(|name| record.effort.get::<u64>(name));
        if let [Some(nodes), Some(restarts), Some(rotations)] = counters {
            let seconds = record.wall_seconds.unwrap_or(0.0);
            writeln!(
                out,
                "{nodes} nodes, {restarts} restarts, {rotations} rotations, {seconds:.3} s"
            )?;
        }
        Ok(())
    }

    /// What another method did.
    fn done(&self, out: &mut dyn Write) -> io::Result<()> {
        let (answered, record) = (self.answered, self.record());
        writeln!(out, "{}", record.method)?;
        if let (Some(variables), Some(clauses)) = (record.variables, record.clauses) {
            writeln!(out, "{variables} variables, {clauses} clauses")?;
        }
        if answered.steps.is_empty() {
            let counters: Vec<_> = record.effort.iter().map(counted).collect();
            if !counters.is_empty() {
                writeln!(out, "{}", counters.join(", "))?;
            }
        }
        // Many small graphs are one line.
        let same =
            |a: &Step, b: &Step| (&a.turn, a.outcome, a.thread) == (&b.turn, b.outcome, b.thread);
        for steps in answered.steps.chunk_by(same) {
            writeln!(out, "  {}", said(steps, self.instance))?;
        }
        if let Some(seconds) = record.wall_seconds {
            let cpu = record.cpu_seconds.unwrap_or(seconds);
            writeln!(out, "{cpu:.3} s CPU, {seconds:.3} s wall")?;
        }
        Ok(())
    }

    fn dimacs(&self, out: &mut dyn Write) -> io::Result<()> {
        let record = self.record();
        let answer = match (record.status, &self.answered.model) {
            (Status::Tour, Some(model)) => Answer::Satisfiable(model.clone()),
            (Status::NoTour, _) => Answer::Unsatisfiable,
            _ => Answer::Unknown,
        };
        if let (Answer::Satisfiable(_), Some(encoding)) = (&answer, record.method.encoding()) {
            writeln!(out, "{}", header::model_of(self.asked, encoding))?;
        }
        let variables = record.variables.and_then(|n| n.try_into().ok());
        hamcnf::answer::write(out, &answer, variables.unwrap_or(0))
    }

    /// Prints the record, or one for each of several tours.
    fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.answered.tours.as_slice() {
            [] => output::json(out, &self.object(None)),
            tours => tours
                .iter()
                .try_for_each(|tour| output::json(out, &self.object(Some(tour)))),
        }
    }

    fn object(&self, tour: Option<&Tour>) -> JsonRecord {
        let answered = self.answered;
        let mut object = JsonRecord::new(self.question, answered);
        if let Some(tour) = tour {
            object = object.with_tour(&self.at(tour), tour);
        }
        if self.how.edges {
            object = object.with_graph(self.instance);
        }
        if let Some(number) = self.how.number {
            let enough = answered.tours.len() == number.get() as usize;
            object = object.with("complete", answered.complete);
            object = object.with("enough", enough);
        }
        match self.how.proof {
            Some(target) => object.with("proof", proof::json(target, answered)),
            None => object,
        }
    }
}

/// Whether it is a part that does not begin on graphs where too much is wide.
fn is_for_narrow(method: &Method) -> bool {
    let strategy = method.kind::<Portfolio>().and_then(|how| how.strategy);
    strategy.is_some_and(|strategy| strategy.kind().is_for_narrow())
}

/// A counter in words.
fn counted((name, value): (&str, &str)) -> String {
    format!("{value} {}", name.replace('_', " "))
}

/// What a part did on one graph or on several, in a line.
fn said(steps: &[Step], instance: &Instance) -> String {
    let (first, rest) = steps.split_first().expect("there is a step");
    let cpu_seconds: f64 = steps.iter().map(|step| step.cpu_seconds).sum();
    let mut line = format!("{}: {}", first.turn, first.outcome);
    let most = steps.iter().map(|step| step.vertices).max().unwrap_or(0);
    match rest {
        [] if most < instance.graph().n_vertices() => {
            line.push_str(&format!(" on {most} vertices"));
        }
        [] => {}
        _ => line.push_str(&format!(
            " on {} graphs of up to {most} vertices",
            steps.len()
        )),
    }
    line.push_str(&format!(" after {cpu_seconds:.3} s CPU"));
    for counter in &first.effort {
        let same = rest.iter().flat_map(|step| &step.effort);
        let same = same.filter(|other| other.name == counter.name);
        let value = same.fold(counter.value, |before, other| other.with(Some(before)));
        line.push_str(", ");
        line.push_str(&counted((counter.name, &value.to_string())));
    }
    line
}

/// Says what would be done.
pub(super) fn explain(
    asked: &question::Tours,
    method: &Method,
    seed: u32,
) -> anyhow::Result<ExitCode> {
    const TURNS: usize = 9;
    let Some(how) = method.kind::<Portfolio>() else {
        anyhow::bail!("--explain is for --method auto, and {method} does one thing");
    };
    let instance = asked.instance();
    let options = portfolio::Options {
        strategy: how.strategy,
        threads: how.threads,
        seed,
    };
    let plan = portfolio::plan(instance, asked.ends(), &options, TURNS)?;
    output::print(|out| {
        let graph = instance.graph();
        let bipartite = match instance.facts().colours() {
            Some(_) => "bipartite",
            None => "not bipartite",
        };
        writeln!(
            out,
            "{}: {} vertices, {} edges, {bipartite}",
            said_of(instance, asked.start(), asked.end()),
            graph.n_vertices(),
            graph.n_edges()
        )?;
        if let Some(found) = asked.ends().obstruction(instance) {
            return writeln!(out, "there is no tour: {}", found.said(instance));
        }
        for (thread, turns) in (1..).zip(&plan) {
            if plan.len() > 1 {
                writeln!(out, "thread {thread}:")?;
            }
            for turn in turns {
                writeln!(out, "  {turn}")?;
            }
            if how.strategy.is_none() {
                writeln!(out, "  and so on, with slices that grow")?;
            }
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}
