//! Output of `hamcnf count`: one or two lines for people, or a JSON object for programs.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use hamcnf::Projection;
use hamcnf::count::frontier::Exact;
use hamcnf::count::frontier::diagram::Diagram;
use hamcnf::count::statistic::Statistic;
use hamcnf::engine::{Accuracy, ModelCount};
use hamcnf::json::JsonRecord;
use hamcnf::question::Tours;
use hamcnf::record::{Number, Record, Status};
use hamcnf::render::terminal;
use hamcnf::run::{Details, Models};
use num_bigint::BigUint;

use super::Task;
use super::certificate::WrittenCertificate;
use crate::cli::ask::why_stopped;
use crate::cli::complain;
use crate::cli::drawing::heading;
use crate::cli::interrupt::{is_interrupted, limit};
use crate::cli::output::{self, Borders, Format};
use crate::cli::progress::Progress;

/// Number of tours in an answer, counted in one direction or both as requested.
enum Figure {
    Exactly(BigUint),
    About(f64),
    /// Number modulo a number.
    Modulo(BigUint, BigUint),
    /// Lower bound: the count ended early.
    AtLeast(BigUint),
    /// The count ended early without a result; contains a message.
    Stopped(String),
}

/// Answer, with the data for printing it.
pub(super) struct CountAnswer<'a> {
    task: &'a Task<'a>,
    answered: &'a Record,
    figure: Figure,
    certificate: Option<WrittenCertificate>,
}

impl<'a> CountAnswer<'a> {
    pub(super) fn new(task: &'a Task<'a>, answered: &'a Record, certificate: Option<WrittenCertificate>) -> Self {
        let record = answered;
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
            (_, Some(Details::NotBegun)) => {
                Figure::Stopped(format!("{}, so counting was not started; use --try to start anyway", record.message))
            }
            _ => Figure::Stopped(why_stopped(record)),
        };
        Self { task, answered, figure, certificate }
    }

    /// True if the method finished, with an exact count or an estimate.
    pub(super) fn is_complete(&self) -> bool {
        matches!(self.figure, Figure::Exactly(_) | Figure::About(_) | Figure::Modulo(..))
    }

    /// Returns the number of tours, as text; `None` if it is not known.
    pub(super) fn value(&self) -> Option<String> {
        Some(match &self.figure {
            Figure::Exactly(count) => count.to_string(),
            Figure::About(estimate) => format!("about {}", rounded(*estimate)),
            Figure::Modulo(residue, modulus) => format!("{residue} modulo {modulus}"),
            Figure::AtLeast(count) => format!("at least {count}"),
            Figure::Stopped(_) => return None,
        })
    }

    /// Writes the requested files of a decision diagram, and prints the answer.
    pub(super) fn print(&self) -> anyhow::Result<()> {
        let task = self.task;
        if let (Some(Details::Diagram(diagram)), Some(tours)) = (&self.answered.details, task.tours()) {
            write(task, tours, diagram)?;
        }
        let is_json = task.args.json || task.args.format == Format::Json;
        if let Figure::Stopped(why) = &self.figure
            && !is_json
        {
            let instead = self.instead("; ");
            match (self.answered.status, &self.answered.details) {
                (Status::Stopped, Some(Details::NotSaved)) => complain(&format!("{}: {why}", task.full_name())),
                // The user learns from another message how to continue.
                (Status::Stopped, _) => {}
                _ => complain(&format!("{}: {why}{instead}", task.full_name())),
            }
            return Ok(());
        }
        let print = |out: &mut dyn Write| if is_json { output::json(out, &self.json()) } else { self.text(out) };
        if task.stdout_is_taken() {
            print(&mut io::stderr())?;
            return Ok(());
        }
        output::print(print)
    }

    /// Returns advice with the text `before` in front of it; empty if there is none.
    fn instead(&self, before: &str) -> String {
        let task = self.task;
        match task.method.advice(&task.question, self.answered.status) {
            advice if advice.is_empty() => advice,
            advice => format!("{before}try instead: {advice}"),
        }
    }

    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let (task, details) = (self.task, &self.answered.details);
        let is_one = matches!(&self.figure, Figure::Exactly(count) if *count == BigUint::from(1u8));
        let counted = task.counted(is_one, task.args.directed);
        let seconds = task.began.elapsed().as_secs_f64();
        if let (Some(Details::ByStart(counts)), Some(tours)) = (details, task.tours()) {
            let texts: Vec<_> = counts.iter().map(BigUint::to_string).collect();
            write!(out, "{}", terminal::values(tours.instance(), &texts))?;
        }
        if let Some(Details::Histogram { of, exact }) = details {
            self.histogram(of, exact, out)?;
            if task.args.format == Format::Csv {
                return Ok(());
            }
        }
        let how = match self.how() {
            how if how.is_empty() => how,
            how => format!("{how}, "),
        };
        let Some(value) = self.value() else { return Ok(()) };
        let colon = if let Figure::Modulo(..) = self.figure { ":" } else { "" };
        writeln!(out, "{}: {value}{colon} {counted} ({how}{seconds:.1} s)", task.full_name())?;
        if let Figure::AtLeast(_) = self.figure {
            match self.instead("") {
                advice if advice.is_empty() => {}
                advice => writeln!(out, "{advice}")?,
            }
        }
        if let Some(certificate) = &self.certificate {
            writeln!(out, "{certificate}")?;
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
        let rows = exact.by_value.iter().map(|(value, tours)| vec![value.to_string(), tours.to_string()]);
        let rows = std::iter::once(vec![of.to_string(), "tours".to_owned()]).chain(rows);
        writeln!(out, "{}", output::table(format, Borders::None, rows, 0))
    }

    /// True if the message gives a reason from which the number follows, so that no tours had to be counted.
    fn is_known_from_reason(&self) -> bool {
        matches!(self.figure, Figure::Exactly(_)) && !self.answered.message.is_empty()
    }

    /// Returns a sentence about the method of the count.
    fn how(&self) -> String {
        let factor = f64::from(self.task.directions());
        match &self.answered.details {
            _ if !self.answered.how.is_empty() => self.answered.how.clone(),
            None if self.answered.proof.is_some() || self.is_known_from_reason() => self.answered.message.clone(),
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
                    self.answered.asked.seed,
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
            how += &format!(", epsilon {epsilon}, delta {delta}, seed {}", self.answered.asked.seed);
        }
        how
    }

    /// Returns the number of states per layer that the sample keeps, as text.
    fn states(&self) -> String {
        let states = self.answered.asked.method.setting_on("states", &self.task.question);
        states.unwrap_or_default()
    }

    /// Returns the name of the model counter.
    fn counter(&self) -> String {
        let engine = self.answered.asked.method.engine().and_then(hamcnf::method::Engine::engine);
        engine.map_or_else(String::new, |engine| engine.title.clone())
    }

    /// Returns the JSON object of the answer. The object is the same for one board and for a board of a range.
    pub(super) fn json(&self) -> JsonRecord {
        let (task, record) = (self.task, self.answered);
        let mut object = JsonRecord::new(&task.question, self.answered).with("counted", task.counted(false, false));
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
        let limit = match record.status {
            Status::Failed => None,
            Status::AtLeast if is_interrupted() => Some("interrupt"),
            Status::AtLeast | Status::Timeout => Some("time"),
            Status::Stopped => Some("interrupt"),
            Status::GaveUp => Some("sample"),
            Status::Refused => Some("width"),
            _ => matches!(self.figure, Figure::Stopped(_)).then_some("memory"),
        };
        match limit {
            Some(limit) => object.with("stopped_by", limit),
            None => object,
        }
    }
}

/// Writes a decision diagram and its tours into the requested files.
fn write(task: &Task<'_>, tours: &Tours, diagram: &Diagram) -> anyhow::Result<()> {
    let instance = tours.instance();
    let progress = |file: &Path| Progress::new(format_args!("{}: writing {}", instance.name(), file.display()));
    if let Some(file) = &task.args.dot {
        let _progress = progress(file);
        output::to(Some(file), |out| Ok(diagram.write_dot(BufWriter::new(out))?))?;
    }
    if let Some(file) = &task.args.list {
        let _progress = progress(file);
        output::to(Some(file), |out| {
            let mut out = BufWriter::new(out);
            heading(instance, tours.ends(), &mut out)?;
            for tour in diagram.tours() {
                writeln!(out, "{}", tour.names(instance))?;
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
