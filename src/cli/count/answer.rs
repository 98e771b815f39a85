//! Output of `hamcnf count`: one or two lines for people, or a JSON object for programs.

use std::io::{self, BufWriter, Write};

use hamcnf::Projection;
use hamcnf::budget::Stopped;
use hamcnf::count::frontier::Exact;
use hamcnf::count::frontier::diagram::Diagram;
use hamcnf::count::statistic::Statistic;
use hamcnf::engine::{Accuracy, ModelCount};
use hamcnf::json::JsonRecord;
use hamcnf::record::{Number, Record, Status};
use hamcnf::render::terminal;
use hamcnf::run::{Details, Models};
use num_bigint::BigUint;
use serde::Serialize;
use serde_json::json;
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

use super::Task;
use super::certificate::Written;
use crate::cli::complain;
use crate::cli::drawing::heading;
use crate::cli::interrupt::{is_interrupted, limit};
use crate::cli::list::names;
use crate::cli::output::{self, Format};

/// Reason why a count ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Limit {
    Time,
    /// The user interrupted the count.
    Interrupt,
    /// The memory was used up, or would not suffice.
    Memory,
    /// The sample found no tour.
    Sample,
    /// The graph is too wide for the method.
    Width,
}

/// Number of tours in an answer, counted in one direction or both as requested.
enum Figure {
    Exactly(BigUint),
    About(f64),
    /// Number modulo a number.
    Modulo(BigUint, BigUint),
    /// Lower bound: the count ended early.
    AtLeast(BigUint),
    /// The count ended early without a result; contains the limit and a message.
    Stopped(Limit, String),
}

/// Answer, with the data for printing it.
pub(super) struct Said<'a> {
    task: &'a Task<'a>,
    record: &'a Record,
    answered: &'a Record,
    figure: Figure,
    certificate: Option<Written>,
}

impl<'a> Said<'a> {
    pub(super) fn new(task: &'a Task<'a>, answered: &'a Record, certificate: Option<Written>) -> Self {
        let record = &answered;
        let stopped = |limit| {
            let message = &record.message;
            let why = match (&answered.result.details, answered.result.cause) {
                (Some(Details::NotBegun), _) => {
                    format!("{message}, so counting was not started; use --try to start anyway")
                }
                (_, Some(limit @ (Stopped::Time | Stopped::CpuTime))) => format!("the {limit} was reached"),
                _ => message.clone(),
            };
            Figure::Stopped(limit, why)
        };
        let directions = task.directions();
        let number = || record.whole().cloned().unwrap_or_default() * directions;
        let figure = match (record.status, &answered.details) {
            (Status::Estimate, Some(Details::Counter { models, found })) => {
                let directed = &found.count * directions * models.directions;
                Figure::About(as_f64(&directed) / f64::from(models.per_tour))
            }
            (Status::Estimate, _) => Figure::About(record.number().unwrap_or(f64::NAN) * f64::from(directions)),
            (Status::Count, _) => Figure::Exactly(number()),
            (Status::Residue, _) if let Some(modulus) = task.modulus() => Figure::Modulo(number() % &modulus, modulus),
            (Status::AtLeast, _) => Figure::AtLeast(number()),
            (Status::Timeout, _) => stopped(Limit::Time),
            (Status::Stopped, _) => stopped(Limit::Interrupt),
            (Status::GaveUp, _) => stopped(Limit::Sample),
            (Status::Refused, _) => stopped(Limit::Width),
            _ => stopped(Limit::Memory),
        };
        Self { task, record, answered, figure, certificate }
    }

    /// True if the method finished, with an exact count or an estimate.
    pub(super) fn is_complete(&self) -> bool {
        matches!(self.figure, Figure::Exactly(_) | Figure::About(_) | Figure::Modulo(..))
    }

    /// Writes the requested files of a decision diagram, and prints the answer.
    pub(super) fn print(&self) -> anyhow::Result<()> {
        let task = self.task;
        if let Some(Details::Diagram(diagram)) = &self.answered.details {
            write(task, diagram)?;
        }
        let is_json = task.args.json || task.args.format == Format::Json;
        match &self.figure {
            Figure::Stopped(Limit::Interrupt, why) if !is_json => {
                // The user learns from another message how to continue.
                if let Some(Details::NotSaved) = self.answered.details {
                    complain(&format!("{}: {why}", task.instance.name_with_constraints()));
                }
                return Ok(());
            }
            Figure::Stopped(_, why) if !is_json => {
                let instance = task.instance.name_with_constraints();
                complain(&format!("{instance}: {why}{}", self.instead("; ")));
                return Ok(());
            }
            _ => {}
        }
        let print = |out: &mut dyn Write| match is_json {
            true => output::json(out, &self.json()),
            false => self.text(out),
        };
        if task.stdout_is_taken() {
            print(&mut io::stderr())?;
            return Ok(());
        }
        output::print(print)
    }

    /// Returns advice with the text `before` in front of it; empty if there is none.
    fn instead(&self, before: &str) -> String {
        let task = self.task;
        match task.method.advice(&task.question, self.record.status) {
            advice if advice.is_empty() => advice,
            advice => format!("{before}try instead: {advice}"),
        }
    }

    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let (task, details) = (self.task, &self.answered.details);
        let is_one = matches!(&self.figure, Figure::Exactly(count) if *count == BigUint::from(1u8));
        let instance = task.instance.name_with_constraints();
        let counted = task.counted(is_one, task.args.directed);
        let seconds = task.began.elapsed().as_secs_f64();
        if let Some(Details::ByStart(counts)) = details {
            let texts: Vec<_> = counts.iter().map(BigUint::to_string).collect();
            write!(out, "{}", terminal::values(&task.instance, &texts))?;
        }
        if let Some(Details::Histogram { of, exact }) = details {
            self.histogram(of, exact, out)?;
            if task.args.format == Format::Csv {
                return Ok(());
            }
        }
        let how = match (self.how(), &self.figure) {
            (how, _) if how.is_empty() => how,
            (how, _) => format!("{how}, "),
        };
        let said = match &self.figure {
            Figure::Exactly(count) => count.to_string(),
            Figure::About(estimate) => format!("about {}", rounded(*estimate)),
            Figure::Modulo(residue, modulus) => format!("{residue} modulo {modulus}:"),
            Figure::AtLeast(count) => format!("at least {count}"),
            Figure::Stopped(..) => return Ok(()),
        };
        writeln!(out, "{instance}: {said} {counted} ({how}{seconds:.1} s)")?;
        if let Figure::AtLeast(_) = self.figure {
            match self.instead("") {
                advice if advice.is_empty() => {}
                advice => writeln!(out, "{advice}")?,
            }
        }
        if let Some(certificate) = &self.certificate {
            writeln!(out, "{}", certificate.said())?;
        }
        if let Some(Details::Projected { models, found }) = details {
            writeln!(
                out,
                "{}\nprojected on {}: {} distinct assignments in {} models; as a count of tours, this would be {}",
                models.encoding,
                models.set,
                found.values,
                found.models,
                models.as_tours(found.values)
            )?;
        }
        Ok(())
    }

    /// Writes the number of tours for each value of the statistic.
    fn histogram(&self, of: &Statistic, exact: &Exact, out: &mut dyn Write) -> io::Result<()> {
        let format = self.task.args.format;
        if format == Format::Csv {
            writeln!(out, "value,tours")?;
            for (value, tours) in &exact.by_value {
                writeln!(out, "{value},{tours}")?;
            }
            return Ok(());
        }
        if exact.by_value.is_empty() {
            return Ok(());
        }
        let mut rows = Builder::new();
        rows.push_record([of.to_string().as_str(), "tours"]);
        for (value, tours) in &exact.by_value {
            rows.push_record([value.to_string(), tours.to_string()]);
        }
        let mut table = rows.build();
        match format {
            Format::Markdown => table.with(Style::markdown()),
            _ => table.with(Style::blank()),
        };
        table.modify(Columns::new(..), Alignment::right());
        writeln!(out, "{table}")
    }

    /// True if the message gives a reason from which the number follows, so that no tours had to be counted.
    fn is_known_from_reason(&self) -> bool {
        matches!(self.figure, Figure::Exactly(_)) && !self.record.message.is_empty()
    }

    /// Returns a sentence about the method of the count.
    fn how(&self) -> String {
        let factor = f64::from(self.task.directions());
        match &self.answered.details {
            _ if !self.answered.how.is_empty() => self.answered.how.clone(),
            None if self.answered.proof.is_some() || self.is_known_from_reason() => self.record.message.clone(),
            None | Some(Details::Projected { .. }) => match self.figure {
                Figure::AtLeast(_) => format!("found and checked before the {}", limit()),
                _ => "each found and checked".to_owned(),
            },
            Some(Details::Sample(estimate)) => match self.figure {
                Figure::Exactly(_) => {
                    let states = estimate.peak_states;
                    format!("exact, because no layer has more than {states} states")
                }
                _ => format!(
                    "standard error {:.1} %, 95 % interval {} to {}, {} repetitions with {} states, seed {}",
                    100.0 * estimate.standard_error / estimate.mean,
                    rounded(estimate.interval.0 * factor),
                    rounded(estimate.interval.1 * factor),
                    estimate.repetitions.len(),
                    self.states(),
                    self.record.asked.seed,
                ),
            },
            Some(Details::Counter { models, found }) => self.by_counter(models, found),
            _ => String::new(),
        }
    }

    fn by_counter(&self, models: &Models, found: &ModelCount) -> String {
        let name = self.counter();
        let version = found.version.as_deref().unwrap_or("of unknown version");
        let on = match (&models.set, models.projected_variables) {
            (Projection::None, _) | (_, None) => "all variables".to_owned(),
            (set, Some(variables)) => format!("{set} ({variables} variables)"),
        };
        let divided = match (models.directions, models.per_tour) {
            (directions, per_tour) if directions == per_tour => String::new(),
            (1, per_tour) => format!(" / {per_tour}"),
            (directions, _) => format!(" * {directions}"),
        };
        let mut how = format!("{name} {version}: {}{divided} on {on}, encoding {}", found.count, models.encoding);
        if let Some(Accuracy { epsilon, delta }) = found.accuracy {
            how += &format!(", epsilon {epsilon}, delta {delta}, seed {}", self.record.asked.seed);
        }
        how
    }

    /// Returns the number of states per layer that the sample keeps, as text.
    fn states(&self) -> String {
        let states = self.record.asked.method.setting_on("states", &self.task.question);
        states.unwrap_or_default()
    }

    /// Returns the name of the model counter.
    fn counter(&self) -> String {
        let engine = self.record.asked.method.engine().and_then(hamcnf::method::Engine::engine);
        engine.map_or_else(String::new, |engine| engine.title.clone())
    }

    /// Returns the JSON object of the answer. The object is the same for one board and for a board of a range.
    pub(super) fn json(&self) -> JsonRecord {
        let (task, record) = (self.task, self.record);
        let object = JsonRecord::new(&task.question, self.answered);
        let mut object = object.with("counted", task.counted(false, false));
        if let (true, Some(value)) = (task.directions() > 1, &record.value) {
            let directed = match value {
                Number::Whole(whole) => {
                    let directed = whole * task.directions();
                    Number::from(match task.modulus() {
                        Some(modulus) => directed % modulus,
                        None => directed,
                    })
                }
                Number::Real(real) => Number::from(real * f64::from(task.directions())),
            };
            object = object.with("directed_value", directed.to_string());
        }
        if let Some(certificate) = &self.certificate {
            object = object.with("certificate", certificate.json());
        }
        let limit = match self.figure {
            Figure::AtLeast(_) if is_interrupted() => Some(Limit::Interrupt),
            Figure::AtLeast(_) => Some(Limit::Time),
            Figure::Stopped(limit, _) if record.status != Status::Failed => Some(limit),
            Figure::Stopped(..) | Figure::Exactly(_) | Figure::About(_) | Figure::Modulo(..) => None,
        };
        match limit {
            Some(limit) => object.with("stopped_by", json!(limit)),
            None => object,
        }
    }
}

/// Writes a decision diagram and its tours into the requested files.
fn write(task: &Task<'_>, diagram: &Diagram) -> anyhow::Result<()> {
    let instance = &task.instance;
    if let Some(file) = &task.args.dot {
        task.show(format_args!("writing {}", file.display()));
        output::to(Some(file), |out| Ok(diagram.write_dot(BufWriter::new(out))?))?;
    }
    if let Some(file) = &task.args.list {
        task.show(format_args!("writing {}", file.display()));
        output::to(Some(file), |out| {
            let mut out = BufWriter::new(out);
            heading(instance, &mut out)?;
            for tour in diagram.tours() {
                writeln!(out, "{}", names(instance, &tour))?;
            }
            Ok(out.flush()?)
        })?;
    }
    Ok(())
}

/// Formats an estimate for people: as a whole number below ten million, and with four significant digits above.
fn rounded(value: f64) -> String {
    if value < 1e7 { format!("{value:.0}") } else { format!("{value:.3e}") }
}

/// Returns the nearest floating-point number; infinite if the value is too large.
fn as_f64(value: &BigUint) -> f64 {
    value.to_string().parse().unwrap_or(f64::INFINITY)
}
