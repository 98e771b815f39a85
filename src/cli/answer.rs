//! Prints the answer of a method to a question about tours, for `hamcnf solve`. The output has one of three forms: text
//! for people, a JSON object with the columns of an experiment's row and the tour, or the lines of a SAT solver.

use std::io::{self, Write};
use std::num::NonZero;
use std::time::Instant;

use hamcnf::answer;
use hamcnf::endpoints::Start;
use hamcnf::json::JsonRecord;
use hamcnf::method::{Class, Method};
use hamcnf::portfolio::Step;
use hamcnf::proof::Target;
use hamcnf::question::{self, Head, Question};
use hamcnf::record::{Record, Status};
use hamcnf::refute::BASIS;
use hamcnf::render::file::PlacementRecord;
use hamcnf::run::{Settings, Wanted};
use hamcnf::search::Proof;
use hamcnf::split::SplitError;
use hamcnf::{Formula, Instance, Placement, Queens, Tour, Vertex};
use serde_json::json;

use super::ask::{LATE, LateRecord, Unloaded, ask};
use super::drawing::{self, Drawing};
use super::exit::{DONE, NO_TOUR, TOUR, UNKNOWN, WITHOUT_PROOF};
use super::interrupt::is_interrupted;
use super::verbosity::is_quiet;
use super::{output, progress, proof};

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

/// Requested answer, without its question and its method.
pub(super) struct Request<'a> {
    pub(super) form: Form,
    /// Number of different tours, if several are requested.
    pub(super) several: Option<NonZero<u32>>,
    /// True if the answer says whether there is another tour.
    pub(super) unique: bool,
    /// True if objects in JSON contain the graph.
    pub(super) edges: bool,
    pub(super) require_proof: bool,
    pub(super) settings: Settings,
    pub(super) drawing: &'a Drawing,
}

/// Answers the question, prints the answer and draws the tours or the placement. The time limit counts from `began`.
pub(super) fn run(request: &Request<'_>, question: &Question, method: &Method, began: Instant) -> anyhow::Result<u8> {
    method.suits(question)?;
    let Request { form, several, drawing, .. } = *request;
    let tours = question.tours();
    let mut settings = request.settings.clone();
    if let Some(number) = several.filter(|_| method.profile().several) {
        settings.wanted = Wanted::Several(number);
    }
    if let Some(asked) = tours {
        drawing.announce(asked.instance(), several.map_or(1, |number| number.get().into()));
        if let Some(target) = &settings.proof {
            proof::warn_of(target, asked, method);
        }
    }
    let mut printed = 0;
    let subject = format!("solving {}", in_words(question));
    let answered = ask(question, method, settings, began, (&subject, ""), &mut |found| {
        // If several tours are requested, each is printed when it is found. If printing fails, it is tried again at
        // the end.
        if let (Some(_), Form::Words, Some(asked)) = (several, form, tours) {
            for tour in &found.tours[printed..] {
                if progress::aside(|| output::print(|out| write_tour(out, asked, tour))).is_err() {
                    break;
                }
                printed += 1;
            }
        }
    });
    // If several tours are requested, the tours that were found before an interrupt are only part of the answer.
    let is_part = several.is_some() && is_interrupted();
    let answer = Answer::new(request, question, &answered, printed)?;
    output::print(|out| match form {
        Form::Words => answer.words(out),
        Form::Json => answer.json(out),
        Form::Dimacs => answer.dimacs(out),
    })?;
    match question {
        Question::Queens(queens) => drawing.write_placements(queens, answered.placement.as_slice())?,
        Question::Tours(_) if answered.tours.is_empty() || is_part => {}
        Question::Tours(asked) => {
            let drawn = answered.tours.iter().map(|tour| (beginning(asked, tour), tour));
            drawing.write_sheet(&drawn.collect::<Vec<_>>())?;
        }
    }
    if let (Some(target), Some(asked)) = (&request.settings.proof, tours) {
        proof::say(target, asked, &answered);
    }
    let lacks_proof = request.require_proof && !proof::is_written(&answered);
    Ok(if answer.code() == NO_TOUR && lacks_proof { WITHOUT_PROOF } else { answer.code() })
}

/// Prints that the graph was not loaded within the time limit, or that it has no vertices.
pub(super) fn not_loaded(question: &Unloaded, form: Form, record: &LateRecord) -> anyhow::Result<u8> {
    let name = &question.name;
    let (words, answer, code) = match &question.empty {
        Some(why) => (format!("{name}: there is no tour: {why}"), answer::Answer::Unsatisfiable, NO_TOUR),
        None => {
            let words = format!("{name}: no answer within the time limit: {LATE}\ntry instead: more time");
            (words, answer::Answer::Unknown, UNKNOWN)
        }
    };
    output::print(|out| match form {
        Form::Words => writeln!(out, "{words}"),
        Form::Json => output::json(out, record),
        Form::Dimacs => answer::write(out, &answer, 0),
    })?;
    Ok(code)
}

/// Returns the question in words.
pub(super) fn described(asked: &question::Tours) -> String {
    let instance = asked.instance();
    let tours = match asked.start() {
        Start::Given => instance.to_string(),
        Start::Anywhere => {
            let constraints = instance.shown_constraints();
            format!("{} from anywhere{constraints}", instance.without_start())
        }
    };
    match asked.end() {
        Some(end) => format!("{tours}, end {}", instance.vertex_name(end)),
        None => tours,
    }
}

/// Returns the question in words, of tours or placements.
fn in_words(question: &Question) -> String {
    question.tours().map_or_else(|| question.to_string(), described)
}

/// Prints a tour. If tours may begin anywhere, says so, and where the tour begins.
fn write_tour(out: &mut dyn Write, asked: &question::Tours, tour: &Tour) -> io::Result<()> {
    let at = beginning(asked, tour);
    let mut what = described(asked);
    if asked.start() == Start::Anywhere {
        what += &format!(", here from {}", at.vertex_name(at.start()));
    }
    writeln!(out, "{}\n", drawing::checked(&what))?;
    writeln!(out, "{}", drawing::in_terminal(&at, tour))
}

/// Prints a placement of queens.
pub(super) fn write_placement(out: &mut dyn Write, queens: &Queens, placement: &Placement) -> io::Result<()> {
    writeln!(out, "{queens}: a placement, checked pair by pair\n")?;
    writeln!(out, "{}", drawing::queens_in_terminal(queens, placement))
}

/// Returns the instance with its start moved to the first vertex of the tour if tours may begin anywhere.
fn beginning(asked: &question::Tours, tour: &Tour) -> Instance {
    let first = tour.order().first().filter(|_| asked.start() == Start::Anywhere);
    let at = first.and_then(|&first| asked.instance().starting_at(first).ok());
    at.unwrap_or_else(|| asked.instance().clone())
}

/// Answer, with the data for printing it.
struct Answer<'a> {
    request: &'a Request<'a>,
    question: &'a Question,
    answered: &'a Record,
    /// Number of tours printed so far.
    printed: usize,
}

impl<'a> Answer<'a> {
    /// Returns the answer of a run, or the error that ended it.
    fn new(
        request: &'a Request<'a>,
        question: &'a Question,
        answered: &'a Record,
        printed: usize,
    ) -> anyhow::Result<Self> {
        let (status, message, method) = (answered.status, &answered.message, &answered.asked.method);
        match (status, method.class()) {
            // Messages about an encoding or a search already contain its name.
            (Status::Failed | Status::Refused, Class::Encoding | Class::Search) => anyhow::bail!("{message}"),
            (Status::Failed | Status::Refused, _) => anyhow::bail!("{method}: {message}"),
            _ => Ok(Self { request, question, answered, printed }),
        }
    }

    /// Returns the exit code.
    fn code(&self) -> u8 {
        match self.answered.status {
            Status::Tour => TOUR,
            Status::NoTour => NO_TOUR,
            _ => UNKNOWN,
        }
    }

    fn words(&self, out: &mut dyn Write) -> io::Result<()> {
        let (record, asked) = (self.answered, self.question.tours());
        for (asked, tour) in
            asked.iter().flat_map(|asked| record.tours.iter().map(move |tour| (asked, tour))).skip(self.printed)
        {
            write_tour(out, asked, tour)?;
        }
        if let (Question::Queens(queens), Some(placement)) = (self.question, &record.placement) {
            write_placement(out, queens, placement)?;
        } else if let Some(asked) = asked.filter(|_| self.request.unique && !record.tours.is_empty()) {
            self.uniqueness(asked.instance(), out)?;
        } else if let Some(number) = self.request.several
            && let found @ 1.. = record.tours.len()
        {
            let limit = match record.status {
                _ if record.complete => ", and there are no others".to_owned(),
                _ if found == number.get() as usize => String::new(),
                _ => format!(" before the {}", super::interrupt::limit()),
            };
            let tours = if found == 1 { "tour" } else { "different tours" };
            writeln!(out, "{found} {tours}{limit}")?;
        } else if record.tours.is_empty() {
            self.without_a_tour(out)?;
        }
        // With --quiet, or if an infeasibility check answered the question at once, only the answer is printed.
        if is_quiet() || self.is_seen_at_once() { Ok(()) } else { self.statistics(out) }
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
    fn uniqueness(&self, instance: &Instance, out: &mut dyn Write) -> io::Result<()> {
        const MOST: usize = 6;
        let [first, second] = match self.answered.tours.as_slice() {
            [first, second, ..] => [first, second],
            _ if self.is_unique() == Some(true) => return writeln!(out, "the tour is unique"),
            _ => return writeln!(out, "no other tour was found before the limit"),
        };
        let positions = |v: Vertex| [first, second].map(|tour| tour.sequence().position(v) + 1);
        let vertices = instance.graph().vertices();
        let differing: Vec<_> = vertices
            .filter(|&v| positions(v)[0] != positions(v)[1])
            .map(|v| {
                let [a, b] = positions(v);
                format!("{} is {a} or {b}", instance.vertex_name(v))
            })
            .collect();
        let more = if differing.len() > MOST { ", ..." } else { "" };
        let shown = differing[..differing.len().min(MOST)].join(", ");
        writeln!(out, "the tour is not unique: {} positions differ in these two tours: {shown}{more}", differing.len())
    }

    /// True if an infeasibility check gave the answer before any other step.
    fn is_seen_at_once(&self) -> bool {
        let by_obstruction = matches!(self.answered.proof, Some(Proof::Obstruction(_)));
        let has_formula = self.answered.variables.is_some();
        by_obstruction && self.answered.steps.len() <= 1 && !has_formula
    }

    /// Prints that there is no tour, or that no tour was found and what to try instead.
    fn without_a_tour(&self, out: &mut dyn Write) -> io::Result<()> {
        let noun = if self.question.tours().is_some() { "tour" } else { "placement" };
        let what = in_words(self.question);
        let record = self.answered;
        let method = &record.asked.method;
        if record.status == Status::NoTour {
            match (&self.answered.proof, method.engine()) {
                (Some(_), _) => writeln!(out, "{what}: there is no {noun}: {}", record.message)?,
                (None, Some(engine)) => {
                    writeln!(out, "{what}: {engine} reports that there is no {noun} (not checked)")?;
                }
                (None, None) => writeln!(out, "{what}: there is no {noun}")?,
            }
        } else {
            let why = match record.status {
                Status::Timeout => match self.answered.result.cause {
                    Some(limit) => format!("no answer within the {limit}"),
                    None => format!("no answer within the {}", super::interrupt::limit()),
                },
                Status::Stopped => "no answer before the interrupt".to_owned(),
                Status::Memout => "no answer within the free memory".to_owned(),
                _ => format!("{method} found no {noun}, which proves nothing: {}", record.message),
            };
            writeln!(out, "{what}: {why}")?;
            let advice = method.advice(self.question, record.status);
            if !advice.is_empty() && record.status != Status::Stopped {
                writeln!(out, "try instead: {advice}")?;
            }
        }
        if self.is_seen_at_once() { Ok(()) } else { writeln!(out) }
    }

    /// Prints statistics: the method's settings, the formula's size, metrics, the work of each strategy, and the
    /// seconds.
    fn statistics(&self, out: &mut dyn Write) -> io::Result<()> {
        let record = self.answered;
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
        if record.steps.is_empty() {
            let metrics: Vec<_> = record.statistics.iter().map(metric).collect();
            if !metrics.is_empty() {
                writeln!(out, "{}", metrics.join(", "))?;
            }
        }
        // Consecutive steps of one strategy with equal outcomes, for example on several small graphs, are printed in
        // one line.
        let same = |a: &Step, b: &Step| (&a.turn, a.outcome, a.thread) == (&b.turn, b.outcome, b.thread);
        for steps in record.steps.chunk_by(same) {
            writeln!(out, "  {}", step_line(steps, self.question.tours().map_or(0, |tours| tours.instance().n())))?;
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
        let (Some(_), Some(encoding), Some(tours)) = (
            self.request.settings.proof.as_ref().and_then(Target::steps),
            self.answered.asked.method.encoding(),
            self.question.tours(),
        ) else {
            return false;
        };
        Formula::new(encoding.clone(), tours.instance()).is_ok_and(|formula| !formula.is_exact())
    }

    fn dimacs(&self, out: &mut dyn Write) -> io::Result<()> {
        let record = self.answered;
        let answer = match (record.status, &self.answered.model) {
            (Status::Tour, Some(model)) => answer::Answer::Satisfiable(model.clone()),
            (Status::NoTour, _) => answer::Answer::Unsatisfiable,
            _ => answer::Answer::Unknown,
        };
        if let (answer::Answer::Satisfiable(_), Some(encoding), Some(tours)) =
            (&answer, record.asked.method.encoding(), self.question.tours())
        {
            Head::comments(tours, encoding).iter().try_for_each(|comment| writeln!(out, "c {comment}"))?;
        }
        let variables = record.variables.and_then(|n| n.try_into().ok());
        answer::write(out, &answer, variables.unwrap_or(0))
    }

    /// Prints the record, or one record for each of several tours.
    fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.question.tours() {
            Some(asked) if !self.answered.tours.is_empty() => self
                .answered
                .tours
                .iter()
                .try_for_each(|tour| output::json(out, &self.object().with_tour(&beginning(asked, tour), tour))),
            _ => output::json(out, &self.object()),
        }
    }

    /// Returns the record as an object without a tour.
    fn object(&self) -> JsonRecord {
        let answered = self.answered;
        let mut object = JsonRecord::new(self.question, answered);
        match self.question {
            Question::Tours(tours) if self.request.edges => object = object.with_graph(tours.instance()),
            Question::Tours(_) => {}
            Question::Queens(queens) => {
                let placement = answered.placement.as_ref().map(|placement| PlacementRecord::new(queens, placement));
                object = object.with("placement", json!(placement));
            }
        }
        if self.request.unique {
            object = object.with("unique", self.is_unique());
        } else if let Some(number) = self.request.several {
            let enough = answered.tours.len() == number.get() as usize;
            object = object.with("complete", answered.complete);
            object = object.with("enough", enough);
        }
        match &self.request.settings.proof {
            Some(target) => object.with("proof", proof::json(target, answered)),
            None => object,
        }
    }
}

/// Returns a metric as text. The names of numbers of things are plurals that end with an s.
fn metric((name, value): (&str, &str)) -> String {
    let name = name.replace(['_', '.'], " ");
    format!("{value} {}", if value == "1" { name.trim_end_matches('s') } else { &name })
}

/// Returns a line about all steps of one strategy. A strategy may have one step on the whole graph, or several steps on
/// smaller graphs than the question's, which has `n` vertices.
fn step_line(steps: &[Step], n: u32) -> String {
    let (first, rest) = steps.split_first().expect("there is a step");
    let cpu_seconds: f64 = steps.iter().map(|step| step.cpu_seconds).sum();
    let mut line = format!("{}: {}", first.turn, first.outcome);
    let most = steps.iter().map(|step| step.vertices).max().unwrap_or(0);
    match rest {
        [] if most < n => line.push_str(&format!(" on {most} vertices")),
        [] => {}
        _ => line.push_str(&format!(" on {} graphs of up to {most} vertices", steps.len())),
    }
    line.push_str(&format!(" after {cpu_seconds:.3} s CPU"));
    for counter in &first.statistics {
        let same = rest.iter().flat_map(|step| &step.statistics).filter(|other| other.name == counter.name);
        let value = same.fold(counter.value, |before, other| other.with(Some(before)));
        line.push_str(", ");
        line.push_str(&metric((counter.name, &value.to_string())));
    }
    line
}

/// Prints the steps of a method's plan in order.
pub(super) fn explain(asked: &question::Tours, method: &Method, seed: u64) -> anyhow::Result<u8> {
    const TURNS: usize = 9;
    if let Some(found) = asked.obstruction() {
        output::print(|out| writeln!(out, "{}: there is no tour: {found}", described(asked)))?;
        return Ok(DONE);
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
        return Ok(DONE);
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
    let plan = method.plan(asked, seed, TURNS).map_err(|failure| anyhow::anyhow!("{failure}"))?;
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
        writeln!(out, "{}: {} vertices, {} edges, {bipartite}", described(asked), graph.n_vertices(), graph.n_edges())?;
        if asked.has_parts() {
            writeln!(out, "this is the undirected graph of v-in, v and v-out for each vertex v")?;
        } else if asked.is_split() {
            writeln!(out, "this is the graph with {}", asked.added_vertices())?;
        }
        if let Some(found) = asked.obstruction() {
            return writeln!(out, "there is no tour: {found}");
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
    Ok(DONE)
}
