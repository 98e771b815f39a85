//! Counting the models of formulas: each found by CaDiCaL, or all by a model counter.

use std::io::{BufWriter, Write};

use hamcnf_encodings::{
    Clauses, DimacsWriter, EncodeError, Encoding, Formula, Header, Projection, ProjectionFormat,
};
use num_bigint::BigUint;
use rustsat::types::Var;

use super::count::with;
use super::{Answered, Details, Failure, News, Work, late, refused};
use crate::count::enumerate::tours_of;
use crate::count::external::{
    self, ApproxMc, Counter, Ganak, Guarantee, Outcome as Counted, Places, Request, Seed,
};
use crate::count::projected::projected;
use crate::ends::Start;
use crate::method::{Count, Formulated};
use crate::question::Tours;
use crate::record::{Record, Status};
use crate::solve::{Phases, defaults};
use crate::temporary::Temporary;

/// A formula and a projection set of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Models {
    /// The encoding.
    pub encoding: Encoding,
    /// The set.
    pub set: Projection,
    /// How many variables the set has, where these are not all.
    pub projected_variables: Option<usize>,
    /// How many values of the set each tour has, if the set tells the tours apart.
    pub per_tour: u32,
    /// Variables of the formula.
    pub variables: u32,
}

impl Models {
    fn new(formula: &Formula, set: &Projection, vars: Option<&[Var]>) -> Self {
        Self {
            encoding: formula.encoding().clone(),
            set: set.clone(),
            projected_variables: vars.map(<[Var]>::len),
            per_tour: formula.values_per_tour(set),
            variables: formula.n_vars(),
        }
    }
}

/// Why there is no formula whose models a counter could count.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotCountable {
    /// Tours from anywhere are those of several formulas.
    #[error("{ONE_START}")]
    ManyStarts,
    /// The encoding is not for this question.
    #[error(transparent)]
    Refused(#[from] EncodeError),
    /// Not every model is a tour.
    #[error(
        "{encoding} is relaxed: some of its models on {of} are several cycles, which a model counter would count"
    )]
    Relaxed {
        /// The encoding, as text.
        encoding: String,
        /// What it encodes.
        of: String,
    },
}

/// The formula whose models a counter counts.
///
/// # Errors
///
/// [`NotCountable`], before any counter is asked for.
pub fn countable(formulated: &Formulated, tours: &Tours) -> Result<Formula, NotCountable> {
    if tours.start() == Start::Anywhere {
        return Err(NotCountable::ManyStarts);
    }
    let encoding = formulated.encoding.clone().unwrap_or_else(counting);
    let formula = Formula::new(encoding, tours.instance())?;
    if !formula.is_exact() {
        return Err(NotCountable::Relaxed {
            encoding: formula.encoding().to_string(),
            of: tours.instance().to_string(),
        });
    }
    Ok(formula)
}

impl Work<'_> {
    pub(super) fn enumerate(
        &self,
        formulated: &Formulated,
        tours: &Tours,
        mut record: Record,
    ) -> Result<Answered, Failure> {
        let instance = tours.instance();
        let fastest = defaults::listed(instance);
        // The values of a projection set are read off the tours, whichever encoding these come from.
        let by = match (&formulated.encoding, &formulated.project) {
            (Some(encoding), None) => encoding,
            _ => &fastest,
        };
        let set = match &formulated.project {
            Some(_) if tours.start() == Start::Anywhere => {
                return Ok(refused(record, &ONE_START));
            }
            Some(set) => {
                let encoding = formulated.encoding.clone().unwrap_or_else(counting);
                let formula = match Formula::new(encoding.clone(), instance) {
                    Ok(formula) => formula,
                    Err(refusal) => return Ok(refused(record, &refusal)),
                };
                match formula.project(set) {
                    Ok(vars) => vars.map(|vars| (formula, set, vars)),
                    Err(refusal) => return Ok(refused(record, &refusal)),
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
        let listener = &self.settings.listener;
        let (mut all, mut complete) = (Vec::new(), true);
        for from in &starts {
            let formula = match Formula::new(by.clone(), from) {
                Ok(formula) => formula,
                Err(refusal) => return Ok(refused(record, &refusal)),
            };
            let before = all.len();
            let mut options = self.solver_options(Phases::default())?;
            // The order in which they are found is of no matter.
            options.seed = 0;
            let found = tours_of(&formula, &options, &mut |found| {
                let so_far = record
                    .clone()
                    .with_answer(Status::AtLeast, before + found.len());
                self.knows(&so_far);
                listener.at(None, || format!("{} tours found", before + found.len()));
            })?;
            all.extend(found.found);
            complete &= found.complete;
        }
        if !complete {
            return Ok(record.with_answer(Status::AtLeast, all.len()).into());
        }
        let mut details = None;
        if let Some((formula, set, vars)) = set {
            let found = projected(&formula, &all, &vars)?;
            let models = Models::new(&formula, set, Some(&vars));
            record.effort.set("values", found.values);
            record.effort.set("models", found.models);
            record.effort.set("models_per_tour", models.per_tour);
            record.effort.set("projected_variables", vars.len());
            details = Some(Details::Projected { models, found });
        }
        Ok(Answered {
            details,
            ..record.with_answer(Status::Count, all.len()).into()
        })
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
    ) -> Result<Answered, Failure> {
        let formula = match countable(formulated, tours) {
            Ok(formula) => formula,
            Err(why) => return Ok(refused(record, &why)),
        };
        let set = formulated
            .project
            .clone()
            .unwrap_or_else(|| formula.counted_on());
        let vars = match formula.project(&set) {
            Ok(vars) => vars,
            Err(refusal) => return Ok(refused(record, &refusal)),
        };
        let models = Models::new(&formula, &set, vars.as_deref());
        let per_tour = models.per_tour;
        record.variables = Some(formula.n_vars().into());
        if let Some(vars) = &vars {
            record.effort.set("projected_variables", vars.len());
        }
        let (record, found) = self.count_models(
            counter,
            &formula,
            vars.as_deref(),
            record,
            |found, record| {
                record.effort.set("values", &found.count);
                record.effort.set("models_per_tour", per_tour);
                // On other sets tours share values, which need not be a multiple of the models of a tour either.
                let is_count = set.tells_tours_apart() && &found.count % per_tour == BigUint::ZERO;
                match found.guarantee {
                    Guarantee::Exact if is_count => (Status::Count, &found.count / per_tour),
                    // Half a tour more or less is nothing to an estimate.
                    _ => (Status::Estimate, (&found.count + per_tour / 2) / per_tour),
                }
            },
        )?;
        Ok(match found {
            Some(found) => with(record, Details::Counter { models, found }),
            None => record.into(),
        })
    }

    /// Counts the values of a projection set by a model counter, and takes what `read` makes of the number.
    pub(super) fn count_models(
        &self,
        counter: Counter,
        formula: &impl Clauses,
        set: Option<&[Var]>,
        mut record: Record,
        read: impl FnOnce(&external::Answer, &mut Record) -> (Status, BigUint),
    ) -> Result<(Record, Option<external::Answer>), Failure> {
        let clauses = formula.tally().total().clauses;
        record.clauses = Some(clauses);
        self.knows(&late(record.clone()));
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
            return Ok((late(record), None));
        }
        let request = Request {
            file: file.file().path(),
            counter,
            time_limit: left,
            places: &Places::from_environment(),
            fetch: self.settings.fetch,
            stop: &self.settings.stop,
        };
        let listener = &self.settings.listener;
        listener.doing(|| format!("{counter} counts"));
        match external::run(&request, &mut |remark| listener.hears(News::Remark(remark)))? {
            Counted::Counted(found) => {
                let version = found.version.as_deref().unwrap_or("of unknown version");
                record.solver = format!("{counter} {version}");
                record.wall_seconds = Some(found.wall_seconds);
                record.cpu_seconds = Some(found.cpu_seconds);
                let (status, answer) = read(&found, &mut record);
                Ok((record.with_answer(status, answer), Some(found)))
            }
            Counted::TimedOut { wall_seconds } => {
                record.wall_seconds = Some(wall_seconds);
                let why =
                    format!("{counter} has no answer after {wall_seconds:.1} s, the time limit");
                Ok((record.ended(Status::Timeout, why), None))
            }
        }
    }
}

const ONE_START: &str = "it is about one formula: the question has to say from where";

fn counting() -> Encoding {
    defaults::encoding(defaults::COUNTED)
}
