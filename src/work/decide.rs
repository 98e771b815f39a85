//! Deciding: CaDiCaL on an encoding, a search without clauses, another program.

use std::num::NonZero;

use hamcnf_encodings::{Clauses, Encoding, Formula, Instance, Reading};

use super::{Answered, Failure, News, Share, Wanted, Work, found, late, proved, refused};
use crate::count::enumerate::some_tours_of;
use crate::method::{Engine, Search};
use crate::question::Tours;
use crate::record::{Record, Status};
use crate::refute::about::about;
use crate::search;
use crate::solve::external::{self as external_solver, EngineError, Problem, Unknown};
use crate::solve::{self, Phases, Stage, Stopped};

impl Work<'_> {
    pub(super) fn solve(
        &self,
        encoding: &Encoding,
        phases: Phases,
        tours: &Tours,
        mut record: Record,
    ) -> Result<Answered, Failure> {
        let closed;
        let instance = match &self.settings.proof {
            // Of some questions a proof is about other tours.
            Some(_) => {
                closed = about(tours)?;
                &closed
            }
            None => tours.instance(),
        };
        let formula = match Formula::new(encoding.clone(), instance) {
            Ok(formula) => formula,
            Err(refusal) => return Ok(refused(record, &refusal)),
        };
        if self.settings.proof.is_some() && !formula.is_exact() {
            return self.lazily(tours, record);
        }
        record.variables = Some(formula.n_vars().into());
        self.knows(&late(record.clone()));
        self.settings
            .listener
            .doing(|| format!("making clauses of {encoding}"));
        let mut options = self.solver_options(phases)?;
        options.proof = self.proof_of(&formula, tours)?;
        if let Wanted::Several(number) = self.settings.wanted {
            return self.list(&formula, number, &options, record);
        }
        let begun = record.clone();
        let mut stage = |stage| match stage {
            Stage::Loaded {
                clauses,
                encode_seconds,
            } => {
                let mut loaded = begun.clone();
                loaded.clauses = Some(clauses.clauses);
                loaded.encode_seconds = Some(encode_seconds);
                self.knows(&late(loaded));
                let all = clauses.clauses;
                self.settings
                    .listener
                    .doing(|| format!("CaDiCaL on {all} clauses"));
            }
            Stage::Answered => self.settings.listener.hears(News::Answered),
        };
        let solved = solve::solve(&formula, &options, &mut stage)?;
        if let Some(log) = &options.proof
            && !matches!(solved.outcome, solve::Outcome::Tour(..))
            && log.lock().has_failed()
        {
            self.written(log.clone(), &formula, tours)?;
        }
        let effort = solved.effort;
        record.clauses = Some(solved.clauses.clauses);
        record.encode_seconds = Some(effort.encode_seconds);
        record.solve_seconds = Some(effort.solve_seconds);
        record.wall_seconds = Some(effort.wall_seconds);
        for (name, value) in [
            ("conflicts", effort.conflicts),
            ("decisions", effort.decisions),
            ("propagations", effort.propagations),
            ("ticks", effort.ticks),
        ] {
            record.effort.set(name, value);
        }
        if !formula.is_exact() {
            record.effort.set("cuts", effort.cuts);
        }
        Ok(match solved.outcome {
            solve::Outcome::Tour(tour, model) => Answered {
                model: Some(model),
                ..found(record, tour)
            },
            solve::Outcome::NoTour => Answered {
                written: options
                    .proof
                    .map(|log| self.written(log, &formula, tours))
                    .transpose()?
                    .map(Ok),
                ..record.ended(Status::NoTour, "").into()
            },
            solve::Outcome::Timeout => match solved.stopped {
                Some(Stopped::Conflicts) => {
                    record.ended(Status::ConflictLimit, "conflict limit").into()
                }
                Some(Stopped::Asked) => record.ended(Status::Stopped, "").into(),
                Some(Stopped::Time) | None => late(record).into(),
            },
        })
    }

    /// Finds several tours.
    fn list(
        &self,
        formula: &Formula,
        number: NonZero<u32>,
        options: &solve::Options,
        record: Record,
    ) -> Result<Answered, Failure> {
        let number = number.get() as usize;
        let listener = &self.settings.listener;
        let listed = some_tours_of(formula, number, options, &mut |found| {
            let share = Share {
                done: found.len() as u64,
                of: number as u64,
            };
            listener.at(Some(share), || {
                format!("{} of {number} tours found", found.len())
            });
            if let Some(tour) = found.last() {
                listener.hears(News::Found(tour));
            }
        })?;
        let record = match (listed.found.is_empty(), listed.complete) {
            (false, _) => record.ended(Status::Tour, ""),
            (true, true) => record.ended(Status::NoTour, ""),
            (true, false) if self.settings.stop.is_set() => record.ended(Status::Stopped, ""),
            (true, false) => late(record),
        };
        Ok(Answered {
            tours: listed.found,
            complete: listed.complete,
            ..record.into()
        })
    }

    pub(super) fn search(
        &self,
        how: &Search,
        instance: &Instance,
        mut record: Record,
    ) -> Result<Answered, Failure> {
        let options = search::Options {
            stop: self.settings.stop.clone(),
            ..how.options(instance, self.settings.seed, self.left())
        };
        let listener = &self.settings.listener;
        let mut show = |_, nodes| listener.at(None, || format!("{nodes} nodes"));
        let searched = match search::search(instance, &options, &mut show) {
            Ok(searched) => searched,
            Err(wrong @ search::SearchError::WrongPath(_)) => return Err(wrong.into()),
            Err(refusal) => return Ok(refused(record, &refusal)),
        };
        let effort = searched.effort;
        record.effort.set("nodes", effort.nodes);
        record.effort.set("restarts", effort.restarts);
        record.effort.set("rotations", effort.rotations);
        record.solve_seconds = Some(effort.seconds);
        record.wall_seconds = Some(effort.seconds);
        Ok(match searched.outcome {
            search::Outcome::Tour(tour) => found(record, tour),
            search::Outcome::NoTour(proof) => proved(record, proof, instance),
            search::Outcome::NotFound(search::Limit::Time) => late(record).into(),
            search::Outcome::NotFound(limit) => {
                record.ended(Status::GaveUp, limit.to_string()).into()
            }
        })
    }

    /// Asks another program.
    pub(super) fn external(
        &self,
        name: &Engine,
        encoding: Option<&Encoding>,
        instance: &Instance,
        mut record: Record,
    ) -> Result<Answered, Failure> {
        let Some(engine) = name.engine() else {
            return Ok(refused(record, &format!("there is no engine {name}")));
        };
        let refused_by = |error: EngineError, record: Record| match error.problem {
            Problem::Missing { .. }
            | Problem::NotSetUp { .. }
            | Problem::Kind(_)
            | Problem::Input { .. }
            | Problem::NoBoard(_) => Ok(refused(record, &error)),
            _ => Err(Failure::from(error)),
        };
        match name.signature(&self.settings.stop) {
            Ok(Some(signature)) => record.solver = signature,
            Ok(None) => {
                let why = format!("the engine {name} is not there: {}", engine.install());
                return Ok(refused(record, &why));
            }
            Err(error) => return refused_by(error, record),
        }
        let settings = external_solver::Settings {
            time_limit: self.left(),
            seed: u32::try_from(self.settings.seed)?,
            stop: &self.settings.stop,
        };
        self.settings.listener.doing(|| format!("{name} works"));
        let solved = match encoding {
            Some(encoding) => match Formula::new(encoding.clone(), instance) {
                Ok(formula) => engine.solve_formula(&formula, &settings),
                Err(refusal) => return Ok(refused(record, &refusal)),
            },
            None => engine.solve_instance(instance, &settings),
        };
        let solved = match solved {
            Ok(solved) => solved,
            Err(error) => return refused_by(error, record),
        };
        record.variables = solved.variables.map(u64::from);
        record.clauses = solved.clauses.map(|count| count.clauses);
        record.solve_seconds = Some(solved.cpu_seconds);
        record.wall_seconds = Some(solved.write_seconds + solved.wall_seconds);
        Ok(match solved.outcome {
            external_solver::Outcome::Found(Reading::Tour(tour)) => found(record, tour),
            external_solver::Outcome::Found(Reading::Cycles(cycles)) => {
                let why = format!(
                    "its model is {} cycles, as the encoding is relaxed",
                    cycles.len()
                );
                record.ended(Status::GaveUp, why).into()
            }
            external_solver::Outcome::None => {
                let why = format!("{} says so, and nobody has checked it", record.solver);
                record.ended(Status::NoTour, why).into()
            }
            external_solver::Outcome::Unknown(Unknown::TimeLimit) => late(record).into(),
            external_solver::Outcome::Unknown(Unknown::GaveUp) => record
                .ended(Status::GaveUp, "it says that it does not know")
                .into(),
            external_solver::Outcome::Unknown(Unknown::Stopped) => {
                record.ended(Status::Stopped, "").into()
            }
        })
    }
}
