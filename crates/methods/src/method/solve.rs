//! An encoding, or `solve+phases=…:ENCODING`: CaDiCaL solves the formula. If the encoding is relaxed, the missing
//! constraints are added lazily.

use std::num::NonZero;

use hamcnf_encodings::{Clauses, Encoding, Formula};
use hamcnf_tours::{NotATour, Tour, TourKind};

use super::auto::search_instead;
use super::evidence::StepProof;
use super::grammar::parsed;
use super::models::directions;
use super::{Advice, Backend, Class, Field, MethodKind, Operand, Portfolio, Profile, Setting};
use crate::run::{Event, Failure, Refusal, Run, RunResult, Share, Status, Wanted};
use hamcnf_count::enumerate::tours_of;
use hamcnf_questions::{Question, Tours};
use hamcnf_refute::instance::proof_instance;
use hamcnf_sat::solve::{self, Phases, defaults};

/// Method that solves the formula of an encoding with CaDiCaL.
#[derive(Clone, PartialEq, Debug)]
pub struct Solve {
    pub encoding: Encoding,
    /// Source of the solver's initial phases.
    pub phases: Phases,
}

impl Default for Solve {
    fn default() -> Self {
        Self::on(defaults::encoding(defaults::FOUND))
    }
}

impl Solve {
    /// Returns the method for this encoding, with the initial phases that the solver chooses.
    pub fn on(encoding: Encoding) -> Self {
        Self { encoding, phases: Phases::default() }
    }
}

impl MethodKind for Solve {
    fn profile(&self) -> Profile<'_> {
        let summary = "CaDiCaL on the formula of an encoding; 'solve:' may be left out";
        Profile {
            backend: Backend::Cadical,
            random: true,
            compared: false,
            several: true,
            proof: true,
            small_graphs: false,
            ..Profile::new("solve", summary, Class::Encoding).with_formula(Operand::Required)
        }
    }

    fn settings(&mut self) -> Vec<Field<'_>> {
        vec![phases(&mut self.phases)]
    }

    fn encoding(&self) -> Option<&Encoding> {
        Some(&self.encoding)
    }

    fn set_encoding(&mut self, encoding: Encoding) {
        self.encoding = encoding;
    }

    fn advice(&self, question: &Question, _: Status) -> Vec<Advice> {
        let Question::Tours(tours) = question else { return Vec::new() };
        let mut advice = Vec::new();
        let default = defaults::constrained(tours.instance());
        if self.encoding != default {
            let text = format!("--encoding {default}, the default encoding");
            advice.push(Advice::about(Self::on(default), text));
        }
        advice.push(Advice::to_use(Portfolio::AUTO, ", which needs no encoding"));
        advice.push("another --seed".into());
        advice.push(search_instead(tours));
        advice
    }

    fn chosen(&self, question: &Question, _seed: u64) -> Vec<(&'static str, String)> {
        let Question::Tours(tours) = question else { return Vec::new() };
        let mut chosen = vec![("phases", self.phases.to_string())];
        let instance = tours.instance();
        let is_closed = instance.kind() == TourKind::Closed && !instance.is_directed();
        let orientation = self.encoding.value_of("orientation");
        if let Some(orientation) = orientation.filter(|_| is_closed) {
            chosen.push(("orientation", orientation));
        }
        chosen
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        let mut result = RunResult::default();
        let writes_steps = run.steps().is_some();
        // If both ends are given, or neither, the tours are those of a graph with one more vertex.
        let instance = proof_instance(tours)?;
        let formula = Formula::new(self.encoding.clone(), &instance).map_err(Refusal::new)?;
        if writes_steps && !formula.is_exact() && instance.is_directed() {
            return Ok(result.refused(&RELAXED_DIGRAPH));
        }
        if writes_steps && !formula.is_exact() {
            return run.prove(tours, result, |task| task.counting_or_lazy());
        }
        result.variables = Some(formula.n_vars().into());
        run.knows(&result.clone().late());
        run.settings().observer.doing(|| format!("generating clauses of {}", self.encoding));
        let mut options = run.solver_options(self.phases)?;
        let proof = run.begin_proof(&formula, tours)?;
        options.proof = proof.as_ref().map(StepProof::log);
        if let Wanted::Several(number) = run.settings().wanted {
            return list(tours, &formula, number, &options, run, result);
        }
        let solved = solve::solve(&formula, &options, &mut |stage| run.stage(&result, stage))?;
        let statistics = solved.statistics;
        result.solved(solved.clauses, &statistics);
        for (name, value) in [
            ("conflicts", statistics.counters.conflicts),
            ("decisions", statistics.counters.decisions),
            ("propagations", statistics.counters.propagations),
            ("ticks", statistics.counters.ticks),
        ] {
            result.statistics.set(name, value);
        }
        if !formula.is_exact() {
            result.statistics.set("cuts", statistics.cuts);
        }
        let result = match solved.outcome {
            solve::Outcome::Found((tour, model)) => {
                RunResult { model: Some(model), ..result.found(instance.original_tour(&tour)?.1) }
            }
            solve::Outcome::None => result.ended(Status::NoTour, ""),
            solve::Outcome::Stopped(why) => result.stopped(why),
        };
        let proof = proof.map(|proof| proof.end(result.status)).transpose()?;
        Ok(RunResult { evidence: proof.flatten().map(Ok), ..result })
    }
}

/// Setting for the solver's initial phases.
pub(super) fn phases(field: &mut Phases) -> Field<'_> {
    let summary = "initial phases: CaDiCaL's own, or changed by the seed [default: solver]";
    Setting::new("phases", "solver|seeded", summary).of(field, &Phases::default(), parsed)
}

const RELAXED_DIGRAPH: &str =
    "relaxed encodings write no proofs about digraphs; use an exact encoding, or the method \"auto\"";

/// Finds up to `number` different tours.
fn list(
    tours: &Tours,
    formula: &Formula,
    number: NonZero<u32>,
    options: &solve::Options,
    run: &Run<'_>,
    result: RunResult,
) -> Result<RunResult, Failure> {
    let number = number.get() as usize;
    let observer = &run.settings().observer;
    let each = directions(tours) as usize;
    let listed = tours_of(formula, number.div_ceil(each), options, &mut |found| {
        let share = Share { done: (found.len() * each).min(number) as u64, of: number as u64 };
        observer.at(Some(share), || format!("{} of {number} tours found", share.done));
        let both = found.last().map(|tour| all_directions(tours, formula, tour));
        let left = number - (found.len() - 1) * each;
        for tour in both.and_then(Result::ok).iter().flatten().take(left) {
            observer.notify(Event::Found(tour));
        }
    })?;
    let result = match (listed.found.is_empty(), listed.complete) {
        (false, _) => result.ended(Status::Tour, ""),
        (true, true) => result.ended(Status::NoTour, ""),
        (true, false) if run.settings().stop.is_set() => result.ended(Status::Stopped, ""),
        (true, false) => result.late(),
    };
    let mut found = Vec::new();
    for tour in &listed.found {
        found.extend(all_directions(tours, formula, tour)?);
    }
    let complete = listed.complete && found.len() <= number;
    found.truncate(number);
    Ok(RunResult { tours: found, complete, ..result })
}

/// Returns the tours of the question that correspond to a tour of the proof instance.
fn all_directions(tours: &Tours, formula: &Formula, found: &Tour) -> Result<Vec<Tour>, NotATour> {
    let (instance, tour) = formula.instance().original_tour(found)?;
    let mut all = vec![tour];
    if directions(tours) == 2 {
        let mut order = all[0].order().to_vec();
        order.reverse();
        let first = order.first();
        let at = first.and_then(|&first| instance.starting_at(first).ok());
        all.push(Tour::check(at.as_ref().unwrap_or(&instance), order)?);
    }
    Ok(all)
}
