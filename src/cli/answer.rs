//! A question about tours answered by a method, as `hamcnf solve` prints it: the record that an experiment's row is, with
//! the tour.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use hamcnf::limits::Limits;
use hamcnf::method::Method;
use hamcnf::portfolio::{self, Step};
use hamcnf::question::{self, Question};
use hamcnf::record::{Record, Status};
use hamcnf::render::file::Visits;
use hamcnf::work::{Answered, Listener, Settings};
use hamcnf::{Instance, Named, obstruction};
use serde::Serialize;

use super::deadline::{self, Waited};
use super::drawing;
use super::interrupt::Hold;
use super::output;
use super::progress::Progress;
use super::solve::{Args, NO_TOUR, TOUR, UNKNOWN};

/// Answers, prints and draws.
pub(super) fn run(
    args: &Args,
    asked: question::Tours,
    method: &Method,
) -> anyhow::Result<ExitCode> {
    let question = Question::from(asked);
    let instance = question.instance().expect("it is about tours").clone();
    method.suits(&question)?;
    args.drawing.announce(&instance, 1);
    let seed = args.solving.seed;
    let limits = Limits {
        wall: args.solving.time_limit.map(Duration::from_secs_f64),
        ..Limits::default()
    };
    let answered = answer(&question, &instance, method, seed, limits);
    let at = standing(&instance, &answered);
    output::print(|out| {
        if args.solving.json {
            output::json(out, &Json::new(&at, &answered))
        } else {
            print(out, &at, &answered)
        }
    })?;
    if let Some(tour) = &answered.tour {
        args.drawing.write(&at, tour)?;
    }
    match answered.record.status {
        Status::Tour => Ok(ExitCode::from(TOUR)),
        Status::NoTour => Ok(ExitCode::from(NO_TOUR)),
        Status::Failed | Status::Refused => anyhow::bail!("{method}: {}", answered.record.message),
        _ => Ok(ExitCode::from(UNKNOWN)),
    }
}

/// The instance, which begins where the tour does.
fn standing(instance: &Instance, answered: &Answered) -> Instance {
    let first = answered.tour.as_ref().and_then(|tour| tour.order().first());
    let there = first.and_then(|&first| instance.starting_at(first).ok());
    there.unwrap_or_else(|| instance.clone())
}

fn answer(
    question: &Question,
    instance: &Instance,
    method: &Method,
    seed: u32,
    limits: Limits,
) -> Answered {
    let began = Instant::now();
    let hold = Hold::new();
    let deadline = limits.deadline(began);
    let blank = Record::new(
        &question.to_string(),
        question.checksum(),
        method,
        seed.into(),
        &limits,
    );
    let progress = Progress::new(format_args!("solving {instance}"));
    let what = instance.to_string();
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
                limits,
                stop,
                listener,
                ..Settings::default()
            };
            worker.answer(by.answer(&of, &settings, &|_| ()));
        }
    });
    drop(progress);
    match waited {
        Waited::Answer(answered) => answered,
        Waited::Late(doing) => {
            let status = match hold.stop().is_set() {
                true => Status::Stopped,
                false => Status::Timeout,
            };
            let mut record = blank.ended(status, doing);
            record.wall_seconds = Some(began.elapsed().as_secs_f64());
            record.into()
        }
    }
}

fn print(out: &mut dyn Write, instance: &Instance, answered: &Answered) -> io::Result<()> {
    let record = &answered.record;
    match (&answered.tour, record.status) {
        (Some(tour), _) => {
            writeln!(out, "{}\n", drawing::checked(instance))?;
            writeln!(out, "{}", drawing::in_terminal(instance, tour))?;
        }
        (None, Status::NoTour) if is_reason(&record.message) => {
            writeln!(out, "{instance}: there is no tour: {}", record.message)?;
            return Ok(());
        }
        (None, Status::NoTour) => writeln!(out, "{instance}: there is no tour\n")?,
        (None, status) => {
            let why = match status {
                Status::Timeout => "by the time limit".to_owned(),
                Status::Stopped => "by the interrupt".to_owned(),
                Status::Memout => "within the limit on memory".to_owned(),
                _ => format!("by {}, which proves nothing", record.method),
            };
            writeln!(out, "{instance}: not known {why}")?;
            writeln!(
                out,
                "what may do better: more time; another --seed; an encoding, such as --encoding relaxed+two-cycles\n"
            )?;
        }
    }
    writeln!(out, "{}", record.method)?;
    for step in &answered.steps {
        writeln!(out, "  {}", said(step))?;
    }
    if let Some(seconds) = record.wall_seconds {
        let cpu = record.cpu_seconds.unwrap_or(seconds);
        writeln!(out, "{cpu:.3} s CPU, {seconds:.3} s wall")?;
    }
    Ok(())
}

/// Whether words say why there is no tour, and not who found that out.
fn is_reason(message: &str) -> bool {
    !message.is_empty() && !message.starts_with("by ")
}

/// What a part did, in a line.
fn said(step: &Step) -> String {
    let mut line = format!(
        "{}: {} after {:.3} s CPU",
        step.turn, step.outcome, step.cpu_seconds
    );
    for (counter, value) in &step.effort {
        line.push_str(&format!(", {value} {}", counter.replace('_', " ")));
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
        anyhow::bail!("--explain is for --method auto, and {method} is one thing");
    };
    let instance = asked.instance();
    let options = portfolio::Options {
        part: how.part,
        threads: how.threads,
        seed,
    };
    let plan = portfolio::plan(instance, &options, TURNS);
    output::print(|out| {
        let graph = instance.graph();
        let bipartite = match instance.facts().colours() {
            Some(_) => "bipartite",
            None => "not bipartite",
        };
        writeln!(
            out,
            "{instance}: {} vertices, {} edges, {bipartite}",
            graph.n_vertices(),
            graph.n_edges()
        )?;
        if let Some(found) = obstruction(instance) {
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
    fn new(instance: &'a Instance, answered: &'a Answered) -> Self {
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
        let none = record.status == Status::NoTour && is_reason(&record.message);
        let obstruction = none.then(|| obstruction(instance)).flatten();
        Self {
            record,
            instance: instance.name(),
            tours: instance.kind().as_str(),
            start: instance.vertex_name(instance.start()),
            obstruction: obstruction.map(|found| found.kind().as_str()),
            reason: none.then_some(record.message.as_str()),
            steps: steps.collect(),
            tour: answered
                .tour
                .as_ref()
                .map(|tour| Visits::new(instance, tour)),
        }
    }
}
