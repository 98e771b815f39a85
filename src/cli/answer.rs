//! Prints the answer of a method to a question about tours, for `hamcnf solve`. The output has one of three forms: text
//! for people, a JSON object with the columns of an experiment's row and the tour, or the lines of a SAT solver.

use std::io::{self, Write};
use std::num::NonZero;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hamcnf::answer::Answer;
use hamcnf::endpoints::Start;
use hamcnf::json::JsonRecord;
use hamcnf::limits::Limits;
use hamcnf::method::{Class, Method};
use hamcnf::portfolio::Step;
use hamcnf::proof::Target;
use hamcnf::question::{self, Head, Question};
use hamcnf::record::{Record, Status};
use hamcnf::refute::BASIS;
use hamcnf::run::{Settings, Wanted};
use hamcnf::search::Proof;
use hamcnf::split::SplitError;
use hamcnf::{Encoding, Formula, Instance, Tour, Vertex};

use super::ask::{LATE, Late, Loaded, Shown, ask};
use super::drawing::{self, Drawing};
use super::exit::{NO_TOUR, TOUR, UNKNOWN, WITHOUT_PROOF};
use super::interrupt::{Hold, is_interrupted};
use super::progress::{self, Progress};
use super::verbosity::is_quiet;
use super::{output, proof};

/// Output format of the answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Text for people.
    Words,
    /// JSON object for programs; one object per line if the user requests several tours.
    Json,
    /// Lines that begin with `s` and `v`, as SAT solvers print them.
    Dimacs,
}

/// Options for answering the question and printing the answer.
pub(super) struct How<'a> {
    /// Seed of the random number generators.
    pub(super) seed: u64,
    /// Limit of wall time in seconds.
    pub(super) time_limit: Option<f64>,
    pub(super) cpu_limit: Option<Duration>,
    /// Number of tours to find, if the user requests several; `None` for one tour.
    pub(super) number: Option<NonZero<u32>>,
    /// True if the answer says whether there is another tour. Then, `number` is 2.
    pub(super) is_unique: bool,
    pub(super) form: Form,
    /// Picture files to draw the tours into.
    pub(super) drawing: &'a Drawing,
    /// File and form of the proof that there is no tour; `None` if no proof is requested.
    pub(super) proof: Option<&'a Target>,
    /// True if the command fails when there is no tour and the proof cannot be written.
    pub(super) requires_proof: bool,
    /// True if the printed object includes the graph.
    pub(super) edges: bool,
}

/// Answers the question, prints the answer and draws the tours. The time limit counts from `began`.
pub(super) fn run(how: &How<'_>, asked: question::Tours, method: &Method, began: Instant) -> anyhow::Result<ExitCode> {
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
        limits: Limits { wall: how.time_limit.map(Duration::from_secs_f64), cpu: how.cpu_limit, ..Limits::default() },
        wanted: match how.number.filter(|_| method.profile().several) {
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
    let progress = Progress::new(format_args!("solving {of}"));
    let mut shown = Shown::new(&progress, format!("solving {of}"));
    let (mut printed, end) = (0, asked.end());
    let answered = ask(
        &question,
        method,
        settings,
        began,
        &mut |known| {
            // If several tours are requested, each is printed when it is found. If printing fails, it is tried again at
            // the end.
            if how.number.is_some() && matches!(how.form, Form::Words) {
                for tour in &known.tours()[printed..] {
                    let said = || output::print(|out| found(out, &instance, start, end, tour));
                    let said = progress::aside(said);
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
    // If several tours are requested, the tours that were found before an interrupt are only part of the answer.
    let is_part = how.number.is_some() && is_interrupted();
    drop(hold);
    if let Status::Failed | Status::Refused = answered.status {
        let why = &answered.message;
        // Messages about an encoding or a search already contain its name.
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
    let drawn: Vec<_> = answered.tours.iter().map(|tour| (said.at(tour), tour)).collect();
    let drawn: Vec<_> = drawn.iter().map(|(at, tour)| (at, *tour)).collect();
    if !drawn.is_empty() && !is_part {
        how.drawing.write_sheet(&drawn)?;
    }
    if let Some(target) = how.proof {
        proof::say(target, &asked, &answered);
    }
    let lacks_proof = how.requires_proof && !proof::is_written(&answered);
    Ok(ExitCode::from(match answered.status {
        Status::NoTour if lacks_proof => WITHOUT_PROOF,
        Status::Tour => TOUR,
        Status::NoTour => NO_TOUR,
        _ => UNKNOWN,
    }))
}

/// Prints that the graph was not loaded within the time limit, or that it has no vertices.
pub(super) fn not_loaded(loaded: &Loaded, form: Form, record: &Late) -> anyhow::Result<ExitCode> {
    if let Some(why) = &loaded.empty {
        output::print(|out| match form {
            Form::Words => writeln!(out, "{}: there is no tour: {why}", loaded.name),
            Form::Json => output::json(out, record),
            Form::Dimacs => hamcnf::answer::write(out, &Answer::Unsatisfiable, 0),
        })?;
        return Ok(ExitCode::from(NO_TOUR));
    }
    output::print(|out| match form {
        Form::Words => {
            writeln!(out, "{}: no answer within the time limit: {LATE}\ntry instead: more time", loaded.name)
        }
        Form::Json => output::json(out, record),
        Form::Dimacs => hamcnf::answer::write(out, &Answer::Unknown, 0),
    })?;
    Ok(ExitCode::from(UNKNOWN))
}

/// Returns the question in words.
pub(super) fn said_of(instance: &Instance, start: Start, end: Option<Vertex>) -> String {
    let said = match start {
        Start::Given => instance.to_string(),
        Start::Anywhere => {
            let constraints = instance.shown_constraints();
            format!("{} from anywhere{constraints}", instance.without_start())
        }
    };
    match end {
        Some(end) => format!("{said}, end {}", instance.vertex_name(end)),
        None => said,
    }
}

/// Answer, with the data for printing it.
struct Said<'a> {
    how: &'a How<'a>,
    /// Question in words.
    what: &'a str,
    asked: &'a question::Tours,
    question: &'a Question,
    instance: &'a Instance,
    answered: &'a Record,
    start: Start,
    /// Number of tours printed so far.
    printed: usize,
}

/// Prints a tour of the instance. If tours may begin anywhere, says so, and where the tour begins.
fn found(out: &mut dyn Write, instance: &Instance, start: Start, end: Option<Vertex>, tour: &Tour) -> io::Result<()> {
    let at = beginning(instance, start, tour);
    let mut what = said_of(instance, start, end);
    if start == Start::Anywhere {
        what += &format!(", here from {}", at.vertex_name(at.start()));
    }
    writeln!(out, "{}\n", drawing::checked(&what))?;
    writeln!(out, "{}", drawing::in_terminal(&at, tour))
}

/// Returns the instance with its start moved to the first vertex of the tour if tours may begin anywhere.
fn beginning(instance: &Instance, start: Start, tour: &Tour) -> Instance {
    let first = tour.order().first().filter(|_| start == Start::Anywhere);
    let at = first.and_then(|&first| instance.starting_at(first).ok());
    at.unwrap_or_else(|| instance.clone())
}

impl Said<'_> {
    fn record(&self) -> &Record {
        &self.answered
    }

    /// Returns the instance with its start at the first vertex of the tour.
    fn at(&self, tour: &Tour) -> Instance {
        beginning(self.instance, self.start, tour)
    }

    fn words(&self, out: &mut dyn Write) -> io::Result<()> {
        let (answered, record) = (self.answered, self.record());
        for tour in answered.tours.iter().skip(self.printed) {
            found(out, self.instance, self.start, self.asked.end(), tour)?;
        }
        if self.how.is_unique && !answered.tours.is_empty() {
            self.uniqueness(out)?;
        } else if let Some(number) = self.how.number
            && let found @ 1.. = answered.tours.len()
        {
            let limit = match record.status {
                _ if answered.complete => ", and there are no others".to_owned(),
                _ if found == number.get() as usize => String::new(),
                _ => format!(" before the {}", super::interrupt::limit()),
            };
            let tours = if found == 1 { "tour" } else { "different tours" };
            writeln!(out, "{found} {tours}{limit}")?;
        } else if answered.tours.is_empty() {
            self.without_a_tour(out)?;
        }
        // With --quiet, or if an infeasibility check answered the question at once, only the answer is printed.
        match is_quiet() || self.is_seen_at_once() {
            true => Ok(()),
            false => self.statistics(out),
        }
    }

    /// True if there is exactly one tour, false if there are others; `None` if a limit was reached before this was
    /// known.
    fn is_unique(&self) -> Option<bool> {
        match (self.answered.tours.len(), self.answered.complete) {
            (1, true) => Some(true),
            (2.., _) => Some(false),
            _ => None,
        }
    }

    /// Prints whether the tour is unique or, if it is not, the positions in which two tours differ.
    fn uniqueness(&self, out: &mut dyn Write) -> io::Result<()> {
        const MOST: usize = 6;
        let [first, second] = match self.answered.tours.as_slice() {
            [first, second, ..] => [first, second],
            _ if self.is_unique() == Some(true) => return writeln!(out, "the tour is unique"),
            _ => return writeln!(out, "no other tour was found before the limit"),
        };
        let positions = |v: Vertex| [first, second].map(|tour| tour.sequence().position(v) + 1);
        let vertices = self.instance.graph().vertices();
        let differing: Vec<_> = vertices
            .filter(|&v| positions(v)[0] != positions(v)[1])
            .map(|v| {
                let [a, b] = positions(v);
                format!("{} is {a} or {b}", self.instance.vertex_name(v))
            })
            .collect();
        let more = match differing.len() > MOST {
            true => ", ...",
            false => "",
        };
        let shown = differing[..differing.len().min(MOST)].join(", ");
        writeln!(out, "the tour is not unique: {} positions differ in these two tours: {shown}{more}", differing.len())
    }

    /// True if an infeasibility check gave the answer before any other step.
    fn is_seen_at_once(&self) -> bool {
        let by_obstruction = matches!(self.answered.proof, Some(Proof::Obstruction(_)));
        let has_formula = self.record().variables.is_some();
        by_obstruction && self.answered.steps.len() <= 1 && !has_formula
    }

    /// Prints that there is no tour, or that no tour was found and what to try instead.
    fn without_a_tour(&self, out: &mut dyn Write) -> io::Result<()> {
        let (what, record) = (self.what, self.record());
        let method = &record.asked.method;
        if record.status == Status::NoTour {
            match (&self.answered.proof, method.engine()) {
                (Some(_), _) => writeln!(out, "{what}: there is no tour: {}", record.message)?,
                (None, Some(engine)) => writeln!(out, "{what}: {engine} reports that there is no tour (not checked)")?,
                (None, None) => writeln!(out, "{what}: there is no tour")?,
            }
        } else {
            let why = match record.status {
                Status::Timeout => match self.answered.result.cause {
                    Some(limit) => format!("no answer within the {limit}"),
                    None => format!("no answer within the {}", super::interrupt::limit()),
                },
                Status::Stopped => "no answer before the interrupt".to_owned(),
                Status::Memout => "no answer within the free memory".to_owned(),
                _ => format!("{method} found no tour, which proves nothing: {}", record.message),
            };
            writeln!(out, "{what}: {why}")?;
            let advice = method.advice(self.question, record.status);
            if !advice.is_empty() && record.status != Status::Stopped {
                writeln!(out, "try instead: {advice}")?;
            }
        }
        match self.is_seen_at_once() {
            true => Ok(()),
            false => writeln!(out),
        }
    }

    /// Prints statistics: the method's settings, the formula's size, metrics, the work of each strategy, and the
    /// seconds.
    fn statistics(&self, out: &mut dyn Write) -> io::Result<()> {
        let (answered, record) = (self.answered, self.record());
        let chosen = record.asked.method.chosen(self.question, record.asked.seed);
        let chosen = chosen.iter().map(|(name, value)| format!(", {name} {value}"));
        writeln!(out, "{}{}", record.asked.method, chosen.collect::<String>())?;
        if self.needs_cuts() {
            writeln!(
                out,
                "the encoding is relaxed: the proof also derives subtour-elimination constraints, from the encoding {BASIS}"
            )?;
        }
        match (record.variables, record.clauses) {
            (Some(variables), Some(clauses)) => {
                writeln!(out, "{variables} variables, {clauses} clauses")?;
            }
            (Some(variables), None) if record.status.is_limit() => {
                writeln!(out, "{variables} variables, not all clauses generated")?;
            }
            _ => {}
        }
        if answered.steps.is_empty() {
            let metrics: Vec<_> = record.statistics.iter().map(metric).collect();
            if !metrics.is_empty() {
                writeln!(out, "{}", metrics.join(", "))?;
            }
        }
        // Consecutive steps of one strategy with equal outcomes, for example on several small graphs, are printed in
        // one line.
        let same = |a: &Step, b: &Step| (&a.turn, a.outcome, a.thread) == (&b.turn, b.outcome, b.thread);
        for steps in answered.steps.chunk_by(same) {
            writeln!(out, "  {}", said(steps, self.instance))?;
        }
        let wall = record.wall_seconds.unwrap_or(0.0);
        match (record.encode_seconds, record.solve_seconds, record.cpu_seconds) {
            (Some(encode), Some(solve), _) => {
                writeln!(out, "{encode:.3} s CPU to encode, {solve:.3} s to solve, {wall:.3} s wall")
            }
            (_, _, Some(cpu)) => writeln!(out, "{cpu:.3} s CPU, {wall:.3} s wall"),
            _ => writeln!(out, "{wall:.3} s wall"),
        }
    }

    /// True if a proof is requested and the encoding is not exact, so that its clauses alone do not suffice for a
    /// proof.
    fn needs_cuts(&self) -> bool {
        let is_relaxed = |encoding: &Encoding| {
            Formula::new(encoding.clone(), self.instance).is_ok_and(|formula| !formula.is_exact())
        };
        let steps = self.how.proof.and_then(Target::steps);
        steps.is_some() && self.record().asked.method.encoding().is_some_and(is_relaxed)
    }

    fn dimacs(&self, out: &mut dyn Write) -> io::Result<()> {
        let record = self.record();
        let answer = match (record.status, &self.answered.model) {
            (Status::Tour, Some(model)) => Answer::Satisfiable(model.clone()),
            (Status::NoTour, _) => Answer::Unsatisfiable,
            _ => Answer::Unknown,
        };
        if let (Answer::Satisfiable(_), Some(encoding)) = (&answer, record.asked.method.encoding()) {
            Head::comments(self.asked, encoding).iter().try_for_each(|comment| writeln!(out, "c {comment}"))?;
        }
        let variables = record.variables.and_then(|n| n.try_into().ok());
        hamcnf::answer::write(out, &answer, variables.unwrap_or(0))
    }

    /// Prints the record, or one record for each of several tours.
    fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.answered.tours.as_slice() {
            [] => output::json(out, &self.object(None)),
            tours => tours.iter().try_for_each(|tour| output::json(out, &self.object(Some(tour)))),
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
        if self.how.is_unique {
            object = object.with("unique", self.is_unique());
        } else if let Some(number) = self.how.number {
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

/// Returns a metric as text.
fn metric((name, value): (&str, &str)) -> String {
    format!("{value} {}", name.replace(['_', '.'], " "))
}

/// Returns a line about all steps of one strategy. A strategy may have one step on the whole graph, or several steps on
/// smaller graphs.
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
        _ => line.push_str(&format!(" on {} graphs of up to {most} vertices", steps.len())),
    }
    line.push_str(&format!(" after {cpu_seconds:.3} s CPU"));
    for counter in &first.statistics {
        let same = rest.iter().flat_map(|step| &step.statistics);
        let same = same.filter(|other| other.name == counter.name);
        let value = same.fold(counter.value, |before, other| other.with(Some(before)));
        line.push_str(", ");
        line.push_str(&metric((counter.name, &value.to_string())));
    }
    line
}

/// Prints the steps of a method's plan in order.
pub(super) fn explain(asked: &question::Tours, method: &Method, seed: u64) -> anyhow::Result<ExitCode> {
    const TURNS: usize = 9;
    if let Some(found) = asked.obstruction() {
        let (what, why) = (said_of(asked.instance(), asked.start(), asked.end()), found.said(asked.instance()));
        output::print(|out| writeln!(out, "{what}: there is no tour: {why}"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let settings = Settings { seed, ..Settings::default() };
    let by_clauses = method.replaced(asked, &settings).map_err(SplitError::Constraint)?;
    if by_clauses != *method {
        output::print(|out| {
            writeln!(
                out,
                "{asked}: {method} solves the formula of an encoding, since some constraints need clauses: {by_clauses}"
            )
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    // The plan is for the graph on which the method runs.
    let undirected;
    let asked = match method.needs_undirected(asked) {
        true => {
            undirected = asked.undirected()?;
            &undirected
        }
        false => asked,
    };
    let plan = method.plan(asked, seed, TURNS);
    let plan = plan.map_err(|failure| anyhow::anyhow!("{failure}"))?;
    let Some(plan) = plan else {
        anyhow::bail!("--explain needs --method auto, because method \"{method}\" has no plan");
    };
    let instance = asked.instance();
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
        if asked.is_split() {
            writeln!(out, "this is the undirected graph of v-in, v and v-out for each vertex v of the digraph")?;
        }
        if let Some(found) = asked.obstruction() {
            return writeln!(out, "there is no tour: {}", found.said(instance));
        }
        for (thread, turns) in (1..).zip(&plan) {
            if plan.len() > 1 {
                writeln!(out, "thread {thread}:")?;
            }
            for turn in turns {
                writeln!(out, "  {turn}")?;
            }
            if turns.len() == TURNS {
                writeln!(out, "  and so on, with growing time slices")?;
            }
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}
