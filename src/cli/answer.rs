//! A question about tours answered by a method, as `hamcnf solve` prints it: the record that an experiment's row is, with
//! the tour.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use hamcnf::count::Start;
use hamcnf::limits::Limits;
use hamcnf::machine::peak_kib;
use hamcnf::method::Method;
use hamcnf::portfolio::{self, Step};
use hamcnf::question::{self, Question, StartWord};
use hamcnf::record::{Record, Status};
use hamcnf::render::file::Visits;
use hamcnf::search::Proof;
use hamcnf::work::{Answered, Listener, Settings};
use hamcnf::{Instance, Named, TourKind, Vertex, obstruction};
use serde::Serialize;

use super::deadline::{self, Waited};
use super::drawing::{self, Drawing};
use super::exit::{NO_TOUR, TOUR, UNKNOWN};
use super::interrupt::Hold;
use super::output;
use super::progress::Progress;

/// What is said of how to answer, and where the answer goes.
pub(super) struct How<'a> {
    /// Selects the random numbers.
    pub(super) seed: u32,
    /// Seconds of wall time.
    pub(super) time_limit: Option<f64>,
    /// Whether an object for programs is printed.
    pub(super) json: bool,
    /// Where tours are drawn.
    pub(super) drawing: &'a Drawing,
}

/// Answers, prints and draws.
pub(super) fn run(
    how: &How<'_>,
    asked: question::Tours,
    method: &Method,
    began: Instant,
) -> anyhow::Result<ExitCode> {
    let (start, end) = (asked.start(), asked.end());
    let question = Question::from(asked);
    let instance = question.instance().expect("it is about tours").clone();
    method.suits(&question)?;
    how.drawing.announce(&instance, 1);
    let seed = how.seed;
    let limits = Limits {
        wall: how.time_limit.map(Duration::from_secs_f64),
        ..Limits::default()
    };
    let of = said_of(&instance, start, end);
    let answered = answer(&question, &of, method, seed, limits, began);
    if let Status::Failed | Status::Refused = answered.record.status {
        anyhow::bail!("{method}: {}", answered.record.message);
    }
    let at = standing(&instance, start, &answered);
    output::print(|out| match (how.json, &at) {
        (true, _) => output::json(out, &Json::new(&instance, at.as_ref(), &answered)),
        (false, Some(at)) => print(out, &at.to_string(), at, &answered),
        (false, None) => print(out, &of, &instance, &answered),
    })?;
    if let (Some(tour), Some(at)) = (&answered.tour, &at) {
        how.drawing.write(at, tour)?;
    }
    Ok(ExitCode::from(match answered.record.status {
        Status::Tour => TOUR,
        Status::NoTour => NO_TOUR,
        _ => UNKNOWN,
    }))
}

/// What is asked, in words.
fn said_of(instance: &Instance, start: Start, end: Option<Vertex>) -> String {
    let said = match start {
        Start::Given => instance.to_string(),
        Start::Anywhere => {
            let text = instance.to_string();
            let before = text.rsplit_once(", start ").map(|(before, _)| before);
            format!("{} from anywhere", before.unwrap_or(&text))
        }
    };
    match end {
        Some(end) => format!("{said}, end {}", instance.vertex_name(end)),
        None => said,
    }
}

/// The instance, which begins where the tour does; `None` if it may begin anywhere.
fn standing(instance: &Instance, start: Start, answered: &Answered) -> Option<Instance> {
    let first = answered.tour.as_ref().and_then(|tour| tour.order().first());
    match (start, first) {
        (Start::Given, _) => Some(instance.clone()),
        (Start::Anywhere, Some(&first)) => instance.starting_at(first).ok(),
        (Start::Anywhere, None) => None,
    }
}

/// `what` is the question in words. The time limit counts from `began`.
fn answer(
    question: &Question,
    what: &str,
    method: &Method,
    seed: u32,
    limits: Limits,
    began: Instant,
) -> Answered {
    let hold = Hold::new();
    let deadline = limits.deadline(began);
    let blank = Record::new(
        &question.to_string(),
        question.checksum(),
        method,
        seed.into(),
        &limits,
    );
    let progress = Progress::new(format_args!("solving {what}"));
    let mut tick = |doing: &String| {
        if !doing.is_empty() {
            progress.show(format_args!("solving {what}: {doing}"));
        }
    };
    let stop = hold.stop().clone();
    let (of, by) = (question.clone(), method.clone());
    let waited = deadline::wait::<String, Answered>(deadline, Some(hold.stop()), &mut tick, {
        move |worker| {
            let heard = worker.clone();
            let listener = Listener::new(move |what| heard.know(|known| what.clone_into(known)));
            let settings = Settings {
                seed: seed.into(),
                limits: Limits {
                    wall: deadline::left(deadline),
                    ..limits
                },
                stop,
                listener,
                ..Settings::default()
            };
            worker.answer(by.answer(&of, &settings, &|_| ()));
        }
    });
    drop(progress);
    match waited {
        Waited::Answer(mut answered) => {
            answered.record.wall_limit = blank.wall_limit;
            answered
        }
        // It did not look at the limit; what it was doing is all that is known.
        Waited::Late(doing) => {
            let (status, limit) = match hold.stop().is_set() {
                true => (Status::Stopped, "interrupt"),
                false => (Status::Timeout, "time limit"),
            };
            let message = match doing.as_str() {
                "" => limit.to_owned(),
                doing => format!("{limit} during {doing}"),
            };
            let mut record = blank.ended(status, message);
            record.cpu_seconds = Some(ProcessTime::now().as_duration().as_secs_f64());
            record.wall_seconds = Some(began.elapsed().as_secs_f64());
            record.peak_kib = Some(peak_kib());
            record.into()
        }
    }
}

/// `what` is the question in words, and the instance begins where the tour does.
fn print(
    out: &mut dyn Write,
    what: &str,
    instance: &Instance,
    answered: &Answered,
) -> io::Result<()> {
    let record = &answered.record;
    match (&answered.tour, record.status) {
        (Some(tour), _) => {
            writeln!(out, "{}\n", drawing::checked(instance))?;
            writeln!(out, "{}", drawing::in_terminal(instance, tour))?;
        }
        (None, Status::NoTour) if answered.proof.is_some() => {
            return writeln!(out, "{what}: there is no tour: {}", record.message);
        }
        (None, Status::NoTour) => writeln!(out, "{what}: there is no tour\n")?,
        (None, status) => {
            let why = match status {
                Status::Timeout => "by the time limit".to_owned(),
                Status::Stopped => "by the interrupt".to_owned(),
                Status::Memout => "within the memory that is free".to_owned(),
                _ => format!("by {}, which proves nothing", record.method),
            };
            writeln!(out, "{what}: not known {why}")?;
            match better(instance, record) {
                Some(better) => writeln!(out, "what may do better: {better}\n")?,
                None => writeln!(out)?,
            }
        }
    }
    writeln!(out, "{}", record.method)?;
    if let (Some(variables), Some(clauses)) = (record.variables, record.clauses) {
        writeln!(out, "{variables} variables, {clauses} clauses")?;
    }
    if answered.steps.is_empty() {
        let counters = record.effort.iter().map(counted);
        let counters: Vec<_> = counters.collect();
        if !counters.is_empty() {
            writeln!(out, "{}", counters.join(", "))?;
        }
    }
    for step in &answered.steps {
        writeln!(out, "  {}", said(step))?;
    }
    if let Some(seconds) = record.wall_seconds {
        let cpu = record.cpu_seconds.unwrap_or(seconds);
        writeln!(out, "{cpu:.3} s CPU, {seconds:.3} s wall")?;
    }
    Ok(())
}

/// What may find a tour, or prove that there is none, where this did not; nothing where it was interrupted.
fn better(instance: &Instance, record: &Record) -> Option<String> {
    let mut ways = Vec::new();
    if record.status == Status::Stopped {
        return None;
    }
    let is_auto = matches!(record.method, Method::Portfolio(how) if how.part.is_none());
    if !is_auto {
        ways.push("--method auto, which tries several".to_owned());
    }
    if record.status == Status::Timeout {
        ways.push("more time".to_owned());
        ways.push("another --seed".to_owned());
    }
    if is_auto {
        let open = match instance.kind() {
            TourKind::Open => " --open",
            TourKind::Closed => "",
        };
        ways.push(format!(
            "a search without clauses: hamcnf tour {}{open}",
            instance.name()
        ));
    }
    Some(ways.join("; "))
}

/// A counter in words.
fn counted((name, value): (&str, &str)) -> String {
    format!("{value} {}", name.replace('_', " "))
}

/// What a part did, in a line.
fn said(step: &Step) -> String {
    let mut line = format!(
        "{}: {} after {:.3} s CPU",
        step.turn, step.outcome, step.cpu_seconds
    );
    for (counter, value) in &step.effort {
        line.push_str(", ");
        line.push_str(&counted((counter, &value.to_string())));
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
    let Method::Portfolio(how) = method else {
        anyhow::bail!("--explain is for --method auto, and {method} does one thing");
    };
    let instance = asked.instance();
    let options = portfolio::Options {
        part: how.part,
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
        // What holds for one start says nothing of the others, and nothing is known of ends.
        let given = asked.start() == Start::Given && asked.end().is_none();
        if let Some(found) = obstruction(instance).filter(|_| given) {
            return writeln!(out, "there is no tour: {}", found.said(instance));
        }
        for (thread, turns) in (1..).zip(&plan) {
            if plan.len() > 1 {
                writeln!(out, "thread {thread}:")?;
            }
            for turn in turns {
                writeln!(out, "  {turn}")?;
            }
            if how.part.is_none() {
                writeln!(out, "  and so on, with slices that grow")?;
            }
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}

/// What `--json` prints: the columns of a row, the steps, and the tour.
#[derive(Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    record: &'a Record,
    instance: &'a str,
    tours: &'static str,
    start: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    obstruction: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    steps: Vec<JsonStep<'a>>,
    #[serde(flatten)]
    tour: Option<Visits>,
}

#[derive(Serialize)]
struct JsonStep<'a> {
    part: &'static str,
    seed: u32,
    thread: u32,
    outcome: &'a str,
    cpu_seconds: f64,
    until: f64,
    #[serde(flatten)]
    effort: serde_json::Map<String, serde_json::Value>,
}

impl<'a> Json<'a> {
    /// Of an instance that may begin where the tour does, at its start, or anywhere.
    fn new(instance: &'a Instance, at: Option<&Instance>, answered: &'a Answered) -> Self {
        let record = &answered.record;
        let steps = answered.steps.iter().map(|step| JsonStep {
            part: step.turn.part.as_str(),
            seed: step.turn.seed,
            thread: step.thread,
            outcome: step.outcome,
            cpu_seconds: step.cpu_seconds,
            until: step.until,
            effort: step
                .effort
                .iter()
                .map(|&(counter, value)| (counter.to_owned(), value.into()))
                .collect(),
        });
        let obstruction = match &answered.proof {
            Some(Proof::Obstruction(found)) => Some(found.kind().as_str()),
            Some(Proof::Exhausted) | None => None,
        };
        Self {
            record,
            instance: instance.name(),
            tours: instance.kind().as_str(),
            start: at.map_or_else(
                || StartWord::Anywhere.to_string(),
                |at| at.vertex_name(at.start()),
            ),
            obstruction,
            reason: answered.proof.as_ref().map(|_| record.message.as_str()),
            steps: steps.collect(),
            tour: answered
                .tour
                .as_ref()
                .map(|tour| Visits::new(at.unwrap_or(instance), tour)),
        }
    }
}
