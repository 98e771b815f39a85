//! Counting the models of formulas: each found by CaDiCaL, or all by a model counter.

use std::io::{BufWriter, Write};

use hamcnf_encodings::{Clauses, DimacsWriter, Encoding, Formula, Header, ProjectionFormat};
use num_bigint::BigUint;
use rustsat::types::Var;

use super::{Failure, Work, late, refused};
use crate::count::Start;
use crate::count::enumerate::{fastest, tours_of};
use crate::count::external::{
    self, ApproxMc, Counter, Ganak, Guarantee, Outcome as Counted, Places, Request, Seed,
};
use crate::count::projected::projected;
use crate::method::{Count, Formulated};
use crate::question::Tours;
use crate::record::{Record, Status};
use crate::solve::Phases;
use crate::temporary::Temporary;

impl Work<'_> {
    pub(super) fn enumerate(
        &self,
        formulated: &Formulated,
        tours: &Tours,
        mut record: Record,
    ) -> Result<Record, Failure> {
        let instance = tours.instance();
        let fastest = fastest();
        // The values of a projection set are read off the tours, whichever encoding these come from.
        let by = match (&formulated.encoding, &formulated.project) {
            (Some(encoding), None) => encoding,
            _ => &fastest,
        };
        let set = match &formulated.project {
            Some(_) if tours.start() == Start::Anywhere => {
                return Ok(record.ended(Status::Refused, ONE_START));
            }
            Some(set) => {
                let encoding = formulated.encoding.clone().unwrap_or_else(counting);
                let formula = match Formula::new(encoding.clone(), instance) {
                    Ok(formula) => formula,
                    Err(refusal) => return Ok(refused(record, &refusal).record),
                };
                match formula.project(set) {
                    Ok(vars) => vars.map(|vars| (formula, set, vars)),
                    Err(refusal) => return Ok(refused(record, &refusal).record),
                }
            }
            None => None,
        };
        let starts = match tours.start() {
            Start::Given => vec![instance.clone()],
            Start::Anywhere => {
                let vertices = instance.graph().vertices();
                vertices
                    .map(|v| instance.starting_at(v))
                    .collect::<Result<_, _>>()?
            }
        };
        let (mut all, mut complete) = (Vec::new(), true);
        for from in &starts {
            let formula = match Formula::new(by.clone(), from) {
                Ok(formula) => formula,
                Err(refusal) => return Ok(refused(record, &refusal).record),
            };
            let before = all.len();
            let mut options = self.solver_options(Phases::default())?;
            // The order in which they are found is of no matter.
            options.seed = 0;
            let found = tours_of(&formula, &options, &mut |found| {
                let so_far = record
                    .clone()
                    .with_answer(Status::AtLeast, &(before + found.len()));
                (self.told)(&so_far);
            })?;
            all.extend(found.found);
            complete &= found.complete;
        }
        if !complete {
            return Ok(record.with_answer(Status::AtLeast, &all.len()));
        }
        if let Some((formula, set, vars)) = set {
            let exact = projected(&formula, &all, &vars)?;
            record.effort.set("values", exact.values);
            record.effort.set("models", exact.models);
            record
                .effort
                .set("models_per_tour", formula.values_per_tour(set));
            record.effort.set("projected_variables", vars.len());
        }
        Ok(record.with_answer(Status::Count, &all.len()))
    }

    pub(super) fn counter(&self, how: &Count) -> Result<Counter, Failure> {
        let seed = Seed::try_from(u32::try_from(self.settings.seed)?)?;
        Ok(match how {
            Count::Approxmc { epsilon, delta, .. } => {
                Counter::ApproxMc(ApproxMc::new(*epsilon, *delta, seed)?)
            }
            _ => Counter::Ganak(Ganak { seed }),
        })
    }

    pub(super) fn models(
        &self,
        counter: Counter,
        formulated: &Formulated,
        tours: &Tours,
        mut record: Record,
    ) -> Result<Record, Failure> {
        if tours.start() == Start::Anywhere {
            return Ok(record.ended(Status::Refused, ONE_START));
        }
        let encoding = formulated.encoding.clone().unwrap_or_else(counting);
        let formula = match Formula::new(encoding.clone(), tours.instance()) {
            Ok(formula) => formula,
            Err(refusal) => return Ok(refused(record, &refusal).record),
        };
        if !formula.is_exact() {
            return Ok(record.ended(Status::Refused, RELAXED));
        }
        let set = formulated
            .project
            .clone()
            .unwrap_or_else(|| formula.counted_on());
        let vars = match formula.project(&set) {
            Ok(vars) => vars,
            Err(refusal) => return Ok(refused(record, &refusal).record),
        };
        let per_tour = formula.values_per_tour(&set);
        record.variables = Some(formula.n_vars().into());
        if let Some(vars) = &vars {
            record.effort.set("projected_variables", vars.len());
        }
        self.count_models(
            counter,
            &formula,
            vars.as_deref(),
            record,
            |found, record| {
                record.effort.set("values", &found.count);
                record.effort.set("models_per_tour", per_tour);
                // On a set that is no independent support the values need not be a multiple of the models of a tour.
                let is_whole = &found.count % per_tour == BigUint::ZERO;
                match found.guarantee {
                    Guarantee::Exact if is_whole => (Status::Count, &found.count / per_tour),
                    _ if is_whole => (Status::Estimate, &found.count / per_tour),
                    // Half a tour more or less is nothing to an estimate, but is not said to be a count.
                    _ => (Status::Estimate, (&found.count + per_tour / 2) / per_tour),
                }
            },
        )
    }

    /// Counts the values of a projection set by a model counter, and takes what `read` makes of the number.
    pub(super) fn count_models(
        &self,
        counter: Counter,
        formula: &impl Clauses,
        set: Option<&[Var]>,
        mut record: Record,
        read: impl FnOnce(&external::Answer, &mut Record) -> (Status, BigUint),
    ) -> Result<Record, Failure> {
        let clauses = formula.tally().total().clauses;
        record.clauses = Some(clauses);
        (self.told)(&late(record.clone()));
        let header = Header {
            comments: &[],
            variables: formula.n_vars(),
            clauses,
            projection: set.map(|set| (ProjectionFormat::Show, set)),
            names: None,
        };
        let mut file = Temporary::for_a_child(".cnf")?;
        let mut writer = DimacsWriter::new(BufWriter::new(file.file_mut()), &header);
        formula.emit(&mut writer);
        writer.finish()?.flush()?;
        let left = self.left();
        if left.is_some_and(|left| left.is_zero()) {
            return Ok(late(record));
        }
        let request = Request {
            file: file.file().path(),
            counter,
            time_limit: left,
            places: &Places::from_environment(),
            fetch: self.settings.fetch,
            stop: &self.settings.stop,
        };
        match external::run(&request, &mut |_| ())? {
            Counted::Counted(found) => {
                let version = found.version.as_deref().unwrap_or("of unknown version");
                record.solver = format!("{counter} {version}");
                record.wall_seconds = Some(found.wall_seconds);
                record.cpu_seconds = Some(found.cpu_seconds);
                let (status, answer) = read(&found, &mut record);
                Ok(record.with_answer(status, &answer))
            }
            Counted::TimedOut { wall_seconds } => {
                record.wall_seconds = Some(wall_seconds);
                Ok(late(record))
            }
        }
    }
}

const RELAXED: &str = "some models of a relaxed encoding are several cycles, and would be counted";

const ONE_START: &str = "it is about one formula: the question has to say from where";

fn counting() -> Encoding {
    "counting".parse().expect("there is this encoding")
}
